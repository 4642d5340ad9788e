//! The inventory of keys.

use std::io::{self, Write};

use super::{KeyEntry, KeyReason, printable, redact, wrap};
use crate::source::Sources;

/// Writes one block for each key.
///
/// # Errors
/// When the output cannot be written.
pub fn write_keys_human(
    keys: &[KeyEntry],
    sources: &Sources,
    width: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    for (index, key) in keys.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{}  {}", place(key, sources), printable(&key.verdict))?;
        let window =
            if key.window.is_empty() { String::new() } else { format!(", remembered {}", key.window) };
        field(out, "for", &format!("{}{window}", key.provider), width)?;
        field(out, "key", &key.formula, width)?;
        if let Some(claim) = key.claim {
            field(
                out,
                "claim",
                if claim { "stored before the call" } else { "none seen before the call" },
                width,
            )?;
        }
        for (index, reason) in key.reasons.iter().enumerate() {
            field(out, if index == 0 { "why" } else { "" }, &reason_text(reason), width)?;
        }
    }
    Ok(())
}

/// Writes a Markdown table.
///
/// # Errors
/// When the output cannot be written.
pub fn write_keys_markdown(keys: &[KeyEntry], sources: &Sources, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "| place | provider | remembered | key | claim | verdict | why |")?;
    writeln!(out, "| --- | --- | --- | --- | --- | --- | --- |")?;
    for key in keys {
        let claim = match key.claim {
            Some(true) => "yes",
            Some(false) => "no",
            None => "",
        };
        let reasons: Vec<String> = key.reasons.iter().map(reason_text).collect();
        let formula = if key.formula.is_empty() { String::new() } else { code_cell(&key.formula) };
        writeln!(
            out,
            "| {} | {} | {} | {formula} | {claim} | {} | {} |",
            cell(&place(key, sources)),
            cell(&key.provider),
            cell(&key.window),
            cell(&key.verdict),
            cell(&reasons.join("; "))
        )?;
    }
    Ok(())
}

/// `invoice_id` is persisted: primary key of invoices.
fn reason_text(reason: &KeyReason) -> String {
    let what = match reason.word {
        "attempt" => "a stored attempt number",
        word => word,
    };
    format!("{} is {what}: {}", reason.field, redact(&reason.text))
}

fn place(key: &KeyEntry, sources: &Sources) -> String {
    format!("{}:{}", printable(sources.path(key.span.file)), sources.line(key.span))
}

fn field(out: &mut dyn Write, name: &str, value: &str, width: usize) -> io::Result<()> {
    for (index, line) in wrap(&printable(value), width.saturating_sub(9)).iter().enumerate() {
        writeln!(out, "  {:<7}{line}", if index == 0 { name } else { "" })?;
    }
    Ok(())
}

fn cell(text: &str) -> String {
    printable(text).replace('\\', "\\\\").replace('|', "\\|").replace('<', "&lt;")
}

/// A table cell in code font. A vertical bar ends the cell even there, and backticks end the code.
fn code_cell(text: &str) -> String {
    format!("`{}`", printable(text).replace('`', "'").replace('|', "\\|"))
}
