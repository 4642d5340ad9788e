//! What the tests over marked fixtures share: finding the files, running the tool, giving its findings back by line.
//!
//! A mark is a comment `//~ ...` at the end of the line that it is about.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// One run of the tool: what it is pointed at, and the marked files below it.
pub struct Case {
    pub target: PathBuf,
    pub files: Vec<MarkedFile>,
}

impl Case {
    /// A file that is analysed by itself.
    pub fn lone_file(path: PathBuf) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let file = MarkedFile::read(&path, name.into_owned());
        Case { target: path, files: vec![file] }
    }

    /// A folder with a Cargo.toml that is analysed as a whole.
    pub fn project(root: PathBuf) -> Self {
        let mut paths = Vec::new();
        collect_rust_files(&root, &mut paths);
        let files = paths.iter().map(|path| MarkedFile::read(path, slash_path(path, &root))).collect();
        Case { target: root, files }
    }

    /// The case's path below `fixtures`.
    pub fn label(&self) -> String {
        slash_path(&self.target, &fixtures())
    }

    /// The line of text at a place, with its path, for a failure message.
    pub fn describe(&self, file: usize, line: usize, problem: &str) -> String {
        let file = &self.files[file];
        let label = self.label();
        let path = if label.ends_with(&file.relative) { label } else { format!("{label}/{}", file.relative) };
        format!("{path}:{line}: {problem}: {}", file.line(line).trim())
    }

    /// Runs `check` with these arguments on the case.
    ///
    /// Every fixture is valid Rust: what the tool could not analyse is an error here.
    pub fn run(&self, arguments: &[&str]) -> Result<FindingsByLine, String> {
        let output = Command::new(env!("CARGO_BIN_EXE_cargo-samekey"))
            .args(["check", "--format", "json", "--fail-on", "note"])
            .args(arguments)
            .arg(&self.target)
            .output()
            .map_err(|error| format!("cannot start the tool: {error}"))?;
        if !matches!(output.status.code(), Some(0 | 1)) {
            let message = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{}: {}", output.status, message.trim()));
        }
        let report: Value = serde_json::from_slice(&output.stdout)
            .map_err(|error| format!("the report is not JSON: {error}"))?;
        refuse_errors(&report)?;
        self.findings(&report)
    }

    fn findings(&self, report: &Value) -> Result<FindingsByLine, String> {
        let diagnostics = report["diagnostics"].as_array();
        let diagnostics = diagnostics.ok_or("the report has no `diagnostics`")?;
        let mut findings = FindingsByLine::new();
        for diagnostic in diagnostics {
            let origin = match diagnostic["trace"].get(0) {
                Some(step) => {
                    let (file, line) = self.place(step)?;
                    self.files[file].line(line).trim().to_owned()
                }
                None => return Err(format!("a finding without a trace: {diagnostic}")),
            };
            let text = |field: &str| diagnostic[field].as_str().unwrap_or_default().to_owned();
            let finding = Finding { rule: text("rule"), severity: text("severity"), origin };
            findings.entry(self.place(diagnostic)?).or_default().push(finding);
        }
        Ok(findings)
    }

    fn place(&self, step: &Value) -> Result<(usize, usize), String> {
        let reported = step["file"].as_str().unwrap_or_default();
        let line = step["line"].as_u64().unwrap_or_default();
        let file =
            self.file_index(reported).ok_or_else(|| format!("unknown file `{reported}` in the report"))?;
        Ok((file, usize::try_from(line).unwrap_or_default()))
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

/// The findings of one run by file of the case and line.
pub type FindingsByLine = BTreeMap<(usize, usize), Vec<Finding>>;

/// What a finding says, as far as marks speak of it.
pub struct Finding {
    rule: String,
    severity: String,
    /// The line of code at the first step of the path.
    pub origin: String,
}

impl Finding {
    /// The rule and the level, as a mark writes them.
    pub fn shown(&self) -> String {
        format!("{} {}", self.rule, self.severity)
    }
}

/// A fixture and the texts of its marks by line.
pub struct MarkedFile {
    pub marks: BTreeMap<usize, String>,
    relative: String,
    lines: Vec<String>,
}

impl MarkedFile {
    fn read(path: &Path, relative: String) -> Self {
        let text = fs::read_to_string(path)
            .unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()));
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let marks = (1..).zip(&lines).filter_map(|(number, line)| {
            let (_, mark) = line.split_once("//~")?;
            Some((number, mark.trim().to_owned()))
        });
        MarkedFile { marks: marks.collect(), relative, lines }
    }

    fn line(&self, number: usize) -> &str {
        number.checked_sub(1).and_then(|index| self.lines.get(index)).map_or("", String::as_str)
    }
}

/// The folder of all fixtures.
pub fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// The Rust files directly in a folder, sorted.
pub fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut paths = entries(folder);
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    paths
}

/// The folders directly in a folder, sorted.
pub fn folders(folder: &Path) -> Vec<PathBuf> {
    let mut paths = entries(folder);
    paths.retain(|path| path.is_dir());
    paths
}

fn refuse_errors(report: &Value) -> Result<(), String> {
    match report["errors"].as_array() {
        Some(errors) if !errors.is_empty() => Err(format!("not analysed: {errors:?}")),
        _ => Ok(()),
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let listing =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("cannot list {}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = listing.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn collect_rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    found.extend(rust_files(folder));
    for path in folders(folder) {
        if !path.ends_with("target") {
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
    reported.strip_suffix(relative).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}
