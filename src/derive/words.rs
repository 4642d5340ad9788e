//! The words of `#[idempotent(..)]` with their values.

use std::str::Chars;

use crate::ir::Attributes;
use crate::source::lexer::{Token, TokenKind, tokens};

/// The words that stand before one type, field or variant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words(Vec<(String, Option<String>)>);

impl Words {
    /// Reads all attributes of the derive; what is malformed does not compile and is left out.
    pub fn of(attributes: &Attributes, name: &str) -> Words {
        let own = attributes.other.iter().filter(|attribute| attribute.path == name);
        Words(own.flat_map(|attribute| read(&attribute.arguments)).collect())
    }

    /// Whether a word stands there.
    pub fn has(&self, word: &str) -> bool {
        self.0.iter().any(|(known, _)| known == word)
    }

    /// The value after the word's `=`: the content of a string, anything else as written.
    pub fn value(&self, word: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == word)?.1.as_deref()
    }
}

/// `identity, rename = "x", with = a::b` as pairs.
fn read(text: &str) -> Vec<(String, Option<String>)> {
    let mut words = Vec::new();
    let mut depth = 0_i32;
    let mut part: Vec<Token> = Vec::new();
    for token in tokens(text).filter(|token| token.kind != TokenKind::Comment) {
        depth += match token.kind {
            TokenKind::Punctuation(b'(' | b'[' | b'{') => 1,
            TokenKind::Punctuation(b')' | b']' | b'}') => -1,
            _ => 0,
        };
        if depth == 0 && token.kind == TokenKind::Punctuation(b',') {
            words.extend(word(text, &std::mem::take(&mut part)));
        } else {
            part.push(token);
        }
    }
    words.extend(word(text, &part));
    words
}

fn word(text: &str, tokens: &[Token]) -> Option<(String, Option<String>)> {
    let (name, rest) = tokens.split_first()?;
    let name = text.get(name.start..name.end)?.to_owned();
    let value = match rest {
        [equals, value] if equals.kind == TokenKind::Punctuation(b'=') && value.kind == TokenKind::Text => {
            Some(string(text.get(value.start..value.end)?))
        }
        [equals, first, ..] if equals.kind == TokenKind::Punctuation(b'=') => {
            let written = text.get(first.start..rest.last()?.end)?;
            Some(written.split_whitespace().collect())
        }
        _ => None,
    };
    Some((name, value))
}

/// The content of a string literal.
fn string(literal: &str) -> String {
    if let Some(raw) = literal.strip_prefix('r') {
        let hashes = raw.bytes().take_while(|byte| *byte == b'#').count();
        return raw.get(hashes + 1..raw.len().saturating_sub(hashes + 1)).unwrap_or_default().to_owned();
    }
    let inner = literal.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or_default();
    let mut content = String::with_capacity(inner.len());
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        if character == '\\' {
            content.extend(escape(&mut characters));
        } else {
            content.push(character);
        }
    }
    content
}

/// What stands behind a backslash.
fn escape(characters: &mut Chars<'_>) -> Option<char> {
    match characters.next()? {
        'n' => Some('\n'),
        'r' => Some('\r'),
        't' => Some('\t'),
        '0' => Some('\0'),
        'x' => number(&characters.by_ref().take(2).collect::<String>()),
        'u' => number(&characters.by_ref().skip(1).take_while(|next| *next != '}').collect::<String>()),
        '\n' => {
            while characters.clone().next().is_some_and(char::is_whitespace) {
                characters.next();
            }
            None
        }
        other => Some(other),
    }
}

fn number(digits: &str) -> Option<char> {
    u32::from_str_radix(&digits.replace('_', ""), 16).ok().and_then(char::from_u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_values_are_read() {
        let words = Words(read(
            r##"identity , rename = "a,b" , persisted = r#"the "id" column"#, with = crate :: f, version = 2,
               stable = "caf\u{e9} \x41\n\"q\"", "##,
        ));
        assert!(words.has("identity") && words.value("identity").is_none());
        assert_eq!(words.value("rename"), Some("a,b"));
        assert_eq!(words.value("persisted"), Some("the \"id\" column"));
        assert_eq!(words.value("with"), Some("crate::f"));
        assert_eq!(words.value("version"), Some("2"));
        assert_eq!(words.value("stable"), Some("café A\n\"q\""));
        assert!(!words.has("ignore"));
    }

    #[test]
    fn malformed_words_are_no_panic() {
        for text in ["", ",", "= =", "a =", "r\"", "x = \"\\", "x = r#", "(,", "x = \"\\u{", "é = 'x'"] {
            let _ = read(text);
        }
    }
}
