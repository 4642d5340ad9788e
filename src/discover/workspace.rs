//! Which workspace a folder belongs to, and which packages are its members.

use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};

use super::manifest::Manifest;
use super::{MANIFEST, display_path, normalize};
use crate::source::read_found;

/// The root folder of the workspace or single package that contains `folder`; `None` when no manifest is found
/// in it or above it.
pub(super) fn workspace_root(folder: &Path) -> Option<PathBuf> {
    let package = folder.ancestors().find(|candidate| candidate.join(MANIFEST).is_file())?;
    // A manifest that cannot be read still marks a package.
    let Some(manifest) = read(package) else { return Some(package.to_owned()) };
    if manifest.has_workspace() {
        return Some(package.to_owned());
    }
    if let Some(path) = manifest.workspace_path() {
        return Some(normalize(&package.join(path)));
    }
    let above = package.ancestors().skip(1).filter(|candidate| candidate.join(MANIFEST).is_file());
    for candidate in above {
        let Some(manifest) = read(candidate).filter(Manifest::has_workspace) else { continue };
        if Members::new(candidate, &manifest).contains(package) {
            return Some(candidate.to_owned());
        }
    }
    Some(package.to_owned())
}

fn read(folder: &Path) -> Option<Manifest> {
    Manifest::parse(&read_found(&folder.join(MANIFEST)).ok()?).ok()
}

/// Decides whether a folder is a member of a workspace. A path dependency below the root is a member too; that
/// is for the caller to add.
#[derive(Debug)]
pub(super) struct Members {
    root: PathBuf,
    globs: Vec<GlobMatcher>,
    exclude: Vec<PathBuf>,
}

impl Members {
    /// The members of the workspace whose manifest is in `root`. Of a manifest without `[workspace]` only the
    /// package itself is one.
    pub(super) fn new(root: &Path, manifest: &Manifest) -> Members {
        let pattern = |member: &&str| {
            let absolute = display_path(root, &normalize(&root.join(member)));
            GlobBuilder::new(&absolute)
                .literal_separator(true)
                .build()
                .ok()
                .map(|glob| glob.compile_matcher())
        };
        Members {
            root: root.to_owned(),
            globs: manifest.members().iter().filter_map(pattern).collect(),
            exclude: manifest.exclude().iter().map(|path| normalize(&root.join(path))).collect(),
        }
    }

    /// Whether the package in `folder` is a member.
    pub(super) fn contains(&self, folder: &Path) -> bool {
        let relative = display_path(&self.root, folder);
        relative == "." || (!self.excludes(folder) && self.globs.iter().any(|glob| glob.is_match(&relative)))
    }

    /// Whether `workspace.exclude` names the folder or one above it.
    pub(super) fn excludes(&self, folder: &Path) -> bool {
        self.exclude.iter().any(|excluded| folder.starts_with(excluded))
    }

    /// Members that are written without a wildcard and stand outside the root.
    pub(super) fn outside(root: &Path, manifest: &Manifest) -> Vec<PathBuf> {
        let members = manifest.members().into_iter().map(|member| normalize(&root.join(member)));
        members.filter(|member| !member.starts_with(root) && member.join(MANIFEST).is_file()).collect()
    }

    /// What is wrong with the list of members. That a pattern matches nothing is no mistake.
    pub(super) fn wrong(root: &Path, manifest: &Manifest) -> Vec<String> {
        let mut wrong = Vec::new();
        for member in manifest.members() {
            let path = normalize(&root.join(member));
            if !member.contains(['*', '?', '[', '{']) {
                if !path.join(MANIFEST).is_file() {
                    wrong.push(format!("names the member `{member}`, where no Cargo.toml is; remove it"));
                }
            } else if GlobBuilder::new(member).build().is_err() {
                wrong.push(format!("names the members `{member}`, which is not a valid pattern; correct it"));
            } else if !path.starts_with(root) {
                wrong.push(format!(
                    "names the members `{member}` outside of its folder, which are not followed; name them singly"
                ));
            }
        }
        wrong
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_name_members_and_exclude_wins() {
        let manifest = Manifest::parse(
            "[workspace]\nmembers = [\"crates/*\", \"tools/./cli\", \"../side\"]\nexclude = [\"crates/old\"]",
        )
        .unwrap();
        let members = Members::new(Path::new("/r"), &manifest);
        for (folder, expected) in [
            ("/r", true),
            ("/r/crates/a", true),
            ("/r/crates/a/deep", false),
            ("/r/crates/old", false),
            ("/r/tools/cli", true),
            ("/r/other", false),
            ("/side", true),
        ] {
            assert_eq!(members.contains(Path::new(folder)), expected, "{folder}");
        }
    }

    #[test]
    fn members_that_cannot_be_found_are_named() {
        let manifest =
            Manifest::parse("[workspace]\nmembers = [\"crates/*\", \"gone\", \"[\", \"../all/*\"]").unwrap();
        let wrong = Members::wrong(Path::new("/nowhere"), &manifest);
        for (message, part) in wrong.iter().zip(["`gone`", "`[`", "`../all/*` outside"]) {
            assert!(message.contains(part), "{message}");
        }
        assert_eq!(wrong.len(), 3, "{wrong:?}");
    }
}
