//! The operations of types that derive their keys, for a person and as JSON.

use std::io::{self, Write};

use samekey::{Key, Shape, StoredInstant};
use serde_json::{Map, Value as Json, json};

use super::{printable, redact, wrap};
use crate::discover::Problem;
use crate::schema::{FieldSchema, Kind, Operation, Outcome, Value, Vector, fields_json, hex};
use crate::source::Sources;

/// The version of the JSON document. Members are added to it, never changed.
const VERSION: u32 = 1;

/// The key format of the vectors.
const FORMAT: &str = "samekey v1";

/// The time in version 7 UUIDs: 2026-08-01T00:00:00.123Z.
const BUSINESS_INSTANT_MILLIS: i64 = 1_785_542_400_123;

/// The shapes that need nothing but the key, by their names in the vector files.
const SHAPES: [(&str, Shape); 7] = [
    ("hex32", Shape::Hex32),
    ("hex64", Shape::Hex64),
    ("base64url22", Shape::Base64Url22),
    ("base64url43", Shape::Base64Url43),
    ("uuid_v4", Shape::UuidV4),
    ("uuid_v5", Shape::UuidV5),
    ("uuid_v8", Shape::UuidV8),
];

/// Writes one JSON document.
///
/// # Errors
/// When the output cannot be written.
pub fn write_schema_json(
    operations: &[Operation],
    problems: &[Problem],
    sources: &Sources,
    out: &mut dyn Write,
) -> io::Result<()> {
    let errors = problems.iter().map(
        |problem| json!({ "file": problem.file, "line": problem.line, "message": redact(&problem.message) }),
    );
    let document = json!({
        "version": VERSION,
        "format": FORMAT,
        "operations": operations.iter().map(|found| operation(found, sources)).collect::<Vec<_>>(),
        "errors": errors.collect::<Vec<_>>(),
    });
    serde_json::to_writer_pretty(&mut *out, &document).map_err(io::Error::from)?;
    writeln!(out)
}

/// Writes the vectors of all operations as one file for the encoders of other languages.
///
/// # Errors
/// When the output cannot be written.
pub fn write_schema_vectors(operations: &[Operation], out: &mut dyn Write) -> io::Result<()> {
    let of = |templates: bool| -> Vec<Json> {
        let wanted = operations.iter().filter(|one| one.template.is_some() == templates);
        let vectors = wanted.flat_map(|one| {
            one.vectors.iter().flatten().enumerate().map(move |(number, found)| vector(one, number, found))
        });
        vectors.collect()
    };
    let document =
        json!({ "format": FORMAT, "keys": of(false), "templates": of(true), "refused_instants": [] });
    serde_json::to_writer_pretty(&mut *out, &document).map_err(io::Error::from)?;
    writeln!(out)
}

fn operation(operation: &Operation, sources: &Sources) -> Json {
    let at = sources.range(operation.span).start;
    let ignored =
        operation.ignored.iter().map(|(name, reason)| json!({ "name": name, "reason": redact(reason) }));
    let mut found = json!({
        "type": operation.path,
        "file": sources.path(operation.span.file),
        "line": at.line,
        "namespace": operation.namespace,
        "operation": operation.operation,
        "version": operation.version,
        "fields": operation.fields.iter().map(field).collect::<Vec<_>>(),
        "ignored": ignored.collect::<Vec<_>>(),
        "pin": operation.pin,
        "vectors": [],
    });
    if let Some((template, digest)) = &operation.template {
        found["template"] = json!(template);
        found["digest"] = json!(digest);
    }
    match &operation.vectors {
        Ok(vectors) => {
            let named = vectors.iter().enumerate();
            found["vectors"] = named.map(|(number, one)| vector(operation, number, one)).collect();
        }
        Err(reason) => found["without_vectors"] = json!(reason),
    }
    found
}

fn field(field: &FieldSchema) -> Json {
    let mut found = json!({
        "name": field.name,
        "rust_name": field.rust_name,
        "type": kind(&field.kind),
    });
    for reason in &field.reasons {
        found[reason.word] = json!(redact(&reason.text));
    }
    if let Some(path) = &field.with {
        found["with"] = json!(path);
    }
    if !field.cfg.is_empty() {
        found["cfg"] = json!(field.cfg);
    }
    found
}

fn kind(of: &Kind) -> Json {
    let named = |fields: &[(String, Kind)]| -> Vec<Json> {
        fields.iter().map(|(name, inner)| json!({ "name": name, "type": kind(inner) })).collect()
    };
    let mut found = match of {
        Kind::Integer { min, max, non_zero } => {
            json!({ "min": min.to_string(), "max": max.to_string(), "non_zero": non_zero })
        }
        Kind::Text { single: true } => json!({ "characters": 1 }),
        Kind::Optional(inner) => json!({ "value": kind(inner) }),
        Kind::List(item) | Kind::Set(item) => json!({ "element": kind(item) }),
        Kind::Map(key, value) => json!({ "key": kind(key), "value": kind(value) }),
        Kind::Record(fields) => json!({ "fields": named(fields) }),
        Kind::Variant(variants) => {
            let variants =
                variants.iter().map(|(name, fields)| json!({ "name": name, "fields": named(fields) }));
            json!({ "variants": variants.collect::<Vec<_>>() })
        }
        Kind::Instant(Some(precision)) => json!({ "precision": precision }),
        Kind::Fixed(inner) => {
            let mut inner = kind(inner);
            inner["fixed_length"] = json!(true);
            return inner;
        }
        Kind::Unknown(reason) => json!({ "reason": reason }),
        _ => Json::Object(Map::new()),
    };
    found["kind"] = json!(word(of));
    if let Some(tag) = of.tag() {
        found["tag"] = json!(format!("{:02x}", tag.byte()));
    }
    found
}

/// The name of a kind, as the vector files spell it.
fn word(kind: &Kind) -> &'static str {
    match kind {
        Kind::Boolean => "boolean",
        Kind::Integer { .. } => "integer",
        Kind::Text { .. } => "text",
        Kind::Bytes => "bytes",
        Kind::Optional(_) => "optional",
        Kind::List(_) => "list",
        Kind::Set(_) => "set",
        Kind::Map(..) => "map",
        Kind::Record(_) => "record",
        Kind::Variant(_) => "variant",
        Kind::Decimal => "decimal",
        Kind::Date => "date",
        Kind::Instant(_) => "instant",
        Kind::Uuid => "uuid",
        Kind::Ulid => "ulid",
        Kind::Fixed(inner) => word(inner),
        Kind::Unknown(_) => "unknown",
    }
}

/// A vector as `interop/vectors.json` writes it.
fn vector(operation: &Operation, number: usize, vector: &Vector) -> Json {
    let name = format!("{} {}", operation.path, number + 1);
    if let Some((template, digest)) = &operation.template {
        let (outcome, text) = match &vector.outcome {
            Outcome::Derived(_, key) | Outcome::Live(key) => ("key", key.as_str()),
            Outcome::Refused(word) => ("error", *word),
        };
        let values = template_values(operation, &vector.values);
        return json!({ "name": name, "template": template, "digest": digest, "values": values, outcome: text });
    }
    let mut found = json!({
        "name": name,
        "namespace": operation.namespace,
        "operation": operation.operation,
        "version": operation.version,
        "fields": fields_json(&vector.values),
    });
    if let Outcome::Derived(encoded, key) = &vector.outcome {
        found["encoded"] = json!(hex(encoded));
        for (name, shape) in SHAPES {
            found[name] = json!(shaped(key, shape));
        }
        let at = StoredInstant::from_unix_millis(BUSINESS_INSTANT_MILLIS);
        let text = key.uuid_v7(at).ok().map(|key| key.to_string());
        found["uuid_v7"] = json!({ "unix_millis": BUSINESS_INSTANT_MILLIS, "text": text });
    }
    found
}

/// A template names the fields as Rust does.
fn template_values(operation: &Operation, values: &[(String, Value)]) -> Json {
    let fields = operation.fields.iter().zip(values);
    fields.map(|(field, (_, value))| json!([field.rust_name, value.json()])).collect()
}

fn shaped(key: &Key, shape: Shape) -> Option<String> {
    key.to_shape(shape).ok().map(|key| key.to_string())
}

/// Writes one block for each operation.
///
/// # Errors
/// When the output cannot be written.
pub fn write_schema_human(
    operations: &[Operation],
    sources: &Sources,
    width: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    for (index, operation) in operations.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        let line = sources.line(operation.span);
        let place = format!("{}:{line}", printable(sources.path(operation.span.file)));
        writeln!(out, "{}  {place}", printable(&operation.path))?;
        for (name, text) in lines(operation) {
            for (index, line) in wrap(&printable(&text), width.saturating_sub(13)).iter().enumerate() {
                writeln!(out, "  {:<11}{line}", if index == 0 { name } else { "" })?;
            }
        }
    }
    Ok(())
}

/// The lines of a block with their titles.
fn lines(operation: &Operation) -> Vec<(&'static str, String)> {
    let mut found = vec![(
        "operation",
        format!("{}/{} version {}", operation.namespace, operation.operation, operation.version),
    )];
    if let Some((template, digest)) = &operation.template {
        found.push(("live key", format!("{digest} of {template:?}")));
    }
    if let Some(pin) = &operation.pin {
        found.push(("pin", pin.clone()));
    }
    let fields = operation.fields.iter().map(|field| ("", field_line(field)));
    found.extend(titled("fields", fields));
    let ignored = operation.ignored.iter().map(|(name, reason)| ("", format!("{name}: {}", redact(reason))));
    found.extend(titled("ignored", ignored));
    match &operation.vectors {
        Ok(vectors) => found.extend(titled("vectors", vectors.iter().map(|one| ("", vector_line(one))))),
        Err(reason) => found.push(("vectors", format!("none: {reason}"))),
    }
    found
}

fn titled(
    title: &'static str,
    lines: impl Iterator<Item = (&'static str, String)>,
) -> impl Iterator<Item = (&'static str, String)> {
    lines.enumerate().map(move |(index, (_, line))| (if index == 0 { title } else { "" }, line))
}

fn field_line(field: &FieldSchema) -> String {
    let renamed = match field.name == field.rust_name {
        true => String::new(),
        false => format!(" (`{}` in Rust)", field.rust_name),
    };
    let mut text = format!("{}{renamed}: {}", field.name, phrase(&field.kind));
    for reason in &field.reasons {
        text.push_str(&format!("; {}: {}", reason.word, redact(&reason.text)));
    }
    if let Some(path) = &field.with {
        text.push_str(&format!("; through `{path}`"));
    }
    if !field.cfg.is_empty() {
        text.push_str(&format!("; only with {}", field.cfg));
    }
    text
}

/// A kind in a few words.
fn phrase(kind: &Kind) -> String {
    let fields = |fields: &[(String, Kind)]| -> String {
        let named: Vec<String> =
            fields.iter().map(|(name, kind)| format!("{name}: {}", phrase(kind))).collect();
        named.join(", ")
    };
    match kind {
        Kind::Optional(inner) => format!("optional {}", phrase(inner)),
        Kind::List(item) => format!("list of {}", phrase(item)),
        Kind::Set(item) => format!("set of {}", phrase(item)),
        Kind::Map(key, value) => format!("map from {} to {}", phrase(key), phrase(value)),
        Kind::Record(named) => format!("record {{ {} }}", fields(named)),
        Kind::Variant(variants) => {
            let named: Vec<String> = variants
                .iter()
                .map(|(name, named)| match named.is_empty() {
                    true => name.clone(),
                    false => format!("{name} {{ {} }}", fields(named)),
                })
                .collect();
            format!("one of {}", named.join(" | "))
        }
        Kind::Instant(Some(precision)) => format!("instant in {precision}s"),
        Kind::Text { single: true } => "text of one character".to_owned(),
        Kind::Fixed(inner) => format!("{} of fixed length", phrase(inner)),
        Kind::Unknown(reason) => format!("not known: {reason}"),
        _ => word(kind).to_owned(),
    }
}

fn vector_line(vector: &Vector) -> String {
    let values = fields_json(&vector.values);
    match &vector.outcome {
        Outcome::Derived(_, key) | Outcome::Live(key) => format!("{key}  {values}"),
        Outcome::Refused(word) => format!("refused ({word})  {values}"),
    }
}
