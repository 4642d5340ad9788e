//! What the derive macro refuses as part of a business identity.
//!
//! The tables are frozen for a major version: a type or name that compiles
//! today must compile after a minor update.

/// A type whose value differs between two executions of one intent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefusedType {
    /// Last segment of the path, as it is usually written.
    pub name: &'static str,
    /// Full public paths.
    pub paths: &'static [&'static str],
    /// What to use instead, lower case without a full stop.
    pub advice: &'static str,
}

/// A field name that stands for a volatile value and has no business meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefusedName {
    /// The name in snake case.
    pub name: &'static str,
    /// What to use instead, lower case without a full stop.
    pub advice: &'static str,
}

/// Types that are refused as identity fields where they are spelled.
pub static REFUSED_TYPES: &[RefusedType] = &[
    RefusedType {
        name: "Instant",
        paths: &[
            "std::time::Instant",
            "tokio::time::Instant",
            "web_time::Instant",
            "quanta::Instant",
        ],
        advice: "a monotonic clock has no meaning in another process: use the period or the stored time that the operation is about",
    },
    RefusedType {
        name: "NaiveDateTime",
        paths: &["chrono::NaiveDateTime", "chrono::naive::NaiveDateTime"],
        advice: "a date and time without an offset names no point in time: use the stored UTC value with `at` and `persisted`, or a date",
    },
    RefusedType {
        name: "NaiveTime",
        paths: &["chrono::NaiveTime", "chrono::naive::NaiveTime"],
        advice: "a date and time without an offset names no point in time: use the stored UTC value with `at` and `persisted`, or a date",
    },
    RefusedType {
        name: "PrimitiveDateTime",
        paths: &["time::PrimitiveDateTime"],
        advice: "a date and time without an offset names no point in time: use the stored UTC value with `at` and `persisted`, or a date",
    },
    RefusedType {
        name: "Duration",
        paths: &[
            "std::time::Duration",
            "core::time::Duration",
            "chrono::Duration",
            "time::Duration",
        ],
        advice: "an elapsed time differs between two executions: write the length that was agreed as an integer with its unit in the name",
    },
    RefusedType {
        name: "TimeDelta",
        paths: &["chrono::TimeDelta"],
        advice: "an elapsed time differs between two executions: write the length that was agreed as an integer with its unit in the name",
    },
    RefusedType {
        name: "SignedDuration",
        paths: &["jiff::SignedDuration"],
        advice: "an elapsed time differs between two executions: write the length that was agreed as an integer with its unit in the name",
    },
    RefusedType {
        name: "Span",
        paths: &["jiff::Span"],
        advice: "an elapsed time differs between two executions: write the length that was agreed as an integer with its unit in the name",
    },
    RefusedType {
        name: "f32",
        paths: &["f32", "std::primitive::f32", "core::primitive::f32"],
        advice: "a float has several texts and bit patterns for one amount: use an integer in the smallest unit, or a decimal type",
    },
    RefusedType {
        name: "f64",
        paths: &["f64", "std::primitive::f64", "core::primitive::f64"],
        advice: "a float has several texts and bit patterns for one amount: use an integer in the smallest unit, or a decimal type",
    },
    RefusedType {
        name: "f16",
        paths: &["f16"],
        advice: "a float has several texts and bit patterns for one amount: use an integer in the smallest unit, or a decimal type",
    },
    RefusedType {
        name: "f128",
        paths: &["f128"],
        advice: "a float has several texts and bit patterns for one amount: use an integer in the smallest unit, or a decimal type",
    },
    RefusedType {
        name: "HashMap",
        paths: &[
            "std::collections::HashMap",
            "std::collections::hash_map::HashMap",
            "hashbrown::HashMap",
            "ahash::HashMap",
        ],
        advice: "it iterates in another order in each process: use `BTreeMap`",
    },
    RefusedType {
        name: "AHashMap",
        paths: &["ahash::AHashMap"],
        advice: "it iterates in another order in each process: use `BTreeMap`",
    },
    RefusedType {
        name: "FxHashMap",
        paths: &["rustc_hash::FxHashMap", "fxhash::FxHashMap"],
        advice: "it iterates in another order in each process: use `BTreeMap`",
    },
    RefusedType {
        name: "DashMap",
        paths: &["dashmap::DashMap"],
        advice: "it iterates in another order in each process: use `BTreeMap`",
    },
    RefusedType {
        name: "IndexMap",
        paths: &["indexmap::IndexMap"],
        advice: "it iterates in another order in each process: use `BTreeMap`",
    },
    RefusedType {
        name: "HashSet",
        paths: &[
            "std::collections::HashSet",
            "std::collections::hash_set::HashSet",
            "hashbrown::HashSet",
            "ahash::HashSet",
        ],
        advice: "it iterates in another order in each process: use `BTreeSet`",
    },
    RefusedType {
        name: "AHashSet",
        paths: &["ahash::AHashSet"],
        advice: "it iterates in another order in each process: use `BTreeSet`",
    },
    RefusedType {
        name: "FxHashSet",
        paths: &["rustc_hash::FxHashSet", "fxhash::FxHashSet"],
        advice: "it iterates in another order in each process: use `BTreeSet`",
    },
    RefusedType {
        name: "DashSet",
        paths: &["dashmap::DashSet"],
        advice: "it iterates in another order in each process: use `BTreeSet`",
    },
    RefusedType {
        name: "IndexSet",
        paths: &["indexmap::IndexSet"],
        advice: "it iterates in another order in each process: use `BTreeSet`",
    },
    RefusedType {
        name: "AtomicBool",
        paths: &[
            "std::sync::atomic::AtomicBool",
            "core::sync::atomic::AtomicBool",
        ],
        advice: "its value changes while the process runs: copy the stored value into the field",
    },
    RefusedType {
        name: "AtomicI8",
        paths: &[
            "std::sync::atomic::AtomicI8",
            "core::sync::atomic::AtomicI8",
        ],
        advice: "its value changes while the process runs: copy the stored value into the field",
    },
    RefusedType {
        name: "AtomicI16",
        paths: &[
            "std::sync::atomic::AtomicI16",
            "core::sync::atomic::AtomicI16",
        ],
        advice: "its value changes while the process runs: copy the stored value into the field",
    },
    RefusedType {
        name: "AtomicI32",
        paths: &[
            "std::sync::atomic::AtomicI32",
            "core::sync::atomic::AtomicI32",
        ],
        advice: "its value changes while the process runs: copy the stored value into the field",
    },
    RefusedType {
        name: "AtomicI64",
        paths: &[
            "std::sync::atomic::AtomicI64",
            "core::sync::atomic::AtomicI64",
        ],
        advice: "its value changes while the process runs: copy the stored value into the field",
    },
    RefusedType {
        name: "AtomicIsize",
        paths: &[
            "std::sync::atomic::AtomicIsize",
            "core::sync::atomic::AtomicIsize",
        ],
        advice: "its value changes while the process runs: copy the stored value into the field",
    },
    RefusedType {
        name: "AtomicU8",
        paths: &[
            "std::sync::atomic::AtomicU8",
            "core::sync::atomic::AtomicU8",
        ],
        advice: "its value changes while the process runs: copy the stored value into the field",
    },
    RefusedType {
        name: "AtomicU16",
        paths: &[
            "std::sync::atomic::AtomicU16",
            "core::sync::atomic::AtomicU16",
        ],
        advice: "its value changes while the process runs: copy the stored value into the field",
    },
    RefusedType {
        name: "AtomicU32",
        paths: &[
            "std::sync::atomic::AtomicU32",
            "core::sync::atomic::AtomicU32",
        ],
        advice: "its value changes while the process runs: copy the stored value into the field",
    },
    RefusedType {
        name: "AtomicU64",
        paths: &[
            "std::sync::atomic::AtomicU64",
            "core::sync::atomic::AtomicU64",
        ],
        advice: "its value changes while the process runs: copy the stored value into the field",
    },
    RefusedType {
        name: "AtomicUsize",
        paths: &[
            "std::sync::atomic::AtomicUsize",
            "core::sync::atomic::AtomicUsize",
        ],
        advice: "its value changes while the process runs: copy the stored value into the field",
    },
    RefusedType {
        name: "AtomicPtr",
        paths: &[
            "std::sync::atomic::AtomicPtr",
            "core::sync::atomic::AtomicPtr",
        ],
        advice: "its value changes while the process runs: copy the stored value into the field",
    },
    RefusedType {
        name: "Cell",
        paths: &["std::cell::Cell", "core::cell::Cell"],
        advice: "its value changes while the process runs: copy the stored value into the field",
    },
    RefusedType {
        name: "RefCell",
        paths: &["std::cell::RefCell", "core::cell::RefCell"],
        advice: "its value changes while the process runs: copy the stored value into the field",
    },
    RefusedType {
        name: "Mutex",
        paths: &[
            "std::sync::Mutex",
            "tokio::sync::Mutex",
            "parking_lot::Mutex",
        ],
        advice: "its value changes while the process runs: copy the stored value into the field",
    },
    RefusedType {
        name: "RwLock",
        paths: &[
            "std::sync::RwLock",
            "tokio::sync::RwLock",
            "parking_lot::RwLock",
        ],
        advice: "its value changes while the process runs: copy the stored value into the field",
    },
    RefusedType {
        name: "OnceCell",
        paths: &[
            "std::cell::OnceCell",
            "core::cell::OnceCell",
            "once_cell::sync::OnceCell",
            "tokio::sync::OnceCell",
        ],
        advice: "it is computed once per process, so a restart changes it: use the stored value",
    },
    RefusedType {
        name: "OnceLock",
        paths: &["std::sync::OnceLock"],
        advice: "it is computed once per process, so a restart changes it: use the stored value",
    },
    RefusedType {
        name: "LazyCell",
        paths: &["std::cell::LazyCell", "core::cell::LazyCell"],
        advice: "it is computed once per process, so a restart changes it: use the stored value",
    },
    RefusedType {
        name: "LazyLock",
        paths: &["std::sync::LazyLock"],
        advice: "it is computed once per process, so a restart changes it: use the stored value",
    },
    RefusedType {
        name: "ThreadId",
        paths: &["std::thread::ThreadId"],
        advice: "it belongs to one process or thread: use what the operation is about, not who runs it",
    },
    RefusedType {
        name: "Thread",
        paths: &["std::thread::Thread"],
        advice: "it belongs to one process or thread: use what the operation is about, not who runs it",
    },
    RefusedType {
        name: "JoinHandle",
        paths: &["std::thread::JoinHandle", "tokio::task::JoinHandle"],
        advice: "it belongs to one process or thread: use what the operation is about, not who runs it",
    },
    RefusedType {
        name: "Child",
        paths: &["std::process::Child", "tokio::process::Child"],
        advice: "it belongs to one process or thread: use what the operation is about, not who runs it",
    },
    RefusedType {
        name: "Pid",
        paths: &["nix::unistd::Pid", "rustix::process::Pid", "sysinfo::Pid"],
        advice: "it belongs to one process or thread: use what the operation is about, not who runs it",
    },
    RefusedType {
        name: "SocketAddr",
        paths: &[
            "std::net::SocketAddr",
            "core::net::SocketAddr",
            "tokio::net::unix::SocketAddr",
        ],
        advice: "it belongs to one connection, and a retry arrives on another: use the account or order that the message is about",
    },
    RefusedType {
        name: "SocketAddrV4",
        paths: &["std::net::SocketAddrV4", "core::net::SocketAddrV4"],
        advice: "it belongs to one connection, and a retry arrives on another: use the account or order that the message is about",
    },
    RefusedType {
        name: "SocketAddrV6",
        paths: &["std::net::SocketAddrV6", "core::net::SocketAddrV6"],
        advice: "it belongs to one connection, and a retry arrives on another: use the account or order that the message is about",
    },
    RefusedType {
        name: "TcpStream",
        paths: &["std::net::TcpStream", "tokio::net::TcpStream"],
        advice: "it belongs to one connection, and a retry arrives on another: use the account or order that the message is about",
    },
    RefusedType {
        name: "TcpListener",
        paths: &["std::net::TcpListener", "tokio::net::TcpListener"],
        advice: "it belongs to one connection, and a retry arrives on another: use the account or order that the message is about",
    },
    RefusedType {
        name: "UdpSocket",
        paths: &["std::net::UdpSocket", "tokio::net::UdpSocket"],
        advice: "it belongs to one connection, and a retry arrives on another: use the account or order that the message is about",
    },
    RefusedType {
        name: "UnixStream",
        paths: &["std::os::unix::net::UnixStream", "tokio::net::UnixStream"],
        advice: "it belongs to one connection, and a retry arrives on another: use the account or order that the message is about",
    },
    RefusedType {
        name: "ConnectInfo",
        paths: &[
            "axum::extract::ConnectInfo",
            "axum::extract::connect_info::ConnectInfo",
        ],
        advice: "it belongs to one connection, and a retry arrives on another: use the account or order that the message is about",
    },
    RefusedType {
        name: "WebSocket",
        paths: &["axum::extract::ws::WebSocket"],
        advice: "it belongs to one connection, and a retry arrives on another: use the account or order that the message is about",
    },
    RefusedType {
        name: "IpAddr",
        paths: &["std::net::IpAddr", "core::net::IpAddr"],
        advice: "a network address is where the caller is, not who: use the account id",
    },
    RefusedType {
        name: "Ipv4Addr",
        paths: &["std::net::Ipv4Addr", "core::net::Ipv4Addr"],
        advice: "a network address is where the caller is, not who: use the account id",
    },
    RefusedType {
        name: "Ipv6Addr",
        paths: &["std::net::Ipv6Addr", "core::net::Ipv6Addr"],
        advice: "a network address is where the caller is, not who: use the account id",
    },
    RefusedType {
        name: "ThreadRng",
        paths: &["rand::rngs::ThreadRng", "rand::ThreadRng"],
        advice: "it gives another value at each call: use the id that is stored for the operation",
    },
    RefusedType {
        name: "StdRng",
        paths: &["rand::rngs::StdRng"],
        advice: "it gives another value at each call: use the id that is stored for the operation",
    },
    RefusedType {
        name: "SmallRng",
        paths: &["rand::rngs::SmallRng"],
        advice: "it gives another value at each call: use the id that is stored for the operation",
    },
    RefusedType {
        name: "OsRng",
        paths: &["rand::rngs::OsRng", "rand_core::OsRng"],
        advice: "it gives another value at each call: use the id that is stored for the operation",
    },
    RefusedType {
        name: "SysRng",
        paths: &["rand::rngs::SysRng", "getrandom::SysRng"],
        advice: "it gives another value at each call: use the id that is stored for the operation",
    },
    RefusedType {
        name: "ChaCha20Rng",
        paths: &["rand_chacha::ChaCha20Rng", "rand::rngs::ChaCha20Rng"],
        advice: "it gives another value at each call: use the id that is stored for the operation",
    },
    RefusedType {
        name: "DefaultHasher",
        paths: &[
            "std::hash::DefaultHasher",
            "std::collections::hash_map::DefaultHasher",
        ],
        advice: "its hash depends on the process or the build: mark the fields that are hashed",
    },
    RefusedType {
        name: "RandomState",
        paths: &[
            "std::hash::RandomState",
            "std::collections::hash_map::RandomState",
            "ahash::RandomState",
        ],
        advice: "its hash depends on the process or the build: mark the fields that are hashed",
    },
    RefusedType {
        name: "TypeId",
        paths: &["std::any::TypeId", "core::any::TypeId"],
        advice: "its hash depends on the process or the build: mark the fields that are hashed",
    },
    RefusedType {
        name: "TraceId",
        paths: &["opentelemetry::trace::TraceId", "opentelemetry::TraceId"],
        advice: "a trace belongs to one request, and a retry is another: leave it out",
    },
    RefusedType {
        name: "SpanId",
        paths: &["opentelemetry::trace::SpanId", "opentelemetry::SpanId"],
        advice: "a trace belongs to one request, and a retry is another: leave it out",
    },
    RefusedType {
        name: "SpanContext",
        paths: &["opentelemetry::trace::SpanContext"],
        advice: "a trace belongs to one request, and a retry is another: leave it out",
    },
    RefusedType {
        name: "PathBuf",
        paths: &["std::path::PathBuf"],
        advice: "paths and system strings differ between hosts: use the business name as text",
    },
    RefusedType {
        name: "Path",
        paths: &["std::path::Path"],
        advice: "paths and system strings differ between hosts: use the business name as text",
    },
    RefusedType {
        name: "OsString",
        paths: &["std::ffi::OsString"],
        advice: "paths and system strings differ between hosts: use the business name as text",
    },
    RefusedType {
        name: "OsStr",
        paths: &["std::ffi::OsStr"],
        advice: "paths and system strings differ between hosts: use the business name as text",
    },
    RefusedType {
        name: "Value",
        paths: &[
            "serde_json::Value",
            "serde_json::value::Value",
            "toml::Value",
            "serde_yaml::Value",
        ],
        advice: "a whole document is no identity, one added member changes it: mark the ids that it holds",
    },
    RefusedType {
        name: "HeaderMap",
        paths: &[
            "http::HeaderMap",
            "http::header::HeaderMap",
            "axum::http::HeaderMap",
            "reqwest::header::HeaderMap",
        ],
        advice: "a whole document is no identity, one added member changes it: mark the ids that it holds",
    },
];

/// Field names that are refused as identity fields.
///
/// Only names without a business meaning stand here. Those with one
/// (`connection_id` of a bank, `worker_id` of a payroll, `lease_id`, `term`,
/// `sequence`) are left to the linter, which sees where the value comes from.
pub static REFUSED_NAMES: &[RefusedName] = &[
    RefusedName {
        name: "fence",
        advice: "a fencing or lock token changes with each lock acquisition: check it before the call, and leave it out of the key",
    },
    RefusedName {
        name: "fence_token",
        advice: "a fencing or lock token changes with each lock acquisition: check it before the call, and leave it out of the key",
    },
    RefusedName {
        name: "fencing_token",
        advice: "a fencing or lock token changes with each lock acquisition: check it before the call, and leave it out of the key",
    },
    RefusedName {
        name: "lock_token",
        advice: "a fencing or lock token changes with each lock acquisition: check it before the call, and leave it out of the key",
    },
    RefusedName {
        name: "lease_token",
        advice: "a fencing or lock token changes with each lock acquisition: check it before the call, and leave it out of the key",
    },
    RefusedName {
        name: "leader_epoch",
        advice: "a fencing or lock token changes with each lock acquisition: check it before the call, and leave it out of the key",
    },
    RefusedName {
        name: "channel_id",
        advice: "a channel or connection is gone after a reconnect: use the account or order that the message is about",
    },
    RefusedName {
        name: "chan_id",
        advice: "a channel or connection is gone after a reconnect: use the account or order that the message is about",
    },
    RefusedName {
        name: "conn_id",
        advice: "a channel or connection is gone after a reconnect: use the account or order that the message is about",
    },
    RefusedName {
        name: "socket_id",
        advice: "a channel or connection is gone after a reconnect: use the account or order that the message is about",
    },
    RefusedName {
        name: "ws_id",
        advice: "a channel or connection is gone after a reconnect: use the account or order that the message is about",
    },
    RefusedName {
        name: "attempt",
        advice: "an attempt number changes with each retry: leave it out, or say `attempt = \"column and when it is bumped\"` for the stored number of a deliberate second try",
    },
    RefusedName {
        name: "attempts",
        advice: "an attempt number changes with each retry: leave it out, or say `attempt = \"column and when it is bumped\"` for the stored number of a deliberate second try",
    },
    RefusedName {
        name: "attempt_no",
        advice: "an attempt number changes with each retry: leave it out, or say `attempt = \"column and when it is bumped\"` for the stored number of a deliberate second try",
    },
    RefusedName {
        name: "attempt_number",
        advice: "an attempt number changes with each retry: leave it out, or say `attempt = \"column and when it is bumped\"` for the stored number of a deliberate second try",
    },
    RefusedName {
        name: "attempt_count",
        advice: "an attempt number changes with each retry: leave it out, or say `attempt = \"column and when it is bumped\"` for the stored number of a deliberate second try",
    },
    RefusedName {
        name: "retry",
        advice: "an attempt number changes with each retry: leave it out, or say `attempt = \"column and when it is bumped\"` for the stored number of a deliberate second try",
    },
    RefusedName {
        name: "retries",
        advice: "an attempt number changes with each retry: leave it out, or say `attempt = \"column and when it is bumped\"` for the stored number of a deliberate second try",
    },
    RefusedName {
        name: "retry_no",
        advice: "an attempt number changes with each retry: leave it out, or say `attempt = \"column and when it is bumped\"` for the stored number of a deliberate second try",
    },
    RefusedName {
        name: "retry_count",
        advice: "an attempt number changes with each retry: leave it out, or say `attempt = \"column and when it is bumped\"` for the stored number of a deliberate second try",
    },
    RefusedName {
        name: "try_count",
        advice: "an attempt number changes with each retry: leave it out, or say `attempt = \"column and when it is bumped\"` for the stored number of a deliberate second try",
    },
    RefusedName {
        name: "tries",
        advice: "an attempt number changes with each retry: leave it out, or say `attempt = \"column and when it is bumped\"` for the stored number of a deliberate second try",
    },
    RefusedName {
        name: "redelivery_count",
        advice: "an attempt number changes with each retry: leave it out, or say `attempt = \"column and when it is bumped\"` for the stored number of a deliberate second try",
    },
    RefusedName {
        name: "receive_count",
        advice: "an attempt number changes with each retry: leave it out, or say `attempt = \"column and when it is bumped\"` for the stored number of a deliberate second try",
    },
    RefusedName {
        name: "delivery_attempt",
        advice: "an attempt number changes with each retry: leave it out, or say `attempt = \"column and when it is bumped\"` for the stored number of a deliberate second try",
    },
    RefusedName {
        name: "run_attempt",
        advice: "an attempt number changes with each retry: leave it out, or say `attempt = \"column and when it is bumped\"` for the stored number of a deliberate second try",
    },
    RefusedName {
        name: "delivery_tag",
        advice: "a delivery handle changes with each delivery: use the id that the sender gave the message",
    },
    RefusedName {
        name: "receipt_handle",
        advice: "a delivery handle changes with each delivery: use the id that the sender gave the message",
    },
    RefusedName {
        name: "ack_id",
        advice: "a delivery handle changes with each delivery: use the id that the sender gave the message",
    },
    RefusedName {
        name: "ack_token",
        advice: "a delivery handle changes with each delivery: use the id that the sender gave the message",
    },
    RefusedName {
        name: "consumer_sequence",
        advice: "a delivery handle changes with each delivery: use the id that the sender gave the message",
    },
    RefusedName {
        name: "delivery_seq",
        advice: "a delivery handle changes with each delivery: use the id that the sender gave the message",
    },
    RefusedName {
        name: "now",
        advice: "the time of this execution changes with each retry: use the billing period or the stored time that the operation is about",
    },
    RefusedName {
        name: "now_ms",
        advice: "the time of this execution changes with each retry: use the billing period or the stored time that the operation is about",
    },
    RefusedName {
        name: "now_utc",
        advice: "the time of this execution changes with each retry: use the billing period or the stored time that the operation is about",
    },
    RefusedName {
        name: "utc_now",
        advice: "the time of this execution changes with each retry: use the billing period or the stored time that the operation is about",
    },
    RefusedName {
        name: "current_time",
        advice: "the time of this execution changes with each retry: use the billing period or the stored time that the operation is about",
    },
    RefusedName {
        name: "current_timestamp",
        advice: "the time of this execution changes with each retry: use the billing period or the stored time that the operation is about",
    },
    RefusedName {
        name: "nanos",
        advice: "the time of this execution changes with each retry: use the billing period or the stored time that the operation is about",
    },
    RefusedName {
        name: "processed_at",
        advice: "the time of this execution changes with each retry: use the billing period or the stored time that the operation is about",
    },
    RefusedName {
        name: "received_at",
        advice: "the time of this execution changes with each retry: use the billing period or the stored time that the operation is about",
    },
    RefusedName {
        name: "executed_at",
        advice: "the time of this execution changes with each retry: use the billing period or the stored time that the operation is about",
    },
    RefusedName {
        name: "random",
        advice: "a random value changes with each execution: use the id that is stored for the operation",
    },
    RefusedName {
        name: "rand",
        advice: "a random value changes with each execution: use the id that is stored for the operation",
    },
    RefusedName {
        name: "rnd",
        advice: "a random value changes with each execution: use the id that is stored for the operation",
    },
    RefusedName {
        name: "random_id",
        advice: "a random value changes with each execution: use the id that is stored for the operation",
    },
    RefusedName {
        name: "generated_id",
        advice: "a random value changes with each execution: use the id that is stored for the operation",
    },
    RefusedName {
        name: "new_uuid",
        advice: "a random value changes with each execution: use the id that is stored for the operation",
    },
    RefusedName {
        name: "jitter",
        advice: "a random value changes with each execution: use the id that is stored for the operation",
    },
    RefusedName {
        name: "entropy",
        advice: "a random value changes with each execution: use the id that is stored for the operation",
    },
    RefusedName {
        name: "replica_id",
        advice: "the host that runs the operation changes with each retry: leave it out",
    },
    RefusedName {
        name: "hostname",
        advice: "the host that runs the operation changes with each retry: leave it out",
    },
    RefusedName {
        name: "host_name",
        advice: "the host that runs the operation changes with each retry: leave it out",
    },
    RefusedName {
        name: "pod_name",
        advice: "the host that runs the operation changes with each retry: leave it out",
    },
    RefusedName {
        name: "pod_uid",
        advice: "the host that runs the operation changes with each retry: leave it out",
    },
    RefusedName {
        name: "pod_ip",
        advice: "the host that runs the operation changes with each retry: leave it out",
    },
    RefusedName {
        name: "node_name",
        advice: "the host that runs the operation changes with each retry: leave it out",
    },
    RefusedName {
        name: "container_id",
        advice: "the host that runs the operation changes with each retry: leave it out",
    },
    RefusedName {
        name: "thread_id",
        advice: "the host that runs the operation changes with each retry: leave it out",
    },
    RefusedName {
        name: "thread_name",
        advice: "the host that runs the operation changes with each retry: leave it out",
    },
    RefusedName {
        name: "remote_addr",
        advice: "a network address changes with each connection: use the account id",
    },
    RefusedName {
        name: "remote_address",
        advice: "a network address changes with each connection: use the account id",
    },
    RefusedName {
        name: "peer_addr",
        advice: "a network address changes with each connection: use the account id",
    },
    RefusedName {
        name: "local_addr",
        advice: "a network address changes with each connection: use the account id",
    },
    RefusedName {
        name: "client_addr",
        advice: "a network address changes with each connection: use the account id",
    },
    RefusedName {
        name: "execution_id",
        advice: "the id of this execution changes with each retry: use the id of the thing that is charged",
    },
    RefusedName {
        name: "invocation_id",
        advice: "the id of this execution changes with each retry: use the id of the thing that is charged",
    },
    RefusedName {
        name: "fire_instance_id",
        advice: "the id of this execution changes with each retry: use the id of the thing that is charged",
    },
    RefusedName {
        name: "trace_id",
        advice: "a trace belongs to one request, and a retry is another: leave it out",
    },
    RefusedName {
        name: "span_id",
        advice: "a trace belongs to one request, and a retry is another: leave it out",
    },
    RefusedName {
        name: "traceparent",
        advice: "a trace belongs to one request, and a retry is another: leave it out",
    },
];

/// Types that are business identity only once they are stored.
pub static PERSISTED_TYPES: &[RefusedType] = &[
    RefusedType {
        name: "Uuid",
        paths: &[
            "uuid::Uuid",
            "sqlx::types::Uuid",
            "sea_orm::prelude::Uuid",
            "bson::Uuid",
        ],
        advice: "a new one is made at each call: it is an identity only once it is stored, so write `persisted = \"where it is stored\"`",
    },
    RefusedType {
        name: "Ulid",
        paths: &["ulid::Ulid", "rusty_ulid::Ulid"],
        advice: "a new one is made at each call: it is an identity only once it is stored, so write `persisted = \"where it is stored\"`",
    },
    RefusedType {
        name: "ObjectId",
        paths: &["bson::oid::ObjectId", "mongodb::bson::oid::ObjectId"],
        advice: "a new one is made at each call: store it first, and pass its text",
    },
    RefusedType {
        name: "NonNilUuid",
        paths: &["uuid::NonNilUuid"],
        advice: "a new one is made at each call: store it first, and pass its text",
    },
    RefusedType {
        name: "Ksuid",
        paths: &["svix_ksuid::Ksuid"],
        advice: "a new one is made at each call: store it first, and pass its text",
    },
    RefusedType {
        name: "SystemTime",
        paths: &["std::time::SystemTime", "web_time::SystemTime"],
        advice: "a point in time is an identity only once it is stored: write `at = \"microsecond\"` (the precision of its column) and `persisted = \"..\"`, or use the billing period",
    },
    RefusedType {
        name: "DateTime",
        paths: &["chrono::DateTime"],
        advice: "a point in time is an identity only once it is stored: write `at = \"microsecond\"` (the precision of its column) and `persisted = \"..\"`, or use the billing period",
    },
    RefusedType {
        name: "OffsetDateTime",
        paths: &["time::OffsetDateTime"],
        advice: "a point in time is an identity only once it is stored: write `at = \"microsecond\"` (the precision of its column) and `persisted = \"..\"`, or use the billing period",
    },
    RefusedType {
        name: "UtcDateTime",
        paths: &["time::UtcDateTime"],
        advice: "a point in time is an identity only once it is stored: write `at = \"microsecond\"` (the precision of its column) and `persisted = \"..\"`, or use the billing period",
    },
    RefusedType {
        name: "Timestamp",
        paths: &["jiff::Timestamp", "time::Timestamp"],
        advice: "a point in time is an identity only once it is stored: write `at = \"microsecond\"` (the precision of its column) and `persisted = \"..\"`, or use the billing period",
    },
    RefusedType {
        name: "Zoned",
        paths: &["jiff::Zoned"],
        advice: "a point in time is an identity only once it is stored: write `at = \"microsecond\"` (the precision of its column) and `persisted = \"..\"`, or use the billing period",
    },
    RefusedType {
        name: "ZonedDateTime",
        paths: &["jiff::ZonedDateTime"],
        advice: "a point in time is an identity only once it is stored: write `at = \"microsecond\"` (the precision of its column) and `persisted = \"..\"`, or use the billing period",
    },
];
