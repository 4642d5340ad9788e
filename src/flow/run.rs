//! Runs one body in one context: a pass over its blocks, then what callers see of it.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::engine::{Engine, Frame, Instance};
use super::pass::Exit;
use super::slice::Slice;
use super::state::State;
use super::summary::Summary;
use super::value::{Base, Callable, Location, Value};
use crate::ir::Body;
use crate::resolve::StaticId;

impl<'a> Engine<'a> {
    /// Runs a body to its fixpoint, then once more to record what it reaches.
    pub fn run(&mut self, instance: &Instance) -> Summary {
        let Some(body) = self.body(instance.body) else { return Summary::default() };
        let slice = self.slice(instance, body);
        let first = self.run_once(instance, body, slice.clone());
        if first.messages.is_empty() {
            return first.summary;
        }
        // Who reads from a channel runs beside the rest: again, with all that is sent there at its start.
        for (base, content) in &first.messages {
            self.messages.insert(*base, content.clone());
        }
        let second = self.run_once(instance, body, slice);
        for base in first.messages.keys() {
            self.messages.remove(base);
        }
        second.summary
    }

    fn run_once(&mut self, instance: &Instance, body: &'a Body, slice: Rc<Slice>) -> Frame<'a> {
        let mut frame = self.frame(instance, body, slice);
        let entry = self.entry_state(&frame, instance);
        let exit = self.pass(&mut frame, entry, true);
        self.close(&mut frame, exit);
        frame
    }

    /// What callers see of a body that was run.
    fn close(&mut self, frame: &mut Frame<'a>, exit: Exit) {
        self.run_uncalled_closures(frame, exit.state.as_ref());
        frame.summary.result = exit.result;
        let Some(state) = exit.state else { return };
        let created = &frame.created;
        frame.messages.retain(|base, content| {
            if !created.values().any(|closure| refers_to(&state, closure, *base, 0)) {
                return false;
            }
            *content = state.object(*base);
            content.data().is_some_and(|data| !data.parts.is_empty() || !data.taint.is_empty())
        });
        self.finish(frame, &state);
    }

    /// Closures that nothing in view calls run once with unknown arguments, so that sinks inside them are seen.
    fn run_uncalled_closures(&mut self, frame: &mut Frame<'a>, exit: Option<&State>) {
        let uncalled: Vec<(u32, Value)> = frame
            .created
            .iter()
            .filter(|(index, _)| !frame.invoked.contains(index))
            .map(|(index, value)| (*index, value.clone()))
            .collect();
        for (index, value) in uncalled {
            let mut state = exit.cloned().unwrap_or_default();
            let count = self.closures[index as usize].closure.body.parameters;
            let span = self.closures[index as usize].closure.span;
            let args = vec![Value::clean(); count];
            self.invoke(frame, &mut state, &Callable::Closure(index), &value, args, span);
        }
    }

    /// Turns the state at the exit into the effects of the summary.
    fn finish(&mut self, frame: &mut Frame<'a>, state: &State) {
        let mut effects = Vec::new();
        let mut statics = Vec::new();
        for (base, value) in state.objects() {
            match base {
                Base::Param(index) => effects.push((*index, self.export(state, value, 0))),
                Base::Static(id) => statics.push((id.0, self.export(state, value, 0))),
                _ => {}
            }
        }
        for index in 0..frame.parameters.len() {
            self.shared_effects(frame, state, index, &mut effects);
        }
        self.moved_effects(frame, state, &mut effects);
        let mut heap = BTreeMap::new();
        let kept = self.kept_captures(frame, state);
        let exported: Vec<&Value> = std::iter::once(&frame.summary.result)
            .chain(effects.iter().chain(&statics).chain(&kept).map(|(_, value)| value))
            .collect();
        for value in exported {
            self.collect_heap(state, value, &mut heap, 0);
        }
        for (id, value) in &statics {
            self.write_static(StaticId(*id), value);
        }
        frame.summary.effects = effects;
        frame.summary.kept = kept;
        frame.summary.statics = statics;
        frame.summary.heap = heap.into_iter().collect();
    }

    fn collect_heap(&self, state: &State, value: &Value, heap: &mut BTreeMap<u32, Value>, depth: usize) {
        if depth > 6 {
            return;
        }
        let Some(data) = value.data() else { return };
        for location in &data.refs {
            if let Base::Heap(id) = location.base
                && !heap.contains_key(&id)
            {
                let content = self.export(state, &state.object(location.base), 0);
                heap.insert(id, content.clone());
                self.collect_heap(state, &content, heap, depth + 1);
            }
        }
        for (_, part) in &data.parts {
            self.collect_heap(state, part, heap, depth + 1);
        }
    }

    /// A value as its caller may see it: references to locals are replaced by what the locals hold.
    pub fn export(&self, state: &State, value: &Value, depth: usize) -> Value {
        let Some(data) = value.data() else { return Value::BOTTOM };
        let local = |location: &Location| matches!(location.base, Base::Local(_));
        if !data.refs.iter().any(local) && data.parts.is_empty() {
            return value.clone();
        }
        let mut inlined = Value::BOTTOM;
        if depth < 4 {
            for location in data.refs.iter().filter(|location| local(location)) {
                let exported = self.export(state, &state.load(location), depth + 1);
                inlined =
                    if data.either { inlined.join(&exported) } else { inlined.join_elements(&exported) };
            }
        }
        let had_local = data.refs.iter().any(local);
        let kept = value.clone().update(|data| {
            data.refs.retain(|location| !local(location));
            for (_, part) in &mut data.parts {
                *part = self.export(state, part, depth + 1);
            }
        });
        let empty = kept.data().is_some_and(|data| {
            data.refs.is_empty() && data.parts.is_empty() && data.taint.is_empty() && data.aliases.is_empty()
        });
        match (had_local, empty) {
            (true, true) if kept.callables().is_empty() => inlined,
            (true, _) => kept.join_elements(&inlined),
            (false, _) => kept,
        }
    }
}

/// Whether a value or a part of it is a reference into an object.
fn refers_to(state: &State, value: &Value, base: Base, depth: usize) -> bool {
    let Some(data) = value.data() else { return false };
    let leads = |location: &Location| {
        location.base == base || depth < 4 && refers_to(state, &state.object(location.base), base, depth + 1)
    };
    data.refs.iter().any(leads)
        || depth < 4 && data.parts.iter().any(|(_, part)| refers_to(state, part, base, depth + 1))
}
