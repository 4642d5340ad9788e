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
    SinkWords { rows }
}

/// The words without which no type derives its key.
pub fn derive_words() -> SinkWords {
    let anchor = Word::exact(format!("{}(", derive::ATTRIBUTE));
    SinkWords { rows: vec![WordRow { anchor, context: vec![Word::exact(derive::CRATE)] }] }
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
