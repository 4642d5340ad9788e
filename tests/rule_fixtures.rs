//! Runs every rule on every rule fixture and on the example projects, and compares with their marks.
//!
//! A mark names each finding of its line: `//~ uuid-in-key`, with a level where it is not an error
//! (`//~ uuid-in-key warning`), several separated by commas. A line without a mark must have no finding of any rule,
//! so that a rule which reports too much shows in the fixtures of all others.
//!
//! What the tool cannot see yet is pinned: `known-miss RULE` is a finding that should be there and is not,
//! `known-noise RULE` one that is there and should not be. When it sees it, the pin has to go.

mod marks;

use std::collections::BTreeSet;

use marks::{Case, Finding, fixtures, folders, rust_files};

#[test]
fn rule_fixtures_match_their_marks() {
    let folders = folders(&fixtures().join("rules"));
    let files = folders.iter().flat_map(|folder| rust_files(folder));
    assert_marks(files.map(Case::lone_file).collect());
}

#[test]
fn example_projects_match_their_marks() {
    let roots = folders(&fixtures().join("projects"));
    assert_marks(roots.into_iter().map(Case::project).collect());
}

/// Every rule has places that fire and places that do not.
#[test]
fn every_rule_has_both_sides() {
    for folder in folders(&fixtures().join("rules")) {
        let rule = folder.file_name().unwrap_or_default().to_string_lossy();
        let cases: Vec<Case> = rust_files(&folder).into_iter().map(Case::lone_file).collect();
        let marks = cases.iter().flat_map(|case| &case.files).map(|file| &file.marks);
        let firing = marks.clone().flat_map(|marks| marks.values());
        let firing = firing.filter(|mark| mark.trim_start_matches("known-miss ").starts_with(&*rule)).count();
        assert!(firing >= 4, "{rule} has {firing} firing places, expected 4");
        let quiet = marks.filter(|marks| marks.values().all(|mark| mark.starts_with("known-noise "))).count();
        assert!(quiet >= 1, "{rule} has no quiet file");
    }
}

fn assert_marks(cases: Vec<Case>) {
    let mut failures = Vec::new();
    let mut checked = 0;
    for case in &cases {
        checked += compare(case, &mut failures);
    }
    println!("{checked} marks in {} runs, {} wrong", cases.len(), failures.len());
    assert!(checked > 0, "no marks");
    assert!(failures.is_empty(), "{} wrong lines:\n{}", failures.len(), failures.join("\n"));
}

/// Adds the differences of one case to `failures`, and returns the number of marks.
fn compare(case: &Case, failures: &mut Vec<String>) -> usize {
    let mut findings = match case.run(&[]) {
        Ok(findings) => findings,
        Err(message) => {
            failures.push(format!("{}: {message}", case.label()));
            return 0;
        }
    };
    let mut checked = 0;
    for (index, file) in case.files.iter().enumerate() {
        for (&line, mark) in &file.marks {
            checked += 1;
            let wanted: BTreeSet<String> = mark.split(',').map(with_level).collect();
            let here = findings.remove(&(index, line)).unwrap_or_default();
            let found: BTreeSet<String> = here.iter().map(Finding::shown).collect();
            if let Some(pinned) = pinned(mark) {
                if pinned != found {
                    let problem = format!("pinned {}, found {}", listed(&pinned), listed(&found));
                    failures.push(case.describe(index, line, &problem));
                }
                continue;
            }
            if wanted != found {
                let problem = format!("expected {}, found {}", listed(&wanted), listed(&found));
                failures.push(case.describe(index, line, &problem));
            }
        }
    }
    for ((index, line), here) in findings {
        let found: BTreeSet<String> = here.iter().map(Finding::shown).collect();
        let origins: BTreeSet<&str> = here.iter().map(|finding| finding.origin.as_str()).collect();
        let problem = format!("unexpected {} from {origins:?}", listed(&found));
        failures.push(case.describe(index, line, &problem));
    }
    checked
}

/// What is found on a line with a pin: `known-miss RULE, finds OTHER` names what is reported instead.
fn pinned(mark: &str) -> Option<BTreeSet<String>> {
    if let Some(noise) = mark.strip_prefix("known-noise ") {
        return Some(noise.split(',').map(with_level).collect());
    }
    let missed = mark.strip_prefix("known-miss ")?;
    let found = missed.split_once(", finds ").map(|(_, found)| found);
    Some(found.into_iter().flat_map(|found| found.split(',')).map(with_level).collect())
}

/// A mark without a level means an error.
fn with_level(mark: &str) -> String {
    let mark = mark.trim();
    if mark.contains(' ') { mark.to_owned() } else { format!("{mark} error") }
}

fn listed(findings: &BTreeSet<String>) -> String {
    if findings.is_empty() {
        return "nothing".to_owned();
    }
    let texts: Vec<&str> = findings.iter().map(String::as_str).collect();
    texts.join(", ")
}
