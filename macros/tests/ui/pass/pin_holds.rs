//! A pin that holds, also with a lifetime, and through a reordering and a widening.
#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge", pin = "70ee1b9f7a77757a")]
struct Charge {
    #[idempotent(identity)]
    customer_id: String,
    #[idempotent(identity)]
    number: u8,
}

#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge", pin = "70ee1b9f7a77757a")]
struct Reordered<'a> {
    #[idempotent(identity)]
    number: i128,
    #[idempotent(identity)]
    customer_id: &'a str,
}

fn main() {}
