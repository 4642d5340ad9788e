//! The derive as a remedy, and what findings say where it is used already.

use samekey_catalogue::derive::{self as facts, PERSISTED_TYPES};

use super::case::Case;
use super::remedy::{BusinessField, Scope};
use crate::facts::IdentitySlot;
use crate::ir::{Path, Type, print_type};
use crate::resolve::{FunctionId, Program};

/// Names of functions that say nothing about the operation.
const GENERAL_NAMES: &[&str] =
    &["main", "new", "run", "call", "handle", "handler", "execute", "process", "send", "post"];

/// The derive filled in with the reader's own fields; nothing where none names the operation: a key of the customer alone
/// would let a second charge be taken for a repetition of the first.
pub fn example(program: &Program, function: FunctionId, scope: &Scope) -> Option<String> {
    let fields: Vec<String> = scope.fields.iter().filter_map(field).collect();
    if fields.is_empty() || !scope.names_operation() {
        return None;
    }
    let definition = program.function(function);
    let operation = match GENERAL_NAMES.contains(&definition.name.as_str()) {
        true => "operation",
        false => definition.name.trim_start_matches('_'),
    };
    let name = type_name(operation);
    // The crate of a loose file is named after it, and files may be called anything.
    let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') { c } else { '_' };
    let namespace: String = program.crate_name(definition.krate).chars().map(plain).collect();
    Some(format!(
        "or derive it as `{name}`; a retry that is under way with the old key does the operation once more:\n    \
         #[derive(samekey::Idempotent)]\n    \
         #[idempotent(namespace = \"{namespace}\", operation = \"{operation}\")]\n    \
         struct {name} {{\n{}    }}",
        fields.concat()
    ))
}

/// A field of the example; nothing for one that the derive refuses.
fn field(field: &BusinessField) -> Option<String> {
    let ty = owned(&field.ty);
    let path = ty.split('<').next().unwrap_or(&ty);
    let head = path.rsplit("::").next().unwrap_or(path);
    // The length of an array is not known here.
    if facts::refused_name(&field.name).is_some() || ty.contains("; _]") {
        return None;
    }
    let stored = PERSISTED_TYPES.iter().any(|row| row.name == head);
    if !stored && facts::refused_type(head).is_some() {
        return None;
    }
    let persisted = if stored { ", persisted = \"where it is stored\"" } else { "" };
    Some(format!("        #[idempotent(identity{persisted})] {}: {ty},\n", field.name))
}

/// The type of a field that owns what a parameter of this type is given.
fn owned(ty: &Type) -> String {
    let is_text = |path: &Path| path.last_name() == "str";
    match ty {
        Type::Reference { inner, .. } => owned(inner),
        Type::Path(path) if is_text(path) => "String".to_owned(),
        Type::ImplTrait(_) | Type::DynTrait(_) => "String".to_owned(),
        Type::Slice(item) => format!("Vec<{}>", owned(item)),
        _ => print_type(ty),
    }
}

/// `charge_monthly` as `ChargeMonthly`.
fn type_name(operation: &str) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters
            .next()
            .map(|first| first.to_uppercase().chain(letters).collect::<String>())
            .unwrap_or_default()
    };
    operation.split('_').map(capital).collect()
}

/// The help of a finding at a field of a type that derives its key.
pub fn of_identity_field(case: &Case<'_>, slot: &IdentitySlot) -> String {
    let field = &case.primary().sink.name;
    let mut lines = Vec::new();
    match slot.reason("persisted") {
        Some(place) => lines.push(format!(
            "`{field}` says that it is stored ({place}): insert the row and commit before the first call, and read \
             the value back on each retry"
        )),
        None => lines.push(format!(
            "give `{field}` the value that is stored for the operation, or leave it out of the key with `ignore = \
             \"why\"`"
        )),
    }
    lines.push(
        "or store the key before the first call and resume with it: `.idempotency_key().or_stored(row.key)`"
            .to_owned(),
    );
    lines.join("\n")
}
