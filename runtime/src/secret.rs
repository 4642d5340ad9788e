//! The secret behind keys that nobody else may guess or recompute.

use alloc::string::String;
use core::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::error::SecretError;
use crate::format::MAX_NAME_BYTES;

/// Fewest bytes that make a secret.
const MIN_SECRET_BYTES: usize = 16;

/// An HMAC-SHA-256 secret with the id under which it is rotated.
///
/// Only the keyed hash state is held; it is wiped when the secret is dropped.
/// The bytes that were passed in stay the caller's to wipe. The id is part of
/// every key, so a new secret never reproduces the key of an old one.
///
/// ```
/// let secret = samekey::Secret::new("2026-08", &[7; 32])?;
/// assert_eq!(format!("{secret:?}"), "Secret(<hidden>)");
/// # Ok::<(), samekey::SecretError>(())
/// ```
#[derive(Clone)]
pub struct Secret {
    id: String,
    state: Hmac<Sha256>,
}

impl Secret {
    /// Takes the secret that `id` stands for.
    ///
    /// # Errors
    ///
    /// When `id` is empty, longer than 128 bytes or not printable ASCII without
    /// spaces, or when `bytes` are fewer than 16.
    pub fn new(id: &str, bytes: &[u8]) -> Result<Self, SecretError> {
        if !is_id(id) {
            return Err(SecretError::Id);
        }
        if bytes.len() < MIN_SECRET_BYTES {
            return Err(SecretError::TooShort { minimum: MIN_SECRET_BYTES });
        }
        let state = Hmac::new_from_slice(bytes).map_err(|_| SecretError::TooLong)?;
        Ok(Self { id: id.into(), state })
    }

    /// The id that is written into every key.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn sign(&self, message: &[u8]) -> [u8; 32] {
        self.state.clone().chain_update(message).finalize().into_bytes().into()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(<hidden>)")
    }
}

fn is_id(id: &str) -> bool {
    !id.is_empty() && id.len() <= MAX_NAME_BYTES && id.bytes().all(|byte| byte.is_ascii_graphic())
}
