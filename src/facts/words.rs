//! The words without which a file cannot hold a sink.

use samekey_catalogue as catalogue;
use samekey_catalogue::{Language, Level};

use super::Facts;

/// A file can hold a sink only when it contains all words of at least one of these sets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SinkWords {
    /// The sets; matching ignores ASCII case.
    pub sets: Vec<Vec<String>>,
}

impl SinkWords {
    /// The words of the catalogue and of the configuration.
    pub fn new(config: &crate::config::Config) -> SinkWords {
        let mut rows = Vec::new();
        let configured = super::configured::Configured::new(config, &mut rows);
        let names = super::names::Names::new(&mut rows);
        let mut sets: Vec<Vec<String>> = catalogue::sinks()
            .iter()
            .filter(|sink| sink.language != Language::Java && sink.level != Level::Off)
            .flat_map(|sink| sink.words)
            .map(|set| set.iter().map(ToString::to_string).collect())
            .collect();
        sets.extend(names.sink_names().map(|name| vec![name.to_owned()]));
        sets.extend(configured.sink_names().into_iter().map(|name| vec![name]));
        sets.sort();
        sets.dedup();
        SinkWords { sets }
    }
}

impl Facts<'_> {
    /// Names of configured sinks.
    pub fn configured_sinks(&self) -> Vec<String> {
        self.configured.sink_names()
    }
}
