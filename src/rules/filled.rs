//! The struct that is filled at a key slot, and what its name says: a request that is sent, or an answer.

use super::case::{Case, Slot, World};
use super::locals;
use crate::flow::trace::StepKind;
use crate::ir::Type;
use crate::resolve::{Ty, TypeId};

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

/// Whether the key is made where it is written into the body of a request: into a struct that is serialised, and that
/// is the body of a call in view, or is a request by its name and goes to a client from there. Its field is what the receiver reads, as
/// `json!({"idempotency_key": key})` would be.
pub fn is_request(case: &Case<'_>) -> bool {
    let (world, slot) = (case.world, case.primary());
    let made_here = case.site.is_some()
        && case.slots.len() == 1
        && case.function == slot.sink.function
        && case.steps.iter().all(|step| step.kind != StepKind::Argument);
    made_here
        && slot.by_name()
        && of_slot(world, slot).is_some_and(|id| {
            let named = || ends_in(world, id, REQUESTS) && is_sent(world, slot);
            world.input.program.derives(id, "Serialize") && (is_posted(world, slot) || named())
        })
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

/// Whether the key is written into an answer: it tells a key that was used, and asks for nothing by it.
pub fn is_answer(case: &Case<'_>) -> bool {
    let slots = &case.slots;
    slots.len() == 1 && of_slot(case.world, slots[0]).is_some_and(|id| ends_in(case.world, id, ANSWERS))
}

fn of_slot(world: &World<'_>, slot: Slot<'_>) -> Option<TypeId> {
    let (function, body) = slot.sink.function.zip(world.contexts.body_at(slot.sink.span))?;
    let owner = locals::struct_filled_at(body, slot.sink.span)?;
    let program = world.input.program;
    let ty = match owner.last_name() {
        "Self" => program.self_type(function)?,
        _ => program.resolve_type(program.function(function).scope, &Type::Path(Box::new(owner.clone()))),
    };
    match ty {
        Ty::Adt { id, .. } => Some(id),
        _ => None,
    }
}

fn ends_in(world: &World<'_>, id: TypeId, words: &[&str]) -> bool {
    let name = world.input.program.type_(id).name.as_str();
    // Names of generated types carry a version behind the word: `CreatePaymentRequestV2`.
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('V');
    words.iter().any(|word| name.ends_with(word))
}
