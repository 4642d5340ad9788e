//! The little that is read off Rust source text before it is parsed: `mod` declarations, generated files.

use super::lexer::{Token, TokenKind, is_identifier_byte, tokens};

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
    fn generated_only_counts_in_the_leading_comments() {
        assert!(is_generated("// This file is @generated by prost-build.\nfn f() {}"));
        assert!(!is_generated("fn f() {} // @generated"));
    }
}
