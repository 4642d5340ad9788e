//! `config`: the configuration that is in effect, or the schema of its file.

use std::io;

use super::args::ConfigArgs;
use super::{CLEAN, Terminal, USAGE};
use crate::config::{schema, show};
use crate::discover::Scope;
use crate::report::RuleInfo;

pub(super) fn run(arguments: &ConfigArgs, rules: &[RuleInfo], terminal: &mut Terminal<'_>) -> io::Result<u8> {
    let text = if arguments.schema {
        schema(rules)
    } else {
        let file = arguments.config.as_ref().map(|file| terminal.current_dir.join(file));
        let root = Scope::resolve(&terminal.current_dir, &[]).root;
        match show(&root, file.as_deref(), rules) {
            Ok(text) => text,
            Err(errors) => {
                let text = errors.render(terminal.error_color);
                terminal.say(text.trim_end());
                terminal.say("error: the configuration is not valid");
                return Ok(USAGE);
            }
        }
    };
    terminal.stdout.write_all(text.as_bytes())?;
    terminal.stdout.flush()?;
    Ok(CLEAN)
}
