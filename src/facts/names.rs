//! What names alone suggest, where no definition is in view.

use rustc_hash::FxHashMap;
use samekey_catalogue as catalogue;
use samekey_catalogue::{ChangesOn, Family, Level, NameRole, NameRule};

use super::matching::wildcard;
use super::row::{Row, RowKind, SinkInfo, SourceInfo};
use crate::flow::spec::{FieldView, RowId};

/// What stands before the name of the field in the name of its setter.
const SETTERS: &[&str] = &["with_", "set_", "add_", "and_"];

/// Names that a setter gives its parameter when its own name says what is set.
const PLAIN_NAMES: &[&str] = &["key", "value", "val", "id", "token", "input", "k", "v", "s"];

/// Name rules by exact name, and those with a `*`.
pub struct Names {
    sinks: FxHashMap<&'static str, RowId>,
    sources: FxHashMap<&'static str, (RowId, &'static NameRule)>,
    source_patterns: Vec<(&'static str, RowId, &'static NameRule)>,
    sink_patterns: Vec<(&'static str, RowId)>,
    functions: FxHashMap<&'static str, RowId>,
    function_patterns: Vec<(&'static str, RowId)>,
    excluded: Vec<&'static str>,
    safe: Vec<&'static str>,
    /// What the name of a type suggests.
    typed: RowId,
}

/// The row of parameters that are keys by the name of their type.
pub const TYPED: &str = "key-type";

impl Names {
    pub fn new(rows: &mut Vec<Row>) -> Names {
        let mut names = Names {
            sinks: FxHashMap::default(),
            sources: FxHashMap::default(),
            source_patterns: Vec::new(),
            sink_patterns: Vec::new(),
            functions: FxHashMap::default(),
            function_patterns: Vec::new(),
            excluded: Vec::new(),
            safe: Vec::new(),
            typed: rows.len() as RowId,
        };
        rows.push(sink_by_name(TYPED));
        for rule in catalogue::name_rules() {
            match rule.role {
                NameRole::Sink if rule.level != Level::Off => names.add_sink(rule, rows),
                NameRole::Source if rule.level != Level::Off => names.add_source(rule, rows),
                NameRole::SourceFunction if rule.level != Level::Off => names.add_function(rule, rows),
                NameRole::Exclude => names.excluded.extend(rule.snake),
                NameRole::Safe => names.safe.extend(rule.snake),
                _ => {}
            }
        }
        names
    }

    fn add_sink(&mut self, rule: &'static NameRule, rows: &mut Vec<Row>) {
        let id = rows.len() as RowId;
        rows.push(sink_by_name(rule.id));
        for name in rule.snake.iter().chain(rule.camel) {
            match name.contains('*') {
                true => self.sink_patterns.push((name, id)),
                false => {
                    self.sinks.insert(name, id);
                }
            }
        }
    }

    fn add_source(&mut self, rule: &'static NameRule, rows: &mut Vec<Row>) {
        let Some(id) = source_row(rule, rows) else { return };
        for name in rule.snake.iter().chain(rule.camel) {
            if name.contains('*') {
                self.source_patterns.push((name, id, rule));
            } else {
                self.sources.insert(name, (id, rule));
            }
        }
    }

    fn add_function(&mut self, rule: &'static NameRule, rows: &mut Vec<Row>) {
        let Some(id) = source_row(rule, rows) else { return };
        for name in rule.snake.iter().chain(rule.camel) {
            match name.contains('*') {
                true => self.function_patterns.push((name, id)),
                false => {
                    self.functions.insert(name, id);
                }
            }
        }
    }

    /// The sink row for a field or key by its name.
    pub fn field_sink(&self, field: &FieldView<'_>) -> Option<RowId> {
        field.wire_name.and_then(|name| self.sink(name)).or_else(|| self.sink(field.name))
    }

    /// Whether a field or parameter of this name is a key slot.
    pub fn is_sink(&self, name: &str) -> bool {
        self.sink(name).is_some()
    }

    fn sink(&self, name: &str) -> Option<RowId> {
        if let Some(id) = self.sinks.get(name) {
            return Some(*id);
        }
        let found = self.sink_patterns.iter().find(|(pattern, _)| wildcard(pattern, name));
        found.filter(|_| !self.excluded.contains(&name)).map(|(_, id)| *id)
    }

    /// The source row for a function whose body is not in view, by its name. A pattern counts for plain functions
    /// only: `invoice.generate_number()` may well be a pure function of the invoice.
    pub fn function_source(&self, name: &str, method: bool) -> Option<RowId> {
        if let Some(id) = self.functions.get(name) {
            return Some(*id);
        }
        if method {
            return None;
        }
        self.function_patterns.iter().find(|(pattern, _)| wildcard(pattern, name)).map(|(_, id)| *id)
    }

    /// The sink row for a parameter by its name, or by that of its setter: `with_idempotency_key(key)`.
    pub fn parameter_sink(&self, function: &str, parameter: &str) -> Option<RowId> {
        self.sink(parameter).or_else(|| {
            let name = function.rsplit("::").next().unwrap_or(function);
            let set = SETTERS.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
            self.sink(set).filter(|_| PLAIN_NAMES.contains(&parameter))
        })
    }

    /// The sink row for a parameter by the name of its type: `IdempotencyKey`.
    pub fn type_sink(&self, ty: &str) -> Option<RowId> {
        let mut characters = ty.chars();
        let name: String = characters.next()?.to_lowercase().chain(characters).collect();
        self.sink(&name).map(|_| self.typed)
    }

    /// The source row that a name suggests.
    pub fn source(&self, name: &str) -> Option<RowId> {
        if self.safe.contains(&name) {
            return None;
        }
        if let Some((id, _)) = self.sources.get(name) {
            return Some(*id);
        }
        self.source_patterns.iter().find(|(pattern, ..)| wildcard(pattern, name)).map(|(_, id, _)| *id)
    }

    /// The words of key names, for the pre-filter.
    pub fn sink_names(&self) -> impl Iterator<Item = &'static str> {
        let patterns = self.sink_patterns.iter().map(|(pattern, _)| pattern.trim_matches('*'));
        self.sinks.keys().copied().chain(patterns)
    }
}

fn sink_by_name(id: &'static str) -> Row {
    Row {
        id: id.into(),
        kind: RowKind::Sink(SinkInfo {
            provider: "",
            family: Family::InHouse,
            level: Level::Warning,
            configured: false,
            by_name: true,
            row: None,
            identity: None,
        }),
    }
}

/// The row of a source that is recognised by name.
fn source_row(rule: &NameRule, rows: &mut Vec<Row>) -> Option<RowId> {
    let kind = rule.kind?;
    let id = rows.len() as RowId;
    rows.push(Row {
        id: rule.id.into(),
        kind: RowKind::Source(SourceInfo {
            kind,
            changes_on: rule.changes_on.unwrap_or(ChangesOn::Call),
            level: rule.level,
            configured: false,
            by_name: true,
        }),
    });
    Some(id)
}
