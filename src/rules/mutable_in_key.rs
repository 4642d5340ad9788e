//! Columns, versions and aggregates that change between two tries in the key.

use super::case::Case;
use super::classify::Topic;
use super::message;
use super::remedy::{self, Scope};
use super::rule::Rule;
use crate::report::RuleInfo;

/// The rule.
pub const RULE: Rule = Rule {
    info: RuleInfo {
        id: "mutable-in-key",
        code: "SK013",
        summary: "the key holds something that changes between two attempts",
        page: include_str!("../../docs/rules/mutable-in-key.md"),
    },
    topic: Topic::Mutable,
    message,
    advice,
};

fn message(case: &Case<'_>) -> String {
    format!(
        "{} may change between two attempts: the second is then {} for {}",
        message::quoted(case),
        message::effect(case),
        message::receiver(case)
    )
}

fn advice(_case: &Case<'_>, scope: &Scope) -> String {
    format!("use what never changes for this operation: {}", remedy::derive(scope))
}
