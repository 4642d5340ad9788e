//! The files and packages of a run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::manifest::Manifest;
use super::package::{Package, folder_name, missing_targets};
use super::scope::Scope;
use super::walk::{Walked, walk};
use super::workspace::Members;
use super::{MANIFEST, Problem, display_path, normalize};
use crate::source::{read_found, reason};

/// What is said about a manifest that describes nothing. Its files are analysed as Cargo would find them.
const EMPTY_MANIFEST: &str =
    "has neither a [package] nor a [workspace] table, so no dependencies are known; add one";

/// Everything that is analysed, in sorted order; a file's [`FileId`](crate::ir::FileId) is its index.
#[derive(Clone, Debug, Default)]
pub struct Project {
    /// Paths are shown relative to it.
    pub root: PathBuf,
    /// The files, sorted by path.
    pub files: Vec<ProjectFile>,
    /// The packages, sorted by folder.
    pub packages: Vec<Package>,
    /// Symlinks inside the root and what they stand for.
    pub links: Vec<(PathBuf, PathBuf)>,
    /// What could not be analysed.
    pub problems: Vec<Problem>,
}

/// A file to analyse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectFile {
    /// Where it is.
    pub absolute: PathBuf,
    /// How it is shown.
    pub display: String,
    /// The package that it lies in.
    pub package: Option<usize>,
    /// What its path alone says about it.
    pub class: FileClass,
    /// Whether findings may be reported in it; otherwise it is only followed through.
    pub primary: bool,
}

/// What kind of code a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileClass {
    /// Code that runs in production.
    Source,
    /// Code for tests and benchmarks.
    Test,
    /// An example, or a package of the workspace that serves the tests of the others.
    Example,
    /// Code that others wrote or a tool generated.
    Foreign,
}

/// What decides about files beside the scope.
pub struct Selection<'a> {
    /// Files that are left out altogether.
    pub exclude: &'a dyn Fn(&Path) -> bool,
    /// Files in which findings may be reported.
    pub include: &'a dyn Fn(&Path) -> bool,
    /// How many threads walk; `0` is one for each core.
    pub threads: usize,
}

/// Finds the files and packages of a scope.
#[must_use]
pub fn discover(scope: &Scope, selection: &Selection<'_>) -> Project {
    let (mut walked, read) = walk_scope(scope, selection.threads);
    walked.sources.retain(|file| !(selection.exclude)(file));
    let mut builder = Builder { scope, selection, project: Project::default() };
    builder.project.root = scope.root.clone();
    let manifests = builder.take_manifests(&read);
    builder.check_members(&manifests);
    builder.project.links = std::mem::take(&mut walked.links);
    for (path, why) in &walked.refused {
        let shown = display_path(&scope.root, path);
        builder.project.problems.push(Problem::new(shown, why.clone()));
    }
    builder.build(&manifests, &walked.sources)
}

/// Manifests by their path, or why one has no content: with the line, and in words.
type Read = BTreeMap<PathBuf, Result<Manifest, (Option<u32>, String)>>;

/// Reads the manifests that were not read before.
fn read_manifests(paths: &BTreeSet<PathBuf>, read: &mut Read) {
    let new: Vec<&PathBuf> = paths.iter().filter(|path| !read.contains_key(*path)).collect();
    let parse = |path: &Path| {
        let text = read_found(path).map_err(|error| (None, format!("cannot be read: {}", reason(&error))))?;
        Manifest::parse(&text)
            .map_err(|(line, message)| (line, format!("is not a valid manifest: {message}")))
    };
    read.par_extend(new.into_par_iter().map(|path| (path.clone(), parse(path))));
}

/// Walks everything that is named, the workspaces around it, and the path dependencies of those.
fn walk_scope(scope: &Scope, threads: usize) -> (Walked, Read) {
    let mut folders: Vec<PathBuf> = scope.folders.iter().chain(&scope.workspaces).cloned().collect();
    for workspace in &scope.workspaces {
        if let Some(manifest) = read_manifest(&workspace.join(MANIFEST)) {
            folders.extend(Members::outside(workspace, &manifest));
        }
    }
    let mut walked = walk(&folders, &scope.root, threads);
    walked.sources.extend(scope.files.iter().cloned());
    let mut read = Read::new();
    loop {
        read_manifests(&walked.manifests, &mut read);
        let more = path_dependencies_outside(&read);
        let new: Vec<PathBuf> =
            more.into_iter().filter(|folder| !walked.manifests.contains(&folder.join(MANIFEST))).collect();
        if new.is_empty() {
            return (walked, read);
        }
        let found = walk(&new, &scope.root, threads);
        walked.sources.extend(found.sources);
        walked.manifests.extend(found.manifests);
        // A package below a hidden or ignored folder is still the one that its dependent names.
        walked.manifests.extend(new.iter().map(|folder| folder.join(MANIFEST)));
        walked.links.extend(found.links);
        walked.refused.extend(found.refused);
    }
}

/// The folders of path dependencies that hold a manifest and are not among the known ones.
fn path_dependencies_outside(read: &Read) -> BTreeSet<PathBuf> {
    let parsed: BTreeMap<&Path, &Manifest> =
        read.iter().filter_map(|(path, read)| Some((path.parent()?, read.as_ref().ok()?))).collect();
    let none = BTreeSet::new();
    let folders = parsed.iter().flat_map(|(folder, manifest)| {
        let package = Package::new(folder, manifest, workspace_above(folder, &parsed), &none);
        package.path_dependencies.into_iter().map(|(_, path)| path)
    });
    folders
        .filter(|folder| !parsed.contains_key(normalize(folder).as_path()))
        .filter_map(|folder| folder.canonicalize().ok())
        .filter(|folder| folder.join(MANIFEST).is_file())
        .collect()
}

fn read_manifest(path: &Path) -> Option<Manifest> {
    Manifest::parse(&read_found(path).ok()?).ok()
}

fn workspace_above<'a>(
    folder: &Path,
    manifests: &BTreeMap<&'a Path, &'a Manifest>,
) -> Option<(&'a Path, &'a Manifest)> {
    let found = folder.ancestors().filter_map(|above| manifests.get_key_value(above));
    found.map(|(path, manifest)| (*path, *manifest)).find(|(_, manifest)| manifest.has_workspace())
}

struct Builder<'a> {
    scope: &'a Scope,
    selection: &'a Selection<'a>,
    project: Project,
}

impl Builder<'_> {
    /// The manifests by their folders; one that cannot be read becomes a problem and has no entry but its folder.
    fn take_manifests<'m>(&mut self, read: &'m Read) -> BTreeMap<&'m Path, Option<&'m Manifest>> {
        let mut manifests = BTreeMap::new();
        for (path, read) in read {
            let Some(folder) = path.parent() else { continue };
            let problem = read.as_ref().err().map(|(line, message)| Problem {
                file: display_path(&self.scope.root, path),
                line: *line,
                message: message.clone(),
            });
            self.project.problems.extend(problem);
            manifests.insert(folder, read.as_ref().ok());
        }
        manifests
    }

    /// Names the members of workspaces that cannot be found.
    fn check_members(&mut self, manifests: &BTreeMap<&Path, Option<&Manifest>>) {
        for root in &self.scope.workspaces {
            let Some(Some(manifest)) = manifests.get(root.as_path()) else { continue };
            let file = display_path(&self.scope.root, &root.join(MANIFEST));
            let wrong = Members::wrong(root, manifest).into_iter();
            self.project.problems.extend(wrong.map(|message| Problem::new(file.clone(), message)));
        }
    }

    /// Names the targets of the analysed packages that cannot be found.
    fn check_targets(&mut self, manifests: &BTreeMap<&Path, &Manifest>, roles: &[Option<bool>]) {
        let Project { packages, problems, .. } = &mut self.project;
        let analysed = packages.iter().zip(roles).filter(|(_, role)| **role == Some(true));
        for (package, _) in analysed {
            let Some(manifest) = manifests.get(package.folder.as_path()) else { continue };
            let file = display_path(&self.scope.root, &package.folder.join(MANIFEST));
            let missing = missing_targets(&package.folder, manifest).into_iter();
            problems.extend(missing.map(|message| Problem::new(file.clone(), message)));
        }
    }

    /// Whether a manifest that stands where the run starts describes nothing.
    fn is_empty_root(&self, folder: &Path, manifest: &Manifest) -> bool {
        !manifest.has_workspace() && self.scope.workspaces.iter().any(|root| root == folder)
    }

    fn build(
        mut self,
        manifests: &BTreeMap<&Path, Option<&Manifest>>,
        sources: &BTreeSet<PathBuf>,
    ) -> Project {
        let readable: BTreeMap<&Path, &Manifest> =
            manifests.iter().filter_map(|(folder, manifest)| Some((*folder, (*manifest)?))).collect();
        for (folder, manifest) in manifests {
            match manifest {
                Some(manifest) if manifest.has_package() => {
                    let workspace = workspace_above(folder, &readable);
                    self.project.packages.push(Package::new(folder, manifest, workspace, sources));
                }
                Some(manifest) if self.is_empty_root(folder, manifest) => {
                    let file = display_path(&self.scope.root, &folder.join(MANIFEST));
                    self.project.problems.push(Problem::new(file, EMPTY_MANIFEST));
                    self.project.packages.push(Package::broken(folder, sources));
                }
                Some(_) => {}
                None => self.project.packages.push(Package::broken(folder, sources)),
            }
        }
        let roles = self.roles(&readable);
        self.check_targets(&readable, &roles);
        self.add_files(sources, &roles);
        self.drop_unused_packages(&roles);
        self.project.problems.sort_unstable();
        self.project.problems.dedup();
        self.project
    }

    /// What each package is to this run: `Some(true)` when its findings count, `Some(false)` when it is only
    /// followed through, `None` when it has no part.
    fn roles(&self, manifests: &BTreeMap<&Path, &Manifest>) -> Vec<Option<bool>> {
        let packages = &self.project.packages;
        let members: Vec<Members> = self
            .scope
            .workspaces
            .iter()
            .map(|root| match manifests.get(root.as_path()) {
                Some(manifest) => Members::new(root, manifest),
                None => Members::new(root, &Manifest::default()),
            })
            .collect();
        let asked = self.scope.is_workspace();
        let mut roles: Vec<Option<bool>> = packages
            .iter()
            .map(|package| {
                let named = self.scope.folders.iter().any(|folder| package.folder.starts_with(folder));
                let member = members.iter().any(|members| {
                    members.contains(&package.folder)
                        || (package.broken
                            && package.folder.starts_with(&self.scope.root)
                            && !members.excludes(&package.folder))
                });
                if named { Some(true) } else { member.then_some(asked) }
            })
            .collect();
        let excluded = |folder: &Path| members.iter().any(|members| members.excludes(folder));
        let mut waiting: Vec<usize> = (0..roles.len()).filter(|index| roles[*index].is_some()).collect();
        while let Some(index) = waiting.pop() {
            for (_, folder) in &packages[index].path_dependencies {
                let Some(found) = package_in(packages, folder) else { continue };
                if roles[found].is_none() {
                    let inside = folder.starts_with(&self.scope.root) && !excluded(folder);
                    roles[found] = Some(asked && inside && roles[index] == Some(true));
                    waiting.push(found);
                }
            }
        }
        roles
    }

    fn add_files(&mut self, sources: &BTreeSet<PathBuf>, roles: &[Option<bool>]) {
        let folders: BTreeMap<PathBuf, usize> = self
            .project
            .packages
            .iter()
            .enumerate()
            .map(|(index, package)| (package.folder.clone(), index))
            .collect();
        let mut vendor = VendorFolders::default();
        for absolute in sources {
            let package = absolute.ancestors().skip(1).find_map(|folder| folders.get(folder)).copied();
            let file_named = self.scope.files.binary_search(absolute).is_ok();
            let below = self.scope.folders.iter().filter(|folder| absolute.starts_with(folder)).max();
            let role = package.and_then(|index| roles[index]);
            if !file_named && below.is_none() && role.is_none() {
                continue;
            }
            let packaged = package.map(|index| self.project.packages[index].folder.as_path());
            let named = file_named || below.is_some_and(|folder| is_test_folder(folder, packaged));
            let top = below.map_or(self.scope.root.as_path(), PathBuf::as_path);
            let meant = file_named || packaged.is_some_and(|folder| top.starts_with(folder));
            let class = if !file_named && vendor.contains(absolute, top) {
                FileClass::Foreign
            } else {
                match class_of(absolute, packaged, named) {
                    FileClass::Source if !meant && package.is_some_and(|index| self.is_for_show(index)) => {
                        FileClass::Example
                    }
                    class => class,
                }
            };
            let counts = file_named || below.is_some() || role == Some(true);
            self.project.files.push(ProjectFile {
                display: display_path(&self.scope.root, absolute),
                primary: counts && class != FileClass::Foreign && (self.selection.include)(absolute),
                absolute: absolute.clone(),
                package,
                class,
            });
        }
    }

    /// Whether a package serves the tests of the others, by its name: `billing-e2e`, `bench-tools`; or shows how they
    /// are used: `examples/checkout/`.
    fn is_for_show(&self, index: usize) -> bool {
        let package = &self.project.packages[index];
        let mut words = package.name.split(['-', '_']);
        let below = package.folder.strip_prefix(&self.scope.root).unwrap_or(&package.folder);
        self.project.packages.len() > 1
            && (words.any(|word| TEST_WORDS.contains(&word)) || below.iter().any(|part| part == "examples"))
    }

    /// Packages without any file in this run are forgotten; the files' indices follow.
    fn drop_unused_packages(&mut self, roles: &[Option<bool>]) {
        let used: BTreeSet<usize> = self.project.files.iter().filter_map(|file| file.package).collect();
        let keep = |index: usize| used.contains(&index) || roles[index].is_some();
        let mut moved = vec![0; self.project.packages.len()];
        let mut kept = Vec::new();
        for (index, package) in std::mem::take(&mut self.project.packages).into_iter().enumerate() {
            if keep(index) {
                moved[index] = kept.len();
                kept.push(package);
            }
        }
        self.project.packages = kept;
        for file in &mut self.project.files {
            file.package = file.package.map(|index| moved[index]);
        }
    }
}

/// The package in a folder. Asking the file system is slow, and says something else only behind links.
pub fn package_in(packages: &[Package], folder: &Path) -> Option<usize> {
    let of = |folder: &Path| packages.iter().position(|package| package.folder == folder);
    of(&normalize(folder)).or_else(|| of(&folder.canonicalize().ok()?))
}

/// Whether a named folder is, or lies in, the test folder of its package.
fn is_test_folder(folder: &Path, package: Option<&Path>) -> bool {
    package
        .is_some_and(|package| ["tests", "benches"].iter().any(|name| folder.starts_with(package.join(name))))
}

/// Words in the names of packages that serve tests.
const TEST_WORDS: &[&str] = &[
    "test",
    "tests",
    "testing",
    "testkit",
    "e2e",
    "bench",
    "benches",
    "benchmark",
    "benchmarks",
    "fuzz",
    "mock",
    "mocks",
    "smoke",
    "stress",
    "loadtest",
    "xtask",
];

/// What the path says: `tests/`, `benches/` and `examples/` count below a manifest and relative to it.
fn class_of(file: &Path, package: Option<&Path>, named: bool) -> FileClass {
    let relative = package.and_then(|package| file.strip_prefix(package).ok());
    let first = relative.and_then(|path| path.components().next());
    match first.map(|part| part.as_os_str().to_string_lossy()).as_deref() {
        Some("tests" | "benches") if !named => FileClass::Test,
        Some("examples") => FileClass::Example,
        _ => FileClass::Source,
    }
}

/// Recognises folders of code that others wrote or a build left behind. A module may be called `vendor` or
/// `target` too, so the folder must stand beside a manifest or a repository, or say itself what it is.
#[derive(Default)]
struct VendorFolders {
    known: BTreeMap<PathBuf, bool>,
}

impl VendorFolders {
    /// Whether `file` lies in such a folder below `top`.
    fn contains(&mut self, file: &Path, top: &Path) -> bool {
        let Some(folder) = file.parent() else { return false };
        folder.ancestors().take_while(|above| above.starts_with(top) && *above != top).any(
            |above| match above.file_name().and_then(|name| name.to_str()) {
                Some("vendor" | "target") => self.decide(above),
                _ => false,
            },
        )
    }

    fn decide(&mut self, folder: &Path) -> bool {
        if let Some(known) = self.known.get(folder) {
            return *known;
        }
        let beside = folder
            .parent()
            .is_some_and(|parent| [MANIFEST, ".git"].iter().any(|name| parent.join(name).exists()));
        let marked = folder.join("CACHEDIR.TAG").is_file();
        let decided = beside || marked;
        self.known.insert(folder.to_owned(), decided);
        decided
    }
}

impl Project {
    /// The package of a file.
    #[must_use]
    pub fn package_of(&self, file: crate::ir::FileId) -> Option<&Package> {
        self.packages.get(self.files.get(file.0 as usize)?.package?)
    }

    /// The name of a loose file's crate: its stem, or its folder's name for `main.rs`, `lib.rs` and `mod.rs`.
    #[must_use]
    pub fn loose_crate_name(file: &Path) -> String {
        let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let name = match stem.as_str() {
            "main" | "lib" | "mod" => file.parent().map_or_else(|| stem.clone(), folder_name),
            _ => stem,
        };
        name.replace('-', "_")
    }
}
