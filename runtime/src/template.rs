//! Keys that are already live: literal text and values, joined and digested.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use sha2::{Digest as _, Sha256};

use crate::error::KeyError;
use crate::key::Key;
use crate::sha1::sha1;
use crate::shape::{hex, uuid};

/// What is done with the joined text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemplateDigest {
    /// It is the key.
    None,
    /// SHA-256 in hexadecimal, cut to a number of digits.
    Sha256(usize),
    /// A version 5 UUID in a namespace.
    Uuid5([u8; 16]),
}

/// Literal text around the values: always one more than there are values.
#[derive(Clone, Copy, Debug)]
pub struct Template {
    /// The text before each value and after the last.
    pub literals: &'static [&'static str],
    /// What is done with the joined text.
    pub digest: TemplateDigest,
}

/// A field and its text, if it has one.
pub type TemplateValue<'a> = (&'static str, Option<Cow<'a, str>>);

/// Why a value cannot stand in a template: the value's position, and that of the separator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It has no text.
    NoText(usize),
    /// Its text is empty.
    Empty(usize),
    /// Its text contains the literal after the value at the second position.
    ContainsSeparator(usize, usize),
    /// The joined text could be cut in another way.
    Ambiguous(usize),
}

impl Template {
    /// Joins and digests the values.
    ///
    /// # Errors
    ///
    /// [`KeyError`] when a value is empty, has no text, contains a separator, or
    /// when the joined text could be cut in another way.
    pub fn key(&self, values: &[TemplateValue<'_>]) -> Result<Key, KeyError> {
        let texts: Vec<Option<&str>> = values.iter().map(|(_, text)| text.as_deref()).collect();
        let field = |index: usize| values.get(index).map_or("", |(field, _)| *field);
        live_key(self.literals, self.digest, &texts).map_err(|refusal| match refusal {
            Refusal::NoText(index) => KeyError::NoText { field: field(index) },
            Refusal::Empty(index) => KeyError::EmptyValue { field: field(index) },
            Refusal::ContainsSeparator(index, separator) => KeyError::ContainsSeparator {
                field: field(index),
                separator: self.literals.get(separator + 1).copied().unwrap_or_default(),
            },
            Refusal::Ambiguous(index) => KeyError::Ambiguous { field: field(index) },
        })
    }
}

/// Joins texts with the literals around them and digests the result.
///
/// # Errors
///
/// [`Refusal`] of the first value that would make the text ambiguous.
pub fn live_key(literals: &[&str], digest: TemplateDigest, texts: &[Option<&str>]) -> Result<Key, Refusal> {
    let separators = match literals {
        [_, between @ .., _] => between,
        _ => &[],
    };
    let values = checked(texts, separators)?;
    let joined = join(literals, &values);
    check_cuts(&joined, literals, separators, &values)?;
    Ok(Key::live(digest.apply(&joined)))
}

fn checked<'v>(texts: &[Option<&'v str>], separators: &[&str]) -> Result<Vec<&'v str>, Refusal> {
    let check = |(index, text): (usize, &Option<&'v str>)| {
        let text = text.ok_or(Refusal::NoText(index))?;
        if text.is_empty() {
            return Err(Refusal::Empty(index));
        }
        match separators.iter().position(|separator| text.contains(*separator)) {
            Some(separator) => Err(Refusal::ContainsSeparator(index, separator)),
            None => Ok(text),
        }
    };
    texts.iter().enumerate().map(check).collect()
}

fn join(literals: &[&str], values: &[&str]) -> String {
    let mut joined = String::new();
    for (index, literal) in literals.iter().enumerate() {
        joined.push_str(literal);
        if let Some(value) = values.get(index) {
            joined.push_str(value);
        }
    }
    joined
}

/// Reads the joined text from the left. When that gives the values back for
/// every accepted identity, two identities cannot have the same text.
fn check_cuts(joined: &str, literals: &[&str], separators: &[&str], values: &[&str]) -> Result<(), Refusal> {
    let first = literals.first().map_or(0, |literal| literal.len());
    let mut rest = joined.get(first..).unwrap_or_default();
    for (index, (separator, value)) in separators.iter().zip(values).enumerate() {
        match rest.split_once(separator) {
            Some((cut, tail)) if cut == *value => rest = tail,
            _ => return Err(Refusal::Ambiguous(index)),
        }
    }
    Ok(())
}

impl TemplateDigest {
    fn apply(self, text: &str) -> String {
        match self {
            Self::None => text.into(),
            Self::Sha256(digits) => {
                let mut key = hex(&Sha256::digest(text.as_bytes()));
                key.truncate(digits);
                key
            }
            Self::Uuid5(namespace) => {
                let digest = sha1(&[&namespace, text.as_bytes()]);
                let mut bytes = [0; 16];
                bytes.copy_from_slice(&digest[..16]);
                uuid(bytes, 5)
            }
        }
    }
}
