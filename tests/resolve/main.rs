//! Name resolution on source text: every rule on both sides, what it finds and what it must leave alone.

mod layout;
mod lookup;
mod methods;
mod support;
mod types;
