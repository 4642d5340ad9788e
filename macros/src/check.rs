//! What a type may say, one function per rule.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span};
use samekey_catalogue::derive as facts;
use syn::spanned::Spanned;
use syn::{GenericParam, LitStr, Type};

use crate::ast::{Body, Derive, Field, How, Input};
use crate::attr::Items;
use crate::errors::Errors;
use crate::types;

/// Longest name of a namespace, operation, field or variant, in bytes.
const MAX_NAME_BYTES: usize = 128;

/// Precisions as they are written, and the variants of `samekey::Precision`.
const PRECISIONS: [(&str, &str); 4] = [
    ("second", "Second"),
    ("millisecond", "Millisecond"),
    ("microsecond", "Microsecond"),
    ("nanosecond", "Nanosecond"),
];

/// Checks what concerns the type as a whole.
pub(crate) fn input(input: &Input, derive: Derive, errors: &mut Errors) {
    match derive {
        Derive::Idempotent => intent(input, errors),
        Derive::Identity => identity(input, errors),
    }
    recursion(input, errors);
}

fn intent(input: &Input, errors: &mut Errors) {
    names_are_given(input, errors);
    has_identity(input, errors);
    template_goes_with_digest(input, errors);
    template_names_the_identity(input, errors);
    pin_has_one_schema(input, errors);
}

fn identity(input: &Input, errors: &mut Errors) {
    let ident = &input.source.ident;
    match &input.body {
        Body::Struct(fields) if fields.identity.is_empty() && fields.ignored.is_empty() => {
            errors.on(ident, "a type without fields identifies nothing: use the type that holds the id")
        }
        Body::Struct(fields) if fields.identity.is_empty() => {
            errors.on(ident, "every field is ignored, so nothing identifies a value");
        }
        Body::Struct(fields) => {
            if let Some(persisted) = &input.container.persisted
                && !fields.is_newtype
            {
                errors.on(persisted, "`persisted` before a type is for newtypes: write it before the field");
            }
        }
        Body::Enum(variants) => {
            if variants.is_empty() && matches!(input.source.data, syn::Data::Enum(_)) {
                errors.on(ident, "an enum without variants has no value to identify");
            }
            if let Some(persisted) = &input.container.persisted {
                errors.on(persisted, "`persisted` before a type is for newtypes: write it before the field");
            }
            let names = variants.iter().map(|v| (v.name.as_str(), v.ident.span()));
            unique(names, "variant", errors);
        }
    }
}

/// Words before the type that belong to the other derive.
pub(crate) fn container_words(items: &Items, derive: Derive, errors: &mut Errors) {
    let (foreign, message): (&[&str], _) = match derive {
        Derive::Idempotent => (
            &["persisted"],
            "belongs before the field that is stored, or before a newtype with `derive(Identity)`",
        ),
        Derive::Identity => (
            &["namespace", "operation", "version", "pin", "template", "digest"],
            "belongs to `derive(Idempotent)`, the type of the operation",
        ),
    };
    for word in foreign {
        if let Some(item) = items.get(word) {
            errors.at(item.span, format!("`{word}` {message}"));
        }
    }
}

/// Every field of an intent says `identity` or `ignore = ".."`, once.
pub(crate) fn is_identity(
    items: &Items,
    name: &str,
    span: Span,
    derive: Derive,
    errors: &mut Errors,
) -> bool {
    let identity = items.flag("identity", errors);
    let Some(ignore) = items.get("ignore") else {
        if identity.is_none() && derive == Derive::Idempotent {
            errors.at(span, unmarked(items, name));
        }
        return true;
    };
    items.text("ignore", errors);
    if identity.is_some() {
        errors.at(ignore.span, "a field is either `identity` or ignored");
    }
    for word in ["rename", "persisted", "stable", "with", "bytes", "at", "attempt"] {
        if let Some(item) = items.get(word) {
            errors.at(item.span, format!("`{word}` says nothing about an ignored field"));
        }
    }
    false
}

fn unmarked(items: &Items, name: &str) -> String {
    let words = ["attempt", "persisted", "stable", "with", "bytes", "at", "rename"];
    match words.into_iter().find(|word| items.get(word).is_some()) {
        Some("bytes") => "`bytes` goes with `identity`: write `#[idempotent(identity, bytes)]`".into(),
        Some(word) => {
            format!("`{word}` goes with `identity`: write `#[idempotent(identity, {word} = ..)]`")
        }
        None => format!(
            "does `{name}` identify the operation? write `#[idempotent(identity)]`, or `#[idempotent(ignore = \"why it does not\")]`"
        ),
    }
}

/// Words of one field that exclude or need each other.
pub(crate) fn field_words(items: &Items, derive: Derive, errors: &mut Errors) {
    for (left, right) in [("with", "at"), ("with", "bytes"), ("at", "bytes")] {
        if let (Some(_), Some(item)) = (items.get(left), items.get(right)) {
            errors.at(item.span, format!("`{right}` and `{left}` exclude each other"));
        }
    }
    let Some(at) = items.get("at") else {
        return;
    };
    if derive == Derive::Identity {
        errors.at(
            at.span,
            "`at` can refuse a value, so it belongs before a field of the operation; here use the type `samekey::StoredInstant`",
        );
    } else if items.get("persisted").is_none() {
        errors.at(
            at.span,
            "a point in time is an identity only when it is stored: add `persisted = \"column\"`",
        );
    }
}

/// A name that stands for a volatile value needs a reason.
pub(crate) fn refused_name(items: &Items, name: &str, span: Span, errors: &mut Errors) {
    let Some(refused) = facts::refused_name(name) else {
        return;
    };
    if items.get("stable").is_none() && items.get("attempt").is_none() {
        errors.at(
            span,
            format!("`{name}`: {}; if it means something else here, say `stable = \"why\"`", refused.advice),
        );
    }
}

/// Refuses types that no trait could admit; tells whether it did.
pub(crate) fn spelled_type(ty: &Type, errors: &mut Errors) -> bool {
    let address = types::address(ty);
    if let Some((part, message)) = address {
        errors.at(part, message);
    }
    address.is_some()
}

/// The variant of `Precision` that `at` names.
pub(crate) fn precision(literal: &LitStr, errors: &mut Errors) -> Option<Ident> {
    let written = literal.value();
    let found = PRECISIONS.iter().find(|(word, _)| *word == written);
    if found.is_none() {
        errors.at(
            literal.span(),
            "`at` is the precision of the store: \"second\", \"millisecond\", \"microsecond\" or \"nanosecond\"",
        );
    }
    found.map(|(_, variant)| Ident::new(variant, Span::call_site()))
}

/// Names are ASCII so that every language sorts and writes them alike.
pub(crate) fn text_is_ascii(word: &str, literal: &LitStr, errors: &mut Errors) {
    let text = literal.value();
    if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
        errors.at(literal.span(), format!("`{word}` takes printable ASCII without spaces"));
    } else if text.len() > MAX_NAME_BYTES {
        errors.at(literal.span(), format!("`{word}` takes at most {MAX_NAME_BYTES} bytes"));
    }
}

/// As [`text_is_ascii`], for an identifier.
pub(crate) fn rust_name_is_ascii(name: &str, span: Span, errors: &mut Errors) {
    if !name.is_ascii() {
        errors.at(
            span,
            format!("`{name}` is not ASCII: add `rename = \"..\"`, the name that every language uses"),
        );
    } else if name.len() > MAX_NAME_BYTES {
        errors.at(span, format!("the name has more than {MAX_NAME_BYTES} bytes: add `rename = \"..\"`"));
    }
}

/// Two fields with one name would make a reordering change the key.
pub(crate) fn names_are_unique(fields: &[Field], errors: &mut Errors) {
    let names = fields.iter().map(|field| (field.name.as_str(), field.span));
    unique(names, "field", errors);
}

fn unique<'n>(names: impl Iterator<Item = (&'n str, Span)>, what: &str, errors: &mut Errors) {
    let mut seen = BTreeMap::new();
    for (name, span) in names {
        if seen.insert(name, span).is_some() {
            errors.at(span, format!("another {what} is called \"{name}\" in the key"));
        }
    }
}

fn names_are_given(input: &Input, errors: &mut Errors) {
    let names = [
        ("namespace", &input.container.namespace, "namespace = \"billing\"", "who owns the operation"),
        ("operation", &input.container.operation, "operation = \"charge.monthly\"", "what is done"),
    ];
    let items = Items::read(&input.source.attrs, crate::attr::Place::Container, &mut Errors::default());
    for (word, literal, example, meaning) in names {
        match literal {
            Some(literal) => text_is_ascii(word, literal, errors),
            // An unreadable value was reported where it stands.
            None if items.get(word).is_some() => {}
            None => errors.on(
                &input.source.ident,
                format!("`{word}` is missing, {meaning}: write `#[idempotent({example})]`"),
            ),
        }
    }
}

fn has_identity(input: &Input, errors: &mut Errors) {
    let Body::Struct(fields) = &input.body else {
        return;
    };
    if fields.identity.is_empty() {
        errors.on(
            &input.source.ident,
            "no field is marked `identity`, so every operation would have the same key",
        );
    } else if fields.identity.iter().all(|field| field.is_attempt) {
        errors
            .on(&input.source.ident, "an attempt number identifies no operation: mark what is attempted too");
    }
}

fn template_goes_with_digest(input: &Input, errors: &mut Errors) {
    let items = Items::read(&input.source.attrs, crate::attr::Place::Container, &mut Errors::default());
    match (items.get("template"), items.get("digest")) {
        (Some(item), None) => errors.at(
            item.span,
            "what becomes of the text? add `digest = \"sha256/32\"`, `\"uuid5(namespace)\"` or `\"none\"`",
        ),
        (None, Some(item)) => {
            errors.at(item.span, "`digest` belongs to `template`; without a template the key format decides")
        }
        _ => {}
    }
    if let (Some(_), Some(item)) = (items.get("template"), items.get("version")) {
        errors.at(
            item.span,
            "`version` is no part of a live key: write it into the template if the live key has it",
        );
    }
}

/// Every value of the template is identity, and all of the identity is in it.
fn template_names_the_identity(input: &Input, errors: &mut Errors) {
    let (Some(template), Body::Struct(fields)) = (&input.template, &input.body) else {
        return;
    };
    let span = template.span;
    for name in &template.fields {
        if fields.ignored.contains(name) {
            errors.at(span, format!("the template uses `{name}`, which is ignored: mark it `identity`"));
        } else if !fields.identity.iter().any(|field| is_called(field, name)) {
            errors.at(span, format!("the template uses `{name}`, but there is no such field"));
        }
    }
    for field in &fields.identity {
        let name = crate::ast::member_name(&field.member);
        if !template.fields.contains(&name) {
            errors.at(
                field.span,
                format!(
                    "`{name}` is not in the template, so two operations that differ in it would share a key"
                ),
            );
        }
        field_has_text(field, errors);
    }
}

fn is_called(field: &Field, name: &str) -> bool {
    crate::ast::member_name(&field.member) == name
}

fn field_has_text(field: &Field, errors: &mut Errors) {
    match field.how {
        How::Instant(_) => errors.at(
            field.span,
            "a point in time has several texts: convert it for the template with `with = path`",
        ),
        How::Bytes => errors
            .at(field.span, "bytes have several texts: convert them for the template with `with = path`"),
        _ => {}
    }
    if !matches!(field.how, How::With(_)) && types::is_option(&field.ty) {
        errors.at(
            field.ty.span(),
            "an `Option` has no text when it is `None`, so the template would be ambiguous: use a type of its own per case, or `with = path`",
        );
    }
}

fn pin_has_one_schema(input: &Input, errors: &mut Errors) {
    let Some(pin) = &input.container.pin else {
        return;
    };
    let generic =
        input.source.generics.params.iter().any(|param| !matches!(param, GenericParam::Lifetime(_)));
    if generic {
        errors.on(
            pin,
            "a generic type has one schema per argument: pin a struct without type and const parameters",
        );
    }
}

/// A schema is a constant, so a type cannot contain itself.
fn recursion(input: &Input, errors: &mut Errors) {
    let ident = &input.source.ident;
    for field in input.identity_fields() {
        if !matches!(field.how, How::With(_))
            && let Some(span) =
                types::mention(&field.ty, &[ident.clone(), Ident::new("Self", Span::call_site())])
        {
            errors.at(span, format!("`{ident}` contains itself: name the other value by its id"));
        }
    }
}
