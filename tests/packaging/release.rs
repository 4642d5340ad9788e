//! Releases: the names that are published are the names that are looked for.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use yaml_rust2::Yaml;

use super::stage::yaml;
use super::support::Folder;
use super::tools::committed;

/// The target of this machine among those that are released.
pub fn host_target() -> String {
    let system = if cfg!(target_os = "macos") { "apple-darwin" } else { "unknown-linux-gnu" };
    format!("{}-{system}", std::env::consts::ARCH)
}

/// Packs a binary as a release does. Returns the archive. A script that starts the binary of this build stands in for
/// it: with what a debugger wants to know it takes seconds to pack.
pub fn archive(target: &str, folder: &Path) -> PathBuf {
    let tool = env!("CARGO_BIN_EXE_cargo-samekey");
    let stand_in = Folder::with(&[("cargo-samekey", &format!("#!/bin/sh\nexec '{tool}' \"$@\"\n"))]);
    let binary = stand_in.join("cargo-samekey");
    fs::set_permissions(&binary, fs::Permissions::from_mode(0o755)).unwrap();
    let output = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging/archive.sh"))
        .arg(target)
        .args([binary.as_path(), folder])
        .arg(tool)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    folder.join(String::from_utf8(output.stdout).unwrap().trim())
}

fn manifest() -> toml::Table {
    committed("Cargo.toml").parse().unwrap()
}

/// A text of `[package.metadata.binstall]` for a target.
fn binstall(target: &str, key: &str) -> String {
    let manifest = manifest();
    let metadata = &manifest["package"]["metadata"]["binstall"];
    let special = metadata.get("overrides").and_then(|overrides| overrides.get(target));
    let value = special.and_then(|special| special.get(key)).unwrap_or(&metadata[key]);
    let repository = manifest["workspace"]["package"]["repository"].as_str().unwrap();
    let binary = if target.contains("windows") { ".exe" } else { "" };
    let mut text = value.as_str().unwrap().to_owned();
    for (name, value) in [
        ("repo", repository),
        ("name", "cargo-samekey"),
        ("bin", "cargo-samekey"),
        ("version", env!("CARGO_PKG_VERSION")),
        ("target", target),
        ("binary-ext", binary),
    ] {
        text = text.replace(&format!("{{ {name} }}"), value);
    }
    assert!(!text.contains('{'), "{text}");
    text
}

fn workflow() -> Yaml {
    yaml(&committed(".github/workflows/release.yml"))
}

fn targets(job: &str) -> BTreeSet<String> {
    let workflow = workflow();
    let rows = workflow["jobs"][job]["strategy"]["matrix"]["include"].as_vec().unwrap();
    rows.iter().map(|row| row["target"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_archive_of_each_target_is_the_one_that_binstall_downloads() {
    let folder = Folder::new();
    for target in targets("archives") {
        let archive = archive(&target, &folder.path);
        let name = archive.file_name().unwrap().to_str().unwrap();
        let version = env!("CARGO_PKG_VERSION");
        let expected = format!("https://github.com/samekey/samekey/releases/download/v{version}/{name}");
        assert_eq!(binstall(&target, "pkg-url"), expected);
        let format = if name.ends_with(".zip") { "zip" } else { "tgz" };
        assert_eq!(binstall(&target, "pkg-fmt"), format, "{target}");
        assert!(archive.is_file() && folder.join(format!("{name}.sha256")).is_file(), "{target}");
        // The binary that is packed here has no ending, on whichever target.
        let binary = binstall(&target, "bin-dir").replace(".exe", "");
        let files = listed(&archive);
        assert!(files.contains(&binary), "{binary} is not in {files:?}");
        for other in ["LICENSE-MIT", "man/cargo-samekey.1", "completions/cargo-samekey.zsh"] {
            let other = format!("{}/{other}", binary.rsplit_once('/').unwrap().0);
            assert!(files.contains(&other), "{other} is not in {files:?}");
        }
    }
}

/// The files in an archive.
fn listed(archive: &Path) -> BTreeSet<String> {
    let program = if archive.extension().is_some_and(|extension| extension == "zip") {
        "import sys, zipfile; print(*zipfile.ZipFile(sys.argv[1]).namelist(), sep='\\n')"
    } else {
        "import sys, tarfile; print(*tarfile.open(sys.argv[1]).getnames(), sep='\\n')"
    };
    let output = Command::new("python3").args(["-c", program]).arg(archive).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn archives_and_wheels_are_for_the_same_targets() {
    assert_eq!(targets("archives"), targets("wheels"));
    assert!(targets("archives").contains(&host_target()), "{}", host_target());
}

/// What the action looks for on a machine is what is built for it.
#[test]
fn every_target_that_the_action_names_is_built_or_compiled_there() {
    let script = committed("packaging/install.sh");
    for target in targets("archives") {
        let (machine, system) = target.split_once('-').unwrap();
        assert!(script.contains(&format!("machine={machine}")), "{target}");
        assert!(script.contains(&format!("$machine-{system}")), "{target}");
    }
}

#[test]
fn the_workflow_starts_at_version_tags_and_publishes_what_it_packs() {
    let workflow = workflow();
    assert_eq!(workflow["on"]["push"]["tags"][0].as_str(), Some("v*"));
    let text = committed(".github/workflows/release.yml");
    for used in ["packaging/archive.sh \"$TARGET\" \"$binary\" archives", "gh release create", "archives/*"] {
        assert!(text.contains(used), "{used}");
    }
    for (name, job) in super::stage::entries(&workflow["jobs"]) {
        let names: Vec<&str> =
            super::stage::entries(&workflow["jobs"]).iter().map(|(name, _)| *name).collect();
        let needs = match &job["needs"] {
            Yaml::String(needed) => vec![needed.clone()],
            Yaml::Array(needed) => needed.iter().map(super::stage::scalar).collect(),
            _ => Vec::new(),
        };
        assert!(needs.iter().all(|needed| names.contains(&needed.as_str())), "{name}: {needs:?}");
    }
    let check = workflow["jobs"]["version"]["steps"][1]["run"].as_str().unwrap();
    for (tag, fits) in [(format!("v{}", env!("CARGO_PKG_VERSION")), true), ("v99.0.0".to_owned(), false)] {
        let ran = Command::new("bash")
            .args(["-e", "-o", "pipefail", "-c", check])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .env("TAG", &tag)
            .status()
            .unwrap();
        assert_eq!(ran.success(), fits, "{tag}");
    }
}

/// The hooks, the wheel and the texts speak about the same program.
#[test]
fn the_wheel_takes_version_and_licences_from_the_crate() {
    let project: toml::Table = committed("pyproject.toml").parse().unwrap();
    let (project, maturin) = (&project["project"], &project["tool"]["maturin"]);
    let manifest = manifest();
    let package = &manifest["package"];
    for key in ["name", "description", "readme"] {
        assert_eq!(project[key], package[key], "{key}");
    }
    assert_eq!(project["license"], manifest["workspace"]["package"]["license"]);
    assert_eq!(project["dynamic"][0].as_str(), Some("version"));
    assert_eq!(maturin["bindings"].as_str(), Some("bin"));
    for file in project["license-files"].as_array().unwrap() {
        assert!(fs::exists(Path::new(env!("CARGO_MANIFEST_DIR")).join(file.as_str().unwrap())).unwrap());
    }
}
