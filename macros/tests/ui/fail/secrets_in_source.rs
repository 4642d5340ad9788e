#[derive(samekey::Idempotent)]
#[idempotent(namespace = "sk_live_0123456789", operation = "charge", secret = "hunter2")]
struct Charge {
    #[idempotent(identity)]
    customer_id: String,
}

fn main() {}
