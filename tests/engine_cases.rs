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

mod marks;

use std::collections::{BTreeMap, BTreeSet};

use marks::{Case, Finding, fixtures, folders, rust_files};

#[test]
fn single_files_match_their_marks() {
    let files = rust_files(&fixtures().join("engine"));
    assert_marks(files.into_iter().map(Case::lone_file), 1900);
}

#[test]
fn files_that_name_external_crates_match_their_marks() {
    let files = rust_files(&fixtures().join("engine/external"));
    assert_marks(files.into_iter().map(Case::lone_file), 80);
}

#[test]
fn projects_of_several_files_match_their_marks() {
    let roots = folders(&fixtures().join("engine/multi"));
    assert_marks(roots.into_iter().map(Case::project), 40);
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
                let sources: Result<BTreeSet<i64>, _> = numbers.split(',').map(str::parse).collect();
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
            Mark::NoFlow => Some(format!("reported: {}", origins(findings))),
            Mark::KnownMiss if findings.is_empty() => None,
            Mark::KnownMiss => Some("found now: change the mark to `flow`".to_owned()),
            Mark::KnownNoise if findings.is_empty() => {
                Some("silent now: change the mark to `no-flow`".to_owned())
            }
            Mark::KnownNoise => None,
        }
    }
}

fn wrong_sources(wanted: &BTreeSet<i64>, findings: &[Finding]) -> Option<String> {
    let names = |number: &i64, finding: &Finding| finding.origin.contains(&format!("source({number})"));
    let unwanted: Vec<&str> = findings
        .iter()
        .filter(|finding| !wanted.iter().any(|number| names(number, finding)))
        .map(|finding| finding.origin.as_str())
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
    let texts: Vec<String> =
        findings.iter().map(|finding| format!("{} from {}", finding.shown(), finding.origin)).collect();
    texts.join(" | ")
}

/// Runs every case, prints a table, and fails when any mark is wrong or the cases got fewer.
fn assert_marks(cases: impl Iterator<Item = Case>, at_least: usize) {
    let mut failures = Vec::new();
    let mut table =
        format!("{:<44} {:>11} {:>13} {:>8}\n", "case", "flows found", "clean silent", "unmarked");
    let mut total = Tally::default();
    for case in cases {
        let tally = compare(&case, &mut failures);
        table.push_str(&tally.row(&case.label()));
        total.add(&tally);
    }
    table.push_str(&total.row("total"));
    println!("{table}");
    assert!(total.marks() >= at_least, "only {} marked cases, expected {at_least}", total.marks());
    assert!(failures.is_empty(), "{} wrong marks:\n{}", failures.len(), failures.join("\n"));
}

fn compare(case: &Case, failures: &mut Vec<String>) -> Tally {
    let config = fixtures().join("engine/engine.toml");
    let mut tally = Tally::default();
    let run = case.run(&["--config", &config.to_string_lossy()]);
    let mut findings = run.unwrap_or_else(|message| {
        failures.push(format!("{}: {message}", case.label()));
        BTreeMap::new()
    });
    for (index, file) in case.files.iter().enumerate() {
        for (&line, text) in &file.marks {
            let Some(mark) = Mark::parse(text) else {
                failures.push(case.describe(index, line, "unknown mark"));
                continue;
            };
            let here = findings.remove(&(index, line)).unwrap_or_default();
            let problem = mark.judge(&here);
            tally.count(&mark, problem.is_none());
            failures.extend(problem.map(|problem| case.describe(index, line, &problem)));
        }
    }
    for ((index, line), here) in findings {
        tally.unmarked += 1;
        let problem = format!("finding on a line without a mark: {}", origins(&here));
        failures.push(case.describe(index, line, &problem));
    }
    tally
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
