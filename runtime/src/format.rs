//! The constants of key format version 1; `docs/key-format.md` explains them.

/// First bytes of every encoded identity.
pub(crate) const MAGIC: &[u8] = b"samekey";

/// The format version that follows the magic.
pub(crate) const VERSION: u8 = 1;

/// Mode byte of a key that anybody can recompute.
pub(crate) const MODE_PLAIN: u8 = 0;

/// Mode byte of a key that only the holder of a secret can recompute.
pub(crate) const MODE_HMAC: u8 = 1;

/// Largest encoded identity, in bytes, that the fallible calls accept.
///
/// More than that is a document and not an identity. The limit is the same in
/// every language.
pub const MAX_ENCODED_BYTES: usize = 1 << 20;

/// Longest name of a namespace, operation, field, variant or secret, in bytes.
pub const MAX_NAME_BYTES: usize = 128;

/// The kind of an encoded value, written as one byte before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[non_exhaustive]
pub enum Tag {
    /// `false` or `true`.
    Boolean = 0x01,
    /// An integer of any width.
    Integer = 0x02,
    /// UTF-8 text, as it is.
    Text = 0x03,
    /// Raw bytes.
    Bytes = 0x04,
    /// An optional value that is absent.
    None = 0x05,
    /// An optional value that is present.
    Some = 0x06,
    /// Values in order.
    List = 0x07,
    /// Values sorted by their encoding.
    Set = 0x08,
    /// Key and value pairs sorted by their encoding.
    Map = 0x09,
    /// Named values sorted by name.
    Record = 0x0a,
    /// A variant name and its named values.
    Variant = 0x0b,
    /// A decimal number without trailing zeros.
    Decimal = 0x0c,
    /// A day of the Gregorian calendar.
    Date = 0x0d,
    /// A stored point in time.
    Instant = 0x0e,
    /// A UUID.
    Uuid = 0x0f,
    /// A ULID.
    Ulid = 0x10,
}

impl Tag {
    /// The byte that stands for this kind.
    #[must_use]
    pub const fn byte(self) -> u8 {
        self as u8
    }
}
