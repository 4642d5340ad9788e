//! Replacing a file in one step: whoever reads it sees the old text or the new one.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Whether a file still holds the text that was read from it.
#[must_use]
pub fn same_on_disk(path: &Path, text: &str) -> bool {
    fs::read(path).is_ok_and(|bytes| bytes == text.as_bytes())
}

/// Gives a file a new text. Its permissions stay; a link stays one, and the file behind it is replaced.
///
/// # Errors
/// When the file is read-only, or its folder cannot be written to; then the file is as it was.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    let path = path.canonicalize()?;
    let permissions = fs::metadata(&path)?.permissions();
    if permissions.readonly() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let beside = temporary(&path)?;
    let written = write_new(&beside, text, permissions).and_then(|()| fs::rename(&beside, &path));
    if written.is_err() {
        // What is left over is of no use; the first failure is the one to tell.
        let _ = fs::remove_file(&beside);
    }
    written
}

/// A name in the same folder, so that no file system lies between the two.
fn temporary(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(name);
    hidden.push(format!(".samekey-{}", std::process::id()));
    Ok(path.with_file_name(hidden))
}

fn write_new(path: &Path, text: &str, permissions: fs::Permissions) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    file.write_all(text.as_bytes())?;
    file.set_permissions(permissions)?;
    file.sync_all()
}
