//! Calls that change something at a provider: of an SDK by path, of a request type that is sent later, and POSTs
//! to the hosts and paths of a provider.

use samekey_catalogue::{Operation, Pattern, Provider, http_client, operations, provider, providers};

use super::Requests;
use super::chain::{Keyed, Part, parts};
use super::flat::{Flat, FlatStatement};
use super::text::{Piece, Text, callee_name};
use crate::ir::{Argument, Callee, Operand, Rvalue, Span, StatementKind};
use crate::resolve::{FunctionId, ValueDef};

/// How many functions of the tree a request may pass through before it is sent.
const DEEPEST: u32 = 3;

/// A call that changes something at a provider.
pub struct PaymentCall<'a> {
    /// Its row.
    pub operation: &'static Operation,
    /// As a reader would name it: `PaymentIntent::create`, `POST /v1/charges`.
    pub name: String,
    /// Where it stands.
    pub span: Span,
    /// The function that holds it.
    pub function: FunctionId,
    /// Whether it carries a key.
    pub keyed: Keyed,
    /// What it sends, as far as it is in view.
    pub sent: Vec<Part<'a>>,
}

impl PaymentCall<'_> {
    /// Who gets it.
    pub fn provider(&self) -> Option<&'static Provider> {
        provider(self.operation.provider)
    }
}

/// All calls of operations, by place.
pub fn payment_calls<'a>(requests: &Requests<'a>) -> Vec<PaymentCall<'a>> {
    let mut found = Vec::new();
    for function in requests.candidates() {
        let Some(flat) = requests.flat(function) else { continue };
        let finder = Finder { requests, flat: &flat, function };
        for at in &flat.statements {
            found.extend(finder.call(*at));
        }
    }
    found.sort_by_key(|call| call.span);
    found.dedup_by_key(|call| call.span);
    found
}

struct Finder<'r, 'a> {
    requests: &'r Requests<'a>,
    flat: &'r Flat<'a>,
    function: FunctionId,
}

/// A call statement.
#[derive(Clone, Copy)]
pub struct CallAt<'a> {
    pub at: FlatStatement<'a>,
    pub callee: &'a Callee,
    pub receiver: Option<&'a Argument>,
    pub args: &'a [Argument],
    pub name_span: Span,
}

/// A statement as a call.
pub fn call_at(at: FlatStatement<'_>) -> Option<CallAt<'_>> {
    match &at.statement.kind {
        StatementKind::Assign(_, Rvalue::Call { callee, receiver, args, name_span }) => {
            Some(CallAt { at, callee, receiver: receiver.as_ref(), args, name_span: *name_span })
        }
        _ => None,
    }
}

impl<'a> Finder<'_, 'a> {
    fn call(&self, at: FlatStatement<'a>) -> Option<PaymentCall<'a>> {
        let call = call_at(at)?;
        self.of_sdk(&call).or_else(|| self.of_http(&call))
    }

    fn of_sdk(&self, call: &CallAt<'a>) -> Option<PaymentCall<'a>> {
        let Callee::Path(path) = call.callee else { return None };
        if path.segments.len() < 2 || !is_sdk_name(path.segments.iter().map(|segment| segment.name.as_str()))
        {
            return None;
        }
        let program = self.requests.world.input.program;
        let scope = self.requests.scope(self.function);
        let ValueDef::External(paths) = program.resolve_value(scope, path) else { return None };
        let (operation, sent_later) = paths.iter().find_map(|path| of_path(path))?;
        let (keyed, sent) = match sent_later {
            true => self.requests.keyed_chain(self.function, self.flat, call.at, operation)?,
            false => {
                let client = call.args.first()?;
                let keyed = self.requests.keyed_client(
                    self.function,
                    self.flat,
                    call.at.body,
                    &client.operand,
                    operation,
                );
                (keyed, parts(call).skip(1).collect())
            }
        };
        let names = path.segments.iter().rev().take(2).map(|segment| segment.name.as_str());
        let mut names: Vec<&str> = names.collect();
        names.reverse();
        Some(PaymentCall {
            operation,
            name: if sent_later { names[0].to_owned() } else { names.join("::") },
            span: Span { end: call.name_span.end, ..path.span },
            function: self.function,
            keyed,
            sent,
        })
    }

    fn of_http(&self, call: &CallAt<'a>) -> Option<PaymentCall<'a>> {
        let posted = self.requests.posted(self.function, self.flat, call, DEEPEST)?;
        let (operation, path) = of_url(&posted.url.flat())?;
        Some(PaymentCall {
            operation,
            name: format!("POST {path}"),
            span: call.name_span,
            function: self.function,
            keyed: posted.keyed,
            sent: posted.sent,
        })
    }
}

/// A POST with the URL as far as it is known, in terms of the parameters of its function.
#[derive(Clone)]
pub struct Posted<'a> {
    pub url: Text,
    pub keyed: Keyed,
    /// What is sent by the function that makes the request.
    pub sent: Vec<Part<'a>>,
}

impl<'a> Requests<'a> {
    /// The POST that a call makes: of an HTTP client, or by a function of the tree that posts to a path which it is
    /// given.
    fn posted(
        &self,
        function: FunctionId,
        flat: &Flat<'a>,
        call: &CallAt<'a>,
        depth: u32,
    ) -> Option<Posted<'a>> {
        let receiver = call.receiver.map(|receiver| &receiver.operand);
        if let Some(target) = self.target(function, flat, call.at.body, call.callee, receiver) {
            return self.posted_by(function, flat, call, target, depth);
        }
        let url = posted_url(call)?;
        let url = self.text(function, flat, call.at.body, url);
        // A path alone says nothing about where it goes, unless the function is called with it.
        if !url.0.iter().any(|piece| matches!(piece, Piece::Parameter(_))) && !names_host(&url.flat()) {
            return None;
        }
        let provider = host_provider(&url.flat());
        let (keyed, sent) = self.keyed_post(function, flat, call.at, provider)?;
        Some(Posted { url, keyed, sent })
    }

    fn posted_by(
        &self,
        function: FunctionId,
        flat: &Flat<'a>,
        call: &CallAt<'a>,
        target: FunctionId,
        depth: u32,
    ) -> Option<Posted<'a>> {
        let posted = self.wrapper(target, depth.checked_sub(1)?)?;
        let given: Vec<&Operand> =
            call.receiver.iter().copied().chain(call.args).map(|argument| &argument.operand).collect();
        let url = posted.url.with(&mut |index| match given.get(index as usize) {
            Some(operand) => self.text(function, flat, call.at.body, operand),
            None => Text(vec![Piece::Hole]),
        });
        let keyed = posted.keyed.given(&|index| {
            given.get(index as usize).is_none_or(|operand| !self.is_none(flat, call.at.body, operand))
        });
        Some(Posted { url, keyed, sent: Vec::new() })
    }

    /// The POST of a function to a path that it is given.
    fn wrapper(&self, target: FunctionId, depth: u32) -> Option<Posted<'a>> {
        if let Some(known) = self.wrappers.borrow().get(&target) {
            return known.clone();
        }
        // A function that calls itself is none while this is computed.
        self.wrappers.borrow_mut().insert(target, None);
        let inner = self.flat(target)?;
        let posts =
            inner.statements.iter().filter_map(|at| self.posted(target, &inner, &call_at(*at)?, depth));
        let mut open =
            posts.filter(|posted| posted.url.0.iter().any(|piece| matches!(piece, Piece::Parameter(_))));
        let found = open.next();
        self.wrappers.borrow_mut().insert(target, found.clone());
        found
    }

    /// Whether an operand is the literal `None`.
    pub fn is_none(&self, flat: &Flat<'a>, body: usize, operand: &Operand) -> bool {
        use crate::ir::{Place, PlaceBase};
        match operand {
            Operand::Place(Place { base: PlaceBase::Item(path), projections }) => {
                projections.is_empty() && path.last_name() == "None"
            }
            Operand::Place(place) => {
                let Some(variable) = flat.of_place(body, place) else { return false };
                let mut values = flat.values(variable);
                match (values.next(), values.next()) {
                    (Some((at, Rvalue::Use(operand))), None) if flat.parameter(variable).is_none() => {
                        self.is_none(flat, at.body, operand)
                    }
                    _ => false,
                }
            }
            Operand::Literal(_) => false,
        }
    }
}

/// The URL of a call that starts a POST.
fn posted_url<'a>(call: &CallAt<'a>) -> Option<&'a Operand> {
    let http = http_client();
    let name = callee_name(call.callee);
    let args = call.args;
    match (args, &call.callee) {
        ([url], Callee::Method { .. } | Callee::Path(_)) if http.posts.contains(&name) => Some(&url.operand),
        ([verb, url], Callee::Method { .. } | Callee::Path(_)) if http.verbs.contains(&name) => {
            is_post(&verb.operand).then_some(&url.operand)
        }
        _ => None,
    }
}

/// Whether an operand is the verb `POST`.
fn is_post(operand: &Operand) -> bool {
    use crate::ir::{Literal, Place, PlaceBase};
    match operand {
        Operand::Place(Place { base: PlaceBase::Item(path), .. }) => {
            path.last_name().eq_ignore_ascii_case("post")
        }
        Operand::Literal(Literal::Str(text)) => text.eq_ignore_ascii_case("post"),
        _ => false,
    }
}

/// Whether the last names of a path may be those of an operation, before it is resolved.
fn is_sdk_name<'n>(names: impl DoubleEndedIterator<Item = &'n str>) -> bool {
    let mut names = names.rev();
    let Some(method) = names.next() else { return false };
    rust_operations().flat_map(|row| row.patterns).any(|pattern| match *pattern {
        // The type may be imported under another name.
        Pattern::Call { path, .. } => path.rsplit("::").next() == Some(method),
        Pattern::Type { .. } => method == "new",
        _ => false,
    })
}

/// The operation of a canonical path, and whether it is a request that is sent later.
fn of_path(path: &str) -> Option<(&'static Operation, bool)> {
    let mut found = rust_operations().flat_map(|row| row.patterns.iter().map(move |pattern| (row, pattern)));
    found.find_map(|(row, pattern)| match *pattern {
        Pattern::Call { path: wanted, .. } => (path == wanted).then_some((row, false)),
        Pattern::Type { path: wanted } => {
            let owner = path.rsplit_once("::").map(|(owner, _)| owner)?;
            (owner == wanted || same_ends(owner, wanted)).then_some((row, true))
        }
        _ => None,
    })
}

/// A request type is exported from its module and, in some versions, from the crate.
fn same_ends(path: &str, wanted: &str) -> bool {
    path.split("::").next() == wanted.split("::").next()
        && path.rsplit("::").next() == wanted.rsplit("::").next()
}

fn rust_operations() -> impl Iterator<Item = &'static Operation> {
    operations().iter().filter(|row| row.language != samekey_catalogue::Language::Java)
}

/// Whether a text holds the host of a provider.
pub fn names_host(url: &str) -> bool {
    host_provider(url).is_some()
}

/// The provider of a URL by its host; a host may start with a part that is not known.
fn host_provider(url: &str) -> Option<&'static Provider> {
    let (_, rest) = url.split_once("://")?;
    let host = rest.split(['/', '?']).next()?.split(':').next()?;
    providers().iter().find(|provider| {
        provider.hosts.iter().any(|wanted| {
            let before = host.strip_suffix(wanted);
            before.is_some_and(|before| before.is_empty() || before.ends_with(['.', '\0', '-']))
        })
    })
}

/// The operation of a URL, and its path with `*` for what is not known.
fn of_url(url: &str) -> Option<(&'static Operation, String)> {
    let provider = host_provider(url)?;
    let (_, rest) = url.split_once("://")?;
    let path = rest.split_once('/').map_or("", |(_, path)| path);
    let path = path.split('?').next().unwrap_or(path);
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    let rows = rust_operations().filter(|row| row.provider == provider.id);
    let mut posts = rows.flat_map(|row| row.posts.iter().map(move |post| (row, *post)));
    let (row, _) = posts.find(|(_, post)| is_path(&segments, post))?;
    let shown: Vec<&str> =
        segments.iter().map(|segment| if segment.contains('\0') { "*" } else { *segment }).collect();
    Some((row, format!("/{}", shown.join("/"))))
}

/// Whether a path is the one of a pattern; what is not known of it stands for one segment, where the pattern has
/// one that may be anything.
fn is_path(segments: &[&str], pattern: &str) -> bool {
    let wanted: Vec<&str> = pattern.split('/').filter(|segment| !segment.is_empty()).collect();
    wanted.len() == segments.len()
        && wanted.iter().zip(segments).all(|(wanted, segment)| *wanted == "*" || wanted == segment)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(url: &str) -> Option<&'static str> {
        of_url(url).map(|(row, _)| row.id)
    }

    #[test]
    fn urls_are_matched_by_host_and_whole_path() {
        assert_eq!(row("https://api.stripe.com/v1/charges"), Some("stripe-http"));
        assert_eq!(row("https://api.stripe.com/v1//charges?expand=x"), Some("stripe-http"));
        assert_eq!(row("https://api.stripe.com/v1/charges/\0/capture"), Some("stripe-http-guarded"));
        assert_eq!(row("https://checkout-test.adyen.com/v71/payments"), Some("adyen-http"));
        assert_eq!(row("https://\0-checkout-live.adyenpayments.com/\0/payments"), Some("adyen-http"));
        assert_eq!(row("https://api.stripe.com/v1/\0"), None);
        assert_eq!(row("https://api.stripe.com.example.org/v1/charges"), None);
        assert_eq!(row("https://notapi.stripe.com/v1/charges"), None);
        assert_eq!(row("/v1/charges"), None);
        assert_eq!(row("https://api.stripe.com/v1/customers"), None);
    }

    #[test]
    fn request_types_are_found_under_both_paths() {
        let row = |path: &str| of_path(path).map(|(row, later)| (row.id, later));
        assert_eq!(row("stripe::Charge::create"), Some(("stripe-create", false)));
        assert_eq!(row("stripe_core::charge::CreateCharge::new"), Some(("stripe-request", true)));
        assert_eq!(row("stripe_core::CreateCharge::new"), Some(("stripe-request", true)));
        assert_eq!(row("stripe::CreateCharge::new"), None);
        assert_eq!(row("my::Charge::create"), None);
    }
}
