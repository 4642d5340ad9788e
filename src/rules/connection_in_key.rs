//! What identifies a connection in the key.

use super::case::Case;
use super::classify::Topic;
use super::message;
use super::remedy::{self, Scope};
use super::rule::Rule;
use crate::report::RuleInfo;

/// The rule.
pub const RULE: Rule = Rule {
    info: RuleInfo {
        id: "connection-in-key",
        code: "SK004",
        summary: "a channel, a connection or an address is part of the key",
        page: include_str!("../../docs/rules/connection-in-key.md"),
    },
    topic: Topic::Connection,
    message: message::sentence,
    advice,
};

fn advice(_case: &Case<'_>, scope: &Scope) -> String {
    format!("leave the connection out, it says who asks and not what is asked for: {}", remedy::derive(scope))
}
