//! Which statements of a body have to be run to see what reaches its sinks, and its callers.
//!
//! A backward pass over the control-flow graph keeps the locals whose *value* still matters (`live`) and those of
//! which only the *type* does, because it decides which function a call means. A call of a function of the tree is
//! left out when its result is not live, when its types give it no way to change something that is, and when it
//! leads to no sink. It errs on the side of running too much: a local that may hold a reference to another keeps
//! that one live.

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use super::criteria::{ALL, Criteria, Hit, Influence};
use super::effects::Known;
use super::mentions::{self, Mention};
use crate::ir::{
    Block, Body, Callee, Index, Literal, Name, Operand, Place, PlaceBase, Projection, Rvalue, Statement,
    StatementKind, Terminator,
};
use crate::resolve::{ScopeId, is_standard_method};

/// What has to be done with a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Nothing.
    Skip,
    /// To find out which functions it calls.
    Probe,
    /// Only the type of its value matters.
    Type,
    /// Only sinks inside of what it calls matter.
    Sinks,
    /// All that it does.
    Full,
}

/// Calls of a body that were seen to mean functions which lead to a sink, by block and position.
pub type Confirmed = FxHashMap<(usize, usize), Influence>;

/// The needs of a body's statements.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Slice {
    needs: Vec<Vec<Need>>,
    /// Whether the body gives back the name of a key slot.
    pub names_slot: bool,
    /// Whether the body may give back something that leads to a sink when it is called.
    pub carries: bool,
}

impl Slice {
    /// The need of a statement.
    pub fn need(&self, block: usize, statement: usize) -> Need {
        self.needs.get(block).and_then(|needs| needs.get(statement)).copied().unwrap_or(Need::Full)
    }
}

/// What of a body its callers see.
pub struct Outcome {
    /// Whether its result is asked for.
    pub result: bool,
    /// Whether it is asked for what it changes of its arguments and captures.
    pub changes: bool,
    /// Which parameters may give access to memory of the caller; captures may.
    pub writable: Vec<bool>,
    /// Whether the type of the result leaves room for something that can be called.
    pub result_calls: bool,
    /// Which parameters leave room for something that can be called.
    pub parameters_call: Vec<bool>,
}

/// A statement, as far as it matters here.
struct Line {
    destination: Option<usize>,
    /// Whether the whole destination is replaced.
    whole: bool,
    operands: Vec<usize>,
    hit: Hit,
    /// What the function that is called leads to, when it is one of those that its name may mean.
    led: Influence,
    kind: Kind,
    /// Operands that the statement may change.
    changed: Vec<usize>,
    /// For calls: operand locals by parameter position.
    positions: Vec<Option<usize>>,
    /// Whether the destination may refer to or hold what the operands do.
    lends: bool,
    /// Whether it makes the two ends of a channel.
    connects: bool,
    /// Whether it is `&mut place`.
    borrows: bool,
    /// Whether it is `&place`.
    refers: bool,
    /// Whether it is a method that gives a view through which its receiver can be changed (`cell.borrow_mut()`).
    opens: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Plain,
    Aggregate,
    Call,
    Declare,
    Drop,
}

/// Larger bodies are run completely when there is anything to run in them.
const MAX_LOCALS: usize = 4_000;

/// The slice of a body.
pub fn slice(
    body: &Body,
    scope: ScopeId,
    criteria: &Criteria<'_>,
    outcome: &Outcome,
    confirmed: &Confirmed,
) -> Slice {
    Slicer::new(body, scope, criteria, outcome.result).run(outcome, confirmed)
}

/// What has to be run to find out which calls by the name of an open function mean it; `None` when there is none.
pub fn probe(body: &Body, scope: ScopeId, criteria: &Criteria<'_>) -> Option<Slice> {
    Slicer::new(body, scope, criteria, false).probe()
}

impl<'s, 'a> Slicer<'s, 'a> {
    fn new(body: &'s Body, scope: ScopeId, criteria: &'s Criteria<'a>, result: bool) -> Slicer<'s, 'a> {
        let count = body.locals.len();
        Slicer {
            body,
            scope,
            criteria,
            aliases: vec![Vec::new(); count],
            groups: Vec::new(),
            reach: vec![None; count],
            carriers: FixedBitSet::with_capacity(count),
            callable: FixedBitSet::with_capacity(count),
            texts: FixedBitSet::with_capacity(count),
            mutable: FixedBitSet::with_capacity(count),
            foreign: FixedBitSet::with_capacity(count),
            result,
        }
    }
}

struct Slicer<'s, 'a> {
    body: &'s Body,
    scope: ScopeId,
    criteria: &'s Criteria<'a>,
    /// What a local may refer to or hold, one step. Numbers from the number of locals on are groups.
    aliases: Vec<Vec<usize>>,
    /// Operands of statements that may put each of them into each other: a call with thousands of arguments has
    /// millions of pairs.
    groups: Vec<Vec<usize>>,
    /// The same, all steps, the local itself included.
    reach: Vec<Option<FixedBitSet>>,
    /// Locals by which a call leads to a sink: they hold a name of a key slot, or something that leads to one when
    /// it is called.
    carriers: FixedBitSet,
    /// Those of them that hold something that leads to a sink when it is called.
    callable: FixedBitSet,
    /// Those of them that are such a name.
    texts: FixedBitSet,
    /// Locals that are mutable references or closures: who has one can change what it refers to.
    mutable: FixedBitSet,
    /// Parameters and captures.
    foreign: FixedBitSet,
    /// Whether the result is asked for.
    result: bool,
}

impl Slicer<'_, '_> {
    fn run(mut self, outcome: &Outcome, confirmed: &Confirmed) -> Slice {
        for (index, local) in self.body.locals.iter().enumerate() {
            if index < self.body.parameters || local.kind == crate::ir::LocalKind::Capture {
                self.foreign.insert(index);
                if outcome.writable.get(index).copied().unwrap_or(true) {
                    self.mutable.insert(index);
                }
            }
        }
        let body = self.body;
        self.find_mutable();
        let mut lines = self.lines();
        for (block, lines) in lines.iter_mut().enumerate() {
            for (position, line) in lines.iter_mut().enumerate() {
                match confirmed.get(&(block, position)) {
                    Some(lead) if lead.carries => line.hit = Hit::Callable,
                    Some(lead) => line.hit = line.hit.max(Hit::Call(lead.positions)),
                    None => {}
                }
            }
        }
        let idle =
            !outcome.result && !outcome.changes && lines.iter().flatten().all(|line| line.hit == Hit::None);
        if idle {
            let skip = |line: &Line| if line.kind == Kind::Declare { Need::Full } else { Need::Skip };
            let needs = lines.iter().map(|lines| lines.iter().map(skip).collect()).collect();
            return Slice { needs, ..Slice::default() };
        }
        if body.locals.len() > MAX_LOCALS {
            return Slice { carries: true, ..Slice::default() };
        }
        self.link(&lines);
        self.find_carriers(&lines);
        let mut exit = self.exit(outcome);
        self.enliven_channels(&lines, &mut exit);
        let needs = self.solve(&lines, &exit, &mut Slicer::need);
        Slice { needs, names_slot: self.names_slot(), carries: self.carries(outcome) }
    }

    fn lines(&self) -> Vec<Vec<Line>> {
        let of_block =
            |block: &Block| block.statements.iter().map(|statement| self.line(statement)).collect();
        self.body.blocks.iter().map(of_block).collect()
    }

    fn probe(mut self) -> Option<Slice> {
        let lines = self.lines();
        let asks = |line: &Line| line.led != Influence::default();
        if !lines.iter().flatten().any(asks) {
            return None;
        }
        let nothing = FixedBitSet::with_capacity(self.aliases.len());
        let needs = self.solve(&lines, &nothing, &mut |_, line, live| match line.destination {
            _ if asks(line) => Need::Probe,
            None => Need::Skip,
            Some(local) if live.ty[local] => Need::Type,
            Some(_) => Need::Skip,
        });
        Some(Slice { needs, ..Slice::default() })
    }

    /// Locals that are mutable references or can be called, before anything else is known.
    fn find_mutable(&mut self) {
        for statement in self.body.blocks.iter().flat_map(|block| &block.statements) {
            let StatementKind::Assign(place, rvalue) = &statement.kind else { continue };
            let Some(local) = base(place) else { continue };
            match rvalue {
                Rvalue::Reference { mutable: true, .. } | Rvalue::Closure(_) => self.mutable.insert(local),
                Rvalue::Call { callee: Callee::Method { name, .. }, receiver: Some(receiver), .. }
                    if gives_view(name) || keeps_view(name) && self.is_mutable(&receiver.operand) =>
                {
                    self.mutable.insert(local);
                }
                Rvalue::Call { callee: Callee::Macro(path), args, .. }
                    if path.last_name() == "?"
                        && args.first().is_some_and(|argument| self.is_mutable(&argument.operand)) =>
                {
                    self.mutable.insert(local);
                }
                Rvalue::Use(Operand::Place(from)) | Rvalue::Cast(Operand::Place(from), _)
                    if base(from).is_some_and(|from| self.mutable[from]) =>
                {
                    self.mutable.insert(local);
                }
                _ => {}
            }
        }
    }

    fn is_mutable(&self, operand: &Operand) -> bool {
        matches!(operand, Operand::Place(place) if base(place).is_some_and(|local| self.mutable[local]))
    }

    fn line(&self, statement: &Statement) -> Line {
        let mut line = Line {
            destination: None,
            whole: false,
            operands: Vec::new(),
            hit: Hit::None,
            led: Influence::default(),
            kind: Kind::Plain,
            changed: Vec::new(),
            positions: Vec::new(),
            lends: false,
            connects: false,
            borrows: false,
            refers: false,
            opens: false,
        };
        mentions::of_statement(statement, &mut |mention| {
            line.hit = line.hit.max(self.criteria.hit(mention));
            line.led.add(self.criteria.led(self.scope, mention));
        });
        match &statement.kind {
            StatementKind::Declare(local) => {
                line.kind = Kind::Declare;
                line.destination = Some(local.0 as usize);
                line.whole = true;
            }
            StatementKind::Drop(local) => {
                line.kind = Kind::Drop;
                line.operands.push(local.0 as usize);
                line.positions.push(Some(local.0 as usize));
                if self.criteria.effects.destructors_write() {
                    line.changed.push(local.0 as usize);
                }
            }
            StatementKind::AssignOperator(place, _, operand) => {
                line.destination = base(place);
                self.index_operands(place, &mut line.operands);
                self.operand(operand, &mut line.operands);
            }
            StatementKind::Assign(place, rvalue) => {
                line.destination = base(place);
                line.whole = place.projections.is_empty();
                line.lends =
                    !matches!(rvalue, Rvalue::Binary(..) | Rvalue::Format { .. } | Rvalue::Unary(..));
                line.borrows = matches!(rvalue, Rvalue::Reference { mutable: true, .. });
                line.refers = matches!(rvalue, Rvalue::Reference { .. });
                line.opens = line.destination.is_some_and(|local| self.mutable[local])
                    && matches!(rvalue, Rvalue::Call { receiver: Some(_), .. });
                self.index_operands(place, &mut line.operands);
                self.rvalue(rvalue, &mut line);
            }
        }
        line
    }

    fn operand(&self, operand: &Operand, found: &mut Vec<usize>) {
        if let Operand::Place(place) = operand {
            self.read(place, found);
        }
    }

    fn read(&self, place: &Place, found: &mut Vec<usize>) {
        found.extend(base(place));
        self.index_operands(place, found);
    }

    fn index_operands(&self, place: &Place, found: &mut Vec<usize>) {
        for projection in &place.projections {
            if let Projection::Index(Index::Operand(operand)) = projection {
                self.operand(operand, found);
            }
        }
    }

    fn rvalue(&self, rvalue: &Rvalue, line: &mut Line) {
        match rvalue {
            Rvalue::Use(operand)
            | Rvalue::Repeat(operand)
            | Rvalue::Unary(_, operand)
            | Rvalue::Cast(operand, _) => self.operand(operand, &mut line.operands),
            Rvalue::Await(operand) | Rvalue::Next { iterator: operand, .. } => {
                self.operand(operand, &mut line.operands);
                line.kind = Kind::Call;
                line.changed.clone_from(&line.operands);
            }
            Rvalue::Reference { place, .. } => self.read(place, &mut line.operands),
            Rvalue::Aggregate { fields, base, .. } => {
                line.kind = Kind::Aggregate;
                let values = fields.iter().map(|field| &field.value).chain(base);
                values.for_each(|value| self.operand(value, &mut line.operands));
            }
            Rvalue::Binary(_, left, right) => {
                self.operand(left, &mut line.operands);
                self.operand(right, &mut line.operands);
            }
            Rvalue::Format { args, .. } => {
                args.iter().for_each(|argument| self.operand(&argument.operand, &mut line.operands));
            }
            Rvalue::Range(bounds) => bounds.iter().for_each(|bound| self.operand(bound, &mut line.operands)),
            Rvalue::Closure(id) => {
                if let Some(closure) = self.body.closures.get(id.0 as usize) {
                    line.operands.extend(closure.captures.iter().map(|capture| capture.outer.0 as usize));
                    mentions::of_body(&closure.body, &mut |mention| {
                        let leads = || self.criteria.led(self.scope, mention) != Influence::default();
                        if self.criteria.hit(mention) != Hit::None || leads() {
                            line.hit = Hit::Callable;
                        }
                    });
                }
            }
            Rvalue::Call { callee, receiver, args, .. } => {
                line.kind = Kind::Call;
                self.call(callee, receiver.as_ref(), args, line);
            }
        }
    }

    fn call(
        &self,
        callee: &Callee,
        receiver: Option<&crate::ir::Argument>,
        args: &[crate::ir::Argument],
        line: &mut Line,
    ) {
        for argument in receiver.into_iter().chain(args) {
            let mut own = Vec::new();
            self.operand(&argument.operand, &mut own);
            line.positions.push(own.first().copied());
            line.operands.extend(own);
        }
        let known = match callee {
            Callee::Path(path) => self.criteria.effects.of_path(self.scope, path),
            Callee::Method { name, .. } => self.named(name),
            Callee::Macro(path) if path.last_name().starts_with('?') => Known::default(),
            // A macro may write to whatever it is given.
            Callee::Macro(_) => Known { writes: true, ..Known::default() },
            Callee::Value(operand) => {
                let mut own = Vec::new();
                self.operand(operand, &mut own);
                // What a parameter calls is not in view here.
                if own.is_empty() || own.iter().any(|local| self.foreign[*local]) {
                    line.hit = line.hit.max(Hit::Sink);
                }
                line.operands.extend(own);
                Known { in_tree: true, writes: true, lends: true, connects: false }
            }
        };
        // A method with the name of a standard one may be that one.
        let standard = matches!(callee, Callee::Method { name, .. } if is_standard_method(name));
        if matches!(callee, Callee::Path(_) | Callee::Method { .. }) {
            line.lends = !known.in_tree || known.lends || standard;
            line.connects = known.connects;
        }
        let drops = matches!(callee, Callee::Path(path) if path.last_name() == "drop");
        if known.writes || drops && self.criteria.effects.destructors_write() {
            line.changed.clone_from(&line.operands);
            return;
        }
        // Of functions from outside, by what is lent to them.
        let outside = matches!(callee, Callee::Method { .. }) && (!known.in_tree || standard);
        let receiver = line.positions.first().copied().flatten().filter(|_| outside && receiver.is_some());
        let lent = line.operands.iter().copied().filter(|local| self.mutable[*local]);
        line.changed = receiver.into_iter().chain(lent).collect();
    }

    fn named(&self, name: &str) -> Known {
        let name = Name::from(name);
        let mut all = Known::default();
        for name in self.criteria.meanings(&name) {
            let known = self.criteria.effects.method(name);
            all.in_tree |= known.in_tree;
            all.writes |= known.writes;
            all.lends |= known.lends;
        }
        all
    }

    /// Which locals may refer to or hold which others.
    fn link(&mut self, lines: &[Vec<Line>]) {
        for line in lines.iter().flatten() {
            let Some(local) = line.destination else { continue };
            if line.lends || !line.whole {
                self.aliases[local].extend(&line.operands);
            }
            if line.borrows {
                line.operands.iter().for_each(|operand| self.aliases[*operand].push(local));
            }
            // What is put into the view is in the receiver.
            if let (true, Some(Some(receiver))) = (line.opens, line.positions.first()) {
                self.aliases[*receiver].push(local);
            }
        }
        let mut behind: Vec<&[usize]> = vec![&[]; self.aliases.len()];
        for line in lines.iter().flatten().filter(|line| line.refers) {
            line.destination.into_iter().for_each(|local| behind[local] = &line.operands);
        }
        for line in lines.iter().flatten() {
            let group = self.aliases.len() + self.groups.len();
            match line.changed.as_slice() {
                [] => {}
                [one] => self.aliases[*one].extend(line.operands.iter().filter(|other| *other != one)),
                several => {
                    several.iter().for_each(|changed| self.aliases[*changed].push(group));
                    self.groups.push(line.operands.clone());
                }
            }
            for changed in &line.changed {
                // What is put behind a reference is in what it refers to.
                behind[*changed].iter().for_each(|owner| self.aliases[*owner].push(*changed));
            }
        }
    }

    fn find_carriers(&mut self, lines: &[Vec<Line>]) {
        loop {
            let before = [&self.carriers, &self.callable, &self.texts].map(|set| set.count_ones(..));
            for line in lines.iter().flatten() {
                let held = |set: &FixedBitSet| line.operands.iter().any(|local| set[*local]);
                let callable = line.hit == Hit::Callable || held(&self.callable);
                if line.kind != Kind::Call && (line.hit == Hit::Text || held(&self.texts)) {
                    line.destination.into_iter().for_each(|local| self.texts.insert(local));
                }
                if !callable && line.hit != Hit::Text && !held(&self.carriers) {
                    continue;
                }
                let mut reached = FixedBitSet::with_capacity(self.aliases.len());
                line.destination.into_iter().for_each(|local| reached.insert(local));
                for local in &line.changed {
                    reached.union_with(&self.reach(*local).clone());
                }
                self.carriers.union_with(&reached);
                if callable {
                    self.callable.union_with(&reached);
                }
            }
            if [&self.carriers, &self.callable, &self.texts].map(|set| set.count_ones(..)) == before {
                return;
            }
        }
    }

    /// The local and all that it may refer to or hold.
    fn reach(&mut self, local: usize) -> &FixedBitSet {
        if self.reach[local].is_none() {
            let count = self.aliases.len();
            let mut found = FixedBitSet::with_capacity(count);
            let mut groups = FixedBitSet::with_capacity(self.groups.len());
            let mut waiting = vec![local];
            while let Some(next) = waiting.pop() {
                match next.checked_sub(count) {
                    Some(group) if !groups.put(group) => waiting.extend(&self.groups[group]),
                    None if !found.put(next) => waiting.extend(&self.aliases[next]),
                    _ => {}
                }
            }
            self.reach[local] = Some(found);
        }
        self.reach[local].get_or_insert_with(FixedBitSet::new)
    }

    /// Whether the body gives back the one text that it spells, and that names a key slot.
    fn names_slot(&self) -> bool {
        let mut texts = 0;
        mentions::of_body(self.body, &mut |mention| {
            texts += usize::from(matches!(mention, Mention::Text(_)))
        });
        texts == 1
            && self.returned().any(|operand| match operand {
                Operand::Place(place) => base(place).is_some_and(|local| self.texts[local]),
                Operand::Literal(Literal::Str(text)) => self.criteria.is_sink(text),
                Operand::Literal(_) => false,
            })
    }

    /// Whether what callers see may lead to a sink when it is called.
    fn carries(&self, outcome: &Outcome) -> bool {
        let returned = self.returned().any(|operand| match operand {
            Operand::Place(place) => base(place).is_some_and(|local| self.callable[local]),
            Operand::Literal(_) => false,
        });
        let takes = |local: usize| outcome.parameters_call.get(local).copied().unwrap_or(false);
        returned && outcome.result_calls
            || self.foreign.ones().any(|local| self.callable[local] && takes(local))
    }

    fn returned(&self) -> impl Iterator<Item = &Operand> {
        self.body.blocks.iter().filter_map(|block| match &block.terminator {
            Terminator::Return(operand) => Some(operand),
            _ => None,
        })
    }

    /// What is live at the end of the body.
    fn exit(&mut self, outcome: &Outcome) -> FixedBitSet {
        let mut live = FixedBitSet::with_capacity(self.aliases.len());
        if outcome.changes {
            let writable = |index: &usize| outcome.writable.get(*index).copied().unwrap_or(true);
            let parameters: Vec<usize> = self.foreign.ones().filter(writable).collect();
            self.enliven(&parameters, &mut live);
        }
        live
    }

    /// Runs the backward pass to its fixpoint and reads the needs off it.
    fn solve(
        &mut self,
        lines: &[Vec<Line>],
        exit: &FixedBitSet,
        need: &mut dyn FnMut(&mut Self, &Line, &Live) -> Need,
    ) -> Vec<Vec<Need>> {
        let count = self.body.blocks.len();
        let empty = Live {
            value: FixedBitSet::with_capacity(self.aliases.len()),
            ty: FixedBitSet::with_capacity(self.aliases.len()),
        };
        let mut starts = vec![empty.clone(); count];
        loop {
            let mut changed = false;
            for index in (0..count).rev() {
                let mut live = self.end(index, &starts, exit, &empty);
                for line in lines[index].iter().rev() {
                    self.step(line, &mut live, need);
                }
                if !live.is_subset(&starts[index]) {
                    starts[index].union_with(&live);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        (0..count)
            .map(|index| {
                let mut live = self.end(index, &starts, exit, &empty);
                let mut needs: Vec<Need> =
                    lines[index].iter().rev().map(|line| self.step(line, &mut live, need)).collect();
                needs.reverse();
                needs
            })
            .collect()
    }

    /// What is live at the end of a block.
    fn end(&mut self, index: usize, starts: &[Live], exit: &FixedBitSet, empty: &Live) -> Live {
        let mut live = empty.clone();
        match &self.body.blocks[index].terminator {
            Terminator::Goto(next) => {
                starts.get(next.0 as usize).into_iter().for_each(|start| live.union_with(start));
            }
            Terminator::Branch(targets) => {
                let starts = targets.iter().filter_map(|next| starts.get(next.0 as usize));
                starts.for_each(|start| live.union_with(start));
            }
            Terminator::Return(operand) => {
                live.value.union_with(exit);
                if self.result {
                    let mut operands = Vec::new();
                    self.operand(operand, &mut operands);
                    self.enliven(&operands, &mut live.value);
                }
            }
            Terminator::Diverge => {}
        }
        live
    }

    /// Who reads from a channel may do so after all that this body does.
    fn enliven_channels(&mut self, lines: &[Vec<Line>], exit: &mut FixedBitSet) {
        let channels = lines.iter().flatten().filter(|line| line.connects);
        let channels: Vec<usize> = channels.filter_map(|line| line.destination).collect();
        self.enliven(&channels, exit);
    }

    fn enliven(&mut self, operands: &[usize], live: &mut FixedBitSet) {
        for operand in operands {
            if !live[*operand] {
                let reached = self.reach(*operand).clone();
                live.union_with(&reached);
            }
        }
    }

    /// One statement backwards.
    fn step(
        &mut self,
        line: &Line,
        live: &mut Live,
        need: &mut dyn FnMut(&mut Self, &Line, &Live) -> Need,
    ) -> Need {
        if line.kind == Kind::Declare {
            if let Some(local) = line.destination {
                live.remove(local);
            }
            return Need::Full;
        }
        let need = need(self, line, live);
        if let Some(local) = line.destination.filter(|_| line.whole) {
            live.remove(local);
        }
        match need {
            Need::Skip => {}
            Need::Type | Need::Probe => line.operands.iter().for_each(|local| live.ty.insert(*local)),
            Need::Full => {
                let mut operands = line.operands.clone();
                operands.extend(line.destination.filter(|_| !line.whole));
                self.enliven(&operands, &mut live.value);
            }
            Need::Sinks => {
                let Hit::Call(positions) = line.hit else { return need };
                line.operands.iter().for_each(|local| live.ty.insert(*local));
                let counted =
                    line.positions.iter().enumerate().filter(|(index, _)| {
                        positions == ALL || *index < 64 && positions & (1 << *index) != 0
                    });
                let counted: Vec<usize> = counted.filter_map(|(_, local)| *local).collect();
                self.enliven(&counted, &mut live.value);
            }
        }
        need
    }

    fn need(&mut self, line: &Line, live: &Live) -> Need {
        let carried = match line.kind {
            Kind::Call | Kind::Aggregate | Kind::Drop => {
                line.operands.iter().any(|local| self.carriers[*local])
            }
            Kind::Plain | Kind::Declare => {
                !line.whole && line.destination.is_some_and(|local| self.carriers[local])
            }
        };
        if carried || line.hit >= Hit::Sink {
            return Need::Full;
        }
        let destination_lives = match line.destination {
            Some(local) if line.whole => live.value[local],
            Some(local) => self.touches(local, live),
            // An item: a static.
            None => line.kind != Kind::Drop,
        };
        if destination_lives || line.changed.iter().any(|local| self.touches(*local, live)) {
            return Need::Full;
        }
        match line.hit {
            Hit::Call(_) => Need::Sinks,
            _ if line.destination.is_some_and(|local| live.ty[local]) => Need::Type,
            _ => Need::Skip,
        }
    }

    /// Whether a change of what a local gives access to is seen.
    fn touches(&mut self, local: usize, live: &Live) -> bool {
        live.value[local] || !self.reach(local).is_disjoint(&live.value)
    }
}

/// What matters at a point.
#[derive(Clone)]
struct Live {
    /// Locals whose value matters, with all that they may refer to.
    value: FixedBitSet,
    /// Locals whose type matters.
    ty: FixedBitSet,
}

impl Live {
    fn remove(&mut self, local: usize) {
        self.value.set(local, false);
        self.ty.set(local, false);
    }

    fn union_with(&mut self, other: &Live) {
        self.value.union_with(&other.value);
        self.ty.union_with(&other.ty);
    }

    fn is_subset(&self, other: &Live) -> bool {
        self.value.is_subset(&other.value) && self.ty.is_subset(&other.ty)
    }
}

fn base(place: &Place) -> Option<usize> {
    match &place.base {
        PlaceBase::Local(local) => Some(local.0 as usize),
        PlaceBase::Item(_) => None,
    }
}

/// Methods that give access to what is inside of their receiver, so that it can be changed.
fn gives_view(name: &str) -> bool {
    name.contains("mut") || name.starts_with("or_") || matches!(name, "lock" | "write" | "entry")
}

/// Methods that hand on a reference, also out of an option or iterator.
fn keeps_view(name: &str) -> bool {
    matches!(name, "unwrap" | "expect" | "next" | "next_back" | "add" | "offset" | "cast" | "as_ptr")
}
