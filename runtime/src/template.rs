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

impl Template {
    /// Joins and digests the values.
    ///
    /// # Errors
    ///
    /// [`KeyError`] when a value is empty, has no text, contains a separator, or
    /// when the joined text could be cut in another way.
    pub fn key(&self, values: &[TemplateValue<'_>]) -> Result<Key, KeyError> {
        let values = checked(values, self.separators())?;
        let joined = self.join(&values);
        self.check_cuts(&joined, &values)?;
        Ok(Key::live(self.digest.apply(&joined)))
    }

    /// The literals that stand between two values.
    fn separators(&self) -> &'static [&'static str] {
        match self.literals {
            [_, between @ .., _] => between,
            _ => &[],
        }
    }

    fn join(&self, values: &[(&'static str, &str)]) -> String {
        let mut joined = String::new();
        for (index, literal) in self.literals.iter().enumerate() {
            joined.push_str(literal);
            if let Some((_, value)) = values.get(index) {
                joined.push_str(value);
            }
        }
        joined
    }

    /// Reads the joined text from the left. When that gives the values back for
    /// every accepted identity, two identities cannot have the same text.
    fn check_cuts(&self, joined: &str, values: &[(&'static str, &str)]) -> Result<(), KeyError> {
        let first = self.literals.first().map_or(0, |literal| literal.len());
        let mut rest = joined.get(first..).unwrap_or_default();
        for (separator, (field, value)) in self.separators().iter().zip(values) {
            match rest.split_once(separator) {
                Some((cut, tail)) if cut == *value => rest = tail,
                _ => return Err(KeyError::Ambiguous { field }),
            }
        }
        Ok(())
    }
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

fn checked<'v>(
    values: &'v [TemplateValue<'_>],
    separators: &'static [&'static str],
) -> Result<Vec<(&'static str, &'v str)>, KeyError> {
    values
        .iter()
        .map(|(field, text)| {
            let text = text.as_deref().ok_or(KeyError::NoText { field })?;
            if text.is_empty() {
                return Err(KeyError::EmptyValue { field });
            }
            match separators.iter().find(|separator| text.contains(**separator)) {
                Some(separator) => Err(KeyError::ContainsSeparator { field, separator }),
                None => Ok((*field, text)),
            }
        })
        .collect()
}
