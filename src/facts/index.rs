//! The catalogue's rows by what they are recognised with.

use rustc_hash::FxHashMap;
use samekey_catalogue as catalogue;
use samekey_catalogue::{ArgCondition, Effect, Language, Level, Pattern, Slot};

use super::matching::{condition_holds, type_matches};
use super::row::{Row, RowKind, SinkInfo, SourceInfo};
use crate::flow::spec::{CallFacts, CallSlot, CallView, FieldView, RowId};
use crate::ir::Literal;

/// What a matched pattern says.
#[derive(Clone, Copy)]
enum Meaning {
    Source(RowId, Slot),
    /// A source that adds to what a call passes on, such as the order of a collection.
    Adds(RowId),
    Sink(RowId, Slot),
    Mint(RowId, RowId),
    Effect(Effect),
}

struct CallRow {
    arity: Option<u8>,
    when: &'static [ArgCondition],
    receivers: &'static [&'static str],
    meaning: Meaning,
}

/// Catalogue rows by name.
#[derive(Default)]
pub struct Index {
    paths: FxHashMap<&'static str, Vec<CallRow>>,
    methods: FxHashMap<&'static str, Vec<CallRow>>,
    macros: FxHashMap<&'static str, Vec<(Option<u8>, Meaning)>>,
    source_fields: FxHashMap<&'static str, Vec<(&'static [&'static str], RowId)>>,
    sink_fields: FxHashMap<&'static str, Vec<(&'static [&'static str], RowId)>>,
    source_keys: FxHashMap<String, RowId>,
    sink_headers: FxHashMap<String, RowId>,
    sink_keys: FxHashMap<&'static str, RowId>,
    environment: FxHashMap<&'static str, RowId>,
    types: FxHashMap<&'static str, RowId>,
}

impl Index {
    /// Builds the index and appends its rows.
    pub fn new(rows: &mut Vec<Row>) -> Index {
        let mut index = Index::default();
        for source in catalogue::sources() {
            if source.language != Language::Java && source.level != Level::Off {
                index.add_source(source, rows);
            }
        }
        for sink in catalogue::sinks() {
            if sink.language != Language::Java && sink.level != Level::Off {
                index.add_sink(sink, rows);
            }
        }
        for safe in catalogue::safes() {
            if safe.language != Language::Java {
                index.add_patterns(safe.patterns, Meaning::Effect(safe.effect));
            }
        }
        index
    }

    fn add_source(&mut self, source: &'static catalogue::Source, rows: &mut Vec<Row>) {
        let id = rows.len() as RowId;
        rows.push(Row {
            id: source.id.into(),
            kind: RowKind::Source(SourceInfo {
                kind: source.kind,
                changes_on: source.changes_on,
                level: source.level,
                configured: false,
                by_name: false,
            }),
        });
        let meaning = match (source.kind, source.out) {
            (
                catalogue::SourceKind::Encoding
                | catalogue::SourceKind::Sequence
                | catalogue::SourceKind::Attempt,
                Slot::Return,
            ) => Meaning::Adds(id),
            (_, out) => Meaning::Source(id, out),
        };
        self.add_patterns(source.patterns, meaning);
    }

    fn add_sink(&mut self, sink: &'static catalogue::Sink, rows: &mut Vec<Row>) {
        let id = rows.len() as RowId;
        rows.push(Row {
            id: sink.id.into(),
            kind: RowKind::Sink(SinkInfo {
                provider: sink.provider,
                family: sink.family,
                level: sink.level,
                configured: false,
                by_name: false,
                row: Some(sink),
            }),
        });
        let meaning = if sink.mints {
            let minted = rows.len() as RowId;
            rows.push(Row {
                id: sink.id.into(),
                kind: RowKind::Source(SourceInfo {
                    kind: catalogue::SourceKind::Uuid,
                    changes_on: catalogue::ChangesOn::Call,
                    level: sink.level,
                    configured: false,
                    by_name: false,
                }),
            });
            Meaning::Mint(minted, id)
        } else {
            Meaning::Sink(id, sink.value)
        };
        self.add_patterns(sink.patterns, meaning);
    }

    fn add_patterns(&mut self, patterns: &'static [Pattern], meaning: Meaning) {
        for pattern in patterns {
            match *pattern {
                Pattern::Call { path, arity, when } => {
                    self.paths.entry(path).or_default().push(CallRow {
                        arity,
                        when,
                        receivers: &[],
                        meaning,
                    });
                }
                Pattern::Method { receivers, name, arity, when } => {
                    self.methods.entry(name).or_default().push(CallRow { arity, when, receivers, meaning });
                }
                Pattern::Macro { path, max_args } => {
                    self.macros.entry(path).or_default().push((max_args, meaning));
                }
                Pattern::Field { owners, name } => match meaning {
                    Meaning::Source(id, _) => {
                        self.source_fields.entry(name).or_default().push((owners, id));
                    }
                    Meaning::Sink(id, _) | Meaning::Mint(_, id) => {
                        self.sink_fields.entry(name).or_default().push((owners, id));
                    }
                    Meaning::Adds(_) | Meaning::Effect(_) => {}
                },
                Pattern::Header { name } => match meaning {
                    Meaning::Source(id, _) => {
                        self.source_keys.insert(name.to_ascii_lowercase(), id);
                    }
                    Meaning::Sink(id, _) => {
                        self.sink_headers.entry(name.to_ascii_lowercase()).or_insert(id);
                    }
                    _ => {}
                },
                Pattern::Key { name } => match meaning {
                    Meaning::Source(id, _) => {
                        self.source_keys.insert(name.to_owned(), id);
                    }
                    Meaning::Sink(id, _) => {
                        self.sink_keys.entry(name).or_insert(id);
                    }
                    _ => {}
                },
                Pattern::Env { name } => {
                    if let Meaning::Source(id, _) | Meaning::Adds(id) = meaning {
                        self.environment.insert(name, id);
                    }
                }
                Pattern::Type { path } => {
                    if let Meaning::Source(id, _) | Meaning::Adds(id) = meaning {
                        self.types.insert(path, id);
                    }
                }
                Pattern::Sql { .. } => {}
            }
        }
    }

    /// What the catalogue says of a call.
    pub fn call(&self, call: &CallView<'_>, rows: &[Row], facts: &mut CallFacts) {
        for path in call.paths {
            for row in self.paths.get(path.as_str()).into_iter().flatten() {
                if applies(row, call) {
                    mean(row.meaning, facts);
                }
            }
            if call.macro_call {
                for (max, meaning) in self.macros.get(path.as_str()).into_iter().flatten() {
                    if max.is_none_or(|max| call.arity <= usize::from(max)) {
                        mean(*meaning, facts);
                    }
                }
            }
        }
        if call.method {
            for row in self.methods.get(call.name).into_iter().flatten() {
                let in_tree = !call.targets.is_empty();
                let known = call.receiver_path.is_some();
                let fits = match row.receivers {
                    // The name alone is enough, unless the function is in view and can be followed.
                    [] => !in_tree,
                    receivers => {
                        known && call.receiver_path.is_some_and(|path| type_matches(path, receivers))
                    }
                };
                if fits && applies(row, call) {
                    mean(row.meaning, facts);
                }
            }
        }
        self.literal_arguments(call, rows, facts);
    }

    /// Headers, JSON and map keys, and environment variables: rows that a literal argument selects.
    fn literal_arguments(&self, call: &CallView<'_>, _rows: &[Row], facts: &mut CallFacts) {
        if call.macro_call && !reads_environment(call) {
            return;
        }
        for (position, literal) in call.literals.iter().enumerate() {
            let Some(Literal::Str(text)) = literal else { continue };
            if reads_environment(call)
                && position == 0
                && let Some(id) = self.environment.get(text.as_str())
            {
                facts.sources.push((*id, CallSlot::Return));
            }
            let is_value_next = position + 1 < call.arity;
            if is_value_next && let Some(id) = self.key_sink(text, true) {
                facts.sinks.push((id, CallSlot::Argument(position as u32 + 1)));
            }
            if call.arity == 1
                && call.method
                && matches!(call.name, "get" | "get_str" | "get_bin" | "headers" | "header")
                && let Some(id) = self
                    .source_keys
                    .get(&text.to_ascii_lowercase())
                    .or_else(|| self.source_keys.get(text.as_str()))
            {
                facts.sources.push((*id, CallSlot::Return));
            }
        }
    }

    fn key_sink(&self, text: &str, header: bool) -> Option<RowId> {
        if let Some(id) = self.sink_keys.get(text) {
            return Some(*id);
        }
        if !header {
            return None;
        }
        self.sink_headers.get(&text.to_ascii_lowercase()).copied()
    }

    /// The row for reading a field.
    pub fn field_source(&self, field: &FieldView<'_>) -> Option<RowId> {
        self.source_fields.get(field.name)?.iter().find_map(|(owners, id)| {
            let fits = match owners {
                [] => field.owner.is_empty(),
                owners => type_matches(field.owner, owners),
            };
            fits.then_some(*id)
        })
    }

    /// The row for writing a field or key.
    pub fn field_sink(&self, field: &FieldView<'_>) -> Option<RowId> {
        if field.key {
            return self.key_sink(field.name, true);
        }
        if let Some(id) = field.wire_name.and_then(|name| self.key_sink(name, true)) {
            return Some(id);
        }
        self.sink_fields.get(field.name)?.iter().find_map(|(owners, id)| {
            let fits = match owners {
                [] => true,
                owners => type_matches(field.owner, owners),
            };
            fits.then_some(*id)
        })
    }

    /// The row for any value of a type.
    pub fn type_source(&self, path: &str) -> Option<RowId> {
        self.types.get(path).copied()
    }

    /// Whether a name occurs in any sink pattern.
    pub fn may_be_sink(&self, name: &str) -> bool {
        let is_sink = |row: &CallRow| matches!(row.meaning, Meaning::Sink(..) | Meaning::Mint(..));
        self.methods.get(name).is_some_and(|rows| rows.iter().any(is_sink))
            || self.sink_fields.contains_key(name)
            || self.sink_keys.contains_key(name)
            || self.sink_headers.contains_key(&name.to_ascii_lowercase())
            || self
                .paths
                .iter()
                .any(|(path, rows)| path.rsplit("::").next() == Some(name) && rows.iter().any(is_sink))
    }
}

fn applies(row: &CallRow, call: &CallView<'_>) -> bool {
    row.arity.is_none_or(|arity| usize::from(arity) == call.arity)
        && row.when.iter().all(|condition| condition_holds(condition, call))
}

fn mean(meaning: Meaning, facts: &mut CallFacts) {
    match meaning {
        Meaning::Source(id, slot) => facts.sources.push((id, call_slot(slot))),
        Meaning::Adds(id) => facts.adds.push(id),
        Meaning::Sink(id, slot) => facts.sinks.push((id, call_slot(slot))),
        Meaning::Mint(source, sink) => facts.mints.push((source, sink)),
        Meaning::Effect(effect) => match effect {
            Effect::Clears => facts.clears = true,
            Effect::ClearsOrder => facts.clears_order = true,
            Effect::WeakensToBucket => facts.bucket = Some(true),
            Effect::NotDurable => facts.in_process = true,
            Effect::Hash => facts.hash = true,
            Effect::Propagates | Effect::Encode => {}
        },
    }
}

fn call_slot(slot: Slot) -> CallSlot {
    match slot {
        Slot::Return => CallSlot::Return,
        Slot::Receiver => CallSlot::Receiver,
        Slot::Arg(index) => CallSlot::Argument(u32::from(index)),
    }
}

fn reads_environment(call: &CallView<'_>) -> bool {
    call.paths.iter().any(|path| {
        matches!(
            path.as_str(),
            "std::env::var"
                | "std::env::var_os"
                | "env"
                | "option_env"
                | "std::env"
                | "std::option_env"
                | "dotenvy::var"
                | "dotenv::var"
        )
    })
}
