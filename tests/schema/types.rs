//! Types that are compiled with the derive, and whose operations are exported from this text.

use std::collections::{BTreeMap, BTreeSet};
use std::marker::PhantomData;
use std::num::NonZero;
use std::sync::Arc;

use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;
use samekey::{Idempotent as Intent, Identity};
use ulid::Ulid;
use uuid::Uuid;

pub type Customer = ids::CustomerId;

pub mod ids {
    //! Typed ids.

    #[derive(samekey::Identity, Clone, Debug)]
    #[idempotent(persisted = "primary key of customers")]
    pub struct CustomerId(pub super::Uuid);

    #[derive(samekey::Identity, Clone, Debug)]
    pub struct Period(pub Box<str>);
}

use ids::Period as BillingPeriod;

#[derive(Intent, Clone, Debug)]
#[idempotent(namespace = "billing", operation = "charge.monthly")]
pub struct MonthlyCharge {
    #[idempotent(identity)]
    pub customer_id: Customer,
    #[idempotent(identity, rename = "period")]
    pub billing_period: BillingPeriod,
    #[idempotent(ignore = "snapshot taken before the first call")]
    pub amount_cents: i64,
}

#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "everything", version = 7)]
pub struct Everything {
    #[idempotent(identity)]
    pub flag: bool,
    #[idempotent(identity)]
    pub other_flag: bool,
    #[idempotent(identity)]
    pub small: i8,
    #[idempotent(identity)]
    pub wide: i128,
    #[idempotent(identity)]
    pub unsigned: u128,
    #[idempotent(identity)]
    pub count: NonZero<u16>,
    #[idempotent(identity)]
    pub r#type: char,
    #[idempotent(identity)]
    pub shared: Arc<str>,
    #[idempotent(identity)]
    pub missing: Option<Option<String>>,
    #[idempotent(identity)]
    pub list: Vec<u8>,
    #[idempotent(identity, bytes)]
    pub raw: Vec<u8>,
    #[idempotent(identity)]
    pub labels: BTreeSet<String>,
    #[idempotent(identity)]
    pub counts: BTreeMap<String, i64>,
    #[idempotent(identity)]
    pub pair: (u32, Option<bool>),
    #[idempotent(identity, persisted = "invoices.id")]
    pub invoice: Uuid,
    #[idempotent(identity, persisted = "events.id")]
    pub event: Option<Ulid>,
    #[idempotent(identity)]
    pub due: NaiveDate,
    #[idempotent(identity, persisted = "orders.placed_at", at = "millisecond")]
    pub placed_at: DateTime<Utc>,
    #[idempotent(identity, persisted = "orders.paid_at", at = "second")]
    pub paid_at: Option<DateTime<Utc>>,
    #[idempotent(identity)]
    pub price: Decimal,
    #[idempotent(identity, attempt = "orders.attempt, raised when a decline is recorded")]
    pub attempt: u32,
    #[idempotent(identity, stable = "the sales channel")]
    pub channel_id: u16,
}

#[derive(Identity)]
pub enum Product {
    Subscription {
        plan: String,
        seats: u32,
    },
    TopUp(#[idempotent(persisted = "top_ups.id")] Uuid),
    #[idempotent(rename = "Fee")]
    ServiceFee,
    Nested(Line),
}

#[derive(Identity)]
pub struct Line {
    pub sku: String,
    pub options: Vec<(String, bool)>,
    #[idempotent(ignore = "shown only")]
    pub label: String,
}

/// A marker leaves no trace.
#[derive(Identity)]
pub struct Id<T>(pub u64, #[idempotent(ignore = "marker")] pub PhantomData<fn() -> T>);

#[derive(samekey::Idempotent)]
#[idempotent(namespace = "shop", operation = "buy")]
pub struct Purchase(
    #[idempotent(identity)] pub Product,
    #[idempotent(identity)] pub Line,
    #[idempotent(ignore = "shown only")] pub u8,
    #[idempotent(identity)] pub Id<Line>,
    #[idempotent(identity)] pub u8,
    #[idempotent(identity)] pub u8,
    #[idempotent(identity)] pub u8,
    #[idempotent(identity)] pub u8,
    #[idempotent(identity)] pub u8,
    #[idempotent(identity)] pub u8,
    #[idempotent(identity)] pub u8,
);

/// A type of another crate.
pub struct Foreign {
    pub code: u32,
}

pub fn code_of(foreign: &Foreign) -> u32 {
    foreign.code
}

#[derive(samekey::Idempotent)]
#[idempotent(namespace = "shop", operation = "converted")]
pub struct Converted {
    #[idempotent(identity, with = code_of)]
    pub foreign: Foreign,
}

#[derive(samekey::Idempotent)]
#[idempotent(
    namespace = "billing",
    operation = "live",
    template = "{customer_id}:{billing_period}:netty-billing",
    digest = "sha256/32"
)]
pub struct LiveHash {
    #[idempotent(identity)]
    pub customer_id: String,
    #[idempotent(identity)]
    pub billing_period: NaiveDate,
}

#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "text", template = "order-{id}-{{{kind}}}", digest = "none")]
pub struct LiveText {
    #[idempotent(identity, rename = "number")]
    pub id: u32,
    #[idempotent(identity)]
    pub kind: Kind,
}

#[derive(Identity)]
pub enum Kind {
    New,
    #[idempotent(rename = "Old")]
    Used,
}

#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "uuid", template = "{0}/refund", digest = "uuid5(dns)")]
pub struct LiveUuid(#[idempotent(identity, persisted = "payments.id")] pub Uuid);
