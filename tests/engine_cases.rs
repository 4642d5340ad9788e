//! Compares what the flow engine finds with the marks in `fixtures/engine`.
//!
//! A case is one call of `sink` with a mark at the end of its line:
//!
//! | mark | meaning |
//! | --- | --- |
//! | `//~ flow` | the call must be reported at this line |
//! | `//~ flow=3` | and every reported path starts at a line that holds `source(3)`; `flow=3,4` names several, each must appear |
//! | `//~ no-flow` | the call must stay silent |
//! | `//~ known-miss flow` | a pinned limitation: the mark must be changed when the flow is found |
//! | `//~ known-noise no-flow` | a pinned limitation: the mark must be changed when the call becomes silent |
//!
//! A finding on a line without a mark is a failure too.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

#[test]
fn single_files_match_their_marks() {
    let cases = rust_files(&engine_fixtures())
        .into_iter()
        .map(Case::lone_file)
        .collect();
    assert_marks(cases, 500);
}

#[test]
fn files_that_name_external_crates_match_their_marks() {
    let cases = rust_files(&engine_fixtures().join("external"))
        .into_iter()
        .map(Case::lone_file)
        .collect();
    assert_marks(cases, 40);
}

#[test]
fn projects_of_several_files_match_their_marks() {
    let cases = entries(&engine_fixtures().join("multi"))
        .into_iter()
        .filter(|path| path.is_dir())
        .map(Case::project)
        .collect();
    assert_marks(cases, 40);
}

/// One run of the tool: what it is pointed at, and the marked files below it.
struct Case {
    target: PathBuf,
    files: Vec<MarkedFile>,
}

impl Case {
    fn lone_file(path: PathBuf) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let file = MarkedFile::read(&path, name.into_owned());
        Case {
            target: path,
            files: vec![file],
        }
    }

    fn project(root: PathBuf) -> Self {
        let mut paths = Vec::new();
        collect_rust_files(&root, &mut paths);
        let files = paths
            .iter()
            .map(|path| MarkedFile::read(path, slash_path(path, &root)))
            .collect();
        Case {
            target: root,
            files,
        }
    }

    fn label(&self) -> String {
        slash_path(&self.target, &engine_fixtures())
    }

    /// The file of this case that a reported path names: the one with the longest matching end.
    fn file_index(&self, reported: &str) -> Option<usize> {
        let candidates = self.files.iter().enumerate();
        candidates
            .filter(|(_, file)| is_path_suffix(reported, &file.relative))
            .max_by_key(|(_, file)| file.relative.len())
            .map(|(index, _)| index)
    }
}

struct MarkedFile {
    relative: String,
    lines: Vec<String>,
    marks: BTreeMap<usize, Mark>,
}

impl MarkedFile {
    fn read(path: &Path, relative: String) -> Self {
        let text = fs::read_to_string(path)
            .unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()));
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let marks = lines
            .iter()
            .enumerate()
            .filter_map(|(index, line)| {
                let (_, text) = line.split_once("//~")?;
                let mark = Mark::parse(text.trim())
                    .unwrap_or_else(|| panic!("{relative}:{}: unknown mark `{text}`", index + 1));
                Some((index + 1, mark))
            })
            .collect();
        MarkedFile {
            relative,
            lines,
            marks,
        }
    }

    fn line(&self, number: usize) -> &str {
        number
            .checked_sub(1)
            .and_then(|index| self.lines.get(index))
            .map_or("", String::as_str)
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Mark {
    /// Must be reported; when sources are given, from exactly these.
    Flow(BTreeSet<i64>),
    NoFlow,
    KnownMiss,
    KnownNoise,
}

impl Mark {
    fn parse(text: &str) -> Option<Self> {
        match text {
            "flow" => Some(Mark::Flow(BTreeSet::new())),
            "no-flow" => Some(Mark::NoFlow),
            "known-miss flow" => Some(Mark::KnownMiss),
            "known-noise no-flow" => Some(Mark::KnownNoise),
            _ => {
                let numbers = text.strip_prefix("flow=")?;
                let sources: Result<BTreeSet<i64>, _> =
                    numbers.split(',').map(str::parse).collect();
                sources.ok().map(Mark::Flow)
            }
        }
    }

    /// What is wrong when a line with this mark got these findings, if anything is.
    fn judge(&self, findings: &[Finding]) -> Option<String> {
        match self {
            Mark::Flow(_) if findings.is_empty() => Some("missed flow".to_owned()),
            Mark::Flow(sources) if sources.is_empty() => None,
            Mark::Flow(sources) => wrong_sources(sources, findings),
            Mark::NoFlow if findings.is_empty() => None,
            Mark::NoFlow => Some(format!("reported, from {}", origins(findings))),
            Mark::KnownMiss if findings.is_empty() => None,
            Mark::KnownMiss => Some("found now: change the mark to `flow`".to_owned()),
            Mark::KnownNoise if findings.is_empty() => {
                Some("silent now: change the mark to `no-flow`".to_owned())
            }
            Mark::KnownNoise => None,
        }
    }
}

/// The first step of a reported path: where the value comes from.
struct Finding {
    origin: String,
}

fn wrong_sources(wanted: &BTreeSet<i64>, findings: &[Finding]) -> Option<String> {
    let names =
        |number: &i64, finding: &Finding| finding.origin.contains(&format!("source({number})"));
    let unwanted: Vec<&str> = findings
        .iter()
        .filter(|finding| !wanted.iter().any(|number| names(number, finding)))
        .map(|finding| finding.origin.trim())
        .collect();
    if !unwanted.is_empty() {
        return Some(format!("wrong source: {}", unwanted.join(" | ")));
    }
    let missing: Vec<String> = wanted
        .iter()
        .filter(|number| !findings.iter().any(|finding| names(number, finding)))
        .map(|number| format!("source({number})"))
        .collect();
    (!missing.is_empty()).then(|| format!("missed flow from {}", missing.join(", ")))
}

fn origins(findings: &[Finding]) -> String {
    let texts: Vec<&str> = findings
        .iter()
        .map(|finding| finding.origin.trim())
        .collect();
    texts.join(" | ")
}

/// Runs every case, prints failures and a table, and fails when any mark is wrong or the cases got fewer.
fn assert_marks(cases: Vec<Case>, at_least: usize) {
    let mut failures = Vec::new();
    let mut table = String::new();
    let mut total = Tally::default();
    for case in &cases {
        let tally = compare(case, &mut failures);
        table.push_str(&tally.row(&case.label()));
        total.add(&tally);
    }
    table.push_str(&total.row("total"));
    println!(
        "{:<44} {:>11} {:>13} {:>8}",
        "case", "flows found", "clean silent", "unmarked"
    );
    println!("{table}");
    assert!(
        total.marks() >= at_least,
        "only {} marked cases, expected {at_least}",
        total.marks()
    );
    assert!(
        failures.is_empty(),
        "{} wrong marks:\n{}\n{}",
        failures.len(),
        failures.join("\n"),
        total.row("total")
    );
}

#[derive(Default)]
struct Tally {
    flows: usize,
    flows_right: usize,
    clean: usize,
    clean_right: usize,
    unmarked: usize,
}

impl Tally {
    fn count(&mut self, mark: &Mark, right: bool) {
        let (all, good) = match mark {
            Mark::Flow(_) | Mark::KnownMiss => (&mut self.flows, &mut self.flows_right),
            Mark::NoFlow | Mark::KnownNoise => (&mut self.clean, &mut self.clean_right),
        };
        *all += 1;
        *good += usize::from(right);
    }

    fn add(&mut self, other: &Tally) {
        self.flows += other.flows;
        self.flows_right += other.flows_right;
        self.clean += other.clean;
        self.clean_right += other.clean_right;
        self.unmarked += other.unmarked;
    }

    fn marks(&self) -> usize {
        self.flows + self.clean
    }

    fn row(&self, label: &str) -> String {
        let flows = format!("{}/{}", self.flows_right, self.flows);
        let clean = format!("{}/{}", self.clean_right, self.clean);
        format!("{label:<44} {flows:>11} {clean:>13} {:>8}\n", self.unmarked)
    }
}

fn compare(case: &Case, failures: &mut Vec<String>) -> Tally {
    let mut tally = Tally::default();
    let mut findings = match run(case) {
        Ok(findings) => findings,
        Err(message) => {
            failures.push(format!("{}: {message}", case.label()));
            BTreeMap::new()
        }
    };
    for (index, file) in case.files.iter().enumerate() {
        for (&line, mark) in &file.marks {
            let here = findings.remove(&(index, line)).unwrap_or_default();
            let verdict = mark.judge(&here);
            tally.count(mark, verdict.is_none());
            if let Some(problem) = verdict {
                failures.push(failure(case, file, line, &problem));
            }
        }
    }
    for ((index, line), here) in findings {
        tally.unmarked += 1;
        let problem = format!("finding on a line without a mark, from {}", origins(&here));
        failures.push(failure(case, &case.files[index], line, &problem));
    }
    tally
}

fn failure(case: &Case, file: &MarkedFile, line: usize, problem: &str) -> String {
    let label = case.label();
    let place = if label.ends_with(&file.relative) {
        label
    } else {
        format!("{label}/{}", file.relative)
    };
    format!("{place}:{line}: {problem}: {}", file.line(line).trim())
}

/// The findings of one run by file of the case and line.
type FindingsByLine = BTreeMap<(usize, usize), Vec<Finding>>;

fn run(case: &Case) -> Result<FindingsByLine, String> {
    let output = Command::new(env!("CARGO_BIN_EXE_cargo-samekey"))
        .arg("check")
        .arg("--config")
        .arg(engine_fixtures().join("engine.toml"))
        .args(["--format", "json", "--fail-on", "note"])
        .arg(&case.target)
        .output()
        .map_err(|error| format!("cannot start the tool: {error}"))?;
    if !matches!(output.status.code(), Some(0 | 1)) {
        let message = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{}: {}", output.status, message.trim()));
    }
    let report: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("the report is not JSON: {error}"))?;
    refuse_errors(&report)?;
    let diagnostics = report["diagnostics"].as_array();
    let diagnostics = diagnostics.ok_or("the report has no `diagnostics`")?;
    let mut findings = FindingsByLine::new();
    for diagnostic in diagnostics {
        let (index, line) = place(case, diagnostic)?;
        let origin = match diagnostic["trace"].get(0) {
            Some(step) => {
                let (index, line) = place(case, step)?;
                case.files[index].line(line).to_owned()
            }
            None => return Err(format!("a finding without a trace: {diagnostic}")),
        };
        findings
            .entry((index, line))
            .or_default()
            .push(Finding { origin });
    }
    Ok(findings)
}

/// Every fixture is valid Rust: whatever the tool could not analyse is a failure of its own.
fn refuse_errors(report: &Value) -> Result<(), String> {
    match report["errors"].as_array() {
        Some(errors) if !errors.is_empty() => Err(format!("not analysed: {errors:?}")),
        _ => Ok(()),
    }
}

fn place(case: &Case, step: &Value) -> Result<(usize, usize), String> {
    let reported = step["file"].as_str().unwrap_or_default();
    let line = step["line"].as_u64().unwrap_or_default();
    let index = case
        .file_index(reported)
        .ok_or_else(|| format!("unknown file `{reported}` in the report"))?;
    Ok((index, usize::try_from(line).unwrap_or_default()))
}

fn engine_fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/engine")
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let listing = fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("cannot list {}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = listing.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut paths = entries(folder);
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    paths
}

fn collect_rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    found.extend(rust_files(folder));
    for path in entries(folder) {
        if path.is_dir() && !path.ends_with("target") {
            collect_rust_files(&path, found);
        }
    }
}

fn slash_path(path: &Path, root: &Path) -> String {
    let relative = path.strip_prefix(root).unwrap_or(path);
    let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}

fn is_path_suffix(reported: &str, relative: &str) -> bool {
    reported
        .strip_suffix(relative)
        .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}
