//! The flow engine: which sources reach which sinks, on which way, and with which formula.
//!
//! `value` is the lattice, `transfer` the transfer function, `engine` the solver. A body is analysed once per
//! calling context that matters (`shape`); its `summary` is taken over at call sites (`instantiate`).

mod calls;
mod convert;
mod engine;
mod fields;
mod instantiate;
mod library;
pub mod model;
mod places;
mod relevance;
mod result;
mod shape;
pub mod spec;
mod state;
mod summary;
pub mod term;
pub mod trace;
mod transfer;
mod types;
pub mod value;
mod wire;

pub use result::{Analysis, FlowRecord, OpenReach, Sink, SourceSite};
pub use summary::{SinkReach, SinkSite};

use engine::{BodyRef, Engine, Instance};
use shape::Shape;
use spec::Specification;

use crate::resolve::{FunctionId, Program};

/// Rounds over the whole program while statics still change.
const MAX_ROUNDS: usize = 3;

/// Analyses the functions in `roots` and everything that they call.
pub fn analyze(program: &Program, spec: &dyn Specification, roots: &[FunctionId]) -> Analysis {
    let roots = relevance::relevant(program, spec, roots);
    let mut engine = Engine::new(program, spec);
    let begun = value::work();
    for _ in 0..MAX_ROUNDS {
        for root in &roots {
            if value::work() - begun > engine::TOTAL_BUDGET {
                engine.partial += 1;
                continue;
            }
            engine.summarize(Instance { body: BodyRef::Function(*root), shape: Shape::default() });
        }
        if !engine.statics_changed {
            break;
        }
        engine.forget_summaries();
    }
    let mut open = Vec::new();
    for root in &roots {
        if engine.called.contains(root) {
            continue;
        }
        let summary = engine.summarize(Instance { body: BodyRef::Function(*root), shape: Shape::default() });
        open.extend(summary.reaches.iter().map(|reach| OpenReach { function: *root, reach: reach.clone() }));
    }
    let through_fields = fields::connect(&mut engine, &open, &roots);
    let mut flows: std::collections::BTreeMap<(u32, SinkSite), FlowRecord> =
        std::mem::take(&mut engine.flows);
    for flow in through_fields {
        flows.entry((flow.source, flow.sink)).or_insert(flow);
    }
    Analysis {
        flows: flows.into_values().collect(),
        sources: std::mem::take(&mut engine.sources),
        sinks: std::mem::take(&mut engine.sinks),
        open,
        partial: engine.partial,
    }
}
