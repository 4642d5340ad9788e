//! The rows of the source, sink and safe tables.

use crate::kind::{ChangesOn, Effect, Family, Language, Level, SourceKind};
use crate::pattern::{Pattern, Slot};

/// An expression whose value differs between two executions of one intent.
///
/// Examples and look-alikes are expressions with full paths. One that needs
/// variables declares them as the parameters of a closure:
/// `|channel: &lapin::Channel| channel.id()` (Java: a lambda with typed
/// parameters); the value meant is that of the closure's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// Unique, kebab-case.
    pub id: &'static str,
    /// Where the row applies.
    pub language: Language,
    /// What kind of value it yields.
    pub kind: SourceKind,
    /// When the value changes.
    pub changes_on: ChangesOn,
    /// Only the order of what flows through changes: sorting makes it stable, and
    /// the elements by themselves are as stable as before.
    pub order: bool,
    /// Level when the value reaches a payment key unconditionally.
    pub level: Level,
    /// How it is recognised; any of these.
    pub patterns: &'static [Pattern],
    /// Where the fresh value goes: the result or an out-parameter.
    pub out: Slot,
    /// Expressions that look like it and must stay quiet.
    pub lookalikes: &'static [&'static str],
    /// Expressions that must be recognised.
    pub examples: &'static [&'static str],
    /// Crate version and place, or link, from which the fact comes.
    pub evidence: &'static str,
    /// What a reader should know about it; may be empty.
    pub note: &'static str,
}

/// A place where a key is used.
///
/// In examples the key is the variable `key`; other variables are declared as
/// closure parameters as in [`Source`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sink {
    /// Unique, kebab-case.
    pub id: &'static str,
    /// Where the row applies.
    pub language: Language,
    /// Id of the [`Provider`](crate::Provider), or empty.
    pub provider: &'static str,
    /// What the provider does.
    pub family: Family,
    /// Level of a proven finding at this sink. `Off` rows are recognised and
    /// never reported by themselves: look-alikes that must stay quiet, or slots
    /// whose host or type decides.
    pub level: Level,
    /// How it is recognised; any of these.
    pub patterns: &'static [Pattern],
    /// Which part of the call is the key. For headers, keys and fields this is
    /// [`Slot::Return`], meaning the value that is assigned.
    pub value: Slot,
    /// The call makes a fresh key by itself.
    pub mints: bool,
    /// Pre-filter: a file can hold this sink only if it contains all strings of
    /// at least one of these lists, compared without regard to ASCII case (they
    /// are in lower case). A common word never stands alone.
    pub words: &'static [&'static [&'static str]],
    /// Expressions that look like it and must stay quiet.
    pub lookalikes: &'static [&'static str],
    /// Expressions that must be recognised.
    pub examples: &'static [&'static str],
    /// Crate version and place, or link, from which the fact comes.
    pub evidence: &'static str,
    /// What a reader should know about it; may be empty.
    pub note: &'static str,
}

/// A call or place that decides how stable a value is afterwards.
///
/// In examples `value` is the volatile value that goes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Safe {
    /// Unique, kebab-case.
    pub id: &'static str,
    /// Where the row applies.
    pub language: Language,
    /// How it is recognised; any of these.
    pub patterns: &'static [Pattern],
    /// What it does to the value.
    pub effect: Effect,
    /// Expressions that look like it and do not have the effect.
    pub lookalikes: &'static [&'static str],
    /// Expressions that have the effect.
    pub examples: &'static [&'static str],
    /// Crate version and place, or link, from which the fact comes.
    pub evidence: &'static str,
    /// What a reader should know about it; may be empty.
    pub note: &'static str,
}
