//! The struct that is filled at a key slot, or the call that takes the key, and what its name says: a request that is
//! sent, a movement of money, or an answer.

use samekey_catalogue::SourceKind;

use super::case::{Case, Slot, World};
use super::locals;
use crate::flow::trace::StepKind;
use crate::flow::value::Flags;
use crate::ir::{Path, Type};
use crate::resolve::{FunctionId, Ty, TypeId};

/// Last words in the names of structs that are the body or the arguments of a call.
const REQUESTS: &[&str] =
    &["Request", "Req", "Params", "Parameters", "Body", "Payload", "Input", "Form", "Args"];

/// Last words in the names of structs that answer a caller, or show what is stored.
const ANSWERS: &[&str] = &[
    "Response", "Resp", "Reply", "Result", "Output", "Outcome", "View", "Summary", "Snapshot", "Dto", "Read",
];

/// Methods and functions that make the body of a request of what they take.
const BODIES: &[&str] = &["json", "form", "send_json", "send_form", "to_string", "to_vec", "to_value"];

/// Methods of a request that set its body.
const SENDING: &[&str] = &["json", "form", "body_json", "send_json", "send_form"];

/// How a request that changes something starts.
const POSTS: &[&str] =
    &[".post(", ".put(", ".patch(", "Method::POST", "Method::PUT", "Method::PATCH", "::post("];

/// Words in the names of what talks to a service.
const CLIENTS: &[&str] = &["client", "http", "https", "api", "gateway", "sdk"];

/// Words in the names of functions that move money.
const PAYMENTS: &[&str] = &[
    "charge",
    "pay",
    "payment",
    "payout",
    "refund",
    "transfer",
    "withdraw",
    "withdrawal",
    "debit",
    "credit",
    "deposit",
    "capture",
    "purchase",
    "checkout",
    "topup",
    "disburse",
    "disbursement",
];

/// First words of functions that only write down, look up or prepare what their name goes on to say.
const ASIDE: &[&str] = &[
    "get", "find", "list", "load", "fetch", "new", "build", "make", "with", "validate", "check", "record",
    "log", "save", "insert", "store", "emit", "publish", "enqueue", "queue", "schedule", "notify", "map",
    "to", "from", "into", "is", "has", "parse", "prepare", "format", "hash", "mock", "simulate",
];

/// Last words of functions that yield or take note of something instead of doing it.
const THINGS: &[&str] = &[
    "request", "record", "event", "row", "entry", "log", "model", "message", "key", "id", "hash", "body",
    "payload", "params", "command", "job", "builder",
];

/// Whether a key by its name is as good as one on the wire: it is written into the body of a request, or handed to what
/// moves money.
pub fn is_sent_on(case: &Case<'_>) -> bool {
    is_request(case) || is_payment(case)
}

/// Whether the key is made where a function takes it that moves money by its name: two names say what one does not,
/// `gateway.charge(amount, idempotency_key)`.
fn is_payment(case: &Case<'_>) -> bool {
    let (world, slot) = (case.world, case.primary());
    let fresh = matches!(case.source.kind, SourceKind::Uuid | SourceKind::Random | SourceKind::Clock);
    let made_here = case.site.is_some() && case.function.is_some() && case.function == slot.sink.function;
    let named = case.strongest().by_name() && !case.flags.has(Flags::FIELD);
    // A column of a table that gets the key says that this is the record of a payment.
    if !fresh || !made_here || !named || case.site.is_some_and(|site| world.reaches_column(site)) {
        return false;
    }
    let Some(body) = world.contexts.body_at(slot.sink.span) else { return false };
    locals::takers(body, slot.sink.span, world.input.sources)
        .iter()
        .any(|(name, around)| moves_money(name) && !around.iter().any(|code| keeps_records(code)))
}

fn moves_money(name: &str) -> bool {
    let words = locals::words(name);
    let is_in = |word: Option<&String>, list: &[&str]| word.is_some_and(|word| list.contains(&word.as_str()));
    words.iter().any(|word| PAYMENTS.contains(&word.as_str()))
        && !is_in(words.first(), ASIDE)
        && !is_in(words.last(), THINGS)
}

/// Whether a piece of code names what keeps records; a transaction with a word beside it is one of the business.
fn keeps_records(code: &str) -> bool {
    let plain = code.trim_start_matches('&').trim_start_matches("mut ").trim();
    plain == "transaction" || locals::names_keeper(&code.replace("transaction", ""))
}

/// Whether the key is made where it is written into the body of a request: into a struct that is serialised, and that
/// is the body of a call in view, or is a request by its name and goes to a client from there. Its field is what the receiver reads, as
/// `json!({"idempotency_key": key})` would be.
fn is_request(case: &Case<'_>) -> bool {
    let (world, slot) = (case.world, case.primary());
    let made_here = case.site.is_some()
        && case.slots.len() == 1
        && case.function == slot.sink.function
        && case.steps.iter().all(|step| step.kind != StepKind::Argument);
    if !made_here || !slot.by_name() {
        return false;
    }
    match of_slot(world, slot) {
        Some(id) => {
            let named = || ends_in(world, id, REQUESTS) && is_sent(world, slot);
            world.input.program.derives(id, "Serialize") && (is_posted(world, slot) || named())
        }
        None => is_request_from_outside(world, slot) && is_sent(world, slot),
    }
}

/// Whether the struct is one that a library calls a request: what it names a key is one.
fn is_request_from_outside(world: &World<'_>, slot: Slot<'_>) -> bool {
    let (Some(function), Some(body)) = (slot.sink.function, world.contexts.body_at(slot.sink.span)) else {
        return false;
    };
    let Some(path) = locals::struct_filled_at(body, slot.sink.span) else { return false };
    let scope = world.input.program.function(function).scope;
    let ty = world.input.program.resolve_type(scope, &Type::Path(Box::new(path.clone())));
    matches!(ty, Ty::External { .. }) && is_called(path.last_name(), REQUESTS)
}

/// Whether the struct is the body of a request that starts in the same chain: `http.post(url).json(&charge)`.
fn is_posted(world: &World<'_>, slot: Slot<'_>) -> bool {
    let Some(body) = world.contexts.body_at(slot.sink.span) else { return false };
    let starts = |code: &&str| POSTS.iter().any(|post| code.contains(post)) && !code.contains("Response");
    locals::takers(body, slot.sink.span, world.input.sources)
        .iter()
        .any(|(name, around)| SENDING.contains(name) && around.iter().any(starts))
}

/// Whether the struct goes to something that talks to a service: no store is at hand, and the call names a path, a
/// client, or the body of a request.
fn is_sent(world: &World<'_>, slot: Slot<'_>) -> bool {
    let Some(body) = world.contexts.body_at(slot.sink.span) else { return false };
    let sources = world.input.sources;
    let talks = |code: &&str| {
        code.contains("\"/") || locals::words(code).iter().any(|word| CLIENTS.contains(&word.as_str()))
    };
    locals::takers(body, slot.sink.span, sources).iter().any(|(name, around)| {
        let kept = around.iter().any(|code| locals::names_keeper(code));
        !kept && (BODIES.contains(name) || around.iter().any(talks))
    })
}

/// Whether the key is read from a struct that nobody in view fills for this call, and that got it from a function which
/// makes such structs. Who sends the same struct again sends the same key; who makes another one, does not.
pub fn is_minted_by_constructor(case: &Case<'_>) -> bool {
    let drawn = matches!(case.source.kind, SourceKind::Uuid | SourceKind::Random);
    if !drawn || !case.flags.has(Flags::FIELD) {
        return false;
    }
    let (world, program) = (case.world, case.world.input.program);
    let Some((function, body)) = case.function.zip(world.contexts.body_at(case.span)) else { return false };
    let result = program.result_type(function);
    // What sends its own field is a worker or a connection, and lives longer than one request.
    let sender = case.primary().sink.function.and_then(|sender| program.self_type(sender));
    let is_request = |id: TypeId| holds(&result, id) && !sender.as_ref().is_some_and(|own| holds(own, id));
    let filled = locals::fields_filled_from(body, case.span);
    filled.into_iter().filter_map(|(owner, _)| named_type(world, function, owner)).any(is_request)
}

/// Whether a type is this one, or a container of it such as a `Result`.
fn holds(ty: &Ty, wanted: TypeId) -> bool {
    match ty {
        Ty::Adt { id, args } => *id == wanted || args.iter().any(|arg| holds(arg, wanted)),
        Ty::External { args, .. } => args.iter().any(|arg| holds(arg, wanted)),
        Ty::Reference { inner, .. } => holds(inner, wanted),
        _ => false,
    }
}

/// Whether the key is written into an answer: it tells a key that was used, and asks for nothing by it.
pub fn is_answer(case: &Case<'_>) -> bool {
    let slots = &case.slots;
    slots.len() == 1 && of_slot(case.world, slots[0]).is_some_and(|id| ends_in(case.world, id, ANSWERS))
}

fn of_slot(world: &World<'_>, slot: Slot<'_>) -> Option<TypeId> {
    let (function, body) = slot.sink.function.zip(world.contexts.body_at(slot.sink.span))?;
    named_type(world, function, locals::struct_filled_at(body, slot.sink.span)?)
}

/// The type of the tree that a path names in a function.
fn named_type(world: &World<'_>, function: FunctionId, path: &Path) -> Option<TypeId> {
    let program = world.input.program;
    let ty = match path.last_name() {
        "Self" => program.self_type(function)?,
        _ => program.resolve_type(program.function(function).scope, &Type::Path(Box::new(path.clone()))),
    };
    match ty {
        Ty::Adt { id, .. } => Some(id),
        _ => None,
    }
}

fn ends_in(world: &World<'_>, id: TypeId, words: &[&str]) -> bool {
    is_called(world.input.program.type_(id).name.as_str(), words)
}

fn is_called(name: &str, words: &[&str]) -> bool {
    // Names of generated types carry a version behind the word: `CreatePaymentRequestV2`.
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('V');
    words.iter().any(|word| name.ends_with(word))
}
