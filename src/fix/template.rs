//! A call of `format!` as it is written: where its placeholders and arguments stand, and the edits that change them.
//!
//! Anything out of the ordinary (escapes that may stand for braces, widths that are arguments, comments or generic
//! arguments between the parts) is not read: what is not understood is not edited.

use std::ops::Range;

use crate::report::Replacement;
use crate::source::lexer::{Token, TokenKind, tokens};

/// What stands between two parts of a key when nothing else does.
const SEPARATOR: &str = ":";

/// A call of `format!`. All ranges are bytes of its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template<'t> {
    text: &'t str,
    /// What stands between the quotes.
    literal: Range<usize>,
    placeholders: Vec<Placeholder>,
    arguments: Vec<WrittenArgument>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Placeholder {
    range: Range<usize>,
    /// What stands before the colon: a name, a number, or nothing.
    argument: Range<usize>,
    /// Whether it counts arguments: `{0}`.
    numbered: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct WrittenArgument {
    /// From the comma before it to its end.
    range: Range<usize>,
    /// The name, when it has one.
    name: Option<Range<usize>>,
    /// What is shown.
    value: Range<usize>,
}

impl<'t> Template<'t> {
    /// Reads a call from its path to its closing delimiter.
    #[must_use]
    pub fn read(text: &'t str) -> Option<Template<'t>> {
        let all: Vec<Token> = tokens(text).collect();
        let bang = all.iter().position(|token| token.kind == TokenKind::Punctuation(b'!'))?;
        let [name, _, open, literal, arguments @ .., close] = all.get(bang.checked_sub(1)?..)? else {
            return None;
        };
        let is_call = text.get(name.start..name.end) == Some("format")
            && matches!(open.kind, TokenKind::Punctuation(b'(' | b'[' | b'{'))
            && matches!(close.kind, TokenKind::Punctuation(b')' | b']' | b'}'));
        let literal = is_call.then(|| content(text, *literal)).flatten()?;
        let placeholders = placeholders(text, literal.clone())?;
        Some(Template { text, literal, placeholders, arguments: written_arguments(text, arguments)? })
    }

    /// The variable that a placeholder shows by its name, written as an argument or not.
    #[must_use]
    pub fn variable(&self, placeholder: usize, argument: Option<usize>) -> Option<&'t str> {
        let shown = match argument {
            Some(argument) => self.arguments.get(argument)?.value.clone(),
            None => self.placeholders.get(placeholder)?.argument.clone(),
        };
        let name = self.text.get(shown)?;
        let mut all = tokens(name);
        let is_name = all.next().is_some_and(|token| token.kind == TokenKind::Identifier);
        (is_name && all.next().is_none()).then_some(name)
    }

    /// The text without `format!`, when all that a cut leaves is a plain placeholder of a simple value.
    fn left_alone(&self, gone: usize, (cut, new): &Replacement) -> Option<String> {
        let [first, second] = self.placeholders.as_slice() else { return None };
        let left = if gone == 0 { second } else { first };
        let around = [self.literal.start..cut.start, cut.end..self.literal.end];
        let rest: usize = around.iter().map(ExactSizeIterator::len).sum();
        let is_plain = left.argument.len() + 2 == left.range.len() && !left.numbered;
        if !new.is_empty() || rest != left.range.len() || !is_plain {
            return None;
        }
        let name = self.text.get(left.argument.clone())?;
        let named = |argument: &&WrittenArgument| {
            argument.name.clone().and_then(|range| self.text.get(range)) == Some(name)
        };
        let value = match (name, self.arguments.iter().find(named)) {
            ("", _) => {
                let earlier = self.placeholders.iter().take_while(|one| *one != left);
                let position = earlier.filter(|one| one.argument.is_empty()).count();
                self.text.get(self.arguments.get(position)?.value.clone())?
            }
            (_, Some(argument)) => self.text.get(argument.value.clone())?,
            (name, None) => name,
        };
        let value = value.trim_start_matches('&');
        is_simple(value).then(|| format!("{value}.to_string()"))
    }

    /// How many placeholders there are.
    #[must_use]
    pub fn placeholders(&self) -> usize {
        self.placeholders.len()
    }

    /// How many arguments are written behind the literal.
    #[must_use]
    pub fn arguments(&self) -> usize {
        self.arguments.len()
    }

    /// Puts a separator behind some placeholders, each with another one right behind it.
    #[must_use]
    pub fn separated(&self, behind: &[usize]) -> Option<Vec<Replacement>> {
        let insertion = |index: &usize| {
            let (left, right) =
                (self.placeholders.get(*index)?, self.placeholders.get(index.checked_add(1)?)?);
            let touch = left.range.end == right.range.start;
            touch.then(|| (left.range.end..left.range.end, SEPARATOR.to_owned()))
        };
        behind.iter().map(insertion).collect()
    }

    /// Takes out a placeholder with the separator beside it, and the written argument that it shows.
    #[must_use]
    pub fn without(&self, placeholder: usize, argument: Option<usize>) -> Option<Vec<Replacement>> {
        if self.placeholders.len() < 2 {
            return None;
        }
        let cut = self.cut(placeholder)?;
        if let Some(text) = self.left_alone(placeholder, &cut) {
            return Some(vec![(0..self.text.len(), text)]);
        }
        let mut edits = vec![cut];
        if let Some(argument) = argument {
            let argument = self.arguments.get(argument)?;
            // Numbers would count on.
            if argument.name.is_none() && self.placeholders.iter().any(|one| one.numbered) {
                return None;
            }
            edits.push((argument.range.clone(), String::new()));
        }
        Some(edits)
    }

    /// The part of the literal that goes with a placeholder. Two others must not come to stand side by side.
    fn cut(&self, index: usize) -> Option<Replacement> {
        let own = self.placeholders.get(index)?.range.clone();
        let previous = index.checked_sub(1).and_then(|before| self.placeholders.get(before));
        let next = self.placeholders.get(index.checked_add(1)?);
        let first = previous.map_or(self.literal.start, |previous| previous.range.end);
        let last = next.map_or(self.literal.end, |next| next.range.start);
        let start = label_start(self.text.get(first..own.start)?).map_or(own.start, |at| first + at);
        let before = self.text.get(first..start)?;
        let after = self.text.get(own.end..last)?;
        if previous.is_some() && next.is_some() && before.is_empty() && after.is_empty() {
            return Some((start..own.end, SEPARATOR.to_owned()));
        }
        let (left, right) = (trailing_separators(before), leading_separators(after));
        let (left, right) = match (previous, next) {
            (Some(_), Some(_)) if after.is_empty() => (0, 0),
            (None, _) if before.is_empty() => (0, right),
            (None, _) if after.is_empty() => (0, 0),
            // A suffix that brings no separator of its own keeps the one before it.
            (Some(_), None) if !after.is_empty() && right == 0 => (0, 0),
            _ => (left, 0),
        };
        Some((start - left..own.end + right, String::new()))
    }
}

/// The bytes between the quotes of a literal, when each of them stands for itself as far as braces go.
fn content(text: &str, literal: Token) -> Option<Range<usize>> {
    let code = (literal.kind == TokenKind::Text).then(|| text.get(literal.start..literal.end)).flatten()?;
    let raw = code.strip_prefix('r');
    let hashes = raw.map(|raw| raw.bytes().take_while(|byte| *byte == b'#').count());
    let open = hashes.map_or(1, |hashes| hashes + 2);
    let close = hashes.map_or(1, |hashes| hashes + 1);
    let range = open..code.len().checked_sub(close)?;
    let inside = code.get(range.clone())?;
    let quoted = code.get(..open)?.ends_with('"') && code.get(range.end..)?.starts_with('"');
    let escaped = |what: &str| inside.contains(what);
    let escapes = hashes.is_none() && ["\\u", "\\x", "\\\n", "\\\r"].into_iter().any(escaped);
    (quoted && !escapes).then(|| literal.start + range.start..literal.start + range.end)
}

/// The placeholders of a literal; `None` when one takes its width or precision from an argument.
fn placeholders(text: &str, literal: Range<usize>) -> Option<Vec<Placeholder>> {
    let mut found = Vec::new();
    let mut at = literal.start;
    while let Some(offset) = text.get(at..literal.end)?.find(['{', '}']) {
        let start = at + offset;
        let rest = text.get(start..literal.end)?;
        if rest.starts_with("{{") || rest.starts_with("}}") {
            at = start + 2;
            continue;
        }
        let end = start + rest.find('}')? + 1;
        let inside = text.get(start + 1..end - 1)?;
        if rest.starts_with('}') || inside.contains(['$', '*', '{']) {
            return None;
        }
        let argument = inside.split(':').next().unwrap_or(inside).trim();
        let numbered = argument.starts_with(|first: char| first.is_ascii_digit());
        let name = start + 1..start + 1 + inside.split(':').next().unwrap_or(inside).len();
        found.push(Placeholder { range: start..end, argument: name, numbered });
        at = end;
    }
    Some(found)
}

/// The arguments behind the literal; `None` when where they end is not plain to see.
fn written_arguments(text: &str, tokens: &[Token]) -> Option<Vec<WrittenArgument>> {
    let mut found: Vec<WrittenArgument> = Vec::new();
    let (mut depth, mut angles) = (0_u32, 0_u32);
    let mut comma = None;
    for (index, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Punctuation(b'<') if angles > 0 || is_turbofish(tokens, index) => angles += 1,
            TokenKind::Punctuation(b'>') if angles > 0 => angles -= 1,
            // Any other `<` may be a comparison, a `-` in brackets an arrow, and `$x` is code of a macro.
            TokenKind::Punctuation(b'-') if angles > 0 => return None,
            TokenKind::Comment | TokenKind::Punctuation(b'<' | b'$') => return None,
            TokenKind::Punctuation(b',') if depth == 0 && angles == 0 => {
                comma = Some(token.start);
                continue;
            }
            TokenKind::Punctuation(b'(' | b'[' | b'{') => depth += 1,
            TokenKind::Punctuation(b')' | b']' | b'}') => depth = depth.checked_sub(1)?,
            _ => {}
        }
        match (comma.take(), found.last_mut()) {
            (Some(start), _) => {
                let name = is_named(text, tokens.get(index..)?).then_some(token.start..token.end);
                let value = match name {
                    Some(_) => tokens.get(index + 2)?.start,
                    None => token.start,
                };
                found.push(WrittenArgument { range: start..token.end, name, value: value..token.end });
            }
            (None, Some(last)) => (last.range.end, last.value.end) = (token.end, token.end),
            (None, None) => return None,
        }
    }
    (angles == 0).then_some(found)
}

/// Whether code is a variable, a field or a call of a method without arguments.
fn is_simple(code: &str) -> bool {
    let names = code.replace("()", "");
    names.starts_with(|first: char| first == '_' || first.is_alphabetic())
        && names.chars().all(|c| c == '_' || c == '.' || c.is_alphanumeric())
}

/// Whether a `<` opens generic arguments: `random::<u64>()`.
fn is_turbofish(tokens: &[Token], index: usize) -> bool {
    let before = index.checked_sub(2).and_then(|start| tokens.get(start..index));
    before.is_some_and(|before| before.iter().all(|token| token.kind == TokenKind::Punctuation(b':')))
}

/// Whether an argument starts with `name =`.
fn is_named(text: &str, tokens: &[Token]) -> bool {
    let [name, equals, rest @ ..] = tokens else { return false };
    let is_equals = |token: &Token| text.get(token.start..token.end) == Some("=");
    name.kind == TokenKind::Identifier
        && is_equals(equals)
        && !rest.first().is_some_and(|next| next.start == equals.end && is_equals(next))
}

/// Where the label of a placeholder starts: `nonce=` in `:nonce={nonce}`.
fn label_start(before: &str) -> Option<usize> {
    let label = before.strip_suffix('=')?;
    let word = label.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
    Some(word.len())
}

fn is_separator(character: char) -> bool {
    character == ' ' || character.is_ascii_punctuation() && !matches!(character, '{' | '}' | '"' | '\\')
}

fn trailing_separators(text: &str) -> usize {
    text.len() - text.trim_end_matches(is_separator).len()
}

fn leading_separators(text: &str) -> usize {
    text.len() - text.trim_start_matches(is_separator).len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::applied;

    #[test]
    fn a_part_goes_with_its_separator() {
        for (call, placeholder, argument, expected) in [
            (r#"format!("{}:{}", a, b())"#, 1, Some(1), "a.to_string()"),
            (r#"format!("{}:{}", a(), b)"#, 0, Some(0), "b.to_string()"),
            (r#"format!("{a}:{b}")"#, 1, None, "a.to_string()"),
            (r#"format!("{a:>4}:{b}")"#, 1, None, r#"format!("{a:>4}")"#),
            (r#"format!("{:?}:{}", a, b)"#, 1, Some(1), r#"format!("{:?}", a)"#),
            (r#"format!("{}:{}", a + 1, b)"#, 1, Some(1), r#"format!("{}", a + 1)"#),
            (r#"format!("{}:{}", &a.id(), b)"#, 1, Some(1), "a.id().to_string()"),
            (r#"format!("{o}:{n}", n = b(), o = a.0)"#, 1, Some(0), "a.0.to_string()"),
            (r#"format!("{a}:{b}:{c}")"#, 1, None, r#"format!("{a}:{c}")"#),
            (r#"format!("{a}{b}{c}")"#, 1, None, r#"format!("{a}:{c}")"#),
            (r#"format!("{a}:{b}{c}")"#, 1, None, r#"format!("{a}:{c}")"#),
            (r#"format!("{a}{b}:{c}")"#, 1, None, r#"format!("{a}:{c}")"#),
            (r#"format!("charge:{a}:{b}")"#, 0, None, r#"format!("charge:{b}")"#),
            (r#"format!("charge-{a}{b}")"#, 0, None, r#"format!("charge-{b}")"#),
            (r#"format!("{a}-{b}-v1")"#, 1, None, r#"format!("{a}-v1")"#),
            (r#"format!("{a}-{b}v1")"#, 1, None, r#"format!("{a}-v1")"#),
            (r#"format!("a={a};n={n}")"#, 1, None, r#"format!("a={a}")"#),
            (r#"format!("n={n};a={a}")"#, 0, None, r#"format!("a={a}")"#),
            (r##"std::format![r#"{a}:{n}"#, n = b()]"##, 1, Some(0), "a.to_string()"),
            ("format!(\n  \"{}:{}:\",\n  a,\n  b(),\n)", 1, Some(1), "format!(\n  \"{}:\",\n  a,\n)"),
            (r#"format!("é{{{a}}}é-{b:>8}-é")"#, 1, None, r#"format!("é{{{a}}}é-é")"#),
            (r#"format!("{}:{}", a, r::<u64>())"#, 1, Some(1), "a.to_string()"),
            (r#"format!("{}:{}", f::<A, Vec<(B, C)>>(d), e)"#, 0, Some(0), "e.to_string()"),
        ] {
            let template = Template::read(call).unwrap_or_else(|| panic!("{call}"));
            let edits = template.without(placeholder, argument).unwrap();
            assert_eq!(applied(call, edits), expected);
        }
    }

    #[test]
    fn separators_go_between_parts_that_touch() {
        let call = r#"format!("charge:{a}{b}{}", c)"#;
        let template = Template::read(call).unwrap();
        assert_eq!(applied(call, template.separated(&[0, 1]).unwrap()), r#"format!("charge:{a}:{b}:{}", c)"#);
        assert_eq!(template.separated(&[2]), None, "nothing follows");
    }

    #[test]
    fn what_is_not_plain_is_not_edited() {
        for call in [
            r#"format!("{a}\u{7b}")"#,
            "format!(\"{a}\\\n  {b}\")",
            r#"format!("{a:w$}{b}")"#,
            r#"format!("{:.*}", 3, x)"#,
            r#"format!("{}{}", a::<fn(B) -> C, D>(), d)"#,
            r#"format!("{}{}", a < b, c > d)"#,
            r#"format!("{}{}", <A as B<C, D>>::e(), f)"#,
            r#"format!("{}{}", a, /* why */ b)"#,
            r#"format!("{}", $x)"#,
            r#"format!(concat!("{}", "{}"), a, b)"#,
            r#"println!("{a}{b}")"#,
            r#"key("{a}{b}")"#,
            r#"format!("{a}", b).len()"#,
            "",
        ] {
            assert_eq!(Template::read(call).map(|template| template.arguments()), None, "{call}");
        }
        let numbered = Template::read(r#"format!("{0}:{1}", a, b)"#).unwrap();
        assert_eq!(numbered.without(1, Some(1)), None);
        let only = Template::read(r#"format!("charge:{}", a())"#).unwrap();
        assert_eq!(only.without(0, Some(0)), None, "nothing would be left");
    }

    proptest::proptest! {
        #[test]
        fn any_text_can_be_read(parts in proptest::collection::vec(0..PARTS.len(), 0..24)) {
            let text: String = parts.into_iter().map(|part| PARTS[part]).collect();
            let text = format!("format!({text})");
            if let Some(template) = Template::read(&text) {
                for index in 0..template.placeholders() {
                    let edits = template.without(index, None).unwrap_or_default();
                    let edits = edits.into_iter().chain(template.separated(&[index]).unwrap_or_default());
                    for (range, _) in edits {
                        proptest::prop_assert!(text.get(range.clone()).is_some(), "{range:?} in {text:?}");
                    }
                }
            }
        }
    }

    const PARTS: [&str; 16] =
        ["\"", "{", "}", "{a}", "{}", ":", "=", "é", "\\", ",", "r#", "(", ")", " ", "x", "{0:>4}"];
}
