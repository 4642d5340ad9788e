//! The code around a span, as miette draws it.

use std::fmt;

use miette::{
    Diagnostic as MietteDiagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError,
    MietteSpanContents, SourceCode, SourceSpan, SpanContents,
};

use super::escape::printable_in_place;
use super::{Diagnostic, printable};
use crate::ir::Span;
use crate::source::Sources;

/// Lines longer than this are cut around the span: minified or generated code must not flood a terminal.
const LONGEST_LINE: usize = 160;

/// Draws the lines of the primary span with its labels; empty when the file cannot be read.
pub(super) fn snippet(diagnostic: &Diagnostic, sources: &Sources, color: bool, width: usize) -> String {
    let Some(window) = Window::new(diagnostic, sources) else { return String::new() };
    let theme = if color { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme).with_width(width).with_context_lines(1);
    let mut drawn = String::new();
    if handler.render_report(&mut drawn, &window).is_err() {
        return String::new();
    }
    // miette puts a header above the frame; ours is the first line of the finding.
    let frame = drawn.lines().skip_while(|line| !line.contains("╭─")).map(str::trim_end);
    frame.filter(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect()
}

/// A few lines of a file, safe to print, with marks.
#[derive(Debug)]
struct Window {
    name: String,
    text: String,
    /// The number of the first line, from 0.
    first_line: usize,
    labels: Vec<LabeledSpan>,
}

impl Window {
    fn new(diagnostic: &Diagnostic, sources: &Sources) -> Option<Window> {
        let primary = diagnostic.primary;
        sources.load(primary.file).ok()?;
        let range = sources.range(primary);
        let first = range.start.line.saturating_sub(1).max(1);
        // A span over many lines shows its beginning.
        let last = range.end.line.min(range.start.line + 4) + 1;
        let cut = cut_of(sources, primary, range.start.line);
        let mut window = Window {
            name: printable(sources.path(primary.file)),
            text: String::new(),
            first_line: first as usize - 1,
            labels: Vec::new(),
        };
        let mut lines = Vec::new();
        for line in first..=last {
            let bytes = sources.line_range(primary.file, line);
            if bytes.is_empty() {
                break;
            }
            let start = bytes.start;
            let text = printable_in_place(sources.line_text(primary.file, line));
            let shown = cut.clone().filter(|_| text.len() > LONGEST_LINE);
            let shown = shown.unwrap_or(0..text.len());
            lines.push((start + shown.start, window.text.len()));
            window.text.push_str(floor(&text, shown));
            window.text.push('\n');
        }
        let primary_text =
            diagnostic.labels.iter().find(|label| label.span == primary).map(|label| label.text.as_str());
        window.mark(primary, primary_text.unwrap_or("here"), &lines, true);
        for label in
            diagnostic.labels.iter().filter(|label| label.span != primary && label.span.file == primary.file)
        {
            window.mark(label.span, &label.text, &lines, false);
        }
        Some(window)
    }

    /// Adds a label, if the window shows the place. `lines` holds for each line where it starts in the file and
    /// in the window.
    fn mark(&mut self, span: Span, text: &str, lines: &[(usize, usize)], primary: bool) {
        let at = |offset: usize| {
            let (in_file, in_window) = lines.iter().rev().find(|(start, _)| *start <= offset)?;
            Some((offset - in_file + in_window).min(self.text.len()))
        };
        let (Some(start), Some(end)) = (at(span.start as usize), at(span.end as usize)) else { return };
        if start >= self.text.len() {
            return;
        }
        // Only the first line of a long span is underlined; miette draws multi-line spans as wide brackets.
        let line_end =
            self.text.get(start..).and_then(|rest| rest.find('\n')).map_or(self.text.len(), |at| start + at);
        let length = end.min(line_end).saturating_sub(start).max(1);
        let label = Some(printable(text));
        self.labels.push(match primary {
            true => LabeledSpan::new_primary_with_span(label, (start, length)),
            false => LabeledSpan::new_with_span(label, (start, length)),
        });
    }
}

/// The part of a long line that is shown.
fn cut_of(sources: &Sources, span: Span, line: u32) -> Option<std::ops::Range<usize>> {
    let bytes = sources.line_range(span.file, line);
    let length = bytes.len();
    (length > LONGEST_LINE).then(|| {
        let column = (span.start as usize).saturating_sub(bytes.start);
        let start = column.saturating_sub(40);
        start..(start + 100).min(length)
    })
}

/// A part of a text, its ends moved down to character boundaries.
fn floor(text: &str, range: std::ops::Range<usize>) -> &str {
    let down = |mut at: usize| {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    text.get(down(range.start)..down(range.end)).unwrap_or_default()
}

impl fmt::Display for Window {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.name)
    }
}

impl std::error::Error for Window {}

impl MietteDiagnostic for Window {
    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(self)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.labels.iter().cloned()))
    }
}

impl SourceCode for Window {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let inner = self.text.read_span(span, before, after)?;
        let contents = MietteSpanContents::new_named(
            self.name.clone(),
            inner.data(),
            *inner.span(),
            inner.line() + self.first_line,
            inner.column(),
            inner.line_count(),
        );
        Ok(Box::new(contents))
    }
}
