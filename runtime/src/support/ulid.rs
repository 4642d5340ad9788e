//! ULIDs: an identity once they are stored.

use alloc::borrow::Cow;
use alloc::string::ToString;

use ulid::Ulid;

use super::leaf;

leaf!(persisted Ulid, Ulid, |value, slot| slot.ulid(value.to_bytes()), |value| Some(
    Cow::Owned(value.to_string())
));
