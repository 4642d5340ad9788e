//! Code that runs more than once for one intent: loops that retry, closures that a library calls again, handlers.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use samekey_catalogue::{ContextKind, Language, Pattern, contexts};

use crate::flow::trace::{Step, StepKind};
use crate::ir::{
    Body, Callee, FileId, Loop, LoopId, LoopKind, Operand, Path, Place, Rvalue, Span, Statement,
    StatementKind, Terminator,
};
use crate::resolve::{FunctionId, Owner, Program};

/// Methods that wait for the next message or tick: a loop around them goes over work, not over tries.
const CONSUMES: &[&str] = &[
    "next",
    "try_next",
    "recv",
    "recv_async",
    "try_recv",
    "blocking_recv",
    "tick",
    "pop",
    "dequeue",
    "lpop",
    "blpop",
    "brpop",
    "receive",
    "receive_message",
    "consume",
    "accept",
    "changed",
];

/// What is known about code that runs again.
pub struct Contexts<'a> {
    program: &'a Program,
    functions: BTreeMap<FileId, Vec<(Span, FunctionId)>>,
    /// Calls whose closure is run again, by last name: the paths of functions, nothing for methods.
    calls: FxHashMap<&'static str, Vec<(ContextKind, Option<&'static str>)>>,
    /// Traits whose methods are run again.
    traits: FxHashMap<&'static str, ContextKind>,
    /// What was asked of bodies before, by address.
    reruns: RefCell<FxHashMap<*const Body, Rc<Reruns>>>,
    stores: RefCell<FxHashMap<FunctionId, Rc<Vec<usize>>>>,
}

/// The closures of one body, without those inside of them, that calls run again.
#[derive(Default)]
struct Reruns {
    /// For each argument of such a call, in order: the number of the call, the argument, its first closure.
    arguments: Vec<(usize, ContextKind, Span, Option<Span>)>,
    /// The loops and closures that try again, once they are asked for.
    tries: OnceCell<Vec<Span>>,
}

impl<'a> Contexts<'a> {
    pub fn new(program: &'a Program) -> Contexts<'a> {
        let mut functions: BTreeMap<FileId, Vec<(Span, FunctionId)>> = BTreeMap::new();
        for id in program.functions() {
            let function = program.function(id);
            if function.has_body() {
                functions.entry(function.file).or_default().push((function.span, id));
            }
        }
        let mut calls: FxHashMap<&'static str, Vec<(ContextKind, Option<&'static str>)>> =
            FxHashMap::default();
        let mut traits = FxHashMap::default();
        for context in contexts().iter().filter(|context| context.language != Language::Java) {
            for pattern in context.patterns {
                match *pattern {
                    Pattern::Call { path, .. } => {
                        let name = path.rsplit("::").next().unwrap_or(path);
                        calls.entry(name).or_default().push((context.kind, Some(path)));
                    }
                    Pattern::Method { name, .. } => {
                        calls.entry(name).or_default().push((context.kind, None));
                    }
                    Pattern::Type { path } => {
                        traits.insert(path, context.kind);
                    }
                    _ => {}
                }
            }
        }
        Contexts { program, functions, calls, traits, reruns: RefCell::default(), stores: RefCell::default() }
    }

    /// The innermost function around a place.
    pub fn function_at(&self, span: Span) -> Option<FunctionId> {
        let candidates = self.functions.get(&span.file)?;
        let around = candidates.iter().filter(|(outer, _)| contains(*outer, span));
        around.min_by_key(|(outer, _)| outer.end - outer.start).map(|(_, id)| *id)
    }

    /// The bodies of the functions of a file.
    pub fn bodies_in(&self, file: FileId) -> impl Iterator<Item = &'a Body> + '_ {
        let functions = self.functions.get(&file).into_iter().flatten();
        functions.filter_map(|(_, id)| self.program.function(*id).body())
    }

    /// The body of the innermost function around a place.
    pub fn body_at(&self, span: Span) -> Option<&'a Body> {
        self.program.function(self.function_at(span)?).body()
    }

    /// The loops around a place, outermost first.
    fn loops_at(&self, span: Span) -> Vec<(&'a Body, LoopId, &'a Loop)> {
        let mut found = Vec::new();
        if let Some(body) = self.body_at(span) {
            collect_loops(body, span, &mut found);
        }
        found.sort_by_key(|(_, _, looped)| (looped.span.start, std::cmp::Reverse(looped.span.end)));
        found
    }

    /// Whether the counting loop that yields the index at `index` tries the same thing until it succeeds, and the
    /// value is used in it. What a function searches in a loop and returns is no number of a try.
    pub fn counts_tries(&self, index: Span, steps: &[Step]) -> bool {
        let around = self.loops_at(index);
        let Some((body, id, looped)) = around.last().copied() else { return false };
        let inside = |step: &Step| contains(looped.span, step.span);
        let mut returns = steps.iter().filter(|step| step.kind == StepKind::Return);
        is_retry(body, id, looped)
            && returns.all(inside)
            && steps.iter().any(|step| step.span != index && inside(step))
    }

    /// The `for` loop that goes over what stands at `iterated`.
    pub fn loop_over(&self, iterated: Span) -> Option<Span> {
        let (_, _, looped) = self.loops_at(iterated).last().copied()?;
        (looped.kind == LoopKind::For).then_some(looped.span)
    }

    /// Whether a place is in a closure that a library calls again, or in a method of a trait that is.
    pub fn runs_again(&self, span: Span) -> bool {
        let Some(function) = self.function_at(span) else { return false };
        if let Owner::Impl(block) = self.program.function(function).owner
            && let Some(trait_ref) = &self.program.impl_(block).trait_ref
            && self.traits.contains_key(self.program.trait_path(&trait_ref.id).as_str())
        {
            return true;
        }
        self.body_at(span).is_some_and(|body| self.rerun_closure(body, span, &|_| true).is_some())
    }

    /// The outermost closure around a place that a call runs again.
    fn rerun_closure(&self, body: &Body, span: Span, wanted: &impl Fn(ContextKind) -> bool) -> Option<Span> {
        let reruns = self.reruns(body);
        let mut last = None;
        let here = reruns.arguments.iter().find_map(|(call, kind, argument, closure)| {
            if last == Some(*call) || !contains(*argument, span) {
                return None;
            }
            last = Some(*call);
            closure.filter(|_| wanted(*kind))
        });
        let mut inner = body.closures.iter().filter(|closure| contains(closure.span, span));
        here.or_else(|| inner.find_map(|closure| self.rerun_closure(&closure.body, span, wanted)))
    }

    fn reruns(&self, body: &Body) -> Rc<Reruns> {
        let known = self.reruns.borrow().get(&std::ptr::from_ref(body)).cloned();
        known.unwrap_or_else(|| {
            let found = Rc::new(self.find_reruns(body));
            self.reruns.borrow_mut().insert(body, Rc::clone(&found));
            found
        })
    }

    fn find_reruns(&self, body: &Body) -> Reruns {
        let mut found = Reruns::default();
        if body.closures.is_empty() {
            return found;
        }
        for (number, statement) in statements(body).enumerate() {
            let StatementKind::Assign(_, Rvalue::Call { callee, receiver, args, .. }) = &statement.kind
            else {
                continue;
            };
            let Some(kind) = self.rerun_kind(callee) else { continue };
            for argument in args.iter().chain(receiver) {
                let closure = body.closures.iter().find(|closure| contains(argument.span, closure.span));
                let closure = closure.map(|closure| closure.span);
                found.arguments.push((number, kind, argument.span, closure));
            }
        }
        found
    }

    /// Of the statements in the function around a place, the numbers of those that may store something.
    pub fn stores_at(&self, span: Span, may_store: &dyn Fn(&Statement) -> bool) -> Rc<Vec<usize>> {
        let Some(function) = self.function_at(span) else { return Rc::default() };
        let known = self.stores.borrow().get(&function).cloned();
        known.unwrap_or_else(|| {
            let body = self.program.function(function).body();
            let statements = body.into_iter().flat_map(statements).enumerate();
            let stores = statements.filter(|(_, statement)| may_store(statement));
            let found = Rc::new(stores.map(|(number, _)| number).collect());
            self.stores.borrow_mut().insert(function, Rc::clone(&found));
            found
        })
    }

    /// Why a call runs its closure again: a row of the catalogue, or a name such as `with_retry`.
    fn rerun_kind(&self, callee: &Callee) -> Option<ContextKind> {
        let (name, path) = match callee {
            Callee::Path(path) => (path.last_name(), Some(path)),
            Callee::Method { name, .. } => (name.as_str(), None),
            _ => return None,
        };
        let named = name.split('_').any(|word| word == "retry" || word == "retries" || word == "retrying");
        let rows = self.calls.get(name).into_iter().flatten();
        let mut fitting = rows.filter(|(_, row)| match (row, path) {
            (Some(row), Some(path)) => ends_alike(path, row),
            // A method of this name may do anything; a few names of the catalogue say enough by themselves.
            (None, None) => name != "run" && name != "call",
            _ => false,
        });
        fitting.next().map(|(kind, _)| *kind).or_else(|| named.then_some(ContextKind::Retry))
    }

    /// Whether a place is in a loop that may run again for one piece of work: over tries, or over messages that may be
    /// delivered again. A `for` over a batch does each piece once.
    pub fn is_in_open_loop(&self, span: Span) -> bool {
        self.loops_at(span).iter().any(|(body, id, looped)| match looped.kind {
            LoopKind::For => false,
            LoopKind::ForRange => is_retry(body, *id, looped),
            LoopKind::While | LoopKind::Loop => true,
        })
    }

    /// Whether a value that comes into being before a retry loop is used inside it.
    pub fn enters_retry_loop(&self, steps: &[Step]) -> bool {
        // What is made anew in the tries of a caller is not kept for the tries of what it calls.
        let made = steps.iter().find(|step| step.kind == StepKind::Source);
        if made.is_some_and(|step| !self.tries_at(step.span).is_empty()) {
            return false;
        }
        steps.iter().enumerate().any(|(position, step)| {
            if !matches!(step.kind, StepKind::Argument | StepKind::Slot(_)) {
                return false;
            }
            let tries = self.tries_at(step.span);
            tries.iter().any(|again| arises_before(&steps[..position], *again, self.owner(*again)))
        })
    }

    /// The loops and closures around a place that try again.
    fn tries_at(&self, place: Span) -> Vec<Span> {
        let loops = self.loops_at(place);
        let loops = loops.iter().filter(|(body, id, looped)| is_retry(body, *id, looped));
        let retry = |kind: ContextKind| kind == ContextKind::Retry;
        let closure = self.body_at(place).and_then(|body| self.rerun_closure(body, place, &retry));
        loops.map(|(_, _, looped)| looped.span).chain(closure).collect()
    }

    /// Loops and closures that try again, after a place in the same function.
    pub fn tries_after(&self, place: Span) -> Vec<Span> {
        let Some(body) = self.body_at(place) else { return Vec::new() };
        let reruns = self.reruns(body);
        let retry = |kind: ContextKind| kind == ContextKind::Retry;
        let tries = reruns.tries.get_or_init(|| {
            let loops = (0..).zip(&body.loops).filter(|(id, looped)| is_retry(body, LoopId(*id), looped));
            let closures = body.closures.iter().map(|closure| closure.span);
            let closures = closures.filter(|span| self.rerun_closure(body, *span, &retry).is_some());
            loops.map(|(_, looped)| looped.span).chain(closures).collect()
        });
        tries.iter().copied().filter(|span| place.end <= span.start).collect()
    }

    fn owner(&self, span: Span) -> Option<Span> {
        self.function_at(span).map(|id| self.program.function(id).span)
    }
}

/// Whether the last place at which the value came into this function is outside of the loop. What shows no place there
/// came as an argument.
fn arises_before(way: &[Step], looped: Span, function: Option<Span>) -> bool {
    let Some(function) = function else { return false };
    let arrives = way.iter().rev().find(|step| {
        matches!(step.kind, StepKind::Source | StepKind::Return) && contains(function, step.span)
    });
    arrives.is_none_or(|step| !contains(looped, step.span))
}

/// A loop that runs the same work until it succeeds.
fn is_retry(body: &Body, id: LoopId, looped: &Loop) -> bool {
    match looped.kind {
        LoopKind::For => false,
        LoopKind::ForRange | LoopKind::While | LoopKind::Loop => {
            leaves_on_purpose(body, id) && !consumes(body, looped)
        }
    }
}

/// Whether a `break` or `return` leaves the loop before its end; `?` leaves it because something failed, which is
/// no sign of tries that end with a success.
pub fn leaves_on_purpose(body: &Body, id: LoopId) -> bool {
    let head = body.loops.get(id.0 as usize).map(|looped| looped.head);
    body.blocks.iter().enumerate().any(|(index, block)| {
        let inside = is_inside(body, block.innermost_loop, id);
        if !inside || Some(index) == head.map(|head| head.0 as usize) || passes_failure_on(&block.statements)
        {
            return false;
        }
        match &block.terminator {
            Terminator::Return(_) => true,
            Terminator::Goto(target) => {
                let target = body.blocks.get(target.0 as usize);
                target.is_some_and(|target| !is_inside(body, target.innermost_loop, id))
            }
            Terminator::Branch(_) | Terminator::Diverge => false,
        }
    })
}

fn is_inside(body: &Body, innermost: Option<LoopId>, wanted: LoopId) -> bool {
    let mut current = innermost;
    while let Some(id) = current {
        if id == wanted {
            return true;
        }
        current = body.loops.get(id.0 as usize).and_then(|looped| looped.parent);
    }
    false
}

fn passes_failure_on(statements: &[Statement]) -> bool {
    statements.iter().any(|statement| match &statement.kind {
        StatementKind::Assign(_, Rvalue::Call { callee: Callee::Macro(path), .. }) => {
            path.last_name() == "?residual"
        }
        _ => false,
    })
}

fn consumes(body: &Body, looped: &Loop) -> bool {
    statements(body).any(|statement| match &statement.kind {
        StatementKind::Assign(
            result,
            Rvalue::Call { callee: Callee::Method { name, .. }, name_span, .. },
        ) => {
            contains(looped.span, *name_span)
                && CONSUMES.contains(&name.as_str())
                // `delays.next()` in a `loop` asks for the next delay.
                && (name != "next" || looped.kind == LoopKind::While || is_awaited(body, result))
        }
        _ => false,
    })
}

fn is_awaited(body: &Body, result: &Place) -> bool {
    statements(body).any(|statement| match &statement.kind {
        StatementKind::Assign(_, Rvalue::Await(Operand::Place(awaited))) => awaited == result,
        _ => false,
    })
}

/// Whether a path is the one of a row: a plain name that was imported, or the same last two names.
fn ends_alike(path: &Path, row: &str) -> bool {
    let mut wanted = row.rsplit("::").skip(1);
    let mut names = path.segments.iter().rev().skip(1);
    match (names.next(), wanted.next()) {
        (Some(name), Some(wanted)) => name.name == *wanted,
        (None, Some(wanted)) => wanted.starts_with(char::is_lowercase),
        _ => false,
    }
}

/// The statements of a body, without those of its closures.
pub fn statements(body: &Body) -> impl Iterator<Item = &Statement> {
    body.blocks.iter().flat_map(|block| &block.statements)
}

fn collect_loops<'a>(body: &'a Body, span: Span, found: &mut Vec<(&'a Body, LoopId, &'a Loop)>) {
    for (index, looped) in (0..).zip(&body.loops) {
        if contains(looped.span, span) {
            found.push((body, LoopId(index), looped));
        }
    }
    for closure in body.closures.iter().filter(|closure| contains(closure.span, span)) {
        collect_loops(&closure.body, span, found);
    }
}

/// Whether a place lies in another.
pub fn contains(outer: Span, inner: Span) -> bool {
    outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
}
