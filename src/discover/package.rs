//! Packages and their targets, those that Cargo finds by convention included.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::manifest::{Dependency, Edition, Manifest, TargetTable};
use super::normalize;

/// A package of the tree.
#[derive(Clone, Debug)]
pub struct Package {
    /// Its name; the folder's name when the manifest gives none.
    pub name: String,
    /// Its version.
    pub version: Option<String>,
    /// The folder of its manifest.
    pub folder: PathBuf,
    /// Its edition.
    pub edition: Edition,
    /// Its features and what they turn on.
    pub features: BTreeMap<String, Vec<String>>,
    /// Its dependencies, inheritance from the workspace applied.
    pub dependencies: Vec<Dependency>,
    /// Folders of the path dependencies, by crate name.
    pub path_dependencies: Vec<(String, PathBuf)>,
    /// Its targets: library, binaries, build script, examples, tests, benches.
    pub targets: Vec<Target>,
    /// Whether its manifest could not be read, so that its dependencies are not known.
    pub broken: bool,
}

/// A target: one crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// What it is.
    pub kind: TargetKind,
    /// Its crate name.
    pub name: String,
    /// Its root file.
    pub root: PathBuf,
}

/// What a target is. The order is that in which a file shared by several targets is given to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TargetKind {
    /// The library.
    Library,
    /// A binary.
    Binary,
    /// `build.rs`.
    BuildScript,
    /// An example.
    Example,
    /// An integration test.
    Test,
    /// A benchmark.
    Bench,
}

impl TargetKind {
    /// Whether the crate is only compiled for `cargo test` or `cargo bench`.
    #[must_use]
    pub fn is_test(self) -> bool {
        matches!(self, TargetKind::Test | TargetKind::Bench)
    }
}

impl Package {
    /// Whether a feature of a dependency is asked for. A feature that its default features turn on is not seen.
    #[must_use]
    pub fn asks_for_feature(&self, dependency: &str, feature: &str) -> bool {
        self.dependencies
            .iter()
            .filter(|found| found.package == dependency)
            .any(|found| found.features.iter().any(|asked| asked == feature))
    }

    /// The package of a manifest in `folder`. `files` are all Rust files that were found.
    pub(super) fn new(
        folder: &Path,
        manifest: &Manifest,
        workspace: Option<(&Path, &Manifest)>,
        files: &BTreeSet<PathBuf>,
    ) -> Package {
        let shared = workspace.map(|(_, manifest)| manifest);
        let dependencies = manifest.dependencies(shared);
        let path_dependencies = dependencies
            .iter()
            .filter_map(|found| {
                let from = match workspace {
                    Some((root, _)) if found.path_from_workspace => root,
                    _ => folder,
                };
                Some((found.name.clone(), normalize(&from.join(found.path.as_ref()?))))
            })
            .collect();
        let name = manifest.package_name().map_or_else(|| folder_name(folder), str::to_owned);
        Package {
            version: manifest.version(shared),
            folder: folder.to_owned(),
            edition: manifest.edition(shared),
            features: manifest.features(),
            dependencies,
            path_dependencies,
            targets: Targets { folder, manifest, files, package: &name, found: Vec::new() }.find(),
            name,
            broken: false,
        }
    }

    /// A package whose manifest could not be read: its targets are those that Cargo finds by convention.
    pub(super) fn broken(folder: &Path, files: &BTreeSet<PathBuf>) -> Package {
        let package = Package::new(folder, &Manifest::default(), None, files);
        Package { edition: Edition::default(), broken: true, ..package }
    }
}

/// What is wrong with the targets that a manifest describes: those whose file is not there.
pub(super) fn missing_targets(folder: &Path, manifest: &Manifest) -> Vec<String> {
    let library = manifest.lib().into_iter().map(|table| ("library", "src", table));
    let sections = [
        ("binary", "bin", "src/bin"),
        ("example", "example", "examples"),
        ("test", "test", "tests"),
        ("benchmark", "bench", "benches"),
    ];
    let others = sections.into_iter().flat_map(|(what, section, below)| {
        manifest.targets(section).into_iter().map(move |table| (what, below, table))
    });
    let package = manifest.package_name().unwrap_or_default();
    let missing = library.chain(others).filter_map(|(what, below, table)| {
        let places = places(what, below, &table, package);
        if places.iter().any(|place| folder.join(place).is_file()) {
            return None;
        }
        let name = table.name.filter(|_| what != "library").map(|name| format!(" `{name}`"));
        let (name, place) = (name.unwrap_or_default(), places.first()?);
        Some(format!("names the {what}{name} at {place}, which is not there; correct it"))
    });
    missing.collect()
}

/// Where the root file of a target may be, the place to name first. The last one is that of the first edition.
fn places(what: &str, below: &str, table: &TargetTable, package: &str) -> Vec<String> {
    if let Some(path) = &table.path {
        return vec![path.clone()];
    }
    let name = table.name.as_deref().unwrap_or_default();
    let mut places = match what {
        "library" => vec!["src/lib.rs".to_owned()],
        _ => vec![format!("{below}/{name}.rs"), format!("{below}/{name}/main.rs")],
    };
    if what == "binary" && name == package {
        places.push("src/main.rs".to_owned());
    }
    places.push(format!("src/{name}.rs"));
    places
}

/// The last component of a folder's path.
pub(super) fn folder_name(folder: &Path) -> String {
    folder.file_name().map_or_else(|| "root".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// Gathers the targets of one package.
struct Targets<'a> {
    folder: &'a Path,
    manifest: &'a Manifest,
    files: &'a BTreeSet<PathBuf>,
    package: &'a str,
    found: Vec<Target>,
}

impl Targets<'_> {
    fn find(mut self) -> Vec<Target> {
        self.library();
        if self.manifest.automatic("autobins") {
            self.add(TargetKind::Binary, self.package.to_owned(), self.folder.join("src/main.rs"));
        }
        self.section(TargetKind::Binary, "bin", "autobins", "src/bin");
        let script = self.manifest.build_script().unwrap_or("build.rs");
        self.add(TargetKind::BuildScript, "build_script_build".to_owned(), self.folder.join(script));
        self.section(TargetKind::Example, "example", "autoexamples", "examples");
        self.section(TargetKind::Test, "test", "autotests", "tests");
        self.section(TargetKind::Bench, "bench", "autobenches", "benches");
        self.found.sort_by(|left, right| (left.kind, &left.root).cmp(&(right.kind, &right.root)));
        self.found
    }

    fn library(&mut self) {
        let table = self.manifest.lib();
        let path = table.as_ref().and_then(|table| table.path.clone());
        let name = table.and_then(|table| table.name).unwrap_or_else(|| self.package.to_owned());
        self.add(TargetKind::Library, name, self.folder.join(path.as_deref().unwrap_or("src/lib.rs")));
    }

    fn section(&mut self, kind: TargetKind, section: &str, switch: &str, folder: &str) {
        for table in self.manifest.targets(section) {
            self.described(kind, &table, folder);
        }
        if self.manifest.automatic(switch) {
            self.by_convention(kind, &self.folder.join(folder));
        }
    }

    /// A target that the manifest describes; without a path it stands where convention puts its name.
    fn described(&mut self, kind: TargetKind, table: &TargetTable, folder: &str) {
        let name = table.name.clone().unwrap_or_default();
        if let Some(path) = &table.path {
            return self.add(kind, name, self.folder.join(path));
        }
        let folder = self.folder.join(folder);
        for path in [folder.join(format!("{name}.rs")), folder.join(&name).join("main.rs")] {
            self.add(kind, name.clone(), path);
        }
        if kind == TargetKind::Binary && name == self.package {
            self.add(kind, name, self.folder.join("src/main.rs"));
        }
    }

    /// `folder/x.rs` and `folder/x/main.rs`.
    fn by_convention(&mut self, kind: TargetKind, folder: &Path) {
        let below: Vec<&PathBuf> =
            self.files.range(folder.to_owned()..).take_while(|file| file.starts_with(folder)).collect();
        for file in below {
            let Ok(relative) = file.strip_prefix(folder) else { continue };
            let direct = relative.components().count() == 1;
            let main = relative.components().count() == 2 && relative.ends_with("main.rs");
            let named = if direct { relative.file_stem() } else { relative.parent().map(Path::as_os_str) };
            if let Some(name) = named.filter(|_| direct || main) {
                self.add(kind, name.to_string_lossy().into_owned(), file.clone());
            }
        }
    }

    fn add(&mut self, kind: TargetKind, name: String, root: PathBuf) {
        let root = normalize(&root);
        if self.files.contains(&root) && !self.found.iter().any(|found| found.root == root) {
            self.found.push(Target { kind, name: name.replace('-', "_"), root });
        }
    }
}
