//! What the derive knows about volatile types and names.
//!
//! The shape of these tables is the one of `samekey_catalogue::derive`. The
//! names are frozen for a major version: what compiles today compiles after a
//! minor update. Names with a business homonym (`lease_id`, `term`,
//! `session_id`, `sequence`) are the linter's to warn about.

/// A type whose value differs between two executions of one intent.
pub(crate) struct RefusedType {
    /// Last segment of the path, as it is usually written.
    pub(crate) name: &'static str,
    /// What to use instead, lower case without a full stop.
    pub(crate) advice: &'static str,
}

/// A field name that stands for a volatile value and has no business meaning.
pub(crate) struct RefusedName {
    /// The name in snake case.
    pub(crate) name: &'static str,
    /// What to use instead, lower case without a full stop.
    pub(crate) advice: &'static str,
}

macro_rules! refused {
    ($kind:ident: $($advice:literal => $($name:literal)*;)*) => {
        &[$($($kind { name: $name, advice: $advice },)*)*]
    };
}

/// Types that get advice of their own where they are spelled.
pub(crate) static REFUSED_TYPES: &[RefusedType] = refused! { RefusedType:
    "a monotonic clock has no meaning in another process: use the period or the stored time that the operation is about" =>
        "Instant";
    "a point in time is an identity only once it is stored: write `at = \"microsecond\"` (the precision of its column) and `persisted = \"..\"`, or use the billing period" =>
        "SystemTime" "DateTime" "OffsetDateTime" "UtcDateTime" "Timestamp" "Zoned" "ZonedDateTime";
    "a date and time without an offset names no point in time: use the stored UTC value with `at` and `persisted`, or a date" =>
        "NaiveDateTime" "PrimitiveDateTime" "NaiveTime";
    "an elapsed time differs between two executions: write the length that was agreed as an integer with its unit in the name" =>
        "Duration" "SignedDuration" "TimeDelta" "Span";
    "a float has several texts and bit patterns for one amount: use an integer in the smallest unit, or a decimal type" =>
        "f32" "f64" "f16" "f128";
    "it iterates in another order in each process: use `BTreeMap`" =>
        "HashMap" "DashMap" "AHashMap" "FxHashMap" "IndexMap";
    "it iterates in another order in each process: use `BTreeSet`" =>
        "HashSet" "DashSet" "AHashSet" "FxHashSet" "IndexSet";
    "its value changes while the process runs: copy the stored value into the field" =>
        "AtomicBool" "AtomicI8" "AtomicI16" "AtomicI32" "AtomicI64" "AtomicIsize"
        "AtomicU8" "AtomicU16" "AtomicU32" "AtomicU64" "AtomicUsize" "AtomicPtr"
        "Cell" "RefCell" "Mutex" "RwLock";
    "it is computed once per process, so a restart changes it: use the stored value" =>
        "OnceCell" "OnceLock" "LazyCell" "LazyLock";
    "it belongs to one process or thread: use what the operation is about, not who runs it" =>
        "ThreadId" "Thread" "JoinHandle" "Child" "Pid";
    "it belongs to one connection, and a retry arrives on another: use the account or order that the message is about" =>
        "SocketAddr" "SocketAddrV4" "SocketAddrV6" "TcpStream" "UdpSocket" "UnixStream"
        "TcpListener" "Channel" "ConnectInfo" "WebSocket";
    "a network address is where the caller is, not who: use the account id" =>
        "IpAddr" "Ipv4Addr" "Ipv6Addr";
    "it gives another value at each call: use the id that is stored for the operation" =>
        "ThreadRng" "StdRng" "SmallRng" "OsRng" "SysRng" "ChaCha20Rng";
    "its hash depends on the process: mark the fields that are hashed" =>
        "DefaultHasher" "RandomState" "TypeId";
    "paths and system strings differ between hosts: use the business name as text" =>
        "PathBuf" "Path" "OsString" "OsStr";
    "a new one is made at each call: it is an identity only once it is stored, so write `persisted = \"where it is stored\"`" =>
        "Uuid" "Ulid";
    "a new one is made at each call: store it first, and pass its text" =>
        "ObjectId" "Ksuid" "Xid" "NonNilUuid";
    "a whole document is no identity, one added member changes it: mark the ids that it holds" =>
        "Value" "HeaderMap";
};

/// Field names that are refused unless the author says why they are stable.
pub(crate) static REFUSED_NAMES: &[RefusedName] = refused! { RefusedName:
    "a fencing or lock token changes with each lock acquisition: check it before the call, and leave it out of the key" =>
        "fence" "fence_token" "fencing_token" "lock_token" "lease_token" "leader_epoch";
    "a channel or connection is gone after a reconnect: use the account or order that the message is about" =>
        "channel_id" "chan_id" "conn_id" "connection_id" "socket_id" "ws_id";
    "an attempt number changes with each retry: leave it out, or say `attempt = \"column and when it is bumped\"` for the stored number of a deliberate second try" =>
        "attempt" "attempts" "attempt_no" "attempt_number" "attempt_count" "retry" "retries"
        "retry_no" "retry_count" "try_count" "tries" "redelivery_count" "receive_count"
        "delivery_count" "run_attempt";
    "a delivery handle changes with each delivery: use the id that the sender gave the message" =>
        "delivery_tag" "receipt_handle" "ack_id" "ack_token" "pkid" "consumer_sequence"
        "delivery_seq";
    "the time of this execution changes with each retry: use the billing period or the stored time that the operation is about" =>
        "now" "now_ms" "now_utc" "utc_now" "current_time" "current_timestamp" "nanos"
        "processed_at" "received_at" "executed_at";
    "a random value changes with each execution: use the id that is stored for the operation" =>
        "random" "rand" "rnd" "random_id" "jitter" "entropy";
    "the host or worker that runs the operation changes with each retry: leave it out" =>
        "replica_id" "worker_id" "hostname" "pod" "pod_name" "pod_uid" "pod_ip" "container_id"
        "thread_id" "thread_name";
    "a network address changes with each connection: use the account id" =>
        "remote_addr" "remote_address" "peer_addr" "local_addr";
    "the id of this execution changes with each retry: use the id of the thing that is charged" =>
        "execution_id" "invocation_id" "fire_instance_id";
    "a trace belongs to one request, and a retry is another: leave it out" =>
        "trace_id" "span_id" "traceparent";
};

/// The advice for a type of this name.
pub(crate) fn refused_type(name: &str) -> Option<&'static RefusedType> {
    REFUSED_TYPES.iter().find(|refused| refused.name == name)
}

/// The advice for a field of this name.
pub(crate) fn refused_name(name: &str) -> Option<&'static RefusedName> {
    REFUSED_NAMES.iter().find(|refused| refused.name == name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{REFUSED_NAMES, REFUSED_TYPES};

    /// Business names that must always compile.
    const HOMONYMS: [&str; 20] = [
        "lease_id",
        "term",
        "session_id",
        "sequence",
        "member_id",
        "instance_id",
        "request_id",
        "correlation_id",
        "task_id",
        "process_id",
        "created_at",
        "due_date",
        "version",
        "epoch",
        "payment_attempt_id",
        "billing_run_id",
        "trace_number",
        "nonce",
        "salt",
        "uuid",
    ];

    #[test]
    fn advice_is_given_once_and_reads_like_a_message() {
        let types = REFUSED_TYPES.iter().map(|row| (row.name, row.advice));
        let names = REFUSED_NAMES.iter().map(|row| (row.name, row.advice));
        let mut seen = BTreeSet::new();
        for (name, advice) in types.chain(names) {
            assert!(seen.insert(name), "{name} is given twice");
            assert!(!advice.ends_with('.') && advice.len() > 20, "{name}: {advice}");
            assert!(!advice.contains(['{', '}']), "{name}: the message is a format");
        }
    }

    #[test]
    fn names_with_a_business_meaning_are_not_refused() {
        for name in HOMONYMS {
            assert!(super::refused_name(name).is_none(), "{name}");
        }
        for name in ["fence_token", "channel_id", "attempt"] {
            assert!(super::refused_name(name).is_some(), "{name}");
        }
    }
}
