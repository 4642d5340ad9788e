//! What names a finding of a rule that reads code and not flows.

use super::case::World;
use crate::ir::Span;
use crate::report::Identity;
use crate::resolve::FunctionId;

/// The identity of a finding at a place in a function.
pub fn identity(world: &World<'_>, function: FunctionId, span: Span, source: &str) -> Identity {
    let program = world.input.program;
    let definition = program.function(function);
    let module = program.module_path(definition.scope).to_string();
    let inner = definition.path.strip_prefix(module.as_str()).unwrap_or(&definition.path);
    let function = inner.strip_prefix("::").unwrap_or(inner).to_owned();
    let sink = world.input.sources.snippet(span).to_owned();
    Identity { module, function, sink, source: source.to_owned() }
}
