//! A fresh value only when the caller gave none.

use super::case::Case;
use super::classify::Topic;
use super::message;
use super::remedy::{self, Scope};
use super::rule::Rule;
use crate::report::RuleInfo;

/// The rule.
pub const RULE: Rule = Rule {
    info: RuleInfo {
        id: "random-fallback",
        code: "SK012",
        summary: "the key is made up when the caller gives none",
        page: include_str!("../../docs/rules/random-fallback.md"),
    },
    topic: Topic::Fallback,
    message,
    advice,
};

fn message(case: &Case<'_>) -> String {
    format!(
        "{} is the key when none was given: each retry without a key is {} for {}",
        message::quoted(case),
        message::effect(case),
        message::receiver(case)
    )
}

fn advice(_case: &Case<'_>, scope: &Scope) -> String {
    format!("refuse a call without a key, or {} where the caller gives none", remedy::derive(scope))
}
