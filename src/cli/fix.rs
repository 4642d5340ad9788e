//! `--fix` and `--diff`.

use std::io;
use std::path::Path;

use super::args::{CheckArgs, FixArgs};
use super::{Terminal, check};
use crate::discover::Scope;
use crate::driver::Outcome;
use crate::fix::{Plan, plan, replace, same_on_disk, unified};
use crate::git;
use crate::ir::FileId;
use crate::report::{Diagnostic, count, printable};
use crate::source::syntax::is_generated;

/// How many files with uncommitted changes are named.
const NAMED: usize = 10;

/// Why files must not be changed: there is a git repository, and what git holds is not what is on disk.
pub(super) fn refused_tree(arguments: &CheckArgs, terminal: &Terminal<'_>) -> Option<String> {
    let FixArgs { fix, allow_dirty, allow_staged, .. } = arguments.fixes;
    if !fix || allow_dirty {
        return None;
    }
    let root = Scope::resolve(&terminal.current_dir, &arguments.selected.paths).innermost();
    if !root.ancestors().any(|folder| folder.join(".git").exists()) {
        return None;
    }
    let mut files = match git::uncommitted(&root) {
        Ok(files) => files,
        Err(error) => {
            return Some(format!(
                "whether there are uncommitted changes cannot be told: {error}; --allow-dirty fixes anyway"
            ));
        }
    };
    files.retain(|file| !(allow_staged && file.staged));
    if files.is_empty() {
        return None;
    }
    let mut message =
        "there are uncommitted changes, and --fix edits files; commit them, or pass --allow-dirty \
                       (or --allow-staged when they are staged)"
            .to_owned();
    for file in files.iter().take(NAMED) {
        let state = if file.staged { "staged" } else { "dirty" };
        message.push_str(&format!("\n  {} ({state})", printable(&file.path)));
    }
    if let Some(more) = files.len().checked_sub(NAMED).filter(|more| *more > 0) {
        message.push_str(&format!("\n  and {}", count(more, "more file")));
    }
    Some(message)
}

/// Chooses among the fixes of the findings that are shown.
pub(super) fn choose(arguments: &CheckArgs, outcome: &Outcome, shown: &[Diagnostic]) -> Plan {
    plan(shown, arguments.fixes.unsafe_fixes, &|file| refuses(outcome, file))
}

/// Why a file is left alone.
fn refuses(outcome: &Outcome, file: FileId) -> Option<String> {
    let sources = &outcome.sources;
    let (path, text) = (sources.path(file), sources.text(file));
    if outcome.problems.iter().any(|problem| problem.file == path) {
        return Some("it could not be analysed completely".to_owned());
    }
    if is_generated(text) {
        return Some("it is generated".to_owned());
    }
    let is_same = same_on_disk(sources.absolute(file), text);
    (!is_same).then(|| "it has changed since it was read".to_owned())
}

/// Prints what the fixes would change.
pub(super) fn show(plan: &Plan, outcome: &Outcome, terminal: &mut Terminal<'_>) -> io::Result<()> {
    let mut escaped = Vec::new();
    for (file, edits) in &plan.edits {
        let diff = unified(&outcome.sources, *file, edits);
        terminal.stdout.write_all(diff.text.as_bytes())?;
        if diff.escaped {
            escaped.push(*file);
        }
    }
    terminal.stdout.flush()?;
    for file in escaped {
        let path = printable(outcome.sources.path(file));
        terminal.say(&format!(
            "warning: {path}: lines of the diff hold what is not printed as it is; apply it with --fix"
        ));
    }
    said(plan, outcome, "would fix", terminal);
    Ok(())
}

/// Changes the files. The messages of those that could not be written.
pub(super) fn apply(plan: &Plan, outcome: &Outcome, terminal: &mut Terminal<'_>) -> Vec<String> {
    let mut failed = Vec::new();
    let mut plan = plan.clone();
    let files: Vec<FileId> = plan.edits.keys().copied().collect();
    for file in files {
        let path = outcome.sources.absolute(file);
        if let Err(error) = write(path, &plan.new_text(file, &outcome.sources), outcome.sources.text(file)) {
            failed.push(format!("{} cannot be written: {error}", printable(outcome.sources.path(file))));
            let is_elsewhere = |file: FileId| move |edit: &crate::report::Edit| edit.span.file != file;
            let before = plan.applied.len();
            plan.applied.retain(|one| one.fix.edits.iter().all(is_elsewhere(file)));
            plan.fixed = plan.fixed.saturating_sub(before - plan.applied.len());
        }
    }
    said(&plan, outcome, "fixed", terminal);
    failed
}

/// Writes a file that still holds what was read.
fn write(path: &Path, new: &str, old: &str) -> Result<(), String> {
    if !same_on_disk(path, old) {
        return Err("it has changed since it was read".to_owned());
    }
    replace(path, new).map_err(|error| match error.kind() {
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        kind => kind.to_string(),
    })
}

/// Says what was done, and what not.
fn said(plan: &Plan, outcome: &Outcome, done: &str, terminal: &mut Terminal<'_>) {
    let sources = &outcome.sources;
    terminal.say(&format!("samekey: {done} {}", count(plan.fixed, "finding")));
    for one in &plan.applied {
        let place = format!("{}:{}", printable(sources.path(one.span.file)), sources.line(one.span));
        terminal.say(&format!("  {place}  {}  {}", one.rule, printable(&one.fix.title)));
    }
    for (file, why) in &plan.refused {
        terminal.say(&format!("warning: {} is left alone: {why}", printable(sources.path(*file))));
    }
    if plan.overlapping > 0 {
        let findings = count(plan.overlapping, "more finding");
        terminal.say(&format!("samekey: {findings} to fix at the same places; run it a second time"));
    }
    if plan.withheld > 0 {
        let findings = count(plan.withheld, "more finding");
        terminal.say(&format!(
            "samekey: {findings} to fix with --unsafe-fixes, which changes keys that may be live"
        ));
    }
    let changed = plan.unsafe_fixes();
    if changed > 0 {
        terminal.say(&format!(
            "warning: fixes that change a key: {changed}; roll them out together with the stored keys, or retries that \
             are under way with the old key charge twice"
        ));
    }
}

/// Ends a run in which files could not be written.
pub(super) fn report_failures(failed: &[String], code: u8, terminal: &mut Terminal<'_>) -> u8 {
    failed.iter().map(|message| check::refuse(message, terminal)).last().unwrap_or(code)
}
