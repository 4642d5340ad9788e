//! What identifies the machine or process that does the work in the key.

use samekey_catalogue::SourceKind;

use super::case::Case;
use super::classify::Topic;
use super::message;
use super::remedy::{self, Scope};
use super::rule::Rule;
use crate::report::RuleInfo;

/// The rule.
pub const RULE: Rule = Rule {
    info: RuleInfo {
        id: "member-in-key",
        code: "SK005",
        summary: "a host, a process, a thread or a cluster member is part of the key",
        page: include_str!("../../docs/rules/member-in-key.md"),
    },
    topic: Topic::Member,
    message,
    advice,
};

fn message(case: &Case<'_>) -> String {
    let from_static = case.function.is_none() && case.site.is_some();
    if from_static && matches!(case.source.kind, SourceKind::Uuid | SourceKind::Random | SourceKind::Clock) {
        return format!(
            "{} in a static is another value in each process: a retry after a restart is {} for {}",
            message::quoted(case),
            message::effect(case),
            message::receiver(case)
        );
    }
    message::sentence(case)
}

fn advice(_case: &Case<'_>, scope: &Scope) -> String {
    format!("leave it out, it says who does the work and not what is done: {}", remedy::derive(scope))
}
