#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge")]
struct Charge {
    #[idempotent(identity, at = "microsecond")]
    a: std::time::SystemTime,
    #[idempotent(identity, at = "day", persisted = "orders.created_at")]
    b: std::time::SystemTime,
    #[idempotent(identity, at = "second", persisted = "orders.created_at", bytes)]
    c: std::time::SystemTime,
    #[idempotent(identity, at = "second", persisted = "orders.created_at", with = path)]
    d: std::time::SystemTime,
    #[idempotent(identity)]
    e: String,
}

fn main() {}
