//! What changes a derived key and what does not, as the table in
//! `docs/key-format.md` says.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use samekey::{Idempotent, Identity, Key, KeyError, MAX_ENCODED_BYTES, Secret};

/// A charge in a module of its own, so that each may have the same name.
macro_rules! charge {
    ($module:ident { $($body:tt)* }) => {
        charge!($module(namespace = "billing", operation = "charge.monthly") { $($body)* });
    };
    ($module:ident($($words:tt)*) { $($body:tt)* }) => {
        mod $module {
            #[allow(unused_imports, reason = "only some bodies need them")]
            use super::*;
            #[derive(Idempotent)]
            #[idempotent($($words)*)]
            #[allow(dead_code, reason = "ignored fields are written only")]
            pub struct Charge { $($body)* }
        }
    };
}

charge!(original {
    #[idempotent(identity)] pub customer_id: String,
    #[idempotent(identity)] pub number: u8,
});

fn original() -> Key {
    let charge = original::Charge { customer_id: "cust_123".into(), number: 7 };
    charge.idempotency_key()
}

#[test]
fn reordering_widening_and_ignored_fields_change_nothing() {
    charge!(reordered {
        #[idempotent(ignore = "snapshot")] pub amount: f64,
        #[idempotent(identity)] pub number: i128,
        #[idempotent(identity)] pub customer_id: &'static str,
    });
    let charge = reordered::Charge { amount: 1.5, number: 7, customer_id: "cust_123" };
    assert_eq!(charge.idempotency_key(), original());
}

#[test]
fn wrappers_and_newtypes_leave_no_trace() {
    charge!(wrapped {
        #[idempotent(identity)] pub customer_id: Box<super::wrappers::CustomerId>,
        #[idempotent(identity)] pub number: std::num::NonZero<u32>,
    });
    let charge = wrapped::Charge {
        customer_id: Box::new(wrappers::CustomerId(wrappers::Inner("cust_123".into(), None))),
        number: std::num::NonZero::new(7).unwrap(),
    };
    assert_eq!(charge.idempotency_key(), original());
}

mod wrappers {
    use samekey::Identity;
    use std::sync::Arc;

    #[derive(Identity)]
    pub struct CustomerId(pub Inner);
    #[derive(Identity)]
    #[allow(dead_code, reason = "ignored fields are written only")]
    pub struct Inner(pub Arc<str>, #[idempotent(ignore = "cache")] pub Option<u64>);
}

#[test]
fn a_renamed_field_keeps_its_key_with_rename_only() {
    charge!(renamed {
        #[idempotent(identity, rename = "customer_id")] pub payer: String,
        #[idempotent(identity)] pub number: u8,
    });
    charge!(not_renamed {
        #[idempotent(identity)] pub payer: String,
        #[idempotent(identity)] pub number: u8,
    });
    let renamed = renamed::Charge { payer: "cust_123".into(), number: 7 };
    let not_renamed = not_renamed::Charge { payer: "cust_123".into(), number: 7 };
    assert_eq!(renamed.idempotency_key(), original());
    assert_ne!(not_renamed.idempotency_key(), original());
}

#[test]
fn options_new_fields_names_and_versions_change_the_key() {
    charge!(optional {
        #[idempotent(identity)] pub customer_id: Option<String>,
        #[idempotent(identity)] pub number: u8,
    });
    charge!(longer {
        #[idempotent(identity)] pub customer_id: String,
        #[idempotent(identity)] pub number: u8,
        #[idempotent(identity)] pub currency: Option<String>,
    });
    charge!(other_namespace(namespace = "billing.eu", operation = "charge.monthly") {
        #[idempotent(identity)] pub customer_id: String,
        #[idempotent(identity)] pub number: u8,
    });
    charge!(other_operation(namespace = "billing", operation = "refund") {
        #[idempotent(identity)] pub customer_id: String,
        #[idempotent(identity)] pub number: u8,
    });
    charge!(version_2(namespace = "billing", operation = "charge.monthly", version = 2) {
        #[idempotent(identity)] pub customer_id: String,
        #[idempotent(identity)] pub number: u8,
    });
    let id = || "cust_123".to_owned();
    let keys: BTreeSet<String> = [
        original(),
        optional::Charge { customer_id: Some(id()), number: 7 }.idempotency_key(),
        optional::Charge { customer_id: Some(String::new()), number: 7 }.idempotency_key(),
        optional::Charge { customer_id: None, number: 7 }.idempotency_key(),
        longer::Charge { customer_id: id(), number: 7, currency: None }.idempotency_key(),
        other_namespace::Charge { customer_id: id(), number: 7 }.idempotency_key(),
        other_operation::Charge { customer_id: id(), number: 7 }.idempotency_key(),
        version_2::Charge { customer_id: id(), number: 7 }.idempotency_key(),
    ]
    .into_iter()
    .map(String::from)
    .collect();
    assert_eq!(keys.len(), 8);
}

#[derive(Identity)]
enum Method {
    Card,
    Bank { iban: String, bic: Option<String> },
    Wallet(String, u8),
}

#[test]
fn enums_encode_their_names_and_sorted_fields() {
    charge!(paid { #[idempotent(identity)] pub method: super::Method });
    let key = |method| paid::Charge { method }.idempotency_key();
    let bank = |bic: Option<&str>| Method::Bank { bic: bic.map(Into::into), iban: "DE02".into() };
    let keys: BTreeSet<String> = [
        key(Method::Card),
        key(bank(None)),
        key(bank(Some(""))),
        key(Method::Wallet("DE02".into(), 1)),
        key(Method::Wallet("DE02".into(), 2)),
    ]
    .into_iter()
    .map(String::from)
    .collect();
    assert_eq!(keys.len(), 5);
}

#[test]
fn a_renamed_variant_keeps_its_key_with_rename() {
    charge!(before { #[idempotent(identity)] pub method: super::Method });
    charge!(after { #[idempotent(identity)] pub method: super::renamed_variant::Method });
    assert_eq!(
        before::Charge { method: Method::Card }.idempotency_key(),
        after::Charge { method: renamed_variant::Method::CreditOrDebit }.idempotency_key(),
    );
}

mod renamed_variant {
    #[derive(samekey::Identity)]
    pub enum Method {
        #[idempotent(rename = "Card")]
        CreditOrDebit,
    }
}

#[test]
fn bytes_differ_from_a_list_of_numbers() {
    charge!(list { #[idempotent(identity)] pub id: Vec<u8> });
    charge!(bytes { #[idempotent(identity, bytes)] pub id: Vec<u8> });
    charge!(array { #[idempotent(identity, bytes)] pub id: [u8; 2] });
    charge!(shared { #[idempotent(identity, bytes)] pub id: Option<Arc<[u8]>> });
    charge!(optional { #[idempotent(identity, bytes)] pub id: Option<&'static [u8; 2]> });
    let bytes = bytes::Charge { id: vec![1, 2] }.idempotency_key();
    assert_ne!(list::Charge { id: vec![1, 2] }.idempotency_key(), bytes);
    assert_eq!(array::Charge { id: [1, 2] }.idempotency_key(), bytes);
    assert_eq!(
        shared::Charge { id: Some([1, 2].into()) }.idempotency_key(),
        optional::Charge { id: Some(&[1, 2]) }.idempotency_key(),
    );
}

#[test]
fn maps_and_tuples_are_read_by_name() {
    #[derive(Identity)]
    struct Pair(String, u8);
    let tuple = ("a".to_owned(), 1_u64);
    assert_eq!(bytes_of(&tuple), bytes_of(&Pair("a".into(), 1)));
    let map: BTreeMap<Cow<'_, str>, bool> = [("b".into(), true), ("a".into(), false)].into();
    let set: BTreeSet<char> = ['b', 'a'].into();
    assert_ne!(bytes_of(&map), bytes_of(&set));
}

fn bytes_of<T: Identity>(value: &T) -> Vec<u8> {
    #[derive(Idempotent)]
    #[idempotent(namespace = "n", operation = "o")]
    struct One<'a, T> {
        #[idempotent(identity)]
        value: &'a T,
    }
    One { value }.canonical_bytes(None).unwrap()
}

#[test]
fn foreign_types_come_in_through_a_function() {
    struct Foreign(u16);
    fn number(foreign: &Foreign) -> u64 {
        foreign.0.into()
    }
    #[expect(clippy::ptr_arg, reason = "`with` takes a function of the field's type")]
    fn borrowed(text: &String) -> &str {
        text.trim()
    }
    #[derive(Idempotent)]
    #[idempotent(namespace = "billing", operation = "charge.monthly")]
    struct Charge {
        #[idempotent(identity, with = "borrowed")]
        customer_id: String,
        #[idempotent(identity, with = number)]
        number: Foreign,
    }
    let charge = Charge { customer_id: " cust_123 ".into(), number: Foreign(7) };
    assert_eq!(charge.idempotency_key(), original());
}

#[test]
fn a_secret_changes_the_key_and_so_does_its_id() {
    let charge = original::Charge { customer_id: "cust_123".into(), number: 7 };
    let key = |id, byte| charge.key_with(&Secret::new(id, &[byte; 32]).unwrap());
    let keys = [original(), key("a", 1), key("b", 1), key("a", 2)];
    let texts: BTreeSet<_> = keys.iter().map(Key::as_str).collect();
    assert_eq!(texts.len(), 4);
    assert_eq!(key("a", 1), charge.try_key_with(&Secret::new("a", &[1; 32]).unwrap()).unwrap());
}

#[test]
fn nothing_that_a_secret_made_is_shown_by_debug() {
    let charge = original::Charge { customer_id: "cust_123".into(), number: 7 };
    let secret = Secret::new("id", b"0123456789abcdef").unwrap();
    let key = charge.key_with(&secret);
    let shown = format!("{secret:?} {key:?} {:#?}", Some(&key));
    assert!(!shown.contains(key.as_str()) && !shown.contains("0123456789"));
    let shaped = key.for_provider(samekey::Provider::Circle).unwrap();
    assert!(!format!("{shaped:?}").contains(shaped.as_str()));
    assert!(format!("{:?}", original()).contains(original().as_str()));
}

#[test]
fn secrets_are_checked() {
    assert!(Secret::new("", &[0; 32]).is_err());
    assert!(Secret::new("with space", &[0; 32]).is_err());
    assert!(Secret::new(&"x".repeat(129), &[0; 32]).is_err());
    assert!(Secret::new("id", &[0; 15]).is_err());
    assert!(Secret::new(&"x".repeat(128), &[0; 1000]).is_ok());
}

#[test]
fn the_fallible_call_bounds_the_size_and_the_infallible_one_has_no_bound() {
    let key = |length| {
        let charge = original::Charge { customer_id: "x".repeat(length), number: 7 };
        (charge.idempotency_key(), charge.try_idempotency_key())
    };
    let overhead = {
        let charge = original::Charge { customer_id: String::new(), number: 7 };
        charge.canonical_bytes(None).unwrap().len()
    };
    let (largest, tried) = key(MAX_ENCODED_BYTES - overhead);
    assert_eq!(tried, Ok(largest));
    let (beyond, refused) = key(MAX_ENCODED_BYTES - overhead + 1);
    assert_eq!(refused, Err(KeyError::TooLarge { bytes: MAX_ENCODED_BYTES + 1, limit: MAX_ENCODED_BYTES }));
    assert_ne!(beyond, key(MAX_ENCODED_BYTES - overhead + 2).0);
}

#[test]
fn the_schema_follows_names_and_types_but_not_order_and_width() {
    charge!(reordered {
        #[idempotent(identity)] pub number: u64,
        #[idempotent(identity)] pub customer_id: &'static str,
    });
    charge!(retyped {
        #[idempotent(identity)] pub customer_id: String,
        #[idempotent(identity)] pub number: Option<u8>,
    });
    let schema = original::Charge::OPERATION.schema;
    assert_eq!(schema, reordered::Charge::OPERATION.schema);
    assert_ne!(schema, retyped::Charge::OPERATION.schema);
    let _ = reordered::Charge { number: 1, customer_id: "" }.idempotency_key();
    let _ = retyped::Charge { number: None, customer_id: String::new() }.idempotency_key();
}

#[test]
fn two_executions_give_one_key() {
    samekey::testing::assert_same_key(original);
}

#[test]
#[should_panic(expected = "two executions of one intent gave different keys")]
fn a_key_from_the_order_of_a_hash_map_is_found() {
    samekey::testing::assert_same_key(|| {
        let rates: std::collections::HashMap<u32, u32> = (0..50).map(|n| (n, n)).collect();
        Key::stored(format!("{rates:?}"))
    });
}
