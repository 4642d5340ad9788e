//! What can be refused, as types.

use core::error::Error;
use core::fmt;

use crate::instant::Precision;
use crate::provider::Provider;

/// Why no key was derived.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyError {
    /// The identity is larger than [`MAX_ENCODED_BYTES`](crate::MAX_ENCODED_BYTES).
    TooLarge {
        /// Size of the encoded identity in bytes.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// A point in time has digits that its store does not keep.
    FinerThanStored {
        /// The precision that the field declares.
        precision: Precision,
    },
    /// A template value is empty, so its place in the key is ambiguous.
    EmptyValue {
        /// The field.
        field: &'static str,
    },
    /// A template value contains the text that separates values.
    ContainsSeparator {
        /// The field.
        field: &'static str,
        /// The text that it contains.
        separator: &'static str,
    },
    /// The values next to a separator could be cut in another place.
    Ambiguous {
        /// The field.
        field: &'static str,
    },
    /// A template value has no single text, such as an optional or a list.
    NoText {
        /// The field.
        field: &'static str,
    },
    /// A template reproduces a key that is already live, which has no secret.
    SecretWithTemplate,
}

impl fmt::Display for KeyError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { bytes, limit } => write!(
                formatter,
                "the identity has {bytes} bytes, more than {limit}: mark the ids and not the documents"
            ),
            Self::FinerThanStored { precision } => write!(
                formatter,
                "a point in time is finer than the {} that its store keeps: use the value that was read back",
                precision.word()
            ),
            Self::EmptyValue { field } => {
                write!(formatter, "`{field}` is empty and cannot stand in a template")
            }
            Self::ContainsSeparator { field, separator } => write!(
                formatter,
                "`{field}` contains {separator:?}, which separates the values of the template"
            ),
            Self::Ambiguous { field } => {
                write!(formatter, "`{field}` and the separator after it could be read in two ways")
            }
            Self::NoText { field } => {
                write!(formatter, "`{field}` has no single text to put into the template")
            }
            Self::SecretWithTemplate => formatter.write_str(
                "a template reproduces a live key, which has no secret: use `try_idempotency_key`",
            ),
        }
    }
}

impl Error for KeyError {}

/// Why a secret was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SecretError {
    /// The id is empty, too long or not printable ASCII without spaces.
    Id,
    /// The secret has too few bytes.
    TooShort {
        /// The fewest bytes that are accepted.
        minimum: usize,
    },
    /// The secret has more bytes than the hash takes.
    TooLong,
}

impl fmt::Display for SecretError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id => {
                formatter.write_str("the id of a secret has 1 to 128 printable ASCII characters, no spaces")
            }
            Self::TooShort { minimum } => {
                write!(formatter, "a secret has at least {minimum} bytes")
            }
            Self::TooLong => formatter.write_str("the secret is too long"),
        }
    }
}

impl Error for SecretError {}

/// Why a key has no such shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShapeError {
    /// The key is live or stored: it is sent as it is or not at all.
    Verbatim,
    /// A version 7 UUID carries a time, so it needs a business instant.
    NeedsInstant,
    /// The business instant is before 1970 or after the year 10889.
    InstantOutOfRange,
}

impl fmt::Display for ShapeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Verbatim => "a live or stored key cannot take another shape",
            Self::NeedsInstant => "a version 7 UUID needs a business instant: use `uuid_v7`",
            Self::InstantOutOfRange => "a version 7 UUID holds instants from 1970 to 10889 only",
        })
    }
}

impl Error for ShapeError {}

/// Why a provider does not take a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProviderError {
    /// The provider takes only version 7 UUIDs: use `for_provider_at`.
    NeedsInstant {
        /// The provider.
        provider: Provider,
    },
    /// The provider takes no text that a hash could become.
    NothingFits {
        /// The provider.
        provider: Provider,
        /// What it takes instead.
        takes: &'static str,
    },
    /// A live or stored key breaks the rules of the provider.
    Refused {
        /// The provider.
        provider: Provider,
        /// The rule.
        rule: &'static str,
    },
    /// The key has no shape for this provider.
    Shape(ShapeError),
}

impl fmt::Display for ProviderError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NeedsInstant { provider } => write!(
                formatter,
                "{provider} takes version 7 UUIDs only: use `for_provider_at` with a business instant"
            ),
            Self::NothingFits { provider, takes } => {
                write!(formatter, "{provider} takes {takes}, which no derived key is")
            }
            Self::Refused { provider, rule } => {
                write!(formatter, "{provider} refuses this key: {rule}")
            }
            Self::Shape(error) => error.fmt(formatter),
        }
    }
}

impl Error for ProviderError {}

impl From<ShapeError> for ProviderError {
    fn from(error: ShapeError) -> Self {
        Self::Shape(error)
    }
}
