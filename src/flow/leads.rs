//! What leads to a sink, by name: the code that mentions it may have to be loaded.

use std::collections::BTreeSet;

use super::engine::Engine;
use super::relevance::Relevance;
use super::result::Lead;
use crate::ir::Name;
use crate::resolve::{CrateId, FunctionId, Owner, Program, TraitDef, TypeId};

/// All leads, in order, each once. `fields` are those whose writers matter.
pub fn leads<'f>(
    engine: &Engine<'_>,
    relevance: &Relevance<'_>,
    fields: impl Iterator<Item = &'f (TypeId, Name)>,
) -> Vec<Lead> {
    let program = engine.program;
    let mut found: BTreeSet<Lead> = engine.criteria.leading().map(|id| of_function(program, id)).collect();
    found.extend(engine.criteria.leading_names().chain(engine.spec.slot_names()).cloned().map(Lead::Name));
    let values = relevance.implicit().cloned();
    found.extend(values.map(|(owner, krate)| Lead::Values { owner, krate }));
    found.extend(fields.map(|(ty, name)| {
        let definition = program.type_(*ty);
        Lead::Field { name: name.clone(), owner: definition.name.clone(), krate: definition.krate }
    }));
    found.into_iter().collect()
}

/// The crate that a caller of a function has to see; `None` when it may be any.
pub fn home(program: &Program, id: FunctionId) -> Option<CrateId> {
    let function = program.function(id);
    match function.owner {
        Owner::None => Some(function.krate),
        Owner::Trait(_) => None,
        Owner::Impl(block) => {
            // Who calls through a trait need not see the crate of the implementation, unless it is a standard trait:
            // the methods of these are only looked up on known types.
            let anywhere = program.impl_(block).trait_ref.as_ref().is_some_and(
                |found| !matches!(&found.id, TraitDef::External(path) if path.starts_with("std::")),
            );
            (!anywhere).then_some(function.krate)
        }
    }
}

fn of_function(program: &Program, id: FunctionId) -> Lead {
    let function = program.function(id);
    let name = function.name.clone();
    match function.owner {
        Owner::None => Lead::Function { name, krate: function.krate },
        Owner::Trait(of) => Lead::Member { name, owner: program.trait_(of).name.clone(), krate: None },
        Owner::Impl(block) => {
            let block = program.impl_(block);
            let krate = home(program, id);
            let of_trait = || block.trait_ref.as_ref().map(|found| program.trait_path(&found.id));
            let owner = program
                .type_name(&block.self_type)
                .or_else(|| of_trait()?.rsplit("::").next().map(Name::from));
            Lead::Member { name, owner: owner.unwrap_or_default(), krate }
        }
    }
}
