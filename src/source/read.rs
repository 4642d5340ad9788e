//! Reading one file, with the size limit and the check that it is UTF-8.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Why a file was not read. Its text is one sentence without the file's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    message: String,
    line: Option<u32>,
}

impl ReadError {
    /// The line (from 1) that holds the first byte which is not UTF-8.
    #[must_use]
    pub fn line(&self) -> Option<u32> {
        self.line
    }

    pub(super) fn unknown_file() -> ReadError {
        ReadError::new("is not a file of this tree")
    }

    fn new(message: impl Into<String>) -> ReadError {
        ReadError { message: message.into(), line: None }
    }

    fn io(error: &io::Error) -> ReadError {
        let reason = match error.kind() {
            io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
            io::ErrorKind::NotFound => "it no longer exists".to_owned(),
            kind => kind.to_string(),
        };
        ReadError::new(format!("cannot be read: {reason}"))
    }

    fn not_utf8(bytes: &[u8], offset: usize) -> ReadError {
        let line = memchr::memchr_iter(b'\n', bytes.get(..offset).unwrap_or_default()).count() + 1;
        ReadError {
            message: "is not UTF-8; save it as UTF-8 or exclude it".to_owned(),
            line: Some(u32::try_from(line).unwrap_or(u32::MAX)),
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for ReadError {}

/// Reads a file into `buffer`, which is emptied first, and returns its text.
pub(super) fn into_buffer<'a>(
    path: &Path,
    max_file_size: u64,
    buffer: &'a mut Vec<u8>,
) -> Result<&'a str, ReadError> {
    buffer.clear();
    let file = File::open(path).map_err(|error| ReadError::io(&error))?;
    let metadata = file.metadata().map_err(|error| ReadError::io(&error))?;
    if !metadata.is_file() {
        return Err(ReadError::new("is not a regular file"));
    }
    if metadata.len() > max_file_size {
        return Err(too_large(max_file_size));
    }
    // A file that grows while it is read must not grow past the limit either.
    buffer.reserve(usize::try_from(metadata.len()).unwrap_or(0).saturating_add(1));
    let limit = max_file_size.saturating_add(1);
    file.take(limit).read_to_end(buffer).map_err(|error| ReadError::io(&error))?;
    if buffer.len() as u64 > max_file_size {
        return Err(too_large(max_file_size));
    }
    match std::str::from_utf8(buffer) {
        Ok(text) => Ok(text),
        Err(error) => Err(ReadError::not_utf8(buffer, error.valid_up_to())),
    }
}

/// The largest manifest, configuration or baseline.
const MAX_OTHER: u64 = 64 << 20;

/// Reads a file that is not source code and that was named; it may be a pipe. A device that never ends is too large.
///
/// # Errors
/// When it cannot be read, is too large or is not UTF-8; [`reason`] puts it into words.
pub fn read_named(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    File::open(path)?.take(MAX_OTHER + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MAX_OTHER { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(text) }
}

/// Reads a file that is not source code and that was found. Nobody may ever write to a pipe that lies in a tree.
///
/// # Errors
/// As [`read_named`], and when it is not a regular file.
pub fn read_found(path: &Path) -> io::Result<String> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::ErrorKind::Unsupported.into());
    }
    read_named(path)
}

/// Why one of these could not be read.
#[must_use]
pub fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::InvalidData => "it is not UTF-8".to_owned(),
        io::ErrorKind::FileTooLarge => format!("it is larger than {}", size(MAX_OTHER)),
        io::ErrorKind::Unsupported => "it is not a regular file".to_owned(),
        kind => kind.to_string(),
    }
}

/// A text that is in memory, unless it is larger than a file may be.
pub(super) fn within(text: &str, max_file_size: u64) -> Result<&str, ReadError> {
    if text.len() as u64 > max_file_size { Err(too_large(max_file_size)) } else { Ok(text) }
}

fn too_large(limit: u64) -> ReadError {
    ReadError::new(format!("is larger than {}; raise max-file-size to analyse it", size(limit)))
}

/// A number of bytes as a person says it.
fn size(bytes: u64) -> String {
    match bytes {
        1 => "1 byte".to_owned(),
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{} kB", bytes / 1_000),
        _ => format!("{} MB", bytes / 1_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_the_line_of_the_first_bad_byte() {
        let error = ReadError::not_utf8(b"a\nb\n\xff", 4);
        assert_eq!(error.line(), Some(3));
    }

    #[test]
    fn a_device_is_not_a_file() {
        let mut buffer = Vec::new();
        let error = into_buffer(Path::new("/"), 10, &mut buffer).unwrap_err();
        assert_eq!(error.to_string(), "is not a regular file");
    }
}
