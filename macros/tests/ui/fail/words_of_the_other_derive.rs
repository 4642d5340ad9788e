#[derive(samekey::Identity)]
#[idempotent(namespace = "billing", pin = "0000000000000000")]
struct CustomerId(String);

#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge", persisted = "customers")]
struct Charge {
    #[idempotent(identity)]
    customer_id: CustomerId,
}

#[derive(samekey::Identity)]
#[idempotent(persisted = "orders")]
struct Order {
    id: String,
    line: u32,
}

#[derive(samekey::Identity)]
#[idempotent(persisted = "methods")]
enum Method {
    #[idempotent(identity)]
    Card,
}

fn main() {}
