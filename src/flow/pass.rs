//! A pass over the blocks of a body with the transfer function: each once, after all that lead to it, and those of
//! loops until nothing changes.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::ops::Range;

use super::engine::{Engine, Frame};
use super::loops::Loops;
use super::order::{Stretch, order, ranks, stretches};
use super::slice::Need;
use super::state::State;
use super::term::Term;
use super::value::{Base, Value};
use crate::ir::{self, BlockId, Body, Guard, Place, PlaceBase, StatementKind, Terminator};
use crate::resolve::{Owner, ValueDef};

/// A block visited more often than this is widened.
const MAX_VISITS: u32 = 10;

/// Where the ways through a body end.
#[derive(Default)]
pub(super) struct Exit {
    pub state: Option<State>,
    pub result: Value,
}

impl<'a> Engine<'a> {
    /// Runs a body. What it reaches is recorded when the state of a block is final.
    pub(super) fn pass(&mut self, frame: &mut Frame<'a>, entry: State, recording: bool) -> Exit {
        let mut ways = Ways::new(frame.body, entry);
        let mut exit = Exit::default();
        for Stretch { ranks, is_loop } in stretches(ways.body, &ways.order, &ways.ranks) {
            let finals = match is_loop {
                true => self.run_loop(frame, &mut ways, &ranks),
                false => vec![ways.start_once(ways.order[ranks.start])],
            };
            if is_loop && !recording {
                continue;
            }
            frame.recording = recording;
            for (rank, state) in ranks.zip(finals) {
                let Some(mut state) = state else { continue };
                if self.exhausted() {
                    self.cut = true;
                    return exit;
                }
                let index = ways.order[rank].0 as usize;
                if !self.run_block(frame, &mut state, index) {
                    continue;
                }
                let end = self.leave(frame, state, index, &mut exit);
                if !is_loop {
                    ways.out[index] = end;
                }
            }
        }
        exit
    }

    /// Runs the blocks of a loop until nothing changes; gives the state at the start of each.
    fn run_loop(
        &mut self,
        frame: &mut Frame<'a>,
        ways: &mut Ways<'a>,
        stretch: &Range<usize>,
    ) -> Vec<Option<State>> {
        frame.recording = false;
        let mut before: Vec<Option<State>> = vec![None; stretch.len()];
        let mut visits = vec![0_u32; stretch.len()];
        let mut work: BTreeSet<usize> = stretch.clone().collect();
        while let Some(rank) = work.pop_first() {
            let id = ways.order[rank];
            let (index, at) = (id.0 as usize, rank - stretch.start);
            if self.exhausted() {
                self.cut = true;
                break;
            }
            let Some(mut state) = ways.start_of_turn(id) else { continue };
            state.count_copy();
            visits[at] += 1;
            if visits[at] > MAX_VISITS
                && let Some(older) = &before[at]
            {
                state = older.join(&state);
                state.widen(older);
            }
            if before[at].as_ref().is_some_and(|older| older.same(&state)) {
                continue;
            }
            if visits[at] > MAX_VISITS * 4 {
                self.cut = true;
                continue;
            }
            before[at] = Some(state.clone());
            if !self.run_block(frame, &mut state, index) {
                continue;
            }
            ways.out[index] = Some(state);
            let next = ways.body.blocks[index].terminator.successors();
            let next = next.iter().filter_map(|id| ways.ranks.get(id.0 as usize).copied());
            work.extend(next.filter(|next| stretch.contains(next)));
        }
        ways.through(stretch);
        before
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

/// The ways between the blocks of a body.
struct Ways<'b> {
    body: &'b Body,
    order: Vec<BlockId>,
    ranks: Vec<usize>,
    predecessors: Vec<Vec<BlockId>>,
    /// The state at the start of the body.
    entry: Option<State>,
    /// The states at the ends of the blocks that were run.
    out: Vec<Option<State>>,
    /// How often each of them is still asked for.
    asked: Vec<usize>,
    loops: OnceCell<Loops>,
}

impl<'b> Ways<'b> {
    fn new(body: &'b Body, entry: State) -> Ways<'b> {
        let order = order(body);
        Ways {
            body,
            ranks: ranks(body, &order),
            order,
            predecessors: predecessors(body),
            entry: Some(entry),
            out: vec![None; body.blocks.len()],
            asked: body.blocks.iter().map(|block| block.terminator.successors().len()).collect(),
            loops: OnceCell::new(),
        }
    }

    /// The state at the start of a block that is run once: the join over its predecessors.
    fn start_once(&mut self, id: BlockId) -> Option<State> {
        let mut incoming = if id.0 == 0 { self.entry.take() } else { None };
        for predecessor in &self.predecessors[id.0 as usize] {
            let from = predecessor.0 as usize;
            self.asked[from] -= 1;
            let last = self.asked[from] == 0;
            match (&mut incoming, &mut self.out[from]) {
                (_, None) => {}
                (Some(joined), Some(other)) => joined.absorb(other),
                (none, other) if last => *none = other.take(),
                (none, Some(other)) => {
                    other.count_copy();
                    *none = Some(other.clone());
                }
            }
        }
        incoming
    }

    /// The state at the start of a block of a loop: the join over the predecessors that were reached so far.
    fn start_of_turn(&self, id: BlockId) -> Option<State> {
        let loops = self.loops.get_or_init(|| Loops::of(self.body));
        let mut state = self.entry.as_ref().filter(|_| id.0 == 0).cloned();
        let over_items = loops.go_over_items(id);
        let is_turn = |block: &&BlockId| over_items && block.0 > id.0;
        let predecessors = &self.predecessors[id.0 as usize];
        let ways = predecessors.iter().filter(|block| !is_turn(block));
        for predecessor in ways.chain(predecessors.iter().filter(is_turn)) {
            let Some(other) = &self.out[predecessor.0 as usize] else { continue };
            other.count_copy();
            match &mut state {
                Some(joined) if is_turn(&predecessor) => joined.absorb_turn(other),
                Some(joined) => joined.absorb_changed(other, |base| loops.may_replace(id, base)),
                None => state = Some(other.clone()),
            }
        }
        state
    }

    /// Forgets the states that only the blocks of a loop asked for.
    fn through(&mut self, stretch: &Range<usize>) {
        for id in &self.order[stretch.clone()] {
            for predecessor in &self.predecessors[id.0 as usize] {
                let from = predecessor.0 as usize;
                self.asked[from] -= 1;
                if self.asked[from] == 0 {
                    self.out[from] = None;
                }
            }
        }
    }
}

/// What a statement that does not matter leaves behind: some value.
fn leave_out(state: &mut State, statement: &ir::Statement) {
    if let StatementKind::Assign(Place { base: PlaceBase::Local(local), projections }, _) = &statement.kind
        && projections.is_empty()
    {
        state.set_object(Base::Local(local.0), Value::clean());
    }
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
