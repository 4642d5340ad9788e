//! The pages that show the catalogue, written from its tables. Rows for languages that are not analysed are left out.

use std::collections::BTreeSet;

use samekey_catalogue::{
    Charset, Effect, Family, Language, Level, Pattern, Provider, Sink, SourceKind, UuidRule, provider,
    providers, safes, sinks, sources,
};

use super::table;

/// File names in `docs/catalogue/` with their texts.
pub fn tables() -> [(&'static str, String); 4] {
    [
        ("providers.md", providers_page()),
        ("sinks.md", sinks_page()),
        ("sources.md", sources_page()),
        ("safe.md", safe_page()),
    ]
}

fn page(title: &str, file: &str, about: &str) -> String {
    format!(
        "# {title}\n\n{about} Written from `catalogue/data/{file}`, where the evidence of each row stands; \
         [The catalogue](../catalogue.md) says how to add one.\n"
    )
}

fn is_shown(language: Language) -> bool {
    language != Language::Java
}

fn providers_page() -> String {
    let about = "What providers accept as a key, and for how long they remember one. After that time an equal key \
                 protects nothing. An empty cell means that the provider publishes no limit.";
    let rows = providers().iter().map(|row| {
        let name = match row.header {
            Some(header) => format!("{} (`{header}`)", row.name),
            None => row.name.to_owned(),
        };
        vec![name, shape(row), row.retention.to_owned(), row.replays.to_owned()]
    });
    page("Providers", "providers.toml", about)
        + "\n"
        + &table(&["provider", "key", "remembered", "an equal key"], rows)
}

/// What a key has to look like.
fn shape(row: &Provider) -> String {
    let length = match (row.min_len.filter(|min| *min > 1), row.max_len) {
        (Some(min), Some(max)) if min == max => format!("{max} characters"),
        (Some(min), Some(max)) => format!("{min} to {max} characters"),
        (None, Some(max)) => format!("at most {max} characters"),
        (Some(min), None) => format!("at least {min} characters"),
        (None, None) => String::new(),
    };
    let charset = match row.charset {
        Charset::Any => "",
        Charset::PrintableAscii => "printable ASCII",
        Charset::AsciiNoSpace => "ASCII without spaces",
        Charset::AlphanumericDashSpace => "letters, digits, hyphen, underscore, space",
        Charset::AlphanumericDash => "letters, digits, hyphen",
        Charset::DnsLabel => "lower-case letters, digits, hyphen",
        Charset::UuidText => "text of a UUID",
        Charset::Digits => "digits",
    };
    let uuid = match row.uuid {
        UuidRule::Any => "",
        UuidRule::Required if row.charset == Charset::UuidText => "",
        UuidRule::Required => "any UUID",
        UuidRule::V4 => "UUID version 4",
        UuidRule::V7 => "UUID version 7",
        UuidRule::Recommended => "a UUID is advised",
    };
    let parts = [length.as_str(), charset, uuid];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}

fn sinks_page() -> String {
    let about = "Places where a key is used. The level is the highest that a finding there can have.";
    let mut text = page("Key slots", "sinks.toml", about);
    for (family, title) in [
        (Family::Payment, "Payments"),
        (Family::Usage, "Usage and metering"),
        (Family::Banking, "Banks"),
        (Family::Crypto, "Wallets and chains"),
        (Family::Message, "Messages"),
        (Family::Email, "Mail"),
        (Family::Cloud, "Cloud resources"),
        (Family::Workflow, "Workflows and jobs"),
        (Family::InHouse, "Tables and names of your own"),
        (Family::Generic, "Shared by several kinds"),
    ] {
        let shown = |row: &&Sink| row.family == family && row.level != Level::Off && is_shown(row.language);
        let rows: Vec<Vec<String>> = sinks()
            .iter()
            .filter(shown)
            .map(|row| {
                let named = provider(row.provider).map_or("", |provider| provider.name);
                vec![
                    spelled(row.patterns),
                    named.to_owned(),
                    row.level.as_str().to_owned(),
                    row.note.to_owned(),
                ]
            })
            .collect();
        if !rows.is_empty() {
            text += &format!("\n## {title}\n\n{}", table(&["slot", "provider", "level", "note"], rows));
        }
    }
    text
}

fn sources_page() -> String {
    let about = "Expressions whose value differs between two executions of one intent. The level is that of a finding \
                 where the value reaches the key of a payment on every path.";
    let mut text = page("Sources", "sources.toml", about);
    for (kind, title) in [
        (SourceKind::Uuid, "Fresh identifiers"),
        (SourceKind::Clock, "Clocks"),
        (SourceKind::Bucket, "Periods from the clock"),
        (SourceKind::Random, "Random numbers"),
        (SourceKind::Connection, "Connections and channels"),
        (SourceKind::Member, "Hosts, processes, members"),
        (SourceKind::Fence, "Locks, leases, fencing tokens"),
        (SourceKind::Sequence, "Delivery tags and sequences"),
        (SourceKind::Attempt, "Attempts"),
        (SourceKind::Request, "Requests and traces"),
        (SourceKind::Encoding, "Orders and encodings"),
        (SourceKind::Mutable, "Values that are updated"),
    ] {
        let rows: Vec<Vec<String>> = sources()
            .iter()
            .filter(|row| row.kind == kind && is_shown(row.language))
            .map(|row| {
                let level = row.level.as_str().to_owned();
                vec![spelled(row.patterns), row.changes_on.phrase().to_owned(), level, row.note.to_owned()]
            })
            .collect();
        if !rows.is_empty() {
            text += &format!("\n## {title}\n\n{}", table(&["expression", "changes", "level", "note"], rows));
        }
    }
    text
}

fn safe_page() -> String {
    let about = "Calls that decide how stable a value is afterwards.";
    let mut text = page("What makes a value stable", "safe.toml", about);
    for (effect, title) in [
        (Effect::Clears, "The result is stable, whatever went in"),
        (Effect::ClearsOrder, "What had no order has one"),
        (Effect::WeakensToBucket, "A clock becomes a period"),
        (Effect::NotDurable, "Looks like a store and forgets"),
        (Effect::Propagates, "As stable as what went in"),
        (Effect::Hash, "Digests: as stable as what went in"),
        (Effect::Encode, "Encodings: as stable as what went in"),
    ] {
        let rows: Vec<Vec<String>> = safes()
            .iter()
            .filter(|row| row.effect == effect && is_shown(row.language))
            .map(|row| vec![spelled(row.patterns), row.note.to_owned()])
            .collect();
        if !rows.is_empty() {
            text += &format!("\n## {title}\n\n{}", table(&["call", "note"], rows));
        }
    }
    text
}

/// Patterns as a reader of code would write them. Of several public paths of one item the first is shown.
fn spelled(patterns: &[Pattern]) -> String {
    let mut known = BTreeSet::new();
    let mut spelled = Vec::new();
    for text in patterns.iter().flat_map(spelling) {
        let mut ends = text.rsplit("::");
        let (last, owner) = (ends.next().unwrap_or_default(), ends.next().unwrap_or_default());
        if known.insert(format!("{owner}::{last}")) {
            spelled.push(format!("`{text}`"));
        }
    }
    spelled.join(", ")
}

fn spelling(pattern: &Pattern) -> Vec<String> {
    let on = |types: &[&str], rest: String| match types {
        [] => vec![format!("_{rest}")],
        types => types.iter().map(|name| format!("{name}{rest}")).collect(),
    };
    match pattern {
        Pattern::Call { path, .. } => vec![format!("{path}()")],
        Pattern::Method { receivers, name, .. } => on(receivers, format!(".{name}()")),
        Pattern::Field { owners, name } => on(owners, format!(".{name}")),
        Pattern::Macro { path, .. } => vec![format!("{path}!")],
        Pattern::Type { path } => vec![(*path).to_owned()],
        Pattern::Header { name } => vec![format!("{name}:")],
        Pattern::Key { name } => vec![format!("\"{name}\"")],
        Pattern::Env { name } => vec![format!("${name}")],
        Pattern::Sql { word } => vec![format!("SQL {word}")],
    }
}
