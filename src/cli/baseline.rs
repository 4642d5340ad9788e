//! `baseline`: writes down the findings that are there, once; afterwards only drops what is fixed.

use std::fs;
use std::io;

use super::args::BaselineArgs;
use super::check::{Limits, analyse, close, refuse};
use super::output::{not_written, read_baseline};
use super::{Terminal, USAGE};
use crate::driver::{Analysis, Outcome};
use crate::report::{Severity, count, printable};
use crate::suppress::Baseline;

pub(super) fn run(
    arguments: &BaselineArgs,
    analysis: &dyn Analysis,
    terminal: &mut Terminal<'_>,
) -> io::Result<u8> {
    let path = terminal.current_dir.join(&arguments.output);
    let name = printable(&arguments.output.to_string_lossy());
    let before = match path.exists() {
        false => None,
        true => match read_baseline(&arguments.output, terminal) {
            Ok(baseline) => Some(baseline),
            Err(message) => {
                return Ok(refuse(&format!("{message}; it is left as it is"), terminal));
            }
        },
    };
    let limits = Limits { baseline: before.clone(), ..Limits::default() };
    let Some(outcome) = analyse(&arguments.selected, limits, analysis, terminal) else { return Ok(USAGE) };
    // A mistyped path must not leave a file behind that claims to hold everything.
    if !outcome.missing.is_empty() || outcome.summary.files == 0 {
        let code = close(&arguments.selected, &outcome, false, terminal);
        terminal.say(&format!("samekey: {name} is not written"));
        return Ok(code);
    }
    let kept = kept(before.as_ref(), &outcome);
    if let Err(error) = fs::write(&path, kept.to_text()) {
        return Ok(refuse(&not_written(&name, &error), terminal));
    }
    let holds = count(kept.findings.len(), "finding");
    let new = match before {
        None => {
            terminal.say(&format!("samekey: {name} holds {holds}; `check --baseline {name}` hides them"));
            0
        }
        Some(before) => {
            let dropped = before.findings.len() - kept.findings.len();
            terminal.say(&format!("samekey: {name} holds {holds}, {dropped} dropped"));
            outcome.summary.findings
        }
    };
    if new > 0 {
        terminal.say(&format!(
            "error: not in {name}: {}; a baseline takes in nothing new: fix it, suppress it with a reason, or \
             delete the file and write it anew",
            count(new, "finding")
        ));
    }
    let failed = new > 0 && outcome.diagnostics.iter().any(|found| found.severity == Severity::Error);
    Ok(close(&arguments.selected, &outcome, failed, terminal))
}

/// What the file holds afterwards: everything when it is new, else what it held and is not fixed.
fn kept(before: Option<&Baseline>, outcome: &Outcome) -> Baseline {
    match before {
        None => Baseline::of(&outcome.diagnostics, &outcome.sources),
        Some(before) => {
            let stale = &outcome.stale;
            let findings = before.findings.iter().filter(|known| !stale.contains(known)).cloned().collect();
            Baseline { findings }
        }
    }
}
