//! What to do instead.

use samekey_catalogue::{Family, NameRole, Provider, UuidRule, name_rules};

use super::case::Case;
use crate::resolve::{FunctionId, Program, Ty};

/// The most business fields that are named.
const MOST_FIELDS: usize = 3;

/// Business fields that the function at the key slot has at hand.
pub struct Scope {
    /// Their names as code, in order.
    pub fields: Vec<String>,
}

impl Scope {
    /// What a function can build a key from.
    pub fn of(program: &Program, function: Option<FunctionId>) -> Scope {
        let mut fields = Vec::new();
        let Some(id) = function else { return Scope { fields } };
        let types = program.parameter_types(id);
        for (index, ty) in (0..).zip(&types) {
            let Some(name) = super::formula::parameter_name(program, id, index) else { continue };
            if is_business(&name) && !is_struct(program, ty) {
                fields.push(name.clone());
            }
            fields.extend(business_fields(program, ty, &name));
        }
        fields.truncate(MOST_FIELDS);
        Scope { fields }
    }

    /// The fields in words, or what to look for when none is at hand.
    pub fn words(&self) -> String {
        match self.fields.as_slice() {
            [] => "the ids and the period of the business operation".to_owned(),
            fields => {
                let quoted: Vec<String> = fields.iter().map(|field| format!("`{field}`")).collect();
                quoted.join(", ")
            }
        }
    }
}

/// The help of a finding: the rule's own advice first.
pub fn help(case: &Case<'_>, advice: fn(&Case<'_>, &Scope) -> String) -> String {
    let program = case.world.input.program;
    let scope = Scope::of(program, case.primary().sink.function);
    let mut lines = vec![advice(case, &scope)];
    if let Some(shape) = case.provider().and_then(shape) {
        lines.push(shape);
    }
    lines.push(alternative(case).to_owned());
    lines.join("\n")
}

/// The advice of most rules: what to derive the key from.
pub fn derive(scope: &Scope) -> String {
    format!("derive the key from {} and a name for the operation", scope.words())
}

fn alternative(case: &Case<'_>) -> &'static str {
    match case.strongest().info.family {
        Family::Payment | Family::Banking | Family::Crypto | Family::Generic => {
            "or store the key before the first call and send the stored one on each retry; retries that are under \
             way when the key changes charge once more"
        }
        _ => "or store the key before the first call and send the stored one on each retry",
    }
}

/// What the provider demands of a key.
fn shape(provider: &'static Provider) -> Option<String> {
    let name = provider.name;
    match (provider.uuid, provider.max_len) {
        (UuidRule::V4, _) => Some(format!(
            "{name} takes version 4 UUIDs only: shape the hash as one with `uuid::Builder::from_random_bytes`"
        )),
        (UuidRule::V7, _) => Some(format!("{name} takes version 7 UUIDs only: give it a business time")),
        (UuidRule::Required, _) => {
            Some(format!("{name} takes UUIDs only: `Uuid::new_v5(&NAMESPACE, ..)` makes a stable one"))
        }
        (_, Some(length)) if length < 100 => {
            Some(format!("{name} takes at most {length} characters: hash the parts"))
        }
        _ => None,
    }
}

fn is_struct(program: &Program, ty: &Ty) -> bool {
    struct_fields(program, ty).is_some_and(|fields| fields.iter().any(|field| field != "0"))
}

fn struct_fields(program: &Program, ty: &Ty) -> Option<Vec<String>> {
    match ty {
        Ty::Reference { inner, .. } => struct_fields(program, inner),
        Ty::Adt { id, .. } => {
            Some(program.type_(*id).fields(None).iter().map(|field| field.name.to_string()).collect())
        }
        _ => None,
    }
}

/// The business fields of a parameter that is a struct of the tree.
fn business_fields(program: &Program, ty: &Ty, name: &str) -> Vec<String> {
    let Some(fields) = struct_fields(program, ty) else { return Vec::new() };
    let is_entity = is_business(name);
    let wanted = |field: &String| is_business(field) || is_entity && (field == "id" || field == "number");
    fields.into_iter().filter(wanted).map(|field| format!("{name}.{field}")).collect()
}

/// Whether a name stands for a business identity or a business time: `customer_id`, `customer`, `period`.
fn is_business(name: &str) -> bool {
    const NO_IDENTITY: &[&str] =
        &["amount", "amount_cents", "currency", "namespace", "op", "operation", "purpose", "cycle"];
    let known = |wanted: &str| {
        name_rules()
            .iter()
            .filter(|rule| rule.role == NameRole::Safe && rule.id.starts_with("business"))
            .any(|rule| rule.snake.contains(&wanted))
    };
    !NO_IDENTITY.contains(&name) && (known(name) || known(&format!("{name}_id")))
}
