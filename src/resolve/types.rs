//! Types: from written form to [`Ty`], associated types, substitution, and what fields and elements hold.

use std::cell::Cell;

use rustc_hash::FxHashMap;

use super::definitions::{AliasId, FieldTypes, Signature};
use super::imports::{Names, Outcome, Start};
use super::prelude;
use super::scopes::{Def, Namespace, ScopeKind, View, generic_type, self_scope};
use super::{FunctionId, ImplId, Owner, Program, ScopeId, TraitDef, TraitRef, Ty, TypeId};
use crate::ir::{self, Name};

/// How deep aliases, projections and bounds are followed.
const MAXIMAL_DEPTH: u8 = 12;
/// How many nodes one written type may have with all aliases expanded.
const MAXIMAL_WORK: u32 = 2_000;
/// The same for one substitution, whose result may be substituted again and again.
const MAXIMAL_SIZE: u32 = 400;

/// Types by the name of the parameter that they stand for; `Self` and unresolved projections (`T::Item`) too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Substitution {
    types: FxHashMap<Name, Ty>,
}

impl Substitution {
    /// No parameters.
    #[must_use]
    pub fn new() -> Substitution {
        Substitution::default()
    }

    /// The type of a parameter.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Ty> {
        self.types.get(name)
    }

    /// Binds a parameter; returns what it was bound to.
    pub fn insert(&mut self, name: Name, ty: Ty) -> Option<Ty> {
        self.types.insert(name, ty)
    }

    /// Whether nothing is bound.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }
}

/// A context in which written types are resolved.
#[derive(Clone, Copy)]
pub(super) struct Types<'a> {
    pub program: &'a Program,
    pub view: View,
    /// Known type parameters of the scope.
    pub known: Option<&'a Substitution>,
    /// Parameters get no bounds: inside bounds themselves, which may be cyclic.
    pub shallow: bool,
    pub depth: u8,
    /// How many more nodes may be built; what is beyond is unknown.
    pub fuel: &'a Cell<u32>,
}

/// The fuel to resolve one written type.
pub(super) fn fuel() -> Cell<u32> {
    Cell::new(MAXIMAL_WORK)
}

impl<'a> Types<'a> {
    pub fn new(program: &'a Program, view: View, fuel: &'a Cell<u32>) -> Types<'a> {
        Types { program, view, known: None, shallow: false, depth: 0, fuel }
    }

    /// Takes fuel; whether there was enough.
    fn spend(&self, amount: u32) -> bool {
        let left = self.fuel.get().checked_sub(amount);
        self.fuel.set(left.unwrap_or(0));
        left.is_some()
    }

    /// The same context inside another scope.
    fn inside(self, scope: ScopeId) -> Types<'a> {
        let test = self.view.test || self.program.scope(scope).test;
        let view = View { scope, test, ..self.view };
        Types { view, known: None, depth: self.depth + 1, ..self }
    }

    pub fn resolve(&self, ty: &ir::Type) -> Ty {
        if !self.spend(1) {
            return Ty::Unknown;
        }
        match ty {
            ir::Type::Path(path) => self.path(path),
            ir::Type::Reference { mutable, inner } => {
                Ty::Reference { mutable: *mutable, inner: Box::new(self.resolve(inner)) }
            }
            ir::Type::Pointer(inner) => Ty::Reference { mutable: true, inner: Box::new(self.resolve(inner)) },
            ir::Type::Slice(inner) | ir::Type::Array(inner) => Ty::Sequence(Box::new(self.resolve(inner))),
            ir::Type::Tuple(parts) => Ty::Tuple(self.args(parts)),
            ir::Type::Function { params, result } => {
                Ty::Function { params: self.args(params), result: Box::new(self.resolve(result)) }
            }
            ir::Type::ImplTrait(bounds) => Ty::Param { name: Name::default(), bounds: self.bounds(bounds) },
            ir::Type::DynTrait(bounds) => Ty::Dyn(self.bounds(bounds)),
            ir::Type::Never | ir::Type::Infer => Ty::Unknown,
        }
    }

    pub fn args(&self, types: &[ir::Type]) -> Vec<Ty> {
        types.iter().map(|ty| self.resolve(ty)).collect()
    }

    pub fn bounds(&self, paths: &[ir::Path]) -> Vec<TraitRef> {
        paths.iter().filter_map(|path| self.trait_ref(path)).collect()
    }

    pub fn trait_ref(&self, path: &ir::Path) -> Option<TraitRef> {
        self.trait_of_segments(&path.segments, path.global).or_else(|| {
            let name = path.segments.last()?;
            Some(self.bound(TraitDef::External(name.name.clone()), name))
        })
    }

    pub fn trait_of_segments(&self, segments: &[ir::Segment], global: bool) -> Option<TraitRef> {
        let start = if global { Start::Global } else { Start::Expression };
        let walk = self.program.walk(&self.view, Names::Segments(segments), start, Namespace::Type);
        let last = segments.last()?;
        walk.outcomes.into_iter().find_map(|outcome| match outcome {
            Outcome::Def(Def::Trait(id)) => Some(self.bound(TraitDef::Local(id), last)),
            Outcome::Def(Def::External(path)) => Some(self.bound(TraitDef::External(path), last)),
            _ => None,
        })
    }

    fn bound(&self, id: TraitDef, segment: &ir::Segment) -> TraitRef {
        let bindings = segment.bindings.iter().map(|(name, ty)| (name.clone(), self.resolve(ty))).collect();
        TraitRef { id, args: self.args(&segment.args), bindings }
    }

    fn path(&self, path: &ir::Path) -> Ty {
        if self.depth >= MAXIMAL_DEPTH {
            return Ty::Unknown;
        }
        if let Some(qualified) = &path.qualified_self {
            return self.qualified(qualified, path);
        }
        let start = if path.global { Start::Global } else { Start::Expression };
        let walk = self.program.walk(&self.view, Names::Segments(&path.segments), start, Namespace::Type);
        let Some(outcome) = walk.outcomes.into_iter().next() else { return Ty::Unknown };
        match outcome {
            Outcome::Def(def) => self.of_def(&def, path.segments.last()),
            Outcome::Relative(def, used) => {
                let (head, rest) = path.segments.split_at(used.min(path.segments.len()));
                let base = self.of_def(&def, head.last());
                rest.iter().fold(base, |ty, segment| self.project(&ty, None, &segment.name))
            }
        }
    }

    fn qualified(&self, qualified: &ir::Type, path: &ir::Path) -> Ty {
        let base = self.resolve(qualified);
        let split = path.trait_segments.min(path.segments.len());
        let (of_trait, rest) = path.segments.split_at(split);
        let bound = if of_trait.is_empty() { None } else { self.trait_of_segments(of_trait, path.global) };
        let Some((first, others)) = rest.split_first() else { return base };
        let projected = self.project(&base, bound.as_ref(), &first.name);
        others.iter().fold(projected, |ty, segment| self.project(&ty, None, &segment.name))
    }

    /// The type that a definition stands for, with the generic arguments of the segment that names it.
    pub fn of_def(&self, def: &Def, segment: Option<&ir::Segment>) -> Ty {
        let args = || segment.map_or(Vec::new(), |segment| self.args(&segment.args));
        match def {
            Def::Type(id) => Ty::Adt { id: *id, args: args() },
            Def::Variant(id, _) => Ty::Adt { id: *id, args: args() },
            Def::External(path) => Ty::External { path: path.clone(), args: args() },
            Def::Alias(id) => self.expand(*id, args()),
            Def::Generic(scope, index) => self.generic(*scope, *index),
            Def::SelfType(scope) => self.self_type(*scope),
            // An old-style trait object, `Box<Trait>`.
            Def::Trait(id) => {
                Ty::Dyn(vec![TraitRef { id: TraitDef::Local(*id), args: args(), bindings: Vec::new() }])
            }
            Def::Module(_) | Def::Function(_) | Def::Static(_) => Ty::Unknown,
        }
    }

    fn generic(&self, scope: ScopeId, index: u32) -> Ty {
        let Some(generic) = self.program.scope(scope).generics.get(index as usize) else {
            return Ty::Unknown;
        };
        if let Some(known) = self.known.and_then(|known| known.get(&generic.name)) {
            return known.clone();
        }
        if self.shallow {
            return Ty::Param { name: generic.name.clone(), bounds: Vec::new() };
        }
        generic_type(generic)
    }

    /// `Self` in an impl, trait or type definition.
    pub fn self_type(&self, scope: ScopeId) -> Ty {
        if let Some(known) = self.known.and_then(|known| known.get("Self")) {
            return known.clone();
        }
        match self.program.scope(scope).kind {
            ScopeKind::Impl(id) => {
                let block = &self.program.impls[id.0 as usize];
                let ty = match &block.self_type {
                    // Not resolved yet: bounds of the impl's own generics ask for it.
                    Ty::Unknown if self.depth < MAXIMAL_DEPTH => self.inside(scope).resolve(&block.self_path),
                    ty => ty.clone(),
                };
                match self.known {
                    Some(known) => self.substitute(&ty, known),
                    None => ty,
                }
            }
            ScopeKind::Trait(id) => {
                let mut bounds =
                    vec![TraitRef { id: TraitDef::Local(id), args: Vec::new(), bindings: Vec::new() }];
                if self.shallow {
                    bounds.clear();
                }
                Ty::Param { name: "Self".into(), bounds }
            }
            ScopeKind::Type(id) => {
                let args = self.program.scope(scope).generics.iter().map(generic_type).collect();
                Ty::Adt { id, args }
            }
            _ => Ty::Unknown,
        }
    }

    fn expand(&self, alias: AliasId, args: Vec<Ty>) -> Ty {
        let def = &self.program.aliases[alias.0 as usize];
        let Some(ty) = &def.ty else { return Ty::Unknown };
        if self.depth >= MAXIMAL_DEPTH {
            return Ty::Unknown;
        }
        let inside = self.inside(def.scope);
        let body = inside.resolve(ty);
        if def.generics.params.is_empty() {
            return body;
        }
        let mut substitution = Substitution::new();
        let mut args = args.into_iter();
        for param in &def.generics.params {
            let ty = args.next().or_else(|| param.default.as_ref().map(|default| inside.resolve(default)));
            substitution.insert(param.name.clone(), ty.unwrap_or(Ty::Unknown));
        }
        inside.substitute(&body, &substitution)
    }

    /// The associated type `name` of `base`, of one trait when that is known.
    pub fn project(&self, base: &Ty, bound: Option<&TraitRef>, name: &Name) -> Ty {
        if self.depth >= MAXIMAL_DEPTH {
            return Ty::Unknown;
        }
        match base {
            Ty::Param { name: param, bounds } => self.project_param(param, bounds, name),
            Ty::Dyn(bounds) => bound_binding(bounds, name).cloned().unwrap_or(Ty::Unknown),
            Ty::Unknown => Ty::Unknown,
            _ => self
                .project_in_own_impl(base, name)
                .or_else(|| self.project_concrete(base, bound, name))
                .or_else(|| standard_projection(base, name))
                .unwrap_or(Ty::Unknown),
        }
    }

    fn project_param(&self, param: &Name, bounds: &[TraitRef], name: &Name) -> Ty {
        if let Some(ty) = bound_binding(bounds, name) {
            return ty.clone();
        }
        let projected: Name = format!("{param}::{name}").into();
        if let Some(known) = self.known.and_then(|known| known.get(&projected)) {
            return known.clone();
        }
        let bounds = if self.shallow { Vec::new() } else { self.predicate_bounds(&projected) };
        Ty::Param { name: projected, bounds }
    }

    /// Bounds that where-clauses around the view put on a projection such as `T::Item`.
    fn predicate_bounds(&self, projected: &str) -> Vec<TraitRef> {
        let mut bounds = Vec::new();
        let mut next = Some(self.view.scope);
        while let Some(scope) = next {
            let shallow = Types { shallow: true, known: None, ..self.inside(scope) };
            if let Some(generics) = self.program.generics_of(scope) {
                for (ty, paths) in &generics.predicates {
                    if matches!(shallow.resolve(ty), Ty::Param { name, .. } if name == projected) {
                        bounds.extend(shallow.bounds(paths));
                    }
                }
            }
            let data = self.program.scope(scope);
            next = if data.kind == ScopeKind::Module { None } else { data.parent };
        }
        bounds
    }

    /// `Self::Item` inside the impl that defines it.
    fn project_in_own_impl(&self, base: &Ty, name: &Name) -> Option<Ty> {
        let scope = self_scope(self.program, self.view.scope)?;
        let ScopeKind::Impl(id) = self.program.scope(scope).kind else { return None };
        let block = self.program.impls.get(id.0 as usize)?;
        if block.self_type != *base {
            return None;
        }
        let alias = block.members.types.get(name)?;
        Some(self.expand(*alias, Vec::new()))
    }

    fn project_concrete(&self, base: &Ty, bound: Option<&TraitRef>, name: &Name) -> Option<Ty> {
        let (block, bindings) = self.program.impl_with_type(base, bound, name)?;
        let deeper = Types { depth: self.depth + 1, ..*self };
        self.impl_type(block, name).map(|ty| deeper.substitute(&ty, &bindings))
    }

    /// The associated type of an impl in terms of the impl's parameters.
    fn impl_type(&self, block: ImplId, name: &Name) -> Option<Ty> {
        let alias = self.program.impls[block.0 as usize].members.types.get(name)?;
        Some(Types { known: None, ..*self }.expand(*alias, Vec::new()))
    }

    pub fn substitute(&self, ty: &Ty, with: &Substitution) -> Ty {
        if with.is_empty() {
            return ty.clone();
        }
        if !self.spend(1) {
            return Ty::Unknown;
        }
        let one = |ty: &Ty| Box::new(self.substitute(ty, with));
        match ty {
            Ty::Param { name, bounds } => self.substitute_param(name, bounds, with),
            Ty::Dyn(bounds) => Ty::Dyn(self.substitute_bounds(bounds, with)),
            Ty::Adt { id, args } => Ty::Adt { id: *id, args: self.substitute_all(args, with) },
            Ty::External { path, args } => {
                Ty::External { path: path.clone(), args: self.substitute_all(args, with) }
            }
            Ty::Tuple(parts) => Ty::Tuple(self.substitute_all(parts, with)),
            Ty::Reference { mutable, inner } => Ty::Reference { mutable: *mutable, inner: one(inner) },
            Ty::Sequence(inner) => Ty::Sequence(one(inner)),
            Ty::Function { params, result } => {
                Ty::Function { params: self.substitute_all(params, with), result: one(result) }
            }
            Ty::Unknown => Ty::Unknown,
        }
    }

    fn substitute_all(&self, types: &[Ty], with: &Substitution) -> Vec<Ty> {
        types.iter().map(|ty| self.substitute(ty, with)).collect()
    }

    fn substitute_param(&self, name: &Name, bounds: &[TraitRef], with: &Substitution) -> Ty {
        if let Some(ty) = with.get(name) {
            return if self.spend(size(ty)) { ty.clone() } else { Ty::Unknown };
        }
        if let Some((base, associated)) = name.rsplit_once("::")
            && let Some(ty) = with.get(base)
            && !matches!(ty, Ty::Unknown)
        {
            let deeper = Types { known: None, depth: self.depth + 1, ..*self };
            return deeper.project(ty, None, &associated.into());
        }
        Ty::Param { name: name.clone(), bounds: self.substitute_bounds(bounds, with) }
    }

    fn substitute_bounds(&self, bounds: &[TraitRef], with: &Substitution) -> Vec<TraitRef> {
        let bound = |bound: &TraitRef| TraitRef {
            id: bound.id.clone(),
            args: self.substitute_all(&bound.args, with),
            bindings: bound
                .bindings
                .iter()
                .map(|(name, ty)| (name.clone(), self.substitute(ty, with)))
                .collect(),
        };
        bounds.iter().map(bound).collect()
    }
}

/// Associated types of types outside the tree that the language fixes.
fn standard_projection(base: &Ty, name: &str) -> Option<Ty> {
    match (base, name) {
        (Ty::External { path, args }, "Item") => outside_element(path, args, true),
        (Ty::Sequence(inner), "Item") => Some((**inner).clone()),
        (Ty::External { path, .. }, "Output") if prelude::is_primitive(path) => Some(base.clone()),
        _ => None,
    }
}

fn bound_binding<'t>(bounds: &'t [TraitRef], name: &str) -> Option<&'t Ty> {
    bounds.iter().flat_map(|bound| &bound.bindings).find(|(bound, _)| bound == name).map(|(_, ty)| ty)
}

impl Program {
    /// The type that a written type means, as seen from a scope.
    #[must_use]
    pub fn resolve_type(&self, scope: ScopeId, ty: &ir::Type) -> Ty {
        let at = match ty {
            ir::Type::Path(path) => path.span.start,
            _ => u32::MAX,
        };
        Types::new(self, self.view(scope, at), &fuel()).resolve(ty)
    }

    /// A trait path as a bound.
    #[must_use]
    pub fn resolve_trait(&self, scope: ScopeId, path: &ir::Path) -> Option<TraitRef> {
        Types::new(self, self.view(scope, path.span.start), &fuel()).trait_ref(path)
    }

    /// The associated type `name` of a type, of one trait when that is known.
    #[must_use]
    pub fn associated_type(&self, ty: &Ty, of_trait: Option<&TraitRef>, name: &str) -> Ty {
        Types::new(self, self.view(ScopeId(0), u32::MAX), &fuel()).project(ty, of_trait, &name.into())
    }

    /// The resolved types of a function.
    #[must_use]
    pub fn signature(&self, id: FunctionId) -> &Signature {
        let def = self.function(id);
        def.signature.get_or_init(|| self.make_signature(id))
    }

    fn make_signature(&self, id: FunctionId) -> Signature {
        let def = self.function(id);
        let fuel = fuel();
        let types = Types::new(self, self.view(def.scope, def.span.start), &fuel);
        let self_type = match def.owner {
            Owner::None => None,
            Owner::Impl(_) | Owner::Trait(_) => {
                self_scope(self, def.scope).map(|scope| types.self_type(scope))
            }
        };
        let own = || self_type.clone().unwrap_or(Ty::Unknown);
        let reference = |mutable| Ty::Reference { mutable, inner: Box::new(own()) };
        let receiver = def.ir.receiver.as_ref().map(|receiver| match receiver {
            ir::SelfParam::Value => own(),
            ir::SelfParam::Reference => reference(false),
            ir::SelfParam::MutableReference => reference(true),
            ir::SelfParam::Typed(ty) => types.resolve(ty),
        });
        let params = def.ir.params.iter().map(|param| types.resolve(&param.ty));
        let parameters = receiver.into_iter().chain(params).collect();
        let result = def.ir.result.as_ref().map_or(Ty::Tuple(Vec::new()), |ty| types.resolve(ty));
        let result = match &result {
            Ty::Param { name, bounds } if name.is_empty() => future_output(bounds).cloned().unwrap_or(result),
            _ => result,
        };
        Signature { self_type, parameters, result }
    }

    /// The self type of a member; `None` for a free function.
    #[must_use]
    pub fn self_type(&self, id: FunctionId) -> Option<Ty> {
        self.signature(id).self_type.clone()
    }

    /// The parameter types, the receiver first.
    #[must_use]
    pub fn parameter_types(&self, id: FunctionId) -> Vec<Ty> {
        self.signature(id).parameters.clone()
    }

    /// The result type: for an `async fn` the declared one, for `impl Future<Output = T>` it is `T`.
    #[must_use]
    pub fn result_type(&self, id: FunctionId) -> Ty {
        self.signature(id).result.clone()
    }

    /// What awaiting a value of this type gives: the `Output` of futures, the result of task handles.
    #[must_use]
    pub fn awaited_type(&self, ty: &Ty) -> Ty {
        match ty {
            Ty::Param { bounds, .. } | Ty::Dyn(bounds) => {
                future_output(bounds).cloned().unwrap_or(Ty::Unknown)
            }
            Ty::Reference { inner, .. } => self.awaited_type(inner),
            Ty::External { path, args } if prelude::dereferences_to_argument(path).is_some() => {
                args.first().map_or(Ty::Unknown, |inner| self.awaited_type(inner))
            }
            Ty::External { args, .. } if args.len() == 1 => args[0].clone(),
            Ty::Adt { .. } => {
                let bound = TraitRef {
                    id: TraitDef::External("std::future::Future".into()),
                    args: Vec::new(),
                    bindings: Vec::new(),
                };
                self.associated_type(ty, Some(&bound), "Output")
            }
            _ => Ty::Unknown,
        }
    }

    /// The type of a field of a struct or tuple, through references and smart pointers.
    #[must_use]
    pub fn field_type(&self, ty: &Ty, field: &str) -> Ty {
        self.along_deref(ty, |step| match step {
            Ty::Tuple(parts) => field.parse::<usize>().ok().and_then(|index| parts.get(index).cloned()),
            Ty::Adt { id, args } => self.adt_field(*id, args, "", field),
            _ => None,
        })
    }

    /// The type of a field of an enum variant; also the payloads of `Option`, `Result`, `Poll`, `Cow` and the like.
    #[must_use]
    pub fn variant_field_type(&self, ty: &Ty, variant: &str, field: &str) -> Ty {
        self.along_deref(ty, |step| match step {
            Ty::Adt { id, args } if self.types[id.0 as usize].is_enum() => {
                self.adt_field(*id, args, variant, field)
            }
            Ty::Adt { id, args } => self.adt_field(*id, args, "", field),
            Ty::External { path, args } => outside_variant(path, args, variant).cloned(),
            _ => None,
        })
    }

    fn adt_field(&self, id: TypeId, args: &[Ty], variant: &str, field: &str) -> Option<Ty> {
        let def = &self.types[id.0 as usize];
        let fields = def.field_types.get_or_init(|| self.make_field_types(id));
        let ty = fields.get(&(Name::from(variant), Name::from(field)))?;
        Some(self.substitute(ty, &self.arguments(id, args)))
    }

    fn make_field_types(&self, id: TypeId) -> FieldTypes {
        let def = &self.types[id.0 as usize];
        let view = self.view(def.scope, def.span.start);
        let mut resolved = FieldTypes::default();
        let mut add = |variant: &Name, fields: &[ir::Field]| {
            for field in fields {
                let fuel = fuel();
                let types = Types::new(self, view, &fuel);
                resolved.insert((variant.clone(), field.name.clone()), types.resolve(&field.ty));
            }
        };
        match &def.ir.kind {
            ir::TypeKind::Struct(fields) => add(&Name::default(), fields),
            ir::TypeKind::Enum(variants) => {
                variants.iter().for_each(|variant| add(&variant.name, &variant.fields))
            }
        }
        resolved
    }

    /// The parameters of a type definition bound to the arguments of a use; missing ones are unknown.
    #[must_use]
    pub fn arguments(&self, id: TypeId, args: &[Ty]) -> Substitution {
        let def = &self.types[id.0 as usize];
        let mut substitution = Substitution::new();
        for (index, param) in def.ir.generics.params.iter().enumerate() {
            let ty = args.get(index).cloned().or_else(|| {
                param
                    .default
                    .as_ref()
                    .map(|ty| Types::new(self, self.view(def.scope, def.span.start), &fuel()).resolve(ty))
            });
            substitution.insert(param.name.clone(), ty.unwrap_or(Ty::Unknown));
        }
        substitution
    }

    /// What indexing a collection gives: the element, the value of a map.
    #[must_use]
    pub fn element_type(&self, ty: &Ty) -> Ty {
        self.contained(ty, false)
    }

    /// What iterating over a value gives: the element, key and value of a map.
    #[must_use]
    pub fn item_type(&self, ty: &Ty) -> Ty {
        self.contained(ty, true)
    }

    fn contained(&self, ty: &Ty, pairs: bool) -> Ty {
        self.along_deref(ty, |step| match step {
            Ty::Sequence(inner) => Some((**inner).clone()),
            Ty::External { path, args } => outside_element(path, args, pairs),
            Ty::Param { bounds, .. } | Ty::Dyn(bounds) => bound_binding(bounds, "Item").cloned(),
            Ty::Adt { .. } => ["std::iter::Iterator", "std::iter::IntoIterator", "std::ops::Index"]
                .iter()
                .zip(["Item", "Item", "Output"])
                .filter(|(path, _)| pairs != (**path == "std::ops::Index"))
                .find_map(|(path, name)| self.trait_type(step, path, name)),
            _ => None,
        })
    }

    /// The associated type of an impl of an outside trait in the tree.
    pub(super) fn trait_type(&self, ty: &Ty, trait_path: &str, name: &str) -> Option<Ty> {
        let bound =
            TraitRef { id: TraitDef::External(trait_path.into()), args: Vec::new(), bindings: Vec::new() };
        let fuel = fuel();
        let types = Types::new(self, self.view(ScopeId(0), u32::MAX), &fuel);
        types.project_concrete(ty, Some(&bound), &name.into()).filter(|ty| *ty != Ty::Unknown)
    }

    /// The first answer along the chain of dereferences, else [`Ty::Unknown`].
    fn along_deref(&self, ty: &Ty, answer: impl Fn(&Ty) -> Option<Ty>) -> Ty {
        let mut current = ty.clone();
        for _ in 0..super::methods::MAXIMAL_DEREFS {
            if let Some(found) = answer(&current) {
                return found;
            }
            match self.dereference(&current) {
                Some(next) => current = next,
                None => break,
            }
        }
        Ty::Unknown
    }

    /// The type that `*value` has; for wrappers from outside the tree that are not known, their only argument.
    #[must_use]
    pub fn dereference(&self, ty: &Ty) -> Option<Ty> {
        match ty {
            Ty::Reference { inner, .. } => Some((**inner).clone()),
            Ty::External { path, args } => match path.as_str() {
                "std::string::String" => Some(Ty::External { path: "str".into(), args: Vec::new() }),
                "std::vec::Vec" => Some(Ty::Sequence(Box::new(args.first().cloned().unwrap_or(Ty::Unknown)))),
                path => match prelude::dereferences_to_argument(path) {
                    Some(index) => Some(args.get(index).cloned().unwrap_or(Ty::Unknown)),
                    None => outside_wrapper(path, args),
                },
            },
            Ty::Adt { .. } => self.trait_type(ty, "std::ops::Deref", "Target"),
            Ty::Param { bounds, .. } => bound_binding(bounds, "Target").cloned(),
            _ => None,
        }
    }

    /// Finds what the parameters in `pattern` stand for when a value of type `actual` is given for it. The first
    /// binding of a parameter wins unless it is unknown.
    pub fn bind(&self, pattern: &Ty, actual: &Ty, into: &mut Substitution) {
        match (pattern, actual) {
            (_, Ty::Unknown) => {}
            (Ty::Param { name, .. }, _) if !name.is_empty() => {
                if into.get(name).is_none_or(|bound| *bound == Ty::Unknown) {
                    into.insert(name.clone(), actual.clone());
                }
                self.bind_bounds(pattern, actual, into);
            }
            (Ty::Param { .. } | Ty::Dyn(_), _) => self.bind_bounds(pattern, actual, into),
            (Ty::Reference { inner: left, .. }, Ty::Reference { inner: right, .. }) => {
                self.bind(left, right, into)
            }
            (Ty::Reference { inner, .. }, _) => self.bind_through_deref(inner, actual, into),
            (_, Ty::Reference { inner, .. }) => self.bind(pattern, inner, into),
            (Ty::Adt { id: left, args: params }, Ty::Adt { id: right, args }) if left == right => {
                self.bind_all(params, args, into);
            }
            (Ty::External { path: left, args: params }, Ty::External { path: right, args })
                if left == right =>
            {
                self.bind_all(params, args, into);
            }
            (Ty::Sequence(left), Ty::Sequence(right)) => self.bind(left, right, into),
            (Ty::Tuple(left), Ty::Tuple(right)) => self.bind_all(left, right, into),
            (
                Ty::Function { params: left, result: left_result },
                Ty::Function { params: right, result: right_result },
            ) => {
                self.bind_all(left, right, into);
                self.bind(left_result, right_result, into);
            }
            _ => {}
        }
    }

    fn bind_all(&self, patterns: &[Ty], actual: &[Ty], into: &mut Substitution) {
        for (pattern, actual) in patterns.iter().zip(actual) {
            self.bind(pattern, actual, into);
        }
    }

    /// `&[T]` takes a `Vec<T>`, `&T` a `Box<T>`.
    fn bind_through_deref(&self, pattern: &Ty, actual: &Ty, into: &mut Substitution) {
        match (pattern, self.dereference(actual)) {
            (Ty::Sequence(_), Some(inner @ Ty::Sequence(_))) => self.bind(pattern, &inner, into),
            _ => self.bind(pattern, actual, into),
        }
    }

    /// `I: Iterator<Item = T>` given a vector of strings binds `T`; `F: Fn(A) -> B` given a signature binds `A`, `B`.
    fn bind_bounds(&self, pattern: &Ty, actual: &Ty, into: &mut Substitution) {
        let (Ty::Param { bounds, .. } | Ty::Dyn(bounds)) = pattern else { return };
        for bound in bounds {
            if let ([signature @ Ty::Function { .. }], Ty::Function { .. }) = (bound.args.as_slice(), actual)
            {
                self.bind(signature, actual, into);
            }
            for (name, ty) in &bound.bindings {
                let found = match name.as_str() {
                    "Item" => self.item_type(actual),
                    _ => self.associated_type(actual, Some(bound), name),
                };
                self.bind(ty, &found, into);
            }
        }
    }

    /// Replaces parameters by what they are bound to. Projections (`T::Item`) are looked up on the bound type.
    #[must_use]
    pub fn substitute(&self, ty: &Ty, with: &Substitution) -> Ty {
        let fuel = Cell::new(MAXIMAL_SIZE);
        Types::new(self, self.view(ScopeId(0), u32::MAX), &fuel).substitute(ty, with)
    }

    /// The generic parameters that a scope declares.
    pub(super) fn generics_of(&self, scope: ScopeId) -> Option<&ir::Generics> {
        Some(match self.scope(scope).kind {
            ScopeKind::Function(id) => &self.functions.get(id.0 as usize)?.ir.generics,
            ScopeKind::Impl(id) => &self.impls.get(id.0 as usize)?.generics,
            ScopeKind::Trait(id) => &self.traits.get(id.0 as usize)?.generics,
            ScopeKind::Type(id) => &self.types.get(id.0 as usize)?.ir.generics,
            ScopeKind::Alias(id) => &self.aliases.get(id.0 as usize)?.generics,
            ScopeKind::Module | ScopeKind::Block => return None,
        })
    }
}

fn future_output(bounds: &[TraitRef]) -> Option<&Ty> {
    bounds
        .iter()
        .filter(|bound| matches!(&bound.id, TraitDef::External(path) if path.ends_with("Future")))
        .find_map(|bound| bound_binding(std::slice::from_ref(bound), "Output"))
}

/// The number of nodes of a type.
fn size(ty: &Ty) -> u32 {
    let all = |types: &[Ty]| types.iter().map(size).sum::<u32>();
    1 + match ty {
        Ty::Adt { args, .. } | Ty::External { args, .. } | Ty::Tuple(args) => all(args),
        Ty::Reference { inner, .. } | Ty::Sequence(inner) => size(inner),
        Ty::Function { params, result } => all(params) + size(result),
        Ty::Param { bounds, .. } | Ty::Dyn(bounds) => bounds
            .iter()
            .map(|bound| all(&bound.args) + bound.bindings.iter().map(|(_, ty)| size(ty)).sum::<u32>())
            .sum(),
        Ty::Unknown => 0,
    }
}

/// The payload of a variant of a well-known generic enum.
fn outside_variant<'t>(path: &str, args: &'t [Ty], variant: &str) -> Option<&'t Ty> {
    let last = path.rsplit("::").next().unwrap_or(path);
    match (last, variant) {
        ("Option", "Some") | ("Result", "Ok") | ("Poll", "Ready") | ("Bound", "Included" | "Excluded") => {
            args.first()
        }
        ("Cow", "Borrowed" | "Owned") => args.first(),
        ("Result", "Err") => args.get(1),
        ("ControlFlow", "Break") => args.first(),
        ("ControlFlow", "Continue") => args.get(1),
        ("Either", "Left") => args.first(),
        ("Either", "Right") => args.get(1),
        _ => None,
    }
}

/// The element of an outside collection or iterator; none for types that hold a value without being iterated.
fn outside_element(path: &str, args: &[Ty], pairs: bool) -> Option<Ty> {
    let last = path.rsplit("::").next().unwrap_or(path);
    if prelude::dereferences_to_argument(path).is_some() {
        return None;
    }
    match (last, args) {
        (
            "Option" | "Result" | "Mutex" | "RwLock" | "RefCell" | "Cell" | "OnceLock" | "OnceCell"
            | "LazyLock",
            _,
        ) => match (pairs, last, args) {
            (true, "Option" | "Result", [item, ..]) => Some(item.clone()),
            _ => None,
        },
        (name, [key, value, ..]) if name.ends_with("Map") => {
            Some(if pairs { Ty::Tuple(vec![key.clone(), value.clone()]) } else { value.clone() })
        }
        (_, [item]) => Some(match item {
            // `SmallVec<[T; N]>` and its kind.
            Ty::Sequence(inner) if last.ends_with("Vec") && path != "std::vec::Vec" => (**inner).clone(),
            item => item.clone(),
        }),
        (_, [item, _]) if path.starts_with("std::") => Some(item.clone()),
        _ => None,
    }
}

/// An unknown wrapper with one argument (`Data<T>`, `State<T>`, a guard) most likely dereferences to it. Types
/// that are known not to are left alone.
fn outside_wrapper(path: &str, args: &[Ty]) -> Option<Ty> {
    match args {
        [
            inner @ (Ty::Adt { .. }
            | Ty::Param { .. }
            | Ty::Dyn(_)
            | Ty::External { .. }
            | Ty::Reference { .. }),
        ] if !path.starts_with("std::") => Some(inner.clone()),
        _ => None,
    }
}
