//! UUIDs: an identity once they are stored.

use alloc::borrow::Cow;
use alloc::string::ToString;

use uuid::Uuid;

use super::leaf;
use crate::key::Key;

leaf!(persisted Uuid, Uuid, |value, slot| slot.uuid(value.into_bytes()), |value| Some(
    Cow::Owned(value.to_string())
));

impl TryFrom<&Key> for Uuid {
    type Error = uuid::Error;

    fn try_from(key: &Key) -> Result<Self, Self::Error> {
        Self::try_parse(key.as_str())
    }
}
