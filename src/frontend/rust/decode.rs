//! The bytes of a file as text with the same offsets, and where its code starts.

use std::borrow::Cow;

/// A decoded file.
pub(super) struct Decoded<'b> {
    /// The text; its offsets are those of the bytes.
    pub text: Cow<'b, str>,
    /// Where the code starts, after a byte order mark, a shebang line and front matter.
    pub start: usize,
    /// What is wrong with the bytes: the place and a message.
    pub problem: Option<(std::ops::Range<usize>, &'static str)>,
}

/// Decodes a file. Bytes that are not UTF-8 are replaced one by one; in comments and texts that does no harm.
pub(super) fn decode(bytes: &[u8]) -> Decoded<'_> {
    if let Some(problem) = foreign_encoding(bytes) {
        return Decoded { text: Cow::Borrowed(""), start: 0, problem: Some((0..bytes.len(), problem)) };
    }
    let (text, problem) = match std::str::from_utf8(bytes) {
        Ok(text) => (Cow::Borrowed(text), None),
        Err(error) => {
            let at = error.valid_up_to();
            let message = "this byte is not UTF-8; save the file as UTF-8";
            (Cow::Owned(replace_invalid(bytes)), Some((at..at + 1, message)))
        }
    };
    let start = code_start(&text);
    Decoded { text, start, problem }
}

fn foreign_encoding(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        return Some("this file is UTF-16 and was not analysed; save it as UTF-8");
    }
    let head = bytes.get(..bytes.len().min(1024)).unwrap_or_default();
    let binary = head.contains(&0);
    binary.then_some("this file is binary and was not analysed; exclude it in the configuration")
}

fn replace_invalid(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '?'));
    }
    text
}

fn code_start(text: &str) -> usize {
    let mut start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let rest = &text[start..];
    if let Some(after) = rest.strip_prefix("#!")
        && !after.trim_start().starts_with('[')
    {
        start += rest.find('\n').unwrap_or(rest.len());
    }
    start + front_matter(&text[start..])
}

/// The length of a cargo script's manifest between lines of `---`.
fn front_matter(text: &str) -> usize {
    let lead = text.len() - text.trim_start().len();
    let fenced = &text[lead..];
    if !fenced.starts_with("---") {
        return 0;
    }
    let dashes = fenced.len() - fenced.trim_start_matches('-').len();
    let close = format!("\n{}", &fenced[..dashes]);
    fenced.find(&close).map_or(0, |at| lead + at + close.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_those_of_the_bytes() {
        let decoded = decode(b"// \xff\xfe\nfn f() {}");
        assert_eq!(decoded.text, "// ??\nfn f() {}");
        assert_eq!(decoded.problem.map(|(at, _)| at), Some(3..4));
        assert_eq!(decode("\u{feff}#!/bin/x\nfn".as_bytes()).start, 11);
        assert_eq!(decode(b"#![no_std]\nfn").start, 0);
        assert_eq!(decode(b"#!/usr/bin/env cargo\n---\n[package]\n---\nfn").start, 38);
        assert!(decode(b"\xff\xfea\0").problem.is_some());
    }
}
