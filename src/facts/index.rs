//! The catalogue's rows by what they are recognised with.

use rustc_hash::{FxHashMap, FxHashSet};
use samekey_catalogue as catalogue;
use samekey_catalogue::{ArgCondition, Effect, Language, Level, Pattern, Slot};

use super::library::Groups;
use super::matching::type_matches;
use super::row::{Row, RowKind, SinkInfo, SourceInfo};
use crate::flow::spec::{FieldView, RowId};

/// What a matched pattern says.
#[derive(Clone, Copy)]
pub enum Meaning {
    /// A fresh value there.
    Source(RowId, Slot),
    /// What flows through is shown in another way each time: its order, its text, a hash of it.
    Adds(RowId),
    /// A key slot there.
    Sink(RowId, Slot),
    /// A fresh key that is used at once: its source row and its sink row.
    Mint(RowId, RowId),
    /// What the call does to a value.
    Effect(Effect),
    /// Known and never reported: names of keys among its arguments are no slots.
    Quiet,
}

/// A row as a pattern of a call.
pub struct CallRow {
    pub arity: Option<u8>,
    pub when: &'static [ArgCondition],
    /// Receiver types; empty when the name alone is enough.
    pub receivers: &'static [&'static str],
    pub meaning: Meaning,
}

type OwnedRows = FxHashMap<&'static str, Vec<(&'static [&'static str], RowId)>>;

/// Catalogue rows by name.
#[derive(Default)]
pub struct Index {
    /// Sources that add to what their receiver passes on.
    pub(super) passing: FxHashSet<RowId>,
    pub calls: FxHashMap<&'static str, Vec<CallRow>>,
    pub methods: FxHashMap<&'static str, Vec<CallRow>>,
    pub macros: FxHashMap<&'static str, Vec<(Option<u8>, Meaning)>>,
    /// By the last name of a call that uses a key: how many arguments it takes at least, and at most where that is known.
    uses: FxHashMap<&'static str, Vec<(usize, Option<usize>)>>,
    pub environment: FxHashMap<&'static str, RowId>,
    pub environment_readers: FxHashSet<&'static str>,
    /// Types whose constructors make a key by themselves.
    pub minting_types: FxHashMap<&'static str, Meaning>,
    pub sql_words: FxHashMap<&'static str, Meaning>,
    pub sql_columns: FxHashMap<&'static str, RowId>,
    source_fields: OwnedRows,
    sink_fields: OwnedRows,
    stable_fields: FxHashMap<&'static str, Vec<&'static [&'static str]>>,
    /// Headers and keys that are read, headers in lower case.
    source_names: FxHashMap<&'static str, RowId>,
    stable_names: FxHashSet<&'static str>,
    sink_headers: FxHashMap<&'static str, RowId>,
    /// Ends of header names, with what stands before them left open.
    sink_header_ends: Vec<(&'static str, RowId)>,
    sink_keys: FxHashMap<&'static str, RowId>,
    types: FxHashMap<&'static str, RowId>,
    stable_types: FxHashSet<&'static str>,
    ordered_types: FxHashSet<&'static str>,
    unordered_types: FxHashMap<&'static str, RowId>,
    order_rows: FxHashSet<RowId>,
}

impl Index {
    /// Builds the index and appends its rows.
    pub fn new(rows: &mut Vec<Row>) -> Index {
        let mut index = Index::default();
        index.environment_readers.extend(catalogue::environment_readers());
        for source in catalogue::sources() {
            if source.language != Language::Java && source.level != Level::Off {
                index.add_source(source, rows);
            }
        }
        for sink in catalogue::sinks().iter().filter(|sink| sink.language != Language::Java) {
            match sink.level {
                Level::Off => index.add_patterns(sink.patterns, Meaning::Quiet),
                _ => index.add_sink(sink, rows),
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
            (catalogue::SourceKind::Encoding, Slot::Return) => Meaning::Adds(id),
            _ => Meaning::Source(id, source.out),
        };
        self.add_patterns(source.patterns, meaning);
        if !source.order {
            // A counter that is read in passing gives what it held as well.
            if source.kind == catalogue::SourceKind::Sequence && source.out == Slot::Return {
                self.passing.insert(id);
            }
            return;
        }
        self.order_rows.insert(id);
        for pattern in source.patterns {
            if let Pattern::Method { receivers, name: "into_iter", .. } = *pattern {
                self.unordered_types.extend(receivers.iter().map(|path| (*path, id)));
            }
        }
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
                identity: None,
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
                    self.add_use(path.rsplit("::").next().unwrap_or(path), arity, meaning);
                    let row = CallRow { arity, when, receivers: &[], meaning };
                    self.calls.entry(path).or_default().push(row);
                }
                Pattern::Method { receivers, name, arity, when } => {
                    self.add_use(name, arity, meaning);
                    self.methods.entry(name).or_default().push(CallRow { arity, when, receivers, meaning });
                }
                Pattern::Macro { path, max_args } => {
                    self.macros.entry(path).or_default().push((max_args, meaning));
                }
                Pattern::Field { owners, name } => self.add_field(owners, name, meaning),
                Pattern::Header { name } | Pattern::Key { name } => {
                    let header = matches!(pattern, Pattern::Header { .. });
                    self.add_name(name, header, meaning);
                }
                Pattern::Env { name } => {
                    if let Meaning::Source(id, _) | Meaning::Adds(id) = meaning {
                        self.environment.insert(name, id);
                    }
                }
                Pattern::Type { path } => self.add_type(path, meaning),
                Pattern::Sql { word } => match meaning {
                    Meaning::Sink(id, _) => {
                        self.sql_columns.insert(word, id);
                    }
                    _ => {
                        self.sql_words.insert(word, meaning);
                    }
                },
            }
        }
    }

    fn add_use(&mut self, name: &'static str, arity: Option<u8>, meaning: Meaning) {
        let least = match meaning {
            Meaning::Sink(_, Slot::Arg(position)) => usize::from(position) + 1,
            Meaning::Sink(..) | Meaning::Mint(..) => 0,
            _ => return,
        };
        // By its path, a method takes its receiver as one more.
        let most = arity.map(|arity| usize::from(arity) + 1);
        self.uses.entry(name).or_default().push((least, most));
    }

    /// Whether a call of a function of this name, with so many arguments, may use one of them as a key.
    pub fn may_use(&self, name: &str, arguments: usize) -> bool {
        let uses = self.uses.get(name).into_iter().flatten();
        uses.into_iter().any(|(least, most)| *least <= arguments && most.is_none_or(|most| arguments <= most))
    }

    fn add_field(&mut self, owners: &'static [&'static str], name: &'static str, meaning: Meaning) {
        match meaning {
            Meaning::Source(id, _) => self.source_fields.entry(name).or_default().push((owners, id)),
            Meaning::Sink(id, _) | Meaning::Mint(_, id) => {
                self.sink_fields.entry(name).or_default().push((owners, id));
            }
            Meaning::Effect(Effect::Clears) => self.stable_fields.entry(name).or_default().push(owners),
            Meaning::Effect(_) | Meaning::Adds(_) | Meaning::Quiet => {}
        }
    }

    fn add_name(&mut self, name: &'static str, header: bool, meaning: Meaning) {
        match meaning {
            Meaning::Source(id, _) => {
                self.source_names.insert(name, id);
            }
            Meaning::Sink(id, _) if header && name.starts_with('*') => {
                self.sink_header_ends.push((name.trim_start_matches('*'), id));
            }
            Meaning::Sink(id, _) => {
                let names = if header { &mut self.sink_headers } else { &mut self.sink_keys };
                names.entry(name).or_insert(id);
            }
            Meaning::Effect(Effect::Clears) => {
                self.stable_names.insert(name);
            }
            _ => {}
        }
    }

    fn add_type(&mut self, path: &'static str, meaning: Meaning) {
        match meaning {
            Meaning::Source(id, _) => {
                self.types.insert(path, id);
            }
            Meaning::Mint(..) => {
                self.minting_types.insert(path, meaning);
            }
            Meaning::Effect(Effect::ClearsOrder) => {
                self.ordered_types.insert(path);
            }
            Meaning::Effect(Effect::Clears) => {
                self.stable_types.insert(path);
            }
            _ => {}
        }
    }

    /// The row for a name that is written: a header in any case, a key exactly.
    pub fn named_sink(&self, name: &str) -> Option<RowId> {
        self.sink_keys.get(name).copied().or_else(|| any_case(name, |name| self.sink_header(name)))
    }

    /// The row for a constant from outside by its name: `header::IDEMPOTENCY_KEY`.
    pub fn sink_of_constant(&self, name: &str) -> Option<RowId> {
        let header = || self.sink_header(&name.to_ascii_lowercase().replace('_', "-"));
        self.sink_keys.get(name).copied().or_else(header)
    }

    fn sink_header(&self, name: &str) -> Option<RowId> {
        let by_end = || self.sink_header_ends.iter().find(|(end, _)| name.ends_with(end));
        self.sink_headers.get(name).or_else(|| by_end().map(|(_, id)| id)).copied()
    }

    /// The row for a header or key that is read.
    pub fn named_source(&self, name: &str) -> Option<RowId> {
        any_case(name, |name| self.source_names.get(name).copied())
    }

    /// Whether a header or key that is read holds a caller's or stored key.
    pub fn named_stable(&self, name: &str) -> bool {
        any_case(name, |name| self.stable_names.contains(name).then_some(())).is_some()
    }

    /// The row for reading a field.
    pub fn field_source(&self, field: &FieldView<'_>, groups: &Groups) -> Option<RowId> {
        if field.key {
            return self.named_source(field.name);
        }
        self.source_fields.get(field.name)?.iter().find_map(|(owners, id)| {
            let fits = match owners {
                [] => !field.in_tree,
                owners => type_matches(field.owner, owners, groups),
            };
            fits.then_some(*id)
        })
    }

    /// Whether a field that is read is stable whatever made its owner.
    pub fn field_clears(&self, field: &FieldView<'_>, groups: &Groups) -> bool {
        if field.key {
            return self.named_stable(field.name);
        }
        let owners = self.stable_fields.get(field.name);
        owners.is_some_and(|all| all.iter().any(|owners| type_matches(field.owner, owners, groups)))
    }

    /// The row for writing a field or key.
    pub fn field_sink(&self, field: &FieldView<'_>, groups: &Groups) -> Option<RowId> {
        if field.key {
            return self.named_sink(field.name);
        }
        if let Some(id) = field.wire_name.and_then(|name| self.named_sink(name)) {
            return Some(id);
        }
        self.sink_fields.get(field.name)?.iter().find_map(|(owners, id)| {
            (owners.is_empty() || type_matches(field.owner, owners, groups)).then_some(*id)
        })
    }

    /// Whether a field of this name is a slot of some type.
    pub fn has_sink_field(&self, name: &str) -> bool {
        self.sink_fields.contains_key(name)
    }

    /// The row for any value of a type.
    pub fn type_source(&self, path: &str) -> Option<RowId> {
        self.types.get(path).copied()
    }

    /// Whether every value of a type is stored or caller-supplied.
    pub fn is_stable_type(&self, path: &str) -> bool {
        self.stable_types.contains(path)
    }

    /// The row for a function by its path, when that is a source whatever its arguments.
    pub fn path_source(&self, path: &str) -> Option<RowId> {
        self.calls.get(path)?.iter().find_map(|row| match row.meaning {
            Meaning::Source(id, _) | Meaning::Adds(id) => Some(id),
            _ => None,
        })
    }

    /// Whether a type keeps its elements in order.
    pub fn is_ordered(&self, path: &str) -> bool {
        self.ordered_types.contains(path)
    }

    /// The row for iterating a type without fixed order.
    pub fn iteration(&self, path: &str) -> Option<RowId> {
        self.unordered_types.get(path).copied()
    }

    /// Whether a row is about order only.
    pub fn is_order(&self, row: RowId) -> bool {
        self.order_rows.contains(&row)
    }
}

/// Looks a name up as it is written, then in lower case.
fn any_case<T>(name: &str, find: impl Fn(&str) -> Option<T>) -> Option<T> {
    find(name).or_else(|| {
        let upper = name.bytes().any(|byte| byte.is_ascii_uppercase());
        if upper { find(&name.to_ascii_lowercase()) } else { None }
    })
}
