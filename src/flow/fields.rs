//! Fields that are written in one place and read in another with no visible path between them: an instance id
//! that a constructor mints and a handler puts into a key.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use super::engine::{Engine, Instance};
use super::result::{FlowRecord, OpenReach};
use super::shape::peel;
use super::value::{Flags, Key, Origin};
use crate::ir::{AggregateKind, Body, Name, Projection, Rvalue, StatementKind};
use crate::resolve::{FunctionId, Program, Ty, TypeId};

/// Connects reads of fields in functions without callers with what is written to these fields anywhere.
pub fn connect(
    engine: &mut Engine<'_>,
    open: &[OpenReach],
    wanted: &[Vec<(TypeId, Name)>],
    analysed: &BTreeSet<FunctionId>,
) -> Vec<FlowRecord> {
    let names: FxHashSet<Name> = wanted.iter().flatten().map(|(_, name)| name.clone()).collect();
    if names.is_empty() {
        return Vec::new();
    }
    let writers: Vec<FunctionId> = engine
        .program
        .functions()
        .filter(|id| analysed.contains(id) || !engine.program.function(*id).test)
        .filter(|id| engine.program.function(*id).body().is_some_and(|body| writes_field(body, &names)))
        .collect();
    engine.criteria.read_fields(names);
    engine.forget_summaries();
    for writer in writers {
        engine.summarize(Instance::entry(writer));
    }
    let mut flows = Vec::new();
    for (reach, fields) in open.iter().zip(wanted) {
        for field in fields {
            for taint in engine.field_writes.get(field).into_iter().flatten() {
                let Origin::Source(source) = taint.origin else { continue };
                flows.push(FlowRecord {
                    source,
                    sink: reach.reach.sink,
                    flags: taint.flags.with(reach.reach.flags).with(Flags::FIELD),
                    trace: taint.trace.then(&reach.reach.trace),
                    term: reach.reach.term.clone(),
                    function: Some(reach.function),
                });
            }
        }
    }
    flows
}

/// For each parameter that reaches a sink and whose callers are not in view: the fields by which it does.
pub fn wanted(program: &Program, open: &[OpenReach]) -> Vec<Vec<(TypeId, Name)>> {
    open.iter().map(|reach| fields_on_path(program, reach)).collect()
}

/// The fields of types of the tree on the path from a parameter to what reaches the sink.
fn fields_on_path(program: &Program, open: &OpenReach) -> Vec<(TypeId, Name)> {
    let types = program.parameter_types(open.function);
    let Some(mut ty) = types.get(open.reach.from.index as usize).cloned() else { return Vec::new() };
    let mut fields = Vec::new();
    for key in open.reach.from.keys.iter() {
        ty = match (peel(&ty), key) {
            (Ty::Adt { id, .. }, Key::Field(name)) => {
                fields.push((*id, name.clone()));
                program.field_type(&ty, name)
            }
            // An extractor or wrapper from outside: `State(service)`.
            (Ty::External { args, .. }, Key::Field(_)) => args.first().cloned().unwrap_or(Ty::Unknown),
            (_, Key::Variant(variant, name)) => program.variant_field_type(&ty, variant, name),
            (_, Key::Element | Key::At(_)) => program.element_type(&ty),
            _ => Ty::Unknown,
        };
    }
    fields
}

fn writes_field(body: &Body, names: &FxHashSet<Name>) -> bool {
    let here = body.blocks.iter().flat_map(|block| &block.statements).any(|statement| {
        let StatementKind::Assign(place, rvalue) = &statement.kind else { return false };
        let assigned =
            matches!(place.projections.last(), Some(Projection::Field(name)) if names.contains(name));
        let built = match rvalue {
            Rvalue::Aggregate { kind: AggregateKind::Struct(_), fields, .. } => {
                fields.iter().any(|field| names.contains(&field.name))
            }
            _ => false,
        };
        assigned || built
    });
    here || body.closures.iter().any(|closure| writes_field(&closure.body, names))
}
