//! Written by the tests from `data/`; edit the data and bless.

use crate::{ArgCondition, Family, Language, Level, Pattern, Sink, Slot};

/// Sinks in the order of the data file.
pub static SINKS: &[Sink] = &[
];
