//! Exceptions that are written in the code: `// samekey: ignore[rule-id] -- reason`.
//!
//! A suppression is about the place where a finding is reported, the key slot, and not about the source or the
//! steps between: a comment at a source would hide every key that the value reaches later. Its reason is required.
//! One that suppresses nothing, names no known rule, gives no reason or is misspelt is a finding of its own; those
//! findings cannot be suppressed by a comment.
//!
//! [`Baseline`] holds the findings that were there when the tool was switched on.

mod baseline;
mod comment;
mod insert;
mod reach;
mod repair;

pub use baseline::{Baseline, BaselineError};
pub use insert::{Insertion, insertion};

use std::ops::Range;

use comment::Mistake;
use reach::Code;

use crate::ir::{FileId, Span};
use crate::report::{
    Applicability, Certainty, Diagnostic, Edit, Exception, ExceptionKind, Fix, Identity, Label, Replacement,
    RuleInfo, Severity, Step, printable,
};
use crate::rules::{INVALID_SUPPRESSION, UNUSED_SUPPRESSION};
use crate::source::Sources;

/// Texts of which every file with a suppression, or what was meant as one, holds one in some case. `samekey::` of a
/// path is none of them.
pub const MARKERS: [&str; 4] = ["samekey: ", "samekey:ignore", "samekey ignore", "samekey-ignore"];

/// Where a suppression belongs that stands in the definition of a macro.
const IN_MACRO: &str =
    "what a macro writes is reported where the macro is called: write the comment there, or remove it";

/// All suppressions of the loaded files.
#[derive(Debug)]
pub struct Suppressions<'a> {
    sources: &'a Sources,
    rules: &'a [RuleInfo],
    found: Vec<Suppression>,
}

#[derive(Debug)]
struct Suppression {
    /// The comment.
    span: Span,
    /// The bytes of the file that it is about.
    reach: Range<usize>,
    /// The rules with whether they suppressed a finding.
    rules: Vec<(&'static str, bool)>,
    mistakes: Vec<Mistake>,
    /// What corrects some of the mistakes.
    correction: Option<Correction>,
    /// The crate and module.
    module: String,
    /// Whether it stands in code that only tests use, where nothing is looked for.
    test: bool,
    /// Whether it stands in the definition of a macro, whose code is reported where it is called.
    in_macro: bool,
}

/// Edits of a comment that correct mistakes.
#[derive(Debug)]
struct Correction {
    edits: Vec<Replacement>,
    /// The mistakes that are left.
    left: Vec<Mistake>,
}

impl Suppression {
    fn covers(&self, finding: &Diagnostic) -> bool {
        self.span.file == finding.primary.file && self.reach.contains(&(finding.primary.start as usize))
    }

    fn names(&self, rule: &str) -> bool {
        self.rules.iter().any(|(known, _)| *known == rule)
    }
}

impl<'a> Suppressions<'a> {
    /// Finds the suppressions of some files. `module` gives the crate and module of a file.
    #[must_use]
    pub fn find(
        files: impl IntoIterator<Item = FileId>,
        sources: &'a Sources,
        rules: &'a [RuleInfo],
        module: &dyn Fn(FileId) -> String,
    ) -> Suppressions<'a> {
        let mut found = Vec::new();
        for file in files {
            let text = sources.text(file);
            if comment::may_hold_one(text) {
                found.extend(in_file(file, text, rules, &module(file)));
            }
        }
        Suppressions { sources, rules, found }
    }

    /// Removes the findings that are suppressed and returns how many these are. The suppression that reaches least
    /// far counts as used.
    pub fn apply(&mut self, findings: &mut Vec<Diagnostic>) -> usize {
        let before = findings.len();
        findings.retain(|finding| {
            let covering = self.found.iter_mut().filter(|one| one.covers(finding) && one.names(finding.rule));
            let Some(closest) = covering.min_by_key(|one| one.reach.len()) else { return true };
            let rules = closest.rules.iter_mut().filter(|(rule, _)| *rule == finding.rule);
            rules.for_each(|(_, used)| *used = true);
            false
        });
        before - findings.len()
    }

    /// A finding for each suppression that is not valid.
    #[must_use]
    pub fn invalid(&self) -> Vec<Diagnostic> {
        let mistakes =
            self.found.iter().flat_map(|one| one.mistakes.iter().map(move |mistake| (one, mistake)));
        mistakes
            .map(|(one, mistake)| {
                let (message, help) = (mistake.message.clone(), mistake.help.clone());
                let mut finding = self.finding(one, &INVALID_SUPPRESSION, message, help);
                finding.fixes.extend(correction(one, mistake));
                finding
            })
            .collect()
    }

    /// A finding for each rule of a suppression that suppressed nothing. `is_on` tells whether a rule is looked for
    /// in a file; `remaining` are the findings that are reported. Where the analysis saw only a part, it is a note:
    /// the finding may be in the rest.
    #[must_use]
    pub fn unused(
        &self,
        is_on: &dyn Fn(&str, FileId) -> bool,
        is_complete: &dyn Fn(FileId) -> bool,
        remaining: &[Diagnostic],
    ) -> Vec<Diagnostic> {
        let mut findings = Vec::new();
        for one in self.found.iter().filter(|one| !one.test) {
            let unused = one.rules.iter().filter(|(rule, used)| !used && is_on(rule, one.span.file));
            let unused: Vec<&'static str> = unused.map(|(rule, _)| *rule).collect();
            for rule in &unused {
                let message = format!("no `{rule}` is reported here: this suppression is not needed");
                let place = self.place_of_key(one, rule, remaining);
                let place = place.or_else(|| one.in_macro.then(|| IN_MACRO.to_owned()));
                // A comment at the wrong place is to be moved.
                let fix = if place.is_none() { self.removal(one, &unused) } else { None };
                let help = place.unwrap_or_else(|| "remove it, or the rule from its list".to_owned());
                let mut finding = self.finding(one, &UNUSED_SUPPRESSION, message, help);
                if is_complete(one.span.file) {
                    finding.fixes.extend(fix);
                } else {
                    (finding.severity, finding.certainty) = (Severity::Note, Certainty::Possible);
                }
                findings.push(finding);
            }
        }
        findings
    }

    /// The fix that takes all unused rules out of a comment, or the comment away.
    fn removal(&self, one: &Suppression, unused: &[&str]) -> Option<Fix> {
        let text = self.sources.text(one.span.file);
        if unused.len() == one.rules.len() && one.mistakes.is_empty() {
            let range = repair::removal(text, one.span.start as usize..one.span.end as usize)?;
            let edits = vec![Edit { span: span(one.span.file, range), replacement: String::new() }];
            let title = "remove the comment".to_owned();
            return Some(Fix { title, applicability: Applicability::Safe, edits });
        }
        let edits = repair::without_rules(self.sources.snippet(one.span), self.rules, unused)?;
        let names: Vec<String> = unused.iter().map(|rule| format!("`{rule}`")).collect();
        Some(fix(one, &edits, format!("remove {} from the list", names.join(", "))))
    }

    /// Where the comment belongs that stands at a step of a finding's path.
    fn place_of_key(&self, one: &Suppression, rule: &str, findings: &[Diagnostic]) -> Option<String> {
        let is_step = |span: Span| span.file == one.span.file && one.reach.contains(&(span.start as usize));
        let meant = findings
            .iter()
            .find(|finding| finding.rule == rule && finding.trace.iter().any(|step| is_step(step.span)))?;
        let (path, line) = (self.sources.path(meant.primary.file), self.sources.line(meant.primary));
        Some(format!("move it to where the key is: the finding is reported at {}:{line}", printable(path)))
    }

    fn finding(&self, one: &Suppression, rule: &RuleInfo, message: String, help: String) -> Diagnostic {
        let comment = self.sources.snippet(one.span);
        Diagnostic {
            rule: rule.id,
            code: rule.code,
            severity: Severity::Warning,
            certainty: Certainty::Proven,
            labels: vec![Label { span: one.span, text: "this comment".to_owned() }],
            primary: one.span,
            formula: None,
            identity: Identity {
                module: one.module.clone(),
                function: String::new(),
                // The sink of an identity is code; a comment would not count.
                sink: format!("{comment:?}"),
                source: message.clone(),
            },
            message,
            fingerprint: String::new(),
            trace: vec![Step { span: one.span, message: "this comment".to_owned() }],
            help,
            fixes: Vec::new(),
        }
    }

    /// The suppressions on lines for which `is_new` holds.
    #[must_use]
    pub fn added(&self, is_new: &dyn Fn(Span) -> bool) -> Vec<Exception> {
        let new = self.found.iter().filter(|one| !one.rules.is_empty() && is_new(one.span));
        new.map(|one| Exception {
            file: self.sources.path(one.span.file).to_owned(),
            line: self.sources.line(one.span),
            kind: ExceptionKind::Suppression,
            text: one_line(self.sources.snippet(one.span)),
        })
        .collect()
    }
}

/// The fix of a mistake, when there is one.
fn correction(one: &Suppression, mistake: &Mistake) -> Option<Fix> {
    let correction = one.correction.as_ref().filter(|correction| !correction.left.contains(mistake))?;
    let words: Vec<&str> = correction.edits.iter().map(|(_, new)| new.as_str()).collect();
    let words: Vec<String> =
        words.into_iter().filter(|word| !word.is_empty()).map(|word| format!("`{word}`")).collect();
    let title = match words.as_slice() {
        [] => "remove the empty place".to_owned(),
        words => format!("write {}", words.join(", ")),
    };
    Some(fix(one, &correction.edits, title))
}

/// A safe fix of edits that count from the start of a comment.
fn fix(one: &Suppression, edits: &[Replacement], title: String) -> Fix {
    let start = one.span.start as usize;
    let edit = |(range, replacement): &Replacement| Edit {
        span: span(one.span.file, start + range.start..start + range.end),
        replacement: replacement.clone(),
    };
    Fix { title, applicability: Applicability::Safe, edits: edits.iter().map(edit).collect() }
}

fn span(file: FileId, range: Range<usize>) -> Span {
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span { file, start: offset(range.start), end: offset(range.end) }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn in_file(file: FileId, text: &str, rules: &[RuleInfo], module: &str) -> Vec<Suppression> {
    let code = Code::new(text);
    let mut found = Vec::new();
    for (index, token) in code.comments() {
        let comment = code.text_of(token);
        let Some(directive) = comment::read(comment, rules) else { continue };
        let correction = (!directive.mistakes.is_empty())
            .then(|| repair::corrected(comment, &directive, rules))
            .flatten()
            .map(|(edits, read)| Correction { edits, left: read.mistakes });
        found.push(Suppression {
            span: span(file, token.start..token.end),
            reach: code.reach(index),
            rules: directive.rules.into_iter().map(|rule| (rule, false)).collect(),
            mistakes: directive.mistakes,
            correction,
            module: module.to_owned(),
            test: false,
            in_macro: false,
        });
    }
    if !found.is_empty() {
        let (tests, macros) = (code.test_items(), code.macro_bodies());
        for one in &mut found {
            let lies_in = |ranges: &[Range<usize>]| {
                ranges.iter().any(|range| range.contains(&(one.span.start as usize)))
            };
            (one.test, one.in_macro) = (lies_in(&tests), lies_in(&macros));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: [RuleInfo; 2] = [
        RuleInfo { id: "uuid-in-key", code: "SK001", summary: "", page: "" },
        RuleInfo { id: "clock-in-key", code: "SK002", summary: "", page: "" },
    ];

    fn sources(text: &str) -> Sources {
        Sources::in_memory([("src/a.rs".to_owned(), text.to_owned())])
    }

    fn finding(text: &str, at: &str, rule: &'static str) -> Diagnostic {
        let start = u32::try_from(text.find(at).unwrap()).unwrap();
        let span = Span { file: FileId(0), start, end: start + 1 };
        Diagnostic {
            rule,
            code: "SK001",
            severity: Severity::Error,
            certainty: Certainty::Proven,
            message: String::new(),
            primary: span,
            labels: Vec::new(),
            formula: None,
            identity: Identity::default(),
            fingerprint: String::new(),
            trace: Vec::new(),
            help: String::new(),
            fixes: Vec::new(),
        }
    }

    fn find(sources: &Sources) -> Suppressions<'_> {
        Suppressions::find(sources.ids(), sources, &RULES, &|_| "m".to_owned())
    }

    #[test]
    fn only_comments_count_and_only_for_their_rules() {
        let text = "const A: &str = \"\n// samekey: ignore[uuid-in-key] -- x\n\"; const B: &str = r#\"\n\
                    // samekey: ignore[uuid-in-key] -- x\"#;\n// samekey: ignore[uuid-in-key] -- x\nkey();\nother();\n";
        let sources = sources(text);
        let mut suppressions = find(&sources);
        assert_eq!(suppressions.found.len(), 1);
        let mut findings = vec![
            finding(text, "key()", "uuid-in-key"),
            finding(text, "key()", "clock-in-key"),
            finding(text, "other()", "uuid-in-key"),
        ];
        assert_eq!(suppressions.apply(&mut findings), 1);
        assert_eq!(findings.len(), 2);
        assert!(suppressions.unused(&|_, _| true, &|_| true, &findings).is_empty());
    }

    #[test]
    fn the_closest_one_is_used_and_the_other_one_is_not_needed() {
        let text = "// samekey: ignore[uuid-in-key, clock-in-key] -- x\nfn f() {\n // samekey: ignore[uuid-in-key] -- x\n key();\n}\n";
        let sources = sources(text);
        let mut suppressions = find(&sources);
        let mut findings = vec![finding(text, "key()", "uuid-in-key")];
        assert_eq!(suppressions.apply(&mut findings), 1);
        let unused = suppressions.unused(&|rule, _| rule != "clock-in-key", &|_| false, &[]);
        assert_eq!(unused.len(), 1, "{unused:?}");
        assert!(unused[0].message.contains("`uuid-in-key`") && unused[0].primary.start == 0);
        assert_eq!(unused[0].severity, Severity::Note, "the analysis was not complete");
    }

    proptest::proptest! {
        #[test]
        fn any_text_can_hold_suppressions(parts in proptest::collection::vec(0..PARTS.len(), 0..60)) {
            let text: String = parts.into_iter().map(|part| PARTS[part]).collect();
            for one in in_file(FileId(0), &text, &RULES, "") {
                proptest::prop_assert!(text.get(one.reach.clone()).is_some(), "{:?} in {text:?}", one.reach);
                let comment = one.span.start as usize..one.span.end as usize;
                proptest::prop_assert!(text.get(comment.clone()).is_some());
                proptest::prop_assert!(one.reach.start <= comment.start);
            }
        }
    }

    const PARTS: [&str; 24] = [
        "// samekey: ignore[uuid-in-key] -- x\n",
        "/* samekey: ignore[clock-in-key] -- é */",
        "/* samekey: ignore",
        "\n",
        " ",
        "{",
        "}",
        "(",
        ")",
        "#[cfg(test)]",
        "#[",
        "fn f",
        "mod m",
        "impl",
        "match ",
        "日本",
        ";",
        ",",
        "\"",
        "r#\"",
        "'",
        "=>",
        "Name ",
        "pub(",
    ];

    #[test]
    fn one_in_a_macro_is_told_where_it_belongs() {
        let text = "macro_rules! m { () => {\n // samekey: ignore[uuid-in-key] -- x\n key()\n } }\n";
        let sources = sources(text);
        let unused = find(&sources).unused(&|_, _| true, &|_| true, &[]);
        assert_eq!((unused.len(), unused[0].fixes.len()), (1, 0));
        assert!(unused[0].help.starts_with("what a macro writes is reported where"), "{}", unused[0].help);
    }

    #[test]
    fn unused_ones_in_tests_are_no_findings() {
        let text = "#[cfg(test)]\nmod tests {\n // samekey: ignore[uuid-in-key] -- x\n fn f() {}\n}\n";
        let sources = sources(text);
        assert!(find(&sources).unused(&|_, _| true, &|_| true, &[]).is_empty());
    }
}
