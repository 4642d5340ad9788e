//! A key that is accepted and not passed on: the caller believes in a protection that is not there.

use super::case::World;
use super::place;
use super::requests::Requests;
use super::requests::flat::{Flat, Variable, is_whole};
use crate::ir::{Callee, Rvalue, Span, StatementKind};
use crate::report::{Certainty, Diagnostic, Label, RuleInfo, Severity, Step};
use crate::resolve::{FunctionDef, FunctionId, Owner, Ty};

/// The rule. It reads functions, not flows.
pub const INFO: RuleInfo = RuleInfo {
    id: "key-dropped",
    code: "SK110",
    summary: "a function takes a key and does not use it",
    page: include_str!("../../docs/rules/key-dropped.md"),
};

/// Macros that write a value down and do nothing else with it.
const LOGS: &[&str] = &[
    "trace",
    "debug",
    "info",
    "warn",
    "error",
    "event",
    "log",
    "println",
    "eprintln",
    "print",
    "eprint",
    "dbg",
    "trace_span",
    "debug_span",
    "info_span",
    "warn_span",
    "error_span",
    "span",
];

/// Words in the name of a type that stands in for a backend.
const DOUBLES: &[&str] =
    &["Mock", "Fake", "Stub", "Dummy", "Noop", "NoOp", "Null", "Memory", "Test", "Sandbox"];

/// A parameter that is a key and that nothing reads.
struct Dropped {
    function: FunctionId,
    name: String,
    span: Span,
    /// Whether the signature is given from outside, or the name says that it is not used.
    on_purpose: bool,
}

/// Functions that take a key and only log it or do nothing with it.
pub fn findings(requests: &Requests<'_>) -> Vec<Diagnostic> {
    let world = requests.world;
    let functions = requests.candidates().into_iter();
    functions.flat_map(|id| dropped(requests, id)).map(|found| finding(world, &found)).collect()
}

fn dropped(requests: &Requests<'_>, id: FunctionId) -> Vec<Dropped> {
    let world = requests.world;
    let program = world.input.program;
    let definition = program.function(id);
    let skipped = !world.may_be_primary(definition.span) || world.is_example(definition.span);
    if skipped || is_double(world, definition) {
        return Vec::new();
    }
    let shift = usize::from(definition.ir.receiver.is_some());
    let types = program.parameter_types(id);
    let mut found = Vec::new();
    for (index, parameter) in definition.ir.params.iter().enumerate() {
        let Some(name) = &parameter.name else { continue };
        let bare = name.trim_start_matches('_');
        let is_key = world.facts.names().parameter_sink("", bare).is_some()
            && types.get(index + shift).is_some_and(may_be_key);
        if !is_key {
            continue;
        }
        let Some(flat) = requests.flat(id) else { continue };
        if does_something(&flat) && is_unused(&flat, (index + shift) as Variable, 3) {
            found.push(Dropped {
                function: id,
                name: name.to_string(),
                span: parameter.span,
                on_purpose: name.starts_with('_') || is_of_trait(definition, world),
            });
        }
    }
    found
}

fn is_of_trait(definition: &FunctionDef, world: &World<'_>) -> bool {
    match definition.owner {
        Owner::Impl(block) => world.input.program.impl_(block).trait_ref.is_some(),
        Owner::Trait(_) => true,
        Owner::None => false,
    }
}

/// Whether a function belongs to something that stands in for a backend.
fn is_double(world: &World<'_>, definition: &FunctionDef) -> bool {
    let owner = match definition.owner {
        Owner::Impl(block) => match &world.input.program.impl_(block).self_type {
            Ty::Adt { id, .. } => world.input.program.type_(*id).name.to_string(),
            _ => String::new(),
        },
        _ => String::new(),
    };
    DOUBLES.iter().any(|word| owner.contains(word))
}

/// Whether a type can hold the text of a key: no flag, no closure, no column of a query.
fn may_be_key(ty: &Ty) -> bool {
    match ty {
        Ty::Reference { inner, .. } => may_be_key(inner),
        Ty::External { path, args } => match path.as_str() {
            "bool" => false,
            "std::option::Option" => args.first().is_none_or(may_be_key),
            _ => true,
        },
        Ty::Function { .. } | Ty::Tuple(_) => false,
        _ => true,
    }
}

/// Whether a body is more than a placeholder: it waits for something or calls a method.
fn does_something(flat: &Flat<'_>) -> bool {
    let mut works = 0;
    for found in &flat.statements {
        match &found.statement.kind {
            StatementKind::Assign(_, Rvalue::Await(_)) => works += 2,
            StatementKind::Assign(_, Rvalue::Call { callee: Callee::Method { .. }, .. }) => works += 1,
            _ => {}
        }
    }
    works >= 2
}

/// Whether a variable is read by logging only.
fn is_unused(flat: &Flat<'_>, variable: Variable, depth: u32) -> bool {
    if flat.returns.iter().any(|(body, operand)| flat.of_operand(*body, operand) == Some(variable)) {
        return false;
    }
    flat.reads(variable).all(|at| {
        let StatementKind::Assign(place, value) = &at.statement.kind else { return false };
        match value {
            Rvalue::Format { name, .. } => LOGS.contains(&name.as_str()),
            Rvalue::Call { callee: Callee::Macro(path), .. } => LOGS.contains(&path.last_name()),
            Rvalue::Use(_)
            | Rvalue::Reference { .. }
            | Rvalue::Call { callee: Callee::Method { .. }, .. } => {
                let known = matches!(value, Rvalue::Use(_) | Rvalue::Reference { .. }) || is_plain(value);
                let target = flat.of_place(at.body, place).filter(|_| is_whole(place));
                match (depth.checked_sub(1), target) {
                    (Some(depth), Some(target)) if known && target != variable => {
                        is_unused(flat, target, depth)
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    })
}

/// A conversion that is of no use by itself.
fn is_plain(value: &Rvalue) -> bool {
    match value {
        Rvalue::Call { callee: Callee::Method { name, .. }, args, .. } => {
            args.is_empty()
                && matches!(
                    name.as_str(),
                    "clone" | "as_str" | "as_deref" | "as_ref" | "to_string" | "to_owned"
                )
        }
        _ => false,
    }
}

fn finding(world: &World<'_>, found: &Dropped) -> Diagnostic {
    let function = &world.input.program.function(found.function).name;
    Diagnostic {
        rule: INFO.id,
        code: INFO.code,
        severity: if found.on_purpose { Severity::Note } else { Severity::Warning },
        certainty: Certainty::Proven,
        message: format!(
            "`{function}` takes the key `{}` and does not send it: its caller's retries are not recognised",
            found.name
        ),
        primary: found.span,
        labels: vec![Label { span: found.span, text: "not used".to_owned() }],
        formula: None,
        identity: place::identity(world, found.function, found.span, "dropped"),
        fingerprint: String::new(),
        trace: vec![Step { span: found.span, message: "is passed on to nothing".to_owned() }],
        help: "send it to the provider, or store it in a claim before the call; where the backend knows no keys, \
               refuse a call that needs one"
            .to_owned(),
        fixes: Vec::new(),
    }
}
