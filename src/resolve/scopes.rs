//! Scopes, and the lookup of a plain name from the inside out.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::definitions::AliasId;
use super::prelude;
use super::{CrateId, FunctionId, ImplId, Program, ScopeId, StaticId, TraitId, TraitRef, Ty, TypeId};
use crate::ir::Name;

/// A scope: a module, or the inside of an item.
#[derive(Debug)]
pub(super) struct Scope {
    /// The scope around it; for a module the parent module, whose names it does not see.
    pub parent: Option<ScopeId>,
    pub krate: CrateId,
    pub kind: ScopeKind,
    pub test: bool,
    /// Whether the source of a module was loaded; a missing one may hold any name.
    pub loaded: bool,
    /// The canonical path, crate first.
    pub path: Name,
    pub names: FxHashMap<Name, Vec<Binding>>,
    pub globs: Vec<ImportId>,
    pub generics: Vec<Generic>,
    /// Outside modules seen through globs from within and from elsewhere, once imports are resolved.
    pub outside: [OnceLock<Vec<Name>>; 2],
}

/// What a scope is the inside of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScopeKind {
    Module,
    Function(FunctionId),
    /// The block items of an initialiser.
    Block,
    Impl(ImplId),
    Trait(TraitId),
    Type(TypeId),
    Alias(AliasId),
}

/// A generic parameter of a scope. Bounds are resolved after imports; parameters inside them have no bounds.
#[derive(Clone, Debug)]
pub(super) struct Generic {
    pub name: Name,
    pub bounds: Vec<TraitRef>,
}

/// A name bound in a scope.
#[derive(Clone, Copy, Debug)]
pub(super) struct Binding {
    pub target: Target,
    pub test: bool,
    /// Whether it stands under a `cfg`.
    pub conditional: bool,
    /// First byte of the item.
    pub start: u32,
}

/// What a name is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Module(ScopeId),
    Type(TypeId),
    Trait(TraitId),
    Alias(AliasId),
    Function(FunctionId),
    Static(StaticId),
    Import(ImportId),
}

/// A `use` or `extern crate`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ImportId(pub u32);

/// A `use` or `extern crate`.
#[derive(Debug)]
pub(super) struct Import {
    /// The scope that it stands in.
    pub scope: ScopeId,
    pub path: Vec<Name>,
    pub kind: ImportKind,
    pub public: bool,
    /// Whether it imports all names of its path.
    pub glob: bool,
    /// Whether only test code has it.
    pub test: bool,
    pub start: u32,
    pub state: ImportState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ImportKind {
    /// `use path`.
    Relative,
    /// `use ::path`.
    Global,
    /// `extern crate name`.
    ExternCrate,
}

#[derive(Debug, Default)]
pub(super) enum ImportState {
    #[default]
    Pending,
    Resolved(Vec<Def>),
}

/// What a name means once imports are followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Def {
    Module(ScopeId),
    Type(TypeId),
    Trait(TraitId),
    Alias(AliasId),
    Function(FunctionId),
    Static(StaticId),
    /// A variant by index.
    Variant(TypeId, u32),
    /// Generic parameter number `.1` of a scope.
    Generic(ScopeId, u32),
    /// `Self` as seen from a scope.
    SelfType(ScopeId),
    /// Outside the tree.
    External(Name),
}

/// The two namespaces that matter here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Namespace {
    Type,
    Value,
}

/// From where and how names are looked up.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    pub scope: ScopeId,
    /// Whether test-only definitions are visible.
    pub test: bool,
    /// The byte where the name stands.
    pub at: u32,
    /// The import that is being resolved: it does not see itself.
    pub importing: Option<ImportId>,
    /// Imports that are not resolved yet count as absent.
    pub ignore_pending: bool,
}

/// The result of looking up a name.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub defs: Vec<Def>,
    /// An import that is not resolved yet might hold the name.
    pub pending: bool,
    /// That import, when it alone decides.
    pub awaits: Option<ImportId>,
}

impl Found {
    fn one(def: Def) -> Found {
        Found { defs: vec![def], ..Found::default() }
    }

    pub fn add(&mut self, def: &Def) {
        if !self.defs.contains(def) {
            self.defs.push(def.clone());
        }
    }
}

impl Program {
    pub(super) fn view(&self, scope: ScopeId, at: u32) -> View {
        View { scope, test: self.scope(scope).test, at, importing: None, ignore_pending: true }
    }

    /// The data of a scope. Ids come from this program, so the index is in range; an id of another program
    /// sees the first scope.
    pub(super) fn scope(&self, id: ScopeId) -> &Scope {
        self.scopes.get(id.0 as usize).unwrap_or(&self.scopes[0])
    }

    /// The module that a scope lies in.
    pub(super) fn module_of(&self, mut scope: ScopeId) -> ScopeId {
        while self.scope(scope).kind != ScopeKind::Module {
            match self.scope(scope).parent {
                Some(parent) => scope = parent,
                None => break,
            }
        }
        scope
    }

    /// Looks a plain name up from the inside out: block items, generic parameters, the module, its globs, the
    /// extern prelude, the standard prelude, primitive types, and last the globs of outside crates.
    pub(super) fn lexical(&self, view: &View, name: &str, namespace: Namespace) -> Found {
        let mut pending = false;
        let mut next = Some(view.scope);
        while let Some(id) = next {
            let scope = self.scope(id);
            if namespace == Namespace::Type
                && let Some(index) = scope.generics.iter().position(|generic| generic.name == name)
            {
                return Found::one(Def::Generic(id, u32::try_from(index).unwrap_or(u32::MAX)));
            }
            let found = self.member(view, id, name, namespace);
            if !found.defs.is_empty() {
                return found;
            }
            pending |= found.pending;
            if scope.kind == ScopeKind::Module {
                break;
            }
            next = scope.parent;
        }
        if pending && !view.ignore_pending {
            return Found { pending, ..Found::default() };
        }
        if namespace == Namespace::Type
            && let Some(def) = self.extern_prelude(self.scope(view.scope).krate, name)
        {
            return Found::one(def);
        }
        let mut found = Found::default();
        if let Some(path) = prelude::prelude_path(name) {
            found.defs.push(Def::External(path.into()));
        } else if prelude::is_primitive(name) {
            found.defs.push(Def::External(name.into()));
        }
        let globs = self.outside_globs(view, name);
        let unlisted = namespace == Namespace::Type && self.may_be_unlisted_crate(view.scope, name);
        if unlisted && !globs.is_empty() {
            found.add(&Def::External(name.into()));
        }
        for def in globs {
            found.add(&def);
        }
        found
    }

    /// Whether a name that only globs could explain is more likely a crate: no manifest told the dependencies.
    fn may_be_unlisted_crate(&self, scope: ScopeId, name: &str) -> bool {
        let info = self.crates.get(self.scope(scope).krate.0 as usize).map(|data| &data.info);
        name.starts_with(|first: char| first.is_ascii_lowercase())
            && info.is_none_or(|info| info.external.is_empty() && info.dependencies.is_empty())
    }

    /// Adds what the bindings of one name mean; whether anything was found.
    pub(super) fn bound(
        &self,
        view: &View,
        scope: &Scope,
        bindings: &[Binding],
        namespace: Namespace,
        through_glob: bool,
        found: &mut Found,
    ) -> bool {
        let visible = || bindings.iter().filter(|binding| view.test || !binding.test);
        let mut items: Vec<(&Binding, Def)> = visible()
            .filter_map(|binding| Some((binding, self.item_def(binding.target)?)))
            .filter(|(_, def)| self.lives_in(def, namespace))
            .collect();
        if items.is_empty() {
            for binding in visible() {
                let Target::Import(id) = binding.target else { continue };
                let import = &self.imports[id.0 as usize];
                if view.importing == Some(id) || (through_glob && !self.import_visible(view, import)) {
                    continue;
                }
                match &import.state {
                    ImportState::Pending => {
                        let only = bindings.len() == 1 && scope.globs.is_empty();
                        found.awaits = only.then_some(id);
                        found.pending = true;
                    }
                    ImportState::Resolved(defs) => items.extend(
                        defs.iter()
                            .filter(|def| self.lives_in(def, namespace))
                            .map(|def| (binding, def.clone())),
                    ),
                }
            }
        }
        if items.len() > 1 && scope.kind != ScopeKind::Module {
            keep_nearest(&mut items, view.at);
        }
        for (_, def) in &items {
            found.add(def);
        }
        !items.is_empty()
    }

    fn item_def(&self, target: Target) -> Option<Def> {
        Some(match target {
            Target::Module(id) => Def::Module(id),
            Target::Type(id) => Def::Type(id),
            Target::Trait(id) => Def::Trait(id),
            Target::Alias(id) => Def::Alias(id),
            Target::Function(id) => Def::Function(id),
            Target::Static(id) => Def::Static(id),
            Target::Import(_) => return None,
        })
    }

    pub(super) fn lives_in(&self, def: &Def, namespace: Namespace) -> bool {
        match def {
            Def::Module(_) | Def::Trait(_) | Def::Alias(_) | Def::Generic(..) => namespace == Namespace::Type,
            Def::Function(_) | Def::Static(_) => namespace == Namespace::Value,
            Def::Type(id) => namespace == Namespace::Type || self.types[id.0 as usize].has_constructor(),
            Def::Variant(..) | Def::SelfType(_) | Def::External(_) => true,
        }
    }

    /// Whether code at the view's scope may use an import: it is public, or stands in a module around the view.
    pub(super) fn import_visible(&self, view: &View, import: &Import) -> bool {
        if import.public {
            return true;
        }
        let mut next = Some(view.scope);
        while let Some(scope) = next {
            if scope == import.scope {
                return true;
            }
            next = self.scope(scope).parent;
        }
        false
    }

    /// A crate that `name` stands for without an import.
    pub(super) fn extern_prelude(&self, krate: CrateId, name: &str) -> Option<Def> {
        let data = self.crates.get(krate.0 as usize)?;
        if let Some(def) = data.extern_names.get(name) {
            return Some(def.clone());
        }
        prelude::is_standard_crate(name).then(|| Def::External(name.into()))
    }
}

/// Two items of one name in one body stand in different blocks (or are `cfg` twins, which stay): the nearest one
/// before the use is meant, else the first.
fn keep_nearest(items: &mut Vec<(&Binding, Def)>, at: u32) {
    if items.iter().any(|(binding, _)| binding.conditional) {
        return;
    }
    let chosen = items
        .iter()
        .map(|(binding, _)| binding.start)
        .filter(|start| *start <= at)
        .max()
        .or_else(|| items.iter().map(|(binding, _)| binding.start).min());
    items.retain(|(binding, _)| Some(binding.start) == chosen);
}

/// The scope's own `Self` type source: the nearest impl, trait or type definition around it.
pub(super) fn self_scope(program: &Program, scope: ScopeId) -> Option<ScopeId> {
    let mut next = Some(scope);
    while let Some(id) = next {
        let data = program.scope(id);
        match data.kind {
            ScopeKind::Impl(_) | ScopeKind::Trait(_) | ScopeKind::Type(_) => return Some(id),
            ScopeKind::Module => return None,
            ScopeKind::Function(_) | ScopeKind::Block | ScopeKind::Alias(_) => next = data.parent,
        }
    }
    None
}

/// `Ty` of a generic parameter.
pub(super) fn generic_type(generic: &Generic) -> Ty {
    Ty::Param { name: generic.name.clone(), bounds: generic.bounds.clone() }
}
