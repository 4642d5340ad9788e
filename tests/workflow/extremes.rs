//! Code of absurd size or shape: analysed, or cut short and named, and never an abort or a hang.

use crate::support::{Folder, Ran, binary};

const MANIFEST: &str = "[package]\nname = \"pay\"\nedition = \"2024\"\n";

/// Runs on a function that sends the value of `key` after `statements`, beside an ordinary finding.
fn run(items: &str, statements: &str, key: &str) -> Ran {
    let code = format!(
        "use reqwest::Client;\nuse uuid::Uuid;\n\
         pub async fn charge(http: &Client, a: String, b: bool, n: u64) {{\n\
         {statements}\n\
         http.post(\"x\").header(\"Idempotency-Key\", {key}).send().await;\n}}\n\
         pub async fn plain(http: &Client) {{\n\
         http.post(\"x\").header(\"Idempotency-Key\", Uuid::new_v4().to_string()).send().await;\n}}\n{items}\n"
    );
    let folder = Folder::with(&[("Cargo.toml", MANIFEST), ("src/lib.rs", &code)]);
    let ran = binary(&folder.path, &["check", "--format", "concise"], &[]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("samekey: 1 file, "), "{}", ran.stderr);
    ran
}

fn repeated(count: usize, piece: impl Fn(usize) -> String) -> String {
    (0..count).map(piece).collect()
}

#[test]
fn a_thousand_ways_out() {
    run("", "", &format!("a{}", ".next()?".repeat(1_000)));
}

#[test]
fn a_pair_of_pairs_of_pairs() {
    let pairs = repeated(60, |i| format!("let p{} = (p{i}, p{i});\n", i + 1));
    run("", &format!("let p0 = (a, n);\n{pairs}"), "format!(\"{:?}\", p60)");
}

#[test]
fn a_value_that_is_copied_ten_thousand_times() {
    let copies = repeated(10_000, |i| format!("let x{} = x{i}.clone();\n", i + 1));
    let ran = run("", &format!("let x0 = Uuid::new_v4().to_string();\n{copies}"), "x10000");
    assert_eq!(ran.stdout.lines().count(), 2, "{}", ran.stdout);
}

#[test]
fn a_long_chain_under_a_type_that_is_asked_for() {
    for step in [".unwrap()", "?"] {
        run("", &format!("let x: String = a.parse(){};", step.repeat(10_000)), "x");
    }
}

#[test]
fn items_of_one_name_in_nested_blocks_keep_their_name() {
    let blocks = "fn order(http: &Client) {}\n{ fn order(http: &Client) {\n\
        http.post(\"x\").header(\"Idempotency-Key\", Uuid::new_v4().to_string()); }\norder(http); }\n";
    let ran = run("", blocks, "a");
    assert!(ran.stdout.contains("at each call of `order`"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("order#"), "{}", ran.stdout);
}

#[test]
fn types_and_traits_that_need_each_other() {
    let items = "pub struct A<T>(Box<A<Option<T>>>, T);\n\
        impl<T> A<T> { pub fn key(&self) -> String { self.0.key() } }\n\
        pub trait P: Q { fn p(&self) -> String { self.q() } }\n\
        pub trait Q: P { fn q(&self) -> String { self.p() } }\n\
        impl<T: P> Q for T {}\nimpl<T: Q> P for T {}\n\
        pub type X = Y;\npub type Y = X;\npub type Z<T> = (Z<T>, Z<T>);\n\
        impl X { pub fn key(&self) -> String { String::new() } }\n";
    run(
        items,
        "let x: X = load(); let y: A<String> = load(); let z: Z<u8> = load();",
        "x.key() + &y.key() + &z.0.1.p() + &n.p()",
    );
}

#[test]
fn manifests_that_lead_nowhere_are_named() {
    for (manifest, message) in [
        ("[workspace]\nmembers = [\"gone\"]\n[package]\nname = \"x\"", "names the member `gone`"),
        ("[workspace]\nmembers = [\"[\"]\n[package]\nname = \"x\"", "`[`, which is not a valid pattern"),
        ("[workspace]\nmembers = [\"../*\"]\n[package]\nname = \"x\"", "`../*` outside of its folder"),
        ("[package", "Cargo.toml:1: is not a valid manifest"),
        ("", "Cargo.toml: has neither a [package] nor a [workspace] table"),
        ("[package]\nname = \"x\"\n[lib]\npath = \"a.rs\"", "names the library at a.rs, which is not there"),
    ] {
        let folder = Folder::with(&[("Cargo.toml", manifest), ("src/lib.rs", "pub fn f() {}\n")]);
        let ran = binary(&folder.path, &["check"], &[]);
        assert!(ran.stderr.contains(message), "{manifest}: {}", ran.stderr);
        assert!(ran.stderr.contains("samekey: 1 file, "), "{manifest}: {}", ran.stderr);
        assert_eq!(ran.code, 0);
        assert_eq!(binary(&folder.path, &["check", "--strict"], &[]).code, 2);
    }
}
