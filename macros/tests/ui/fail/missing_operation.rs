#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing")]
struct Charge {
    #[idempotent(identity)]
    customer_id: String,
}

fn main() {}
