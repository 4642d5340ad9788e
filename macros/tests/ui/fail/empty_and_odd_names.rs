#[derive(samekey::Idempotent)]
#[idempotent(namespace = " ", operation = "charge monthly")]
struct Charge {
    #[idempotent(identity, rename = "kund\u{e4}")]
    customer_id: String,
    #[idempotent(identity, rename = "")]
    period: String,
}

fn main() {}
