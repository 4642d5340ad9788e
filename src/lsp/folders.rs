//! The folders that the client has open, and what is analysed for them.

use std::path::{Path, PathBuf};

use lsp_types::Uri;

use super::documents::Document;
use super::uri;
use crate::discover::Scope;

/// An open folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Folder {
    /// As the client spells it.
    named: PathBuf,
    /// With links resolved.
    real: PathBuf,
}

impl Folder {
    pub(super) fn new(uri: &Uri) -> Option<Folder> {
        let named = uri::to_path(uri)?;
        Some(Folder { real: named.canonicalize().unwrap_or_else(|_| named.clone()), named })
    }

    /// Also when it is gone by now, so that its links lead nowhere.
    pub(super) fn is_named(&self, uri: &Uri) -> bool {
        uri::to_path(uri).is_some_and(|path| path == self.named)
    }

    pub(super) fn is_missing(&self) -> bool {
        !self.real.is_dir()
    }

    pub(super) fn shown(&self) -> String {
        self.named.display().to_string()
    }
}

/// One run of the analysis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target {
    /// Where it starts.
    pub current_dir: PathBuf,
    /// What is named; nothing stands for the workspace.
    pub paths: Vec<PathBuf>,
}

/// What is analysed: the workspaces of the open folders, each once. Without any folder these are the workspaces of
/// the open texts, and the texts that belong to none.
pub(super) fn targets(folders: &[Folder], open: &[Document]) -> Vec<Target> {
    let mut targets: Vec<Target> = Vec::new();
    for folder in folders.iter().filter(|folder| !folder.is_missing()) {
        let root = Scope::resolve(&folder.real, &[]).root;
        targets.push(Target { current_dir: root, paths: Vec::new() });
    }
    if folders.is_empty() {
        let is_source = |document: &&Document| document.path.extension().is_some_and(|end| end == "rs");
        targets.extend(open.iter().filter(is_source).filter_map(|document| target_of(&document.path)));
    }
    targets.sort_by(|left, right| (&left.current_dir, &left.paths).cmp(&(&right.current_dir, &right.paths)));
    targets.dedup();
    targets
}

fn target_of(file: &Path) -> Option<Target> {
    let folder = file.parent().filter(|folder| folder.is_dir())?;
    let scope = Scope::resolve(folder, &[]);
    Some(match scope.is_workspace() {
        true => Target { current_dir: scope.root, paths: Vec::new() },
        false => Target { current_dir: folder.to_owned(), paths: vec![file.to_owned()] },
    })
}

/// How the client spells the files.
#[derive(Clone, Debug)]
pub(super) struct Names<'a> {
    pub folders: &'a [Folder],
    pub open: &'a [Document],
}

impl Names<'_> {
    /// The URI of a file: that of the open text, or one below the folder as the client spells it.
    pub(super) fn uri(&self, path: &Path) -> Option<Uri> {
        if let Some(document) = self.open.iter().find(|document| document.path == path) {
            return Some(document.uri.clone());
        }
        let below = |folder: &Folder| Some(folder.named.join(path.strip_prefix(&folder.real).ok()?));
        match self.folders.iter().find_map(below) {
            Some(named) => uri::from_path(&named),
            None => uri::from_path(path),
        }
    }
}
