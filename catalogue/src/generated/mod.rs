//! Tables written by the tests from `data/*.toml`; never edit them by hand.

#[rustfmt::skip]
pub mod contexts;
#[rustfmt::skip]
pub mod derive;
#[rustfmt::skip]
pub mod models;
#[rustfmt::skip]
pub mod names;
#[rustfmt::skip]
pub mod operations;
#[rustfmt::skip]
pub mod providers;
#[rustfmt::skip]
pub mod safe;
#[rustfmt::skip]
pub mod sinks;
#[rustfmt::skip]
pub mod sources;
