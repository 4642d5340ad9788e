//! Names as hashes.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

/// A hashed identifier: 32 bits, so two names may share one. It serves to leave out what cannot mention a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NameHash(u32);

impl NameHash {
    /// The hash of a name.
    #[must_use]
    pub fn of(name: &str) -> NameHash {
        NameHash::of_bytes(name.as_bytes())
    }

    /// The hash of a name that is given by its bytes.
    #[must_use]
    pub fn of_bytes(name: &[u8]) -> NameHash {
        let mut hasher = FxHasher::default();
        name.hash(&mut hasher);
        // The high half is the better mixed one.
        NameHash(u32::try_from(hasher.finish() >> 32).unwrap_or(u32::MAX))
    }
}
