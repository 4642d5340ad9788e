//! The JSON output. Its shape is a promise: fields are added, never changed.

use std::io::{self, Write};

use serde::Serialize;

use super::{Diagnostic, KeyEntry, KeyReason, Report, Summary, redact};
use crate::discover::Problem;
use crate::source::Sources;

#[derive(Serialize)]
struct Output {
    version: u32,
    diagnostics: Vec<JsonDiagnostic>,
    errors: Vec<JsonError>,
    summary: JsonSummary,
}

#[derive(Serialize)]
struct JsonDiagnostic {
    rule: &'static str,
    code: &'static str,
    severity: &'static str,
    certainty: &'static str,
    message: String,
    file: String,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    byte_start: u32,
    byte_end: u32,
    formula: Option<String>,
    fingerprint: String,
    trace: Vec<JsonStep>,
    help: String,
}

#[derive(Serialize)]
struct JsonStep {
    file: String,
    line: u32,
    column: u32,
    message: String,
}

#[derive(Serialize)]
struct JsonError {
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    message: String,
}

#[derive(Serialize)]
struct JsonSummary {
    files: usize,
    unparsed: usize,
    keys: usize,
    findings: usize,
    notes: usize,
    suppressed: usize,
    baselined: usize,
}

#[derive(Serialize)]
struct KeysOutput {
    version: u32,
    keys: Vec<JsonKey>,
    errors: Vec<JsonError>,
}

#[derive(Serialize)]
struct JsonKey {
    file: String,
    line: u32,
    column: u32,
    provider: String,
    window: String,
    formula: String,
    claim: Option<bool>,
    verdict: String,
    reasons: Vec<JsonReason>,
}

#[derive(Serialize)]
struct JsonReason {
    field: String,
    word: &'static str,
    text: String,
}

/// Writes all findings as one JSON document.
///
/// # Errors
/// When the output cannot be written.
pub fn write_json(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let output = Output {
        version: 1,
        diagnostics: report.diagnostics.iter().map(|found| diagnostic(found, report.sources)).collect(),
        errors: report.problems.iter().map(error).collect(),
        summary: summary(report.summary),
    };
    write_document(&output, out)
}

/// Writes the inventory of keys as one JSON document.
///
/// # Errors
/// When the output cannot be written.
pub fn write_keys_json(
    keys: &[KeyEntry],
    problems: &[Problem],
    sources: &Sources,
    out: &mut dyn Write,
) -> io::Result<()> {
    let keys = keys.iter().map(|found| key(found, sources)).collect();
    write_document(&KeysOutput { version: 1, keys, errors: problems.iter().map(error).collect() }, out)
}

fn write_document(document: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, document).map_err(io::Error::from)?;
    writeln!(out)
}

fn diagnostic(diagnostic: &Diagnostic, sources: &Sources) -> JsonDiagnostic {
    let range = sources.range(diagnostic.primary);
    JsonDiagnostic {
        rule: diagnostic.rule,
        code: diagnostic.code,
        severity: diagnostic.severity.as_str(),
        certainty: diagnostic.certainty.as_str(),
        message: redact(&diagnostic.message),
        file: sources.path(diagnostic.primary.file).to_owned(),
        line: range.start.line,
        column: range.start.column,
        end_line: range.end.line,
        end_column: range.end.column,
        byte_start: diagnostic.primary.start,
        byte_end: diagnostic.primary.end,
        formula: diagnostic.formula.as_deref().map(redact),
        fingerprint: diagnostic.fingerprint.clone(),
        trace: diagnostic
            .trace
            .iter()
            .map(|step| {
                let at = sources.range(step.span).start;
                JsonStep {
                    file: sources.path(step.span.file).to_owned(),
                    line: at.line,
                    column: at.column,
                    message: redact(&step.message),
                }
            })
            .collect(),
        help: redact(&diagnostic.help),
    }
}

fn error(problem: &Problem) -> JsonError {
    JsonError { file: problem.file.clone(), line: problem.line, message: redact(&problem.message) }
}

fn summary(summary: Summary) -> JsonSummary {
    let Summary { files, unparsed, keys, findings, notes, suppressed, baselined } = summary;
    JsonSummary { files, unparsed, keys, findings, notes, suppressed, baselined }
}

fn key(key: &KeyEntry, sources: &Sources) -> JsonKey {
    let at = sources.range(key.span).start;
    JsonKey {
        file: sources.path(key.span.file).to_owned(),
        line: at.line,
        column: at.column,
        provider: key.provider.clone(),
        window: key.window.clone(),
        formula: redact(&key.formula),
        claim: key.claim,
        verdict: key.verdict.clone(),
        reasons: key.reasons.iter().map(reason).collect(),
    }
}

fn reason(reason: &KeyReason) -> JsonReason {
    JsonReason { field: reason.field.clone(), word: reason.word, text: redact(&reason.text) }
}
