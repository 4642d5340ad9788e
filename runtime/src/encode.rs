//! The canonical encoder: every value becomes a tag and a self-delimiting body.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::format::{self, Tag};
use crate::identity::Identity;
use crate::instant::StoredInstant;
use crate::secret::Secret;

/// The place of exactly one value in an encoded identity.
///
/// Every method takes the slot and hands back a [`Written`], so an
/// implementation of [`Identity::encode`] can write neither no value nor two.
#[derive(Debug)]
pub struct Slot<'a> {
    out: &'a mut Vec<u8>,
}

/// Proof that a [`Slot`] was filled.
#[derive(Debug)]
#[must_use = "hand it back from `encode`"]
pub struct Written(());

impl<'a> Slot<'a> {
    pub(crate) fn new(out: &'a mut Vec<u8>) -> Self {
        Self { out }
    }

    fn tag(self, tag: Tag) -> &'a mut Vec<u8> {
        self.out.push(tag.byte());
        self.out
    }

    /// Writes text as its UTF-8 bytes, without any normalisation.
    pub fn text(self, value: &str) -> Written {
        write_sized(self.tag(Tag::Text), value.as_bytes());
        Written(())
    }

    /// Writes raw bytes.
    pub fn bytes(self, value: &[u8]) -> Written {
        write_sized(self.tag(Tag::Bytes), value);
        Written(())
    }

    /// Writes a truth value.
    pub fn boolean(self, value: bool) -> Written {
        self.tag(Tag::Boolean).push(u8::from(value));
        Written(())
    }

    /// Writes an integer; its width in Rust leaves no trace.
    pub fn integer(self, value: i128) -> Written {
        write_integer(self.tag(Tag::Integer), value < 0, value.unsigned_abs());
        Written(())
    }

    /// Writes an integer that may be above [`i128::MAX`].
    pub fn unsigned(self, value: u128) -> Written {
        write_integer(self.tag(Tag::Integer), false, value);
        Written(())
    }

    /// Writes an absent value.
    pub fn none(self) -> Written {
        self.tag(Tag::None);
        Written(())
    }

    /// Writes a present value.
    pub fn some(self, value: impl FnOnce(Slot<'_>) -> Written) -> Written {
        let out = self.tag(Tag::Some);
        value(Slot { out })
    }

    /// Writes values in the order in which they come.
    pub fn list<T: Identity>(self, values: impl IntoIterator<Item = T>) -> Written {
        self.values(Tag::List, encode_each(values))
    }

    /// Writes values whose order carries no meaning.
    pub fn set<T: Identity>(self, values: impl IntoIterator<Item = T>) -> Written {
        let mut encoded = encode_each(values);
        encoded.sort_unstable();
        self.values(Tag::Set, encoded)
    }

    fn values(self, tag: Tag, encoded: Vec<Vec<u8>>) -> Written {
        let out = self.tag(tag);
        write_length(out, encoded.len());
        for value in encoded {
            out.extend_from_slice(&value);
        }
        Written(())
    }

    /// Writes pairs whose order carries no meaning.
    pub fn map<K: Identity, V: Identity>(self, pairs: impl IntoIterator<Item = (K, V)>) -> Written {
        let mut encoded: Vec<_> =
            pairs.into_iter().map(|(key, value)| (encode_value(&key), encode_value(&value))).collect();
        encoded.sort_unstable();
        let out = self.tag(Tag::Map);
        write_length(out, encoded.len());
        for (key, value) in encoded {
            out.extend_from_slice(&key);
            out.extend_from_slice(&value);
        }
        Written(())
    }

    /// Writes named values; the order of the calls leaves no trace.
    pub fn record(self, fields: impl FnOnce(&mut Record)) -> Written {
        let out = self.tag(Tag::Record);
        let mut record = Record::default();
        fields(&mut record);
        record.write(out);
        Written(())
    }

    /// Writes a variant of an enum with its named values.
    pub fn variant(self, name: &str, fields: impl FnOnce(&mut Record)) -> Written {
        let out = self.tag(Tag::Variant);
        write_sized(out, name.as_bytes());
        let mut record = Record::default();
        fields(&mut record);
        record.write(out);
        Written(())
    }

    /// Writes `mantissa / 10^scale`; `1.50` and `1.5` are the same number.
    pub fn decimal(self, mantissa: i128, scale: u32) -> Written {
        let (mantissa, scale) = shortest_decimal(mantissa, scale);
        let out = self.tag(Tag::Decimal);
        write_integer(out, mantissa < 0, mantissa.unsigned_abs());
        out.extend_from_slice(&scale.to_be_bytes());
        Written(())
    }

    /// Writes a day of the proleptic Gregorian calendar.
    pub fn date(self, year: i32, month: u8, day: u8) -> Written {
        let out = self.tag(Tag::Date);
        out.extend_from_slice(&year.to_be_bytes());
        out.extend_from_slice(&[month, day]);
        Written(())
    }

    /// Writes a stored point in time as nanoseconds since 1970 in UTC.
    pub fn instant(self, value: StoredInstant) -> Written {
        let nanos = value.unix_nanos();
        write_integer(self.tag(Tag::Instant), nanos < 0, nanos.unsigned_abs());
        Written(())
    }

    /// Writes the 16 bytes of a UUID.
    pub fn uuid(self, value: [u8; 16]) -> Written {
        self.tag(Tag::Uuid).extend_from_slice(&value);
        Written(())
    }

    /// Writes the 16 bytes of a ULID.
    pub fn ulid(self, value: [u8; 16]) -> Written {
        self.tag(Tag::Ulid).extend_from_slice(&value);
        Written(())
    }
}

/// The named values of a struct or variant.
#[derive(Debug, Default)]
pub struct Record {
    fields: Vec<(Cow<'static, str>, Vec<u8>)>,
}

impl Record {
    /// Adds one named value.
    pub fn field(&mut self, name: &'static str, value: impl FnOnce(Slot<'_>) -> Written) {
        self.named(Cow::Borrowed(name), value);
    }

    /// Adds a value whose name is not known before the program runs.
    pub(crate) fn named(&mut self, name: Cow<'static, str>, value: impl FnOnce(Slot<'_>) -> Written) {
        let mut encoded = Vec::new();
        let Written(()) = value(Slot::new(&mut encoded));
        self.fields.push((name, encoded));
    }

    fn write(mut self, out: &mut Vec<u8>) {
        self.fields.sort_unstable();
        write_length(out, self.fields.len());
        for (name, value) in self.fields {
            write_sized(out, name.as_bytes());
            out.extend_from_slice(&value);
        }
    }
}

/// Encodes one value by itself.
pub(crate) fn encode_value(value: &(impl Identity + ?Sized)) -> Vec<u8> {
    let mut out = Vec::new();
    let Written(()) = value.encode(Slot::new(&mut out));
    out
}

/// Encodes a whole identity: the frame and then its fields.
pub(crate) fn encode_intent(
    namespace: &str,
    operation: &str,
    version: u32,
    secret: Option<&Secret>,
    fields: Record,
) -> Vec<u8> {
    let mut out = Vec::with_capacity(256);
    out.extend_from_slice(format::MAGIC);
    out.push(format::VERSION);
    match secret {
        None => out.push(format::MODE_PLAIN),
        Some(secret) => {
            out.push(format::MODE_HMAC);
            write_sized(&mut out, secret.id().as_bytes());
        }
    }
    write_sized(&mut out, namespace.as_bytes());
    write_sized(&mut out, operation.as_bytes());
    out.extend_from_slice(&version.to_be_bytes());
    fields.write(&mut out);
    out
}

fn encode_each<T: Identity>(values: impl IntoIterator<Item = T>) -> Vec<Vec<u8>> {
    values.into_iter().map(|value| encode_value(&value)).collect()
}

/// Lengths and counts have eight bytes, so no value that fits in memory is too
/// long to be written.
fn write_length(out: &mut Vec<u8>, length: usize) {
    out.extend_from_slice(&(length as u64).to_be_bytes());
}

fn write_sized(out: &mut Vec<u8>, bytes: &[u8]) {
    write_length(out, bytes.len());
    out.extend_from_slice(bytes);
}

fn write_integer(out: &mut Vec<u8>, negative: bool, magnitude: u128) {
    let bytes = magnitude.to_be_bytes();
    let leading_zeros = (magnitude.leading_zeros() / 8) as usize;
    out.push(u8::from(negative));
    write_sized(out, bytes.get(leading_zeros..).unwrap_or_default());
}

fn shortest_decimal(mut mantissa: i128, mut scale: u32) -> (i128, u32) {
    if mantissa == 0 {
        return (0, 0);
    }
    while scale > 0 && mantissa % 10 == 0 {
        mantissa /= 10;
        scale -= 1;
    }
    (mantissa, scale)
}
