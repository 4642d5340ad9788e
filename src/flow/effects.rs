//! Which calls can change what others see of their arguments, by the types of the functions that may be meant.
//!
//! What is lent by `&T` can only be changed through a cell, a lock or the like inside of `T`: the borrow checker
//! says so, and the analysed code has passed it.

use std::cell::{OnceCell, RefCell};

use rustc_hash::{FxHashMap, FxHashSet};

use super::model::{Flow, Root};
use super::spec::Specification;
use crate::ir::{Name, Path, Type, TypeKind};
use crate::resolve::{
    FunctionId, Program, ScopeId, TraitDef, TraitId, TraitRef, Ty, TypeId, ValueDef, is_standard_method,
};

/// Traits from outside whose values write somewhere.
const WRITING_TRAITS: [&str; 14] = [
    "Fn",
    "FnMut",
    "FnOnce",
    "Iterator",
    "Write",
    "BufMut",
    "Extend",
    "AsMut",
    "BorrowMut",
    "DerefMut",
    "IndexMut",
    "Sink",
    "Stream",
    "Future",
];

/// Parts of the names of types from outside that give access to memory of others.
const ACCESS_TYPES: [&str; 9] =
    ["Mut", "Guard", "Entry", "Sender", "Receiver", "Cell", "Lock", "Atomic", "Drain"];

/// What is being looked at, so that recursive types and traits come to an end.
#[derive(Default)]
struct Seen {
    types: FxHashSet<TypeId>,
    traits: FxHashSet<TraitId>,
}

/// What stands for a function that is not loaded.
const ABSENT: Known = Known { in_tree: true, writes: true, lends: true, connects: false };

/// Answers by name and type, remembered. Nothing is loaded for them: what is not known counts as a change.
pub struct Effects<'a> {
    pub program: &'a Program,
    spec: &'a dyn Specification,
    functions: FxHashMap<&'a str, Vec<FunctionId>>,
    /// Names of functions that never return.
    diverging: FxHashSet<&'a str>,
    /// By name, of methods and of all functions.
    methods: RefCell<FxHashMap<Name, Known>>,
    names: RefCell<FxHashMap<Name, Known>>,
    signatures: RefCell<FxHashMap<FunctionId, Known>>,
    types: RefCell<FxHashMap<TypeId, bool>>,
    /// Types that hold something which can be called, or do not, whatever their arguments are.
    calling: RefCell<FxHashMap<TypeId, bool>>,
    destructors_write: OnceCell<bool>,
}

/// What is known of all functions of one name.
#[derive(Clone, Copy, Default)]
pub struct Known {
    /// Whether the tree defines one with a body.
    pub in_tree: bool,
    /// Whether a call can change its arguments.
    pub writes: bool,
    /// Whether its result can give access to memory of its arguments.
    pub lends: bool,
    /// Whether the parts of its result share memory: the two ends of a channel.
    pub connects: bool,
}

impl<'a> Effects<'a> {
    pub fn new(program: &'a Program, spec: &'a dyn Specification) -> Effects<'a> {
        let mut functions: FxHashMap<&str, Vec<FunctionId>> = FxHashMap::default();
        let mut diverging = FxHashSet::default();
        for id in program.functions() {
            let function = program.function(id);
            functions.entry(function.name.as_str()).or_default().push(id);
            if function.ir.result == Some(Type::Never) {
                diverging.insert(function.name.as_str());
            }
        }
        Effects {
            program,
            spec,
            functions,
            diverging,
            methods: RefCell::default(),
            names: RefCell::default(),
            signatures: RefCell::default(),
            types: RefCell::default(),
            calling: RefCell::default(),
            destructors_write: OnceCell::new(),
        }
    }

    /// Whether a function of this name never returns.
    pub fn diverges(&self, name: &str) -> bool {
        self.diverging.contains(name) || self.program.may_diverge(name)
    }

    /// Whether some destructor of the tree can change memory that others see.
    pub fn destructors_write(&self) -> bool {
        *self.destructors_write.get_or_init(|| {
            let blocks = self.program.implementors_of(&TraitDef::External("std::ops::Drop".into()));
            self.program.may_implement("Drop")
                || blocks.iter().any(|block| self.may_write(&self.program.impl_(*block).self_type))
        })
    }

    /// What is known of the methods of a name.
    pub fn method(&self, name: &Name) -> Known {
        if let Some(known) = self.methods.borrow().get(name) {
            return *known;
        }
        let is_method = |id: &&FunctionId| self.program.function(**id).ir.receiver.is_some();
        // A method with a standard name is taken for the standard one as well, which covers what is not loaded.
        let found = match self.program.may_define(name) && !is_standard_method(name) {
            true => ABSENT,
            false => self.of_all(self.functions.get(name.as_str()).into_iter().flatten().filter(is_method)),
        };
        self.methods.borrow_mut().insert(name.clone(), found);
        found
    }

    /// What is known of the functions that a path may mean.
    pub fn of_path(&self, scope: ScopeId, path: &Path) -> Known {
        match self.program.unrecorded(|| self.program.resolve_value(scope, path)) {
            ValueDef::Function(id) if self.program.function(id).has_body() => self.of_all([&id]),
            // Of a trait's function, all that implement it.
            ValueDef::Function(id) => self.of_name(&self.program.function(id).name),
            ValueDef::Candidates { functions, .. } if !functions.is_empty() => self.of_name(path.last_name()),
            ValueDef::Static(_) => Known { in_tree: true, writes: true, lends: true, connects: false },
            ValueDef::External(paths) | ValueDef::Candidates { external: paths, .. }
                if paths.iter().any(|path| self.program.is_absent(path)) =>
            {
                ABSENT
            }
            ValueDef::External(paths) => {
                let model = paths.iter().find_map(|path| self.spec.path_model(path));
                let connects = |flow: &Flow| (flow.from.root, flow.to.root) == (Root::Return, Root::Return);
                let writes = |flow: &Flow| matches!(flow.to.root, Root::Argument(_) | Root::Receiver);
                let flows = model.as_ref().map_or(&[][..], |model| model.flows.as_slice());
                Known {
                    connects: flows.iter().any(connects),
                    writes: flows.iter().any(writes),
                    ..Known::default()
                }
            }
            ValueDef::Candidates { .. } | ValueDef::Constructor { .. } => Known::default(),
        }
    }

    fn of_name(&self, name: &str) -> Known {
        if let Some(known) = self.names.borrow().get(name) {
            return *known;
        }
        let found = match self.program.may_define(name) {
            true => ABSENT,
            false => self.of_all(self.functions.get(name).into_iter().flatten()),
        };
        self.names.borrow_mut().insert(name.into(), found);
        found
    }

    fn of_all<'f>(&self, functions: impl IntoIterator<Item = &'f FunctionId>) -> Known {
        let mut all = Known::default();
        for id in functions {
            let known = self.signature(*id);
            all.in_tree |= known.in_tree;
            all.writes |= known.writes;
            all.lends |= known.lends;
            if all.in_tree && all.writes && all.lends {
                break;
            }
        }
        all
    }

    fn signature(&self, id: FunctionId) -> Known {
        if let Some(known) = self.signatures.borrow().get(&id) {
            return *known;
        }
        let signature = self.program.signature(id);
        let found = Known {
            in_tree: self.program.function(id).has_body(),
            writes: signature.parameters.iter().any(|ty| self.may_write(ty)),
            lends: self.may_write(&signature.result),
            connects: false,
        };
        self.signatures.borrow_mut().insert(id, found);
        found
    }

    /// Whether who has a value of the type can change memory that others see.
    pub fn may_write(&self, ty: &Ty) -> bool {
        self.program.unrecorded(|| self.within(ty, &mut Seen::default()))
    }

    /// Whether a value of the type may be something that can be called, or hold it.
    pub fn may_call(&self, ty: &Ty) -> bool {
        self.program.unrecorded(|| self.calls_within(ty, &mut FxHashSet::default()))
    }

    fn calls_within(&self, ty: &Ty, seen: &mut FxHashSet<TypeId>) -> bool {
        match ty {
            Ty::Unknown | Ty::Function { .. } | Ty::Dyn(_) | Ty::Param { .. } => true,
            Ty::External { path, .. } if self.program.is_absent(path) => true,
            Ty::Reference { inner, .. } | Ty::Sequence(inner) => self.calls_within(inner, seen),
            Ty::Tuple(parts) | Ty::External { args: parts, .. } => {
                parts.iter().any(|part| self.calls_within(part, seen))
            }
            Ty::Adt { id, args } => {
                args.iter().any(|arg| self.calls_within(arg, seen)) || self.adt_calls(*id, seen)
            }
        }
    }

    fn adt_calls(&self, id: TypeId, seen: &mut FxHashSet<TypeId>) -> bool {
        if let Some(known) = self.calling.borrow().get(&id) {
            return *known;
        }
        let first = seen.is_empty();
        if !seen.insert(id) {
            return false;
        }
        let found = self.field_types(id).iter().any(|field| self.calls_within(field, seen));
        remember(&mut self.calling.borrow_mut(), id, found, first, seen);
        found
    }

    fn within(&self, ty: &Ty, seen: &mut Seen) -> bool {
        match ty {
            Ty::Unknown | Ty::Function { .. } | Ty::Reference { mutable: true, .. } => true,
            Ty::Reference { inner, .. } | Ty::Sequence(inner) => self.within(inner, seen),
            Ty::Tuple(parts) => parts.iter().any(|part| self.within(part, seen)),
            Ty::External { path, args } => {
                let last = path.rsplit("::").next().unwrap_or(path);
                self.program.is_absent(path)
                    || self.spec.is_cell(path)
                    || ACCESS_TYPES.iter().any(|part| last.contains(part))
                    || args.iter().any(|arg| self.within(arg, seen))
            }
            Ty::Adt { id, args } => self.adt(*id, seen) || args.iter().any(|arg| self.within(arg, seen)),
            Ty::Dyn(bounds) | Ty::Param { bounds, .. } => {
                bounds.iter().any(|bound| self.implementor(bound, seen))
            }
        }
    }

    fn adt(&self, id: TypeId, seen: &mut Seen) -> bool {
        if let Some(known) = self.types.borrow().get(&id) {
            return *known;
        }
        let first = seen.types.is_empty() && seen.traits.is_empty();
        if !seen.types.insert(id) {
            return false;
        }
        let found = self.field_types(id).iter().any(|field| self.within(field, seen));
        remember(&mut self.types.borrow_mut(), id, found, first, &seen.types);
        found
    }

    /// The types of all fields of a type.
    fn field_types(&self, id: TypeId) -> Vec<Ty> {
        let ty = Ty::Adt { id, args: Vec::new() };
        let definition = self.program.type_(id);
        match &definition.ir.kind {
            TypeKind::Struct(fields) => {
                fields.iter().map(|field| self.program.field_type(&ty, &field.name)).collect()
            }
            TypeKind::Enum(variants) => {
                let fields = variants.iter().flat_map(|variant| {
                    variant.fields.iter().map(|field| (&variant.name, &field.name)).collect::<Vec<_>>()
                });
                fields.map(|(variant, field)| self.program.variant_field_type(&ty, variant, field)).collect()
            }
        }
    }

    fn implementor(&self, bound: &TraitRef, seen: &mut Seen) -> bool {
        match &bound.id {
            TraitDef::External(path) if self.program.is_absent(path) => true,
            TraitDef::Local(id) if self.program.may_implement(&self.program.trait_(*id).name) => true,
            TraitDef::External(path) => {
                WRITING_TRAITS.contains(&path.rsplit("::").next().unwrap_or(path))
                    || bound.args.iter().any(|arg| self.within(arg, seen))
            }
            TraitDef::Local(id) if !seen.traits.insert(*id) => false,
            TraitDef::Local(id) => {
                let blocks = self.program.implementors(*id);
                blocks.iter().any(|block| self.within(&self.program.impl_(*block).self_type, seen))
            }
        }
    }
}

/// Keeps an answer about a type. Inside of a cycle a negative one is only about what was not looked at yet: it is kept
/// when the first type was asked about, and then for all that were seen.
fn remember(
    known: &mut FxHashMap<TypeId, bool>,
    id: TypeId,
    found: bool,
    first: bool,
    seen: &FxHashSet<TypeId>,
) {
    if found {
        known.insert(id, true);
    } else if first {
        known.extend(seen.iter().map(|id| (*id, false)));
    }
}
