//! Errors of the configuration, shown with the place and the nearest valid word.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;

use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, SourceCode};

/// How many errors are shown.
const MAX_SHOWN: usize = 20;

/// One thing that is wrong in a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The bytes of the file that it is about.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to write instead, when that can be guessed.
    pub help: Option<String>,
}

/// All that is wrong in a configuration file, or why it could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigErrors {
    /// The file.
    pub file: PathBuf,
    /// Its text; empty when it could not be read.
    pub text: String,
    /// The errors; each has a span in `text`.
    pub errors: Vec<ConfigError>,
}

impl ConfigErrors {
    /// A file that could not be read.
    #[must_use]
    pub fn unreadable(file: PathBuf, message: impl Into<String>) -> ConfigErrors {
        let error = ConfigError { span: 0..0, message: message.into(), help: None };
        ConfigErrors { file, text: String::new(), errors: vec![error] }
    }

    /// The errors as text for a terminal.
    #[must_use]
    pub fn render(&self, color: bool) -> String {
        let theme = if color { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
        let handler = GraphicalReportHandler::new_themed(theme).with_width(80).with_context_lines(1);
        let mut text = String::new();
        // Each is found in the text anew, and nobody reads ten thousand.
        for error in self.errors.iter().take(MAX_SHOWN) {
            let shown =
                Shown { source: NamedSource::new(self.name(), self.printable_text()), error, whole: self };
            if handler.render_report(&mut text, &shown).is_err() {
                text.push_str(&format!("{}: {}\n", self.name(), error.message));
            }
        }
        if let Some(more @ 1..) = self.errors.len().checked_sub(MAX_SHOWN) {
            text.push_str(&format!("  and {}\n", crate::report::count(more, "more error")));
        }
        text
    }

    fn name(&self) -> String {
        crate::report::printable(&self.file.to_string_lossy())
    }

    /// The text with control characters replaced byte by byte, so that spans stay right.
    fn printable_text(&self) -> String {
        let safe = |byte: char| byte.is_ascii_control() && byte != '\n' && byte != '\t';
        self.text.replace(safe, "?")
    }
}

impl fmt::Display for ConfigErrors {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.errors.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            write!(formatter, "{separator}{}: {}", self.name(), error.message)?;
        }
        Ok(())
    }
}

impl std::error::Error for ConfigErrors {}

/// One error as miette sees it.
#[derive(Debug)]
struct Shown<'a> {
    source: NamedSource<String>,
    error: &'a ConfigError,
    whole: &'a ConfigErrors,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.whole.text.is_empty() {
            true => write!(formatter, "{}: {}", self.whole.name(), self.error.message),
            false => formatter.write_str(&self.error.message),
        }
    }
}

impl std::error::Error for Shown<'_> {}

impl Diagnostic for Shown<'_> {
    fn source_code(&self) -> Option<&dyn SourceCode> {
        (!self.whole.text.is_empty()).then_some(&self.source)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        if self.whole.text.is_empty() {
            return None;
        }
        let length = self.error.span.len().max(1).min(self.whole.text.len());
        let start = self.error.span.start.min(self.whole.text.len() - length);
        Some(Box::new(std::iter::once(LabeledSpan::new_primary_with_span(None, (start, length)))))
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.error.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }
}

/// The valid word that is most like `word`, if one is alike at all.
#[must_use]
pub fn nearest<'a>(word: &str, valid: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_ascii_lowercase().replace('_', "-");
    let scored = valid.into_iter().map(|candidate| {
        (strsim::jaro_winkler(&word, &candidate.to_ascii_lowercase().replace('_', "-")), candidate)
    });
    let best = scored.max_by(|(left, a), (right, b)| left.total_cmp(right).then(b.cmp(a)))?;
    (best.0 > 0.75).then_some(best.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_the_nearest_word() {
        let valid = ["uuid-in-key", "clock-in-key", "constant-key"];
        assert_eq!(nearest("uid_in_key", valid), Some("uuid-in-key"));
        assert_eq!(nearest("zzz", valid), None);
    }

    #[test]
    fn shows_the_place_and_the_help() {
        let text = "exclud = []\n".to_owned();
        let error = ConfigError {
            span: 0..6,
            message: "unknown key `exclud`".into(),
            help: Some("did you mean `exclude`?".into()),
        };
        let shown = ConfigErrors { file: "samekey.toml".into(), text, errors: vec![error] }.render(false);
        assert!(shown.contains("samekey.toml:1:1") && shown.contains("did you mean `exclude`?"), "{shown}");
    }
}
