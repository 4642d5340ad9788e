#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge")]
struct Charge {
    #[idempotent(identity)]
    thread: std::thread::ThreadId,
    #[idempotent(identity)]
    peer: std::net::SocketAddr,
    #[idempotent(identity)]
    ip: std::net::IpAddr,
    #[idempotent(identity)]
    counter: std::sync::atomic::AtomicU64,
    #[idempotent(identity)]
    guarded: std::sync::Mutex<String>,
    #[idempotent(identity)]
    path: std::path::PathBuf,
    #[idempotent(identity)]
    hasher: std::collections::hash_map::DefaultHasher,
}

fn main() {}
