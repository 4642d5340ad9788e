//! Annotations of GitHub Actions, which the runner reads off the log of a step.

use std::io::{self, Write};

use super::{Diagnostic, Report, Severity, printable};

/// Writes one workflow command for each finding.
///
/// # Errors
/// When the output cannot be written.
pub fn write_github(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    for diagnostic in report.diagnostics {
        let command = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
        };
        let properties: Vec<String> = properties(report, diagnostic)
            .into_iter()
            .map(|(name, value)| format!("{name}={}", escape_property(&value)))
            .collect();
        writeln!(out, "::{command} {}::{}", properties.join(","), escape_data(&text(diagnostic)))?;
    }
    Ok(())
}

fn properties(report: &Report<'_>, diagnostic: &Diagnostic) -> Vec<(&'static str, String)> {
    let range = report.sources.range(diagnostic.primary);
    let mut properties = vec![
        ("file", printable(&report.repository_path(report.sources.path(diagnostic.primary.file)))),
        ("line", range.start.line.to_string()),
        ("endLine", range.end.line.to_string()),
    ];
    // Columns of an annotation over several lines are refused.
    if range.start.line == range.end.line {
        properties.push(("col", range.start.column.to_string()));
        properties.push(("endColumn", range.end.column.to_string()));
    }
    properties.push(("title", format!("{} ({})", diagnostic.rule, diagnostic.code)));
    properties
}

/// Message, formula and advice, each on its own lines.
fn text(diagnostic: &Diagnostic) -> String {
    let mut lines = vec![printable(&diagnostic.message)];
    lines.extend(diagnostic.formula.iter().map(|formula| format!("key: {}", printable(formula))));
    for (index, line) in diagnostic.help.lines().enumerate() {
        let lead = if index == 0 { "help: " } else { "" };
        lines.push(format!("{lead}{}", printable(line)));
    }
    lines.join("\n")
}

fn escape_data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn escape_property(text: &str) -> String {
    escape_data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_cannot_be_broken_out_of() {
        assert_eq!(escape_data("50%\r\n::error::x"), "50%25%0D%0A::error::x");
        assert_eq!(escape_property("a,b:c%\n"), "a%2Cb%3Ac%25%0A");
    }
}
