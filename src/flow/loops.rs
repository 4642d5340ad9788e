//! What the iterations of a loop replace. What they only change in place adds up: before the first iteration there is
//! less of it, not something else.

use std::collections::{BTreeMap, BTreeSet};

use super::value::Base;
use crate::ir::{BlockId, Body, LoopId, Place, PlaceBase, Projection, StatementKind};

/// By the head of a loop: the locals that are assigned as a whole in it, or what they refer to is. For the latter, each
/// parameter stands as well: any of them may be meant.
#[derive(Default)]
pub(super) struct Replaced(BTreeMap<BlockId, BTreeSet<Base>>);

impl Replaced {
    /// Of all loops of a body.
    pub(super) fn of(body: &Body) -> Replaced {
        let mut replaced: BTreeMap<BlockId, BTreeSet<Base>> =
            body.loops.iter().map(|looped| (looped.head, BTreeSet::new())).collect();
        for block in &body.blocks {
            let places = || block.statements.iter().filter_map(|statement| assigned(&statement.kind));
            for head in around(body, block.innermost_loop) {
                let parameters = 0..body.parameters as u32;
                let pointees = places().any(|(_, through)| through).then_some(parameters.map(Base::Param));
                let bases = places().map(|(base, _)| base).chain(pointees.into_iter().flatten());
                replaced.entry(head).or_default().extend(bases);
            }
        }
        Replaced(replaced)
    }

    /// Whether an object may be another one after an iteration that leads to a block. Elsewhere, each way may have its
    /// own.
    pub(super) fn may_be(&self, head: BlockId, base: Base) -> bool {
        match (self.0.get(&head), base) {
            (Some(replaced), Base::Local(_) | Base::Param(_)) => replaced.contains(&base),
            _ => true,
        }
    }
}

/// The local that a statement gives another value, and whether that is what it refers to.
fn assigned(statement: &StatementKind) -> Option<(Base, bool)> {
    let StatementKind::Assign(Place { base: PlaceBase::Local(local), projections }, _) = statement else {
        return None;
    };
    let whole = projections.iter().all(|projection| matches!(projection, Projection::Dereference));
    whole.then_some((Base::Local(local.0), !projections.is_empty()))
}

/// The heads of the loops around a block.
fn around(body: &Body, innermost: Option<LoopId>) -> impl Iterator<Item = BlockId> {
    let get = |id: LoopId| body.loops.get(id.0 as usize);
    std::iter::successors(innermost, move |id| get(*id)?.parent)
        .take(body.loops.len())
        .filter_map(move |id| Some(get(id)?.head))
}
