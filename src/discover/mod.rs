//! Which files are analysed, and to which packages and crates they belong.
//!
//! Everything is found by reading directories and `Cargo.toml` files with our own code. No program is started,
//! nothing outside the analysed root is opened through a symlink or `#[path]`, and what is refused is named.

mod layout;
mod manifest;
mod package;
mod project;
mod scope;
mod walk;
mod workspace;

pub use layout::{Crate, Layout, Placement};
pub use manifest::{Dependency, DependencyKind, Edition};
pub use package::{Package, Target, TargetKind};
pub use project::{FileClass, Project, ProjectFile, Selection, discover};
pub use scope::Scope;
pub use walk::MANIFEST;

use std::path::{Component, Path, PathBuf};

/// Something that could not be analysed, named for the user.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The file or folder, as it is shown.
    pub file: String,
    /// The line, from 1, where one is known.
    pub line: Option<u32>,
    /// One sentence without a full stop that names the cause and the remedy.
    pub message: String,
}

impl Problem {
    /// A problem of a whole file.
    #[must_use]
    pub fn new(file: impl Into<String>, message: impl Into<String>) -> Problem {
        Problem { file: file.into(), line: None, message: message.into() }
    }
}

/// Removes `.` and resolves `..` by text alone.
fn normalize(path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if matches!(result.components().next_back(), Some(Component::Normal(_))) => {
                result.pop();
            }
            other => result.push(other),
        }
    }
    result
}

/// A path as it is shown: relative to the root, with `/`, on every platform. A path outside the root starts
/// with `../`.
fn display_path(root: &Path, path: &Path) -> String {
    let common = root.components().zip(path.components()).take_while(|(left, right)| left == right).count();
    let up = root.components().count() - common;
    let names = path.components().skip(common).map(|part| part.as_os_str().to_string_lossy());
    let parts: Vec<_> = std::iter::repeat_n("..".into(), up).chain(names).collect();
    if parts.is_empty() { ".".to_owned() } else { parts.join("/") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_paths_relative_to_the_root() {
        assert_eq!(display_path(Path::new("/a/b"), Path::new("/a/b/c/d.rs")), "c/d.rs");
        assert_eq!(display_path(Path::new("/a/b"), Path::new("/a/x/d.rs")), "../x/d.rs");
        assert_eq!(display_path(Path::new("/a/b"), Path::new("/a/b")), ".");
    }

    #[test]
    fn normalizes_by_text() {
        assert_eq!(normalize(Path::new("/a/./b/../c")), Path::new("/a/c"));
    }
}
