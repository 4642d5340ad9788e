//! Files that a run reads and writes beside what it prints.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::Terminal;
use super::args::{DEFAULT_BASELINE, Destination};
use crate::config::CONFIG;
use crate::discover::MANIFEST;
use crate::report::{Format, Human, Report, printable, write};
use crate::source::{read_named, reason};
use crate::suppress::Baseline;

/// The width of output for people in a file.
const WIDTH: usize = 80;

/// The files that findings are written to.
pub(super) struct Outputs {
    /// Format, the name as it was given, and the path to open.
    files: Vec<(Format, String, PathBuf)>,
}

impl Outputs {
    /// Checks the files before anything is analysed, so that a long run does not end in a mistake. `read` are files that
    /// the run reads itself.
    pub(super) fn new(
        destinations: &[Destination],
        current_dir: &Path,
        read: &[&PathBuf],
    ) -> Result<Outputs, String> {
        let read: Vec<PathBuf> = read.iter().map(|file| real(&current_dir.join(file))).collect();
        let mut seen = BTreeSet::new();
        let mut files = Vec::new();
        for destination in destinations {
            let name = printable(&destination.file.to_string_lossy());
            let path = current_dir.join(&destination.file);
            let behind = real(&path);
            if read.contains(&behind) {
                return Err(format!(
                    "--output {name} would replace a file that this run reads; name another file"
                ));
            }
            writable(&behind, &name)?;
            if !seen.insert(behind) {
                return Err(format!("--output names {name} twice; give each format a file of its own"));
            }
            files.push((destination.format, name, path));
        }
        Ok(Outputs { files })
    }

    /// Writes all files.
    pub(super) fn write(&self, report: &Report<'_>, verbose: bool) -> Result<(), String> {
        let look = Human { color: false, width: WIDTH, verbose };
        for (format, name, path) in &self.files {
            let written = content(*format, report, look).and_then(|content| fs::write(path, content));
            written.map_err(|error| not_written(name, &error))?;
        }
        Ok(())
    }
}

/// What goes into a file. Where it is for people, the numbers that a terminal shows beside it stand at the end.
fn content(format: Format, report: &Report<'_>, look: Human) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    write(format, report, look, &mut content)?;
    if format == Format::Human {
        content.extend_from_slice(format!("samekey: {}\n", report.summary).as_bytes());
    }
    Ok(content)
}

fn writable(path: &Path, name: &str) -> Result<(), String> {
    if path.is_dir() {
        return Err(format!("--output {name} is a folder; name a file in it"));
    }
    let is_source = path.extension().is_some_and(|extension| extension == "rs");
    if is_source || path.file_name().is_some_and(|name| name == MANIFEST) {
        return Err(format!("--output {name} would replace source code; name another file"));
    }
    if path.file_name().is_some_and(|name| name == CONFIG || name == "Cargo.lock") {
        return Err(format!("--output {name} would replace the project's own file; name another file"));
    }
    if path.parent().is_some_and(|folder| !folder.is_dir()) {
        return Err(format!("--output {name}: its folder does not exist; create it first"));
    }
    Ok(())
}

/// What a file could not be written for.
pub(super) fn not_written(name: &str, error: &io::Error) -> String {
    let reason = match error.kind() {
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::NotFound => "its folder does not exist".to_owned(),
        kind => kind.to_string(),
    };
    format!("{name} cannot be written: {reason}; name another file")
}

/// The baseline in a file.
pub(super) fn read_baseline(file: &Path, terminal: &Terminal<'_>) -> Result<Baseline, String> {
    let name = printable(&file.to_string_lossy());
    let text = match read_named(&terminal.current_dir.join(file)) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let option = match name == DEFAULT_BASELINE {
                true => String::new(),
                false => format!(" --output {name}"),
            };
            return Err(format!("{name}: no such file; `cargo samekey baseline{option}` writes it"));
        }
        Err(error) => return Err(format!("{name} cannot be read: {}", reason(&error))),
    };
    Baseline::parse(&text).map_err(|error| format!("{name} {error}"))
}

/// The file that a path stands for: where a link leads, when there is one.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| without_dots(path))
}

/// The path with `.` and `..` resolved by text, so that two spellings of a file are seen to be the same.
fn without_dots(path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                result.pop();
            }
            other => result.push(other),
        }
    }
    result
}
