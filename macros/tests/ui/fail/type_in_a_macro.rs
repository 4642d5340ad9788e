macro_rules! text {
    () => { String };
}

#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge")]
struct Charge {
    #[idempotent(identity)]
    customer_id: text!(),
}

fn main() {}
