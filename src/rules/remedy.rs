//! What to do instead.

use samekey_catalogue::{Family, NameRole, Provider, UuidRule, name_rules};

use super::case::Case;
use super::derived;
use crate::ir::{Field, Type};
use crate::resolve::{FunctionId, Program, Ty};

/// Parties: what they have in common with an operation is not enough to name it. A key of these alone would let a
/// second, legitimate charge be taken for a repetition of the first.
const PARTIES: &[&str] = &[
    "account",
    "buyer",
    "client",
    "company",
    "customer",
    "merchant",
    "org",
    "organization",
    "owner",
    "payee",
    "payer",
    "plan",
    "price",
    "seller",
    "shop",
    "store",
    "team",
    "tenant",
    "user",
    "vendor",
];

/// The most business fields that are named.
const MOST_FIELDS: usize = 3;

/// Business fields that the function at the key slot has at hand.
pub struct Scope {
    /// In the order of the parameters.
    pub fields: Vec<BusinessField>,
}

/// A value that says what the operation is about.
pub struct BusinessField {
    /// As code: `request.customer`.
    pub code: String,
    /// What a field of its own would be called.
    pub name: String,
    /// Its type as written.
    pub ty: Type,
}

impl Scope {
    /// What a function can build a key from.
    pub fn of(program: &Program, function: Option<FunctionId>) -> Scope {
        let mut fields = Vec::new();
        let Some(id) = function else { return Scope { fields } };
        let types = program.parameter_types(id);
        for (index, ty) in (0..).zip(&types) {
            let Some(name) = super::formula::parameter_name(program, id, index) else { continue };
            if is_business(&name)
                && !is_struct(program, ty)
                && let Some(written) = parameter_type(program, id, index)
            {
                fields.push(BusinessField { code: name.clone(), name: name.clone(), ty: written });
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
                let quoted: Vec<String> = fields.iter().map(|field| format!("`{}`", field.code)).collect();
                let rest = match self.names_operation() {
                    true => "",
                    false => ", what it is about (an order, an invoice, a period)",
                };
                format!("{}{rest}", quoted.join(", "))
            }
        }
    }

    /// Whether a field tells one operation from the next of the same party.
    pub fn names_operation(&self) -> bool {
        self.fields.iter().any(|field| !is_party(&field.name))
    }
}

/// The type of a parameter as written, the receiver left out.
fn parameter_type(program: &Program, function: FunctionId, index: u32) -> Option<Type> {
    let definition = &program.function(function).ir;
    let index = (index as usize).checked_sub(usize::from(definition.receiver.is_some()))?;
    definition.params.get(index).map(|parameter| parameter.ty.clone())
}

/// The help of a finding: the rule's own advice first.
pub fn help(case: &Case<'_>, advice: fn(&Case<'_>, &Scope) -> String) -> String {
    if let Some(slot) = &case.primary().info.identity {
        return derived::of_identity_field(case, slot);
    }
    let program = case.world.input.program;
    let function = case.primary().sink.function;
    let scope = Scope::of(program, function);
    let mut lines = vec![advice(case, &scope)];
    if let Some(shape) = case.provider().and_then(shape) {
        lines.push(shape);
    }
    lines.push(alternative(case).to_owned());
    lines.extend(function.and_then(|function| derived::example(program, function, &scope)));
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
    struct_fields(program, ty).is_some_and(|fields| fields.iter().any(|field| field.name != "0"))
}

fn struct_fields<'p>(program: &'p Program, ty: &Ty) -> Option<&'p [Field]> {
    match ty {
        Ty::Reference { inner, .. } => struct_fields(program, inner),
        Ty::Adt { id, .. } => Some(program.type_(*id).fields(None)),
        _ => None,
    }
}

/// The business fields of a parameter that is a struct of the tree.
fn business_fields(program: &Program, ty: &Ty, owner: &str) -> Vec<BusinessField> {
    let is_entity = is_business(owner);
    let names_entity = |field: &str| is_entity && (field == "id" || field == "number");
    let fields = struct_fields(program, ty).unwrap_or_default().iter();
    let wanted = fields.filter(|field| is_business(&field.name) || names_entity(&field.name));
    let found = wanted.map(|field| BusinessField {
        code: format!("{owner}.{}", field.name),
        name: match names_entity(&field.name) {
            true => format!("{owner}_{}", field.name),
            false => field.name.to_string(),
        },
        ty: field.ty.clone(),
    });
    found.collect()
}

/// Whether a name is that of a party: `customer`, `customer_id`.
pub fn is_party(name: &str) -> bool {
    PARTIES.contains(&name.strip_suffix("_id").unwrap_or(name))
}

/// Whether a name stands for a business identity or a business time: `customer_id`, `customer`, `period`.
pub fn is_business(name: &str) -> bool {
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
