//! The words without which no key is used.

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
        sinks.flat_map(|sink| sink.words.iter().filter_map(|set| word_row(sink.patterns, set))).collect();
    rows.extend(names.sink_names().map(|name| WordRow::single(Word::exact(name))));
    rows.extend(configured.sink_names().into_iter().map(|name| WordRow::single(Word::exact(name))));
    rows.extend(configured.header_names().map(|name| WordRow::single(Word::header(name))));
    rows.extend(derive_words().rows);
    rows.extend(operation_words());
    SinkWords { rows }
}

/// The words without which no type derives its key.
pub fn derive_words() -> SinkWords {
    let anchor = Word::exact(format!("{}(", derive::ATTRIBUTE));
    SinkWords { rows: vec![WordRow { anchor, context: vec![Word::exact(derive::CRATE)] }] }
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
    let retries = catalogue::strategies().iter().filter(|row| !row.feature.is_empty());
    rows.extend(retries.filter_map(|row| {
        let mut names = row.paths.first()?.rsplit("::");
        let (last, owner) = (names.next()?, names.next()?);
        Some(WordRow { anchor: Word::exact(last), context: vec![Word::exact(owner)] })
    }));
    rows
}

/// The set as a row: the word that a pattern's own name holds is where the key is set.
fn word_row(patterns: &[Pattern], set: &[&str]) -> Option<WordRow> {
    let is_name = |word: &&&str| {
        patterns.iter().any(|pattern| pattern_name(pattern).to_ascii_lowercase().contains(**word))
    };
    let anchor = set.iter().find(is_name).or_else(|| set.last())?;
    let context = set.iter().filter(|word| *word != anchor).map(|word| Word::header(*word)).collect();
    Some(WordRow { anchor: Word::header(*anchor), context })
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
