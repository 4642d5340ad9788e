struct Customer;

#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge")]
struct Charge {
    #[idempotent(identity)]
    customer: Customer,
    #[idempotent(identity)]
    unit: (),
}

fn main() {}
