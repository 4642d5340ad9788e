//! What `cargo samekey schema` reads from source is what the compiled derive does.

#[path = "schema/types.rs"]
#[allow(dead_code, reason = "read as text too")]
mod types;

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::marker::PhantomData;
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;

use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;
use samekey::{Idempotent, Key, KeyError, Shape};
use serde_json::Value as Json;
use support::Folder;
use ulid::Ulid;
use uuid::Uuid;

use types::ids::{CustomerId, Period};
use types::{
    Converted, Everything, Foreign, Id, Kind, Line, LiveHash, LiveText, LiveUuid, MonthlyCharge, Product,
    Purchase,
};

/// A value that is made from a vector.
trait FromVector {
    fn from_vector(vector: &Json) -> Self;
}

/// The content of a vector of this kind.
fn content<'v>(vector: &'v Json, kind: &str) -> &'v Json {
    let content = &vector[kind];
    assert!(!content.is_null(), "not of kind {kind}: {vector}");
    content
}

fn text<'v>(vector: &'v Json, kind: &str) -> &'v str {
    content(vector, kind).as_str().unwrap()
}

/// The value of a name in the fields of a record, variant or operation.
fn part<T: FromVector>(fields: &Json, name: &str) -> T {
    let mut pairs = fields.as_array().unwrap().iter();
    let found = pairs.find(|pair| pair[0] == name).unwrap_or_else(|| panic!("no {name} in {fields}"));
    T::from_vector(&found[1])
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        impl FromVector for $type {
            fn from_vector(vector: &Json) -> Self {
                text(vector, "integer").parse().unwrap()
            }
        }
    )*};
}

integers! { i8 i64 i128 u8 u16 u32 u64 u128 NonZero<u16> }

impl FromVector for bool {
    fn from_vector(vector: &Json) -> Self {
        content(vector, "boolean").as_bool().unwrap()
    }
}

impl FromVector for String {
    fn from_vector(vector: &Json) -> Self {
        text(vector, "text").to_owned()
    }
}

impl FromVector for char {
    fn from_vector(vector: &Json) -> Self {
        text(vector, "text").parse().unwrap()
    }
}

impl<T: FromVector> FromVector for Option<T> {
    fn from_vector(vector: &Json) -> Self {
        if vector["none"] == true { None } else { Some(T::from_vector(content(vector, "some"))) }
    }
}

impl<T: FromVector> FromVector for Vec<T> {
    fn from_vector(vector: &Json) -> Self {
        content(vector, "list").as_array().unwrap().iter().map(T::from_vector).collect()
    }
}

impl<T: FromVector + Ord> FromVector for BTreeSet<T> {
    fn from_vector(vector: &Json) -> Self {
        content(vector, "set").as_array().unwrap().iter().map(T::from_vector).collect()
    }
}

impl<K: FromVector + Ord, V: FromVector> FromVector for BTreeMap<K, V> {
    fn from_vector(vector: &Json) -> Self {
        let pairs = content(vector, "map").as_array().unwrap().iter();
        pairs.map(|pair| (K::from_vector(&pair[0]), V::from_vector(&pair[1]))).collect()
    }
}

impl<A: FromVector, B: FromVector> FromVector for (A, B) {
    fn from_vector(vector: &Json) -> Self {
        let fields = content(vector, "record");
        (part(fields, "0"), part(fields, "1"))
    }
}

impl FromVector for Uuid {
    fn from_vector(vector: &Json) -> Self {
        Uuid::parse_str(text(vector, "uuid")).unwrap()
    }
}

impl FromVector for Ulid {
    fn from_vector(vector: &Json) -> Self {
        Ulid::from_string(text(vector, "ulid")).unwrap()
    }
}

impl FromVector for NaiveDate {
    fn from_vector(vector: &Json) -> Self {
        let number = |index: usize| content(vector, "date")[index].as_i64().unwrap();
        let (month, day) = (u32::try_from(number(1)).unwrap(), u32::try_from(number(2)).unwrap());
        NaiveDate::from_ymd_opt(i32::try_from(number(0)).unwrap(), month, day).unwrap()
    }
}

impl FromVector for DateTime<Utc> {
    fn from_vector(vector: &Json) -> Self {
        let nanos = text(content(vector, "instant"), "unix_nanos");
        DateTime::from_timestamp_nanos(nanos.parse().unwrap())
    }
}

impl FromVector for Decimal {
    fn from_vector(vector: &Json) -> Self {
        text(vector, "decimal").parse().unwrap()
    }
}

impl FromVector for Line {
    fn from_vector(vector: &Json) -> Self {
        let fields = content(vector, "record");
        Line { sku: part(fields, "sku"), options: part(fields, "options"), label: "any".into() }
    }
}

impl FromVector for Product {
    fn from_vector(vector: &Json) -> Self {
        let variant = content(vector, "variant");
        let fields = &variant[1];
        match variant[0].as_str().unwrap() {
            "Subscription" => {
                Product::Subscription { plan: part(fields, "plan"), seats: part(fields, "seats") }
            }
            "TopUp" => Product::TopUp(part(fields, "0")),
            "Fee" => Product::ServiceFee,
            "Nested" => Product::Nested(part(fields, "0")),
            other => panic!("no variant {other}"),
        }
    }
}

impl FromVector for Kind {
    fn from_vector(vector: &Json) -> Self {
        match content(vector, "variant")[0].as_str().unwrap() {
            "New" => Kind::New,
            "Old" => Kind::Used,
            other => panic!("no variant {other}"),
        }
    }
}

fn monthly_charge(fields: &Json) -> MonthlyCharge {
    MonthlyCharge {
        customer_id: CustomerId(part(fields, "customer_id")),
        billing_period: Period(part::<String>(fields, "period").into()),
        amount_cents: 7,
    }
}

fn everything(fields: &Json) -> Everything {
    Everything {
        flag: part(fields, "flag"),
        other_flag: part(fields, "other_flag"),
        small: part(fields, "small"),
        wide: part(fields, "wide"),
        unsigned: part(fields, "unsigned"),
        count: part(fields, "count"),
        r#type: part(fields, "type"),
        shared: Arc::from(part::<String>(fields, "shared")),
        missing: part(fields, "missing"),
        list: part(fields, "list"),
        raw: bytes(&fields.as_array().unwrap().iter().find(|pair| pair[0] == "raw").unwrap()[1]),
        labels: part(fields, "labels"),
        counts: part(fields, "counts"),
        pair: part(fields, "pair"),
        invoice: part(fields, "invoice"),
        event: part(fields, "event"),
        due: part(fields, "due"),
        placed_at: part(fields, "placed_at"),
        paid_at: part(fields, "paid_at"),
        price: part(fields, "price"),
        attempt: part(fields, "attempt"),
        channel_id: part(fields, "channel_id"),
    }
}

fn bytes(vector: &Json) -> Vec<u8> {
    let digits = text(vector, "bytes");
    let pairs = (0..digits.len()).step_by(2);
    pairs.map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap()).collect()
}

fn purchase(fields: &Json) -> Purchase {
    let id = Id(part(fields, "3"), PhantomData);
    let number = |name: &str| part(fields, name);
    Purchase(
        part(fields, "0"),
        part(fields, "1"),
        9,
        id,
        number("4"),
        number("5"),
        number("6"),
        number("7"),
        number("8"),
        number("9"),
        number("10"),
    )
}

/// What `schema` prints for the types, in a package of their own.
fn exported() -> Json {
    let source = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/schema/types.rs"));
    let folder = Folder::with(&[
        ("Cargo.toml", "[package]\nname = \"app\"\nedition = \"2024\"\n[dependencies]\nsamekey = \"0.1\"\n"),
        ("src/lib.rs", "mod types;\n"),
        ("src/types.rs", &source.unwrap()),
    ]);
    document(&folder, &[])
}

fn document(folder: &Folder, more: &[&str]) -> Json {
    let mut arguments = vec!["schema", "--format", "json"];
    arguments.extend(more);
    let output = support::binary(&folder.path, &arguments, &[]);
    assert_eq!(output.code, 0, "{}", output.stderr);
    serde_json::from_str(&output.stdout).unwrap()
}

fn operation<'d>(document: &'d Json, name: &str) -> &'d Json {
    let operations = document["operations"].as_array().unwrap();
    let path = format!("app::types::{name}");
    operations.iter().find(|found| found["type"] == path.as_str()).unwrap_or_else(|| panic!("no {path}"))
}

/// Compares names, pin and every vector of an operation with the compiled type.
fn compare<T: Idempotent>(document: &Json, name: &str, make: impl Fn(&Json) -> T) {
    let found = operation(document, name);
    assert_eq!(found["namespace"], T::OPERATION.namespace);
    assert_eq!(found["operation"], T::OPERATION.name);
    assert_eq!(found["version"], T::OPERATION.version);
    assert_eq!(found["pin"], String::from_utf8(T::OPERATION.schema.hex().to_vec()).unwrap(), "{name}");
    let vectors = found["vectors"].as_array().unwrap();
    assert!(vectors.len() >= 3, "{name}: {found}");
    for vector in vectors {
        let intent = make(vector.get("fields").unwrap_or(&vector["values"]));
        let key = intent.try_idempotency_key();
        if found["template"].is_null() {
            derived(vector, &key.unwrap(), &intent.canonical_bytes(None).unwrap());
        } else {
            live(vector, &key);
        }
    }
}

fn derived(vector: &Json, key: &Key, encoded: &[u8]) {
    let hex: String = encoded.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(vector["encoded"], hex, "{vector}");
    for (name, shape) in [
        ("hex32", Shape::Hex32),
        ("hex64", Shape::Hex64),
        ("base64url22", Shape::Base64Url22),
        ("uuid_v8", Shape::UuidV8),
    ] {
        assert_eq!(vector[name], key.to_shape(shape).unwrap().as_str(), "{name}: {vector}");
    }
}

fn live(vector: &Json, key: &Result<Key, KeyError>) {
    match key {
        Ok(key) => assert_eq!(vector["key"], key.as_str(), "{vector}"),
        Err(error) => {
            let word = match error {
                KeyError::EmptyValue { .. } => "empty_value",
                KeyError::ContainsSeparator { .. } => "contains_separator",
                KeyError::Ambiguous { .. } => "ambiguous",
                KeyError::NoText { .. } => "no_text",
                _ => "other",
            };
            assert_eq!(vector["error"], word, "{vector}");
        }
    }
}

#[test]
fn vectors_are_those_of_the_compiled_derive() {
    let document = exported();
    assert_eq!(document["version"], 1);
    assert_eq!(document["errors"], Json::Array(Vec::new()));
    compare(&document, "MonthlyCharge", monthly_charge);
    compare(&document, "Everything", everything);
    compare(&document, "Purchase", purchase);
    compare(&document, "Converted", |fields| Converted {
        foreign: Foreign { code: part(fields, "foreign") },
    });
    compare(&document, "LiveHash", |fields| LiveHash {
        customer_id: part(fields, "customer_id"),
        billing_period: part(fields, "billing_period"),
    });
    compare(&document, "LiveText", |fields| LiveText { id: part(fields, "id"), kind: part(fields, "kind") });
    compare(&document, "LiveUuid", |fields| LiveUuid(part(fields, "0")));
    assert_eq!(document["operations"].as_array().unwrap().len(), 7);
}

/// Every variant of an enum is shown, and a value that the template refuses too.
#[test]
fn vectors_cover_variants_and_refusals() {
    let document = exported();
    let texts = |name: &str| operation(&document, name)["vectors"].to_string();
    for variant in ["Subscription", "TopUp", "Fee", "Nested"] {
        assert!(texts("Purchase").contains(&format!("\"{variant}\"")), "{variant}");
    }
    let live = texts("LiveHash");
    assert!(live.contains("\"key\"") && live.contains("empty_value") && live.contains("contains_separator"));
}

#[test]
fn fields_say_what_they_encode_and_why_they_are_stable() {
    let document = exported();
    let fields = operation(&document, "Everything")["fields"].as_array().unwrap();
    let field = |name: &str| fields.iter().find(|field| field["name"] == name).unwrap();
    assert_eq!(field("invoice")["persisted"], "invoices.id");
    assert_eq!(field("channel_id")["stable"], "the sales channel");
    assert_eq!(field("attempt")["attempt"], "orders.attempt, raised when a decline is recorded");
    assert_eq!(field("type")["rust_name"], "type");
    assert_eq!(field("count")["type"]["non_zero"], true);
    assert_eq!(field("count")["type"]["max"], "65535");
    assert_eq!(field("placed_at")["type"]["precision"], "millisecond");
    assert_eq!(field("raw")["type"]["tag"], "04");
    assert_eq!(field("missing")["type"]["value"]["value"]["kind"], "text");
    let charge = operation(&document, "MonthlyCharge");
    assert_eq!(charge["fields"][1]["name"], "period");
    assert_eq!(charge["fields"][1]["rust_name"], "billing_period");
    assert_eq!(charge["ignored"][0]["name"], "amount_cents");
    assert_eq!(charge["ignored"][0]["reason"], "snapshot taken before the first call");
    assert_eq!(operation(&document, "Converted")["fields"][0]["with"], "code_of");
}

/// Types in other files are found without loading everything.
#[test]
fn types_are_followed_through_files_and_re_exports() {
    let folder = Folder::with(&[
        (
            "Cargo.toml",
            "[package]\nname = \"app\"\nedition = \"2024\"\n[dependencies]\nkeys = { package = \"samekey\", version = \"0.1\" }\n",
        ),
        ("src/lib.rs", "mod types; mod ids; mod noise; pub use ids::inner as renamed;\n"),
        (
            "src/types.rs",
            "use crate::renamed::Account as Payer;\n#[derive(keys::Idempotent)]\n#[idempotent(namespace = \"n\", \
             operation = \"o\", crate = keys)]\npub struct Charge { #[idempotent(identity)] pub payer: Payer }\n",
        ),
        ("src/ids.rs", "pub mod inner;\n"),
        (
            "src/ids/inner.rs",
            "use keys::Identity;\n#[derive(Identity)]\n#[idempotent(crate = keys)]\npub struct Account { pub bank: \
             Bank, pub number: u64 }\n#[derive(Identity)]\n#[idempotent(crate = keys)]\npub enum Bank { A, B }\n",
        ),
        ("src/noise.rs", "pub struct Other { pub payer: String }\n"),
    ]);
    let found = document(&folder, &[]);
    assert_eq!(found, document(&folder, &["--load-all"]));
    let field = &operation(&found, "Charge")["fields"][0];
    assert_eq!(field["type"]["fields"][0]["type"]["kind"], "variant", "{found}");
    assert_eq!(field["type"]["fields"][1]["type"]["max"], "18446744073709551615");
}

#[test]
fn what_source_does_not_say_is_named_for_each_field() {
    let folder = Folder::with(&[
        ("Cargo.toml", "[package]\nname = \"app\"\nedition = \"2024\"\n[dependencies]\nsamekey = \"0.1\"\n"),
        ("src/lib.rs", "mod types;\n"),
        (
            "src/types.rs",
            "use samekey::Idempotent;\nstruct Own;\n#[derive(samekey::Identity)]\nstruct Loop { inner: Box<Loop> }\n\
             #[derive(Idempotent)]\n\
             #[idempotent(namespace = \"n\", operation = \"o\")]\npub struct Charge<T> {\n\
             #[idempotent(identity, with = money::code)] pub price: money::Money,\n\
             #[idempotent(identity)] pub own: Own,\n#[idempotent(identity)] pub loops: Loop,\n#[idempotent(identity)] pub when: std::time::Instant,\n\
             #[idempotent(identity)] pub generic: T,\n#[idempotent(identity, bytes)] pub hash: [u8; 32],\n\
             #[idempotent(identity)] pub id: uuid::Uuid }\n",
        ),
    ]);
    let found = document(&folder, &[]);
    let charge = operation(&found, "Charge");
    let reason = |name: &str| {
        let fields = charge["fields"].as_array().unwrap();
        fields.iter().find(|field| field["name"] == name).unwrap()["type"]["reason"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert_eq!(reason("price"), "what `money::code` returns is not in view");
    assert_eq!(reason("own"), "`Own` does not derive `Identity`");
    let loops = charge["fields"].as_array().unwrap().iter().find(|field| field["name"] == "loops").unwrap();
    assert_eq!(loops["type"]["fields"][0]["type"]["reason"], "the type contains itself");
    assert_eq!(reason("generic"), "`T` is a type parameter");
    assert!(reason("when").contains("a monotonic clock has no meaning in another process"));
    assert!(reason("id").contains("an identity only once it is stored"));
    let hash = charge["fields"].as_array().unwrap().iter().find(|field| field["name"] == "hash").unwrap();
    assert_eq!(
        (&hash["type"]["kind"], &hash["type"]["fixed_length"]),
        (&Json::from("bytes"), &Json::from(true))
    );
    assert_eq!(charge["vectors"], Json::Array(Vec::new()));
    assert!(charge["without_vectors"].as_str().unwrap().starts_with("`generic`"));
    assert_eq!(charge["pin"], Json::Null);
}
