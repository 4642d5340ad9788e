//! Written by the tests from `data/`; edit the data and bless.

use crate::{Charset, Provider, UuidRule};

/// Providers in the order of the data file.
pub static PROVIDERS: &[Provider] = &[
];
