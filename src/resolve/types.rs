//! Types: from written form to [`Ty`], associated types, substitution, signatures.

use std::cell::Cell;

use rustc_hash::FxHashMap;

use super::contents::{future_output, outside_element};
use super::definitions::{AliasId, Signature};
use super::imports::{Names, Outcome, Start};
use super::prelude;
use super::scopes::{Def, Namespace, ScopeKind, View, generic_type, self_scope};
use super::{FunctionId, ImplId, Owner, Program, ScopeId, TraitDef, TraitRef, Ty};
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

    pub fn project_concrete(&self, base: &Ty, bound: Option<&TraitRef>, name: &Name) -> Option<Ty> {
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

pub(super) fn bound_binding<'t>(bounds: &'t [TraitRef], name: &str) -> Option<&'t Ty> {
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
        let found = Types::new(self, self.view(scope, path.span.start), &fuel()).trait_ref(path);
        if let Some(TraitRef { id: TraitDef::External(path), .. }) = &found {
            self.request_path(Some(scope), path);
        }
        found
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
