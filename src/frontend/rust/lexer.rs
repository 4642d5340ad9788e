//! A small lexer over bytes, for questions that must be answered before parsing: how deep does it nest, where
//! does an item end. It never fails; what it cannot read is a [`TokenKind::Bad`] token.

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// An identifier or keyword.
    Word,
    /// A number, string or character.
    Literal,
    /// `'a`.
    Lifetime,
    /// `(`, `[` or `{`.
    Open(u8),
    /// `)`, `]` or `}`.
    Close(u8),
    /// Any other character.
    Punct(u8),
    /// An unterminated string, or the end of a file inside a comment.
    Bad,
}

/// An iterator over the tokens of a text, without white space and comments.
pub(super) struct Lexer<'t> {
    bytes: &'t [u8],
    at: usize,
}

impl<'t> Lexer<'t> {
    /// The tokens of `text` from byte `at` on.
    pub fn new(text: &'t str, at: usize) -> Lexer<'t> {
        Lexer { bytes: text.as_bytes(), at }
    }

    /// The byte behind the last token.
    pub fn position(&self) -> usize {
        self.at
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    /// Skips white space and comments. Says whether a comment was left open.
    fn skip_trivia(&mut self) -> bool {
        loop {
            match (self.peek(0), self.peek(1)) {
                (b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c, _) => self.at += 1,
                (b'/', b'/') => {
                    let rest = self.bytes.get(self.at..).unwrap_or_default();
                    self.at = memchr::memchr(b'\n', rest).map_or(self.bytes.len(), |end| self.at + end);
                }
                (b'/', b'*') => {
                    if !self.skip_block_comment() {
                        return true;
                    }
                }
                _ => return false,
            }
        }
    }

    fn skip_block_comment(&mut self) -> bool {
        let mut depth = 0_usize;
        while self.at < self.bytes.len() {
            match (self.peek(0), self.peek(1)) {
                (b'/', b'*') => {
                    depth += 1;
                    self.at += 2;
                }
                (b'*', b'/') => {
                    depth -= 1;
                    self.at += 2;
                    if depth == 0 {
                        return true;
                    }
                }
                _ => self.at += 1,
            }
        }
        false
    }

    fn word(&mut self) -> TokenKind {
        match self.literal_prefix() {
            Some(Prefix::String) => self.string(),
            Some(Prefix::Character) => {
                self.at += 1;
                self.character_or_lifetime()
            }
            Some(Prefix::Raw { hashes, quote }) => self.raw_string(hashes, quote),
            Some(Prefix::RawIdent) => {
                self.at += 2;
                self.skip_word();
                TokenKind::Word
            }
            None => {
                self.skip_word();
                TokenKind::Word
            }
        }
    }

    fn skip_word(&mut self) {
        while is_word(self.peek(0)) {
            self.at += 1;
        }
    }

    /// `b"`, `c"`, `r"`, `r#"`, `br#"`, `b'`, `r#name`.
    fn literal_prefix(&self) -> Option<Prefix> {
        let (first, second) = (self.peek(0), self.peek(1));
        let raw_at = match (first, second) {
            (b'b' | b'c', b'"') => return Some(Prefix::String),
            (b'b', b'\'') => return Some(Prefix::Character),
            (b'r', _) => 1,
            (b'b' | b'c', b'r') => 2,
            _ => return None,
        };
        let mut quote = raw_at;
        while self.peek(quote) == b'#' {
            quote += 1;
        }
        let hashes = quote - raw_at;
        if self.peek(quote) == b'"' {
            Some(Prefix::Raw { hashes, quote })
        } else if first == b'r' && hashes == 1 && is_word(self.peek(2)) {
            Some(Prefix::RawIdent)
        } else {
            None
        }
    }

    fn string(&mut self) -> TokenKind {
        let start = self.at;
        while self.at < self.bytes.len() && self.peek(0) != b'"' {
            self.at += 1;
        }
        self.at += 1;
        while self.at < self.bytes.len() {
            match self.peek(0) {
                b'\\' => self.at += 2,
                b'"' => {
                    self.at += 1;
                    return TokenKind::Literal;
                }
                _ => self.at += 1,
            }
        }
        self.unterminated(start)
    }

    /// Goes on at the next line, so that one lost quote does not swallow the file.
    fn unterminated(&mut self, start: usize) -> TokenKind {
        let rest = self.bytes.get(start..).unwrap_or_default();
        self.at = memchr::memchr(b'\n', rest).map_or(self.bytes.len(), |end| start + end);
        TokenKind::Bad
    }

    fn raw_string(&mut self, hashes: usize, quote: usize) -> TokenKind {
        let start = self.at;
        self.at += quote + 1;
        while self.at < self.bytes.len() {
            let rest = self.bytes.get(self.at..).unwrap_or_default();
            let Some(end) = memchr::memchr(b'"', rest) else { break };
            self.at += end + 1;
            if (0..hashes).all(|hash| self.peek(hash) == b'#') {
                self.at += hashes;
                return TokenKind::Literal;
            }
        }
        self.unterminated(start)
    }

    fn character_or_lifetime(&mut self) -> TokenKind {
        let start = self.at;
        if self.peek(1) == b'\\' {
            self.at += 3;
            while !matches!(self.peek(0), b'\'' | b'\n' | 0) {
                self.at += 1;
            }
            if self.peek(0) == b'\'' {
                self.at += 1;
                return TokenKind::Literal;
            }
            return self.unterminated(start);
        }
        let width = match self.peek(1) {
            0..0x80 => 1,
            0x80..0xE0 => 2,
            0xE0..0xF0 => 3,
            _ => 4,
        };
        if self.peek(1 + width) == b'\'' && self.peek(1) != b'\'' {
            self.at += width + 2;
            return TokenKind::Literal;
        }
        self.at += 1;
        self.skip_word();
        TokenKind::Lifetime
    }

    fn number(&mut self) -> TokenKind {
        self.skip_word();
        if self.peek(0) == b'.' && self.peek(1).is_ascii_digit() {
            self.at += 1;
            self.skip_word();
        }
        TokenKind::Literal
    }
}

/// What a word that starts a literal starts.
enum Prefix {
    String,
    Character,
    Raw { hashes: usize, quote: usize },
    RawIdent,
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let before = self.at;
        if self.skip_trivia() {
            return Some(Token { kind: TokenKind::Bad, start: before, end: self.at });
        }
        let start = self.at;
        let kind = match *self.bytes.get(start)? {
            b'0'..=b'9' => self.number(),
            b'"' => self.string(),
            b'\'' => self.character_or_lifetime(),
            byte if is_word(byte) => self.word(),
            byte => {
                self.at += 1;
                match byte {
                    b'(' | b'[' | b'{' => TokenKind::Open(byte),
                    b')' | b']' | b'}' => TokenKind::Close(byte),
                    _ => TokenKind::Punct(byte),
                }
            }
        };
        self.at = self.at.min(self.bytes.len());
        Some(Token { kind, start, end: self.at })
    }
}

/// Whether the byte can stand in an identifier; bytes of other scripts count.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<&str> {
        Lexer::new(text, 0).map(|token| &text[token.start..token.end]).collect()
    }

    #[test]
    fn comments_and_literals_are_whole() {
        assert_eq!(tokens("a /* ( /* [ */ */ b // {\nc"), ["a", "b", "c"]);
        assert_eq!(
            tokens(r##"r#"("# br"[" "\"(" b'\'' c"x" r#fn"##),
            ["r#\"(\"#", "br\"[\"", "\"\\\"(\"", "b'\\''", "c\"x\"", "r#fn"]
        );
        assert_eq!(tokens("'a' 'a '\\'' '(' 'é' '{'"), ["'a'", "'a", "'\\''", "'('", "'é'", "'{'"]);
        assert_eq!(tokens("1.0 1..2 x.0.1 0xff_u8"), ["1.0", "1", ".", ".", "2", "x", ".", "0.1", "0xff_u8"]);
    }

    #[test]
    fn open_ends_are_bad_and_do_not_swallow_the_file() {
        let kinds = |text| Lexer::new(text, 0).map(|token| token.kind).collect::<Vec<_>>();
        assert_eq!(kinds("\"abc\nfn"), [TokenKind::Bad, TokenKind::Word]);
        assert_eq!(kinds("a /* b"), [TokenKind::Word, TokenKind::Bad]);
        assert_eq!(kinds("'\\"), [TokenKind::Bad]);
    }
}
