//! Small helpers for prose in a terminal.

use std::ops::Range;

use unicode_width::UnicodeWidthChar;

/// How many columns a tab takes.
const TAB: usize = 4;

/// How many columns of a terminal a text takes.
pub(super) fn columns(text: &str) -> usize {
    text.chars().map(columns_of).sum()
}

fn columns_of(character: char) -> usize {
    if character == '\t' { TAB } else { character.width().unwrap_or(0) }
}

/// How many bytes of a text fit into so many columns.
pub(super) fn bytes_in_columns(text: &str, columns: usize) -> usize {
    let mut taken = 0;
    for (offset, character) in text.char_indices() {
        taken += columns_of(character);
        if taken > columns {
            return offset;
        }
    }
    text.len()
}

/// `1 file`, `2 files`.
#[must_use]
pub fn count(number: usize, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    }
}

/// Breaks a text into lines of at most `width` columns. Line breaks in the text stay; longer words are not cut.
#[must_use]
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    text.lines().flat_map(|line| wrap_line(line, width)).collect()
}

fn wrap_line(line: &str, width: usize) -> Vec<String> {
    let indent: String = line.chars().take_while(|character| *character == ' ').collect();
    let mut lines = vec![indent.clone()];
    for word in line.split_whitespace() {
        let Some(last) = lines.last_mut() else { break };
        let used = columns(last);
        if used > indent.len() && used + 1 + columns(word) > width {
            lines.push(format!("{indent}{word}"));
        } else {
            if used > indent.len() {
                last.push(' ');
            }
            last.push_str(word);
        }
    }
    lines
}

/// The text cut to `width` columns, with `…` where something is missing.
pub(super) fn clip(text: &str, width: usize) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let shown = text.get(..bytes_in_columns(text, width.saturating_sub(1))).unwrap_or_default();
    format!("{shown}…")
}

/// The text cut to `width` columns so that the bytes of `place` are in it, as far as they fit. A place that begins in
/// the first half needs no cut at the start, which says most about a line.
pub(super) fn clip_around(text: &str, place: Range<usize>, width: usize) -> String {
    let before = |end: usize| columns(text.get(..end).unwrap_or(text));
    if columns(text) <= width || before(place.end) < width || before(place.start) < width / 2 {
        return clip(text, width);
    }
    // Both ends may get a sign that something is missing.
    let skipped = before(place.end).saturating_sub(width.saturating_sub(2)).min(before(place.start)).max(1);
    let rest = text.get(bytes_after_columns(text, skipped)..).unwrap_or_default();
    format!("…{}", clip(rest, width.saturating_sub(1)))
}

/// How many bytes of a text take at least so many columns, or all.
pub(super) fn bytes_after_columns(text: &str, columns: usize) -> usize {
    let mut taken = 0;
    for (offset, character) in text.char_indices() {
        if taken >= columns {
            return offset;
        }
        taken += columns_of(character);
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wraps_at_words_and_keeps_indentation() {
        assert_eq!(wrap("  one two three\nfour", 9), ["  one two", "  three", "four"]);
        assert_eq!(wrap("unbreakable", 3), ["unbreakable"]);
        assert_eq!(wrap("a\n\nb", 3), ["a", "", "b"]);
    }

    #[test]
    fn clips_by_columns() {
        assert_eq!(clip("日本語x", 5), "日本…");
        assert_eq!(clip("日本語x", 4), "日…");
        assert_eq!(clip("abc", 3), "abc");
    }

    #[test]
    fn clips_around_the_place_that_matters() {
        assert_eq!(clip_around("0123456789", 1..3, 6), "01234…");
        assert_eq!(clip_around("0123456789", 6..8, 6), "…4567…");
        assert_eq!(clip_around("0123456789", 8..10, 6), "…6789");
        assert_eq!(clip_around("0123456789", 2..10, 6), "01234…");
        assert_eq!(clip_around("0123456789", 4..10, 6), "…4567…");
    }
}
