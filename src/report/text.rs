//! Small helpers for prose in a terminal.

use std::ops::Range;

/// `1 file`, `2 files`.
#[must_use]
pub fn count(number: usize, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    }
}

/// Breaks a text into lines of at most `width` characters. Line breaks in the text stay; longer words are not cut.
#[must_use]
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    text.lines().flat_map(|line| wrap_line(line, width)).collect()
}

fn wrap_line(line: &str, width: usize) -> Vec<String> {
    let indent: String = line.chars().take_while(|character| *character == ' ').collect();
    let mut lines = vec![indent.clone()];
    for word in line.split_whitespace() {
        let Some(last) = lines.last_mut() else { break };
        let used = last.chars().count();
        if used > indent.len() && used + 1 + word.chars().count() > width {
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

/// The text cut to `width` characters, with `…` where something is missing.
pub(super) fn clip(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

/// The text cut to `width` characters so that the characters of `place` are in it, as far as they fit.
pub(super) fn clip_around(text: &str, place: Range<usize>, width: usize) -> String {
    let length = text.chars().count();
    if length <= width || place.end < width {
        return clip(text, width);
    }
    // Both ends may get a sign that something is missing.
    let room = width.saturating_sub(2);
    let start = place.end.min(length).saturating_sub(room).min(place.start).max(1);
    let shown: String = text.chars().skip(start).take(room).collect();
    let end = if start + room < length { "…" } else { "" };
    format!("…{shown}{end}")
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
    fn clips_by_characters() {
        assert_eq!(clip("日本語x", 3), "日本…");
        assert_eq!(clip("abc", 3), "abc");
    }

    #[test]
    fn clips_around_the_place_that_matters() {
        assert_eq!(clip_around("0123456789", 1..3, 6), "01234…");
        assert_eq!(clip_around("0123456789", 6..8, 6), "…4567…");
        assert_eq!(clip_around("0123456789", 8..10, 6), "…6789");
        assert_eq!(clip_around("0123456789", 2..10, 6), "…2345…");
    }
}
