//! Texts that take the place of files on disk.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What an editor has open, by absolute path with links resolved. A text whose file is not part of the analysed tree
/// changes nothing.
#[derive(Clone, Debug, Default)]
pub struct Overlay {
    texts: BTreeMap<PathBuf, Arc<str>>,
}

impl Overlay {
    /// The text that stands for a file.
    #[must_use]
    pub fn text(&self, absolute: &Path) -> Option<&str> {
        self.texts.get(absolute).map(|text| &**text)
    }

    /// Whether every file is read from disk.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }
}

impl FromIterator<(PathBuf, Arc<str>)> for Overlay {
    fn from_iter<T: IntoIterator<Item = (PathBuf, Arc<str>)>>(texts: T) -> Overlay {
        Overlay { texts: texts.into_iter().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Keep, Sources};
    use super::*;
    use crate::ir::FileId;

    fn sources(max_file_size: u64) -> Sources {
        let files =
            ["open.rs", "closed.rs"].map(|name| (name.to_owned(), PathBuf::from("/nowhere").join(name)));
        let open = (PathBuf::from("/nowhere/open.rs"), Arc::from("fn open() {}"));
        Sources::new(files, max_file_size).with_overlay(&[open].into_iter().collect())
    }

    #[test]
    fn an_open_text_is_seen_and_the_disk_is_not_asked() {
        let sources = sources(100);
        assert_eq!(sources.text(FileId(0)), "fn open() {}");
        let scanned = sources.scan(|_, text| (text.len(), Keep::No));
        assert_eq!(scanned[0], Ok(12));
        assert!(scanned[1].is_err(), "this file is on no disk");
    }

    #[test]
    fn the_limit_of_size_holds_for_open_texts() {
        assert!(sources(5).load(FileId(0)).is_err());
    }
}
