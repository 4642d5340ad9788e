//! Which crate can name what another one defines.

use rustc_hash::FxHashSet;

use crate::discover::Layout;
use crate::ir::FileId;

/// Crates as indices of the layout; `None` is a place that may be anywhere.
pub(super) type Home = Option<usize>;

/// The dependencies between the crates of the tree.
pub(super) struct Visibility {
    krate_of_file: Vec<usize>,
    /// For each crate: itself and all that it depends on.
    sees: Vec<FxHashSet<usize>>,
}

impl Visibility {
    pub(super) fn new(layout: &Layout) -> Visibility {
        let sees = (0..layout.crates.len()).map(|start| {
            let mut found = FxHashSet::default();
            let mut waiting = vec![start];
            while let Some(krate) = waiting.pop() {
                if found.insert(krate) {
                    waiting.extend(layout.crates[krate].dependencies.iter().map(|(_, next)| *next));
                }
            }
            found
        });
        Visibility {
            krate_of_file: layout.places.iter().map(|place| place.krate).collect(),
            sees: sees.collect(),
        }
    }

    pub(super) fn krate(&self, file: FileId) -> Home {
        self.krate_of_file.get(file.0 as usize).copied()
    }

    /// Whether code of crate `from` can reach what is defined in `home`.
    pub(super) fn sees(&self, from: Home, home: Home) -> bool {
        match (from, home) {
            (Some(from), Some(home)) => self.sees.get(from).is_none_or(|seen| seen.contains(&home)),
            _ => true,
        }
    }
}
