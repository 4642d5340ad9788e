//! Private types inside public ones, and no warning of any kind.
#![deny(warnings, missing_docs, unused, clippy::all, private_interfaces, private_bounds)]

/// A customer.
#[derive(samekey::Identity)]
pub struct CustomerId(Inner);

#[derive(samekey::Identity)]
struct Inner(#[idempotent(persisted = "primary key of customers")] uuid::Uuid);

/// The same, said once before the type.
#[derive(samekey::Identity)]
#[idempotent(persisted = "primary key of orders")]
pub struct OrderId(uuid::Uuid);

/// A charge.
#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge", version = 2)]
pub struct Charge {
    /// Who pays.
    #[idempotent(identity)]
    pub customer_id: CustomerId,
    #[idempotent(identity, attempt = "payments.attempt, bumped when a decline is recorded")]
    attempt: u32,
    #[idempotent(identity, bytes)]
    fingerprint: [u8; 4],
    #[idempotent(identity, persisted = "orders.placed_at", at = "microsecond")]
    placed: Option<chrono::DateTime<chrono::Utc>>,
    #[idempotent(identity)]
    due: chrono::NaiveDate,
}

impl Charge {
    /// A charge.
    #[must_use]
    pub const fn new(customer: uuid::Uuid, due: chrono::NaiveDate) -> Self {
        Self { customer_id: CustomerId(Inner(customer)), attempt: 1, fingerprint: [0; 4], placed: None, due }
    }
}

fn main() {}
