//! A derived key in the hands of real clients.

pub mod charge;
pub mod plain_http;
pub mod stripe_0;
pub mod stripe_1;
