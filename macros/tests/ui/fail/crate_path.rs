#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge", crate = "not a path")]
struct Charge {
    #[idempotent(identity)]
    customer_id: String,
}

fn main() {}
