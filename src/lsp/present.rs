//! Findings as the protocol shows them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::str::FromStr;

use lsp_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString,
    Range, TextEdit, Uri,
};

use super::features::Features;
use super::folders::Names;
use super::position::Lines;
use crate::config::ConfigErrors;
use crate::ir::{FileId, Span};
use crate::report::{self, Applicability, Fix, RuleInfo, Severity, printable};
use crate::source::Sources;
use crate::suppress;

/// What diagnostics name as their origin.
const SOURCE: &str = "samekey";

/// A finding, ready to be shown.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Finding {
    pub diagnostic: Diagnostic,
    /// What is said about this finding, Markdown.
    pub explanation: String,
    /// What is said about its rule, Markdown.
    pub page: &'static str,
    pub actions: Vec<Action>,
}

/// What may be done about a finding.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Action {
    pub title: String,
    /// Whether it is the one to take when none is chosen.
    pub preferred: bool,
    /// The edits of each file.
    pub edits: BTreeMap<PathBuf, Vec<TextEdit>>,
}

/// Turns findings of one run into those of the protocol.
pub(super) struct Presenter<'a> {
    sources: &'a Sources,
    rules: &'a [RuleInfo],
    names: Names<'a>,
    features: Features,
    lines: BTreeMap<FileId, Lines<'a>>,
}

impl<'a> Presenter<'a> {
    pub(super) fn new(
        sources: &'a Sources,
        rules: &'a [RuleInfo],
        names: Names<'a>,
        features: Features,
    ) -> Presenter<'a> {
        Presenter { sources, rules, names, features, lines: BTreeMap::new() }
    }

    pub(super) fn finding(&mut self, found: &report::Diagnostic) -> Finding {
        let rule = self.rules.iter().find(|rule| rule.id == found.rule);
        let mut message = printable(&found.message);
        let related = self.path(found);
        if !self.features.related_information {
            message.push_str(&self.path_as_text(found));
        }
        let diagnostic = Diagnostic {
            range: self.range(found.primary),
            severity: Some(severity(found.severity)),
            code: Some(NumberOrString::String(found.code.to_owned())),
            code_description: rule
                .and_then(|rule| Uri::from_str(&rule.url()).ok())
                .map(|href| CodeDescription { href }),
            source: Some(SOURCE.to_owned()),
            message,
            related_information: self.features.related_information.then_some(related),
            tags: None,
            data: None,
        };
        let page = rule.map_or("", |rule| rule.page);
        Finding { diagnostic, explanation: explanation(found), page, actions: self.actions(found) }
    }

    /// Every step, in order.
    fn path(&mut self, found: &report::Diagnostic) -> Vec<DiagnosticRelatedInformation> {
        let steps = found.trace.iter().filter_map(|step| {
            let uri = self.names.uri(self.sources.absolute(step.span.file))?;
            let location = Location { uri, range: self.range(step.span) };
            Some(DiagnosticRelatedInformation { location, message: printable(&step.message) })
        });
        steps.collect()
    }

    /// The path for clients that show nothing but the message.
    fn path_as_text(&self, found: &report::Diagnostic) -> String {
        let step = |(number, step): (usize, &report::Step)| {
            let (path, line) = (self.sources.path(step.span.file), self.sources.line(step.span));
            format!("\n{number}  {}:{line}  {}", printable(path), printable(&step.message))
                .trim_end()
                .to_owned()
        };
        (1..).zip(&found.trace).map(step).collect()
    }

    fn actions(&mut self, found: &report::Diagnostic) -> Vec<Action> {
        let mut actions: Vec<Action> = found.fixes.iter().map(|fix| self.fix(fix)).collect();
        // The best one stands first. One that changes a key is for the author to decide.
        if let (Some(action), Some(fix)) = (actions.first_mut(), found.fixes.first()) {
            action.preferred = fix.applicability == Applicability::Safe;
        }
        actions.extend(self.suppression(found));
        actions
    }

    fn fix(&mut self, fix: &Fix) -> Action {
        let warning = match fix.applicability {
            Applicability::Safe => "",
            Applicability::Unsafe => " (changes the key: retries under way are executed once more)",
        };
        let edits = fix.edits.iter().map(|edit| (edit.span, edit.replacement.clone()));
        self.action(format!("{}{warning}", printable(&fix.title)), edits)
    }

    /// Findings about suppressions cannot be suppressed.
    fn suppression(&mut self, found: &report::Diagnostic) -> Option<Action> {
        let about_comments = [crate::rules::INVALID_SUPPRESSION.id, crate::rules::UNUSED_SUPPRESSION.id];
        if about_comments.contains(&found.rule) {
            return None;
        }
        let Span { file, start, .. } = found.primary;
        let insertion = suppress::insertion(self.sources.text(file), start as usize, found.rule)?;
        let at = u32::try_from(insertion.offset).ok()?;
        Some(self.action(
            format!("suppress {} with a reason", found.rule),
            [(Span { file, start: at, end: at }, insertion.text)],
        ))
    }

    fn action(&mut self, title: String, edits: impl IntoIterator<Item = (Span, String)>) -> Action {
        let mut action = Action { title, preferred: false, edits: BTreeMap::new() };
        for (span, new_text) in edits {
            let file = self.sources.absolute(span.file).to_owned();
            let edit = TextEdit { range: self.range(span), new_text };
            action.edits.entry(file).or_default().push(edit);
        }
        action
    }

    fn range(&mut self, span: Span) -> Range {
        let (sources, encoding) = (self.sources, self.features.encoding);
        let lines = self.lines.entry(span.file);
        let lines = lines.or_insert_with(|| Lines::new(sources.text(span.file), encoding));
        lines.range(span.start as usize, span.end as usize)
    }
}

fn severity(severity: Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
        Severity::Note => DiagnosticSeverity::INFORMATION,
    }
}

/// How the key is made and what to do.
fn explanation(found: &report::Diagnostic) -> String {
    let mut text = format!("**{}**: {}\n", found.rule, printable(&found.message));
    let formula = found.formula.iter().map(|formula| format!("key   {formula}"));
    let help = found.help.lines().enumerate();
    let help = help.map(|(index, line)| format!("{}{line}", if index == 0 { "help  " } else { "      " }));
    let lines: Vec<String> = formula.chain(help).map(|line| printable(&line)).collect();
    if !lines.is_empty() {
        text.push_str(&fenced(&lines.join("\n")));
    }
    text
}

/// A block of code whose fence is longer than any in the text.
fn fenced(text: &str) -> String {
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("\n{fence}text\n{text}\n{fence}\n")
}

/// The errors of a configuration at their places.
pub(super) fn config_errors(errors: &ConfigErrors, features: Features) -> Vec<Finding> {
    let lines = Lines::new(&errors.text, features.encoding);
    let finding = |error: &crate::config::ConfigError| {
        let help = error.help.iter().map(|help| format!("; {help}"));
        let message = [error.message.clone()].into_iter().chain(help).collect::<String>();
        let diagnostic = Diagnostic {
            range: lines.range(error.span.start, error.span.end),
            severity: Some(DiagnosticSeverity::ERROR),
            source: Some(SOURCE.to_owned()),
            message: printable(&message),
            ..Diagnostic::default()
        };
        Finding { diagnostic, explanation: String::new(), page: "", actions: Vec::new() }
    };
    errors.errors.iter().map(finding).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::position::Encoding;
    use crate::report::{Certainty, Edit, Identity, Step};

    const TEXT: &str = "fn f() {\n    charge(\"é\", key);\n}\n";

    fn span(file: u32, start: usize, end: usize) -> Span {
        let byte = |at| u32::try_from(at).unwrap();
        Span { file: FileId(file), start: byte(start), end: byte(end) }
    }

    fn finding(fixes: Vec<Fix>) -> report::Diagnostic {
        let start = TEXT.find("key").unwrap();
        let primary = span(0, start, start + 3);
        report::Diagnostic {
            rule: "uuid-in-key",
            code: "SK001",
            severity: Severity::Note,
            certainty: Certainty::Proven,
            message: "a \u{1b} message".to_owned(),
            primary,
            labels: Vec::new(),
            formula: Some("⟨Uuid::new_v4⟩".to_owned()),
            identity: Identity::default(),
            fingerprint: String::new(),
            trace: vec![Step { span: span(1, 0, 2), message: "here".to_owned() }],
            help: "first\nsecond".to_owned(),
            fixes,
        }
    }

    fn presented(fixes: Vec<Fix>, related_information: bool) -> Finding {
        let files = [("/a.rs", TEXT), ("/b.rs", "fn g() {}")];
        let files = files.map(|(path, text)| (path.to_owned(), text.to_owned()));
        let sources = Sources::in_memory(files);
        let features = Features {
            encoding: Encoding::Utf16,
            related_information,
            markdown: true,
            versioned_edits: true,
            progress: false,
            watched_files: false,
        };
        let names = Names { folders: &[], open: &[] };
        Presenter::new(&sources, &[], names, features).finding(&finding(fixes))
    }

    fn fix(applicability: Applicability) -> Fix {
        let edit = |file, start, end| Edit { span: span(file, start, end), replacement: "x".to_owned() };
        let key = TEXT.find("key").unwrap();
        Fix { title: "do it".to_owned(), applicability, edits: vec![edit(0, key, key + 3), edit(1, 3, 4)] }
    }

    #[test]
    fn fixes_are_actions_before_the_suppression() {
        let actions = presented(vec![fix(Applicability::Safe), fix(Applicability::Unsafe)], true).actions;
        let titles: Vec<_> = actions.iter().map(|action| (action.title.as_str(), action.preferred)).collect();
        let unasked = "do it (changes the key: retries under way are executed once more)";
        assert_eq!(
            titles,
            [("do it", true), (unasked, false), ("suppress uuid-in-key with a reason", false)]
        );
        let files: Vec<_> = actions[0].edits.keys().map(|path| path.to_str().unwrap()).collect();
        assert_eq!(files, ["/a.rs", "/b.rs"]);
        let range = actions[0].edits[&PathBuf::from("/a.rs")][0].range;
        assert_eq!((range.start.line, range.start.character, range.end.character), (1, 16, 19));
        assert!(!presented(vec![fix(Applicability::Unsafe)], true).actions[0].preferred);
    }

    #[test]
    fn the_path_is_in_the_message_where_nothing_else_can_show_it() {
        let (with, without) =
            (presented(Vec::new(), true).diagnostic, presented(Vec::new(), false).diagnostic);
        assert_eq!(with.message, "a \\u{1b} message");
        assert_eq!(with.related_information.unwrap()[0].message, "here");
        assert_eq!(without.message, "a \\u{1b} message\n1  /b.rs:1  here");
        assert_eq!(without.related_information, None);
        assert_eq!(with.severity, Some(DiagnosticSeverity::INFORMATION));
    }

    #[test]
    fn the_formula_and_the_help_are_explained_line_by_line() {
        let expected = "**uuid-in-key**: a \\u{1b} message\n\n```text\nkey   ⟨Uuid::new_v4⟩\nhelp  first\n      \
                        second\n```\n";
        assert_eq!(presented(Vec::new(), true).explanation, expected);
    }

    #[test]
    fn no_formula_ends_its_block() {
        assert_eq!(fenced("a ``` b"), "\n````text\na ``` b\n````\n");
        assert_eq!(fenced("a"), "\n```text\na\n```\n");
    }
}
