//! A call that moves money without a key: nothing tells the provider that a repetition is one.

use samekey_catalogue::Repetition;

use super::case::World;
use super::context::contains;
use super::place;
use super::remedy::Scope;
use super::requests::{Keyed, PaymentCall, Requests, Unkeyed, unkeyed_strategies};
use crate::ir::Span;
use crate::report::{Certainty, Diagnostic, Label, RuleInfo, Severity, Step};

/// The rule. It reads requests, not flows.
pub const INFO: RuleInfo = RuleInfo {
    id: "missing-key",
    code: "SK109",
    summary: "a call that moves money carries no key",
    page: include_str!("../../docs/rules/missing-key.md"),
};

/// Calls without a key, and retries that send none.
pub fn findings(requests: &Requests<'_>, calls: &[PaymentCall<'_>]) -> Vec<Diagnostic> {
    let world = requests.world;
    let quiet = |span: Span| !world.may_be_primary(span) || world.is_example(span);
    let bare = calls.iter().filter(|call| call.keyed == Keyed::No && !quiet(call.span));
    let strategies = unkeyed_strategies(requests);
    let retried = strategies.iter().filter(|strategy| !quiet(strategy.span));
    bare.map(|call| of_call(world, call)).chain(retried.map(|found| of_strategy(world, found))).collect()
}

/// A strategy that sends no key mints none either.
pub fn drop_minted(found: &[Diagnostic], others: &mut Vec<Diagnostic>) {
    let retried: Vec<Span> = found.iter().map(|finding| finding.primary).collect();
    others.retain(|other| {
        let at_strategy =
            retried.iter().any(|span| contains(*span, other.primary) || contains(other.primary, *span));
        other.trace.len() > 2 || !at_strategy
    });
}

fn of_call(world: &World<'_>, call: &PaymentCall<'_>) -> Diagnostic {
    let provider = call.provider().map_or("the provider", |provider| provider.name);
    let (severity, consequence) = match call.operation.repetition {
        Repetition::Executed => {
            (Severity::Warning, format!("{provider} takes each retry for a new operation"))
        }
        Repetition::Refused => {
            (Severity::Note, format!("{provider} refuses a repetition, and a retry sees an error"))
        }
        Repetition::Pending => (
            Severity::Note,
            format!("a retry makes a second one at {provider}, which waits for the approval of the payer"),
        ),
    };
    let message = format!("`{}` carries no key: {consequence}", call.name);
    Diagnostic {
        rule: INFO.id,
        code: INFO.code,
        severity,
        certainty: Certainty::Proven,
        message,
        primary: call.span,
        labels: vec![Label { span: call.span, text: "sent without a key".to_owned() }],
        formula: None,
        identity: place::identity(world, call.function, call.span, call.operation.id),
        fingerprint: String::new(),
        trace: vec![Step { span: call.span, message: format!("reaches {provider} without a key") }],
        help: help(world, call),
        fixes: Vec::new(),
    }
}

fn help(world: &World<'_>, call: &PaymentCall<'_>) -> String {
    let scope = Scope::of(world.input.program, Some(call.function));
    let how = match (call.operation.keyed_by, call.provider().and_then(|provider| provider.header)) {
        ([method, ..], _) if has_no_keys(world, call) => {
            format!(
                "the package that makes this call has no `{method}` and cannot send a key: use one that can, and"
            )
        }
        ([method, ..], _) => format!("give it a key with `{method}`:"),
        ([], Some(header)) => format!("send one in the header `{header}`:"),
        ([], None) => "give it one:".to_owned(),
    };
    format!(
        "{how} derive it from {} and a name for the operation\nor store a key before the first call and send the \
         stored one on each retry",
        scope.words()
    )
}

/// Whether the crate of this name is one without any support for keys.
fn has_no_keys(world: &World<'_>, call: &PaymentCall<'_>) -> bool {
    let package = world.input.project.package_of(call.span.file);
    let mut dependencies = package.into_iter().flat_map(|package| &package.dependencies);
    dependencies.any(|dependency| {
        dependency.name == call.operation.provider
            && call.operation.keyless.contains(&dependency.package.as_str())
    })
}

fn of_strategy(world: &World<'_>, found: &Unkeyed) -> Diagnostic {
    let path = found.strategy.paths.first().copied().unwrap_or_default();
    let mut names: Vec<&str> = path.rsplit("::").take(2).collect();
    names.reverse();
    let name = names.join("::");
    let Unkeyed { package, strategy, .. } = found;
    Diagnostic {
        rule: INFO.id,
        code: INFO.code,
        severity: Severity::Warning,
        certainty: Certainty::Proven,
        message: format!(
            "`{name}` retries without a key: the feature `{}` of {package} is off, and each retry may charge again",
            strategy.feature
        ),
        primary: found.span,
        labels: vec![Label { span: found.span, text: "retries without a key".to_owned() }],
        formula: None,
        identity: place::identity(world, found.function, found.span, "strategy"),
        fingerprint: String::new(),
        trace: vec![Step { span: found.span, message: "is what requests get instead of a key".to_owned() }],
        help: format!(
            "send a key that is derived from the operation instead; with the feature `{}` these retries would share a \
             random one, and a retry after a restart would still get another",
            strategy.feature
        ),
        fixes: Vec::new(),
    }
}
