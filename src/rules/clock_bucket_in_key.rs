//! A period that is computed when the key is made.

use super::case::Case;
use super::classify::Topic;
use super::message;
use super::remedy::Scope;
use super::rule::Rule;
use crate::flow::value::Flags;
use crate::report::RuleInfo;

/// The rule.
pub const RULE: Rule = Rule {
    info: RuleInfo {
        id: "clock-bucket-in-key",
        code: "SK011",
        summary: "the key holds a period that is computed from the clock",
        page: include_str!("../../docs/rules/clock-bucket-in-key.md"),
    },
    topic: Topic::Bucket,
    message,
    advice,
};

fn message(case: &Case<'_>) -> String {
    if case.flags.has(Flags::SHORT_BUCKET) {
        return format!(
            "the period is computed from {}, which moves on between two tries: a retry is {} for {}",
            message::quoted(case),
            message::effect(case),
            message::receiver(case)
        );
    }
    format!(
        "the period is computed from {} when the key is made: a retry after the boundary is {} for {}",
        message::quoted(case),
        message::effect(case),
        message::receiver(case)
    )
}

fn advice(_case: &Case<'_>, _scope: &Scope) -> String {
    "take the period from the invoice, the job or the schedule, where it was fixed when the work was planned; a run \
     that is repeated after the boundary then names the same period"
        .to_owned()
}
