//! What the derive macro refuses as part of a business identity.
//!
//! The tables are frozen for a major version: a type or name that compiles
//! today must compile after a minor update.

/// The crate of the derives.
pub const CRATE: &str = "samekey";

/// The derive and trait of a type that describes one operation.
pub const INTENT: &str = "Idempotent";

/// The derive and trait of a type that identifies something.
pub const IDENTITY: &str = "Identity";

/// The attribute that both derives read.
pub const ATTRIBUTE: &str = "idempotent";

/// The methods of [`INTENT`] that make a key: the same one whenever the same intent runs again.
pub const KEY_METHODS: &[&str] = &["idempotency_key", "try_idempotency_key", "key_with", "try_key_with"];

/// A type whose value differs between two executions of one intent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefusedType {
    /// Last segment of the path, as it is usually written.
    pub name: &'static str,
    /// Full public paths.
    pub paths: &'static [&'static str],
    /// What to use instead, lower case without a full stop.
    pub advice: &'static str,
}

/// A field name that stands for a volatile value and has no business meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefusedName {
    /// The name in snake case.
    pub name: &'static str,
    /// What to use instead, lower case without a full stop.
    pub advice: &'static str,
}

/// A type that may be part of an identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdentityType {
    /// Its canonical path.
    pub path: &'static str,
    /// What its value encodes.
    pub kind: IdentityKind,
}

/// What the value of a type encodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdentityKind {
    /// A truth value.
    Boolean,
    /// An integer; the path is its name.
    Integer,
    /// An integer without zero; the argument is its type.
    NonZero,
    /// Text.
    Text,
    /// A text of one character.
    Character,
    /// Bytes, where the field says `bytes`.
    ByteString,
    /// Nothing or the argument.
    Optional,
    /// The argument alone.
    Transparent,
    /// A list of the argument.
    List,
    /// A set of the argument.
    Set,
    /// A map of the two arguments.
    Map,
    /// A decimal number.
    Decimal,
    /// A day.
    Date,
    /// A point in time whose precision was checked.
    StoredInstant,
    /// A point in time, where the field says `at`.
    Instant,
    /// A UUID, where the field or the newtype says `persisted`.
    Uuid,
    /// A ULID, where the field or the newtype says `persisted`.
    Ulid,
}

/// Types that the runtime admits, also behind its features.
#[cfg(feature = "linter")]
pub static IDENTITY_TYPES: &[IdentityType] = crate::generated::derive::IDENTITY_TYPES;

/// Types that are refused as identity fields where they are spelled.
pub static REFUSED_TYPES: &[RefusedType] = crate::generated::derive::REFUSED_TYPES;

/// Field names that are refused as identity fields.
///
/// Only names without a business meaning stand here. Those with one
/// (`connection_id` of a bank, `worker_id` of a payroll, `lease_id`, `term`,
/// `sequence`) are left to the linter, which sees where the value comes from.
pub static REFUSED_NAMES: &[RefusedName] = crate::generated::derive::REFUSED_NAMES;

/// Types that are business identity only once they are stored.
pub static PERSISTED_TYPES: &[RefusedType] = crate::generated::derive::PERSISTED_TYPES;

/// The advice for a type by the last segment of its path, unless it is stored
/// where [`PERSISTED_TYPES`] says that this helps.
#[must_use]
pub fn refused_type(name: &str) -> Option<&'static RefusedType> {
    REFUSED_TYPES.iter().chain(PERSISTED_TYPES).find(|refused| refused.name == name)
}

/// The advice for a field by its name.
#[must_use]
pub fn refused_name(name: &str) -> Option<&'static RefusedName> {
    REFUSED_NAMES.iter().find(|refused| refused.name == name)
}
