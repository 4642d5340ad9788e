//! The numbers of a run, and how much of the code they are about.

use super::count;

/// The numbers of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Files that were found.
    pub files: usize,
    /// Files that could not be read or not be understood completely.
    pub unparsed: usize,
    /// Keys that were found.
    pub keys: usize,
    /// Errors and warnings.
    pub findings: usize,
    /// Notes.
    pub notes: usize,
    /// Findings that a comment or the configuration suppresses.
    pub suppressed: usize,
    /// Findings that the baseline knows.
    pub baselined: usize,
    /// Findings of the baseline that were not found any more.
    pub stale: usize,
    /// Findings that do not touch the change.
    pub unchanged: usize,
    /// How often the work budget cut an analysis short. Anything but 0 means that flows may be missing.
    pub partial: usize,
}

impl std::fmt::Display for Summary {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            formatter,
            "{}, {}, {}, {}, {} not analysed",
            count(self.files, "file"),
            count(self.keys, "key"),
            count(self.findings, "finding"),
            count(self.notes, "note"),
            self.unparsed
        )?;
        let rest = [
            (self.partial, "cut short"),
            (self.suppressed, "suppressed"),
            (self.baselined, "in the baseline"),
            (self.unchanged, "outside of the change"),
        ];
        for (number, what) in rest.into_iter().filter(|(number, _)| *number > 0) {
            write!(formatter, ", {number} {what}")?;
        }
        Ok(())
    }
}

/// A function from which the analysis starts and whose flows it did not follow to the end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CutShort {
    /// The file, relative to the root.
    pub file: String,
    /// The line of the function, from 1.
    pub line: Option<u32>,
    /// The path of the function.
    pub function: String,
}

impl CutShort {
    /// What that means, in one sentence.
    #[must_use]
    pub fn message(&self) -> String {
        format!(
            "the work budget cut the analysis of `{}` short: flows through it may be missing",
            self.function
        )
    }
}
