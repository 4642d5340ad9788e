//! The flow engine: which sources reach which sinks, on which way, and with which formula.
//!
//! `value` is the lattice, `transfer` the transfer function, `engine` the solver. A body is analysed once per
//! calling context that matters (`shape`); its `summary` is taken over at call sites (`instantiate`).

mod builders;
mod by_value;
mod calls;
mod convert;
mod criteria;
pub mod describe;
mod effects;
mod engine;
mod entries;
mod fields;
mod generated;
mod instantiate;
mod invoke;
mod iterate;
mod leads;
mod library;
mod loops;
mod mentions;
pub mod model;
mod operators;
mod order;
mod outside;
mod pass;
mod places;
mod provided;
mod relevance;
mod result;
mod returned;
mod run;
mod shape;
mod slice;
pub mod spec;
mod specified;
mod state;
mod summaries;
mod summary;
mod taints;
pub mod term;
pub mod trace;
mod transfer;
mod types;
pub mod value;
mod verdicts;
mod wire;

pub use result::{Analysis, FlowRecord, Lead, OpenReach, Sink, SourceSite};
pub use summary::{SinkReach, SinkSite};
pub use value::work;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use engine::{Effort, Engine};
use relevance::Relevance;
use spec::Specification;
use summary::Summary;

use crate::resolve::{FunctionId, Program, StaticId};

/// Times that everything is analysed again because what statics hold has changed.
const MAX_ROUNDS: u32 = 2;
/// Waves of entry points, each with what the one before has shown to matter.
const MAX_WAVES: usize = 24;

/// What is known of a function that was not analysed any more.
fn cut_off() -> Rc<Summary> {
    Rc::new(Summary { cut: true, ..Summary::default() })
}

/// Loads what an analysis asks for, given what it saw to lead to sinks; the program knows the rest. `true` when nothing
/// was missing.
pub type Complete<'c> = dyn FnMut(&[Lead]) -> bool + 'c;

/// Sees what a program of some files lacks, with little effort. `false` when it lacked something.
pub fn sketch(
    program: &Program,
    spec: &dyn Specification,
    roots: &[FunctionId],
    complete: &mut Complete<'_>,
) -> bool {
    let mut relevance = program.unrecorded(|| Relevance::new(program, spec, roots));
    let criteria = relevance.criteria(spec);
    let mut engine = Engine::new(program, spec, criteria, Effort::Sketch);
    let mut pending = relevance.holding(&mut engine);
    for _ in 0..MAX_WAVES {
        engine.refresh(&mut relevance);
        // What a wave lacks may keep it from going on, or make it go astray.
        pending = run_wave(&mut engine, &mut relevance, &pending, &mut BTreeMap::new());
        if !complete(&leads::leads(&engine, &relevance, std::iter::empty())) {
            return false;
        }
        if pending.is_empty() {
            break;
        }
    }
    true
}

/// Analyses those of `roots` that can have to do with a sink, and what they call as far as it matters.
pub fn analyze(program: &Program, spec: &dyn Specification, roots: &[FunctionId]) -> Analysis {
    let mut relevance = program.unrecorded(|| Relevance::new(program, spec, roots));
    let criteria = relevance.criteria(spec);
    let mut engine = Engine::new(program, spec, criteria, Effort::Full);
    let mut analysed = BTreeSet::new();
    let mut cut_short = BTreeMap::new();
    let mut rounds = 0;
    let mut pending = relevance.holding(&mut engine);
    for _ in 0..MAX_WAVES {
        engine.refresh(&mut relevance);
        analysed.extend(&pending);
        pending = run_wave(&mut engine, &mut relevance, &pending, &mut cut_short);
        let changed = engine.statics_changed.iter().any(|id| engine.decides(*id));
        let again = changed && rounds < MAX_ROUNDS && !engine.is_spent();
        if pending.is_empty() && again {
            rounds += 1;
            pending.clone_from(&analysed);
        }
        if pending.is_empty() {
            break;
        }
    }
    let mut open = Vec::new();
    for root in analysed.iter().filter(|root| !engine.called.contains(root)).copied().collect::<Vec<_>>() {
        let summary = match cut_short.get(&root) {
            Some(summary) => Rc::clone(summary),
            None if engine.is_spent() => Rc::clone(cut_short.entry(root).or_insert_with(cut_off)),
            None => engine.summarize_entry(root),
        };
        open.extend(summary.reaches.iter().map(|reach| OpenReach { function: root, reach: reach.clone() }));
    }
    let wanted = fields::wanted(program, &open);
    let through_fields =
        fields::connect(&mut engine, &mut relevance, &open, &wanted, &analysed, &mut cut_short);
    let leads = leads::leads(&engine, &relevance, wanted.iter().flatten());
    let mut flows: BTreeMap<(u32, SinkSite), FlowRecord> = std::mem::take(&mut engine.flows);
    for flow in through_fields {
        flows.entry((flow.source, flow.sink)).or_insert(flow);
    }
    Analysis {
        flows: flows.into_values().collect(),
        sources: std::mem::take(&mut engine.sources),
        sinks: std::mem::take(&mut engine.sinks),
        open,
        cut_short: cut_short.into_keys().collect(),
        leads,
    }
}

/// Analyses entry points. Gives those that have to be analysed in the next wave: whoever may call a function whose
/// parameters were seen to reach a sink, and whoever may write a static whose content was. Keeps the summaries of those
/// whose analysis was cut short; nothing is analysed any more when the run has spent its work.
fn run_wave(
    engine: &mut Engine<'_>,
    relevance: &mut Relevance<'_>,
    wave: &BTreeSet<FunctionId>,
    cut_short: &mut BTreeMap<FunctionId, Rc<Summary>>,
) -> BTreeSet<FunctionId> {
    let program = engine.program;
    let mut grown = Vec::new();
    for function in wave {
        if engine.is_spent() {
            cut_short.entry(*function).or_insert_with(cut_off);
            continue;
        }
        let summary = engine.summarize_entry(*function);
        match engine.cut {
            true => cut_short.insert(*function, summary.clone()),
            false => cut_short.remove(function),
        };
        let positions = positions_that_count(engine, *function, &summary);
        let carries = engine.carries(*function, summary.holds_sink);
        grown.push((*function, criteria::Influence { positions, carries }));
    }
    let mut next = BTreeSet::new();
    for (function, lead) in grown {
        // Functions of one name are opened one by one: each has callers of its own.
        if engine.criteria.lead(function, lead) {
            next.extend(relevance.callers(function));
        }
    }
    for id in std::mem::take(&mut engine.statics_read) {
        let name = &program.static_(id).name;
        if engine.criteria.read_static(name) {
            next.extend(relevance.users(name));
        }
    }
    next
}

/// The parameters by which a call of the function may decide what reaches a sink, as bits: those that reach one,
/// and all when the function's types leave open which code runs in it.
fn positions_that_count(engine: &Engine<'_>, function: FunctionId, summary: &Summary) -> u64 {
    let program = engine.program;
    let passes_on = |taint: &value::Taint| matches!(taint.origin, value::Origin::Param(_));
    let into_static = summary.statics.iter().any(|(id, value)| {
        engine.criteria.reads_static(&program.static_(StaticId(*id)).name)
            && value.shallow_taints().iter().any(passes_on)
    });
    // What is called there may write to a static that it is lent. The body is looked through last.
    let left_open = || {
        summary.open_call
            && shape::is_open_function(program, function)
            && (summary.holds_sink || mentions_read_static(engine, function))
    };
    if into_static || left_open() {
        return criteria::ALL;
    }
    summary
        .reaches
        .iter()
        .fold(0, |bits, reach| bits | 1_u64.checked_shl(reach.from.index).unwrap_or(criteria::ALL))
}

/// Whether a function mentions a static whose content is read where it matters.
fn mentions_read_static(engine: &Engine<'_>, function: FunctionId) -> bool {
    let body = engine.program.function(function).body();
    body.is_some_and(|body| mentions::any(body, |mention| engine.criteria.reads_static(mention.text())))
}
