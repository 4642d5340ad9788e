//! Sets of taints, sorted by origin, and the work that merging them is.

use super::value::{Flags, MAX_PATH, Origin, Taint};

/// The most origins kept in one set.
const MAX_ORIGINS: usize = 16;

/// Whether two sets say the same.
pub fn same_taints(a: &[Taint], b: &[Taint]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.origin == b.origin && a.flags == b.flags)
}

/// Adds a taint to a set.
pub fn insert(set: &mut Vec<Taint>, taint: Taint) {
    match set.binary_search_by(|t| t.origin.cmp(&taint.origin)) {
        Ok(index) => merge_into(&mut set[index], &taint),
        Err(index) => {
            set.insert(index, taint);
            generalize(set);
        }
    }
}

fn merge_into(existing: &mut Taint, taint: &Taint) {
    existing.flags = existing.flags.merge(taint.flags);
    if taint.trace.better_than(&existing.trace) {
        existing.trace = taint.trace.clone();
    }
}

/// The union of two sorted sets.
pub fn union(a: &[Taint], b: &[Taint]) -> Vec<Taint> {
    union_marked(a, b, false, false)
}

thread_local! {
    /// How many taints were merged on this thread: the measure of work for budgets, which must not be time.
    static WORK: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Counts work that is not a merge of taints.
pub fn add_work(amount: u64) {
    WORK.set(WORK.get() + amount);
}

/// Taints merged on this thread so far.
pub fn work() -> u64 {
    WORK.get()
}

/// The union; origins of one side only are marked as one alternative where that side is to be marked.
pub fn union_marked(a: &[Taint], b: &[Taint], mark_a: bool, mark_b: bool) -> Vec<Taint> {
    WORK.set(WORK.get() + 1 + (a.len() + b.len()) as u64);
    if b.is_empty() && !mark_a {
        return a.to_vec();
    }
    if a.is_empty() && !mark_b {
        return b.to_vec();
    }
    let mut result = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let order = match (a.get(i), b.get(j)) {
            (Some(x), Some(y)) => x.origin.cmp(&y.origin),
            (Some(_), None) => std::cmp::Ordering::Less,
            _ => std::cmp::Ordering::Greater,
        };
        match order {
            std::cmp::Ordering::Less => {
                result.push(marked(&a[i], mark_a));
                i += 1;
            }
            std::cmp::Ordering::Greater => {
                result.push(marked(&b[j], mark_b));
                j += 1;
            }
            std::cmp::Ordering::Equal => {
                let mut both = a[i].clone();
                merge_into(&mut both, &b[j]);
                result.push(both);
                i += 1;
                j += 1;
            }
        }
    }
    generalize(&mut result);
    result
}

/// Keeps a set within its limit: the longest parameter paths are cut, so that each stands for all below it.
fn generalize(set: &mut Vec<Taint>) {
    for length in (0..MAX_PATH).rev() {
        if set.len() <= MAX_ORIGINS {
            return;
        }
        let all = std::mem::take(set);
        for mut taint in all {
            if let Origin::Param(path) = &mut taint.origin
                && path.keys.len() > length
            {
                path.keys = path.keys[..length].into();
                // What is elsewhere below the shorter path may be meant now as well.
                taint.flags = taint.flags.with(Flags::BLURRED);
            }
            match set.binary_search_by(|t| t.origin.cmp(&taint.origin)) {
                Ok(index) => merge_into(&mut set[index], &taint),
                Err(index) => set.insert(index, taint),
            }
        }
    }
    set.truncate(MAX_ORIGINS);
}

/// A taint, as that of one alternative of several or as it is.
pub fn marked(taint: &Taint, mark: bool) -> Taint {
    let flags = if mark { taint.flags.with(Flags::MAYBE) } else { taint.flags };
    Taint { flags, ..taint.clone() }
}
