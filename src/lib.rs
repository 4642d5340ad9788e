//! Finds idempotency keys whose value changes when the same intent is executed again.
