//! Walks folders for Rust files and manifests.
//!
//! A symlink is never entered by the walk itself: its target is looked at afterwards, refused when it leaves the
//! boundary or leads back into itself, and otherwise read once under its real name, so that no loop and no
//! second copy of a file can arise.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ignore::{DirEntry, WalkBuilder, WalkState};

/// The name of a Cargo manifest.
pub const MANIFEST: &str = "Cargo.toml";

/// What a walk found. Everything is in sorted order.
#[derive(Debug, Default)]
pub(super) struct Walked {
    /// Files with the extension `rs`.
    pub sources: BTreeSet<PathBuf>,
    /// Files named `Cargo.toml`.
    pub manifests: BTreeSet<PathBuf>,
    /// Symlinks that were accepted, with the real path of their target.
    pub links: Vec<(PathBuf, PathBuf)>,
    /// What was not entered, and why.
    pub refused: BTreeSet<(PathBuf, String)>,
}

/// What the threads of one walk gather.
#[derive(Debug, Default)]
struct Gathered {
    sources: Vec<PathBuf>,
    manifests: Vec<PathBuf>,
    links: Vec<PathBuf>,
    errors: Vec<(PathBuf, String)>,
}

/// Walks `folders`, whose paths are canonical. Hidden and git-ignored entries are left out, and so are symlinks
/// that leave `boundary`.
pub(super) fn walk(folders: &[PathBuf], boundary: &Path, threads: usize) -> Walked {
    let mut walked = Walked::default();
    let mut entered = BTreeSet::new();
    let mut waiting: Vec<PathBuf> = folders.to_vec();
    while let Some(folder) = waiting.pop() {
        if entered.iter().any(|done: &PathBuf| folder.starts_with(done)) {
            continue;
        }
        let gathered = walk_folder(&folder, threads);
        entered.insert(folder);
        walked.sources.extend(gathered.sources);
        walked.manifests.extend(gathered.manifests);
        walked.refused.extend(gathered.errors);
        let mut links = gathered.links;
        links.sort_unstable();
        for link in links {
            waiting.extend(walked.follow(link, boundary));
        }
    }
    walked
}

impl Walked {
    /// Decides about a symlink; returns a folder that is to be walked for it.
    fn follow(&mut self, link: PathBuf, boundary: &Path) -> Option<PathBuf> {
        let target = match link.canonicalize() {
            Ok(target) => target,
            Err(_) if !is_source(&link) && link.extension().is_some() => return None,
            Err(_) => {
                self.refuse(link, "is a symlink that leads nowhere or in a circle");
                return None;
            }
        };
        let folder = target.is_dir();
        if !folder && !is_source(&link) {
            return None;
        }
        if !target.starts_with(boundary) {
            self.refuse(link, "is a symlink that leaves the analysed folder");
            return None;
        }
        if folder && link.starts_with(&target) {
            self.refuse(link, "is a symlink to a folder that contains it");
            return None;
        }
        if !folder {
            self.sources.insert(target.clone());
        }
        self.links.push((link, target.clone()));
        folder.then_some(target)
    }

    fn refuse(&mut self, path: PathBuf, why: &str) {
        self.refused.insert((path, why.to_owned()));
    }
}

fn walk_folder(folder: &Path, threads: usize) -> Gathered {
    let gathered = Mutex::new(Gathered::default());
    let mut builder = WalkBuilder::new(folder);
    builder.follow_links(false).git_global(false).threads(threads);
    builder.build_parallel().run(|| {
        Box::new(|entry| {
            match entry {
                Ok(entry) => note_entry(entry, &gathered),
                Err(error) => note_error(&error, folder, &gathered),
            }
            WalkState::Continue
        })
    });
    gathered.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn note_entry(entry: DirEntry, gathered: &Mutex<Gathered>) {
    let Some(kind) = entry.file_type() else { return };
    let source = kind.is_file() && is_source(entry.path());
    let manifest = kind.is_file() && entry.file_name() == MANIFEST;
    if !source && !manifest && !kind.is_symlink() {
        return;
    }
    let mut gathered = gathered.lock().unwrap_or_else(PoisonError::into_inner);
    let list = match (source, manifest) {
        (true, _) => &mut gathered.sources,
        (_, true) => &mut gathered.manifests,
        _ => &mut gathered.links,
    };
    list.push(entry.into_path());
}

fn note_error(error: &ignore::Error, folder: &Path, gathered: &Mutex<Gathered>) {
    // A bad line in an ignore file is the business of git, not ours.
    let Some(io) = error.io_error() else { return };
    let path = path_of(error).unwrap_or(folder).to_owned();
    let message = match io.kind() {
        std::io::ErrorKind::PermissionDenied => "cannot be entered: permission denied".to_owned(),
        kind => format!("cannot be entered: {kind}"),
    };
    gathered.lock().unwrap_or_else(PoisonError::into_inner).errors.push((path, message));
}

fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => path_of(err),
        ignore::Error::Partial(errors) => errors.iter().find_map(path_of),
        _ => None,
    }
}

pub(super) fn is_source(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rs")
}
