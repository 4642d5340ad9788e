//! From byte offsets to the positions of the protocol and back.
//!
//! The protocol counts lines and columns from 0, ends lines with `\n`, `\r\n` or `\r`, and counts columns in the unit
//! that was agreed on.

use lsp_types::{Position, Range};

/// The unit of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// Bytes.
    Utf8,
    /// Units of two bytes, which every client knows.
    Utf16,
}

impl Encoding {
    fn width(self, text: &str) -> usize {
        match self {
            Encoding::Utf8 => text.len(),
            Encoding::Utf16 => text.encode_utf16().count(),
        }
    }
}

/// Where the lines of a text begin.
#[derive(Debug)]
pub(super) struct Lines<'a> {
    text: &'a str,
    encoding: Encoding,
    /// Of each line; the first one is 0.
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a str, encoding: Encoding) -> Lines<'a> {
        let bytes = text.as_bytes();
        let ends_line = |at: &usize| bytes.get(*at) == Some(&b'\n') || bytes.get(at + 1) != Some(&b'\n');
        let breaks = memchr::memchr2_iter(b'\n', b'\r', bytes).filter(ends_line);
        Lines { text, encoding, starts: [0].into_iter().chain(breaks.map(|at| at + 1)).collect() }
    }

    /// The position of a byte; one inside a character counts as the start of it.
    pub(super) fn position(&self, offset: usize) -> Position {
        let offset = self.text.floor_char_boundary(offset);
        let line = self.starts.partition_point(|start| *start <= offset).saturating_sub(1);
        let start = self.starts.get(line).copied().unwrap_or(0);
        let before = self.text.get(start..offset).unwrap_or_default();
        Position { line: number(line), character: number(self.encoding.width(before)) }
    }

    /// The range of a span's bytes.
    pub(super) fn range(&self, start: usize, end: usize) -> Range {
        Range { start: self.position(start), end: self.position(end.max(start)) }
    }

    /// The byte of a position. One behind the end of its line is the end of the line, one behind the last line the end
    /// of the text.
    pub(super) fn offset(&self, position: Position) -> usize {
        let line = position.line as usize;
        let Some(start) = self.starts.get(line).copied() else { return self.text.len() };
        let end = self.starts.get(line + 1).copied().unwrap_or(self.text.len());
        let content = self.text.get(start..end).unwrap_or_default().trim_end_matches(['\n', '\r']);
        start + self.column(content, position.character as usize)
    }

    /// The byte of a column in a line.
    fn column(&self, line: &str, column: usize) -> usize {
        match self.encoding {
            Encoding::Utf8 => line.floor_char_boundary(column),
            Encoding::Utf16 => {
                let mut units = 0;
                let found = line.char_indices().find(|(_, character)| {
                    units += character.len_utf16();
                    units > column
                });
                found.map_or(line.len(), |(at, _)| at)
            }
        }
    }
}

fn number(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "let é = \"🦀\"; key\r\nsecond\rthird\n\nlast";

    fn position(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    #[test]
    fn columns_count_in_the_unit_that_was_agreed_on() {
        let key = TEXT.find("key").unwrap();
        assert_eq!(Lines::new(TEXT, Encoding::Utf8).position(key), position(0, 17));
        assert_eq!(Lines::new(TEXT, Encoding::Utf16).position(key), position(0, 14));
    }

    #[test]
    fn all_three_line_breaks_count_once() {
        let lines = Lines::new(TEXT, Encoding::Utf16);
        for (word, line) in [("second", 1), ("third", 2), ("last", 4)] {
            assert_eq!(lines.position(TEXT.find(word).unwrap()), position(line, 0), "{word}");
        }
    }

    #[test]
    fn positions_that_do_not_exist_are_the_nearest_ones() {
        let lines = Lines::new(TEXT, Encoding::Utf16);
        assert_eq!(lines.offset(position(1, 99)), TEXT.find("second").unwrap() + 6);
        assert_eq!(lines.offset(position(99, 0)), TEXT.len());
        let crab = TEXT.find('🦀').unwrap();
        assert_eq!(lines.offset(position(0, 10)), crab, "half of a surrogate pair");
        assert_eq!(lines.position(crab + 2), lines.position(crab));
    }

    proptest::proptest! {
        #[test]
        fn every_character_is_found_again(text in "[a-zé🦀\r\n]{0,40}") {
            // Between `\r` and `\n` there is no position.
            let splits_a_break = |at: usize| text[..at].ends_with('\r') && text[at..].starts_with('\n');
            for encoding in [Encoding::Utf8, Encoding::Utf16] {
                let lines = Lines::new(&text, encoding);
                for (at, _) in text.char_indices().filter(|(at, _)| !splits_a_break(*at)) {
                    proptest::prop_assert_eq!(lines.offset(lines.position(at)), at);
                }
            }
        }
    }
}
