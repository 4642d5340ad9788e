//! Written by the tests from `data/`; edit the data and bless.

use crate::{Level, NameRole, NameRule, SourceKind};

/// Name rules in the order of the data file.
pub static NAMES: &[NameRule] = &[
];
