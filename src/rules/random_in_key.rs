//! Random numbers in the key.

use super::case::Case;
use super::classify::Topic;
use super::message;
use super::remedy::{self, Scope};
use super::rule::Rule;
use crate::report::RuleInfo;

/// The rule.
pub const RULE: Rule = Rule {
    info: RuleInfo {
        id: "random-in-key",
        code: "SK003",
        summary: "the output of a random number generator is part of the key",
        page: include_str!("../../docs/rules/random-in-key.md"),
    },
    topic: Topic::Random,
    message: message::sentence,
    advice,
};

fn advice(_case: &Case<'_>, scope: &Scope) -> String {
    remedy::derive(scope)
}
