//! Tables written by the tests from `data/*.toml`; never edit them by hand.

#[cfg(feature = "linter")]
#[rustfmt::skip]
pub mod contexts;
#[rustfmt::skip]
pub mod derive;
#[cfg(feature = "linter")]
#[rustfmt::skip]
pub mod digests;
#[cfg(feature = "linter")]
#[rustfmt::skip]
pub mod models;
#[cfg(feature = "linter")]
#[rustfmt::skip]
pub mod names;
#[cfg(feature = "linter")]
#[rustfmt::skip]
pub mod operations;
#[cfg(feature = "linter")]
#[rustfmt::skip]
pub mod providers;
#[cfg(feature = "linter")]
#[rustfmt::skip]
pub mod safe;
#[cfg(feature = "linter")]
#[rustfmt::skip]
pub mod sinks;
#[cfg(feature = "linter")]
#[rustfmt::skip]
pub mod sources;
