//! Fields that are written in one place and read in another with no visible path between them: an instance id
//! that a constructor mints and a handler puts into a key.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::engine::Engine;
use super::relevance::Relevance;
use super::result::{FlowRecord, OpenReach};
use super::shape::peel;
use super::summary::Summary;
use super::value::{Flags, Key, Origin};
use crate::ir::{AggregateKind, Body, Name, NameHash, Projection, Rvalue, StatementKind, Type};
use crate::resolve::{FunctionId, Program, ScopeId, Ty, TypeId};

/// Fields by name, with the types that have one.
type Fields = FxHashMap<Name, FxHashSet<TypeId>>;

/// Connects reads of fields in functions without callers with what is written to these fields anywhere.
pub fn connect(
    engine: &mut Engine<'_>,
    relevance: &mut Relevance<'_>,
    open: &[OpenReach],
    wanted: &[Vec<(TypeId, Name)>],
    analysed: &BTreeSet<FunctionId>,
    cut_short: &mut BTreeMap<FunctionId, Rc<Summary>>,
) -> Vec<FlowRecord> {
    let mut fields = Fields::default();
    for (ty, name) in wanted.iter().flatten() {
        fields.entry(name.clone()).or_default().insert(*ty);
    }
    if fields.is_empty() {
        return Vec::new();
    }
    let program = engine.program;
    let names: Vec<NameHash> = fields.keys().map(|name| NameHash::of(name)).collect();
    let writers: Vec<FunctionId> = program
        .functions()
        .filter(|id| names.iter().any(|name| program.function(*id).may_spell(*name)))
        .filter(|id| analysed.contains(id) || !program.function(*id).test)
        .filter(|id| {
            let function = program.function(*id);
            function.body().is_some_and(|body| writes_field(program, function.scope, body, &fields))
        })
        .collect();
    engine.criteria.read_fields(fields.into_keys());
    engine.refresh(relevance);
    for writer in writers {
        match engine.is_spent() {
            true => drop(cut_short.entry(writer).or_insert_with(super::cut_off)),
            false => drop(engine.summarize_entry(writer)),
        }
    }
    let mut flows = Vec::new();
    for (reach, fields) in open.iter().zip(wanted) {
        let shared = if engine.takes_shared_state(reach) { Flags::SHARED } else { Flags::default() };
        for field in fields {
            for taint in engine.field_writes.get(field).into_iter().flatten() {
                let Origin::Source(source) = taint.origin else { continue };
                flows.push(FlowRecord {
                    source,
                    sink: reach.reach.sink,
                    flags: taint.flags.with(reach.reach.flags).with(Flags::FIELD).with(shared),
                    trace: taint.trace.then(&reach.reach.trace),
                    term: reach.reach.term.clone(),
                    function: Some(reach.function),
                });
            }
        }
    }
    flows
}

impl Engine<'_> {
    /// Whether a parameter is the state of the application: `State<AppState>`.
    fn takes_shared_state(&self, open: &OpenReach) -> bool {
        let types = self.program.parameter_types(open.function);
        types.get(open.reach.from.index as usize).is_some_and(|ty| self.holds_shared_state(ty))
    }

    /// Whether a type hands to handlers a struct of the tree that the application was given.
    pub fn holds_shared_state(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Reference { inner, .. } => self.holds_shared_state(inner),
            Ty::External { path, args } => {
                let of_tree = args.first().is_some_and(|inner| matches!(peel(inner), Ty::Adt { .. }));
                of_tree && self.spec.is_shared_state(path)
            }
            _ => false,
        }
    }
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
            (Ty::External { args, .. }, Key::Field(name)) => {
                let inner = args.first().cloned().unwrap_or(Ty::Unknown);
                // It may also give access to the field of what is in it: `&State<Secret>` and `.0`.
                if let (true, Ty::Adt { id, .. }) =
                    (program.field_type(&inner, name) != Ty::Unknown, peel(&inner))
                {
                    fields.push((*id, name.clone()));
                }
                inner
            }
            (_, Key::Variant(variant, name)) => program.variant_field_type(&ty, variant, name),
            (_, Key::Element | Key::At(_)) => program.element_type(&ty),
            _ => Ty::Unknown,
        };
    }
    fields
}

/// Whether a body may write one of the fields, its closures included.
fn writes_field(program: &Program, scope: ScopeId, body: &Body, fields: &Fields) -> bool {
    let here = body.blocks.iter().flat_map(|block| &block.statements).any(|statement| {
        let StatementKind::Assign(place, rvalue) = &statement.kind else { return false };
        let assigned =
            matches!(place.projections.last(), Some(Projection::Field(name)) if fields.contains_key(name));
        assigned || builds(program, scope, rvalue, fields)
    });
    here || body.closures.iter().any(|closure| writes_field(program, scope, &closure.body, fields))
}

/// Whether a struct expression gives one of the fields its value.
fn builds(program: &Program, scope: ScopeId, rvalue: &Rvalue, fields: &Fields) -> bool {
    let Rvalue::Aggregate { kind: AggregateKind::Struct(path), fields: given, .. } = rvalue else {
        return false;
    };
    let mut owners = given.iter().filter_map(|field| fields.get(&field.name)).peekable();
    if owners.peek().is_none() {
        return false;
    }
    match program.resolve_type(scope, &Type::Path(Box::new(path.clone()))) {
        Ty::Adt { id, .. } => owners.any(|owners| owners.contains(&id)),
        _ => true,
    }
}
