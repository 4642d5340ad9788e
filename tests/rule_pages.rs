//! The page of each rule is a test: its bad example fires this rule and no other, its good one is quiet.

mod marks;

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

#[test]
fn examples_do_what_their_pages_say() {
    let mut wrong = Vec::new();
    let pages = pages();
    for (rule, page) in &pages {
        let found = findings(rule, "bad", &code(page, "## Example"));
        if found != BTreeSet::from([rule.clone()]) {
            wrong.push(format!("{rule}: the bad example fires {found:?}"));
        }
        let found = findings(rule, "good", &code(page, "## Use instead"));
        if !found.is_empty() {
            wrong.push(format!("{rule}: the good example fires {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every rule that the tool lists has a page with all its parts, and no page is without a rule.
#[test]
fn every_rule_has_a_page() {
    let listed = Command::new(env!("CARGO_BIN_EXE_cargo-samekey")).arg("rules").output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    let listed: BTreeSet<&str> = listed.lines().filter_map(|line| line.split_whitespace().nth(1)).collect();
    let pages = pages();
    let named: BTreeSet<&str> = pages.iter().map(|(rule, _)| rule.as_str()).collect();
    assert_eq!(listed, named);
    for (rule, page) in &pages {
        let parts = [
            "## What it does",
            "## Why is this bad",
            "## Example",
            "## Use instead",
            "## When it is right anyway",
            "## Configuration",
        ];
        let places: Vec<Option<usize>> = parts.iter().map(|part| page.find(&format!("\n{part}\n"))).collect();
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{rule}: {places:?}");
        assert!(page.starts_with(&format!("# {rule} (SK")), "{rule}");
    }
}

fn pages() -> Vec<(String, String)> {
    let folder = marks::fixtures().join("../docs/rules");
    let mut pages: Vec<(String, String)> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .map(|path| {
            let rule = path.file_stem().unwrap().to_string_lossy().into_owned();
            (rule, fs::read_to_string(path).unwrap())
        })
        .collect();
    pages.sort();
    assert!(pages.len() >= 14, "{} pages", pages.len());
    pages
}

/// The first Rust block of a section.
fn code(page: &str, section: &str) -> String {
    let (_, rest) = page.split_once(&format!("\n{section}\n")).unwrap_or_else(|| panic!("no {section}"));
    let (_, rest) = rest.split_once("```rust\n").unwrap_or_else(|| panic!("no code in {section}"));
    rest.split_once("```").unwrap_or_else(|| panic!("open code in {section}")).0.to_owned()
}

fn findings(rule: &str, side: &str, code: &str) -> BTreeSet<String> {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("page-{rule}-{side}.rs"));
    fs::write(&file, code).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_cargo-samekey"))
        .args(["check", "--format", "json", "--fail-on", "note"])
        .arg(&file)
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{rule}, {side}: {error}: {}", String::from_utf8_lossy(&output.stderr))
    });
    assert_eq!(report["errors"], Value::Array(Vec::new()), "{rule}, {side}");
    assert!(report["summary"]["keys"].as_u64().unwrap_or_default() > 0, "{rule}, {side}: no key was seen");
    let found = report["diagnostics"].as_array().unwrap();
    found.iter().map(|finding| finding["rule"].as_str().unwrap().to_owned()).collect()
}
