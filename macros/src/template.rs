//! The template of a live key, and what becomes of its text.

use proc_macro2::Span;
use syn::LitStr;

use crate::errors::Errors;

/// Fewest and most hexadecimal digits that a live key keeps of a hash.
const SHA256_DIGITS: std::ops::RangeInclusive<usize> = 8..=64;

/// Namespaces of RFC 9562 by name.
const NAMESPACES: [(&str, u128); 4] = [
    ("dns", 0x6ba7_b810_9dad_11d1_80b4_00c0_4fd4_30c8),
    ("url", 0x6ba7_b811_9dad_11d1_80b4_00c0_4fd4_30c8),
    ("oid", 0x6ba7_b812_9dad_11d1_80b4_00c0_4fd4_30c8),
    ("x500", 0x6ba7_b814_9dad_11d1_80b4_00c0_4fd4_30c8),
];

/// Literal text and field names in turn: one literal more than fields.
pub(crate) struct Template {
    pub(crate) span: Span,
    pub(crate) literals: Vec<String>,
    pub(crate) fields: Vec<String>,
}

impl Template {
    /// Reads `"{customer_id}:{billing_period}:monthly"`.
    pub(crate) fn read(literal: &LitStr, errors: &mut Errors) -> Option<Self> {
        match Self::parse(&literal.value(), literal.span()) {
            Ok(template) => Some(template),
            Err(message) => {
                errors.at(literal.span(), message);
                None
            }
        }
    }

    fn parse(text: &str, span: Span) -> Result<Self, String> {
        let mut literals = vec![String::new()];
        let mut fields = Vec::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            let (before, from) = rest.split_at(at);
            push(&mut literals, before);
            if let Some(tail) = from.strip_prefix("{{") {
                push(&mut literals, "{");
                rest = tail;
            } else if let Some(tail) = from.strip_prefix("}}") {
                push(&mut literals, "}");
                rest = tail;
            } else {
                let (name, tail) = placeholder(from)?;
                fields.push(name.to_owned());
                literals.push(String::new());
                rest = tail;
            }
        }
        push(&mut literals, rest);
        check(&literals, &fields)?;
        Ok(Self { span, literals, fields })
    }
}

fn push(literals: &mut [String], text: &str) {
    if let Some(last) = literals.last_mut() {
        last.push_str(text);
    }
}

fn placeholder(text: &str) -> Result<(&str, &str), String> {
    let inner = text
        .strip_prefix('{')
        .ok_or("a `}` stands alone in the template: write `}}` for the character itself")?;
    let (name, tail) = inner
        .split_once('}')
        .ok_or("a `{` is not closed in the template: write `{{` for the character itself")?;
    if name.is_empty() {
        return Err("`{}` names no field: write `{field}`".into());
    }
    if name.contains([':', '{', ' ']) {
        return Err(format!("`{{{name}}}` is no field name: values have one text, without a format"));
    }
    Ok((name, tail))
}

fn check(literals: &[String], fields: &[String]) -> Result<(), String> {
    if fields.is_empty() {
        return Err("the template uses no field, so every operation would have the same key".into());
    }
    let between = literals.get(1..literals.len() - 1).unwrap_or_default();
    if let Some(index) = between.iter().position(String::is_empty) {
        let (left, right) = (&fields[index], &fields[index + 1]);
        return Err(format!(
            "nothing separates `{left}` from `{right}`: \"1\" and \"23\" would give the key of \"12\" and \"3\""
        ));
    }
    Ok(())
}

/// What becomes of the text of a template.
pub(crate) struct Digest {
    /// As written, for the schema.
    pub(crate) text: String,
    pub(crate) kind: DigestKind,
}

/// The kinds of [`Digest`].
pub(crate) enum DigestKind {
    None,
    Sha256(usize),
    Uuid5([u8; 16]),
}

impl Digest {
    /// Reads `"none"`, `"sha256/32"` or `"uuid5(namespace)"`.
    pub(crate) fn read(literal: &LitStr, errors: &mut Errors) -> Option<Self> {
        let text = literal.value();
        match DigestKind::parse(&text) {
            Ok(kind) => Some(Self { text, kind }),
            Err(message) => {
                errors.at(literal.span(), message);
                None
            }
        }
    }
}

impl DigestKind {
    fn parse(text: &str) -> Result<Self, String> {
        if text == "none" {
            return Ok(Self::None);
        }
        if let Some(digits) = text.strip_prefix("sha256/") {
            return match digits.parse() {
                Ok(digits) if SHA256_DIGITS.contains(&digits) => Ok(Self::Sha256(digits)),
                _ => Err("`sha256/N` keeps N hexadecimal digits, from 8 to 64".into()),
            };
        }
        let inner = text.strip_prefix("uuid5(").and_then(|rest| rest.strip_suffix(')'));
        match inner {
            Some(namespace) => uuid_namespace(namespace)
                .map(Self::Uuid5)
                .ok_or_else(|| "`uuid5(..)` takes a UUID or `dns`, `url`, `oid`, `x500`".into()),
            None => Err(
                "`digest` takes \"none\", \"sha256/N\" with N hexadecimal digits, or \"uuid5(namespace)\""
                    .into(),
            ),
        }
    }
}

fn uuid_namespace(text: &str) -> Option<[u8; 16]> {
    if let Some((_, value)) = NAMESPACES.iter().find(|(name, _)| *name == text) {
        return Some(value.to_be_bytes());
    }
    let groups: Vec<_> = text.split('-').map(str::len).collect();
    let is_uuid =
        groups == [8, 4, 4, 4, 12] && text.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit());
    let digits = is_uuid.then(|| text.replace('-', ""))?;
    u128::from_str_radix(&digits, 16).ok().map(u128::to_be_bytes)
}
