//! What providers accept as a key.

/// The characters that a provider accepts in a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Charset {
    /// No limit is known.
    Any,
    /// Printable ASCII.
    PrintableAscii,
    /// Printable ASCII without spaces.
    AsciiNoSpace,
    /// Letters, digits, hyphen, underscore and space.
    AlphanumericDashSpace,
    /// Letters, digits and hyphen.
    AlphanumericDash,
    /// Lower-case letters, digits and hyphen (a DNS label).
    DnsLabel,
    /// The text of a UUID.
    UuidText,
    /// Decimal digits.
    Digits,
}

/// Whether a provider demands a UUID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UuidRule {
    /// Any text.
    Any,
    /// A UUID of any version.
    Required,
    /// Version 4 (or shaped like it) only.
    V4,
    /// Version 7 (or shaped like it) only.
    V7,
    /// The provider advises one and does not check.
    Recommended,
}

/// A provider of an API that takes keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Provider {
    /// Unique, kebab-case.
    pub id: &'static str,
    /// Name as its owner writes it.
    pub name: &'static str,
    /// Host names by which its requests are recognised (a suffix matches).
    pub hosts: &'static [&'static str],
    /// The header that carries the key, if one does.
    pub header: Option<&'static str>,
    /// Headers that look like the one that carries the key, and that it does not read; in lower case.
    pub ignores: &'static [&'static str],
    /// The limits are those of most of its services, and some take more or less.
    pub varies: bool,
    /// Longest key in characters.
    pub max_len: Option<u16>,
    /// Shortest key in characters.
    pub min_len: Option<u16>,
    /// Accepted characters.
    pub charset: Charset,
    /// Whether a UUID is demanded.
    pub uuid: UuidRule,
    /// How long a key is remembered, in words.
    pub retention: &'static str,
    /// The same in seconds where one number is known; the shortest if several.
    pub retention_seconds: Option<u32>,
    /// Whether other parameters under an equal key are refused.
    pub compares: bool,
    /// What an equal key does: which answers are replayed, what is compared.
    pub replays: &'static str,
    /// Where the facts come from.
    pub evidence: &'static str,
}
