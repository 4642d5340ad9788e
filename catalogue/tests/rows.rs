//! Every row is complete, refers to what exists and shows what it matches.

use std::collections::HashSet;
use std::fmt::Debug;

use samekey_catalogue::derive::{PERSISTED_TYPES, REFUSED_NAMES, REFUSED_TYPES};
use samekey_catalogue::{
    Language, Level, NameRole, Pattern, Sink, contexts, digest, digests, name_rules, operations, provider,
    providers, safes, sinks, sources,
};

fn assert_unique(ids: impl Iterator<Item = &'static str>) {
    let mut seen = HashSet::new();
    for id in ids {
        assert!(seen.insert(id), "{id} is there twice");
        let kebab = id.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'));
        assert!(kebab, "{id} is not kebab-case");
    }
    assert!(!seen.is_empty());
}

#[test]
fn ids_are_unique() {
    assert_unique(sources().iter().map(|row| row.id));
    assert_unique(sinks().iter().map(|row| row.id));
    assert_unique(safes().iter().map(|row| row.id));
    assert_unique(contexts().iter().map(|row| row.id));
    assert_unique(operations().iter().map(|row| row.id));
    assert_unique(providers().iter().map(|row| row.id));
    assert_unique(name_rules().iter().map(|row| row.id));
}

/// The text that an example of this pattern must contain.
fn shown(pattern: &Pattern) -> &'static str {
    match pattern {
        Pattern::Call { path, .. } | Pattern::Macro { path, .. } | Pattern::Type { path } => {
            let path = path.strip_suffix(".<init>").unwrap_or(path);
            path.rsplit([':', '.']).next().unwrap_or(path)
        }
        Pattern::Method { name, .. }
        | Pattern::Field { name, .. }
        | Pattern::Key { name }
        | Pattern::Env { name } => name,
        // A vendor's name stands for the star.
        Pattern::Header { name } => name.trim_start_matches('*'),
        Pattern::Sql { word } => word.trim_end_matches('('),
    }
}

fn check_row(row: &dyn Debug, patterns: &[Pattern], examples: &[&str], lookalikes: &[&str], evidence: &str) {
    assert!(!evidence.is_empty(), "no evidence: {row:?}");
    assert!(!patterns.is_empty(), "no pattern: {row:?}");
    assert!(!lookalikes.is_empty(), "no look-alike: {row:?}");
    assert!(lookalikes.iter().all(|text| !examples.contains(text)), "both ways: {row:?}");
    for pattern in patterns {
        let name = shown(pattern).to_ascii_lowercase();
        let seen = examples.iter().any(|example| {
            let example = example.to_ascii_lowercase();
            // `{:?}` and `{:p}` stand for the formatting traits.
            example.contains(&name) || name == "fmt" && example.contains("{value:")
        });
        assert!(seen, "no example shows {pattern:?} of {row:?}");
    }
}

#[test]
fn rows_show_what_they_match() {
    for row in sources() {
        check_row(row, row.patterns, row.examples, row.lookalikes, row.evidence);
    }
    for row in sinks() {
        check_row(row, row.patterns, row.examples, row.lookalikes, row.evidence);
    }
    for row in safes() {
        check_row(row, row.patterns, row.examples, row.lookalikes, row.evidence);
    }
}

#[test]
fn a_sink_names_a_known_provider() {
    for row in sinks() {
        let known = row.provider.is_empty() || provider(row.provider).is_some();
        assert!(known, "{} names {}", row.id, row.provider);
    }
    for row in operations() {
        assert!(provider(row.provider).is_some(), "{} names {}", row.id, row.provider);
        let header = provider(row.provider).and_then(|provider| provider.header);
        let by_header = header.is_some() && !row.posts.is_empty();
        assert!(by_header || !row.keyed_by.is_empty(), "{}", row.id);
    }
}

/// A file that holds a sink must pass its pre-filter.
#[test]
fn examples_of_a_sink_pass_its_words() {
    let reported = |row: &&Sink| row.language != Language::Java && row.level > Level::Off;
    for row in sinks().iter().filter(reported) {
        assert!(!row.words.is_empty(), "{} has no words", row.id);
        for example in row.examples {
            let text = example.to_ascii_lowercase();
            let mut lists = row.words.iter();
            // Words of a host or crate stand elsewhere in the file.
            let passes = lists.any(|words| words.iter().any(|word| text.contains(word)));
            assert!(passes, "{} does not find {example}", row.id);
        }
    }
}

#[test]
fn words_are_lower_case_and_not_common() {
    for row in sinks() {
        for words in row.words {
            for word in *words {
                assert!(!word.bytes().any(|byte| byte.is_ascii_uppercase()), "{}: {word}", row.id);
            }
            let longest = words.iter().map(|word| word.len()).max().unwrap_or(0);
            assert!(words.len() > 1 || longest >= 6, "{}: {words:?} is too common", row.id);
        }
    }
}

#[test]
fn headers_are_lower_case() {
    let tables = [
        sources().iter().flat_map(|row| row.patterns).collect::<Vec<_>>(),
        sinks().iter().flat_map(|row| row.patterns).collect(),
        safes().iter().flat_map(|row| row.patterns).collect(),
    ];
    for pattern in tables.into_iter().flatten() {
        if let Pattern::Header { name } | Pattern::Sql { word: name } = pattern {
            assert_eq!(*name, name.to_ascii_lowercase());
        }
    }
}

#[test]
fn a_name_is_never_an_error_and_has_one_meaning() {
    let mut seen = HashSet::new();
    for rule in name_rules() {
        assert!(rule.level < Level::Error, "{}", rule.id);
        let source = matches!(rule.role, NameRole::Source | NameRole::SourceFunction);
        assert_eq!(rule.kind.is_some(), source, "{}", rule.id);
        for name in rule.snake {
            assert!(seen.insert((place(rule.role), *name)), "{name} is in two rules");
        }
    }
}

/// Names of fields and names of functions are looked up apart.
fn place(role: NameRole) -> &'static str {
    match role {
        NameRole::SinkFunction | NameRole::SourceFunction => "function",
        NameRole::Context => "context",
        NameRole::Sink => "slot",
        NameRole::Personal | NameRole::Secret => "content",
        NameRole::Source | NameRole::Safe | NameRole::Exclude | NameRole::Test => "value",
    }
}

#[test]
fn providers_are_consistent() {
    for row in providers() {
        assert!(!row.evidence.is_empty() && !row.retention.is_empty(), "{}", row.id);
        let own = row.header.map(str::to_ascii_lowercase);
        assert!(
            row.ignores
                .iter()
                .all(|name| own.as_deref() != Some(*name) && *name == name.to_ascii_lowercase())
        );
        assert!(row.min_len.unwrap_or(0) <= row.max_len.unwrap_or(u16::MAX), "{}", row.id);
    }
}

#[test]
fn digests_are_unique_and_have_bits() {
    assert_unique(digests().iter().map(|row| row.name));
    let mut seen = HashSet::new();
    for row in digests() {
        assert!(row.bits > 0 && !row.evidence.is_empty(), "{}", row.name);
        assert!(!row.types.is_empty() || !row.calls.is_empty() || !row.methods.is_empty(), "{}", row.name);
        for path in row.types.iter().chain(row.calls).chain(row.methods) {
            assert!(seen.insert(path), "{path} twice");
        }
    }
    assert_eq!(digest("sha256").map(|row| row.bits), Some(256));
}

#[test]
fn refused_types_and_names_are_unique_and_advised() {
    let types = REFUSED_TYPES.iter().chain(PERSISTED_TYPES);
    let mut seen = HashSet::new();
    for refused in types {
        assert!(seen.insert(refused.name), "{} twice", refused.name);
        assert!(!refused.paths.is_empty() && !refused.advice.is_empty(), "{}", refused.name);
        for path in refused.paths {
            assert_eq!(path.rsplit("::").next(), Some(refused.name), "{path}");
        }
    }
    let mut names = HashSet::new();
    for refused in REFUSED_NAMES {
        assert!(names.insert(refused.name), "{} twice", refused.name);
        assert!(!refused.advice.is_empty(), "{}", refused.name);
    }
    assert!(names.contains("fence_token") && seen.contains("Uuid"));
}
