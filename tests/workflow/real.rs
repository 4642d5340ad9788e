//! The real rules: what findings are recognised by, and what two hundred of them look like.

use std::collections::BTreeSet;

use crate::support::{Folder, binary};
use crate::tools::json;

const MANIFEST: &str = "[package]\nname = \"pay\"\nedition = \"2024\"\n";

const CODE: &str = r#"use reqwest::Client;
use uuid::Uuid;

pub async fn charge(http: &Client, customer_id: &str, cents: i64) -> reqwest::Result<()> {
    let key = format!("{customer_id}:{}", Uuid::new_v4());
    http.post("https://api.stripe.com/v1/charges").header("Idempotency-Key", wrap(key, "charge")).form(&[("amount", cents)]).send().await?;
    Ok(())
}

fn wrap(key: String, operation: &str) -> String {
    format!("{key}:{operation}")
}
"#;

fn fingerprints(files: &[(&str, &str)]) -> BTreeSet<String> {
    let folder = Folder::with(&[&[("Cargo.toml", MANIFEST)], files].concat());
    let report = json(&binary(&folder.path, &["--format", "json", "--fail-on", "note"], &[]).stdout);
    let found = report["diagnostics"].as_array().unwrap().iter();
    found.map(|found| format!("{} {}", found["rule"], found["fingerprint"])).collect()
}

#[test]
fn fingerprints_survive_moves_comments_and_formatting() {
    let before = fingerprints(&[("src/lib.rs", CODE)]);
    assert_eq!(before.len(), 1, "{before:?}");
    let formatted = CODE.replace(
        "http.post(\"https://api.stripe.com/v1/charges\").header(\"Idempotency-Key\", wrap(key, \"charge\")).form(&[(\"amount\", cents)]).send().await?;",
        "http\n        .post(\"https://api.stripe.com/v1/charges\")\n        .header(\n            \"Idempotency-Key\", // the key\n            wrap(\n                key, /* why */\n                \"charge\",\n            ),\n        )\n        .form(&[(\"amount\", cents)])\n        .send()\n        .await?;",
    );
    assert_ne!(formatted, CODE);
    let parts = CODE.split("\n\n").collect::<Vec<_>>();
    for changed in [
        format!("// Copyright\n\n\n{CODE}"),
        CODE.replace("    let key", "    // Why.\n    /* And how. */\n    let key"),
        format!("{}\n\n{}\n\n{}\n", parts[0], parts[2].trim_end(), parts[1]),
        format!("{CODE}\npub fn other() -> u32 {{\n    7\n}}\n"),
        formatted,
    ] {
        assert_eq!(fingerprints(&[("src/lib.rs", &changed)]), before, "{changed}");
    }
    let beside = fingerprints(&[("src/lib.rs", CODE), ("src/bin/tool.rs", "fn main() {}\n")]);
    assert_eq!(beside, before);
}

#[test]
fn fingerprints_tell_findings_apart() {
    let before = fingerprints(&[("src/lib.rs", CODE)]);
    for changed in [
        CODE.replace("fn charge(", "fn charge_again("),
        CODE.replace("wrap(key, \"charge\")", "wrap(key, \"refund\")"),
        CODE.replace("Uuid::new_v4()", "Uuid::now_v7()"),
    ] {
        let after = fingerprints(&[("src/lib.rs", &changed)]);
        assert!(after.len() == 1 && after.is_disjoint(&before), "{changed}");
    }
    let twice = format!(
        "{CODE}{}",
        CODE.replace("fn charge", "fn second")
            .split_once("Uuid;\n")
            .unwrap()
            .1
            .split("\n\nfn wrap")
            .next()
            .unwrap()
    );
    assert_eq!(fingerprints(&[("src/lib.rs", &twice)]).len(), 2);
}

#[test]
fn two_hundred_findings_fit_a_terminal() {
    let folder = Folder::with(&[("Cargo.toml", MANIFEST)]);
    let modules: String = (0..40).map(|number| format!("mod m{number};\n")).collect();
    folder.write("src/lib.rs", modules);
    for number in 0..40 {
        let functions: String = (0..5)
            .map(|index| {
                let source =
                    ["Uuid::new_v4()", "chrono::Utc::now()", "rand::random::<u64>()"][(number + index) % 3];
                CODE.replace("fn charge", &format!("fn charge_{index}"))
                    .replace("Uuid::new_v4()", source)
                    .split_once("Uuid;\n")
                    .unwrap()
                    .1
                    .split("\n\nfn wrap")
                    .next()
                    .unwrap()
                    .to_owned()
                    + "\n"
            })
            .collect();
        folder.write(&format!("src/m{number}.rs"), format!("use reqwest::Client;\nuse uuid::Uuid;\n{functions}\nfn wrap(key: String, operation: &str) -> String {{ key + operation }}\n"));
    }
    let ran = binary(&folder.path, &["check"], &[]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let wide: Vec<&str> = ran.stdout.lines().filter(|line| line.chars().count() > 80).collect();
    assert_eq!(wide, [] as [&str; 0]);
    let lines = ran.stdout.lines().count();
    assert!(lines < 550, "{lines} lines");
    assert_eq!(ran.stdout.matches("derive the key from").count(), 2, "the same advice is given once");
    assert!(ran.stdout.contains("  charge_4: `"), "a line that is cut off names the function first");
    let counted = ran.stdout.split("findings by rule\n").nth(1).unwrap();
    assert!(counted.starts_with("    67  clock-in-key   the time"), "{counted}");
}

/// The crate of a loose file is named after it; what is shown to be written stays Rust.
#[test]
fn the_derive_that_is_shown_can_be_written_whatever_a_file_is_called() {
    let code = CODE.replace("cents: i64", "order_id: u64, cents: i64");
    let folder = Folder::with(&[("q\"u ote.rs", &code)]);
    let ran = binary(&folder.path, &["check"], &[]);
    assert!(ran.stdout.contains("namespace = \"q_u_ote\""), "{}", ran.stdout);
}

/// A key of the customer alone would take a second charge for a repetition of the first.
#[test]
fn a_key_of_the_customer_alone_is_not_advised() {
    let folder = Folder::with(&[("charge.rs", CODE)]);
    let ran = binary(&folder.path, &["check"], &[]);
    assert!(ran.stdout.contains("`customer_id`, what it is about"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("#[idempotent(identity)]"), "{}", ran.stdout);
}

/// Whether a retry sends a key is for the manifest to say, however it names the package and turns the feature on.
#[test]
fn the_manifest_decides_whether_a_retry_sends_a_key() {
    let code =
        "pub fn strategy(tries: u32) -> stripe::RequestStrategy { stripe::RequestStrategy::Retry(tries) }\n";
    for (tables, is_on) in [
        ("[dependencies]\nasync-stripe = \"1.0.0-rc.10\"\n", false),
        ("[dependencies]\nasync-stripe = { version = \"1.0.0-rc.10\", features = [\"uuid\"] }\n", true),
        ("[dependencies]\nasync-stripe = \"0.41\"\n", true),
        ("[dependencies]\nasync-stripe = { version = \"0.41\", default-features = false }\n", false),
        (
            "[dependencies]\nasync-stripe = \"1.0.0-rc.10\"\n[features]\nretries = [\"async-stripe?/uuid\"]\n",
            true,
        ),
        (
            "[dependencies]\nour-pay = { package = \"async-stripe\", version = \"1.0.0-rc.10\" }\n\
             [features]\ndefault = [\"our-pay/uuid\"]\n",
            true,
        ),
        (
            "[dependencies]\nour-pay = { package = \"async-stripe\", version = \"1.0.0-rc.10\" }\n\
             [features]\ndefault = [\"other/uuid\"]\n",
            false,
        ),
        ("[dependencies]\nasync-stripe = { git = \"https://example.com/stripe\" }\n", true),
    ] {
        let manifest = format!("{MANIFEST}{tables}");
        // What the code calls the crate follows its name in the manifest.
        let code =
            if tables.contains("our-pay") { code.replace("stripe::", "our_pay::") } else { code.into() };
        let folder = Folder::with(&[("Cargo.toml", &manifest), ("src/lib.rs", &code)]);
        let ran = binary(&folder.path, &["check", "--format", "concise"], &[]);
        assert_eq!(ran.stdout.contains("missing-key"), !is_on, "{tables}: {}", ran.stdout);
    }
}

#[test]
fn many_findings_say_how_many_have_a_fix() {
    let functions: String = (0..20)
        .map(|number| {
            format!(
                "pub async fn charge_{number}(http: &reqwest::Client, order_id: &str) {{\n    \
                 http.post(\"x\").header(\"Idempotency-Key\", format!(\"{{order_id}}:{{}}\", uuid::Uuid::new_v4()));\n}}\n"
            )
        })
        .collect();
    let folder = Folder::with(&[("a.rs", &functions)]);
    let ran = binary(&folder.path, &["check"], &[]);
    assert!(
        ran.stdout.contains("  20 findings with a fix: --diff --unsafe-fixes shows what it would change\n"),
        "{}",
        ran.stdout
    );
}
