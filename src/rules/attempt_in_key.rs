//! A count of tries in the key.

use super::case::Case;
use super::classify::Topic;
use super::message;
use super::remedy::{self, Scope};
use super::rule::Rule;
use crate::report::RuleInfo;

/// The rule.
pub const RULE: Rule = Rule {
    info: RuleInfo {
        id: "attempt-in-key",
        code: "SK008",
        summary: "the number of the attempt is part of the key",
        page: include_str!("../../docs/rules/attempt-in-key.md"),
    },
    topic: Topic::Attempt,
    message,
    advice,
};

fn message(case: &Case<'_>) -> String {
    let what =
        if case.row == "loop-index" { "the number of the try".to_owned() } else { message::quoted(case) };
    format!(
        "{what} is part of the key: the next attempt is {} for {}",
        message::effect(case),
        message::receiver(case)
    )
}

fn advice(_case: &Case<'_>, scope: &Scope) -> String {
    format!(
        "{}; a timeout, a connection error, 409, 429 or 5xx is retried with the same key, and only after a definite \
         decline a new key is right: from an attempt number that is stored, and bumped when the decline is recorded",
        remedy::derive(scope)
    )
}
