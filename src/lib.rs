//! Finds idempotency keys whose value changes when the same intent is executed again.

pub mod frontend;
pub mod ir;
pub mod resolve;
