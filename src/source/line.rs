//! From byte offsets to lines and columns.

/// Where the lines of a text begin.
#[derive(Debug, Clone)]
pub struct LineIndex {
    /// Offset of the first byte of each line after the first.
    starts: Vec<u32>,
    length: u32,
}

/// A line and a column, both from 1; the column counts Unicode scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// Where a span begins and where it ends (exclusive).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Range {
    /// The first character.
    pub start: Position,
    /// One past the last character.
    pub end: Position,
}

impl LineIndex {
    /// The index of an empty text.
    #[must_use]
    pub const fn empty() -> LineIndex {
        LineIndex { starts: Vec::new(), length: 0 }
    }

    /// Indexes a text. Only `\n` ends a line.
    #[must_use]
    pub fn new(text: &str) -> LineIndex {
        let starts = memchr::memchr_iter(b'\n', text.as_bytes())
            .map(|offset| u32::try_from(offset + 1).unwrap_or(u32::MAX))
            .collect();
        LineIndex { starts, length: u32::try_from(text.len()).unwrap_or(u32::MAX) }
    }

    /// The line of a byte, from 1. An offset past the end is on the last line.
    #[must_use]
    pub fn line(&self, offset: u32) -> u32 {
        let before = self.starts.partition_point(|start| *start <= offset);
        u32::try_from(before).unwrap_or(u32::MAX - 1) + 1
    }

    /// Line and column of a byte of `text`, the text that was indexed.
    #[must_use]
    pub fn position(&self, text: &str, offset: u32) -> Position {
        let line = self.line(offset);
        let start = self.bytes(line).start;
        let end = text.floor_char_boundary(offset as usize);
        // Counts many bytes at a time: a line may be as long as the file.
        let characters = text.get(start..end).unwrap_or_default().chars().count();
        Position { line, column: u32::try_from(characters).unwrap_or(u32::MAX - 1) + 1 }
    }

    /// The bytes of a line (from 1), its line break included; empty for a line that does not exist.
    #[must_use]
    pub fn bytes(&self, line: u32) -> std::ops::Range<usize> {
        let start = match line {
            0 => return 0..0,
            1 => 0,
            _ => match self.starts.get(line as usize - 2) {
                Some(start) => *start as usize,
                None => return self.length as usize..self.length as usize,
            },
        };
        let end = self.starts.get(line as usize - 1).map_or(self.length, |next| *next);
        start..end as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_unicode_scalars() {
        let text = "let é = 1;\nlet x = \"日本\"; y\n";
        let index = LineIndex::new(text);
        let y = u32::try_from(text.find('y').unwrap()).unwrap();
        assert_eq!(index.position(text, y), Position { line: 2, column: 15 });
        assert_eq!(index.position(text, 0), Position { line: 1, column: 1 });
    }

    #[test]
    fn offsets_past_the_end_stay_on_the_last_line() {
        let index = LineIndex::new("a\nb");
        assert_eq!(index.position("a\nb", 900), Position { line: 2, column: 2 });
        assert_eq!(index.bytes(2), 2..3);
        assert_eq!(index.bytes(7), 3..3);
    }

    #[test]
    fn a_carriage_return_belongs_to_its_line() {
        let index = LineIndex::new("a\r\nb\r\n");
        assert_eq!(index.line(1), 1);
        assert_eq!(index.line(3), 2);
    }
}
