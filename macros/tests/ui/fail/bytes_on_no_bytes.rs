#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge")]
struct Charge {
    #[idempotent(identity, bytes)]
    a: String,
    #[idempotent(identity, bytes, with = path)]
    b: Vec<u8>,
    #[idempotent(identity)]
    c: String,
}

fn main() {}
