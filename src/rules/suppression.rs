//! What is said about suppressions. They are found by `crate::suppress`; here stand their names and pages.

use crate::report::RuleInfo;

/// A suppression that suppresses nothing.
pub const UNUSED_SUPPRESSION: RuleInfo = RuleInfo {
    id: "unused-suppression",
    code: "SK301",
    summary: "a comment suppresses a finding that is not there",
    page: include_str!("../../docs/rules/unused-suppression.md"),
};

/// A suppression without a rule or a reason, with an unknown rule, or with a mistake in its form.
pub const INVALID_SUPPRESSION: RuleInfo = RuleInfo {
    id: "invalid-suppression",
    code: "SK302",
    summary: "a suppression that names no known rule, gives no reason or is misspelt",
    page: include_str!("../../docs/rules/invalid-suppression.md"),
};
