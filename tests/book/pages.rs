//! The pages of the site, and files of this repository.

use std::fs;
use std::path::{Path, PathBuf};

use yaml_rust2::{Yaml, YamlLoader};

/// A page in `docs/`.
pub struct Page {
    pub path: PathBuf,
    pub text: String,
}

pub fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs")
}

/// All pages, also those in folders, without the summary.
pub fn pages() -> Vec<Page> {
    let mut pages = Vec::new();
    let mut folders = vec![docs()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md")
                && !path.ends_with("SUMMARY.md")
            {
                pages.push(Page { text: fs::read_to_string(&path).unwrap(), path });
            }
        }
    }
    assert!(pages.len() > 20, "{} pages", pages.len());
    pages.sort_by(|one, other| one.path.cmp(&other.path));
    pages
}

/// A file of this repository.
pub fn committed(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The one document in a text.
pub fn yaml(text: &str) -> Yaml {
    let mut documents = YamlLoader::load_from_str(text).unwrap_or_else(|error| panic!("{error} in {text}"));
    assert_eq!(documents.len(), 1, "{text}");
    documents.remove(0)
}
