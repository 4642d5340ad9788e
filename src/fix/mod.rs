//! From fixes to changed files: which fixes are applied, what the files then hold, and writing them.
//!
//! Fixes are proposed where findings arise. Here they are only chosen and carried out: none that overlaps with one
//! before it, none in a file that was not understood completely, is generated, or has changed since it was read.

mod diff;
mod template;
mod write;

pub use diff::{Diff, unified};
pub use template::Template;
pub use write::{replace, same_on_disk};

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{FileId, Span};
use crate::report::{Applicability, Diagnostic, Edit, Fix};
use crate::source::Sources;

/// The fixes of a run that are applied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The edits of each file, by place.
    pub edits: BTreeMap<FileId, Vec<Edit>>,
    /// What is applied, in the order of the findings.
    pub applied: Vec<Applied>,
    /// How many findings are fixed; several can share a fix.
    pub fixed: usize,
    /// How many findings have a fix that overlaps with one that is applied.
    pub overlapping: usize,
    /// How many findings have a fix that was not allowed.
    pub withheld: usize,
    /// Files that a fix would change and that are left alone, with the reasons.
    pub refused: BTreeSet<(FileId, String)>,
}

/// A fix that is applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// Its first edit.
    pub span: Span,
    /// The rule of the finding.
    pub rule: &'static str,
    /// The fix.
    pub fix: Fix,
}

/// Chooses fixes: for each finding the first one that is allowed. `refuses` says why a file must not be changed.
#[must_use]
pub fn plan(
    diagnostics: &[Diagnostic],
    unsafe_fixes: bool,
    refuses: &dyn Fn(FileId) -> Option<String>,
) -> Plan {
    let mut plan = Plan::default();
    let is_allowed = |fix: &&Fix| unsafe_fixes || fix.applicability == Applicability::Safe;
    for diagnostic in diagnostics.iter().filter(|found| !found.fixes.is_empty()) {
        match diagnostic.fixes.iter().find(is_allowed) {
            Some(fix) => plan.add(diagnostic.rule, fix, refuses),
            None => plan.withheld += 1,
        }
    }
    plan
}

impl Plan {
    fn add(&mut self, rule: &'static str, fix: &Fix, refuses: &dyn Fn(FileId) -> Option<String>) {
        if self.applied.iter().any(|known| known.fix == *fix) {
            self.fixed += 1;
            return;
        }
        let files: BTreeSet<FileId> = fix.edits.iter().map(|edit| edit.span.file).collect();
        let refused: Vec<_> =
            files.into_iter().filter_map(|file| refuses(file).map(|why| (file, why))).collect();
        if !refused.is_empty() {
            self.refused.extend(refused);
            return;
        }
        let Some(first) = fix.edits.first() else { return };
        if fix.edits.iter().any(|edit| self.is_taken(edit.span)) {
            self.overlapping += 1;
            return;
        }
        for edit in &fix.edits {
            let edits = self.edits.entry(edit.span.file).or_default();
            edits.push(edit.clone());
            edits.sort_by_key(|edit| edit.span);
        }
        self.fixed += 1;
        self.applied.push(Applied { span: first.span, rule, fix: fix.clone() });
    }

    /// Whether an edit would meet another one. Texts that are inserted at the edge of a removed one count too: which
    /// comes first would be a guess.
    fn is_taken(&self, span: Span) -> bool {
        let edits = self.edits.get(&span.file).map(Vec::as_slice).unwrap_or_default();
        edits.iter().any(|edit| {
            let known = edit.span;
            let empty = known.start == known.end || span.start == span.end;
            match empty {
                true => known.start <= span.end && span.start <= known.end,
                false => known.start < span.end && span.start < known.end,
            }
        })
    }

    /// How many of the applied fixes change a key.
    #[must_use]
    pub fn unsafe_fixes(&self) -> usize {
        self.applied.iter().filter(|one| one.fix.applicability == Applicability::Unsafe).count()
    }

    /// What a file holds when its edits are done.
    #[must_use]
    pub fn new_text(&self, file: FileId, sources: &Sources) -> String {
        let edits = self.edits.get(&file).map(Vec::as_slice).unwrap_or_default();
        edited(sources.text(file), 0, edits)
    }
}

/// A part of a file, which starts at byte `base` of it, with the edits that lie in it.
fn edited(text: &str, base: usize, edits: &[Edit]) -> String {
    let mut result = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        let start = (edit.span.start as usize).saturating_sub(base);
        let end = (edit.span.end as usize).saturating_sub(base);
        let (Some(before), Some(_)) = (text.get(at..start), text.get(start..end)) else { continue };
        result.push_str(before);
        result.push_str(&edit.replacement);
        at = end;
    }
    result.push_str(text.get(at..).unwrap_or_default());
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Certainty, Identity, Severity};

    fn span(start: u32, end: u32) -> Span {
        Span { file: FileId(0), start, end }
    }

    fn fix(applicability: Applicability, edits: &[(u32, u32, &str)]) -> Fix {
        let edit = |(start, end, new): &(u32, u32, &str)| Edit {
            span: span(*start, *end),
            replacement: (*new).to_owned(),
        };
        Fix { title: "x".to_owned(), applicability, edits: edits.iter().map(edit).collect() }
    }

    fn finding(fixes: Vec<Fix>) -> Diagnostic {
        Diagnostic {
            rule: "uuid-in-key",
            code: "SK001",
            severity: Severity::Error,
            certainty: Certainty::Proven,
            message: String::new(),
            primary: span(0, 0),
            labels: Vec::new(),
            formula: None,
            identity: Identity::default(),
            fingerprint: String::new(),
            trace: Vec::new(),
            help: String::new(),
            fixes,
        }
    }

    #[test]
    fn edits_do_not_overlap() {
        use Applicability::{Safe, Unsafe};
        let sources = Sources::in_memory([("a.rs".to_owned(), "abcdef".to_owned())]);
        let findings = [
            finding(vec![fix(Safe, &[(1, 2, ""), (4, 4, "!")])]),
            finding(vec![fix(Safe, &[(0, 2, "x")])]),
            finding(vec![fix(Safe, &[(3, 4, "y")])]),
            finding(vec![fix(Safe, &[(2, 3, "-")])]),
            finding(vec![fix(Safe, &[(1, 2, ""), (4, 4, "!")])]),
            finding(vec![fix(Unsafe, &[(5, 6, "z")])]),
            finding(Vec::new()),
        ];
        let chosen = plan(&findings, false, &|_| None);
        assert_eq!((chosen.fixed, chosen.overlapping, chosen.withheld), (3, 2, 1));
        assert_eq!(chosen.new_text(FileId(0), &sources), "a-d!ef");
        assert_eq!(chosen.unsafe_fixes(), 0);
        let chosen = plan(&findings, true, &|_| None);
        assert_eq!(chosen.new_text(FileId(0), &sources), "a-d!ez");
        assert_eq!(chosen.unsafe_fixes(), 1);
    }

    #[test]
    fn files_can_be_left_alone() {
        let findings = [finding(vec![fix(Applicability::Safe, &[(0, 1, "")])])];
        let chosen = plan(&findings, true, &|_| Some("is generated".to_owned()));
        assert_eq!((chosen.fixed, chosen.refused.len()), (0, 1));
        assert!(chosen.edits.is_empty());
    }
}
