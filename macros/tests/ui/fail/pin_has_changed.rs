#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge", pin = "0000000000000000")]
struct Charge {
    #[idempotent(identity)]
    customer_id: String,
}

fn main() {}
