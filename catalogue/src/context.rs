//! Code that is run again.

use crate::kind::Language;
use crate::pattern::{Pattern, Slot};

/// Why a body is run more than once for one intent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ContextKind {
    /// A retry combinator calls it once per attempt.
    Retry,
    /// A transaction calls it again after a conflict.
    Transaction,
    /// A broker or queue delivers the same message again.
    Handler,
    /// A client calls it once per attempt of one request.
    Middleware,
    /// A scheduler runs it in every replica and after a restart.
    Schedule,
    /// Called for each connection.
    Connection,
}

/// A call whose closure, or a trait whose implementations, are run again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// Unique, kebab-case.
    pub id: &'static str,
    /// Where the row applies.
    pub language: Language,
    /// Why the body is run again.
    pub kind: ContextKind,
    /// How it is recognised. A [`Pattern::Type`] is a trait (its methods are
    /// the body) or an attribute or annotation (the item under it is).
    pub patterns: &'static [Pattern],
    /// The closure that is the body; [`Slot::Return`] for traits and attributes.
    pub body: Slot,
    /// Expressions that look like it and run their closure once.
    pub lookalikes: &'static [&'static str],
    /// Expressions that must be recognised.
    pub examples: &'static [&'static str],
    /// Crate version and place, or link, from which the fact comes.
    pub evidence: &'static str,
    /// What a reader should know about it; may be empty.
    pub note: &'static str,
}
