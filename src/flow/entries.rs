//! Entries of things from outside under constant keys: a jar of cookies, a configuration, a document.
//!
//! What is put in by `set("name", value)` is what `get("name")` reads, and no other key does.

use super::calls::CallSite;
use super::engine::Engine;
use super::generated::{FINISHERS, is_insertion, tree_type};
use super::places::constant_key;
use super::shape::peel;
use super::state::State;
use super::value::{Data, Key, Value};
use crate::resolve::Ty;

/// Methods that take the entry of a key out of a map.
const REMOVALS: &[&str] =
    &["remove", "pop", "invalidate", "shift_remove", "swap_remove", "remove_entry", "delete", "unset"];
/// First words of methods that read the entry of a key.
const LOOKUPS: &[&str] = &["get", "peek", "fetch", "lookup"];

impl<'a> Engine<'a> {
    /// `thing.set("name", value)` and `thing.get("name")` of a thing that nothing else is known of.
    pub fn entry(&self, state: &mut State, site: &CallSite) -> Option<Value> {
        let receiver = site.receiver.as_ref().filter(|_| site.method)?;
        let target = state.dereference(&receiver.value);
        if tree_type(&target).is_some() || target.is_bottom() {
            return None;
        }
        let (key, value) = match site.args.as_slice() {
            [key] if is_lookup(&site.name) => return looked_up(state, &target, key),
            [key, value] if is_insertion(&site.name) || site.name == "put" => {
                (constant_key(&state.dereference(key))?, value)
            }
            [named] if site.name == "add" => (name_of(state, named)?, named),
            _ => return None,
        };
        if !state.dereference(value).callables().is_empty() {
            return None;
        }
        let value = match site.args.len() {
            1 => state.dereference(value),
            _ => state.flattened(value),
        };
        let places = self.receiver_places(state, receiver);
        let strong = places.len() == 1;
        for place in places {
            state.store(&place.part(key.clone()), value.clone(), strong);
        }
        Some(target.with_part(&key, value, true))
    }

    /// The entry of a constant key that a call takes out of a map is not there any more.
    pub fn remove_entry(&self, state: &mut State, site: &CallSite, selected: Option<&Key>) {
        let (Some(receiver), Some(key)) = (&site.receiver, selected) else { return };
        let target = state.dereference(&receiver.value);
        let is_map = target.ty().is_some_and(|ty| self.is_map(peel(ty)));
        if !is_map || !REMOVALS.contains(&site.name.as_str()) {
            return;
        }
        let places = self.receiver_places(state, receiver);
        if let [place] = places.as_slice() {
            state.store(&place.part(key.clone()), Value::clean(), true);
        }
    }

    /// `value.pointer("/user/name")` of a JSON value whose keys are known.
    pub fn pointed(&self, state: &State, site: &CallSite) -> Option<Value> {
        let receiver = site.receiver.as_ref().filter(|_| site.name == "pointer")?;
        let [path] = site.args.as_slice() else { return None };
        let Key::At(path) = constant_key(&state.dereference(path))? else { return None };
        let steps = path.strip_prefix('/')?.split('/');
        let found = steps.fold(state.dereference(&receiver.value), |value, step| {
            state.dereference(&self.typed_part(&value, &Key::At(step.into())))
        });
        let found = if found.is_bottom() { Value::clean() } else { found };
        let option = Ty::External { path: "std::option::Option".into(), args: Vec::new() };
        Some(Value::aggregate(vec![(Key::Variant("Some".into(), "0".into()), found)]).with_type(Some(option)))
    }

    /// A thing whose entries are kept apart in what a call makes of it, without these, and the entries.
    pub fn split_entries(&self, target: &Value, site: &CallSite) -> Option<(Value, Vec<(Key, Value)>)> {
        let entries = entries(target.data()?);
        if entries.is_empty() || !FINISHERS.contains(&site.name.as_str()) || tree_type(target).is_some() {
            return None;
        }
        let rest = target.clone().update(|data| data.parts.retain(|(key, _)| !matches!(key, Key::At(_))));
        Some((rest, entries))
    }
}

/// The entries of constant keys.
pub fn entries(data: &Data) -> Vec<(Key, Value)> {
    data.parts.iter().filter(|(key, _)| matches!(key, Key::At(_))).cloned().collect()
}

/// Whether a method reads what is stored under a key.
pub fn is_lookup(name: &str) -> bool {
    let first = name.split('_').next().unwrap_or_default();
    LOOKUPS.contains(&first) && !name.starts_with("get_or") && !name.contains("index")
}

/// What is stored under a constant key of a thing of which some entries are known.
fn looked_up(state: &State, target: &Value, key: &Value) -> Option<Value> {
    let data = target.data()?;
    if entries(data).is_empty() {
        return None;
    }
    let key = constant_key(&state.dereference(key))?;
    let element = target.listed_part(&Key::Element);
    let found = target.listed_part(&key).or(element);
    match found {
        Some(entry) => Some(entry.clone().add_taint(&data.taint)),
        None => Some(Value::tainted(data.taint.clone())),
    }
}

/// The constant name that a value was made with: `Cookie::new("lang", value)`.
fn name_of(state: &State, value: &Value) -> Option<Key> {
    let value = state.dereference(value);
    constant_key(&state.dereference(value.listed_part(&Key::Field("name".into()))?))
}
