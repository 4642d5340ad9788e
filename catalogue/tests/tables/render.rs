//! Turns the rows of `data/` into the Rust text of `src/generated/`.

use std::fmt::Write as _;

use super::input::{
    ContextRow, Digests, HttpRow, MethodModel, Models, NameRow, Operations, PathModel, Patterns, ProviderRow,
    Receiver, Refused, SafeRow, SinkRow, SourceRow, TextOr, When,
};
use super::spell::{all, spellings};

/// The first line of every generated file.
const HEADER: &str = "//! Written by the tests from `data/`; edit the data and bless.\n\n";

/// Renders the table of sources.
pub fn sources(readers: &[String], rows: &[SourceRow]) -> String {
    let mut text =
        file("use crate::{ArgCondition, ChangesOn, Language, Level, Pattern, Slot, Source, SourceKind};");
    text.push_str("/// Functions and macros that read an environment variable.\n");
    let _ = writeln!(text, "pub static ENVIRONMENT_READERS: &[&str] = {};\n", texts(&all(readers)));
    open(&mut text, "SOURCES", "Source", "Sources in the order of the data file.");
    for row in rows {
        let fields = [
            ("id", quoted(&row.id)),
            ("language", variant("Language", &row.language)),
            ("kind", variant("SourceKind", &row.kind)),
            ("changes_on", variant("ChangesOn", &row.changes_on)),
            ("order", row.order.to_string()),
            ("level", variant("Level", &row.level)),
            ("patterns", patterns(&row.patterns)),
            ("out", slot(&row.out)),
            ("lookalikes", texts(&row.lookalikes)),
            ("examples", texts(&row.examples)),
            ("evidence", quoted(&row.evidence)),
            ("note", quoted(&row.note)),
        ];
        entry(&mut text, "Source", &fields);
    }
    close(text)
}

/// Renders the table of sinks.
pub fn sinks(rows: &[SinkRow]) -> String {
    let mut text = file("use crate::{ArgCondition, Family, Language, Level, Pattern, Sink, Slot};");
    open(&mut text, "SINKS", "Sink", "Sinks in the order of the data file.");
    for row in rows {
        let fields = [
            ("id", quoted(&row.id)),
            ("language", variant("Language", &row.language)),
            ("provider", quoted(&row.provider)),
            ("family", variant("Family", &row.family)),
            ("level", variant("Level", &row.level)),
            ("patterns", patterns(&row.patterns)),
            ("value", slot(&row.value)),
            ("mints", row.mints.to_string()),
            ("words", list(row.words.iter().map(|words| texts(words)))),
            ("lookalikes", texts(&row.lookalikes)),
            ("examples", texts(&row.examples)),
            ("evidence", quoted(&row.evidence)),
            ("note", quoted(&row.note)),
        ];
        entry(&mut text, "Sink", &fields);
    }
    close(text)
}

/// Renders the table of safe rows.
pub fn safes(rows: &[SafeRow]) -> String {
    let mut text = file("use crate::{ArgCondition, Effect, Language, Pattern, Safe};");
    open(&mut text, "SAFES", "Safe", "Safe rows in the order of the data file.");
    for row in rows {
        let fields = [
            ("id", quoted(&row.id)),
            ("language", variant("Language", &row.language)),
            ("patterns", patterns(&row.patterns)),
            ("effect", variant("Effect", &row.effect)),
            ("lookalikes", texts(&row.lookalikes)),
            ("examples", texts(&row.examples)),
            ("evidence", quoted(&row.evidence)),
            ("note", quoted(&row.note)),
        ];
        entry(&mut text, "Safe", &fields);
    }
    close(text)
}

/// Renders the table of contexts.
pub fn contexts(rows: &[ContextRow]) -> String {
    let mut text = file("use crate::{ArgCondition, Context, ContextKind, Language, Pattern, Slot};");
    open(&mut text, "CONTEXTS", "Context", "Contexts in the order of the data file.");
    for row in rows {
        let fields = [
            ("id", quoted(&row.id)),
            ("language", variant("Language", &row.language)),
            ("kind", variant("ContextKind", &row.kind)),
            ("patterns", patterns(&row.patterns)),
            ("body", slot(&row.body)),
            ("lookalikes", texts(&row.lookalikes)),
            ("examples", texts(&row.examples)),
            ("evidence", quoted(&row.evidence)),
            ("note", quoted(&row.note)),
        ];
        entry(&mut text, "Context", &fields);
    }
    close(text)
}

/// Renders the table of operations.
pub fn operations(Operations { http, strategy, operation: rows }: &Operations) -> String {
    let mut text =
        file("use crate::{ArgCondition, HttpClient, Language, Operation, Pattern, Repetition, Strategy};");
    http_client(&mut text, http);
    open(&mut text, "STRATEGIES", "Strategy", "Strategies in the order of the data file.");
    for row in strategy {
        let fields = [
            ("paths", texts(&spellings(&row.path))),
            ("packages", texts(&row.packages)),
            ("feature", quoted(&row.feature)),
            ("default_before", quoted(&row.default_before)),
            ("evidence", quoted(&row.evidence)),
        ];
        entry(&mut text, "Strategy", &fields);
    }
    text.push_str("];\n\n");
    open(&mut text, "OPERATIONS", "Operation", "Operations in the order of the data file.");
    for row in rows {
        let fields = [
            ("id", quoted(&row.id)),
            ("language", variant("Language", &row.language)),
            ("provider", quoted(&row.provider)),
            ("patterns", patterns(&row.patterns)),
            ("posts", texts(&row.posts)),
            ("repetition", variant("Repetition", &row.repetition)),
            ("keyed_by", texts(&row.keyed_by)),
            ("keyless", texts(&row.keyless)),
            ("lookalikes", texts(&row.lookalikes)),
            ("examples", texts(&row.examples)),
            ("evidence", quoted(&row.evidence)),
            ("note", quoted(&row.note)),
        ];
        entry(&mut text, "Operation", &fields);
    }
    close(text)
}

fn http_client(text: &mut String, http: &HttpRow) {
    let fields = [
        ("posts", &http.posts),
        ("verbs", &http.verbs),
        ("header", &http.header),
        ("headers", &http.headers),
        ("neutral", &http.neutral),
        ("bodies", &http.bodies),
        ("sends", &http.sends),
        ("defaults", &http.defaults),
    ];
    text.push_str(
        "/// How HTTP clients build a request.\npub static HTTP_CLIENT: HttpClient = HttpClient {\n",
    );
    for (name, names) in fields {
        let _ = writeln!(text, "    {name}: {},", texts(names));
    }
    text.push_str("};\n\n");
}

/// Renders the table of providers.
pub fn providers(rows: &[ProviderRow]) -> String {
    let mut text = file("use crate::{Charset, Provider, UuidRule};");
    open(&mut text, "PROVIDERS", "Provider", "Providers in the order of the data file.");
    for row in rows {
        let fields = [
            ("id", quoted(&row.id)),
            ("name", quoted(&row.name)),
            ("hosts", texts(&row.hosts)),
            ("header", format!("{:?}", row.header)),
            ("ignores", texts(&row.ignores)),
            ("varies", row.varies.to_string()),
            ("max_len", format!("{:?}", row.max_len)),
            ("min_len", format!("{:?}", row.min_len)),
            ("charset", variant("Charset", &row.charset)),
            ("uuid", variant("UuidRule", &row.uuid)),
            ("retention", quoted(&row.retention)),
            ("retention_seconds", format!("{:?}", row.retention_seconds)),
            ("compares", row.compares.to_string()),
            ("replays", quoted(&row.replays)),
            ("evidence", quoted(&row.evidence)),
        ];
        entry(&mut text, "Provider", &fields);
    }
    close(text)
}

/// Renders the table of digests and encodings.
pub fn digests(table: &Digests) -> String {
    let mut text = file("use crate::{Digest, DigestForm};");
    let methods = [
        ("FINISHING", "yield the digest", &table.finishing),
        ("CHAINING", "take up data and give it back", &table.chaining),
    ];
    for (name, what, methods) in methods {
        let _ = writeln!(text, "/// Methods of a hasher that {what}.");
        let _ = writeln!(text, "pub static {name}: &[&str] = {};\n", texts(methods));
    }
    open(&mut text, "DIGESTS", "Digest", "Digests and encodings in the order of the data file.");
    for row in &table.digest {
        let fields = [
            ("name", quoted(&row.name)),
            ("bits", row.bits.to_string()),
            ("form", variant("DigestForm", &row.form)),
            ("keyed", row.keyed.to_string()),
            ("types", texts(&all(&row.types))),
            ("calls", texts(&all(&row.calls))),
            ("methods", texts(&row.methods)),
            ("evidence", quoted(&row.evidence)),
        ];
        entry(&mut text, "Digest", &fields);
    }
    close(text)
}

/// Renders the table of name rules.
pub fn names(rows: &[NameRow]) -> String {
    let mut text = file("use crate::{ChangesOn, Level, NameRole, NameRule, SourceKind};");
    open(&mut text, "NAMES", "NameRule", "Name rules in the order of the data file.");
    for row in rows {
        let optional = |name: &str, word: &Option<String>| match word {
            Some(word) => format!("Some({})", variant(name, word)),
            None => "None".into(),
        };
        let fields = [
            ("id", quoted(&row.id)),
            ("role", variant("NameRole", &row.role)),
            ("kind", optional("SourceKind", &row.kind)),
            ("changes_on", optional("ChangesOn", &row.changes_on)),
            ("snake", texts(&row.snake)),
            ("camel", texts(&row.camel)),
            ("level", variant("Level", &row.level)),
            ("homonyms", texts(&row.homonyms)),
            ("note", quoted(&row.note)),
        ];
        entry(&mut text, "NameRule", &fields);
    }
    close(text)
}

/// Renders what the derive macro refuses.
pub fn refused(refused: &Refused) -> String {
    let mut text = file(
        "#[cfg(feature = \"linter\")]\nuse crate::derive::{IdentityKind, IdentityType};\nuse crate::derive::{RefusedName, RefusedType};",
    );
    text.push_str("#[cfg(feature = \"linter\")]\n");
    open(&mut text, "IDENTITY_TYPES", "IdentityType", "Types that are admitted.");
    for group in &refused.identity_type {
        let kind = variant("IdentityKind", &group.kind);
        for path in &group.paths {
            let _ = writeln!(text, "    IdentityType {{ path: {path:?}, kind: {kind} }},");
        }
    }
    text.push_str("];\n\n");
    let types = [
        ("REFUSED_TYPES", &refused.refused_type, "Types that are refused."),
        ("PERSISTED_TYPES", &refused.persisted_type, "Types that must be stored first."),
    ];
    for (name, groups, doc) in types {
        open(&mut text, name, "RefusedType", doc);
        for group in groups {
            for found in &group.types {
                let paths = texts(&found.paths);
                let advice = &group.advice;
                let _ = writeln!(
                    text,
                    "    RefusedType {{ name: {:?}, paths: {paths}, advice: {advice:?} }},",
                    found.name
                );
            }
        }
        text.push_str("];\n\n");
    }
    open(&mut text, "REFUSED_NAMES", "RefusedName", "Field names that are refused.");
    for group in &refused.refused_name {
        for name in &group.names {
            let _ = writeln!(text, "    RefusedName {{ name: {name:?}, advice: {:?} }},", group.advice);
        }
    }
    close(text)
}

/// Renders the tables of flow models and receiver groups.
pub fn models(models: &Models) -> String {
    let mut text = file("use crate::{Callee, Group, Model};");
    open(&mut text, "GROUPS", "Group", "Receiver groups.");
    for receiver in &models.receiver {
        if let Some(group) = &receiver.group {
            let fields = [("name", quoted(group)), ("types", texts(&all(&receiver.types)))];
            entry(&mut text, "Group", &fields);
        }
    }
    text.push_str("];\n\n");
    open(&mut text, "MODELS", "Model", "Methods by receiver, then functions, then macros.");
    for receiver in &models.receiver {
        methods(&mut text, receiver);
    }
    for model in &models.functions {
        path_model(&mut text, "Function", model);
    }
    for model in &models.macros {
        path_model(&mut text, "Macro", model);
    }
    close(text)
}

fn methods(text: &mut String, receiver: &Receiver) {
    let receivers = match &receiver.group {
        Some(group) => vec![group.clone()],
        None => all(&receiver.types),
    };
    for on in &receivers {
        for model in &receiver.methods {
            for name in &model.names {
                let callee = format!("Callee::Method {{ receiver: {on:?}, name: {name:?} }}");
                let MethodModel { flows, returns, .. } = model;
                model_entry(text, callee, flows, returns.as_ref());
            }
        }
    }
}

fn path_model(text: &mut String, callee: &str, model: &PathModel) {
    for path in all(&model.paths) {
        let callee = format!("Callee::{callee} {{ path: {path:?} }}");
        model_entry(text, callee, &model.flows, model.returns.as_ref());
    }
}

fn model_entry(text: &mut String, callee: String, flows: &[String], returns: Option<&String>) {
    let fields = [("callee", callee), ("flows", texts(flows)), ("returns", format!("{returns:?}"))];
    let line: Vec<String> = fields.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    let _ = writeln!(text, "    Model {{ {} }},", line.join(", "));
}

fn patterns(patterns: &Patterns) -> String {
    let mut found = Vec::new();
    calls(patterns, &mut found);
    for method in &patterns.methods {
        let on = all(&method.on);
        for name in &method.names {
            found.push(format!(
                "Pattern::Method {{ receivers: {}, name: {name:?}, arity: {:?}, when: {} }}",
                texts(&on),
                method.arity,
                conditions(&method.when)
            ));
        }
    }
    for field in &patterns.fields {
        for name in &field.names {
            found.push(format!("Pattern::Field {{ owners: {}, name: {name:?} }}", texts(&all(&field.on))));
        }
    }
    macros(patterns, &mut found);
    for path in all(&patterns.types) {
        found.push(format!("Pattern::Type {{ path: {path:?} }}"));
    }
    let named = [
        ("Header", "name", &patterns.headers),
        ("Key", "name", &patterns.keys),
        ("Env", "name", &patterns.envs),
        ("Sql", "word", &patterns.sqls),
    ];
    for (variant, field, names) in named {
        found.extend(names.iter().map(|name| format!("Pattern::{variant} {{ {field}: {name:?} }}")));
    }
    let mut text = String::from("&[");
    for pattern in found {
        let _ = write!(text, "\n            {pattern},");
    }
    text + "\n        ]"
}

fn calls(patterns: &Patterns, found: &mut Vec<String>) {
    for call in &patterns.calls {
        let (path, arity, when) = match call {
            TextOr::Text(path) => (path, None, &[][..]),
            TextOr::Table(call) => (&call.path, call.arity, call.when.as_slice()),
        };
        for path in spellings(path) {
            found.push(format!(
                "Pattern::Call {{ path: {path:?}, arity: {arity:?}, when: {} }}",
                conditions(when)
            ));
        }
    }
}

fn macros(patterns: &Patterns, found: &mut Vec<String>) {
    for pattern in &patterns.macros {
        let (path, max_args) = match pattern {
            TextOr::Text(path) => (path, None),
            TextOr::Table(pattern) => (&pattern.path, pattern.max_args),
        };
        for path in spellings(path) {
            found.push(format!("Pattern::Macro {{ path: {path:?}, max_args: {max_args:?} }}"));
        }
    }
}

fn conditions(when: &[When]) -> String {
    list(when.iter().map(|condition| {
        let literals = texts(&condition.literals);
        format!("ArgCondition {{ index: {}, literals: {literals} }}", condition.index)
    }))
}

fn slot(word: &str) -> String {
    match word.strip_prefix("arg") {
        Some(index) => format!("Slot::Arg({index})"),
        None => variant("Slot", word),
    }
}

/// `snake_case` word to a variant of an enum.
fn variant(name: &str, word: &str) -> String {
    let camel: String = word
        .split('_')
        .map(|part| {
            let (first, rest) = part.split_at(part.len().min(1));
            first.to_uppercase() + rest
        })
        .collect();
    format!("{name}::{camel}")
}

fn quoted(text: &str) -> String {
    format!("{text:?}")
}

fn texts(texts: &[String]) -> String {
    list(texts.iter().map(|text| quoted(text)))
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("&[{}]", items.collect::<Vec<_>>().join(", "))
}

fn file(imports: &str) -> String {
    format!("{HEADER}{imports}\n\n")
}

fn open(text: &mut String, name: &str, row: &str, doc: &str) {
    let _ = writeln!(text, "/// {doc}\npub static {name}: &[{row}] = &[");
}

fn entry(text: &mut String, row: &str, fields: &[(&str, String)]) {
    let _ = writeln!(text, "    {row} {{");
    for (name, value) in fields {
        let _ = writeln!(text, "        {name}: {value},");
    }
    text.push_str("    },\n");
}

fn close(text: String) -> String {
    let used = text.contains("ArgCondition {");
    let text = if used { text } else { text.replace("ArgCondition, ", "") };
    text + "];\n"
}
