//! The texts that a hash becomes, and how many of its bits each one keeps.

use alloc::string::String;

use crate::error::ShapeError;
use crate::instant::{Precision, StoredInstant};

/// A text form of a derived key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Shape {
    /// 32 lower-case hexadecimal digits: 128 bits.
    Hex32,
    /// 64 lower-case hexadecimal digits: 256 bits.
    Hex64,
    /// 22 characters of unpadded base64url: 128 bits.
    Base64Url22,
    /// 43 characters of unpadded base64url: 256 bits.
    Base64Url43,
    /// A UUID that says version 4: 122 bits.
    UuidV4,
    /// A UUID that says version 5: 122 bits. It is cut from SHA-256, not SHA-1.
    UuidV5,
    /// A UUID that says version 7: a business instant and 74 bits.
    UuidV7,
    /// A UUID that says version 8, the version for private layouts: 122 bits.
    UuidV8,
}

impl Shape {
    /// Every shape.
    pub const ALL: &'static [Shape] = &[
        Self::Hex32,
        Self::Hex64,
        Self::Base64Url22,
        Self::Base64Url43,
        Self::UuidV4,
        Self::UuidV5,
        Self::UuidV7,
        Self::UuidV8,
    ];

    /// How many bits of the hash the text carries.
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Self::Hex32 | Self::Base64Url22 => 128,
            Self::Hex64 | Self::Base64Url43 => 256,
            Self::UuidV4 | Self::UuidV5 | Self::UuidV8 => 122,
            Self::UuidV7 => 74,
        }
    }

    /// How many characters the text has.
    #[must_use]
    pub const fn len(self) -> usize {
        match self {
            Self::Hex32 => 32,
            Self::Hex64 => 64,
            Self::Base64Url22 => 22,
            Self::Base64Url43 => 43,
            Self::UuidV4 | Self::UuidV5 | Self::UuidV7 | Self::UuidV8 => 36,
        }
    }

    /// Never: every shape has characters.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        false
    }
}

/// Renders a hash in a shape that needs nothing else. Version 7 gets the time 0
/// here; callers that let it out pass through [`render_uuid_v7`].
pub(crate) fn render(digest: &[u8; 32], shape: Shape) -> String {
    let half = first_half(digest);
    match shape {
        Shape::Hex32 => hex(&half),
        Shape::Hex64 => hex(digest),
        Shape::Base64Url22 => base64url(&half),
        Shape::Base64Url43 => base64url(digest),
        Shape::UuidV4 => uuid(half, 4),
        Shape::UuidV5 => uuid(half, 5),
        Shape::UuidV7 => uuid(half, 7),
        Shape::UuidV8 => uuid(half, 8),
    }
}

/// Renders a hash as a version 7 UUID: 48 bits of milliseconds since 1970, then
/// the bits of the hash that stand at the same places in the other UUIDs.
pub(crate) fn render_uuid_v7(digest: &[u8; 32], at: StoredInstant) -> Result<String, ShapeError> {
    let millis = at.unix_nanos().div_euclid(Precision::Millisecond.nanos());
    if !(0..1 << 48).contains(&millis) {
        return Err(ShapeError::InstantOutOfRange);
    }
    let half = first_half(digest);
    let low_80_bits = u128::from_be_bytes(half) & ((1 << 80) - 1);
    let value = millis.unsigned_abs() << 80 | low_80_bits;
    Ok(uuid(value.to_be_bytes(), 7))
}

/// Writes 16 bytes as a UUID of a version, with the RFC 9562 variant.
pub(crate) fn uuid(bytes: [u8; 16], version: u128) -> String {
    let value = u128::from_be_bytes(bytes);
    let versioned = value & !(0xf << 76) | version << 76;
    let variant = versioned & !(0b11 << 62) | 0b10 << 62;
    hyphenated(variant)
}

/// Writes a UUID value as text.
pub(crate) fn hyphenated(value: u128) -> String {
    let digits = hex(&value.to_be_bytes());
    let mut text = String::with_capacity(36);
    for (index, digit) in digits.chars().enumerate() {
        if matches!(index, 8 | 12 | 16 | 20) {
            text.push('-');
        }
        text.push(digit);
    }
    text
}

/// Writes bytes as lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|digit| char::from_digit(u32::from(digit), 16))
        .collect()
}

fn base64url(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let bits =
            chunk.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for index in 0..=chunk.len() {
            text.push(base64url_digit(bits >> (18 - 6 * index) & 63));
        }
    }
    text
}

fn base64url_digit(value: u32) -> char {
    let base = match value {
        0..26 => u32::from('A') + value,
        26..52 => u32::from('a') + value - 26,
        52..62 => u32::from('0') + value - 52,
        62 => u32::from('-'),
        _ => u32::from('_'),
    };
    char::from_u32(base).unwrap_or('_')
}

fn first_half(digest: &[u8; 32]) -> [u8; 16] {
    let mut half = [0; 16];
    half.copy_from_slice(&digest[..16]);
    half
}
