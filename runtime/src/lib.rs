//! Idempotency keys that are right by construction.
//!
//! The same business intent always gives the same key, and a different intent a
//! different one. A type names the operation and marks the fields that identify
//! it; everything that would break the key is a compile error.
//!
//! ```
//! use samekey::{Idempotent, Identity};
//!
//! #[derive(Identity)]
//! struct CustomerId(String);
//!
//! #[derive(Idempotent)]
//! #[idempotent(namespace = "billing", operation = "charge.monthly")]
//! struct MonthlyCharge {
//!     #[idempotent(identity)]
//!     customer_id: CustomerId,
//!     #[idempotent(identity)]
//!     billing_period: String,
//!     #[idempotent(ignore = "snapshot taken before the first call")]
//!     amount_cents: i64,
//! }
//!
//! let charge = MonthlyCharge {
//!     customer_id: CustomerId("cust_123".into()),
//!     billing_period: "2026-08".into(),
//!     amount_cents: 4_900,
//! };
//! assert_eq!(charge.idempotency_key().as_str(), "454dcb3de5c6201d560634d940c7347a");
//! ```
//!
//! Before you change how a live key is made, read about roll-out in
//! `docs/key-format.md`: a charge that is in flight must keep the key that it
//! went out with ([`Key::or_stored`]).
//!
//! # Features
//!
//! All are off by default, and without them the crate is `no_std` with `alloc`.
//!
//! | feature | gives |
//! | --- | --- |
//! | `std` | `SystemTime` as a stored instant, threads in [`testing`] |
//! | `chrono`, `time`, `jiff` | days, and stored instants with `at = ".."` |
//! | `rust_decimal` | decimal numbers |
//! | `smol_str`, `compact_str`, `ecow`, `arcstr`, `bytes` | text and byte types |
//! | `uuid`, `ulid` | stored ids, with `persisted = ".."` |
//! | `serde` | [`Key`] as a string |
//! | `http` | [`Key`] as a header value |

#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

mod encode;
mod error;
mod format;
mod identity;
mod instant;
mod intent;
mod key;
mod provider;
mod schema;
mod secret;
mod sha1;
mod shape;
mod support;
mod template;
pub mod testing;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

pub use encode::{Record, Slot, Written};
pub use error::{KeyError, ProviderError, SecretError, ShapeError};
pub use format::{MAX_ENCODED_BYTES, MAX_NAME_BYTES, Tag};
pub use identity::{BytesIdentity, Identity, PersistedIdentity};
pub use instant::{PersistedInstant, Precision, StoredInstant};
pub use intent::{Idempotent, InfallibleKey, Operation};
pub use key::Key;
pub use provider::Provider;
pub use samekey_macros::{Idempotent, Identity};
pub use schema::Schema;
pub use secret::Secret;
pub use shape::Shape;

#[cfg(doctest)]
#[doc = include_str!("../../docs/derive.md")]
struct DerivePage;

#[cfg(doctest)]
#[doc = include_str!("../../docs/when-a-derived-key-is-wrong.md")]
struct WrongAnswerPage;
