//! `schema`: the operations of types that derive their keys.

use std::io;

use super::args::{SchemaArgs, SchemaFormat};
use super::check::{Limits, analyse, close};
use super::{Terminal, USAGE};
use crate::report::{write_schema_human, write_schema_json, write_schema_vectors};
use crate::schema::Operations;

pub(super) fn run(arguments: &SchemaArgs, terminal: &mut Terminal<'_>) -> io::Result<u8> {
    let Some(outcome) = analyse(&arguments.selected, Limits::default(), &Operations, terminal) else {
        return Ok(USAGE);
    };
    let (operations, sources) = (&outcome.operations, &outcome.sources);
    match arguments.format {
        SchemaFormat::Human => {
            write_schema_human(operations, sources, terminal.width, &mut terminal.stdout)?;
        }
        SchemaFormat::Json => {
            write_schema_json(operations, &outcome.problems, sources, &mut terminal.stdout)?;
        }
        SchemaFormat::Vectors => write_schema_vectors(operations, &mut terminal.stdout)?,
    }
    terminal.stdout.flush()?;
    Ok(close(&arguments.selected, &outcome, false, terminal))
}
