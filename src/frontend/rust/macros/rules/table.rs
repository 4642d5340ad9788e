//! Macros of other files: found by a scan over the bytes, parsed when a call needs them.

use std::collections::HashMap;
use std::sync::Arc;

use super::super::super::decode::decode;
use super::super::super::guard;
use super::super::super::lexer::{Lexer, TokenKind};
use crate::ir::Name;

/// `macro_rules!` definitions by name, for example all of a crate.
#[derive(Clone, Debug, Default)]
pub struct MacroTable {
    rules: HashMap<Name, Arc<str>>,
}

impl MacroTable {
    /// An empty table.
    #[must_use]
    pub fn new() -> MacroTable {
        MacroTable::default()
    }

    /// Adds a definition as [`collect_macros`] yields it. The first one of a name stays.
    pub fn add(&mut self, name: Name, rules: Arc<str>) {
        self.rules.entry(name).or_insert(rules);
    }

    /// The rules of a macro as source text.
    pub(in super::super::super) fn rules(&self, name: &str) -> Option<&str> {
        self.rules.get(name).map(|rules| &**rules)
    }
}

impl Extend<(Name, Arc<str>)> for MacroTable {
    fn extend<I: IntoIterator<Item = (Name, Arc<str>)>>(&mut self, definitions: I) {
        definitions.into_iter().for_each(|(name, rules)| self.add(name, rules));
    }
}

/// The `macro_rules!` definitions of a file, in source order, as name and rules.
#[must_use]
pub fn collect_macros(bytes: &[u8]) -> Vec<(Name, Arc<str>)> {
    let mut definitions = Vec::new();
    if memchr::memmem::find(bytes, b"macro_rules").is_none() {
        return definitions;
    }
    let decoded = decode(bytes);
    let text = &*decoded.text;
    let mut tokens = Lexer::new(text, decoded.start);
    while let Some(token) = tokens.next() {
        if token.kind != TokenKind::Word || text.get(token.start..token.end) != Some("macro_rules") {
            continue;
        }
        let head = [tokens.next(), tokens.next(), tokens.next()];
        let [Some(bang), Some(name), Some(open)] = head else { break };
        let is_definition = bang.kind == TokenKind::Punct(b'!') && name.kind == TokenKind::Word;
        if !is_definition || !matches!(open.kind, TokenKind::Open(_)) {
            continue;
        }
        let mut depth = 1_usize;
        let close = tokens.find(|token| {
            match token.kind {
                TokenKind::Open(_) => depth += 1,
                TokenKind::Close(_) => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        let (Some(close), Some(name)) = (close, text.get(name.start..name.end)) else { break };
        if let Some(rules) = text.get(open.end..close.start)
            && guard::exceeded(rules).is_none()
        {
            definitions.push((Name::new(name), Arc::from(rules)));
        }
    }
    definitions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_found_in_any_text() {
        let source = b"/* macro_rules! no { } */ mod m { macro_rules! a { ($x:expr) => { $x } } }\nmacro_rules! b (() => ());";
        let found = collect_macros(source);
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a", "b"]);
        assert_eq!(&*found[0].1, " ($x:expr) => { $x } ");
    }
}
