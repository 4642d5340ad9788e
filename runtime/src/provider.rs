//! What each provider takes as a key, and the shape that a key gets for it.

use core::fmt;

use crate::error::ProviderError;
use crate::instant::StoredInstant;
use crate::key::Key;
use crate::shape::Shape;

macro_rules! providers {
    ($($(#[$doc:meta])* $variant:ident, $name:literal, $rule:expr;)*) => {
        /// Who receives a key.
        ///
        /// The shape per provider is part of key format 1: it is frozen, and a
        /// provider whose rules change gets a new variant.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Provider {
            $($(#[$doc])* $variant,)*
        }

        impl Provider {
            /// Every provider.
            pub const ALL: &'static [Provider] = &[$(Self::$variant,)*];

            /// The name as its owner writes it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            const fn rule(self) -> Rule {
                match self { $(Self::$variant => $rule,)* }
            }
        }
    };
}

providers! {
    /// Header `Idempotency-Key`, up to 255 characters.
    Stripe, "Stripe", Rule::text(1, 255);
    /// Header `PayPal-Request-Id`.
    PayPal, "PayPal", Rule::text(1, UNKNOWN);
    /// Field `idempotency_key`; 45 characters is the limit of the strictest endpoints.
    Square, "Square", Rule::text(1, 45);
    /// Header `Idempotency-Key`, up to 64 characters, a UUID is advised.
    Adyen, "Adyen", Rule::advised_uuid(64);
    /// Header `Idempotency-Key`, up to 128 characters.
    GoCardless, "GoCardless", Rule::text(1, 128);
    /// Header `Cko-Idempotency-Key`, a version 4 UUID is advised.
    Checkout, "Checkout.com", Rule::advised_uuid(UNKNOWN);
    /// Header `Idempotency-Key`.
    Mollie, "Mollie", Rule::text(1, UNKNOWN);
    /// Field `idempotency_key`; 50 characters is the limit of the strictest endpoints.
    Plaid, "Plaid", Rule::text(1, 50);
    /// Field `customerTransactionId` or header `X-idempotence-uuid`, a UUID.
    Wise, "Wise", Rule::uuid_v4();
    /// Header `Idempotency-Key`.
    ModernTreasury, "Modern Treasury", Rule::text(1, UNKNOWN);
    /// Header `Idempotency-Key`, a UUID is advised.
    Dwolla, "Dwolla", Rule::advised_uuid(UNKNOWN);
    /// Header `Idempotency-Key`.
    Increase, "Increase", Rule::text(1, UNKNOWN);
    /// Header `Idempotency-Key`, up to 255 characters.
    Column, "Column", Rule::text(1, 255);
    /// Header `X-Payout-Idempotency`, 4 to 36 letters, digits, hyphens, underscores and spaces.
    RazorpayX, "RazorpayX", Rule::of(4, 36, Charset::WordsAndDashes);
    /// Header `Klarna-Idempotency-Key`.
    Klarna, "Klarna", Rule::text(1, UNKNOWN);
    /// Field `idempotencyKey` of calls and payments.
    TwilioPay, "Twilio Pay", Rule::text(1, UNKNOWN);
    /// Field `idempotencyKey` of webhooks, a version 7 UUID and nothing else.
    TwilioWebhooks, "Twilio webhooks", Rule::uuid_v7();
    /// Field `idempotencyKey` of usage records, up to 255 characters.
    Shopify, "Shopify", Rule::text(1, 255);
    /// Field `idempotencyKey`, a version 4 UUID and nothing else.
    Circle, "Circle", Rule::uuid_v4();
    /// Header `X-Idempotency-Key`, a version 4 UUID and nothing else.
    CoinbaseCdp, "Coinbase CDP", Rule::uuid_v4();
    /// Header `Idempotency-Key`.
    Fireblocks, "Fireblocks", Rule::text(1, UNKNOWN);
    /// Field `token`, up to 36 characters.
    Marqeta, "Marqeta", Rule::text(1, 36);
    /// Header `chargebee-idempotency-key`.
    Chargebee, "Chargebee", Rule::text(1, UNKNOWN);
    /// Header `Idempotency-Key`, fewer than 255 characters.
    Zuora, "Zuora", Rule::text(1, 254);
    /// Parameter `requestid`; 36 characters is the limit in a batch.
    QuickBooks, "QuickBooks", Rule::text(1, 36);
    /// Field `idempotency_key` of usage events.
    Orb, "Orb", Rule::text(1, UNKNOWN);
    /// Field `transaction_id` of usage events.
    Metronome, "Metronome", Rule::text(1, UNKNOWN);
    /// Field `transaction_id` of usage events.
    Lago, "Lago", Rule::text(1, UNKNOWN);
    /// The id of a transfer, a number of 128 bits.
    TigerBeetle, "TigerBeetle", Rule::nothing("a number of 128 bits");
    /// Header `X-GCS-Idempotence-Key`, up to 40 ASCII characters.
    Worldline, "Worldline Direct", Rule::of(1, 40, Charset::PrintableAscii);
    /// Header `idempotency-key`, a UUID.
    Helcim, "Helcim", Rule::uuid_v4();
    /// Header `X-Qonto-Idempotency-Key`, a version 4 UUID is advised.
    Qonto, "Qonto", Rule::advised_uuid(UNKNOWN);
    /// Header `Idempotency-Key`, a version 4 UUID is advised.
    TrueLayer, "TrueLayer", Rule::advised_uuid(UNKNOWN);
    /// Header `Idempotency-Key`, up to 36 characters.
    Alpaca, "Alpaca", Rule::text(1, 36);
    /// Up to 30 bytes.
    Snippe, "Snippe", Rule::short(30);
    /// Header `Idempotency-Key`, up to 255 printable ASCII characters without spaces.
    Solidgate, "Solidgate", Rule::of(1, 255, Charset::AsciiNoSpace);
    /// Header `privy-idempotency-key`, up to 256 characters, a version 4 UUID is advised.
    Privy, "Privy", Rule::advised_uuid(256);
    /// Client tokens of AWS operations, up to 64 ASCII characters.
    AwsClientToken, "AWS client token", Rule::of(1, 64, Charset::PrintableAscii);
    /// Client request tokens of DynamoDB transactions, up to 36 characters.
    DynamoDb, "Amazon DynamoDB", Rule::text(1, 36);
    /// Client request tokens of Secrets Manager, 32 to 64 characters.
    SecretsManager, "AWS Secrets Manager", Rule::text(32, 64);
    /// Deduplication ids of FIFO queues, up to 128 printable ASCII characters without spaces.
    Sqs, "Amazon SQS", Rule::of(1, 128, Charset::AsciiNoSpace);
    /// Deduplication ids of FIFO topics, up to 128 printable ASCII characters without spaces.
    Sns, "Amazon SNS", Rule::of(1, 128, Charset::AsciiNoSpace);
    /// Names of executions, up to 80 letters, digits, hyphens and underscores.
    StepFunctions, "AWS Step Functions", Rule::of(1, 80, Charset::WordsAndDashes);
    /// Header `Repeatability-Request-ID`, a version 4 UUID.
    AzureRepeatability, "Azure Repeatability-Request-ID", Rule::uuid_v4();
    /// Message ids under duplicate detection, up to 128 characters.
    AzureServiceBus, "Azure Service Bus", Rule::text(1, 128);
    /// Field `request_id`, a version 4 UUID.
    GoogleCloud, "Google Cloud", Rule::uuid_v4();
    /// Header `Nats-Msg-Id`.
    NatsJetStream, "NATS JetStream", Rule::text(1, UNKNOWN);
    /// Sequence ids of a producer, a rising number.
    Pulsar, "Apache Pulsar", Rule::nothing("a rising sequence number");
    /// Workflow ids, up to 1000 characters.
    Temporal, "Temporal", Rule::text(1, 1000);
    /// Header `idempotency-key`.
    Restate, "Restate", Rule::text(1, UNKNOWN);
    /// Event ids.
    Inngest, "Inngest", Rule::text(1, UNKNOWN);
    /// Option `idempotency_key`.
    Svix, "Svix", Rule::text(1, UNKNOWN);
    /// Header `Idempotency-Key`, up to 256 characters.
    Resend, "Resend", Rule::text(1, 256);
    /// Header `Idempotency-Key`, a version 4 UUID is advised.
    Courier, "Courier", Rule::advised_uuid(UNKNOWN);
    /// Object names, up to 63 lower-case letters, digits and hyphens.
    Kubernetes, "Kubernetes", Rule::of(1, 63, Charset::DnsLabel);
}

/// Stands where no limit is published.
const UNKNOWN: usize = usize::MAX;

/// What a provider checks, and what it gets.
#[derive(Clone, Copy)]
struct Rule {
    min: usize,
    max: usize,
    charset: Charset,
    gives: Gives,
}

#[derive(Clone, Copy)]
enum Gives {
    Shape(Shape),
    Nothing(&'static str),
}

#[derive(Clone, Copy)]
enum Charset {
    /// What an HTTP header value can carry.
    Visible,
    PrintableAscii,
    AsciiNoSpace,
    WordsAndDashes,
    DnsLabel,
    Uuid(u8),
}

impl Rule {
    const fn of(min: usize, max: usize, charset: Charset) -> Self {
        Self { min, max, charset, gives: Gives::Shape(Shape::Hex32) }
    }

    const fn text(min: usize, max: usize) -> Self {
        Self::of(min, max, Charset::Visible)
    }

    const fn short(max: usize) -> Self {
        Self { gives: Gives::Shape(Shape::Base64Url22), ..Self::text(1, max) }
    }

    const fn advised_uuid(max: usize) -> Self {
        Self { gives: Gives::Shape(Shape::UuidV4), ..Self::text(1, max) }
    }

    const fn uuid_v4() -> Self {
        Self { gives: Gives::Shape(Shape::UuidV4), ..Self::of(36, 36, Charset::Uuid(b'4')) }
    }

    const fn uuid_v7() -> Self {
        Self { gives: Gives::Shape(Shape::UuidV7), ..Self::of(36, 36, Charset::Uuid(b'7')) }
    }

    const fn nothing(takes: &'static str) -> Self {
        Self { gives: Gives::Nothing(takes), ..Self::text(1, UNKNOWN) }
    }

    fn broken_by(self, text: &str) -> Option<&'static str> {
        let length = text.chars().count();
        if length > self.max {
            return Some("it is too long");
        }
        if length < self.min {
            return Some("it is too short");
        }
        self.charset.broken_by(text)
    }
}

impl Charset {
    fn broken_by(self, text: &str) -> Option<&'static str> {
        let (fits, rule) = match self {
            Self::Visible => (!text.chars().any(char::is_control), "control characters are not allowed"),
            Self::PrintableAscii => {
                (text.bytes().all(|byte| matches!(byte, b' '..=b'~')), "only printable ASCII is allowed")
            }
            Self::AsciiNoSpace => (
                text.bytes().all(|byte| byte.is_ascii_graphic()),
                "only printable ASCII without spaces is allowed",
            ),
            Self::WordsAndDashes => (
                text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_ ".contains(&byte)),
                "only letters, digits, hyphens, underscores and spaces are allowed",
            ),
            Self::DnsLabel => (is_dns_label(text), "it is no DNS label"),
            Self::Uuid(version) => (is_uuid(text, version), "it is no UUID of the version"),
        };
        (!fits).then_some(rule)
    }
}

impl Provider {
    /// The shape that a derived key gets; nothing where no shape fits.
    #[must_use]
    pub const fn shape(self) -> Option<Shape> {
        match self.rule().gives {
            Gives::Shape(shape) => Some(shape),
            Gives::Nothing(_) => None,
        }
    }

    /// The longest key in characters, where a limit is published.
    #[must_use]
    pub const fn max_len(self) -> Option<usize> {
        match self.rule().max {
            UNKNOWN => None,
            max => Some(max),
        }
    }

    pub(crate) fn shape_key(self, key: &Key, at: Option<StoredInstant>) -> Result<Key, ProviderError> {
        let rule = self.rule();
        let shape = match rule.gives {
            Gives::Shape(shape) => shape,
            Gives::Nothing(takes) => {
                return Err(ProviderError::NothingFits { provider: self, takes });
            }
        };
        if key.digest().is_none() {
            return self.verbatim(key);
        }
        match (shape, at) {
            (Shape::UuidV7, None) => Err(ProviderError::NeedsInstant { provider: self }),
            (Shape::UuidV7, Some(at)) => Ok(key.uuid_v7(at)?),
            _ => Ok(key.to_shape(shape)?),
        }
    }

    fn verbatim(self, key: &Key) -> Result<Key, ProviderError> {
        match self.rule().broken_by(key.as_str()) {
            None => Ok(key.clone()),
            Some(rule) => Err(ProviderError::Refused { provider: self, rule }),
        }
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

fn is_dns_label(text: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    text.bytes().all(inner) && !text.starts_with('-') && !text.ends_with('-')
}

fn is_uuid(text: &str, version: u8) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(index, byte)| match index {
            8 | 13 | 18 | 23 => byte == b'-',
            14 => byte == version,
            19 => b"89abAB".contains(&byte),
            _ => byte.is_ascii_hexdigit(),
        })
}

#[cfg(test)]
mod tests {
    use super::Provider;
    use crate::instant::StoredInstant;
    use crate::key::Key;

    #[test]
    fn every_shape_obeys_the_rule_of_its_provider() {
        let key = Key::derived([0xff; 32], false);
        let at = StoredInstant::from_unix_seconds(1_788_220_800);
        for provider in Provider::ALL {
            if provider.shape().is_none() {
                assert!(key.for_provider_at(*provider, at).is_err());
                continue;
            }
            let shaped = key.for_provider_at(*provider, at).unwrap();
            assert_eq!(provider.rule().broken_by(shaped.as_str()), None, "{provider}: {shaped}");
        }
    }

    #[test]
    fn stored_keys_are_checked_and_never_altered() {
        let fits = |provider, text: &str| Key::stored(text).for_provider(provider).is_ok();
        assert!(fits(Provider::Stripe, &"x".repeat(255)));
        assert!(!fits(Provider::Stripe, &"x".repeat(256)));
        assert!(!fits(Provider::Stripe, "line\nbreak"));
        assert!(!fits(Provider::RazorpayX, "abc"));
        assert!(!fits(Provider::RazorpayX, "cust:2026"));
        assert!(!fits(Provider::CoinbaseCdp, "24facc8d44a8220e0b8060e5e57e0204"));
        assert!(!fits(Provider::CoinbaseCdp, "24facc8d-44a8-520e-8b80-60e5e57e0204"));
        assert!(fits(Provider::CoinbaseCdp, "24facc8d-44a8-420e-8b80-60e5e57e0204"));
        assert!(!fits(Provider::Sqs, "a b"));
        assert!(!fits(Provider::Kubernetes, "-leading"));
    }
}
