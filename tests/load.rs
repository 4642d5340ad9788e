//! Which files are loaded: everything that a value can come through into a key, and little else.

mod support;

use std::collections::BTreeSet;

use cargo_samekey::driver::{self, Options, Progress};
use cargo_samekey::rules::Rules;
use support::Folder;

/// The files below `src/` that are loaded for a crate with these files, `lib.rs` left out. The sinks' words are
/// `idempotency_key` and those of the derive.
fn loaded(files: &[(&str, &str)]) -> BTreeSet<String> {
    let folder = Folder::with(&[("Cargo.toml", "[package]\nname = \"p\"\nedition = \"2021\"")]);
    let modules =
        files.iter().filter(|(path, _)| !path.contains('/')).map(|(path, _)| path.trim_end_matches(".rs"));
    let declarations: String = modules.map(|name| format!("mod {name};\n")).collect();
    folder.write("src/lib.rs", declarations);
    for (path, text) in files {
        folder.write(&format!("src/{path}"), text);
    }
    loaded_in(&folder)
        .into_iter()
        .filter_map(|path| path.strip_prefix("src/").map(str::to_owned))
        .filter(|path| path != "lib.rs")
        .collect()
}

fn loaded_in(folder: &Folder) -> BTreeSet<String> {
    let options = Options { current_dir: folder.path.clone(), jobs: 1, ..Options::default() };
    let outcome = driver::check(&options, &Rules, &Progress::hidden()).unwrap();
    outcome.loaded.iter().map(|file| outcome.sources.path(*file).to_owned()).collect()
}

fn expect(files: &[(&str, &str)], expected: &[&str]) {
    let expected: BTreeSet<String> = expected.iter().map(|path| (*path).to_owned()).collect();
    assert_eq!(loaded(files), expected);
}

const SINK: (&str, &str) = ("pay.rs", "pub fn pay(idempotency_key: &str) { send(idempotency_key) }");
/// Holds common names and nothing that matters.
const NOISE: (&str, &str) = (
    "noise.rs",
    "pub struct Other; impl Other { pub fn new() -> Other { Other } pub fn get(&self) -> u8 { 1 } pub fn id(&self) {} }
     impl From<u8> for Other { fn from(_: u8) -> Other { Other::new() } } pub fn unrelated() { Other::new().get(); }",
);

#[test]
fn callers_and_what_they_call_are_loaded() {
    expect(
        &[
            SINK,
            NOISE,
            ("top.rs", "use crate::pay::pay; use crate::ids::fresh; pub fn top() { pay(&fresh()); }"),
            ("ids.rs", "pub fn fresh() -> String { crate::deep::mint() }"),
            ("deep.rs", "pub fn mint() -> String { uuid::Uuid::new_v4().to_string() }"),
            ("above.rs", "pub fn above() { crate::top::top() }"),
        ],
        &["pay.rs", "top.rs", "ids.rs", "deep.rs"],
    );
}

#[test]
fn methods_are_found_by_dot_type_alias_and_trait() {
    let sink = (
        "pay.rs",
        "pub struct Client; impl Client { pub fn charge(&self, idempotency_key: u8) {} pub fn make() -> Self { Client } }",
    );
    expect(
        &[
            sink,
            NOISE,
            ("dot.rs", "fn f(c: X) { c.charge(1) }"),
            ("ufcs.rs", "use crate::pay::Client as C; fn f(c: &C) { C::charge(c, 1) }"),
            ("alias.rs", "pub type Short = crate::pay::Client;"),
            ("by_alias.rs", "fn f(c: &crate::alias::Short) { crate::alias::Short::charge(c, 2) }"),
            ("free.rs", "pub fn charge() {}"),
        ],
        &["pay.rs", "dot.rs", "ufcs.rs", "alias.rs", "by_alias.rs"],
    );
}

#[test]
fn a_method_with_a_standard_name_needs_its_type_at_hand() {
    let sink = ("pay.rs", "pub struct Client; impl Client { pub fn get(&self, idempotency_key: u8) {} }");
    expect(
        &[
            sink,
            NOISE,
            ("state.rs", "pub struct State { pub stripe: crate::pay::Client }"),
            ("handler.rs", "fn f(s: &crate::state::State) { s.stripe.get(1) }"),
            ("map.rs", "fn f(m: &std::collections::HashMap<u8, u8>) { m.get(&1); }"),
        ],
        &["pay.rs", "state.rs", "handler.rs"],
    );
}

#[test]
fn a_member_is_asked_for_in_blocks_of_its_type() {
    expect(
        &[
            ("pay.rs", "fn f(o: &crate::order::Order) { send().header(\"Idempotency-Key\", o.reference()) }"),
            NOISE,
            ("order.rs", "pub struct Order; pub mod parts;"),
            ("order/parts.rs", "impl super::Order { pub fn reference(&self) -> String { fresh() } }"),
            // One block for the type, another with such a method.
            (
                "both.rs",
                "impl Shown for crate::order::Order { fn shown(&self) {} } impl Other { fn reference(&self) {} }",
            ),
        ],
        &["pay.rs", "order.rs", "order/parts.rs"],
    );
}

#[test]
fn macros_that_call_a_method_need_its_type_at_hand() {
    let sink =
        ("pay.rs", "pub struct Client; impl Client { pub fn new(idempotency_key: u8) -> Self { Client } }");
    expect(
        &[
            sink,
            NOISE,
            (
                "macros.rs",
                "macro_rules! make { ($of:ty) => { <$of>::new(1) }; } macro_rules! both { () => { make!(crate::pay::Client) }; }",
            ),
            ("other.rs", "fn f() { make!(crate::noise::Other) }"),
            ("client.rs", "fn f() { make!(crate::pay::Client) }"),
            ("through.rs", "fn f() { both!() }"),
        ],
        &["pay.rs", "client.rs", "through.rs", "macros.rs"],
    );
}

#[test]
fn what_is_only_called_like_a_key_leads_to_nothing() {
    let caller =
        ("top.rs", "pub fn top(o: &mut crate::order::Order) { crate::keys::idempotency_key_of(o); }");
    let above = ("above.rs", "pub fn above(o: &mut crate::order::Order) { crate::top::top(o); }");
    let order = ("order.rs", "pub struct Order { pub idempotency_key: String }");
    let read = "use crate::order::Order; pub fn idempotency_key_of(o: &Order) -> &str { &o.idempotency_key }";
    expect(&[NOISE, ("keys.rs", read), order, caller, above], &["keys.rs", "order.rs", "top.rs"]);
    let write =
        "use crate::order::Order; pub fn idempotency_key_of(o: &mut Order) { o.idempotency_key = name(o); }";
    expect(
        &[NOISE, ("keys.rs", write), order, caller, above],
        &["keys.rs", "order.rs", "top.rs", "above.rs"],
    );
}

#[test]
fn conversions_and_operators_run_without_being_named() {
    let sink = (
        "pay.rs",
        "pub struct Request; impl From<crate::order::Order> for Request { fn from(o: crate::order::Order) -> Request { send().header(\"Idempotency-Key\", o.id); Request } }",
    );
    expect(
        &[
            sink,
            NOISE,
            ("order.rs", "pub struct Order { pub id: u8 }"),
            ("handler.rs", "fn f(o: crate::order::Order) -> crate::pay::Request { o.into() }"),
            ("text.rs", "impl std::fmt::Display for crate::order::Order { fn fmt(&self) { } }"),
        ],
        &["pay.rs", "order.rs", "handler.rs"],
    );
}

#[test]
fn traits_reach_their_implementations_and_callers() {
    expect(
        &[
            (
                "pay.rs",
                "use crate::keys::Keys; pub fn pay(k: &dyn Keys) { send().header(\"Idempotency-Key\", k.mint()); }",
            ),
            NOISE,
            ("keys.rs", "pub trait Keys { fn mint(&self) -> String; }"),
            (
                "random.rs",
                "pub struct R; impl crate::keys::Keys for R { fn mint(&self) -> String { fresh() } }",
            ),
            ("main_loop.rs", "fn f() { crate::pay::pay(&crate::random::R) }"),
        ],
        &["pay.rs", "keys.rs", "random.rs", "main_loop.rs"],
    );
}

#[test]
fn a_call_through_a_generic_parameter_reaches_every_type() {
    expect(
        &[
            (
                "pay.rs",
                "use crate::keys::Keys; pub fn pay<T: Keys>() { send().header(\"Idempotency-Key\", T::produce()); }",
            ),
            NOISE,
            ("keys.rs", "pub trait Keys { fn produce() -> u8; }"),
            ("random.rs", "pub struct R; impl crate::keys::Keys for R { fn produce() -> u8 { 1 } }"),
            ("named.rs", "pub struct T;"),
        ],
        &["pay.rs", "keys.rs", "random.rs"],
    );
}

#[test]
fn constants_statics_and_macros_with_sink_words_reach_their_users() {
    expect(
        &[
            ("names.rs", "pub const HEADER: &str = \"idempotency_key\";"),
            NOISE,
            ("user.rs", "fn f(r: Request) { r.header(crate::names::HEADER, mint()) }"),
            ("mint.rs", "pub fn mint() -> String { String::new() }"),
            (
                "mac.rs",
                "#[macro_export] macro_rules! send_key { ($k:expr) => { post(\"idempotency_key\", $k) } }",
            ),
            ("mac_user.rs", "fn g() { send_key!(1) }"),
        ],
        &["names.rs", "user.rs", "mint.rs", "mac.rs", "mac_user.rs"],
    );
}

#[test]
fn a_renamed_serde_field_reaches_whoever_fills_it() {
    expect(
        &[
            (
                "body.rs",
                "#[derive(Serialize)] pub struct Body { #[serde(rename = \"idempotency_key\")] pub key: String }",
            ),
            NOISE,
            ("fill.rs", "fn f() { let b = crate::body::Body { key: fresh() }; }"),
            ("late.rs", "fn f(b: &mut X) { b.key = fresh(); }"),
            ("fresh.rs", "pub fn fresh() -> String { String::new() }"),
        ],
        &["body.rs", "fill.rs", "late.rs", "fresh.rs"],
    );
}

#[test]
fn the_fields_of_a_derived_key_reach_whoever_fills_them() {
    expect(
        &[
            (
                "charge.rs",
                "use samekey::Idempotent; #[derive(Idempotent)] #[idempotent(namespace = \"n\", operation = \"o\")] \
                 pub struct Charge { #[idempotent(identity)] pub customer: String, pub note: String }",
            ),
            NOISE,
            ("fill.rs", "fn f() { let b = crate::charge::Charge { customer: fresh(), note: other() }; }"),
            ("late.rs", "fn f(b: &mut X) { b.customer = fresh(); }"),
            ("fresh.rs", "pub fn fresh() -> String { String::new() }"),
        ],
        &["charge.rs", "fill.rs", "late.rs", "fresh.rs"],
    );
}

#[test]
fn re_exports_on_the_way_are_loaded() {
    expect(
        &[
            (
                "pay.rs",
                "use crate::api::fresh; pub fn pay() { send().header(\"Idempotency-Key\", fresh()); }",
            ),
            NOISE,
            ("api.rs", "mod inner; pub use inner::mint as fresh; pub use crate::prelude::*;"),
            ("api/inner.rs", "pub fn mint() -> u8 { 1 }"),
            ("prelude.rs", "pub use crate::other::thing;"),
            ("other.rs", "pub fn thing() {}"),
        ],
        &["pay.rs", "api.rs", "api/inner.rs"],
    );
}

#[test]
fn function_pointers_and_closures_are_mentions() {
    expect(
        &[
            ("pay.rs", "pub fn pay(make: fn() -> u8) { send().header(\"Idempotency-Key\", make()); }"),
            NOISE,
            ("wire.rs", "fn f() { crate::pay::pay(crate::ids::mint_value) }"),
            ("ids.rs", "pub fn mint_value() -> u8 { 1 }"),
        ],
        &["pay.rs", "wire.rs", "ids.rs"],
    );
}

#[test]
fn test_code_is_not_followed() {
    expect(
        &[
            SINK,
            ("unit.rs", "#[cfg(test)] mod tests { fn t() { crate::pay::pay(&helper()) } }"),
            ("helper.rs", "pub fn helper() -> String { String::new() }"),
        ],
        &["pay.rs", "unit.rs"],
    );
}

#[test]
fn other_crates_are_loaded_through_their_roots() {
    let folder = Folder::with(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"*\"]"),
        (
            "app/Cargo.toml",
            "[package]\nname = \"app\"\nedition = \"2021\"\n[dependencies]\nids = { path = \"../ids\" }\nlog = { path = \"../log\" }",
        ),
        ("app/src/main.rs", "fn main() { send().header(\"Idempotency-Key\", ids::fresh()); }"),
        ("ids/Cargo.toml", "[package]\nname = \"ids\"\nedition = \"2021\""),
        ("ids/src/lib.rs", "mod mint; mod quiet; pub use mint::fresh;"),
        ("ids/src/mint.rs", "pub fn fresh() -> u8 { 1 }"),
        ("ids/src/quiet.rs", "pub fn silence() {}"),
        ("log/Cargo.toml", "[package]\nname = \"log\"\nedition = \"2021\""),
        ("log/src/lib.rs", "pub fn write() {}"),
        ("far/Cargo.toml", "[package]\nname = \"far\"\nedition = \"2021\""),
        ("far/src/lib.rs", "pub fn fresh() -> u8 { 2 }"),
    ]);
    let expected = ["app/src/main.rs", "ids/src/lib.rs", "ids/src/mint.rs"].map(str::to_owned);
    assert_eq!(loaded_in(&folder), BTreeSet::from(expected));
}

/// The fixtures with the configuration that they are analysed with.
const FIXTURES: [(&str, Option<&str>); 4] = [
    ("projects", None),
    ("rules", None),
    ("engine", Some("fixtures/engine/engine.toml")),
    ("engine/multi", Some("fixtures/engine/engine.toml")),
];

#[test]
fn loading_everything_finds_nothing_else() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    for (folder, config) in FIXTURES {
        let path = format!("fixtures/{folder}");
        let mut arguments = vec!["check", "--format", "json", "-v", &path];
        arguments.extend(config.into_iter().flat_map(|config| ["--config", config]));
        let narrow = support::binary(root, &arguments, &[]);
        arguments.push("--load-all");
        let all = support::binary(root, &arguments, &[]);
        assert!(narrow.stdout.contains("\"rule\""), "{folder}: {}", narrow.stderr);
        assert_eq!(narrow.stdout, all.stdout, "{folder}");
    }
}
