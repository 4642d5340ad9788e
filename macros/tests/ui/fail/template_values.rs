#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge", template = "{a}:{b}:{c}:{d}", digest = "none")]
struct Charge {
    #[idempotent(identity)]
    a: Option<String>,
    #[idempotent(identity, bytes)]
    b: [u8; 4],
    #[idempotent(identity, at = "second", persisted = "orders.created_at")]
    c: std::time::SystemTime,
    #[idempotent(ignore = "not needed")]
    d: String,
}

fn main() {}
