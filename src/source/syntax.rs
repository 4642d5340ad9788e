//! The little that is read off Rust source text before it is parsed: tokens, `mod` declarations, generated files.
//!
//! The tokens are only as fine as their users need, and any input yields some: a text that is not Rust yields
//! punctuation.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// An identifier or keyword; a raw identifier's span leaves out `r#`.
    Identifier,
    /// A line or block comment, doc comments included.
    Comment,
    /// A string, byte string, C string or character literal.
    Text,
    /// A number.
    Number,
    /// A lifetime or loop label.
    Lifetime,
    /// One byte of punctuation.
    Punctuation(u8),
}

/// A token and its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// The tokens of a text, white space left out.
#[must_use]
pub fn tokens(text: &str) -> Tokens<'_> {
    Tokens { bytes: text.as_bytes(), at: 0 }
}

/// The iterator that [`tokens`] returns.
#[derive(Clone, Debug)]
pub struct Tokens<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        while self.byte(0).is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
        let start = self.at;
        let kind = self.advance(self.byte(0)?);
        let start = match kind {
            TokenKind::Identifier if self.bytes.get(start..).is_some_and(|rest| rest.starts_with(b"r#")) => {
                (start + 2).min(self.at)
            }
            _ => start,
        };
        Some(Token { kind, start, end: self.at })
    }
}

impl Tokens<'_> {
    fn byte(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn rest_starts_with(&self, prefix: &[u8]) -> bool {
        self.bytes.get(self.at..).is_some_and(|rest| rest.starts_with(prefix))
    }

    /// Moves past one token that starts with `first`.
    fn advance(&mut self, first: u8) -> TokenKind {
        match first {
            b'/' if self.rest_starts_with(b"//") => {
                self.at = self.find_byte(b'\n').unwrap_or(self.bytes.len());
                TokenKind::Comment
            }
            b'/' if self.rest_starts_with(b"/*") => self.block_comment(),
            b'"' => self.string(1),
            b'\'' => self.quote(),
            b'b' | b'c' | b'r' if self.prefixed_string() => TokenKind::Text,
            b'0'..=b'9' => {
                self.skip_identifier();
                TokenKind::Number
            }
            byte if is_identifier_byte(byte) => {
                self.skip_identifier();
                TokenKind::Identifier
            }
            byte => {
                self.at += 1;
                TokenKind::Punctuation(byte)
            }
        }
    }

    fn find_byte(&self, byte: u8) -> Option<usize> {
        memchr::memchr(byte, self.bytes.get(self.at..)?).map(|offset| self.at + offset)
    }

    fn skip_identifier(&mut self) {
        while self.byte(0).is_some_and(is_identifier_byte) {
            self.at += 1;
        }
    }

    fn block_comment(&mut self) -> TokenKind {
        let mut depth = 0_u32;
        while self.at < self.bytes.len() {
            if self.rest_starts_with(b"/*") {
                depth += 1;
                self.at += 2;
            } else if self.rest_starts_with(b"*/") {
                depth -= 1;
                self.at += 2;
                if depth == 0 {
                    break;
                }
            } else {
                self.at += 1;
            }
        }
        TokenKind::Comment
    }

    /// A string whose content starts `open` bytes ahead.
    fn string(&mut self, open: usize) -> TokenKind {
        self.at += open;
        while let Some(byte) = self.byte(0) {
            self.at += if byte == b'\\' { 2 } else { 1 };
            if byte == b'"' {
                break;
            }
        }
        self.at = self.at.min(self.bytes.len());
        TokenKind::Text
    }

    /// A character literal, a lifetime or a lone quote.
    fn quote(&mut self) -> TokenKind {
        if self.byte(1) == Some(b'\\') {
            self.at += 3;
            self.at = self.find_byte(b'\'').map_or(self.bytes.len(), |close| close + 1).min(self.bytes.len());
            return TokenKind::Text;
        }
        let width = self.byte(1).map_or(1, character_width);
        if self.byte(1 + width) == Some(b'\'') {
            self.at += width + 2;
            return TokenKind::Text;
        }
        self.at += 1;
        self.skip_identifier();
        TokenKind::Lifetime
    }

    /// Moves past `b".."`, `c".."`, `b'x'`, `r".."`, `r#".."#`, `br".."`, `cr".."`, or a raw identifier's `r#`.
    fn prefixed_string(&mut self) -> bool {
        let raw_at = usize::from(!matches!(self.byte(0), Some(b'r')));
        match self.byte(1) {
            Some(b'"') if raw_at == 1 => {
                self.string(2);
                return true;
            }
            Some(b'\'') if self.byte(0) == Some(b'b') => {
                self.at += 1;
                self.quote();
                return true;
            }
            _ => {}
        }
        if self.byte(raw_at) != Some(b'r') {
            return false;
        }
        let hashes = self.bytes.get(self.at + raw_at + 1..).unwrap_or_default();
        let hashes = hashes.iter().take_while(|byte| **byte == b'#').count();
        let open = raw_at + 1 + hashes;
        if self.byte(open) != Some(b'"') {
            if hashes == 1 && self.byte(open).is_some_and(is_identifier_byte) {
                self.at += 2;
            }
            return false;
        }
        self.at += open + 1;
        self.raw_string_end(hashes);
        true
    }

    fn raw_string_end(&mut self, hashes: usize) {
        while let Some(quote) = self.find_byte(b'"') {
            self.at = quote + 1;
            let closing = self.bytes.get(self.at..).unwrap_or_default();
            if closing.iter().take(hashes).filter(|byte| **byte == b'#').count() == hashes {
                self.at += hashes;
                return;
            }
        }
        self.at = self.bytes.len();
    }
}

/// Whether a byte can be inside an identifier; bytes of non-ASCII characters are taken to be letters.
#[must_use]
pub fn is_identifier_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn character_width(first: u8) -> usize {
    match first {
        0xf0.. => 4,
        0xe0.. => 3,
        0xc0.. => 2,
        _ => 1,
    }
}

/// The text without white space and comments, one space between two tokens that would otherwise join.
#[must_use]
pub fn without_trivia(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for token in tokens(text).filter(|token| token.kind != TokenKind::Comment) {
        let part = text.get(token.start..token.end).unwrap_or_default();
        let joins = |byte: Option<u8>| byte.is_some_and(is_identifier_byte);
        if joins(result.bytes().last()) && joins(part.bytes().next()) {
            result.push(' ');
        }
        result.push_str(part);
    }
    result
}

/// Whether the comments at the top of a file say `@generated`.
#[must_use]
pub fn is_generated(text: &str) -> bool {
    let head = text.as_bytes().get(..text.len().min(2048)).unwrap_or_default();
    if memchr::memmem::find(head, b"@generated").is_none() {
        return false;
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    tokens(text)
        .take_while(|token| token.kind == TokenKind::Comment && token.start < 2048)
        .any(|token| text.get(token.start..token.end).is_some_and(|comment| comment.contains("@generated")))
}

/// A `mod name;` that stands for another file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModuleDeclaration {
    /// The inline modules around it, outermost first, then its own name.
    pub names: Vec<String>,
    /// The value of its `#[path = ".."]`.
    pub path: Option<String>,
    /// Whether it or an inline module around it is `#[cfg(test)]`.
    pub test: bool,
}

/// The modules that a file declares but does not contain.
#[must_use]
pub fn module_declarations(text: &str) -> Vec<ModuleDeclaration> {
    match last_declaration(text.as_bytes()) {
        Some(last) => ModuleScanner::new(text, last).run(),
        None => Vec::new(),
    }
}

/// A quick look for the last `mod name ;`, comments and strings included: where its semicolon, or a comment in front of
/// it, stands.
fn last_declaration(bytes: &[u8]) -> Option<usize> {
    let declares = |offset: usize| {
        let before = offset.checked_sub(1).and_then(|before| bytes.get(before));
        let rest = bytes.get(offset + 3..).unwrap_or_default();
        if before.is_some_and(|byte| is_identifier_byte(*byte))
            || !rest.first().is_some_and(|byte| byte.is_ascii_whitespace() || *byte == b'/')
        {
            return None;
        }
        let rest = rest.trim_ascii_start();
        let name = rest.iter().take_while(|byte| is_identifier_byte(**byte) || **byte == b'#').count();
        let after = rest.get(name..).unwrap_or_default().trim_ascii_start();
        let found = (name > 0 && after.first() == Some(&b';')) || after.first() == Some(&b'/');
        found.then(|| bytes.len() - after.len())
    };
    // Forwards is the fast direction.
    memchr::memmem::find_iter(bytes, b"mod").filter_map(declares).last()
}

/// Attributes in front of an item, as far as they concern modules.
#[derive(Clone, Debug, Default)]
struct Pending {
    path: Option<String>,
    test: bool,
}

struct ModuleScanner<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    /// For every open brace the inline module that it opens, or `None` for any other block.
    open: Vec<Option<(String, bool)>>,
    pending: Pending,
    found: Vec<ModuleDeclaration>,
}

impl<'a> ModuleScanner<'a> {
    /// A scanner of the text up to where the last declaration may end, or a comment within it begins.
    fn new(text: &'a str, last: usize) -> Self {
        let mut beyond = false;
        let counts = |token: &Token| {
            // The first semicolon behind that place ends it.
            let counts = !beyond;
            beyond |= token.start >= last && token.kind == TokenKind::Punctuation(b';');
            counts
        };
        let tokens =
            tokens(text).filter(|token| token.kind != TokenKind::Comment).take_while(counts).collect();
        ModuleScanner {
            text,
            tokens,
            at: 0,
            open: Vec::new(),
            pending: Pending::default(),
            found: Vec::new(),
        }
    }

    fn run(mut self) -> Vec<ModuleDeclaration> {
        while let Some(token) = self.tokens.get(self.at).copied() {
            self.at += 1;
            match token.kind {
                TokenKind::Punctuation(b'#') => self.attribute(),
                TokenKind::Punctuation(b'{') => self.open(None),
                TokenKind::Punctuation(b'}') => {
                    self.open.pop();
                    self.pending = Pending::default();
                }
                TokenKind::Punctuation(b';') => self.pending = Pending::default(),
                TokenKind::Identifier if self.word(token) == "mod" => self.module(),
                _ => {}
            }
        }
        self.found
    }

    fn word(&self, token: Token) -> &'a str {
        self.text.get(token.start..token.end).unwrap_or_default()
    }

    fn is_punctuation(&self, at: usize, byte: u8) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind == TokenKind::Punctuation(byte))
    }

    fn open(&mut self, module: Option<(String, bool)>) {
        self.open.push(module);
        self.pending = Pending::default();
    }

    /// After `mod`: a declaration, the head of an inline module, or something else.
    fn module(&mut self) {
        let Some(name) =
            self.tokens.get(self.at).copied().filter(|token| token.kind == TokenKind::Identifier)
        else {
            return;
        };
        let pending = std::mem::take(&mut self.pending);
        if self.is_punctuation(self.at + 1, b'{') {
            self.at += 2;
            self.open(Some((self.word(name).to_owned(), pending.test)));
        } else if self.is_punctuation(self.at + 1, b';') {
            self.at += 2;
            self.declare(self.word(name), pending);
        }
    }

    fn declare(&mut self, name: &str, pending: Pending) {
        let around = self.open.iter().flatten();
        let test = pending.test || around.clone().any(|(_, test)| *test);
        let names = around.map(|(name, _)| name.clone()).chain([name.to_owned()]).collect();
        self.found.push(ModuleDeclaration { names, path: pending.path, test });
    }

    /// After `#`: notes `path = ".."` and `cfg(test)`, and moves past the closing bracket.
    fn attribute(&mut self) {
        if !self.is_punctuation(self.at, b'[') {
            return;
        }
        let start = self.at + 1;
        let mut depth = 0_usize;
        while let Some(token) = self.tokens.get(self.at).copied() {
            self.at += 1;
            match token.kind {
                TokenKind::Punctuation(b'[') => depth += 1,
                TokenKind::Punctuation(b']') => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        self.note_attribute(start);
    }

    fn note_attribute(&mut self, start: usize) {
        let inside = self.tokens.get(start..self.at.saturating_sub(1)).unwrap_or_default();
        let words: Vec<&str> = inside.iter().map(|token| self.word(*token)).collect();
        match words.as_slice() {
            ["path", "=", value] => self.pending.path = string_content(value),
            ["cfg", "(", predicate @ .., ")"] if requires_test(predicate) => self.pending.test = true,
            _ => {}
        }
    }
}

/// Whether a `cfg` predicate holds only for tests: `test`, or `all(..)` with `test` among its parts.
pub(crate) fn requires_test(predicate: &[&str]) -> bool {
    match predicate {
        ["test"] => true,
        ["all", "(", parts @ .., ")"] => parts.split(|part| *part == ",").any(|part| part == ["test"]),
        _ => false,
    }
}

/// The content of a plain or raw string literal without escapes.
fn string_content(literal: &str) -> Option<String> {
    let quoted = literal.trim_start_matches('r').trim_matches('#');
    let content = quoted.strip_prefix('"')?.strip_suffix('"')?;
    Some(content.replace("\\\\", "\\"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        module_declarations(text).into_iter().map(|found| found.names.join("::")).collect()
    }

    #[test]
    fn finds_modules_in_inline_modules_and_not_in_comments_or_strings() {
        let text = r##"
            // mod comment;
            const A: &str = "mod text;"; const B: &str = r#"mod " raw;"#;
            pub mod a; mod inner { mod b; fn f() { let c = '{'; let d = b'}'; } pub(crate) mod c ; }
            fn g<'a>(x: &'a str) {} mod r#type; mod tests { fn t() {} }
        "##;
        assert_eq!(names(text), ["a", "inner::b", "inner::c", "type"]);
    }

    #[test]
    fn reads_path_and_test_attributes_of_the_module_only() {
        let found = module_declarations(
            "#[path = \"x/y.rs\"] mod a;\n#[cfg(test)] mod b;\n#[cfg(all(unix, test))] mod c;\n#[cfg(not(test))] mod d;\n#[cfg(test)] use x;\nmod e;",
        );
        let seen: Vec<_> = found.iter().map(|found| (found.path.as_deref(), found.test)).collect();
        assert_eq!(seen, [(Some("x/y.rs"), false), (None, true), (None, true), (None, false), (None, false)]);
    }

    #[test]
    fn trivia_does_not_change_the_tokens() {
        let spread = without_trivia("client . charge(  key /* why */ , // done\n  mut x)");
        assert_eq!(spread, "client.charge(key,mut x)");
    }

    #[test]
    fn generated_only_counts_in_the_leading_comments() {
        assert!(is_generated("// This file is @generated by prost-build.\nfn f() {}"));
        assert!(!is_generated("fn f() {} // @generated"));
    }

    #[test]
    fn any_text_yields_tokens_within_its_bounds() {
        for text in ["\"", "'", "r#", "r#\"", "/*", "b'", "'\\", "é'", "br##\"a\"#", "\"\\"] {
            for token in tokens(text) {
                assert!(token.start <= token.end && token.end <= text.len(), "{text:?} {token:?}");
            }
        }
    }
}
