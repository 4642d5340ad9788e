//! A key in a header that the provider does not read.

use samekey_catalogue::{Level, Pattern, Provider, providers};

use super::case::{Slot, World};
use super::findings::identity;
use super::formula;
use super::host;
use super::repair;
use crate::report::{Certainty, Diagnostic, Label, RuleInfo, Severity, Step};

/// The rule. It reads the slots, not flows.
pub const INFO: RuleInfo = RuleInfo {
    id: "wrong-key-header",
    code: "SK106",
    summary: "the provider of the request reads the key from another header",
    page: include_str!("../../docs/rules/wrong-key-header.md"),
};

/// Header slots whose request goes to a provider that reads another header.
pub fn findings(world: &World<'_>) -> Vec<Diagnostic> {
    let slots = (0..).take(world.analysis.sinks.len()).filter_map(|id| world.slot(id));
    let mut found: Vec<Diagnostic> = Vec::new();
    for slot in slots {
        let told = found.iter().any(|known| known.primary == slot.sink.span);
        if !told && let Some(wrong) = judge(world, slot) {
            found.push(finding(world, slot, &wrong));
        }
    }
    found
}

/// A header and the one that the provider reads.
struct Wrong {
    header: String,
    right: &'static str,
    provider: &'static Provider,
}

fn judge(world: &World<'_>, slot: Slot<'_>) -> Option<Wrong> {
    if slot.info.configured || world.is_silent(slot.sink.function) || !world.may_be_primary(slot.sink.span) {
        return None;
    }
    let header = slot.sink.entry.as_ref()?;
    let row = slot.info.row?;
    if !row.patterns.iter().all(|pattern| matches!(pattern, Pattern::Header { .. })) {
        return None;
    }
    let lower = header.to_ascii_lowercase();
    let ignored = |provider: &&Provider| provider.ignores.contains(&lower.as_str());
    let provider = host::by_url(slot).or_else(|| providers().iter().find(ignored))?;
    let right = provider.header?;
    // A header of the same provider may be right for another of its interfaces.
    let other = row.provider != provider.id && row.level == Level::Error || ignored(&provider);
    let wrong = other && !header.eq_ignore_ascii_case(right);
    wrong.then(|| Wrong { header: header.to_string(), right, provider })
}

fn finding(world: &World<'_>, slot: Slot<'_>, wrong: &Wrong) -> Diagnostic {
    let Wrong { header, right, provider } = wrong;
    let severity = if world.is_example(slot.sink.span) { Severity::Note } else { Severity::Warning };
    Diagnostic {
        rule: INFO.id,
        code: INFO.code,
        severity,
        certainty: Certainty::Proven,
        message: format!(
            "{} ignores the header {header:?} and reads {right:?}: each retry is a new operation",
            provider.name
        ),
        primary: slot.sink.span,
        labels: vec![Label { span: slot.sink.span, text: "a key that nobody reads".to_owned() }],
        formula: formula::text(world, &slot.sink.term, slot.sink.function, &|_| false),
        identity: identity(world, slot, header),
        fingerprint: String::new(),
        trace: vec![Step { span: slot.sink.span, message: format!("sent in the header {header:?}") }],
        help: format!("send the key in the header {right:?}"),
        fixes: repair::header(world, slot, header, right).into_iter().collect(),
    }
}
