//! Keys of one request on two ways of which only one is taken: `match given { Some(key) => request.header(NAME, key),
//! None => request.header(NAME, fresh()) }`. The fresh one is a fallback, although neither value knows of the other.

use super::case::{Case, Slot};
use super::context::contains;
use crate::flow::term::Term;
use crate::ir::{BlockId, Body, Span};

/// Whether the key slot gets a stable key on a way that rules this one out.
pub fn is_beside_stable_key(case: &Case<'_>) -> bool {
    let slot = case.primary();
    let Some(function) = slot.sink.function.map(|id| case.world.input.program.function(id).span) else {
        return false;
    };
    let excluded = |other: Slot<'_>| {
        let body = case.world.contexts.body_at(slot.sink.span)?;
        Some(excludes(body, block_at(body, slot.sink.span)?, block_at(body, other.sink.span)?))
    };
    case.world.stable_slots_in(function).any(|other| {
        is_same_slot(case, slot, other)
            && !matches!(*other.sink.term, Term::Literal(_))
            && excluded(other).unwrap_or(false)
    })
}

/// Whether two places set the key of one request: the same entry of what is called by the same name, or was made by the
/// same calls.
fn is_same_slot(case: &Case<'_>, slot: Slot<'_>, other: Slot<'_>) -> bool {
    if other.id == slot.id || other.sink.row != slot.sink.row || other.sink.entry != slot.sink.entry {
        return false;
    }
    let called = |slot: Slot<'_>| {
        let text = case.world.input.sources.text(slot.sink.name_span.file);
        let before = text.get(..slot.sink.name_span.start as usize).unwrap_or_default().trim_end();
        let named = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
        let start = before.trim_end_matches(named).len();
        before[start..].trim_end_matches('.').to_owned()
    };
    let (name, other_name) = (called(slot), called(other));
    let known = slot.sink.receiver.as_ref().filter(|term| !matches!(***term, Term::Unknown));
    !name.is_empty() && name == other_name || known.is_some() && known == other.sink.receiver.as_ref()
}

/// The block of the innermost statement around a place.
fn block_at(body: &Body, place: Span) -> Option<BlockId> {
    let blocks = (0..).zip(&body.blocks);
    let all =
        blocks.flat_map(|(id, block)| block.statements.iter().map(move |statement| (id, statement.span)));
    let around = all.filter(|(_, span)| contains(*span, place));
    around.min_by_key(|(_, span)| span.end - span.start).map(|(id, _)| BlockId(id))
}

/// Whether no way leads from one of two blocks to the other.
fn excludes(body: &Body, one: BlockId, other: BlockId) -> bool {
    one != other && !leads(body, one, other) && !leads(body, other, one)
}

fn leads(body: &Body, from: BlockId, to: BlockId) -> bool {
    let mut seen = vec![false; body.blocks.len()];
    let mut open = vec![from];
    while let Some(block) = open.pop() {
        let Some(found) = body.blocks.get(block.0 as usize) else { continue };
        for next in found.terminator.successors() {
            if *next == to {
                return true;
            }
            if let Some(seen) = seen.get_mut(next.0 as usize)
                && !std::mem::replace(seen, true)
            {
                open.push(*next);
            }
        }
    }
    false
}
