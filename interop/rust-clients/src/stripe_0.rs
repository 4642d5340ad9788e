//! `async-stripe` 0.41: the key is set on a clone of the client, for one call.

use async_stripe_0 as stripe;
use samekey::Provider;

use crate::charge::{MonthlyCharge, key};

/// Creates the payment.
pub async fn charge(
    client: &stripe::Client,
    charge: &MonthlyCharge,
) -> Result<stripe::PaymentIntent, Box<dyn std::error::Error>> {
    let key = key(charge).for_provider(Provider::Stripe)?;
    let once = client
        .clone()
        .with_strategy(stripe::RequestStrategy::Idempotent(key.to_string()));
    let parameters = stripe::CreatePaymentIntent::new(charge.amount_cents, stripe::Currency::EUR);
    Ok(stripe::PaymentIntent::create(&once, parameters).await?)
}
