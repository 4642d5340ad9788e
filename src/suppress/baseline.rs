//! The file that holds the findings that were there when the tool was switched on.
//!
//! It only shrinks: writing it again drops what was fixed and takes nothing in. Entries are sorted and one stands on
//! each line, so that two branches that fix different findings merge.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::report::{Diagnostic, KnownFinding, document, redact};
use crate::source::Sources;

const VERSION: u32 = 1;

/// Known findings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    /// In the order of the file.
    pub findings: Vec<KnownFinding>,
}

/// Why a text is not a baseline, in one sentence with the remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaselineError(String);

impl fmt::Display for BaselineError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for BaselineError {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(rename = "version")]
    _version: u32,
    findings: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    file: String,
    rule: String,
    fingerprint: String,
    message: String,
}

impl Baseline {
    /// The findings of a run.
    #[must_use]
    pub fn of(findings: &[Diagnostic], sources: &Sources) -> Baseline {
        let known = findings.iter().map(|found| KnownFinding {
            file: sources.path(found.primary.file).to_owned(),
            rule: found.rule.to_owned(),
            fingerprint: found.fingerprint.clone(),
            message: redact(&found.message),
        });
        let findings: BTreeSet<KnownFinding> = known.collect();
        Baseline { findings: findings.into_iter().collect() }
    }

    /// Reads a baseline.
    ///
    /// # Errors
    /// When the text is no baseline, or one of a later version.
    pub fn parse(text: &str) -> Result<Baseline, BaselineError> {
        let remedy = "`cargo samekey baseline` writes one";
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if text.lines().any(|line| line.starts_with("<<<<<<< ")) {
            return Err(BaselineError(
                "holds the marks of a merge conflict; keep the lines of findings that both sides have"
                    .to_owned(),
            ));
        }
        let value: serde_json::Value = serde_json::from_str(text)
            .map_err(|error| BaselineError(format!("is not a baseline ({error}); {remedy}")))?;
        if !value.is_object() {
            return Err(BaselineError(format!("is not a baseline; {remedy}")));
        }
        if let Some(version) = value.get("version").and_then(serde_json::Value::as_u64)
            && version != u64::from(VERSION)
        {
            return Err(BaselineError(format!(
                "is a baseline of version {version}, this samekey reads version {VERSION}; use the samekey that \
                 wrote it or write it anew"
            )));
        }
        let document: Document = serde_json::from_value(value)
            .map_err(|error| BaselineError(format!("is not a baseline ({error}); {remedy}")))?;
        let findings = document.findings.into_iter().map(|entry| KnownFinding {
            file: entry.file,
            rule: entry.rule,
            fingerprint: entry.fingerprint,
            message: entry.message,
        });
        Ok(Baseline { findings: findings.collect() })
    }

    /// The text of the file.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut sorted: Vec<&KnownFinding> = self.findings.iter().collect();
        sorted.sort_unstable();
        sorted.dedup();
        // Nothing here can fail to be written as JSON: all values are strings.
        let lines: Vec<String> =
            sorted.into_iter().filter_map(|known| document::line(&entry(known)).ok()).collect();
        if lines.is_empty() {
            return format!("{{\"version\": {VERSION}, \"findings\": []}}\n");
        }
        format!("{{\"version\": {VERSION}, \"findings\": [\n{}\n]}}\n", lines.join(",\n"))
    }

    /// Splits the entries into those that a run found again and the others.
    #[must_use]
    pub fn split(&self, found: &BTreeSet<&str>) -> (Vec<KnownFinding>, Vec<KnownFinding>) {
        self.findings.iter().cloned().partition(|known| found.contains(known.fingerprint.as_str()))
    }
}

fn entry(known: &KnownFinding) -> Entry {
    Entry {
        file: known.file.clone(),
        rule: known.rule.clone(),
        fingerprint: known.fingerprint.clone(),
        message: redact(&known.message),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(file: &str, fingerprint: &str) -> KnownFinding {
        KnownFinding {
            file: file.to_owned(),
            rule: "uuid-in-key".to_owned(),
            fingerprint: fingerprint.to_owned(),
            message: "m sk_live_abc".to_owned(),
        }
    }

    #[test]
    fn is_sorted_redacted_and_read_back() {
        let baseline =
            Baseline { findings: vec![known("b", "v1:2"), known("a", "v1:1"), known("b", "v1:2")] };
        let text = baseline.to_text();
        assert!(!text.contains("sk_live_abc") && text.contains("sk_live_***"), "{text}");
        let read = Baseline::parse(&text).unwrap();
        let files: Vec<&str> = read.findings.iter().map(|known| known.file.as_str()).collect();
        assert_eq!(files, ["a", "b"]);
        assert_eq!(Baseline::parse(&text).unwrap().to_text(), text);
        assert_eq!(Baseline::parse(&format!("\u{feff}{text}")).unwrap(), read);
        assert_eq!(Baseline::parse(&Baseline::default().to_text()).unwrap(), Baseline::default());
    }

    #[test]
    fn says_what_is_wrong() {
        for (text, expected) in [
            ("", "is not a baseline"),
            ("{\"version\":1}", "missing field `findings`"),
            ("{\"version\":7,\"findings\":[]}", "version 7"),
            ("[]", "is not a baseline; `cargo samekey baseline` writes one"),
            ("<<<<<<< main\n{\"version\":1,\"findings\":[]}", "the marks of a merge conflict"),
        ] {
            let message = Baseline::parse(text).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        }
    }
}
