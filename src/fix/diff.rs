//! What a fix changes, as a unified diff.

use std::ops::Range;

use super::edited;
use crate::ir::FileId;
use crate::report::{Edit, printable_line};
use crate::source::Sources;

/// Lines that are shown around a change.
const CONTEXT: usize = 3;

/// A diff of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diff {
    /// The text, from `---` to the last line.
    pub text: String,
    /// Whether a line was not safe to print as it is, so that the diff cannot be applied.
    pub escaped: bool,
}

/// The unified diff of a file and its edits, which stand by place and do not overlap.
#[must_use]
pub fn unified(sources: &Sources, file: FileId, edits: &[Edit]) -> Diff {
    let text = sources.text(file);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let blocks = blocks(text, &lines, edits);
    let mut writer = Writer { diff: Diff { text: String::new(), escaped: false } };
    let path = sources.path(file);
    writer.line("--- a/", path);
    writer.line("+++ b/", path);
    let mut shift = 0_isize;
    for hunk in hunks(&blocks) {
        shift = writer.hunk(hunk, &lines, shift);
    }
    writer.diff
}

/// Whole lines that are replaced.
struct Block {
    /// Indices of the old lines.
    old: Range<usize>,
    new: String,
}

impl Block {
    fn added(&self) -> usize {
        self.new.split_inclusive('\n').count()
    }
}

/// The edits as changes of whole lines; edits of one line become one block.
fn blocks(text: &str, lines: &[&str], edits: &[Edit]) -> Vec<Block> {
    let mut starts = vec![0];
    for line in lines {
        let last: usize = starts.last().copied().unwrap_or(0);
        starts.push(last + line.len());
    }
    let line_of = |offset: usize| starts.partition_point(|start| *start <= offset).saturating_sub(1);
    let last_line = lines.len().saturating_sub(1);
    let mut groups: Vec<(Range<usize>, Vec<Edit>)> = Vec::new();
    for edit in edits {
        let (start, end) = (edit.span.start as usize, edit.span.end as usize);
        let first = line_of(start).min(last_line);
        let last = line_of(end.saturating_sub(1).max(start)).min(last_line);
        match groups.last_mut() {
            Some((known, inside)) if first < known.end => {
                known.end = known.end.max(last + 1);
                inside.push(edit.clone());
            }
            _ => groups.push((first..last + 1, vec![edit.clone()])),
        }
    }
    let block = |(old, edits): (Range<usize>, Vec<Edit>)| {
        let bytes =
            starts.get(old.start).copied().unwrap_or(0)..starts.get(old.end).copied().unwrap_or(text.len());
        let new = edited(text.get(bytes.clone()).unwrap_or_default(), bytes.start, &edits);
        Block { old, new }
    };
    groups.into_iter().map(block).collect()
}

/// Blocks whose context would touch belong together.
fn hunks(blocks: &[Block]) -> impl Iterator<Item = &[Block]> {
    blocks.chunk_by(|left, right| right.old.start <= left.old.end + 2 * CONTEXT)
}

struct Writer {
    diff: Diff,
}

impl Writer {
    /// Writes a hunk and returns by how many lines the new text is longer so far.
    fn hunk(&mut self, blocks: &[Block], lines: &[&str], shift: isize) -> isize {
        let (Some(first), Some(last)) = (blocks.first(), blocks.last()) else { return shift };
        let shown = first.old.start.saturating_sub(CONTEXT)..(last.old.end + CONTEXT).min(lines.len());
        let removed: usize = blocks.iter().map(|block| block.old.len()).sum();
        let added: usize = blocks.iter().map(Block::added).sum();
        let new_count = shown.len() - removed + added;
        let new_start = shown.start.saturating_add_signed(shift);
        let place =
            |start: usize, count: usize| format!("{},{count}", if count == 0 { start } else { start + 1 });
        let head = format!("@@ -{} +{} @@", place(shown.start, shown.len()), place(new_start, new_count));
        self.line(&head, "");
        let mut at = shown.start;
        for block in blocks {
            self.all(" ", lines.get(at..block.old.start));
            self.all("-", lines.get(block.old.clone()));
            let new: Vec<&str> = block.new.split_inclusive('\n').collect();
            self.all("+", Some(new.as_slice()));
            at = block.old.end;
        }
        self.all(" ", lines.get(at..shown.end));
        shift.saturating_add_unsigned(added).saturating_sub_unsigned(removed)
    }

    fn all(&mut self, sign: &str, lines: Option<&[&str]>) {
        for line in lines.unwrap_or_default() {
            match line.strip_suffix('\n') {
                Some(line) => self.line(sign, line),
                None => {
                    self.line(sign, line);
                    self.line("\\ No newline at end of file", "");
                }
            }
        }
    }

    /// Writes a line. A carriage return at its end is part of the line break.
    fn line(&mut self, sign: &str, line: &str) {
        let (line, end) = match line.strip_suffix('\r') {
            Some(line) => (line, "\r\n"),
            None => (line, "\n"),
        };
        let shown = printable_line(line);
        self.diff.escaped |= shown != line;
        self.diff.text.push_str(sign);
        self.diff.text.push_str(&shown);
        self.diff.text.push_str(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Span;

    fn diff(text: &str, edits: &[(u32, u32, &str)]) -> Diff {
        let sources = Sources::in_memory([("src/a.rs".to_owned(), text.to_owned())]);
        let edit = |(start, end, new): &(u32, u32, &str)| Edit {
            span: Span { file: FileId(0), start: *start, end: *end },
            replacement: (*new).to_owned(),
        };
        unified(&sources, FileId(0), &edits.iter().map(edit).collect::<Vec<_>>())
    }

    #[test]
    fn edits_become_hunks_of_whole_lines() {
        let text: String = (1..=20).map(|line| format!("l{line:02}\n")).collect();
        // `l02`, `l03` removed; an insertion in `l05`; another hunk for `l20`.
        let found = diff(&text, &[(4, 12, ""), (19, 19, "!"), (76, 79, "x")]);
        assert_eq!(
            found.text,
            "--- a/src/a.rs\n+++ b/src/a.rs\n@@ -1,8 +1,6 @@\n l01\n-l02\n-l03\n l04\n-l05\n+l05!\n l06\n l07\n l08\n\
             @@ -17,4 +15,4 @@\n l17\n l18\n l19\n-l20\n+x\n"
        );
        assert!(!found.escaped);
    }

    #[test]
    fn line_breaks_and_missing_ones_are_kept() {
        assert_eq!(
            diff("a\r\nb", &[(0, 1, "x"), (3, 4, "y")]).text,
            "--- a/src/a.rs\n+++ b/src/a.rs\n@@ -1,2 +1,2 @@\n-a\r\n+x\r\n-b\n\\ No newline at end of file\n+y\n\
             \\ No newline at end of file\n"
        );
        assert_eq!(diff("a\n", &[(0, 2, "")]).text, "--- a/src/a.rs\n+++ b/src/a.rs\n@@ -1,1 +0,0 @@\n-a\n");
    }

    #[test]
    fn what_is_shown_is_safe_to_print() {
        let found = diff("a\u{1b}[31m\n\tb ##vso[x]\nc\n", &[(6, 6, "")]);
        assert!(found.escaped);
        assert!(!found.text.contains('\u{1b}') && !found.text.contains("##vso["), "{}", found.text);
        assert!(found.text.contains("\tb"));
    }
}
