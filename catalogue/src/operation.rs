//! Calls that move money, and what gives them a key.

use crate::kind::Language;
use crate::pattern::Pattern;

/// A call that changes something at a provider and should carry a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Unique, kebab-case.
    pub id: &'static str,
    /// Where the row applies.
    pub language: Language,
    /// Id of the [`Provider`](crate::Provider).
    pub provider: &'static str,
    /// How it is recognised. A [`Pattern::Type`] is a request that is sent by a
    /// later method of the chain.
    pub patterns: &'static [Pattern],
    /// Paths of a POST to a host of the provider; `*` is one segment.
    pub posts: &'static [&'static str],
    /// What a second call without a key does.
    pub repetition: Repetition,
    /// Methods that give the request, its client or its options a key.
    pub keyed_by: &'static [&'static str],
    /// Packages that have these calls and no way to give them a key.
    pub keyless: &'static [&'static str],
    /// Reads and other calls that need no key.
    pub lookalikes: &'static [&'static str],
    /// Expressions that must be recognised.
    pub examples: &'static [&'static str],
    /// Crate version and place, or link, from which the fact comes.
    pub evidence: &'static str,
    /// What a reader should know about it; may be empty.
    pub note: &'static str,
}

/// What a provider makes of a call that is repeated without a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// It does the operation again.
    Executed,
    /// It refuses it by itself, as a captured charge is not captured twice.
    Refused,
    /// It makes a second one, which moves no money until a person approves it.
    Pending,
}

/// A value that a client or request is given instead of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// Its public paths.
    pub paths: &'static [&'static str],
    /// The packages whose feature decides whether it sends a key.
    pub packages: &'static [&'static str],
    /// The feature without which it sends none; empty when it never sends one.
    pub feature: &'static str,
    /// The major version before which the feature is on by default.
    pub default_before: &'static str,
    /// Crate version and place from which the fact comes.
    pub evidence: &'static str,
}

/// The names by which HTTP clients build a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HttpClient {
    /// Methods and functions that start a POST; the URL is their last argument.
    pub posts: &'static [&'static str],
    /// The same with the verb as first argument.
    pub verbs: &'static [&'static str],
    /// What sets one header: its name, then its value.
    pub header: &'static [&'static str],
    /// What takes a whole map of headers.
    pub headers: &'static [&'static str],
    /// What says nothing of headers that are keys.
    pub neutral: &'static [&'static str],
    /// What gives the body or the query.
    pub bodies: &'static [&'static str],
    /// What sends the request.
    pub sends: &'static [&'static str],
    /// What gives every request of a client its headers.
    pub defaults: &'static [&'static str],
}
