//! One key set on a client: every request that it sends is taken for a repetition of the first.

use super::place;
use super::requests::{Requests, Shared, shared_keys};
use crate::report::{Certainty, Diagnostic, Label, RuleInfo, Severity, Step};

/// The rule. It reads requests, not flows.
pub const INFO: RuleInfo = RuleInfo {
    id: "shared-client-key",
    code: "SK107",
    summary: "a client sends one key with several requests",
    page: include_str!("../../docs/rules/shared-client-key.md"),
};

/// Clients with a key that are used for several calls.
pub fn findings(requests: &Requests<'_>) -> Vec<Diagnostic> {
    let world = requests.world;
    let shared = shared_keys(requests);
    let shown =
        shared.iter().filter(|found| world.may_be_primary(found.span) && !world.is_example(found.span));
    shown.map(|found| finding(requests, found)).collect()
}

fn finding(requests: &Requests<'_>, found: &Shared) -> Diagnostic {
    let uses =
        found.uses.iter().map(|span| Step { span: *span, message: "is sent with the same key".to_owned() });
    let start = Step { span: found.span, message: "gives the client its key".to_owned() };
    Diagnostic {
        rule: INFO.id,
        code: INFO.code,
        severity: Severity::Warning,
        certainty: Certainty::Proven,
        message: format!(
            "this client sends one key with {}: all but the first are taken for repetitions of it",
            found.with
        ),
        primary: found.span,
        labels: vec![Label { span: found.span, text: "one key for all requests".to_owned() }],
        formula: None,
        identity: place::identity(requests.world, found.function, found.span, "client"),
        fingerprint: String::new(),
        trace: std::iter::once(start).chain(uses).collect(),
        help: "give each request its own key: clone the client for one call, or set the key on the request"
            .to_owned(),
        fixes: Vec::new(),
    }
}
