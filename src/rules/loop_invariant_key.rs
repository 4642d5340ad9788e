//! One key for all items of a loop: all but the first are taken for repetitions of it.

use rustc_hash::FxHashSet;

use super::case::{Slot, World};
use super::context::{contains, leaves_on_purpose};
use super::findings::identity;
use super::message;
use super::requests::Requests;
use super::requests::flat::{Flat, FlatStatement, Variable, is_whole, operands};
use super::requests::operation_name;
use crate::ir::{Callee, LoopKind, Operand, Rvalue, Span, StatementKind};
use crate::report::{Certainty, Diagnostic, Label, RuleInfo, Severity, Step};
use crate::resolve::FunctionId;

/// The rule. It reads loops, not flows.
pub const INFO: RuleInfo = RuleInfo {
    id: "loop-invariant-key",
    code: "SK112",
    summary: "all items of a loop get the same key",
    page: include_str!("../../docs/rules/loop-invariant-key.md"),
};

/// Methods that call their closure for each item.
const EACH: &[&str] = &[
    "map",
    "for_each",
    "try_for_each",
    "for_each_concurrent",
    "try_for_each_concurrent",
    "then",
    "and_then",
    "flat_map",
    "filter_map",
];

/// Functions of their arguments alone, beside those that pass a text on.
const PURE: &[&str] =
    &["encode", "digest", "concat", "join", "new_v5", "Idempotent", "sha256", "finalize", "try_into"];

/// Key slots inside a loop over items whose key is the same for all of them.
pub fn findings(requests: &Requests<'_>) -> Vec<Diagnostic> {
    let world = requests.world;
    let slots = (0..).take(world.analysis.sinks.len()).filter_map(|id| world.slot(id));
    let counts = |slot: &Slot<'_>| {
        !slot.info.configured && slot.info.identity.is_none() && !world.is_silent(slot.sink.function)
    };
    let mut seen = FxHashSet::default();
    slots
        .filter(counts)
        .filter_map(|slot| finding(requests, slot))
        .filter(|found| seen.insert(found.primary))
        .collect()
}

/// A loop over items, or a closure that is called for each.
struct Around {
    span: Span,
    /// The items.
    items: Vec<Variable>,
    /// The collection as code.
    over: Span,
}

fn finding(requests: &Requests<'_>, slot: Slot<'_>) -> Option<Diagnostic> {
    let world = requests.world;
    let function = slot.sink.function?;
    let flat = requests.flat(function)?;
    let loops = around_place(world, &flat, slot.sink.span);
    if loops.is_empty() {
        return None;
    }
    let setting = flat.statements.iter().copied().find(|at| sets_key(*at, slot.sink.span))?;
    let around = loops.into_iter().find_map(|around| {
        let view = View { requests, flat: &flat, function, around: &around };
        let key = view.key(setting, slot.sink.span)?;
        (view.is_invariant(&key) && view.request_varies(setting, &key)).then_some(around)
    })?;
    let severity = match requests.is_sent(slot, setting, &flat, function) {
        true if !world.is_example(slot.sink.span) => Severity::Warning,
        _ => Severity::Note,
    };
    let over = one_line(world.input.sources.snippet(around.over));
    Some(Diagnostic {
        rule: INFO.id,
        code: INFO.code,
        severity,
        certainty: if severity == Severity::Warning { Certainty::Proven } else { Certainty::Possible },
        message: format!(
            "the key is the same for all items of `{over}`: all but the first are taken for repetitions of it"
        ),
        primary: slot.sink.span,
        labels: vec![Label { span: slot.sink.span, text: "the same for each item".to_owned() }],
        formula: super::formula::text(world, &slot.sink.term, slot.sink.function, &|_| false),
        identity: identity(world, slot, "loop"),
        fingerprint: String::new(),
        trace: vec![
            Step { span: around.over, message: "gives the items".to_owned() },
            Step {
                span: slot.sink.span,
                message: format!("reaches {} for each of them", message::slot(slot)),
            },
        ],
        help: "put into the key what tells one item from the next, such as its id".to_owned(),
        fixes: Vec::new(),
    })
}

fn one_line(code: &str) -> String {
    let text = code.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() > 40 { text.chars().take(39).chain(['…']).collect() } else { text }
}

/// The statement that puts the value at a place into something.
fn sets_key(at: FlatStatement<'_>, span: Span) -> bool {
    match &at.statement.kind {
        StatementKind::Assign(_, Rvalue::Call { args, .. }) => {
            args.iter().any(|argument| argument.span == span)
        }
        StatementKind::Assign(_, Rvalue::Aggregate { fields, .. }) => {
            fields.iter().any(|field| field.span == span)
        }
        _ => false,
    }
}

/// Loops over items and closures for each item around a place, innermost first.
fn around_place(world: &World<'_>, flat: &Flat<'_>, place: Span) -> Vec<Around> {
    let mut found = Vec::new();
    for at in &flat.statements {
        let StatementKind::Assign(written, value) = &at.statement.kind else { continue };
        match value {
            Rvalue::Next { of, .. } => {
                let Some(body) = flat.body(at.body) else { continue };
                let Some(looped) = body.loops.get(of.0 as usize) else { continue };
                // A loop that ends with the first success tries one thing in several ways.
                let tries = looped.kind != LoopKind::For || leaves_on_purpose(body, *of);
                if contains(looped.span, place) && !tries {
                    let items = flat.of_place(at.body, written).into_iter().collect();
                    found.push(Around { span: looped.span, items, over: at.statement.span });
                }
            }
            Rvalue::Call { callee: Callee::Method { name, .. }, receiver: Some(receiver), args, .. }
                if EACH.contains(&name.as_str()) && receiver_iterates(world, receiver.span) =>
            {
                let closures = flat.closures().filter(|closure| {
                    args.iter().any(|argument| argument.span == *closure) && contains(*closure, place)
                });
                for closure in closures {
                    found.push(Around {
                        span: closure,
                        items: flat.closure_parameters(closure),
                        over: receiver.span,
                    });
                }
            }
            _ => {}
        }
    }
    found.sort_by_key(|around| around.span.end - around.span.start);
    found
}

/// `Option` and `Result` have methods of the same names: the items have to be named as such.
fn receiver_iterates(world: &World<'_>, receiver: Span) -> bool {
    let code = world.input.sources.snippet(receiver);
    [".iter()", ".into_iter()", ".drain(", "stream::iter(", ".chunks(", "FuturesUnordered"]
        .iter()
        .any(|word| code.contains(word))
}

struct View<'v, 'a> {
    requests: &'v Requests<'a>,
    flat: &'v Flat<'a>,
    function: FunctionId,
    around: &'v Around,
}

impl<'a> View<'_, 'a> {
    fn is_inside(&self, at: FlatStatement<'_>) -> bool {
        contains(self.around.span, at.statement.span)
    }

    /// The variables that the key at a place is; a literal has none, and `None` is no key.
    fn key(&self, setting: FlatStatement<'a>, span: Span) -> Option<Vec<Variable>> {
        let operand = match &setting.statement.kind {
            StatementKind::Assign(_, Rvalue::Call { args, .. }) => {
                args.iter().find(|argument| argument.span == span).map(|argument| &argument.operand)
            }
            StatementKind::Assign(_, Rvalue::Aggregate { fields, .. }) => {
                fields.iter().find(|field| field.span == span).map(|field| &field.value)
            }
            _ => None,
        }?;
        if self.requests.is_none(self.flat, setting.body, operand) {
            return None;
        }
        Some(self.flat.of_operand(setting.body, operand).into_iter().collect())
    }

    /// The variables inside the loop that hold something of an item. What is called on a variable with an item may
    /// change it; whether that counts is `wide`.
    fn varying(&self, wide: bool) -> FxHashSet<Variable> {
        let mut varying: FxHashSet<Variable> = self.around.items.iter().copied().collect();
        loop {
            let before = varying.len();
            for at in self.flat.statements.iter().filter(|at| self.is_inside(**at)) {
                let (place, read) = match &at.statement.kind {
                    StatementKind::Assign(place, value) => (place, reads(self.flat, *at, value)),
                    StatementKind::AssignOperator(place, _, _) if wide => {
                        varying.extend(self.flat.of_place(at.body, place));
                        continue;
                    }
                    _ => continue,
                };
                if !read.iter().any(|variable| varying.contains(variable)) {
                    continue;
                }
                varying.extend(self.flat.of_place(at.body, place));
                if wide
                    && let StatementKind::Assign(_, Rvalue::Call { receiver: Some(receiver), .. }) =
                        &at.statement.kind
                {
                    varying.extend(self.flat.of_operand(at.body, &receiver.operand));
                }
            }
            if varying.len() == before {
                return varying;
            }
        }
    }

    /// Whether nothing that the key is made of changes inside the loop.
    fn is_invariant(&self, key: &[Variable]) -> bool {
        let varying = self.varying(true);
        let mut seen: FxHashSet<Variable> = FxHashSet::default();
        let mut waiting: Vec<Variable> = key.to_vec();
        while let Some(variable) = waiting.pop() {
            if varying.contains(&variable) || self.is_changed(variable) {
                return false;
            }
            if !seen.insert(variable) {
                continue;
            }
            for at in self.flat.writes(variable).filter(|at| self.is_inside(*at)) {
                let StatementKind::Assign(_, value) = &at.statement.kind else { return false };
                if !self.is_function_of_its_parts(at, value) {
                    return false;
                }
                waiting.extend(reads(self.flat, at, value));
            }
        }
        true
    }

    /// Whether a method that takes `&mut self` may be called on a variable inside the loop.
    fn is_changed(&self, variable: Variable) -> bool {
        self.flat.reads(variable).filter(|at| self.is_inside(*at)).any(|at| match &at.statement.kind {
            StatementKind::Assign(_, Rvalue::Reference { mutable, .. }) => *mutable,
            StatementKind::Assign(_, Rvalue::Call { callee: Callee::Method { name, .. }, receiver, .. }) => {
                let received = receiver.as_ref().is_some_and(|receiver| {
                    self.flat.of_operand(at.body, &receiver.operand) == Some(variable)
                });
                received
                    && matches!(
                        name.as_str(),
                        "next"
                            | "pop"
                            | "push"
                            | "push_str"
                            | "fetch_add"
                            | "recv"
                            | "set"
                            | "replace"
                            | "update"
                            | "insert"
                            | "clear"
                            | "take"
                    )
            }
            _ => false,
        })
    }

    fn is_function_of_its_parts(&self, at: FlatStatement<'a>, value: &Rvalue) -> bool {
        match value {
            Rvalue::Call { callee, receiver, args, .. } => {
                let name = operation_name(callee);
                if receiver.is_none() && args.is_empty() {
                    return false;
                }
                let pure = PURE.contains(&name) || super::requests::text::passes_text(name);
                let receiver = receiver.as_ref().map(|receiver| &receiver.operand);
                pure || matches!(callee, Callee::Path(_))
                    && self.requests.target(self.function, self.flat, at.body, callee, receiver).is_some()
            }
            Rvalue::Await(_) | Rvalue::Next { .. } | Rvalue::Closure(_) => false,
            _ => true,
        }
    }

    /// Whether something else in the request with the key is of the item.
    fn request_varies(&self, setting: FlatStatement<'a>, key: &[Variable]) -> bool {
        let varying = self.varying(false);
        let of_item = |at: FlatStatement<'a>, operand: &Operand| {
            let variable = self.flat.of_operand(at.body, operand);
            variable.is_some_and(|variable| varying.contains(&variable) && !key.contains(&variable))
        };
        let mut waiting = vec![setting];
        let mut seen: Vec<Span> = Vec::new();
        while let Some(at) = waiting.pop() {
            if seen.contains(&at.statement.span) || !self.is_inside(at) {
                continue;
            }
            seen.push(at.statement.span);
            let StatementKind::Assign(place, value) = &at.statement.kind else { continue };
            let parts: Vec<&Operand> = match value {
                Rvalue::Call { args, .. } => args.iter().map(|argument| &argument.operand).collect(),
                Rvalue::Aggregate { .. } => operands(value),
                _ => Vec::new(),
            };
            if parts.iter().any(|operand| of_item(at, operand)) {
                return true;
            }
            // The calls before it on the same request, and those after it until it is sent.
            if let Rvalue::Call { receiver: Some(receiver), .. } = value
                && let Some(before) = self.flat.of_operand(at.body, &receiver.operand)
            {
                waiting.extend(self.flat.values(before).map(|(at, _)| at));
            }
            let is_request = matches!(
                value,
                Rvalue::Call { .. } | Rvalue::Reference { .. } | Rvalue::Use(_) | Rvalue::Aggregate { .. }
            );
            if let Some(result) = self.flat.of_place(at.body, place).filter(|_| is_request && is_whole(place))
            {
                waiting.extend(self.flat.reads(result).filter(|next| goes_on(next.statement)));
            }
        }
        false
    }
}

/// Whether a statement still builds or sends what it reads, instead of looking at the answer.
fn goes_on(statement: &crate::ir::Statement) -> bool {
    match &statement.kind {
        StatementKind::Assign(_, Rvalue::Call { callee: Callee::Macro(_), .. } | Rvalue::Await(_)) => false,
        StatementKind::Assign(_, Rvalue::Call { .. } | Rvalue::Reference { .. } | Rvalue::Use(_)) => true,
        StatementKind::Assign(_, Rvalue::Aggregate { .. }) => false,
        _ => false,
    }
}

/// The variables that a statement's value is made of.
fn reads<'a>(flat: &Flat<'a>, at: FlatStatement<'a>, value: &Rvalue) -> Vec<Variable> {
    let mut found: Vec<Variable> =
        operands(value).into_iter().filter_map(|operand| flat.of_operand(at.body, operand)).collect();
    if let Rvalue::Reference { place, .. } = value {
        found.extend(flat.of_place(at.body, place));
    }
    found
}
