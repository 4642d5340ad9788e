//! The sentences of a finding.

use samekey_catalogue::{ChangesOn, Family, Pattern};

use super::case::{Case, Slot};

/// Who receives the key, fit after "for".
pub fn receiver(case: &Case<'_>) -> &'static str {
    match case.provider() {
        Some(provider) => provider.name,
        None => match case.strongest().info.family {
            Family::Message => "the broker",
            Family::Workflow => "the engine",
            Family::InHouse => "whoever deduplicates by it",
            _ => "the provider",
        },
    }
}

/// What a second key causes, with its article.
pub fn effect(case: &Case<'_>) -> &'static str {
    match case.strongest().info.family {
        Family::Payment | Family::Generic => "a new charge",
        Family::Banking => "a new transfer",
        Family::Crypto => "a new transaction",
        Family::Usage => "a second usage record",
        Family::Message => "a new message",
        Family::Email => "a second e-mail",
        Family::Cloud => "a second resource",
        Family::Workflow => "a second run",
        Family::InHouse => "a new operation",
    }
}

/// The source as code, in backticks.
pub fn quoted(case: &Case<'_>) -> String {
    format!("`{}`", case.symbol.replace('`', "'"))
}

/// When the value changes, fit after the source.
pub fn changes(case: &Case<'_>) -> String {
    match (case.source.changes_on, case.user()) {
        (ChangesOn::Call, Some(user)) => format!("is new at each call of `{user}`"),
        (ChangesOn::Call, None) => "is new at each call".to_owned(),
        (ChangesOn::Reconnect, _) => "is another one after each reconnect".to_owned(),
        (ChangesOn::Redelivery, _) => "is another one at each delivery of the same message".to_owned(),
        (ChangesOn::Resend, _) => "is another one when the producer sends the message again".to_owned(),
        (ChangesOn::Acquire, _) => "is another one at each lock acquisition".to_owned(),
        (ChangesOn::Attempt, _) => "is another one at each attempt".to_owned(),
        (ChangesOn::Restart, _) => "is another one in each process".to_owned(),
        (ChangesOn::Host, _) => "is another one on each host".to_owned(),
        (ChangesOn::Boundary, _) => "is another one once the period ends".to_owned(),
        (ChangesOn::Deploy, _) => "may be another one after a deploy or an upgrade".to_owned(),
        (ChangesOn::Thread, _) => "is another one on each thread or task".to_owned(),
        (ChangesOn::Statement, _) => "is new in each SQL statement".to_owned(),
        (ChangesOn::Iteration, _) => "may be in another order each time".to_owned(),
    }
}

/// Who makes the second operation.
fn actor(case: &Case<'_>) -> &'static str {
    match case.source.changes_on {
        ChangesOn::Call | ChangesOn::Statement | ChangesOn::Iteration => "a retry",
        ChangesOn::Reconnect => "a retry after a reconnect",
        ChangesOn::Redelivery => "a redelivery",
        ChangesOn::Resend => "a message that is sent again",
        ChangesOn::Acquire => "the next holder of the lock",
        ChangesOn::Attempt => "the next attempt",
        ChangesOn::Restart => "a retry after a restart",
        ChangesOn::Host => "a retry on another host",
        ChangesOn::Boundary => "a retry in the next period",
        ChangesOn::Deploy => "a retry after it",
        ChangesOn::Thread => "a retry on another thread",
    }
}

/// The sentence that most rules use: what changes when, and what follows.
pub fn sentence(case: &Case<'_>) -> String {
    let verb = match case.source.changes_on {
        ChangesOn::Acquire => "makes",
        _ => "is",
    };
    format!(
        "{} {}: {} {verb} {} for {}",
        quoted(case),
        changes(case),
        actor(case),
        effect(case),
        receiver(case)
    )
}

/// A key slot in words: `the Idempotency-Key header`.
pub fn slot(slot: Slot<'_>) -> String {
    if let Some(identity) = &slot.info.identity {
        return format!("the identity field `{}` of `{}`", slot.sink.name, identity.owner);
    }
    let patterns = slot.info.row.map_or(&[][..], |row| row.patterns);
    let header = patterns.iter().find_map(|pattern| match pattern {
        Pattern::Header { name } => Some(title_case(name)),
        _ => None,
    });
    match header {
        Some(header) => format!("the {header} header"),
        None if slot.info.row.is_none() => format!("the key `{}`", slot.sink.name),
        None if slot.sink.name.is_empty() => "the key".to_owned(),
        None => format!("`{}`", slot.sink.name),
    }
}

fn title_case(header: &str) -> String {
    let word = |word: &str| {
        let mut chars = word.chars();
        chars.next().map(|first| first.to_uppercase().chain(chars).collect::<String>()).unwrap_or_default()
    };
    header.split('-').map(word).collect::<Vec<_>>().join("-")
}
