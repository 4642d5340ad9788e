//! `man`: manual pages, from the same definition as `--help`.

use std::fs;
use std::io;
use std::path::Path;

use clap::Command;
use clap_mangen::Man;

use super::args::ManArgs;
use super::check::refuse;
use super::completions::PROGRAM;
use super::{CLEAN, Terminal, command};
use crate::config::nearest;
use crate::report::printable;

pub(super) fn run(arguments: &ManArgs, terminal: &mut Terminal<'_>) -> io::Result<u8> {
    let pages = pages()?;
    if let Some(folder) = &arguments.output {
        return Ok(write_all(&pages, &terminal.current_dir.join(folder), terminal));
    }
    let wanted = match &arguments.command {
        Some(word) => format!("{PROGRAM}-{word}"),
        None => PROGRAM.to_owned(),
    };
    let Some((_, page)) = pages.iter().find(|(name, _)| *name == wanted) else {
        let word = arguments.command.as_deref().unwrap_or_default();
        return Ok(refuse(&unknown_command(word), terminal));
    };
    terminal.stdout.write_all(page)?;
    terminal.stdout.flush()?;
    Ok(CLEAN)
}

/// The page of the program and one for each command, by name.
fn pages() -> io::Result<Vec<(String, Vec<u8>)>> {
    // Built once as a whole, so that the pages of commands know how they are called.
    let mut program = command().disable_help_subcommand(true).display_name(PROGRAM);
    program.build();
    let mut pages = vec![(PROGRAM.to_owned(), page(&program, PROGRAM)?)];
    for command in program.get_subcommands() {
        let name = format!("{PROGRAM}-{}", command.get_name());
        pages.push((name.clone(), page(command, &name)?));
    }
    Ok(pages)
}

fn page(command: &Command, name: &str) -> io::Result<Vec<u8>> {
    let command = command.clone().version(env!("CARGO_PKG_VERSION"));
    let mut page = Vec::new();
    let source = format!("{PROGRAM} {}", env!("CARGO_PKG_VERSION"));
    Man::new(command).title(name).source(source).manual("samekey").render(&mut page)?;
    Ok(page)
}

fn write_all(pages: &[(String, Vec<u8>)], folder: &Path, terminal: &mut Terminal<'_>) -> u8 {
    let shown = printable(&folder.to_string_lossy());
    if let Err(error) = fs::create_dir_all(folder) {
        return refuse(&super::output::not_written(&shown, &error), terminal);
    }
    for (name, page) in pages {
        let file = folder.join(format!("{name}.1"));
        if let Err(error) = fs::write(&file, page) {
            return refuse(
                &super::output::not_written(&printable(&file.to_string_lossy()), &error),
                terminal,
            );
        }
    }
    terminal.say(&format!("samekey: wrote {} pages to {shown}", pages.len()));
    CLEAN
}

fn unknown_command(word: &str) -> String {
    let definition = command();
    let names = || definition.get_subcommands().map(Command::get_name);
    match nearest(word, names()) {
        Some(similar) => format!("unknown command `{}`; did you mean `{similar}`?", printable(word)),
        None => {
            let names: Vec<&str> = names().collect();
            format!("unknown command `{}`; the commands are {}", printable(word), names.join(", "))
        }
    }
}
