//! The shared facts of samekey: which API makes a value that changes when the
//! same payment is tried again, where keys are sent, what makes a value stable
//! again, and how values move through well-known libraries.
//!
//! Every row is data. The tables are written by hand in `data/*.toml` and
//! turned into the static slices of [`generated`](self) by a test, so that a
//! crate that depends on this one compiles neither a parser nor a build script:
//!
//! ```text
//! SAMEKEY_BLESS=1 cargo test -p samekey-catalogue
//! ```
//!
//! Paths are spelled as a reader of source code sees them after `use` items
//! are expanded, so one item may appear under several public spellings.
//! A `std` path is also listed under `core` or `alloc` where it exists there.
//!
//! Without the feature `linter`, which is on by default, only [`mod@derive`] and [`template`] are left:
//! billing code that derives keys compiles nothing else.
#![no_std]

extern crate alloc;

#[cfg(feature = "linter")]
mod context;
#[cfg(feature = "linter")]
mod date_format;
pub mod derive;
#[cfg(feature = "linter")]
mod digest;
mod generated;
#[cfg(feature = "linter")]
mod kind;
#[cfg(feature = "linter")]
mod model;
#[cfg(feature = "linter")]
mod name;
#[cfg(feature = "linter")]
mod operation;
#[cfg(feature = "linter")]
mod pattern;
#[cfg(feature = "linter")]
mod provider;
#[cfg(feature = "linter")]
mod row;
pub mod template;

#[cfg(feature = "linter")]
pub use context::{Context, ContextKind};
#[cfg(feature = "linter")]
pub use date_format::{is_cut_format, is_date_only_format};
#[cfg(feature = "linter")]
pub use digest::{Digest, DigestForm};
#[cfg(feature = "linter")]
pub use kind::{ChangesOn, Effect, Family, Language, Level, SourceKind};
#[cfg(feature = "linter")]
pub use model::{Callee, Flow, FlowError, FlowKind, Group, Model, Place, Projection, Root};
#[cfg(feature = "linter")]
pub use name::{NameRole, NameRule};
#[cfg(feature = "linter")]
pub use operation::{HttpClient, Operation, Repetition, Strategy};
#[cfg(feature = "linter")]
pub use pattern::{ArgCondition, Pattern, Slot};
#[cfg(feature = "linter")]
pub use provider::{Charset, Provider, UuidRule};
#[cfg(feature = "linter")]
pub use row::{Safe, Sink, Source};

/// Every expression whose value differs between two executions of one intent.
#[cfg(feature = "linter")]
#[must_use]
pub fn sources() -> &'static [Source] {
    generated::sources::SOURCES
}

/// Every function and macro that reads the environment variable named by its
/// first argument.
#[cfg(feature = "linter")]
#[must_use]
pub fn environment_readers() -> &'static [&'static str] {
    generated::sources::ENVIRONMENT_READERS
}

/// Every place where a key is handed to a provider or a deduplication store.
#[cfg(feature = "linter")]
#[must_use]
pub fn sinks() -> &'static [Sink] {
    generated::sinks::SINKS
}

/// Every call that clears, keeps or weakens what flows through it.
#[cfg(feature = "linter")]
#[must_use]
pub fn safes() -> &'static [Safe] {
    generated::safe::SAFES
}

/// Every call whose closure, and every trait whose methods, are run again.
#[cfg(feature = "linter")]
#[must_use]
pub fn contexts() -> &'static [Context] {
    generated::contexts::CONTEXTS
}

/// Every call that changes something at a provider and should carry a key.
#[cfg(feature = "linter")]
#[must_use]
pub fn operations() -> &'static [Operation] {
    generated::operations::OPERATIONS
}

/// What clients and requests are given instead of a key.
#[cfg(feature = "linter")]
#[must_use]
pub fn strategies() -> &'static [Strategy] {
    generated::operations::STRATEGIES
}

/// The names by which HTTP clients build a request.
#[cfg(feature = "linter")]
#[must_use]
pub fn http_client() -> &'static HttpClient {
    &generated::operations::HTTP_CLIENT
}

/// What each provider accepts as a key and for how long it remembers one.
#[cfg(feature = "linter")]
#[must_use]
pub fn providers() -> &'static [Provider] {
    generated::providers::PROVIDERS
}

/// The provider with this id, as named by [`Sink::provider`].
#[cfg(feature = "linter")]
#[must_use]
pub fn provider(id: &str) -> Option<&'static Provider> {
    providers().iter().find(|provider| provider.id == id)
}

/// Functions and hashers by how many bits their result has, and encodings by how many each character keeps.
#[cfg(feature = "linter")]
#[must_use]
pub fn digests() -> &'static [Digest] {
    generated::digests::DIGESTS
}

/// The methods of a hasher that yield the digest, and those that take up data and give the hasher back.
#[cfg(feature = "linter")]
#[must_use]
pub fn hasher_methods() -> (&'static [&'static str], &'static [&'static str]) {
    (generated::digests::FINISHING, generated::digests::CHAINING)
}

/// The digest of this name, as formulas show it.
#[cfg(feature = "linter")]
#[must_use]
pub fn digest(name: &str) -> Option<&'static Digest> {
    digests().iter().find(|digest| digest.name == name)
}

/// What the name of a variable, field or function alone suggests.
#[cfg(feature = "linter")]
#[must_use]
pub fn name_rules() -> &'static [NameRule] {
    generated::names::NAMES
}

/// How values move through functions and methods whose body is not in view.
#[cfg(feature = "linter")]
#[must_use]
pub fn models() -> &'static [Model] {
    generated::models::MODELS
}

/// The types that share the methods of one receiver group of [`models`].
#[cfg(feature = "linter")]
#[must_use]
pub fn groups() -> &'static [Group] {
    generated::models::GROUPS
}
