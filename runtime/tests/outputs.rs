//! The texts of a key, and what providers take.

use samekey::{Idempotent, Key, Provider, ProviderError, Shape, ShapeError, StoredInstant};

#[derive(Idempotent)]
#[idempotent(namespace = "billing", operation = "charge.monthly")]
struct Charge {
    #[idempotent(identity)]
    customer_id: u64,
}

fn key(customer_id: u64) -> Key {
    Charge { customer_id }.idempotency_key()
}

fn august() -> StoredInstant {
    StoredInstant::from_unix_seconds(1_785_542_400)
}

fn shaped(key: &Key, shape: Shape) -> Key {
    match shape {
        Shape::UuidV7 => key.uuid_v7(august()),
        _ => key.to_shape(shape),
    }
    .unwrap()
}

#[test]
fn every_shape_has_its_length_and_says_its_bits() {
    for shape in Shape::ALL {
        let shaped = shaped(&key(1), *shape);
        assert_eq!(shaped.as_str().len(), shape.len());
        assert_eq!(shaped.bits(), Some(shape.bits()));
    }
}

/// Counts the bits of the text that differ between two keys among many.
#[test]
fn the_bits_are_counted_honestly() {
    for (shape, bits) in [
        (Shape::Hex32, 128),
        (Shape::UuidV4, 122),
        (Shape::UuidV5, 122),
        (Shape::UuidV8, 122),
        (Shape::UuidV7, 74),
    ] {
        let value = |id| {
            let text = shaped(&key(id), shape).to_string().replace('-', "");
            u128::from_str_radix(&text, 16).unwrap()
        };
        let first = value(0);
        let changed = (1..200).fold(0, |changed, id| changed | (value(id) ^ first));
        assert_eq!(changed.count_ones(), bits, "{shape:?}");
        assert_eq!(shape.bits(), bits);
    }
}

#[test]
fn uuids_say_their_version_and_variant() {
    for (shape, version) in [(Shape::UuidV4, 4), (Shape::UuidV5, 5), (Shape::UuidV7, 7), (Shape::UuidV8, 8)] {
        let uuid: uuid::Uuid = shaped(&key(1), shape).as_str().parse().unwrap();
        assert_eq!(uuid.get_version_num(), version);
        assert_eq!(uuid.get_variant(), uuid::Variant::RFC4122);
    }
}

#[test]
fn version_7_begins_with_the_business_instant() {
    let uuid: uuid::Uuid = key(1).uuid_v7(august()).unwrap().as_str().parse().unwrap();
    let (seconds, _) = uuid.get_timestamp().unwrap().to_unix();
    assert_eq!(seconds, 1_785_542_400);
    assert_eq!(key(1).to_shape(Shape::UuidV7), Err(ShapeError::NeedsInstant));
    let out = [StoredInstant::from_unix_millis(-1), StoredInstant::from_unix_millis(1 << 48)];
    for at in out {
        assert_eq!(key(1).uuid_v7(at), Err(ShapeError::InstantOutOfRange));
    }
    assert!(key(1).uuid_v7(StoredInstant::from_unix_millis((1 << 48) - 1)).is_ok());
    assert!(key(1).uuid_v7(StoredInstant::from_unix_millis(0)).is_ok());
}

#[test]
fn a_key_is_never_cut_for_a_provider() {
    assert_eq!(
        key(1).for_provider(Provider::TwilioWebhooks),
        Err(ProviderError::NeedsInstant { provider: Provider::TwilioWebhooks })
    );
    assert!(key(1).for_provider_at(Provider::TwilioWebhooks, august()).is_ok());
    for provider in [Provider::Pulsar, Provider::TigerBeetle] {
        assert!(matches!(key(1).for_provider(provider), Err(ProviderError::NothingFits { .. })));
    }
    let short = key(1).for_provider(Provider::Snippe).unwrap();
    assert_eq!((short.as_str().len(), short.bits()), (22, Some(128)));
}

/// The choice per provider is part of format 1: a change here is a broken promise.
#[test]
fn the_shape_per_provider_is_frozen() {
    let frozen: Vec<_> =
        Provider::ALL.iter().map(|provider| format!("{provider}: {:?}", provider.shape())).collect();
    assert_eq!(frozen.join("\n"), include_str!("provider_shapes.txt").trim_end());
}

#[test]
fn a_key_can_be_reshaped_again_and_again() {
    let uuid = key(1).to_shape(Shape::UuidV4).unwrap();
    assert_eq!(uuid.to_shape(Shape::Hex32).unwrap(), key(1));
    let provider = key(1).for_provider(Provider::Wise).unwrap();
    assert_eq!(provider.for_provider(Provider::Stripe).unwrap(), key(1));
}

#[test]
fn a_key_is_a_text() {
    let key = key(1);
    assert_eq!(key.to_string(), key.as_str());
    assert_eq!(format!("{key:>40}").len(), 40);
    assert_eq!(AsRef::<str>::as_ref(&key), key.as_str());
    assert_eq!(String::from(key.clone()), key.as_str());
}
