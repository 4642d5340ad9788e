//! The order in which the blocks of a body are run: a block after all from which it is reached, but for the ways
//! back to the head of a loop, and all of a loop before what comes after it. In another order, the block where a
//! hundred arms of a `match` meet would run a hundred times.

use std::ops::Range;

use crate::ir::{Block, BlockId, Body, LoopId};

/// The blocks that can be reached, in order.
pub(super) fn order(body: &Body) -> Vec<BlockId> {
    let mut seen = vec![false; body.blocks.len()];
    let mut finished = Vec::with_capacity(body.blocks.len());
    // Iterative: a body may have ten thousand blocks in a row.
    let mut open: Vec<(BlockId, Vec<BlockId>)> = Vec::new();
    let mut next = Some(BlockId(0));
    loop {
        if let Some(id) = next.take()
            && let Some(block) = body.blocks.get(id.0 as usize)
            && let Some(seen) = seen.get_mut(id.0 as usize)
            && !std::mem::replace(seen, true)
        {
            open.push((id, to_visit(body, block)));
        }
        let Some((id, rest)) = open.last_mut() else { break };
        match rest.pop() {
            Some(successor) => next = Some(successor),
            None => {
                finished.push(*id);
                open.pop();
            }
        }
    }
    finished.reverse();
    finished
}

/// The position of each block in the order.
pub(super) fn ranks(body: &Body, order: &[BlockId]) -> Vec<usize> {
    let mut ranks = vec![0; body.blocks.len()];
    for (rank, id) in order.iter().enumerate() {
        ranks[id.0 as usize] = rank;
    }
    ranks
}

/// The blocks of the order in stretches: one block that no way leads back to, or all of what ways lead back in.
pub(super) fn stretches(body: &Body, order: &[BlockId], ranks: &[usize]) -> Vec<Stretch> {
    let mut found: Vec<Stretch> = Vec::with_capacity(order.len());
    for (rank, id) in order.iter().enumerate() {
        let next = body.blocks[id.0 as usize].terminator.successors();
        let next = next.iter().filter_map(|id| ranks.get(id.0 as usize).copied());
        match next.filter(|next| *next <= rank).min() {
            None => found.push(Stretch { ranks: rank..rank + 1, is_loop: false }),
            Some(first) => {
                let joined = found.partition_point(|stretch| stretch.ranks.end <= first);
                let start = found.get(joined).map_or(first, |stretch| stretch.ranks.start);
                found.truncate(joined);
                found.push(Stretch { ranks: start..rank + 1, is_loop: true });
            }
        }
    }
    found
}

/// Blocks that follow each other in the order.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    /// Their positions.
    pub ranks: Range<usize>,
    /// Whether ways lead back in it.
    pub is_loop: bool,
}

/// The successors, the one to visit first at the end. What is visited first comes last in the order, and that
/// has to be what is outside of the loop.
fn to_visit(body: &Body, block: &Block) -> Vec<BlockId> {
    let mut all = block.terminator.successors().to_vec();
    if all.len() > 1 {
        all.sort_by_key(|id| {
            let innermost = body.blocks.get(id.0 as usize).and_then(|block| block.innermost_loop);
            std::cmp::Reverse(loop_depth(body, innermost))
        });
    }
    all
}

fn loop_depth(body: &Body, innermost: Option<LoopId>) -> usize {
    let parent = |id: &LoopId| body.loops.get(id.0 as usize).and_then(|looped| looped.parent);
    std::iter::successors(innermost, parent).take(body.loops.len()).count()
}
