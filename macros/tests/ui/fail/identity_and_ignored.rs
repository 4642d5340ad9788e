#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge")]
struct Charge {
    #[idempotent(identity, ignore = "both")]
    customer_id: String,
    #[idempotent(ignore = "not needed", rename = "note", stable = "why")]
    note: String,
    #[idempotent(identity)]
    period: String,
}

fn main() {}
