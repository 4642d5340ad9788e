//! A stable key with a body that is another one each time: the provider refuses the retry.

use rustc_hash::{FxHashMap, FxHashSet};
use samekey_catalogue::{Language, Pattern, SourceKind, sources};

use super::place;
use super::requests::flat::{Flat, Variable, operands};
use super::requests::{CallAt, Keyed, Part, PaymentCall, Requests, call_at, operation_name};
use crate::ir::{Callee, Operand, Rvalue, Span, StatementKind};
use crate::report::{Certainty, Diagnostic, Label, RuleInfo, Severity, Step};
use crate::resolve::{FunctionId, ValueDef};

/// The rule. It reads requests, not flows.
pub const INFO: RuleInfo = RuleInfo {
    id: "volatile-body",
    code: "SK111",
    summary: "a retry sends the same key with other parameters",
    page: include_str!("../../docs/rules/volatile-body.md"),
};

/// Cut to a period, a clock is the same for most retries.
const CUTS: &[&str] = &[
    "date_naive",
    "date",
    "year",
    "month",
    "day",
    "format",
    "ordinal",
    "iso_week",
    "with_day",
    "with_month",
    "duration_trunc",
    "num_days",
    "num_seconds",
    "elapsed",
];
/// How many functions of the tree a value is followed into.
const DEEPEST: u32 = 2;

/// Calls with a key of which something else is fresh. Where the key is fresh too, that is said already.
pub fn findings(
    requests: &Requests<'_>,
    calls: &[PaymentCall<'_>],
    others: &[Diagnostic],
) -> Vec<Diagnostic> {
    let world = requests.world;
    let fresh = Fresh { requests, paths: fresh_paths() };
    let mut found = Vec::new();
    for call in calls {
        let provider = call.provider().filter(|provider| provider.compares);
        let keyed = matches!(call.keyed, Keyed::Yes | Keyed::ByParameter(_));
        let (Some(provider), true) = (provider, keyed) else { continue };
        let function = world.input.program.function(call.function).span;
        let key_is_fresh = others.iter().any(|other| super::context::contains(function, other.primary));
        if key_is_fresh || !world.may_be_primary(call.span) || world.is_example(call.span) {
            continue;
        }
        let Some(flat) = requests.flat(call.function) else { continue };
        let mut parts = call.sent.iter();
        if let Some((part, source)) =
            parts.find_map(|part| fresh.of(call.function, &flat, part, DEEPEST).map(|source| (part, source)))
        {
            found.push(finding(requests, call, provider.name, part.span, source));
        }
    }
    found
}

fn finding(
    requests: &Requests<'_>,
    call: &PaymentCall<'_>,
    provider: &str,
    part: Span,
    source: Span,
) -> Diagnostic {
    let world = requests.world;
    let symbol = super::formula::symbol(world.input.sources.snippet(source), "a fresh value");
    Diagnostic {
        rule: INFO.id,
        code: INFO.code,
        severity: Severity::Warning,
        certainty: Certainty::Proven,
        message: format!(
            "`{symbol}` is new in each request of `{}`: {provider} refuses a retry with the same key and other \
             parameters",
            call.name
        ),
        primary: source,
        labels: vec![Label { span: source, text: "another value in each retry".to_owned() }],
        formula: None,
        identity: place::identity(world, call.function, source, "body"),
        fingerprint: String::new(),
        trace: vec![
            Step { span: source, message: "a new value at each call".to_owned() },
            Step { span: part, message: format!("is sent to {provider} with a key") },
        ],
        help: "send what the first request sent: store the value with the key before the first call, or leave it out"
            .to_owned(),
        fixes: Vec::new(),
    }
}

/// The canonical paths of functions that give fresh values.
fn fresh_paths() -> FxHashSet<&'static str> {
    let rows = sources().iter().filter(|row| {
        row.language != Language::Java
            && !row.order
            && matches!(row.kind, SourceKind::Uuid | SourceKind::Clock | SourceKind::Random)
    });
    rows.flat_map(|row| row.patterns)
        .filter_map(|pattern| match *pattern {
            Pattern::Call { path, .. } => Some(path),
            _ => None,
        })
        .collect()
}

struct Fresh<'r, 'a> {
    requests: &'r Requests<'a>,
    paths: FxHashSet<&'static str>,
}

impl<'a> Fresh<'_, 'a> {
    /// Where a fresh value arises that is a part of what is sent.
    fn of(&self, function: FunctionId, flat: &Flat<'a>, part: &Part<'_>, depth: u32) -> Option<Span> {
        self.operand(function, flat, part.body, part.operand, depth)
    }

    fn operand(
        &self,
        function: FunctionId,
        flat: &Flat<'a>,
        body: usize,
        operand: &Operand,
        depth: u32,
    ) -> Option<Span> {
        let mut waiting: Vec<Variable> = flat.of_operand(body, operand).into_iter().collect();
        let mut seen: FxHashMap<Variable, ()> = FxHashMap::default();
        while let Some(variable) = waiting.pop() {
            // What a parameter holds is the caller's business.
            if seen.insert(variable, ()).is_some() || flat.parameter(variable).is_some() {
                continue;
            }
            let writes =
                flat.writes(variable).chain(flat.reads(variable).filter(|at| adds_to(flat, *at, variable)));
            for at in writes {
                let StatementKind::Assign(_, value) = &at.statement.kind else { continue };
                if let Some(call) = call_at(at) {
                    if let Some(span) = self.call(function, flat, &call, depth) {
                        return Some(span);
                    }
                    if CUTS.contains(&operation_name(call.callee)) {
                        continue;
                    }
                }
                // An answer is not fresh because its question was.
                if matches!(
                    value,
                    Rvalue::Await(_) | Rvalue::Closure(_) | Rvalue::Next { .. } | Rvalue::Binary(..)
                ) {
                    continue;
                }
                waiting.extend(
                    operands(value).into_iter().filter_map(|operand| flat.of_operand(at.body, operand)),
                );
                if let Rvalue::Reference { place, .. } = value {
                    waiting.extend(flat.of_place(at.body, place));
                }
            }
        }
        None
    }

    fn call(&self, function: FunctionId, flat: &Flat<'a>, call: &CallAt<'a>, depth: u32) -> Option<Span> {
        let Callee::Path(path) = call.callee else { return None };
        let program = self.requests.world.input.program;
        if let ValueDef::External(paths) = program.resolve_value(self.requests.scope(function), path) {
            let fresh = paths.iter().any(|path| self.paths.contains(path.as_str()));
            return fresh.then_some(call.at.statement.span);
        }
        let target = self.requests.target(function, flat, call.at.body, call.callee, None)?;
        let depth = depth.checked_sub(1)?;
        let inner = self.requests.flat(target)?;
        let own = inner.returns.iter().filter(|(body, _)| *body == 0);
        let mut found = own.filter_map(|(body, operand)| self.operand(target, &inner, *body, operand, depth));
        found.next().map(|_| call.at.statement.span)
    }
}

/// `map.insert("id", value)` adds to the map.
fn adds_to(flat: &Flat<'_>, at: super::requests::flat::FlatStatement<'_>, variable: Variable) -> bool {
    call_at(at).is_some_and(|call| {
        let received = call
            .receiver
            .is_some_and(|receiver| flat.of_operand(at.body, &receiver.operand) == Some(variable));
        received
            && matches!(operation_name(call.callee), "insert" | "push" | "extend" | "push_str" | "append")
    })
}
