//! Which files, packages, crates and modules are found.

mod support;

use std::path::{Path, PathBuf};

use cargo_samekey::discover::{FileClass, Layout, Project, Scope, Selection, TargetKind, discover};
use cargo_samekey::source::syntax::module_declarations;
use support::Folder;

fn project(current_dir: &Path, paths: &[&str]) -> Project {
    let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
    let scope = Scope::resolve(current_dir, &paths);
    discover(&scope, &Selection { exclude: &|_| false, include: &|_| true, threads: 2 })
}

fn layout(project: &Project) -> Layout {
    let texts = project.files.iter().map(|file| std::fs::read_to_string(&file.absolute).unwrap());
    let declarations: Vec<_> = texts.map(|text| module_declarations(&text)).collect();
    Layout::new(project, &declarations)
}

fn files(project: &Project) -> Vec<&str> {
    project.files.iter().map(|file| file.display.as_str()).collect()
}

fn primary(project: &Project) -> Vec<&str> {
    project.files.iter().filter(|file| file.primary).map(|file| file.display.as_str()).collect()
}

/// Each file with its crate and module, `crate::a::b`.
fn modules(project: &Project) -> Vec<(String, String)> {
    let layout = layout(project);
    let place = |index: usize| {
        let place = &layout.places[index];
        let names = std::iter::once(layout.crates[place.krate].name.as_str())
            .chain(place.module.iter().map(|name| name.as_str()));
        names.collect::<Vec<_>>().join("::")
    };
    project.files.iter().enumerate().map(|(index, file)| (file.display.clone(), place(index))).collect()
}

fn expect_modules(project: &Project, expected: &[(&str, &str)]) {
    let found = modules(project);
    let found: Vec<(&str, &str)> =
        found.iter().map(|(file, module)| (file.as_str(), module.as_str())).collect();
    assert_eq!(found, expected);
}

fn workspace() -> Folder {
    Folder::with(&[
        (
            "Cargo.toml",
            "[workspace]\nmembers = [\"crates/*\", \"app\"]\nexclude = [\"crates/old\"]\n[workspace.package]\nedition = \"2024\"",
        ),
        (
            "app/Cargo.toml",
            "[package]\nname = \"the-app\"\nedition.workspace = true\n[dependencies]\nkeys = { package = \"billing-keys\", path = \"../crates/keys\" }\nuid = { package = \"uuid\", version = \"1\" }\nside = { path = \"../side\" }",
        ),
        ("app/src/main.rs", "mod http;\n"),
        ("app/src/http.rs", ""),
        ("app/src/bin/worker.rs", ""),
        ("app/src/bin/tool/main.rs", "mod part;"),
        ("app/src/bin/tool/part.rs", ""),
        (
            "crates/keys/Cargo.toml",
            "[package]\nname = \"billing-keys\"\n[lib]\nname = \"bkeys\"\npath = \"lib/root.rs\"",
        ),
        (
            "crates/keys/lib/root.rs",
            "pub mod deep;\nmod inline { pub mod far; #[path = \"odd name.rs\"] mod odd; }",
        ),
        ("crates/keys/lib/deep/mod.rs", "mod er;"),
        ("crates/keys/lib/deep/er.rs", ""),
        ("crates/keys/lib/inline/far.rs", ""),
        ("crates/keys/lib/inline/odd name.rs", ""),
        ("crates/old/Cargo.toml", "[package]\nname = \"old\""),
        ("crates/old/src/lib.rs", ""),
        ("side/Cargo.toml", "[package]\nname = \"side\""),
        ("side/src/lib.rs", ""),
        ("scripts/loose.rs", ""),
        (".hidden/x.rs", ""),
    ])
}

#[test]
fn a_workspace_has_its_members_and_path_dependencies() {
    let folder = workspace();
    let project = project(&folder.path, &[]);
    expect_modules(
        &project,
        &[
            ("app/src/bin/tool/main.rs", "tool"),
            ("app/src/bin/tool/part.rs", "tool::part"),
            ("app/src/bin/worker.rs", "worker"),
            ("app/src/http.rs", "the_app::http"),
            ("app/src/main.rs", "the_app"),
            ("crates/keys/lib/deep/er.rs", "bkeys::deep::er"),
            ("crates/keys/lib/deep/mod.rs", "bkeys::deep"),
            ("crates/keys/lib/inline/far.rs", "bkeys::inline::far"),
            ("crates/keys/lib/inline/odd name.rs", "bkeys::inline::odd"),
            ("crates/keys/lib/root.rs", "bkeys"),
            ("side/src/lib.rs", "side"),
        ],
    );
    assert_eq!(primary(&project), files(&project));
    assert!(project.problems.is_empty(), "{:?}", project.problems);
}

#[test]
fn crates_see_their_dependencies_under_the_right_names() {
    let folder = workspace();
    let project = project(&folder.path, &[]);
    let layout = layout(&project);
    let app = layout.crates.iter().find(|krate| krate.name == "the_app").unwrap();
    let names: Vec<_> = app
        .dependencies
        .iter()
        .map(|(name, index)| (name.as_str(), layout.crates[*index].name.as_str()))
        .collect();
    assert_eq!(names, [("keys", "bkeys"), ("side", "side")]);
    assert_eq!(app.external, ["uid"]);
    assert_eq!(app.renamed, [("uid".into(), "uuid".into())]);
}

#[test]
fn the_workspace_is_found_from_a_folder_inside_it() {
    let folder = workspace();
    let inside = project(&folder.join("app/src"), &[]);
    assert_eq!(inside.root, folder.path);
    assert!(files(&inside).contains(&"crates/keys/lib/root.rs"));
}

#[test]
fn a_named_file_is_reported_and_its_workspace_followed() {
    let folder = workspace();
    let named = project(&folder.path, &["app/src/http.rs"]);
    assert_eq!(primary(&named), ["app/src/http.rs"]);
    assert!(files(&named).contains(&"crates/keys/lib/root.rs"));
}

#[test]
fn packages_for_tests_and_examples_count_as_examples_unless_they_are_named() {
    let folder = Folder::with(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"app\", \"app-e2e\", \"examples/pay\"]"),
        ("app/Cargo.toml", "[package]\nname = \"app\""),
        ("app/src/lib.rs", ""),
        ("app-e2e/Cargo.toml", "[package]\nname = \"app-e2e\""),
        ("app-e2e/src/lib.rs", ""),
        ("examples/pay/Cargo.toml", "[package]\nname = \"pay\""),
        ("examples/pay/src/main.rs", ""),
    ]);
    let class = |paths: &[&str], file: &str| {
        let project = project(&folder.path, paths);
        let index = project.files.iter().position(|known| known.display.ends_with(file)).unwrap();
        layout(&project).places[index].class
    };
    for file in ["app-e2e/src/lib.rs", "examples/pay/src/main.rs"] {
        assert_eq!(class(&[], file), FileClass::Example);
        assert_eq!(class(&[file], file), FileClass::Source);
    }
    assert_eq!(class(&["app-e2e"], "app-e2e/src/lib.rs"), FileClass::Source);
    assert_eq!(class(&[], "app/src/lib.rs"), FileClass::Source);
}

#[test]
fn test_code_is_known_by_target_and_below_a_manifest() {
    let folder = Folder::with(&[
        (
            "Cargo.toml",
            "[package]\nname = \"p\"\nautobenches = false\n[[test]]\nname = \"named\"\npath = \"qa/named.rs\"",
        ),
        ("src/lib.rs", "mod tests_of_steel;\n#[cfg(test)] mod t;"),
        ("src/tests_of_steel.rs", ""),
        ("src/t.rs", "mod u;"),
        ("src/t/u.rs", ""),
        ("tests/it.rs", "mod common;"),
        ("tests/common/mod.rs", ""),
        ("tests/data/case.rs", ""),
        ("benches/b.rs", ""),
        ("qa/named.rs", ""),
        ("examples/e.rs", ""),
        ("build.rs", ""),
    ]);
    let project = project(&folder.path, &[]);
    let layout = layout(&project);
    let class =
        |path: &str| layout.places[project.files.iter().position(|file| file.display == path).unwrap()].class;
    for test in [
        "src/t.rs",
        "src/t/u.rs",
        "tests/it.rs",
        "tests/common/mod.rs",
        "tests/data/case.rs",
        "benches/b.rs",
        "qa/named.rs",
    ] {
        assert_eq!(class(test), FileClass::Test, "{test}");
    }
    for source in ["src/lib.rs", "src/tests_of_steel.rs", "build.rs"] {
        assert_eq!(class(source), FileClass::Source, "{source}");
    }
    assert_eq!(class("examples/e.rs"), FileClass::Example);
    let kinds: Vec<TargetKind> = project.packages[0].targets.iter().map(|target| target.kind).collect();
    assert_eq!(
        kinds,
        [
            TargetKind::Library,
            TargetKind::BuildScript,
            TargetKind::Example,
            TargetKind::Test,
            TargetKind::Test
        ]
    );
}

#[test]
fn a_named_loose_file_is_never_test_code() {
    let folder = Folder::with(&[
        ("Cargo.toml", "[package]\nname = \"p\""),
        ("src/lib.rs", ""),
        ("tests/cases/one.rs", ""),
        ("tests/it.rs", ""),
    ]);
    for (path, class) in [
        ("tests/cases/one.rs", FileClass::Source),
        ("tests/cases", FileClass::Source),
        ("tests/it.rs", FileClass::Test),
    ] {
        let project = project(&folder.path, &[path]);
        let layout = layout(&project);
        let index = project.files.iter().position(|file| file.primary).unwrap();
        assert_eq!(layout.places[index].class, class, "{path}");
    }
    let bare = Folder::with(&[("tests/case.rs", "")]);
    let project = project(&bare.path, &["."]);
    assert_eq!(layout(&project).places[0].class, FileClass::Source);
}

#[test]
fn loose_files_are_linked_by_their_declarations_only() {
    let folder = Folder::with(&[
        ("one/main.rs", "mod helper;"),
        ("one/helper.rs", "mod inner;"),
        ("one/helper/inner.rs", ""),
        ("two.rs", ""),
        ("three.rs", "mod four;"),
        ("four.rs", ""),
        ("circle_a.rs", "mod circle_b;"),
        ("circle_b.rs", "mod circle_a;"),
    ]);
    let project = project(&folder.path, &["."]);
    expect_modules(
        &project,
        &[
            ("circle_a.rs", "circle_a"),
            ("circle_b.rs", "circle_a::circle_b"),
            ("four.rs", "three::four"),
            ("one/helper/inner.rs", "one::helper::inner"),
            ("one/helper.rs", "one::helper"),
            ("one/main.rs", "one"),
            ("three.rs", "three"),
            ("two.rs", "two"),
        ],
    );
}

#[test]
fn a_path_attribute_that_leaves_the_root_is_refused() {
    let folder = Folder::with(&[
        ("outside.rs", "fn secret() {}"),
        ("root/Cargo.toml", "[package]\nname = \"p\""),
        ("root/src/lib.rs", "#[path = \"../../outside.rs\"]\nmod out;"),
    ]);
    let project = project(&folder.join("root"), &[]);
    assert_eq!(files(&project), ["src/lib.rs"]);
    let layout = layout(&project);
    assert_eq!(layout.problems.len(), 1);
    assert_eq!(
        layout.problems[0].message,
        "#[path = \"../../outside.rs\"] leaves the analysed folder and is not followed"
    );
}

#[test]
fn an_undeclared_file_stands_where_convention_puts_it() {
    let folder = Folder::with(&[
        ("Cargo.toml", "[package]\nname = \"p\""),
        ("src/lib.rs", "include!(\"a/b.rs\");"),
        ("src/a/b.rs", ""),
        ("extra/c.rs", ""),
    ]);
    expect_modules(
        &project(&folder.path, &[]),
        &[("extra/c.rs", "c"), ("src/a/b.rs", "p::a::b"), ("src/lib.rs", "p")],
    );
}

#[test]
fn git_ignored_files_are_left_out_and_vendored_ones_only_followed() {
    let folder = Folder::with(&[
        (".git/HEAD", "ref: refs/heads/main"),
        (".gitignore", "/generated\n"),
        ("Cargo.toml", "[package]\nname = \"p\""),
        ("src/lib.rs", "mod vendor;"),
        ("src/vendor.rs", "mod x;"),
        ("src/vendor/x.rs", ""),
        ("generated/a.rs", ""),
        ("vendor/dep/src/lib.rs", ""),
        ("target/debug/out.rs", ""),
    ]);
    let project = project(&folder.path, &[]);
    assert_eq!(primary(&project), ["src/lib.rs", "src/vendor/x.rs", "src/vendor.rs"]);
    assert!(files(&project).contains(&"vendor/dep/src/lib.rs"));
    assert!(!files(&project).contains(&"generated/a.rs"));
}

#[test]
fn a_path_dependency_outside_the_root_is_followed_but_not_reported() {
    let folder = Folder::with(&[
        ("shared/Cargo.toml", "[package]\nname = \"shared\""),
        ("shared/src/lib.rs", ""),
        ("app/Cargo.toml", "[package]\nname = \"app\"\n[dependencies]\nshared = { path = \"../shared\" }"),
        ("app/src/main.rs", ""),
    ]);
    let project = project(&folder.join("app"), &[]);
    assert_eq!(files(&project), ["src/main.rs", "../shared/src/lib.rs"]);
    assert_eq!(primary(&project), ["src/main.rs"]);
    assert_eq!(
        layout(&project).crates.iter().map(|krate| krate.dependencies.len()).collect::<Vec<_>>(),
        [1, 0]
    );
}

#[test]
fn packages_know_versions_and_features() {
    let folder = Folder::with(&[
        (
            "Cargo.toml",
            "[package]\nname = \"p\"\nversion = \"0.3.0\"\n[features]\nlive = [\"dep:x\"]\n[dependencies]\nasync-stripe = { version = \"1.0\", features = [\"uuid\"] }",
        ),
        ("src/lib.rs", ""),
    ]);
    let project = project(&folder.path, &[]);
    let package = project.package_of(cargo_samekey::ir::FileId(0)).unwrap();
    assert!(package.asks_for_feature("async-stripe", "uuid"));
    assert!(!package.asks_for_feature("async-stripe", "blocking"));
    assert_eq!(package.dependencies[0].version.as_deref(), Some("1.0"));
    assert_eq!(package.features["live"], ["dep:x"]);
    assert_eq!(package.version.as_deref(), Some("0.3.0"));
}

#[test]
fn odd_but_valid_command_lines() {
    let folder = workspace();
    let one = project(&folder.path, &["app", "app/src", "app/src/http.rs", "./app/../app"]);
    let twice = files(&one).iter().filter(|file| **file == "app/src/http.rs").count();
    assert_eq!(twice, 1);
    let manifest = project(&folder.path, &["app/Cargo.toml"]);
    assert!(primary(&manifest).contains(&"app/src/main.rs"));
}

#[test]
fn an_empty_manifest_is_named_and_its_files_are_analysed() {
    let folder = Folder::with(&[("Cargo.toml", ""), ("src/lib.rs", "mod a;"), ("src/a.rs", "")]);
    let found = project(&folder.path, &[]);
    assert_eq!(primary(&found), ["src/a.rs", "src/lib.rs"]);
    let messages: Vec<(&str, &str)> =
        found.problems.iter().map(|problem| (problem.file.as_str(), problem.message.as_str())).collect();
    assert_eq!(
        messages,
        [(
            "Cargo.toml",
            "has neither a [package] nor a [workspace] table, so no dependencies are known; add one"
        )]
    );
    // Below a workspace, such a file is no member that anybody asked for.
    let folder = Folder::with(&[
        ("Cargo.toml", "[package]\nname = \"a\""),
        ("src/lib.rs", ""),
        ("data/Cargo.toml", ""),
        ("data/x.rs", ""),
    ]);
    assert_eq!(project(&folder.path, &[]).problems, []);
}

#[test]
fn targets_that_cannot_be_found_are_named() {
    let manifest = "[package]\nname = \"a\"\n[lib]\npath = \"src/gone.rs\"\n[[bin]]\nname = \"tool\"\n[[bin]]\n\
                    name = \"a\"\n[[bin]]\nname = \"far\"\npath = \"deep/far.rs\"\n[[test]]\nname = \"t\"\n";
    let folder = Folder::with(&[
        ("Cargo.toml", manifest),
        ("src/main.rs", ""),
        ("deep/far.rs", ""),
        ("other/Cargo.toml", "[package]\nname = \"other\"\n[lib]\npath = \"nowhere.rs\"\n"),
        ("other/src/lib.rs", ""),
    ]);
    let found = project(&folder.path, &[]);
    let messages: Vec<(&str, &str)> =
        found.problems.iter().map(|problem| (problem.file.as_str(), problem.message.as_str())).collect();
    assert_eq!(
        messages,
        [
            ("Cargo.toml", "names the binary `tool` at src/bin/tool.rs, which is not there; correct it"),
            ("Cargo.toml", "names the library at src/gone.rs, which is not there; correct it"),
            ("Cargo.toml", "names the test `t` at tests/t.rs, which is not there; correct it"),
        ],
        "and nothing about a package that has no part in the run"
    );
}
