//! Clients that were given one key and send several requests.

use samekey_catalogue::{Language, Pattern, http_client, operations};

use super::Requests;
use super::chain::Keyed;
use super::flat::{Flat, FlatStatement, Variable, is_whole};
use super::operation::{CallAt, call_at};
use super::text::callee_name;
use crate::ir::{Body, Callee, LoopId, Rvalue, Span, StatementKind, Terminator};
use crate::resolve::FunctionId;
use crate::rules::context::contains;

/// A client with a key for several requests.
pub struct Shared {
    /// The call that gives it the key.
    pub span: Span,
    /// The function that holds it.
    pub function: FunctionId,
    /// What is sent with the key, in words.
    pub with: &'static str,
    /// The requests, as far as they are known.
    pub uses: Vec<Span>,
}

/// Clients whose requests share a key.
pub fn shared_keys(requests: &Requests<'_>) -> Vec<Shared> {
    let mut found = Vec::new();
    for function in requests.candidates() {
        let Some(flat) = requests.flat(function) else { continue };
        for call in flat.statements.iter().filter_map(|at| call_at(*at)) {
            found.extend(of_headers(requests, function, &flat, &call));
            found.extend(of_strategy(function, &flat, &call));
        }
    }
    found
}

/// Headers for all requests with a key among them.
fn of_headers<'a>(
    requests: &Requests<'a>,
    function: FunctionId,
    flat: &Flat<'a>,
    call: &CallAt<'a>,
) -> Option<Shared> {
    if !http_client().defaults.contains(&callee_name(call.callee)) {
        return None;
    }
    let keyed = match call.args {
        [map] => requests.keyed_map(function, flat, call.at.body, &map.operand, None, 3),
        [name, value] => requests.keyed_header(function, flat, call.at.body, name, value, None),
        _ => return None,
    };
    let shared = Shared { span: call.name_span, function, with: "every request", uses: Vec::new() };
    (keyed == Keyed::Yes).then_some(shared)
}

/// A client with a strategy that holds a key, used for several calls in the same function.
fn of_strategy(function: FunctionId, flat: &Flat<'_>, call: &CallAt<'_>) -> Option<Shared> {
    let rows = || operations().iter().filter(|row| row.language != Language::Java);
    let name = callee_name(call.callee);
    if !rows().any(|row| row.keyed_by.contains(&name)) {
        return None;
    }
    let given = call.args.first()?;
    if !is_one_key(flat, call.at.body, &given.operand) {
        return None;
    }
    let StatementKind::Assign(place, _) = &call.at.statement.kind else { return None };
    let uses = uses(flat, flat.of_place(call.at.body, place)?);
    let looped = uses.iter().find(|used| is_repeated(flat, **used, call.at));
    let pair = uses.iter().enumerate().find_map(|(index, first)| {
        let second = uses[index + 1..].iter().find(|second| follow_each_other(flat, first, **second))?;
        Some([first.statement.span, second.statement.span])
    });
    let (with, uses) = match (looped, pair) {
        (Some(used), _) => ("each round of a loop", vec![used.statement.span]),
        (None, Some(pair)) => ("several requests", pair.to_vec()),
        (None, None) => return None,
    };
    Some(Shared { span: call.name_span, function, with, uses })
}

/// Whether a value is a strategy with one key: its constructor takes a key, as no retry strategy does.
fn is_one_key(flat: &Flat<'_>, body: usize, operand: &crate::ir::Operand) -> bool {
    let Some(mut variable) = flat.of_operand(body, operand) else { return false };
    for _ in 0..6 {
        let mut values = flat.values(variable);
        match (values.next(), values.next()) {
            (Some((_, Rvalue::Call { callee: Callee::Path(path), args, .. })), None) => {
                return args.len() == 1 && path.last_name() == "Idempotent";
            }
            (Some((at, Rvalue::Use(inner))), None) => match flat.of_operand(at.body, inner) {
                Some(next) => variable = next,
                None => return false,
            },
            _ => return false,
        }
    }
    false
}

/// The calls that send something with a client.
fn uses<'a>(flat: &Flat<'a>, client: Variable) -> Vec<FlatStatement<'a>> {
    let mut members = vec![client];
    let mut found: Vec<FlatStatement<'a>> = Vec::new();
    let mut next = 0;
    while let Some(member) = members.get(next).copied() {
        next += 1;
        for at in flat.reads(member) {
            let StatementKind::Assign(place, value) = &at.statement.kind else { continue };
            let passes = match value {
                Rvalue::Use(_) | Rvalue::Reference { .. } | Rvalue::Await(_) => true,
                Rvalue::Call {
                    callee: Callee::Method { name, .. }, receiver: Some(receiver), args, ..
                } => {
                    let received = flat.of_operand(at.body, &receiver.operand) == Some(member);
                    if !received && http_client().sends.contains(&name.as_str()) {
                        found.push(at);
                    }
                    // A builder of the client, or a copy; another key replaces this one.
                    received && (args.is_empty() && matches!(name.as_str(), "clone" | "build" | "unwrap"))
                }
                Rvalue::Call { callee: Callee::Path(path), args, .. } => {
                    let first = args.first().and_then(|argument| flat.of_operand(at.body, &argument.operand));
                    if first == Some(member)
                        && is_operation_name(path.last_name())
                        && path.segments.len() >= 2
                    {
                        found.push(at);
                    }
                    false
                }
                Rvalue::Call { callee: Callee::Macro(path), .. } => path.last_name() == "?",
                _ => false,
            };
            if passes
                && is_whole(place)
                && let Some(added) = flat.of_place(at.body, place)
                && !members.contains(&added)
            {
                members.push(added);
            }
        }
    }
    found.sort_by_key(|at| at.statement.span);
    found.dedup_by_key(|at| at.statement.span);
    found
}

/// Whether a function of this name changes something: `create`, `confirm`, `capture`.
fn is_operation_name(name: &str) -> bool {
    let rows = operations().iter().filter(|row| row.language != Language::Java);
    rows.flat_map(|row| row.patterns).any(|pattern| match *pattern {
        Pattern::Call { path, .. } => path.rsplit("::").next() == Some(name),
        _ => false,
    })
}

/// Whether a call is in a loop that does not make the client anew.
fn is_repeated(flat: &Flat<'_>, used: FlatStatement<'_>, made: FlatStatement<'_>) -> bool {
    if used.body != made.body {
        return false;
    }
    let Some(body) = flat.body(used.body) else { return false };
    body.loops.iter().enumerate().any(|(index, looped)| {
        // Tries of one request that end with the first success share a key on purpose.
        let tries = looped.kind != crate::ir::LoopKind::For
            || crate::rules::context::leaves_on_purpose(body, LoopId(index as u32));
        contains(looped.span, used.statement.span) && !contains(looped.span, made.statement.span) && !tries
    })
}

/// Whether one call may run after the other.
fn follow_each_other(flat: &Flat<'_>, first: &FlatStatement<'_>, second: FlatStatement<'_>) -> bool {
    let Some(body) = flat.body(first.body) else { return false };
    first.body == second.body
        && (first.block == second.block
            || reaches(body, first.block, second.block)
            || reaches(body, second.block, first.block))
}

fn reaches(body: &Body, from: usize, to: usize) -> bool {
    let mut seen = vec![false; body.blocks.len()];
    let mut waiting = vec![from];
    while let Some(block) = waiting.pop() {
        let next = match body.blocks.get(block).map(|block| &block.terminator) {
            Some(Terminator::Goto(target)) => std::slice::from_ref(target),
            Some(Terminator::Branch(targets)) => targets.as_slice(),
            _ => &[],
        };
        for target in next.iter().map(|target| target.0 as usize) {
            if target == to {
                return true;
            }
            if let Some(known) = seen.get_mut(target).filter(|known| !**known) {
                *known = true;
                waiting.push(target);
            }
        }
    }
    false
}
