//! The command line.
//!
//! Findings go to standard output, everything else to standard error. The exit code is the same in every format:
//! 0 nothing at or above `--fail-on`, 1 findings, 2 a mistake in the command or configuration, a named path that does
//! not exist or, with `--strict`, code that was not analysed, 3 no source file at all.

mod args;
mod baseline;
mod check;
mod completions;
mod config;
mod explain;
mod fix;
mod init;
mod keys;
mod lsp;
mod man;
mod output;
mod schema;
mod terminal;

pub use args::command;
pub use terminal::Terminal;

use std::ffi::OsString;
use std::io;

use args::Command;

use crate::driver::Analysis;

/// Exit code: nothing to report.
pub const CLEAN: u8 = 0;
/// Exit code: findings.
pub const FINDINGS: u8 = 1;
/// Exit code: a mistake in the command line or configuration, a named path that does not exist, or with `--strict` code
/// that was not analysed.
pub const USAGE: u8 = 2;
/// Exit code: there was no source file.
pub const NO_FILES: u8 = 3;

/// Runs a command line, the program's name first, and returns its exit code.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    analysis: &'static dyn Analysis,
    terminal: &mut Terminal<'_>,
) -> u8 {
    let parsed = match args::parse(arguments) {
        Ok(parsed) => parsed,
        Err(error) => return usage(&error, terminal),
    };
    let done = match parsed {
        Command::Check(arguments) => check::run(&arguments, analysis, terminal),
        Command::Keys(arguments) => keys::run(&arguments, analysis, terminal),
        Command::Schema(arguments) => schema::run(&arguments, terminal),
        Command::Explain { rule } => explain::explain(&rule, analysis.rules(), terminal),
        Command::Rules => explain::list(analysis.rules(), terminal),
        Command::Lsp(arguments) => lsp::run(&arguments, analysis, terminal),
        Command::Baseline(arguments) => baseline::run(&arguments, analysis, terminal),
        Command::Init => init::run(analysis.rules(), terminal),
        Command::Config(arguments) => config::run(&arguments, analysis.rules(), terminal),
        Command::Completions { shell } => completions::run(shell, terminal),
        Command::Man(arguments) => man::run(&arguments, terminal),
    };
    match done {
        Ok(code) => code,
        // Whoever closed the pipe has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => CLEAN,
        Err(error) => {
            terminal.say(&format!("error: cannot write the output: {error}"));
            USAGE
        }
    }
}

/// Shows help, the version, or what is wrong with the arguments.
fn usage(error: &clap::Error, terminal: &mut Terminal<'_>) -> u8 {
    let rendered = error.render();
    let wants_output = error.exit_code() == 0;
    let color = if wants_output { terminal.color } else { terminal.error_color };
    let text = if color { rendered.ansi().to_string() } else { rendered.to_string() };
    let out = if wants_output { &mut terminal.stdout } else { &mut terminal.stderr };
    // There is nowhere left to report a failure to print the help.
    let _ = out.write_all(text.as_bytes());
    if wants_output { CLEAN } else { USAGE }
}
