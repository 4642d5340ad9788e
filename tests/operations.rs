//! Every operation of the catalogue at work: its examples carry no key and are reported, its look-alikes are quiet.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use samekey_catalogue::{Language, Operation, Pattern, operations};
use serde_json::Value;

/// What the examples use and do not declare.
const PARAMETERS: &str = "client: stripe::Client, http: reqwest::Client, parameters: P, body: B, form: F, id: Id, \
                          amount: i64, currency: C, customer: Id, destination: Id, strategy: S, key: String";

#[test]
fn examples_are_reported() {
    let examples: Vec<&str> = rows().flat_map(|row| row.examples).copied().collect();
    assert!(examples.len() > 40, "{} examples", examples.len());
    let found = lines_with_missing_key("examples", &examples);
    let missed: Vec<&str> =
        (1..).zip(&examples).filter(|(line, _)| !found.contains(line)).map(|(_, e)| *e).collect();
    assert!(missed.is_empty(), "not reported:\n{}", missed.join("\n"));
}

#[test]
fn lookalikes_are_quiet() {
    let lookalikes: Vec<&str> = rows().flat_map(|row| row.lookalikes).copied().collect();
    let found = lines_with_missing_key("lookalikes", &lookalikes);
    let noisy: Vec<&str> =
        (1..).zip(&lookalikes).filter(|(line, _)| found.contains(line)).map(|(_, e)| *e).collect();
    assert!(noisy.is_empty(), "reported:\n{}", noisy.join("\n"));
}

/// The rows that `missing-key` reads: a method of a type that only the flow engine infers is none of them.
fn rows() -> impl Iterator<Item = &'static Operation> {
    let known = |pattern: &Pattern| matches!(pattern, Pattern::Call { .. } | Pattern::Type { .. });
    let read = move |row: &&Operation| !row.posts.is_empty() || row.patterns.iter().any(known);
    operations().iter().filter(|row| row.language != Language::Java).filter(read)
}

/// The lines on which one of the expressions, each on a line of its own, is said to carry no key.
fn lines_with_missing_key(name: &str, expressions: &[&str]) -> BTreeSet<u64> {
    let mut code = String::new();
    for (index, expression) in expressions.iter().enumerate() {
        let _ = writeln!(code, "async fn example_{index}({PARAMETERS}) {{ let _ = {expression}; }}");
    }
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("operations-{name}.rs"));
    fs::write(&file, code).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_cargo-samekey"))
        .args(["check", "--format", "json", "--fail-on", "note"])
        .arg(&file)
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["errors"], Value::Array(Vec::new()));
    let found = report["diagnostics"].as_array().unwrap().iter();
    found
        .filter(|found| found["rule"] == "missing-key")
        .map(|found| found["line"].as_u64().unwrap())
        .collect()
}
