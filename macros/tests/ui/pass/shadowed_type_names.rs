//! A type of the user's own with the name of a volatile type is judged as what it is.
use samekey::Idempotent;

#[derive(samekey::Identity)]
struct Instant(String);

#[derive(samekey::Identity)]
struct Duration {
    months: u32,
}

#[derive(samekey::Identity)]
enum Channel {
    Web,
    Branch(u32),
}

mod sales {
    #[derive(samekey::Identity)]
    pub struct Uuid(pub String);
}

#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge")]
struct Charge {
    #[idempotent(identity)]
    at: Instant,
    #[idempotent(identity)]
    term: Option<Duration>,
    #[idempotent(identity)]
    channel: Channel,
    #[idempotent(identity, persisted = "orders")]
    id: sales::Uuid,
    #[idempotent(identity, stable = "the sales channel of the order, not a connection")]
    channel_id: String,
}

fn main() {
    let charge = |channel| Charge {
        at: Instant("2026".into()),
        term: Some(Duration { months: 12 }),
        channel,
        id: sales::Uuid("a".into()),
        channel_id: "shop".into(),
    };
    assert_eq!(charge(Channel::Web).idempotency_key(), charge(Channel::Web).idempotency_key());
    assert_ne!(charge(Channel::Web).idempotency_key(), charge(Channel::Branch(1)).idempotency_key());
}
