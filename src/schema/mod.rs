//! The operations of a tree as other languages need them: fields, what they encode, and keys of sample values.
//!
//! Everything is read from source; no code of the tree runs. The keys come from the encoder of the runtime crate,
//! so they are those of the compiled derive.

mod kind;
mod value;

pub use kind::Kind;
pub use value::{Value, fields_json, hex};

use std::collections::BTreeMap;

use samekey::__private::{Refusal, TemplateDigest, key_of_record, live_key, schema_of_operation};
use samekey::{Key, Record};
use samekey_catalogue::template::{Digest, Template};

use crate::config::Config;
use crate::derive::{self, IdentityField, Intent, Reason};
use crate::driver::{Analysis, Findings, Input};
use crate::facts::derive_words;
use crate::flow::Complete;
use crate::ir::{GenericParam, Span};
use crate::load::SinkWords;
use crate::report::RuleInfo;
use crate::resolve::{Program, Ty};
use crate::rules::Rules;

/// An operation has a vector for each variant of its enums, at least and at most so many.
const VECTORS: std::ops::RangeInclusive<usize> = 3..=12;

/// A type that derives its key.
#[derive(Clone, Debug)]
pub struct Operation {
    /// The canonical path of the type.
    pub path: String,
    /// Where its name stands.
    pub span: Span,
    /// Who owns the operation.
    pub namespace: String,
    /// What is done.
    pub operation: String,
    /// The version of how the key is made.
    pub version: u32,
    /// What `pin` has to say; nothing when a part is not known.
    pub pin: Option<String>,
    /// Template and digest of a live key.
    pub template: Option<(String, String)>,
    /// The fields of the identity, sorted by name.
    pub fields: Vec<FieldSchema>,
    /// The other fields with their reasons.
    pub ignored: Vec<(String, String)>,
    /// Keys of sample values, or why there are none.
    pub vectors: Result<Vec<Vector>, String>,
}

/// A field of an identity.
#[derive(Clone, Debug)]
pub struct FieldSchema {
    /// The name in the key.
    pub name: String,
    /// The name in Rust.
    pub rust_name: String,
    /// What it encodes.
    pub kind: Kind,
    /// Why its value does not change.
    pub reasons: Vec<Reason>,
    /// The function through which it is converted.
    pub with: Option<String>,
    /// The conditions under which it is compiled; empty when there are none.
    pub cfg: String,
}

/// Sample values and what becomes of them.
#[derive(Clone, Debug)]
pub struct Vector {
    /// The values by name.
    pub values: Vec<(String, Value)>,
    /// What becomes of them.
    pub outcome: Outcome,
}

/// What becomes of sample values.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The encoded identity and its key.
    Derived(Vec<u8>, Key),
    /// The key of a template.
    Live(Key),
    /// The template refuses the values: the word of the vector files.
    Refused(&'static str),
}

/// Finds operations instead of keys that change.
pub struct Operations;

impl Analysis for Operations {
    fn rules(&self) -> &[RuleInfo] {
        Rules.rules()
    }

    fn words(&self, _config: &Config) -> SinkWords {
        derive_words()
    }

    fn run(&self, input: &Input<'_>, complete: &mut Complete<'_>) -> Option<Findings> {
        let program = input.program;
        let intents = derive::intents(program);
        let counts = |intent: &&Intent| input.include_tests || !program.type_(intent.ty).test;
        let operations = intents.iter().filter(counts).map(|intent| operation(program, intent)).collect();
        complete(&[]).then(|| Findings { operations, ..Findings::default() })
    }
}

fn operation(program: &Program, intent: &Intent) -> Operation {
    let def = program.type_(intent.ty);
    let parameter = |param: &GenericParam| Ty::Param { name: param.name.clone(), bounds: Vec::new() };
    let owner = Ty::Adt { id: intent.ty, args: def.ir.generics.params.iter().map(parameter).collect() };
    let bounds = kind::Bounds::default();
    let reader = kind::Reader::new(program, &bounds);
    let fields: Vec<FieldSchema> =
        intent.fields.iter().map(|field| schema(field, reader.field(&owner, def, field))).collect();
    let kinds: Vec<(String, Kind)> =
        fields.iter().map(|field| (field.name.clone(), field.kind.clone())).collect();
    Operation {
        path: def.path.to_string(),
        span: def.name_span,
        namespace: intent.namespace.clone(),
        operation: intent.operation.clone(),
        version: intent.version,
        pin: pin(intent, &kinds),
        template: intent.template.clone(),
        ignored: intent.ignored.iter().map(|(name, why)| (name.to_string(), why.clone())).collect(),
        vectors: vectors(intent, &fields, &kinds),
        fields,
    }
}

fn schema(field: &IdentityField, kind: Kind) -> FieldSchema {
    FieldSchema {
        name: field.encoded.clone(),
        rust_name: field.name.to_string(),
        kind,
        reasons: field.reasons.clone(),
        with: match &field.how {
            derive::How::With(path) => Some(path.clone()),
            _ => None,
        },
        cfg: field.cfg.to_string(),
    }
}

fn pin(intent: &Intent, kinds: &[(String, Kind)]) -> Option<String> {
    let mut fields = kind::record_schema(kinds)?;
    if let Some((template, digest)) = &intent.template {
        fields = fields.text(template).text(digest);
    }
    let schema = schema_of_operation(&intent.namespace, &intent.operation, intent.version, fields);
    String::from_utf8(schema.hex().to_vec()).ok()
}

fn vectors(intent: &Intent, fields: &[FieldSchema], kinds: &[(String, Kind)]) -> Result<Vec<Vector>, String> {
    for field in fields {
        if let Some(obstacle) = field.kind.obstacle() {
            return Err(format!("`{}`: {obstacle}", field.rust_name));
        }
        if !field.cfg.is_empty() {
            return Err(format!("`{}` is compiled only with {}", field.rust_name, field.cfg));
        }
    }
    let wanted = kinds.iter().map(|(_, kind)| variants(kind)).max().unwrap_or(0);
    let count = wanted.clamp(*VECTORS.start(), *VECTORS.end());
    let found = (0..count).filter_map(|number| value::samples(kinds, number));
    found.map(|values| Ok(Vector { outcome: outcome(intent, fields, &values)?, values })).collect()
}

/// How many variants the largest enum in a kind has.
fn variants(kind: &Kind) -> usize {
    let of_fields =
        |fields: &[(String, Kind)]| fields.iter().map(|(_, kind)| variants(kind)).max().unwrap_or(0);
    match kind {
        Kind::Variant(named) => {
            named.iter().map(|(_, fields)| of_fields(fields)).max().unwrap_or(0).max(named.len())
        }
        Kind::Record(fields) => of_fields(fields),
        Kind::Optional(inner) | Kind::List(inner) | Kind::Set(inner) => variants(inner),
        Kind::Map(key, value) => variants(key).max(variants(value)),
        _ => 0,
    }
}

fn outcome(intent: &Intent, fields: &[FieldSchema], values: &[(String, Value)]) -> Result<Outcome, String> {
    let Some((template, digest)) = &intent.template else {
        let mut record = Record::default();
        value::write(&mut record, values);
        let (bytes, key) = key_of_record(&intent.namespace, &intent.operation, intent.version, None, record);
        return Ok(Outcome::Derived(bytes, key));
    };
    let template = Template::parse(template)?;
    let texts: BTreeMap<&str, Option<String>> = fields
        .iter()
        .zip(values)
        .map(|(field, (_, value))| (field.rust_name.as_str(), value.text()))
        .collect();
    let literals: Vec<&str> = template.literals.iter().map(String::as_str).collect();
    let texts: Vec<Option<&str>> =
        template.fields.iter().map(|name| texts.get(name.as_str())?.as_deref()).collect();
    let digest = match Digest::parse(digest)? {
        Digest::None => TemplateDigest::None,
        Digest::Sha256(digits) => TemplateDigest::Sha256(digits),
        Digest::Uuid5(namespace) => TemplateDigest::Uuid5(namespace),
    };
    Ok(match live_key(&literals, digest, &texts) {
        Ok(key) => Outcome::Live(key),
        Err(refusal) => Outcome::Refused(match refusal {
            Refusal::NoText(_) => "no_text",
            Refusal::Empty(_) => "empty_value",
            Refusal::ContainsSeparator(..) => "contains_separator",
            Refusal::Ambiguous(_) => "ambiguous",
        }),
    })
}
