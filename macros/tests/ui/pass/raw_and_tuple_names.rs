//! `r#type` is `type`, tuple fields are numbers.
use samekey::Idempotent;

mod raw {
    #[derive(samekey::Idempotent)]
    #[idempotent(namespace = "billing", operation = "charge")]
    pub struct Charge {
        #[idempotent(identity)]
        pub r#type: String,
        #[idempotent(identity)]
        pub r#match: u8,
    }
}

mod renamed {
    #[derive(samekey::Idempotent)]
    #[idempotent(namespace = "billing", operation = "charge")]
    pub struct Charge {
        #[idempotent(identity, rename = "match")]
        pub number: u64,
        #[idempotent(identity, rename = "type")]
        pub kind: &'static str,
    }
}

#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge")]
struct Pair(#[idempotent(identity)] String, #[idempotent(identity)] u8);

#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge")]
struct Named {
    #[idempotent(identity, rename = "1")]
    second: u16,
    #[idempotent(identity, rename = "0")]
    first: String,
}

#[derive(samekey::Identity)]
enum r#Kind {
    r#Final,
    #[idempotent(rename = "type")]
    Type,
}

fn main() {
    let raw = raw::Charge { r#type: "card".into(), r#match: 1 };
    let renamed = renamed::Charge { number: 1, kind: "card" };
    assert_eq!(raw.idempotency_key(), renamed.idempotency_key());
    let pair = Pair("a".into(), 1);
    let named = Named { first: "a".into(), second: 1 };
    assert_eq!(pair.idempotency_key(), named.idempotency_key());
    let _ = (Kind::Final, Kind::Type);
}
