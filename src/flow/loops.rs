//! What the iterations of a loop replace. What they only change in place adds up: before the first iteration there is
//! less of it, not something else. So it is with all that a loop over items does, unless there are none.

use std::collections::{BTreeMap, BTreeSet};

use super::value::Base;
use crate::ir::{BlockId, Body, LoopId, LoopKind, Place, PlaceBase, Projection, StatementKind};

/// The loops of a body, by their heads.
pub(super) struct Loops(BTreeMap<BlockId, Inside>);

/// What is known of one loop.
#[derive(Default)]
struct Inside {
    /// Whether it runs once for each of several items.
    over_items: bool,
    /// The locals that are assigned as a whole in it, or what they refer to is. For the latter, each parameter stands as
    /// well: any of them may be meant.
    replaced: BTreeSet<Base>,
}

impl Loops {
    /// The loops of a body.
    pub(super) fn of(body: &Body) -> Loops {
        let inside = |kind| Inside {
            over_items: matches!(kind, LoopKind::For | LoopKind::ForRange),
            replaced: BTreeSet::new(),
        };
        let mut loops: BTreeMap<BlockId, Inside> =
            body.loops.iter().map(|looped| (looped.head, inside(looped.kind))).collect();
        for block in &body.blocks {
            let places = || block.statements.iter().filter_map(|statement| assigned(&statement.kind));
            for head in around(body, block.innermost_loop) {
                let parameters = 0..body.parameters as u32;
                let pointees = places().any(|(_, through)| through).then_some(parameters.map(Base::Param));
                let bases = places().map(|(base, _)| base).chain(pointees.into_iter().flatten());
                loops.entry(head).or_default().replaced.extend(bases);
            }
        }
        Loops(loops)
    }

    /// Whether a block is the head of a loop that runs once for each of several items.
    pub(super) fn go_over_items(&self, head: BlockId) -> bool {
        self.0.get(&head).is_some_and(|inside| inside.over_items)
    }

    /// Whether an object may be another one after an iteration that leads to a block. Elsewhere, each way may have its
    /// own.
    pub(super) fn may_replace(&self, head: BlockId, base: Base) -> bool {
        match (self.0.get(&head), base) {
            (Some(inside), Base::Local(_) | Base::Param(_)) => inside.replaced.contains(&base),
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
