//! Reads `Cargo.toml` leniently: what it does not understand it ignores, as long as the file is TOML.

use std::collections::BTreeMap;

use toml::{Table, Value};

/// A manifest as written, before anything is inherited from the workspace.
#[derive(Clone, Debug, Default)]
pub(super) struct Manifest {
    root: Table,
}

/// The edition of a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Edition {
    /// Rust 2015, where paths in `use` start at the crate root; also a package that names no edition.
    Edition2015,
    /// Rust 2018.
    Edition2018,
    /// Rust 2021; also a loose file.
    #[default]
    Edition2021,
    /// Rust 2024 and later.
    Edition2024,
}

/// When a dependency is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DependencyKind {
    /// By the package itself.
    Normal,
    /// By its tests, benches and examples.
    Development,
    /// By its build script.
    Build,
}

/// A dependency with what it inherits from the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// The crate name in code: the key with `_` for `-`.
    pub name: String,
    /// The package's name, which `package = ".."` may set.
    pub package: String,
    /// The version requirement.
    pub version: Option<String>,
    /// The features that are asked for.
    pub features: Vec<String>,
    /// Whether its default features are on.
    pub default_features: bool,
    /// The folder of a path dependency, relative to the manifest that wrote it.
    pub path: Option<String>,
    /// Whether `path` was written in the workspace's manifest.
    pub path_from_workspace: bool,
    /// Whether it is optional.
    pub optional: bool,
    /// When it is used.
    pub kind: DependencyKind,
}

/// A target that a manifest describes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TargetTable {
    pub name: Option<String>,
    pub path: Option<String>,
}

impl Manifest {
    /// Parses a manifest.
    ///
    /// # Errors
    /// The line, from 1, and what is wrong, when the text is not TOML.
    pub(super) fn parse(text: &str) -> Result<Manifest, (Option<u32>, String)> {
        text.parse::<Table>().map(|root| Manifest { root }).map_err(|error| {
            let before = error.span().and_then(|span| text.get(..span.start));
            let line = before.map(|before| before.bytes().filter(|byte| *byte == b'\n').count() + 1);
            let message = error.message().lines().next().unwrap_or("invalid TOML").to_owned();
            (line.and_then(|line| u32::try_from(line).ok()), message)
        })
    }

    pub(super) fn has_package(&self) -> bool {
        self.package().is_some()
    }

    pub(super) fn has_workspace(&self) -> bool {
        self.workspace().is_some()
    }

    pub(super) fn package_name(&self) -> Option<&str> {
        self.package()?.get("name")?.as_str()
    }

    /// The value of `package.workspace`: where the root of the workspace is.
    pub(super) fn workspace_path(&self) -> Option<&str> {
        self.package()?.get("workspace")?.as_str()
    }

    /// `workspace.members` and `workspace.default-members`.
    pub(super) fn members(&self) -> Vec<&str> {
        let Some(workspace) = self.workspace() else { return Vec::new() };
        let lists = ["members", "default-members", "default_members"];
        lists.into_iter().flat_map(|key| strings(workspace.get(key))).collect()
    }

    pub(super) fn exclude(&self) -> Vec<&str> {
        self.workspace().map(|workspace| strings(workspace.get("exclude"))).unwrap_or_default()
    }

    /// The version of the package.
    pub(super) fn version(&self, workspace: Option<&Manifest>) -> Option<String> {
        Some(self.inherited("version", workspace)?.as_str()?.to_owned())
    }

    /// The edition of the package; 2015 when it names none.
    pub(super) fn edition(&self, workspace: Option<&Manifest>) -> Edition {
        match self.inherited("edition", workspace).and_then(Value::as_str) {
            None | Some("2015") => Edition::Edition2015,
            Some("2018") => Edition::Edition2018,
            Some("2021") => Edition::Edition2021,
            Some(_) => Edition::Edition2024,
        }
    }

    /// `[features]`: what each feature turns on.
    pub(super) fn features(&self) -> BTreeMap<String, Vec<String>> {
        let features = self.root.get("features").and_then(Value::as_table).into_iter().flatten();
        features
            .map(|(name, enables)| {
                (name.clone(), strings(Some(enables)).into_iter().map(str::to_owned).collect())
            })
            .collect()
    }

    /// All dependencies, those of `[target.'..']` included.
    pub(super) fn dependencies(&self, workspace: Option<&Manifest>) -> Vec<Dependency> {
        let targets = self.root.get("target").and_then(Value::as_table).into_iter().flatten();
        let tables = std::iter::once(&self.root).chain(targets.filter_map(|(_, table)| table.as_table()));
        let sections = [
            ("dependencies", DependencyKind::Normal),
            ("dev-dependencies", DependencyKind::Development),
            ("dev_dependencies", DependencyKind::Development),
            ("build-dependencies", DependencyKind::Build),
            ("build_dependencies", DependencyKind::Build),
        ];
        let mut found = Vec::new();
        for table in tables {
            for (section, kind) in sections {
                let entries = table.get(section).and_then(Value::as_table).into_iter().flatten();
                found.extend(entries.map(|(key, value)| dependency(key, value, kind, workspace)));
            }
        }
        found
    }

    /// `[lib]`.
    pub(super) fn lib(&self) -> Option<TargetTable> {
        self.root.get("lib").map(target_table)
    }

    /// `[[bin]]`, `[[test]]`, `[[bench]]` or `[[example]]`.
    pub(super) fn targets(&self, section: &str) -> Vec<TargetTable> {
        match self.root.get(section) {
            Some(Value::Array(tables)) => tables.iter().map(target_table).collect(),
            _ => Vec::new(),
        }
    }

    /// Whether a switch such as `autobins` is left on.
    pub(super) fn automatic(&self, switch: &str) -> bool {
        self.package().and_then(|package| package.get(switch)?.as_bool()).unwrap_or(true)
    }

    /// The path of the build script, when the manifest names one.
    pub(super) fn build_script(&self) -> Option<&str> {
        self.package()?.get("build")?.as_str()
    }

    fn package(&self) -> Option<&Table> {
        self.root.get("package").or_else(|| self.root.get("project"))?.as_table()
    }

    fn workspace(&self) -> Option<&Table> {
        self.root.get("workspace")?.as_table()
    }

    /// A value of `[package]`, or of `[workspace.package]` when it says `key.workspace = true`.
    fn inherited<'a>(&'a self, key: &str, workspace: Option<&'a Manifest>) -> Option<&'a Value> {
        let own = self.package()?.get(key)?;
        if own.get("workspace").and_then(Value::as_bool) == Some(true) {
            return workspace?.workspace()?.get("package")?.get(key);
        }
        Some(own)
    }
}

fn dependency(key: &str, value: &Value, kind: DependencyKind, workspace: Option<&Manifest>) -> Dependency {
    let from_workspace = value.get("workspace").and_then(Value::as_bool) == Some(true);
    let shared = from_workspace
        .then(|| workspace?.workspace()?.get("dependencies")?.get(key))
        .flatten()
        .unwrap_or(value);
    let text = |name: &str| shared.get(name).and_then(Value::as_str).map(str::to_owned);
    let switch = |table: &Value| {
        let value = table.get("default-features").or_else(|| table.get("default_features"));
        value.and_then(Value::as_bool)
    };
    let mut features: Vec<String> = strings(shared.get("features")).into_iter().map(str::to_owned).collect();
    if from_workspace {
        features.extend(strings(value.get("features")).into_iter().map(str::to_owned));
    }
    features.sort_unstable();
    features.dedup();
    Dependency {
        name: key.replace('-', "_"),
        package: text("package").unwrap_or_else(|| key.to_owned()),
        version: shared.as_str().map(str::to_owned).or_else(|| text("version")),
        features,
        default_features: switch(shared).or_else(|| switch(value)).unwrap_or(true),
        path: text("path"),
        path_from_workspace: from_workspace,
        optional: value.get("optional").and_then(Value::as_bool).unwrap_or(false),
        kind,
    }
}

fn target_table(value: &Value) -> TargetTable {
    let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    TargetTable { name: text("name"), path: text("path") }
}

fn strings(value: Option<&Value>) -> Vec<&str> {
    value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(text: &str) -> Manifest {
        Manifest::parse(text).unwrap()
    }

    #[test]
    fn inherits_from_the_workspace() {
        let workspace = manifest(
            "[workspace.package]\nedition = \"2024\"\nversion = \"1.2.3\"\n[workspace.dependencies]\n\
             stripe = { package = \"async-stripe\", version = \"1.0\", default-features = false, features = [\"a\"] }\n\
             core = { path = \"crates/core\" }",
        );
        let member = manifest(
            "[package]\nname = \"m\"\nedition.workspace = true\nversion = { workspace = true }\n[dependencies]\n\
             stripe = { workspace = true, features = [\"uuid\"] }\ncore.workspace = true\nserde = \"1\"",
        );
        assert_eq!(member.edition(Some(&workspace)), Edition::Edition2024);
        assert_eq!(member.version(Some(&workspace)).as_deref(), Some("1.2.3"));
        let found = member.dependencies(Some(&workspace));
        let stripe = found.iter().find(|found| found.name == "stripe").unwrap();
        assert_eq!(stripe.package, "async-stripe");
        assert_eq!(stripe.version.as_deref(), Some("1.0"));
        assert_eq!(stripe.features, ["a", "uuid"]);
        assert!(!stripe.default_features);
        let core = found.iter().find(|found| found.name == "core").unwrap();
        assert_eq!((core.path.as_deref(), core.path_from_workspace), (Some("crates/core"), true));
    }

    #[test]
    fn reads_target_specific_dependencies_and_renames() {
        let found = manifest(
            "[target.'cfg(unix)'.dependencies]\nmy-uuid = { package = \"uuid\", version = \"1\" }\n\
             [dev-dependencies]\nmockito = \"1\"",
        )
        .dependencies(None);
        assert_eq!((found[0].name.as_str(), found[0].kind), ("mockito", DependencyKind::Development));
        assert_eq!((found[1].name.as_str(), found[1].package.as_str()), ("my_uuid", "uuid"));
    }

    #[test]
    fn a_package_without_an_edition_is_of_2015() {
        assert_eq!(manifest("[package]\nname = \"a\"").edition(None), Edition::Edition2015);
    }

    #[test]
    fn names_the_line_of_a_syntax_error() {
        let (line, message) = Manifest::parse("[package]\nname = \n").unwrap_err();
        assert_eq!(line, Some(2));
        assert!(!message.is_empty());
    }

    #[test]
    fn odd_shapes_are_ignored() {
        let odd = manifest("package = 3\nlib = []\nbin = 1\nfeatures = \"x\"\n[workspace]\nmembers = 1");
        assert!(!odd.has_package() && odd.has_workspace());
        assert!(
            odd.members().is_empty() && odd.targets("bin").is_empty() && odd.dependencies(None).is_empty()
        );
    }
}
