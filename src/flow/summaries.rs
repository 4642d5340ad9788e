//! The summaries that are known, and what each was made from: when something new is seen to matter, only what rests
//! on it is computed again.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::engine::{BodyRef, Instance};
use super::summary::Summary;
use crate::resolve::StaticId;

/// An instance, by its position in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InstanceId(u32);

/// All instances that were asked for.
#[derive(Default)]
pub struct Summaries {
    ids: FxHashMap<Instance, InstanceId>,
    /// By id: the body, and whether only its sinks are asked for.
    bodies: Vec<(BodyRef, bool)>,
    finished: FxHashMap<InstanceId, Rc<Summary>>,
    /// Entry points that were analysed with a budget of their own: where it cut them short, another try would be, too.
    entries: FxHashSet<InstanceId>,
    /// Summaries of members of a recursive component that is not finished, with the lowest position on the stack on
    /// which each depends.
    provisional: FxHashMap<InstanceId, (Rc<Summary>, usize)>,
    /// Who used the summary of an instance.
    dependents: FxHashMap<InstanceId, FxHashSet<InstanceId>>,
    /// Who used the content of a static.
    readers: FxHashMap<StaticId, FxHashSet<InstanceId>>,
}

impl Summaries {
    /// The id of an instance.
    pub fn id(&mut self, instance: &Instance) -> InstanceId {
        if let Some(id) = self.ids.get(instance) {
            return *id;
        }
        let id = InstanceId(self.bodies.len() as u32);
        self.ids.insert(instance.clone(), id);
        self.bodies.push((instance.body, instance.sinks_only));
        id
    }

    /// The summary of an instance, when it is final.
    pub fn finished(&self, id: InstanceId) -> Option<Rc<Summary>> {
        self.finished.get(&id).cloned()
    }

    /// Whether the summary of an instance is final.
    pub fn is_finished(&self, instance: &Instance) -> bool {
        self.ids.get(instance).is_some_and(|id| self.finished.contains_key(id))
    }

    /// What is known of a member of a component that is not finished.
    pub fn provisional(&self, id: InstanceId) -> Option<(Rc<Summary>, usize)> {
        self.provisional.get(&id).cloned()
    }

    /// Keeps the summary of a member of a component that is not finished.
    pub fn keep_provisional(&mut self, id: InstanceId, summary: Rc<Summary>, depends: usize) {
        self.provisional.insert(id, (summary, depends));
    }

    /// Drops what depends on the instance at a position of the stack, which is about to be run again.
    pub fn drop_provisional(&mut self, position: usize) {
        self.provisional.retain(|_, (_, depends)| *depends < position);
    }

    /// The instance at a position of the stack is done, and with it everything that depended on it.
    pub fn finish(&mut self, id: InstanceId, summary: Rc<Summary>, position: usize) {
        let members = self.provisional.extract_if(|_, (_, depends)| *depends >= position);
        self.finished.extend(members.map(|(id, (summary, _))| (id, summary)));
        self.finished.insert(id, summary);
    }

    /// Notes that one instance used the summary of another.
    pub fn depends(&mut self, user: InstanceId, used: InstanceId) {
        self.dependents.entry(used).or_default().insert(user);
    }

    /// Notes that an instance used the content of a static.
    pub fn reads(&mut self, reader: InstanceId, id: StaticId) {
        self.readers.entry(id).or_default().insert(reader);
    }

    /// Drops a summary that was cut short on behalf of another entry point. From now on it has a budget of its own.
    pub fn begin_entry(&mut self, id: InstanceId) {
        if self.entries.insert(id) && self.finished.get(&id).is_some_and(|summary| summary.cut) {
            self.finished.remove(&id);
        }
    }

    /// Drops the summaries that were cut short on behalf of another entry point or rest on what changed: the slices of
    /// bodies, what statics hold.
    pub fn invalidate(&mut self, slices: &FxHashSet<(BodyRef, bool)>, statics: &BTreeSet<StaticId>) {
        self.finished.retain(|id, summary| !summary.cut || self.entries.contains(id));
        let sliced = self.finished.keys().filter(|id| slices.contains(&self.bodies[id.0 as usize]));
        let mut waiting: Vec<InstanceId> = sliced.copied().collect();
        waiting.extend(statics.iter().filter_map(|id| self.readers.get(id)).flatten());
        let mut seen: FxHashSet<InstanceId> = waiting.iter().copied().collect();
        while let Some(id) = waiting.pop() {
            self.finished.remove(&id);
            self.entries.remove(&id);
            let users = self.dependents.get(&id).into_iter().flatten().copied();
            waiting.extend(users.filter(|user| seen.insert(*user)));
        }
    }
}
