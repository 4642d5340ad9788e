//! What the linter takes for an identity is one, and encodes what the catalogue says.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::num::NonZero;

use samekey::{BytesIdentity, Identity, PersistedIdentity, PersistedInstant, Schema, StoredInstant, Tag};
use samekey_catalogue::derive::{IDENTITY_TYPES, IdentityKind, PERSISTED_TYPES, REFUSED_TYPES};

/// Other public paths of a type that is in the list below.
const SAME: &[&str] = &[
    "ecow::string::EcoString",
    "std::collections::vec_deque::VecDeque",
    "std::collections::btree_set::BTreeSet",
    "std::collections::btree_map::BTreeMap",
    "chrono::naive::NaiveDate",
    "sqlx::types::Uuid",
    "sea_orm::prelude::Uuid",
];

/// Each path with its kind and what the compiled type encodes.
fn compiled() -> BTreeMap<&'static str, (IdentityKind, Schema)> {
    let mut rows = BTreeMap::new();
    macro_rules! rows {
        ($($kind:ident as $trait:ident: $($path:literal $type:ty),*;)*) => {$($(
            rows.insert($path, (IdentityKind::$kind, <$type as $trait>::SCHEMA));
        )*)*};
    }
    rows! {
        Boolean as Identity: "bool" bool;
        Integer as Identity: "i8" i8, "i16" i16, "i32" i32, "i64" i64, "i128" i128, "isize" isize,
            "u8" u8, "u16" u16, "u32" u32, "u64" u64, "u128" u128, "usize" usize;
        NonZero as Identity: "std::num::NonZero" NonZero<u8>;
        Text as Identity: "str" str, "std::string::String" String, "smol_str::SmolStr" smol_str::SmolStr,
            "compact_str::CompactString" compact_str::CompactString, "ecow::EcoString" ecow::EcoString,
            "arcstr::ArcStr" arcstr::ArcStr;
        Character as Identity: "char" char;
        ByteString as BytesIdentity: "bytes::Bytes" bytes::Bytes;
        Optional as Identity: "std::option::Option" Option<bool>;
        Transparent as Identity: "std::boxed::Box" Box<bool>, "std::rc::Rc" std::rc::Rc<bool>,
            "std::sync::Arc" std::sync::Arc<bool>, "std::borrow::Cow" std::borrow::Cow<'static, bool>;
        List as Identity: "std::vec::Vec" Vec<bool>, "std::collections::VecDeque" VecDeque<bool>;
        Set as Identity: "std::collections::BTreeSet" BTreeSet<bool>;
        Map as Identity: "std::collections::BTreeMap" BTreeMap<bool, bool>;
        Decimal as Identity: "rust_decimal::Decimal" rust_decimal::Decimal;
        Date as Identity: "chrono::NaiveDate" chrono::NaiveDate, "time::Date" time::Date,
            "jiff::civil::Date" jiff::civil::Date;
        StoredInstant as Identity: "samekey::StoredInstant" StoredInstant;
        Instant as PersistedInstant: "chrono::DateTime" chrono::DateTime<chrono::Utc>,
            "time::OffsetDateTime" time::OffsetDateTime, "time::UtcDateTime" time::UtcDateTime,
            "jiff::Timestamp" jiff::Timestamp, "jiff::ZonedDateTime" jiff::ZonedDateTime,
            "std::time::SystemTime" std::time::SystemTime;
        Uuid as PersistedIdentity: "uuid::Uuid" uuid::Uuid;
        Ulid as PersistedIdentity: "ulid::Ulid" ulid::Ulid;
    }
    rows
}

/// What a value of a kind encodes when its arguments are truth values.
fn expected(kind: IdentityKind) -> Schema {
    let flag = Schema::of(Tag::Boolean);
    match kind {
        IdentityKind::Boolean | IdentityKind::Transparent => flag,
        IdentityKind::Integer | IdentityKind::NonZero => Schema::of(Tag::Integer),
        IdentityKind::Text | IdentityKind::Character => Schema::of(Tag::Text),
        IdentityKind::ByteString => Schema::of(Tag::Bytes),
        IdentityKind::Optional => Schema::of(Tag::Some).with(flag),
        IdentityKind::List => Schema::of(Tag::List).with(flag),
        IdentityKind::Set => Schema::of(Tag::Set).with(flag),
        IdentityKind::Map => Schema::of(Tag::Map).with(flag).with(flag),
        IdentityKind::Decimal => Schema::of(Tag::Decimal),
        IdentityKind::Date => Schema::of(Tag::Date),
        IdentityKind::StoredInstant | IdentityKind::Instant => Schema::of(Tag::Instant),
        IdentityKind::Uuid => Schema::of(Tag::Uuid),
        IdentityKind::Ulid => Schema::of(Tag::Ulid),
    }
}

#[test]
fn every_row_is_what_the_compiled_type_encodes() {
    let compiled = compiled();
    for row in IDENTITY_TYPES.iter().filter(|row| !SAME.contains(&row.path)) {
        let (kind, schema) = compiled.get(row.path).unwrap_or_else(|| panic!("{} is not compiled", row.path));
        assert_eq!(*kind, row.kind, "{}", row.path);
        assert_eq!(*schema, expected(row.kind), "{}", row.path);
    }
    assert_eq!(IDENTITY_TYPES.len(), compiled.len() + SAME.len());
}

/// A type is admitted or refused; stored instants and ids are both, depending on what the field says.
#[test]
fn no_admitted_type_is_refused() {
    for row in IDENTITY_TYPES {
        assert!(REFUSED_TYPES.iter().all(|refused| !refused.paths.contains(&row.path)), "{}", row.path);
        let stored = PERSISTED_TYPES.iter().any(|refused| refused.paths.contains(&row.path));
        let needs = matches!(row.kind, IdentityKind::Instant | IdentityKind::Uuid | IdentityKind::Ulid);
        assert_eq!(stored, needs, "{}", row.path);
    }
}
