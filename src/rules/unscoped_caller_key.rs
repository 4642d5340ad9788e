//! A key that a caller chose, sent on as it is: two callers who choose the same one share a result.

use rustc_hash::FxHashSet;

use super::case::{Slot, World};
use super::findings::identity;
use super::formula;
use super::message;
use super::requests::flat::{Flat, FlatStatement};
use super::requests::text::passes_text;
use super::requests::{Requests, operation_name};
use crate::ir::{Operand, Place, PlaceBase, Rvalue, Span, StatementKind};
use crate::report::{Certainty, Diagnostic, Label, RuleInfo, Severity, Step};
use crate::resolve::FunctionId;

/// The rule. It reads requests, not flows.
pub const INFO: RuleInfo = RuleInfo {
    id: "unscoped-caller-key",
    code: "SK113",
    summary: "a key that the caller chose is sent on without saying whose it is",
    page: include_str!("../../docs/rules/unscoped-caller-key.md"),
};

/// Slots of payment providers that get the header of an incoming request as it came.
pub fn findings(requests: &Requests<'_>) -> Vec<Diagnostic> {
    let world = requests.world;
    let slots = (0..).take(world.analysis.sinks.len()).filter_map(|id| world.slot(id));
    let mut seen: FxHashSet<Span> = FxHashSet::default();
    slots
        .filter(|slot| !slot.info.configured && slot.info.identity.is_none())
        .filter(|slot| !world.is_silent(slot.sink.function))
        .filter(|slot| world.may_be_primary(slot.sink.span) && !world.is_example(slot.sink.span))
        .filter(|slot| is_header_of_caller(requests, *slot))
        .filter(|slot| seen.insert(slot.sink.span))
        .map(|slot| finding(world, slot))
        .collect()
}

/// Whether a slot gets the key header of a request that came in, with nothing before or after it.
fn is_header_of_caller(requests: &Requests<'_>, slot: Slot<'_>) -> bool {
    let Some(function) = slot.sink.function else { return false };
    let Some(flat) = requests.flat(function) else { return false };
    let Some((setting, operand)) =
        flat.statements.iter().find_map(|at| Some((*at, value_at(*at, slot.sink.span)?)))
    else {
        return false;
    };
    is_read(requests, function, &flat, setting.body, operand)
        && requests.is_sent(slot, setting, &flat, function)
}

/// The value at a place of a statement.
fn value_at(at: FlatStatement<'_>, span: Span) -> Option<&Operand> {
    match &at.statement.kind {
        StatementKind::Assign(_, Rvalue::Call { args, .. }) => {
            args.iter().find(|argument| argument.span == span).map(|argument| &argument.operand)
        }
        StatementKind::Assign(_, Rvalue::Aggregate { fields, .. }) => {
            fields.iter().find(|field| field.span == span).map(|field| &field.value)
        }
        _ => None,
    }
}

/// Calls that change how a value is written or wrapped, and not what it says.
const CONVERSIONS: &[&str] =
    &["to_str", "and_then", "map", "ok_or", "ok_or_else", "unwrap_or_default", "filter"];
/// The most conversions that are looked through.
const MOST_STEPS: usize = 16;

/// Whether a value was read from the key header of a parameter.
fn is_read<'a>(
    requests: &Requests<'a>,
    function: FunctionId,
    flat: &Flat<'a>,
    body: usize,
    operand: &Operand,
) -> bool {
    let Some(mut variable) = flat.of_operand(body, operand) else { return false };
    for _ in 0..MOST_STEPS {
        // A residual is an error and no key.
        let mut values = flat.values(variable);
        let (Some((at, value)), None) = (values.next(), values.next()) else { return false };
        let next = match value {
            Rvalue::Use(operand) | Rvalue::Cast(operand, _) => flat.of_operand(at.body, operand),
            Rvalue::Reference { place, .. } => flat.of_place(at.body, place),
            Rvalue::Call { callee, receiver, args, .. } => {
                let name = operation_name(callee);
                if let (Some(receiver), [header]) = (receiver, args.as_slice())
                    && matches!(name, "get" | "header" | "get_one")
                {
                    return is_key_header(requests, function, flat, at.body, &header.operand)
                        && is_given(flat, at.body, &receiver.operand);
                }
                let code =
                    |argument: &crate::ir::Argument| requests.world.input.sources.snippet(argument.span);
                let plain = passes_text(name)
                    || CONVERSIONS.contains(&name)
                        && !args.iter().any(|argument| code(argument).contains("format!"));
                let inner = receiver.as_ref().or(args.first()).filter(|_| plain);
                inner.and_then(|inner| flat.of_operand(at.body, &inner.operand))
            }
            _ => None,
        };
        match next {
            Some(next) => variable = next,
            None => return false,
        }
    }
    false
}

fn is_key_header<'a>(
    requests: &Requests<'a>,
    function: FunctionId,
    flat: &Flat<'a>,
    body: usize,
    operand: &Operand,
) -> bool {
    let named = |name: &str| name.to_ascii_lowercase().replace('_', "-").contains("idempoten");
    match requests.text(function, flat, body, operand).known() {
        Some(text) => named(&text),
        None => {
            matches!(operand, Operand::Place(Place { base: PlaceBase::Item(path), .. }) if named(path.last_name()))
        }
    }
}

/// Whether a value is a parameter, or the headers of one.
fn is_given(flat: &Flat<'_>, body: usize, operand: &Operand) -> bool {
    let Some(variable) = flat.of_operand(body, operand) else { return false };
    if flat.parameter(variable).is_some() {
        return true;
    }
    let mut values = flat.values(variable);
    match (values.next(), values.next()) {
        (Some((at, Rvalue::Call { callee, receiver: Some(receiver), .. })), None) => {
            operation_name(callee) == "headers"
                && flat
                    .of_operand(at.body, &receiver.operand)
                    .is_some_and(|given| flat.parameter(given).is_some())
        }
        (Some((at, Rvalue::Reference { place, .. })), None) => {
            flat.of_place(at.body, place).is_some_and(|given| flat.parameter(given).is_some())
        }
        _ => false,
    }
}

fn finding(world: &World<'_>, slot: Slot<'_>) -> Diagnostic {
    let span = slot.sink.span;
    Diagnostic {
        rule: INFO.id,
        code: INFO.code,
        severity: Severity::Note,
        certainty: Certainty::Possible,
        message: "the caller's key is sent on as it is: two callers with the same key get one result, and one sees \
                  the other's"
            .to_owned(),
        primary: span,
        labels: vec![Label { span, text: "chosen by the caller alone".to_owned() }],
        formula: formula::text(world, &slot.sink.term, slot.sink.function, &|_| false),
        identity: identity(world, slot, "caller"),
        fingerprint: String::new(),
        trace: vec![Step { span, message: format!("reaches {}", message::slot(slot)) }],
        help: "put the tenant or account that is signed in and a name for the operation before the caller's key, and \
               hash them together"
            .to_owned(),
        fixes: Vec::new(),
    }
}
