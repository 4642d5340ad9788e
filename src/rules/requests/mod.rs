//! Requests to providers: which calls change something there, what is done to a request before it is sent, and
//! whether one of these steps gives it a key.
//!
//! This reads the bodies of functions statement by statement. It answers what the flow engine cannot: that
//! something is *not* done. Where a request, its client or its headers come from somewhere out of view, the answer
//! is that it is not known, and no rule speaks.

mod chain;
mod client;
pub mod flat;
mod operation;
mod sharing;
mod strategy;
pub mod text;

pub use chain::{Keyed, Part};
pub use operation::{CallAt, PaymentCall, call_at, payment_calls};
pub use sharing::{Shared, shared_keys};
pub use strategy::{Unkeyed, unkeyed_strategies};
pub use text::callee_name as operation_name;

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;
use samekey_catalogue::Family;

use super::case::{Slot, World};
use crate::ir::{
    AggregateKind, Argument, Callee, Name, NameHash, Operand, Place, PlaceBase, Projection, Rvalue,
    StatementKind,
};
use crate::resolve::{FunctionId, ScopeId, Ty, ValueDef};
use flat::{Flat, FlatStatement};
use text::{Followed, Text};

/// What is asked about requests, with what was computed before.
pub struct Requests<'a> {
    pub world: &'a World<'a>,
    flats: RefCell<FxHashMap<FunctionId, Option<Rc<Flat<'a>>>>>,
    uses: RefCell<FxHashMap<Name, Uses<'a>>>,
    texts: RefCell<FxHashMap<(Followed, u32), Text>>,
    shared_keys: OnceCell<client::SharedKeys>,
    wrappers: RefCell<FxHashMap<FunctionId, Option<operation::Posted<'a>>>>,
}

/// A value that a field is given.
pub struct Writer<'a> {
    pub function: FunctionId,
    pub body: usize,
    pub value: &'a Operand,
}

/// A call of a function of the tree; a receiver is the first of what is given.
#[derive(Clone)]
pub struct Call<'a> {
    pub function: FunctionId,
    pub body: usize,
    pub callee: &'a Callee,
    pub receiver: Option<&'a Argument>,
    pub given: Vec<&'a Operand>,
}

/// Where a name is called, and where a field of the name is written.
#[derive(Clone)]
struct Uses<'a> {
    writers: Rc<Vec<Writer<'a>>>,
    calls: Rc<Vec<Call<'a>>>,
}

impl<'a> Requests<'a> {
    pub fn new(world: &'a World<'a>) -> Requests<'a> {
        Requests {
            world,
            flats: RefCell::default(),
            uses: RefCell::default(),
            texts: RefCell::default(),
            shared_keys: OnceCell::new(),
            wrappers: RefCell::default(),
        }
    }

    /// The statements of a function; nothing when it has no body.
    pub fn flat(&self, function: FunctionId) -> Option<Rc<Flat<'a>>> {
        if let Some(known) = self.flats.borrow().get(&function) {
            return known.clone();
        }
        let body = self.world.input.program.function(function).body();
        let flat = body.map(|body| Rc::new(Flat::new(body)));
        self.flats.borrow_mut().insert(function, flat.clone());
        flat
    }

    /// The scope inside a function.
    pub fn scope(&self, function: FunctionId) -> ScopeId {
        self.world.input.program.function(function).scope
    }

    /// Functions of files that hold a word of a sink or of an operation, test code left out.
    pub fn candidates(&self) -> Vec<FunctionId> {
        let input = &self.world.input;
        let counts = |id: &FunctionId| {
            let function = input.program.function(*id);
            function.has_body()
                && !self.world.is_silent(Some(*id))
                && input.scan.hits.binary_search(&function.file).is_ok()
        };
        input.program.functions().filter(counts).collect()
    }

    /// The values that a field of this name is given anywhere.
    pub fn field_writers(&self, name: &Name) -> Rc<Vec<Writer<'a>>> {
        Rc::clone(&self.uses(name).writers)
    }

    /// The calls of a function.
    pub fn callers(&self, function: FunctionId) -> Vec<Call<'a>> {
        let uses = self.uses(&self.world.input.program.function(function).name);
        uses.calls.iter().filter(|call| self.calls_it(call, function)).cloned().collect()
    }

    fn calls_it(&self, call: &Call<'a>, function: FunctionId) -> bool {
        let Some(flat) = self.flat(call.function) else { return false };
        let receiver = call.receiver.map(|receiver| &receiver.operand);
        self.callee_in(Some(call.function), self.scope(call.function), call.callee, &|| {
            receiver.map_or(Ty::Unknown, |receiver| self.type_of(call.function, &flat, call.body, receiver))
        }) == Some(function)
    }

    /// The uses of a name in all functions.
    fn uses(&self, name: &Name) -> Uses<'a> {
        if let Some(known) = self.uses.borrow().get(name) {
            return known.clone();
        }
        let program = self.world.input.program;
        let hash = NameHash::of(name);
        let (mut writers, mut calls) = (Vec::new(), Vec::new());
        for id in program.functions() {
            let function = program.function(id);
            // Texts of tests must not stand for those of the program.
            if !function.test && function.may_spell(hash) {
                self.uses_in(id, name, &mut writers, &mut calls);
            }
        }
        let uses = Uses { writers: Rc::new(writers), calls: Rc::new(calls) };
        self.uses.borrow_mut().insert(name.clone(), uses.clone());
        uses
    }

    fn uses_in(&self, id: FunctionId, name: &Name, writers: &mut Vec<Writer<'a>>, calls: &mut Vec<Call<'a>>) {
        let Some(flat) = self.flat(id) else { return };
        for found in &flat.statements {
            let StatementKind::Assign(place, value) = &found.statement.kind else { continue };
            let writer = |value| Writer { function: id, body: found.body, value };
            match value {
                Rvalue::Aggregate { kind: AggregateKind::Struct(_), fields, .. } => {
                    let given = fields.iter().filter(|field| field.name == *name);
                    writers.extend(given.map(|field| writer(&field.value)));
                }
                Rvalue::Use(value) => {
                    if matches!(place.projections.last(), Some(Projection::Field(field)) if field == name) {
                        writers.push(writer(value));
                    }
                }
                Rvalue::Call {
                    callee: callee @ (Callee::Path(_) | Callee::Method { .. }),
                    receiver,
                    args,
                    ..
                } if text::callee_name(callee) == *name => {
                    let given = receiver.iter().chain(args).map(|argument| &argument.operand).collect();
                    calls.push(Call {
                        function: id,
                        body: found.body,
                        callee,
                        receiver: receiver.as_ref(),
                        given,
                    });
                }
                _ => {}
            }
        }
    }

    /// The one function of the tree that a call by path or of a method of a known type runs.
    fn callee_in(
        &self,
        caller: Option<FunctionId>,
        scope: ScopeId,
        callee: &Callee,
        receiver: &dyn Fn() -> Ty,
    ) -> Option<FunctionId> {
        let program = self.world.input.program;
        let found = match callee {
            Callee::Path(path) => match program.resolve_value(scope, path) {
                ValueDef::Function(id) => Some(id),
                ValueDef::Candidates { functions, external } => match functions.as_slice() {
                    [one] if external.is_empty() => Some(*one),
                    _ => None,
                },
                _ => None,
            },
            Callee::Method { name, .. } => {
                caller?;
                let ty = receiver();
                if ty == Ty::Unknown {
                    return None;
                }
                let lookup = program.lookup_method(scope, &ty, name);
                match lookup.functions.as_slice() {
                    [one] if !lookup.guessed => Some(*one),
                    _ => None,
                }
            }
            Callee::Value(_) | Callee::Macro(_) => None,
        };
        found.filter(|id| program.function(*id).has_body())
    }

    /// The type of an operand as far as declarations and constructors say it.
    pub fn type_of(&self, function: FunctionId, flat: &Flat<'a>, body: usize, operand: &Operand) -> Ty {
        match operand {
            Operand::Place(place) => self.type_of_place(function, flat, body, place, 6),
            Operand::Literal(_) => Ty::Unknown,
        }
    }

    fn type_of_place(
        &self,
        function: FunctionId,
        flat: &Flat<'a>,
        body: usize,
        place: &Place,
        depth: u32,
    ) -> Ty {
        let PlaceBase::Local(local) = place.base else { return Ty::Unknown };
        let Some(variable) = flat.variable(body, local) else { return Ty::Unknown };
        let mut ty = self.type_of_variable(function, flat, variable, depth);
        for projection in &place.projections {
            match projection {
                Projection::Field(name) => ty = self.world.input.program.field_type(&ty, name),
                Projection::Dereference => {}
                _ => return Ty::Unknown,
            }
        }
        ty
    }

    fn type_of_variable(&self, function: FunctionId, flat: &Flat<'a>, variable: u32, depth: u32) -> Ty {
        let program = self.world.input.program;
        if let Some(index) = flat.parameter(variable) {
            return program.parameter_types(function).get(index as usize).cloned().unwrap_or(Ty::Unknown);
        }
        if let Some(ty) = flat.local(variable).and_then(|local| local.ty.as_ref()) {
            return program.resolve_type(self.scope(function), ty);
        }
        let Some(depth) = depth.checked_sub(1) else { return Ty::Unknown };
        let Some((at, value)) = flat.values(variable).next() else { return Ty::Unknown };
        match value {
            Rvalue::Use(Operand::Place(place)) | Rvalue::Await(Operand::Place(place)) => {
                self.type_of_place(function, flat, at.body, place, depth)
            }
            Rvalue::Reference { place, .. } => self.type_of_place(function, flat, at.body, place, depth),
            Rvalue::Call { callee: callee @ Callee::Path(_), .. } => {
                let called = self.callee_in(Some(function), self.scope(function), callee, &|| Ty::Unknown);
                called.map_or(Ty::Unknown, |id| program.result_type(id))
            }
            Rvalue::Call { callee: Callee::Method { name, .. }, receiver: Some(receiver), .. }
                if name == "clone" =>
            {
                match &receiver.operand {
                    Operand::Place(place) => self.type_of_place(function, flat, at.body, place, depth),
                    Operand::Literal(_) => Ty::Unknown,
                }
            }
            Rvalue::Call { callee: callee @ Callee::Method { .. }, receiver: Some(receiver), .. } => {
                let called = self.callee_in(
                    Some(function),
                    self.scope(function),
                    callee,
                    &|| match &receiver.operand {
                        Operand::Place(place) => self.type_of_place(function, flat, at.body, place, depth),
                        Operand::Literal(_) => Ty::Unknown,
                    },
                );
                called.map_or(Ty::Unknown, |id| program.result_type(id))
            }
            Rvalue::Call { callee: Callee::Macro(path), args, .. } if path.last_name() == "?" => {
                let inner = args.first().map(|argument| &argument.operand);
                let ty = inner.map_or(Ty::Unknown, |inner| match inner {
                    Operand::Place(place) => self.type_of_place(function, flat, at.body, place, depth),
                    Operand::Literal(_) => Ty::Unknown,
                });
                match ty {
                    Ty::External { args, .. } => args.into_iter().next().unwrap_or(Ty::Unknown),
                    _ => Ty::Unknown,
                }
            }
            _ => Ty::Unknown,
        }
    }

    /// The function of the tree that a call statement in a function runs.
    pub fn target(
        &self,
        function: FunctionId,
        flat: &Flat<'a>,
        body: usize,
        callee: &Callee,
        receiver: Option<&Operand>,
    ) -> Option<FunctionId> {
        self.callee_in(Some(function), self.scope(function), callee, &|| {
            receiver.map_or(Ty::Unknown, |receiver| self.type_of(function, flat, body, receiver))
        })
    }

    /// Whether more than a name says that a key is sent: a row of the catalogue at the slot, or in the function that
    /// the statement at the slot calls.
    pub fn is_sent(
        &self,
        slot: Slot<'_>,
        setting: FlatStatement<'a>,
        flat: &Flat<'a>,
        function: FunctionId,
    ) -> bool {
        let moves_money = |slot: &Slot<'_>| {
            !slot.by_name()
                && !matches!(slot.info.family, Family::InHouse | Family::Message | Family::Workflow)
        };
        if moves_money(&slot) {
            return true;
        }
        let StatementKind::Assign(_, Rvalue::Call { callee, receiver, .. }) = &setting.statement.kind else {
            return false;
        };
        let receiver = receiver.as_ref().map(|receiver| &receiver.operand);
        let Some(target) = self.target(function, flat, setting.body, callee, receiver) else { return false };
        let world = self.world;
        let mut slots = (0..).take(world.analysis.sinks.len()).filter_map(|id| world.slot(id));
        slots.any(|slot| slot.sink.function == Some(target) && moves_money(&slot))
    }
}
