//! Writes a suppression into a text.

use super::comment::MARKER;
use super::reach::Code;
use crate::source::lexer::TokenKind;

/// A comment to insert, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Insertion {
    /// The byte at which it goes in: the start of a line.
    pub offset: usize,
    /// The comment on a line of its own, line break included.
    pub text: String,
}

/// The comment that suppresses a rule for the code at `offset`, with a reason still to be filled in. `None` when no
/// line of its own can be about that code.
#[must_use]
pub fn insertion(text: &str, offset: usize, rule: &str) -> Option<Insertion> {
    let start = free_line(text, offset);
    let line = text.get(start..)?.lines().next().unwrap_or_default();
    let indent: String = line.chars().take_while(|character| matches!(character, ' ' | '\t')).collect();
    let end = if text.get(start..)?.split_once('\n')?.0.ends_with('\r') { "\r\n" } else { "\n" };
    let comment = format!("{indent}// {MARKER} ignore[{rule}] -- reason{end}");
    let insertion = Insertion { offset: start, text: comment };
    covers(text, &insertion, offset).then_some(insertion)
}

/// The start of the line of `offset`, or of one above it: inside a string or comment that spans lines, a comment
/// would be text.
fn free_line(text: &str, offset: usize) -> usize {
    let start_of_line =
        |at: usize| text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let start = start_of_line(offset);
    let around = Code::new(text)
        .token_around(start)
        .filter(|token| matches!(token.kind, TokenKind::Text | TokenKind::Comment) && token.start < start);
    around.map_or(start, |token| start_of_line(token.start))
}

/// Whether the comment, once it is inserted, is about the code at `offset`.
fn covers(text: &str, insertion: &Insertion, offset: usize) -> bool {
    let (Some(before), Some(after)) = (text.get(..insertion.offset), text.get(insertion.offset..)) else {
        return false;
    };
    let whole = format!("{before}{}{after}", insertion.text);
    let code = Code::new(&whole);
    let comment = code.comments().find(|(_, token)| token.start >= insertion.offset);
    comment.is_some_and(|(index, _)| code.reach(index).contains(&(offset + insertion.text.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inserted(text: &str, at: &str) -> Option<String> {
        let found = insertion(text, text.find(at).unwrap(), "uuid-in-key")?;
        let (before, after) = text.split_at(found.offset);
        Some(format!("{before}{}{after}", found.text))
    }

    #[test]
    fn stands_above_the_line_with_its_indentation() {
        let text = "fn f() {\n    gateway\n        .charge(&key)\n        .await;\n}\n";
        let expected = "fn f() {\n    gateway\n        // samekey: ignore[uuid-in-key] -- reason\n        \
                        .charge(&key)\n        .await;\n}\n";
        assert_eq!(inserted(text, "&key").as_deref(), Some(expected));
    }

    #[test]
    fn keeps_the_line_breaks_of_the_text() {
        let expected = "fn f() {\r\n\t// samekey: ignore[uuid-in-key] -- reason\r\n\tcharge(&key);\r\n}\r\n";
        assert_eq!(inserted("fn f() {\r\n\tcharge(&key);\r\n}\r\n", "&key").as_deref(), Some(expected));
    }

    #[test]
    fn never_goes_into_a_string() {
        let text =
            "fn f() {\n    query(\n        \"INSERT INTO claims\n         VALUES (key)\",\n    );\n}\n";
        let expected = "fn f() {\n    query(\n        // samekey: ignore[uuid-in-key] -- reason\n        \
                        \"INSERT INTO claims\n         VALUES (key)\",\n    );\n}\n";
        assert_eq!(inserted(text, "key)").as_deref(), Some(expected));
    }

    #[test]
    fn is_left_out_where_it_would_be_about_something_else() {
        let text = "fn f() { if a {\n} else if q(\"INSERT\n key\") { } }\n";
        assert_eq!(inserted(text, "key"), None);
    }
}
