//! Keys that teams already send, reproduced by templates.

use samekey::{Idempotent, Identity, Key, KeyError, Provider, ProviderError, Secret, ShapeError};

#[derive(Identity)]
struct CustomerId(String);

macro_rules! live {
    ($name:ident, $template:literal, $digest:literal) => {
        #[derive(Idempotent)]
        #[idempotent(namespace = "billing", operation = "charge.monthly")]
        #[idempotent(template = $template, digest = $digest)]
        struct $name {
            #[idempotent(identity)]
            billing_period: String,
            #[idempotent(identity)]
            customer_id: CustomerId,
            #[idempotent(ignore = "snapshot taken before the first call")]
            _amount_cents: i64,
        }

        impl $name {
            fn key(customer_id: &str, billing_period: &str) -> Result<Key, KeyError> {
                Self {
                    billing_period: billing_period.into(),
                    customer_id: CustomerId(customer_id.into()),
                    _amount_cents: 4_900,
                }
                .try_idempotency_key()
            }
        }
    };
}

live!(Billing, "{customer_id}:{billing_period}:netty-billing", "sha256/32");
live!(Session, "{customer_id}:{billing_period}:netty-session", "sha256/32");
live!(Plain, "{customer_id}:{billing_period}:netty-billing", "none");
live!(Whole, "{customer_id}:{billing_period}:netty-billing", "sha256/64");
live!(Named, "{customer_id}/{billing_period}", "uuid5(dns)");
live!(NamedByUuid, "{customer_id}/{billing_period}", "uuid5(6ba7b810-9dad-11d1-80b4-00c04fd430c8)");

#[test]
fn the_live_keys_come_out() {
    let text = |key: Result<Key, KeyError>| key.unwrap().to_string();
    assert_eq!(text(Billing::key("cust_123", "2026-08")), "24facc8d44a8220e0b8060e5e57e0204");
    assert_eq!(text(Session::key("cust_123", "2026-08")), "a3e6045e530acd41d6f56f1c7f458c78");
    assert_eq!(text(Plain::key("cust_123", "2026-08")), "cust_123:2026-08:netty-billing");
    let whole = text(Whole::key("cust_123", "2026-08"));
    assert!(whole.len() == 64 && whole.starts_with("24facc8d44a8220e0b8060e5e57e0204"));
    let named = text(Named::key("cust_123", "2026-08"));
    let reference = uuid::Uuid::new_v5(&uuid::Uuid::NAMESPACE_DNS, b"cust_123/2026-08");
    assert_eq!(named, reference.to_string());
    assert_eq!(named, text(NamedByUuid::key("cust_123", "2026-08")));
}

#[test]
fn ambiguous_values_are_refused() {
    assert_eq!(Billing::key("", "2026-08"), Err(KeyError::EmptyValue { field: "customer_id" }));
    assert_eq!(Billing::key("cust_123", ""), Err(KeyError::EmptyValue { field: "billing_period" }));
    let separator = |field| Err(KeyError::ContainsSeparator { field, separator: ":" });
    assert_eq!(Plain::key("cust:123", "2026-08"), separator("customer_id"));
    assert_eq!(Plain::key("cust_123", "2026:08"), separator("billing_period"));
}

#[test]
fn half_a_separator_is_refused_where_it_could_be_read_in_two_ways() {
    live!(Long, "{customer_id}--{billing_period}", "none");
    assert_eq!(Long::key("a-", "b"), Err(KeyError::Ambiguous { field: "customer_id" }));
    assert_eq!(Long::key("a", "-b").unwrap().as_str(), "a---b");
}

#[test]
fn an_option_behind_an_alias_is_refused_at_run_time() {
    type Maybe = Option<String>;
    #[derive(Idempotent)]
    #[idempotent(namespace = "n", operation = "o", template = "{a}", digest = "none")]
    struct Aliased {
        #[idempotent(identity)]
        a: Maybe,
    }
    let key = Aliased { a: Some("x".into()) }.try_idempotency_key();
    assert_eq!(key, Err(KeyError::NoText { field: "a" }));
}

#[test]
fn every_type_with_one_text_stands_in_a_template() {
    #[derive(Identity)]
    enum Plan {
        #[idempotent(rename = "pro")]
        Pro,
    }
    fn padded(number: &u8) -> String {
        format!("{number:03}")
    }
    #[derive(Idempotent)]
    #[idempotent(
        namespace = "n",
        operation = "o",
        template = "v1{{{type}|{number}|{padded}|{plan}|{id}}}",
        digest = "none"
    )]
    struct Mixed {
        #[idempotent(identity)]
        number: i64,
        #[idempotent(identity, with = padded)]
        padded: u8,
        #[idempotent(identity)]
        plan: Plan,
        #[idempotent(identity, persisted = "orders")]
        id: uuid::Uuid,
        #[idempotent(identity)]
        r#type: bool,
    }
    let mixed = Mixed { number: -42, padded: 7, plan: Plan::Pro, id: uuid::Uuid::nil(), r#type: true };
    assert_eq!(
        mixed.try_idempotency_key().unwrap().as_str(),
        "v1{true|-42|007|pro|00000000-0000-0000-0000-000000000000}"
    );
}

#[test]
fn live_keys_have_no_secret_and_no_other_shape() {
    let charge = Plain {
        billing_period: "2026-08".into(),
        customer_id: CustomerId("cust_123".into()),
        _amount_cents: 0,
    };
    let secret = Secret::new("id", &[0; 32]).unwrap();
    assert_eq!(charge.try_key_with(&secret), Err(KeyError::SecretWithTemplate));
    let key = charge.try_idempotency_key().unwrap();
    assert_eq!(key.to_shape(samekey::Shape::Hex64), Err(ShapeError::Verbatim));
    assert_eq!(key.for_provider(Provider::Stripe).as_ref(), Ok(&key));
    assert!(matches!(key.for_provider(Provider::Circle), Err(ProviderError::Refused { .. })));
    assert_eq!((key.bits(), key.digest()), (None, None));
}

#[test]
fn a_stored_key_wins() {
    let derived = Billing::key("cust_123", "2026-08").unwrap();
    let stored = derived.clone().or_stored(Some("sent-before"));
    assert_eq!(stored.as_str(), "sent-before");
    assert_eq!(derived.clone().or_stored(None::<String>), derived);
    assert_eq!(derived.clone().or_stored(Some("")), derived);
    assert_eq!(derived.clone().or_stored(Some(&stored)), stored);
}
