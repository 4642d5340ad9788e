//! The `cargo samekey` command.

use std::process::ExitCode;

use cargo_samekey::cli::{Terminal, run};
use cargo_samekey::rules::Rules;

/// Abstract values are many small objects that live shortly; the system's allocator takes a third of the time for them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ExitCode::from(run(std::env::args_os(), &Rules, &mut Terminal::of_process()))
}
