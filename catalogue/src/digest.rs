//! Digests and encodings: how much of a value is left in them.

/// What a digest yields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DigestForm {
    /// Bytes.
    Bytes,
    /// A text of hexadecimal digits.
    Hex,
    /// A number.
    Number,
    /// The text of its argument in another alphabet: no digest by itself.
    Encoding,
}

/// A digest, or an encoding of bytes as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest {
    /// Unique, kebab-case; formulas show it: `sha256(..)`.
    pub name: &'static str,
    /// Bits of the result; for an encoding, of each character.
    pub bits: u16,
    /// What it yields.
    pub form: DigestForm,
    /// Whether a secret goes into it.
    pub keyed: bool,
    /// Hashers, by canonical path.
    pub types: &'static [&'static str],
    /// Functions that hash their argument in one go.
    pub calls: &'static [&'static str],
    /// Methods of any type.
    pub methods: &'static [&'static str],
    /// Crate version and place, or link, from which the fact comes.
    pub evidence: &'static str,
}
