//! A field that is compiled out leaves no trace.
use samekey::Idempotent;

#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge")]
struct Charge {
    #[idempotent(identity)]
    customer_id: String,
    #[cfg(any())]
    #[idempotent(identity)]
    gone: std::time::Instant,
    #[cfg_attr(all(), idempotent(identity))]
    period: String,
}

#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge")]
struct Plain {
    #[idempotent(identity)]
    customer_id: String,
    #[idempotent(identity)]
    period: String,
}

fn main() {
    let charge = Charge { customer_id: "a".into(), period: "b".into() };
    let plain = Plain { customer_id: "a".into(), period: "b".into() };
    assert_eq!(charge.idempotency_key(), plain.idempotency_key());
}
