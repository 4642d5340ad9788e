//! The words without which no key is used.

use std::collections::BTreeSet;

use samekey_catalogue as catalogue;
use samekey_catalogue::{Language, Level, Pattern, derive};

use super::Facts;
use crate::config::Config;
use crate::load::{SinkWords, Word, WordRow};

/// The words of the catalogue and of the configuration.
pub fn sink_words(config: &Config) -> SinkWords {
    let mut rows = Vec::new();
    let configured = super::configured::Configured::new(config, &mut rows);
    let names = super::names::Names::new(&mut rows);
    let sinks =
        catalogue::sinks().iter().filter(|sink| sink.language != Language::Java && sink.level != Level::Off);
    let mut rows: Vec<WordRow> =
        sinks.flat_map(|sink| sink.words.iter().flat_map(|set| word_rows(sink.patterns, set))).collect();
    rows.extend(names.sink_names().map(|name| WordRow::single(Word::exact(name))));
    rows.extend(configured.sink_names().into_iter().map(|name| WordRow::single(Word::exact(name))));
    rows.extend(configured.header_names().map(|name| WordRow::single(Word::header(name))));
    rows.extend(derive_words().rows);
    SinkWords { rows, others: operation_words() }
}

/// The words without which no type derives its key.
pub fn derive_words() -> SinkWords {
    let anchor = Word::exact(format!("{}(", derive::ATTRIBUTE));
    let row = WordRow { anchor, context: vec![Word::exact(derive::CRATE)] };
    SinkWords { rows: vec![row], others: Vec::new() }
}

/// The words of calls that move money. The crate or host of a provider has to occur as well, in whatever file.
fn operation_words() -> Vec<WordRow> {
    let mut rows = Vec::new();
    for row in catalogue::operations().iter().filter(|row| row.language != Language::Java) {
        for pattern in row.patterns {
            let (Pattern::Call { path, .. } | Pattern::Type { path }) = *pattern else { continue };
            let mut names = path.rsplit("::");
            let last = names.next().unwrap_or(path);
            let anchor = match (pattern, names.next()) {
                (Pattern::Call { .. }, Some(owner)) => format!("{owner}::{last}"),
                _ => last.to_owned(),
            };
            let package = path.split("::").next().unwrap_or(path);
            rows.push(WordRow { anchor: Word::exact(anchor), context: vec![Word::exact(package)] });
        }
        let hosts = catalogue::provider(row.provider).map_or(&[][..], |provider| provider.hosts);
        for (path, host) in row.posts.iter().flat_map(|path| hosts.iter().map(move |host| (path, host))) {
            // What a caller writes after a base that may hold the version.
            let last = path.rsplit('/').next().unwrap_or(path);
            let written = format!("/{last}");
            rows.push(WordRow { anchor: Word::exact(written), context: vec![Word::exact(*host)] });
        }
    }
    // The variants alone, such as `Retry`, say too little.
    let retries = catalogue::strategies().iter().filter(|row| !row.feature.is_empty());
    let owners: BTreeSet<&str> = retries.filter_map(|row| row.paths.first()?.rsplit("::").nth(1)).collect();
    rows.extend(owners.into_iter().map(|owner| WordRow::single(Word::exact(owner))));
    rows
}

/// The set as rows: the word that a pattern's own name holds is where the key is set. It is looked for as the patterns
/// spell it; only headers and SQL are written in any case.
fn word_rows(patterns: &[Pattern], set: &[&str]) -> Vec<WordRow> {
    let spelt_in = |word: &str| -> BTreeSet<&'static str> {
        patterns.iter().filter_map(|pattern| spelling(pattern_name(pattern), word)).collect()
    };
    let Some(anchor) = set.iter().find(|word| !spelt_in(word).is_empty()).or_else(|| set.last()) else {
        return Vec::new();
    };
    let context: Vec<Word> =
        set.iter().filter(|word| *word != anchor).map(|word| Word::header(*word)).collect();
    let any_case =
        patterns.iter().any(|pattern| matches!(pattern, Pattern::Header { .. } | Pattern::Sql { .. }));
    let exact = spelt_in(anchor);
    let anchors: Vec<Word> = match any_case || exact.is_empty() {
        true => vec![Word::header(*anchor)],
        false => exact.into_iter().map(Word::exact).collect(),
    };
    anchors.into_iter().map(|anchor| WordRow { anchor, context: context.clone() }).collect()
}

/// How a name spells a word that it holds.
fn spelling(name: &'static str, word: &str) -> Option<&'static str> {
    let start = name.to_ascii_lowercase().find(word)?;
    name.get(start..start + word.len())
}

fn pattern_name(pattern: &Pattern) -> &'static str {
    match *pattern {
        Pattern::Call { path, .. } | Pattern::Macro { path, .. } | Pattern::Type { path } => {
            path.rsplit("::").next().unwrap_or(path)
        }
        Pattern::Method { name, .. }
        | Pattern::Field { name, .. }
        | Pattern::Header { name }
        | Pattern::Key { name }
        | Pattern::Env { name } => name,
        Pattern::Sql { word } => word,
    }
}

impl Facts<'_> {
    /// Names of configured sinks.
    pub fn configured_sinks(&self) -> Vec<String> {
        self.configured.sink_names()
    }
}
