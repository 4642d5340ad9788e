//! `http` and `reqwest`.

use http::{HeaderName, HeaderValue, Request};
use samekey::Provider;

use crate::charge::{MonthlyCharge, key};

/// A request of the `http` crate.
pub fn request(charge: &MonthlyCharge) -> Result<Request<String>, Box<dyn std::error::Error>> {
    let key = key(charge).for_provider(Provider::Adyen)?;
    let body = format!("amount={}", charge.amount_cents);
    Ok(Request::post("https://checkout.example/payments")
        .header("Idempotency-Key", &key)
        .body(body)?)
}

/// A header map.
pub fn headers(charge: &MonthlyCharge) -> Result<http::HeaderMap, Box<dyn std::error::Error>> {
    let name = HeaderName::from_static("idempotency-key");
    let value = HeaderValue::try_from(key(charge))?;
    Ok([(name, value)].into_iter().collect())
}

/// A request of `reqwest`.
pub async fn send(
    client: &reqwest::Client,
    charge: &MonthlyCharge,
) -> Result<reqwest::Response, Box<dyn std::error::Error>> {
    let key = key(charge).for_provider(Provider::Wise)?;
    let response = client
        .post("https://api.example/transfers")
        .header("X-idempotence-uuid", &key)
        .send()
        .await?;
    Ok(response)
}
