#[derive(samekey::Identity)]
struct Order {
    id: String,
    #[idempotent(at = "microsecond", persisted = "orders.created_at")]
    created: std::time::SystemTime,
}

fn main() {}
