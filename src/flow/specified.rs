//! What the specification says of a call, and what follows for its arguments and its result.

use std::rc::Rc;

use super::calls::{CallSite, Receiver, literal_of};
use super::engine::{Engine, Frame};
use super::places::resolved_refs;
use super::shape::peel;
use super::spec::{CallFacts, CallSlot, CallView};
use super::state::State;
use super::term::Term;
use super::transfer::term_of;
use super::value::{Flags, Key, Location, Origin, Taint, Value};
use crate::ir::{Literal, Name};
use crate::resolve::{FunctionId, TraitDef, Ty};

impl<'a> Engine<'a> {
    /// What the specification says of a call.
    pub fn facts(
        &mut self,
        frame: &Frame<'a>,
        state: &State,
        site: &CallSite,
        targets: &[FunctionId],
    ) -> CallFacts {
        let receiver = site.receiver.as_ref().map(|receiver| state.dereference(&receiver.value));
        let receiver_type = receiver.as_ref().and_then(|value| value.ty()).map(peel);
        let receiver_path = receiver_type.map(|ty| self.type_path(ty)).filter(|path| !path.is_empty());
        let receiver_path =
            receiver_path.or_else(|| receiver_type.and_then(trait_path).map(ToString::to_string));
        let receiver_root = receiver.as_ref().and_then(|value| value.data()?.root.as_deref());
        let receiver_term = receiver.as_ref().map(|value| term_of(state, value));
        let terms: Vec<Rc<Term>> = site.args.iter().map(|value| term_of(state, value)).collect();
        let literals: Vec<Option<Literal>> = terms.iter().map(|term| literal_of(term)).collect();
        let has = |value: &Value, wanted: bool| {
            let target = state.dereference(value);
            let some = Key::Variant("Some".into(), "0".into());
            target.data().is_some_and(|data| {
                let holds = data.parts.iter().any(|(key, _)| *key == some);
                data.closed && if wanted { holds } else { data.parts.is_empty() && data.term.is_none() }
            })
        };
        let positions = |wanted: bool| -> Vec<usize> {
            site.args.iter().enumerate().filter(|(_, value)| has(value, wanted)).map(|(i, _)| i).collect()
        };
        let (nones, somes) = (positions(false), positions(true));
        let Some(caller) = frame.owner.or_else(|| self.program.functions().next()) else {
            return CallFacts::default();
        };
        let view = CallView {
            paths: &site.paths,
            name: site.paths.first().map_or(site.name.as_str(), |path| {
                if site.name.is_empty() { path.rsplit("::").next().unwrap_or(path) } else { &site.name }
            }),
            method: site.method,
            macro_call: site.macro_call,
            receiver: receiver_type,
            receiver_path: receiver_path.as_deref(),
            receiver_root,
            receiver_term: receiver_term.as_deref(),
            targets,
            terms: &terms,
            literals: &literals,
            nones: &nones,
            somes: &somes,
            arity: site.args.len(),
            caller,
        };
        self.spec.call(&view)
    }

    pub fn reach_call_sinks(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        site: &mut CallSite,
        facts: &CallFacts,
    ) {
        for (row, slot) in &facts.sinks {
            let (value, span) = match slot {
                CallSlot::Return => continue,
                CallSlot::Receiver => match &site.receiver {
                    Some(receiver) => (receiver.value.clone(), receiver.span),
                    None => continue,
                },
                CallSlot::Argument(index) => match site.args.get(*index as usize) {
                    Some(value) => (value.clone(), site.arg_spans[*index as usize]),
                    None => continue,
                },
                CallSlot::Element(index, position) => match site.args.get(*index as usize) {
                    Some(value) => (listed(state, value, *position), site.arg_spans[*index as usize]),
                    None => continue,
                },
            };
            let name = site.name.clone();
            let mut sink = self.sink_at(frame, *row, span, site.name_span, &name, &value);
            sink.term = term_of(state, &value);
            sink.receiver = site.receiver.as_ref().map(|receiver| term_of(state, &receiver.value));
            sink.entry = entry_name(state, site, *slot);
            let marked = self.reach_sink(frame, state, sink, &value);
            match slot {
                CallSlot::Argument(index) => site.args[*index as usize] = marked,
                CallSlot::Receiver => {
                    if let Some(receiver) = &mut site.receiver {
                        receiver.value = marked;
                    }
                }
                CallSlot::Return | CallSlot::Element(..) => {}
            }
        }
    }

    /// Arguments whose parameter is named like a key, in functions that are in view.
    pub fn reach_parameter_sinks(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        site: &mut CallSite,
        functions: &[FunctionId],
    ) {
        let Some(function) = functions.first() else { return };
        let shift =
            usize::from(self.program.function(*function).ir.receiver.is_some() && site.receiver.is_none());
        for index in 0..site.args.len() {
            let Some(position) = index.checked_sub(shift) else { continue };
            let Some(name) =
                self.program.function(*function).ir.params.get(position).and_then(|p| p.name.clone())
            else {
                continue;
            };
            if let Some(row) = self.spec.parameter_sink(*function, &name) {
                let value = site.args[index].clone();
                let mut sink = self.sink_at(frame, row, site.arg_spans[index], site.name_span, &name, &value);
                sink.term = term_of(state, &value);
                site.args[index] = self.reach_sink(frame, state, sink, &value);
            }
        }
    }

    /// The result where the specification decides it: a source, a sanitizer, a configured summary.
    pub fn decided(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        site: &CallSite,
        facts: &CallFacts,
    ) -> Option<Value> {
        let mut result: Option<Value> = None;
        for (source, row) in &facts.mints {
            let taint = self.source(frame, *source, site.span);
            let value = Value::tainted(vec![taint]).with_type(self.guessed_type(site));
            let sink = self.sink_at(frame, *row, site.span, site.name_span, &site.name, &value);
            result = Some(self.reach_sink(frame, state, sink, &value));
        }
        for (row, slot) in &facts.sources {
            let span = if site.span.file == site.name_span.file { site.span } else { site.name_span };
            let taint = self.source(frame, *row, span);
            match slot {
                CallSlot::Return => {
                    let term = match &taint.origin {
                        Origin::Source(id) => Rc::new(Term::Source(*id)),
                        Origin::Param(_) | Origin::Static(_) => Rc::new(Term::Unknown),
                    };
                    let ty = self.declared_type(site).or_else(|| self.guessed_type(site));
                    let value = Value::tainted(vec![taint]).with_type(ty).with_term(term);
                    result = Some(match result {
                        Some(other) => other.join_elements(&value),
                        None => value,
                    });
                }
                CallSlot::Receiver => {
                    if let Some(receiver) = &site.receiver {
                        let target = self.receiver_places(state, receiver);
                        for location in target {
                            state.taint(&location, std::slice::from_ref(&taint), Flags::default());
                        }
                    }
                }
                CallSlot::Argument(index) | CallSlot::Element(index, _) => {
                    let Some(argument) = site.args.get(*index as usize) else { continue };
                    for location in resolved_refs(state, argument) {
                        state.taint(&location, std::slice::from_ref(&taint), Flags::default());
                    }
                }
            }
        }
        if let Some(value) = result {
            return Some(self.apply_facts(frame, state, site, facts, value));
        }
        if facts.clears {
            for arg in &site.args {
                self.invoke_unknown(frame, state, arg, site.span);
            }
            let terms = site.args.iter().map(|arg| term_of(state, arg)).collect();
            return Some(
                Value::clean()
                    .with_type(self.guessed_type(site).or_else(|| self.modelled_type(state, site)))
                    .with_term(Term::call(site.name.clone(), terms)),
            );
        }
        let model = facts.summary.clone()?;
        Some(self.apply_model(frame, state, &model, site))
    }

    /// The type that the library's model of a function gives its result.
    fn declared_type(&self, site: &CallSite) -> Option<Ty> {
        let model = site.paths.iter().find_map(|path| self.spec.path_model(path))?;
        let returns = model.returns.clone()?;
        Some(Ty::External { path: returns.into(), args: Vec::new() })
    }

    /// The type that the library's model of a method gives its result.
    pub fn modelled_type(&self, state: &State, site: &CallSite) -> Option<Ty> {
        let receiver = state.dereference(&site.receiver.as_ref()?.value);
        let models = self.spec.method_models(receiver.ty().map(peel), &site.name);
        let returns = models.first()?.returns.clone()?;
        (returns != "Self").then(|| Ty::External { path: returns.into(), args: Vec::new() })
    }

    /// Flags and removals that the specification asks for, on the result of a call.
    pub fn apply_facts(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        site: &CallSite,
        facts: &CallFacts,
        value: Value,
    ) -> Value {
        let mut value = value;
        for row in &facts.adds {
            let taint = self.source(frame, *row, site.span);
            value = value.add_taint(&[taint]);
        }
        let ordered = matches!(value.ty(), Some(Ty::External { path, .. }) if self.spec.type_orders(path));
        if facts.clears_order || ordered {
            let (spec, sources) = (self.spec, &self.sources);
            let keep = |taint: &Taint| match taint.origin {
                Origin::Source(id) => !spec.is_order(sources[id as usize].row),
                Origin::Param(_) | Origin::Static(_) => true,
            };
            value = value.retain_taints(&keep).with_flags(Flags::ORDERED);
            if let Some(receiver) = site.receiver.as_ref().filter(|_| facts.clears_order) {
                for location in &self.receiver_places(state, receiver) {
                    let cleaned = state.load(location).retain_taints(&keep).with_flags(Flags::ORDERED);
                    state.store(location, cleaned, true);
                }
            }
        }
        match facts.bucket {
            Some(true) => value = value.with_flags(Flags::LONG_BUCKET),
            Some(false) => value = value.with_flags(Flags::SHORT_BUCKET),
            None => {}
        }
        if facts.hash {
            value = value.with_flags(Flags::HASHED);
            self.flag_receiver(state, site, Flags::HASHED);
        }
        if facts.in_process {
            value = value.with_flags(Flags::IN_PROCESS);
            self.flag_receiver(state, site, Flags::IN_PROCESS);
        }
        if facts.stores {
            for arg in &site.args {
                for location in resolved_refs(state, arg) {
                    let stored = state.load(&location).with_flags(Flags::STORED);
                    state.store(&location, stored, true);
                }
            }
        }
        value
    }

    /// What a hasher or cache holds after a call went through the same as what the call yields.
    pub fn flag_receiver(&self, state: &mut State, site: &CallSite, flags: Flags) {
        let Some(receiver) = &site.receiver else { return };
        for location in &self.receiver_places(state, receiver) {
            let flagged = state.load(location).with_flags(flags);
            state.store(location, flagged, true);
        }
    }

    /// Where the receiver is in memory, also when it is held by reference.
    pub fn receiver_places(&self, state: &State, receiver: &Receiver) -> Vec<Location> {
        match receiver.value.refs() {
            [] => receiver.locations.clone(),
            _ => resolved_refs(state, &receiver.value),
        }
    }
}

/// The text before the value that reaches a slot: the name of a header.
fn entry_name(state: &State, site: &CallSite, slot: CallSlot) -> Option<Name> {
    let CallSlot::Argument(index) = slot else { return None };
    let before = site.args.get((index as usize).checked_sub(1)?)?;
    match literal_of(&term_of(state, before)) {
        Some(Literal::Str(text)) => Some(text),
        _ => None,
    }
}

/// The value at a position of an array or tuple.
fn listed(state: &State, value: &Value, position: u32) -> Value {
    let target = state.dereference(value);
    let name: Name = position.to_string().into();
    let keys = [Key::At(name.clone()), Key::Field(name)];
    let listed = keys
        .iter()
        .find(|key| target.data().is_some_and(|data| data.parts.iter().any(|(known, _)| known == *key)));
    listed.map_or(Value::BOTTOM, |key| target.part(key))
}

/// The first trait that a value of a generic or `dyn` type is known to implement, when it is from outside.
fn trait_path(ty: &Ty) -> Option<&Name> {
    let bounds = match ty {
        Ty::Param { bounds, .. } | Ty::Dyn(bounds) => bounds,
        _ => return None,
    };
    bounds.iter().find_map(|bound| match &bound.id {
        TraitDef::External(path) => Some(path),
        TraitDef::Local(_) => None,
    })
}
