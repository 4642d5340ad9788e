//! The types that may be part of an identity.

use alloc::borrow::Cow;

use crate::encode::{Slot, Written};
use crate::schema::Schema;

/// A type whose value is the same whenever the same intent runs again.
///
/// Derive it for newtypes, enums and nested structs with
/// [`#[derive(Identity)]`](derive@crate::Identity). An implementation by hand
/// writes one value and names its schema:
///
/// ```
/// use samekey::{Identity, Schema, Slot, Tag, Written};
///
/// struct Iban([u8; 22]);
///
/// impl Identity for Iban {
///     const SCHEMA: Schema = Schema::of(Tag::Bytes);
///
///     fn encode(&self, slot: Slot<'_>) -> Written {
///         slot.bytes(&self.0)
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no business identity, so it cannot be part of an idempotency key",
    label = "may differ when the same intent runs again",
    note = "clocks, random values, floats, hash maps, addresses, process and thread ids change: use the id, period or code that is stored for the operation",
    note = "your own type: `#[derive(samekey::Identity)]`; `Uuid` and `Ulid`: `#[idempotent(identity, persisted = \"where it is stored\")]`; another crate's type: `#[idempotent(identity, with = path)]`"
)]
pub trait Identity {
    /// What the type encodes, for `pin`.
    const SCHEMA: Schema;

    /// Writes the value.
    fn encode(&self, slot: Slot<'_>) -> Written;

    /// The text of the value in a template, for types that have exactly one.
    fn template_text(&self) -> Option<Cow<'_, str>> {
        None
    }
}

/// A type that is a business identity once its value is stored, such as a
/// random UUID that is the primary key of a row.
///
/// Fields of such a type say `#[idempotent(identity, persisted = "where")]`.
/// Every type that implements [`Identity`] through this crate or its derive
/// implements this trait too.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no identity, not even when it is stored",
    label = "`persisted` does not help here",
    note = "points in time take `at = \"microsecond\"` (the precision of the column) beside `persisted`",
    note = "another crate's type: `#[idempotent(identity, with = path)]`"
)]
pub trait PersistedIdentity {
    /// What the type encodes, for `pin`.
    const SCHEMA: Schema;

    /// Writes the value.
    fn encode(&self, slot: Slot<'_>) -> Written;

    /// The text of the value in a template, for types that have exactly one.
    fn template_text(&self) -> Option<Cow<'_, str>> {
        None
    }
}

/// A type that holds bytes, for fields marked `#[idempotent(identity, bytes)]`.
///
/// Without the mark `Vec<u8>` is a list of numbers.
#[diagnostic::on_unimplemented(
    message = "`{Self}` holds no bytes",
    label = "`bytes` needs `[u8; N]`, `Vec<u8>` or a type like them"
)]
pub trait BytesIdentity {
    /// What the type encodes, for `pin`.
    const SCHEMA: Schema;

    /// Writes the bytes.
    fn encode_bytes(&self, slot: Slot<'_>) -> Written;
}
