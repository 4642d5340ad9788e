//! What the user asked for: the folders and files to analyse and the root that paths are shown relative to.

use std::path::{Path, PathBuf};

use super::workspace::workspace_root;
use super::{MANIFEST, Problem, normalize};

/// The folders and files of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// Paths are shown relative to it, and nothing outside it is opened through a link.
    pub root: PathBuf,
    /// Folders that were named.
    pub folders: Vec<PathBuf>,
    /// Files that were named.
    pub files: Vec<PathBuf>,
    /// Workspaces around what was named; their packages are followed through. Without any named path, the
    /// workspace to analyse.
    pub workspaces: Vec<PathBuf>,
    /// Named paths that do not exist or are neither a file nor a folder.
    pub missing: Vec<Problem>,
}

impl Scope {
    /// Whether no path was named, so that the workspace itself is meant.
    #[must_use]
    pub fn is_workspace(&self) -> bool {
        self.folders.is_empty() && self.files.is_empty() && !self.workspaces.is_empty()
    }

    /// Resolves the paths of a command line. Without any, the workspace of the current directory is meant, or
    /// the current directory itself when it belongs to none.
    #[must_use]
    pub fn resolve(current_dir: &Path, paths: &[PathBuf]) -> Scope {
        let current_dir = current_dir.canonicalize().unwrap_or_else(|_| current_dir.to_owned());
        let mut scope = Scope::default();
        for path in paths {
            scope.add(&current_dir, path);
        }
        let around = workspace_root(&current_dir);
        if paths.is_empty() {
            scope.root = around.clone().unwrap_or_else(|| current_dir.clone());
            match around {
                Some(workspace) => scope.workspaces.push(workspace),
                None => scope.folders.push(current_dir),
            }
            return scope;
        }
        let named = || scope.folders.iter().chain(&scope.files);
        scope.workspaces = named().filter_map(|path| workspace_of_named(path)).collect();
        scope.root = root_for(&[around.as_deref(), Some(&current_dir)], named().map(PathBuf::as_path));
        for list in [&mut scope.folders, &mut scope.files, &mut scope.workspaces] {
            list.sort_unstable();
            list.dedup();
        }
        scope
    }

    /// The deepest folder that holds all that was named: its repository is the one that is meant, wherever the run
    /// starts.
    #[must_use]
    pub fn innermost(&self) -> PathBuf {
        let named = self.folders.iter().chain(&self.files);
        match self.folders.is_empty() && self.files.is_empty() {
            true => self.root.clone(),
            false => root_for(&[], named.map(PathBuf::as_path)),
        }
    }

    fn add(&mut self, current_dir: &Path, path: &Path) {
        let shown = path.to_string_lossy();
        let Ok(metadata) = std::fs::metadata(current_dir.join(path)) else {
            self.missing.push(Problem::new(shown, "no such file or folder"));
            return;
        };
        let absolute =
            current_dir.join(path).canonicalize().unwrap_or_else(|_| normalize(&current_dir.join(path)));
        if metadata.is_dir() {
            self.folders.push(absolute);
        } else if !metadata.is_file() {
            self.missing.push(Problem::new(shown, "is neither a file nor a folder"));
        } else if absolute.file_name().is_some_and(|name| name == MANIFEST) {
            // Whoever names a manifest means its package.
            self.folders.extend(absolute.parent().map(Path::to_owned));
        } else {
            self.files.push(absolute);
        }
    }
}

/// The first of `preferred` that contains all paths, or else their deepest common folder.
fn root_for<'a>(preferred: &[Option<&Path>], paths: impl Iterator<Item = &'a Path> + Clone) -> PathBuf {
    let fitting = preferred.iter().flatten().find(|root| paths.clone().all(|path| path.starts_with(root)));
    if let Some(root) = fitting {
        return root.to_path_buf();
    }
    let mut folders = paths.map(|path| if path.is_file() { path.parent().unwrap_or(path) } else { path });
    let first = folders.next().unwrap_or(Path::new("/")).to_owned();
    folders.fold(first, |common, folder| {
        let shared = common.components().zip(folder.components()).take_while(|(left, right)| left == right);
        shared.map(|(left, _)| left).collect()
    })
}

/// The workspace that gives a named path its meaning: that of a package folder, or of a file that is part of a
/// package's crates. Other files below a package, such as test data, stand alone.
fn workspace_of_named(path: &Path) -> Option<PathBuf> {
    let start = if path.is_dir() { path } else { path.parent()? };
    let package = start.ancestors().find(|candidate| candidate.join(MANIFEST).is_file())?;
    let relative = path.strip_prefix(package).ok()?;
    let parts: Vec<_> = relative.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    let belongs = match parts.as_slice() {
        [] => true,
        [first, ..] if first == "src" => true,
        [first] => first == "build.rs",
        [first, _] => path.is_file() && ["tests", "benches", "examples"].contains(&first.as_ref()),
        _ => false,
    };
    if belongs { workspace_root(package) } else { None }
}
