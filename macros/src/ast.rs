//! The annotated type, typed.

use proc_macro2::Span;
use quote::format_ident;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Fields, Ident, LitStr, Member, Path, Type, parse_quote};

use crate::attr::{Items, Place};
use crate::check;
use crate::errors::Errors;
use crate::template::{Digest, Template};

/// Which derive reads the type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Derive {
    /// `derive(Idempotent)`: every field says what it is.
    Idempotent,
    /// `derive(Identity)`: a field is identity unless it is ignored.
    Identity,
}

/// What stands before the type.
pub(crate) struct Container {
    pub(crate) namespace: Option<LitStr>,
    pub(crate) operation: Option<LitStr>,
    pub(crate) version: u32,
    pub(crate) pin: Option<LitStr>,
    pub(crate) template: Option<LitStr>,
    pub(crate) digest: Option<Digest>,
    pub(crate) persisted: Option<LitStr>,
    /// The path of the runtime crate.
    pub(crate) krate: Path,
}

/// A field that is part of the identity.
pub(crate) struct Field {
    pub(crate) member: Member,
    /// The local variable that a pattern binds.
    pub(crate) binding: Ident,
    pub(crate) ty: Type,
    /// The name in the encoding.
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) how: How,
    /// Whether it is a stored attempt number.
    pub(crate) is_attempt: bool,
}

/// How the value of a field is taken.
pub(crate) enum How {
    Plain,
    Persisted,
    /// A stored point in time, with the variant of `Precision`.
    Instant(Ident),
    Bytes,
    With(Path),
    /// Cannot be read; that was reported.
    Invalid,
}

/// The identity fields of a struct or variant.
pub(crate) struct FieldSet {
    pub(crate) identity: Vec<Field>,
    /// Written with parentheses and exactly one field in the identity.
    pub(crate) is_newtype: bool,
    /// Names of the fields outside of the identity.
    pub(crate) ignored: Vec<String>,
}

/// A variant of an enum.
pub(crate) struct Variant {
    pub(crate) ident: Ident,
    pub(crate) name: String,
    pub(crate) fields: FieldSet,
    /// Nothing but its name identifies it.
    pub(crate) is_unit: bool,
}

/// A struct or an enum.
pub(crate) enum Body {
    Struct(FieldSet),
    Enum(Vec<Variant>),
}

/// The whole input.
pub(crate) struct Input {
    pub(crate) source: DeriveInput,
    pub(crate) container: Container,
    pub(crate) template: Option<Template>,
    pub(crate) body: Body,
}

impl Input {
    /// Reads a type; everything wrong with it is reported, and what is right is
    /// kept, so that the compiler can check it in the same run.
    pub(crate) fn read(source: DeriveInput, derive: Derive, errors: &mut Errors) -> Self {
        let container = Container::read(&source, derive, errors);
        let body = match &source.data {
            Data::Struct(data) => Body::Struct(FieldSet::read(&data.fields, derive, errors)),
            Data::Enum(data) if derive == Derive::Identity => {
                Body::Enum(data.variants.iter().map(|variant| Variant::read(variant, errors)).collect())
            }
            Data::Enum(data) => {
                errors.on(
                    data.enum_token,
                    "an enum holds several operations: derive `Idempotent` for one struct per operation",
                );
                Body::Enum(Vec::new())
            }
            Data::Union(data) => {
                errors.on(
                    data.union_token,
                    "a union does not say which of its fields is valid: use a struct or an enum",
                );
                Body::Enum(Vec::new())
            }
        };
        let template = container.template.as_ref().and_then(|literal| Template::read(literal, errors));
        let input = Self { source, container, template, body };
        check::input(&input, derive, errors);
        input
    }
}

impl Container {
    fn read(source: &DeriveInput, derive: Derive, errors: &mut Errors) -> Self {
        let items = Items::read(&source.attrs, Place::Container, errors);
        check::container_words(&items, derive, errors);
        let digest = items.text("digest", errors).and_then(|literal| Digest::read(&literal, errors));
        Self {
            namespace: items.text("namespace", errors),
            operation: items.text("operation", errors),
            version: version(&items, errors),
            pin: items.text("pin", errors),
            template: items.text("template", errors),
            digest,
            persisted: items.text("persisted", errors),
            krate: items.path("crate", errors).unwrap_or_else(|| parse_quote!(::samekey)),
        }
    }
}

impl Variant {
    fn read(variant: &syn::Variant, errors: &mut Errors) -> Self {
        let items = Items::read(&variant.attrs, Place::Variant, errors);
        let rename = items.text("rename", errors);
        let fields = FieldSet::read(&variant.fields, Derive::Identity, errors);
        Self {
            name: encoded_name(&variant.ident.unraw().to_string(), variant.ident.span(), rename, errors),
            ident: variant.ident.clone(),
            is_unit: fields.identity.is_empty(),
            fields,
        }
    }
}

impl FieldSet {
    fn read(fields: &Fields, derive: Derive, errors: &mut Errors) -> Self {
        let mut identity = Vec::new();
        let mut ignored = Vec::new();
        for (index, (member, field)) in fields.members().zip(fields).enumerate() {
            match Field::read(index, member.clone(), field, derive, errors) {
                Some(field) => identity.push(field),
                None => ignored.push(member_name(&member)),
            }
        }
        check::names_are_unique(&identity, errors);
        identity.sort_by(|left, right| left.name.cmp(&right.name));
        Self { is_newtype: matches!(fields, Fields::Unnamed(_)) && identity.len() == 1, identity, ignored }
    }
}

impl Field {
    /// Reads a field; nothing when it is outside of the identity.
    fn read(
        index: usize,
        member: Member,
        field: &syn::Field,
        derive: Derive,
        errors: &mut Errors,
    ) -> Option<Self> {
        let items = Items::read(&field.attrs, Place::Field, errors);
        let span = field.ident.as_ref().map_or_else(|| field.ty.span(), Ident::span);
        let rust_name = member_name(&member);
        if !check::is_identity(&items, &rust_name, span, derive, errors) {
            return None;
        }
        for reason in ["persisted", "stable", "attempt"] {
            items.text(reason, errors);
        }
        check::field_words(&items, derive, errors);
        check::refused_name(&items, &rust_name, span, errors);
        let is_address = check::spelled_type(&field.ty, errors);
        let rename = items.text("rename", errors);
        Some(Self {
            name: encoded_name(&rust_name, span, rename, errors),
            binding: format_ident!("field_{index}", span = Span::mixed_site()),
            how: match how(&items, derive, errors) {
                How::Plain | How::Persisted if is_address => How::Invalid,
                how => how,
            },
            is_attempt: items.get("attempt").is_some(),
            ty: field.ty.clone(),
            member,
            span,
        })
    }
}

/// The name that a field has in Rust, without `r#`.
pub(crate) fn member_name(member: &Member) -> String {
    match member {
        Member::Named(ident) => ident.unraw().to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    }
}

fn how(items: &Items, derive: Derive, errors: &mut Errors) -> How {
    if let Some(path) = items.path("with", errors) {
        return How::With(path);
    }
    if let Some(precision) = items.text("at", errors) {
        return match check::precision(&precision, errors) {
            Some(precision) if derive == Derive::Idempotent => How::Instant(precision),
            _ => How::Invalid,
        };
    }
    if items.flag("bytes", errors).is_some() {
        return How::Bytes;
    }
    if items.get("persisted").is_some() {
        return How::Persisted;
    }
    How::Plain
}

fn encoded_name(rust_name: &str, span: Span, rename: Option<LitStr>, errors: &mut Errors) -> String {
    match rename {
        Some(literal) => {
            check::text_is_ascii("rename", &literal, errors);
            literal.value()
        }
        None => {
            check::rust_name_is_ascii(rust_name, span, errors);
            rust_name.into()
        }
    }
}

fn version(items: &Items, errors: &mut Errors) -> u32 {
    let Some(literal) = items.integer("version", errors) else {
        return 1;
    };
    match literal.base10_parse() {
        Ok(version) if version > 0 => version,
        _ => {
            errors.at(literal.span(), "`version` counts from 1 to 4294967295");
            1
        }
    }
}
