//! Types that derive their keys: each identity field is a key slot, and the derived key is stable.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use samekey_catalogue::{Family, Level, derive as names};

use super::row::{IdentitySlot, Row, RowKind, SinkInfo};
use crate::derive::{self, Intent};
use crate::flow::spec::{CallFacts, CallView, FieldView, RowId};
use crate::flow::value::Key;
use crate::ir::Name;
use crate::resolve::{Program, Ty, TypeId};

/// The intents of the tree.
#[derive(Default)]
pub struct Derived {
    intents: Vec<Intent>,
    types: FxHashSet<TypeId>,
    /// Rows by the canonical path of the type and the field.
    fields: FxHashMap<Name, FxHashMap<Name, RowId>>,
    /// Types by row.
    owners: FxHashMap<RowId, TypeId>,
    /// What code that fills such a field mentions.
    mentions: FxHashSet<Name>,
}

impl Derived {
    pub fn new(program: &Program, rows: &mut Vec<Row>) -> Derived {
        let mut derived = Derived { intents: derive::intents(program), ..Derived::default() };
        for intent in &derived.intents {
            let def = program.type_(intent.ty);
            derived.types.insert(intent.ty);
            for field in &intent.fields {
                let id = rows.len() as RowId;
                rows.push(row(&def.name, field));
                derived.owners.insert(id, intent.ty);
                derived.fields.entry(def.path.clone()).or_default().insert(field.name.clone(), id);
                match field.name.parse::<u32>() {
                    Ok(_) => derived.mentions.extend([def.name.clone(), "Self".into()]),
                    Err(_) => drop(derived.mentions.insert(field.name.clone())),
                }
            }
        }
        derived
    }

    /// All intents.
    pub fn intents(&self) -> &[Intent] {
        &self.intents
    }

    /// The type to which a row's field belongs.
    pub fn type_of_row(&self, row: RowId) -> Option<TypeId> {
        self.owners.get(&row).copied()
    }

    /// What code that fills an identity field mentions: its name, or for a tuple that of the type.
    pub fn names(&self) -> Vec<&Name> {
        self.mentions.iter().filter(|name| *name != "Self").collect()
    }

    /// Whether code that mentions this name may fill an identity field.
    pub fn may_be_sink(&self, name: &str) -> bool {
        self.mentions.contains(name)
    }

    /// The row of an identity field.
    pub fn field(&self, field: &FieldView<'_>) -> Option<RowId> {
        if field.key { None } else { self.fields.get(field.owner)?.get(field.name).copied() }
    }

    /// Whether a part of a value is ignored by the type that it belongs to, so that it is no part of the key.
    pub fn leaves_out(&self, program: &Program, row: RowId, part: Option<(&Ty, &Key)>) -> bool {
        let Some((Ty::Adt { id, .. }, key)) = part else {
            return part.is_none() && self.owners.contains_key(&row);
        };
        let def = program.type_(*id);
        let (variant, name) = match key {
            Key::Field(name) => (None, name),
            Key::Variant(variant, name) if def.is_enum() => (Some(variant.as_str()), name),
            Key::Variant(_, name) => (None, name),
            _ => return false,
        };
        let field = def.fields(variant).iter().find(|field| field.name == *name);
        field.is_some_and(|field| derive::is_ignored(&field.attributes))
    }

    /// `charge.idempotency_key()`, also through a bound and as `Idempotent::idempotency_key(&charge)`: what could
    /// change in the key was reported where it was put into a field.
    pub fn call(&self, program: &Program, call: &CallView<'_>, facts: &mut CallFacts) {
        let derives = names::KEY_METHODS.contains(&call.name)
            && call.targets.is_empty()
            && match call.receiver {
                Some(receiver) if call.method => self.is_intent(program, receiver),
                _ => call.paths.iter().any(|path| is_trait_path(path)),
            };
        facts.clears |= derives;
    }

    fn is_intent(&self, program: &Program, ty: &Ty) -> bool {
        match ty {
            Ty::Reference { inner, .. } => self.is_intent(program, inner),
            Ty::Adt { id, .. } => self.types.contains(id),
            Ty::Param { bounds, .. } | Ty::Dyn(bounds) => {
                bounds.iter().any(|bound| derive::is_intent_trait(program, &bound.id))
            }
            _ => false,
        }
    }
}

/// Whether a path names a function of the trait of intents.
fn is_trait_path(path: &str) -> bool {
    let owner = path.rsplit_once("::").map_or("", |(owner, _)| owner);
    owner.strip_prefix(names::CRATE).and_then(|rest| rest.strip_prefix("::")) == Some(names::INTENT)
}

fn row(owner: &Name, field: &derive::IdentityField) -> Row {
    Row {
        id: "derived-identity".into(),
        kind: RowKind::Sink(SinkInfo {
            provider: "",
            family: Family::Generic,
            level: Level::Error,
            configured: false,
            by_name: false,
            row: None,
            identity: Some(Rc::new(IdentitySlot { owner: owner.clone(), reasons: field.reasons.clone() })),
        }),
    }
}
