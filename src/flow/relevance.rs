//! Which functions can have to do with a sink at all.
//!
//! Only these are analysed as entry points; what they call is analysed on demand. A function matters when it
//! contains something that may be a sink, or when it may call, by name, a function whose parameters were seen to
//! reach one. Calls that no name shows (operators, `Deref`, iteration) are covered by treating every function that
//! may have a value of the type at hand as a caller of a method of a standard trait.

use std::collections::BTreeSet;
use std::rc::Rc;

use fixedbitset::FixedBitSet;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::criteria::{ALL, Criteria, Influence};
use super::effects::Effects;
use super::engine::Engine;
use super::generated::is_position;
use super::leads;
use super::mentions::{self, Mention};
use super::spec::Specification;
use super::wire::wire_name;
use crate::ir::{self, Body, Field, FunctionBody, Name, NameHash, Type, TypeKind};
use crate::resolve::{CrateId, FunctionId, Owner, Program, StaticId, TraitDef, Ty, ValueDef};

/// The functions that matter, found step by step: those that may hold a sink first, then the callers of each whose
/// parameters were seen to reach one.
pub struct Relevance<'p> {
    program: &'p Program,
    roots: FxHashSet<FunctionId>,
    /// Constants whose text is the name of a key slot, and fields that have one on the wire.
    slots: FxHashSet<Name>,
    /// What names stand for that imports rename.
    renamed: FxHashMap<Name, Vec<Name>>,
    /// Which functions mention a name.
    users: FxHashMap<Name, Vec<FunctionId>>,
    /// Which functions mention a function by a path that means it.
    direct: FxHashMap<FunctionId, Vec<FunctionId>>,
    /// Which functions call a method of a name.
    by_method: FxHashMap<Name, Vec<FunctionId>>,
    /// Which functions mention the name of an item otherwise.
    by_name: FxHashMap<Name, Vec<FunctionId>>,
    /// Which functions mention one of a name by a path that leads out of the tree.
    by_outside: FxHashMap<Name, Vec<FunctionId>>,
    holders: Option<Holders>,
    implicit: FxHashSet<(Name, CrateId)>,
    unseen: Unseen,
    /// The crates that depend on each.
    dependents: Vec<Vec<usize>>,
    seeing: FxHashMap<Option<CrateId>, Rc<FixedBitSet>>,
}

/// Functions whose bodies wait: they are looked at when a name is asked for that they may spell.
#[derive(Default)]
struct Unseen {
    by_name: FxHashMap<NameHash, Vec<FunctionId>>,
    functions: FxHashSet<FunctionId>,
    /// The names by which imports mean another one.
    aliases: FxHashMap<Name, Vec<Name>>,
}

impl Unseen {
    fn add(&mut self, function: FunctionId, names: &[NameHash]) {
        self.functions.insert(function);
        for name in names {
            self.by_name.entry(*name).or_default().push(function);
        }
    }

    /// Takes out those that may mean a name, of those that are asked for.
    fn take(&mut self, name: &Name, counts: impl Fn(FunctionId) -> bool) -> Vec<FunctionId> {
        if *name == mentions::DROP {
            // No code spells what runs at the end of a scope.
            return self.functions.extract_if(|function| counts(*function)).collect();
        }
        let spellings = std::iter::once(name).chain(self.aliases.get(name).into_iter().flatten());
        let mut found = Vec::new();
        for name in spellings {
            let Some(functions) = self.by_name.get_mut(&NameHash::of(name)) else { continue };
            functions.retain(|function| {
                let taken = counts(*function);
                if taken && self.functions.remove(function) {
                    found.push(*function);
                }
                !taken
            });
        }
        found
    }
}

impl<'p> Relevance<'p> {
    pub fn new(program: &'p Program, spec: &dyn Specification, roots: &[FunctionId]) -> Relevance<'p> {
        let mut slots = sink_constants(program, spec);
        slots.extend(sink_fields(program, spec));
        let renamed = renamed_names(program);
        let mut unseen = Unseen::default();
        for (alias, original) in renamed.iter().flat_map(|(alias, all)| all.iter().map(move |it| (alias, it)))
        {
            unseen.aliases.entry(original.clone()).or_default().push(alias.clone());
        }
        let mut relevance = Relevance {
            program,
            roots: roots.iter().copied().collect(),
            slots,
            renamed,
            users: FxHashMap::default(),
            direct: FxHashMap::default(),
            by_method: FxHashMap::default(),
            by_name: FxHashMap::default(),
            by_outside: FxHashMap::default(),
            holders: None,
            implicit: FxHashSet::default(),
            unseen,
            dependents: dependents(program),
            seeing: FxHashMap::default(),
        };
        for id in program.functions() {
            let function = program.function(id);
            match function.ir.body.as_ref().and_then(FunctionBody::deferred_names) {
                Some(names) => relevance.unseen.add(id, names),
                None => function.body().into_iter().for_each(|body| relevance.scan(id, body)),
            }
        }
        relevance
    }

    /// Looks at all functions that may spell a name, of the crates that see another.
    fn look_for(&mut self, name: &Name, home: Option<CrateId>) {
        let program = self.program;
        let seeing = self.seeing(home);
        let mut found = self.unseen.take(name, |id| seeing.contains(program.function(id).krate.0 as usize));
        found.sort_unstable();
        // Lowering is most of the work.
        found.par_iter().for_each(|id| {
            let _lowered = program.function(*id).body();
        });
        found.into_iter().for_each(|id| self.see(id));
    }

    /// The crates that see another: itself and all that depend on it.
    fn seeing(&mut self, home: Option<CrateId>) -> Rc<FixedBitSet> {
        let dependents = &self.dependents;
        let find = || {
            let mut seeing = FixedBitSet::with_capacity(dependents.len());
            let Some(home) = home else {
                seeing.insert_range(..);
                return Rc::new(seeing);
            };
            let mut waiting = vec![home.0 as usize];
            while let Some(krate) = waiting.pop() {
                let Some(users) = dependents.get(krate) else { continue };
                if !seeing.put(krate) {
                    waiting.extend(users);
                }
            }
            Rc::new(seeing)
        };
        Rc::clone(self.seeing.entry(home).or_insert_with(find))
    }

    /// Looks at a function whose body is known.
    pub fn look_at(&mut self, function: FunctionId) {
        if self.unseen.functions.remove(&function) {
            self.see(function);
        }
    }

    fn see(&mut self, function: FunctionId) {
        let program = self.program;
        if let Some(body) = program.function(function).body() {
            // What it mentions need not matter.
            program.unrecorded(|| self.scan(function, body));
        }
    }

    /// Notes what a function mentions.
    fn scan(&mut self, function: FunctionId, body: &Body) {
        let scope = self.program.function(function).scope;
        let mut names: FxHashSet<&Name> = FxHashSet::default();
        let mut methods: FxHashSet<&Name> = FxHashSet::default();
        let mut items: FxHashSet<&Name> = FxHashSet::default();
        let mut outside: FxHashSet<&Name> = FxHashSet::default();
        let mut called: BTreeSet<FunctionId> = BTreeSet::new();
        mentions::of_body(body, &mut |mention| {
            names.insert(mention.text());
            match mention {
                Mention::Callee(name, None, _) => {
                    methods.insert(name);
                }
                Mention::Callee(name, Some(path), _) | Mention::Item(name, Some(path)) => match self
                    .program
                    .resolve_value(scope, path)
                {
                    ValueDef::Function(id) => {
                        called.insert(id);
                    }
                    ValueDef::Candidates { functions, .. } if !functions.is_empty() => {
                        called.extend(functions)
                    }
                    ValueDef::External(paths) if !paths.iter().any(|path| self.program.is_unplaced(path)) => {
                        outside.insert(name);
                    }
                    _ => {
                        items.insert(name);
                    }
                },
                Mention::Item(name, None) => {
                    items.insert(name);
                }
                Mention::Name(_) | Mention::Field(_) | Mention::Read(_) | Mention::Text(_) => {}
            }
        });
        for set in [&mut names, &mut items, &mut outside] {
            let meant: Vec<&Name> = set.iter().filter_map(|name| self.renamed.get(*name)).flatten().collect();
            set.extend(meant);
        }
        let note = |table: &mut FxHashMap<Name, Vec<FunctionId>>, names: FxHashSet<&Name>| {
            names.into_iter().for_each(|name| table.entry(name.clone()).or_default().push(function));
        };
        note(&mut self.users, names);
        note(&mut self.by_method, methods);
        note(&mut self.by_name, items);
        note(&mut self.by_outside, outside);
        called.into_iter().for_each(|id| self.direct.entry(id).or_default().push(function));
    }

    /// What is known to matter at the start.
    pub fn criteria<'a>(&mut self, spec: &'a dyn Specification) -> Criteria<'a>
    where
        'p: 'a,
    {
        let effects = Effects::new(self.program, spec);
        Criteria::new(spec, effects, std::mem::take(&mut self.slots), self.renamed.clone())
    }

    /// Functions that may hold a sink. Notes those of which a call is one.
    pub fn holding(&mut self, engine: &mut Engine<'_>) -> BTreeSet<FunctionId> {
        let slots: Vec<Name> =
            engine.criteria.leading_names().chain(engine.spec.slot_names()).cloned().collect();
        slots.iter().for_each(|name| self.look_for(name, None));
        let names: Vec<Name> =
            self.users.keys().filter(|name| engine.criteria.is_sink(name)).cloned().collect();
        let mut holding: BTreeSet<FunctionId> = names.iter().flat_map(|name| self.users(name)).collect();
        holding.retain(|id| {
            let body = self.program.function(*id).body();
            body.is_some_and(|body| mentions::any(body, |mention| engine.criteria.may_be_sink(mention)))
        });
        // Where a parameter is named like a key, its callers hold the sink.
        for function in self.program.functions() {
            let definition = self.program.function(function);
            let spec = engine.spec;
            let key = |param: &ir::Param| {
                param.name.as_ref().is_some_and(|name| spec.parameter_sink(function, name).is_some())
            };
            if !definition.ir.params.iter().any(key) {
                continue;
            }
            holding
                .extend(Some(function).filter(|id| self.roots.contains(id) && definition.body().is_some()));
            engine.criteria.lead(function, Influence { positions: ALL, carries: false });
            holding.extend(self.callers(function));
        }
        holding
    }

    /// Functions that mention a name, of those that were looked at.
    pub fn known_to_mention(&self, name: &Name) -> impl Iterator<Item = FunctionId> + '_ {
        self.users.get(name).into_iter().flatten().copied()
    }

    /// Entry points that mention a name.
    pub fn users(&mut self, name: &Name) -> Vec<FunctionId> {
        self.look_for(name, None);
        self.known_to_mention(name).filter(|id| self.roots.contains(id)).collect()
    }

    /// Functions that may call a function.
    pub fn callers(&mut self, function: FunctionId) -> Vec<FunctionId> {
        let definition = self.program.function(function);
        let home = leads::home(self.program, function);
        self.look_for(&definition.name, home);
        let seeing = self.seeing(home);
        let meant = std::iter::once(&function).chain(self.program.declarations(function));
        let mut found: Vec<FunctionId> =
            meant.filter_map(|id| self.direct.get(id)).flatten().copied().collect();
        found.extend(self.by_name.get(&definition.name).into_iter().flatten());
        if self.program.is_of_outside_trait(function) {
            found.extend(self.by_outside.get(&definition.name).into_iter().flatten());
        }
        if definition.ir.receiver.is_some() {
            found.extend(self.by_method.get(&definition.name).into_iter().flatten());
        }
        let sees = |id: &FunctionId| seeing.contains(self.program.function(*id).krate.0 as usize);
        found.retain(|id| self.roots.contains(id) && sees(id));
        if let Some(owner) = implicit_owner(self.program, function)
            && self.implicit.insert((owner.clone(), definition.krate))
        {
            let holders = self.holders.get_or_insert_with(|| Holders::new(self.program));
            let (names, holding) = holders.of(&owner);
            found.extend(holding.into_iter().filter(|id| self.roots.contains(id) && sees(id)));
            for name in names {
                self.look_for(&name, home);
                let mentioning = self.known_to_mention(&name);
                found.extend(mentioning.filter(|id| self.roots.contains(id) && sees(id)));
            }
        }
        found
    }
}

impl Relevance<'_> {
    /// Types, with the crate of the method, for whose values a method that leads to a sink runs without being named.
    pub fn implicit(&self) -> impl Iterator<Item = &(Name, CrateId)> {
        self.implicit.iter()
    }
}

/// The crates that depend on each crate.
fn dependents(program: &Program) -> Vec<Vec<usize>> {
    let count = program.crate_count();
    let mut dependents = vec![Vec::new(); count];
    for user in 0..count {
        for used in program.dependencies(CrateId(user as u32)) {
            if let Some(users) = dependents.get_mut(used.0 as usize) {
                users.push(user);
            }
        }
    }
    dependents
}

/// What the names stand for by which imports know another one, also through several imports.
fn renamed_names(program: &Program) -> FxHashMap<Name, Vec<Name>> {
    let mut direct: FxHashMap<Name, Vec<Name>> = FxHashMap::default();
    for (alias, original) in program.renamed_imports() {
        direct.entry(alias).or_default().push(original.clone());
    }
    let closed = direct.keys().map(|alias| {
        let mut all: Vec<Name> = Vec::new();
        let mut waiting = vec![alias];
        while let Some(name) = waiting.pop() {
            for original in direct.get(name).into_iter().flatten() {
                if original != alias && !all.contains(original) {
                    all.push(original.clone());
                    waiting.push(original);
                }
            }
        }
        (alias.clone(), all)
    });
    closed.collect()
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

    /// The names of the type or of those that contain it, and of what yields it; and the functions that have one in
    /// their signature.
    fn of(&self, owner: &Name) -> (Vec<Name>, Vec<FunctionId>) {
        let mut types = FxHashSet::default();
        let mut waiting = vec![owner.clone()];
        let mut found = Vec::new();
        let mut names = FxHashSet::default();
        while let Some(ty) = waiting.pop() {
            if !types.insert(ty.clone()) {
                continue;
            }
            waiting.extend(self.containing.get(&ty).into_iter().flatten().cloned());
            found.extend(self.signatures.get(&ty).into_iter().flatten());
            let yielding = self.yielding.get(&ty).into_iter().flatten().filter(|name| !is_position(name));
            names.extend(yielding.chain(std::iter::once(&ty)).cloned());
        }
        let mut names: Vec<Name> = names.into_iter().collect();
        names.sort_unstable();
        (names, found)
    }
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

/// Fields that attributes give the name of a key slot.
fn sink_fields(program: &Program, spec: &dyn Specification) -> Vec<Name> {
    let mut found = Vec::new();
    for id in program.types() {
        let definition = program.type_(id);
        for field in definition.fields(None) {
            if wire_name(definition, &field.name).is_some_and(|name| spec.may_be_sink(&name)) {
                found.push(field.name.clone());
            }
        }
    }
    found
}

/// Names of constants whose text is the name of a key slot.
fn sink_constants(program: &Program, spec: &dyn Specification) -> FxHashSet<Name> {
    let names_slot = |id: &StaticId| {
        let body = program.static_(*id).ir.initializer.as_deref();
        body.is_some_and(|body| mentions::any(body, |mention| spec.may_be_sink(mention.text())))
    };
    program.statics().filter(names_slot).map(|id| program.static_(id).name.clone()).collect()
}
