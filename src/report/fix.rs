//! What a fix is: edits that remove a finding.

use std::ops::Range;

use crate::ir::Span;

/// New text for a range of bytes of some text.
pub type Replacement = (Range<usize>, String);

/// Edits that together remove a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, in the imperative, lower case, without a full stop.
    pub title: String,
    /// Whether a tool may apply it unasked.
    pub applicability: Applicability,
    /// The edits by place; they do not overlap, and may be in several files.
    pub edits: Vec<Edit>,
}

/// Whether a fix may be applied without a decision of the author.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Applicability {
    /// Changes no key.
    Safe,
    /// Changes a key that may be live: retries under way would be executed twice.
    Unsafe,
}

impl Applicability {
    /// The word for it in every output.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Applicability::Safe => "safe",
            Applicability::Unsafe => "unsafe",
        }
    }
}

/// A text in the place of another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced; empty where text is only inserted.
    pub span: Span,
    /// The new text; empty where text is only removed.
    pub replacement: String,
}

/// A text with replacements, which stand in its order.
#[cfg(test)]
pub(crate) fn applied(text: &str, edits: Vec<Replacement>) -> String {
    let mut result = text.to_owned();
    for (range, new) in edits.into_iter().rev() {
        result.replace_range(range, &new);
    }
    result
}
