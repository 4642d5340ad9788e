//! `async-stripe` 1.0: the key is set on the request.
//!
//! The client has a type `IdempotencyKey` of its own; the trait of samekey is
//! called `Idempotent`, so the two can be imported side by side.

use async_stripe_1 as stripe;
use samekey::Provider;
use stripe::{IdempotencyKey, RequestStrategy, StripeRequest};
use stripe_billing::billing_meter_event::CreateBillingMeterEvent;

use crate::charge::{MonthlyCharge, key};

/// Reports usage under the key of the charge.
pub async fn report(
    client: &stripe::Client,
    charge: &MonthlyCharge,
) -> Result<(), Box<dyn std::error::Error>> {
    let key = key(charge).for_provider(Provider::Stripe)?;
    let payload = [("value".to_owned(), charge.amount_cents.to_string())];
    CreateBillingMeterEvent::new("usage", payload)
        .identifier(key.as_str())
        .customize()
        .request_strategy(RequestStrategy::Idempotent(IdempotencyKey::new(&key)?))
        .send(client)
        .await?;
    Ok(())
}
