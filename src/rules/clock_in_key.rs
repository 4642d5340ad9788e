//! The wall clock or a monotonic clock in the key.

use super::case::Case;
use super::classify::Topic;
use super::message;
use super::remedy::{self, Scope};
use super::rule::Rule;
use crate::report::RuleInfo;

/// The rule.
pub const RULE: Rule = Rule {
    info: RuleInfo {
        id: "clock-in-key",
        code: "SK002",
        summary: "the time at which the key is made is part of it",
        page: include_str!("../../docs/rules/clock-in-key.md"),
    },
    topic: Topic::Clock,
    message: message::sentence,
    advice,
};

fn advice(_case: &Case<'_>, scope: &Scope) -> String {
    format!(
        "{}; a time that belongs to the operation (due date, stored creation time) may stay in",
        remedy::derive(scope)
    )
}
