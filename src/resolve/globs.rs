//! Lookup of a name in one scope, through its glob imports where its own names do not hold it.

use rustc_hash::FxHashSet;

use super::prelude;
use super::scopes::{Def, Found, ImportState, Namespace, Scope, ScopeKind, View};
use super::{Program, ScopeId};
use crate::ir::Name;

/// How many modules one lookup visits through globs.
const MAXIMAL_MODULES: usize = 4_000;
/// How many outside modules are candidates for a name.
const MAXIMAL_OUTSIDE: usize = 8;

impl Program {
    /// Looks a name up in one scope: its own items first, then imports, then globs.
    pub(super) fn member(&self, view: &View, id: ScopeId, name: &str, namespace: Namespace) -> Found {
        let mut found = Found::default();
        let scope = self.scope(id);
        if !self.named(view, scope, name, namespace, false, &mut found) && !scope.globs.is_empty() {
            self.through_globs(view, id, name, namespace, &mut found);
        }
        found
    }

    fn named(
        &self,
        view: &View,
        scope: &Scope,
        name: &str,
        namespace: Namespace,
        through_glob: bool,
        found: &mut Found,
    ) -> bool {
        let bindings = scope.names.get(name);
        bindings.is_some_and(|bindings| self.bound(view, scope, bindings, namespace, through_glob, found))
    }

    /// Names that a module holds by itself hide those of its globs.
    fn through_globs(
        &self,
        view: &View,
        start: ScopeId,
        name: &str,
        namespace: Namespace,
        found: &mut Found,
    ) {
        let mut visited: FxHashSet<ScopeId> = FxHashSet::default();
        visited.insert(start);
        let mut queue = vec![start];
        let mut next = 0;
        while let Some(id) = queue.get(next).copied() {
            next += 1;
            let scope = self.scope(id);
            if id != start && self.named(view, scope, name, namespace, true, found) {
                continue;
            }
            for import in &scope.globs {
                let glob = &self.imports[import.0 as usize];
                if !self.import_visible(view, glob) {
                    continue;
                }
                let ImportState::Resolved(targets) = &glob.state else {
                    found.pending |= view.importing != Some(*import);
                    continue;
                };
                for target in targets {
                    match target {
                        Def::Module(module) if visited.len() < MAXIMAL_MODULES && visited.insert(*module) => {
                            queue.push(*module);
                        }
                        Def::Type(ty) => {
                            if let Some(index) = self.types[ty.0 as usize].variants.get(name) {
                                found.add(&Def::Variant(*ty, *index));
                            }
                        }
                        _ => {}
                    }
                }
            }
        }
    }

    /// The paths that a name may have in outside or missing modules whose names the view sees through globs,
    /// most likely first.
    pub(super) fn outside_globs(&self, view: &View, name: &str) -> Vec<Def> {
        let mut prefixes = Vec::new();
        let mut next = Some(view.scope);
        while let Some(id) = next {
            let scope = self.scope(id);
            if !scope.globs.is_empty() {
                self.add_outside(view, id, &mut prefixes);
            }
            next = if scope.kind == ScopeKind::Module { None } else { scope.parent };
        }
        rank_outside(&prefixes, name)
    }

    /// The same for a name that is looked up in one module by path.
    pub(super) fn outside_globs_of(&self, view: &View, module: ScopeId, name: &str) -> Vec<Def> {
        let mut prefixes = Vec::new();
        if !self.scope(module).globs.is_empty() {
            self.add_outside(view, module, &mut prefixes);
        }
        rank_outside(&prefixes, name)
    }

    fn add_outside(&self, view: &View, id: ScopeId, prefixes: &mut Vec<Name>) {
        let computed;
        let found = if self.settled {
            let within = self.is_within(view.scope, id);
            let from = if within { id } else { ScopeId(0) };
            self.scope(id).outside[usize::from(!within)].get_or_init(|| self.collect_outside(from, id))
        } else {
            computed = self.collect_outside(view.scope, id);
            &computed
        };
        for prefix in found {
            if prefixes.len() < MAXIMAL_OUTSIDE && !prefixes.contains(prefix) {
                prefixes.push(prefix.clone());
            }
        }
    }

    fn is_within(&self, scope: ScopeId, around: ScopeId) -> bool {
        let mut next = Some(scope);
        while let Some(id) = next {
            if id == around {
                return true;
            }
            next = self.scope(id).parent;
        }
        false
    }

    /// Outside modules first, then modules of the tree that are not loaded.
    fn collect_outside(&self, from: ScopeId, start: ScopeId) -> Vec<Name> {
        let view = self.view(from, u32::MAX);
        let mut outside: Vec<Name> = Vec::new();
        let mut missing: Vec<Name> = Vec::new();
        let mut visited: FxHashSet<ScopeId> = FxHashSet::default();
        visited.insert(start);
        let mut queue = vec![start];
        let mut next = 0;
        while let Some(id) = queue.get(next).copied()
            && outside.len() < MAXIMAL_OUTSIDE
        {
            next += 1;
            for import in &self.scope(id).globs {
                let glob = &self.imports[import.0 as usize];
                let ImportState::Resolved(targets) = &glob.state else { continue };
                if outside.len() >= MAXIMAL_OUTSIDE {
                    break;
                }
                if !self.import_visible(&view, glob) {
                    continue;
                }
                for target in targets {
                    if outside.len() >= MAXIMAL_OUTSIDE {
                        break;
                    }
                    match target {
                        Def::External(path) => {
                            let path = Name::from(prelude::canonical_external(path));
                            if !outside.contains(&path) {
                                outside.push(path);
                            }
                        }
                        Def::Module(module) if visited.len() < MAXIMAL_MODULES && visited.insert(*module) => {
                            if !self.scope(*module).loaded && missing.len() < MAXIMAL_OUTSIDE {
                                missing.push(self.scope(*module).path.clone());
                            }
                            queue.push(*module);
                        }
                        _ => {}
                    }
                }
            }
        }
        outside.append(&mut missing);
        outside.truncate(MAXIMAL_OUTSIDE);
        outside
    }
}

/// Known members of standard modules come first, standard modules that are known not to hold the name last.
fn rank_outside(prefixes: &[Name], name: &str) -> Vec<Def> {
    let mut ranked: Vec<(u8, Name)> = prefixes
        .iter()
        .map(|prefix| {
            let rank = match prefix.starts_with("std::") {
                true if prelude::standard_module_holds(prefix, name) => 0,
                true => 2,
                false => 1,
            };
            (rank, Name::from(format!("{prefix}::{name}")))
        })
        .collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, path)| Def::External(path)).collect()
}
