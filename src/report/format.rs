//! The output formats by name.

use std::io::{self, Write};

use super::{
    Human, Report, write_concise, write_github, write_gitlab, write_human, write_json, write_jsonl,
    write_sarif,
};

/// How findings are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// For a person: code, path and advice.
    Human,
    /// One line for each finding.
    Concise,
    /// One JSON document.
    Json,
    /// One JSON object on each line.
    JsonLines,
    /// SARIF 2.1.0.
    Sarif,
    /// Annotations of GitHub Actions.
    Github,
    /// A code quality report of GitLab.
    Gitlab,
}

impl Format {
    /// All formats with their names and what they are for.
    pub const ALL: [(&'static str, Format, &'static str); 7] = [
        ("human", Format::Human, "For a person: code, path and advice"),
        ("concise", Format::Concise, "One line for each finding"),
        ("json", Format::Json, "One JSON document"),
        ("jsonl", Format::JsonLines, "One JSON object on each line"),
        ("sarif", Format::Sarif, "SARIF 2.1.0, for code scanning"),
        ("github", Format::Github, "Annotations of GitHub Actions"),
        ("gitlab", Format::Gitlab, "A code quality report of GitLab"),
    ];

    /// The format with a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|(known, ..)| *known == name).map(|(_, format, _)| format)
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Format::ALL.into_iter().find(|(_, format, _)| *format == self).map_or("", |(name, ..)| name)
    }
}

/// Writes a report. Only the format for people has a look.
///
/// # Errors
/// When the output cannot be written.
pub fn write(format: Format, report: &Report<'_>, look: Human, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Human => write_human(report, look, out),
        Format::Concise => write_concise(report, out),
        Format::Json => write_json(report, out),
        Format::JsonLines => write_jsonl(report, out),
        Format::Sarif => write_sarif(report, out),
        Format::Github => write_github(report, out),
        Format::Gitlab => write_gitlab(report, out),
    }
}
