//! Rows of the configuration.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use samekey_catalogue::{ChangesOn, Family, Level, SourceKind};

use super::row::{Row, RowKind, SinkInfo, SourceInfo};
use crate::config::{Config, RowPath, SinkSlot, SummaryFrom, SummaryTo};
use crate::flow::model::{Flow, Model, Node, Root};
use crate::flow::spec::{CallFacts, CallSlot, CallView, FieldView, RowId};
use crate::flow::value::Key;
use crate::ir::Name;
use crate::resolve::Program;

/// The user's rows by the last name of their path.
#[derive(Default)]
pub struct Configured {
    sources: FxHashMap<Name, Vec<(RowPath, RowId)>>,
    sinks: FxHashMap<Name, Vec<(RowPath, SinkSlot, RowId)>>,
    headers: FxHashMap<String, RowId>,
    sanitizers: FxHashMap<Name, Vec<RowPath>>,
    summaries: FxHashMap<Name, Vec<(RowPath, Rc<Model>)>>,
}

impl Configured {
    pub fn new(config: &Config, rows: &mut Vec<Row>) -> Configured {
        let mut configured = Configured::default();
        for source in &config.sources {
            let id = rows.len() as RowId;
            let kind = source.kind.as_deref().and_then(SourceKind::from_word).unwrap_or(SourceKind::Random);
            rows.push(Row {
                id: source.path.name().into(),
                kind: RowKind::Source(SourceInfo {
                    kind,
                    changes_on: ChangesOn::Call,
                    level: Level::Error,
                    configured: true,
                    by_name: false,
                }),
            });
            let slot = configured.sources.entry(source.path.name().into()).or_default();
            slot.push((source.path.clone(), id));
        }
        for sink in &config.sinks {
            configured.add_sink(sink, rows);
        }
        for sanitizer in &config.sanitizers {
            let slot = configured.sanitizers.entry(sanitizer.path.name().into()).or_default();
            slot.push(sanitizer.path.clone());
        }
        for summary in &config.summaries {
            let from = match summary.from {
                SummaryFrom::Receiver => Root::Receiver,
                SummaryFrom::Argument(index) => Root::Argument(index as usize),
            };
            let (to, keys) = match &summary.to {
                SummaryTo::Return(fields) => {
                    (Root::Return, fields.iter().map(|field| Key::Field(field.clone())).collect())
                }
                SummaryTo::Argument(index) => (Root::Argument(*index as usize), Vec::new()),
                SummaryTo::Receiver => (Root::Receiver, Vec::new()),
            };
            let flow = Flow {
                from: Node { root: from, keys: Vec::new() },
                to: Node { root: to, keys },
                taint_only: matches!(summary.to, SummaryTo::Argument(_) | SummaryTo::Receiver),
            };
            configured.add_summary(&summary.path, flow);
        }
        configured
    }

    fn add_sink(&mut self, sink: &crate::config::SinkRow, rows: &mut Vec<Row>) {
        let id = rows.len() as RowId;
        let name = sink.path.as_ref().map_or(Name::default(), |path| path.name().into());
        rows.push(Row {
            id: name.clone(),
            kind: RowKind::Sink(SinkInfo {
                provider: "",
                family: Family::Payment,
                level: Level::Error,
                configured: !sink.key,
                by_name: false,
                row: None,
                identity: None,
            }),
        });
        match (&sink.slot, &sink.path) {
            (SinkSlot::Header(header), _) => {
                self.headers.insert(header.to_ascii_lowercase(), id);
            }
            (slot, Some(path)) => {
                self.sinks.entry(name).or_default().push((path.clone(), slot.clone(), id));
            }
            (_, None) => {}
        }
    }

    /// Several rows for one path are one model.
    fn add_summary(&mut self, path: &RowPath, flow: Flow) {
        let slot = self.summaries.entry(path.name().into()).or_default();
        match slot.iter_mut().find(|(known, _)| known == path) {
            Some((_, model)) => Rc::make_mut(model).flows.push(flow),
            None => slot.push((path.clone(), Rc::new(Model { flows: vec![flow], ..Model::default() }))),
        }
    }

    /// What the configuration says of a call.
    pub fn call(&self, program: &Program, call: &CallView<'_>, facts: &mut CallFacts) {
        self.call_named(program, call, call.name, facts);
        // Imported under another name: the callee's own name counts too.
        let own = call.targets.first().map(|id| program.function(*id).name.clone());
        let own =
            own.or_else(|| call.paths.first().map(|path| path.rsplit("::").next().unwrap_or(path).into()));
        match own {
            Some(own) if own != call.name => self.call_named(program, call, &own, facts),
            _ => {}
        }
    }

    fn call_named(&self, program: &Program, call: &CallView<'_>, name: &str, facts: &mut CallFacts) {
        let fits = |path: &RowPath| path_fits(program, path, call);
        for (path, id) in self.sources.get(name).into_iter().flatten() {
            if fits(path) {
                facts.sources.push((*id, CallSlot::Return));
                facts.configured = true;
            }
        }
        for (path, slot, id) in self.sinks.get(name).into_iter().flatten() {
            if !fits(path) {
                continue;
            }
            facts.configured = true;
            match slot {
                SinkSlot::Argument(index) => facts.sinks.push((*id, CallSlot::Argument(*index))),
                SinkSlot::AnyArgument => {
                    facts.sinks.extend((0..call.arity as u32).map(|i| (*id, CallSlot::Argument(i))));
                }
                SinkSlot::Field(_) | SinkSlot::Header(_) => {}
            }
        }
        if !self.headers.is_empty() {
            for (position, literal) in call.literals.iter().enumerate() {
                if let Some(crate::ir::Literal::Str(text)) = literal
                    && position + 1 < call.arity
                    && let Some(id) = self.headers.get(&text.to_ascii_lowercase())
                {
                    facts.sinks.push((*id, CallSlot::Argument(position as u32 + 1)));
                }
            }
        }
        if self.sanitizers.get(name).is_some_and(|paths| paths.iter().any(fits)) {
            facts.clears = true;
            facts.configured = true;
        }
        let summary = self.summaries.get(name).into_iter().flatten().find(|(path, _)| fits(path));
        if let Some((_, model)) = summary {
            facts.summary = Some(model.clone());
            facts.configured = true;
        }
    }

    /// A configured field of a type, or header used as a key.
    pub fn field(&self, field: &FieldView<'_>) -> Option<RowId> {
        if field.key {
            return self.headers.get(&field.name.to_ascii_lowercase()).copied();
        }
        let owner_name = field.owner.rsplit("::").next().unwrap_or("");
        self.sinks.get(owner_name)?.iter().find_map(|(path, slot, id)| match slot {
            SinkSlot::Field(name) if name == field.name && ends_with(field.owner, path) => Some(*id),
            _ => None,
        })
    }

    /// Whether a function of this name is a configured sink.
    pub fn sinks_of(&self, name: &str) -> bool {
        self.sinks.contains_key(name)
    }

    /// Whether a field of this name is a configured sink.
    pub fn has_field(&self, name: &str) -> bool {
        let slots = self.sinks.values().flatten().map(|(_, slot, _)| slot);
        slots.into_iter().any(|slot| matches!(slot, SinkSlot::Field(field) if field == name))
    }

    /// The names of all sinks: functions, fields and headers.
    pub fn sink_names(&self) -> Vec<String> {
        let fields = self.sinks.values().flatten().filter_map(|(_, slot, _)| match slot {
            SinkSlot::Field(field) => Some(field.to_string()),
            _ => None,
        });
        let called = self.sinks.keys().map(ToString::to_string);
        called.chain(fields).chain(self.headers.keys().cloned()).collect()
    }

    /// Names of configured headers.
    pub fn header_names(&self) -> impl Iterator<Item = &String> {
        self.headers.keys()
    }
}

/// A bare name fits any callee of that name; a longer path must be the end of a canonical path of the callee,
/// or `Type::method` of the receiver.
fn path_fits(program: &Program, path: &RowPath, call: &CallView<'_>) -> bool {
    if path.is_bare() {
        return true;
    }
    let by_path = call.paths.iter().any(|candidate| ends_with(candidate, path));
    let by_target = call
        .targets
        .iter()
        .any(|id| program.function_paths(*id).iter().any(|candidate| ends_with(candidate, path)));
    let by_receiver =
        call.receiver_path.is_some_and(|receiver| ends_with(&format!("{receiver}::{}", call.name), path));
    by_path || by_target || by_receiver
}

fn ends_with(candidate: &str, path: &RowPath) -> bool {
    let mut segments = candidate.rsplit("::");
    path.segments.iter().rev().all(|wanted| segments.next().is_some_and(|segment| segment == wanted.as_str()))
}
