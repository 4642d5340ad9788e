//! What the page with questions says about the tool is what the tool does.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

const SEND: &str = r#"
use uuid::Uuid;

async fn send(http: &reqwest::Client, key: String) -> reqwest::Result<()> {
    http.post("https://api.stripe.com/v1/charges").header("Idempotency-Key", key).send().await?;
    Ok(())
}
"#;

/// What the page speaks of, a body that does it, and the rule and level of its finding, if there is one.
type Answer = (&'static str, &'static str, Option<(&'static str, &'static str)>);

const ANSWERS: [Answer; 8] = [
    ("beside the call", "send(http, Uuid::new_v4().to_string()).await?;", Some(("uuid-in-key", "error"))),
    (
        "computed from what identifies the charge",
        "send(http, Uuid::new_v5(&Uuid::NAMESPACE_URL, invoice.as_bytes()).to_string()).await?;",
        None,
    ),
    (
        "what the database gives back",
        r#"let fresh = Uuid::new_v4().to_string();
    let key: String = sqlx::query_scalar("INSERT INTO claims (invoice, key) VALUES ($1, $2)
        ON CONFLICT (invoice) DO UPDATE SET invoice = EXCLUDED.invoice RETURNING key")
        .bind(invoice).bind(&fresh).fetch_one(pool).await?;
    send(http, key).await?;"#,
        None,
    ),
    (
        "stored afterwards",
        r#"let key = Uuid::new_v4().to_string();
    send(http, key.clone()).await?;
    sqlx::query("INSERT INTO claims (invoice, key) VALUES ($1, $2)")
        .bind(invoice).bind(&key).execute(pool).await?;"#,
        Some(("uuid-in-key", "error")),
    ),
    (
        "stored before without a look",
        r#"let key = Uuid::new_v4().to_string();
    sqlx::query("INSERT INTO claims (invoice, key) VALUES ($1, $2)")
        .bind(invoice).bind(&key).execute(pool).await?;
    send(http, key).await?;"#,
        Some(("uuid-in-key", "warning")),
    ),
    (
        "the counter of the loop",
        r#"for attempt in 0..3 {
        if send(http, format!("{invoice}:{attempt}")).await.is_ok() {
            return Ok(());
        }
    }"#,
        Some(("attempt-in-key", "error")),
    ),
    (
        "hashed together",
        r#"let parts = format!("{invoice}:{}", Uuid::new_v4());
    send(http, hex::encode(<sha2::Sha256 as sha2::Digest>::digest(parts))).await?;"#,
        Some(("uuid-in-key", "error")),
    ),
    (
        "the date of today",
        r#"send(http, format!("{invoice}:{}", chrono::Utc::now().format("%Y-%m-%d"))).await?;"#,
        Some(("clock-bucket-in-key", "warning")),
    ),
];

#[test]
fn the_answers_hold() {
    for (index, (case, body, expected)) in ANSWERS.into_iter().enumerate() {
        let code = format!(
            "{SEND}\npub async fn charge(http: &reqwest::Client, pool: &sqlx::PgPool, invoice: &str) \
             -> anyhow::Result<()> {{\n    {body}\n    Ok(())\n}}\n"
        );
        let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("answer-{index}.rs"));
        fs::write(&file, code).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_cargo-samekey"))
            .args(["check", "--format", "json"])
            .arg(&file)
            .output()
            .unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let found: Vec<(&str, &str)> = report["diagnostics"]
            .as_array()
            .unwrap()
            .iter()
            .map(|finding| (finding["rule"].as_str().unwrap(), finding["severity"].as_str().unwrap()))
            .collect();
        assert_eq!(found, expected.into_iter().collect::<Vec<_>>(), "{case}");
    }
}
