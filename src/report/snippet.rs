//! The code around a span, as miette draws it.

use std::fmt;

use miette::{
    Diagnostic as MietteDiagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError,
    MietteSpanContents, SourceCode, SourceSpan, SpanContents,
};

use super::escape::printable_in_place;
use super::text::{bytes_after_columns, bytes_in_columns, columns};
use super::{Diagnostic, printable};
use crate::ir::Span;
use crate::source::Sources;

/// What miette draws to the left of the code, beside the line number.
const FRAME: usize = 4;

/// What miette draws between the middle of a mark and its text, and one column to spare.
const MARK: usize = 5;

/// Draws the lines of the primary span with its labels; empty when the file cannot be read.
pub(super) fn snippet(diagnostic: &Diagnostic, sources: &Sources, color: bool, width: usize) -> String {
    let Some(window) = Window::new(diagnostic, sources, width) else { return String::new() };
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
    /// The column of the primary span in the file, from 0; a line that is cut starts later.
    column: usize,
    labels: Vec<LabeledSpan>,
}

/// A line of the file as the window shows it.
#[derive(Clone, Copy, Debug)]
struct Line {
    /// Where the shown part starts in the file.
    in_file: usize,
    /// Where it starts in the window.
    in_window: usize,
    length: usize,
}

impl Window {
    fn new(diagnostic: &Diagnostic, sources: &Sources, width: usize) -> Option<Window> {
        let primary = diagnostic.primary;
        sources.load(primary.file).ok()?;
        let range = sources.range(primary);
        let first = range.start.line.saturating_sub(1).max(1);
        // A span over many lines shows its beginning.
        let last = range.end.line.min(range.start.line + 4) + 1;
        let room = width.saturating_sub(FRAME + last.to_string().len()).max(20);
        let label = diagnostic.labels.iter().find(|label| label.span == primary);
        let label = label.map_or("here", |label| label.text.as_str());
        let mut window = Window {
            name: printable(sources.path(primary.file)),
            text: String::new(),
            first_line: first as usize - 1,
            column: (range.start.column as usize).saturating_sub(1),
            labels: Vec::new(),
        };
        let mut lines = Vec::new();
        for number in first..=last {
            let bytes = sources.line_range(primary.file, number);
            if bytes.is_empty() {
                break;
            }
            let text = printable_in_place(sources.line_text(primary.file, number));
            let from = match number == range.start.line {
                true => {
                    let start = (primary.start as usize).saturating_sub(bytes.start);
                    let end = (primary.end as usize).saturating_sub(bytes.start).min(text.len());
                    beginning(&text, start..end.max(start), label, room)
                }
                false => 0,
            };
            lines.push(window.push_line(&text, from, room, bytes.start));
        }
        window.mark(primary, label, &lines, true);
        for label in
            diagnostic.labels.iter().filter(|label| label.span != primary && label.span.file == primary.file)
        {
            window.mark(label.span, &label.text, &lines, false);
        }
        Some(window)
    }

    /// Adds the part of a line that starts at byte `from` and is at most `room` columns wide.
    fn push_line(&mut self, text: &str, from: usize, room: usize, start: usize) -> Line {
        if from > 0 {
            self.text.push('…');
        }
        let rest = text.get(from..).unwrap_or_default();
        let room = room.saturating_sub(usize::from(from > 0));
        let whole = columns(rest) <= room;
        let length = if whole { rest.len() } else { bytes_in_columns(rest, room.saturating_sub(1)) };
        let line = Line { in_file: start + from, in_window: self.text.len(), length };
        self.text.push_str(rest.get(..length).unwrap_or_default());
        self.text.push_str(if whole { "\n" } else { "…\n" });
        line
    }

    /// Adds a label, if the window shows the place.
    fn mark(&mut self, span: Span, text: &str, lines: &[Line], primary: bool) {
        let start = span.start as usize;
        let Some(line) = lines.iter().rev().find(|line| line.in_file <= start) else { return };
        if start > line.in_file + line.length {
            return;
        }
        // Only the first line of a long span is underlined; miette draws multi-line spans as wide brackets.
        let end = (span.end as usize).min(line.in_file + line.length);
        let length = end.saturating_sub(start).max(1);
        let start = (start - line.in_file) + line.in_window;
        let label = Some(printable(text));
        self.labels.push(match primary {
            true => LabeledSpan::new_primary_with_span(label, (start, length)),
            false => LabeledSpan::new_with_span(label, (start, length)),
        });
    }
}

/// Where the shown part of a line starts, so that the marked part and the text below its middle fit: 0 when the
/// whole line does. Minified or generated code must not flood a terminal.
fn beginning(text: &str, marked: std::ops::Range<usize>, label: &str, room: usize) -> usize {
    let before = columns(text.get(..marked.start).unwrap_or_default());
    let inside = columns(text.get(marked.clone()).unwrap_or_default());
    let label_end = before + inside / 2 + MARK + columns(label);
    let needed = label_end.max(before + inside + 1);
    let skipped = needed.saturating_sub(room).min(before);
    // One more for the sign that something is left out.
    if skipped == 0 { 0 } else { bytes_after_columns(text, (skipped + 1).min(before)) }
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
        let primary = self.labels.first().map(|label| *label.inner());
        let column = if primary == Some(*span) { self.column } else { inner.column() };
        let contents = MietteSpanContents::new_named(
            self.name.clone(),
            inner.data(),
            *inner.span(),
            inner.line() + self.first_line,
            column,
            inner.line_count(),
        );
        Ok(Box::new(contents))
    }
}
