//! The configuration's schema, sample and effective values.

use std::path::Path;

use cargo_samekey::config;
use cargo_samekey::driver::Analysis;
use cargo_samekey::rules::Rules;
use serde_json::Value;

use crate::support::{Folder, binary};
use crate::tools::{committed, json, violations};

/// Written anew with `SAMEKEY_BLESS=1`.
#[test]
fn the_committed_schema_is_that_of_the_program() {
    let schema = config::schema(Rules.rules());
    if std::env::var_os("SAMEKEY_BLESS").is_some() {
        std::fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema/config.json"), &schema)
            .unwrap();
    }
    assert_eq!(committed("docs/schema/config.json"), schema, "SAMEKEY_BLESS=1 writes it anew");
    let folder = Folder::new();
    assert_eq!(binary(&folder.path, &["config", "--schema"], &[]).stdout, schema);
}

/// What the reader takes the schema takes, and the other way round.
#[test]
fn schema_and_reader_agree() {
    let schema = json(&config::schema(Rules.rules()));
    let cases = [
        ("", true),
        (
            "include = [\"a\"]\nexclude = \"b\"\nmax-file-size = \"2 MB\"\n[rules]\nuuid-in-key = \"off\"\nSK002 = \"note\"",
            true,
        ),
        (
            "[[path]]\nfiles = \"x\"\nlevel = \"off\"\nreason = \"y\"\nrules = { clock-in-key = \"error\" }",
            true,
        ),
        ("[[source]]\npath = \"a::b\"\nkind = \"clock\"\n[[sanitizer]]\npath = \"f\"", true),
        (
            "[[sink]]\npath = \"f\"\narg = 0\nkey = true\n[[sink]]\nheader = \"X\"\n[[sink]]\npath = \"T\"\nfield = \"k\"",
            true,
        ),
        ("[[summary]]\npath = \"f\"\nfrom = \"arg1\"\nto = \"return.a.0\"", true),
        ("exclud = []", false),
        ("[rules]\nuid-in-key = \"off\"", false),
        ("[rules]\nuuid-in-key = \"eror\"", false),
        ("max-file-size = true", false),
        ("max-file-size = 0", false),
        ("max-file-size = \"0 kB\"", false),
        ("max-file-size = \"many\"", false),
        ("max-file-size = \"12 kib\"", true),
        ("include = []", false),
        ("exclude = []", true),
        ("exclude = \"\"", false),
        ("[[path]]\nfiles = []\nlevel = \"note\"", false),
        ("[[path]]\nfiles = \"x\"", false),
        ("[[sink]]\narg = 0", false),
        ("[[sink]]\nheader = \"\"", false),
        ("[[path]]\nlevel = \"note\"", false),
        ("[[path]]\nfiles = \"x\"\nlevels = \"note\"", false),
        ("[[source]]\nkind = \"uuid\"", false),
        ("[[source]]\npath = \"f\"\nkind = \"uid\"", false),
        ("[[sink]]\npath = \"f\"\narg = 0\nfield = \"x\"", false),
        ("[[sink]]\npath = \"f\"\narg = -1", false),
        ("[[sink]]\npath = \"f\"\nkey = 1", false),
        ("[[summary]]\npath = \"f\"\nfrom = \"x\"\nto = \"return\"", false),
        ("[[summary]]\npath = \"f\"\nfrom = \"self\"", false),
        ("[[sanitizer]]\npath = \"f\"\narg = 1", false),
    ];
    for (text, valid) in cases {
        let read = config::parse(Path::new("samekey.toml"), text, &[], Rules.rules());
        assert_eq!(read.is_ok(), valid, "the reader about {text}");
        let table: toml::Table = text.parse().unwrap();
        let value: Value = serde_json::to_value(&table).unwrap();
        assert_eq!(violations(&schema, &value).is_empty(), valid, "the schema about {text}");
    }
}

#[test]
fn init_writes_a_file_once_and_shows_the_snippets() {
    let folder = Folder::with(&[
        ("Cargo.toml", "[workspace]\n"),
        ("m/Cargo.toml", "[package]\nname = \"m\"\n"),
        ("m/src/lib.rs", ""),
    ]);
    let ran = binary(&folder.path, &["init"], &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    for snippet in ["pre-commit", "--staged", "upload-sarif", "codequality"] {
        assert!(ran.stdout.contains(snippet), "{}", ran.stdout);
    }
    assert_eq!(std::fs::read_to_string(folder.join("samekey.toml")).unwrap(), config::SAMPLE);
    folder.write("samekey.toml", "# mine\n");
    let again = binary(&folder.path, &["init"], &[]);
    assert_eq!((again.code, again.stdout.as_str()), (2, ""));
    assert!(
        again.stderr.contains("samekey.toml exists already; edit it, or remove it first"),
        "{}",
        again.stderr
    );
    assert_eq!(std::fs::read_to_string(folder.join("samekey.toml")).unwrap(), "# mine\n");
}

#[test]
fn init_leaves_a_configured_manifest_alone() {
    let manifest = "[workspace]\n[workspace.metadata.samekey]\nexclude = [\"x\"]\n";
    let folder = Folder::with(&[("Cargo.toml", manifest)]);
    let ran = binary(&folder.path, &["init"], &[]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("Cargo.toml configures samekey here already; edit it"), "{}", ran.stderr);
    assert!(!folder.join("samekey.toml").exists());
}

#[test]
fn config_shows_each_value_with_its_origin() {
    let text = "exclude = [\"legacy/**\",\n  'old']\n\n[rules]\nclock-in-key = \"warning\"\n\n[[sink]]\npath = \"Port::charge\"\narg = 1\n";
    let folder = Folder::with(&[("samekey.toml", text)]);
    let ran = binary(&folder.path, &["config", "--show"], &[]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    insta::assert_snapshot!(ran.stdout, @r#"
    # read from samekey.toml
    # include: all files                      # default
    exclude = ["legacy/**", "old"]            # samekey.toml:1
    max-file-size = "8 MB"                    # default

    [rules]
    clock-in-key = "warning"                  # samekey.toml:5
    # the other rules                         # default: each finding has its own level

    [[sink]]
    path = "Port::charge"                     # samekey.toml:8
    arg = 1                                   # samekey.toml:9
    key = false                               # default
    "#);
    let shown: toml::Table = ran.stdout.parse().unwrap();
    assert_eq!(shown["rules"]["clock-in-key"].as_str(), Some("warning"));
}

#[test]
fn config_shows_manifests_and_defaults() {
    let manifest = "[package]\nname = \"p\"\n\n[package.metadata.samekey]\nmax-file-size = 1000\n";
    let folder = Folder::with(&[("Cargo.toml", manifest), ("src/lib.rs", "")]);
    let ran = binary(&folder.path, &["config"], &[]);
    assert!(
        ran.stdout.contains("max-file-size = 1000") && ran.stdout.contains("# Cargo.toml:5\n"),
        "{}",
        ran.stdout
    );
    let empty = Folder::new();
    let ran = binary(&empty.path, &["config"], &[]);
    assert!(ran.stdout.starts_with("# no samekey.toml"), "{}", ran.stdout);
    assert!(ran.stdout.contains("max-file-size = \"8 MB\""), "{}", ran.stdout);
    let bad = Folder::with(&[("samekey.toml", "exclud = 1\n")]);
    let ran = binary(&bad.path, &["config"], &[]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("did you mean `exclude`?"), "{}", ran.stderr);
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_is_no_configuration_that_is_passed_over() {
    let folder = Folder::with(&[("src/lib.rs", "")]);
    std::os::unix::fs::symlink("gone.toml", folder.join("samekey.toml")).unwrap();
    let ran = binary(&folder.path, &["check"], &[]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("samekey.toml: cannot be read: no such file"), "{}", ran.stderr);
}

#[test]
fn a_configuration_that_does_not_count_is_named() {
    let folder = Folder::with(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"a\"]\n"),
        ("samekey.toml", "exclude = [\"x\"]\n"),
        ("a/Cargo.toml", "[package]\nname = \"a\"\n"),
        ("a/samekey.toml", "exclude = [\"y\"]\n"),
        ("a/src/lib.rs", ""),
    ]);
    let ran = binary(&folder.path, &["check"], &[]);
    assert!(ran.stderr.starts_with("warning: a/samekey.toml: is not read"), "{}", ran.stderr);
    let ran = binary(&folder.path, &["check", "--config", "a/samekey.toml"], &[]);
    assert!(!ran.stderr.contains("is not read"), "{}", ran.stderr);
    std::fs::remove_file(folder.join("a/samekey.toml")).unwrap();
    assert!(!binary(&folder.path, &["check"], &[]).stderr.contains("is not read"));
}

#[test]
fn the_configuration_of_a_named_folder_without_a_manifest_is_named() {
    let folder = Folder::with(&[("b/samekey.toml", "exclude = [\"y\"]\n"), ("b/a.rs", "")]);
    let ran = binary(&folder.path, &["check", "b"], &[]);
    assert!(ran.stderr.starts_with("warning: b/samekey.toml: is not read"), "{}", ran.stderr);
    let ran = binary(&folder.path, &["check", "b", "--config", "b/samekey.toml"], &[]);
    assert!(!ran.stderr.contains("is not read"), "{}", ran.stderr);
}
