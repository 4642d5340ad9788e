//! What a rule is.

use super::case::Case;
use super::classify::Topic;
use super::remedy::Scope;
use crate::report::RuleInfo;

/// A rule about values that flow into a key slot. Which flow is whose business is decided by its [`Topic`].
pub struct Rule {
    /// Id, code, summary and page.
    pub info: RuleInfo,
    /// What the flows are about.
    pub topic: Topic,
    /// The sentence of a finding.
    pub message: fn(&Case<'_>) -> String,
    /// The advice that fits this rule; what fits all of them follows it.
    pub advice: fn(&Case<'_>, &Scope) -> String,
}
