#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operatoin = "charge", version = 0, crate = 7)]
struct Charge {
    #[idempotent(identity)]
    fence_token: u64,
    customer_id: String,
    #[idempotent(identity)]
    started: std::time::Instant,
    #[idempotent(ignore)]
    amount_cents: i64,
    #[idempotent(identity)]
    rates: std::collections::HashMap<String, f64>,
}

fn main() {}
