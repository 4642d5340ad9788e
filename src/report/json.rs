//! The JSON output. Its shape is a promise: fields are added, never changed.

use std::io::{self, Write};

use serde::Serialize;

use super::document::{write_document, write_line};
use super::{
    CutShort, Diagnostic, Edit, Exception, Fix, KeyEntry, KeyReason, KnownFinding, Report, Summary, redact,
};
use crate::discover::Problem;
use crate::source::Sources;

#[derive(Serialize)]
struct Output {
    version: u32,
    diagnostics: Vec<JsonDiagnostic>,
    errors: Vec<JsonError>,
    exceptions: Vec<JsonException>,
    stale: Vec<JsonKnown>,
    summary: JsonSummary,
}

/// A line of the output by lines.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Line {
    Diagnostic(JsonDiagnostic),
    Error(JsonError),
    Exception(JsonException),
    Stale(JsonKnown),
    Summary(JsonSummary),
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
    fixes: Vec<JsonFix>,
}

#[derive(Serialize)]
struct JsonFix {
    title: String,
    applicability: &'static str,
    edits: Vec<JsonEdit>,
}

#[derive(Serialize)]
struct JsonEdit {
    file: String,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    byte_start: u32,
    byte_end: u32,
    replacement: String,
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
    stale: usize,
    unchanged: usize,
    partial: usize,
}

#[derive(Serialize)]
struct JsonException {
    kind: &'static str,
    file: String,
    line: u32,
    text: String,
}

#[derive(Serialize)]
struct JsonKnown {
    rule: String,
    file: String,
    fingerprint: String,
    message: String,
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
    write_document(&output(report), out)
}

/// Writes all findings as one JSON object on each line, then the errors and so on, and the summary last.
///
/// # Errors
/// When the output cannot be written.
pub fn write_jsonl(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Output { version: _, diagnostics, errors, exceptions, stale, summary } = output(report);
    let lines = diagnostics
        .into_iter()
        .map(Line::Diagnostic)
        .chain(errors.into_iter().map(Line::Error))
        .chain(exceptions.into_iter().map(Line::Exception))
        .chain(stale.into_iter().map(Line::Stale))
        .chain([Line::Summary(summary)]);
    for line in lines {
        write_line(&line, out)?;
    }
    Ok(())
}

fn output(report: &Report<'_>) -> Output {
    let errors = report.problems.iter().map(error).chain(report.cut_short.iter().map(cut_short));
    Output {
        version: 1,
        diagnostics: report.diagnostics.iter().map(|found| diagnostic(found, report.sources)).collect(),
        errors: errors.collect(),
        exceptions: report.exceptions.iter().map(exception).collect(),
        stale: report.stale.iter().map(known).collect(),
        summary: summary(report.summary),
    }
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
        fixes: diagnostic.fixes.iter().map(|found| fix(found, sources)).collect(),
    }
}

fn fix(fix: &Fix, sources: &Sources) -> JsonFix {
    let edit = |edit: &Edit| {
        let range = sources.range(edit.span);
        JsonEdit {
            file: sources.path(edit.span.file).to_owned(),
            line: range.start.line,
            column: range.start.column,
            end_line: range.end.line,
            end_column: range.end.column,
            byte_start: edit.span.start,
            byte_end: edit.span.end,
            // Never code of the tree, so there is nothing to redact.
            replacement: edit.replacement.clone(),
        }
    };
    JsonFix {
        title: redact(&fix.title),
        applicability: fix.applicability.as_str(),
        edits: fix.edits.iter().map(edit).collect(),
    }
}

fn error(problem: &Problem) -> JsonError {
    JsonError { file: problem.file.clone(), line: problem.line, message: redact(&problem.message) }
}

fn cut_short(cut: &CutShort) -> JsonError {
    JsonError { file: cut.file.clone(), line: cut.line, message: redact(&cut.message()) }
}

fn exception(exception: &Exception) -> JsonException {
    JsonException {
        kind: exception.kind.as_str(),
        file: exception.file.clone(),
        line: exception.line,
        text: redact(&exception.text),
    }
}

fn known(known: &KnownFinding) -> JsonKnown {
    JsonKnown {
        rule: known.rule.clone(),
        file: known.file.clone(),
        fingerprint: known.fingerprint.clone(),
        message: redact(&known.message),
    }
}

fn summary(summary: Summary) -> JsonSummary {
    let Summary { files, unparsed, keys, findings, notes, suppressed, baselined, stale, unchanged, partial } =
        summary;
    JsonSummary { files, unparsed, keys, findings, notes, suppressed, baselined, stale, unchanged, partial }
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
