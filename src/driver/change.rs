//! What of a run touches a change.

use std::ops::RangeInclusive;
use std::path::Path;

use crate::config::Config;
use crate::git::ChangedLines;
use crate::ir::Span;
use crate::report::{Diagnostic, Exception};
use crate::source::Sources;

/// The extensions of files that flows run through.
const SOURCE_EXTENSIONS: [&str; 1] = ["rs"];

/// The lines of a change.
#[derive(Debug)]
pub(super) struct Touched {
    lines: ChangedLines,
}

impl Touched {
    pub(super) fn new(lines: ChangedLines) -> Touched {
        Touched { lines }
    }

    /// Whether no source file changed.
    pub(super) fn is_free(&self) -> bool {
        let is_source = |file: &Path| {
            let extension = file.extension().and_then(|extension| extension.to_str());
            extension.is_some_and(|extension| SOURCE_EXTENSIONS.contains(&extension))
        };
        !self.lines.files().any(is_source)
    }

    /// Whether a place has a changed line.
    pub(super) fn touches(&self, span: Span, sources: &Sources) -> bool {
        let file = sources.absolute(span.file);
        // Most files have not changed; their lines need not be counted.
        if !self.lines.touch(file, &(0..=u32::MAX)) {
            return false;
        }
        let range = sources.range(span);
        self.lines.touch(file, &(range.start.line..=range.end.line.max(range.start.line)))
    }

    /// Whether the path of a finding, its key slot or a place that it names has a changed line.
    pub(super) fn concerns(&self, finding: &Diagnostic, sources: &Sources) -> bool {
        let steps = finding.trace.iter().map(|step| step.span);
        let labels = finding.labels.iter().map(|label| label.span);
        steps.chain(labels).chain([finding.primary]).any(|span| self.touches(span, sources))
    }

    /// The exceptions of the configuration on changed lines.
    pub(super) fn of_config(&self, config: &Config, root: &Path) -> Vec<Exception> {
        let Some(file) = &config.file else { return Vec::new() };
        let absolute = file.canonicalize().unwrap_or_else(|_| file.clone());
        let shown = absolute.strip_prefix(root).unwrap_or(&absolute).to_string_lossy().replace('\\', "/");
        let is_new = |lines: &RangeInclusive<u32>| self.lines.touch(&absolute, lines);
        let new = config.exceptions.iter().filter(|exception| is_new(&exception.lines));
        new.map(|exception| Exception {
            file: shown.clone(),
            line: *exception.lines.start(),
            kind: exception.kind,
            text: exception.text.clone(),
        })
        .collect()
    }
}
