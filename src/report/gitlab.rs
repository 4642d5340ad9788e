//! A code quality report of GitLab, which shows findings in merge requests.

use std::io::{self, Write};

use serde::Serialize;

use super::document::write_document;
use super::{Diagnostic, Report, Severity, redact};

#[derive(Serialize)]
struct Issue {
    #[serde(rename = "type")]
    kind: &'static str,
    check_name: &'static str,
    description: String,
    content: Content,
    categories: [&'static str; 1],
    severity: &'static str,
    fingerprint: String,
    location: Location,
}

#[derive(Serialize)]
struct Content {
    body: String,
}

#[derive(Serialize)]
struct Location {
    path: String,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u32,
    end: u32,
}

/// Writes all findings as one JSON array.
///
/// # Errors
/// When the output cannot be written.
pub fn write_gitlab(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let issues: Vec<Issue> = report.diagnostics.iter().map(|found| issue(report, found)).collect();
    write_document(&issues, out)
}

fn issue(report: &Report<'_>, diagnostic: &Diagnostic) -> Issue {
    let range = report.sources.range(diagnostic.primary);
    let formula = diagnostic.formula.iter().map(|formula| format!("key: {formula}\n\n"));
    Issue {
        kind: "issue",
        check_name: diagnostic.rule,
        description: redact(&diagnostic.message),
        content: Content { body: redact(&format!("{}{}", formula.collect::<String>(), diagnostic.help)) },
        categories: ["Bug Risk"],
        severity: match diagnostic.severity {
            Severity::Error => "critical",
            Severity::Warning => "major",
            Severity::Note => "info",
        },
        fingerprint: diagnostic.fingerprint.clone(),
        location: Location {
            path: report.repository_path(report.sources.path(diagnostic.primary.file)),
            lines: Lines { begin: range.start.line, end: range.end.line },
        },
    }
}
