//! Impl blocks: their index, and which of them apply to a type.

use rustc_hash::{FxHashMap, FxHashSet};

use super::definitions::ImplBlock;
use super::prelude;
use super::scopes::View;
use super::types::Substitution;
use super::{FunctionId, ImplId, Owner, Program, StaticId, TraitDef, TraitId, TraitRef, Ty, TypeId};
use crate::ir::Name;

/// How deep the bounds of blanket impls are checked through other blanket impls.
const MAXIMAL_BOUNDS: u8 = 4;

/// The outermost constructor of a type below references: what impls are indexed by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Head {
    Type(TypeId),
    External(Name),
    Dyn(TraitDef),
    Sequence,
    Tuple,
    Function,
    /// A type parameter: a blanket impl.
    Any,
}

impl Head {
    pub fn of(ty: &Ty) -> Option<Head> {
        Some(match ty {
            Ty::Adt { id, .. } => Head::Type(*id),
            Ty::External { path, .. } => Head::External(path.clone()),
            Ty::Reference { inner, .. } => return Head::of(inner),
            Ty::Param { .. } => Head::Any,
            Ty::Dyn(bounds) => Head::Dyn(bounds.first()?.id.clone()),
            Ty::Sequence(_) => Head::Sequence,
            Ty::Tuple(_) => Head::Tuple,
            Ty::Function { .. } => Head::Function,
            Ty::Unknown => return None,
        })
    }
}

/// Impl members and traits by what they are looked up with.
#[derive(Debug, Default)]
pub(super) struct ImplIndex {
    pub functions: FxHashMap<(Head, Name), Vec<FunctionId>>,
    pub statics: FxHashMap<(Head, Name), Vec<StaticId>>,
    /// Impls that define an associated type.
    pub types: FxHashMap<(Head, Name), Vec<ImplId>>,
    pub of_trait: FxHashMap<(TraitDef, Head), Vec<ImplId>>,
    /// Trait impls by type.
    pub of_head: FxHashMap<Head, Vec<ImplId>>,
    pub implementors: FxHashMap<TraitDef, Vec<ImplId>>,
    /// Traits of the tree that declare a function.
    pub trait_functions: FxHashMap<Name, Vec<TraitId>>,
    /// Methods of inherent impls.
    pub inherent_methods: FxHashMap<Name, Vec<FunctionId>>,
    /// `From<T>::from` and `Into::into` by the type that they convert from.
    pub conversions: FxHashMap<Head, Vec<FunctionId>>,
    /// Names of constants that some trait of the tree declares.
    pub trait_statics: FxHashSet<Name>,
    /// Functions that at least one impl of a trait defines.
    pub implemented: FxHashSet<(TraitDef, Name)>,
    pub traits_by_path: FxHashMap<Name, TraitId>,
}

impl ImplIndex {
    /// Whether the tree may define a member `name` on a type from outside.
    pub fn knows(&self, ty: &Ty, name: &str) -> bool {
        if self.trait_functions.contains_key(name) {
            return true;
        }
        let name = Name::from(name);
        Head::of(ty).is_some_and(|head| self.functions.contains_key(&(head, name.clone())))
            || self.functions.contains_key(&(Head::Any, name))
    }
}

/// How references are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// A reference only fits a reference.
    Exact,
    /// References are transparent and numeric types are one.
    Lenient,
}

impl Program {
    pub(super) fn index_impls(&mut self) {
        let mut index = ImplIndex::default();
        for (position, declaration) in self.traits.iter().enumerate() {
            let id = TraitId(u32::try_from(position).unwrap_or(u32::MAX));
            for name in declaration.members.functions.keys() {
                index.trait_functions.entry(name.clone()).or_default().push(id);
            }
            index.trait_statics.extend(declaration.members.statics.keys().cloned());
            index.traits_by_path.entry(declaration.path.clone()).or_insert(id);
        }
        for block in &self.impls {
            self.index_impl(block, &mut index);
        }
        for functions in index.functions.values_mut().chain(index.inherent_methods.values_mut()) {
            functions.sort_unstable();
        }
        self.index = index;
    }

    fn index_impl(&self, block: &ImplBlock, index: &mut ImplIndex) {
        let Some(head) = Head::of(&block.self_type) else { return };
        for (name, functions) in &block.members.functions {
            index.functions.entry((head.clone(), name.clone())).or_default().extend(functions);
        }
        for (name, statics) in &block.members.statics {
            index.statics.entry((head.clone(), name.clone())).or_default().extend(statics);
        }
        for name in block.members.types.keys() {
            index.types.entry((head.clone(), name.clone())).or_default().push(block.id);
        }
        let Some(trait_ref) = &block.trait_ref else {
            self.index_inherent(block, index);
            return;
        };
        for name in block.members.functions.keys() {
            index.implemented.insert((trait_ref.id.clone(), name.clone()));
        }
        index.of_head.entry(head.clone()).or_default().push(block.id);
        index.of_trait.entry((trait_ref.id.clone(), head.clone())).or_default().push(block.id);
        index.implementors.entry(trait_ref.id.clone()).or_default().push(block.id);
        if let TraitDef::External(path) = &trait_ref.id {
            let (source, method) = match path.as_str() {
                "std::convert::From" => (trait_ref.args.first().and_then(Head::of), "from"),
                "std::convert::Into" => (Some(head), "into"),
                _ => return,
            };
            if let (Some(source), Some(functions)) = (source, block.members.functions.get(method)) {
                index.conversions.entry(source).or_default().extend(functions);
            }
        }
    }

    fn index_inherent(&self, block: &ImplBlock, index: &mut ImplIndex) {
        for (name, functions) in &block.members.functions {
            let methods = functions.iter().filter(|id| self.function(**id).ir.receiver.is_some());
            index.inherent_methods.entry(name.clone()).or_default().extend(methods);
        }
    }

    /// The impls of a trait of the tree, in order.
    #[must_use]
    pub fn implementors(&self, id: TraitId) -> &[ImplId] {
        self.implementors_of(&TraitDef::Local(id))
    }

    /// The impls of any trait, in order.
    #[must_use]
    pub fn implementors_of(&self, id: &TraitDef) -> &[ImplId] {
        self.index.implementors.get(id).map_or(&[], Vec::as_slice)
    }

    /// Whether a type definition derives a trait, by the trait's last name.
    #[must_use]
    pub fn derives(&self, id: TypeId, name: &str) -> bool {
        self.types
            .get(id.0 as usize)
            .is_some_and(|def| def.attributes.derives.iter().any(|path| path.last_name() == name))
    }

    /// The trait that a canonical path names: one of the tree, else one from outside.
    #[must_use]
    pub fn trait_by_path(&self, path: &str) -> TraitDef {
        self.index
            .traits_by_path
            .get(path)
            .map_or_else(|| TraitDef::External(path.into()), |id| TraitDef::Local(*id))
    }

    /// The method `method` of the impls of a trait for a type; `trait_args` narrows them (`From<T>`), unknown
    /// arguments fit. Empty when the tree holds no such impl.
    #[must_use]
    pub fn trait_method(
        &self,
        trait_path: &str,
        self_ty: &Ty,
        trait_args: &[Ty],
        method: &str,
    ) -> Vec<FunctionId> {
        let id = self.trait_by_path(trait_path);
        for args_fit in [Fit::Exact, Fit::Lenient] {
            for self_fit in [Fit::Exact, Fit::Lenient] {
                let mut current = self_ty.clone();
                for _ in 0..super::methods::MAXIMAL_DEREFS {
                    self.request_trait_method(&id, &current, trait_args, method);
                    let functions =
                        self.method_of_impls(&id, (&current, self_fit), (trait_args, args_fit), method);
                    if !functions.is_empty() {
                        return functions;
                    }
                    match self.behind_pointer(&current) {
                        Some(next) => current = next,
                        None => break,
                    }
                }
            }
        }
        Vec::new()
    }

    fn method_of_impls(
        &self,
        id: &TraitDef,
        (self_ty, self_fit): (&Ty, Fit),
        (args, args_fit): (&[Ty], Fit),
        method: &str,
    ) -> Vec<FunctionId> {
        let mut functions = Vec::new();
        for block in self.impls_of(id, self_ty, self_fit) {
            let trait_args = block.trait_ref.as_ref().map_or(&[][..], |found| &found.args);
            let mut bindings = Substitution::new();
            self.fits(&block.self_type, self_ty, self_fit, &mut bindings);
            if self.all_fit(trait_args, args, args_fit, &mut bindings) {
                functions.extend(self.member_of_impl(block, method));
            }
        }
        functions
    }

    /// The function of an impl, or the default of its trait.
    pub(super) fn member_of_impl<'p>(&'p self, block: &'p ImplBlock, name: &str) -> &'p [FunctionId] {
        if let Some(functions) = block.members.functions.get(name) {
            return functions;
        }
        match block.trait_ref.as_ref().map(|found| &found.id) {
            Some(TraitDef::Local(id)) => self.default_methods(*id, name),
            _ => &[],
        }
    }

    /// The functions of a trait declaration that have a body.
    pub(super) fn default_methods(&self, id: TraitId, name: &str) -> &[FunctionId] {
        match self.traits[id.0 as usize].members.functions.get(name) {
            Some(functions) if functions.iter().all(|id| self.function(*id).has_body()) => functions,
            _ => &[],
        }
    }

    /// Impls of a trait that apply to a type; impls for this very type come before blanket impls.
    pub(super) fn impls_of<'p>(
        &'p self,
        id: &TraitDef,
        ty: &'p Ty,
        fit: Fit,
    ) -> impl Iterator<Item = &'p ImplBlock> + use<'p> {
        let table = |head: Option<Head>| -> &[ImplId] {
            head.and_then(|head| self.index.of_trait.get(&(id.clone(), head))).map_or(&[], Vec::as_slice)
        };
        let head = Head::of(ty);
        let own: Vec<&ImplBlock> = table(head.clone().filter(|head| *head != Head::Any))
            .iter()
            .map(|id| &self.impls[id.0 as usize])
            .filter(|block| self.applies(block, ty, fit, 0))
            .collect();
        let blanket = if own.is_empty() && head.is_some() { table(Some(Head::Any)) } else { &[] };
        let blanket = blanket.iter().map(|id| &self.impls[id.0 as usize]);
        own.into_iter().chain(blanket.filter(move |block| self.applies(block, ty, fit, 0)))
    }

    /// Whether an impl is for a type; the bounds of blanket impls are checked.
    pub(super) fn applies(&self, block: &ImplBlock, ty: &Ty, fit: Fit, depth: u8) -> bool {
        if block.self_type == *ty {
            return true;
        }
        let mut bindings = Substitution::new();
        if !self.fits(&block.self_type, ty, fit, &mut bindings) {
            return false;
        }
        if Head::of(&block.self_type) != Some(Head::Any) {
            return true;
        }
        self.scope(block.scope).generics.iter().all(|generic| {
            bindings
                .get(&generic.name)
                .is_none_or(|ty| generic.bounds.iter().all(|bound| self.implements(ty, bound, depth + 1)))
        })
    }

    /// Whether a type implements a trait, as far as the tree shows; what cannot be known counts as yes.
    pub(super) fn implements(&self, ty: &Ty, bound: &TraitRef, depth: u8) -> bool {
        if depth > MAXIMAL_BOUNDS || matches!(ty, Ty::Unknown) {
            return true;
        }
        if let Ty::Reference { inner, .. } = ty {
            return self.implements(inner, bound, depth);
        }
        if let Ty::Param { bounds, .. } | Ty::Dyn(bounds) = ty
            && self.with_supertraits(bounds).iter().any(|found| found.id == bound.id)
        {
            return true;
        }
        self.request_implementation(ty, &bound.id);
        if self.has_impl(ty, bound, depth) {
            return true;
        }
        match (&bound.id, ty) {
            (TraitDef::Local(id), Ty::Adt { id: ty, .. }) => {
                self.derives(*ty, &self.traits[id.0 as usize].name)
            }
            (TraitDef::Local(_), _) => false,
            (TraitDef::External(path), _) => self.implements_outside(path, ty),
        }
    }

    fn implements_outside(&self, path: &str, ty: &Ty) -> bool {
        if prelude::is_marker_trait(path) || !path.starts_with("std::") {
            return true;
        }
        let last = path.rsplit("::").next().unwrap_or(path);
        match ty {
            Ty::Adt { .. } if last == "ToString" => self.trait_type_exists(ty, "std::fmt::Display"),
            Ty::Adt { .. } if last == "IntoIterator" => self.trait_type_exists(ty, "std::iter::Iterator"),
            Ty::Adt { id, .. } => self.derives(*id, last),
            Ty::External { .. } | Ty::Sequence(_) | Ty::Tuple(_) => !last.starts_with("Fn"),
            Ty::Function { .. } => last.starts_with("Fn") || last == "Clone",
            _ => true,
        }
    }

    fn trait_type_exists(&self, ty: &Ty, path: &str) -> bool {
        Head::of(ty)
            .is_some_and(|head| self.index.of_trait.contains_key(&(TraitDef::External(path.into()), head)))
    }

    fn has_impl(&self, ty: &Ty, bound: &TraitRef, depth: u8) -> bool {
        [Head::of(ty).filter(|head| *head != Head::Any), Some(Head::Any)]
            .into_iter()
            .flatten()
            .filter_map(|head| self.index.of_trait.get(&(bound.id.clone(), head)))
            .flatten()
            .map(|id| &self.impls[id.0 as usize])
            .any(|block| {
                let args = block.trait_ref.as_ref().map_or(&[][..], |found| &found.args);
                self.all_fit(args, &bound.args, Fit::Lenient, &mut Substitution::new())
                    && self.applies(block, ty, Fit::Lenient, depth)
            })
    }

    /// The traits of bounds and all their supertraits, each once.
    pub(super) fn with_supertraits(&self, bounds: &[TraitRef]) -> Vec<TraitRef> {
        let mut all: Vec<TraitRef> = bounds.to_vec();
        let mut index = 0;
        while let Some(bound) = all.get(index) {
            if let TraitDef::Local(id) = bound.id {
                for supertrait in &self.traits[id.0 as usize].supertraits {
                    if all.iter().all(|known| known.id != supertrait.id) {
                        all.push(supertrait.clone());
                    }
                }
            }
            index += 1;
        }
        all
    }

    /// Whether a value of type `actual` fits `pattern`, whose parameters are bound on the way. Unknown parts and
    /// the caller's own parameters fit everything.
    pub(super) fn fits(&self, pattern: &Ty, actual: &Ty, fit: Fit, into: &mut Substitution) -> bool {
        if let Ty::Param { name, .. } = pattern {
            return self.fits_param(name, actual, fit, into);
        }
        match (pattern, actual) {
            (_, Ty::Unknown | Ty::Param { .. }) | (Ty::Unknown, _) => true,
            (Ty::Reference { inner: left, .. }, Ty::Reference { inner: right, .. }) => {
                self.fits(left, right, fit, into)
            }
            (Ty::Reference { inner, .. }, _) if fit == Fit::Lenient => self.fits(inner, actual, fit, into),
            (_, Ty::Reference { inner, .. }) if fit == Fit::Lenient => self.fits(pattern, inner, fit, into),
            (Ty::Adt { id: left, args: params }, Ty::Adt { id: right, args }) => {
                left == right && self.all_fit(params, args, fit, into)
            }
            (Ty::External { path: left, args: params }, Ty::External { path: right, args }) => {
                (left == right && self.all_fit(params, args, fit, into))
                    || (fit == Fit::Lenient && prelude::is_number(left) && prelude::is_number(right))
            }
            (Ty::Sequence(left), Ty::Sequence(right)) => self.fits(left, right, fit, into),
            (Ty::Tuple(left), Ty::Tuple(right)) => {
                left.len() == right.len() && self.all_fit(left, right, fit, into)
            }
            (Ty::Dyn(left), Ty::Dyn(right)) => {
                left.first().map(|bound| &bound.id) == right.first().map(|bound| &bound.id)
            }
            (Ty::Function { params: left, .. }, Ty::Function { params: right, .. }) => {
                left.len() == right.len()
            }
            _ => false,
        }
    }

    fn fits_param(&self, name: &Name, actual: &Ty, fit: Fit, into: &mut Substitution) -> bool {
        match into.get(name).cloned() {
            // `impl Tr<T> for X<T>` with two different types for `T`. Parameters inside of what is bound are those of
            // the caller, which may have the same names: they have bindings of their own.
            Some(bound) if bound != Ty::Unknown => self.fits(&bound, actual, fit, &mut Substitution::new()),
            _ => {
                into.insert(name.clone(), actual.clone());
                true
            }
        }
    }

    pub(super) fn all_fit(&self, patterns: &[Ty], actual: &[Ty], fit: Fit, into: &mut Substitution) -> bool {
        patterns.iter().zip(actual).all(|(pattern, actual)| self.fits(pattern, actual, fit, into))
    }

    /// `T` behind `&T`, `Box<T>`, `Rc<T>`, `Arc<T>`: pointers that forward the traits of what they point to.
    fn behind_pointer(&self, ty: &Ty) -> Option<Ty> {
        match ty {
            Ty::Reference { inner, .. } => Some((**inner).clone()),
            Ty::External { path, args } => {
                prelude::dereferences_to_argument(path).and_then(|index| args.get(index)).cloned()
            }
            _ => None,
        }
    }

    /// All `From<source>::from` of the tree, and `into` of impls for `source`: what `.into()` may call when its
    /// target is not known.
    #[must_use]
    pub fn from_impls(&self, source: &Ty) -> Vec<FunctionId> {
        self.request_conversions(source);
        let Some(functions) = Head::of(source).and_then(|head| self.index.conversions.get(&head)) else {
            return Vec::new();
        };
        let fitting = |fit: Fit| -> Vec<FunctionId> {
            functions.iter().copied().filter(|id| self.converts_from(*id, source, fit)).collect()
        };
        let exact = fitting(Fit::Exact);
        if exact.is_empty() { fitting(Fit::Lenient) } else { exact }
    }

    fn converts_from(&self, id: FunctionId, source: &Ty, fit: Fit) -> bool {
        let Owner::Impl(block) = self.function(id).owner else { return false };
        let block = &self.impls[block.0 as usize];
        let from = match &block.trait_ref {
            Some(found) if found.id == TraitDef::External("std::convert::From".into()) => found.args.first(),
            _ => Some(&block.self_type),
        };
        from.is_some_and(|from| self.fits(from, source, fit, &mut Substitution::new()))
    }

    /// Narrows candidates to those whose impl is for `self_ty` and whose parameters (without the receiver) take
    /// `args`. Unknown types fit. When nothing fits, all candidates stay: what was inferred may be wrong.
    #[must_use]
    pub fn narrow(&self, functions: &[FunctionId], self_ty: Option<&Ty>, args: &[Ty]) -> Vec<FunctionId> {
        for fit in [Fit::Exact, Fit::Lenient] {
            let fitting: Vec<FunctionId> =
                functions.iter().copied().filter(|id| self.accepts(*id, self_ty, args, fit)).collect();
            if !fitting.is_empty() {
                return self.without_overridden(fitting);
            }
        }
        functions.to_vec()
    }

    fn accepts(&self, id: FunctionId, self_ty: Option<&Ty>, args: &[Ty], fit: Fit) -> bool {
        let signature = self.signature(id);
        let skipped = usize::from(self.function(id).ir.receiver.is_some());
        let mut bindings = Substitution::new();
        let of_type = match (self_ty, self.function(id).owner) {
            (Some(ty), Owner::Impl(block)) => {
                let block = &self.impls[block.0 as usize];
                self.fits(&block.self_type, ty, Fit::Lenient, &mut bindings)
                    && self.applies(block, ty, Fit::Lenient, 0)
            }
            (Some(ty), Owner::Trait(id)) => {
                let bound = TraitRef { id: TraitDef::Local(id), args: Vec::new(), bindings: Vec::new() };
                self.implements(ty, &bound, 0)
            }
            _ => true,
        };
        of_type && self.all_fit(signature.parameters.get(skipped..).unwrap_or(&[]), args, fit, &mut bindings)
    }

    /// A default method is not called where an impl that stays overrides it.
    fn without_overridden(&self, functions: Vec<FunctionId>) -> Vec<FunctionId> {
        let overriding: Vec<TraitId> = functions
            .iter()
            .filter_map(|id| match self.function(*id).owner {
                Owner::Impl(block) => match self.impls[block.0 as usize].trait_ref.as_ref()?.id {
                    TraitDef::Local(id) => Some(id),
                    TraitDef::External(_) => None,
                },
                _ => None,
            })
            .collect();
        functions
            .into_iter()
            .filter(|id| !matches!(self.function(*id).owner, Owner::Trait(of) if overriding.contains(&of)))
            .collect()
    }

    /// An impl for `ty` that defines the associated type `name`, with the impl's parameters bound.
    pub(super) fn impl_with_type(
        &self,
        ty: &Ty,
        bound: Option<&TraitRef>,
        name: &Name,
    ) -> Option<(ImplId, Substitution)> {
        self.request_member(ty, name);
        let candidates = [Head::of(ty).filter(|head| *head != Head::Any), Some(Head::Any)]
            .into_iter()
            .flatten()
            .filter_map(|head| self.index.types.get(&(head, name.clone())))
            .flatten()
            .map(|id| &self.impls[id.0 as usize]);
        for fit in [Fit::Exact, Fit::Lenient] {
            for block in candidates.clone() {
                if let Some(bindings) = self.impl_bindings(block, ty, bound, fit) {
                    return Some((block.id, bindings));
                }
            }
        }
        None
    }

    fn impl_bindings(
        &self,
        block: &ImplBlock,
        ty: &Ty,
        bound: Option<&TraitRef>,
        fit: Fit,
    ) -> Option<Substitution> {
        let mut bindings = Substitution::new();
        if let Some(bound) = bound {
            let found = block.trait_ref.as_ref()?;
            if found.id != bound.id || !self.all_fit(&found.args, &bound.args, fit, &mut Substitution::new())
            {
                return None;
            }
        }
        if !self.fits(&block.self_type, ty, fit, &mut bindings) || !self.applies(block, ty, fit, 0) {
            return None;
        }
        if let (Some(bound), Some(found)) = (bound, &block.trait_ref) {
            self.all_fit(&found.args, &bound.args, fit, &mut bindings);
        }
        Some(bindings)
    }

    /// The bindings of an impl's parameters when it is used for `ty`.
    #[must_use]
    pub fn impl_arguments(&self, id: ImplId, ty: &Ty) -> Substitution {
        let mut bindings = Substitution::new();
        if let Some(block) = self.impls.get(id.0 as usize) {
            self.fits(&block.self_type, ty, Fit::Lenient, &mut bindings);
        }
        bindings
    }

    /// An associated constant of a type, or of the trait of a parameter (then its declaration).
    pub(super) fn associated_static(
        &self,
        view: &View,
        ty: &Ty,
        bound: Option<&TraitRef>,
        name: &Name,
    ) -> Option<StaticId> {
        self.request_member(ty, name);
        let found = match ty {
            Ty::Param { bounds, .. } | Ty::Dyn(bounds) => return self.declared_static(bounds, bound, name),
            Ty::Unknown => return self.declared_static(&[], bound, name),
            _ => Head::of(ty).and_then(|head| self.index.statics.get(&(head, name.clone()))),
        };
        let fitting = |id: &&StaticId| {
            let def = self.static_(**id);
            let Owner::Impl(block) = def.owner else { return false };
            let block = &self.impls[block.0 as usize];
            let of_trait =
                bound.is_none_or(|bound| block.trait_ref.as_ref().is_some_and(|found| found.id == bound.id));
            of_trait && (view.test || !def.test) && self.applies(block, ty, Fit::Lenient, 0)
        };
        let own = found.into_iter().flatten().filter(fitting);
        let inherent = |id: &&StaticId| matches!(self.static_(**id).owner, Owner::Impl(b) if self.impls[b.0 as usize].trait_ref.is_none());
        own.clone().find(inherent).or_else(|| own.clone().next()).copied().or_else(|| {
            if !self.index.trait_statics.contains(name) {
                return None;
            }
            let implemented = self.index.of_head.get(&Head::of(ty)?)?;
            implemented
                .iter()
                .map(|id| &self.impls[id.0 as usize])
                .filter(|block| self.applies(block, ty, Fit::Lenient, 0))
                .filter_map(|block| block.trait_ref.as_ref())
                .find_map(|found| self.declared_static(std::slice::from_ref(found), bound, name))
        })
    }

    fn declared_static(&self, bounds: &[TraitRef], bound: Option<&TraitRef>, name: &str) -> Option<StaticId> {
        let bounds = bound.map_or(bounds, std::slice::from_ref);
        self.with_supertraits(bounds).iter().find_map(|found| match found.id {
            TraitDef::Local(id) => self.traits[id.0 as usize].members.statics.get(name)?.first().copied(),
            TraitDef::External(_) => None,
        })
    }

    /// The functions of a trait of the tree that a function implements.
    #[must_use]
    pub fn declarations(&self, id: FunctionId) -> &[FunctionId] {
        let Owner::Impl(block) = self.function(id).owner else { return &[] };
        match self.impl_(block).trait_ref.as_ref().map(|trait_ref| &trait_ref.id) {
            Some(TraitDef::Local(declared)) => {
                let functions = &self.trait_(*declared).members.functions;
                functions.get(&self.function(id).name).map_or(&[], Vec::as_slice)
            }
            _ => &[],
        }
    }

    /// Whether a function belongs to an impl of a trait from outside the tree: paths that lead there may mean it.
    #[must_use]
    pub fn is_of_outside_trait(&self, id: FunctionId) -> bool {
        let Owner::Impl(block) = self.function(id).owner else { return false };
        let of = self.impl_(block).trait_ref.as_ref().map(|trait_ref| &trait_ref.id);
        matches!(of, Some(TraitDef::External(_)))
    }

    /// The constants that impls put in place of one that a trait declares.
    #[must_use]
    pub fn static_overrides(&self, id: StaticId) -> Vec<StaticId> {
        let def = self.static_(id);
        let Owner::Trait(of) = def.owner else { return Vec::new() };
        self.request_trait(&TraitDef::Local(of));
        self.implementors(of)
            .iter()
            .filter_map(|block| self.impls[block.0 as usize].members.statics.get(&def.name))
            .flatten()
            .copied()
            .collect()
    }
}
