//! What is done to a request between its first call and the one that sends it.

use samekey_catalogue::{Operation, Provider, http_client, providers};

use super::Requests;
use super::flat::{Flat, FlatStatement, Variable, is_whole};
use super::operation::{CallAt, call_at};
use super::text::callee_name;
use crate::ir::{AggregateKind, Argument, Callee, Operand, PlaceBase, Rvalue, Span, StatementKind};
use crate::resolve::{FunctionId, Ty, ValueDef};

/// Whether a request carries a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keyed {
    /// On some path.
    Yes,
    /// On no path, and all that is done to it is in view.
    No,
    /// When this parameter of the function is not `None`.
    ByParameter(u32),
    /// It comes from or goes to somewhere out of view.
    Unknown,
}

impl Keyed {
    /// The answer where it is known whether a parameter is given.
    pub fn given(self, is_given: &dyn Fn(u32) -> bool) -> Keyed {
        match self {
            Keyed::ByParameter(index) if is_given(index) => Keyed::Yes,
            Keyed::ByParameter(_) => Keyed::No,
            other => other,
        }
    }

    /// The answer for two things that are both done.
    pub fn and(self, other: Keyed) -> Keyed {
        match (self, other) {
            (Keyed::Yes, _) | (_, Keyed::Yes) => Keyed::Yes,
            (Keyed::Unknown, _) | (_, Keyed::Unknown) => Keyed::Unknown,
            (Keyed::ByParameter(index), _) | (_, Keyed::ByParameter(index)) => Keyed::ByParameter(index),
            (Keyed::No, Keyed::No) => Keyed::No,
        }
    }
}

/// A value that a request is given.
#[derive(Clone, Copy)]
pub struct Part<'a> {
    /// The body in which it stands.
    pub body: usize,
    /// The value.
    pub operand: &'a Operand,
    /// As code.
    pub span: Span,
}

/// What a call gives.
pub fn parts<'a>(call: &CallAt<'a>) -> impl Iterator<Item = Part<'a>> + use<'a> {
    let body = call.at.body;
    call.args.iter().map(move |argument| Part { body, operand: &argument.operand, span: argument.span })
}

/// Calls that pass a request on as it is.
const PASSING: &[&str] =
    &["?", "unwrap", "expect", "into", "clone", "try_clone", "to_owned", "borrow_mut", "by_ref"];

/// What is done to a request.
struct Done<'a> {
    /// The calls on it, in no order.
    calls: Vec<CallAt<'a>>,
    /// Those that send it or pass it to a client.
    sent: bool,
    /// Whether it goes out of view.
    escapes: bool,
}

impl<'a> Requests<'a> {
    /// Whether a request of a type of an SDK carries a key when it is sent; nothing when it never is.
    pub(super) fn keyed_chain(
        &self,
        function: FunctionId,
        flat: &Flat<'a>,
        start: FlatStatement<'a>,
        operation: &Operation,
    ) -> Option<(Keyed, Vec<Part<'a>>)> {
        let sends = http_client().sends;
        let is_send = |name: &str| sends.contains(&name) || name == "send_blocking";
        let done = follow(flat, start, &is_send, &|_| true);
        if done.escapes {
            return Some((Keyed::Unknown, Vec::new()));
        }
        if !done.sent {
            return None;
        }
        let mut keyed = Keyed::No;
        let mut sent: Vec<Part<'a>> = call_at(start).iter().flat_map(parts).collect();
        for call in &done.calls {
            let name = callee_name(call.callee);
            if operation.keyed_by.contains(&name) {
                let given = call.args.first().map(|argument| &argument.operand);
                keyed = keyed.and(self.strategy_keyed(function, flat, call.at.body, given));
            } else if !is_send(name) {
                sent.extend(parts(call));
            }
            if is_send(name) {
                let client = call.args.first()?;
                let client = self.keyed_client(function, flat, call.at.body, &client.operand, operation);
                keyed = keyed.and(client);
            }
        }
        Some((keyed, sent))
    }

    /// Whether a request of an HTTP client carries the key header of its provider when it is sent.
    pub(super) fn keyed_post(
        &self,
        function: FunctionId,
        flat: &Flat<'a>,
        start: FlatStatement<'a>,
        provider: Option<&'static Provider>,
    ) -> Option<(Keyed, Vec<Part<'a>>)> {
        let http = http_client();
        let call = call_at(start)?;
        // `Request::post(url)` of a server's router, or of something else that is no client.
        if let Some(receiver) = call.receiver
            && self.adds_headers(&self.type_of(function, flat, start.body, &receiver.operand))
        {
            return Some((Keyed::Unknown, Vec::new()));
        }
        let known =
            |name: &str| [http.header, http.headers, http.neutral].iter().any(|names| names.contains(&name));
        let done = follow(flat, start, &|name| http.sends.contains(&name), &known);
        if !done.sent && !done.escapes {
            return None;
        }
        let mut keyed = if done.escapes { Keyed::Unknown } else { Keyed::No };
        let mut sent = Vec::new();
        for call in &done.calls {
            let name = callee_name(call.callee);
            match call.args {
                [header, value] if http.header.contains(&name) => {
                    keyed =
                        keyed.and(self.keyed_header(function, flat, call.at.body, header, value, provider));
                }
                [pair] if http.header.contains(&name) => {
                    keyed = keyed.and(self.keyed_pair(function, flat, call.at.body, pair, provider));
                }
                [map] if http.headers.contains(&name) => {
                    keyed =
                        keyed.and(self.keyed_map(function, flat, call.at.body, &map.operand, provider, 3));
                }
                _ if http.bodies.contains(&name) => sent.extend(parts(call)),
                _ => {}
            }
        }
        Some((keyed.and(self.keyed_defaults()), sent))
    }

    /// Whether a client of this type may add headers by itself.
    fn adds_headers(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Reference { inner, .. } => self.adds_headers(inner),
            Ty::External { path, args } => {
                path.to_ascii_lowercase().contains("middleware")
                    || args.iter().any(|argument| self.adds_headers(argument))
            }
            Ty::Param { bounds, .. } | Ty::Dyn(bounds) => !bounds.is_empty(),
            _ => false,
        }
    }

    /// `.append_header(("Idempotency-Key", key))`.
    fn keyed_pair(
        &self,
        function: FunctionId,
        flat: &Flat<'a>,
        body: usize,
        pair: &Argument,
        provider: Option<&'static Provider>,
    ) -> Keyed {
        let values = flat.of_operand(body, &pair.operand).map(|variable| flat.values(variable));
        let tuple = values.into_iter().flatten().find_map(|(at, value)| match value {
            Rvalue::Aggregate { kind: AggregateKind::Tuple, fields, .. } => Some((at, fields)),
            _ => None,
        });
        match tuple {
            Some((at, fields)) => match fields.as_slice() {
                [name, _] => match self.header_name(function, flat, at.body, &name.value) {
                    Some(name) if is_key_header(&name, provider) => Keyed::Yes,
                    Some(_) => Keyed::No,
                    None => Keyed::Unknown,
                },
                _ => Keyed::Unknown,
            },
            None => Keyed::Unknown,
        }
    }

    pub(super) fn keyed_header(
        &self,
        function: FunctionId,
        flat: &Flat<'a>,
        body: usize,
        name: &Argument,
        value: &Argument,
        provider: Option<&'static Provider>,
    ) -> Keyed {
        match self.header_name(function, flat, body, &name.operand) {
            Some(name) if is_key_header(&name, provider) => {
                match self.optional_parameter(function, flat, body, &value.operand) {
                    Some(index) => Keyed::ByParameter(index),
                    None => Keyed::Yes,
                }
            }
            Some(_) => Keyed::No,
            None => Keyed::Unknown,
        }
    }

    /// The name of a header in lower case; a constant from outside has the name of its header.
    fn header_name(
        &self,
        function: FunctionId,
        flat: &Flat<'a>,
        body: usize,
        operand: &Operand,
    ) -> Option<String> {
        if let Some(name) = self.text(function, flat, body, operand).known() {
            return Some(name.to_ascii_lowercase());
        }
        let Operand::Place(place) = operand else { return None };
        let PlaceBase::Item(path) = &place.base else { return None };
        let program = self.world.input.program;
        match program.resolve_value(self.scope(function), path) {
            ValueDef::External(_) => Some(path.last_name().to_ascii_lowercase().replace('_', "-")),
            _ => None,
        }
    }

    /// The parameter of type `Option` that a value is made of.
    fn optional_parameter(
        &self,
        function: FunctionId,
        flat: &Flat<'a>,
        body: usize,
        operand: &Operand,
    ) -> Option<u32> {
        let mut variable = flat.of_operand(body, operand)?;
        for _ in 0..8 {
            if let Some(index) = flat.parameter(variable) {
                let ty =
                    self.world.input.program.parameter_types(function).into_iter().nth(index as usize)?;
                let is_option = matches!(&ty, Ty::External { path, .. } if path == "std::option::Option");
                return is_option.then_some(index);
            }
            let mut values = flat.values(variable);
            let (at, value) = values.next()?;
            if values.next().is_some() {
                return None;
            }
            variable = match value {
                Rvalue::Use(operand) => flat.of_operand(at.body, operand)?,
                Rvalue::Reference { place, .. } => flat.of_place(at.body, place)?,
                Rvalue::Call { receiver: Some(receiver), .. } => {
                    flat.of_operand(at.body, &receiver.operand)?
                }
                Rvalue::Call { args, .. } => flat.of_operand(at.body, &args.first()?.operand)?,
                _ => return None,
            };
        }
        None
    }

    /// Whether a map of headers holds a key: all that is put into it must be in view.
    pub(super) fn keyed_map(
        &self,
        function: FunctionId,
        flat: &Flat<'a>,
        body: usize,
        map: &Operand,
        provider: Option<&'static Provider>,
        depth: u32,
    ) -> Keyed {
        let Some(variable) = flat.of_operand(body, map) else { return Keyed::Unknown };
        if !matches!(map, Operand::Place(place) if is_whole(place)) || flat.parameter(variable).is_some() {
            return Keyed::Unknown;
        }
        let mut keyed = Keyed::No;
        let mut made = false;
        for (at, value) in flat.values(variable) {
            made = true;
            keyed = keyed.and(self.keyed_map_value(function, flat, at, value, provider, depth));
        }
        for at in flat.reads(variable) {
            keyed = keyed.and(self.keyed_map_use(function, flat, at, variable, provider));
        }
        if made { keyed } else { Keyed::Unknown }
    }

    fn keyed_map_value(
        &self,
        function: FunctionId,
        flat: &Flat<'a>,
        at: FlatStatement<'a>,
        value: &'a Rvalue,
        provider: Option<&'static Provider>,
        depth: u32,
    ) -> Keyed {
        let Some(depth) = depth.checked_sub(1) else { return Keyed::Unknown };
        match value {
            Rvalue::Use(operand) => self.keyed_map(function, flat, at.body, operand, provider, depth),
            Rvalue::Reference { place, .. } => {
                self.keyed_map(function, flat, at.body, &Operand::Place(place.clone()), provider, depth)
            }
            Rvalue::Call { callee, receiver, args, .. } => {
                let operand = receiver.as_ref().map(|receiver| &receiver.operand);
                match self.target(function, flat, at.body, callee, operand) {
                    Some(target) => self.returned_map(target, provider, depth),
                    None if matches!(callee_name(callee), "new" | "with_capacity" | "default")
                        && receiver.is_none() =>
                    {
                        Keyed::No
                    }
                    None if PASSING.contains(&callee_name(callee)) => {
                        let inner = operand.or_else(|| args.first().map(|argument| &argument.operand));
                        inner.map_or(Keyed::Unknown, |inner| {
                            self.keyed_map(function, flat, at.body, inner, provider, depth)
                        })
                    }
                    None => Keyed::Unknown,
                }
            }
            _ => Keyed::Unknown,
        }
    }

    fn returned_map(&self, target: FunctionId, provider: Option<&'static Provider>, depth: u32) -> Keyed {
        let Some(flat) = self.flat(target) else { return Keyed::Unknown };
        let own = flat.returns.iter().filter(|(body, _)| *body == 0);
        own.fold(Keyed::No, |keyed, (body, operand)| {
            // What stands in the map by a parameter is known at the caller only.
            let map = self.keyed_map_or_wrapped(target, &flat, *body, operand, provider, depth);
            keyed.and(if matches!(map, Keyed::ByParameter(_)) { Keyed::Unknown } else { map })
        })
    }

    /// A map, or `Ok(map)`.
    fn keyed_map_or_wrapped(
        &self,
        function: FunctionId,
        flat: &Flat<'a>,
        body: usize,
        operand: &Operand,
        provider: Option<&'static Provider>,
        depth: u32,
    ) -> Keyed {
        let variable = flat.of_operand(body, operand);
        let value = variable.and_then(|variable| flat.values(variable).next());
        match value {
            Some((at, Rvalue::Call { callee: Callee::Path(path), args, .. })) if path.last_name() == "Ok" => {
                match args.first() {
                    Some(inner) => self.keyed_map(function, flat, at.body, &inner.operand, provider, depth),
                    None => Keyed::Unknown,
                }
            }
            // A residual is no map.
            Some((_, Rvalue::Call { callee: Callee::Macro(_), .. })) => Keyed::No,
            _ => self.keyed_map(function, flat, body, operand, provider, depth),
        }
    }

    /// What one use of a map means for it.
    fn keyed_map_use(
        &self,
        function: FunctionId,
        flat: &Flat<'a>,
        at: FlatStatement<'a>,
        map: Variable,
        provider: Option<&'static Provider>,
    ) -> Keyed {
        let Some(call) = call_at(at) else {
            return match &at.statement.kind {
                StatementKind::Assign(_, Rvalue::Reference { mutable: true, .. }) => Keyed::Unknown,
                _ => Keyed::No,
            };
        };
        let received =
            call.receiver.is_some_and(|receiver| flat.of_operand(at.body, &receiver.operand) == Some(map));
        match (callee_name(call.callee), call.args) {
            ("insert" | "append" | "try_insert" | "try_append", [name, value]) if received => {
                self.keyed_header(function, flat, at.body, name, value, provider)
            }
            ("extend" | "entry", _) if received => Keyed::Unknown,
            _ => Keyed::No,
        }
    }
}

/// Whether a header carries a key for a provider; a header of another provider was meant as one.
fn is_key_header(name: &str, provider: Option<&'static Provider>) -> bool {
    let own = provider.and_then(|provider| provider.header);
    own.is_some_and(|header| header.eq_ignore_ascii_case(name))
        || name.contains("idempoten")
        || providers()
            .iter()
            .filter_map(|provider| provider.header)
            .any(|header| header.eq_ignore_ascii_case(name))
}

/// Follows a request from the call that makes it. `known` says which calls keep it in view.
fn follow<'a>(
    flat: &Flat<'a>,
    start: FlatStatement<'a>,
    is_send: &dyn Fn(&str) -> bool,
    known: &dyn Fn(&str) -> bool,
) -> Done<'a> {
    let mut done = Done { calls: Vec::new(), sent: false, escapes: false };
    let Some(first) = written(flat, start) else {
        done.escapes = true;
        return done;
    };
    let mut members = vec![first];
    let mut next = 0;
    while let Some(member) = members.get(next).copied() {
        next += 1;
        if flat.returns.iter().any(|(body, operand)| flat.of_operand(*body, operand) == Some(member)) {
            done.escapes = true;
        }
        for at in flat.reads(member) {
            if let Some(added) = step(flat, at, member, is_send, known, &mut done)
                && !members.contains(&added)
            {
                members.push(added);
            }
        }
    }
    done
}

/// One use of a request; gives the variable that holds it afterwards.
fn step<'a>(
    flat: &Flat<'a>,
    at: FlatStatement<'a>,
    member: Variable,
    is_send: &dyn Fn(&str) -> bool,
    known: &dyn Fn(&str) -> bool,
    done: &mut Done<'a>,
) -> Option<Variable> {
    let StatementKind::Assign(_, value) = &at.statement.kind else { return None };
    match value {
        Rvalue::Use(_) | Rvalue::Cast(..) | Rvalue::Reference { .. } => pass(flat, at, done),
        // Some builders are futures themselves.
        Rvalue::Await(_) => {
            done.sent = true;
            None
        }
        Rvalue::Call { callee, receiver, .. } => {
            let name = callee_name(callee);
            let received = receiver
                .as_ref()
                .is_some_and(|receiver| flat.of_operand(at.body, &receiver.operand) == Some(member));
            done.calls.extend(call_at(at).filter(|_| received));
            if received && is_send(name) {
                done.sent = true;
                return None;
            }
            let passes = PASSING.contains(&name) || received && known(name);
            if name == "?residual" {
                return None;
            }
            if passes {
                return pass(flat, at, done);
            }
            done.escapes = true;
            None
        }
        _ => {
            done.escapes = true;
            None
        }
    }
}

fn pass<'a>(flat: &Flat<'a>, at: FlatStatement<'a>, done: &mut Done<'a>) -> Option<Variable> {
    let whole = written(flat, at);
    done.escapes |= whole.is_none();
    whole
}

/// The variable that a statement writes as a whole.
fn written<'a>(flat: &Flat<'a>, at: FlatStatement<'a>) -> Option<Variable> {
    match &at.statement.kind {
        StatementKind::Assign(place, _) if is_whole(place) => flat.of_place(at.body, place),
        _ => None,
    }
}
