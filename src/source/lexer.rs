//! A small lexer for Rust, for questions that are asked without parsing: which names does a file spell, how deep does it
//! nest, where does an item end. Any input yields tokens; an end that is left open is [`TokenKind::Unterminated`].

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
    /// The start of a string or character that does not end, up to the end of its line, or a comment that does not.
    Unterminated,
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
    tokens_from(text, 0)
}

/// The tokens of a text from a byte on.
#[must_use]
pub fn tokens_from(text: &str, at: usize) -> Tokens<'_> {
    Tokens { bytes: text.as_bytes(), at }
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
        while self.byte(0).is_some_and(is_white_space) {
            self.at += 1;
        }
        let start = self.at;
        let first = self.byte(0)?;
        let kind = self.advance(first);
        self.at = self.at.min(self.bytes.len());
        let is_raw = kind == TokenKind::Identifier
            && first == b'r'
            && self.bytes.get(start..self.at).is_some_and(|code| code.starts_with(b"r#"));
        Some(Token { kind, start: if is_raw { start + 2 } else { start }, end: self.at })
    }
}

impl Tokens<'_> {
    /// The byte behind the last token.
    #[must_use]
    pub fn end(&self) -> usize {
        self.at
    }

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
            b'"' => self.string(0),
            b'\'' => self.quote(),
            b'0'..=b'9' => self.number(),
            b'b' | b'c' | b'r' => self.prefixed(first),
            byte if is_identifier_byte(byte) => self.identifier(),
            byte => {
                self.at += 1;
                TokenKind::Punctuation(byte)
            }
        }
    }

    fn find_byte(&self, byte: u8) -> Option<usize> {
        memchr::memchr(byte, self.bytes.get(self.at..)?).map(|offset| self.at + offset)
    }

    fn identifier(&mut self) -> TokenKind {
        while self.byte(0).is_some_and(is_identifier_byte) {
            self.at += 1;
        }
        TokenKind::Identifier
    }

    fn number(&mut self) -> TokenKind {
        self.identifier();
        if self.byte(0) == Some(b'.') && self.byte(1).is_some_and(|next| next.is_ascii_digit()) {
            self.at += 1;
            self.identifier();
        }
        TokenKind::Number
    }

    fn block_comment(&mut self) -> TokenKind {
        let mut depth = 0_usize;
        while self.at < self.bytes.len() {
            if self.rest_starts_with(b"/*") {
                depth += 1;
                self.at += 2;
            } else if self.rest_starts_with(b"*/") {
                depth -= 1;
                self.at += 2;
                if depth == 0 {
                    return TokenKind::Comment;
                }
            } else {
                self.at += 1;
            }
        }
        TokenKind::Unterminated
    }

    /// Goes on at the next line, so that one lost quote does not swallow the file.
    fn unterminated(&mut self, start: usize) -> TokenKind {
        self.at = start;
        self.at = self.find_byte(b'\n').unwrap_or(self.bytes.len());
        TokenKind::Unterminated
    }

    /// A string whose quote stands `quote` bytes ahead.
    fn string(&mut self, quote: usize) -> TokenKind {
        let start = self.at;
        self.at += quote + 1;
        while let Some(byte) = self.byte(0) {
            self.at += if byte == b'\\' { 2 } else { 1 };
            if byte == b'"' {
                return TokenKind::Text;
            }
        }
        self.unterminated(start)
    }

    /// A raw string with so many hashes, whose quote stands `quote` bytes ahead.
    fn raw_string(&mut self, hashes: usize, quote: usize) -> TokenKind {
        let start = self.at;
        self.at += quote + 1;
        while let Some(end) = self.find_byte(b'"') {
            self.at = end + 1;
            let closing = self.bytes.get(self.at..).unwrap_or_default();
            if closing.iter().take(hashes).filter(|byte| **byte == b'#').count() == hashes {
                self.at += hashes;
                return TokenKind::Text;
            }
        }
        self.unterminated(start)
    }

    /// A character literal, a lifetime or a lone quote.
    fn quote(&mut self) -> TokenKind {
        let start = self.at;
        if self.byte(1) == Some(b'\\') {
            self.at += 3;
            while self.byte(0).is_some_and(|byte| !matches!(byte, b'\'' | b'\n')) {
                self.at += 1;
            }
            if self.byte(0) != Some(b'\'') {
                return self.unterminated(start);
            }
            self.at += 1;
            return TokenKind::Text;
        }
        let width = self.byte(1).map_or(1, character_width);
        if self.byte(1 + width) == Some(b'\'') && self.byte(1) != Some(b'\'') {
            self.at += width + 2;
            return TokenKind::Text;
        }
        self.at += 1;
        self.identifier();
        TokenKind::Lifetime
    }

    /// `b".."`, `c".."`, `b'x'`, `r".."`, `r#".."#`, `br".."`, `cr".."`, `r#name`, or a plain identifier.
    fn prefixed(&mut self, first: u8) -> TokenKind {
        let raw_at = match (first, self.byte(1)) {
            (b'b' | b'c', Some(b'"')) => return self.string(1),
            (b'b', Some(b'\'')) => {
                self.at += 1;
                return self.quote();
            }
            (b'r', _) => 1,
            (_, Some(b'r')) => 2,
            _ => return self.identifier(),
        };
        let after = self.bytes.get(self.at + raw_at..).unwrap_or_default();
        let hashes = after.iter().take_while(|byte| **byte == b'#').count();
        match self.byte(raw_at + hashes) {
            Some(b'"') => self.raw_string(hashes, raw_at + hashes),
            Some(next) if first == b'r' && hashes == 1 && is_identifier_byte(next) => {
                self.at += 2;
                self.identifier()
            }
            _ => self.identifier(),
        }
    }
}

/// Whether a byte can be inside an identifier; bytes of non-ASCII characters are taken to be letters.
#[must_use]
pub fn is_identifier_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn is_white_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
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

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        tokens(text).map(|token| &text[token.start..token.end]).collect()
    }

    #[test]
    fn comments_and_literals_are_whole() {
        assert_eq!(texts("a /* ( /* [ */ */ b // {\nc"), ["a", "/* ( /* [ */ */", "b", "// {", "c"]);
        assert_eq!(
            texts(r##"r#"("# br"[" "\"(" b'\'' c"x" r#fn"##),
            ["r#\"(\"#", "br\"[\"", "\"\\\"(\"", "b'\\''", "c\"x\"", "fn"]
        );
        assert_eq!(texts("'a' 'a '\\'' '(' 'é' '{'"), ["'a'", "'a", "'\\''", "'('", "'é'", "'{'"]);
        assert_eq!(texts("1.0 1..2 x.0.1 0xff_u8"), ["1.0", "1", ".", ".", "2", "x", ".", "0.1", "0xff_u8"]);
        assert_eq!(texts("r b c br rate b2 cr"), ["r", "b", "c", "br", "rate", "b2", "cr"]);
    }

    #[test]
    fn open_ends_do_not_swallow_the_file() {
        let kinds = |text| tokens(text).map(|token| token.kind).collect::<Vec<_>>();
        assert_eq!(kinds("\"abc\nfn"), [TokenKind::Unterminated, TokenKind::Identifier]);
        assert_eq!(kinds("r#\"abc\nfn"), [TokenKind::Unterminated, TokenKind::Identifier]);
        assert_eq!(kinds("a /* b"), [TokenKind::Identifier, TokenKind::Unterminated]);
        assert_eq!(kinds("'\\"), [TokenKind::Unterminated]);
    }

    #[test]
    fn trivia_does_not_change_the_tokens() {
        let spread = without_trivia("client . charge(  key /* why */ , // done\n  mut x)");
        assert_eq!(spread, "client.charge(key,mut x)");
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
