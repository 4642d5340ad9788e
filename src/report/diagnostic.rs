//! What a finding is.

use super::Fix;
use crate::ir::Span;

/// A finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rule's id, such as `uuid-in-key`.
    pub rule: &'static str,
    /// The rule's code, such as `SK001`.
    pub code: &'static str,
    /// How serious it is.
    pub severity: Severity,
    /// How sure it is.
    pub certainty: Certainty,
    /// One sentence, lower case, without a full stop.
    pub message: String,
    /// The first key slot on the path.
    pub primary: Span,
    /// What stands under the marked code of the primary span, and further marks in the same file.
    pub labels: Vec<Label>,
    /// How the key is made, with the volatile part between `⟨` and `⟩`.
    pub formula: Option<String>,
    /// What the fingerprint is made of.
    pub identity: Identity,
    /// Filled in by [`assign_fingerprints`](super::assign_fingerprints).
    pub fingerprint: String,
    /// The path from the source to the key slot, in order.
    pub trace: Vec<Step>,
    /// What to do instead.
    pub help: String,
    /// Edits that remove the finding, the best one first.
    pub fixes: Vec<Fix>,
}

/// How serious a finding is, from least to most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Shown on request.
    Note,
    /// Shown, does not fail a run by default.
    Warning,
    /// Fails a run.
    Error,
}

impl Severity {
    /// The word for it in every output.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// How sure a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Certainty {
    /// Several definitions or `cfg` variants may be meant, or a name decided.
    Possible,
    /// Each step of the path is in view.
    Proven,
}

impl Certainty {
    /// The word for it in every output.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Certainty::Possible => "possible",
            Certainty::Proven => "proven",
        }
    }
}

/// A text at a place of the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// A few words.
    pub text: String,
}

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The place.
    pub span: Span,
    /// What happens there, in a few words.
    pub message: String,
}

/// What makes a finding the same finding in the next version of the code: nothing here moves with lines,
/// formatting, messages or levels.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Identity {
    /// The crate and module, joined by `::`.
    pub module: String,
    /// The function, with its type for a method; empty outside functions.
    pub function: String,
    /// The code of the key slot as written.
    pub sink: String,
    /// The name of the source.
    pub source: String,
}

/// A key of the code base, for the inventory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyEntry {
    /// The key slot.
    pub span: Span,
    /// Who receives the key.
    pub provider: String,
    /// For how long the provider remembers it.
    pub window: String,
    /// How the key is made.
    pub formula: String,
    /// Whether a claim that is stored before the call was seen; `None` when that was not decided.
    pub claim: Option<bool>,
    /// `stable`, or the ids of the rules that it breaks.
    pub verdict: String,
    /// What its author says about its parts.
    pub reasons: Vec<KeyReason>,
}

/// Why a part of a key does not change, as its author says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyReason {
    /// The field.
    pub field: String,
    /// `persisted`, `stable` or `attempt`.
    pub word: &'static str,
    /// The reason.
    pub text: String,
}

/// What a rule is, for lists and explanations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleInfo {
    /// Its id, such as `uuid-in-key`.
    pub id: &'static str,
    /// Its code, such as `SK001`.
    pub code: &'static str,
    /// One line.
    pub summary: &'static str,
    /// Its page, Markdown.
    pub page: &'static str,
}

impl RuleInfo {
    /// Where its page is on the web.
    #[must_use]
    pub fn url(&self) -> String {
        format!("{}/blob/main/docs/rules/{}.md", env!("CARGO_PKG_REPOSITORY"), self.id)
    }
}

/// A finding that a baseline holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KnownFinding {
    /// The file, relative to the root.
    pub file: String,
    /// The rule's id.
    pub rule: String,
    /// What recognises it.
    pub fingerprint: String,
    /// What it said when it was written down, for people.
    pub message: String,
}

/// Something that keeps findings from being reported: worth a look when a change adds it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Exception {
    /// The file that holds it, relative to the root.
    pub file: String,
    /// Its first line, from 1.
    pub line: u32,
    /// What it is.
    pub kind: ExceptionKind,
    /// It as written, on one line.
    pub text: String,
}

/// What keeps findings from being reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExceptionKind {
    /// A comment in the code.
    Suppression,
    /// A `[[path]]` table that turns rules off.
    Path,
    /// A `[[sanitizer]]` table.
    Sanitizer,
}

impl ExceptionKind {
    /// The word for it in every output.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            ExceptionKind::Suppression => "suppression",
            ExceptionKind::Path => "path",
            ExceptionKind::Sanitizer => "sanitizer",
        }
    }
}
