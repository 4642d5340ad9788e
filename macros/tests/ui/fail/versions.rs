#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge", version = 4294967296)]
struct Charge {
    #[idempotent(identity)]
    customer_id: String,
}

fn main() {}
