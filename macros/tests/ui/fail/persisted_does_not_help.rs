struct Customer;

#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge")]
struct Charge {
    #[idempotent(identity, persisted = "customers")]
    customer: Customer,
    #[idempotent(identity, persisted = "orders.created_at")]
    created: std::time::SystemTime,
}

fn main() {}
