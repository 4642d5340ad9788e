//! How a row recognises code.

/// Which part of a call a row speaks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Slot {
    /// The value that the expression yields.
    Return,
    /// The receiver of a method call.
    Receiver,
    /// An argument, counted from 0 without the receiver. For enum variants and
    /// tuple structs it is the position of the field.
    Arg(u8),
}

/// A condition on one argument of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ArgCondition {
    /// Position of the argument, counted from 0 without the receiver.
    pub index: u8,
    /// The row applies when the argument is one of these. A string literal is
    /// compared exactly and with case. Four forms are special: `None` (the
    /// path `None`), `Some(_)` (a call of `Some`), `date-only` (a literal for
    /// which [`is_date_only_format`](crate::is_date_only_format) holds) and
    /// `::days` (a path, or the call of one, whose last segment is `days`).
    pub literals: &'static [&'static str],
}

/// One way in which an API appears in source code.
///
/// Type paths in `receivers` and `owners` are those of structs, enums and
/// traits, without generic arguments. One that ends in `*` stands for every path
/// that starts like it (`aws_sdk_*`); for a method call it also holds when the
/// chain of calls starts at a value of such a type (`client.run_task()..`).
/// Java constructors are called `<init>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// A call through a path: a free or associated function, or the constructor
    /// of a tuple struct or enum variant. The path may also stand alone as a
    /// function value (`unwrap_or_else(Uuid::new_v4)`). A piece `{:?}` or `{:p}`
    /// of a format string is a call of `std::fmt::Debug::fmt` or
    /// `std::fmt::Pointer::fmt`.
    Call {
        /// Full path after `use` items are expanded.
        path: &'static str,
        /// Required number of arguments, if it matters.
        arity: Option<u8>,
        /// Conditions that must all hold.
        when: &'static [ArgCondition],
    },
    /// A method call.
    Method {
        /// Type paths of the receiver; when empty the name alone is enough.
        receivers: &'static [&'static str],
        /// Name of the method.
        name: &'static str,
        /// Required number of arguments without the receiver, if it matters.
        arity: Option<u8>,
        /// Conditions that must all hold.
        when: &'static [ArgCondition],
    },
    /// A field: read in a source, written in a sink.
    Field {
        /// Struct paths; when empty the name alone is enough.
        owners: &'static [&'static str],
        /// Name of the field.
        name: &'static str,
    },
    /// A macro call.
    Macro {
        /// Full path without the exclamation mark.
        path: &'static str,
        /// Largest number of arguments for which the row applies.
        max_args: Option<u8>,
    },
    /// Any value of this type.
    Type {
        /// Full path without generic arguments.
        path: &'static str,
    },
    /// An HTTP or message header, compared without regard to case.
    Header {
        /// Name of the header in lower case.
        name: &'static str,
    },
    /// A constant string key of a map, JSON object or (renamed) serde field.
    Key {
        /// The key, compared exactly.
        name: &'static str,
    },
    /// An environment variable read by `env::var` and friends.
    Env {
        /// Name of the variable, compared exactly.
        name: &'static str,
    },
    /// A word or call inside an SQL text, compared without regard to case and
    /// on word boundaries.
    Sql {
        /// The word in lower case; a trailing `(` demands a call.
        word: &'static str,
    },
}
