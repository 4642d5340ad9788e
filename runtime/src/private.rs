//! What generated code refers to. Not part of the public interface.

pub use alloc::borrow::Cow;
pub use core::marker::Sized;
pub use core::option::Option;
pub use core::option::Option::{None, Some};
pub use core::primitive::str;
pub use core::result::Result;
pub use core::result::Result::{Err, Ok};

use alloc::string::String;
use alloc::vec::Vec;

use crate::encode::{Record, Slot, Written, encode_intent};
use crate::error::KeyError;
use crate::identity::Identity;
use crate::intent::hash;
use crate::key::Key;
use crate::schema::Schema;
use crate::secret::Secret;
pub use crate::template::{Refusal, Template, TemplateDigest, TemplateValue, live_key};

/// Everything that `derive(Identity)` says about a type, in one constant, so that
/// a field of a wrong type is reported once.
pub struct IdentityTable<T: ?Sized> {
    /// What the type encodes.
    pub schema: Schema,
    /// Writes a value.
    pub encode: fn(&T, Slot<'_>) -> Written,
    /// The text of a value in a template.
    pub template_text: fn(&T) -> Option<Cow<'_, str>>,
}

/// The constant of `derive(Identity)`.
pub trait DerivedIdentity {
    /// The table.
    const TABLE: IdentityTable<Self>;
}

/// Everything that `derive(Idempotent)` says about a type, in one constant.
pub struct IntentTable<T: ?Sized> {
    /// What the fields encode.
    pub schema: Schema,
    /// Writes the fields.
    pub write: fn(&T, &mut Record) -> Result<(), KeyError>,
    /// The live key, where the type has a template.
    pub live_key: Option<LiveKey<T>>,
}

/// Joins and digests the values of a template.
pub type LiveKey<T> = fn(&T) -> Result<Key, KeyError>;

/// As [`IntentTable`], for a type whose identity cannot be refused.
pub struct InfallibleTable<T: ?Sized> {
    /// What the fields encode.
    pub schema: Schema,
    /// Writes the fields.
    pub write: fn(&T, &mut Record),
}

/// The constant of `derive(Idempotent)`.
pub trait DerivedIntent {
    /// [`IntentTable`] or [`InfallibleTable`].
    type Table;
    /// The table.
    const TABLE: Self::Table;
}

/// The schema of what a function of `with = path` returns.
pub const fn schema_of_result<'a, T: ?Sized, R: Identity>(_: fn(&'a T) -> R) -> Schema {
    R::SCHEMA
}

/// Calls a function of `with = path`.
pub fn convert<'a, T: ?Sized, R: Identity>(value: &'a T, function: fn(&'a T) -> R) -> R {
    function(value)
}

/// The text of what a function of `with = path` returned.
pub fn text_of<R: Identity>(value: R) -> Option<Cow<'static, str>> {
    value.template_text().map(|text| Cow::Owned(text.into_owned()))
}

/// Stops the build when the schema is not the one that is pinned, and shows it.
pub const fn assert_pin(schema: Schema, pin: &str) {
    let expected = schema.hex();
    if !equal(&expected, pin.as_bytes()) {
        let mut message = *b"what is encoded has changed, and with it every key: bump `version` or undo it, then write pin = \"0123456789abcdef\"";
        let start = message.len() - 17;
        let mut index = 0;
        while index < expected.len() {
            message[start + index] = expected[index];
            index += 1;
        }
        match core::str::from_utf8(&message) {
            Ok(text) => panic!("{}", text),
            Err(_) => panic!("what is encoded has changed"),
        }
    }
}

const fn equal(left: &[u8], right: &[u8]) -> bool {
    if left.len() != right.len() {
        return false;
    }
    let mut index = 0;
    while index < left.len() {
        if left[index] != right[index] {
            return false;
        }
        index += 1;
    }
    true
}

/// Adds a value whose name is not known before the program runs, for test vectors.
pub fn named_field(record: &mut Record, name: String, value: impl FnOnce(Slot<'_>) -> Written) {
    record.named(Cow::Owned(name), value);
}

/// The schema of an operation that no type describes, as `pin` shows it.
#[must_use]
pub fn schema_of_operation(namespace: &str, operation: &str, version: u32, fields: Schema) -> Schema {
    fields.text(namespace).text(operation).with_version(version)
}

/// Encodes and hashes an identity that no type describes, for test vectors.
#[must_use]
pub fn key_of_record(
    namespace: &str,
    operation: &str,
    version: u32,
    secret: Option<&Secret>,
    fields: Record,
) -> (Vec<u8>, Key) {
    let bytes = encode_intent(namespace, operation, version, secret, fields);
    let key = hash(secret, &bytes);
    (bytes, key)
}
