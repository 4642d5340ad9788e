//! The `cargo samekey` command.

use std::process::ExitCode;

use cargo_samekey::cli::{Terminal, run};
use cargo_samekey::config::Config;
use cargo_samekey::driver::{Analysis, Findings, Input};
use cargo_samekey::load::SinkWords;
use cargo_samekey::report::RuleInfo;

fn main() -> ExitCode {
    ExitCode::from(run(std::env::args_os(), &NoRules, &mut Terminal::of_process()))
}

/// Finds files and reads the configuration, but knows no rule.
struct NoRules;

impl Analysis for NoRules {
    fn rules(&self) -> &[RuleInfo] {
        &[]
    }

    fn words(&self, _config: &Config) -> SinkWords {
        SinkWords::default()
    }

    fn run(&self, _input: &Input<'_>) -> Findings {
        Findings::default()
    }
}
