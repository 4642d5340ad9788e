//! The `cargo samekey` command.

use std::process::ExitCode;

use cargo_samekey::cli::{Terminal, run};
use cargo_samekey::rules::Rules;

fn main() -> ExitCode {
    ExitCode::from(run(std::env::args_os(), &Rules, &mut Terminal::of_process()))
}
