//! A business operation that must happen once, and its key.

use alloc::vec::Vec;

use sha2::{Digest, Sha256};

use crate::encode::{Record, encode_intent};
use crate::error::KeyError;
use crate::format::MAX_ENCODED_BYTES;
use crate::key::Key;
use crate::schema::Schema;
use crate::secret::Secret;

/// What is fixed about an intent: its names, version and schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Operation {
    /// Who owns the operation; keeps two services apart.
    pub namespace: &'static str,
    /// What is done.
    pub name: &'static str,
    /// The author's version of how the key is made.
    pub version: u32,
    /// The names and types of the identity.
    pub schema: Schema,
}

impl Operation {
    /// Puts the names, version and identity together.
    #[must_use]
    pub const fn new(namespace: &'static str, name: &'static str, version: u32, fields: Schema) -> Self {
        let schema = fields.text(namespace).text(name).with_version(version);
        Self { namespace, name, version, schema }
    }
}

/// One business operation that must happen once, derived with
/// [`#[derive(Idempotent)]`](derive@crate::Idempotent).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an intent that has an idempotency key",
    label = "no `Idempotent` here",
    note = "derive it: `#[derive(samekey::Idempotent)]` with a namespace, an operation and the fields of the identity"
)]
pub trait Idempotent {
    /// The operation whose intents the type holds.
    const OPERATION: Operation;

    /// Writes the identity.
    ///
    /// # Errors
    ///
    /// [`KeyError::FinerThanStored`] for a point in time that its store rounds.
    fn write_identity(&self, fields: &mut Record) -> Result<(), KeyError>;

    /// The key that is already live, when the type has a template.
    #[doc(hidden)]
    fn live_key(&self) -> Option<Result<Key, KeyError>> {
        None
    }

    /// The bytes that are hashed, as `docs/key-format.md` describes them.
    ///
    /// # Errors
    ///
    /// As [`try_idempotency_key`](Self::try_idempotency_key).
    fn canonical_bytes(&self, secret: Option<&Secret>) -> Result<Vec<u8>, KeyError> {
        let mut fields = Record::default();
        self.write_identity(&mut fields)?;
        let bytes = encode::<Self>(secret, fields);
        if bytes.len() > MAX_ENCODED_BYTES {
            return Err(KeyError::TooLarge { bytes: bytes.len(), limit: MAX_ENCODED_BYTES });
        }
        Ok(bytes)
    }

    /// The key of this intent: the same on every path, in every language.
    ///
    /// Use it for values of unknown size and where
    /// [`idempotency_key`](Self::idempotency_key) is not offered.
    ///
    /// # Errors
    ///
    /// [`KeyError`] for an identity above [`MAX_ENCODED_BYTES`], a point in time
    /// that its store rounds, and values that are ambiguous in a template.
    fn try_idempotency_key(&self) -> Result<Key, KeyError> {
        match self.live_key() {
            Some(key) => key,
            None => Ok(hash(None, &self.canonical_bytes(None)?)),
        }
    }

    /// As [`try_idempotency_key`](Self::try_idempotency_key), with a secret that
    /// keeps others from guessing the identity behind a key.
    ///
    /// # Errors
    ///
    /// As `try_idempotency_key`, and [`KeyError::SecretWithTemplate`].
    fn try_key_with(&self, secret: &Secret) -> Result<Key, KeyError> {
        match self.live_key() {
            Some(_) => Err(KeyError::SecretWithTemplate),
            None => Ok(hash(Some(secret), &self.canonical_bytes(Some(secret))?)),
        }
    }

    /// The key of this intent: the same on every path, in every language.
    ///
    /// It cannot fail; an identity of any size has a key.
    fn idempotency_key(&self) -> Key
    where
        Self: InfallibleKey,
    {
        infallible(self, None)
    }

    /// As [`idempotency_key`](Self::idempotency_key), with a secret that keeps
    /// others from guessing the identity behind a key.
    fn key_with(&self, secret: &Secret) -> Key
    where
        Self: InfallibleKey,
    {
        infallible(self, Some(secret))
    }
}

/// An intent whose key cannot be refused: it has neither a template nor a field
/// with `at`.
#[diagnostic::on_unimplemented(
    message = "the key of `{Self}` can be refused",
    label = "call `try_idempotency_key()` or `try_key_with(..)` instead",
    note = "a template refuses ambiguous values, and a field with `at` refuses a time that its store would round"
)]
pub trait InfallibleKey: Idempotent {
    /// Writes the identity.
    fn write_whole_identity(&self, fields: &mut Record);
}

impl<T: Idempotent + ?Sized> Idempotent for &T {
    const OPERATION: Operation = T::OPERATION;

    fn write_identity(&self, fields: &mut Record) -> Result<(), KeyError> {
        T::write_identity(self, fields)
    }

    fn live_key(&self) -> Option<Result<Key, KeyError>> {
        T::live_key(self)
    }
}

impl<T: InfallibleKey + ?Sized> InfallibleKey for &T {
    fn write_whole_identity(&self, fields: &mut Record) {
        T::write_whole_identity(self, fields);
    }
}

fn infallible<T: InfallibleKey + ?Sized>(intent: &T, secret: Option<&Secret>) -> Key {
    let mut fields = Record::default();
    intent.write_whole_identity(&mut fields);
    hash(secret, &encode::<T>(secret, fields))
}

fn encode<T: Idempotent + ?Sized>(secret: Option<&Secret>, fields: Record) -> Vec<u8> {
    let operation = T::OPERATION;
    encode_intent(operation.namespace, operation.name, operation.version, secret, fields)
}

pub(crate) fn hash(secret: Option<&Secret>, bytes: &[u8]) -> Key {
    match secret {
        None => Key::derived(Sha256::digest(bytes).into(), false),
        Some(secret) => Key::derived(secret.sign(bytes), true),
    }
}
