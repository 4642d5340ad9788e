//! Whether a client, or what it is given instead of a key, sends a key with each request.

use samekey_catalogue::{Operation, http_client, operations, providers, strategies};

use super::Requests;
use super::chain::Keyed;
use super::flat::{Flat, Variable};
use super::operation::call_at;
use super::text::callee_name;
use crate::ir::{Callee, Operand, Place, PlaceBase, Rvalue};
use crate::resolve::{FunctionId, ValueDef};

/// Clients of the tree that were given a key and are used somewhere else than where that was done.
#[derive(Clone, Copy, Debug, Default)]
pub struct SharedKeys {
    /// By a method such as `with_strategy`.
    strategy: bool,
    /// By headers for all requests.
    headers: bool,
}

impl<'a> Requests<'a> {
    /// Whether the client of a call gives it a key.
    pub(super) fn keyed_client(
        &self,
        function: FunctionId,
        flat: &Flat<'a>,
        body: usize,
        client: &Operand,
        operation: &Operation,
    ) -> Keyed {
        let elsewhere = match self.shared_keys().strategy {
            true => Keyed::Unknown,
            false => Keyed::No,
        };
        let Some(variable) = flat.of_operand(body, client) else { return elsewhere };
        let mut seen = Vec::new();
        self.keyed_variable(function, flat, variable, operation, &mut seen).unwrap_or(elsewhere)
    }

    /// The same for a variable; nothing when it comes from elsewhere.
    fn keyed_variable(
        &self,
        function: FunctionId,
        flat: &Flat<'a>,
        variable: Variable,
        operation: &Operation,
        seen: &mut Vec<Variable>,
    ) -> Option<Keyed> {
        if seen.contains(&variable) {
            return None;
        }
        seen.push(variable);
        let mut keyed: Option<Keyed> = None;
        for (at, value) in flat.values(variable) {
            let found = match value {
                Rvalue::Use(operand) | Rvalue::Await(operand) => flat.of_operand(at.body, operand),
                Rvalue::Reference { place, .. } => flat.of_place(at.body, place),
                Rvalue::Call { callee, receiver, args, .. } => {
                    let name = callee_name(callee);
                    if operation.keyed_by.contains(&name) || is_keying(name) {
                        let given = args.first().map(|argument| &argument.operand);
                        let own = self.strategy_keyed(function, flat, at.body, given);
                        keyed = Some(keyed.map_or(own, |known| known.and(own)));
                        continue;
                    }
                    let operand = receiver.as_ref().or(args.first()).map(|argument| &argument.operand);
                    if let Some(target) = self.target(function, flat, at.body, callee, operand) {
                        let own = self.keyed_by_function(target);
                        keyed = Some(keyed.map_or(own, |known| known.and(own)));
                        continue;
                    }
                    operand.and_then(|operand| flat.of_operand(at.body, operand))
                }
                _ => None,
            };
            if let Some(before) = found
                && let Some(own) = self.keyed_variable(function, flat, before, operation, seen)
            {
                keyed = Some(keyed.map_or(own, |known| known.and(own)));
            }
        }
        keyed
    }

    /// Whether a function of the tree may return a client with a key.
    fn keyed_by_function(&self, target: FunctionId) -> Keyed {
        let Some(flat) = self.flat(target) else { return Keyed::Unknown };
        let mut calls = flat.statements.iter().filter_map(|at| call_at(*at));
        let keys = calls.any(|call| is_keying(callee_name(call.callee)));
        match keys || self.shared_keys().strategy {
            true => Keyed::Unknown,
            false => Keyed::No,
        }
    }

    /// Whether what a client or request is given instead of a key sends one: `RequestStrategy::Once` does not.
    pub(super) fn strategy_keyed(
        &self,
        function: FunctionId,
        flat: &Flat<'a>,
        body: usize,
        given: Option<&Operand>,
    ) -> Keyed {
        let Some(Operand::Place(Place { base: PlaceBase::Item(path), .. })) = self.origin(flat, body, given)
        else {
            return Keyed::Yes;
        };
        let program = self.world.input.program;
        let ValueDef::External(paths) = program.resolve_value(self.scope(function), path) else {
            return Keyed::Yes;
        };
        let never =
            |path: &str| strategies().iter().any(|row| row.feature.is_empty() && row.paths.contains(&path));
        if paths.iter().any(|path| never(path)) { Keyed::No } else { Keyed::Yes }
    }

    /// The operand that a variable was given, through plain assignments.
    fn origin<'o>(&self, flat: &Flat<'a>, body: usize, operand: Option<&'o Operand>) -> Option<&'o Operand>
    where
        'a: 'o,
    {
        let mut operand = operand?;
        let mut body = body;
        for _ in 0..8 {
            let Some(variable) = flat.of_operand(body, operand) else { break };
            let mut values = flat.values(variable);
            match (values.next(), values.next()) {
                (Some((at, Rvalue::Use(inner))), None) => (operand, body) = (inner, at.body),
                _ => break,
            }
        }
        Some(operand)
    }

    /// Whether headers for all requests of some client hold a key.
    pub(super) fn keyed_defaults(&self) -> Keyed {
        if self.shared_keys().headers { Keyed::Unknown } else { Keyed::No }
    }

    fn shared_keys(&self) -> SharedKeys {
        *self.shared_keys.get_or_init(|| {
            let program = self.world.input.program;
            let mut shared = SharedKeys::default();
            for id in program.functions() {
                let function = program.function(id);
                if function.test || !function.has_body() {
                    continue;
                }
                let text = self.world.input.sources.snippet(function.span);
                if keying_methods().any(|name| text.contains(name)) {
                    shared.strategy |= self.shares_strategy(id);
                }
                let defaults = http_client().defaults.iter().any(|name| text.contains(name));
                shared.headers |= defaults && (holds_key_header(text) || self.defaults_from_elsewhere(id));
            }
            shared
        })
    }

    /// Whether a function gives a client headers for all requests that another function made, which may hold a key.
    fn defaults_from_elsewhere(&self, id: FunctionId) -> bool {
        let Some(flat) = self.flat(id) else { return true };
        let calls = flat.statements.iter().filter_map(|at| call_at(*at));
        let mut defaults = calls.filter(|call| http_client().defaults.contains(&callee_name(call.callee)));
        defaults.any(|call| match call.args {
            [headers] => {
                let variable = flat.of_operand(call.at.body, &headers.operand);
                variable.is_none_or(|headers| self.may_hold_key(id, &flat, headers, &mut Vec::new()))
            }
            // The name of a single header stands in the function itself.
            _ => false,
        })
    }

    /// Whether headers come from where a key may have been put into them. What is put in here is in the text.
    fn may_hold_key(
        &self,
        id: FunctionId,
        flat: &Flat<'a>,
        headers: Variable,
        seen: &mut Vec<Variable>,
    ) -> bool {
        if seen.contains(&headers) {
            return false;
        }
        seen.push(headers);
        let values: Vec<_> = flat.values(headers).collect();
        let mut from =
            |before: Option<Variable>| before.is_none_or(|before| self.may_hold_key(id, flat, before, seen));
        // Without a value it is a parameter.
        values.is_empty()
            || values.into_iter().any(|(at, value)| match value {
                Rvalue::Use(operand) | Rvalue::Await(operand) => from(flat.of_operand(at.body, operand)),
                Rvalue::Reference { place, .. } => from(flat.of_place(at.body, place)),
                Rvalue::Call { callee, receiver, .. } => {
                    let receiver = receiver.as_ref().map(|receiver| &receiver.operand);
                    if let Some(target) = self.target(id, flat, at.body, callee, receiver) {
                        let function = self.world.input.program.function(target);
                        return holds_key_header(self.world.input.sources.snippet(function.span));
                    }
                    match (callee, receiver) {
                        (Callee::Path(path), _) => !path.segments.iter().any(|part| part.name == "HeaderMap"),
                        (_, Some(receiver)) => from(flat.of_operand(at.body, receiver)),
                        _ => true,
                    }
                }
                _ => false,
            })
    }

    /// Whether a function makes a client with a key and hands it on.
    fn shares_strategy(&self, id: FunctionId) -> bool {
        let Some(flat) = self.flat(id) else { return false };
        flat.statements.iter().filter_map(|at| call_at(*at)).any(|call| {
            if !is_keying(callee_name(call.callee)) {
                return false;
            }
            let given = call.args.first().map(|argument| &argument.operand);
            self.strategy_keyed(id, &flat, call.at.body, given) != Keyed::No
                && !self.is_used_here(&flat, &call)
        })
    }

    /// Whether a client with a key is only used for calls of SDKs in the same function.
    fn is_used_here(&self, flat: &Flat<'a>, call: &super::operation::CallAt<'a>) -> bool {
        let crate::ir::StatementKind::Assign(place, _) = &call.at.statement.kind else { return false };
        let Some(first) = flat.of_place(call.at.body, place) else { return false };
        let mut members = vec![first];
        let mut next = 0;
        while let Some(member) = members.get(next).copied() {
            next += 1;
            if flat.returns.iter().any(|(body, operand)| flat.of_operand(*body, operand) == Some(member)) {
                return false;
            }
            for at in flat.reads(member) {
                let crate::ir::StatementKind::Assign(place, value) = &at.statement.kind else { continue };
                match value {
                    Rvalue::Use(_) | Rvalue::Reference { .. } | Rvalue::Await(_) => {
                        match flat.of_place(at.body, place).filter(|_| super::flat::is_whole(place)) {
                            Some(added) if !members.contains(&added) => members.push(added),
                            Some(_) => {}
                            None => return false,
                        }
                    }
                    Rvalue::Call { callee: Callee::Path(path), args, .. } => {
                        let last = args
                            .iter()
                            .any(|argument| flat.of_operand(at.body, &argument.operand) == Some(member));
                        // `PaymentIntent::create(&client, ..)`, not `Gateway::new(client)` nor `Ok(client)`.
                        let sends = path.segments.len() >= 2
                            && args.len() >= 2
                            && !path.last_name().starts_with("new");
                        if last && !sends {
                            return false;
                        }
                    }
                    Rvalue::Call { callee, receiver, .. } => {
                        let received = receiver.as_ref().is_some_and(|receiver| {
                            flat.of_operand(at.body, &receiver.operand) == Some(member)
                        });
                        let sends = http_client().sends.contains(&callee_name(callee));
                        if received && !sends {
                            // A builder of a client, or of a request that is sent.
                            match flat.of_place(at.body, place) {
                                Some(added) if !members.contains(&added) => members.push(added),
                                _ => {}
                            }
                        }
                    }
                    _ => return false,
                }
            }
        }
        true
    }
}

/// Whether a text names a header that carries keys.
fn holds_key_header(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    text.contains("idempoten")
        || providers()
            .iter()
            .filter_map(|provider| provider.header)
            .any(|header| text.contains(&header.to_ascii_lowercase()))
}

/// Methods that give a client or request a key.
fn keying_methods() -> impl Iterator<Item = &'static str> {
    operations()
        .iter()
        .filter(|row| row.language != samekey_catalogue::Language::Java && row.provider == "stripe")
        .flat_map(|row| row.keyed_by.iter().copied())
}

fn is_keying(name: &str) -> bool {
    keying_methods().any(|known| known == name)
}
