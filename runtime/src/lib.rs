//! Idempotency keys that are right by construction.
