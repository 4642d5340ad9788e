//! Which code a comment is about.
//!
//! A comment at the end of a line of code is about that line. A comment on a line of its own is about what follows:
//! a whole item, or one statement, field or match arm. The body of a block (`if`, `for`, `match` ..) that a
//! statement opens is not part of it, so that a comment above a loop does not cover what happens in the loop.
//! Everything is decided on tokens, so that it works in code that does not parse.

use std::ops::Range;

use crate::source::lexer::{Token, TokenKind};
use crate::source::syntax::requires_test;

/// The tokens of a file.
pub(super) struct Code<'a> {
    text: &'a str,
    tokens: Vec<Token>,
}

/// How an item ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ItemEnd {
    /// With the brace that closes its body, or with a semicolon when it has none.
    Body,
    /// With a semicolon only.
    Semicolon,
}

impl<'a> Code<'a> {
    pub(super) fn new(text: &'a str) -> Code<'a> {
        Code { text, tokens: crate::source::lexer::tokens(text).collect() }
    }

    /// All comments with their places among the tokens.
    pub(super) fn comments(&self) -> impl Iterator<Item = (usize, Token)> + '_ {
        let comments = self.tokens.iter().copied().enumerate();
        comments.filter(|(_, token)| token.kind == TokenKind::Comment)
    }

    pub(super) fn text_of(&self, token: Token) -> &'a str {
        self.text.get(token.start..token.end).unwrap_or_default()
    }

    /// The token that has bytes on both sides of `offset`.
    pub(super) fn token_around(&self, offset: usize) -> Option<Token> {
        let candidate = self.tokens.partition_point(|token| token.end <= offset);
        self.tokens.get(candidate).copied().filter(|token| token.start < offset)
    }

    /// The bytes that a comment is about.
    pub(super) fn reach(&self, comment: usize) -> Range<usize> {
        let Some(token) = self.tokens.get(comment).copied() else { return 0..0 };
        let line = self.line_around(token.start);
        let before = comment.checked_sub(1).and_then(|before| self.tokens.get(before));
        let is_code = |token: &&Token| token.kind != TokenKind::Comment;
        let shares_line = before.filter(is_code).is_some_and(|before| before.end > line.start)
            || self
                .tokens
                .get(comment + 1)
                .filter(is_code)
                .is_some_and(|next| next.start < self.line_around(token.end).end);
        if shares_line {
            return line;
        }
        let first = self.after_attributes(comment + 1);
        let Some(first_token) = self.tokens.get(first) else { return token.start..self.text.len() };
        let end = match self.item_at(first) {
            Some((keyword, end)) => self.item_end(keyword, end),
            None => self.statement_end(first).max(self.line_around(first_token.start).end),
        };
        token.start..end
    }

    /// The bytes of items that only tests use.
    pub(super) fn test_items(&self) -> Vec<Range<usize>> {
        let mut items = Vec::new();
        for index in 0..self.tokens.len() {
            let Some(close) = self.attribute_end(index).filter(|_| self.is_test_attribute(index)) else {
                continue;
            };
            let first = self.after_attributes(close);
            let start = self.tokens.get(index).map_or(0, |token| token.start);
            if let Some((keyword, end)) = self.item_at(first) {
                items.push(start..self.item_end(keyword, end));
            }
        }
        items
    }

    /// The bodies of the macros that are defined here.
    pub(super) fn macro_bodies(&self) -> Vec<Range<usize>> {
        let defined = |index: &usize| self.word(*index) == "macro_rules" && self.is(index + 1, b'!');
        let body = |index: usize| {
            let open = self.tokens.get(index + 3)?;
            Some(open.start..self.end_of(self.group_end(index + 3) - 1))
        };
        (0..self.tokens.len()).filter(defined).filter_map(body).collect()
    }

    fn is_test_attribute(&self, index: usize) -> bool {
        let Some(close) = self.attribute_end(index) else { return false };
        let inside = self.tokens.get(index + 2..close.saturating_sub(1)).unwrap_or_default();
        let words: Vec<&str> = inside.iter().map(|token| self.text_of(*token)).collect();
        match words.as_slice() {
            ["cfg", "(", predicate @ .., ")"] => requires_test(predicate),
            // `#[test]`, `#[tokio::test]`, `#[tokio::test(flavor = "..")]`
            words => words.split(|word| *word == "(").next().and_then(<[_]>::last) == Some(&"test"),
        }
    }

    fn line_around(&self, offset: usize) -> Range<usize> {
        let before = self.text.get(..offset).unwrap_or_default();
        let after = self.text.get(offset..).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        start..after.find('\n').map_or(self.text.len(), |at| offset + at)
    }

    fn kind(&self, index: usize) -> Option<TokenKind> {
        self.tokens.get(index).map(|token| token.kind)
    }

    fn is(&self, index: usize, byte: u8) -> bool {
        self.kind(index) == Some(TokenKind::Punctuation(byte))
    }

    fn word(&self, index: usize) -> &'a str {
        let token = self.tokens.get(index).filter(|token| token.kind == TokenKind::Identifier);
        token.map_or("", |token| self.text_of(*token))
    }

    /// The place behind the attribute that starts at `index`.
    fn attribute_end(&self, index: usize) -> Option<usize> {
        let open = if self.is(index + 1, b'!') { index + 2 } else { index + 1 };
        (self.is(index, b'#') && self.is(open, b'[')).then(|| self.group_end(open))
    }

    /// Moves past comments and attributes.
    fn after_attributes(&self, mut index: usize) -> usize {
        loop {
            if self.kind(index) == Some(TokenKind::Comment) {
                index += 1;
            } else if let Some(end) = self.attribute_end(index) {
                index = end;
            } else {
                return index;
            }
        }
    }

    /// The place behind the bracket that closes the one at `open`.
    fn group_end(&self, open: usize) -> usize {
        let mut depth = 0_usize;
        for (index, token) in self.tokens.iter().enumerate().skip(open) {
            match token.kind {
                TokenKind::Punctuation(b'(' | b'[' | b'{') => depth += 1,
                TokenKind::Punctuation(b')' | b']' | b'}') => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return index + 1;
            }
        }
        self.tokens.len()
    }

    /// The keyword of the item that starts at `index`, and how the item ends.
    fn item_at(&self, mut index: usize) -> Option<(usize, ItemEnd)> {
        if self.word(index) == "pub" {
            index += 1;
            if self.is(index, b'(') {
                index = self.group_end(index);
            }
        }
        loop {
            let next = self.word(index + 1);
            match self.word(index) {
                "fn" | "impl" | "mod" | "trait" | "struct" | "enum" => return Some((index, ItemEnd::Body)),
                "union" if !next.is_empty() => return Some((index, ItemEnd::Body)),
                "macro_rules" if self.is(index + 1, b'!') => return Some((index, ItemEnd::Body)),
                "use" | "type" => return Some((index, ItemEnd::Semicolon)),
                "static" if !self.is(index + 1, b'|') => return Some((index, ItemEnd::Semicolon)),
                "const" if !["fn", "unsafe", "async", "extern", ""].contains(&next) => {
                    return Some((index, ItemEnd::Semicolon));
                }
                "extern" if self.kind(index + 1) == Some(TokenKind::Text) => match self.is(index + 2, b'{') {
                    true => return Some((index, ItemEnd::Body)),
                    false => index += 2,
                },
                "const" | "async" | "unsafe" | "default" | "extern" | "auto" if !next.is_empty() => {
                    index += 1
                }
                _ => return None,
            }
        }
    }

    /// The byte behind the item whose keyword stands at `index`.
    fn item_end(&self, mut index: usize, end: ItemEnd) -> usize {
        while let Some(token) = self.tokens.get(index) {
            match token.kind {
                TokenKind::Punctuation(b';') => return token.end,
                TokenKind::Punctuation(b'{') if end == ItemEnd::Body => {
                    return self.end_of(self.group_end(index) - 1);
                }
                TokenKind::Punctuation(b'(' | b'[' | b'{') => index = self.group_end(index),
                TokenKind::Punctuation(b')' | b']' | b'}') => return token.start,
                _ => index += 1,
            }
        }
        self.text.len()
    }

    fn end_of(&self, index: usize) -> usize {
        self.tokens.get(index).map_or(self.text.len(), |token| token.end)
    }

    /// The byte behind the statement, field or match arm that starts at `index`; a block that it opens is left out.
    fn statement_end(&self, mut index: usize) -> usize {
        let mut opens_block = false;
        while let Some(token) = self.tokens.get(index) {
            match token.kind {
                TokenKind::Punctuation(b';' | b',') => return token.end,
                TokenKind::Punctuation(b')' | b']' | b'}') => return token.start,
                TokenKind::Punctuation(b'{') if opens_block || !self.is_struct_literal(index) => {
                    return token.end;
                }
                TokenKind::Punctuation(b'(' | b'[' | b'{') => {
                    index = self.group_end(index);
                    continue;
                }
                TokenKind::Identifier => opens_block |= is_block_keyword(self.text_of(*token)),
                TokenKind::Punctuation(b'>') if index > 0 && self.is(index - 1, b'=') => opens_block = false,
                _ => {}
            }
            index += 1;
        }
        self.text.len()
    }

    /// Whether the brace at `index` opens the fields of a struct: a name or its generics stand in front of it.
    fn is_struct_literal(&self, index: usize) -> bool {
        let Some(before) = index.checked_sub(1) else { return false };
        let arrow = self.is(before, b'>')
            && before.checked_sub(1).is_some_and(|sign| self.is(sign, b'=') || self.is(sign, b'-'));
        match self.kind(before) {
            Some(TokenKind::Identifier) => true,
            Some(TokenKind::Punctuation(b'>')) => !arrow,
            _ => false,
        }
    }
}

fn is_block_keyword(word: &str) -> bool {
    ["if", "else", "while", "for", "match", "loop", "unsafe", "async", "move", "try", "const"].contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the comment `// X` of a text is about, without it.
    fn about(text: &str) -> String {
        let code = Code::new(text);
        let comment = code.comments().find(|(_, token)| code.text_of(*token).contains('X'));
        let (index, token) = comment.unwrap_or_else(|| panic!("no comment in {text}"));
        let reach = code.reach(index);
        let start = if reach.start == token.start { token.end } else { reach.start };
        text[start..reach.end].trim().to_owned()
    }

    #[test]
    fn a_comment_beside_code_is_about_its_line() {
        assert_eq!(about("a();\n  b(c); // X\nd();"), "b(c); // X");
        assert_eq!(about("a();\nb(/* X */ c);\nd();"), "b(/* X */ c);");
    }

    #[test]
    fn a_comment_above_is_about_one_statement() {
        assert_eq!(about("// X\nclient\n  .post(u)\n  .key(k);\nother();"), "client\n  .post(u)\n  .key(k);");
        assert_eq!(
            about("{ a();\n // X\n\n // more\n client.key(k).await\n}\nb"),
            "// more\n client.key(k).await"
        );
        assert_eq!(about("// X\nlet c = Charge {\n key,\n};\nd();"), "let c = Charge {\n key,\n};");
        assert_eq!(about("Charge {\n // X\n key: id(),\n other,\n}"), "key: id(),");
        assert_eq!(about("// X\nspawn(async move {\n a();\n});\nb"), "spawn(async move {\n a();\n});");
        assert_eq!(about("match a {\n // X\n B if c => f(k),\n D => g(),\n}"), "B if c => f(k),");
        assert_eq!(
            about("// X\n#[allow(x)]\nlet a = [b(),\n c()];\nd"),
            "#[allow(x)]\nlet a = [b(),\n c()];"
        );
    }

    #[test]
    fn a_block_that_a_statement_opens_is_left_out() {
        assert_eq!(about("// X\nfor a in b {\n c();\n}\nd"), "for a in b {");
        assert_eq!(about("// X\nif let Some(a) = b { c(); }\nd"), "if let Some(a) = b { c(); }");
        assert_eq!(about("// X\nlet a = match b {\n C => d(),\n};"), "let a = match b {");
        assert_eq!(about("match a {\n // X\n B => {\n c();\n }\n}"), "B => {");
    }

    #[test]
    fn a_comment_above_an_item_is_about_all_of_it() {
        for item in [
            "fn f() {\n a();\n b();\n}",
            "pub(crate) async unsafe fn f() -> [u8; 2] {\n a();\n}",
            "#[a]\n/// Doc.\n#[b(c = \"}\")]\npub const fn f() { g(\"{\") }",
            "impl<T> A<T> for B {\n fn f() {}\n}",
            "extern \"C\" fn f() {\n}",
            "pub mod a {\n mod b {}\n}",
            "static A: B = B {\n c: 1,\n};",
            "const A: B = { 1 };",
            "struct A(B);",
            "macro_rules! m {\n () => {};\n}",
        ] {
            assert_eq!(about(&format!("a();\n// X\n{item}\nfn other() {{}}\n")), item);
        }
    }

    #[test]
    fn code_that_ends_early_does_not_matter() {
        for text in ["// X", "// X\n}", "// X\nfn f(", "// X\n#[a", "// X\nlet a = {", "fn f() { // X"] {
            let code = Code::new(text);
            for (index, _) in code.comments() {
                let reach = code.reach(index);
                assert!(reach.start <= reach.end && reach.end <= text.len(), "{text}");
            }
        }
    }

    #[test]
    fn bodies_of_macros_are_known() {
        let text =
            "macro_rules! a { () => { b() } }\nfn macro_rules() {}\nmacro_rules! c(() => {});\nmacro_rules!";
        let code = Code::new(text);
        let found: Vec<&str> = code.macro_bodies().into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, ["{ () => { b() } }", "(() => {})"]);
    }

    #[test]
    fn test_items_are_known() {
        let text = "fn a() {}\n#[cfg(test)]\nmod tests { fn b() {} }\n#[tokio::test(x = 1)]\nasync fn c() {}\nfn d() {}";
        let found: Vec<&str> = Code::new(text).test_items().into_iter().map(|range| &text[range]).collect();
        assert_eq!(
            found,
            ["#[cfg(test)]\nmod tests { fn b() {} }", "#[tokio::test(x = 1)]\nasync fn c() {}"]
        );
    }
}
