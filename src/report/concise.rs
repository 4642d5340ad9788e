//! One line for each finding, which editors and `grep` understand.

use std::io::{self, Write};

use super::{Report, printable};

/// Writes `path:line:col: error[uuid-in-key] message` for each finding.
///
/// # Errors
/// When the output cannot be written.
pub fn write_concise(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    for diagnostic in report.diagnostics {
        let at = report.sources.range(diagnostic.primary).start;
        writeln!(
            out,
            "{}:{}:{}: {}[{}] {}",
            printable(report.sources.path(diagnostic.primary.file)),
            at.line,
            at.column,
            diagnostic.severity.as_str(),
            diagnostic.rule,
            printable(&diagnostic.message)
        )?;
    }
    Ok(())
}
