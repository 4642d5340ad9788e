//! The inventory of keys for `cargo samekey keys`.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use samekey_catalogue::Level;

use super::case::{Slot, World};
use super::{formula, host, message};
use crate::derive::Intent;
use crate::flow::term::Term;
use crate::flow::value::Flags;
use crate::ir::Span;
use crate::report::{Diagnostic, KeyEntry, KeyReason};
use crate::resolve::FunctionId;

/// One way on which something reaches a slot: the slots on it, and the formula in terms of where it starts.
struct Way {
    slots: Vec<u32>,
    term: Rc<Term>,
    function: Option<FunctionId>,
}

/// All key slots, without those that only pass on what an earlier slot holds.
pub fn keys(world: &World<'_>, diagnostics: &[Diagnostic]) -> Vec<KeyEntry> {
    let ways = ways(world);
    let mut verdicts: BTreeMap<Span, BTreeSet<&'static str>> = BTreeMap::new();
    for diagnostic in diagnostics {
        verdicts.entry(diagnostic.primary).or_default().insert(diagnostic.rule);
    }
    let mut best: BTreeMap<Span, Slot<'_>> = BTreeMap::new();
    for slot in (0..).take(world.analysis.sinks.len()).filter_map(|id| world.slot(id)) {
        if !is_listed(world, slot) || is_forwarding(&ways, slot.id) {
            continue;
        }
        let known = best.get(&slot.sink.span);
        if known.is_none_or(|known| (!known.by_name(), known.info.level) < (!slot.by_name(), slot.info.level))
        {
            best.insert(slot.sink.span, slot);
        }
    }
    let sent = best.into_values().map(|slot| entry(world, slot, &ways, &verdicts));
    let derived = world.facts.intents().iter().filter(|intent| !is_test(world, intent));
    sent.chain(derived.map(|intent| derived_entry(world, intent, &verdicts))).collect()
}

fn is_test(world: &World<'_>, intent: &Intent) -> bool {
    !world.input.include_tests && world.input.program.type_(intent.ty).test
}

/// A type that derives its key: its fields, the reasons of its author, and what was found where they are filled.
fn derived_entry(
    world: &World<'_>,
    intent: &Intent,
    verdicts: &BTreeMap<Span, BTreeSet<&'static str>>,
) -> KeyEntry {
    let def = world.input.program.type_(intent.ty);
    let own = |slot: &Slot<'_>| {
        let row = world.facts.intent_of_row(slot.sink.row);
        row.is_some_and(|ty| ty == intent.ty)
    };
    let slots = (0..).take(world.analysis.sinks.len()).filter_map(|id| world.slot(id)).filter(own);
    let places = slots.map(|slot| slot.sink.span).chain([def.name_span]);
    let rules: BTreeSet<&str> = places.filter_map(|span| verdicts.get(&span)).flatten().copied().collect();
    let fields: Vec<&str> = intent.fields.iter().map(|field| field.encoded.as_str()).collect();
    let reasons = intent.fields.iter().flat_map(|field| {
        field.reasons.iter().map(|reason| KeyReason {
            field: field.name.to_string(),
            word: reason.word,
            text: reason.text.clone(),
        })
    });
    KeyEntry {
        span: def.name_span,
        provider: format!("whoever is sent the key of `{}`", def.name),
        window: String::new(),
        formula: match &intent.template {
            Some((template, digest)) => format!("{digest} of {template:?}"),
            None => format!(
                "samekey({}/{} v{}: {})",
                intent.namespace,
                intent.operation,
                intent.version,
                fields.join(", ")
            ),
        },
        claim: None,
        verdict: if rules.is_empty() {
            "stable".to_owned()
        } else {
            rules.into_iter().collect::<Vec<_>>().join(", ")
        },
        reasons: reasons.collect(),
    }
}

fn is_listed(world: &World<'_>, slot: Slot<'_>) -> bool {
    !slot.info.configured
        && slot.info.identity.is_none()
        && slot.info.level != Level::Off
        && !world.is_silent(slot.sink.function)
}

fn ways(world: &World<'_>) -> Vec<Way> {
    let way = |slots: Vec<Slot<'_>>, term: &Rc<Term>, function| Way {
        slots: slots.iter().map(|slot| slot.id).collect(),
        term: term.clone(),
        function,
    };
    let analysis = world.analysis;
    let flows = analysis.flows.iter().map(|flow| way(world.slots_of_flow(flow), &flow.term, flow.function));
    let open = analysis
        .open
        .iter()
        .map(|open| way(world.slots_of_parameter(open), &open.reach.term, Some(open.function)));
    flows.chain(open).collect()
}

/// A slot that is reached through another one on every way.
fn is_forwarding(ways: &[Way], slot: u32) -> bool {
    let mut reached = false;
    for way in ways {
        match way.slots.iter().position(|id| *id == slot) {
            Some(0) => return false,
            Some(_) => reached = true,
            None => {}
        }
    }
    reached
}

fn entry(
    world: &World<'_>,
    slot: Slot<'_>,
    ways: &[Way],
    verdicts: &BTreeMap<Span, BTreeSet<&'static str>>,
) -> KeyEntry {
    let through: Vec<&Way> = ways.iter().filter(|way| way.slots.contains(&slot.id)).collect();
    let receivers = through.iter().flat_map(|way| &way.slots).filter_map(|id| world.slot(*id));
    let strongest = receivers
        .chain([slot])
        .map(|slot| (slot, host::provider_of(slot)))
        .max_by_key(|(slot, provider)| (provider.is_some(), slot.info.level));
    let (strongest, known) = strongest.unwrap_or((slot, None));
    let (term, function) = term(slot, &through);
    let verdict = match verdicts.get(&slot.sink.span) {
        Some(rules) => rules.iter().copied().collect::<Vec<_>>().join(", "),
        None if term.any(&|term| matches!(term, Term::Unknown)) => "unknown".to_owned(),
        None => "stable".to_owned(),
    };
    KeyEntry {
        span: slot.sink.span,
        provider: known.map_or_else(|| message::slot(strongest), |provider| provider.name.to_owned()),
        window: known.map_or_else(String::new, |provider| provider.retention.to_owned()),
        formula: formula(world, slot, term, function),
        claim: None,
        verdict,
        reasons: Vec::new(),
    }
}

/// How the key is made in the function of the slot; where that is a bare parameter and all ways start in one function,
/// how it is made in that one.
fn term<'t>(slot: Slot<'t>, through: &[&'t Way]) -> (&'t Rc<Term>, Option<FunctionId>) {
    match (slot.sink.term.as_ref(), through) {
        (Term::Param(_), [first, rest @ ..])
            if first.function != slot.sink.function
                && rest.iter().all(|way| way.function == first.function && way.term == first.term) =>
        {
            (&first.term, first.function)
        }
        _ => (&slot.sink.term, slot.sink.function),
    }
}

fn formula(world: &World<'_>, slot: Slot<'_>, term: &Rc<Term>, function: Option<FunctionId>) -> String {
    let marked = |term: &Term| match term {
        Term::Source(site) => {
            let mut flows = world.analysis.flows.iter().filter(|flow| flow.source == *site);
            flows.any(|flow| flow.sink.0 == slot.id && !flow.flags.has(Flags::AWAITED))
        }
        _ => false,
    };
    formula::text(world, term, function, &marked).unwrap_or_else(|| "not in view".to_owned())
}
