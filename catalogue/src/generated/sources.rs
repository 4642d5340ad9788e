//! Written by the tests from `data/`; edit the data and bless.

use crate::{ArgCondition, ChangesOn, Language, Level, Pattern, Slot, Source, SourceKind};

/// Sources in the order of the data file.
pub static SOURCES: &[Source] = &[
];
