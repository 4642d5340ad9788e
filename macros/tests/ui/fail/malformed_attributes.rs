#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge")]
struct Charge {
    #[idempotent]
    a: String,
    #[idempotent = "identity"]
    b: String,
    #[idempotent(identity persisted = "c")]
    c: String,
    #[idempotent(identity, rename =)]
    d: String,
    #[idempotent("identity")]
    e: String,
}

fn main() {}
