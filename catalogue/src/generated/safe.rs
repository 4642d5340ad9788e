//! Written by the tests from `data/`; edit the data and bless.

use crate::{ArgCondition, Effect, Language, Pattern, Safe};

/// Safe rows in the order of the data file.
pub static SAFES: &[Safe] = &[
];
