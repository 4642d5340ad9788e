//! Which names stand for which others: `use a as b`, `type B = a;`.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::NameHash;

/// The renamed names of a whole tree.
#[derive(Default)]
pub(super) struct Aliases {
    of_target: FxHashMap<NameHash, Vec<NameHash>>,
}

impl Aliases {
    pub(super) fn add(&mut self, target: NameHash, alias: NameHash) {
        self.of_target.entry(target).or_default().push(alias);
    }

    /// A name and all that it is called elsewhere.
    pub(super) fn of(&self, target: NameHash) -> FxHashSet<NameHash> {
        let mut found = FxHashSet::default();
        let mut waiting = vec![target];
        while let Some(name) = waiting.pop() {
            if found.insert(name) {
                waiting.extend(self.of_target.get(&name).into_iter().flatten());
            }
        }
        found
    }
}
