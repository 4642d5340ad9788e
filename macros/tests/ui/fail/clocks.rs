#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge")]
struct Charge {
    #[idempotent(identity)]
    started: std::time::Instant,
    #[idempotent(identity)]
    created: std::time::SystemTime,
    #[idempotent(identity)]
    booked: chrono::DateTime<chrono::Utc>,
    #[idempotent(identity)]
    local: chrono::NaiveDateTime,
    #[idempotent(identity)]
    took: std::time::Duration,
}

fn main() {}
