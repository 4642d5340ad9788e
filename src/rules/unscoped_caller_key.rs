//! A key that a caller chose, sent on as it is: two callers who choose the same one share a result.

use rustc_hash::FxHashSet;
use samekey_catalogue::Family;

use super::case::{Slot, World};
use super::findings::identity;
use super::formula;
use super::message;
use crate::flow::term::Term;
use crate::ir::Span;
use crate::report::{Certainty, Diagnostic, Label, RuleInfo, Severity, Step};
use crate::resolve::FunctionId;

/// The rule. It reads formulas, not flows.
pub const INFO: RuleInfo = RuleInfo {
    id: "unscoped-caller-key",
    code: "SK113",
    summary: "a key that the caller chose is sent on without saying whose it is",
    page: include_str!("../../docs/rules/unscoped-caller-key.md"),
};

/// Slots of payment providers that get the header of an incoming request as it came.
pub fn findings(world: &World<'_>) -> Vec<Diagnostic> {
    let slots = (0..).take(world.analysis.sinks.len()).filter_map(|id| world.slot(id));
    let direct = slots.map(|slot| (slot, &slot.sink.term, slot.sink.function));
    let passed = world.analysis.open.iter().filter_map(|open| {
        Some((world.slot(open.reach.sink.0)?, &open.reach.term, Some(open.function)))
    });
    let mut seen: FxHashSet<Span> = FxHashSet::default();
    let wanted = direct.chain(passed).filter(|(slot, term, function)| {
        is_outgoing(*slot) && !world.is_silent(*function) && is_header_of_caller(term)
    });
    wanted
        .filter(|(slot, ..)| world.may_be_primary(slot.sink.span) && !world.is_example(slot.sink.span))
        .filter(|(slot, ..)| seen.insert(slot.sink.span))
        .map(|(slot, term, function)| finding(world, slot, term, function))
        .collect()
}

/// Whether a slot is one of a request to a provider. What an own table is written with is its own affair.
fn is_outgoing(slot: Slot<'_>) -> bool {
    let sends = matches!(slot.info.family, Family::Payment | Family::Banking | Family::Crypto | Family::Generic);
    sends && !slot.by_name() && !slot.info.configured && slot.info.identity.is_none()
}

/// Whether a formula is the key header of a request that came in, with nothing before or after it.
fn is_header_of_caller(term: &Term) -> bool {
    let Term::Call(name, args) = formula::converted(term) else { return false };
    let [headers, header] = args.as_slice() else { return false };
    let named = match formula::converted(header) {
        Term::Literal(text) => text.to_ascii_lowercase(),
        Term::Named(path) => path.to_ascii_lowercase().replace('_', "-"),
        _ => return false,
    };
    matches!(name.as_str(), "get" | "header" | "get_one") && named.contains("idempoten") && is_given(headers)
}

/// Whether a value is a parameter or a part of one.
fn is_given(term: &Term) -> bool {
    match term {
        Term::Param(_) => true,
        Term::Part(inner, _) => is_given(inner),
        Term::Call(name, args) => matches!(name.as_str(), "headers" | "as_ref" | "clone") && args.first().is_some_and(|inner| is_given(inner)),
        _ => false,
    }
}

fn finding(
    world: &World<'_>,
    slot: Slot<'_>,
    term: &std::rc::Rc<Term>,
    function: Option<FunctionId>,
) -> Diagnostic {
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
        formula: formula::text(world, term, function, &|_| false),
        identity: identity(world, slot, "caller"),
        fingerprint: String::new(),
        trace: vec![Step { span, message: format!("reaches {}", message::slot(slot)) }],
        help: "put the tenant or account that is signed in and a name for the operation before the caller's key, and \
               hash them together"
            .to_owned(),
    }
}
