//! Which crate and module each file is.
//!
//! The module tree of every target is followed through its `mod` declarations, `#[path]` and inline modules
//! included. A file that no declaration reaches stands where convention would put it (`src/a/b.rs` is `a::b`);
//! a file that is part of no target starts a crate of its own, together with the files that it declares.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::manifest::{Dependency, Edition};
use super::package::{Package, TargetKind};
use super::project::{FileClass, Project, package_in};
use super::{Problem, normalize};
use crate::ir::{FileId, Name};
use crate::source::syntax::ModuleDeclaration;

/// The crates of a run, in the order of their root files, and the place of every file.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// The crates.
    pub crates: Vec<Crate>,
    /// The place of each file, by its id.
    pub places: Vec<Placement>,
    /// Modules that were not followed, and why.
    pub problems: Vec<Problem>,
}

/// A crate.
#[derive(Clone, Debug)]
pub struct Crate {
    /// Its name in code.
    pub name: Name,
    /// Its package.
    pub package: Option<usize>,
    /// What target it is; `None` for a loose file.
    pub kind: Option<TargetKind>,
    /// Its root file.
    pub root: FileId,
    /// Its edition.
    pub edition: Edition,
    /// The crates of this run that it can name, by that name.
    pub dependencies: Vec<(Name, usize)>,
    /// The other crates that it can name.
    pub external: Vec<Name>,
    /// Outside crates under another name: the name in code and the real one.
    pub renamed: Vec<(Name, Name)>,
}

/// The place of a file.
#[derive(Clone, Debug)]
pub struct Placement {
    /// Its crate.
    pub krate: usize,
    /// Its module path below the crate root.
    pub module: Vec<Name>,
    /// What code it is; a module of test code is test code.
    pub class: FileClass,
    /// The file that declares it as a module.
    pub parent: Option<FileId>,
}

impl Layout {
    /// Lays out the files of `project`; `declarations` holds the module declarations of each file by its id.
    #[must_use]
    pub fn new(project: &Project, declarations: &[Vec<ModuleDeclaration>]) -> Layout {
        let mut builder = Builder::new(project, declarations);
        builder.place_targets();
        builder.place_by_convention();
        builder.place_loose();
        builder.finish()
    }

    /// The files that declare a file as a module, from the nearest to the crate root.
    pub fn ancestors(&self, file: FileId) -> impl Iterator<Item = FileId> + '_ {
        let place = move |file: FileId| self.places.get(file.0 as usize);
        let mut at = file;
        let chain = std::iter::from_fn(move || {
            at = place(at)?.parent?;
            Some(at)
        });
        let root = place(file).and_then(|found| self.crates.get(found.krate)).map(|krate| krate.root);
        chain.chain(root)
    }
}

struct Builder<'a> {
    project: &'a Project,
    declarations: &'a [Vec<ModuleDeclaration>],
    ids: BTreeMap<&'a Path, usize>,
    crates: Vec<Crate>,
    places: Vec<Option<Placement>>,
    problems: Vec<Problem>,
}

impl<'a> Builder<'a> {
    fn new(project: &'a Project, declarations: &'a [Vec<ModuleDeclaration>]) -> Self {
        let ids = project.files.iter().enumerate().map(|(index, file)| (file.absolute.as_path(), index));
        Builder {
            project,
            declarations,
            ids: ids.collect(),
            crates: Vec::new(),
            places: vec![None; project.files.len()],
            problems: Vec::new(),
        }
    }

    fn place_targets(&mut self) {
        for (index, package) in self.project.packages.iter().enumerate() {
            for target in &package.targets {
                let Some(root) = self.ids.get(target.root.as_path()).copied() else { continue };
                if self.places[root].is_some() {
                    continue;
                }
                let class = match target.kind {
                    TargetKind::Test | TargetKind::Bench => FileClass::Test,
                    TargetKind::Example => FileClass::Example,
                    _ => FileClass::Source,
                };
                let krate = self.add_crate(&target.name, Some(index), Some(target.kind), root);
                self.place_tree(root, krate, Vec::new(), class);
            }
        }
    }

    /// Files below `src/` of a package that has a library or a binary.
    fn place_by_convention(&mut self) {
        for index in 0..self.places.len() {
            if self.places[index].is_some() {
                continue;
            }
            let file = &self.project.files[index];
            let Some(package) = file.package else { continue };
            let Some(module) = conventional_module(&self.project.packages[package], &file.absolute) else {
                continue;
            };
            let main = |kind| matches!(kind, Some(TargetKind::Library | TargetKind::Binary));
            let krate =
                self.crates.iter().position(|krate| krate.package == Some(package) && main(krate.kind));
            if let Some(krate) = krate {
                let parent = Some(self.crates[krate].root);
                self.place(index, krate, module.clone(), FileClass::Source, parent);
                self.place_children(index, krate, &module, FileClass::Source);
            }
        }
    }

    /// The remaining files: those that no other of them declares are roots.
    fn place_loose(&mut self) {
        let open: Vec<usize> = (0..self.places.len()).filter(|index| self.places[*index].is_none()).collect();
        let mut declared = BTreeSet::new();
        for index in &open {
            declared.extend(self.possible_children(*index).filter(|child| child != index));
        }
        // Files that declare each other in a circle have no root; the first of them becomes one.
        let roots = open.iter().filter(|index| !declared.contains(index)).chain(&open).copied();
        for root in roots.collect::<Vec<_>>() {
            if self.places[root].is_some() {
                continue;
            }
            let file = &self.project.files[root];
            let krate = self.add_crate(&Project::loose_crate_name(&file.absolute), file.package, None, root);
            self.place_tree(root, krate, Vec::new(), FileClass::Source);
        }
    }

    fn add_crate(
        &mut self,
        name: &str,
        package: Option<usize>,
        kind: Option<TargetKind>,
        root: usize,
    ) -> usize {
        let edition = package.map_or(Edition::default(), |index| self.project.packages[index].edition);
        self.crates.push(Crate {
            name: name.into(),
            package,
            kind,
            root: file_id(root),
            edition,
            dependencies: Vec::new(),
            external: Vec::new(),
            renamed: Vec::new(),
        });
        self.crates.len() - 1
    }

    fn place_tree(&mut self, root: usize, krate: usize, module: Vec<Name>, class: FileClass) {
        self.place(root, krate, module.clone(), class, None);
        self.place_children(root, krate, &module, class);
    }

    fn place_children(&mut self, from: usize, krate: usize, module: &[Name], class: FileClass) {
        let mut waiting = vec![(from, module.to_vec(), class)];
        while let Some((file, module, class)) = waiting.pop() {
            for (child, declaration) in
                self.children(file, self.places[file].as_ref().is_some_and(|place| place.parent.is_none()))
            {
                if self.places[child].is_some() {
                    continue;
                }
                let names = declaration.names.iter().map(Name::new);
                let path: Vec<Name> = module.iter().cloned().chain(names).collect();
                let class = if declaration.test { FileClass::Test } else { class };
                self.place(child, krate, path.clone(), class, Some(file_id(file)));
                waiting.push((child, path, class));
            }
        }
    }

    fn place(
        &mut self,
        file: usize,
        krate: usize,
        module: Vec<Name>,
        class: FileClass,
        parent: Option<FileId>,
    ) {
        let own = self.project.files[file].class;
        // A path below `tests/` is weaker than a declaration that makes the file part of the library.
        let class = match (class, own) {
            (_, FileClass::Foreign) => FileClass::Foreign,
            (FileClass::Source, own) => own,
            (class, _) => class,
        };
        self.places[file] = Some(Placement { krate, module, class, parent });
    }

    /// The files that a file declares as modules.
    fn children(&mut self, file: usize, root: bool) -> Vec<(usize, &'a ModuleDeclaration)> {
        let Some(declarations) = self.declarations.get(file) else { return Vec::new() };
        let mut found = Vec::new();
        for declaration in declarations {
            let candidates = candidates(&self.project.files[file].absolute, root, declaration);
            let child = candidates.iter().find_map(|path| self.find(path));
            match child {
                Some(child) => found.push((child, declaration)),
                None => self.name_refused(file, declaration, &candidates),
            }
        }
        found
    }

    /// The files that a file would declare wherever it stood in a module tree.
    fn possible_children(&self, file: usize) -> impl Iterator<Item = usize> + '_ {
        let declarations = self.declarations.get(file).into_iter().flatten();
        let path = &self.project.files[file].absolute;
        declarations
            .flat_map(|found| candidates(path, true, found))
            .filter_map(|candidate| self.find(&candidate))
    }

    /// A file by its path, also when a link is on the way.
    fn find(&self, path: &Path) -> Option<usize> {
        if let Some(index) = self.ids.get(path) {
            return Some(*index);
        }
        self.project.links.iter().find_map(|(link, target)| {
            let rest = path.strip_prefix(link).ok()?;
            let real = if rest.as_os_str().is_empty() { target.clone() } else { target.join(rest) };
            self.ids.get(real.as_path()).copied()
        })
    }

    /// Names a `#[path]` that leads outside the root; nothing out there is opened.
    fn name_refused(&mut self, file: usize, declaration: &ModuleDeclaration, candidates: &[PathBuf]) {
        let Some(path) = &declaration.path else { return };
        if candidates.iter().any(|candidate| candidate.starts_with(&self.project.root)) {
            return;
        }
        let message = format!("#[path = \"{path}\"] leaves the analysed folder and is not followed");
        self.problems.push(Problem::new(&self.project.files[file].display, message));
    }

    fn finish(mut self) -> Layout {
        let libraries: BTreeMap<usize, usize> = self
            .crates
            .iter()
            .enumerate()
            .filter(|(_, krate)| krate.kind == Some(TargetKind::Library))
            .filter_map(|(index, krate)| Some((krate.package?, index)))
            .collect();
        for index in 0..self.crates.len() {
            self.link(index, &libraries);
        }
        self.problems.sort_unstable();
        self.problems.dedup();
        let places = self.places.into_iter().flatten().collect();
        sorted_by_root(Layout { crates: self.crates, places, problems: self.problems })
    }

    /// Fills in which crates a crate can name.
    fn link(&mut self, index: usize, libraries: &BTreeMap<usize, usize>) {
        let Some(package) = self.crates[index].package else { return };
        let mut dependencies = Vec::new();
        if let Some(own) = libraries.get(&package).filter(|own| **own != index) {
            dependencies.push((self.crates[*own].name.clone(), *own));
        }
        let (mut external, mut renamed) = (Vec::new(), Vec::new());
        let owner = &self.project.packages[package];
        for dependency in &owner.dependencies {
            match self.package_of_dependency(owner, dependency).and_then(|found| libraries.get(&found)) {
                Some(library) => {
                    let plain = dependency.package.replace('-', "_") == dependency.name;
                    let name =
                        if plain { self.crates[*library].name.clone() } else { Name::new(&dependency.name) };
                    dependencies.push((name, *library));
                }
                None => {
                    let real = dependency.package.replace('-', "_");
                    if real != dependency.name {
                        renamed.push((Name::new(&dependency.name), Name::new(real)));
                    }
                    external.push(Name::new(&dependency.name));
                }
            }
        }
        external.sort_unstable();
        external.dedup();
        dependencies.sort();
        dependencies.dedup();
        let krate = &mut self.crates[index];
        (krate.dependencies, krate.external, krate.renamed) = (dependencies, external, renamed);
    }

    /// The package of this run that a dependency means: by its path, or by name when it has none (a vendored or
    /// patched package).
    fn package_of_dependency(&self, owner: &Package, dependency: &Dependency) -> Option<usize> {
        let packages = &self.project.packages;
        if dependency.path.is_some() {
            let (_, folder) = owner.path_dependencies.iter().find(|(name, _)| *name == dependency.name)?;
            return package_in(packages, folder);
        }
        packages.iter().position(|package| package.name == dependency.package)
    }
}

/// Where a module declared in `file` may stand, in the order in which they are tried.
fn candidates(file: &Path, root: bool, declaration: &ModuleDeclaration) -> Vec<PathBuf> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let stem = file.file_stem().map(Path::new).unwrap_or(Path::new(""));
    let [inline @ .., name] = declaration.names.as_slice() else { return Vec::new() };
    let owns_folder = ["mod", "lib", "main"].iter().any(|owner| Path::new(owner) == stem);
    let beside = folder.to_owned();
    let below = folder.join(stem);
    // A crate root owns its folder whatever its name; so does a file that `#[path]` loads.
    let bases = match (owns_folder, root) {
        (true, _) => vec![beside],
        (false, true) => vec![beside, below],
        (false, false) => vec![below, beside],
    };
    let mut paths = Vec::new();
    for base in bases {
        let inside: PathBuf =
            base.components().chain(inline.iter().flat_map(|name| Path::new(name).components())).collect();
        match &declaration.path {
            Some(path) if inline.is_empty() => paths.push(normalize(&folder.join(path))),
            Some(path) => paths.push(normalize(&inside.join(path))),
            None => {
                paths.push(inside.join(format!("{name}.rs")));
                paths.push(inside.join(name).join("mod.rs"));
            }
        }
    }
    paths.dedup();
    paths
}

/// `src/a/b.rs` and `src/a/b/mod.rs` are `a::b`; a file elsewhere has no conventional module.
fn conventional_module(package: &Package, file: &Path) -> Option<Vec<Name>> {
    let relative = file.strip_prefix(package.folder.join("src")).ok()?;
    let mut names: Vec<Name> = relative
        .with_extension("")
        .components()
        .map(|part| Name::new(part.as_os_str().to_string_lossy()))
        .collect();
    if names.last().is_some_and(|name| name == "mod") {
        names.pop();
    }
    Some(names)
}

/// Numbers the crates by their root files, so that ids do not depend on the order of discovery.
fn sorted_by_root(layout: Layout) -> Layout {
    let mut order: Vec<usize> = (0..layout.crates.len()).collect();
    order.sort_by_key(|index| layout.crates[*index].root);
    let mut rank = vec![0; order.len()];
    for (new, old) in order.iter().enumerate() {
        rank[*old] = new;
    }
    let mut crates: Vec<Crate> = order.iter().map(|old| layout.crates[*old].clone()).collect();
    for krate in &mut crates {
        for (_, dependency) in &mut krate.dependencies {
            *dependency = rank[*dependency];
        }
        krate.dependencies.sort();
    }
    let mut places = layout.places;
    for place in &mut places {
        place.krate = rank[place.krate];
    }
    Layout { crates, places, problems: layout.problems }
}

fn file_id(index: usize) -> FileId {
    FileId(u32::try_from(index).unwrap_or(u32::MAX))
}
