#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge")]
struct Charge {
    #[idempotent(persisted = "primary key of customers")]
    customer_id: String,
    #[idempotent(attempt = "payments.attempt, bumped when a decline is recorded")]
    attempt: u32,
}

fn main() {}
