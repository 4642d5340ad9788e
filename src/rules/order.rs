//! The order of a collection without one: it is in the key only when entries are put together.
//!
//! One entry at a time is whole by itself: `for (id, cents) in &invoices { charge(id, cents) }` sends the same keys
//! in another order. The engine marks all that comes out of such a collection; here the way has to show where
//! entries meet: they are joined, added to one text or hash, or written down as a whole.

use super::case::Case;
use super::context::contains;
use crate::flow::spec::Specification;
use crate::flow::trace::StepKind;
use crate::ir::Span;

/// Calls that make one text, number or hash of several entries. Each is searched for in code without white space.
const GATHERING: &[&str] = &[
    ".join(",
    ".concat(",
    ".fold(",
    ".try_fold(",
    ".reduce(",
    ".intersperse(",
    ".format(",
    ".join_with(",
    ".push_str(",
    ".write_str(",
    ".write_fmt(",
    ".write_all(",
    "write!(",
    "writeln!(",
    ".update(",
    ".input(",
    ".chain_update(",
    ".hash(&mut",
    ".hash_one(",
    ".extend_from_slice(",
    "collect::<String>",
    "String::from_iter",
    "join(",
    "to_string(&",
    "to_string_pretty(",
    "to_vec(",
    "to_value(",
    "to_writer(",
    "serialize(",
    "encode_to_vec(",
    "form_urlencoded",
    ":?}",
    ":#?}",
    "+=",
    ".iter().next()",
    ".keys().next()",
    ".values().next()",
    ".into_iter().next()",
    ".drain().next()",
    ".into_keys().next()",
    ".into_values().next()",
    ".last()",
    ".nth(",
    ".first()",
];

/// Whether the source is about order only.
pub fn is_order(case: &Case<'_>) -> bool {
    let site = case.site.and_then(|site| case.world.analysis.sources.get(site as usize));
    site.is_some_and(|site| case.world.facts.is_order(site.row))
}

/// Whether each key is made of one entry, so that the order decides when a key is used and not what it is.
pub fn is_single_entry(case: &Case<'_>) -> bool {
    let looped = case.world.contexts.loop_over(case.span);
    match looped {
        Some(looped) if stays_inside(case, looped) => true,
        Some(looped) if gathers(case.world.input.sources.snippet(looped)) => false,
        _ => !meets_others(case),
    }
}

/// Whether the value is used in the loop itself or in what the loop calls, and not in what comes after it.
fn stays_inside(case: &Case<'_>, looped: Span) -> bool {
    let slot = case.primary().sink.span;
    if contains(looped, slot) {
        return slot != case.span;
    }
    let contexts = &case.world.contexts;
    let function = contexts.function_at(looped);
    let mut here = case.steps.iter().filter(|step| contexts.function_at(step.span) == function);
    let last = here.next_back();
    contexts.function_at(slot) != function
        && last.is_some_and(|step| step.kind == StepKind::Argument && contains(looped, step.span))
}

/// Whether some step of the way puts entries together.
fn meets_others(case: &Case<'_>) -> bool {
    let sources = case.world.input.sources;
    let spans = case.steps.iter().filter(|step| step.kind != StepKind::Return).map(|step| step.span);
    spans.chain([case.primary().sink.span]).any(|span| {
        gathers(sources.snippet(span)) || gathers(sources.line_text(span.file, sources.line(span)))
    })
}

fn gathers(code: &str) -> bool {
    let code: String = code.chars().filter(|character| !character.is_whitespace()).collect();
    GATHERING.iter().any(|call| code.contains(call)) || collects_text(&code) || adds_to_itself(&code)
}

/// `let key: String = parts.collect();`
fn collects_text(code: &str) -> bool {
    code.contains(":String=") && code.contains(".collect()")
}

/// `key = format!("{key}:{part}")`
fn adds_to_itself(code: &str) -> bool {
    let Some((name, value)) = code.split_once("=format!(") else { return false };
    let name = name.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or(name);
    let words = || value.split(|c: char| !c.is_alphanumeric() && c != '_');
    !name.is_empty() && !code.starts_with("let") && words().any(|word| word == name)
}
