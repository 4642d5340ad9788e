//! Findings and how they are shown.

mod concise;
mod diagnostic;
mod escape;
mod fingerprint;
mod human;
mod json;
mod keys;
mod schema;
mod snippet;
mod text;

pub use concise::write_concise;
pub use diagnostic::{Certainty, Diagnostic, Identity, KeyEntry, KeyReason, Label, RuleInfo, Severity, Step};
pub use escape::{printable, redact};
pub use fingerprint::{assign_fingerprints, fingerprint};
pub use human::{Human, write_human};
pub use json::{write_json, write_keys_json};
pub use keys::{write_keys_human, write_keys_markdown};
pub use schema::{write_schema_human, write_schema_json, write_schema_vectors};
pub use text::{count, wrap};

use crate::discover::Problem;
use crate::source::Sources;

/// Everything that an output format may show.
#[derive(Clone, Copy)]
pub struct Report<'a> {
    /// The findings that are shown, in order.
    pub diagnostics: &'a [Diagnostic],
    /// What could not be analysed.
    pub problems: &'a [Problem],
    /// The numbers of the run.
    pub summary: Summary,
    /// The texts that findings point into.
    pub sources: &'a Sources,
}

/// The numbers of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Files that were found.
    pub files: usize,
    /// Files that could not be read or not be understood completely.
    pub unparsed: usize,
    /// Keys that were found.
    pub keys: usize,
    /// Errors and warnings.
    pub findings: usize,
    /// Notes.
    pub notes: usize,
    /// Findings that a comment or the configuration suppresses.
    pub suppressed: usize,
    /// Findings that the baseline knows.
    pub baselined: usize,
}

impl std::fmt::Display for Summary {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            formatter,
            "{}, {}, {}, {}, {} not analysed",
            count(self.files, "file"),
            count(self.keys, "key"),
            count(self.findings, "finding"),
            count(self.notes, "note"),
            self.unparsed
        )
    }
}
