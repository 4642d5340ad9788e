//! Nothing in the user's scope takes the place of what the derive refers to.
#![no_implicit_prelude]
#![deny(warnings)]
#![allow(dead_code, non_camel_case_types)]

mod core {}
mod std {}
mod alloc {}

struct Result;
struct String(u8);
struct Key;
struct Option;
struct Some;
struct None;
struct Ok;
struct Err;
struct Cow;
struct Record;
struct Slot;
struct str;
struct u32;
struct bool;
trait Identity {}
trait Idempotent {}
trait Sized {}

#[derive(::samekey::Identity)]
struct CustomerId(::std::string::String);

#[derive(::samekey::Identity)]
enum Method {
    Card,
    Bank { iban: ::std::string::String },
}

#[derive(::samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge")]
struct Charge {
    #[idempotent(identity)]
    customer_id: CustomerId,
    #[idempotent(identity)]
    method: Method,
    #[idempotent(identity)]
    rates: ::std::collections::BTreeMap<::std::string::String, i64>,
}

#[derive(::samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge", template = "{a}:{b}", digest = "none")]
struct Live {
    #[idempotent(identity)]
    a: CustomerId,
    #[idempotent(identity, persisted = "orders")]
    b: ::uuid::Uuid,
}

#[derive(::samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "refund")]
struct Refund {
    #[idempotent(identity, at = "microsecond", persisted = "orders.created_at")]
    at: ::std::time::SystemTime,
    #[idempotent(identity, with = length)]
    id: ::std::string::String,
}

fn length(text: &::std::string::String) -> u64 {
    text.len() as u64
}

fn main() {}
