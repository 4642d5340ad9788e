//! What `for_provider` checks agrees with what the linter knows of the same provider.

use std::collections::BTreeSet;

use samekey::{Key, Provider, Shape};
use samekey_catalogue::{Charset, UuidRule, provider, providers};

/// Each provider and its row of the catalogue.
const ROWS: &[(Provider, &str)] = &[
    (Provider::Stripe, "stripe"),
    (Provider::PayPal, "paypal"),
    (Provider::Square, "square"),
    (Provider::Adyen, "adyen"),
    (Provider::GoCardless, "gocardless"),
    (Provider::Checkout, "checkout-com"),
    (Provider::Mollie, "mollie"),
    (Provider::Plaid, "plaid"),
    (Provider::Wise, "wise"),
    (Provider::ModernTreasury, "modern-treasury"),
    (Provider::Dwolla, "dwolla"),
    (Provider::Increase, "increase"),
    (Provider::Column, "column"),
    (Provider::RazorpayX, "razorpayx"),
    (Provider::Klarna, "klarna"),
    (Provider::TwilioPay, "twilio-pay"),
    (Provider::TwilioWebhooks, "twilio-webhooks"),
    (Provider::Shopify, "shopify"),
    (Provider::Circle, "circle"),
    (Provider::CoinbaseCdp, "coinbase-cdp"),
    (Provider::Fireblocks, "fireblocks"),
    (Provider::Marqeta, "marqeta"),
    (Provider::Chargebee, "chargebee"),
    (Provider::Zuora, "zuora"),
    (Provider::QuickBooks, "quickbooks"),
    (Provider::Orb, "orb"),
    (Provider::Metronome, "metronome"),
    (Provider::Lago, "lago"),
    (Provider::TigerBeetle, "tigerbeetle"),
    (Provider::Worldline, "worldline"),
    (Provider::Helcim, "helcim"),
    (Provider::Qonto, "qonto"),
    (Provider::TrueLayer, "truelayer"),
    (Provider::Alpaca, "alpaca"),
    (Provider::Snippe, "snippe"),
    (Provider::Solidgate, "solidgate"),
    (Provider::Privy, "privy"),
    (Provider::AwsClientToken, "aws"),
    (Provider::DynamoDb, "dynamodb"),
    (Provider::SecretsManager, "secrets-manager"),
    (Provider::Sqs, "sqs-fifo"),
    (Provider::Sns, "sqs-fifo"),
    (Provider::StepFunctions, "step-functions"),
    (Provider::AzureRepeatability, "azure-repeatability"),
    (Provider::AzureServiceBus, "service-bus"),
    (Provider::GoogleCloud, "google"),
    (Provider::NatsJetStream, "nats-jetstream"),
    (Provider::Pulsar, "pulsar"),
    (Provider::Temporal, "temporal"),
    (Provider::Restate, "restate"),
    (Provider::Inngest, "inngest"),
    (Provider::Svix, "svix"),
    (Provider::Resend, "resend"),
    (Provider::Courier, "courier"),
    (Provider::Kubernetes, "kubernetes"),
];

/// Where the runtime refuses more than the provider does, and why.
const STRICTER: &[(Provider, &str)] = &[
    (Provider::QuickBooks, "36 characters is the limit in a batch"),
    (Provider::Helcim, "a UUID is advised, and its 36 characters are the most"),
    (Provider::TigerBeetle, "no text is a number of 128 bits"),
    (Provider::Pulsar, "no text is a rising number"),
    (Provider::StepFunctions, "the provider's console and ARNs take no other characters"),
    (Provider::Wise, "the version that all endpoints take"),
    (Provider::GoogleCloud, "the version that all services take"),
];

/// Rows for which the runtime offers no provider of its own.
const WITHOUT_A_PROVIDER: &[&str] = &[
    "stripe-meter-event",
    "square-other",
    "braintree",
    "plaid-payment",
    "lightspark",
    "check",
    "onekhusa",
    "aws-marketplace",
    "ietf",
];

/// A key that was sent before, checked for a provider.
fn accepts(provider: Provider, text: &str) -> bool {
    Key::stored(text).for_provider(provider).is_ok()
}

fn row(of: Provider) -> &'static samekey_catalogue::Provider {
    let (_, id) = ROWS.iter().find(|(known, _)| *known == of).unwrap_or_else(|| panic!("{of} has no row"));
    provider(id).unwrap_or_else(|| panic!("no row is called {id}"))
}

fn is_stricter(provider: Provider) -> bool {
    STRICTER.iter().any(|(known, _)| *known == provider)
}

/// Texts of every length up to a limit, of a kind that the charset takes.
fn text(length: usize, charset: Charset) -> String {
    match charset {
        Charset::Digits => "7".repeat(length),
        Charset::UuidText => "24facc8d-44a8-420e-8b80-60e5e57e0204".chars().cycle().take(length).collect(),
        _ => "a".repeat(length),
    }
}

fn takes(charset: Charset, character: char) -> bool {
    let word = character.is_ascii_alphanumeric();
    match charset {
        Charset::Any => true,
        Charset::PrintableAscii => matches!(character, ' '..='~'),
        Charset::AsciiNoSpace => character.is_ascii_graphic(),
        Charset::AlphanumericDashSpace => word || "-_ ".contains(character),
        Charset::AlphanumericDash => word || character == '-',
        Charset::DnsLabel => character.is_ascii_lowercase() || character.is_ascii_digit() || character == '-',
        Charset::UuidText => character.is_ascii_hexdigit() || character == '-',
        Charset::Digits => character.is_ascii_digit(),
    }
}

#[test]
fn every_provider_has_a_row_and_every_row_is_accounted_for() {
    let offered: BTreeSet<&str> = Provider::ALL.iter().map(|provider| row(*provider).id).collect();
    let left: Vec<&str> = providers().iter().map(|row| row.id).filter(|id| !offered.contains(id)).collect();
    assert_eq!(left, WITHOUT_A_PROVIDER);
    assert_eq!(ROWS.len(), Provider::ALL.len());
}

#[test]
fn lengths_are_the_same() {
    for provider in Provider::ALL {
        let row = row(*provider);
        let longest = row.max_len.map(usize::from);
        if is_stricter(*provider) {
            assert!(
                provider.max_len().is_none_or(|own| longest.is_none_or(|limit| own <= limit)),
                "{provider}"
            );
            continue;
        }
        assert_eq!(provider.max_len(), longest, "{provider}");
        if row.charset == Charset::UuidText {
            continue;
        }
        let most = longest.unwrap_or(4_000);
        let least = row.min_len.map_or(1, usize::from).max(1);
        for (length, fits) in [(most, true), (most + 1, longest.is_none()), (least, true), (least - 1, false)]
        {
            assert_eq!(accepts(*provider, &text(length, row.charset)), fits, "{provider}: {length}");
        }
    }
}

#[test]
fn no_character_is_let_through_that_the_provider_refuses() {
    for provider in Provider::ALL {
        let row = row(*provider);
        for character in (' '..='~').chain(['é', '雪']) {
            let middle = text(usize::from(row.min_len.unwrap_or(2)).max(4), Charset::Any);
            let (start, end) = middle.split_at(2);
            let accepted = accepts(*provider, &format!("{start}{character}{end}"));
            let fits = takes(row.charset, character);
            assert!(fits || !accepted, "{provider} takes {character:?}");
            if !is_stricter(*provider) && row.charset != Charset::UuidText && character.is_ascii() {
                assert_eq!(accepted, fits, "{provider}: {character:?}");
            }
        }
    }
}

#[test]
fn uuids_are_given_where_they_are_demanded_or_advised() {
    for provider in Provider::ALL {
        let shape = provider.shape();
        match row(*provider).uuid {
            UuidRule::V7 => assert_eq!(shape, Some(Shape::UuidV7), "{provider}"),
            UuidRule::V4 | UuidRule::Required => assert_eq!(shape, Some(Shape::UuidV4), "{provider}"),
            UuidRule::Any | UuidRule::Recommended => assert_ne!(shape, Some(Shape::UuidV7), "{provider}"),
        }
    }
}

/// What the derive makes is never what the provider's own row refuses.
#[test]
fn derived_keys_fit_their_rows() {
    for provider in Provider::ALL {
        let Some(shape) = provider.shape() else { continue };
        let row = row(*provider);
        assert!(row.max_len.is_none_or(|limit| shape.len() <= usize::from(limit)), "{provider}");
        assert!(row.min_len.is_none_or(|limit| shape.len() >= usize::from(limit)), "{provider}");
        let alphabet: &str = match shape {
            Shape::Base64Url22 | Shape::Base64Url43 => "azAZ09-_",
            Shape::Hex32 | Shape::Hex64 => "09af",
            _ => "09af-",
        };
        assert!(alphabet.chars().all(|character| takes(row.charset, character)), "{provider}");
    }
}

/// A list of exceptions that are none hides the next one.
#[test]
fn every_exception_is_needed() {
    for (provider, reason) in STRICTER {
        let row = row(*provider);
        let same = provider.max_len() == row.max_len.map(usize::from);
        let takes_all = (' '..='~').all(|character| {
            let text = format!("aa{character}{}", "a".repeat(20));
            accepts(*provider, &text) == takes(row.charset, character)
        });
        assert!(!(same && takes_all), "{provider}: {reason}");
    }
}
