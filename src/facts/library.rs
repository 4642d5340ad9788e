//! Library models of the catalogue, by function path or by receiver group and method name.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use samekey_catalogue as catalogue;
use samekey_catalogue::Callee;

use super::matching::wildcard;
use crate::flow::model::{Flow, Model};
use crate::resolve::Ty;

/// The models, indexed.
pub struct Library {
    paths: FxHashMap<&'static str, Vec<Rc<Model>>>,
    /// By method name: the receiver's type or group, and the model.
    methods: FxHashMap<&'static str, Vec<(&'static str, Rc<Model>)>>,
    /// All models of a method name, for receivers of unknown type.
    names: FxHashMap<&'static str, Vec<Rc<Model>>>,
    groups: Groups,
    /// Method names whose every model moves nothing.
    still: FxHashSet<&'static str>,
}

/// Receiver groups by the types that belong to them.
#[derive(Default)]
pub struct Groups {
    types: FxHashMap<&'static str, &'static str>,
    /// Types that take up what their methods are given, by patterns of their last segment.
    accumulators: &'static [&'static str],
}

impl Groups {
    /// The group of a type.
    pub fn of(&self, path: &str) -> Option<&'static str> {
        self.types.get(path).copied()
    }
}

/// The group whose types are patterns of the last segment of a path.
const ACCUMULATORS: &str = "Accumulator";

impl Library {
    pub fn new() -> Library {
        let mut library = Library {
            paths: FxHashMap::default(),
            methods: FxHashMap::default(),
            names: FxHashMap::default(),
            groups: Groups::default(),
            still: FxHashSet::default(),
        };
        let mut first_types: FxHashMap<&str, &'static str> = FxHashMap::default();
        for group in catalogue::groups() {
            if group.name == ACCUMULATORS {
                library.groups.accumulators = group.types;
                continue;
            }
            for ty in group.types {
                library.groups.types.insert(ty, group.name);
            }
            if let Some(first) = group.types.first() {
                first_types.insert(group.name, first);
            }
        }
        for row in catalogue::models() {
            // A row whose flows do not parse is refused by the catalogue's own tests.
            let flows = row.flows.iter().filter_map(|text| Flow::parse(text).ok()).collect();
            let owner = match row.callee {
                Callee::Function { path } => path.rsplit_once("::").map(|(owner, _)| owner),
                Callee::Method { .. } | Callee::Macro { .. } => None,
            };
            let (returns, arguments) = match row.returns.and_then(|text| result_type(text, &first_types)) {
                // `BTreeMap::new` is described with all maps, and makes a `BTreeMap`.
                Some(_) if owner.is_some() && owner.and_then(|o| library.groups.of(o)) == row.returns => {
                    (owner.map(str::to_owned), Vec::new())
                }
                Some(Ty::External { path, args }) => (Some(path.to_string()), args),
                _ => (None, row.returns.map_or_else(Vec::new, |text| tuple_types(text, &first_types))),
            };
            let model = Rc::new(Model { flows, returns, arguments });
            match row.callee {
                Callee::Function { path } | Callee::Macro { path } => {
                    library.paths.entry(path).or_default().push(model);
                }
                Callee::Method { receiver, name } => {
                    library.methods.entry(name).or_default().push((receiver, model.clone()));
                    let all = library.names.entry(name).or_default();
                    if !all.iter().any(|known| known.flows == model.flows) {
                        all.push(model);
                    }
                }
            }
        }
        let still =
            library.names.iter().filter(|(_, models)| models.iter().all(|model| model.flows.is_empty()));
        library.still = still.map(|(name, _)| *name).collect();
        library
    }

    /// The receiver groups.
    pub fn groups(&self) -> &Groups {
        &self.groups
    }

    /// Whether every known method of this name only looks: a length, comparison or search.
    pub fn moves_nothing(&self, name: &str) -> bool {
        self.still.contains(name)
    }

    /// Whether a method of this name is known for this receiver.
    pub fn knows_method(&self, receiver: Option<&Ty>, name: &str) -> bool {
        match receiver {
            Some(_) => !self.method(receiver, name).is_empty(),
            None => self.names.contains_key(name),
        }
    }

    /// Whether a function is known.
    pub fn knows_path(&self, path: &str) -> bool {
        self.paths.contains_key(path)
    }

    /// The model of a function or macro.
    pub fn path(&self, path: &str) -> Option<Rc<Model>> {
        self.paths.get(path).and_then(|models| models.first()).cloned()
    }

    /// The models of a method: of the exact type, of its group, of any type.
    pub fn method(&self, receiver: Option<&Ty>, name: &str) -> Vec<Rc<Model>> {
        let Some(ty) = receiver else {
            return self.names.get(name).cloned().unwrap_or_default();
        };
        let path = match ty {
            Ty::External { path, .. } => path.as_str(),
            Ty::Sequence(_) => "std::vec::Vec",
            _ => "",
        };
        let group = self.groups.of(path).unwrap_or("");
        let Some(rows) = self.methods.get(name) else { return Vec::new() };
        for head in [path, group, "Any"] {
            let models: Vec<Rc<Model>> = rows
                .iter()
                .filter(|(receiver, _)| *receiver == head)
                .map(|(_, model)| model.clone())
                .collect();
            if !models.is_empty() {
                return models;
            }
        }
        Vec::new()
    }

    /// Whether a type is a cell or lock.
    pub fn is_cell(&self, path: &str) -> bool {
        self.groups.of(path) == Some("Cell") && path != "std::thread::LocalKey"
    }

    /// Whether a type collects what its methods are given.
    pub fn accumulates(&self, path: &str) -> bool {
        if path.is_empty() {
            return false;
        }
        let last = path.rsplit("::").next().unwrap_or(path);
        matches!(self.groups.of(path), Some("Vec" | "HashMap" | "String"))
            || self.groups.accumulators.iter().any(|pattern| wildcard(pattern, last))
    }
}

/// The types of the parts of a tuple: `(Sender, Receiver)`.
fn tuple_types(text: &str, groups: &FxHashMap<&str, &'static str>) -> Vec<Ty> {
    let Some(parts) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) else {
        return Vec::new();
    };
    parts.split(',').map(|part| result_type(part.trim(), groups).unwrap_or(Ty::Unknown)).collect()
}

/// The type that a model's result names: `Option<String>`, with groups as their first type.
fn result_type(text: &str, groups: &FxHashMap<&str, &'static str>) -> Option<Ty> {
    let (head, inner) = match text.split_once('<') {
        Some((head, inner)) => (head, inner.strip_suffix('>')?),
        None => (text, ""),
    };
    if head.starts_with('(') || head.is_empty() {
        return None;
    }
    let path = groups.get(head).map_or(head, |path| path).into();
    let args = match inner.contains(',') {
        // Several arguments: only the head is used.
        true => Vec::new(),
        false => result_type(inner, groups).into_iter().collect(),
    };
    Some(Ty::External { path, args })
}
