#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge", template = "{a}:{b}", digest = "none")]
struct Charge {
    #[idempotent(identity)]
    a: String,
    #[idempotent(identity)]
    b: String,
}

fn main() {
    use samekey::Idempotent;
    let charge = Charge { a: "a".into(), b: "b".into() };
    let _ = charge.try_idempotency_key();
    let _ = charge.idempotency_key();
    let secret = samekey::Secret::new("id", &[0; 32]).unwrap();
    let _ = charge.key_with(&secret);
}
