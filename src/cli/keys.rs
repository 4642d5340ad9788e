//! `keys`: the inventory of all keys.

use std::io;

use super::args::{KeysArgs, KeysFormat};
use super::check::{Limits, analyse, close};
use super::{Terminal, USAGE};
use crate::driver::Analysis;
use crate::report::{write_keys_human, write_keys_json, write_keys_markdown};

pub(super) fn run(
    arguments: &KeysArgs,
    analysis: &dyn Analysis,
    terminal: &mut Terminal<'_>,
) -> io::Result<u8> {
    let Some(outcome) = analyse(&arguments.selected, Limits::default(), analysis, terminal) else {
        return Ok(USAGE);
    };
    let (keys, sources) = (&outcome.keys, &outcome.sources);
    match arguments.format {
        KeysFormat::Human => write_keys_human(keys, sources, terminal.width, &mut terminal.stdout)?,
        KeysFormat::Json => write_keys_json(keys, &outcome.problems, sources, &mut terminal.stdout)?,
        KeysFormat::Markdown => write_keys_markdown(keys, sources, &mut terminal.stdout)?,
    }
    terminal.stdout.flush()?;
    Ok(close(&arguments.selected, &outcome, false, terminal))
}
