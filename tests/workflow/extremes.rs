//! Code of absurd size or shape: analysed, or cut short and named, and never an abort or a hang.

use crate::support::{Folder, Ran, binary};

const MANIFEST: &str = "[package]\nname = \"pay\"\nedition = \"2024\"\n";

const FINDING: &str = "pub async fn plain(http: &reqwest::Client) {\n\
    http.post(\"x\").header(\"Idempotency-Key\", uuid::Uuid::new_v4().to_string()).send().await;\n}\n";

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
        run("", &format!("let x: String = a.parse(){};", step.repeat(4_000)), "x");
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

#[test]
fn variables_that_are_made_of_themselves() {
    let itself = "let mut http; loop { http = http.clone(); if b { break } }\n\
        let mut request = request.clone(); request = request.header(\"x\", \"y\");\n\
        let body; body = body.clone(); http.post(\"https://api.stripe.com/v1/charges\").json(&body).send().await;\n";
    let ran = run("", itself, "Uuid::new_v4().to_string()");
    assert_eq!(
        ran.stdout.lines().filter(|line| line.contains("error[uuid-in-key]")).count(),
        2,
        "{}",
        ran.stdout
    );
}

#[test]
fn a_number_of_a_hundred_thousand_digits() {
    let ran = run(&format!("pub const N: u8 = {};", "9".repeat(100_000)), "", "a");
    let message = "`const N` is not analysed: it has a number of more than 1000 digits; shorten it";
    assert!(ran.stderr.contains(message), "{}", ran.stderr);
}

#[test]
fn a_call_that_lends_a_thousand_variables() {
    let names = repeated(1_000, |i| format!("x{i}, "));
    let variables = repeated(1_000, |i| format!("let x{i} = a.clone();\n"));
    let parameters = repeated(1_000, |i| format!("x{i}: String, "));
    let items = format!(
        "async fn send(http: &Client, {parameters}) {{\n\
         http.post(\"x\").header(\"Idempotency-Key\", x999).send().await; }}"
    );
    let calls = format!("{variables}let x999 = Uuid::new_v4().to_string(); send(http, {names}).await;");
    let ran = run(&items, &calls, "a");
    assert_eq!(ran.stdout.lines().count(), 2, "{}", ran.stdout);
}

#[test]
fn a_name_that_is_passed_on_by_a_thousand_modules() {
    let modules = repeated(1_000, |i| format!("mod m{i} {{ pub use crate::m{}::fresh; }}\n", i + 1));
    let last = "mod m1000 { pub fn fresh() -> String { uuid::Uuid::new_v4().to_string() } }";
    let ran = run(&format!("{modules}{last}"), "", "m0::fresh()");
    assert_eq!(ran.stdout.lines().count(), 2, "{}", ran.stdout);
}

#[test]
fn many_closures_of_which_each_sends_a_key() {
    let send = "http.post(\"x\").header(\"Idempotency-Key\", Uuid::new_v4().to_string()).send().await";
    let ran = run("", &repeated(300, |_| format!("tokio::spawn(async move {{ {send} }});\n")), "a");
    assert_eq!(ran.stdout.lines().count(), 301, "{}", ran.stdout);
}

#[test]
fn a_chain_of_two_thousand_closures() {
    let chain = format!("let x = Some(Uuid::new_v4().to_string()){};", ".map(|x| x)".repeat(2_000));
    let ran = run("", &chain, "x.unwrap()");
    assert_eq!(ran.stdout.lines().count(), 2, "{}", ran.stdout);
}

/// Neither a pipe that nobody writes to nor a device that never ends is read for ever.
#[cfg(unix)]
#[test]
fn pipes_and_devices_in_place_of_files() {
    let devices = [
        ("Cargo.toml", 1, "samekey: 1 file, 1 key"),
        ("samekey.toml", 2, "samekey.toml: is not a regular file"),
    ];
    for (name, code, message) in devices {
        for is_pipe in [true, false] {
            let folder = Folder::with(&[("src/lib.rs", FINDING)]);
            match is_pipe {
                true => assert!(
                    std::process::Command::new("mkfifo").arg(folder.join(name)).status().unwrap().success()
                ),
                false => std::os::unix::fs::symlink("/dev/zero", folder.join(name)).unwrap(),
            }
            let ran = binary(&folder.path, &["check", "--format", "concise"], &[]);
            assert_eq!(ran.code, code, "{}", ran.stderr);
            assert!(ran.stderr.contains(message), "{}", ran.stderr);
        }
    }
    let folder = Folder::with(&[("Cargo.toml", MANIFEST), ("src/lib.rs", FINDING)]);
    for option in ["--config", "--baseline"] {
        let ran = binary(&folder.path, &["check", option, "/dev/zero"], &[]);
        assert_eq!(ran.code, 2);
        assert!(
            ran.stderr.contains("/dev/zero: cannot be read: it is larger than 67 MB")
                || ran.stderr.contains("/dev/zero cannot be read: it is larger than 67 MB"),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn a_configuration_with_ten_thousand_mistakes() {
    let mistakes = format!("[rules]\n{}", repeated(10_000, |i| format!("rule{i} = 1\n")));
    let folder = Folder::with(&[("Cargo.toml", MANIFEST), ("samekey.toml", &mistakes)]);
    let ran = binary(&folder.path, &["check"], &[]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("and 9980 more errors"), "{}", ran.stderr);
}

#[test]
fn texts_that_are_made_of_texts() {
    let texts =
        repeated(12, |i| format!("let x{} = format!(\"{}\");\n", i + 1, format!("{{x{i}}}").repeat(100)));
    let fixed =
        repeated(12, |i| format!("const X{i}: &str = concat!({});\n", format!("X{}, ", i + 1).repeat(100)));
    let own = "let mut x = x0; loop { x = x.or(x); if b { break } } http.post(x).json(&a).send().await;\n";
    let code = format!(
        "let x0 = \"https://api.stripe.com/v1/charges\";\n{texts}{own}http.post(x12).json(&a).send().await;\nhttp.post(X0).json(&a).send().await;\n"
    );
    run(&format!("{fixed}const X12: &str = \"https://api.stripe.com\";\n"), &code, "a");
}
