//! Values of any kind: samples, their encoding, and how vectors write them.

use samekey::__private::named_field;
use samekey::{Identity, Precision, Record, Schema, Slot, StoredInstant, Tag, Written};
use serde_json::{Value as Json, json};

use super::kind::Kind;

/// A value that carries its own kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A truth value.
    Boolean(bool),
    /// An integer.
    Integer(i128),
    /// An integer that may be above `i128::MAX`.
    Unsigned(u128),
    /// Text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// An absent value.
    Missing,
    /// A present value.
    Present(Box<Value>),
    /// Values in order.
    List(Vec<Value>),
    /// Values without order.
    Set(Vec<Value>),
    /// Pairs without order.
    Map(Vec<(Value, Value)>),
    /// Named values.
    Record(Vec<(String, Value)>),
    /// A variant with its named values.
    Variant(String, Vec<(String, Value)>),
    /// A decimal number: mantissa and scale.
    Decimal(i128, u32),
    /// Year, month and day.
    Date(i32, u8, u8),
    /// A point in time at a precision.
    Instant(StoredInstant, Precision),
    /// A UUID.
    Uuid(u128),
    /// A ULID.
    Ulid(u128),
}

/// Values are encoded and never pinned, so their schema says nothing.
impl Identity for Value {
    const SCHEMA: Schema = Schema::of(Tag::None);

    fn encode(&self, slot: Slot<'_>) -> Written {
        match self {
            Value::Boolean(value) => slot.boolean(*value),
            Value::Integer(value) => slot.integer(*value),
            Value::Unsigned(value) => slot.unsigned(*value),
            Value::Text(value) => slot.text(value),
            Value::Bytes(value) => slot.bytes(value),
            Value::Missing => slot.none(),
            Value::Present(value) => slot.some(|slot| value.encode(slot)),
            Value::List(values) => slot.list(values),
            Value::Set(values) => slot.set(values),
            Value::Map(pairs) => slot.map(pairs.iter().map(|(key, value)| (key, value))),
            Value::Record(fields) => slot.record(|record| write(record, fields)),
            Value::Variant(name, fields) => slot.variant(name, |record| write(record, fields)),
            Value::Decimal(mantissa, scale) => slot.decimal(*mantissa, *scale),
            Value::Date(year, month, day) => slot.date(*year, *month, *day),
            Value::Instant(value, _) => slot.instant(*value),
            Value::Uuid(value) => slot.uuid(value.to_be_bytes()),
            Value::Ulid(value) => slot.ulid(value.to_be_bytes()),
        }
    }
}

/// Writes named values into a record.
pub fn write(record: &mut Record, fields: &[(String, Value)]) {
    for (name, value) in fields {
        named_field(record, name.clone(), |slot| value.encode(slot));
    }
}

impl Value {
    /// The sample of a kind with this number; nothing where a part of the kind is not known. The first three are a
    /// usual value, an empty or smallest one, and a large one. `place` tells fields of one kind apart.
    pub fn sample(kind: &Kind, number: usize, place: &Place<'_>) -> Option<Value> {
        let inner = |kind: &Kind, step: usize| Value::sample(kind, number + step, place).map(Box::new);
        let is_empty = number % 3 == 1;
        Some(match kind {
            Kind::Boolean => Value::Boolean((number + place.position).is_multiple_of(2)),
            Kind::Integer { min, max, non_zero } => integer(*min, *max, *non_zero, number, place),
            Kind::Text { single: true } => Value::Text(pick(&["a", "é", "雪"], number).to_owned()),
            Kind::Text { single: false } => Value::Text(match number % 3 {
                0 => format!("{}-{}", place.name, number + 1),
                1 => String::new(),
                _ => format!("Zoë:{} 雪🦀", place.name),
            }),
            Kind::Bytes => Value::Bytes(pick::<&[u8]>(&[&[0, 255, 1], &[], &[7; 40]], number).to_vec()),
            Kind::Optional(_) if is_empty => Value::Missing,
            Kind::Optional(value) => Value::Present(inner(value, 0)?),
            Kind::List(_) if is_empty => Value::List(Vec::new()),
            Kind::List(item) => Value::List(vec![*inner(item, 0)?, *inner(item, 1)?]),
            Kind::Set(_) if is_empty => Value::Set(Vec::new()),
            Kind::Set(item) => Value::Set(distinct(vec![*inner(item, 0)?, *inner(item, 1)?], |value| value)),
            Kind::Map(..) if is_empty => Value::Map(Vec::new()),
            Kind::Map(key, value) => Value::Map(distinct(
                vec![(*inner(key, 0)?, *inner(value, 0)?), (*inner(key, 1)?, *inner(value, 1)?)],
                |(key, _)| key,
            )),
            Kind::Record(fields) => Value::Record(samples(fields, number)?),
            Kind::Variant(variants) => {
                let (name, fields) = variants.get(number % variants.len().max(1))?;
                Value::Variant(name.clone(), samples(fields, number)?)
            }
            Kind::Decimal => {
                let (mantissa, scale) = pick(&[(1250, 2), (0, 0), (-1, 9)], number);
                Value::Decimal(mantissa, scale)
            }
            Kind::Date => {
                let (year, month, day) = pick(&[(2026, 8, 1), (1970, 1, 1), (2028, 2, 29)], number);
                Value::Date(year, month, day)
            }
            Kind::Instant(precision) => instant(precision.as_deref(), number)?,
            Kind::Uuid => {
                Value::Uuid(pick(&[0x24fa_cc8d_44a8_420e_8b80_60e5_e57e_0204, 0, u128::MAX], number))
            }
            Kind::Ulid => {
                Value::Ulid(pick(&[0x019f_ba9e_d87b_701d_9606_34d9_40c7_347a, 0, u128::MAX], number))
            }
            Kind::Fixed(_) | Kind::Unknown(_) => return None,
        })
    }

    /// The text in a template; nothing for a value without exactly one.
    pub fn text(&self) -> Option<String> {
        match self {
            Value::Boolean(value) => Some(value.to_string()),
            Value::Integer(value) => Some(value.to_string()),
            Value::Unsigned(value) => Some(value.to_string()),
            Value::Text(value) => Some(value.clone()),
            Value::Date(year @ 0..=9999, month, day) => Some(format!("{year:04}-{month:02}-{day:02}")),
            Value::Uuid(value) => Some(uuid_text(*value)),
            Value::Ulid(value) => Some(ulid_text(*value)),
            Value::Variant(name, fields) if fields.is_empty() => Some(name.clone()),
            _ => None,
        }
    }

    /// As the vector files write it.
    pub fn json(&self) -> Json {
        match self {
            Value::Boolean(value) => json!({ "boolean": value }),
            Value::Integer(value) => json!({ "integer": value.to_string() }),
            Value::Unsigned(value) => json!({ "integer": value.to_string() }),
            Value::Text(value) => json!({ "text": value }),
            Value::Bytes(value) => json!({ "bytes": hex(value) }),
            Value::Missing => json!({ "none": true }),
            Value::Present(value) => json!({ "some": value.json() }),
            Value::List(values) => json!({ "list": values.iter().map(Value::json).collect::<Vec<_>>() }),
            Value::Set(values) => json!({ "set": values.iter().map(Value::json).collect::<Vec<_>>() }),
            Value::Map(pairs) => {
                let pairs = pairs.iter().map(|(key, value)| json!([key.json(), value.json()]));
                json!({ "map": pairs.collect::<Vec<_>>() })
            }
            Value::Record(fields) => json!({ "record": fields_json(fields) }),
            Value::Variant(name, fields) => json!({ "variant": [name, fields_json(fields)] }),
            Value::Decimal(mantissa, scale) => json!({ "decimal": decimal_text(*mantissa, *scale) }),
            Value::Date(year, month, day) => json!({ "date": [year, month, day] }),
            Value::Instant(value, precision) => json!({
                "instant": { "unix_nanos": value.unix_nanos().to_string(), "precision": precision.word() }
            }),
            Value::Uuid(value) => json!({ "uuid": uuid_text(*value) }),
            Value::Ulid(value) => json!({ "ulid": ulid_text(*value) }),
        }
    }
}

/// Named values as the vector files write them.
pub fn fields_json(fields: &[(String, Value)]) -> Json {
    fields.iter().map(|(name, value)| json!([name, value.json()])).collect()
}

/// The field that a sample is for.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// Its name in the key.
    pub name: &'a str,
    /// Its position.
    pub position: usize,
}

/// Samples of named values.
pub fn samples(fields: &[(String, Kind)], number: usize) -> Option<Vec<(String, Value)>> {
    let sample = |(position, (name, kind)): (usize, &(String, Kind))| {
        Some((name.clone(), Value::sample(kind, number, &Place { name, position })?))
    };
    fields.iter().enumerate().map(sample).collect()
}

/// Two values, or one when they have the same key.
fn distinct<T>(mut values: Vec<T>, key: impl Fn(&T) -> &Value) -> Vec<T> {
    if let [first, second] = values.as_slice()
        && key(first) == key(second)
    {
        values.pop();
    }
    values
}

/// Lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn pick<T: Copy>(values: &[T; 3], number: usize) -> T {
    values[number % 3]
}

fn integer(min: i128, max: u128, non_zero: bool, number: usize, place: &Place<'_>) -> Value {
    match number % 3 {
        // Any integer type holds these.
        0 => Value::Integer(42 + (place.position % 80) as i128),
        1 if min == 0 && non_zero => Value::Integer(1),
        1 => Value::Integer(min),
        _ => i128::try_from(max).map_or(Value::Unsigned(max), Value::Integer),
    }
}

fn instant(precision: Option<&str>, number: usize) -> Option<Value> {
    const PRECISIONS: [Precision; 4] =
        [Precision::Second, Precision::Millisecond, Precision::Microsecond, Precision::Nanosecond];
    let word = precision.unwrap_or(Precision::Microsecond.word());
    let precision = PRECISIONS.into_iter().find(|precision| precision.word() == word)?;
    let unit = precision.nanos();
    let nanos = pick(&[1_788_220_800 * Precision::Second.nanos() + unit, 0, -unit], number);
    Some(Value::Instant(StoredInstant::from_unix_nanos(nanos, precision).ok()?, precision))
}

fn decimal_text(mantissa: i128, scale: u32) -> String {
    let sign = if mantissa < 0 { "-" } else { "" };
    let digits = format!("{:0>width$}", mantissa.unsigned_abs(), width = scale as usize + 1);
    let (whole, fraction) = digits.split_at(digits.len() - scale as usize);
    if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
}

fn uuid_text(value: u128) -> String {
    let digits = format!("{value:032x}");
    [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]].join("-")
}

/// 26 digits of Crockford's base 32.
fn ulid_text(value: u128) -> String {
    const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    (0..26).rev().map(|place| char::from(DIGITS[(value >> (place * 5) & 31) as usize])).collect()
}
