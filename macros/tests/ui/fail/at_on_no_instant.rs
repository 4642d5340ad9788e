#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge")]
struct Charge {
    #[idempotent(identity, at = "microsecond", persisted = "orders.created_at")]
    a: String,
    #[idempotent(identity, at = "microsecond", persisted = "orders.created_at")]
    b: chrono::NaiveDateTime,
}

fn main() {}
