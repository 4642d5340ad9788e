#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge")]
struct Charge {
    #[idempotent(identity, attempt = "payments.attempt, bumped when a decline is recorded")]
    attempt: u32,
}

fn main() {}
