//! Output for a person at a terminal.
//!
//! Findings with the same cause (rule, source and file) are shown once and counted; a run with very many causes
//! shows the most serious ones in full and the rest in one line each, by file, and counts them by rule at the end,
//! where a terminal shows it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use super::snippet::snippet;
use super::text::{clip, clip_around, columns};
use super::{Applicability, Diagnostic, Report, Severity, Step, count, escape, printable, wrap};
use crate::ir::Span;
use crate::source::Sources;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const NOTE: Style = AnsiColor::Cyan.on_default().bold();
const VOLATILE: Style = AnsiColor::Red.on_default();
const HELP: Style = AnsiColor::Green.on_default();

/// How many causes are shown in full.
const FULL: usize = 15;

/// The longest code of a step, in columns.
const LONGEST_CODE: usize = 68;

/// How the output looks.
#[derive(Clone, Copy, Debug)]
pub struct Human {
    /// Whether to write terminal colours.
    pub color: bool,
    /// The width to fit into, in characters.
    pub width: usize,
    /// Whether to show every cause in full.
    pub verbose: bool,
}

/// Findings of one rule in one file that start at the same source.
struct Group<'a> {
    first: &'a Diagnostic,
    others: Vec<&'a Diagnostic>,
}

/// Writes all findings, grouped by file and cause.
///
/// # Errors
/// When the output cannot be written.
pub fn write_human(report: &Report<'_>, look: Human, out: &mut dyn Write) -> io::Result<()> {
    let (full, brief) = split(group(report.diagnostics), if look.verbose { usize::MAX } else { FULL });
    let per_file = count_by_file(report.diagnostics);
    let mut writer = Writer { sources: report.sources, look, out, helped: BTreeMap::new() };
    let mut current = None;
    for group in &full {
        let file = group.first.primary.file;
        if current != Some(file) && per_file.len() > 1 {
            writer.heading(report.sources.path(file), per_file.get(&file.0).copied().unwrap_or(0))?;
        }
        current = Some(file);
        writer.full(group)?;
    }
    if !brief.is_empty() {
        writer.brief(&brief)?;
        writer.by_rule(report)?;
    }
    Ok(())
}

/// The most serious groups, at most `number`, and the others; both in the order of the code.
fn split(groups: Vec<Group<'_>>, number: usize) -> (Vec<Group<'_>>, Vec<Group<'_>>) {
    let mut order: Vec<usize> = (0..groups.len()).collect();
    order.sort_by_key(|index| std::cmp::Reverse(groups.get(*index).map(|group| group.first.severity)));
    let chosen: BTreeSet<usize> = order.into_iter().take(number).collect();
    let (full, brief): (Vec<_>, Vec<_>) =
        groups.into_iter().enumerate().partition(|(index, _)| chosen.contains(index));
    (without_numbers(full), without_numbers(brief))
}

fn without_numbers(numbered: Vec<(usize, Group<'_>)>) -> Vec<Group<'_>> {
    numbered.into_iter().map(|(_, group)| group).collect()
}

fn group(diagnostics: &[Diagnostic]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut known: BTreeMap<(u32, &str, Severity, Option<Span>), usize> = BTreeMap::new();
    for diagnostic in diagnostics {
        let source = diagnostic.trace.first().map(|step| step.span);
        let cause = (diagnostic.primary.file.0, diagnostic.rule, diagnostic.severity, source);
        match known.get(&cause).filter(|_| source.is_some()) {
            Some(index) => groups[*index].others.push(diagnostic),
            None => {
                known.insert(cause, groups.len());
                groups.push(Group { first: diagnostic, others: Vec::new() });
            }
        }
    }
    groups.sort_by_key(|group| (group.first.primary.file, group.first.primary));
    groups
}

fn count_by_file(diagnostics: &[Diagnostic]) -> BTreeMap<u32, usize> {
    let mut counts = BTreeMap::new();
    for diagnostic in diagnostics {
        *counts.entry(diagnostic.primary.file.0).or_default() += 1;
    }
    counts
}

struct Writer<'a> {
    sources: &'a Sources,
    look: Human,
    out: &'a mut dyn Write,
    /// Advice that was already given, and where.
    helped: BTreeMap<String, String>,
}

impl Writer<'_> {
    fn paint(&self, style: Style, text: &str) -> String {
        if self.look.color { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    fn heading(&mut self, path: &str, findings: usize) -> io::Result<()> {
        let line = format!("{} ({})", printable(path), count(findings, "finding"));
        let line = self.paint(BOLD, &line);
        writeln!(self.out, "{line}\n")
    }

    fn title(&mut self, diagnostic: &Diagnostic) -> io::Result<()> {
        let style = style(diagnostic.severity);
        let head = format!("{}[{}]", diagnostic.severity.as_str(), diagnostic.rule);
        let text = format!("{head} {}", printable(&diagnostic.message));
        for (index, line) in wrap(&text, self.look.width).iter().enumerate() {
            match line.strip_prefix(&head).filter(|_| index == 0) {
                Some(rest) => {
                    let head = self.paint(style, &head);
                    let rest = self.paint(BOLD, rest);
                    writeln!(self.out, "{head}{rest}")?;
                }
                None => {
                    let line = self.paint(BOLD, line);
                    writeln!(self.out, "  {line}")?;
                }
            }
        }
        Ok(())
    }

    fn full(&mut self, group: &Group<'_>) -> io::Result<()> {
        let diagnostic = group.first;
        self.title(diagnostic)?;
        write!(self.out, "{}", snippet(diagnostic, self.sources, self.look.color, self.look.width))?;
        self.formula(diagnostic)?;
        if !shows_its_path(diagnostic) {
            self.path(&diagnostic.trace)?;
        }
        self.also(group)?;
        self.help(diagnostic)?;
        self.fix(diagnostic)?;
        writeln!(self.out)
    }

    /// One line for each cause, by file.
    fn brief(&mut self, groups: &[Group<'_>]) -> io::Result<()> {
        let findings: usize = groups.iter().map(|group| group.others.len() + 1).sum();
        let title = self.paint(BOLD, &format!("{} in short", count(findings, "more finding")));
        writeln!(self.out, "{title}")?;
        let line = |group: &Group<'_>| self.sources.line(group.first.primary).to_string();
        let number = groups.iter().map(|group| line(group).len()).max().unwrap_or(0);
        let rule = groups.iter().map(|group| group.first.rule.len()).max().unwrap_or(0);
        let mut current = None;
        for group in groups {
            let file = group.first.primary.file;
            if current != Some(file) {
                let path = self.paint(BOLD, &printable(self.sources.path(file)));
                writeln!(self.out, "  {path}")?;
            }
            current = Some(file);
            let more = match group.others.len() {
                0 => String::new(),
                others => format!(" (+{others} with the same cause)"),
            };
            let lead = number + rule + 17;
            let room = self.look.width.saturating_sub(lead + more.len()).max(20);
            let head =
                self.paint(style(group.first.severity), &format!("{:<7}", group.first.severity.as_str()));
            let (name, line) = (group.first.rule, self.sources.line(group.first.primary));
            let message = clip(&printable(&in_short(group.first)), room);
            writeln!(self.out, "    {line:>number$}  {head}  {name:<rule$}  {message}{more}")?;
        }
        writeln!(self.out)
    }

    fn formula(&mut self, diagnostic: &Diagnostic) -> io::Result<()> {
        let Some(formula) = &diagnostic.formula else { return Ok(()) };
        let lines = wrap(&printable(formula), self.look.width.saturating_sub(8));
        let mut inside = false;
        for (index, line) in lines.iter().enumerate() {
            let name = if index == 0 { self.paint(BOLD, "key") } else { "   ".to_owned() };
            let line = self.mark_volatile(line, &mut inside);
            writeln!(self.out, "  {name}   {line}")?;
        }
        Ok(())
    }

    /// Colours what stands between `⟨` and `⟩`, also when it spans lines.
    fn mark_volatile(&self, line: &str, inside: &mut bool) -> String {
        if !self.look.color {
            return line.to_owned();
        }
        let mut result = if *inside { VOLATILE.render().to_string() } else { String::new() };
        for character in line.chars() {
            if character == '⟨' {
                *inside = true;
                result.push_str(&VOLATILE.render().to_string());
            }
            result.push(character);
            if character == '⟩' {
                *inside = false;
                result.push_str(&VOLATILE.render_reset().to_string());
            }
        }
        if *inside {
            result.push_str(&VOLATILE.render_reset().to_string());
        }
        result
    }

    fn path(&mut self, trace: &[Step]) -> io::Result<()> {
        let rows: Vec<Row> = trace.iter().map(|step| Row::new(step, self.sources)).collect();
        let widest = |part: fn(&Row) -> &str| rows.iter().map(|row| columns(part(row))).max().unwrap_or(0);
        let place = widest(|row| &row.place);
        let code = widest(|row| &row.code);
        let message = widest(|row| &row.message);
        let number = rows.len().to_string().len();
        let lead = 8 + number + 2 + place + 2;
        let one_line = lead + code + 2 + message <= self.look.width;
        for (index, row) in rows.iter().enumerate() {
            let name = if index == 0 { self.paint(BOLD, "path") } else { "    ".to_owned() };
            write!(self.out, "  {name}  {:>number$}  ", index + 1)?;
            if one_line {
                let message = self.paint(DIM, &row.message);
                writeln!(self.out, "{:<place$}  {:<code$}  {message}", row.place, row.code)?;
            } else {
                self.step_in_lines(row, lead, 10 + number)?;
            }
        }
        Ok(())
    }

    /// The rest of a step that is too long for a line: what happens beside the place, the code below it.
    fn step_in_lines(&mut self, row: &Row, lead: usize, indent: usize) -> io::Result<()> {
        let width = self.look.width;
        let beside = lead + columns(&row.message) <= width;
        let place = lead.saturating_sub(indent);
        match beside {
            true => {
                let message = self.paint(DIM, &row.message);
                writeln!(self.out, "{:<place$}{message}", row.place)?;
            }
            false => writeln!(self.out, "{}", row.place)?,
        }
        writeln!(self.out, "{:indent$}{}", "", clip(&row.code, width.saturating_sub(indent)))?;
        if !beside {
            for line in wrap(&row.message, width.saturating_sub(indent)) {
                let line = self.paint(DIM, &line);
                writeln!(self.out, "{:indent$}{line}", "")?;
            }
        }
        Ok(())
    }

    fn also(&mut self, group: &Group<'_>) -> io::Result<()> {
        if group.others.is_empty() {
            return Ok(());
        }
        let lines: Vec<String> =
            group.others.iter().map(|other| self.sources.line(other.primary).to_string()).collect();
        let noun = if lines.len() == 1 { "line" } else { "lines" };
        let text = format!(
            "{} with the same cause: {noun} {}",
            count(lines.len(), "more finding"),
            lines.join(", ")
        );
        for (index, line) in wrap(&text, self.look.width.saturating_sub(8)).iter().enumerate() {
            let name = if index == 0 { self.paint(BOLD, "also") } else { "    ".to_owned() };
            writeln!(self.out, "  {name}  {line}")?;
        }
        Ok(())
    }

    /// Advice in the same words is given once. Where only an alternative is new, the advice to which it is one comes
    /// with it.
    fn help(&mut self, diagnostic: &Diagnostic) -> io::Result<()> {
        // A line of advice, with the indented lines below it.
        let mut advice: Vec<String> = Vec::new();
        for line in diagnostic.help.lines().map(printable) {
            match advice.last_mut().filter(|_| line.starts_with(' ')) {
                Some(last) => *last = format!("{last}\n{line}"),
                None => advice.push(line),
            }
        }
        let given: Vec<Option<String>> = advice.iter().map(|part| self.helped.get(part).cloned()).collect();
        let text = match given.as_slice() {
            [] => return Ok(()),
            [Some(place), others @ ..] if others.iter().all(Option::is_some) => format!("as for {place}"),
            _ => {
                let parts = advice.iter().zip(&given).enumerate();
                let shown = parts.filter(|(index, (_, given))| *index == 0 || given.is_none());
                shown.map(|(_, (part, _))| part.as_str()).collect::<Vec<_>>().join("\n")
            }
        };
        let place = place(self.sources, diagnostic.primary);
        for part in advice {
            self.helped.entry(part).or_insert_with(|| place.clone());
        }
        for (index, line) in wrap(&text, self.look.width.saturating_sub(8)).iter().enumerate() {
            let name = if index == 0 { self.paint(HELP, "help") } else { "    ".to_owned() };
            writeln!(self.out, "  {name}  {line}")?;
        }
        Ok(())
    }

    /// The first fix, and how it is applied.
    fn fix(&mut self, diagnostic: &Diagnostic) -> io::Result<()> {
        let Some(fix) = diagnostic.fixes.first() else { return Ok(()) };
        let how = match fix.applicability {
            Applicability::Safe => "--fix",
            Applicability::Unsafe => "--fix --unsafe-fixes: it changes the key",
        };
        let text = format!("{} ({how})", printable(&fix.title));
        for (index, line) in wrap(&text, self.look.width.saturating_sub(17)).iter().enumerate() {
            let name = if index == 0 { self.paint(HELP, "fix available:") } else { " ".repeat(14) };
            writeln!(self.out, "  {name} {line}")?;
        }
        Ok(())
    }

    /// How often each rule fired.
    fn by_rule(&mut self, report: &Report<'_>) -> io::Result<()> {
        let mut rules: BTreeMap<&str, usize> = BTreeMap::new();
        for diagnostic in report.diagnostics {
            *rules.entry(diagnostic.rule).or_default() += 1;
        }
        let mut rules: Vec<_> = rules.into_iter().collect();
        rules.sort_by_key(|(rule, findings)| (std::cmp::Reverse(*findings), *rule));
        let title = self.paint(BOLD, "findings by rule");
        writeln!(self.out, "{title}")?;
        let widest = rules.iter().map(|(rule, _)| rule.len()).max().unwrap_or(0);
        for (rule, findings) in rules {
            let summary = report.rules.iter().find(|info| info.id == rule).map_or("", |info| info.summary);
            let summary = self.paint(DIM, &clip(summary, self.look.width.saturating_sub(widest + 10)));
            writeln!(self.out, "{findings:>6}  {rule:<widest$}  {summary}")?;
        }
        if let Some(fixable) = fixable(report.diagnostics) {
            writeln!(self.out, "  {fixable}")?;
        }
        writeln!(self.out, "  -v shows every finding in full, --format concise one line for each")
    }
}

/// A message that is cut off at its end says where it is first.
fn in_short(diagnostic: &Diagnostic) -> String {
    match diagnostic.identity.function.as_str() {
        "" => diagnostic.message.clone(),
        function => format!("{function}: {}", diagnostic.message),
    }
}

/// How many findings have a fix, and how to see what it would change.
fn fixable(diagnostics: &[Diagnostic]) -> Option<String> {
    let fixes: Vec<_> = diagnostics.iter().filter_map(|found| found.fixes.first()).collect();
    let flags = match fixes.iter().any(|fix| fix.applicability == Applicability::Unsafe) {
        true => "--diff --unsafe-fixes",
        false => "--diff",
    };
    let number = count(fixes.len(), "finding");
    (!fixes.is_empty()).then(|| format!("{number} with a fix: {flags} shows what it would change"))
}

/// Whether the snippet with its mark is all that the path says.
fn shows_its_path(diagnostic: &Diagnostic) -> bool {
    match diagnostic.trace.as_slice() {
        [step] => diagnostic.labels.iter().any(|label| label.span == step.span && label.text == step.message),
        _ => false,
    }
}

fn style(severity: Severity) -> Style {
    match severity {
        Severity::Error => ERROR,
        Severity::Warning => WARNING,
        Severity::Note => NOTE,
    }
}

/// One step of a path as text.
struct Row {
    place: String,
    code: String,
    message: String,
}

fn place(sources: &Sources, span: Span) -> String {
    format!("{}:{}", printable(sources.path(span.file)), sources.line(span))
}

impl Row {
    fn new(step: &Step, sources: &Sources) -> Row {
        let line = sources.line(step.span);
        let whole = sources.line_text(step.span.file, line);
        let code = whole.trim();
        let indent = whole.len() - whole.trim_start().len();
        let line_start = sources.line_range(step.span.file, line).start + indent;
        let safe = escape::printable_in_place(code).replace('\t', " ");
        let at = |offset: u32| (offset as usize).saturating_sub(line_start).min(safe.len());
        let marked = at(step.span.start)..at(step.span.end);
        Row {
            place: place(sources, step.span),
            code: clip_around(&safe, marked, LONGEST_CODE),
            message: printable(&step.message),
        }
    }
}
