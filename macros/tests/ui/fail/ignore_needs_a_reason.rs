#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge")]
struct Charge {
    #[idempotent(identity)]
    customer_id: String,
    #[idempotent(ignore)]
    amount_cents: i64,
    #[idempotent(ignore = "")]
    note: String,
}

fn main() {}
