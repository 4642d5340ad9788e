//! A key without any part of the business: the second operation is taken for a repetition of the first.

use super::case::{Slot, World};
use super::findings::identity;
use super::formula;
use super::message;
use super::remedy::Scope;
use crate::flow::term::Term;
use crate::flow::trace::StepKind;
use crate::flow::value::Flags;
use crate::report::{Certainty, Diagnostic, Label, RuleInfo, Severity, Step};

/// The rule. It reads formulas, not flows.
pub const INFO: RuleInfo = RuleInfo {
    id: "constant-key",
    code: "SK101",
    summary: "nothing in the key says which operation it is for",
    page: include_str!("../../docs/rules/constant-key.md"),
};

/// Key slots whose formula holds literals, constants and periods only.
pub fn findings(world: &World<'_>) -> Vec<Diagnostic> {
    let slots = (0..).take(world.analysis.sinks.len()).filter_map(|id| world.slot(id));
    slots.filter(|slot| is_constant(world, *slot)).filter_map(|slot| finding(world, slot)).collect()
}

fn is_constant(world: &World<'_>, slot: Slot<'_>) -> bool {
    let in_house = slot.info.by_name || slot.info.row.is_none_or(|row| row.mints);
    if slot.info.configured || in_house || world.is_silent(slot.sink.function) {
        return false;
    }
    if slot.sink.term.any(&|term| matches!(term, Term::Literal(text) if is_prose(text))) {
        return false;
    }
    let named = slot.sink.term.any(&|term| match term {
        Term::Literal(text) => may_be_key(text),
        Term::Named(path) => is_constant_name(path),
        _ => false,
    });
    let bucket = |site: u32| {
        let mut flows =
            world.analysis.flows.iter().filter(|flow| flow.source == site && flow.sink.0 == slot.id);
        flows.all(|flow| flow.flags.has(Flags::LONG_BUCKET))
    };
    named && formula::is_constant(&slot.sink.term, &bucket) && !carries_more(world, slot)
}

/// A sentence says something about a key and is none: `("idempotency_key", "must be unique")`.
fn is_prose(text: &str) -> bool {
    text.trim().contains(char::is_whitespace)
}

/// Whether a literal may be a key: a flag or a number beside the name of one says something about it, as in
/// `column("idempotency_key", false)`.
fn may_be_key(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && text.parse::<bool>().is_err() && text.parse::<f64>().is_err()
}

/// Whether a path names a constant, and no variant: `DataType::Utf8` beside the name of a key is its type.
fn is_constant_name(path: &str) -> bool {
    let name = path.rsplit("::").next().unwrap_or(path);
    !name.starts_with(|c: char| c.is_ascii_uppercase()) || !name.contains(|c: char| c.is_ascii_lowercase())
}

/// Whether a value that the formula does not show, or an earlier slot that is reported itself, is in the key.
fn carries_more(world: &World<'_>, slot: Slot<'_>) -> bool {
    let open = world.analysis.open.iter().any(|open| open.reach.sink.0 == slot.id);
    let mut flows = world.analysis.flows.iter().filter(|flow| flow.sink.0 == slot.id);
    open || flows.any(|flow| {
        let earlier = flow
            .trace
            .steps()
            .iter()
            .any(|step| step.kind != StepKind::Slot(slot.id) && matches!(step.kind, StepKind::Slot(_)));
        earlier || !flow.flags.has(Flags::LONG_BUCKET)
    })
}

fn finding(world: &World<'_>, slot: Slot<'_>) -> Option<Diagnostic> {
    let level = match slot.info.level {
        samekey_catalogue::Level::Error => Severity::Error,
        samekey_catalogue::Level::Warning => Severity::Warning,
        _ => Severity::Note,
    };
    let severity = if world.is_example(slot.sink.span) { Severity::Note } else { level };
    let scope = Scope::of(world.input.program, slot.sink.function);
    Some(Diagnostic {
        rule: INFO.id,
        code: INFO.code,
        severity,
        certainty: Certainty::Proven,
        message: "the key is the same for every operation: all but the first are taken for repetitions of it"
            .to_owned(),
        primary: slot.sink.span,
        labels: vec![Label { span: slot.sink.span, text: "always this key".to_owned() }],
        formula: formula::text(world, &slot.sink.term, slot.sink.function, &|_| false),
        identity: identity(world, slot, "constant"),
        fingerprint: String::new(),
        trace: vec![Step { span: slot.sink.span, message: format!("reaches {}", message::slot(slot)) }],
        help: format!("add what tells one operation from the next: {}", scope.words()),
        fixes: Vec::new(),
    })
}
