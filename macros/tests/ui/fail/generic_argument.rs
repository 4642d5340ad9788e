#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge")]
struct Charge<T> {
    #[idempotent(identity)]
    id: T,
}

fn main() {
    use samekey::Idempotent;
    let _ = Charge { id: 1.5_f64 }.idempotency_key();
}
