//! The struct that is filled at a key slot, and what its name says: a request that is sent, or an answer.

use super::case::{Case, Slot, World};
use super::locals;
use crate::ir::Type;
use crate::resolve::{FunctionId, Ty, TypeId};

/// Last words in the names of structs that are the body or the arguments of a call.
const REQUESTS: &[&str] =
    &["Request", "Req", "Params", "Parameters", "Body", "Payload", "Input", "Form", "Args"];

/// Last words in the names of structs that answer a caller, or show what is stored.
const ANSWERS: &[&str] =
    &["Response", "Resp", "Reply", "Result", "Output", "Outcome", "View", "Summary", "Snapshot", "Dto", "Read"];

/// Whether the key is written into a struct that is serialised and that its name calls a request: its field is what
/// the receiver reads, as `json!({"idempotency_key": key})` would be. Where a constructor makes the request, its
/// caller may keep it and send it again.
pub fn is_request(case: &Case<'_>) -> bool {
    let slot = case.primary();
    let program = case.world.input.program;
    slot.by_name()
        && of_slot(case.world, slot).is_some_and(|id| {
            program.derives(id, "Serialize")
                && ends_in(case.world, id, REQUESTS)
                && slot.sink.function.is_some_and(|function| !constructs(case.world, function, id))
        })
}

/// Whether a function is one of the struct's own, or hands the struct back.
fn constructs(world: &World<'_>, function: FunctionId, id: TypeId) -> bool {
    let program = world.input.program;
    let is_own = |ty: &Ty| matches!(ty, Ty::Adt { id: own, .. } if *own == id);
    let result = program.result_type(function);
    let inside = |ty: &Ty| match ty {
        Ty::Adt { args, .. } | Ty::External { args, .. } => args.iter().any(is_own),
        _ => false,
    };
    program.self_type(function).is_some_and(|ty| is_own(&ty)) || is_own(&result) || inside(&result)
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
