//! A generated identifier in the key.

use super::case::Case;
use super::classify::Topic;
use super::message;
use super::remedy::{self, Scope};
use super::rule::Rule;
use crate::report::RuleInfo;

/// The rule.
pub const RULE: Rule = Rule {
    info: RuleInfo {
        id: "uuid-in-key",
        code: "SK001",
        summary: "a fresh UUID, ULID or other generated id is part of the key",
        page: include_str!("../../docs/rules/uuid-in-key.md"),
    },
    topic: Topic::Uuid,
    message: message::sentence,
    advice,
};

fn advice(_case: &Case<'_>, scope: &Scope) -> String {
    remedy::derive(scope)
}
