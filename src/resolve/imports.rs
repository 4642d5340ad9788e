//! Paths through modules, and the fixpoint that resolves every `use`.

use super::prelude::canonical_external;
use super::scopes::{Def, ImportId, ImportKind, ImportState, Namespace, View, self_scope};
use super::{Program, ScopeId};
use crate::ir::{Name, Segment};

/// The names of a path, from a `use` or from a path with generic arguments.
#[derive(Clone, Copy)]
pub(super) enum Names<'a> {
    Plain(&'a [Name]),
    Segments(&'a [Segment]),
}

impl<'a> Names<'a> {
    pub fn len(self) -> usize {
        match self {
            Names::Plain(names) => names.len(),
            Names::Segments(segments) => segments.len(),
        }
    }

    pub fn get(self, index: usize) -> &'a str {
        match self {
            Names::Plain(names) => names.get(index).map_or("", Name::as_str),
            Names::Segments(segments) => segments.get(index).map_or("", |segment| segment.lookup_name()),
        }
    }

    /// `prefix` followed by the names from `start` on.
    fn join(self, prefix: &str, start: usize) -> Name {
        let mut text = prefix.to_owned();
        for index in start..self.len() {
            if !text.is_empty() {
                text.push_str("::");
            }
            text.push_str(self.get(index));
        }
        canonical_external(&text).into()
    }
}

/// Where a path leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// To a definition.
    Def(Def),
    /// To a type or trait, with names left that are looked up in it; the number of names used so far.
    Relative(Def, usize),
}

/// All outcomes of a path; several for `cfg` twins.
#[derive(Debug, Default)]
pub(super) struct Walk {
    pub outcomes: Vec<Outcome>,
    pub pending: bool,
    /// The import that has to be resolved before this path can be followed, when it is known.
    pub awaits: Option<ImportId>,
}

/// How the first name of a path is looked up.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    /// As in an expression or type.
    Expression,
    /// As in a `use`.
    Import,
    /// After a leading `::`.
    Global,
}

impl Program {
    /// Follows a path through modules. Never empty unless something is pending or the path leads to nothing in
    /// `namespace`: what cannot be found is [`Def::External`] by its full text.
    pub(super) fn walk(&self, view: &View, names: Names<'_>, start: Start, namespace: Namespace) -> Walk {
        let mut walk = Walk::default();
        let kind_at = |index: usize| if index + 1 == names.len() { namespace } else { Namespace::Type };
        let (first, pending) = self.first(view, names.get(0), start, kind_at(0));
        if first.is_empty() {
            walk.pending = pending;
            if !pending {
                walk.outcomes.push(Outcome::Def(Def::External(names.join("", 0))));
            }
            return walk;
        }
        let mut current = first;
        for index in 1..names.len() {
            let mut next = Vec::new();
            let several = current.len() > 1;
            for def in current {
                self.step(view, names, index, kind_at(index), def, &mut next, &mut walk);
            }
            if several {
                walk.awaits = None;
            }
            current = next;
        }
        walk.outcomes.extend(current.into_iter().map(Outcome::Def));
        walk
    }

    fn first(&self, view: &View, name: &str, start: Start, namespace: Namespace) -> (Vec<Def>, bool) {
        let module = self.module_of(view.scope);
        let krate = self.scope(module).krate;
        let data = self.crates.get(krate.0 as usize);
        let def = match name {
            "crate" | "$crate" => Some(Def::Module(self.root_of(module))),
            "self" => Some(Def::Module(module)),
            "super" => Some(Def::Module(self.parent_module(module))),
            "Self" => self_scope(self, view.scope).map(Def::SelfType),
            _ => None,
        };
        if let Some(def) = def {
            return (vec![def], false);
        }
        let from_root = data.is_some_and(|data| data.info.edition_2015) && start != Start::Expression;
        if from_root {
            let found = self.member(view, self.root_of(module), name, namespace);
            if !found.defs.is_empty() || (found.pending && !view.ignore_pending) {
                return (found.defs, found.pending);
            }
        }
        if from_root || start == Start::Global {
            return (self.extern_prelude(krate, name).into_iter().collect(), false);
        }
        let found = self.lexical(view, name, namespace);
        (found.defs, found.pending)
    }

    #[expect(clippy::too_many_arguments, reason = "one step of `walk`, with its two outputs")]
    fn step(
        &self,
        view: &View,
        names: Names<'_>,
        index: usize,
        namespace: Namespace,
        def: Def,
        next: &mut Vec<Def>,
        walk: &mut Walk,
    ) {
        let name = names.get(index);
        match def {
            Def::Module(module) => match name {
                "super" => next.push(Def::Module(self.parent_module(module))),
                "self" => next.push(Def::Module(module)),
                _ => {
                    let found = self.member(view, module, name, namespace);
                    if found.defs.is_empty() && found.pending && !view.ignore_pending {
                        walk.pending = true;
                        walk.awaits = found.awaits;
                    } else if found.defs.is_empty() {
                        self.step_outside(view, names, index, module, walk);
                    }
                    next.extend(found.defs.into_iter().filter(|def| !next.contains(def)).collect::<Vec<_>>());
                }
            },
            Def::Type(id) => match self.types[id.0 as usize].variants.get(name) {
                Some(variant) => next.push(Def::Variant(id, *variant)),
                None => walk.outcomes.push(Outcome::Relative(Def::Type(id), index)),
            },
            Def::Trait(_) | Def::Alias(_) | Def::Generic(..) | Def::SelfType(_) => {
                walk.outcomes.push(Outcome::Relative(def, index));
            }
            Def::External(path) => {
                // All further names belong to the outside path, so the walk of this definition ends here.
                walk.outcomes.push(Outcome::Def(Def::External(names.join(&path, index))));
            }
            Def::Function(_) | Def::Static(_) | Def::Variant(..) => {}
        }
    }

    /// A name that a module of the tree does not hold: it comes from an outside glob, from a file that is not
    /// loaded, or from a macro.
    fn step_outside(&self, view: &View, names: Names<'_>, index: usize, module: ScopeId, walk: &mut Walk) {
        let globs = self.outside_globs_of(view, module, names.get(index));
        if globs.is_empty() {
            let path = names.join(&self.scope(module).path, index);
            walk.outcomes.push(Outcome::Def(Def::External(path)));
        }
        for glob in globs {
            if let Def::External(path) = glob {
                walk.outcomes.push(Outcome::Def(Def::External(names.join(&path, index + 1))));
            }
        }
    }

    fn root_of(&self, module: ScopeId) -> ScopeId {
        let krate = self.scope(module).krate;
        self.crates.get(krate.0 as usize).map_or(module, |data| data.root)
    }

    fn parent_module(&self, module: ScopeId) -> ScopeId {
        self.scope(module).parent.map_or(module, |parent| self.module_of(parent))
    }

    /// Resolves all imports. Each pass resolves those whose names are not held back by another import; what is
    /// left when a pass changes nothing waits for itself or for names of outside crates.
    pub(super) fn resolve_imports(&mut self) {
        let all = (0..u32::try_from(self.imports.len()).unwrap_or(0)).map(ImportId);
        // What waits for another import is not looked at again before that one is resolved: a name may be passed on
        // through thousands of modules.
        let mut waiting: Vec<(ImportId, Option<ImportId>)> = all.map(|id| (id, None)).collect();
        for ignore_pending in [false, true] {
            loop {
                let before = waiting.len();
                waiting.retain_mut(|(id, awaited)| {
                    let awaited_still = |other: ImportId| {
                        matches!(self.imports[other.0 as usize].state, ImportState::Pending)
                    };
                    if !ignore_pending && awaited.is_some_and(awaited_still) {
                        return true;
                    }
                    match self.resolve_import(*id, ignore_pending) {
                        Ok(defs) => {
                            self.imports[id.0 as usize].state = ImportState::Resolved(defs);
                            false
                        }
                        Err(other) => {
                            *awaited = other;
                            true
                        }
                    }
                });
                if waiting.len() == before || waiting.is_empty() {
                    break;
                }
            }
        }
    }

    /// What an import means, or the import that it waits for, when that is known.
    fn resolve_import(&self, id: ImportId, ignore_pending: bool) -> Result<Vec<Def>, Option<ImportId>> {
        let import = &self.imports[id.0 as usize];
        let view = View {
            scope: import.scope,
            test: import.test,
            at: import.start,
            importing: Some(id),
            ignore_pending,
        };
        if import.kind == ImportKind::ExternCrate {
            let name = import.path.first().map_or("", Name::as_str);
            return Ok(vec![self.extern_crate(import.scope, name)]);
        }
        let start = if import.kind == ImportKind::Global { Start::Global } else { Start::Import };
        let mut defs: Vec<Def> = Vec::new();
        // The names of a glob stand in a module or an enum. To look for a value would make the globs of a module wait
        // for each other.
        let namespaces: &[Namespace] =
            if import.glob { &[Namespace::Type] } else { &[Namespace::Type, Namespace::Value] };
        for namespace in namespaces.iter().copied() {
            let walk = self.walk(&view, Names::Plain(&import.path), start, namespace);
            if walk.pending {
                return Err(walk.awaits);
            }
            for outcome in walk.outcomes {
                if let Outcome::Def(def) = outcome
                    && !defs.contains(&def)
                {
                    defs.push(def);
                }
            }
        }
        // A name that is known in one namespace is not outside the tree because the other one lacks it.
        if defs.iter().any(|def| !matches!(def, Def::External(_))) {
            defs.retain(|def| !matches!(def, Def::External(_)));
        }
        if import.glob && defs.iter().all(|def| matches!(def, Def::External(_))) {
            defs.truncate(1);
        }
        Ok(defs)
    }

    /// Whether an outside path starts with a crate of the tree (its file is not loaded, or a macro makes it).
    pub(super) fn within_tree(&self, path: &str) -> bool {
        let first = path.split("::").next().unwrap_or("");
        self.crate_names.contains(first)
    }

    fn extern_crate(&self, scope: ScopeId, name: &str) -> Def {
        if name == "self" {
            return Def::Module(self.root_of(scope));
        }
        self.extern_prelude(self.scope(scope).krate, name)
            .unwrap_or_else(|| Def::External(canonical_external(name).into()))
    }
}
