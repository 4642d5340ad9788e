//! Findings and how they are shown.

mod concise;
mod diagnostic;
pub(crate) mod document;
mod escape;
mod fingerprint;
mod fix;
mod format;
mod github;
mod gitlab;
mod human;
mod json;
mod keys;
mod sarif;
mod schema;
mod snippet;
mod summary;
mod text;

pub use concise::write_concise;
pub use diagnostic::{
    Certainty, Diagnostic, Exception, ExceptionKind, Identity, KeyEntry, KeyReason, KnownFinding, Label,
    RuleInfo, Severity, Step,
};
pub use escape::{printable, printable_line, redact};
pub use fingerprint::{assign_fingerprints, fingerprint};
#[cfg(test)]
pub(crate) use fix::applied;
pub use fix::{Applicability, Edit, Fix, Replacement};
pub use format::{Format, write};
pub use github::write_github;
pub use gitlab::write_gitlab;
pub use human::{Human, write_human};
pub use json::{write_json, write_jsonl, write_keys_json};
pub use keys::{write_keys_human, write_keys_markdown};
pub use sarif::write_sarif;
pub use schema::{write_schema_human, write_schema_json, write_schema_vectors};
pub use summary::{CutShort, Summary};
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
    /// Entry points whose analysis the work budget cut short.
    pub cut_short: &'a [CutShort],
    /// Suppressions and sanitizers that the change adds.
    pub exceptions: &'a [Exception],
    /// Findings of the baseline that were not found any more.
    pub stale: &'a [KnownFinding],
    /// The numbers of the run.
    pub summary: Summary,
    /// The texts that findings point into.
    pub sources: &'a Sources,
    /// All rules.
    pub rules: &'a [RuleInfo],
    /// The path from the top of the repository to the root that paths are relative to: empty, or with a `/` at its
    /// end. Services that show findings beside code want paths from the top of the repository.
    pub prefix: &'a str,
}

impl Report<'_> {
    /// A shown path as a path from the top of the repository.
    fn repository_path(&self, path: &str) -> String {
        let mut parts: Vec<&str> = Vec::new();
        for part in self.prefix.split('/').chain(path.split('/')).filter(|part| !part.is_empty()) {
            match part {
                "." => {}
                ".." if parts.last().is_some_and(|last| *last != "..") => {
                    parts.pop();
                }
                _ => parts.push(part),
            }
        }
        parts.join("/")
    }
}
