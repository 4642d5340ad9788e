//! `check`, and what it shares with `keys`.

use std::io;

use super::args::{CheckArgs, FixArgs, Selected, command};
use super::explain::unknown_rule;
use super::{CLEAN, FINDINGS, NO_FILES, Terminal, USAGE};
use super::{fix, output};
use crate::config::nearest;
use crate::discover::Scope;
use crate::driver::{Analysis, Options, Outcome, Progress, Refused, RuleFlag, check};
use crate::git::Change;
use crate::report::{Diagnostic, Human, Report, RuleInfo, Severity, count, printable, write};
use crate::source::Overlay;
use crate::suppress::Baseline;

/// How many problems are named without `-v`.
const PROBLEMS: usize = 20;

pub(super) fn run(
    arguments: &CheckArgs,
    analysis: &dyn Analysis,
    terminal: &mut Terminal<'_>,
) -> io::Result<u8> {
    let FixArgs { fix, diff, unsafe_fixes, .. } = arguments.fixes;
    if unsafe_fixes && !fix && !diff {
        return Ok(refuse("--unsafe-fixes says which fixes count; add --fix or --diff", terminal));
    }
    let Some(flags) = flags(arguments, analysis.rules(), terminal) else { return Ok(USAGE) };
    let read: Vec<_> = arguments.baseline.iter().chain(&arguments.selected.config).collect();
    let outputs = match output::Outputs::new(&arguments.output, &terminal.current_dir, &read) {
        Ok(outputs) => outputs,
        Err(message) => return Ok(refuse(&message, terminal)),
    };
    let baseline =
        match arguments.baseline.as_ref().map(|file| output::read_baseline(file, terminal)).transpose() {
            Ok(baseline) => baseline,
            Err(message) => return Ok(refuse(&message, terminal)),
        };
    if let Some(message) = fix::refused_tree(arguments, terminal) {
        return Ok(refuse(&message, terminal));
    }
    let limits = Limits { flags, change: arguments.change(), baseline };
    let Some(mut outcome) = analyse(&arguments.selected, limits.clone(), analysis, terminal) else {
        return Ok(USAGE);
    };
    let mut failed_writes = Vec::new();
    if arguments.fixes.fix {
        let plan = fix::choose(arguments, &outcome, &shown(arguments, &outcome));
        failed_writes = fix::apply(&plan, &outcome, terminal);
        if !plan.edits.is_empty() {
            // What is left stands at other places now.
            let Some(again) = analyse(&arguments.selected, limits, analysis, terminal) else {
                return Ok(USAGE);
            };
            outcome = again;
        }
    }
    let code = report(arguments, &outcome, &outputs, analysis, terminal)?;
    Ok(fix::report_failures(&failed_writes, code, terminal))
}

/// The findings that are shown.
fn shown(arguments: &CheckArgs, outcome: &Outcome) -> Vec<Diagnostic> {
    let notes = arguments.selected.verbose || arguments.fail_on.severity() == Severity::Note;
    let found = outcome.diagnostics.iter();
    found.filter(|found| notes || found.severity > Severity::Note).cloned().collect()
}

/// Shows what was found and decides the exit code.
fn report(
    arguments: &CheckArgs,
    outcome: &Outcome,
    outputs: &output::Outputs,
    analysis: &dyn Analysis,
    terminal: &mut Terminal<'_>,
) -> io::Result<u8> {
    let shown = shown(arguments, outcome);
    let report = Report {
        diagnostics: &shown,
        problems: &outcome.problems,
        cut_short: &outcome.cut_short,
        exceptions: &outcome.exceptions,
        stale: &outcome.stale,
        summary: outcome.summary,
        sources: &outcome.sources,
        rules: analysis.rules(),
        prefix: &outcome.prefix,
    };
    // Files come first: whoever reads standard output may close it early.
    let written = outputs.write(&report, arguments.selected.verbose);
    let look = Human { color: terminal.color, width: terminal.width, verbose: arguments.selected.verbose };
    if arguments.fixes.diff {
        fix::show(&fix::choose(arguments, outcome, &shown), outcome, terminal)?;
    } else {
        let printed = write(arguments.format, &report, look, &mut terminal.stdout)
            .and_then(|()| terminal.stdout.flush());
        // Whoever closes the pipe has seen enough, but what was found still decides the exit code.
        printed.or_else(|error| match error.kind() {
            io::ErrorKind::BrokenPipe => Ok(()),
            _ => Err(error),
        })?;
    }
    exceptions(outcome, terminal);
    unused_paths(outcome, terminal);
    other_configs(arguments, outcome, terminal);
    if let Some(file) = &arguments.baseline {
        stale(outcome, &file.to_string_lossy(), arguments.selected.verbose, terminal);
    }
    let failed = outcome.diagnostics.iter().any(|found| found.severity >= arguments.fail_on.severity());
    let code = close(&arguments.selected, outcome, failed, terminal);
    Ok(match written {
        Ok(()) => code,
        Err(message) => refuse(&message, terminal),
    })
}

/// Says what is wrong with the command.
pub(super) fn refuse(message: &str, terminal: &mut Terminal<'_>) -> u8 {
    terminal.say(&format!("error: {message}"));
    USAGE
}

/// Lists what the change adds that keeps findings from being reported: a reviewer should see it.
fn exceptions(outcome: &Outcome, terminal: &mut Terminal<'_>) {
    if outcome.exceptions.is_empty() {
        return;
    }
    let exceptions = count(outcome.exceptions.len(), "exception");
    terminal.say(&format!("samekey: the change adds {exceptions}; see whether the reasons hold"));
    for exception in &outcome.exceptions {
        let place = format!("{}:{}", printable(&exception.file), exception.line);
        terminal.say(&format!("  {place}  {}", printable(&exception.text)));
    }
}

/// Names the tables of the configuration that turn off what is not there.
fn unused_paths(outcome: &Outcome, terminal: &mut Terminal<'_>) {
    let file = outcome.config.as_ref().and_then(|file| file.file_name()).unwrap_or_default();
    let file = printable(&file.to_string_lossy());
    for line in &outcome.unused_paths {
        terminal.say(&format!(
            "warning: {file}:{line}: this [[path]] table turns off findings that are not there; remove it"
        ));
    }
}

/// Names configurations that have no effect. Whoever names one by hand knows.
fn other_configs(arguments: &CheckArgs, outcome: &Outcome, terminal: &mut Terminal<'_>) {
    if arguments.selected.config.is_some() {
        return;
    }
    for file in &outcome.other_configs {
        terminal.say(&format!(
            "warning: {}: is not read, because one configuration counts for a run; name it with --config, or move \
             it to the root of the workspace",
            printable(file)
        ));
    }
}

/// Names the entries of the baseline that are not found any more.
fn stale(outcome: &Outcome, file: &str, verbose: bool, terminal: &mut Terminal<'_>) {
    if outcome.stale.is_empty() {
        return;
    }
    let entries = count(outcome.stale.len(), "finding");
    terminal.say(&format!(
        "warning: {}: {entries} in it not found any more; `cargo samekey baseline` drops what is fixed",
        printable(file)
    ));
    let named = if verbose { usize::MAX } else { PROBLEMS };
    for entry in outcome.stale.iter().take(named) {
        terminal.say(&format!("  {}  {}", printable(&entry.file), printable(&entry.rule)));
    }
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

/// What is left out of a run.
#[derive(Clone, Default)]
pub(super) struct Limits {
    pub flags: Vec<(RuleFlag, String)>,
    pub change: Option<Change>,
    pub baseline: Option<Baseline>,
}

/// Runs the driver; `None` when it could not begin, which is then said.
pub(super) fn analyse(
    selected: &Selected,
    limits: Limits,
    analysis: &dyn Analysis,
    terminal: &mut Terminal<'_>,
) -> Option<Outcome> {
    let options = Options {
        current_dir: terminal.current_dir.clone(),
        paths: selected.paths.clone(),
        config: selected.config.clone(),
        flags: limits.flags,
        jobs: selected.jobs.jobs,
        include_tests: selected.include_tests,
        load_all: selected.load_all,
        change: limits.change,
        baseline: limits.baseline,
        overlay: Overlay::default(),
    };
    let progress = if terminal.interactive { Progress::on_terminal() } else { Progress::hidden() };
    let outcome = check(&options, analysis, &progress);
    drop(progress);
    match outcome {
        Ok(outcome) => Some(outcome),
        Err(Refused::Config(errors)) => {
            let text = errors.render(terminal.error_color);
            terminal.say(text.trim_end());
            terminal.say("error: the configuration is not valid, nothing was analysed");
            None
        }
        Err(Refused::Change(error)) => {
            refuse(&error.to_string(), terminal);
            None
        }
    }
}

/// Names what was not analysed, sums up, and decides the exit code.
pub(super) fn close(selected: &Selected, outcome: &Outcome, failed: bool, terminal: &mut Terminal<'_>) -> u8 {
    for missing in &outcome.missing {
        let file = printable(&missing.file);
        terminal.say(&format!("error: {file}: {}{}", printable(&missing.message), meant(&missing.file)));
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
    cut_short(outcome, named, terminal);
    match outcome.nothing_changed {
        true => terminal.say("samekey: no source file changed, nothing to analyse"),
        false => terminal.say(&format!("samekey: {}", outcome.summary)),
    }
    if !outcome.missing.is_empty() || selected.strict && saw_a_part(outcome, terminal) {
        return USAGE;
    }
    if failed {
        return FINDINGS;
    }
    if outcome.summary.files == 0 && !outcome.nothing_changed {
        let in_workspace = Scope::resolve(&terminal.current_dir, &selected.paths).is_workspace();
        terminal.say(match in_workspace {
            true => {
                "error: no Rust source file was found in the packages of this workspace; a folder or a file \
                     that is named is analysed all the same"
            }
            false => "error: no Rust source file was found",
        });
        return NO_FILES;
    }
    CLEAN
}

/// The command that a path which does not exist may have been meant as.
fn meant(file: &str) -> String {
    let definition = command();
    let names = definition.get_subcommands().map(clap::Command::get_name);
    let similar = nearest(file, names).filter(|_| !file.contains(['/', '\\', '.']));
    similar.map(|name| format!("; did you mean the command `{name}`?")).unwrap_or_default()
}

/// Whether some of the code that was asked for was analysed in part only, which is then said.
fn saw_a_part(outcome: &Outcome, terminal: &mut Terminal<'_>) -> bool {
    let cut_short = outcome.cut_short_here;
    let reasons = [
        (outcome.problems.len(), format!("{} above", count(outcome.problems.len(), "problem"))),
        (cut_short, format!("{} cut short", count(cut_short, "entry point"))),
    ];
    let reasons: Vec<String> =
        reasons.into_iter().filter(|(number, _)| *number > 0).map(|(_, reason)| reason).collect();
    if !reasons.is_empty() {
        terminal.say(&format!("error: --strict: not all code was analysed: {}", reasons.join(", ")));
    }
    !reasons.is_empty()
}

/// Says where the analysis saw only a part.
fn cut_short(outcome: &Outcome, named: usize, terminal: &mut Terminal<'_>) {
    for cut in outcome.cut_short.iter().take(named) {
        let line = cut.line.map(|line| format!(":{line}")).unwrap_or_default();
        terminal.say(&format!("warning: {}{line}: {}", printable(&cut.file), printable(&cut.message())));
    }
    let shown = outcome.cut_short.len().min(named);
    if let Some(more) = outcome.summary.partial.checked_sub(shown).filter(|more| *more > 0) {
        let more = count(more, if shown > 0 { "more place" } else { "place" });
        terminal
            .say(&format!("warning: the work budget cut the analysis short at {more}: flows may be missing"));
    }
}
