#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge")]
struct Charge {
    #[idempotent(identity)]
    customer: String,
    #[idempotent(identity, rename = "customer")]
    payer: String,
}

#[derive(samekey::Identity)]
enum Method {
    Card,
    #[idempotent(rename = "Card")]
    Debit,
}

fn main() {}
