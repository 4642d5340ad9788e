//! `check`, and what it shares with `keys`.

use std::io;

use super::args::{CheckArgs, Format, Selected};
use super::explain::unknown_rule;
use super::{CLEAN, FINDINGS, NO_FILES, Terminal, USAGE};
use crate::driver::{Analysis, Options, Outcome, Progress, RuleFlag, check};
use crate::report::{
    Human, Report, RuleInfo, Severity, count, printable, write_concise, write_human, write_json,
};

/// How many problems are named without `-v`.
const PROBLEMS: usize = 20;

pub(super) fn run(
    arguments: &CheckArgs,
    analysis: &dyn Analysis,
    terminal: &mut Terminal<'_>,
) -> io::Result<u8> {
    let Some(flags) = flags(arguments, analysis.rules(), terminal) else { return Ok(USAGE) };
    let Some(outcome) = analyse(&arguments.selected, flags, analysis, terminal) else { return Ok(USAGE) };
    let notes = arguments.selected.verbose || arguments.fail_on.severity() == Severity::Note;
    let shown: Vec<_> = outcome
        .diagnostics
        .iter()
        .filter(|found| notes || found.severity > Severity::Note)
        .cloned()
        .collect();
    let report = Report {
        diagnostics: &shown,
        problems: &outcome.problems,
        summary: outcome.summary,
        sources: &outcome.sources,
    };
    match arguments.format {
        Format::Human => {
            let look =
                Human { color: terminal.color, width: terminal.width, verbose: arguments.selected.verbose };
            write_human(&report, look, &mut terminal.stdout)?;
        }
        Format::Concise => write_concise(&report, &mut terminal.stdout)?,
        Format::Json => write_json(&report, &mut terminal.stdout)?,
    }
    terminal.stdout.flush()?;
    let failed = outcome.diagnostics.iter().any(|found| found.severity >= arguments.fail_on.severity());
    Ok(close(&arguments.selected, &outcome, failed, terminal))
}

/// The rule flags with ids for codes; `None` when one names no rule.
fn flags(
    arguments: &CheckArgs,
    rules: &[RuleInfo],
    terminal: &mut Terminal<'_>,
) -> Option<Vec<(RuleFlag, String)>> {
    let mut flags = Vec::new();
    for (flag, word) in &arguments.flags {
        match rules.iter().find(|rule| rule.id == word || rule.code == word) {
            Some(rule) => flags.push((*flag, rule.id.to_owned())),
            None => {
                unknown_rule(word, rules, terminal);
                return None;
            }
        }
    }
    Some(flags)
}

/// Runs the driver; `None` when the configuration is not valid, which is then said.
pub(super) fn analyse(
    selected: &Selected,
    flags: Vec<(RuleFlag, String)>,
    analysis: &dyn Analysis,
    terminal: &mut Terminal<'_>,
) -> Option<Outcome> {
    let options = Options {
        current_dir: terminal.current_dir.clone(),
        paths: selected.paths.clone(),
        config: selected.config.clone(),
        flags,
        jobs: selected.jobs,
        include_tests: selected.include_tests,
        load_all: selected.load_all,
    };
    let progress = if terminal.interactive { Progress::on_terminal() } else { Progress::hidden() };
    let outcome = check(&options, analysis, &progress);
    drop(progress);
    match outcome {
        Ok(outcome) => Some(outcome),
        Err(errors) => {
            let text = errors.render(terminal.error_color);
            terminal.say(text.trim_end());
            terminal.say("error: the configuration is not valid, nothing was analysed");
            None
        }
    }
}

/// Names what was not analysed, sums up, and decides the exit code.
pub(super) fn close(selected: &Selected, outcome: &Outcome, failed: bool, terminal: &mut Terminal<'_>) -> u8 {
    for missing in &outcome.missing {
        terminal.say(&format!("error: {}: {}", printable(&missing.file), printable(&missing.message)));
    }
    let named = if selected.verbose { usize::MAX } else { PROBLEMS };
    for problem in outcome.problems.iter().take(named) {
        let line = problem.line.map(|line| format!(":{line}")).unwrap_or_default();
        terminal.say(&format!(
            "warning: {}{line}: {}",
            printable(&problem.file),
            printable(&problem.message)
        ));
    }
    if let Some(more) = outcome.problems.len().checked_sub(named).filter(|more| *more > 0) {
        terminal.say(&format!("warning: {} not shown; -v names all", count(more, "more message")));
    }
    terminal.say(&format!("samekey: {}", outcome.summary));
    if !outcome.missing.is_empty() || (selected.strict && !outcome.problems.is_empty()) {
        return USAGE;
    }
    if failed {
        return FINDINGS;
    }
    if outcome.summary.files == 0 {
        terminal.say("error: no Rust source file was found");
        return NO_FILES;
    }
    CLEAN
}
