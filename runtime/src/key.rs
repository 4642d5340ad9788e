//! The key: what is sent to a provider or stored in a claim row.

use alloc::string::String;
use core::fmt;
use core::hash::{Hash, Hasher};

use crate::error::{ProviderError, ShapeError};
use crate::instant::StoredInstant;
use crate::provider::Provider;
use crate::shape::{self, Shape};

/// An idempotency key.
///
/// `Display` and [`as_str`](Self::as_str) give the text to send: 32 hexadecimal
/// digits (128 bits) unless another shape was asked for. Two keys are equal when
/// their texts are.
///
/// ```
/// # use samekey::{Idempotent, Provider};
/// # #[derive(Idempotent)]
/// # #[idempotent(namespace = "billing", operation = "charge.monthly")]
/// # struct Charge { #[idempotent(identity)] customer_id: String }
/// # let charge = Charge { customer_id: "cust_123".into() };
/// let key = charge.idempotency_key();
/// assert_eq!(key.as_str().len(), 32);
/// let uuid = key.for_provider(Provider::CoinbaseCdp)?;
/// assert_eq!(uuid.as_str().len(), 36);
/// # Ok::<(), samekey::ProviderError>(())
/// ```
#[derive(Clone)]
pub struct Key {
    text: String,
    origin: Origin,
}

#[derive(Clone)]
enum Origin {
    Derived { digest: [u8; 32], shape: Shape, keyed: bool },
    Live,
    Stored,
}

impl Key {
    pub(crate) fn derived(digest: [u8; 32], keyed: bool) -> Self {
        let shape = Shape::Hex32;
        Self { text: shape::render(&digest, shape), origin: Origin::Derived { digest, shape, keyed } }
    }

    pub(crate) fn live(text: String) -> Self {
        Self { text, origin: Origin::Live }
    }

    /// A key that was read back from where it was stored before it was sent.
    #[must_use]
    pub fn stored(text: impl Into<String>) -> Self {
        Self { text: text.into(), origin: Origin::Stored }
    }

    /// The key that was already sent, if there is one, else this one.
    ///
    /// Resume a claim with it: when the way a key is made changes, a charge that
    /// is in flight must keep the key that it went out with. An empty stored
    /// text was never sent and counts as absent.
    ///
    /// ```
    /// # use samekey::Key;
    /// # let key = Key::stored("derived");
    /// let column: Option<&str> = Some("key_sent_before_the_release");
    /// assert_eq!(key.clone().or_stored(column).as_str(), "key_sent_before_the_release");
    /// assert_eq!(key.or_stored(None::<&str>).as_str(), "derived");
    /// ```
    #[must_use]
    pub fn or_stored(self, stored: Option<impl AsRef<str>>) -> Self {
        match stored {
            Some(text) if !text.as_ref().is_empty() => Self::stored(text.as_ref()),
            _ => self,
        }
    }

    /// The text to send.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// How many bits of the hash the text carries; nothing is known of the bits
    /// of a live or stored key.
    #[must_use]
    pub const fn bits(&self) -> Option<u32> {
        match self.origin {
            Origin::Derived { shape, .. } => Some(shape.bits()),
            Origin::Live | Origin::Stored => None,
        }
    }

    /// The whole hash behind a derived key.
    #[must_use]
    pub const fn digest(&self) -> Option<&[u8; 32]> {
        match &self.origin {
            Origin::Derived { digest, .. } => Some(digest),
            Origin::Live | Origin::Stored => None,
        }
    }

    /// The same key in another shape.
    ///
    /// # Errors
    ///
    /// [`ShapeError::Verbatim`] for a live or stored key, and
    /// [`ShapeError::NeedsInstant`] for [`Shape::UuidV7`].
    pub fn to_shape(&self, shape: Shape) -> Result<Self, ShapeError> {
        if shape == Shape::UuidV7 {
            return Err(ShapeError::NeedsInstant);
        }
        self.reshaped(shape, |digest| Ok(shape::render(digest, shape)))
    }

    /// The same key as a version 7 UUID that begins with a business instant.
    ///
    /// Pass an instant that is fixed for the intent, such as the start of the
    /// billing period or the stored creation time of the order, never the clock.
    /// Digits below a millisecond are not part of the UUID.
    ///
    /// # Errors
    ///
    /// [`ShapeError::Verbatim`] for a live or stored key, and
    /// [`ShapeError::InstantOutOfRange`] outside the years 1970 to 10889.
    pub fn uuid_v7(&self, at: StoredInstant) -> Result<Self, ShapeError> {
        self.reshaped(Shape::UuidV7, |digest| shape::render_uuid_v7(digest, at))
    }

    fn reshaped(
        &self,
        shape: Shape,
        render: impl FnOnce(&[u8; 32]) -> Result<String, ShapeError>,
    ) -> Result<Self, ShapeError> {
        let Origin::Derived { digest, keyed, .. } = &self.origin else {
            return Err(ShapeError::Verbatim);
        };
        Ok(Self { text: render(digest)?, origin: Origin::Derived { digest: *digest, shape, keyed: *keyed } })
    }

    /// The same key in the shape that a provider takes.
    ///
    /// The choice per provider is part of key format 1 and never changes. A live
    /// or stored key is checked against the provider's rules and not altered.
    ///
    /// # Errors
    ///
    /// [`ProviderError`] when nothing fits; a key is never cut.
    pub fn for_provider(&self, provider: Provider) -> Result<Self, ProviderError> {
        provider.shape_key(self, None)
    }

    /// As [`for_provider`](Self::for_provider), with a business instant for the
    /// providers that take version 7 UUIDs only.
    ///
    /// # Errors
    ///
    /// As [`for_provider`](Self::for_provider) and [`uuid_v7`](Self::uuid_v7).
    pub fn for_provider_at(&self, provider: Provider, at: StoredInstant) -> Result<Self, ProviderError> {
        provider.shape_key(self, Some(at))
    }

    /// Whether the text may reveal something that only a secret's holder knows.
    pub(crate) const fn is_sensitive(&self) -> bool {
        matches!(self.origin, Origin::Derived { keyed: true, .. } | Origin::Stored)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&self.text)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_sensitive() {
            formatter.write_str("Key(<hidden>)")
        } else {
            formatter.debug_tuple("Key").field(&self.text).finish()
        }
    }
}

impl AsRef<str> for Key {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl From<Key> for String {
    fn from(key: Key) -> Self {
        key.text
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}
