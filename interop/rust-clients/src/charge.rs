//! The operation that the examples send.

use samekey::{Idempotent, Identity};

/// Who pays.
#[derive(Identity)]
pub struct CustomerId(pub String);

/// The charge of one customer for one month.
#[derive(Idempotent)]
#[idempotent(namespace = "billing", operation = "charge.monthly")]
pub struct MonthlyCharge {
    #[idempotent(identity)]
    pub customer_id: CustomerId,
    #[idempotent(identity)]
    pub billing_period: String,
    #[idempotent(ignore = "snapshot taken before the first call")]
    pub amount_cents: i64,
    /// The key in the claim row, when the claim is resumed.
    #[idempotent(ignore = "the key itself")]
    pub stored_key: Option<String>,
}

/// The key to send: the one that was sent before, if any.
pub fn key(charge: &MonthlyCharge) -> samekey::Key {
    charge
        .idempotency_key()
        .or_stored(charge.stored_key.as_deref())
}
