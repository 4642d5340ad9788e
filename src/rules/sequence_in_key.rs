//! Numbers that a broker or a counter gives in the key.

use super::case::Case;
use super::classify::Topic;
use super::message;
use super::remedy::{self, Scope};
use super::rule::Rule;
use crate::report::RuleInfo;

/// The rule.
pub const RULE: Rule = Rule {
    info: RuleInfo {
        id: "sequence-in-key",
        code: "SK007",
        summary: "a delivery number, an offset or a counter is part of the key",
        page: include_str!("../../docs/rules/sequence-in-key.md"),
    },
    topic: Topic::Sequence,
    message: message::sentence,
    advice,
};

fn advice(_case: &Case<'_>, scope: &Scope) -> String {
    format!(
        "leave it out; everything in the key should come from the content of the message: {}",
        remedy::derive(scope)
    )
}
