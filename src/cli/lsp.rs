//! `lsp`: the language server on standard input and output.

use std::io::{self, BufReader, BufWriter, IsTerminal};

use super::args::LspArgs;
use super::check::refuse;
use super::{CLEAN, FINDINGS, Terminal};
use crate::driver::Analysis;
use crate::lsp::{Ended, Settings, serve};
use crate::report::printable;

/// Exit codes are those of the protocol: 0 after a shutdown, 1 without; 2 when the input is something else.
pub(super) fn run(
    arguments: &LspArgs,
    analysis: &'static dyn Analysis,
    terminal: &mut Terminal<'_>,
) -> io::Result<u8> {
    if io::stdin().is_terminal() {
        terminal.say("samekey: this is the server for editors; it waits for one on standard input");
    }
    let settings = Settings {
        current_dir: terminal.current_dir.clone(),
        config: arguments.config.clone(),
        baseline: arguments.baseline.clone(),
        jobs: arguments.jobs.jobs,
        include_tests: arguments.include_tests,
        all_files: arguments.all_files,
    };
    Ok(match serve(BufReader::new(io::stdin()), BufWriter::new(io::stdout()), settings, analysis)? {
        Ended::AfterShutdown => CLEAN,
        Ended::WithoutShutdown => {
            terminal.say("error: the editor ended the language server without shutting it down");
            FINDINGS
        }
        Ended::NoProtocol(reason) => {
            let reason = printable(&reason);
            refuse(
                &format!(
                    "standard input is not the language server protocol: {reason}; an editor starts this command"
                ),
                terminal,
            )
        }
    })
}
