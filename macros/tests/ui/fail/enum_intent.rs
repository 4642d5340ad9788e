#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge")]
enum Operation {
    Charge,
    Refund,
}

fn main() {}
