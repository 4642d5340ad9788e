//! `completions`: what a shell has to know to complete the command line.

use std::io;

use clap_complete::{Shell, generate};

use super::{CLEAN, Terminal, command};

/// The program's name; `cargo samekey` is two words, and shells complete programs.
pub(super) const PROGRAM: &str = "cargo-samekey";

/// Bash and fish ask what belongs to `cargo` about `cargo samekey`; Zsh asks `_cargo-samekey` by itself.
const BASH: &str = include_str!("completions.bash");
const FISH: &str = include_str!("completions.fish");

pub(super) fn run(shell: Shell, terminal: &mut Terminal<'_>) -> io::Result<u8> {
    let mut script = Vec::new();
    generate(shell, &mut command(), PROGRAM, &mut script);
    match shell {
        Shell::Bash => script = with_one_spelling(&script, BASH),
        Shell::Fish => script.extend_from_slice(FISH.as_bytes()),
        _ => {}
    }
    terminal.stdout.write_all(&script)?;
    terminal.stdout.flush()?;
    Ok(CLEAN)
}

/// The generated script for bash sets a state `cargo__samekey..` and looks for `cargo__subcmd__samekey..` (up to
/// `clap_complete` 4.6.12, for programs with a hyphen in their name), so that nothing behind a command is completed.
fn with_one_spelling(script: &[u8], more: &str) -> Vec<u8> {
    let script = String::from_utf8_lossy(script).replace("cargo__subcmd__samekey", "cargo__samekey");
    (script + more).into_bytes()
}
