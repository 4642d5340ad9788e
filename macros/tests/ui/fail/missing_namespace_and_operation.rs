#[derive(samekey::Idempotent)]
struct Charge {
    #[idempotent(identity)]
    customer_id: String,
}

fn main() {}
