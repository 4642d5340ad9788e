//! `rules` and `explain`.

use std::io;

use super::{CLEAN, Terminal, USAGE};
use crate::config::nearest;
use crate::report::{RuleInfo, printable};

pub(super) fn list(rules: &[RuleInfo], terminal: &mut Terminal<'_>) -> io::Result<u8> {
    let widest = rules.iter().map(|rule| rule.id.len()).max().unwrap_or(0);
    for rule in rules {
        writeln!(terminal.stdout, "{}  {:<widest$}  {}", rule.code, rule.id, rule.summary)?;
    }
    terminal.stdout.flush()?;
    Ok(CLEAN)
}

pub(super) fn explain(word: &str, rules: &[RuleInfo], terminal: &mut Terminal<'_>) -> io::Result<u8> {
    let Some(rule) = rules.iter().find(|rule| rule.id == word || rule.code.eq_ignore_ascii_case(word)) else {
        unknown_rule(word, rules, terminal);
        return Ok(USAGE);
    };
    writeln!(terminal.stdout, "{}", rule.page.trim_end())?;
    terminal.stdout.flush()?;
    Ok(CLEAN)
}

/// Says that a word names no rule, and which one it is most like.
pub(super) fn unknown_rule(word: &str, rules: &[RuleInfo], terminal: &mut Terminal<'_>) {
    let help = match nearest(word, rules.iter().map(|rule| rule.id)) {
        Some(rule) => format!("did you mean `{rule}`?"),
        None => "`cargo samekey rules` lists all rules".to_owned(),
    };
    terminal.say(&format!("error: unknown rule `{}`; {help}", printable(word)));
}
