#[derive(samekey::Idempotent)]
#[idempotent(namespace = 7, operation, version = "2")]
struct Charge {
    #[idempotent(identity = true)]
    customer_id: String,
    #[idempotent(identity, persisted)]
    invoice_id: String,
    #[idempotent(ignore = 3)]
    amount_cents: i64,
}

fn main() {}
