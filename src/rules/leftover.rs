//! What a fix would leave behind: a variable that nobody reads any more.

use super::case::World;
use crate::ir::Span;
use crate::report::Edit;
use crate::source::lexer::{Token, TokenKind, tokens};

/// The edit that removes `let name = value;` from a function where `value` begins with the source at `origin` and only
/// the text that is taken out reads the variable. Nothing else than making the value may happen there: what waits or
/// may fail stays.
pub fn variable(world: &World<'_>, function: Span, origin: Span, name: &str) -> Option<Edit> {
    let sources = world.input.sources;
    let text = sources.text(function.file);
    let code = text.get(function.start as usize..function.end as usize)?;
    let at = (origin.start.checked_sub(function.start)?) as usize;
    let all: Vec<Token> = tokens(code).collect();
    let (first, last) = declaration(code, &all, at, name)?;
    if reads(code, &all, name) != 1 {
        return None;
    }
    let start = function.start as usize + all.get(first)?.start;
    let end = function.start as usize + all.get(last)?.end;
    let line = text.get(..start)?.rfind('\n').map_or(0, |at| at + 1);
    let alone = text.get(line..start)?.trim().is_empty();
    let after = text.get(end..)?.find('\n').map(|at| end + at + 1);
    let rest_is_empty =
        after.is_some_and(|after| text.get(end..after).is_some_and(|rest| rest.trim().is_empty()));
    let (start, end) = match (alone && rest_is_empty, after) {
        (true, Some(after)) => (line, after),
        _ => (start, end + usize::from(text.get(end..)?.starts_with(' '))),
    };
    let offset = |at: usize| u32::try_from(at).ok();
    let span = Span { file: function.file, start: offset(start)?, end: offset(end)? };
    Some(Edit { span, replacement: String::new() })
}

/// The tokens from `let` to the semicolon of the declaration whose value begins at a byte.
fn declaration(code: &str, all: &[Token], at: usize, name: &str) -> Option<(usize, usize)> {
    let text = |token: &Token| code.get(token.start..token.end).unwrap_or_default();
    let value = all.iter().position(|token| token.start == at)?;
    let head = all.get(..value)?;
    let first = head.iter().rposition(|token| text(token) == "let")?;
    let [_, variable, next, ty @ ..] = head.get(first..)? else { return None };
    let is_plain = text(next) == "=" && ty.is_empty()
        || text(next) == ":" && ty.last().is_some_and(|last| text(last) == "=");
    let is_statement = |token: &Token| matches!(token.kind, TokenKind::Punctuation(b';' | b'{' | b'}'));
    if text(variable) != name || !is_plain || ty.iter().any(is_statement) {
        return None;
    }
    // An attribute or a comment that is about it would be left to what follows.
    let before = first.checked_sub(1).and_then(|index| all.get(index));
    if before.is_some_and(|token| matches!(token.kind, TokenKind::Comment | TokenKind::Punctuation(b']'))) {
        return None;
    }
    let mut depth = 0_u32;
    for (index, token) in all.iter().enumerate().skip(value) {
        match token.kind {
            TokenKind::Punctuation(b'(' | b'[') => depth += 1,
            TokenKind::Punctuation(b')' | b']') => depth = depth.checked_sub(1)?,
            TokenKind::Punctuation(b';') if depth == 0 => return Some((first, index)),
            // An early way out, a block, a comment that says something, or two values in one.
            TokenKind::Punctuation(b'?' | b'{' | b'}' | b'|') | TokenKind::Comment => return None,
            TokenKind::Identifier if text(token) == "await" => return None,
            _ => {}
        }
    }
    None
}

/// How often a name is read: as a word of the code and in the placeholders of texts. The declaration itself is none.
fn reads(code: &str, all: &[Token], name: &str) -> usize {
    let in_text = |token: &Token| {
        let text = code.get(token.start..token.end).unwrap_or_default();
        let placeholder = format!("{{{name}");
        let ends = |rest: &str| !rest.starts_with(|c: char| c == '_' || c.is_alphanumeric());
        text.match_indices(&placeholder)
            .filter(|(at, found)| text.get(at + found.len()..).is_some_and(ends))
            .count()
    };
    let count = |token: &Token| match token.kind {
        TokenKind::Identifier => usize::from(code.get(token.start..token.end) == Some(name)),
        TokenKind::Text => in_text(token),
        _ => 0,
    };
    all.iter().map(count).sum::<usize>().saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The declaration of `n` that would go.
    fn found(code: &str) -> Option<&str> {
        let all: Vec<Token> = tokens(code).collect();
        let (first, last) = declaration(code, &all, code.find("fresh()")?, "n")?;
        (reads(code, &all, "n") == 1).then(|| &code[all[first].start..all[last].end])
    }

    #[test]
    fn a_variable_that_only_the_text_reads_goes() {
        for (code, expected) in [
            (r#"let n = fresh(); format!("{a}{n}")"#, "let n = fresh();"),
            (r#"let n = fresh().to_string(); format!("{}{:x}", a, n)"#, "let n = fresh().to_string();"),
            (r#"let n: Vec<u8> = fresh(); format!("{a}{n}")"#, "let n: Vec<u8> = fresh();"),
            (r#"let n = fresh()[1]; let m = name; format!("{nm}{n:?}")"#, "let n = fresh()[1];"),
        ] {
            assert_eq!(found(code), Some(expected), "{code}");
        }
        for code in [
            r#"let n = fresh(); log(n); format!("{n}")"#,
            r#"let n = fresh(); format!("{n}{n}")"#,
            r#"let n = fresh()?; format!("{n}")"#,
            r#"let n = fresh().await; format!("{n}")"#,
            r#"let n = store(fresh()); format!("{n}")"#,
            r#"let mut n = fresh(); format!("{n}")"#,
            r#"let n = fresh().map(|x| { sent(); x }); format!("{n}")"#,
            r#"let n: u8; n = fresh(); format!("{n}")"#,
            r#"let (n, m) = fresh(); format!("{n}")"#,
            r#"let n = fresh(); S { n }; format!("{n}")"#,
            r#"/* why */ let n = fresh(); format!("{n}")"#,
            r#"#[cfg(x)] let n = fresh(); format!("{n}")"#,
            r#"static n: u8 = fresh(); format!("{n}")"#,
        ] {
            assert_eq!(found(code), None, "{code}");
        }
    }
}
