//! What the user says about levels: the configuration first, then its `[[path]]` tables, then the command line.

use std::path::Path;

use super::FileFacts;
use crate::config::{Config, PathLevels, RuleLevel};
use crate::discover::FileClass;
use crate::report::{Diagnostic, Severity};
use crate::source::Sources;

/// `-A`, `-W` or `-D`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleFlag {
    /// Drop the rule's findings.
    Allow,
    /// At most warnings.
    Warn,
    /// Warnings become errors.
    Deny,
}

/// Where a level was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    OnCommandLine,
    ForPath,
    ForRule,
}

/// Decides the level of each finding.
#[derive(Clone, Copy, Debug)]
pub struct Levels<'a> {
    config: &'a Config,
    flags: &'a [(RuleFlag, String)],
}

impl<'a> Levels<'a> {
    /// The levels of a run. `flags` name rules by id.
    #[must_use]
    pub fn new(config: &'a Config, flags: &'a [(RuleFlag, String)]) -> Levels<'a> {
        Levels { config, flags }
    }

    /// Sets the severity of each finding and drops those that are off. A finding in an example is a note.
    /// Returns how many a `[[path]]` table turned off.
    pub(super) fn apply(
        &self,
        diagnostics: &mut Vec<Diagnostic>,
        facts: &[FileFacts],
        sources: &Sources,
    ) -> usize {
        let mut suppressed = 0;
        diagnostics.retain_mut(|found| {
            let file = found.primary.file;
            if facts.get(file.0 as usize).is_some_and(|facts| facts.class == FileClass::Example) {
                found.severity = Severity::Note;
            }
            let Some((level, said)) = self.level(found.rule, sources.absolute(file)) else { return true };
            match level.apply(found.severity) {
                Some(severity) => {
                    found.severity = severity;
                    true
                }
                None => {
                    suppressed += usize::from(said == Said::ForPath);
                    false
                }
            }
        });
        suppressed
    }

    /// The lines of the `[[path]]` tables that turn rules off and turn off none of these findings.
    pub(super) fn unused_paths(&self, diagnostics: &[Diagnostic], sources: &Sources) -> Vec<u32> {
        let turns_off = |levels: &PathLevels, found: &Diagnostic| {
            let named = levels
                .rules
                .iter()
                .any(|(id, level)| *level == RuleLevel::Off && (id == found.rule || id == "*"));
            named && levels.files.matches(sources.absolute(found.primary.file))
        };
        let off = |levels: &&PathLevels| levels.rules.iter().any(|(_, level)| *level == RuleLevel::Off);
        let unused = self.config.paths.iter().filter(off);
        unused
            .filter(|levels| !diagnostics.iter().any(|found| turns_off(levels, found)))
            .map(|levels| levels.line)
            .collect()
    }

    /// Whether nothing is said about a rule in a file.
    pub(super) fn is_off(&self, rule: &str, file: &Path) -> bool {
        self.level(rule, file).is_some_and(|(level, _)| level == RuleLevel::Off)
    }

    /// The last word that was said about a rule in a file.
    fn level(&self, rule: &str, file: &Path) -> Option<(RuleLevel, Said)> {
        let named = |(id, _): &&(String, RuleLevel)| id == rule || id == "*";
        let flag = self.flags.iter().rev().find(|(_, id)| id == rule).map(|(flag, _)| match flag {
            RuleFlag::Allow => RuleLevel::Off,
            RuleFlag::Warn => RuleLevel::Warning,
            RuleFlag::Deny => RuleLevel::Error,
        });
        let paths = self.config.paths.iter().rev().filter(|levels| levels.files.matches(file));
        let path =
            || paths.flat_map(|levels| levels.rules.iter().rev().find(named)).next().map(|(_, level)| *level);
        let rules = || self.config.rules.iter().rev().find(named).map(|(_, level)| *level);
        flag.map(|level| (level, Said::OnCommandLine))
            .or_else(|| path().map(|level| (level, Said::ForPath)))
            .or_else(|| rules().map(|level| (level, Said::ForRule)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::parse;
    use crate::report::RuleInfo;

    const RULES: [RuleInfo; 1] = [RuleInfo { id: "uuid-in-key", code: "SK001", summary: "", page: "" }];

    #[test]
    fn the_command_line_beats_paths_which_beat_rules() {
        let text = "[rules]\nuuid-in-key = \"warning\"\n[[path]]\nfiles = \"old\"\nlevel = \"off\"\nreason = \"frozen\"";
        let config = parse(Path::new("/r/samekey.toml"), text, &[], &RULES).unwrap().unwrap();
        let levels = Levels::new(&config, &[]);
        let level =
            |levels: &Levels<'_>, rule, file| levels.level(rule, Path::new(file)).map(|(level, _)| level);
        assert_eq!(level(&levels, "uuid-in-key", "/r/a.rs"), Some(RuleLevel::Warning));
        assert_eq!(level(&levels, "uuid-in-key", "/r/old/a.rs"), Some(RuleLevel::Off));
        let flags = [(RuleFlag::Allow, "uuid-in-key".to_owned()), (RuleFlag::Deny, "uuid-in-key".to_owned())];
        let levels = Levels::new(&config, &flags);
        assert_eq!(level(&levels, "uuid-in-key", "/r/old/a.rs"), Some(RuleLevel::Error));
        assert_eq!(level(&levels, "clock-in-key", "/r/a.rs"), None);
    }
}
