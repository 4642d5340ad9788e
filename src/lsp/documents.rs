//! The texts that the client has open.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lsp_types::{TextDocumentContentChangeEvent, TextDocumentItem, Uri};

use super::position::{Encoding, Lines};
use super::uri;

/// An open text.
#[derive(Clone, Debug)]
pub(super) struct Document {
    /// As the client spells it.
    pub uri: Uri,
    /// The file on disk, with links resolved.
    pub path: PathBuf,
    pub version: i32,
    pub text: String,
}

/// All open texts that are files, by URI.
#[derive(Debug, Default)]
pub(super) struct Documents {
    open: BTreeMap<String, Document>,
}

impl Documents {
    pub(super) fn open(&mut self, item: TextDocumentItem) {
        let Some(path) = uri::to_path(&item.uri) else { return };
        let path = path.canonicalize().unwrap_or(path);
        let key = item.uri.as_str().to_owned();
        self.open.insert(key, Document { uri: item.uri, path, version: item.version, text: item.text });
    }

    pub(super) fn change(
        &mut self,
        uri: &Uri,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) {
        let Some(document) = self.open.get_mut(uri.as_str()) else { return };
        document.version = version;
        for change in changes {
            apply(&mut document.text, change, encoding);
        }
    }

    pub(super) fn close(&mut self, uri: &Uri) -> Option<Document> {
        self.open.remove(uri.as_str())
    }

    pub(super) fn get(&self, uri: &Uri) -> Option<&Document> {
        self.open.get(uri.as_str())
    }

    pub(super) fn at(&self, path: &Path) -> Option<&Document> {
        self.iter().find(|document| document.path == path)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Document> {
        self.open.values()
    }
}

/// Applies a change: to a range, or to the whole text.
fn apply(text: &mut String, change: TextDocumentContentChangeEvent, encoding: Encoding) {
    let Some(range) = change.range else {
        *text = change.text;
        return;
    };
    let lines = Lines::new(text, encoding);
    let (start, end) = (lines.offset(range.start), lines.offset(range.end));
    text.replace_range(start.min(end)..end.max(start), &change.text);
}

#[cfg(test)]
mod tests {
    use lsp_types::{Position, Range};

    use super::*;

    fn changed(text: &str, range: Option<[u32; 4]>, new: &str) -> String {
        let position = |line, character| Position { line, character };
        let range = range.map(|[a, b, c, d]| Range { start: position(a, b), end: position(c, d) });
        let change = TextDocumentContentChangeEvent { range, range_length: None, text: new.to_owned() };
        let mut text = text.to_owned();
        apply(&mut text, change, Encoding::Utf16);
        text
    }

    #[test]
    fn changes_are_applied_to_ranges_and_to_the_whole() {
        assert_eq!(changed("a\r\nb🦀c\r\n", Some([1, 1, 1, 3]), "é"), "a\r\nbéc\r\n");
        assert_eq!(changed("a\nb\n", Some([0, 1, 1, 0]), ""), "ab\n");
        assert_eq!(changed("a\nb\n", Some([2, 0, 2, 0]), "c"), "a\nb\nc");
        assert_eq!(changed("a\nb\n", None, "c"), "c");
    }

    #[test]
    fn ranges_that_do_not_exist_do_no_harm() {
        assert_eq!(changed("ab", Some([9, 9, 9, 9]), "c"), "abc");
        assert_eq!(changed("ab", Some([0, 2, 0, 0]), "c"), "c");
    }
}
