//! The tokens of a text as the questions before parsing need them: without comments, and with brackets told apart.

use crate::source::lexer::{self, Tokens, tokens_from};

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
    /// An identifier or keyword; a raw identifier with its `r#`, so that none is taken for a keyword.
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
    text: &'t str,
    tokens: Tokens<'t>,
}

impl<'t> Lexer<'t> {
    /// The tokens of `text` from byte `at` on.
    pub fn new(text: &'t str, at: usize) -> Lexer<'t> {
        Lexer { text, tokens: tokens_from(text, at) }
    }

    /// The byte behind the last token.
    pub fn end(&self) -> usize {
        self.tokens.end()
    }
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let before = self.end();
        let token = self.tokens.find(|token| token.kind != lexer::TokenKind::Comment)?;
        let kind = match token.kind {
            lexer::TokenKind::Identifier => TokenKind::Word,
            lexer::TokenKind::Text | lexer::TokenKind::Number => TokenKind::Literal,
            lexer::TokenKind::Lifetime => TokenKind::Lifetime,
            lexer::TokenKind::Punctuation(byte @ (b'(' | b'[' | b'{')) => TokenKind::Open(byte),
            lexer::TokenKind::Punctuation(byte @ (b')' | b']' | b'}')) => TokenKind::Close(byte),
            lexer::TokenKind::Punctuation(byte) => TokenKind::Punct(byte),
            lexer::TokenKind::Unterminated | lexer::TokenKind::Comment => TokenKind::Bad,
        };
        let lead = self.text.get(before..token.start).filter(|_| kind == TokenKind::Word);
        let is_raw = lead.is_some_and(|lead| lead.ends_with("r#"));
        Some(Token { kind, start: if is_raw { token.start - 2 } else { token.start }, end: token.end })
    }
}
