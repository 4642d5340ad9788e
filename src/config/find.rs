//! Finds and reads the configuration of a root folder.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Config, ConfigErrors, parse};
use crate::discover::MANIFEST;
use crate::report::RuleInfo;
use crate::source::{read_found, read_named, reason};

/// The name of the configuration file.
pub const CONFIG: &str = "samekey.toml";

/// Finds the configuration for `root`: the first `samekey.toml`, or manifest with a `metadata.samekey` table, in it
/// or above it, up to the top of the repository.
///
/// # Errors
/// When the file that was found cannot be read or is not valid.
pub fn find(root: &Path, rules: &[RuleInfo]) -> Result<Config, ConfigErrors> {
    for folder in root.ancestors() {
        let file = folder.join(CONFIG);
        // A link that leads nowhere is not passed over: somebody meant to configure something.
        if fs::symlink_metadata(&file).is_ok_and(|found| !found.is_dir()) {
            // Nobody may ever write to a pipe that lies there.
            let is_special = fs::metadata(&file).is_ok_and(|found| !found.is_file());
            return match is_special {
                true => Err(ConfigErrors::unreadable(file, "is not a regular file")),
                false => load(&file, rules),
            };
        }
        if let Some(config) = from_manifest(&folder.join(MANIFEST), rules)? {
            return Ok(config);
        }
        if folder.join(".git").exists() {
            break;
        }
    }
    Ok(Config::default())
}

/// Reads a configuration file; a manifest may be given too.
///
/// # Errors
/// When the file cannot be read or is not valid.
pub fn load(file: &Path, rules: &[RuleInfo]) -> Result<Config, ConfigErrors> {
    if file.file_name().is_some_and(|name| name == MANIFEST) {
        let missing = "has no [workspace.metadata.samekey] table";
        return from_manifest(file, rules)?.ok_or_else(|| ConfigErrors::unreadable(file.to_owned(), missing));
    }
    let text = read(file)?;
    parse(file, &text, &[], rules).map(Option::unwrap_or_default)
}

/// The configuration inside a manifest. A manifest that is not valid TOML is reported elsewhere.
fn from_manifest(file: &Path, rules: &[RuleInfo]) -> Result<Option<Config>, ConfigErrors> {
    let Ok(text) = read_found(file) else { return Ok(None) };
    if !text.contains("samekey") || text.parse::<toml::Table>().is_err() {
        return Ok(None);
    }
    for owner in ["workspace", "package"] {
        if let Some(config) = parse(file, &text, &[owner, "metadata", "samekey"], rules)? {
            return Ok(Some(config));
        }
    }
    Ok(None)
}

fn read(file: &Path) -> Result<String, ConfigErrors> {
    read_named(file).map_err(|error| {
        let why = match error.kind() {
            std::io::ErrorKind::InvalidData => "is not UTF-8".to_owned(),
            _ => format!("cannot be read: {}", reason(&error)),
        };
        ConfigErrors::unreadable(PathBuf::from(file), why)
    })
}
