//! What `derive(Idempotent)` and `derive(Identity)` say of the types of the tree.
//!
//! The derives are recognised by what their path means, also through `use .. as ..`, a renamed dependency and a
//! re-export. Types that the macro refuses do not compile, so nothing is checked again here.

mod words;

use samekey_catalogue::derive as names;

use crate::ir::{Attributes, Field, Name, Span, Type};
use crate::resolve::{Program, TraitDef, TypeDef, TypeId};
use words::Words;

/// A struct that describes one business operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Intent {
    /// The struct.
    pub ty: TypeId,
    /// Who owns the operation.
    pub namespace: String,
    /// What is done.
    pub operation: String,
    /// The version of how the key is made.
    pub version: u32,
    /// The template of a live key, and what becomes of its text.
    pub template: Option<(String, String)>,
    /// The fields of the identity, sorted by their names in the key.
    pub fields: Vec<IdentityField>,
    /// The other fields, each with the reason.
    pub ignored: Vec<(Name, String)>,
}

/// A field that is part of an identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdentityField {
    /// Its name in Rust; tuple fields count `0`, `1`.
    pub name: Name,
    /// Its name in the key.
    pub encoded: String,
    /// Its type as written.
    pub ty: Type,
    /// The whole field.
    pub span: Span,
    /// How its value is taken.
    pub how: How,
    /// Why the author says that its value does not change.
    pub reasons: Vec<Reason>,
    /// The conditions under which it is compiled.
    pub cfg: Name,
}

/// How the value of a field is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum How {
    /// As an identity.
    Plain,
    /// As a point in time, with the precision of its store.
    At(String),
    /// As bytes.
    Bytes,
    /// Through the function of this path.
    With(String),
}

/// What the author says of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// `persisted`, `stable` or `attempt`.
    pub word: &'static str,
    /// The text behind it.
    pub text: String,
}

/// The words that carry a reason.
const REASONS: [&str; 3] = ["persisted", "stable", "attempt"];

/// The intents of a program, by type.
#[must_use]
pub fn intents(program: &Program) -> Vec<Intent> {
    let types = program.types().map(|id| program.type_(id));
    // Without an attribute there is no namespace; most types have none, and names are resolved for the others.
    let marked = types.filter(|def| def.attributes.other.iter().any(|one| one.path == names::ATTRIBUTE));
    marked.filter(|def| derives(program, def, names::INTENT)).map(intent).collect()
}

/// Whether a type derives `Identity`.
#[must_use]
pub fn is_identity(program: &Program, def: &TypeDef) -> bool {
    derives(program, def, names::IDENTITY)
}

/// Whether a bound or path means the trait of an intent.
#[must_use]
pub fn is_intent_trait(program: &Program, id: &TraitDef) -> bool {
    means(program.trait_path(id), names::INTENT)
}

/// The identity fields of a struct or of a variant, sorted by their names in the key. In a type that derives
/// `Identity` a field belongs to the identity unless it is ignored.
#[must_use]
pub fn identity_fields(fields: &[Field], marked: bool) -> Vec<IdentityField> {
    let mut found: Vec<IdentityField> = fields
        .iter()
        .filter(|field| belongs(&words(&field.attributes), marked))
        .map(identity_field)
        .collect();
    found.sort_by(|left, right| left.encoded.cmp(&right.encoded));
    found
}

/// The name of a variant in the key.
#[must_use]
pub fn encoded_name(name: &str, attributes: &Attributes) -> String {
    words(attributes).value("rename").unwrap_or(name).to_owned()
}

/// Whether a field is no part of the identity of its type.
#[must_use]
pub fn is_ignored(attributes: &Attributes) -> bool {
    words(attributes).has("ignore")
}

/// The reason for which a newtype's value counts as stored.
#[must_use]
pub fn persisted(attributes: &Attributes) -> Option<String> {
    words(attributes).value("persisted").map(str::to_owned)
}

fn words(attributes: &Attributes) -> Words {
    Words::of(attributes, names::ATTRIBUTE)
}

fn derives(program: &Program, def: &TypeDef, wanted: &str) -> bool {
    def.attributes.derives.iter().any(|path| {
        let found = program.resolve_trait(def.scope, path);
        found.is_some_and(|found| {
            let path = program.trait_path(&found.id);
            means(path, wanted) || is_unresolved(path, wanted, def)
        })
    })
}

/// Whether a canonical path names the trait, also inside the crate itself or through a crate that re-exports it.
fn means(path: &str, wanted: &str) -> bool {
    let (krate, last) = (names::CRATE, wanted);
    path.strip_suffix(last).and_then(|start| start.strip_suffix("::")).is_some_and(|start| {
        let mut segments = start.split("::");
        segments.any(|segment| segment == krate)
    })
}

/// A name that comes from a glob import of something outside, or from a crate that re-exports the derive, which
/// the type then names.
fn is_unresolved(path: &str, wanted: &str, def: &TypeDef) -> bool {
    let own = words(&def.attributes);
    let bare = path == wanted && (wanted != names::INTENT || own.has("namespace"));
    bare || own.has("crate") && path.rsplit("::").next() == Some(wanted)
}

fn intent(def: &TypeDef) -> Intent {
    let own = words(&def.attributes);
    let text = |word: &str| own.value(word).map(str::to_owned);
    let ignored = def.fields(None).iter().filter(|field| !belongs(&words(&field.attributes), true));
    Intent {
        ty: def.id,
        namespace: text("namespace").unwrap_or_default(),
        operation: text("operation").unwrap_or_default(),
        version: own.value("version").and_then(|version| version.replace('_', "").parse().ok()).unwrap_or(1),
        template: text("template").zip(text("digest")),
        fields: identity_fields(def.fields(None), true),
        ignored: ignored
            .map(|field| (field.name.clone(), reason(&words(&field.attributes), "ignore")))
            .collect(),
    }
}

fn reason(words: &Words, word: &str) -> String {
    words.value(word).unwrap_or_default().to_owned()
}

fn belongs(words: &Words, marked: bool) -> bool {
    if marked { words.has("identity") } else { !words.has("ignore") }
}

fn identity_field(field: &Field) -> IdentityField {
    let own = words(&field.attributes);
    let reasons = REASONS.iter().filter(|word| own.has(word));
    IdentityField {
        name: field.name.clone(),
        encoded: encoded_name(&field.name, &field.attributes),
        ty: field.ty.clone(),
        span: field.span,
        how: how(&own),
        reasons: reasons.map(|word| Reason { word, text: reason(&own, word) }).collect(),
        cfg: field.attributes.cfg.clone(),
    }
}

fn how(words: &Words) -> How {
    match (words.value("with"), words.value("at")) {
        (Some(path), _) => How::With(path.to_owned()),
        (None, Some(precision)) => How::At(precision.to_owned()),
        (None, None) if words.has("bytes") => How::Bytes,
        (None, None) => How::Plain,
    }
}

impl IdentityField {
    /// The reason of this word.
    #[must_use]
    pub fn reason(&self, word: &str) -> Option<&str> {
        self.reasons.iter().find(|reason| reason.word == word).map(|reason| reason.text.as_str())
    }
}
