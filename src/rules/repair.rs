//! Edits that remove findings, where the code that makes the key is in view and leaves no doubt about what to write.
//!
//! All of them change the key, so none is safe to apply unasked. Where the right key depends on what the author
//! means, there is no edit, and the help says what to look for.

use std::rc::Rc;

use samekey_catalogue::{Level, NameRole, SourceKind, name_rules};

use super::case::{Case, Slot, World};
use super::context::{contains, statements};
use super::shape::KeyFormula;
use super::{leftover, locals, remedy};
use crate::fix::Template;
use crate::flow::term::Term;
use crate::flow::trace::StepKind;
use crate::ir::{Argument, Body, FormatPiece, Rvalue, Span, Statement, StatementKind};
use crate::report::{Applicability, Edit, Fix, Replacement};
use crate::source::lexer::{TokenKind, tokens};

/// Larger functions are generated, or their author sees less of them than this tool would have to.
const MOST_STATEMENTS: usize = 4000;

/// With more fresh values in one function, what is left of a key is not looked at.
const MOST_SOURCES: usize = 16;

/// A formatted text in a function.
#[derive(Clone, Copy)]
struct Formatted<'a> {
    /// The innermost body around it.
    body: &'a Body,
    statement: &'a Statement,
    pieces: &'a [FormatPiece],
    args: &'a [Argument],
}

/// Takes a fresh value out of the `format!` through which it gets into the key, when what is left names the operation.
pub fn without_source(case: &Case<'_>) -> Option<Fix> {
    case.site?;
    let world = case.world;
    let (position, formatted) = case.steps.iter().enumerate().find_map(|(position, step)| {
        let found = (step.kind == StepKind::Through).then(|| formatted_at(world, step.span)).flatten()?;
        Some((position, found))
    })?;
    let function = world.contexts.function_at(formatted.statement.span);
    let mut before = case.steps.get(..position)?.iter().rev();
    let origin = before.find(|step| {
        matches!(step.kind, StepKind::Source | StepKind::Return)
            && world.contexts.function_at(step.span) == function
    })?;
    let fresh = locals::carriers(formatted.body, origin.span);
    let mut carried = (0..).zip(formatted.args).filter(|(_, arg)| locals::is_carried(arg, &fresh));
    let (index, _) = carried.next()?;
    if carried.next().is_some() || !names_operation(world, formatted, index) {
        return None;
    }
    let mut variable = None;
    let mut edits = formatted.edits(world, |template| {
        let placeholder = formatted.only_placeholder(index)?;
        let argument = (index < template.arguments()).then_some(index);
        variable = template.variable(placeholder, argument).map(str::to_owned);
        template.without(placeholder, argument)
    })?;
    // Taking a lock or opening a connection does more than yield a value.
    let only_a_value = matches!(case.source.kind, SourceKind::Uuid | SourceKind::Clock | SourceKind::Random);
    if let (true, StepKind::Source) = (only_a_value, origin.kind)
        && let (Some(name), Some(function)) = (variable, function)
    {
        let whole = world.input.program.function(function).span;
        edits.extend(leftover::variable(world, whole, origin.span, &name));
        edits.sort_by_key(|edit| edit.span);
    }
    Some(Fix {
        title: format!("take `{}` out of the key", case.symbol.replace('`', "'")),
        applicability: Applicability::Unsafe,
        edits,
    })
}

/// Whether an argument other than `removed` says which operation this is, and is no fresh value itself.
fn names_operation(world: &World<'_>, formatted: Formatted<'_>, removed: usize) -> bool {
    let Some(function) = world.contexts.function_at(formatted.statement.span) else { return false };
    let around = world.input.program.function(function).span;
    let here = world.analysis.sources.iter().filter(|site| contains(around, site.span));
    let here: Vec<Span> = here.map(|site| site.span).take(MOST_SOURCES + 1).collect();
    if here.len() > MOST_SOURCES {
        return false;
    }
    let sources: Vec<_> = here.iter().map(|site| locals::carriers(formatted.body, *site)).collect();
    let mut others = (0..).zip(formatted.args).filter(|(index, _)| *index != removed).map(|(_, arg)| arg);
    others.any(|arg| {
        let is_fresh = sources.iter().any(|fresh| locals::is_carried(arg, fresh));
        !is_fresh && is_operation(world.input.sources.snippet(arg.span))
    })
}

/// Whether code stands for one operation by its names: `order.id`, `invoice_id`, `period`.
fn is_operation(code: &str) -> bool {
    let code = code.trim_start_matches(['&', '*']);
    let mut names: Vec<&str> = code.split('.').map(|name| name.trim().trim_end_matches("()")).collect();
    let is_conversion =
        |name: &&str| matches!(*name, "as_str" | "to_string" | "clone" | "as_ref" | "to_owned");
    while names.last().is_some_and(is_conversion) {
        names.pop();
    }
    let Some(mut name) = names.pop() else { return false };
    if matches!(name, "id" | "number" | "uuid" | "reference" | "0") {
        name = names.pop().unwrap_or(name);
    }
    remedy::is_business(name) && !remedy::is_party(name) || is_key(name)
}

/// Whether a name is that of a key: what the caller made for this one operation.
fn is_key(name: &str) -> bool {
    name_rules()
        .iter()
        .any(|rule| rule.role == NameRole::Sink && rule.level != Level::Off && rule.snake.contains(&name))
}

/// Puts a separator between the parts that touch: `behind` are the parts that run into the next one. The formula
/// must be that of one `format!` in view.
pub fn separated(
    world: &World<'_>,
    key: &KeyFormula<'_>,
    parts: &[Rc<Term>],
    behind: &[usize],
) -> Option<Fix> {
    let slot = key.slot.sink.span;
    let body = world.contexts.body_at(slot)?;
    let mut candidates = formats(body).into_iter().filter(|formatted| {
        formatted.is_made_of(parts)
            && (contains(slot, formatted.statement.span)
                || locals::reaches(formatted.body, formatted.statement, slot))
    });
    let formatted = candidates.next()?;
    if candidates.next().is_some() {
        return None;
    }
    let placeholders: Option<Vec<usize>> =
        behind.iter().map(|part| formatted.placeholder_of_piece(*part)).collect();
    let placeholders = placeholders?;
    let edits = formatted.edits(world, |template| template.separated(&placeholders))?;
    let title = match behind {
        [only] => {
            let (left, right) = (parts.get(*only)?, parts.get(only.checked_add(1)?)?);
            format!("put `:` between `{}` and `{}`", key.text(world, left), key.text(world, right))
        }
        _ => "put `:` between the parts".to_owned(),
    };
    Some(Fix { title, applicability: Applicability::Unsafe, edits })
}

/// Replaces the name of a header by the one that the provider reads, where it is written beside the key.
pub fn header(world: &World<'_>, slot: Slot<'_>, header: &str, right: &str) -> Option<Fix> {
    let sources = world.input.sources;
    let (name, key) = (slot.sink.name_span, slot.sink.span);
    let before = Span { file: key.file, start: name.start, end: key.start };
    let code = (name.file == key.file && name.start < key.start).then(|| sources.snippet(before))?;
    let mut literals = tokens(code).filter(|token| token.kind == TokenKind::Text).filter(|token| {
        let text = code.get(token.start..token.end).unwrap_or_default();
        let inside = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        inside.is_some_and(|inside| inside.eq_ignore_ascii_case(header))
    });
    let literal = literals.next()?;
    if literals.next().is_some() {
        return None;
    }
    let written = code.get(literal.start + 1..literal.end.checked_sub(1)?)?;
    // `HeaderName::from_static` takes lower case only.
    let is_lower = !written.contains(|c: char| c.is_ascii_uppercase());
    let replacement = if is_lower { right.to_ascii_lowercase() } else { right.to_owned() };
    Some(Fix {
        title: format!("send the key in the header {replacement:?}"),
        applicability: Applicability::Unsafe,
        edits: vec![Edit { span: offset(before, &(literal.start + 1..literal.end - 1))?, replacement }],
    })
}

impl Formatted<'_> {
    /// The edits of the call as edits of its file; `None` when it is not written as it was read.
    fn edits(
        self,
        world: &World<'_>,
        change: impl FnOnce(&Template<'_>) -> Option<Vec<Replacement>>,
    ) -> Option<Vec<Edit>> {
        let span = self.statement.span;
        if !world.may_be_primary(span) {
            return None;
        }
        let template = Template::read(world.input.sources.snippet(span))?;
        let shown = self.pieces.iter().filter(|piece| matches!(piece, FormatPiece::Argument { .. })).count();
        if template.placeholders() != shown || template.arguments() > self.args.len() {
            return None;
        }
        let edit =
            |(range, replacement): Replacement| Some(Edit { span: offset(span, &range)?, replacement });
        change(&template)?.into_iter().map(edit).collect()
    }

    /// The placeholder that shows an argument, when there is only one.
    fn only_placeholder(self, argument: usize) -> Option<usize> {
        let shown = self.pieces.iter().filter_map(|piece| match piece {
            FormatPiece::Argument { index, .. } => Some(*index),
            FormatPiece::Text(_) => None,
        });
        let mut fitting = (0..).zip(shown).filter(|(_, index)| *index == argument);
        let (placeholder, _) = fitting.next()?;
        fitting.next().is_none().then_some(placeholder)
    }

    /// How many placeholders stand before a piece that is one.
    fn placeholder_of_piece(self, piece: usize) -> Option<usize> {
        let is_argument = |piece: &FormatPiece| matches!(piece, FormatPiece::Argument { .. });
        let before = self.pieces.get(..piece)?;
        is_argument(self.pieces.get(piece)?).then(|| before.iter().filter(|one| is_argument(one)).count())
    }

    /// Whether the parts of a formula are the pieces of this text, one by one.
    fn is_made_of(self, parts: &[Rc<Term>]) -> bool {
        let fits = |(piece, part): (&FormatPiece, &Rc<Term>)| match (piece, part.as_ref()) {
            (FormatPiece::Text(text), Term::Literal(literal)) => text == literal,
            (FormatPiece::Text(_), _) => false,
            (FormatPiece::Argument { .. }, _) => true,
        };
        self.pieces.len() == parts.len() && self.pieces.iter().zip(parts).all(fits)
    }
}

/// The `format!` at a place.
fn formatted_at<'a>(world: &'a World<'_>, span: Span) -> Option<Formatted<'a>> {
    let body = world.contexts.body_at(span)?;
    formats(body).into_iter().find(|formatted| formatted.statement.span == span)
}

/// All `format!` of a body and its closures.
fn formats(body: &Body) -> Vec<Formatted<'_>> {
    if body.blocks.iter().map(|block| block.statements.len()).sum::<usize>() > MOST_STATEMENTS {
        return Vec::new();
    }
    let own = statements(body).filter_map(|statement| match &statement.kind {
        StatementKind::Assign(_, Rvalue::Format { name, pieces, args }) if name == "format" => {
            Some(Formatted { body, statement, pieces, args })
        }
        _ => None,
    });
    let mut found: Vec<Formatted<'_>> = own.collect();
    found.extend(body.closures.iter().flat_map(|closure| formats(&closure.body)));
    found
}

/// A range of the code of a span as a span.
fn offset(span: Span, range: &std::ops::Range<usize>) -> Option<Span> {
    let at = |offset: usize| span.start.checked_add(u32::try_from(offset).ok()?);
    Some(Span { file: span.file, start: at(range.start)?, end: at(range.end)? })
}

#[cfg(test)]
mod tests {
    use super::is_operation;

    #[test]
    fn an_operation_is_told_from_its_parties() {
        for code in [
            "order.id",
            "&invoice_id",
            "self.order.number",
            "request.period",
            "payment_id.to_string()",
            "refund.id",
            "request.idempotency_key.as_str()",
        ] {
            assert!(is_operation(code), "{code}");
        }
        for code in
            ["customer_id", "tenant.id", "amount", "nonce", "user.id.to_string()", "\"charge:{}\"", ""]
        {
            assert!(!is_operation(code), "{code}");
        }
    }
}
