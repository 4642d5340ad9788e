//! What a lock service hands out in the key.

use super::case::Case;
use super::classify::Topic;
use super::message;
use super::remedy::{self, Scope};
use super::rule::Rule;
use crate::report::RuleInfo;

/// The rule.
pub const RULE: Rule = Rule {
    info: RuleInfo {
        id: "fence-in-key",
        code: "SK006",
        summary: "a fencing token, a lock value or a lease is part of the key",
        page: include_str!("../../docs/rules/fence-in-key.md"),
    },
    topic: Topic::Fence,
    message: message::sentence,
    advice,
};

fn advice(_case: &Case<'_>, scope: &Scope) -> String {
    format!("the lock decides who may do it, the key says what is done: {}", remedy::derive(scope))
}
