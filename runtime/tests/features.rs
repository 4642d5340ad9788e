//! The types of other crates.
#![cfg(all(
    feature = "std",
    feature = "serde",
    feature = "http",
    feature = "chrono",
    feature = "time",
    feature = "jiff",
    feature = "rust_decimal",
    feature = "smol_str",
    feature = "compact_str",
    feature = "ecow",
    feature = "arcstr",
    feature = "bytes",
    feature = "uuid",
    feature = "ulid"
))]

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use samekey::{Idempotent, Identity, Key, KeyError, PersistedInstant, Precision, Secret};

/// 2026-08-01T00:00:00.000001Z in nanoseconds.
const NANOS: i128 = 1_785_542_400_000_001_000;

#[derive(Idempotent)]
#[idempotent(namespace = "billing", operation = "charge.monthly")]
struct One<T> {
    #[idempotent(identity)]
    value: T,
}

fn key(value: impl Identity) -> Key {
    One { value }.idempotency_key()
}

#[derive(Idempotent)]
#[idempotent(namespace = "billing", operation = "charge.monthly")]
struct At<T: PersistedInstant> {
    #[idempotent(identity, at = "microsecond", persisted = "orders.created_at")]
    value: T,
}

fn key_at(value: impl PersistedInstant) -> Result<Key, KeyError> {
    At { value }.try_idempotency_key()
}

#[test]
fn a_day_is_one_day_in_every_crate() {
    let chrono = key(chrono::NaiveDate::from_ymd_opt(2026, 8, 31).unwrap());
    let time = key(time::Date::from_calendar_date(2026, time::Month::August, 31).unwrap());
    let jiff = key(jiff::civil::date(2026, 8, 31));
    assert_eq!(chrono, time);
    assert_eq!(chrono, jiff);
}

#[test]
fn a_stored_instant_is_one_instant_in_every_crate() {
    let chrono = chrono::DateTime::from_timestamp_nanos(NANOS as i64);
    let cairo = chrono.with_timezone(&chrono::FixedOffset::east_opt(2 * 3_600).unwrap());
    let time = time::OffsetDateTime::from_unix_timestamp_nanos(NANOS).unwrap();
    let offset = time.to_offset(time::UtcOffset::from_hms(-5, 0, 0).unwrap());
    let jiff = jiff::Timestamp::from_nanosecond(NANOS).unwrap();
    let system = UNIX_EPOCH + Duration::from_nanos(NANOS as u64);
    let expected = key_at(chrono).unwrap();
    assert_eq!(key_at(cairo).unwrap(), expected);
    assert_eq!(key_at(time).unwrap(), expected);
    assert_eq!(key_at(offset).unwrap(), expected);
    assert_eq!(key_at(time::UtcDateTime::from_unix_timestamp_nanos(NANOS).unwrap()).unwrap(), expected);
    assert_eq!(key_at(jiff).unwrap(), expected);
    assert_eq!(key_at(jiff.to_zoned_datetime(jiff::tz::TimeZone::UTC)).unwrap(), expected);
    assert_eq!(key_at(system).unwrap(), expected);
    assert_ne!(key_at(Some(system)).unwrap(), expected);
    assert_ne!(key_at(None::<SystemTime>).unwrap(), key_at(Some(system)).unwrap());
}

#[test]
fn what_the_store_would_round_is_refused() {
    let refused = Err(KeyError::FinerThanStored { precision: Precision::Microsecond });
    assert_eq!(key_at(UNIX_EPOCH + Duration::from_nanos(NANOS as u64 + 1)), refused);
    assert_eq!(key_at(chrono::DateTime::from_timestamp_nanos(NANOS as i64 + 1)), refused);
    assert_eq!(key_at(jiff::Timestamp::from_nanosecond(-1).unwrap()), refused);
    assert!(key_at(UNIX_EPOCH - Duration::from_micros(1)).is_ok());
}

#[test]
fn a_leap_second_is_no_whole_unit_too_few() {
    let leap = chrono::NaiveDate::from_ymd_opt(2016, 12, 31)
        .and_then(|day| day.and_hms_nano_opt(23, 59, 59, 1_500_000_000))
        .unwrap()
        .and_utc();
    assert!(key_at(leap).is_ok());
}

#[test]
fn decimals_have_no_trailing_zeros() {
    use rust_decimal::Decimal;
    assert_eq!(key(Decimal::new(150, 2)), key(Decimal::new(15, 1)));
    assert_eq!(key(Decimal::new(0, 5)), key(-Decimal::ZERO));
    assert_ne!(key(Decimal::new(15, 1)), key(Decimal::new(15, 0)));
    assert_ne!(key(Decimal::new(15, 0)), key(15));
    let _ = (key(Decimal::MAX), key(Decimal::MIN));
}

#[test]
fn texts_are_one_text_in_every_crate() {
    let expected = key("cust_123");
    assert_eq!(key(smol_str::SmolStr::new("cust_123")), expected);
    assert_eq!(key(compact_str::CompactString::new("cust_123")), expected);
    assert_eq!(key(ecow::EcoString::from("cust_123")), expected);
    assert_eq!(key(arcstr::ArcStr::from("cust_123")), expected);
}

#[test]
fn stored_ids_and_bytes() {
    #[derive(Identity)]
    #[idempotent(persisted = "primary key of customers")]
    struct CustomerId(uuid::Uuid);
    #[derive(Idempotent)]
    #[idempotent(namespace = "billing", operation = "charge.monthly")]
    struct Charge {
        #[idempotent(identity)]
        customer_id: CustomerId,
        #[idempotent(identity, persisted = "orders.id")]
        order_id: Option<ulid::Ulid>,
        #[idempotent(identity, bytes)]
        fingerprint: bytes::Bytes,
    }
    let charge = |order_id| {
        let customer_id = CustomerId(uuid::Uuid::from_u128(7));
        Charge { customer_id, order_id, fingerprint: bytes::Bytes::from_static(&[1]) }.idempotency_key()
    };
    assert_eq!(charge(None), charge(None));
    assert_ne!(charge(None), charge(Some(ulid::Ulid::from_bytes([0; 16]))));
}

#[test]
fn a_key_is_a_string_in_messages() {
    let key = key("cust_123");
    let json = serde_json::to_string(&key).unwrap();
    assert_eq!(json, format!("\"{key}\""));
    let read: Key = serde_json::from_str(&json).unwrap();
    assert_eq!(read, key);
    assert_eq!(read.bits(), None, "what is read back is a stored key");
}

#[test]
fn a_key_is_a_header_value_and_a_secret_one_is_sensitive() {
    let value: http::HeaderValue = (&key("a")).try_into().unwrap();
    assert_eq!(value.to_str().unwrap(), key("a").as_str());
    assert!(!value.is_sensitive());
    let secret = Secret::new("id", &[0; 32]).unwrap();
    let value: http::HeaderValue = One { value: "a" }.key_with(&secret).try_into().unwrap();
    assert!(value.is_sensitive());
    assert!(http::HeaderValue::try_from(Key::stored("line\nbreak")).is_err());
    let request = http::Request::post("/v1/charges").header("Idempotency-Key", &key("a")).body(());
    assert!(request.is_ok());
    let uuid = uuid::Uuid::try_from(&key("a").to_shape(samekey::Shape::UuidV8).unwrap());
    assert_eq!(uuid.unwrap().get_version_num(), 8);
}
