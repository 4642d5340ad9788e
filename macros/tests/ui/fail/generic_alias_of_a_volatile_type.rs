#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge")]
struct Charge<T> {
    #[idempotent(identity)]
    id: T,
    #[idempotent(identity)]
    rates: std::collections::HashMap<String, T>,
    #[idempotent(identity)]
    at: Vec<std::time::Instant>,
}

fn main() {}
