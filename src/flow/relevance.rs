//! Which functions can have to do with a sink at all.
//!
//! Only these are analysed as entry points; what they call is analysed on demand. A function matters when it
//! contains something that may be a sink, or when it may call, by name, a function whose parameters were seen to
//! reach one. Calls that no name shows (operators, `Deref`, iteration) are covered by treating every function that
//! may have a value of the type at hand as a caller of a method of a standard trait.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::effects::Effects;
use super::mentions;
use super::slice::{ALL, Criteria};
use super::spec::Specification;
use crate::ir::{self, Field, Name, Type, TypeKind};
use crate::resolve::{FunctionId, Owner, Program, StaticId, TraitDef, Ty};

/// The functions that matter, found step by step: those that may hold a sink first, then the callers of each whose
/// parameters were seen to reach one.
pub struct Relevance<'p> {
    program: &'p Program,
    roots: FxHashSet<FunctionId>,
    /// Constants whose text is the name of a key slot.
    constants: FxHashSet<Name>,
    /// What names stand for that imports rename.
    renamed: FxHashMap<Name, Vec<Name>>,
    /// Which functions mention a name.
    users: FxHashMap<Name, Vec<FunctionId>>,
    holders: Option<Holders>,
    implicit: FxHashSet<Name>,
}

impl<'p> Relevance<'p> {
    pub fn new(program: &'p Program, spec: &dyn Specification, roots: &[FunctionId]) -> Relevance<'p> {
        let constants = sink_constants(program, spec);
        let mut renamed: FxHashMap<Name, Vec<Name>> = FxHashMap::default();
        for (alias, original) in program.renamed_imports() {
            renamed.entry(alias.clone()).or_default().push(original.clone());
        }
        let mut users: FxHashMap<Name, Vec<FunctionId>> = FxHashMap::default();
        for function in program.functions() {
            let Some(body) = program.function(function).body() else { continue };
            let mut names: FxHashSet<&Name> = FxHashSet::default();
            mentions::of_body(body, &mut |mention| {
                names.insert(mention.text());
            });
            let meant: Vec<&Name> = names.iter().filter_map(|name| renamed.get(*name)).flatten().collect();
            names.extend(meant);
            for name in names {
                users.entry(name.clone()).or_default().push(function);
            }
        }
        let roots = roots.iter().copied().collect();
        let implicit = FxHashSet::default();
        Relevance { program, roots, constants, renamed, users, holders: None, implicit }
    }

    /// What is known to matter at the start.
    pub fn criteria<'a>(&mut self, spec: &'a dyn Specification) -> Criteria<'a>
    where
        'p: 'a,
    {
        let effects = Effects::new(self.program, spec);
        Criteria::new(spec, effects, std::mem::take(&mut self.constants), self.renamed.clone())
    }

    /// Functions that may hold a sink.
    pub fn holding(&mut self, criteria: &mut Criteria<'_>) -> BTreeSet<FunctionId> {
        let names: Vec<Name> = self.users.keys().filter(|name| criteria.is_sink(name)).cloned().collect();
        let mut holding: BTreeSet<FunctionId> = names.iter().flat_map(|name| self.users(name)).collect();
        // Where a parameter is named like a key, its callers hold the sink. Where a function is, its result is one.
        for function in self.program.functions() {
            let definition = self.program.function(function);
            let key = |param: &ir::Param| param.name.as_ref().is_some_and(|name| criteria.is_sink(name));
            let has_key_parameter = definition.ir.params.iter().any(key);
            if !has_key_parameter && !criteria.is_sink(&definition.name) {
                continue;
            }
            holding.extend(Some(function).filter(|id| self.roots.contains(id) && definition.body().is_some()));
            if has_key_parameter {
                criteria.open(&definition.name, ALL);
                holding.extend(self.callers(function));
            }
        }
        holding
    }

    /// Functions that mention a name.
    pub fn users(&self, name: &Name) -> impl Iterator<Item = FunctionId> + '_ {
        let users = self.users.get(name).into_iter().flatten().copied();
        users.filter(|id| self.roots.contains(id))
    }

    /// Functions that may call a function.
    pub fn callers(&mut self, function: FunctionId) -> Vec<FunctionId> {
        let mut found: Vec<FunctionId> = self.users(&self.program.function(function).name).collect();
        if let Some(owner) = implicit_owner(self.program, function)
            && self.implicit.insert(owner.clone())
        {
            let holders = self.holders.get_or_insert_with(|| Holders::new(self.program));
            let holding = holders.of(&owner, &self.users);
            found.extend(holding.into_iter().filter(|id| self.roots.contains(id)));
        }
        found
    }
}

/// The type for whose values a function may be called by syntax without a name: an operator, a conversion, a loop.
fn implicit_owner(program: &Program, function: FunctionId) -> Option<Name> {
    let Owner::Impl(block) = program.function(function).owner else { return None };
    let block = program.impl_(block);
    match &block.trait_ref {
        Some(trait_ref) if matches!(&trait_ref.id, TraitDef::External(path) if path.starts_with("std::")) => {
            match super::shape::peel(&block.self_type) {
                Ty::Adt { id, .. } => Some(program.type_(*id).name.clone()),
                Ty::External { path, .. } => path.rsplit("::").next().map(Name::from),
                // A blanket implementation: of the trait's own name at least.
                _ => Some(program.function(function).name.clone()),
            }
        }
        _ => None,
    }
}

/// Who may have a value of a type at hand.
struct Holders {
    /// Functions by the type names in their signatures.
    signatures: FxHashMap<Name, Vec<FunctionId>>,
    /// Names of functions and fields that yield a value of a type.
    yielding: FxHashMap<Name, Vec<Name>>,
    /// Types that contain a type.
    containing: FxHashMap<Name, Vec<Name>>,
}

impl Holders {
    fn new(program: &Program) -> Holders {
        let mut holders = Holders {
            signatures: FxHashMap::default(),
            yielding: FxHashMap::default(),
            containing: FxHashMap::default(),
        };
        for id in program.functions() {
            let function = program.function(id);
            let mut result = FxHashSet::default();
            if let Some(ty) = &function.ir.result {
                type_names(ty, &mut result);
            }
            for name in &result {
                holders.yielding.entry(name.clone()).or_default().push(function.name.clone());
            }
            let mut names = result;
            function.ir.params.iter().for_each(|param| type_names(&param.ty, &mut names));
            for name in names {
                holders.signatures.entry(name).or_default().push(id);
            }
        }
        for id in program.types() {
            let definition = program.type_(id);
            let fields: Vec<&Field> = match &definition.ir.kind {
                TypeKind::Struct(fields) => fields.iter().collect(),
                TypeKind::Enum(variants) => variants.iter().flat_map(|variant| &variant.fields).collect(),
            };
            for field in fields {
                let mut names = FxHashSet::default();
                type_names(&field.ty, &mut names);
                for name in names {
                    holders.yielding.entry(name.clone()).or_default().push(field.name.clone());
                    holders.containing.entry(name).or_default().push(definition.name.clone());
                }
            }
        }
        holders
    }

    /// Functions that name the type or one that contains it, or that call or read what yields it.
    fn of(&self, owner: &Name, users: &FxHashMap<Name, Vec<FunctionId>>) -> Vec<FunctionId> {
        let mut types = FxHashSet::default();
        let mut waiting = vec![owner.clone()];
        let mut found = Vec::new();
        while let Some(ty) = waiting.pop() {
            if !types.insert(ty.clone()) {
                continue;
            }
            waiting.extend(self.containing.get(&ty).into_iter().flatten().cloned());
            found.extend(self.signatures.get(&ty).into_iter().flatten());
            let yielding = self.yielding.get(&ty).into_iter().flatten().filter(|name| !is_position(name));
            let names = yielding.chain(std::iter::once(&ty));
            found.extend(names.filter_map(|name| users.get(name)).flatten());
        }
        found
    }
}

/// Whether a field is one of a tuple.
fn is_position(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_digit())
}

/// The last names of all paths in a type.
fn type_names(ty: &Type, names: &mut FxHashSet<Name>) {
    match ty {
        Type::Path(path) => {
            for segment in &path.segments {
                names.insert(segment.name.clone());
                segment.args.iter().for_each(|arg| type_names(arg, names));
            }
        }
        Type::Reference { inner, .. } | Type::Pointer(inner) | Type::Slice(inner) | Type::Array(inner) => {
            type_names(inner, names);
        }
        Type::Tuple(parts) => parts.iter().for_each(|part| type_names(part, names)),
        Type::Function { params, result } => {
            params.iter().for_each(|param| type_names(param, names));
            type_names(result, names);
        }
        Type::ImplTrait(paths) | Type::DynTrait(paths) => {
            for segment in paths.iter().flat_map(|path| &path.segments) {
                names.insert(segment.name.clone());
                segment.args.iter().for_each(|arg| type_names(arg, names));
            }
        }
        Type::Never | Type::Infer => {}
    }
}

/// Names of constants whose text is the name of a key slot.
fn sink_constants(program: &Program, spec: &dyn Specification) -> FxHashSet<Name> {
    let names_slot = |id: &StaticId| {
        let Some(body) = &program.static_(*id).ir.initializer else { return false };
        let mut found = false;
        mentions::of_body(body, &mut |mention| found |= spec.may_be_sink(mention.text()));
        found
    };
    program.statics().filter(names_slot).map(|id| program.static_(id).name.clone()).collect()
}
