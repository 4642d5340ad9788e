//! A fingerprint of what a type encodes, computed at compile time.

use crate::format::Tag;

const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// A 64-bit FNV-1a hash over the names and tags that a type encodes.
///
/// Two types with the same schema encode equal values to equal bytes. It guards
/// against accidents (`pin`), not against an adversary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Schema(u64);

impl Schema {
    /// The schema of a value that contains no other value.
    #[must_use]
    pub const fn of(tag: Tag) -> Self {
        Self(OFFSET_BASIS).byte(tag.byte())
    }

    /// Adds a value that stands inside, by position.
    #[must_use]
    pub const fn with(self, inner: Schema) -> Self {
        self.bytes(&inner.0.to_be_bytes())
    }

    /// Adds a value that stands inside, by name. Names come sorted.
    #[must_use]
    pub const fn field(self, name: &str, inner: Schema) -> Self {
        self.text(name).with(inner)
    }

    /// Adds the version of an operation.
    pub(crate) const fn with_version(self, version: u32) -> Self {
        self.bytes(&version.to_be_bytes())
    }

    /// Adds a name of its own, such as the one of a variant.
    #[must_use]
    pub const fn text(self, text: &str) -> Self {
        let length = text.len() as u64;
        self.bytes(&length.to_be_bytes()).bytes(text.as_bytes())
    }

    /// The 16 hexadecimal digits that `pin` takes.
    #[must_use]
    pub const fn hex(self) -> [u8; 16] {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut text = [0; 16];
        let mut index = 0;
        while index < 16 {
            text[index] = DIGITS[(self.0 >> (60 - 4 * index) & 15) as usize];
            index += 1;
        }
        text
    }

    const fn bytes(mut self, bytes: &[u8]) -> Self {
        let mut index = 0;
        while index < bytes.len() {
            self = self.byte(bytes[index]);
            index += 1;
        }
        self
    }

    const fn byte(self, byte: u8) -> Self {
        Self((self.0 ^ byte as u64).wrapping_mul(PRIME))
    }
}
