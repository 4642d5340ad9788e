#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge")]
struct Charge {
    #[idempotent(ignore = "snapshot taken before the first call")]
    amount_cents: i64,
}

fn main() {}
