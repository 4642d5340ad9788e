//! What a value becomes within one function, by its local variables: enough to see that it was stored, or put into
//! a request, before something else happens. The flow engine knows values; this knows the order of statements.

use rustc_hash::{FxHashMap, FxHashSet};

use super::case::Case;
use super::context::{Contexts, contains, statements};
use crate::flow::trace::StepKind;
use crate::ir::{
    AggregateKind, Argument, Block, Body, Callee, Closure, FieldInit, LocalId, Name, Operand, Path, Place,
    PlaceBase, Rvalue, Span, Statement, StatementKind, Terminator,
};
use crate::source::Sources;

/// First words of functions and methods that put a record into a store.
const STORES: &[&str] =
    &["save", "insert", "store", "persist", "upsert", "claim", "reserve", "create", "record", "put"];

/// Words in the name of what keeps records. `create` and `put` count for these only.
const KEEPERS: &[&str] = &[
    "repo",
    "repository",
    "store",
    "storage",
    "db",
    "database",
    "pool",
    "tx",
    "txn",
    "transaction",
    "conn",
    "connection",
    "dao",
    "table",
    "collection",
    "outbox",
];

/// Words in the name of what holds values of one request or process.
const HOLDERS: &[&str] =
    &["headers", "header", "map", "metadata", "params", "query", "set", "cache", "extensions"];

/// How many bytes of a chain of calls are searched for its statement.
const MAX_HEAD: usize = 4_096;

/// Whether a fresh value was handed to a store before the call that it is the key of.
pub fn is_stored_first(case: &Case<'_>) -> bool {
    // A record that a constructor filled is stored by the one who asked for it.
    let returns = case.steps.iter().filter(|step| step.kind == StepKind::Return);
    std::iter::once(case.span).chain(returns.map(|step| step.span)).any(|made| is_stored_after(case, made))
}

/// The same for a value that came into being at `made`.
fn is_stored_after(case: &Case<'_>, made: Span) -> bool {
    let contexts = &case.world.contexts;
    let Some(body) = contexts.body_at(made) else { return false };
    let function = contexts.function_at(made);
    let here = case.steps.iter().filter(|step| matches!(step.kind, StepKind::Argument | StepKind::Slot(_)));
    let uses = here.map(|step| step.span).chain([case.primary().sink.span]);
    let first = uses.filter(|span| contexts.function_at(*span) == function).map(|span| span.start).min();
    let Some(first) = first else { return false };
    let sources = case.world.input.sources;
    let between = |statement: &&Statement| statement.span.end <= first && made.start <= statement.span.start;
    // Most functions store nothing, and following the value costs more than seeing that.
    let stores = contexts.stores_at(made, &|statement| may_store(statement, sources));
    if stores.is_empty() {
        return false;
    }
    let numbered = statements(body).enumerate();
    let stores = numbered.filter(|(number, _)| stores.binary_search(number).is_ok());
    let mut stores = stores.map(|(_, statement)| statement).filter(between).peekable();
    if stores.peek().is_none() {
        return false;
    }
    let start = |statement: &Statement| contains(made, statement.span);
    let known = followers(body, &start, &|_| true);
    stores.any(|statement| is_stored_by(body, statement, &known, sources))
}

/// Whether the request that got the key at `slot` is sent again by a loop or closure that comes after it.
pub fn is_sent_by_later_tries(contexts: &Contexts<'_>, slot: Span) -> bool {
    let Some(body) = contexts.body_at(slot) else { return false };
    let tries: Vec<Span> = contexts.tries_after(slot);
    if tries.is_empty() {
        return false;
    }
    // Of the calls around the key, the innermost takes it.
    let around = |argument: &&Argument| contains(argument.span, slot);
    let length = |argument: &Argument| argument.span.end - argument.span.start;
    let shortest = arguments(body).filter(around).map(length).min();
    let takes = |statement: &Statement| match &statement.kind {
        StatementKind::Assign(_, Rvalue::Call { args, .. }) => {
            args.iter().filter(around).any(|argument| Some(length(argument)) == shortest)
        }
        // `let form = Form { key: fresh() }; for _ in 0..3 { post(&form) }`
        StatementKind::Assign(_, Rvalue::Aggregate { kind: AggregateKind::Struct(_), fields, .. }) => {
            shortest.is_none() && fields.iter().any(|field| field.span == slot)
        }
        _ => false,
    };
    is_used_by_tries(body, &tries, &takes)
}

/// Whether the function that puts the key into a request, or a client, gives that to callers who all send it in tries:
/// `let client = self.client_with_key(); retry(|| client.clone().send())`.
pub fn is_prepared_for_tries(case: &Case<'_>) -> bool {
    let slot = case.primary().sink.span;
    let contexts = &case.world.contexts;
    let Some((id, body)) = contexts.function_at(slot).zip(contexts.body_at(slot)) else { return false };
    let made = followers(body, &|statement| contains(statement.span, slot), &|_| true);
    let returns = |block: &Block| match &block.terminator {
        Terminator::Return(operand) => local_of(operand).is_some_and(|local| made.contains(&local)),
        _ => false,
    };
    if !body.blocks.iter().any(returns) {
        return false;
    }
    let name = case.world.input.program.function(id).name.as_str();
    let mut calls = contexts.bodies_in(slot.file).flat_map(|body| {
        let calls = statements(body).filter(|statement| is_call_of(statement, name));
        calls.map(move |statement| (body, statement.span))
    });
    let used = |(body, call): (&Body, Span)| {
        let tries = contexts.tries_after(call);
        is_used_by_tries(body, &tries, &|statement| statement.span == call)
    };
    calls.next().is_some_and(used) && calls.all(used)
}

fn is_call_of(statement: &Statement, wanted: &str) -> bool {
    match &statement.kind {
        StatementKind::Assign(_, Rvalue::Call { callee: Callee::Method { name, .. }, .. }) => name == wanted,
        StatementKind::Assign(_, Rvalue::Call { callee: Callee::Path(path), .. }) => {
            path.last_name() == wanted
        }
        _ => false,
    }
}

/// Whether loops or closures that try again use what a statement takes the key into, and nothing has sent it before.
fn is_used_by_tries(body: &Body, tries: &[Span], takes: &impl Fn(&Statement) -> bool) -> bool {
    let in_tries = |span: Span| tries.iter().any(|again| contains(*again, span));
    // What was awaited before the tries has been sent.
    let passes = |statement: &Statement| {
        in_tries(statement.span) || !matches!(statement.kind, StatementKind::Assign(_, Rvalue::Await(_)))
    };
    let known = followers(body, takes, &passes);
    let known: FxHashSet<LocalId> = known.into_iter().chain(receivers(body, takes)).collect();
    let known = grown(body, known, &passes);
    let captured = |closure: &Closure| closure.captures.iter().any(|capture| known.contains(&capture.outer));
    body.closures.iter().any(|closure| in_tries(closure.span) && captured(closure))
        || statements(body).any(|statement| {
            in_tries(statement.span) && reads(statement).iter().any(|local| known.contains(local))
        })
}

/// The variables that hold what comes into being at `origin`, or something that is made of it.
pub fn carriers(body: &Body, origin: Span) -> FxHashSet<LocalId> {
    followers(body, &|statement| contains(origin, statement.span), &|_| true)
}

/// The structs, with their fields, into which a body puts what comes into being at `origin`.
pub fn fields_filled_from(body: &Body, origin: Span) -> Vec<(&Path, &Name)> {
    let known = carriers(body, origin);
    let holds = |field: &FieldInit| {
        contains(field.span, origin) || local_of(&field.value).is_some_and(|local| known.contains(&local))
    };
    let mut found = Vec::new();
    for statement in statements(body) {
        let StatementKind::Assign(_, Rvalue::Aggregate { kind: AggregateKind::Struct(path), fields, .. }) =
            &statement.kind
        else {
            continue;
        };
        found.extend(fields.iter().filter(|field| holds(field)).map(|field| (path, &field.name)));
    }
    found
}

/// The struct of which one field is filled at a place.
pub fn struct_filled_at(body: &Body, place: Span) -> Option<&Path> {
    let here = statements(body).find_map(|statement| match &statement.kind {
        StatementKind::Assign(_, Rvalue::Aggregate { kind: AggregateKind::Struct(path), fields, .. }) => {
            fields.iter().any(|field| field.span == place).then_some(path)
        }
        _ => None,
    });
    let mut inner = body.closures.iter().filter(|closure| contains(closure.span, place));
    here.or_else(|| inner.find_map(|closure| struct_filled_at(&closure.body, place)))
}

/// The calls that take the struct of which a field is filled at a place: their names, and the code of their receivers
/// and arguments.
pub fn takers<'b>(body: &'b Body, place: Span, sources: &'b Sources) -> Vec<(&'b str, Vec<&'b str>)> {
    let is_call = |statement: &Statement| {
        matches!(&statement.kind, StatementKind::Assign(_, Rvalue::Call { .. }))
            && !contains(place, statement.span)
    };
    let known =
        followers(body, &|statement| contains(place, statement.span), &|statement| !is_call(statement));
    let mut found = Vec::new();
    for statement in statements(body).filter(|statement| is_call(statement)) {
        let StatementKind::Assign(_, Rvalue::Call { callee, receiver, args, .. }) = &statement.kind else {
            continue;
        };
        let name = match callee {
            Callee::Path(path) | Callee::Macro(path) => path.last_name(),
            Callee::Method { name, .. } => name.as_str(),
            Callee::Value(_) => continue,
        };
        if args.iter().any(|argument| contains(argument.span, place) || is_carried(argument, &known)) {
            let around = args.iter().chain(receiver).map(|argument| sources.snippet(argument.span));
            found.push((name, around.collect()));
        }
    }
    let inner = body.closures.iter().filter(|closure| contains(closure.span, place));
    found.extend(inner.flat_map(|closure| takers(&closure.body, place, sources)));
    found
}

/// Whether a piece of code names what keeps records.
pub fn names_keeper(code: &str) -> bool {
    words(code).iter().any(|word| KEEPERS.contains(&word.as_str()))
}

/// Whether an argument holds the value of one of these variables.
pub fn is_carried(argument: &Argument, carriers: &FxHashSet<LocalId>) -> bool {
    local_of(&argument.operand).is_some_and(|local| carriers.contains(&local))
}

/// Whether what one statement yields, or something that is made of it, is what stands at `place`.
pub fn reaches(body: &Body, from: &Statement, place: Span) -> bool {
    let known = followers(body, &|statement| std::ptr::eq(statement, from), &|_| true);
    let holds = |operand: &Operand| local_of(operand).is_some_and(|local| known.contains(&local));
    statements(body).any(|statement| match &statement.kind {
        StatementKind::Assign(_, Rvalue::Call { receiver, args, .. }) => {
            args.iter().chain(receiver).any(|argument| argument.span == place && holds(&argument.operand))
        }
        StatementKind::Assign(_, Rvalue::Aggregate { fields, .. }) => {
            fields.iter().any(|field| field.span == place && holds(&field.value))
        }
        _ => false,
    })
}

/// The variables on which the calls are made: `self.headers` in `self.headers.insert(..)`.
fn receivers<'b>(
    body: &'b Body,
    wanted: &'b impl Fn(&Statement) -> bool,
) -> impl Iterator<Item = LocalId> + 'b {
    statements(body).filter(|statement| wanted(statement)).filter_map(|statement| {
        let StatementKind::Assign(_, Rvalue::Call { receiver: Some(receiver), .. }) = &statement.kind else {
            return None;
        };
        local_of(&receiver.operand)
    })
}

/// The locals that hold what the first statements yield, or something that was made of it.
fn followers(
    body: &Body,
    first: &impl Fn(&Statement) -> bool,
    passes: &impl Fn(&Statement) -> bool,
) -> FxHashSet<LocalId> {
    let starts = statements(body).filter(|statement| first(statement)).filter_map(written);
    grown(body, starts.collect(), passes)
}

fn grown(
    body: &Body,
    mut known: FxHashSet<LocalId>,
    passes: &impl Fn(&Statement) -> bool,
) -> FxHashSet<LocalId> {
    let mut readers: FxHashMap<LocalId, Vec<LocalId>> = FxHashMap::default();
    for statement in statements(body).filter(|statement| passes(statement)) {
        if let Some(written) = written(statement) {
            reads(statement).into_iter().for_each(|read| readers.entry(read).or_default().push(written));
        }
    }
    let mut waiting: Vec<LocalId> = known.iter().copied().collect();
    while let Some(local) = waiting.pop() {
        let next = readers.get(&local).into_iter().flatten();
        waiting.extend(next.copied().filter(|next| known.insert(*next)));
    }
    known
}

/// The local that a statement writes; a field of a parameter does not make the parameter a follower.
fn written(statement: &Statement) -> Option<LocalId> {
    let StatementKind::Assign(Place { base: PlaceBase::Local(local), .. }, _) = &statement.kind else {
        return None;
    };
    Some(*local)
}

/// The locals that a statement reads.
fn reads(statement: &Statement) -> Vec<LocalId> {
    let StatementKind::Assign(_, rvalue) = &statement.kind else { return Vec::new() };
    let of_args = |args: &[Argument]| -> Vec<LocalId> {
        args.iter().filter_map(|argument| local_of(&argument.operand)).collect()
    };
    match rvalue {
        Rvalue::Use(operand)
        | Rvalue::Await(operand)
        | Rvalue::Cast(operand, _)
        | Rvalue::Unary(_, operand)
        | Rvalue::Repeat(operand) => local_of(operand).into_iter().collect(),
        Rvalue::Reference { place, .. } => local_of_place(place).into_iter().collect(),
        Rvalue::Aggregate { fields, base, .. } => {
            fields.iter().map(|field| &field.value).chain(base).filter_map(local_of).collect()
        }
        Rvalue::Call { receiver, args, .. } => {
            let mut locals = of_args(args);
            locals.extend(receiver.iter().filter_map(|receiver| local_of(&receiver.operand)));
            locals
        }
        Rvalue::Format { args, .. } => of_args(args),
        Rvalue::Binary(_, left, right) => [left, right].into_iter().filter_map(local_of).collect(),
        _ => Vec::new(),
    }
}

fn arguments(body: &Body) -> impl Iterator<Item = &Argument> {
    statements(body).flat_map(|statement| match &statement.kind {
        StatementKind::Assign(_, Rvalue::Call { args, .. }) => args.as_slice(),
        _ => &[],
    })
}

fn local_of(operand: &Operand) -> Option<LocalId> {
    match operand {
        Operand::Place(place) => local_of_place(place),
        Operand::Literal(_) => None,
    }
}

fn local_of_place(place: &Place) -> Option<LocalId> {
    match place.base {
        PlaceBase::Local(local) => Some(local),
        PlaceBase::Item(_) => None,
    }
}

/// Whether a statement is such that it could hand something to a store.
fn may_store(statement: &Statement, sources: &Sources) -> bool {
    let StatementKind::Assign(_, Rvalue::Call { callee, receiver, .. }) = &statement.kind else {
        return false;
    };
    let Some(name) = called(callee) else { return false };
    is_store(name) || receiver.is_some() && is_insert(sources.snippet(statement.span))
}

/// The last name of what is called.
fn called(callee: &Callee) -> Option<&str> {
    match callee {
        Callee::Path(path) | Callee::Macro(path) => Some(path.last_name()),
        Callee::Method { name, .. } => Some(name.as_str()),
        Callee::Value(_) => None,
    }
}

fn is_store(name: &str) -> bool {
    STORES.contains(&first_word(name))
}

fn first_word(name: &str) -> &str {
    name.split('_').next().unwrap_or(name)
}

/// Whether a statement hands one of these variables to a store.
fn is_stored_by(body: &Body, statement: &Statement, known: &FxHashSet<LocalId>, sources: &Sources) -> bool {
    let StatementKind::Assign(place, Rvalue::Call { callee, receiver, args, .. }) = &statement.kind else {
        return false;
    };
    let Some(name) = called(callee) else { return false };
    // Asked last: it looks through the whole body.
    let awaited = || local_of_place(place).is_some_and(|result| is_awaited(body, result));
    let holds = |argument: &Argument| local_of(&argument.operand).is_some_and(|local| known.contains(&local));
    // `query("insert into ..").bind(id).execute(pool)`: the statement is the receiver of the last call.
    let received = receiver.as_ref().is_some_and(holds);
    if received && is_insert(sources.snippet(statement.span)) && awaited() {
        return true;
    }
    if !is_store(name) || !args.iter().any(holds) {
        return false;
    }
    let names = |argument: &Argument| words(sources.snippet(argument.span));
    let receiver: Vec<String> = receiver.iter().flat_map(names).collect();
    let around: Vec<String> = receiver.iter().cloned().chain(args.iter().flat_map(names)).collect();
    let has = |words: &[String], list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let kept = has(&around, KEEPERS);
    !has(&receiver, HOLDERS)
        && (kept || !matches!(first_word(name), "create" | "put" | "record") && awaited())
}

/// Whether a chain of calls starts with a statement that inserts.
fn is_insert(code: &str) -> bool {
    let head = code.get(..code.floor_char_boundary(MAX_HEAD)).unwrap_or_default();
    let words = head.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let next = words.clone().skip(1);
    words
        .zip(next)
        .any(|(word, next)| word.eq_ignore_ascii_case("insert") && next.eq_ignore_ascii_case("into"))
}

fn is_awaited(body: &Body, result: LocalId) -> bool {
    statements(body).any(|statement| match &statement.kind {
        StatementKind::Assign(_, Rvalue::Await(operand)) => local_of(operand) == Some(result),
        _ => false,
    })
}

/// The words of the names in a piece of code, in lower case.
pub fn words(code: &str) -> Vec<String> {
    code.split(|c: char| !c.is_ascii_alphanumeric()).map(str::to_ascii_lowercase).collect()
}
