//! Method lookup: from a receiver type and a name to the functions that may run.

use super::impls::{Fit, Head};
use super::prelude;
use super::scopes::{Def, ImportState, ScopeKind, Target, View};
use super::{FunctionId, ImplBlock, ImplId, Owner, Program, ScopeId, TraitDef, TraitId, TraitRef, Ty};
use crate::ir::{Name, SelfParam};

/// How many dereferences one lookup follows.
pub(super) const MAXIMAL_DEREFS: usize = 12;
/// How many implementations a call through a trait goes to.
const MAXIMAL_CANDIDATES: usize = 8;

/// What a method call may run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodLookup {
    /// Functions with a body, code before tests, at most eight. Empty for library and derived methods.
    pub functions: Vec<FunctionId>,
    /// Whether there is statically one target.
    pub exact: bool,
    /// The trait that the method belongs to, when it was found through one or the standard library's names tell.
    pub via_trait: Option<TraitDef>,
    /// Whether there were more than eight.
    pub truncated: bool,
    /// Whether the receiver's type was not known, so that the name alone decided.
    pub guessed: bool,
    /// The type, after dereferencing, on which it was found.
    pub at: Ty,
}

/// Functions found on one type.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    pub functions: Vec<FunctionId>,
    pub via_trait: Option<TraitDef>,
    /// Whether they are alternatives of a dynamic choice.
    pub several: bool,
    pub truncated: bool,
}

impl Program {
    /// What `receiver.name(..)` may run, as seen from a scope.
    #[must_use]
    pub fn lookup_method(&self, scope: ScopeId, receiver: &Ty, name: &str) -> MethodLookup {
        let view = self.view(scope, u32::MAX);
        let mut current = receiver.clone();
        for _ in 0..MAXIMAL_DEREFS {
            self.request_member(&current, name);
            if self.is_unknown(&current) {
                return self.by_name(&view, name, current);
            }
            let found = match &current {
                Ty::Reference { .. } => self.by_value_on_reference(&view, &current, name),
                _ => self.find_on_type(&view, &current, name, None, true),
            };
            if let Some(found) =
                found.filter(|found| !found.functions.is_empty() || found.via_trait.is_some())
            {
                return finish(found, current, false);
            }
            match self.dereference(&current) {
                Some(next) => current = next,
                None => break,
            }
        }
        MethodLookup {
            functions: Vec::new(),
            exact: false,
            via_trait: prelude::standard_trait_of(name).map(|path| TraitDef::External(path.into())),
            truncated: false,
            guessed: false,
            at: receiver.clone(),
        }
    }

    /// `impl Tr for &T` with a method that takes `self`; all other methods of a reference are those of its target.
    fn by_value_on_reference(&self, view: &View, ty: &Ty, name: &str) -> Option<Candidates> {
        let by_value = |id: &FunctionId| {
            let def = self.function(*id);
            (view.test || !def.test) && def.ir.receiver == Some(SelfParam::Value)
        };
        for id in self.traits_with(ty, name) {
            let functions: Vec<FunctionId> = self
                .impls_of(&id, ty, Fit::Exact)
                .filter(|block| matches!(block.self_type, Ty::Reference { .. }))
                .flat_map(|block| self.member_of_impl(block, name))
                .copied()
                .filter(by_value)
                .take(MAXIMAL_CANDIDATES)
                .collect();
            if !functions.is_empty() {
                return Some(Candidates {
                    several: functions.len() > 1,
                    functions,
                    via_trait: Some(id),
                    truncated: false,
                });
            }
        }
        None
    }

    /// Whether nothing is known about the methods of a type: also types whose definition should be in the tree
    /// but is not loaded, and parameters without bounds.
    fn is_unknown(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Unknown => true,
            Ty::External { path, .. } => self.is_unplaced(path),
            Ty::Param { name, bounds } => bounds.is_empty() && name.contains("::"),
            _ => false,
        }
    }

    /// Associated functions `name` of one type, without dereferencing; of one trait when `bound` is given.
    /// `None` when the tree knows nothing about it.
    pub(super) fn find_on_type(
        &self,
        view: &View,
        ty: &Ty,
        name: &str,
        bound: Option<&TraitRef>,
        methods_only: bool,
    ) -> Option<Candidates> {
        let wanted = |id: &FunctionId| {
            let def = self.function(*id);
            (view.test || !def.test) && (!methods_only || def.ir.receiver.is_some())
        };
        self.request_member(ty, name);
        if let Some(bound) = bound {
            self.request_trait(&bound.id);
        }
        if let (Ty::Unknown, Some(bound)) = (ty, bound) {
            return self.through_traits(std::slice::from_ref(bound), name, &wanted);
        }
        if bound.is_none()
            && let Some(functions) = self.inherent(ty, name, &wanted)
        {
            return Some(Candidates { several: functions.len() > 1, functions, ..Candidates::default() });
        }
        if let Ty::Param { bounds, .. } | Ty::Dyn(bounds) = ty {
            let found = match bound {
                Some(bound) => self.through_traits(std::slice::from_ref(bound), name, &wanted),
                None => self.through_traits(bounds, name, &wanted),
            };
            if found.is_some() {
                return found;
            }
        }
        self.through_impls(view, ty, name, bound, &wanted)
    }

    fn inherent(
        &self,
        ty: &Ty,
        name: &str,
        wanted: &impl Fn(&FunctionId) -> bool,
    ) -> Option<Vec<FunctionId>> {
        let head = Head::of(ty).filter(|head| *head != Head::Any)?;
        let functions = self.index.functions.get(&(head, Name::from(name)))?;
        let found: Vec<FunctionId> = functions
            .iter()
            .copied()
            .filter(wanted)
            .filter(|id| {
                self.block_of(*id).is_some_and(|block| {
                    block.trait_ref.is_none() && self.applies(block, ty, Fit::Lenient, 0)
                })
            })
            .collect();
        (!found.is_empty()).then_some(found)
    }

    fn block_of(&self, id: FunctionId) -> Option<&ImplBlock> {
        match self.function(id).owner {
            Owner::Impl(block) => self.impls.get(block.0 as usize),
            Owner::None | Owner::Trait(_) => None,
        }
    }

    /// Through the bounds of a parameter or trait object: every implementation, and the default where one impl
    /// does not override it.
    fn through_traits(
        &self,
        bounds: &[TraitRef],
        name: &str,
        wanted: &impl Fn(&FunctionId) -> bool,
    ) -> Option<Candidates> {
        let bounds = self.with_supertraits(bounds);
        for bound in &bounds {
            self.request_trait(&bound.id);
            let declared = match &bound.id {
                TraitDef::Local(id) => self.traits[id.0 as usize].members.functions.contains_key(name),
                // Methods of standard traits need a known type.
                TraitDef::External(path) => {
                    !path.starts_with("std::")
                        && self.index.implemented.contains(&(bound.id.clone(), name.into()))
                }
            };
            if declared {
                return Some(self.implementations(bound, name, wanted));
            }
        }
        let standard = prelude::standard_constructor_trait(name)?;
        bounds.iter().any(|bound| bound.id == TraitDef::External(standard.into())).then(|| Candidates {
            via_trait: Some(TraitDef::External(standard.into())),
            ..Candidates::default()
        })
    }

    fn implementations(
        &self,
        bound: &TraitRef,
        name: &str,
        wanted: &impl Fn(&FunctionId) -> bool,
    ) -> Candidates {
        let mut found = Candidates { via_trait: Some(bound.id.clone()), ..Candidates::default() };
        let blocks = self.implementors_of(&bound.id);
        let mut default_used = blocks.is_empty();
        for tests in [false, true] {
            for id in blocks {
                let block = &self.impls[id.0 as usize];
                if block.test != tests || self.forwards(block, bound) || !self.takes_args(*id, bound) {
                    continue;
                }
                match block.members.functions.get(name) {
                    Some(functions) => self.add_candidates(functions, wanted, &mut found),
                    None => default_used |= !tests,
                }
                if found.truncated {
                    break;
                }
            }
        }
        if let (TraitDef::Local(id), true) = (&bound.id, default_used) {
            let defaults = self.default_methods(*id, name);
            self.add_candidates(defaults, wanted, &mut found);
        }
        found.several = found.functions.len() > 1;
        found
    }

    /// `impl<T: Tr + ?Sized> Tr for Box<T>` only hands calls on to implementations that count by themselves.
    fn forwards(&self, block: &ImplBlock, bound: &TraitRef) -> bool {
        let mut current = &block.self_type;
        while let Ty::Reference { inner, .. } = current {
            current = inner;
        }
        if let Ty::External { path, args } = current
            && prelude::dereferences_to_argument(path).is_some()
        {
            current = args.first().unwrap_or(current);
        }
        let bounds = match current {
            Ty::Param { bounds, .. } | Ty::Dyn(bounds) if *current != block.self_type => bounds,
            _ => return false,
        };
        bounds.iter().any(|found| found.id == bound.id)
    }

    fn takes_args(&self, block: ImplId, bound: &TraitRef) -> bool {
        let block = &self.impls[block.0 as usize];
        block.trait_ref.as_ref().is_some_and(|found| {
            self.all_fit(&found.args, &bound.args, Fit::Lenient, &mut super::Substitution::new())
        })
    }

    fn add_candidates(
        &self,
        functions: &[FunctionId],
        wanted: &impl Fn(&FunctionId) -> bool,
        found: &mut Candidates,
    ) {
        for id in functions.iter().filter(|id| wanted(id) && self.function(**id).has_body()) {
            if found.functions.contains(id) {
                continue;
            }
            if found.functions.len() >= MAXIMAL_CANDIDATES {
                found.truncated = true;
                return;
            }
            found.functions.push(*id);
        }
    }

    /// Through the traits that a type implements.
    fn through_impls(
        &self,
        view: &View,
        ty: &Ty,
        name: &str,
        bound: Option<&TraitRef>,
        wanted: &impl Fn(&FunctionId) -> bool,
    ) -> Option<Candidates> {
        let mut by_trait: Vec<(TraitDef, Vec<FunctionId>)> = Vec::new();
        for id in self.traits_with(ty, name) {
            if bound.is_some_and(|bound| bound.id != id) {
                continue;
            }
            let functions: Vec<FunctionId> = self
                .matching_impls(&id, ty, bound)
                .flat_map(|block| self.member_of_impl(block, name))
                .copied()
                .filter(wanted)
                .collect();
            if !functions.is_empty() {
                by_trait.push((id, functions));
            }
        }
        if by_trait.len() > 1 && by_trait.iter().any(|(id, _)| self.trait_in_scope(view, id)) {
            by_trait.retain(|(id, _)| self.trait_in_scope(view, id));
        }
        let via_trait = by_trait.first().map(|(id, _)| id.clone())?;
        let mut functions: Vec<FunctionId> =
            by_trait.into_iter().flat_map(|(_, functions)| functions).collect();
        functions.sort_unstable_by_key(|id| (self.function(*id).test, *id));
        functions.dedup();
        let truncated = functions.len() > MAXIMAL_CANDIDATES;
        functions.truncate(MAXIMAL_CANDIDATES);
        Some(Candidates { several: functions.len() > 1, functions, via_trait: Some(via_trait), truncated })
    }

    /// Impls of one trait for a type: those that keep references apart first, the lenient ones otherwise.
    fn matching_impls<'p>(
        &'p self,
        id: &TraitDef,
        ty: &'p Ty,
        bound: Option<&TraitRef>,
    ) -> impl Iterator<Item = &'p ImplBlock> + use<'p> {
        let fitting = |fit: Fit| -> Vec<&'p ImplBlock> {
            self.impls_of(id, ty, fit)
                .filter(|block| bound.is_none_or(|bound| self.takes_args(block.id, bound)))
                .collect()
        };
        let exact = fitting(Fit::Exact);
        let blocks = if exact.is_empty() { fitting(Fit::Lenient) } else { exact };
        blocks.into_iter()
    }

    /// The traits that have a function `name` and may be implemented by a type.
    fn traits_with(&self, ty: &Ty, name: &str) -> Vec<TraitDef> {
        let key = Name::from(name);
        let mut found: Vec<TraitDef> = Vec::new();
        let mut add = |id: TraitDef| {
            if !found.contains(&id) {
                found.push(id);
            }
        };
        for head in [Head::of(ty).filter(|head| *head != Head::Any), Some(Head::Any)].into_iter().flatten() {
            let functions = self.index.functions.get(&(head.clone(), key.clone()));
            for id in functions.into_iter().flatten() {
                if let Some(trait_ref) = self.block_of(*id).and_then(|block| block.trait_ref.as_ref()) {
                    add(trait_ref.id.clone());
                }
            }
            let Some(declaring) = self.index.trait_functions.get(name) else { continue };
            let implemented = self.index.of_head.get(&head).map_or(&[][..], Vec::as_slice);
            if declaring.len() <= implemented.len() {
                for id in declaring {
                    let id = TraitDef::Local(*id);
                    if self.index.of_trait.contains_key(&(id.clone(), head.clone())) {
                        add(id);
                    }
                }
            } else {
                for block in implemented {
                    match self.impls[block.0 as usize].trait_ref.as_ref().map(|found| &found.id) {
                        Some(id @ TraitDef::Local(of)) if declaring.contains(of) => add(id.clone()),
                        _ => {}
                    }
                }
            }
        }
        found
    }

    /// Whether a trait can be used from the view: it is named, imported or reached through a glob there.
    fn trait_in_scope(&self, view: &View, id: &TraitDef) -> bool {
        let TraitDef::Local(id) = id else { return true };
        let mut next = Some(view.scope);
        while let Some(scope) = next {
            if self.scope_has_trait(view, scope, *id) {
                return true;
            }
            let data = self.scope(scope);
            next = if data.kind == ScopeKind::Module { None } else { data.parent };
        }
        false
    }

    fn scope_has_trait(&self, view: &View, scope: ScopeId, id: TraitId) -> bool {
        let data = self.scope(scope);
        let name = &self.traits[id.0 as usize].name;
        if data.kind == ScopeKind::Trait(id) {
            return true;
        }
        let by_name = self.member(view, scope, name, super::scopes::Namespace::Type);
        by_name.defs.contains(&Def::Trait(id))
            || data.names.values().flatten().any(|binding| match binding.target {
                Target::Import(import) => match &self.imports[import.0 as usize].state {
                    ImportState::Resolved(defs) => defs.contains(&Def::Trait(id)),
                    ImportState::Pending => false,
                },
                _ => false,
            })
    }

    /// The receiver is not known: traits of the tree that have such a method go to their implementations, and a
    /// method of a type counts when it is the only one of that name in the tree.
    fn by_name(&self, view: &View, name: &str, at: Ty) -> MethodLookup {
        let mut found = Candidates::default();
        let wanted = |id: &FunctionId| {
            let def = self.function(*id);
            (view.test || !def.test) && def.ir.receiver.is_some()
        };
        self.request_method(name);
        if !prelude::is_standard_method(name) {
            for id in self.index.trait_functions.get(name).into_iter().flatten() {
                let bound = TraitRef { id: TraitDef::Local(*id), args: Vec::new(), bindings: Vec::new() };
                if found.truncated {
                    break;
                }
                let more = self.implementations(&bound, name, &wanted);
                found.via_trait = found.via_trait.take().or(more.via_trait);
                found.truncated |= more.truncated;
                self.add_candidates(&more.functions, &wanted, &mut found);
            }
            let inherent: Vec<FunctionId> = self
                .index
                .inherent_methods
                .get(name)
                .into_iter()
                .flatten()
                .copied()
                .filter(wanted)
                .take(2)
                .collect();
            if let [one] = inherent.as_slice() {
                self.add_candidates(&[*one], &wanted, &mut found);
            }
        }
        found.several = found.functions.len() > 1;
        if found.functions.is_empty() && found.via_trait.is_none() {
            found.via_trait = prelude::standard_trait_of(name).map(|path| TraitDef::External(path.into()));
        }
        finish(found, at, true)
    }
}

fn finish(found: Candidates, at: Ty, guessed: bool) -> MethodLookup {
    MethodLookup {
        exact: found.functions.len() == 1 && !found.truncated && !found.several,
        functions: found.functions,
        via_trait: found.via_trait,
        truncated: found.truncated,
        guessed,
        at,
    }
}
