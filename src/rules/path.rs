//! The path of a finding: its steps in a few words each, one step for a line of code.

use super::case::Case;
use super::message;
use crate::flow::trace::StepKind;
use crate::flow::{self};
use crate::ir::{FileId, Span};
use crate::report::Step;
use crate::source::Sources;

/// Words of callees that hash.
const HASHES: &[&str] =
    &["sha1", "sha2", "sha5", "digest", "hasher", "hmac", "blake", "md5", "new_v5", "new_v3"];

/// The steps from the source to the last key slot.
pub fn steps(case: &Case<'_>) -> Vec<Step> {
    let sources = case.world.input.sources;
    let mut shown: Vec<(FileId, u32, u8, Step)> = Vec::new();
    for (position, step) in case.steps.iter().enumerate() {
        let span = narrowed(sources, step.span);
        let line = sources.line(span);
        let (weight, message) = describe(case, step, position == 0);
        match shown.iter_mut().find(|(file, known, ..)| *file == span.file && *known == line) {
            Some(known) if known.2 < weight => {
                let message = match (known.2, weight) {
                    (SOURCE.., _) => continue,
                    (_, SLOT) if known.2 >= CALL => format!("{}, {message}", known.3.message),
                    _ => message,
                };
                known.2 = weight;
                known.3.message = message;
            }
            Some(_) => {}
            None => shown.push((span.file, line, weight, Step { span, message })),
        }
    }
    let last = shown.len().saturating_sub(1);
    let keep = |index: usize, weight: u8| index == 0 || index == last || weight > MINOR;
    let kept = shown.into_iter().enumerate().filter(|(index, step)| keep(*index, step.2));
    kept.map(|(_, (.., step))| step).collect()
}

/// How much a step says; of several on one line the heaviest is shown.
const MINOR: u8 = 1;
const ASSIGN: u8 = 2;
const CALL: u8 = 3;
const SLOT: u8 = 5;
const SOURCE: u8 = 6;

fn describe(case: &Case<'_>, step: &flow::trace::Step, first: bool) -> (u8, String) {
    let sources = case.world.input.sources;
    match step.kind {
        StepKind::Source => (SOURCE, source(case)),
        _ if first && case.site.is_none() => (SOURCE, source(case)),
        StepKind::Assign if hashes(around(sources, step.span)) => hashed(),
        StepKind::Assign => match assigned(sources, step.span) {
            Some(name) => (ASSIGN, format!("stored in `{name}`")),
            None => (MINOR, "stored".to_owned()),
        },
        StepKind::Argument => (CALL, called("passed to", sources, step.span)),
        StepKind::Return => (ASSIGN, called("returned by", sources, step.span)),
        StepKind::Through => through(sources, step.span),
        StepKind::Slot(id) => match case.world.slot(id) {
            Some(slot) => (SLOT, format!("reaches {}", message::slot(slot))),
            None => (SLOT, "reaches the key".to_owned()),
        },
    }
}

fn source(case: &Case<'_>) -> String {
    match (case.source.configured, case.source.by_name) {
        (true, _) => "comes from here".to_owned(),
        (_, true) => format!("{}, by its name", case.source.changes_on.phrase()),
        _ => case.source.changes_on.phrase().to_owned(),
    }
}

/// How long a line may be that is looked at for each step in it.
const MAX_LINE: usize = 1_000;

fn through(sources: &Sources, span: Span) -> (u8, String) {
    let Some(name) = callee(sources.snippet(span)) else { return (MINOR, "part of the value".to_owned()) };
    if hashes(name) {
        return hashed();
    }
    match name {
        "format" | "concat" | "write" | "join" => (ASSIGN, "part of the text".to_owned()),
        _ => (MINOR, format!("goes through `{name}`")),
    }
}

/// The line of a step; of code that is not written in lines, the step alone.
fn around(sources: &Sources, span: Span) -> &str {
    let line = sources.line_text(span.file, sources.line(span));
    if line.len() <= MAX_LINE { line } else { sources.snippet(span) }
}

fn hashes(code: &str) -> bool {
    let lower = code.to_ascii_lowercase();
    HASHES.iter().any(|hash| lower.contains(hash))
}

fn hashed() -> (u8, String) {
    (CALL, "hashed: that hides the change and keeps it".to_owned())
}

fn called(what: &str, sources: &Sources, span: Span) -> String {
    match callee(sources.snippet(span)) {
        Some(name) => format!("{what} `{name}`"),
        None if what == "passed to" => "passed on".to_owned(),
        None => "returned".to_owned(),
    }
}

/// The name of the outermost call of an expression: that of the last method of a chain.
fn callee(snippet: &str) -> Option<&str> {
    let text = snippet.trim_end().trim_end_matches('?').trim_end();
    let text = text.strip_suffix(".await").unwrap_or(text).trim_end();
    let open = matching_open(text)?;
    let head = text[..open].trim_end_matches('!').trim_end();
    let start = head.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |index| index + 1);
    let name = &head[start..];
    (!name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit())).then_some(name)
}

/// The place of the parenthesis that the last character closes.
fn matching_open(text: &str) -> Option<usize> {
    let mut depth = 0_u32;
    for (index, character) in text.char_indices().rev() {
        match character {
            ')' | ']' | '}' => depth += 1,
            '(' | '[' | '{' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(index);
                }
            }
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// The variable or field that a line of code assigns to.
fn assigned(sources: &Sources, span: Span) -> Option<String> {
    let line = sources.line_text(span.file, sources.line(span)).trim();
    let is_name =
        |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.');
    let before = line.split_once('=').map(|(before, _)| before.trim());
    let name = match before.and_then(|before| before.strip_prefix("let ")) {
        Some(pattern) => {
            let pattern = pattern.trim().strip_prefix("mut ").unwrap_or(pattern.trim());
            pattern.split(':').next().unwrap_or("").trim()
        }
        None => before.or_else(|| line.split_once(": ").map(|(name, _)| name.trim())).unwrap_or(""),
    };
    is_name(name).then(|| name.to_owned())
}

/// The field or variable that stands before a piece of code in its line: `id` in `Payment { id: mint(), cents }`.
pub fn field_before<'t>(line: &'t str, code: &str) -> Option<&'t str> {
    let start = line.find(code.lines().next()?)?;
    let before = line[..start].trim_end();
    let before = before.strip_suffix([':', '=']).unwrap_or(before).trim_end();
    let name = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    (!name.is_empty() && before.len() < start).then_some(name)
}

/// A span over several lines is shown at its last call, where the value is.
fn narrowed(sources: &Sources, span: Span) -> Span {
    let text = sources.snippet(span);
    if !text.contains('\n') {
        return span;
    }
    let trimmed = text.trim_end();
    let start = trimmed.rfind('\n').map_or(0, |index| index + 1);
    let indent = trimmed[start..].len() - trimmed[start..].trim_start().len();
    match (callee(trimmed), u32::try_from(start + indent)) {
        (Some(_), Ok(offset)) if trimmed[start..].trim_start().starts_with('.') => {
            Span { start: span.start + offset, ..span }
        }
        _ => span,
    }
}
