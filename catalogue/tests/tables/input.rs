//! The shape of the files in `data/`.

use std::collections::BTreeMap;

use serde::Deserialize;

/// A text alone, or a table that says more.
#[derive(Deserialize)]
#[serde(untagged)]
pub enum TextOr<T> {
    Text(String),
    Table(T),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct When {
    pub index: u8,
    pub literals: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallPattern {
    pub path: String,
    pub arity: Option<u8>,
    #[serde(default)]
    pub when: Vec<When>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MethodPattern {
    #[serde(default)]
    pub on: Vec<String>,
    pub names: Vec<String>,
    pub arity: Option<u8>,
    #[serde(default)]
    pub when: Vec<When>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldPattern {
    #[serde(default)]
    pub on: Vec<String>,
    pub names: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MacroPattern {
    pub path: String,
    pub max_args: Option<u8>,
}

/// The patterns of a source, sink or safe row.
#[derive(Deserialize)]
pub struct Patterns {
    #[serde(default)]
    pub calls: Vec<TextOr<CallPattern>>,
    #[serde(default)]
    pub methods: Vec<MethodPattern>,
    #[serde(default)]
    pub fields: Vec<FieldPattern>,
    #[serde(default)]
    pub macros: Vec<TextOr<MacroPattern>>,
    #[serde(default)]
    pub types: Vec<String>,
    #[serde(default)]
    pub headers: Vec<String>,
    #[serde(default)]
    pub keys: Vec<String>,
    #[serde(default)]
    pub envs: Vec<String>,
    #[serde(default)]
    pub sqls: Vec<String>,
}

#[derive(Deserialize)]
pub struct SourceRow {
    pub id: String,
    #[serde(default = "rust")]
    pub language: String,
    pub kind: String,
    #[serde(default)]
    pub order: bool,
    pub changes_on: String,
    pub level: String,
    #[serde(flatten)]
    pub patterns: Patterns,
    #[serde(default = "result")]
    pub out: String,
    #[serde(default)]
    pub lookalikes: Vec<String>,
    #[serde(default)]
    pub examples: Vec<String>,
    pub evidence: String,
    #[serde(default)]
    pub note: String,
    /// Misspelt keys; a test demands that there are none.
    #[serde(flatten)]
    pub unknown: BTreeMap<String, toml::Value>,
}

#[derive(Deserialize)]
pub struct SinkRow {
    pub id: String,
    #[serde(default = "rust")]
    pub language: String,
    #[serde(default)]
    pub provider: String,
    pub family: String,
    pub level: String,
    #[serde(flatten)]
    pub patterns: Patterns,
    #[serde(default = "result")]
    pub value: String,
    #[serde(default)]
    pub mints: bool,
    #[serde(default)]
    pub words: Vec<Vec<String>>,
    #[serde(default)]
    pub lookalikes: Vec<String>,
    #[serde(default)]
    pub examples: Vec<String>,
    pub evidence: String,
    #[serde(default)]
    pub note: String,
    /// Misspelt keys; a test demands that there are none.
    #[serde(flatten)]
    pub unknown: BTreeMap<String, toml::Value>,
}

#[derive(Deserialize)]
pub struct SafeRow {
    pub id: String,
    #[serde(default = "rust")]
    pub language: String,
    pub effect: String,
    #[serde(flatten)]
    pub patterns: Patterns,
    #[serde(default)]
    pub lookalikes: Vec<String>,
    #[serde(default)]
    pub examples: Vec<String>,
    pub evidence: String,
    #[serde(default)]
    pub note: String,
    /// Misspelt keys; a test demands that there are none.
    #[serde(flatten)]
    pub unknown: BTreeMap<String, toml::Value>,
}

#[derive(Deserialize)]
pub struct ContextRow {
    pub id: String,
    #[serde(default = "rust")]
    pub language: String,
    pub kind: String,
    #[serde(flatten)]
    pub patterns: Patterns,
    #[serde(default = "result")]
    pub body: String,
    #[serde(default)]
    pub lookalikes: Vec<String>,
    #[serde(default)]
    pub examples: Vec<String>,
    pub evidence: String,
    #[serde(default)]
    pub note: String,
    /// Misspelt keys; a test demands that there are none.
    #[serde(flatten)]
    pub unknown: BTreeMap<String, toml::Value>,
}

#[derive(Deserialize)]
pub struct OperationRow {
    pub id: String,
    #[serde(default = "rust")]
    pub language: String,
    pub provider: String,
    #[serde(flatten)]
    pub patterns: Patterns,
    #[serde(default)]
    pub posts: Vec<String>,
    #[serde(default = "executed")]
    pub repetition: String,
    #[serde(default)]
    pub keyed_by: Vec<String>,
    #[serde(default)]
    pub keyless: Vec<String>,
    #[serde(default)]
    pub lookalikes: Vec<String>,
    #[serde(default)]
    pub examples: Vec<String>,
    pub evidence: String,
    #[serde(default)]
    pub note: String,
    /// Misspelt keys; a test demands that there are none.
    #[serde(flatten)]
    pub unknown: BTreeMap<String, toml::Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProviderRow {
    pub id: String,
    pub name: String,
    #[serde(default)]
    pub hosts: Vec<String>,
    pub header: Option<String>,
    #[serde(default)]
    pub ignores: Vec<String>,
    #[serde(default)]
    pub varies: bool,
    pub max_len: Option<u16>,
    pub min_len: Option<u16>,
    #[serde(default = "any")]
    pub charset: String,
    #[serde(default = "any")]
    pub uuid: String,
    pub retention: String,
    pub retention_seconds: Option<u32>,
    #[serde(default)]
    pub compares: bool,
    pub replays: String,
    pub evidence: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DigestRow {
    pub name: String,
    pub bits: u16,
    #[serde(default = "bytes")]
    pub form: String,
    #[serde(default)]
    pub keyed: bool,
    #[serde(default)]
    pub types: Vec<String>,
    #[serde(default)]
    pub calls: Vec<String>,
    #[serde(default)]
    pub methods: Vec<String>,
    pub evidence: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Digests {
    pub finishing: Vec<String>,
    pub chaining: Vec<String>,
    pub digest: Vec<DigestRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NameRow {
    pub id: String,
    pub role: String,
    pub kind: Option<String>,
    pub changes_on: Option<String>,
    pub snake: Vec<String>,
    #[serde(default)]
    pub camel: Vec<String>,
    pub level: String,
    #[serde(default)]
    pub homonyms: Vec<String>,
    #[serde(default)]
    pub note: String,
}

/// Receiver types with their methods: one group where it has a name, otherwise
/// every type by itself.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Receiver {
    pub group: Option<String>,
    #[serde(default)]
    pub types: Vec<String>,
    pub methods: Vec<MethodModel>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MethodModel {
    pub names: Vec<String>,
    pub flows: Vec<String>,
    pub returns: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PathModel {
    pub paths: Vec<String>,
    pub flows: Vec<String>,
    pub returns: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Models {
    pub receiver: Vec<Receiver>,
    pub functions: Vec<PathModel>,
    pub macros: Vec<PathModel>,
}

/// Other public paths of one item.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spelling {
    pub path: String,
    pub also: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spellings {
    pub spelling: Vec<Spelling>,
}

/// What the derive macro refuses.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refused {
    pub refused_type: Vec<TypeGroup>,
    pub persisted_type: Vec<TypeGroup>,
    pub refused_name: Vec<NameGroup>,
    pub identity_type: Vec<IdentityGroup>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IdentityGroup {
    pub kind: String,
    pub paths: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TypeGroup {
    pub advice: String,
    pub types: Vec<TypePaths>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TypePaths {
    pub name: String,
    pub paths: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NameGroup {
    pub advice: String,
    pub names: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sources {
    pub environment_readers: Vec<String>,
    pub source: Vec<SourceRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sinks {
    pub sink: Vec<SinkRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Safes {
    pub safe: Vec<SafeRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contexts {
    pub context: Vec<ContextRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Operations {
    pub http: HttpRow,
    pub strategy: Vec<StrategyRow>,
    pub operation: Vec<OperationRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HttpRow {
    pub posts: Vec<String>,
    pub verbs: Vec<String>,
    pub header: Vec<String>,
    pub headers: Vec<String>,
    pub neutral: Vec<String>,
    pub bodies: Vec<String>,
    pub sends: Vec<String>,
    pub defaults: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StrategyRow {
    pub path: String,
    #[serde(default)]
    pub packages: Vec<String>,
    #[serde(default)]
    pub feature: String,
    #[serde(default)]
    pub default_before: String,
    pub evidence: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Providers {
    pub provider: Vec<ProviderRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Names {
    pub name: Vec<NameRow>,
}

fn rust() -> String {
    "rust".into()
}

fn executed() -> String {
    "executed".to_owned()
}

fn result() -> String {
    "return".into()
}

fn bytes() -> String {
    "bytes".to_owned()
}

fn any() -> String {
    "any".into()
}
