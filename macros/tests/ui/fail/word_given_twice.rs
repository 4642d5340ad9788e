#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge")]
#[idempotent(namespace = "other")]
struct Charge {
    #[idempotent(identity, identity)]
    customer_id: String,
}

fn main() {}
