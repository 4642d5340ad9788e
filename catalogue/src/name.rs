//! What names alone suggest, used only where no definition is in view.

use crate::kind::{ChangesOn, Level, SourceKind};

/// What a name suggests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NameRole {
    /// A field, parameter or variable that holds a key.
    Sink,
    /// A function whose result is a key.
    SinkFunction,
    /// A field, parameter or variable that holds a volatile value.
    Source,
    /// A function whose result is volatile.
    SourceFunction,
    /// A business identity or business time.
    Safe,
    /// What tells a person apart and should not be readable in a key: an e-mail address, a card number.
    Personal,
    /// A secret; what is hashed together with one cannot be found by trying.
    Secret,
    /// A name that never makes a key slot, although it looks like one.
    Exclude,
    /// A function that is run again: retry, handler, consumer, job.
    Context,
    /// Test helpers.
    Test,
}

/// A group of names with the same role and level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameRule {
    /// Unique, kebab-case.
    pub id: &'static str,
    /// What the names suggest.
    pub role: NameRole,
    /// The kind of source, for source roles.
    pub kind: Option<SourceKind>,
    /// When such a value is another one, where the name tells.
    pub changes_on: Option<ChangesOn>,
    /// Names in snake case. A `*` at the start or end stands for any text.
    pub snake: &'static [&'static str],
    /// The same names in camel case.
    pub camel: &'static [&'static str],
    /// Level by name alone; a name is never an error by itself.
    pub level: Level,
    /// Business meanings of the same words.
    pub homonyms: &'static [&'static str],
    /// What a reader should know about it; may be empty.
    pub note: &'static str,
}
