//! The linter knows every row of the catalogue that the derive refuses, with the same advice.
//!
//! `macros/tests/unit/catalogue_rows.rs` proves the same of the macro.

mod support;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use samekey_catalogue::derive::{PERSISTED_TYPES, REFUSED_NAMES, REFUSED_TYPES};
use serde_json::Value as Json;
use support::Folder;

const MANIFEST: (&str, &str) =
    ("Cargo.toml", "[package]\nname = \"app\"\nedition = \"2024\"\n[dependencies]\nsamekey = \"0.1\"\n");

fn run(source: &str, arguments: &[&str]) -> Json {
    let folder = Folder::with(&[MANIFEST, ("src/lib.rs", source)]);
    let output = support::binary(&folder.path, arguments, &[]);
    serde_json::from_str(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", output.stderr))
}

/// Rules that report something, by the line of the finding.
fn findings(source: &str) -> BTreeMap<u64, String> {
    let report = run(source, &["check", "--format", "json", "--fail-on", "note"]);
    assert_eq!(report["errors"], Json::Array(Vec::new()));
    let found = report["diagnostics"].as_array().unwrap().iter();
    found.map(|one| (one["line"].as_u64().unwrap(), one["rule"].as_str().unwrap().to_owned())).collect()
}

/// A value that the macro refuses by the name of its field is one that the linter reports by its name.
#[test]
fn every_refused_name_is_reported_by_the_linter() {
    let mut source = String::from("use samekey::Idempotent;\n");
    for words in ["identity", "identity, stable = \"why\""] {
        let _ = writeln!(
            source,
            "#[derive(Idempotent)] #[idempotent(namespace = \"n\", operation = {words:?})] struct S{} {{ \
             #[idempotent({words})] part: String }}",
            words.len()
        );
    }
    let before = source.lines().count();
    for row in REFUSED_NAMES {
        let name = row.name;
        let _ = writeln!(source, "pub fn plain_{name}({name}: String) -> S8 {{ S8 {{ part: {name} }} }}");
    }
    for row in REFUSED_NAMES {
        let name = row.name;
        let _ = writeln!(source, "pub fn stable_{name}({name}: String) -> S24 {{ S24 {{ part: {name} }} }}");
    }
    let found = findings(&source);
    for (index, row) in REFUSED_NAMES.iter().enumerate() {
        let line = (before + index + 1) as u64;
        assert!(found.contains_key(&line), "`{}` is not reported: {found:?}", row.name);
        let explained = line + REFUSED_NAMES.len() as u64;
        assert_eq!(found.get(&explained), None, "`{}` is reported in spite of a reason", row.name);
    }
}

/// The advice for a type that the macro refuses is the one that `schema` gives.
#[test]
fn every_refused_type_has_the_same_advice_in_the_linter() {
    let rows = REFUSED_TYPES.iter().chain(PERSISTED_TYPES);
    let cases: Vec<(&str, &str)> =
        rows.flat_map(|row| row.paths.iter().map(|path| (*path, row.advice))).collect();
    let mut source = String::from("use samekey::Idempotent;\n");
    source.push_str(
        "#[derive(Idempotent)]\n#[idempotent(namespace = \"n\", operation = \"o\")]\nstruct All {\n",
    );
    for (index, (path, _)) in cases.iter().enumerate() {
        let _ = writeln!(source, "    #[idempotent(identity)] field_{index}: {path},");
    }
    source.push_str("}\n");
    let document = run(&source, &["schema", "--format", "json"]);
    let fields = document["operations"][0]["fields"].as_array().unwrap();
    assert_eq!(fields.len(), cases.len());
    for field in fields {
        let index: usize = field["name"].as_str().unwrap().trim_start_matches("field_").parse().unwrap();
        let (path, advice) = cases[index];
        let reason =
            field["type"]["reason"].as_str().unwrap_or_else(|| panic!("{path} is admitted: {field}"));
        assert!(reason.ends_with(advice), "{path}: {reason}");
    }
}

/// What the remedy of a finding shows compiles: it holds no name and no type that the macro refuses.
#[test]
fn the_remedy_shows_nothing_that_the_derive_refuses() {
    let source = "pub async fn charge(client: reqwest::Client, customer_id: uuid::Uuid, order_id: &str, \
                  invoice_id: std::time::Instant) {\n    let key = uuid::Uuid::new_v4().to_string();\n    \
                  client.post(\"https://api.stripe.com/v1/charges\").header(\"Idempotency-Key\", key).send().await;\n}\n";
    let report = run(source, &["check", "--format", "json"]);
    let help = report["diagnostics"][0]["help"].as_str().unwrap();
    let (warning, example) = help.split_once("once more:\n").unwrap_or_else(|| panic!("{help}"));
    assert!(warning.contains("a retry that is under way with the old key"), "{help}");
    let expected = "    #[derive(samekey::Idempotent)]\n    #[idempotent(namespace = \"app\", operation = \"charge\")]\n    \
                    struct Charge {\n        #[idempotent(identity, persisted = \"where it is stored\")] customer_id: \
                    uuid::Uuid,\n        #[idempotent(identity)] order_id: String,\n    }";
    assert_eq!(example, expected);
}
