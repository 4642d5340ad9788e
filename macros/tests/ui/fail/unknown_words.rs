#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge", identity)]
struct Charge {
    #[idempotent(key)]
    customer_id: String,
    #[idempotent(identity, persistd = "column")]
    invoice_id: String,
    #[idempotent(identity, namespace = "billing")]
    period: String,
    #[idempotent(identity, frobnicate)]
    currency: String,
}

fn main() {}
