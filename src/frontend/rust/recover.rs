//! Splits a text that does not parse as a whole into items, and a block of items into its members.

use std::ops::Range;

use super::guard::{Depth, Limit};
use super::lexer::{Lexer, Token, TokenKind};

/// A part of a text: one item, as far as brackets and keywords tell.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Part {
    /// Everything from the end of the part before.
    pub range: Range<usize>,
    /// The first token.
    pub first: Range<usize>,
    /// What the item is, for messages: `fn name`, `impl block`.
    pub label: String,
    /// The keyword that decides what the item is.
    pub keyword: String,
    /// Inside the braces of the item.
    pub body: Option<Range<usize>>,
    /// Why it cannot be parsed.
    pub exceeds: Option<Limit>,
}

/// The label of a part without a keyword.
pub(super) const ANONYMOUS: &str = "this code";

/// Splits `range` of `text` into items.
pub(super) fn split(text: &str, range: Range<usize>) -> Vec<Part> {
    let tokens: Vec<Token> =
        Lexer::new(text, range.start).take_while(|token| token.start < range.end).collect();
    let balanced = is_balanced(&tokens);
    let mut splitter = Splitter {
        text,
        parts: Vec::new(),
        part: Part::default(),
        start: range.start,
        depth: 0,
        guard: Depth::new(),
        state: Keyword::Before,
        words: false,
    };
    let indent = tokens.first().map_or(0, |token| column(text, token.start));
    for token in &tokens {
        if !balanced && splitter.depth > 0 && starts_item(text, token, indent) {
            splitter.finish(token.start);
        }
        splitter.add(token);
    }
    splitter.finish(range.end);
    splitter.parts
}

fn is_balanced(tokens: &[Token]) -> bool {
    let mut open = Vec::new();
    let closes = |open: Option<u8>, close| {
        matches!((open, close), (Some(b'('), b')') | (Some(b'['), b']') | (Some(b'{'), b'}'))
    };
    let matching = tokens.iter().all(|token| match token.kind {
        TokenKind::Open(byte) => {
            open.push(byte);
            true
        }
        TokenKind::Close(byte) => closes(open.pop(), byte),
        kind => kind != TokenKind::Bad,
    });
    matching && open.is_empty()
}

/// The distance from the start of the line; `usize::MAX` when something else stands before it.
fn column(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    let line = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
    let indent = before.get(line..).unwrap_or_default();
    if indent.iter().all(u8::is_ascii_whitespace) { indent.len() } else { usize::MAX }
}

/// A keyword of an item at the indentation of its neighbours.
fn starts_item(text: &str, token: &Token, indent: usize) -> bool {
    let word = text.get(token.start..token.end).unwrap_or_default();
    let starts =
        is_item_keyword(word) || matches!(word, "pub" | "impl" | "extern" | "unsafe" | "async" | "#");
    let column = column(text, token.start);
    starts && column <= indent && column != usize::MAX
}

/// Whether a word stands in front of the name of an item.
pub(super) fn is_item_keyword(word: &str) -> bool {
    matches!(
        word,
        "fn" | "struct"
            | "enum"
            | "union"
            | "trait"
            | "mod"
            | "use"
            | "const"
            | "static"
            | "type"
            | "macro_rules"
    )
}

/// What is known about the keyword of the part.
#[derive(PartialEq)]
enum Keyword {
    /// None yet.
    Before,
    /// The next word is the item's name.
    Name,
    /// Known.
    Done,
}

struct Splitter<'t> {
    text: &'t str,
    parts: Vec<Part>,
    part: Part,
    start: usize,
    depth: usize,
    guard: Depth,
    state: Keyword,
    /// Whether the part has anything but brackets and punctuation.
    words: bool,
}

impl Splitter<'_> {
    fn add(&mut self, token: &Token) {
        if token.kind == TokenKind::Punct(b';') && self.part.first.is_empty() && !self.parts.is_empty() {
            // A semicolon after a closing brace belongs to the item before.
            return self.extend_last(token.end);
        }
        if self.part.first.is_empty() {
            self.part.first = token.start..token.end;
        }
        let exceeds = self.guard.add(*token, self.text.as_bytes());
        self.part.exceeds = self.part.exceeds.or(exceeds);
        self.words |= matches!(token.kind, TokenKind::Word | TokenKind::Literal);
        match token.kind {
            TokenKind::Open(byte) => {
                if self.depth == 0 && byte == b'{' {
                    self.part.body = Some(token.end..token.end);
                }
                self.depth += 1;
            }
            TokenKind::Close(byte) => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 && byte == b'}' {
                    if let Some(body) = &mut self.part.body {
                        body.end = token.start;
                    }
                    if !self.ends_with_semicolon() {
                        self.finish(token.end);
                    }
                }
            }
            TokenKind::Punct(b';') if self.depth == 0 => self.finish(token.end),
            TokenKind::Word if self.depth == 0 => self.word(token),
            _ => {}
        }
    }

    fn extend_last(&mut self, end: usize) {
        if let Some(last) = self.parts.last_mut() {
            last.range.end = end;
            self.start = end;
        }
    }

    fn ends_with_semicolon(&self) -> bool {
        matches!(self.part.keyword.as_str(), "const" | "static" | "use" | "type" | "let")
    }

    fn word(&mut self, token: &Token) {
        let word = self.text.get(token.start..token.end).unwrap_or_default();
        match (&self.state, word) {
            // `const fn` is a function.
            (Keyword::Name, "fn") => word.clone_into(&mut self.part.keyword),
            (Keyword::Name, _) => {
                self.part.label = format!("`{} {word}`", self.part.keyword);
                self.state = Keyword::Done;
            }
            (Keyword::Before, "impl") => {
                word.clone_into(&mut self.part.keyword);
                self.part.label = "this impl block".to_owned();
                self.state = Keyword::Done;
            }
            (Keyword::Before, _) if is_item_keyword(word) => {
                word.clone_into(&mut self.part.keyword);
                self.state = Keyword::Name;
            }
            _ => {}
        }
    }

    fn finish(&mut self, end: usize) {
        let mut part = std::mem::take(&mut self.part);
        part.range = self.start..end;
        if let Some(body) = &mut part.body {
            // A block that was never closed reaches to the end of the part.
            if body.end <= body.start {
                body.end = end.max(body.start);
            }
        }
        if part.label.is_empty() {
            ANONYMOUS.clone_into(&mut part.label);
        }
        if !part.first.is_empty() {
            // Brackets that are left over after a cut are part of the item that lacks them.
            if std::mem::take(&mut self.words) {
                self.parts.push(part);
            }
            self.start = end;
        }
        self.depth = 0;
        self.guard = Depth::new();
        self.state = Keyword::Before;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(text: &str) -> Vec<String> {
        split(text, 0..text.len()).into_iter().map(|part| part.label).collect()
    }

    #[test]
    fn items_end_at_their_brace_or_semicolon() {
        let text = "use a::{b, c};\n#[x] pub fn f() { { } }\nconst A: S = S { a: 1 };\nconst fn g() {}\n\
                    struct S { a: u8 }; impl S { fn h() {} }\nm! { x }";
        assert_eq!(
            labels(text),
            ["`use a`", "`fn f`", "`const A`", "`fn g`", "`struct S`", "this impl block", "this code"]
        );
    }

    #[test]
    fn a_lost_brace_costs_one_item() {
        let text = "fn a() { if x { }\n\nfn b() {}\n\npub fn c() { \" }\n\nfn d() {}\n";
        assert_eq!(labels(text), ["`fn a`", "`fn b`", "`fn c`", "`fn d`"]);
        assert_eq!(labels("fn a() {}\n}\nfn b() {}\n"), ["`fn a`", "`fn b`"]);
    }

    #[test]
    fn bodies_are_inside_the_braces() {
        let text = "impl S { fn f() {} }";
        let parts = split(text, 0..text.len());
        assert_eq!(parts[0].body.clone().map(|body| &text[body]), Some(" fn f() {} "));
    }
}
