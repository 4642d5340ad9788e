//! Names a finding so that it is recognised after the code around it moved.

use std::collections::HashMap;

use sha2::{Digest, Sha256};

use super::{Diagnostic, Identity};
use crate::source::lexer::{TokenKind, tokens, without_trivia};

/// Sets the fingerprint of every finding. Findings that are alike are told apart by their order.
pub fn assign_fingerprints(diagnostics: &mut [Diagnostic]) {
    let mut seen: HashMap<(&'static str, Identity), u32> = HashMap::new();
    for diagnostic in diagnostics {
        let identity =
            Identity { sink: unformatted(&diagnostic.identity.sink), ..diagnostic.identity.clone() };
        let ordinal = seen.entry((diagnostic.rule, identity)).or_default();
        diagnostic.fingerprint = fingerprint(diagnostic.rule, &diagnostic.identity, *ordinal);
        *ordinal += 1;
    }
}

/// `v1:` and 16 hexadecimal digits over rule, module, function, the sink's tokens, the source and an ordinal.
/// White space, comments and trailing commas inside the sink do not count.
#[must_use]
pub fn fingerprint(rule: &str, identity: &Identity, ordinal: u32) -> String {
    let mut hasher = Sha256::new();
    let sink = unformatted(&identity.sink);
    let ordinal = ordinal.to_string();
    for part in [rule, &identity.module, &identity.function, &sink, &identity.source, &ordinal] {
        // The length keeps neighbouring parts from running into each other.
        hasher.update((part.len() as u64).to_be_bytes());
        hasher.update(part.as_bytes());
    }
    let digest = hasher.finalize();
    let hex: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    format!("v1:{hex}")
}

/// Code without what a formatter may change: white space, comments, and commas in front of a closing bracket.
fn unformatted(code: &str) -> String {
    let code = without_trivia(code);
    let mut result = String::with_capacity(code.len());
    let mut rest = tokens(&code).peekable();
    let mut copied = 0;
    while let Some(token) = rest.next() {
        let closes =
            rest.peek().is_some_and(|next| matches!(next.kind, TokenKind::Punctuation(b')' | b']' | b'}')));
        if token.kind == TokenKind::Punctuation(b',') && closes {
            result.push_str(code.get(copied..token.start).unwrap_or_default());
            copied = token.end;
        }
    }
    result.push_str(code.get(copied..).unwrap_or_default());
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(sink: &str) -> Identity {
        Identity { module: "a::b".into(), function: "f".into(), sink: sink.into(), source: "uuid".into() }
    }

    #[test]
    fn formatting_and_comments_do_not_change_it() {
        let one = fingerprint("uuid-in-key", &identity("client.key( id )"), 0);
        let two = fingerprint("uuid-in-key", &identity("client\n  .key(\n    id, /* why */\n  )"), 0);
        assert_eq!(one, two);
        assert_ne!(one, fingerprint("uuid-in-key", &identity("client.key(id, \",)\")"), 0));
        assert_eq!(one.len(), "v1:".len() + 16);
    }

    #[test]
    fn every_part_changes_it() {
        let base = fingerprint("uuid-in-key", &identity("k"), 0);
        assert_ne!(base, fingerprint("clock-in-key", &identity("k"), 0));
        assert_ne!(base, fingerprint("uuid-in-key", &identity("j"), 0));
        assert_ne!(base, fingerprint("uuid-in-key", &identity("k"), 1));
        let moved = Identity { module: "a".into(), function: "bf".into(), ..identity("k") };
        assert_ne!(base, fingerprint("uuid-in-key", &moved, 0));
    }
}
