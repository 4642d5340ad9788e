//! Where files stand in the module tree: `mod` declarations of loaded parents first, then the file's own path.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::definitions::FilePlace;
use super::program::Program;
use super::scopes::{Binding, Scope, ScopeKind, Target};
use super::{CrateId, ScopeId};
use crate::ir::{FileIr, Item, ItemKind, Name};

/// How many modules a file may be below its crate root.
const MAXIMAL_DEPTH: usize = 200;

/// The scope of each file, in the order of the files.
pub(super) struct Placement {
    pub scopes: Vec<ScopeId>,
}

struct Placer<'a> {
    program: &'a mut Program,
    files: &'a [(FileIr, FilePlace)],
    by_path: FxHashMap<&'a str, usize>,
    /// The scope of a file and whether its child modules lie beside it, as for `mod.rs`.
    placed: Vec<Option<(ScopeId, bool)>>,
    queue: VecDeque<usize>,
}

/// Places all files and creates their modules.
pub(super) fn place(program: &mut Program, files: &[(FileIr, FilePlace)]) -> Placement {
    let by_path = files.iter().enumerate().map(|(index, (_, place))| (place.path.as_str(), index)).collect();
    let mut placer =
        Placer { program, files, by_path, placed: vec![None; files.len()], queue: VecDeque::new() };
    placer.place_roots();
    placer.follow_declarations();
    placer.place_the_rest();
    let fallback = ScopeId(0);
    Placement {
        scopes: placer.placed.iter().map(|placed| placed.map_or(fallback, |(scope, _)| scope)).collect(),
    }
}

impl Placer<'_> {
    fn place_roots(&mut self) {
        let mut roots: FxHashMap<_, Vec<ScopeId>> = FxHashMap::default();
        for data in &self.program.crates {
            if let Some(root) = data.info.root {
                roots.entry(root).or_default().push(data.root);
            }
        }
        // A file that code and tests share belongs to the code.
        let mut order: Vec<usize> = (0..self.files.len()).collect();
        order.sort_by_key(|index| {
            let place = &self.files[*index].1;
            place.test || self.program.crates.get(place.krate.0 as usize).is_some_and(|data| data.info.test)
        });
        for index in order {
            let (ir, place) = &self.files[index];
            if let Some(scope) = roots.get(&ir.file).and_then(|scopes| scopes.first()) {
                self.put(index, *scope, true);
            } else if place.module.is_empty() {
                let root = self.root(place.krate);
                self.put(index, root, true);
            }
        }
    }

    fn root(&self, krate: CrateId) -> ScopeId {
        self.program.crates.get(krate.0 as usize).map_or(ScopeId(0), |data| data.root)
    }

    fn put(&mut self, index: usize, scope: ScopeId, children_beside: bool) {
        if self.placed[index].is_none() {
            self.placed[index] = Some((scope, children_beside));
            self.program.mark_loaded(scope);
            self.queue.push_back(index);
        }
    }

    fn follow_declarations(&mut self) {
        while let Some(index) = self.queue.pop_front() {
            let Some((scope, children_beside)) = self.placed[index] else { continue };
            let (ir, place) = &self.files[index];
            let (directory, file) = place.path.rsplit_once('/').unwrap_or(("", &place.path));
            let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
            let children = if children_beside { directory.to_owned() } else { join(directory, stem) };
            let test = place.test || ir.attributes.test;
            self.declarations(&ir.items, scope, test, directory, &children, 0);
        }
    }

    /// `beside` is where `#[path]` of these items starts, `children` where their conventional files lie.
    fn declarations(
        &mut self,
        items: &[Item],
        scope: ScopeId,
        test: bool,
        beside: &str,
        children: &str,
        depth: usize,
    ) {
        for item in items {
            let ItemKind::Module(module) = &item.kind else { continue };
            let test = test || item.attributes.test;
            match &module.items {
                Some(items) if depth < MAXIMAL_DEPTH => {
                    let inner = self.program.child_module(scope, &item.name, test);
                    self.program.mark_loaded(inner);
                    let directory = match module.path.as_deref() {
                        Some(path) => join(beside, path),
                        None => join(children, &item.name),
                    };
                    self.declarations(items, inner, test, &directory, &directory, depth + 1);
                }
                Some(_) => {}
                None => self.declaration(item, module.path.as_deref(), scope, test, beside, children),
            }
        }
    }

    fn declaration(
        &mut self,
        item: &Item,
        path: Option<&str>,
        scope: ScopeId,
        test: bool,
        beside: &str,
        children: &str,
    ) {
        let candidates = match path {
            Some(path) => vec![join(beside, path)],
            None => vec![
                join(children, &format!("{}.rs", item.name)),
                join(children, &format!("{}/mod.rs", item.name)),
            ],
        };
        let found = candidates.iter().find_map(|path| self.by_path.get(path.as_str()).copied());
        let Some(index) = found else {
            // Not loaded: the name is still taken.
            self.program.child_module(scope, &item.name, test);
            return;
        };
        let beside = path.is_some() || self.files[index].1.path.ends_with("/mod.rs");
        match self.placed[index] {
            None => {
                let inner = self.program.child_module(scope, &item.name, test);
                self.put(index, inner, beside);
            }
            // A file that is a module twice: the second name means the first module.
            Some((placed, _)) => {
                let known = self.program.modules.get(&(scope, item.name.clone(), test)).copied();
                if known.is_none() && placed != scope {
                    self.program.bind_name(
                        scope,
                        item.name.clone(),
                        Binding {
                            target: Target::Module(placed),
                            test,
                            conditional: !item.attributes.cfg.is_empty(),
                            start: item.span.start,
                        },
                    );
                }
            }
        }
    }

    fn place_the_rest(&mut self) {
        let mut rest: Vec<usize> =
            (0..self.files.len()).filter(|index| self.placed[*index].is_none()).collect();
        rest.sort_by_key(|index| (self.files[*index].1.module.len(), *index));
        for index in rest {
            if self.placed[index].is_some() {
                continue;
            }
            let place = &self.files[index].1;
            let mut scope = self.root(place.krate);
            for (position, name) in place.module.iter().take(MAXIMAL_DEPTH).enumerate() {
                let last = position + 1 == place.module.len();
                scope = self
                    .program
                    .existing_module(scope, name)
                    .unwrap_or_else(|| self.program.child_module(scope, name, last && place.test));
            }
            let beside = place.path.ends_with("/mod.rs");
            self.put(index, scope, beside);
            self.follow_declarations();
        }
    }
}

impl Program {
    /// The child module of a name, created when there is none; test and other code are kept apart.
    pub(super) fn child_module(&mut self, parent: ScopeId, name: &Name, test: bool) -> ScopeId {
        let test = test || self.scope(parent).test;
        let key = (parent, name.clone(), test);
        if let Some(scope) = self.modules.get(&key) {
            return *scope;
        }
        let path = format!("{}::{name}", self.scope(parent).path).into();
        let krate = self.scope(parent).krate;
        let scope = self.add_scope(Some(parent), krate, ScopeKind::Module, test, path);
        self.modules.insert(key, scope);
        let binding = Binding { target: Target::Module(scope), test, conditional: false, start: 0 };
        self.bind_name(parent, name.clone(), binding);
        scope
    }

    pub(super) fn mark_loaded(&mut self, scope: ScopeId) {
        if let Some(scope) = self.scopes.get_mut(scope.0 as usize) {
            scope.loaded = true;
        }
    }

    fn existing_module(&self, parent: ScopeId, name: &Name) -> Option<ScopeId> {
        [false, true].into_iter().find_map(|test| self.modules.get(&(parent, name.clone(), test)).copied())
    }

    pub(super) fn add_scope(
        &mut self,
        parent: Option<ScopeId>,
        krate: CrateId,
        kind: ScopeKind,
        test: bool,
        path: Name,
    ) -> ScopeId {
        let id = ScopeId(u32::try_from(self.scopes.len()).unwrap_or(u32::MAX));
        self.scopes.push(Scope {
            parent,
            krate,
            kind,
            test,
            loaded: kind != ScopeKind::Module,
            path,
            names: FxHashMap::default(),
            globs: Vec::new(),
            generics: Vec::new(),
            outside: Default::default(),
        });
        id
    }

    pub(super) fn bind_name(&mut self, scope: ScopeId, name: Name, binding: Binding) {
        if let Some(scope) = self.scopes.get_mut(scope.0 as usize) {
            scope.names.entry(name).or_default().push(binding);
        }
    }
}

/// Joins two paths with `/`, resolving `.` and `..`; a `..` above the root stays and finds no file.
fn join(directory: &str, path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in directory.split('/').chain(path.split(['/', '\\'])) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::join;

    #[test]
    fn paths_are_joined_without_dots() {
        assert_eq!(join("src/a", "../b.rs"), "src/b.rs");
        assert_eq!(join("", "a.rs"), "a.rs");
        assert_eq!(join("src", "./x/y.rs"), "src/x/y.rs");
        assert_eq!(join("", "../out.rs"), "../out.rs");
    }
}
