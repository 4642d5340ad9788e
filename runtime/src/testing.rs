//! Assertions for the tests of code that makes keys.

use crate::key::Key;

/// Derives a key several times while everything that may legally differ between
/// two executions does, and panics when two of the keys differ.
///
/// With the feature `std` the derivations run on fresh threads, some
/// milliseconds apart: hash maps iterate in other orders, clocks have moved,
/// thread ids and heap addresses are others. Without it they run in place.
/// Process and host identity cannot change inside one test; the linter finds
/// those.
///
/// ```
/// # use samekey::Idempotent;
/// # #[derive(Idempotent)]
/// # #[idempotent(namespace = "billing", operation = "charge.monthly")]
/// # struct Charge { #[idempotent(identity)] customer_id: String }
/// samekey::testing::assert_same_key(|| {
///     let charge = Charge { customer_id: "cust_123".into() };
///     charge.idempotency_key()
/// });
/// ```
///
/// # Panics
///
/// When two derivations give different keys, or one of them panics.
#[track_caller]
pub fn assert_same_key(derive: impl Fn() -> Key + Sync) {
    let first = run(&derive, 0);
    for round in 1..ROUNDS {
        let again = run(&derive, round);
        assert!(first == again, "two executions of one intent gave different keys: {first:?} and {again:?}");
    }
}

const ROUNDS: usize = 8;

#[cfg(feature = "std")]
fn run(derive: &(impl Fn() -> Key + Sync), round: usize) -> Key {
    use std::thread;
    use std::time::Duration;

    thread::scope(|scope| {
        let derivation = scope.spawn(|| {
            // Moves the heap and the clock before the derivation looks at them.
            let _held: alloc::vec::Vec<_> =
                (0..round * 7).map(|size| alloc::vec![0_u8; size * 16 + 1]).collect();
            thread::sleep(Duration::from_millis(2 + round as u64));
            derive()
        });
        match derivation.join() {
            Ok(key) => key,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

#[cfg(not(feature = "std"))]
fn run(derive: &(impl Fn() -> Key + Sync), _round: usize) -> Key {
    derive()
}
