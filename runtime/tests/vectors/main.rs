//! The vectors that every implementation of the key format reproduces.
//!
//! `interop/vectors.json` is written by these tests when
//! `SAMEKEY_WRITE_VECTORS=1` is set, and compared otherwise: a key that changes
//! is a broken promise, never a file to regenerate.

mod cases;
mod value;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use samekey::__private::{Template, TemplateDigest, TemplateValue, key_of_record};
use samekey::{Identity, Key, KeyError, PersistedIdentity, Record, Secret, Shape, StoredInstant};
use serde_json::{Value as Json, json};

use crate::cases::{KeyCase, TemplateCase};
use crate::value::{Value, fields_json, hex, instant, write};

/// 2026-08-01T00:00:00.123Z.
const BUSINESS_INSTANT_MILLIS: i64 = 1_785_542_400_123;

#[test]
fn the_vector_file_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../interop/vectors.json");
    let current = document();
    if std::env::var_os("SAMEKEY_WRITE_VECTORS").is_some() {
        std::fs::write(&path, format!("{current:#}\n")).unwrap();
    }
    let committed: Json = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    assert!(committed == current, "keys have changed: compare interop/vectors.json");
}

#[test]
fn two_cases_have_one_key_only_when_they_say_so() {
    let keys: BTreeMap<_, _> = cases::keys()
        .iter()
        .map(|case| (case.name, encode(case).1.to_shape(Shape::Hex64).unwrap().to_string()))
        .collect();
    assert_eq!(keys.len(), cases::keys().len(), "every name is given once");
    let mut seen = BTreeMap::new();
    for case in cases::keys() {
        let key = &keys[case.name];
        if let Some(other) = case.same_as {
            assert_eq!(key, &keys[other], "{} and {other}", case.name);
        } else if let Some(other) = seen.insert(key, case.name) {
            panic!("{} and {other} have one key", case.name);
        }
    }
}

#[test]
fn templates_give_the_live_keys() {
    for case in cases::templates() {
        let key = live_key(&case);
        match (&key, case.expected) {
            (Ok(key), Ok(expected)) => assert_eq!(key.as_str(), expected, "{}", case.name),
            (Err(error), Err(expected)) => assert_eq!(code(error), expected, "{}", case.name),
            _ => panic!("{}: {key:?} instead of {:?}", case.name, case.expected),
        }
    }
}

#[test]
fn instants_finer_than_their_store_are_refused() {
    for (nanos, precision) in cases::refused_instants() {
        assert_eq!(instant(nanos, precision), Err(KeyError::FinerThanStored { precision }));
    }
}

/// The bytes that `docs/key-format.md` shows, line by line.
#[test]
fn the_page_shows_the_bytes_of_its_example() {
    let page = include_str!("../../../docs/key-format.md");
    let (_, block) = page.split_once("```text\n").unwrap();
    let (block, rest) = block.split_once("```").unwrap();
    let shown: String =
        block.lines().filter_map(|line| line.split("   ").next()).flat_map(str::split_whitespace).collect();
    let (encoded, key) = encode(&cases::keys()[0]);
    assert_eq!(shown, hex(&encoded));
    assert!(rest.contains(&format!("`{key}`")));
}

fn document() -> Json {
    let refused: Vec<_> = cases::refused_instants()
        .into_iter()
        .map(|(nanos, precision)| json!({"unix_nanos": nanos.to_string(), "precision": precision.word()}))
        .collect();
    json!({
        "format": "samekey v1",
        "keys": cases::keys().iter().map(key_json).collect::<Vec<_>>(),
        "templates": cases::templates().iter().map(template_json).collect::<Vec<_>>(),
        "refused_instants": refused,
    })
}

fn encode(case: &KeyCase) -> (Vec<u8>, Key) {
    let secret = case.secret.as_ref().map(|(id, bytes)| Secret::new(id, bytes).unwrap());
    let mut record = Record::default();
    write(&mut record, &case.fields);
    key_of_record(case.namespace, case.operation, case.version, secret.as_ref(), record)
}

fn key_json(case: &KeyCase) -> Json {
    let (encoded, key) = encode(case);
    let shape = |shape| key.to_shape(shape).unwrap().to_string();
    let at = StoredInstant::from_unix_millis(BUSINESS_INSTANT_MILLIS);
    let mut vector = json!({
        "name": case.name,
        "namespace": case.namespace,
        "operation": case.operation,
        "version": case.version,
        "fields": fields_json(&case.fields),
        "encoded": hex(&encoded),
        "hex64": shape(Shape::Hex64),
        "hex32": shape(Shape::Hex32),
        "base64url22": shape(Shape::Base64Url22),
        "base64url43": shape(Shape::Base64Url43),
        "uuid_v4": shape(Shape::UuidV4),
        "uuid_v5": shape(Shape::UuidV5),
        "uuid_v8": shape(Shape::UuidV8),
        "uuid_v7": {
            "unix_millis": BUSINESS_INSTANT_MILLIS,
            "text": key.uuid_v7(at).unwrap().to_string(),
        },
    });
    if let Some((id, bytes)) = &case.secret {
        vector["secret"] = json!({ "id": id, "bytes": hex(bytes) });
    }
    if let Some(other) = case.same_as {
        vector["same_as"] = json!(other);
    }
    vector
}

fn template_json(case: &TemplateCase) -> Json {
    let (outcome, text) = match case.expected {
        Ok(key) => ("key", key),
        Err(error) => ("error", error),
    };
    json!({
        "name": case.name,
        "template": case.template,
        "digest": case.digest,
        "values": fields_json(&case.values),
        outcome: text,
    })
}

fn code(error: &KeyError) -> &'static str {
    match error {
        KeyError::EmptyValue { .. } => "empty_value",
        KeyError::ContainsSeparator { .. } => "contains_separator",
        KeyError::Ambiguous { .. } => "ambiguous",
        KeyError::NoText { .. } => "no_text",
        _ => "other",
    }
}

/// Joins as the derive does; the macro's own tests compare the two.
fn live_key(case: &TemplateCase) -> Result<Key, KeyError> {
    let (literals, names) = parse(case.template);
    let digest = match case.digest {
        "none" => TemplateDigest::None,
        "uuid5(dns)" => TemplateDigest::Uuid5(*uuid::Uuid::NAMESPACE_DNS.as_bytes()),
        other => TemplateDigest::Sha256(other.trim_start_matches("sha256/").parse().unwrap()),
    };
    let values: Vec<TemplateValue<'_>> = names
        .iter()
        .map(|name| {
            let (name, value) = case.values.iter().find(|(field, _)| field == name).unwrap();
            (*name, text(value))
        })
        .collect();
    let template = Template { literals: literals.leak(), digest };
    template.key(&values)
}

/// The text that the runtime's own types have.
fn text(value: &Value) -> Option<Cow<'static, str>> {
    let owned = |text: Option<Cow<'_, str>>| Some(Cow::Owned(text?.into_owned()));
    match value {
        Value::Text(text) => Some(Cow::Borrowed(*text)),
        Value::Integer(number) => owned(Identity::template_text(number)),
        Value::Boolean(value) => owned(Identity::template_text(value)),
        Value::Date(year, month, day) => {
            let day = chrono::NaiveDate::from_ymd_opt(*year, (*month).into(), (*day).into());
            owned(Identity::template_text(&day.unwrap()))
        }
        Value::Uuid(value) => owned(PersistedIdentity::template_text(&uuid::Uuid::from_u128(*value))),
        Value::Ulid(value) => {
            owned(PersistedIdentity::template_text(&ulid::Ulid::from_parts((*value >> 80) as u64, *value)))
        }
        // What the derive writes; its own tests compare.
        Value::Variant(name, fields) if fields.is_empty() => Some(Cow::Borrowed(*name)),
        _ => None,
    }
}

/// Cuts a template into literals and names; braces are doubled.
fn parse(template: &str) -> (Vec<&'static str>, Vec<String>) {
    let marked = template.replace("{{{", "\u{1}{").replace("}}}", "}\u{2}");
    let mut literals = Vec::new();
    let mut names = Vec::new();
    let mut rest = marked.as_str();
    while let Some((literal, tail)) = rest.split_once('{') {
        let (name, tail) = tail.split_once('}').unwrap();
        literals.push(literal.to_owned());
        names.push(name.to_owned());
        rest = tail;
    }
    literals.push(rest.to_owned());
    let literals = literals
        .into_iter()
        .map(|literal| &*literal.replace('\u{1}', "{").replace('\u{2}', "}").leak())
        .collect();
    (literals, names)
}
