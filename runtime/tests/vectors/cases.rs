//! The identities, templates and refusals of the vector file.

use samekey::Precision;

use crate::value::Value::{self, *};

/// One identity and what it is called.
pub struct KeyCase {
    pub name: &'static str,
    pub namespace: &'static str,
    pub operation: &'static str,
    pub version: u32,
    pub secret: Option<(&'static str, Vec<u8>)>,
    pub fields: Vec<(&'static str, Value)>,
    /// Another case with the same key.
    pub same_as: Option<&'static str>,
}

fn case(name: &'static str, fields: Vec<(&'static str, Value)>) -> KeyCase {
    KeyCase {
        name,
        namespace: "billing",
        operation: "charge.monthly",
        version: 1,
        secret: None,
        fields,
        same_as: None,
    }
}

fn one(name: &'static str, value: Value) -> KeyCase {
    case(name, vec![("value", value)])
}

fn same(mut case: KeyCase, as_name: &'static str) -> KeyCase {
    case.same_as = Some(as_name);
    case
}

fn monthly() -> Vec<(&'static str, Value)> {
    vec![("customer_id", Text("cust_123")), ("billing_period", Text("2026-08"))]
}

/// All identities.
pub fn keys() -> Vec<KeyCase> {
    [whole_types(), numbers(), texts(), containers(), records(), times_and_ids()]
        .into_iter()
        .flatten()
        .collect()
}

fn whole_types() -> Vec<KeyCase> {
    let mut reordered = monthly();
    reordered.reverse();
    let mut renamed = monthly();
    renamed[0].0 = "customer";
    let with = |name, change: fn(&mut KeyCase)| {
        let mut case = case(name, monthly());
        change(&mut case);
        case
    };
    vec![
        case("monthly charge", monthly()),
        same(case("monthly charge, fields reordered", reordered), "monthly charge"),
        case("monthly charge, field renamed", renamed),
        with("monthly charge, version 2", |case| case.version = 2),
        with("monthly charge, largest version", |case| case.version = u32::MAX),
        with("monthly charge, other namespace", |case| case.namespace = "billing.eu"),
        with("monthly charge, other operation", |case| case.operation = "refund.monthly"),
        with("namespace and operation cut elsewhere", |case| {
            case.namespace = "billingcharge";
            case.operation = ".monthly";
        }),
        with("monthly charge, secret 2026-08", |case| {
            case.secret = Some(("2026-08", vec![7; 32]));
        }),
        with("monthly charge, same secret under another id", |case| {
            case.secret = Some(("2026-09", vec![7; 32]));
        }),
        with("monthly charge, secret longer than a block", |case| {
            case.secret = Some(("long", (0..=99).collect()));
        }),
        with("monthly charge, shortest secret", |case| {
            case.secret = Some(("short", vec![0; 16]));
        }),
    ]
}

fn numbers() -> Vec<KeyCase> {
    vec![
        one("zero", Integer(0)),
        one("one", Integer(1)),
        one("minus one", Integer(-1)),
        one("255", Integer(255)),
        one("256", Integer(256)),
        one("-128", Integer(-128)),
        one("largest i64", Integer(i128::from(i64::MAX))),
        one("smallest i64", Integer(i128::from(i64::MIN))),
        one("largest u64", Integer(i128::from(u64::MAX))),
        one("largest i128", Integer(i128::MAX)),
        one("smallest i128", Integer(i128::MIN)),
        one("largest u128", Unsigned(u128::MAX)),
        same(one("one, widened", Unsigned(1)), "one"),
        one("true", Boolean(true)),
        one("false", Boolean(false)),
        one("decimal 19.99", Decimal(1_999, 2)),
        one("decimal 1.5", Decimal(15, 1)),
        same(one("decimal 1.50", Decimal(150, 2)), "decimal 1.5"),
        one("decimal -0.001", Decimal(-1, 3)),
        one("decimal 0", Decimal(0, 0)),
        same(one("decimal 0.00", Decimal(0, 2)), "decimal 0"),
        one("decimal 100", Decimal(100, 0)),
        same(one("decimal 100.0", Decimal(1_000, 1)), "decimal 100"),
        one("decimal of 28 digits", Decimal(79_228_162_514_264_337_593_543_950_335, 28)),
    ]
}

fn texts() -> Vec<KeyCase> {
    vec![
        one("empty text", Text("")),
        one("missing text", Missing),
        one("present text", Present(Box::new(Text("")))),
        one("present in present", Present(Box::new(Present(Box::new(Text("a")))))),
        one("missing in present", Present(Box::new(Missing))),
        one("upper case", Text("USD")),
        one("lower case", Text("usd")),
        one("composed", Text("Zo\u{eb}")),
        one("decomposed", Text("Zoe\u{308}")),
        one("beyond the basic plane", Text("\u{1f4b3} \u{10ffff}")),
        one("quotes, backslash and controls", Text("\"\\\u{0}\u{1f}\n\u{7f}\u{2028}")),
        one("separators", Text("a:b|c,d/e\u{1}")),
        one("bytes", Bytes(vec![0, 1, 254, 255])),
        one("no bytes", Bytes(vec![])),
        one("bytes as a list", List(vec![Integer(0), Integer(1), Integer(254), Integer(255)])),
    ]
}

fn containers() -> Vec<KeyCase> {
    let numbers = |values: &[i128]| values.iter().copied().map(Integer).collect::<Vec<_>>();
    let texts = |values: &[&'static str]| values.iter().copied().map(Text).collect::<Vec<_>>();
    let pairs = |keys: &[&'static str]| {
        let pair = |key: &&'static str| (Text(key), Integer(key.len() as i128));
        keys.iter().map(pair).collect::<Vec<_>>()
    };
    vec![
        one("empty list", List(vec![])),
        one("list 1 2", List(numbers(&[1, 2]))),
        one("list 2 1", List(numbers(&[2, 1]))),
        one("list ab c", List(texts(&["ab", "c"]))),
        one("list a bc", List(texts(&["a", "bc"]))),
        one("list of lists", List(vec![List(vec![]), List(numbers(&[1]))])),
        one("empty set", Set(vec![])),
        one("set b a", Set(texts(&["b", "a"]))),
        same(one("set a b", Set(texts(&["a", "b"]))), "set b a"),
        one("set by encoding, not by text", Set(texts(&["aa", "b", ""]))),
        one("set of numbers", Set(numbers(&[256, -1, 0, 255]))),
        one("empty map", Map(vec![])),
        one("map", Map(pairs(&["EUR", "USD"]))),
        same(one("map, other order", Map(pairs(&["USD", "EUR"]))), "map"),
        one("map by encoded key", Map(pairs(&["aa", "b", ""]))),
        one("map in map", Map(vec![(Integer(1), Map(pairs(&["a"])))])),
    ]
}

fn records() -> Vec<KeyCase> {
    let line = |sku, quantity| Record(vec![("sku", Text(sku)), ("quantity", Integer(quantity))]);
    vec![
        one("record", line("A1", 2)),
        same(one("record, reordered", Record(vec![("quantity", Integer(2)), ("sku", Text("A1"))])), "record"),
        one("list of records", List(vec![line("A1", 2), line("B2", 1)])),
        one("record in record", Record(vec![("line", line("A1", 2))])),
        one(
            "tuple of twelve",
            Record(
                ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"]
                    .into_iter()
                    .map(|name| (name, Text(name)))
                    .collect(),
            ),
        ),
        one("variant without fields", Variant("Card", vec![])),
        one("variant with a number field", Variant("Bank", vec![("0", Text("DE02"))])),
        one("variant with named fields", Variant("Bank", vec![("iban", Text("DE02")), ("bic", Missing)])),
        case(
            "twelve fields",
            vec![
                ("l", Integer(12)),
                ("a", Integer(1)),
                ("k", Integer(11)),
                ("b", Integer(2)),
                ("j", Integer(10)),
                ("c", Integer(3)),
                ("i", Integer(9)),
                ("d", Integer(4)),
                ("h", Integer(8)),
                ("e", Integer(5)),
                ("g", Integer(7)),
                ("f", Integer(6)),
            ],
        ),
        case(
            "names sort bytewise",
            vec![
                ("a_b", Integer(1)),
                ("aB", Integer(2)),
                ("a-b", Integer(3)),
                ("a", Integer(4)),
                ("B", Integer(5)),
                ("a.b", Integer(6)),
                ("10", Integer(7)),
                ("9", Integer(8)),
            ],
        ),
    ]
}

fn times_and_ids() -> Vec<KeyCase> {
    use Precision::{Microsecond, Millisecond, Nanosecond, Second};
    const SECONDS: i128 = 1_785_542_400;
    vec![
        one("date", Date(2026, 8, 31)),
        one("leap day", Date(2028, 2, 29)),
        one("date before year 0", Date(-1, 1, 1)),
        one("instant", Instant(SECONDS * 1_000_000_000, Second)),
        same(one("instant, finer precision", Instant(SECONDS * 1_000_000_000, Nanosecond)), "instant"),
        one("instant in milliseconds", Instant(SECONDS * 1_000_000_000 + 7_000_000, Millisecond)),
        one("instant in microseconds", Instant(SECONDS * 1_000_000_000 + 7_000, Microsecond)),
        one("instant in nanoseconds", Instant(SECONDS * 1_000_000_000 + 7, Nanosecond)),
        one("epoch", Instant(0, Second)),
        one("instant before 1970", Instant(-1_500_000_000, Millisecond)),
        one("uuid", Uuid(0x936d_a01f_9abd_4d9d_80c7_02af_85c8_22a8)),
        one("nil uuid", Uuid(0)),
        one("ulid", Ulid(0x0191_0d8f_2c00_7a3b_9c4d_5e6f_7081_92a3)),
        one("largest ulid", Ulid(u128::MAX)),
    ]
}

/// A live key, or the reason why there is none.
pub struct TemplateCase {
    pub name: &'static str,
    pub template: &'static str,
    pub digest: &'static str,
    pub values: Vec<(&'static str, Value)>,
    pub expected: Result<&'static str, &'static str>,
}

fn template(
    name: &'static str,
    template: &'static str,
    digest: &'static str,
    values: &[(&'static str, &'static str)],
    expected: Result<&'static str, &'static str>,
) -> TemplateCase {
    let values = values.iter().map(|(name, text)| (*name, Text(text))).collect();
    TemplateCase { name, template, digest, values, expected }
}

/// All templates.
pub fn templates() -> Vec<TemplateCase> {
    let august = &[("customer_id", "cust_123"), ("billing_period", "2026-08")][..];
    let pair = |a, b| [("a", a), ("b", b)];
    let billing = "{customer_id}:{billing_period}:netty-billing";
    let session = "{customer_id}:{billing_period}:netty-session";
    let mut cases = vec![
        template("billing", billing, "sha256/32", august, Ok("24facc8d44a8220e0b8060e5e57e0204")),
        template("session", session, "sha256/32", august, Ok("a3e6045e530acd41d6f56f1c7f458c78")),
        template("plain text", billing, "none", august, Ok("cust_123:2026-08:netty-billing")),
        template(
            "uuid5 dns",
            "{host}",
            "uuid5(dns)",
            &[("host", "www.example.com")],
            Ok("2ed6657d-e927-568b-95e1-2665a8aea6a2"),
        ),
        template("braces", "{{{a}}}", "none", &[("a", "x")], Ok("{x}")),
        template("twice", "{a}-{b}-{a}", "none", &pair("x", "y"), Ok("x-y-x")),
        template(
            "unicode",
            "{a}\u{20ac}{b}",
            "sha256/64",
            &pair("\u{e4}", "\u{1f4b3}"),
            Ok("7a77ea591a8660bb428f6d5a9228f823b4d12756af2c100cceee8ec511f50baf"),
        ),
        template(
            "separator in the first value",
            "{a}:{b}",
            "none",
            &pair("x:y", "z"),
            Err("contains_separator"),
        ),
        template(
            "separator in the last value",
            "{a}:{b}",
            "none",
            &pair("x", "y:z"),
            Err("contains_separator"),
        ),
        template("empty value", "{a}:{b}", "none", &pair("", "z"), Err("empty_value")),
        template("half a separator before it", "{a}--{b}", "none", &pair("x-", "y"), Err("ambiguous")),
        template("half a separator after it", "{a}--{b}", "none", &pair("x", "-y"), Ok("x---y")),
        template("literal at the end in a value", "{a}:end", "none", &[("a", "x:end")], Ok("x:end:end")),
    ];
    let mut missing = template("missing value", "{a}:{b}", "none", &pair("x", "y"), Err("no_text"));
    missing.values[1].1 = Missing;
    let mut number = template("number", "{a}:{b}", "none", &pair("x", ""), Ok("x:-42"));
    number.values[1].1 = Integer(-42);
    cases.extend([missing, number]);
    cases.extend(templates_of_kinds());
    cases
}

/// Values other than text: those with exactly one text, and those without.
fn templates_of_kinds() -> impl Iterator<Item = TemplateCase> {
    let uuid = Uuid(0x24fa_cc8d_44a8_420e_8b80_60e5_e57e_0204);
    let kinds = [
        ("truth value", Boolean(true), Ok("x:true")),
        ("day", Date(2026, 8, 1), Ok("x:2026-08-01")),
        ("early day", Date(7, 1, 31), Ok("x:0007-01-31")),
        ("day of a year with more digits", Date(10_000, 1, 1), Err("no_text")),
        ("uuid", uuid, Ok("x:24facc8d-44a8-420e-8b80-60e5e57e0204")),
        ("ulid", Ulid(0x019f_ba9e_d87b_701d_9606_34d9_40c7_347a), Ok("x:01KYX9XP3VE0ESC1HMV50CED3T")),
        ("variant without fields", Variant("Fee", Vec::new()), Ok("x:Fee")),
        ("variant with a field", Variant("Fee", vec![("0", Integer(1))]), Err("no_text")),
        ("decimal", Decimal(15, 1), Err("no_text")),
        ("point in time", Instant(0, Precision::Second), Err("no_text")),
        ("bytes", Bytes(vec![65]), Err("no_text")),
        ("present value", Present(Box::new(Text("y"))), Err("no_text")),
        ("list", List(vec![Text("y")]), Err("no_text")),
    ];
    kinds.into_iter().map(|(name, value, expected)| {
        let mut case = template(name, "{a}:{b}", "none", &[("a", "x"), ("b", "y")], expected);
        case.values[1].1 = value;
        case
    })
}

/// Points in time that are finer than their store.
pub fn refused_instants() -> Vec<(i128, Precision)> {
    vec![
        (1_785_542_400_000_000_001, Precision::Microsecond),
        (1_785_542_400_000_000_999, Precision::Microsecond),
        (1_785_542_400_000_001_000, Precision::Millisecond),
        (1_785_542_400_500_000_000, Precision::Second),
        (-1, Precision::Microsecond),
    ]
}
