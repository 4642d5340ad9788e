//! Runs one body in one context: the transfer function over its blocks to a fixpoint, then what callers see of it.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::engine::{Engine, Frame, Instance};
use super::loops::Loops;
use super::order::{is_straight, order, ranks};
use super::slice::{Need, Slice};
use super::state::State;
use super::summary::Summary;
use super::term::Term;
use super::value::{Base, Callable, Location, Value};
use crate::ir::{self, BlockId, Body, Guard, Place, PlaceBase, StatementKind, Terminator};
use crate::resolve::{Owner, StaticId, ValueDef};

/// A body visited more often than this per block is widened.
const MAX_VISITS: u32 = 10;

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
        let order = order(body);
        let ranks = ranks(body, &order);
        let exit = match is_straight(body, &order, &ranks) {
            true => self.run_straight(&mut frame, entry, &order),
            false => {
                let before = self.fixpoint(&mut frame, &entry, &order, &ranks);
                self.record(&mut frame, before)
            }
        };
        self.close(&mut frame, exit);
        frame
    }

    /// Runs a body without a loop: each block once, with its final state.
    fn run_straight(&mut self, frame: &mut Frame<'a>, entry: State, order: &[BlockId]) -> Exit {
        let body = frame.body;
        let predecessors = predecessors(body);
        // How often the state at the end of a block is still asked for.
        let mut asked: Vec<usize> =
            body.blocks.iter().map(|block| block.terminator.successors().len()).collect();
        let mut out: Vec<Option<State>> = vec![None; body.blocks.len()];
        let mut start = Some(entry);
        let mut exit = Exit::default();
        frame.recording = true;
        for id in order {
            let index = id.0 as usize;
            let mut incoming = start.take();
            for predecessor in &predecessors[index] {
                let from = predecessor.0 as usize;
                asked[from] -= 1;
                let last = asked[from] == 0;
                match (&mut incoming, &mut out[from]) {
                    (_, None) => {}
                    (Some(joined), Some(other)) => joined.absorb(other),
                    (none, other) if last => *none = other.take(),
                    (none, Some(other)) => {
                        other.count_copy();
                        *none = Some(other.clone());
                    }
                }
            }
            if self.exhausted() {
                self.cut = true;
                break;
            }
            let Some(mut state) = incoming else { continue };
            if !self.run_block(frame, &mut state, index) {
                continue;
            }
            out[index] = self.leave(frame, state, index, &mut exit);
        }
        exit
    }

    /// Runs a body until nothing changes; gives the state at the start of each block.
    pub fn fixpoint(
        &mut self,
        frame: &mut Frame<'a>,
        entry: &State,
        order: &[BlockId],
        ranks: &[usize],
    ) -> Vec<Option<State>> {
        let body = frame.body;
        let predecessors = predecessors(body);
        let mut out: Vec<Option<State>> = vec![None; body.blocks.len()];
        let mut before: Vec<Option<State>> = vec![None; body.blocks.len()];
        let mut visits = vec![0_u32; body.blocks.len()];
        let loops = Loops::of(body);
        let mut work = BTreeSet::from([0_usize]);
        while let Some(id) = work.pop_first().and_then(|rank| order.get(rank).copied()) {
            let index = id.0 as usize;
            let Some(block) = body.blocks.get(index) else { continue };
            if self.exhausted() {
                self.cut = true;
                break;
            }
            let Some(mut state) = incoming(id, entry, &predecessors[index], &out, &loops) else { continue };
            state.count_copy();
            visits[index] += 1;
            if visits[index] > MAX_VISITS
                && let Some(older) = &before[index]
            {
                state = older.join(&state);
                state.widen(older);
            }
            if before[index].as_ref().is_some_and(|older| older.same(&state)) {
                continue;
            }
            if visits[index] > MAX_VISITS * 4 {
                self.cut = true;
                continue;
            }
            before[index] = Some(state.clone());
            if !self.run_block(frame, &mut state, index) {
                continue;
            }
            out[index] = Some(state);
            work.extend(block.terminator.successors().iter().filter_map(|id| ranks.get(id.0 as usize)));
        }
        before
    }

    /// The last pass: every reached block once, with its final state.
    fn record(&mut self, frame: &mut Frame<'a>, before: Vec<Option<State>>) -> Exit {
        let mut exit = Exit::default();
        frame.recording = true;
        for (index, state) in before.into_iter().enumerate() {
            let Some(mut state) = state else { continue };
            if self.exhausted() {
                self.cut = true;
                break;
            }
            if self.run_block(frame, &mut state, index) {
                self.leave(frame, state, index, &mut exit);
            }
        }
        exit
    }

    /// Takes over what a block gives back when it ends the body; gives its state when it does not.
    fn leave(
        &mut self,
        frame: &mut Frame<'a>,
        mut state: State,
        index: usize,
        exit: &mut Exit,
    ) -> Option<State> {
        let Terminator::Return(operand) = &frame.body.blocks[index].terminator else { return Some(state) };
        let value = self.operand(frame, &mut state, operand);
        let value = self.export(&state, &value, 0);
        exit.result = exit.result.join(&value);
        match &mut exit.state {
            Some(joined) => joined.absorb(&state),
            None => exit.state = Some(state),
        }
        None
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
        let exported: Vec<&Value> = std::iter::once(&frame.summary.result)
            .chain(effects.iter().chain(&statics).map(|(_, value)| value))
            .collect();
        for value in exported {
            self.collect_heap(state, value, &mut heap, 0);
        }
        for (id, value) in &statics {
            self.write_static(StaticId(*id), value);
        }
        frame.summary.effects = effects;
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

    /// Whether a constant is known not to be what a block depends on.
    fn is_ruled_out(&mut self, frame: &Frame<'a>, guard: &'a Guard) -> bool {
        let ValueDef::Static(id) = self.resolve(frame, &guard.constant) else { return false };
        let constant = self.program.static_(id);
        // Under a `cfg`, or in an implementation, there may be another one.
        if !constant.ir.constant || !constant.cfg.is_empty() || constant.owner != Owner::None {
            return false;
        }
        let value = self.static_value(id);
        let other = if guard.expected { "false" } else { "true" };
        let Some(data) = value.data() else { return false };
        matches!(data.term.as_deref(), Some(Term::Literal(text)) if text == other) && data.taint.is_empty()
    }

    /// Runs a block; `false` when it does not reach its end.
    fn run_block(&mut self, frame: &mut Frame<'a>, state: &mut State, index: usize) -> bool {
        let Some(block) = frame.body.blocks.get(index) else { return false };
        if block.guard.as_deref().is_some_and(|guard| self.is_ruled_out(frame, guard)) {
            return false;
        }
        frame.in_loop = block.innermost_loop.is_some();
        for (position, statement) in block.statements.iter().enumerate() {
            frame.current = statement.span;
            frame.diverged = false;
            frame.scratches = 0;
            frame.need = frame.slice.need(index, position);
            frame.position = (index, position);
            match frame.need {
                Need::Skip => leave_out(state, statement),
                Need::Probe | Need::Type | Need::Sinks | Need::Full => {
                    self.statement(frame, state, statement)
                }
            }
            if frame.diverged {
                return false;
            }
        }
        true
    }
}

/// Where the ways through a body end.
#[derive(Default)]
struct Exit {
    state: Option<State>,
    result: Value,
}

/// What a statement that does not matter leaves behind: some value.
fn leave_out(state: &mut State, statement: &ir::Statement) {
    if let StatementKind::Assign(Place { base: PlaceBase::Local(local), projections }, _) = &statement.kind
        && projections.is_empty()
    {
        state.set_object(Base::Local(local.0), Value::clean());
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

fn predecessors(body: &Body) -> Vec<Vec<BlockId>> {
    let mut all = vec![Vec::new(); body.blocks.len()];
    for (index, block) in body.blocks.iter().enumerate() {
        for successor in block.terminator.successors() {
            if let Some(list) = all.get_mut(successor.0 as usize) {
                list.push(BlockId(index as u32));
            }
        }
    }
    all
}

/// The state at the start of a block: the join over the predecessors that were reached so far.
fn incoming(
    id: BlockId,
    entry: &State,
    predecessors: &[BlockId],
    out: &[Option<State>],
    loops: &Loops,
) -> Option<State> {
    let mut state = (id.0 == 0).then(|| entry.clone());
    let over_items = loops.go_over_items(id);
    let is_turn = |block: &&BlockId| over_items && block.0 > id.0;
    let ways = predecessors.iter().filter(|block| !is_turn(block));
    for predecessor in ways.chain(predecessors.iter().filter(is_turn)) {
        let Some(other) = &out[predecessor.0 as usize] else { continue };
        other.count_copy();
        match &mut state {
            Some(joined) if is_turn(&predecessor) => joined.absorb_turn(other),
            Some(joined) => joined.absorb_changed(other, |base| loops.may_replace(id, base)),
            None => state = Some(other.clone()),
        }
    }
    state
}
