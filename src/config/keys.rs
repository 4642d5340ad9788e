//! Every key of the configuration: what the reader accepts, the schema describes and the sample shows.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::{RuleLevel, SOURCE_KINDS};
use crate::report::RuleInfo;

/// A table of the configuration.
pub(super) struct Table {
    pub keys: &'static [Key],
    /// Keys that have to be there.
    pub required: &'static [&'static str],
    /// Keys of which at most one may be there.
    pub one_of: &'static [&'static str],
    /// Keys of which at least one has to be there.
    pub any_of: &'static [&'static str],
}

/// A key of a table.
pub(super) struct Key {
    pub name: &'static str,
    pub kind: Kind,
    pub about: &'static str,
    /// The value when it is not given, as TOML or in words; empty when there is none.
    pub default: &'static str,
}

/// What a value looks like.
pub(super) enum Kind {
    /// Rule ids with levels.
    Levels,
    Level,
    /// Globs, or a single one.
    Globs,
    /// Globs, but not an empty list.
    SomeGlobs,
    /// A number of bytes, or a text such as `"8 MB"`.
    Size,
    Text,
    Flag,
    /// A number from 0.
    Index,
    /// A text that is not empty: a name, or a path to a function, method or type.
    Name,
    /// One of some words.
    Word(&'static [&'static str]),
    /// A text of a form, as a regular expression.
    Form(&'static str),
    /// An array of tables.
    Tables(&'static Table),
}

impl Key {
    /// The default as a value; `None` where it is described in words.
    fn default_value(&self) -> Option<Value> {
        let mut table: toml::Table = toml::from_str(&format!("value = {}", self.default)).ok()?;
        serde_json::to_value(table.remove("value")?).ok()
    }
}

const fn key(name: &'static str, kind: Kind, about: &'static str) -> Key {
    Key { name, kind, about, default: "" }
}

/// The whole configuration.
pub(super) const ROOT: Table = Table {
    keys: &[
        Key {
            default: "all files",
            ..key(
                "include",
                Kind::SomeGlobs,
                "Findings are reported in these files only. Globs, relative to this file.",
            )
        },
        Key {
            default: "[]",
            ..key("exclude", Kind::Globs, "These files are not read. Globs, relative to this file.")
        },
        Key {
            default: "\"8 MB\"",
            ..key(
                "max-file-size",
                Kind::Size,
                "Larger files are skipped and named: bytes, or a text such as \"8 MB\".",
            )
        },
        key(
            "rules",
            Kind::Levels,
            "Levels of rules: off, note, warning or error. A level never makes a note surer.",
        ),
        key("path", Kind::Tables(&PATH), "Levels for some files. Later tables win."),
        key("source", Kind::Tables(&SOURCE), "Functions of your own that return a value which changes."),
        key("sink", Kind::Tables(&SINK), "Functions, fields and headers of your own that take a key."),
        key("sanitizer", Kind::Tables(&SANITIZER), "Functions whose result is stable, whatever goes in."),
        key(
            "summary",
            Kind::Tables(&SUMMARY),
            "How a value moves through a function whose body is not in view.",
        ),
    ],
    required: &[],
    one_of: &[],
    any_of: &[],
};

pub(super) const PATH: Table = Table {
    keys: &[
        key("files", Kind::SomeGlobs, "The files that this is about. Globs, relative to this file."),
        key("rules", Kind::Levels, "Levels of rules in these files."),
        key("level", Kind::Level, "The level of all rules in these files."),
        key("reason", Kind::Text, "Why; required when a rule is turned off."),
    ],
    required: &["files"],
    one_of: &[],
    any_of: &["level", "rules"],
};

pub(super) const SOURCE: Table = Table {
    keys: &[
        key("path", Kind::Name, PATH_FORM),
        key("kind", Kind::Word(&SOURCE_KINDS), "What kind of value it is; it decides which rule reports it."),
    ],
    required: &["path"],
    one_of: &[],
    any_of: &[],
};

pub(super) const SINK: Table = Table {
    keys: &[
        key("path", Kind::Name, PATH_FORM),
        key("arg", Kind::Index, "The argument that takes the key, from 0 without the receiver."),
        key("field", Kind::Name, "The field of the type that takes the key."),
        key("header", Kind::Name, "The name of the header that takes the key; needs no path."),
        Key {
            default: "false",
            ..key("key", Kind::Flag, "Whether the rules about the shape of keys apply to it too.")
        },
    ],
    required: &[],
    one_of: &["arg", "field", "header"],
    any_of: &["path", "header"],
};

pub(super) const SANITIZER: Table =
    Table { keys: &[key("path", Kind::Name, PATH_FORM)], required: &["path"], one_of: &[], any_of: &[] };

pub(super) const SUMMARY: Table = Table {
    keys: &[
        key("path", Kind::Name, PATH_FORM),
        key("from", Kind::Form("^(self|arg[0-9]+)$"), "Where the value comes from: self or argN."),
        key(
            "to",
            Kind::Form("^(self|arg[0-9]+|return(\\.[^.]+)*)$"),
            "Where it goes: return, a field of it (return.a.b), self or argN.",
        ),
    ],
    required: &["path", "from", "to"],
    one_of: &[],
    any_of: &[],
};

/// A size as text; not zero.
const SIZE: &str = r"^\s*0*[1-9][0-9]*\s*([bB]|[kKmMgG][iI]?[bB])?\s*$";

const PATH_FORM: &str =
    "A path such as a::b::f or Type::method, or a bare name, which matches every function of that name.";

impl Table {
    /// The names of the keys.
    pub(super) fn names(&self) -> Vec<&'static str> {
        self.keys.iter().map(|key| key.name).collect()
    }
}

/// The JSON schema (draft 7) of `samekey.toml`, for editors.
#[must_use]
pub fn schema(rules: &[RuleInfo]) -> String {
    let mut schema = table(&ROOT, rules);
    schema.insert("$schema".to_owned(), json!("http://json-schema.org/draft-07/schema#"));
    schema.insert("title".to_owned(), json!("samekey.toml"));
    let mut text = String::new();
    write_value(&Value::Object(schema), 0, &mut text);
    text.push('\n');
    text
}

fn table(table: &Table, rules: &[RuleInfo]) -> Map<String, Value> {
    let mut properties = Map::new();
    for key in table.keys {
        let mut value = kind(&key.kind, rules);
        value.insert("description".to_owned(), json!(key.about));
        if let Some(default) = key.default_value() {
            value.insert("default".to_owned(), default);
        }
        properties.insert(key.name.to_owned(), Value::Object(value));
    }
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("additionalProperties".to_owned(), json!(false));
    schema.insert("properties".to_owned(), Value::Object(properties));
    if !table.required.is_empty() {
        schema.insert("required".to_owned(), json!(table.required));
    }
    if !table.any_of.is_empty() {
        let each: Vec<Value> = table.any_of.iter().map(|key| json!({"required": [key]})).collect();
        schema.insert("anyOf".to_owned(), json!(each));
    }
    if !table.one_of.is_empty() {
        let pairs = table.one_of.iter().enumerate();
        let together: Vec<Value> = pairs
            .flat_map(|(index, one)| {
                table.one_of.iter().skip(index + 1).map(move |other| json!({"required": [one, other]}))
            })
            .collect();
        schema.insert("not".to_owned(), json!({"anyOf": together}));
    }
    schema
}

fn kind(kind: &Kind, rules: &[RuleInfo]) -> Map<String, Value> {
    let levels = || json!(RuleLevel::WORDS.map(|(word, _)| word));
    let value = match kind {
        Kind::Levels => {
            let level = |rule: &RuleInfo| json!({"enum": levels(), "description": rule.summary});
            let named = rules.iter().flat_map(|rule| [(rule.id, level(rule)), (rule.code, level(rule))]);
            let properties: Map<String, Value> =
                named.map(|(name, level)| (name.to_owned(), level)).collect();
            json!({"type": "object", "additionalProperties": false, "properties": properties})
        }
        Kind::Level => json!({"enum": levels()}),
        Kind::Globs => globs(0),
        Kind::SomeGlobs => globs(1),
        Kind::Size => json!({"type": ["integer", "string"], "minimum": 1, "pattern": SIZE}),
        Kind::Text => json!({"type": "string"}),
        Kind::Flag => json!({"type": "boolean"}),
        Kind::Index => json!({"type": "integer", "minimum": 0}),
        Kind::Name => json!({"type": "string", "minLength": 1}),
        Kind::Word(words) => json!({"enum": words}),
        Kind::Form(form) => json!({"type": "string", "pattern": form}),
        Kind::Tables(inner) => json!({"type": "array", "items": Value::Object(table(inner, rules))}),
    };
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

fn globs(least: u64) -> Value {
    let pattern = json!({"type": "string", "minLength": 1});
    json!({"type": ["string", "array"], "minLength": 1, "minItems": least, "items": pattern})
}

/// JSON with keys in alphabetical order, however maps are built, so that the committed file does not change.
fn write_value(value: &Value, depth: usize, out: &mut String) {
    let (open, close, entries): (char, char, Vec<(Option<&String>, &Value)>) = match value {
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().map(|(key, value)| (Some(key), value)).collect();
            entries.sort_by_key(|(key, _)| *key);
            ('{', '}', entries)
        }
        Value::Array(items) if items.iter().any(Value::is_object) => {
            ('[', ']', items.iter().map(|item| (None, item)).collect())
        }
        other => {
            out.push_str(&other.to_string());
            return;
        }
    };
    out.push(open);
    for (index, (key, value)) in entries.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        let name = key.map(|key| format!("{}: ", json!(key))).unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = write!(out, "{comma}\n{:indent$}{name}", "", indent = 2 * (depth + 1));
        write_value(value, depth + 1, out);
    }
    if !entries.is_empty() {
        let _ = write!(out, "\n{:indent$}", "", indent = 2 * depth);
    }
    out.push(close);
}
