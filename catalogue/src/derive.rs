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
        advice: "a clock reading differs at each attempt: use the business time that the intent was created with",
    },
    RefusedType {
        name: "SystemTime",
        paths: &["std::time::SystemTime", "web_time::SystemTime"],
        advice: "a clock reading differs at each attempt: use the business time that the intent was created with",
    },
    RefusedType {
        name: "f32",
        paths: &["f32", "std::primitive::f32", "core::primitive::f32"],
        advice: "a float has several texts for one amount: use integer minor units or a decimal type",
    },
    RefusedType {
        name: "f64",
        paths: &["f64", "std::primitive::f64", "core::primitive::f64"],
        advice: "a float has several texts for one amount: use integer minor units or a decimal type",
    },
    RefusedType {
        name: "HashMap",
        paths: &[
            "std::collections::HashMap",
            "std::collections::hash_map::HashMap",
            "hashbrown::HashMap",
            "ahash::HashMap",
        ],
        advice: "iteration order differs per process: use a BTreeMap, BTreeSet or sorted Vec",
    },
    RefusedType {
        name: "HashSet",
        paths: &[
            "std::collections::HashSet",
            "std::collections::hash_set::HashSet",
            "hashbrown::HashSet",
            "ahash::HashSet",
        ],
        advice: "iteration order differs per process: use a BTreeMap, BTreeSet or sorted Vec",
    },
    RefusedType {
        name: "AHashMap",
        paths: &["ahash::AHashMap"],
        advice: "iteration order differs per process: use a BTreeMap, BTreeSet or sorted Vec",
    },
    RefusedType {
        name: "AHashSet",
        paths: &["ahash::AHashSet"],
        advice: "iteration order differs per process: use a BTreeMap, BTreeSet or sorted Vec",
    },
    RefusedType {
        name: "FxHashMap",
        paths: &["rustc_hash::FxHashMap", "fxhash::FxHashMap"],
        advice: "iteration order differs per process: use a BTreeMap, BTreeSet or sorted Vec",
    },
    RefusedType {
        name: "FxHashSet",
        paths: &["rustc_hash::FxHashSet", "fxhash::FxHashSet"],
        advice: "iteration order differs per process: use a BTreeMap, BTreeSet or sorted Vec",
    },
    RefusedType {
        name: "DashMap",
        paths: &["dashmap::DashMap"],
        advice: "iteration order differs per process: use a BTreeMap, BTreeSet or sorted Vec",
    },
    RefusedType {
        name: "DashSet",
        paths: &["dashmap::DashSet"],
        advice: "iteration order differs per process: use a BTreeMap, BTreeSet or sorted Vec",
    },
    RefusedType {
        name: "RandomState",
        paths: &[
            "std::hash::RandomState",
            "std::collections::hash_map::RandomState",
            "ahash::RandomState",
        ],
        advice: "seeded anew in each process: hash with sha2 instead",
    },
    RefusedType {
        name: "DefaultHasher",
        paths: &[
            "std::hash::DefaultHasher",
            "std::collections::hash_map::DefaultHasher",
        ],
        advice: "not guaranteed to stay the same across releases: hash with sha2 instead",
    },
    RefusedType {
        name: "SocketAddr",
        paths: &[
            "std::net::SocketAddr",
            "core::net::SocketAddr",
            "tokio::net::unix::SocketAddr",
        ],
        advice: "changes with every connection: use the account or device that was authenticated",
    },
    RefusedType {
        name: "SocketAddrV4",
        paths: &["std::net::SocketAddrV4", "core::net::SocketAddrV4"],
        advice: "changes with every connection: use the account or device that was authenticated",
    },
    RefusedType {
        name: "SocketAddrV6",
        paths: &["std::net::SocketAddrV6", "core::net::SocketAddrV6"],
        advice: "changes with every connection: use the account or device that was authenticated",
    },
    RefusedType {
        name: "TcpStream",
        paths: &["std::net::TcpStream", "tokio::net::TcpStream"],
        advice: "changes with every connection: use the account or device that was authenticated",
    },
    RefusedType {
        name: "TcpListener",
        paths: &["std::net::TcpListener", "tokio::net::TcpListener"],
        advice: "changes with every connection: use the account or device that was authenticated",
    },
    RefusedType {
        name: "UdpSocket",
        paths: &["std::net::UdpSocket", "tokio::net::UdpSocket"],
        advice: "changes with every connection: use the account or device that was authenticated",
    },
    RefusedType {
        name: "UnixStream",
        paths: &["std::os::unix::net::UnixStream", "tokio::net::UnixStream"],
        advice: "changes with every connection: use the account or device that was authenticated",
    },
    RefusedType {
        name: "ConnectInfo",
        paths: &[
            "axum::extract::ConnectInfo",
            "axum::extract::connect_info::ConnectInfo",
        ],
        advice: "changes with every connection: use the account or device that was authenticated",
    },
    RefusedType {
        name: "ThreadId",
        paths: &["std::thread::ThreadId"],
        advice: "differs per run and is always the same in a unit test: use a business id",
    },
    RefusedType {
        name: "Thread",
        paths: &["std::thread::Thread"],
        advice: "differs per run and is always the same in a unit test: use a business id",
    },
    RefusedType {
        name: "JoinHandle",
        paths: &["std::thread::JoinHandle", "tokio::task::JoinHandle"],
        advice: "differs per run and is always the same in a unit test: use a business id",
    },
    RefusedType {
        name: "ThreadRng",
        paths: &["rand::rngs::ThreadRng", "rand::ThreadRng"],
        advice: "differs at each call: derive the value from business fields or store it before the first call",
    },
    RefusedType {
        name: "OsRng",
        paths: &["rand::rngs::OsRng", "rand_core::OsRng"],
        advice: "differs at each call: derive the value from business fields or store it before the first call",
    },
    RefusedType {
        name: "SysRng",
        paths: &["rand::rngs::SysRng", "getrandom::SysRng"],
        advice: "differs at each call: derive the value from business fields or store it before the first call",
    },
    RefusedType {
        name: "StdRng",
        paths: &["rand::rngs::StdRng"],
        advice: "differs at each call: derive the value from business fields or store it before the first call",
    },
    RefusedType {
        name: "SmallRng",
        paths: &["rand::rngs::SmallRng"],
        advice: "differs at each call: derive the value from business fields or store it before the first call",
    },
    RefusedType {
        name: "Cell",
        paths: &["std::cell::Cell", "core::cell::Cell"],
        advice: "can change between two attempts: copy the value into the intent",
    },
    RefusedType {
        name: "RefCell",
        paths: &["std::cell::RefCell", "core::cell::RefCell"],
        advice: "can change between two attempts: copy the value into the intent",
    },
    RefusedType {
        name: "OnceCell",
        paths: &[
            "std::cell::OnceCell",
            "once_cell::sync::OnceCell",
            "tokio::sync::OnceCell",
        ],
        advice: "can change between two attempts: copy the value into the intent",
    },
    RefusedType {
        name: "OnceLock",
        paths: &["std::sync::OnceLock"],
        advice: "can change between two attempts: copy the value into the intent",
    },
    RefusedType {
        name: "LazyLock",
        paths: &["std::sync::LazyLock"],
        advice: "can change between two attempts: copy the value into the intent",
    },
    RefusedType {
        name: "Mutex",
        paths: &[
            "std::sync::Mutex",
            "tokio::sync::Mutex",
            "parking_lot::Mutex",
        ],
        advice: "can change between two attempts: copy the value into the intent",
    },
    RefusedType {
        name: "RwLock",
        paths: &[
            "std::sync::RwLock",
            "tokio::sync::RwLock",
            "parking_lot::RwLock",
        ],
        advice: "can change between two attempts: copy the value into the intent",
    },
    RefusedType {
        name: "AtomicBool",
        paths: &[
            "std::sync::atomic::AtomicBool",
            "core::sync::atomic::AtomicBool",
        ],
        advice: "can change between two attempts: copy the value into the intent",
    },
    RefusedType {
        name: "AtomicI8",
        paths: &[
            "std::sync::atomic::AtomicI8",
            "core::sync::atomic::AtomicI8",
        ],
        advice: "can change between two attempts: copy the value into the intent",
    },
    RefusedType {
        name: "AtomicI16",
        paths: &[
            "std::sync::atomic::AtomicI16",
            "core::sync::atomic::AtomicI16",
        ],
        advice: "can change between two attempts: copy the value into the intent",
    },
    RefusedType {
        name: "AtomicI32",
        paths: &[
            "std::sync::atomic::AtomicI32",
            "core::sync::atomic::AtomicI32",
        ],
        advice: "can change between two attempts: copy the value into the intent",
    },
    RefusedType {
        name: "AtomicI64",
        paths: &[
            "std::sync::atomic::AtomicI64",
            "core::sync::atomic::AtomicI64",
        ],
        advice: "can change between two attempts: copy the value into the intent",
    },
    RefusedType {
        name: "AtomicIsize",
        paths: &[
            "std::sync::atomic::AtomicIsize",
            "core::sync::atomic::AtomicIsize",
        ],
        advice: "can change between two attempts: copy the value into the intent",
    },
    RefusedType {
        name: "AtomicU8",
        paths: &[
            "std::sync::atomic::AtomicU8",
            "core::sync::atomic::AtomicU8",
        ],
        advice: "can change between two attempts: copy the value into the intent",
    },
    RefusedType {
        name: "AtomicU16",
        paths: &[
            "std::sync::atomic::AtomicU16",
            "core::sync::atomic::AtomicU16",
        ],
        advice: "can change between two attempts: copy the value into the intent",
    },
    RefusedType {
        name: "AtomicU32",
        paths: &[
            "std::sync::atomic::AtomicU32",
            "core::sync::atomic::AtomicU32",
        ],
        advice: "can change between two attempts: copy the value into the intent",
    },
    RefusedType {
        name: "AtomicU64",
        paths: &[
            "std::sync::atomic::AtomicU64",
            "core::sync::atomic::AtomicU64",
        ],
        advice: "can change between two attempts: copy the value into the intent",
    },
    RefusedType {
        name: "AtomicUsize",
        paths: &[
            "std::sync::atomic::AtomicUsize",
            "core::sync::atomic::AtomicUsize",
        ],
        advice: "can change between two attempts: copy the value into the intent",
    },
    RefusedType {
        name: "TraceId",
        paths: &["opentelemetry::trace::TraceId", "opentelemetry::TraceId"],
        advice: "minted anew for each request or trace: use the id of the business operation",
    },
    RefusedType {
        name: "SpanId",
        paths: &["opentelemetry::trace::SpanId", "opentelemetry::SpanId"],
        advice: "minted anew for each request or trace: use the id of the business operation",
    },
    RefusedType {
        name: "SpanContext",
        paths: &["opentelemetry::trace::SpanContext"],
        advice: "minted anew for each request or trace: use the id of the business operation",
    },
];

/// Field names that are refused as identity fields.
pub static REFUSED_NAMES: &[RefusedName] = &[
    RefusedName {
        name: "fence",
        advice: "a new value at each lock acquisition: use the business operation that the lock protects",
    },
    RefusedName {
        name: "fence_token",
        advice: "a new value at each lock acquisition: use the business operation that the lock protects",
    },
    RefusedName {
        name: "fencing_token",
        advice: "a new value at each lock acquisition: use the business operation that the lock protects",
    },
    RefusedName {
        name: "lock_token",
        advice: "a new value at each lock acquisition: use the business operation that the lock protects",
    },
    RefusedName {
        name: "lease_token",
        advice: "a new value at each lock acquisition: use the business operation that the lock protects",
    },
    RefusedName {
        name: "leader_epoch",
        advice: "a new value at each lock acquisition: use the business operation that the lock protects",
    },
    RefusedName {
        name: "conn_id",
        advice: "a new value at each connection: use the account or device that was authenticated",
    },
    RefusedName {
        name: "socket_id",
        advice: "a new value at each connection: use the account or device that was authenticated",
    },
    RefusedName {
        name: "ws_id",
        advice: "a new value at each connection: use the account or device that was authenticated",
    },
    RefusedName {
        name: "channel_id",
        advice: "a new value at each connection: use the account or device that was authenticated",
    },
    RefusedName {
        name: "remote_addr",
        advice: "a new value at each connection: use the account or device that was authenticated",
    },
    RefusedName {
        name: "peer_addr",
        advice: "a new value at each connection: use the account or device that was authenticated",
    },
    RefusedName {
        name: "client_addr",
        advice: "a new value at each connection: use the account or device that was authenticated",
    },
    RefusedName {
        name: "attempt",
        advice: "a new value at each attempt: leave it out, or mark a stored one with attempt = \"column and when it is bumped\"",
    },
    RefusedName {
        name: "attempts",
        advice: "a new value at each attempt: leave it out, or mark a stored one with attempt = \"column and when it is bumped\"",
    },
    RefusedName {
        name: "attempt_no",
        advice: "a new value at each attempt: leave it out, or mark a stored one with attempt = \"column and when it is bumped\"",
    },
    RefusedName {
        name: "attempt_number",
        advice: "a new value at each attempt: leave it out, or mark a stored one with attempt = \"column and when it is bumped\"",
    },
    RefusedName {
        name: "attempt_count",
        advice: "a new value at each attempt: leave it out, or mark a stored one with attempt = \"column and when it is bumped\"",
    },
    RefusedName {
        name: "retry",
        advice: "a new value at each attempt: leave it out, or mark a stored one with attempt = \"column and when it is bumped\"",
    },
    RefusedName {
        name: "retries",
        advice: "a new value at each attempt: leave it out, or mark a stored one with attempt = \"column and when it is bumped\"",
    },
    RefusedName {
        name: "retry_count",
        advice: "a new value at each attempt: leave it out, or mark a stored one with attempt = \"column and when it is bumped\"",
    },
    RefusedName {
        name: "try_count",
        advice: "a new value at each attempt: leave it out, or mark a stored one with attempt = \"column and when it is bumped\"",
    },
    RefusedName {
        name: "redelivery_count",
        advice: "a new value at each attempt: leave it out, or mark a stored one with attempt = \"column and when it is bumped\"",
    },
    RefusedName {
        name: "receive_count",
        advice: "a new value at each attempt: leave it out, or mark a stored one with attempt = \"column and when it is bumped\"",
    },
    RefusedName {
        name: "delivery_attempt",
        advice: "a new value at each attempt: leave it out, or mark a stored one with attempt = \"column and when it is bumped\"",
    },
    RefusedName {
        name: "run_attempt",
        advice: "a new value at each attempt: leave it out, or mark a stored one with attempt = \"column and when it is bumped\"",
    },
    RefusedName {
        name: "delivery_tag",
        advice: "a new value at each delivery: use a business id from the payload of the message",
    },
    RefusedName {
        name: "receipt_handle",
        advice: "a new value at each delivery: use a business id from the payload of the message",
    },
    RefusedName {
        name: "ack_id",
        advice: "a new value at each delivery: use a business id from the payload of the message",
    },
    RefusedName {
        name: "ack_token",
        advice: "a new value at each delivery: use a business id from the payload of the message",
    },
    RefusedName {
        name: "consumer_sequence",
        advice: "a new value at each delivery: use a business id from the payload of the message",
    },
    RefusedName {
        name: "hostname",
        advice: "another value on each host: use the business identity, which every replica computes alike",
    },
    RefusedName {
        name: "host_name",
        advice: "another value on each host: use the business identity, which every replica computes alike",
    },
    RefusedName {
        name: "pod_name",
        advice: "another value on each host: use the business identity, which every replica computes alike",
    },
    RefusedName {
        name: "pod_ip",
        advice: "another value on each host: use the business identity, which every replica computes alike",
    },
    RefusedName {
        name: "pod_uid",
        advice: "another value on each host: use the business identity, which every replica computes alike",
    },
    RefusedName {
        name: "node_name",
        advice: "another value on each host: use the business identity, which every replica computes alike",
    },
    RefusedName {
        name: "container_id",
        advice: "another value on each host: use the business identity, which every replica computes alike",
    },
    RefusedName {
        name: "replica_id",
        advice: "another value on each host: use the business identity, which every replica computes alike",
    },
    RefusedName {
        name: "thread_id",
        advice: "another value on each thread: use a business id",
    },
    RefusedName {
        name: "thread_name",
        advice: "another value on each thread: use a business id",
    },
    RefusedName {
        name: "trace_id",
        advice: "a new value at each execution: use the id of the business operation",
    },
    RefusedName {
        name: "span_id",
        advice: "a new value at each execution: use the id of the business operation",
    },
    RefusedName {
        name: "traceparent",
        advice: "a new value at each execution: use the id of the business operation",
    },
    RefusedName {
        name: "execution_id",
        advice: "a new value at each execution: use the id of the business operation",
    },
    RefusedName {
        name: "invocation_id",
        advice: "a new value at each execution: use the id of the business operation",
    },
    RefusedName {
        name: "fire_instance_id",
        advice: "a new value at each execution: use the id of the business operation",
    },
    RefusedName {
        name: "now",
        advice: "a clock reading differs at each attempt: use the business time that the intent was created with",
    },
    RefusedName {
        name: "now_ms",
        advice: "a clock reading differs at each attempt: use the business time that the intent was created with",
    },
    RefusedName {
        name: "now_utc",
        advice: "a clock reading differs at each attempt: use the business time that the intent was created with",
    },
    RefusedName {
        name: "utc_now",
        advice: "a clock reading differs at each attempt: use the business time that the intent was created with",
    },
    RefusedName {
        name: "current_time",
        advice: "a clock reading differs at each attempt: use the business time that the intent was created with",
    },
    RefusedName {
        name: "current_timestamp",
        advice: "a clock reading differs at each attempt: use the business time that the intent was created with",
    },
    RefusedName {
        name: "processed_at",
        advice: "a clock reading differs at each attempt: use the business time that the intent was created with",
    },
    RefusedName {
        name: "received_at",
        advice: "a clock reading differs at each attempt: use the business time that the intent was created with",
    },
    RefusedName {
        name: "executed_at",
        advice: "a clock reading differs at each attempt: use the business time that the intent was created with",
    },
    RefusedName {
        name: "random",
        advice: "a new value at each call: derive it from business fields or store it before the first call",
    },
    RefusedName {
        name: "rand",
        advice: "a new value at each call: derive it from business fields or store it before the first call",
    },
    RefusedName {
        name: "rnd",
        advice: "a new value at each call: derive it from business fields or store it before the first call",
    },
    RefusedName {
        name: "jitter",
        advice: "a new value at each call: derive it from business fields or store it before the first call",
    },
    RefusedName {
        name: "entropy",
        advice: "a new value at each call: derive it from business fields or store it before the first call",
    },
    RefusedName {
        name: "random_id",
        advice: "a new value at each call: derive it from business fields or store it before the first call",
    },
    RefusedName {
        name: "generated_id",
        advice: "a new value at each call: derive it from business fields or store it before the first call",
    },
    RefusedName {
        name: "new_uuid",
        advice: "a new value at each call: derive it from business fields or store it before the first call",
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
        advice: "fresh ones differ at each call: say persisted = \"primary key of ..\" when it is the stored id of a business row",
    },
    RefusedType {
        name: "NonNilUuid",
        paths: &["uuid::NonNilUuid"],
        advice: "fresh ones differ at each call: say persisted = \"primary key of ..\" when it is the stored id of a business row",
    },
    RefusedType {
        name: "Ulid",
        paths: &["ulid::Ulid", "rusty_ulid::Ulid"],
        advice: "fresh ones differ at each call: say persisted = \"primary key of ..\" when it is the stored id of a business row",
    },
    RefusedType {
        name: "ObjectId",
        paths: &["bson::oid::ObjectId", "mongodb::bson::oid::ObjectId"],
        advice: "fresh ones differ at each call: say persisted = \"primary key of ..\" when it is the stored id of a business row",
    },
    RefusedType {
        name: "Ksuid",
        paths: &["svix_ksuid::Ksuid"],
        advice: "fresh ones differ at each call: say persisted = \"primary key of ..\" when it is the stored id of a business row",
    },
];
