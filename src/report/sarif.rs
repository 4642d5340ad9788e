//! SARIF 2.1.0, for code scanning services.
//!
//! Suppressed findings and those of the baseline are left out: services that are told of them show them as alerts.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use super::document::write_document;
use super::{Diagnostic, Fix, Report, RuleInfo, Severity, printable};
use crate::ir::{FileId, Span};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The symbol for the top of the repository; a service puts its checkout there.
const ROOT: &str = "%SRCROOT%";

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Tool<'a>,
    invocations: [Invocation; 1],
    column_kind: &'static str,
    results: Vec<SarifResult>,
}

#[derive(Serialize)]
struct Tool<'a> {
    driver: Driver<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver<'a> {
    name: &'static str,
    semantic_version: &'static str,
    information_uri: &'static str,
    rules: Vec<Rule<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule<'a> {
    id: &'a str,
    name: String,
    short_description: Text,
    full_description: Text,
    help_uri: String,
    help: Help<'a>,
    default_configuration: Configuration,
    properties: RuleProperties<'a>,
}

#[derive(Serialize)]
struct Help<'a> {
    text: &'a str,
    markdown: &'a str,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
struct RuleProperties<'a> {
    tags: Vec<&'a str>,
    precision: &'static str,
    #[serde(rename = "problem.severity")]
    problem_severity: &'static str,
    #[serde(rename = "security-severity", skip_serializing_if = "Option::is_none")]
    security_severity: Option<&'static str>,
}

#[derive(Serialize)]
struct Text {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
struct Notification {
    level: &'static str,
    message: Text,
    locations: [Location; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult {
    rule_id: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_index: Option<usize>,
    level: &'static str,
    message: Text,
    locations: [Location; 1],
    partial_fingerprints: Fingerprints,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    code_flows: Vec<CodeFlow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<SarifFix>,
    properties: ResultProperties,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifFix {
    description: Text,
    artifact_changes: Vec<ArtifactChange>,
    properties: FixProperties,
}

#[derive(Serialize)]
struct FixProperties {
    applicability: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactChange {
    artifact_location: ArtifactLocation,
    replacements: Vec<Replacement>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement {
    deleted_region: Region,
    #[serde(skip_serializing_if = "Option::is_none")]
    inserted_content: Option<Text>,
}

#[derive(Serialize)]
struct Fingerprints {
    #[serde(rename = "samekey/v1")]
    samekey: String,
}

#[derive(Serialize)]
struct ResultProperties {
    certainty: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    formula: Option<String>,
    help: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CodeFlow {
    thread_flows: [ThreadFlow; 1],
}

#[derive(Serialize)]
struct ThreadFlow {
    locations: Vec<ThreadFlowLocation>,
}

#[derive(Serialize)]
struct ThreadFlowLocation {
    location: Location,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactLocation {
    uri: String,
    uri_base_id: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    #[serde(flatten)]
    end: Option<End>,
}

/// Where a region ends, and where in its first line it starts.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct End {
    start_column: u32,
    end_line: u32,
    end_column: u32,
}

/// Writes all findings as one SARIF log.
///
/// # Errors
/// When the output cannot be written.
pub fn write_sarif(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let driver = Driver {
        name: "samekey",
        semantic_version: env!("CARGO_PKG_VERSION"),
        information_uri: env!("CARGO_PKG_REPOSITORY"),
        rules: report.rules.iter().map(rule).collect(),
    };
    let run = Run {
        tool: Tool { driver },
        invocations: [Invocation {
            execution_successful: true,
            tool_execution_notifications: notifications(report),
        }],
        column_kind: "unicodeCodePoints",
        results: report.diagnostics.iter().map(|found| result(report, found)).collect(),
    };
    write_document(&Log { schema: SCHEMA, version: "2.1.0", runs: [run] }, out)
}

fn rule(rule: &RuleInfo) -> Rule<'_> {
    let family = Family::of(rule.code);
    Rule {
        id: rule.id,
        name: pascal_case(rule.id),
        short_description: Text { text: rule.summary.to_owned() },
        full_description: Text { text: description(rule) },
        help_uri: rule.url(),
        help: Help { text: rule.page, markdown: rule.page },
        default_configuration: Configuration { level: family.level() },
        properties: RuleProperties {
            tags: family.tags(),
            precision: "high",
            problem_severity: family.level(),
            security_severity: family.security_severity(),
        },
    }
}

/// What a rule's code says about the kind of harm.
#[derive(Clone, Copy)]
enum Family {
    /// `SK0xx` and `SK2xx`: a retry is executed twice.
    Changes,
    /// `SK1xx`: the key is too coarse, wrong or missing.
    Shape,
    /// The others: exceptions in comments.
    Upkeep,
}

impl Family {
    fn of(code: &str) -> Family {
        match code.as_bytes().get(2) {
            Some(b'0' | b'2') => Family::Changes,
            Some(b'1') => Family::Shape,
            _ => Family::Upkeep,
        }
    }

    fn level(self) -> &'static str {
        match self {
            Family::Changes => "error",
            Family::Shape | Family::Upkeep => "warning",
        }
    }

    fn tags(self) -> Vec<&'static str> {
        match self {
            Family::Changes | Family::Shape => vec!["idempotency", "payments", "correctness", "security"],
            Family::Upkeep => vec!["idempotency", "maintainability"],
        }
    }

    /// On the scale of CVSS: a charge that is taken twice is high, one that may be swallowed medium.
    fn security_severity(self) -> Option<&'static str> {
        match self {
            Family::Changes => Some("7.5"),
            Family::Shape => Some("5.5"),
            Family::Upkeep => None,
        }
    }
}

/// The first paragraph of the page's section on what the rule does.
fn description(rule: &RuleInfo) -> String {
    let section = rule.page.split_once("\n## What it does\n").map(|(_, rest)| rest.trim_start());
    let paragraph = section.and_then(|rest| rest.split("\n\n").next()).map(str::trim);
    paragraph.filter(|text| !text.is_empty()).unwrap_or(rule.summary).to_owned()
}

fn pascal_case(id: &str) -> String {
    let capitalized = |word: &str| {
        let mut characters = word.chars();
        let first = characters.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(characters).collect::<String>()
    };
    id.split('-').map(capitalized).collect()
}

fn result(report: &Report<'_>, diagnostic: &Diagnostic) -> SarifResult {
    let steps = diagnostic.trace.iter().map(|step| ThreadFlowLocation {
        location: location(report, step.span, Some(printable(&step.message))),
    });
    let flow = ThreadFlow { locations: steps.collect() };
    let code_flows = if flow.locations.is_empty() { vec![] } else { vec![CodeFlow { thread_flows: [flow] }] };
    SarifResult {
        rule_id: diagnostic.rule,
        rule_index: report.rules.iter().position(|rule| rule.id == diagnostic.rule),
        level: match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        },
        message: Text { text: printable(&diagnostic.message) },
        locations: [location(report, diagnostic.primary, None)],
        partial_fingerprints: Fingerprints { samekey: diagnostic.fingerprint.clone() },
        code_flows,
        fixes: diagnostic.fixes.iter().map(|found| fix(report, found)).collect(),
        properties: ResultProperties {
            certainty: diagnostic.certainty.as_str(),
            formula: diagnostic.formula.as_deref().map(printable),
            help: diagnostic.help.lines().map(printable).collect::<Vec<_>>().join("\n"),
        },
    }
}

fn fix(report: &Report<'_>, fix: &Fix) -> SarifFix {
    let mut files: BTreeMap<FileId, Vec<Replacement>> = BTreeMap::new();
    for edit in &fix.edits {
        let text = (!edit.replacement.is_empty()).then(|| Text { text: edit.replacement.clone() });
        let replacement = Replacement { deleted_region: region(report, edit.span), inserted_content: text };
        files.entry(edit.span.file).or_default().push(replacement);
    }
    let change = |(file, replacements)| ArtifactChange {
        artifact_location: artifact(report, report.sources.path(file)),
        replacements,
    };
    SarifFix {
        description: Text { text: printable(&fix.title) },
        artifact_changes: files.into_iter().map(change).collect(),
        properties: FixProperties { applicability: fix.applicability.as_str() },
    }
}

fn region(report: &Report<'_>, span: Span) -> Region {
    let range = report.sources.range(span);
    let end =
        End { start_column: range.start.column, end_line: range.end.line, end_column: range.end.column };
    Region { start_line: range.start.line, end: Some(end) }
}

fn location(report: &Report<'_>, span: Span, message: Option<String>) -> Location {
    Location {
        physical_location: PhysicalLocation {
            artifact_location: artifact(report, report.sources.path(span.file)),
            region: Some(region(report, span)),
        },
        message: message.map(|text| Text { text }),
    }
}

fn artifact(report: &Report<'_>, path: &str) -> ArtifactLocation {
    ArtifactLocation { uri: relative_uri(&report.repository_path(path)), uri_base_id: ROOT }
}

/// What could not be analysed completely.
fn notifications(report: &Report<'_>) -> Vec<Notification> {
    let problems =
        report.problems.iter().map(|problem| (&problem.file, problem.line, problem.message.clone()));
    let cut_short = report.cut_short.iter().map(|cut| (&cut.file, cut.line, cut.message()));
    let notification = |(file, line, message): (&String, Option<u32>, String)| Notification {
        level: "warning",
        message: Text { text: printable(&message) },
        locations: [Location {
            physical_location: PhysicalLocation {
                artifact_location: artifact(report, file),
                region: line.map(|line| Region { start_line: line, end: None }),
            },
            message: None,
        }],
    };
    problems.chain(cut_short).map(notification).collect()
}

/// A relative path as a URI reference: everything but unreserved characters and `/` is percent-encoded, so that no
/// segment is taken for a scheme.
fn relative_uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte))
            }
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_relative_references() {
        assert_eq!(relative_uri("src/a b#é:x.rs"), "src/a%20b%23%C3%A9%3Ax.rs");
    }

    #[test]
    fn names_and_descriptions_come_from_the_rule() {
        assert_eq!(pascal_case("uuid-in-key"), "UuidInKey");
        let page = "# r (SK001)\n\n## What it does\n\nOne. Two.\n\nThree.\n";
        let info = RuleInfo { id: "r", code: "SK001", summary: "short", page };
        assert_eq!(description(&info), "One. Two.");
        assert_eq!(description(&RuleInfo { page: "", ..info }), "short");
    }
}
