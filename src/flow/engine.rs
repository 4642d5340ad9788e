//! The solver: which body is run in which calling context, recursion and budgets, and the engine's tables.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::criteria::Criteria;
use super::relevance::Relevance;
use super::result::{FlowRecord, Sink, SourceSite};
use super::shape::Shape;
use super::slice::{self, Confirmed, Need, Outcome, Slice};
use super::spec::{RowId, Specification};
use super::state::State;
use super::summaries::{InstanceId, Summaries};
use super::summary::{SinkSite, Summary};
use super::term::Term;
use super::trace::{Step, StepKind, Trace};
use super::value::{Base, Flags, Key, Origin, ParamPath, Taint, Value, work};
use crate::ir::{self, Body, ClosureId, Name, Span};
use crate::resolve::{FunctionId, Program, ScopeId, StaticId, Substitution, Ty, TypeId};

/// A body that can be analysed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BodyRef {
    /// Of a function.
    Function(FunctionId),
    /// The initialiser of a static or constant.
    Static(StaticId),
    /// Of a closure, by its index in the engine.
    Closure(u32),
}

/// A body in one calling context.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Instance {
    pub body: BodyRef,
    pub shape: Shape,
    /// Whether only the sinks in it are asked for, not its result or what it changes.
    pub sinks_only: bool,
}

impl Instance {
    /// The body in the context in which nothing is known of its arguments.
    pub fn general(body: BodyRef) -> Instance {
        Instance { body, shape: Shape::default(), sinks_only: false }
    }

    /// A function as an entry point.
    pub fn entry(function: FunctionId) -> Instance {
        Instance { sinks_only: true, ..Instance::general(BodyRef::Function(function)) }
    }
}

/// A closure of the tree.
pub struct ClosureInfo<'a> {
    /// The body that creates it.
    pub parent: BodyRef,
    pub closure: &'a ir::Closure,
    /// Generic bindings of the context in which it was first created.
    pub substitution: Rc<Substitution>,
}

struct Active {
    id: InstanceId,
    body: BodyRef,
    summary: Rc<Summary>,
    used: bool,
}

/// The work of all entry points together, in the unit of [`work`]. A project of a million lines full of keys took a
/// fifteenth.
const MAX_WORK: u64 = 100_000_000;

/// Deeper call chains are cut; the summary then says that it is partial.
const MAX_CALL_DEPTH: usize = 160;
/// More new contexts of one body on behalf of one entry point fall back to the general one.
const MAX_CONTEXTS: u32 = 40;
/// Work (merged taints) on behalf of one entry point; when it is used up, callees are analysed without context.
const CONTEXT_BUDGET: u64 = 30_000;
/// When this is used up as well, calls are no longer followed.
const CALL_BUDGET: u64 = 100_000;
/// Rounds over a recursive component before its result is widened.
const MAX_RECURSION_ROUNDS: usize = 5;

/// How much work an analysis may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Little, to see what a program of some files lacks.
    Sketch,
    /// All that is worth it.
    Full,
}

impl Effort {
    fn of(self, budget: u64) -> u64 {
        match self {
            Effort::Sketch => budget / 20,
            Effort::Full => budget,
        }
    }
}

/// The engine's tables. All ids are given in the order of analysis, which follows the sorted order of functions.
pub struct Engine<'a> {
    pub program: &'a Program,
    pub spec: &'a dyn Specification,
    pub criteria: Criteria<'a>,
    slices: FxHashMap<(BodyRef, bool), Rc<Slice>>,
    summaries: Summaries,
    /// New contexts on behalf of the entry point in progress.
    contexts: FxHashMap<BodyRef, u32>,
    stack: Vec<Active>,
    pub closures: Vec<ClosureInfo<'a>>,
    closure_ids: FxHashMap<(BodyRef, ClosureId), u32>,
    heaps: FxHashMap<(Span, u32), u32>,
    heap_depth: Vec<u32>,
    pub sources: Vec<SourceSite>,
    source_ids: FxHashMap<(Span, RowId), u32>,
    pub sinks: Vec<Sink>,
    sink_ids: FxHashMap<(Span, RowId), SinkSite>,
    pub flows: BTreeMap<(u32, SinkSite), FlowRecord>,
    pub statics: FxHashMap<StaticId, Value>,
    /// Statics that were written something new since what rests on them was dropped.
    pub statics_changed: BTreeSet<StaticId>,
    /// What channels hold at their start, where their readers run beside their writers.
    pub messages: BTreeMap<Base, Value>,
    /// Statics whose content was seen to reach a sink since this was last emptied.
    pub statics_read: BTreeSet<StaticId>,
    pub called: FxHashSet<FunctionId>,
    pub field_writes: FxHashMap<(TypeId, Name), Vec<Taint>>,
    effort: Effort,
    /// The work done when the engine was made.
    started: u64,
    /// The work done when the entry point in progress was begun.
    begun: u64,
    /// The lowest stack position on which the analysis in progress depends.
    lowest: usize,
    /// Whether what is under way was cut short since this was last reset.
    pub cut: bool,
    pub types: FxHashMap<(ScopeId, usize), Ty>,
}

/// What is known while one body is analysed.
pub struct Frame<'a> {
    pub body: &'a Body,
    pub reference: BodyRef,
    pub scope: ScopeId,
    /// The function that holds the body.
    pub owner: Option<FunctionId>,
    pub substitution: Rc<Substitution>,
    pub parameters: Vec<Ty>,
    pub result: Ty,
    pub summary: Summary,
    /// Which statements have to be run.
    pub slice: Rc<Slice>,
    /// What has to be done with the statement under analysis.
    pub need: Need,
    /// Its block, and its position there.
    pub position: (usize, usize),
    /// Calls that were seen to mean a function which leads to a sink.
    pub confirmed: Confirmed,
    /// Whether this is the last pass, in which sinks are recorded.
    pub recording: bool,
    /// Closures that were created here, with the last value of each.
    pub created: BTreeMap<u32, Value>,
    /// Closures that were called here or passed to something that may call them.
    pub invoked: FxHashSet<u32>,
    /// Whether the statement under analysis stands in a loop.
    pub in_loop: bool,
    /// The statement under analysis.
    pub current: Span,
    /// Whether the statement under analysis called something that never returns.
    pub diverged: bool,
    /// Whether the statement under analysis binds a name of a pattern: to a reference, where the pattern is matched
    /// against one.
    pub binds: bool,
    /// What the closure that was called last holds of its own afterwards.
    pub kept: Vec<(Key, Value)>,
    /// Temporaries that the statement under analysis has put into memory.
    pub scratches: u32,
    /// The channels that were made here; in the end, what was sent through those that tasks hold an end of.
    pub messages: BTreeMap<Base, Value>,
}

impl<'a> Engine<'a> {
    pub fn new(
        program: &'a Program,
        spec: &'a dyn Specification,
        criteria: Criteria<'a>,
        effort: Effort,
    ) -> Engine<'a> {
        Engine {
            program,
            spec,
            criteria,
            slices: FxHashMap::default(),
            summaries: Summaries::default(),
            contexts: FxHashMap::default(),
            stack: Vec::new(),
            closures: Vec::new(),
            closure_ids: FxHashMap::default(),
            heaps: FxHashMap::default(),
            heap_depth: Vec::new(),
            sources: Vec::new(),
            source_ids: FxHashMap::default(),
            sinks: Vec::new(),
            sink_ids: FxHashMap::default(),
            flows: BTreeMap::new(),
            statics: FxHashMap::default(),
            statics_changed: BTreeSet::new(),
            messages: BTreeMap::new(),
            statics_read: BTreeSet::new(),
            called: FxHashSet::default(),
            field_writes: FxHashMap::default(),
            effort,
            started: work(),
            begun: 0,
            lowest: usize::MAX,
            cut: false,
            types: FxHashMap::default(),
        }
    }

    /// Whether the entry point in progress has used up twice its budget: what is still open is cut short.
    pub fn exhausted(&self) -> bool {
        self.spent() > self.effort.of(2 * CALL_BUDGET)
    }

    /// The work done for the entry point in progress.
    fn spent(&self) -> u64 {
        work() - self.begun
    }

    /// Whether all entry points together took so much work that no more are analysed.
    pub fn is_spent(&self) -> bool {
        work() - self.started > MAX_WORK
    }

    /// Drops the summaries that rest on what has changed since: on names that began to matter, on statics that hold
    /// more, and on work that was cut short.
    pub fn refresh(&mut self, relevance: &mut Relevance<'_>) {
        let news = self.criteria.take_news();
        let known = self.slices.keys().filter_map(|(body, _)| self.context(*body).0);
        known.for_each(|function| relevance.look_at(function));
        let functions: FxHashSet<FunctionId> =
            news.iter().flat_map(|name| relevance.known_to_mention(name)).collect();
        let mut sliced: Vec<(BodyRef, bool)> = self.slices.keys().copied().collect();
        sliced.retain(|(body, _)| match self.context(*body).0 {
            Some(function) => functions.contains(&function),
            None => !news.is_empty(),
        });
        sliced.sort_unstable();
        let mut changed = FxHashSet::default();
        for key in sliced {
            let Some(old) = self.slices.remove(&key) else { continue };
            let (body, sinks_only) = key;
            let instance = Instance { sinks_only, ..Instance::general(body) };
            self.begun = work();
            let same = self.body(body).is_some_and(|body| *self.slice(&instance, body) == *old);
            if !same {
                changed.insert(key);
            }
        }
        let mut statics = std::mem::take(&mut self.statics_changed);
        self.statics_changed = statics.extract_if(.., |id| !self.decides(*id)).collect();
        self.summaries.invalidate(&changed, &statics);
    }

    /// Whether what a static holds may decide what reaches a sink, or which code runs.
    pub fn decides(&self, id: StaticId) -> bool {
        let definition = self.program.static_(id);
        let ty = || self.program.resolve_type(definition.scope, &definition.ir.ty);
        self.criteria.reads_static(&definition.name) || self.criteria.effects.may_call(&ty())
    }

    /// The summary of a body in a context.
    pub fn summarize(&mut self, instance: Instance) -> Rc<Summary> {
        let id = self.summaries.id(&instance);
        match self.stack.last() {
            Some(caller) => self.summaries.depends(caller.id, id),
            None => self.begin(),
        }
        if let Some(summary) = self.summaries.finished(id) {
            self.cut |= summary.cut;
            return summary;
        }
        if let Some(position) = self.stack.iter().position(|active| active.id == id) {
            self.stack[position].used = true;
            self.lowest = self.lowest.min(position);
            return self.stack[position].summary.clone();
        }
        if let Some((summary, depends)) = self.summaries.provisional(id) {
            self.lowest = self.lowest.min(depends);
            self.cut |= summary.cut;
            return summary;
        }
        if self.stack.len() >= MAX_CALL_DEPTH
            || self.spent() > self.effort.of(CALL_BUDGET) && !self.stack.is_empty()
        {
            self.cut = true;
            return Rc::new(self.cut_summary(&instance));
        }
        self.solve(&instance, id)
    }

    /// The summary of an entry point, with a budget of its own: when its own was cut short on behalf of another, it is
    /// made again.
    pub fn summarize_entry(&mut self, function: FunctionId) -> Rc<Summary> {
        let instance = Instance::entry(function);
        let id = self.summaries.id(&instance);
        self.summaries.begin_entry(id);
        self.cut = false;
        self.summarize(instance)
    }

    fn begin(&mut self) {
        self.begun = work();
        self.contexts.clear();
    }

    /// What stands for a body that is not analysed any deeper: everything flows to the result.
    fn cut_summary(&self, instance: &Instance) -> Summary {
        let count = match self.body(instance.body) {
            Some(body) => body.locals.len().min(body.parameters),
            None => 0,
        };
        let taints = (0..count).map(|index| param_taint(ParamPath::root(index as u32))).collect();
        Summary { result: Value::tainted(taints), ..Summary::default() }
    }

    fn solve(&mut self, instance: &Instance, id: InstanceId) -> Rc<Summary> {
        let position = self.stack.len();
        let outer_lowest = std::mem::replace(&mut self.lowest, usize::MAX);
        let outer_cut = std::mem::replace(&mut self.cut, false);
        let bottom = Rc::new(Summary::default());
        self.stack.push(Active { id, body: instance.body, summary: bottom, used: false });
        let mut round = 0;
        let summary = loop {
            self.stack[position].used = false;
            let summary = self.run(instance);
            let summary = Rc::new(Summary { cut: self.cut, ..summary });
            let done = !self.stack[position].used || summary.same(&self.stack[position].summary);
            round += 1;
            // Part of a larger cycle: the entry at its start repeats all of it.
            let inner = self.lowest < position;
            if inner || done || round >= MAX_RECURSION_ROUNDS {
                break summary;
            }
            self.stack[position].summary = summary;
            self.summaries.drop_provisional(position);
        };
        self.stack.pop();
        self.cut |= outer_cut;
        let depends = self.lowest;
        if depends >= position {
            self.summaries.finish(id, summary.clone(), position);
            self.lowest = outer_lowest;
        } else {
            self.summaries.keep_provisional(id, summary.clone(), depends);
            self.lowest = outer_lowest.min(depends);
        }
        summary
    }

    /// The instance for a call, or the general one when a body has too many contexts.
    pub fn instance(&mut self, body: BodyRef, shape: Shape, sinks_only: bool) -> Instance {
        let instance = Instance { body, shape, sinks_only };
        if instance.shape.is_general() || self.summaries.is_finished(&instance) {
            return instance;
        }
        let id = self.summaries.id(&instance);
        if self.stack.iter().any(|active| active.id == id) {
            return instance;
        }
        let spent = self.spent();
        let count = self.contexts.entry(body).or_insert(0);
        let limit = if matches!(body, BodyRef::Closure(_)) { MAX_CONTEXTS * 4 } else { MAX_CONTEXTS };
        // A context inside the same body again may grow for ever.
        let nested = self.stack.iter().filter(|active| active.body == body).count();
        if nested >= 2 || *count >= limit || spent > self.effort.of(CONTEXT_BUDGET) {
            return Instance { sinks_only, ..Instance::general(body) };
        }
        *count += 1;
        instance
    }

    pub fn body(&self, reference: BodyRef) -> Option<&'a Body> {
        match reference {
            BodyRef::Function(id) => self.program.function(id).body(),
            BodyRef::Static(id) => self.program.static_(id).ir.initializer.as_deref(),
            BodyRef::Closure(index) => Some(&self.closures[index as usize].closure.body),
        }
    }

    /// The function around a body, and the scope in which its names are resolved.
    fn context(&self, reference: BodyRef) -> (Option<FunctionId>, ScopeId) {
        match reference {
            BodyRef::Function(id) => (Some(id), self.program.function(id).scope),
            BodyRef::Static(id) => (None, self.program.static_(id).scope),
            BodyRef::Closure(index) => self.context(self.closures[index as usize].parent),
        }
    }

    pub fn write_static(&mut self, id: StaticId, value: &Value) {
        let concrete = value.retain_taints(&|taint| matches!(taint.origin, Origin::Source(_)));
        let concrete = strip_aliases(&concrete).with_flags(Flags::IN_PROCESS);
        let old = self.static_content(id);
        let new = old.join_elements(&concrete);
        if !new.same(&old) {
            self.statics_changed.insert(id);
            self.statics.insert(id, new);
        }
    }

    /// What a static or constant holds, for the body under analysis: its initial value joined with all that is
    /// written to it.
    pub fn static_value(&mut self, id: StaticId) -> Value {
        if let Some(reader) = self.stack.last() {
            self.summaries.reads(reader.id, id);
        }
        self.static_content(id)
    }

    fn static_content(&mut self, id: StaticId) -> Value {
        if let Some(value) = self.statics.get(&id) {
            return value.clone();
        }
        // A static that is initialised through itself is clean on the way.
        self.statics.insert(id, Value::clean());
        let instance = Instance::general(BodyRef::Static(id));
        let constant = self.program.static_(id).ir.constant;
        let scope = self.program.static_(id).scope;
        let ty = self.program.resolve_type(scope, &self.program.static_(id).ir.ty);
        let mut value = Value::clean();
        if self.body(BodyRef::Static(id)).is_some() {
            let summary = self.summarize(instance);
            value = strip_aliases(&summary.result);
        }
        if value.ty().is_none() || matches!(ty, Ty::External { .. }) {
            value = value.with_type(Some(ty));
        }
        if !constant {
            value = value.with_flags(Flags::IN_PROCESS);
        }
        self.statics.insert(id, value.clone());
        value
    }

    pub fn frame(&mut self, instance: &Instance, body: &'a Body, slice: Rc<Slice>) -> Frame<'a> {
        let (owner, scope) = self.context(instance.body);
        let (parameters, result, substitution) = self.signature(instance);
        parameters.iter().for_each(|ty| self.program.request_types(ty));
        Frame {
            slice,
            need: Need::Full,
            position: (0, 0),
            confirmed: Confirmed::default(),
            body,
            reference: instance.body,
            scope,
            owner,
            substitution: Rc::new(substitution),
            parameters,
            result,
            summary: Summary::default(),
            recording: false,
            created: BTreeMap::new(),
            invoked: FxHashSet::default(),
            in_loop: false,
            current: body_span(body),
            diverged: false,
            binds: false,
            kept: Vec::new(),
            scratches: 0,
            messages: BTreeMap::new(),
        }
    }

    /// The statements of a body that have to be run.
    pub fn slice(&mut self, instance: &Instance, body: &'a Body) -> Rc<Slice> {
        let (_, scope) = self.context(instance.body);
        let key = (instance.body, instance.sinks_only);
        if let Some(slice) = self.slices.get(&key) {
            return slice.clone();
        }
        let parameters = match instance.body {
            BodyRef::Function(id) => self.program.parameter_types(id),
            BodyRef::Static(_) | BodyRef::Closure(_) => Vec::new(),
        };
        let outcome = Outcome {
            result: !instance.sinks_only,
            changes: !instance.sinks_only,
            writable: parameters.iter().map(|ty| self.criteria.effects.may_write(ty)).collect(),
            result_calls: match instance.body {
                BodyRef::Function(id) => self.criteria.effects.may_call(&self.program.result_type(id)),
                BodyRef::Static(_) | BodyRef::Closure(_) => true,
            },
            parameters_call: parameters.iter().map(|ty| self.criteria.effects.may_call(ty)).collect(),
        };
        let before = std::mem::replace(&mut self.cut, false);
        let confirmed = self.confirm(instance, body, scope);
        let slice = Rc::new(slice::slice(body, scope, &self.criteria, &outcome, &confirmed));
        // What the budget of one entry point left out, another may see.
        if !self.cut {
            self.slices.insert(key, slice.clone());
        }
        self.cut |= before;
        slice
    }

    /// Those calls of a body by the name of a function which leads to a sink that may mean it, by the type of the
    /// receiver.
    fn confirm(&mut self, instance: &Instance, body: &'a Body, scope: ScopeId) -> Confirmed {
        let Some(probe) = slice::probe(body, scope, &self.criteria) else { return Confirmed::default() };
        let general = Instance { shape: Shape::default(), ..instance.clone() };
        let mut frame = self.frame(&general, body, Rc::new(probe));
        let entry = self.entry_state(&frame, &general);
        self.pass(&mut frame, entry, false);
        frame.confirmed
    }

    /// Whether a function gives back the name of a key slot, or something that leads to one when it is called.
    pub fn carries(&self, function: FunctionId, holds_sink: bool) -> bool {
        let slice = |sinks_only| self.slices.get(&(BodyRef::Function(function), sinks_only));
        [true, false]
            .into_iter()
            .filter_map(slice)
            .any(|slice| slice.names_slot || holds_sink && slice.carries)
    }

    pub fn entry_state(&mut self, frame: &Frame<'a>, instance: &Instance) -> State {
        let mut state = State::default();
        for index in 0..frame.parameters.len().min(frame.body.locals.len()) {
            let value = instance.shape.parameter(index as u32, &frame.parameters[index]);
            let value =
                self.of_source_type(frame, value, &frame.parameters[index], frame.body.locals[index].span);
            state.set_object(Base::Local(index as u32), value);
        }
        for (base, value) in instance.shape.memory() {
            state.set_object(base, value);
        }
        for index in 0..frame.parameters.len() {
            let base = Base::Param(index as u32);
            if !state.has(base)
                && let Ty::Reference { inner, .. } = &frame.parameters[index]
            {
                let content = Value::alias(ParamPath::behind(index as u32));
                let content = self.of_source_type(frame, content, inner, frame.body.locals[index].span);
                state.set_object(base, content.with_type(Some(inner.as_ref().clone())));
            }
        }
        state
    }

    /// A parameter whose type is a source by itself (an extractor of the peer's address) is tainted at its entry.
    fn of_source_type(&mut self, frame: &Frame<'a>, value: Value, ty: &Ty, span: Span) -> Value {
        let Ty::External { path, args } = ty else { return value };
        if self.spec.type_clears(path) {
            return Value::typed(ty.clone()).with_term(Term::of(&value));
        }
        // An extractor (`Extension<RequestId>`) holds what its argument names.
        match self.spec.type_source(path).or_else(|| self.argument_source(args, 0)) {
            Some(row) => {
                let taint = self.source(frame, row, span);
                value.add_taint(&[taint])
            }
            None => value,
        }
    }

    fn argument_source(&self, args: &[Ty], depth: usize) -> Option<RowId> {
        args.iter().find_map(|arg| match arg {
            Ty::External { path, args } => {
                let inner = || if depth < 3 { self.argument_source(args, depth + 1) } else { None };
                self.spec.type_source(path).or_else(inner)
            }
            _ => None,
        })
    }

    /// The taint of a source site.
    pub fn source(&mut self, frame: &Frame<'a>, row: RowId, span: Span) -> Taint {
        let next = self.sources.len() as u32;
        let id = *self.source_ids.entry((span, row)).or_insert(next);
        if id == next {
            self.sources.push(SourceSite { row, span, function: frame.owner });
        }
        let step = Step { span, kind: StepKind::Source };
        Taint { origin: Origin::Source(id), flags: Flags::default(), trace: Trace::default().with(step) }
    }

    /// The site of a sink.
    pub fn sink(&mut self, sink: Sink) -> SinkSite {
        let next = SinkSite(self.sinks.len() as u32);
        let id = *self.sink_ids.entry((sink.span, sink.row)).or_insert(next);
        if id == next {
            self.sinks.push(sink);
        }
        id
    }

    /// The closure of a body, by its position there.
    pub fn closure(&mut self, frame: &Frame<'a>, id: ClosureId) -> u32 {
        let next = self.closures.len() as u32;
        let index = *self.closure_ids.entry((frame.reference, id)).or_insert(next);
        if index == next {
            self.closures.push(ClosureInfo {
                parent: frame.reference,
                closure: &frame.body.closures[id.0 as usize],
                substitution: frame.substitution.clone(),
            });
        }
        index
    }

    /// A fresh object that holds a temporary while a function works on it.
    pub fn scratch(&mut self, frame: &mut Frame<'a>) -> Base {
        frame.scratches += 1;
        Base::Heap(self.heap_id((frame.current, u32::MAX - frame.scratches), 0))
    }

    /// The shared-memory object that is made at a place, in the context of `within`.
    pub fn heap(&mut self, span: Span, within: Option<u32>) -> Base {
        let depth = within.map_or(0, |id| self.heap_depth[id as usize] + 1);
        if depth > 3
            && let Some(id) = within
        {
            return Base::Heap(id);
        }
        Base::Heap(self.heap_id((span, within.map_or(0, |id| id + 1)), depth))
    }

    fn heap_id(&mut self, key: (Span, u32), depth: u32) -> u32 {
        let next = self.heap_depth.len() as u32;
        let id = *self.heaps.entry(key).or_insert(next);
        if id == next {
            self.heap_depth.push(depth);
        }
        id
    }
}

fn body_span(body: &Body) -> Span {
    let first = body.locals.first().map(|local| local.span);
    let statement = body.blocks.iter().flat_map(|block| &block.statements).next().map(|s| s.span);
    first.or(statement).unwrap_or(Span { file: ir::FileId(0), start: 0, end: 0 })
}

/// The taint for everything that a parameter holds.
pub fn param_taint(path: ParamPath) -> Taint {
    Taint { origin: Origin::Param(path), flags: Flags::default(), trace: Trace::default() }
}

/// The value without what depends on the parameters of the body that computed it.
fn strip_aliases(value: &Value) -> Value {
    value.clone().update(|data| {
        data.aliases.clear();
        data.taint.retain(|taint| matches!(taint.origin, Origin::Source(_)));
        data.refs.retain(|location| matches!(location.base, Base::Static(_) | Base::Heap(_)));
        for (_, part) in &mut data.parts {
            *part = strip_aliases(part);
        }
    })
}
