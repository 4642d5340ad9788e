//! The template of a live key, and what becomes of its text.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::RangeInclusive;

/// Fewest and most hexadecimal digits that a live key keeps of a hash.
const SHA256_DIGITS: RangeInclusive<usize> = 8..=64;

/// Namespaces of RFC 9562 by name.
const NAMESPACES: [(&str, u128); 4] = [
    ("dns", 0x6ba7_b810_9dad_11d1_80b4_00c0_4fd4_30c8),
    ("url", 0x6ba7_b811_9dad_11d1_80b4_00c0_4fd4_30c8),
    ("oid", 0x6ba7_b812_9dad_11d1_80b4_00c0_4fd4_30c8),
    ("x500", 0x6ba7_b814_9dad_11d1_80b4_00c0_4fd4_30c8),
];

/// Literal text and field names in turn: one literal more than fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// The text before each value and after the last.
    pub literals: Vec<String>,
    /// The fields whose values stand between them.
    pub fields: Vec<String>,
}

impl Template {
    /// Reads `"{customer_id}:{billing_period}:monthly"`.
    ///
    /// # Errors
    ///
    /// What is wrong with the text and what to write instead.
    pub fn parse(text: &str) -> Result<Self, String> {
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
        Ok(Self { literals, fields })
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Digest {
    /// It is the key.
    None,
    /// SHA-256 in hexadecimal, cut to a number of digits.
    Sha256(usize),
    /// A version 5 UUID in a namespace.
    Uuid5([u8; 16]),
}

impl Digest {
    /// Reads `"none"`, `"sha256/32"` or `"uuid5(namespace)"`.
    ///
    /// # Errors
    ///
    /// What is wrong with the text and what to write instead.
    pub fn parse(text: &str) -> Result<Self, String> {
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
