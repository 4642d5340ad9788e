//! Different identities never encode to the same bytes, and the tests that say
//! so can fail.
//!
//! The values are drawn from few letters, separators and lengths, so that two of
//! them often differ only in where one part ends and the next begins. The same
//! property is run over encoders with one known flaw each, and must fail there.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRng, TestRunner};
use samekey::__private::key_of_record;
use samekey::{Identity, Record, Schema, Slot, StoredInstant, Tag, Written};

/// A value of any kind, with equality as identities have it.
#[derive(Clone, Debug, PartialEq)]
enum Value {
    Boolean(bool),
    Integer(i128),
    Text(String),
    Bytes(Vec<u8>),
    Missing,
    Present(Box<Value>),
    List(Vec<Value>),
    Record(Vec<(&'static str, Value)>),
    Variant(&'static str, Vec<(&'static str, Value)>),
    Date(i32, u8, u8),
    Uuid(u8),
    Ulid(u8),
    /// Sorted and without duplicates, so that equality is equality of sets.
    Set(Vec<String>),
    Map(Vec<(String, i128)>),
    /// Without trailing zeros.
    Decimal(i128, u32),
    Instant(i64),
}

impl Identity for Value {
    const SCHEMA: Schema = Schema::of(Tag::Text);

    fn encode(&self, slot: Slot<'_>) -> Written {
        match self {
            Self::Boolean(value) => slot.boolean(*value),
            Self::Integer(value) => slot.integer(*value),
            Self::Text(value) => slot.text(value),
            Self::Bytes(value) => slot.bytes(value),
            Self::Missing => slot.none(),
            Self::Present(value) => slot.some(|slot| value.encode(slot)),
            Self::List(values) => slot.list(values),
            Self::Record(fields) => slot.record(|record| write(record, fields)),
            Self::Variant(name, fields) => slot.variant(name, |record| write(record, fields)),
            Self::Date(year, month, day) => slot.date(*year, *month, *day),
            Self::Uuid(value) => slot.uuid([*value; 16]),
            Self::Ulid(value) => slot.ulid([*value; 16]),
            Self::Set(values) => slot.set(values),
            Self::Map(pairs) => slot.map(pairs.iter().map(|(key, value)| (key, value))),
            Self::Decimal(mantissa, scale) => slot.decimal(*mantissa, *scale),
            Self::Instant(seconds) => slot.instant(StoredInstant::from_unix_seconds(*seconds)),
        }
    }
}

fn write(record: &mut Record, fields: &[(&'static str, Value)]) {
    for (name, value) in fields {
        record.field(name, |slot| value.encode(slot));
    }
}

const NAMES: [&str; 8] = ["a", "ab", "b", "a\u{3}", "0", "1", "10", ""];

/// Letters, common separators, and bytes that are tags or lengths themselves.
fn text() -> impl Strategy<Value = String> {
    proptest::collection::vec(
        prop_oneof![
            Just("a"),
            Just("b"),
            Just(":"),
            Just("|"),
            Just(","),
            Just("\u{0}"),
            Just("\u{1}"),
            Just("\u{3}"),
            Just("\u{1f}"),
            Just("\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{1}"),
            Just("\u{e9}"),
        ],
        0..5,
    )
    .prop_map(|parts| parts.concat())
}

fn integer() -> impl Strategy<Value = i128> {
    prop_oneof![-300_i128..300, any::<i128>(), Just(i128::MIN), Just(i128::MAX), Just(1 << 64)]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::Boolean),
        integer().prop_map(Value::Integer),
        text().prop_map(Value::Text),
        text().prop_map(|text| Value::Bytes(text.into_bytes())),
        Just(Value::Missing),
        (-2_i32..3, 1_u8..4, 1_u8..4).prop_map(|(year, month, day)| Value::Date(year, month, day)),
        (0_u8..3).prop_map(Value::Uuid),
        (0_u8..3).prop_map(Value::Ulid),
        proptest::collection::btree_set(text(), 0..3).prop_map(|set| Value::Set(set.into_iter().collect())),
        proptest::collection::btree_map(text(), -2_i128..3, 0..3)
            .prop_map(|map| Value::Map(map.into_iter().collect())),
        (-30_i128..30, 0_u32..3)
            .prop_filter("shortest", |(mantissa, scale)| *scale == 0 || mantissa % 10 != 0)
            .prop_map(|(mantissa, scale)| Value::Decimal(mantissa, scale)),
        (-3_i64..3).prop_map(Value::Instant),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|value| Value::Present(Box::new(value))),
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::List),
            fields(inner.clone()).prop_map(Value::Record),
            (0..NAMES.len(), fields(inner)).prop_map(|(name, fields)| Value::Variant(NAMES[name], fields)),
        ]
    })
}

/// Named values in the order of their names, so that equality is equality of identities.
fn fields(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Vec<(&'static str, Value)>> {
    proptest::collection::btree_map(0..NAMES.len(), value, 0..3).prop_map(|fields| {
        let mut fields: Vec<_> = fields.into_iter().map(|(name, value)| (NAMES[name], value)).collect();
        fields.sort_by_key(|(name, _)| *name);
        fields
    })
}

#[derive(Clone, Debug, PartialEq)]
struct Intent {
    namespace: String,
    operation: String,
    version: u32,
    fields: Vec<(&'static str, Value)>,
}

fn intent() -> impl Strategy<Value = Intent> {
    (text(), text(), 1_u32..3, fields(value())).prop_map(|(namespace, operation, version, fields)| Intent {
        namespace,
        operation,
        version,
        fields,
    })
}

fn encode(intent: &Intent) -> Vec<u8> {
    let mut record = Record::default();
    write(&mut record, &intent.fields);
    key_of_record(&intent.namespace, &intent.operation, intent.version, None, record).0
}

/// Another identity that is close to one: a part is moved, cut or retyped.
fn neighbour(intent: &Intent, pick: usize) -> Intent {
    let mut near = intent.clone();
    match pick % 7 {
        0 => {
            let joined = format!("{}{}", near.namespace, near.operation);
            let middle = joined.char_indices().map(|(at, _)| at).nth(pick / 7).unwrap_or(0);
            near.operation = joined[middle..].into();
            near.namespace = joined[..middle].into();
        }
        1 => near.fields.truncate(near.fields.len().saturating_sub(1)),
        2 => near.version += 1,
        3 => near.fields.iter_mut().for_each(|(_, value)| *value = retyped(value)),
        4 => near.fields.iter_mut().for_each(|(_, value)| *value = Value::Present(Box::new(value.clone()))),
        5 => near.fields = vec![("a", Value::Record(near.fields))],
        _ => near.fields.iter_mut().for_each(|(_, value)| *value = last_letter_changed(value)),
    }
    near
}

fn last_letter_changed(value: &Value) -> Value {
    match value {
        Value::Text(text) => {
            let mut text = text.clone();
            let last = text.pop();
            text.push(if last == Some('a') { 'b' } else { 'a' });
            Value::Text(text)
        }
        other => other.clone(),
    }
}

fn retyped(value: &Value) -> Value {
    match value {
        Value::Text(text) => Value::Bytes(text.clone().into_bytes()),
        Value::Bytes(bytes) => Value::List(bytes.iter().map(|byte| Value::Integer((*byte).into())).collect()),
        Value::Integer(number) => Value::Text(number.to_string()),
        Value::Boolean(value) => Value::Integer((*value).into()),
        Value::Missing => Value::Text(String::new()),
        Value::Present(value) => (**value).clone(),
        Value::List(values) => Value::Present(Box::new(Value::List(values.clone()))),
        Value::Record(fields) => Value::Variant("", fields.clone()),
        Value::Variant(_, fields) => Value::Record(fields.clone()),
        Value::Uuid(value) => Value::Ulid(*value),
        Value::Ulid(value) => Value::Uuid(*value),
        Value::Set(values) => Value::List(values.iter().cloned().map(Value::Text).collect()),
        Value::Map(pairs) => Value::Set(pairs.iter().map(|(key, _)| key.clone()).collect()),
        Value::Decimal(mantissa, _) => Value::Integer(*mantissa),
        Value::Instant(seconds) => Value::Decimal(i128::from(*seconds), 0),
        Value::Date(year, month, day) => Value::Date(*year, *day, *month),
    }
}

/// The property, over any encoder; the message of the first counterexample.
fn is_injective(cases: u32, encode: impl Fn(&Intent) -> Vec<u8>) -> Result<(), String> {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    // The same cases in each run: whether a flaw is found must not be left to luck.
    let random = TestRng::deterministic_rng(config.rng_algorithm);
    TestRunner::new_with_rng(config, random)
        .run(&(intent(), intent(), 0_usize..60), |(left, right, pick)| {
            for right in [right, neighbour(&left, pick)] {
                prop_assert_eq!(left == right, encode(&left) == encode(&right));
            }
            Ok(())
        })
        .map_err(|error| error.to_string())
}

#[test]
fn different_identities_encode_to_different_bytes() {
    is_injective(4_000, encode).unwrap();
}

/// An encoder with one flaw, over which the property must fail.
fn finds_the_flaw(flaw: impl Fn(Vec<u8>, &Intent) -> Vec<u8>) -> bool {
    is_injective(10_000, |intent| flaw(encode(intent), intent)).is_err()
}

#[test]
fn the_property_fails_without_tags() {
    assert!(finds_the_flaw(|encoded, _| encoded
        .into_iter()
        .filter(|byte| !(3..=4).contains(byte))
        .collect()));
}

#[test]
fn the_property_fails_without_length_prefixes() {
    assert!(finds_the_flaw(|_, intent| format!(
        "{}{}{:?}",
        intent.namespace, intent.operation, intent.fields
    )
    .into_bytes()));
}

#[test]
fn the_property_fails_with_a_separator_instead() {
    assert!(finds_the_flaw(|_, intent| format!(
        "{}:{}:{}:{:?}",
        intent.namespace, intent.operation, intent.version, intent.fields
    )
    .into_bytes()));
}

#[test]
fn the_property_fails_without_the_version() {
    assert!(finds_the_flaw(|_, intent| encode(&Intent { version: 1, ..intent.clone() })));
}

#[test]
fn the_property_fails_when_none_is_empty_text() {
    fn flatten(value: &Value) -> Value {
        match value {
            Value::Missing => Value::Text(String::new()),
            other => other.clone(),
        }
    }
    assert!(finds_the_flaw(|_, intent| {
        let fields = intent.fields.iter().map(|(name, value)| (*name, flatten(value))).collect();
        encode(&Intent { fields, ..intent.clone() })
    }));
}

#[test]
fn the_property_fails_when_the_encoding_is_cut() {
    assert!(finds_the_flaw(|mut encoded, _| {
        encoded.truncate(encoded.len() - 1);
        encoded
    }));
}

proptest! {
    #[test]
    fn maps_and_sets_forget_their_order(mut pairs in proptest::collection::vec((text(), -300_i128..300), 0..6), seed in any::<u64>()) {
        let set = |pairs: &[(String, i128)]| key(|slot| slot.set(pairs.iter().map(|(text, _)| text)));
        let map = |pairs: &[(String, i128)]| key(|slot| slot.map(pairs.iter().map(|(text, number)| (text, number))));
        let before = (set(&pairs), map(&pairs));
        let length = pairs.len().max(1);
        pairs.rotate_left(seed as usize % length);
        pairs.reverse();
        prop_assert_eq!(before, (set(&pairs), map(&pairs)));
    }

    #[test]
    fn width_leaves_no_trace(value in any::<i8>()) {
        let narrow = key(|slot| value.encode(slot));
        prop_assert_eq!(&narrow, &key(|slot| i16::from(value).encode(slot)));
        prop_assert_eq!(&narrow, &key(|slot| i64::from(value).encode(slot)));
        prop_assert_eq!(&narrow, &key(|slot| i128::from(value).encode(slot)));
        if let Ok(unsigned) = u8::try_from(value) {
            prop_assert_eq!(&narrow, &key(|slot| u128::from(unsigned).encode(slot)));
        }
    }

    #[test]
    fn trailing_zeros_leave_no_trace(mantissa in -1_000_000_i128..1_000_000, scale in 0_u32..20, zeros in 0_u32..10) {
        let longer = mantissa * 10_i128.pow(zeros);
        prop_assert_eq!(key(|slot| slot.decimal(mantissa, scale)), key(|slot| slot.decimal(longer, scale + zeros)));
    }
}

fn key(value: impl FnOnce(Slot<'_>) -> Written) -> Vec<u8> {
    let mut record = Record::default();
    record.field("value", value);
    key_of_record("n", "o", 1, None, record).0
}
