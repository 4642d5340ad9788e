#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge")]
struct Charge {
    #[idempotent(identity)]
    customer_id: uuid::Uuid,
    #[idempotent(identity)]
    order_id: Option<uuid::Uuid>,
}

fn main() {}
