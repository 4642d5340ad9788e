//! From the parser's spans to byte ranges of the file on disk.
//!
//! The parser counts lines from one and columns in characters, relative to the text that it was given, which may
//! be a part of the file. Tokens that come from a macro's template carry the parser's call-site span and are
//! placed at the macro call in the user's code.

use proc_macro2::LineColumn;

use crate::ir::{FileId, Span};

/// Positions of one parsed text.
pub(super) struct SpanMap {
    file: FileId,
    base: u32,
    /// The character index at which each line starts.
    line_starts: Vec<u32>,
    /// For each character of more than one byte: the index of the next character, and how many bytes more than
    /// characters there are up to it.
    wide: Vec<(u32, u32)>,
    end: u32,
    /// Where tokens of a macro template are placed.
    pub call_site: Option<Span>,
}

impl SpanMap {
    /// A map for `text`, which starts at byte `base` of the file.
    pub fn new(file: FileId, base: usize, text: &str) -> SpanMap {
        let base = clamp(base);
        let mut map = SpanMap {
            file,
            base,
            line_starts: vec![0],
            wide: Vec::new(),
            end: base.saturating_add(clamp(text.len())),
            call_site: None,
        };
        if text.is_ascii() {
            map.line_starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| clamp(at + 1)));
        } else {
            map.index_wide(text);
        }
        map
    }

    fn index_wide(&mut self, text: &str) {
        let mut extra = 0;
        for (index, character) in text.chars().enumerate() {
            let next = clamp(index + 1);
            if character == '\n' {
                self.line_starts.push(next);
            } else if character.len_utf8() > 1 {
                extra += clamp(character.len_utf8() - 1);
                self.wide.push((next, extra));
            }
        }
    }

    /// The byte range from the start of `first` to the end of `last`.
    pub fn between(&self, first: proc_macro2::Span, last: proc_macro2::Span) -> Span {
        match (self.position(first.start(), first), self.position(last.end(), last)) {
            (Some(start), Some(end)) if start <= end => Span { file: self.file, start, end },
            (Some(start), Some(end)) => Span { file: self.file, start: end, end: start },
            (Some(_), None) => self.one(first).to(self.template()),
            (None, Some(_)) => self.one(last).to(self.template()),
            (None, None) => self.template(),
        }
    }

    /// The byte range of one token.
    pub fn one(&self, span: proc_macro2::Span) -> Span {
        self.between(span, span)
    }

    /// Whether the token comes from a macro's template.
    pub fn is_template(&self, span: proc_macro2::Span) -> bool {
        is_origin(span.start()) && is_origin(span.end())
    }

    /// The file.
    pub fn file(&self) -> FileId {
        self.file
    }

    /// The whole text.
    pub fn whole(&self) -> Span {
        Span { file: self.file, start: self.base, end: self.end }
    }

    fn template(&self) -> Span {
        self.call_site.unwrap_or(Span { file: self.file, start: self.base, end: self.base })
    }

    fn position(&self, at: LineColumn, span: proc_macro2::Span) -> Option<u32> {
        if is_origin(at) && self.is_template(span) {
            return None;
        }
        let line = self.line_starts.get(at.line.checked_sub(1)?)?;
        let character = line.saturating_add(clamp(at.column));
        let wider = match self.wide.partition_point(|(next, _)| *next <= character) {
            0 => 0,
            count => self.wide[count - 1].1,
        };
        Some((self.base + character + wider).min(self.end))
    }
}

/// The parser's call-site span is empty and stands at the very start, where no token is empty.
fn is_origin(at: LineColumn) -> bool {
    at.line == 1 && at.column == 0
}

fn clamp(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
