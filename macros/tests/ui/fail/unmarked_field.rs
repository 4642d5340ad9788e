#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge")]
struct Charge {
    #[idempotent(identity)]
    customer_id: String,
    amount_cents: i64,
}

fn main() {}
