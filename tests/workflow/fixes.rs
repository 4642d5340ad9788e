//! Fixes: what they write, that they are needed once, and what they leave alone.

use std::fs;
use std::path::Path;

use cargo_samekey::rules::Rules;
use serde_json::Value;

use crate::support::{Folder, Ran, in_process};
use crate::tools::{commit, git, json};

/// Runs the command line with all rules in this process.
fn check(folder: &Path, arguments: &[&str]) -> Ran {
    in_process(folder, arguments, &Rules)
}

fn read(folder: &Folder, path: &str) -> String {
    String::from_utf8(fs::read(folder.join(path)).unwrap()).unwrap()
}

fn findings(folder: &Folder) -> Vec<Value> {
    let ran = check(&folder.path, &["--format", "json"]);
    json(&ran.stdout)["diagnostics"].as_array().unwrap().clone()
}

fn rules(folder: &Folder) -> Vec<String> {
    findings(folder).iter().map(|found| found["rule"].as_str().unwrap().to_owned()).collect()
}

/// A call of Stripe with the key that `code` makes, and the comment at its end.
fn charge(parameters: &str, code: &str, comment: &str) -> String {
    format!(
        "use reqwest::Client;\nuse uuid::Uuid;\n\npub struct Order {{ pub id: String, pub customer: String }}\n\n\
         pub async fn charge(http: &Client, {parameters}) -> reqwest::Result<()> {{\n    {code}\n    \
         http.post(\"https://api.stripe.com/v1/charges\").header(\"Idempotency-Key\", key).send().await?;{comment}\n    \
         Ok(())\n}}\n"
    )
}

/// A fix with the rule, the part of the code that it is about, and what stands there afterwards.
const UNSAFE: [(&str, &str, &str, &str); 16] = [
    (
        "uuid-in-key",
        "order: &Order",
        r#"let key = format!("charge:{}:{}", order.id, Uuid::new_v4());"#,
        r#"let key = format!("charge:{}", order.id);"#,
    ),
    (
        "uuid-in-key",
        "order_id: &str",
        "let nonce = Uuid::new_v4().to_string(); let key = format!(\"{nonce}-{order_id}\");",
        "let key = order_id.to_string();",
    ),
    (
        "uuid-in-key",
        "order_id: &str",
        r##"let key = format!(r#"{order_id}/{n}/v1"#, n = Uuid::new_v4());"##,
        r##"let key = format!(r#"{order_id}/v1"#);"##,
    ),
    (
        "uuid-in-key",
        "customer: &str, period: &str",
        "let key = format!(\n        \"{}:{}:{}\",\n        customer,\n        Uuid::now_v7(),\n        period,\n    );",
        "let key = format!(\n        \"{}:{}\",\n        customer,\n        period,\n    );",
    ),
    (
        "uuid-in-key",
        "refund_id: &str, idempotency_key: &str",
        r#"let key = format!("{}:{}:refund{}", idempotency_key, refund_id, Uuid::new_v4());"#,
        r#"let key = format!("{}:{}:refund", idempotency_key, refund_id);"#,
    ),
    (
        "clock-in-key",
        "invoice_id: &str",
        r#"let key = format!("{invoice_id}:t={}", std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis());"#,
        "let key = invoice_id.to_string();",
    ),
    (
        "random-in-key",
        "invoice_id: &str",
        r#"let key = format!("{invoice_id}-{}", rand::random::<u64>());"#,
        "let key = invoice_id.to_string();",
    ),
    (
        "clock-in-key",
        "invoice_id: &str",
        r#"let key = format!("{invoice_id}-{}", chrono::Utc::now().timestamp_millis());"#,
        "let key = invoice_id.to_string();",
    ),
    (
        "random-in-key",
        "invoice_id: &str",
        r#"let n: u64 = rand::random(); let key = format!("{invoice_id}-{n:x}");"#,
        "let key = invoice_id.to_string();",
    ),
    (
        "uuid-in-key",
        "order_id: &str",
        "// One for each try.\n\n    let nonce = Uuid::new_v4();\n    let key = format!(\"charge:{order_id}:{nonce}\");",
        "// One for each try.\n\n    let nonce = Uuid::new_v4();\n    let key = format!(\"charge:{order_id}\");",
    ),
    (
        "uuid-in-key",
        "order_id: &str",
        "let amount = 1;\n    let nonce = Uuid::new_v4();\n    let key = format!(\"charge:{order_id}:{amount}:{nonce}\");",
        "let amount = 1;\n    let key = format!(\"charge:{order_id}:{amount}\");",
    ),
    (
        "ambiguous-join",
        "user_id: u64, invoice_id: u64",
        r#"let key = format!("charge:{user_id}{invoice_id}");"#,
        r#"let key = format!("charge:{user_id}:{invoice_id}");"#,
    ),
    (
        "ambiguous-join",
        "user_id: u64, invoice_id: u64, period: &str",
        r#"let key = format!("{}{}{}", user_id, invoice_id, period);"#,
        r#"let key = format!("{}:{}:{}", user_id, invoice_id, period);"#,
    ),
    // Nothing is left that names one charge.
    ("uuid-in-key", "customer_id: &str", r#"let key = format!("{customer_id}:{}", Uuid::new_v4());"#, ""),
    ("uuid-in-key", "amount: u64", r#"let key = format!("{amount}:{}", Uuid::new_v4());"#, ""),
    // The key is nothing else.
    ("uuid-in-key", "order_id: &str", "let _ = order_id; let key = Uuid::new_v4().to_string();", ""),
];

#[test]
fn each_fix_removes_its_finding_for_good() {
    for (rule, parameters, code, expected) in UNSAFE {
        let text = charge(parameters, code, "");
        let folder = Folder::with(&[("src/a.rs", &text)]);
        let found = findings(&folder);
        assert_eq!((found.len(), &found[0]["rule"]), (1, &rule.into()), "{code}: {found:?}");
        let fixes = found[0]["fixes"].as_array().unwrap();
        if expected.is_empty() {
            assert!(fixes.is_empty(), "{code}: {fixes:?}");
            continue;
        }
        assert_eq!((fixes.len(), &fixes[0]["applicability"]), (1, &"unsafe".into()), "{code}");
        let ran = check(&folder.path, &["--fix"]);
        assert_eq!(read(&folder, "src/a.rs"), text, "{code}: not without --unsafe-fixes");
        assert!(ran.stderr.contains("1 more finding to fix with --unsafe-fixes"), "{}", ran.stderr);
        let ran = check(&folder.path, &["--fix", "--unsafe-fixes"]);
        assert!(ran.stderr.contains("samekey: fixed 1 finding\n"), "{}", ran.stderr);
        assert!(ran.stderr.contains("roll them out together with the stored keys"), "{}", ran.stderr);
        let fixed = read(&folder, "src/a.rs");
        assert_eq!(fixed, charge(parameters, expected, ""));
        syn::parse_file(&fixed).unwrap();
        assert_eq!((ran.code, rules(&folder)), (0, Vec::<String>::new()), "{fixed}");
    }
}

#[test]
fn a_header_gets_the_name_that_the_provider_reads() {
    let call = |name: &str, value: &str| {
        format!(
            "pub async fn refund(http: &reqwest::Client, key: &str) -> reqwest::Result<()> {{\n    \
             http.post(\"https://api-m.paypal.com/v2/payments/captures/1/refund\").header({name}, {value}).send().await?;\n    \
             Ok(())\n}}\n"
        )
    };
    for (before, after) in [
        ("\"Idempotency-Key\"", "\"PayPal-Request-Id\""),
        (
            "reqwest::header::HeaderName::from_static(\"idempotency-key\")",
            "reqwest::header::HeaderName::from_static(\"paypal-request-id\")",
        ),
    ] {
        let folder = Folder::with(&[("src/a.rs", &call(before, "key"))]);
        assert_eq!(rules(&folder), ["wrong-key-header"], "{before}");
        check(&folder.path, &["--fix", "--unsafe-fixes"]);
        let fixed = read(&folder, "src/a.rs");
        assert_eq!(fixed, call(after, "key"));
        syn::parse_file(&fixed).unwrap();
        assert_eq!(rules(&folder), [] as [String; 0]);
    }
    let constant = format!("const NAME: &str = \"Idempotency-Key\";\n{}", call("NAME", "key"));
    let folder = Folder::with(&[("src/a.rs", &constant)]);
    let found = findings(&folder);
    assert_eq!(found[0]["rule"], "wrong-key-header");
    assert_eq!(found[0]["fixes"], Value::Array(Vec::new()), "a constant may have other users");
}

#[test]
fn comments_are_corrected_and_removed_safely() {
    let code = r#"let key = format!("{invoice_id}:charge");"#;
    for (before, after, rest) in [
        (" // samekey: ignore[uuid-in-key] -- x", "", &[][..]),
        (" // samekey: ignore[uuid-in-key, SK002] -- x", "", &[]),
        (
            " // samekey: ignroe[uid-in-key, ] -- x",
            " // samekey: ignore[uuid-in-key] -- x",
            &["unused-suppression"],
        ),
    ] {
        let folder = Folder::with(&[("src/a.rs", &charge("invoice_id: &str", code, before))]);
        assert!(!findings(&folder).is_empty(), "{before}");
        let ran = check(&folder.path, &["--fix"]);
        assert_eq!(ran.code, 0);
        assert!(!ran.stderr.contains("stored keys"), "{}", ran.stderr);
        let fixed = read(&folder, "src/a.rs");
        assert_eq!(fixed, charge("invoice_id: &str", code, after));
        syn::parse_file(&fixed).unwrap();
        assert_eq!(rules(&folder), rest, "{before}");
    }
    let used = charge(
        "invoice_id: &str",
        "let key = format!(\"{invoice_id}:{}\", Uuid::new_v4());",
        " // samekey: ignore[uuid-in-key, clock-in-key] -- stored before",
    );
    let folder = Folder::with(&[("src/a.rs", &used)]);
    let ran = check(&folder.path, &["--fix", "--unsafe-fixes"]);
    assert!(ran.stderr.contains("remove `clock-in-key` from the list"), "{}", ran.stderr);
    assert_eq!(
        read(&folder, "src/a.rs"),
        used.replace(", clock-in-key", ""),
        "what is suppressed is not fixed"
    );
    assert_eq!(rules(&folder), [] as [String; 0]);
}

#[test]
fn line_breaks_and_a_byte_order_mark_survive() {
    let code = r#"let key = format!("{user_id}{invoice_id}");"#;
    let text = charge("user_id: u64, invoice_id: u64", code, " // samekey: ignore[uuid-in-key] -- x");
    let text = format!("\u{feff}// samekey: ignore[uuid-in-key] -- top\n{text}").replace('\n', "\r\n");
    let folder = Folder::with(&[("src/a.rs", &text)]);
    let ran = check(&folder.path, &["--fix", "--unsafe-fixes"]);
    assert!(ran.stderr.contains("fixed 3 findings"), "{}", ran.stderr);
    let fixed = charge("user_id: u64, invoice_id: u64", &code.replace("}{", "}:{"), "");
    assert_eq!(read(&folder, "src/a.rs"), format!("\u{feff}{fixed}").replace('\n', "\r\n"));
    assert_eq!(rules(&folder), [] as [String; 0]);
}

#[test]
fn a_diff_changes_nothing_and_can_be_applied() {
    for line_break in ["\n", "\r\n"] {
        let code = r#"let key = format!("{user_id}{invoice_id}");"#;
        let text = charge("user_id: u64, invoice_id: u64", code, " // samekey: ignore[uuid-in-key] -- x");
        let text = text.replace('\n', line_break);
        let folder = Folder::with(&[("src/a.rs", &text), ("src/b.rs", &text)]);
        let ran = check(&folder.path, &["--diff"]);
        assert_eq!(ran.stdout.matches("@@ -").count(), 2, "{}", ran.stdout);
        let ran = check(&folder.path, &["--diff", "--unsafe-fixes"]);
        assert_eq!((ran.code, read(&folder, "src/a.rs")), (0, text.clone()));
        assert!(ran.stderr.contains("would fix 4 findings"), "{}", ran.stderr);
        folder.write("fixes.patch", &ran.stdout);
        git(&folder.path, &["init", "-q"]);
        git(&folder.path, &["apply", "fixes.patch"]);
        let applied = read(&folder, "src/b.rs");
        folder.write("src/a.rs", &text);
        folder.write("src/b.rs", &text);
        check(&folder.path, &["--fix", "--unsafe-fixes", "--allow-dirty"]);
        assert_eq!(read(&folder, "src/b.rs"), applied);
        assert_ne!(applied, text);
    }
}

#[test]
fn what_is_not_understood_is_left_alone() {
    let unused = charge("invoice_id: &str", "let key = invoice_id;", " // samekey: ignore[uuid-in-key] -- x");
    let joined =
        charge("user_id: u64, invoice_id: u64", r#"let key = format!("{user_id}{invoice_id}");"#, "");
    let folder = Folder::with(&[
        ("src/a.rs", &format!("{joined}fn broken( {{\n")),
        ("src/b.rs", &format!("// @generated\n{unused}")),
    ]);
    let before = (read(&folder, "src/a.rs"), read(&folder, "src/b.rs"));
    let ran = check(&folder.path, &["--fix", "--unsafe-fixes"]);
    assert_eq!((read(&folder, "src/a.rs"), read(&folder, "src/b.rs")), before);
    assert!(
        ran.stderr.contains("src/a.rs is left alone: it could not be analysed completely"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("fixed 0 findings"), "{}", ran.stderr);
    let left: Vec<String> = fs::read_dir(folder.join("src"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

/// The report is that of the files as they are now.
#[test]
fn what_is_left_is_reported_in_every_format() {
    let joined =
        charge("user_id: u64, invoice_id: u64", r#"let key = format!("{user_id}{invoice_id}");"#, "");
    let fresh = charge("customer: &str", "let _ = customer; let key = Uuid::new_v4().to_string();", "");
    let text = format!("// samekey: ignore[uuid-in-key] -- x\nmod a {{\n{joined}}}\nmod b {{\n{fresh}}}\n");
    let text = text.replacen("mod a", "const A: u8 = 1;\nmod a", 1);
    for format in ["human", "json", "jsonl", "sarif", "github", "gitlab", "concise"] {
        let folder = Folder::with(&[("src/a.rs", &text)]);
        let ran = check(
            &folder.path,
            &["--fix", "--unsafe-fixes", "--format", format, "--output", "json=left.json"],
        );
        assert_eq!(ran.code, 1, "{format}: what is left decides");
        assert!(ran.stderr.contains("fixed 2 findings"), "{}", ran.stderr);
        assert!(ran.stdout.contains("uuid-in-key"), "{}", ran.stdout);
        let left = json(&read(&folder, "left.json"));
        assert_eq!(left["summary"]["findings"], 1);
        let again = check(&folder.path, &["--format", "json"]);
        assert_eq!(json(&again.stdout)["diagnostics"], left["diagnostics"]);
    }
}

#[test]
fn uncommitted_changes_are_not_mixed_with_fixes() {
    let text = charge("invoice_id: &str", "let key = invoice_id;", " // samekey: ignore[uuid-in-key] -- x");
    let folder = Folder::with(&[("src/a.rs", &text), ("src/b.rs", "fn f() {}\n")]);
    commit(&folder.path);
    folder.write("src/b.rs", "fn g() {}\n");
    folder.write("src/new.rs", "");
    let ran = check(&folder.path, &["--fix"]);
    assert_eq!((ran.code, read(&folder, "src/a.rs")), (2, text.clone()));
    assert!(ran.stderr.contains("  src/b.rs (dirty)\n  src/new.rs (dirty)\n"), "{}", ran.stderr);
    assert_eq!(check(&folder.path, &["--fix", "--allow-staged"]).code, 2);
    assert_eq!(check(&folder.path, &["--diff"]).code, 0, "a diff changes nothing");
    git(&folder.path, &["add", "-A"]);
    let ran = check(&folder.path, &["--fix"]);
    assert!(ran.code == 2 && ran.stderr.contains("  src/b.rs (staged)\n"), "{}", ran.stderr);
    assert_eq!(check(&folder.path, &["--fix", "--allow-staged"]).code, 0);
    assert_ne!(read(&folder, "src/a.rs"), text);
    folder.write("src/a.rs", &text);
    assert_eq!(check(&folder.path, &["--fix", "--allow-dirty"]).code, 0);
    assert_ne!(read(&folder, "src/a.rs"), text);
    commit(&folder.path);
    assert_eq!(check(&folder.path, &["--fix"]).code, 0, "a clean tree is changed");
}

#[test]
fn two_edits_at_one_place_need_two_runs() {
    let text = |list: &str| {
        let comment = format!(" // samekey: ignore[{list}] -- x");
        charge("invoice_id: &str", "let key = invoice_id;", &comment)
    };
    let folder = Folder::with(&[("src/a.rs", &text(", uuid-in-key, nonsense"))]);
    let ran = check(&folder.path, &["--fix"]);
    assert!(ran.stderr.contains("fixed 1 finding\n"), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("1 more finding to fix at the same places; run it a second time"),
        "{}",
        ran.stderr
    );
    check(&folder.path, &["--fix"]);
    assert_eq!(read(&folder, "src/a.rs"), text("nonsense"));
    assert_eq!(rules(&folder), ["invalid-suppression"], "only its author knows what is meant");
}

#[test]
fn mistakes_in_the_command_are_named() {
    let folder = Folder::with(&[("src/a.rs", "fn f() {}\n")]);
    for (arguments, message) in [
        (&["--unsafe-fixes"][..], "add --fix or --diff"),
        (&["--fix", "--diff"], "cannot be used with"),
        (&["--diff", "--format", "json"], "cannot be used with"),
        (&["--allow-dirty"], "--fix"),
    ] {
        let ran = check(&folder.path, arguments);
        assert!(ran.code == 2 && ran.stderr.contains(message), "{arguments:?}: {}", ran.stderr);
    }
}

#[cfg(unix)]
#[test]
fn permissions_stay_and_read_only_files_too() {
    use std::os::unix::fs::PermissionsExt as _;
    let text = charge("invoice_id: &str", "let key = invoice_id;", " // samekey: ignore[uuid-in-key] -- x");
    let folder = Folder::with(&[("src/a.rs", &text), ("src/b.rs", &text)]);
    fs::set_permissions(folder.join("src/a.rs"), fs::Permissions::from_mode(0o640)).unwrap();
    fs::set_permissions(folder.join("src/b.rs"), fs::Permissions::from_mode(0o440)).unwrap();
    let ran = check(&folder.path, &["--fix"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("error: src/b.rs cannot be written: permission denied"), "{}", ran.stderr);
    assert_eq!(read(&folder, "src/b.rs"), text);
    assert_ne!(read(&folder, "src/a.rs"), text);
    let mode = fs::metadata(folder.join("src/a.rs")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}
