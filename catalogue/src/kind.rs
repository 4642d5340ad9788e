//! The small enumerations that rows are described with.

/// The language in which a row applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Language {
    /// Rust sources.
    Rust,
    /// Java sources.
    Java,
    /// Any language: headers, JSON keys, environment names, SQL words.
    Any,
}

/// What kind of volatile value a source yields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SourceKind {
    /// A random or time-based identifier: UUID, ULID, nanoid, ObjectId, snowflake.
    Uuid,
    /// The wall clock or a monotonic clock.
    Clock,
    /// Output of a random number generator.
    Random,
    /// A connection, channel or socket, or the address at one of its ends.
    Connection,
    /// A cluster member, node, host, pod, process or thread.
    Member,
    /// A fencing token, lock value, lease, epoch or term.
    Fence,
    /// A delivery tag, receipt handle, sequence number, offset or counter.
    Sequence,
    /// An attempt, retry or receive counter.
    Attempt,
    /// A trace, span, correlation, request or session id.
    Request,
    /// A text or hash that differs although the value is the same.
    Encoding,
    /// A period computed from the clock at execution.
    Bucket,
    /// A business value that changes between attempts: status, version, quote.
    Mutable,
}

impl SourceKind {
    /// All kinds, in the order in which the rules list them.
    pub const ALL: [Self; 12] = [
        Self::Uuid,
        Self::Clock,
        Self::Random,
        Self::Connection,
        Self::Member,
        Self::Fence,
        Self::Sequence,
        Self::Attempt,
        Self::Request,
        Self::Encoding,
        Self::Bucket,
        Self::Mutable,
    ];

    /// The word that configuration and data files use.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Uuid => "uuid",
            Self::Clock => "clock",
            Self::Random => "random",
            Self::Connection => "connection",
            Self::Member => "member",
            Self::Fence => "fence",
            Self::Sequence => "sequence",
            Self::Attempt => "attempt",
            Self::Request => "request",
            Self::Encoding => "encoding",
            Self::Bucket => "bucket",
            Self::Mutable => "mutable",
        }
    }

    /// The kind with this word, or `None`.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

/// The event at which a source yields another value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ChangesOn {
    /// Every evaluation.
    Call,
    /// A new connection.
    Reconnect,
    /// The broker delivers the same message again.
    Redelivery,
    /// The producer sends the same message again.
    Resend,
    /// The lock, lease or leadership is taken again.
    Acquire,
    /// The next attempt of the same work.
    Attempt,
    /// A new process.
    Restart,
    /// Another host, pod or replica.
    Host,
    /// The end of the period.
    Boundary,
    /// A new build or version.
    Deploy,
    /// Another thread or task.
    Thread,
    /// Another SQL statement.
    Statement,
    /// The next walk over the same entries: only their order is another one.
    Iteration,
}

impl ChangesOn {
    /// All events.
    pub const ALL: [Self; 13] = [
        Self::Call,
        Self::Reconnect,
        Self::Redelivery,
        Self::Resend,
        Self::Acquire,
        Self::Attempt,
        Self::Restart,
        Self::Host,
        Self::Boundary,
        Self::Deploy,
        Self::Thread,
        Self::Statement,
        Self::Iteration,
    ];

    /// The word that data files use.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::Reconnect => "reconnect",
            Self::Redelivery => "redelivery",
            Self::Resend => "resend",
            Self::Acquire => "acquire",
            Self::Attempt => "attempt",
            Self::Restart => "restart",
            Self::Host => "host",
            Self::Boundary => "boundary",
            Self::Deploy => "deploy",
            Self::Thread => "thread",
            Self::Statement => "statement",
            Self::Iteration => "iteration",
        }
    }

    /// What a finding says about the value, fit for the end of a sentence.
    #[must_use]
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::Call => "a new value at each call",
            Self::Reconnect => "a new value at each connection",
            Self::Redelivery => "a new value at each delivery",
            Self::Resend => "a new value when the message is sent again",
            Self::Acquire => "a new value at each lock acquisition",
            Self::Attempt => "a new value at each attempt",
            Self::Restart => "a new value in each process",
            Self::Host => "another value on each host",
            Self::Boundary => "another value once the period ends",
            Self::Deploy => "may be another value after a deploy or upgrade",
            Self::Thread => "another value on each thread or task",
            Self::Statement => "a new value in each SQL statement",
            Self::Iteration => "may be in another order each time",
        }
    }
}

/// How serious a match is before flow and context are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// Never reported by itself.
    Off,
    /// Printed on request only.
    Note,
    /// Reported, does not fail a run by default.
    Warning,
    /// Reported and fails a run.
    Error,
}

impl Level {
    /// The word that output and configuration use.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// What a provider does with a key, which sets how bad a changing key is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    /// Moves money: charges, payouts, transfers, refunds.
    Payment,
    /// Usage and metering events that become invoice lines.
    Usage,
    /// Message brokers and webhooks.
    Message,
    /// Electronic mail.
    Email,
    /// Creation of cloud resources.
    Cloud,
    /// Workflow engines and job schedulers.
    Workflow,
    /// Bank APIs.
    Banking,
    /// Wallets and chains.
    Crypto,
    /// The tree's own deduplication tables and names.
    InHouse,
    /// A header or key that several kinds of provider share.
    Generic,
}

/// What a safe row does to the value that flows through it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Effect {
    /// The result is stable, whatever went in: a stored or caller-supplied key,
    /// a value of a durable-execution engine.
    Clears,
    /// The result is exactly as stable as what went in.
    Propagates,
    /// A clock becomes a period: the result changes at a boundary only.
    WeakensToBucket,
    /// An unordered iteration becomes ordered; other taint stays.
    ClearsOrder,
    /// Looks like a store, but forgets: caches, statics, evictable entries.
    NotDurable,
    /// A digest: passes taint of everything fed in.
    Hash,
    /// A text or byte encoding: passes taint.
    Encode,
}
