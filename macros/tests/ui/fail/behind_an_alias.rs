type Moment = std::time::Instant;
type Rates = std::collections::HashMap<String, u32>;
use std::time::SystemTime as BusinessTime;

#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge")]
struct Charge {
    #[idempotent(identity)]
    at: Moment,
    #[idempotent(identity)]
    rates: Rates,
    #[idempotent(identity)]
    business_time: BusinessTime,
}

fn main() {}
