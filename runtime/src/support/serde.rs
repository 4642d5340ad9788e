//! A key as a string in messages and rows.

use alloc::string::String;

use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

use crate::key::Key;

impl Serialize for Key {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// What is read back is a stored key: it is sent as it is.
impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::stored)
    }
}
