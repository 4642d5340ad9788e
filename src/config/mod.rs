//! The configuration: `samekey.toml`, or `[workspace.metadata.samekey]` (also `[package.metadata.samekey]`) of a
//! manifest.
//!
//! The structures here are plain; the engine reads the rows of `[[source]]`, `[[sink]]`, `[[sanitizer]]` and
//! `[[summary]]`, the driver everything else.

mod error;
mod find;
mod keys;
mod read;
mod rows;
mod sample;
mod show;

pub use error::{ConfigError, ConfigErrors, nearest};
pub use find::{CONFIG, find, load};
pub use keys::schema;
pub use read::parse;
pub use sample::SAMPLE;
pub use show::show;

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use globset::{Glob, GlobSet, GlobSetBuilder};

use crate::ir::Name;
use crate::report::{ExceptionKind, Severity};

/// The largest file that is analysed, unless the configuration says otherwise: 8 MB.
pub const MAX_FILE_SIZE: u64 = 8_000_000;

/// A configuration with its defaults filled in.
#[derive(Clone, Debug)]
pub struct Config {
    /// The file that it was read from.
    pub file: Option<PathBuf>,
    /// `[rules]`: levels by rule id.
    pub rules: Vec<(String, RuleLevel)>,
    /// `[[path]]`: levels for some files. Later ones win.
    pub paths: Vec<PathLevels>,
    /// `include`: findings are reported in these files only; `None` means all.
    pub include: Option<Globs>,
    /// `exclude`: these files are not read.
    pub exclude: Globs,
    /// `max-file-size`, in bytes.
    pub max_file_size: u64,
    /// `[[source]]`.
    pub sources: Vec<SourceRow>,
    /// `[[sink]]`.
    pub sinks: Vec<SinkRow>,
    /// `[[sanitizer]]`.
    pub sanitizers: Vec<SanitizerRow>,
    /// `[[summary]]`.
    pub summaries: Vec<SummaryRow>,
    /// The tables that keep findings from being reported, in the order of the file.
    pub exceptions: Vec<ConfigException>,
}

/// A table that keeps findings from being reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigException {
    /// What it is.
    pub kind: ExceptionKind,
    /// Its lines, from 1.
    pub lines: RangeInclusive<u32>,
    /// It as written, on one line.
    pub text: String,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            file: None,
            rules: Vec::new(),
            paths: Vec::new(),
            include: None,
            exclude: Globs::default(),
            max_file_size: MAX_FILE_SIZE,
            sources: Vec::new(),
            sinks: Vec::new(),
            sanitizers: Vec::new(),
            summaries: Vec::new(),
            exceptions: Vec::new(),
        }
    }
}

/// What a user says about a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuleLevel {
    /// Its findings are dropped.
    Off,
    /// Its findings become notes.
    Note,
    /// Its errors and warnings become warnings.
    Warning,
    /// Its errors and warnings become errors.
    Error,
}

impl RuleLevel {
    /// The words of the configuration.
    pub const WORDS: [(&'static str, RuleLevel); 4] = [
        ("off", RuleLevel::Off),
        ("note", RuleLevel::Note),
        ("warning", RuleLevel::Warning),
        ("error", RuleLevel::Error),
    ];

    /// The severity that a finding gets, or `None` when it is dropped. A note says that the tool is not sure; no
    /// level makes it surer.
    #[must_use]
    pub fn apply(self, severity: Severity) -> Option<Severity> {
        match self {
            RuleLevel::Off => None,
            RuleLevel::Note => Some(Severity::Note),
            _ if severity == Severity::Note => Some(Severity::Note),
            RuleLevel::Warning => Some(Severity::Warning),
            RuleLevel::Error => Some(Severity::Error),
        }
    }
}

/// A `[[path]]` table.
#[derive(Clone, Debug)]
pub struct PathLevels {
    /// `files`: the files it is about.
    pub files: Globs,
    /// `rules`: levels by rule id, or `level` for all rules (then the id is `*`).
    pub rules: Vec<(String, RuleLevel)>,
    /// `reason`: why; required when a rule is turned off.
    pub reason: Option<String>,
    /// The first line of the table, from 1.
    pub line: u32,
}

/// Globs relative to the folder of the configuration. A pattern without `/` matches at any depth, and a folder
/// stands for all it contains.
#[derive(Clone, Debug)]
pub struct Globs {
    folder: PathBuf,
    patterns: Vec<String>,
    set: GlobSet,
}

impl Default for Globs {
    fn default() -> Globs {
        Globs { folder: PathBuf::new(), patterns: Vec::new(), set: GlobSet::empty() }
    }
}

impl Globs {
    /// Compiles patterns.
    ///
    /// # Errors
    /// The index of the first pattern that is not a glob, and why.
    pub fn new(folder: &Path, patterns: &[String]) -> Result<Globs, (usize, String)> {
        let mut builder = GlobSetBuilder::new();
        for (index, pattern) in patterns.iter().enumerate() {
            for variant in variants(pattern) {
                let glob = globset::GlobBuilder::new(&variant).literal_separator(true).build();
                let glob: Glob = glob.map_err(|error| (index, error.kind().to_string()))?;
                builder.add(glob);
            }
        }
        let set = builder.build().map_err(|error| (0, error.to_string()))?;
        Ok(Globs { folder: folder.to_owned(), patterns: patterns.to_vec(), set })
    }

    /// The patterns as written.
    #[must_use]
    pub fn patterns(&self) -> &[String] {
        &self.patterns
    }

    /// Whether an absolute path matches.
    #[must_use]
    pub fn matches(&self, path: &Path) -> bool {
        !self.patterns.is_empty()
            && path.strip_prefix(&self.folder).is_ok_and(|relative| self.set.is_match(relative))
    }
}

fn variants(pattern: &str) -> Vec<String> {
    let pattern = pattern.trim_start_matches("./").trim_end_matches('/');
    let anchored = pattern.strip_prefix('/').unwrap_or(pattern);
    let mut variants = vec![anchored.to_owned(), format!("{anchored}/**")];
    if !pattern.contains('/') {
        variants.extend([format!("**/{anchored}"), format!("**/{anchored}/**")]);
    }
    variants
}

/// A path to a function, method, type, constant or macro: `a::b::f`, `Type::method`, or a bare name, which matches
/// any callee whose last segment it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RowPath {
    /// The segments; never empty.
    pub segments: Vec<Name>,
}

impl RowPath {
    /// The last segment.
    #[must_use]
    pub fn name(&self) -> &str {
        self.segments.last().map_or("", Name::as_str)
    }

    /// Whether it is a single name.
    #[must_use]
    pub fn is_bare(&self) -> bool {
        self.segments.len() == 1
    }
}

/// A `[[source]]` row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceRow {
    /// What yields a volatile value.
    pub path: RowPath,
    /// One of [`SOURCE_KINDS`], when given.
    pub kind: Option<Name>,
}

/// The kinds of sources.
pub const SOURCE_KINDS: [&str; 12] = [
    "uuid",
    "clock",
    "random",
    "connection",
    "member",
    "fence",
    "sequence",
    "attempt",
    "request",
    "encoding",
    "bucket",
    "mutable",
];

/// A `[[sink]]` row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SinkRow {
    /// The callee or type; `None` only for a header that counts wherever it is set.
    pub path: Option<RowPath>,
    /// Which part of it takes the key.
    pub slot: SinkSlot,
    /// `key = true`: the rules about the shape of keys apply too.
    pub key: bool,
}

/// Which part of a configured sink takes the key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SinkSlot {
    /// `arg = N`: an argument, counted from 0 without the receiver.
    Argument(u32),
    /// No slot given: any argument.
    AnyArgument,
    /// `field = ".."`: a field of the type.
    Field(Name),
    /// `header = ".."`: the value of a header with this name.
    Header(Name),
}

/// A `[[sanitizer]]` row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SanitizerRow {
    /// What returns a stable value whatever goes in.
    pub path: RowPath,
}

/// A `[[summary]]` row: how a value moves through a callee.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SummaryRow {
    /// The callee.
    pub path: RowPath,
    /// Where the value comes from.
    pub from: SummaryFrom,
    /// Where it goes.
    pub to: SummaryTo,
}

/// Where a value enters a callee.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SummaryFrom {
    /// `self`.
    Receiver,
    /// `argN`, from 0 without the receiver.
    Argument(u32),
}

/// Where a value leaves a callee.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SummaryTo {
    /// `return`, or a field of it: `return.a.b`.
    Return(Vec<Name>),
    /// `argN`: an argument that is written to.
    Argument(u32),
    /// `self`.
    Receiver,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_match_folders_and_bare_names_at_any_depth() {
        let globs =
            Globs::new(Path::new("/r"), &["gen".into(), "src/old/*.rs".into(), "/top".into()]).unwrap();
        for (path, expected) in [
            ("/r/gen/a.rs", true),
            ("/r/x/gen/a/b.rs", true),
            ("/r/src/old/a.rs", true),
            ("/r/src/old/b/a.rs", false),
            ("/r/top/a.rs", true),
            ("/r/x/top/a.rs", false),
            ("/elsewhere/gen/a.rs", false),
        ] {
            assert_eq!(globs.matches(Path::new(path)), expected, "{path}");
        }
    }

    #[test]
    fn a_level_never_makes_a_note_surer() {
        assert_eq!(RuleLevel::Error.apply(Severity::Note), Some(Severity::Note));
        assert_eq!(RuleLevel::Error.apply(Severity::Warning), Some(Severity::Error));
        assert_eq!(RuleLevel::Off.apply(Severity::Error), None);
    }
}
