//! Values that carry their own type, as the vector file writes them.

use samekey::{Identity, KeyError, Precision, Record, Schema, Slot, StoredInstant, Tag, Written};
use serde_json::{Value as Json, json};

/// A value of any kind.
#[derive(Clone, Debug)]
pub enum Value {
    Boolean(bool),
    Integer(i128),
    /// For numbers above `i128::MAX`.
    Unsigned(u128),
    Text(&'static str),
    Bytes(Vec<u8>),
    Missing,
    Present(Box<Value>),
    List(Vec<Value>),
    Set(Vec<Value>),
    Map(Vec<(Value, Value)>),
    Record(Vec<(&'static str, Value)>),
    Variant(&'static str, Vec<(&'static str, Value)>),
    /// Mantissa and scale.
    Decimal(i128, u32),
    Date(i32, u8, u8),
    Instant(i128, Precision),
    Uuid(u128),
    Ulid(u128),
}

impl Identity for Value {
    const SCHEMA: Schema = Schema::of(Tag::Text);

    fn encode(&self, slot: Slot<'_>) -> Written {
        match self {
            Self::Boolean(value) => slot.boolean(*value),
            Self::Integer(value) => slot.integer(*value),
            Self::Unsigned(value) => slot.unsigned(*value),
            Self::Text(value) => slot.text(value),
            Self::Bytes(value) => slot.bytes(value),
            Self::Missing => slot.none(),
            Self::Present(value) => slot.some(|slot| value.encode(slot)),
            Self::List(values) => slot.list(values),
            Self::Set(values) => slot.set(values),
            Self::Map(pairs) => slot.map(pairs.iter().map(|(key, value)| (key, value))),
            Self::Record(fields) => slot.record(|record| write(record, fields)),
            Self::Variant(name, fields) => slot.variant(name, |record| write(record, fields)),
            Self::Decimal(mantissa, scale) => slot.decimal(*mantissa, *scale),
            Self::Date(year, month, day) => slot.date(*year, *month, *day),
            Self::Instant(nanos, precision) => {
                slot.instant(instant(*nanos, *precision).expect("vectors hold stored instants"))
            }
            Self::Uuid(value) => slot.uuid(value.to_be_bytes()),
            Self::Ulid(value) => slot.ulid(value.to_be_bytes()),
        }
    }
}

/// Writes named values into a record.
pub fn write(record: &mut Record, fields: &[(&'static str, Value)]) {
    for (name, value) in fields {
        record.field(name, |slot| value.encode(slot));
    }
}

/// A point in time at a precision.
pub fn instant(nanos: i128, precision: Precision) -> Result<StoredInstant, KeyError> {
    StoredInstant::from_unix_nanos(nanos, precision)
}

impl Value {
    /// As the vector file writes it.
    pub fn json(&self) -> Json {
        match self {
            Self::Boolean(value) => json!({ "boolean": value }),
            Self::Integer(value) => json!({ "integer": value.to_string() }),
            Self::Unsigned(value) => json!({ "integer": value.to_string() }),
            Self::Text(value) => json!({ "text": value }),
            Self::Bytes(value) => json!({ "bytes": hex(value) }),
            Self::Missing => json!({ "none": true }),
            Self::Present(value) => json!({ "some": value.json() }),
            Self::List(values) => json!({ "list": all(values) }),
            Self::Set(values) => json!({ "set": all(values) }),
            Self::Map(pairs) => {
                let pairs: Vec<_> = pairs.iter().map(|(k, v)| json!([k.json(), v.json()])).collect();
                json!({ "map": pairs })
            }
            Self::Record(fields) => json!({ "record": fields_json(fields) }),
            Self::Variant(name, fields) => json!({ "variant": [name, fields_json(fields)] }),
            Self::Decimal(mantissa, scale) => json!({ "decimal": decimal(*mantissa, *scale) }),
            Self::Date(year, month, day) => json!({ "date": [year, month, day] }),
            Self::Instant(nanos, precision) => json!({
                "instant": { "unix_nanos": nanos.to_string(), "precision": precision.word() }
            }),
            Self::Uuid(value) => json!({ "uuid": uuid::Uuid::from_u128(*value).to_string() }),
            Self::Ulid(value) => {
                json!({ "ulid": ulid::Ulid::from_parts((*value >> 80) as u64, *value).to_string() })
            }
        }
    }
}

/// Named values as the vector file writes them.
pub fn fields_json(fields: &[(&'static str, Value)]) -> Json {
    fields.iter().map(|(name, value)| json!([name, value.json()])).collect()
}

fn all(values: &[Value]) -> Vec<Json> {
    values.iter().map(Value::json).collect()
}

/// Lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn decimal(mantissa: i128, scale: u32) -> String {
    let sign = if mantissa < 0 { "-" } else { "" };
    let digits = format!("{:0>width$}", mantissa.unsigned_abs(), width = scale as usize + 1);
    let (whole, fraction) = digits.split_at(digits.len() - scale as usize);
    match fraction {
        "" => format!("{sign}{whole}"),
        _ => format!("{sign}{whole}.{fraction}"),
    }
}
