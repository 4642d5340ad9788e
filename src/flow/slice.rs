//! Which statements of a body have to be run to see what reaches its sinks, and its callers.
//!
//! A backward pass over the control-flow graph keeps the locals whose *value* still matters (`live`) and those of
//! which only the *type* does, because it decides which function a call means. A call of a function of the tree is
//! left out when its result is not live, when its types give it no way to change something that is, and when it
//! leads to no sink. It errs on the side of running too much: a local that may hold a reference to another keeps
//! that one live.

use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use super::effects::{Effects, Known};
use super::mentions::{self, Mention};
use super::spec::Specification;
use crate::ir::{
    Block, Body, Callee, Index, Literal, Name, Operand, Place, PlaceBase, Projection, Rvalue, Statement,
    StatementKind, Terminator,
};
use crate::resolve::{FunctionId, Owner, ScopeId, ValueDef, is_standard_method};

/// The names that make a statement matter by itself. They grow while the analysis goes on.
pub struct Criteria<'a> {
    spec: &'a dyn Specification,
    pub effects: Effects<'a>,
    /// Constants whose text is the name of a key slot, and fields that have one on the wire.
    slots: FxHashSet<Name>,
    /// What names stand for that imports rename.
    renamed: FxHashMap<Name, Vec<Name>>,
    /// Functions that lead to a sink, with the functions of traits that they implement.
    leading: FxHashMap<FunctionId, Lead>,
    /// The same by name.
    leading_by_name: FxHashMap<Name, Lead>,
    /// Those names of them that a call of a trait from outside the tree may mean.
    through_outside: FxHashSet<Name>,
    /// Statics whose content is read where it matters.
    statics: FxHashSet<Name>,
    /// Fields whose content is read where it matters.
    fields: FxHashSet<Name>,
    sink_names: std::cell::RefCell<FxHashMap<Name, bool>>,
    /// Names that began to matter, or matter more, since this was last emptied.
    news: BTreeSet<Name>,
}

/// All parameters of a function.
pub const ALL: u64 = u64::MAX;

impl<'a> Criteria<'a> {
    pub fn new(
        spec: &'a dyn Specification,
        effects: Effects<'a>,
        slots: FxHashSet<Name>,
        renamed: FxHashMap<Name, Vec<Name>>,
    ) -> Criteria<'a> {
        Criteria {
            spec,
            effects,
            slots,
            renamed,
            leading: FxHashMap::default(),
            leading_by_name: FxHashMap::default(),
            through_outside: FxHashSet::default(),
            statics: FxHashSet::default(),
            fields: FxHashSet::default(),
            sink_names: std::cell::RefCell::default(),
            news: BTreeSet::new(),
        }
    }

    /// Adds what is known of how a function leads to a sink; `false` when it was known.
    pub fn lead(&mut self, function: FunctionId, lead: Lead) -> bool {
        let program = self.effects.program;
        let name = &program.function(function).name;
        for id in program.declarations(function) {
            self.leading.entry(*id).or_default().add(lead);
        }
        if self.leading_by_name.entry(name.clone()).or_default().add(lead) {
            self.news.insert(name.clone());
        }
        if program.is_of_outside_trait(function) && self.through_outside.insert(name.clone()) {
            self.news.insert(name.clone());
        }
        let more = self.leading.entry(function).or_default().add(lead);
        if more {
            self.news.insert(name.clone());
        }
        more
    }

    /// How a function leads to a sink.
    pub fn of_function(&self, function: FunctionId) -> Lead {
        self.leading.get(&function).copied().unwrap_or_default()
    }

    /// Functions that lead to a sink.
    pub fn leading(&self) -> impl Iterator<Item = FunctionId> + '_ {
        self.leading.keys().copied()
    }

    /// Adds a static whose content matters.
    pub fn read_static(&mut self, name: &Name) -> bool {
        let new = self.statics.insert(name.clone());
        if new {
            self.news.insert(name.clone());
        }
        new
    }

    /// Whether the content of a static of this name matters.
    pub fn reads_static(&self, name: &str) -> bool {
        self.statics.contains(name)
    }

    /// Names that lead to a sink wherever they are mentioned: of slots and of statics.
    pub fn leading_names(&self) -> impl Iterator<Item = &Name> {
        self.slots.iter().chain(&self.statics)
    }

    /// Adds fields whose content matters.
    pub fn read_fields(&mut self, names: impl IntoIterator<Item = Name>) {
        for name in names {
            if self.fields.insert(name.clone()) {
                self.news.insert(name);
            }
        }
    }

    /// Names that began to matter, or matter more, since the last time.
    pub fn take_news(&mut self) -> BTreeSet<Name> {
        std::mem::take(&mut self.news)
    }

    /// Whether code that spells this name or text can hold a sink.
    pub fn is_sink(&self, text: &Name) -> bool {
        if let Some(known) = self.sink_names.borrow().get(text) {
            return *known;
        }
        let found = self.slots.contains(text) || self.spec.may_be_sink(text);
        self.sink_names.borrow_mut().insert(text.clone(), found);
        found
    }

    /// A name and what it stands for.
    fn meanings<'n>(&'n self, name: &'n Name) -> impl Iterator<Item = &'n Name> {
        std::iter::once(name).chain(self.renamed.get(name).into_iter().flatten())
    }

    /// Why a mention matters by itself. What the function that it may call leads to is another question.
    fn hit(&self, mention: Mention<'_>) -> Hit {
        let sink = self.meanings(mention.text()).any(|name| self.is_sink(name));
        match mention {
            Mention::Text(_) if sink => Hit::Text,
            Mention::Text(_) => Hit::None,
            Mention::Item(name) => {
                let led = |name: &Name| self.statics.contains(name) || self.opens(name);
                match self.meanings(name).any(led) {
                    true => Hit::Callable,
                    false if sink => Hit::Text,
                    false => Hit::None,
                }
            }
            Mention::Name(name) => {
                if sink || self.fields.contains(name) {
                    Hit::Sink
                } else {
                    Hit::None
                }
            }
            // What it yields may be the builder on which the key is set.
            Mention::Callee(..) if sink => Hit::Text,
            Mention::Callee(name, _) if self.meanings(name).any(|name| self.effects.diverges(name)) => {
                Hit::Call(0)
            }
            Mention::Callee(..) => Hit::None,
        }
    }

    fn opens(&self, name: &Name) -> bool {
        self.leading_by_name.get(name).is_some_and(|lead| lead.positions != 0)
    }

    /// What the function that is called may lead to.
    fn led(&self, scope: ScopeId, mention: Mention<'_>) -> Lead {
        let Mention::Callee(name, path) = mention else { return Lead::default() };
        let mut named = Lead::default();
        for lead in self.meanings(name).filter_map(|name| self.leading_by_name.get(name)) {
            named.add(*lead);
        }
        let Some(path) = path.filter(|_| named != Lead::default()) else { return named };
        let program = self.effects.program;
        match program.unrecorded(|| program.resolve_value(scope, path)) {
            // Of a trait's function, all that implement it.
            ValueDef::Function(id) if matches!(program.function(id).owner, Owner::Trait(_)) => named,
            ValueDef::Function(id) => self.of_function(id),
            ValueDef::External(paths)
                if !paths.iter().any(|path| program.is_unplaced(path))
                    && !self.meanings(name).any(|name| self.through_outside.contains(name)) =>
            {
                Lead::default()
            }
            _ => named,
        }
    }
}

/// How a function leads to a sink.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lead {
    /// The parameters by which a call of it may decide what reaches one.
    pub positions: u64,
    /// Whether it gives back something that leads to one when it is called.
    pub carries: bool,
}

impl Lead {
    /// `false` when nothing is new.
    pub fn add(&mut self, other: Lead) -> bool {
        let before = *self;
        self.positions |= other.positions;
        self.carries |= other.carries;
        *self != before
    }
}

/// Why a statement matters by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Hit {
    None,
    /// It may call a function that leads to a sink.
    Call(u64),
    /// It may be a sink.
    Sink,
    /// It spells the name of a key slot, or of what a key is set on.
    Text,
    /// What it yields leads to a sink when it is called.
    Callable,
}

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
pub type Confirmed = FxHashMap<(usize, usize), Lead>;

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
    led: Lead,
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
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Plain,
    Aggregate,
    Call,
    Declare,
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
    /// What a local may refer to or hold, one step.
    aliases: Vec<Vec<usize>>,
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
        let asks = |line: &Line| line.led != Lead::default();
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
                Rvalue::Use(Operand::Place(from)) | Rvalue::Cast(Operand::Place(from), _)
                    if base(from).is_some_and(|from| self.mutable[from]) =>
                {
                    self.mutable.insert(local);
                }
                _ => {}
            }
        }
    }

    fn line(&self, statement: &Statement) -> Line {
        let mut line = Line {
            destination: None,
            whole: false,
            operands: Vec::new(),
            hit: Hit::None,
            led: Lead::default(),
            kind: Kind::Plain,
            changed: Vec::new(),
            positions: Vec::new(),
            lends: false,
            connects: false,
            borrows: false,
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
                        let leads = || self.criteria.led(self.scope, mention) != Lead::default();
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
        if known.writes {
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
        }
        for line in lines.iter().flatten() {
            for changed in &line.changed {
                self.aliases[*changed].extend(line.operands.iter().filter(|other| *other != changed));
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
            let mut found = FixedBitSet::with_capacity(self.aliases.len());
            let mut waiting = vec![local];
            while let Some(next) = waiting.pop() {
                if !found.put(next) {
                    waiting.extend(&self.aliases[next]);
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
            Kind::Call | Kind::Aggregate => line.operands.iter().any(|local| self.carriers[*local]),
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
            None => true,
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
