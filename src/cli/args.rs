//! The one definition of the command line; help, completions and man pages follow from it.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::config::nearest;
use crate::driver::RuleFlag;
use crate::git::Change;
use crate::report::{Format, Severity, printable};

const AFTER_HELP: &str = "\
Without a command, `check` runs: `cargo samekey src` is `cargo samekey check src`.

Exit codes: 0 nothing at or above --fail-on, 1 findings, 2 a mistake in the command or
the configuration, a named path that does not exist, or with --strict code that was not
analysed, 3 no source file at all.";

#[derive(Debug, Parser)]
#[command(
    name = "cargo-samekey",
    bin_name = "cargo samekey",
    version,
    about = "Finds idempotency keys that change when the same payment is retried",
    after_help = AFTER_HELP,
    max_term_width = 100,
    subcommand_required = true,
    arg_required_else_help = false
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// A command with its arguments.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Report keys that change on a retry (the default command)
    Check(CheckArgs),
    /// List every key: place, provider, how it is made, verdict
    Keys(KeysArgs),
    /// Export the operations of types that derive their keys: fields, types, sample keys
    Schema(SchemaArgs),
    /// Explain a rule
    Explain {
        /// The rule's id or code, such as uuid-in-key or SK001
        rule: String,
    },
    /// List all rules
    Rules,
    /// Serve editors: findings while code is typed (the language server protocol)
    Lsp(LspArgs),
    /// Write down the findings that are there now, or drop those that are fixed
    Baseline(BaselineArgs),
    /// Write a commented configuration and show how to set up hooks and CI
    Init,
    /// Show the configuration that is in effect, and where each value comes from
    Config(ConfigArgs),
    /// Print the completions for a shell
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Print a manual page, or write all of them to a folder
    Man(ManArgs),
}

/// How many threads work.
#[derive(Debug, Args)]
pub(super) struct Jobs {
    /// Number of threads; one for each core when not given
    #[arg(
        long,
        short = 'j',
        value_name = "N",
        default_value_t = 0,
        hide_default_value = true,
        allow_negative_numbers = true,
        value_parser = jobs
    )]
    pub jobs: usize,
}

/// What is analysed and how.
#[derive(Debug, Args)]
pub(super) struct Selected {
    /// Files and folders; the workspace of the current directory when none is given
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// The configuration file, instead of the samekey.toml that is found
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    #[command(flatten)]
    pub jobs: Jobs,
    /// Fail when some of the code could not be analysed, or not completely
    #[arg(long)]
    pub strict: bool,
    /// Report in test code too
    #[arg(long)]
    pub include_tests: bool,
    /// Analyse every file, also those that cannot matter
    #[arg(long)]
    pub load_all: bool,
    /// Show notes, every finding in full, and every file that was not analysed
    #[arg(long, short)]
    pub verbose: bool,
}

/// The arguments of `check`.
#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    #[command(flatten)]
    pub selected: Selected,
    /// How findings are shown
    #[arg(long, value_enum, default_value_t = Format::Human, conflicts_with = "diff")]
    pub format: Format,
    #[command(flatten)]
    pub fixes: FixArgs,
    /// Write the findings to a file too, in a format of its own; may be repeated
    #[arg(long, value_name = "FORMAT=FILE", value_parser = destination)]
    pub output: Vec<Destination>,
    /// Report only what touches lines changed since a revision (since it and HEAD parted)
    #[arg(long, value_name = "REV", conflicts_with = "staged")]
    pub since: Option<String>,
    /// Report only what touches lines that are staged for commit
    #[arg(long)]
    pub staged: bool,
    /// Hide the findings that this file holds
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// The level from which findings fail the run
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t = FailOn::Error)]
    pub fail_on: FailOn,
    /// Drop a rule's findings
    #[arg(long, short = 'A', value_name = "RULE")]
    pub allow: Vec<String>,
    /// Report a rule's errors as warnings
    #[arg(long, short = 'W', value_name = "RULE")]
    pub warn: Vec<String>,
    /// Report a rule's warnings as errors
    #[arg(long, short = 'D', value_name = "RULE")]
    pub deny: Vec<String>,
    /// The three lists above in the order of the command line.
    #[arg(skip)]
    pub flags: Vec<(RuleFlag, String)>,
}

/// What happens with fixes.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct FixArgs {
    /// Apply the fixes that change no key, and report what is left
    #[arg(long, conflicts_with = "diff")]
    pub fix: bool,
    /// Print what --fix would change instead of the findings
    #[arg(long)]
    pub diff: bool,
    /// With --fix or --diff: also fixes that change a key, which may be live
    #[arg(long)]
    pub unsafe_fixes: bool,
    /// With --fix: also when there are changes that are not committed
    #[arg(long, requires = "fix")]
    pub allow_dirty: bool,
    /// With --fix: also when there are changes that are staged
    #[arg(long, requires = "fix")]
    pub allow_staged: bool,
}

impl CheckArgs {
    /// The change that findings have to touch.
    pub(super) fn change(&self) -> Option<Change> {
        match &self.since {
            Some(revision) => Some(Change::Since(revision.clone())),
            None => self.staged.then_some(Change::Staged),
        }
    }
}

/// The arguments of `lsp`.
#[derive(Debug, Args)]
pub(super) struct LspArgs {
    /// The configuration file, instead of the samekey.toml that is found
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Hide the findings that this file holds
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    #[command(flatten)]
    pub jobs: Jobs,
    /// Report in test code too
    #[arg(long)]
    pub include_tests: bool,
    /// Show findings also in files that are not open
    #[arg(long)]
    pub all_files: bool,
    /// Speak on standard input and output (the only way; some editors say so)
    #[arg(long, hide = true)]
    pub stdio: bool,
}

/// The arguments of `baseline`.
#[derive(Debug, Args)]
pub(super) struct BaselineArgs {
    #[command(flatten)]
    pub selected: Selected,
    /// The file to write; when it exists, fixed findings are dropped from it and nothing is added
    #[arg(long, value_name = "FILE", default_value = DEFAULT_BASELINE)]
    pub output: PathBuf,
}

/// The file that `baseline` writes when no other is named.
pub(super) const DEFAULT_BASELINE: &str = "samekey-baseline.json";

/// The arguments of `config`.
#[derive(Debug, Args)]
pub(super) struct ConfigArgs {
    /// The configuration file, instead of the samekey.toml that is found
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Show the configuration (the default)
    #[arg(long)]
    pub show: bool,
    /// Show the JSON schema of samekey.toml instead
    #[arg(long, conflicts_with = "show")]
    pub schema: bool,
}

/// The arguments of `man`.
#[derive(Debug, Args)]
pub(super) struct ManArgs {
    /// The command that the page is about; the page of the program when none is given
    #[arg(value_name = "COMMAND", conflicts_with = "output")]
    pub command: Option<String>,
    /// Write all pages to this folder instead
    #[arg(long, value_name = "FOLDER")]
    pub output: Option<PathBuf>,
}

/// More threads than this help nobody, and starting them may take for ever.
const MAX_JOBS: usize = 256;

fn jobs(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| *number <= MAX_JOBS);
    number.ok_or_else(|| format!("write a number up to {MAX_JOBS}; without it there is one for each core"))
}

/// A file that findings are written to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Destination {
    pub format: Format,
    pub file: PathBuf,
}

fn destination(text: &str) -> Result<Destination, String> {
    let names = || Format::ALL.map(|(name, ..)| name).join(", ");
    let Some((name, file)) = text.split_once('=') else {
        return Err("write FORMAT=FILE, such as sarif=samekey.sarif".to_owned());
    };
    let Some(format) = Format::named(name) else {
        return Err(match nearest(name, Format::ALL.map(|(name, ..)| name)) {
            Some(similar) => format!("unknown format `{}`; did you mean `{similar}`?", printable(name)),
            None => format!("unknown format `{}`; the formats are {}", printable(name), names()),
        });
    };
    if file.is_empty() {
        return Err(format!("no file is named; write {name}=FILE"));
    }
    if file == "-" {
        return Err(format!("a file is needed here; use --format {name} for standard output"));
    }
    Ok(Destination { format, file: PathBuf::from(file) })
}

/// The arguments of `keys`.
#[derive(Debug, Args)]
pub(super) struct KeysArgs {
    #[command(flatten)]
    pub selected: Selected,
    /// How keys are shown
    #[arg(long, value_enum, default_value_t = KeysFormat::Human)]
    pub format: KeysFormat,
}

/// The arguments of `schema`.
#[derive(Debug, Args)]
pub(super) struct SchemaArgs {
    #[command(flatten)]
    pub selected: Selected,
    /// How operations are shown
    #[arg(long, value_enum, default_value_t = SchemaFormat::Human)]
    pub format: SchemaFormat,
}

/// How operations are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum SchemaFormat {
    /// For a person
    Human,
    /// One JSON document, which docs/schema.md describes
    Json,
    /// The vectors alone, as the encoders below interop/ read them
    Vectors,
}

impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Format] {
        const VARIANTS: [Format; Format::ALL.len()] = {
            let mut variants = [Format::Human; Format::ALL.len()];
            let mut index = 0;
            while index < variants.len() {
                variants[index] = Format::ALL[index].1;
                index += 1;
            }
            variants
        };
        &VARIANTS
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, _, help) = Format::ALL.into_iter().find(|(_, format, _)| format == self)?;
        Some(PossibleValue::new(name).help(help))
    }
}

/// How the inventory of keys is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum KeysFormat {
    /// For a person
    Human,
    /// One JSON document
    Json,
    /// A Markdown table
    Markdown,
}

/// From which level on findings fail the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FailOn {
    /// Errors only
    Error,
    /// Errors and warnings
    Warning,
    /// Every finding; notes are shown too
    Note,
}

impl FailOn {
    pub(super) fn severity(self) -> Severity {
        match self {
            FailOn::Error => Severity::Error,
            FailOn::Warning => Severity::Warning,
            FailOn::Note => Severity::Note,
        }
    }
}

/// The definition, for completions and man pages.
#[must_use]
pub fn command() -> clap::Command {
    Cli::command()
}

/// Parses the arguments, the program's name first.
pub(super) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, clap::Error> {
    let matches = command().try_get_matches_from(normalized(arguments))?;
    let mut parsed = Cli::from_arg_matches(&matches)?;
    if let (Command::Check(arguments), Some(("check", matches))) = (&mut parsed.command, matches.subcommand())
    {
        arguments.flags = ordered_flags(matches);
    }
    Ok(parsed.command)
}

/// Drops the `samekey` that cargo passes on, and fills in `check` when no command is named.
fn normalized(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    if arguments.is_empty() {
        arguments.push("cargo-samekey".into());
    }
    if arguments.get(1).is_some_and(|first| first == "samekey") {
        arguments.remove(1);
    }
    let definition = command();
    let known = |word: &str| {
        let names = definition.get_subcommands().map(clap::Command::get_name);
        names.chain(["help", "--help", "-h", "--version", "-V"]).any(|name| name == word)
    };
    if !arguments.get(1).is_some_and(|first| first.to_str().is_some_and(known)) {
        arguments.insert(1, "check".into());
    }
    arguments
}

/// `-A`, `-W` and `-D` in the order in which they were written: the last word about a rule counts.
fn ordered_flags(matches: &ArgMatches) -> Vec<(RuleFlag, String)> {
    let lists = [("allow", RuleFlag::Allow), ("warn", RuleFlag::Warn), ("deny", RuleFlag::Deny)];
    let mut flags = Vec::new();
    for (id, flag) in lists {
        let indices = matches.indices_of(id).into_iter().flatten();
        let rules = matches.get_many::<String>(id).into_iter().flatten();
        flags.extend(indices.zip(rules).map(|(index, rule)| (index, flag, rule.clone())));
    }
    flags.sort_by_key(|(index, _, _)| *index);
    flags.into_iter().map(|(_, flag, rule)| (flag, rule)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(arguments: &[&str]) -> Command {
        parse(arguments.iter().map(OsString::from)).unwrap()
    }

    #[test]
    fn the_definition_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn check_is_the_default_with_and_without_cargo() {
        for arguments in [
            &["cargo-samekey", "src", "--strict"][..],
            &["cargo-samekey", "samekey", "check", "--strict", "src"],
            &["cargo-samekey", "--strict", "src"],
        ] {
            let Command::Check(check) = parsed(arguments) else { panic!("{arguments:?}") };
            assert_eq!(check.selected.paths, [PathBuf::from("src")]);
            assert!(check.selected.strict);
        }
        assert!(matches!(parsed(&["cargo-samekey", "samekey", "rules"]), Command::Rules));
    }

    #[test]
    fn jobs_are_a_small_number() {
        for wrong in ["-1", "257", "99999999999999999999", "x", ""] {
            let error = parse(["x", "--jobs", wrong].iter().map(OsString::from)).unwrap_err().to_string();
            assert!(error.contains("write a number up to 256"), "{error}");
        }
        let Command::Check(check) = parsed(&["x", "-j4"]) else { panic!("check") };
        assert_eq!(check.selected.jobs.jobs, 4);
    }

    #[test]
    fn flags_keep_their_order() {
        let Command::Check(check) = parsed(&["x", "-D", "a", "-A", "b", "-Da"]) else { panic!("check") };
        let seen: Vec<_> = check.flags.iter().map(|(flag, rule)| (*flag, rule.as_str())).collect();
        assert_eq!(seen, [(RuleFlag::Deny, "a"), (RuleFlag::Allow, "b"), (RuleFlag::Deny, "a")]);
    }
}
