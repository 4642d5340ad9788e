#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge")]
struct Charge {
    #[idempotent(identity)]
    customer_id: String,
    #[idempotent(identity)]
    fence_token: u64,
    #[idempotent(identity)]
    channel_id: String,
    #[idempotent(identity)]
    attempt: u32,
    #[idempotent(identity)]
    received_at: String,
    #[idempotent(identity)]
    r#trace_id: String,
}

fn main() {}
