//! The order of a map, the seed of a hasher, an address or a derived format in the key.

use super::case::Case;
use super::classify::Topic;
use super::message;
use super::remedy::{self, Scope};
use super::rule::Rule;
use crate::report::RuleInfo;

/// The rule.
pub const RULE: Rule = Rule {
    info: RuleInfo {
        id: "unstable-encoding-in-key",
        code: "SK010",
        summary: "the text or hash in the key is not the same for the same value",
        page: include_str!("../../docs/rules/unstable-encoding-in-key.md"),
    },
    topic: Topic::Encoding,
    message: message::sentence,
    advice,
};

fn advice(case: &Case<'_>, scope: &Scope) -> String {
    let how = match case.row.as_str() {
        row if row.contains("order") || row.contains("iteration") => {
            "sort the entries first, for example by collecting them into a `BTreeMap`"
        }
        row if row.contains("debug") => "write the fields one by one with `{}` instead of `{:?}`",
        row if row.contains("pointer") || row.contains("address") => {
            "an address says where a value lies and not what it is: write its fields"
        }
        row if row.contains("hash") => "use a specified hash such as SHA-256",
        _ => "write the fields in a format that is fixed",
    };
    format!("{how}; or {}", remedy::derive(scope))
}
