//! Ids that are minted when a request arrives in the key.

use super::case::Case;
use super::classify::Topic;
use super::message;
use super::remedy::{self, Scope};
use super::rule::Rule;
use crate::report::RuleInfo;

/// The rule.
pub const RULE: Rule = Rule {
    info: RuleInfo {
        id: "request-in-key",
        code: "SK009",
        summary: "a trace, correlation, request or session id is part of the key",
        page: include_str!("../../docs/rules/request-in-key.md"),
    },
    topic: Topic::Request,
    message: message::sentence,
    advice,
};

fn advice(_case: &Case<'_>, scope: &Scope) -> String {
    format!("leave it out, a repeated request gets another one: {}", remedy::derive(scope))
}
