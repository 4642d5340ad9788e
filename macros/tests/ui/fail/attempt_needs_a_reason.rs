#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge")]
struct Charge {
    #[idempotent(identity)]
    payment_id: String,
    #[idempotent(identity, attempt)]
    attempt: u32,
}

fn main() {}
