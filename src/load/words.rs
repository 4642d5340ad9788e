//! The search for the words of sinks.
//!
//! A sink is described by a row of words that must all occur for it to be used: the *anchor*, which stands where
//! the key is set (`Idempotency-Key`, `client_token`), and further words that only tell which library is meant
//! (`aws_sdk_ec2`). A client may be made in one file and used in another, so the further words count wherever in
//! the tree they occur, manifests included; a row's files are those that hold its anchor. That loses nothing as
//! long as a row's words are spelled in any program that uses the sink.

use std::sync::Arc;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use crate::frontend::collect_macros;
use crate::ir::{FileId, Name};
use crate::source::syntax::{ModuleDeclaration, is_generated, module_declarations};
use crate::source::{Keep, ReadError, Sources};

/// What to look for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SinkWords {
    /// Each row is one way to use a key.
    pub rows: Vec<WordRow>,
    /// Rows that make a file worth reading although no key is used where they stand: payments, suppressions.
    pub others: Vec<WordRow>,
}

/// Words that must all occur.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordRow {
    /// The word that stands where the key is set.
    pub anchor: Word,
    /// Words that occur somewhere in the tree when the sink is used.
    pub context: Vec<Word>,
}

/// A word or several, found anywhere in the text: `client_token` in `with_client_token`, but not in `client_tokenizer`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// Its bytes.
    pub text: String,
    /// Whether ASCII case does not matter, as for the names of headers.
    pub ignore_case: bool,
}

impl Word {
    /// A word of source code.
    #[must_use]
    pub fn exact(text: impl Into<String>) -> Word {
        Word { text: text.into(), ignore_case: false }
    }

    /// The name of a header.
    #[must_use]
    pub fn header(text: impl Into<String>) -> Word {
        Word { text: text.into(), ignore_case: true }
    }
}

impl WordRow {
    /// A row of one word.
    #[must_use]
    pub fn single(anchor: Word) -> WordRow {
        WordRow { anchor, context: Vec::new() }
    }
}

/// What one pass over all files found.
#[derive(Debug)]
pub struct Scan {
    /// The files that hold the anchor of a row whose other words occur too, in order.
    pub hits: Vec<FileId>,
    /// What is known about each file, by its id.
    pub files: Vec<Result<ScannedFile, ReadError>>,
    matcher: Matcher,
    /// The anchors of rows about keys whose other words occur.
    live: Vec<usize>,
}

impl Scan {
    /// Whether a text holds the anchor of a row about keys.
    #[must_use]
    pub fn holds_anchor(&self, text: &str) -> bool {
        let automaton = self.matcher.automaton.as_ref();
        automaton.is_none_or(|automaton| self.found(automaton, text).next().is_some())
    }

    /// Whether a file holds the anchor of a row about keys.
    #[must_use]
    pub fn spells_anchor(&self, file: FileId) -> bool {
        let scanned = self.files.get(file.0 as usize).and_then(|file| file.as_ref().ok());
        scanned.is_none_or(|scanned| self.live.iter().any(|anchor| scanned.found.contains(*anchor)))
    }

    fn found<'s>(&'s self, automaton: &'s AhoCorasick, text: &'s str) -> impl Iterator<Item = usize> + 's {
        let hits = automaton.find_overlapping_iter(text);
        let exact = hits.filter(|hit| {
            let index = hit.pattern().as_usize();
            self.live.contains(&index)
                && self.matcher.is_meant(index, text.as_bytes(), hit.start(), hit.end())
        });
        exact.map(|hit| hit.start())
    }
}

/// What the pass learned about a file.
#[derive(Clone, Debug, Default)]
pub struct ScannedFile {
    /// The modules that it declares.
    pub modules: Vec<ModuleDeclaration>,
    /// Whether it says `@generated`.
    pub generated: bool,
    /// The macros that it defines: name and rules.
    pub macros: Vec<(Name, Arc<str>)>,
    /// The words that it holds, one bit for each.
    found: BitSet,
}

/// Reads all files and looks for the words. `manifests` are texts that count as context.
#[must_use]
pub fn scan(sources: &Sources, words: &SinkWords, manifests: &[&str]) -> Scan {
    let matcher = Matcher::new(words);
    let files = sources.scan(|_, text| {
        let found = matcher.search(text.as_bytes());
        let keep = if matcher.holds_anchor(&found) { Keep::Yes } else { Keep::No };
        let file = ScannedFile {
            modules: module_declarations(text),
            generated: is_generated(text),
            macros: collect_macros(text.as_bytes()),
            found,
        };
        (file, keep)
    });
    let mut everywhere = BitSet::new(matcher.words.len());
    for file in files.iter().flatten() {
        everywhere.union(&file.found);
    }
    for manifest in manifests {
        everywhere.union(&matcher.search(manifest.as_bytes()));
    }
    let live = |rows: &[IndexedRow]| -> Vec<usize> {
        let live = rows.iter().filter(|row| row.context.iter().all(|word| everywhere.contains(*word)));
        live.map(|row| row.anchor).collect()
    };
    let (live, others) = (live(&matcher.rows), live(&matcher.others));
    let hits = sources.ids().zip(&files).filter(|(_, file)| {
        file.as_ref().is_ok_and(|file| live.iter().chain(&others).any(|anchor| file.found.contains(*anchor)))
    });
    Scan { hits: hits.map(|(id, _)| id).collect(), files, matcher, live }
}

/// A row as indices of words.
#[derive(Debug)]
struct IndexedRow {
    anchor: usize,
    context: Vec<usize>,
}

#[derive(Debug)]
struct Matcher {
    words: Vec<Word>,
    rows: Vec<IndexedRow>,
    others: Vec<IndexedRow>,
    /// Finds all words regardless of case; exact ones are compared again. `None` when there are no words, or so
    /// many that no automaton can be built: then every file counts as a hit.
    automaton: Option<AhoCorasick>,
}

impl Matcher {
    fn new(sink_words: &SinkWords) -> Matcher {
        let mut words: Vec<Word> = Vec::new();
        let mut index = |word: &Word| match words.iter().position(|known| known == word) {
            Some(index) => index,
            None => {
                words.push(word.clone());
                words.len() - 1
            }
        };
        let mut indexed = |rows: &[WordRow]| -> Vec<IndexedRow> {
            rows.iter()
                .filter(|row| !row.anchor.text.is_empty())
                .map(|row| IndexedRow {
                    anchor: index(&row.anchor),
                    context: row.context.iter().map(&mut index).collect(),
                })
                .collect()
        };
        let (rows, others) = (indexed(&sink_words.rows), indexed(&sink_words.others));
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::Standard)
            .kind(Some(AhoCorasickKind::DFA))
            .build(words.iter().map(|word| word.text.as_bytes()))
            .ok();
        Matcher { words, rows, others, automaton }
    }

    fn search(&self, bytes: &[u8]) -> BitSet {
        let mut found = BitSet::new(self.words.len());
        if self.words.is_empty() {
            return found;
        }
        let Some(automaton) = &self.automaton else {
            (0..self.words.len()).for_each(|word| found.insert(word));
            return found;
        };
        for hit in automaton.find_overlapping_iter(bytes) {
            let index = hit.pattern().as_usize();
            if self.is_meant(index, bytes, hit.start(), hit.end()) {
                found.insert(index);
            }
        }
        found
    }

    /// Whether what was found is the word: as it is written, and not a piece of a longer one.
    fn is_meant(&self, word: usize, text: &[u8], start: usize, end: usize) -> bool {
        let written = |word: &Word| word.ignore_case || text.get(start..end) == Some(word.text.as_bytes());
        // Names in the plural count.
        let ends = parts_at(text, end) || text.get(end) == Some(&b's') && parts_at(text, end + 1);
        ends && parts_at(text, start) && self.words.get(word).is_some_and(written)
    }

    fn holds_anchor(&self, found: &BitSet) -> bool {
        self.rows.iter().chain(&self.others).any(|row| found.contains(row.anchor))
    }
}

/// Whether words of a name part at a place: `client_token`, `clientToken`, `client-token`, `token2`.
fn parts_at(text: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|index| text.get(index));
    match (before, text.get(at)) {
        (Some(before), Some(after)) if before.is_ascii_alphabetic() && after.is_ascii_alphabetic() => {
            let next = text.get(at + 1).is_some_and(u8::is_ascii_lowercase);
            after.is_ascii_uppercase() && (before.is_ascii_lowercase() || next)
        }
        _ => true,
    }
}

/// A set of small numbers.
#[derive(Clone, Debug, Default)]
struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    fn new(length: usize) -> BitSet {
        BitSet { words: vec![0; length.div_ceil(64)] }
    }

    fn insert(&mut self, index: usize) {
        if let Some(word) = self.words.get_mut(index / 64) {
            *word |= 1 << (index % 64);
        }
    }

    fn contains(&self, index: usize) -> bool {
        self.words.get(index / 64).is_some_and(|word| word & (1 << (index % 64)) != 0)
    }

    fn union(&mut self, other: &BitSet) {
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            *word |= more;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits(words: Vec<WordRow>, files: &[&str], manifests: &[&str]) -> Vec<u32> {
        let files = files.iter().enumerate().map(|(index, text)| (format!("{index}.rs"), (*text).to_owned()));
        let sources = Sources::in_memory(files);
        scan(&sources, &SinkWords { rows: words, others: Vec::new() }, manifests)
            .hits
            .into_iter()
            .map(|id| id.0)
            .collect()
    }

    #[test]
    fn headers_ignore_case_and_code_does_not() {
        let words = || {
            vec![WordRow::single(Word::header("Idempotency-Key")), WordRow::single(Word::exact("dedup_id"))]
        };
        let files = ["\"idempotency-KEY\"", "DEDUP_ID", "x.dedup_id(k)", "nothing"];
        assert_eq!(hits(words(), &files, &[]), [0, 2]);
    }

    #[test]
    fn overlapping_words_are_all_seen() {
        let rows =
            vec![WordRow { anchor: Word::exact("key"), context: vec![Word::exact("idempotency_key_for")] }];
        assert_eq!(hits(rows, &["idempotency_key_for", "key"], &[]), [0, 1]);
    }

    #[test]
    fn context_counts_anywhere_and_in_manifests() {
        let row = || {
            vec![WordRow { anchor: Word::exact("client_token"), context: vec![Word::exact("aws_sdk_ec2")] }]
        };
        assert_eq!(hits(row(), &["c.client_token(k)"], &[]), [] as [u32; 0]);
        assert_eq!(hits(row(), &["c.client_token(k)", "use aws_sdk_ec2::Client;"], &[]), [0]);
        assert_eq!(hits(row(), &["c.client_token(k)"], &["aws_sdk_ec2"]), [0]);
    }

    #[test]
    fn pieces_of_longer_words_are_not_meant() {
        let files = [
            "SetRequestId(x)",
            "fn request_ids()",
            "x.requestid2",
            "HTTPRequestId",
            "requestids_",
            "prerequestid",
            "requestidle",
        ];
        let words =
            || vec![WordRow::single(Word::header("requestid")), WordRow::single(Word::header("request_id"))];
        assert_eq!(hits(words(), &files, &[]), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn no_words_hit_nothing() {
        assert_eq!(hits(Vec::new(), &["anything"], &[]), [] as [u32; 0]);
    }
}
