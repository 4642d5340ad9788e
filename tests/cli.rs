//! The command line as a person or a CI job sees it.

mod support;

use serde_json::Value;
use support::{Folder, binary, with_marks};

const CHARGE: &str = "fn charge() {\n    let id = Uuid::new_v4();\n    mark_error(id);\n}\n";

#[test]
fn version_and_help_go_to_standard_output() {
    let folder = Folder::new();
    for arguments in [&["--version"][..], &["samekey", "--version"]] {
        let ran = binary(&folder.path, arguments, &[]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
        assert!(ran.stdout.starts_with("cargo-samekey "), "{}", ran.stdout);
    }
    let help = binary(&folder.path, &["check", "--help"], &[]);
    assert_eq!(help.code, 0);
    assert!(help.stdout.contains("--fail-on"), "{}", help.stdout);
}

#[test]
fn a_mistake_on_the_command_line_is_usage() {
    let folder = Folder::with(&[("a.rs", CHARGE)]);
    for arguments in [&["--formatt", "json"][..], &["check", "--fail-on", "sometimes"], &["explain"]] {
        let ran = binary(&folder.path, arguments, &[]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(ran.stderr.contains("error"), "{}", ran.stderr);
    }
}

#[test]
fn clean_code_says_so_on_standard_error_only() {
    let folder = Folder::with(&[("a.rs", "fn f() {}\n")]);
    let ran = binary(&folder.path, &["."], &[]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""));
    assert_eq!(ran.stderr, "samekey: 1 file, 0 keys, 0 findings, 0 notes, 0 not analysed\n");
}

#[test]
fn findings_fail_the_run_from_the_level_that_was_asked_for() {
    let warning = CHARGE.replace("mark_error", "mark_warning");
    let note = CHARGE.replace("mark_error", "mark_note");
    for (text, fail_on, code, shown) in [
        (CHARGE, "error", 1, true),
        (&warning, "error", 0, true),
        (&warning, "warning", 1, true),
        (&note, "warning", 0, false),
        (&note, "note", 1, true),
    ] {
        let folder = Folder::with(&[("a.rs", text)]);
        let ran = with_marks(&folder.path, &["--fail-on", fail_on, "--format", "concise"]);
        assert_eq!((ran.code, !ran.stdout.is_empty()), (code, shown), "{fail_on} {text}");
    }
}

#[test]
fn concise_is_one_line_for_each_finding() {
    let folder = Folder::with(&[("src/a.rs", CHARGE)]);
    let ran = with_marks(&folder.path, &["--format", "concise"]);
    assert_eq!(
        ran.stdout,
        "src/a.rs:3:5: error[uuid-in-key] the key holds a new UUID at each call of `charge`: a retry is a new \
         charge for Stripe\n"
    );
    assert_eq!(ran.stderr, "samekey: 1 file, 1 key, 1 finding, 0 notes, 0 not analysed\n");
}

#[test]
fn json_has_the_promised_shape() {
    let folder =
        Folder::with(&[("src/é.rs", "fn é() { let s = \"sk_live_51\"; mark_error(Uuid::new_v4()) }\n")]);
    let ran = with_marks(&folder.path, &["--format", "json"]);
    assert_eq!(ran.code, 1);
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(json["version"], 1);
    let found = &json["diagnostics"][0];
    assert_eq!(found["rule"], "uuid-in-key");
    assert_eq!(
        (&found["code"], &found["severity"], &found["certainty"]),
        (&"SK001".into(), &"error".into(), &"proven".into())
    );
    assert_eq!(found["file"], "src/é.rs");
    assert_eq!((&found["line"], &found["column"], &found["end_column"]), (&1.into(), &32.into(), &42.into()));
    assert_eq!((&found["byte_start"], &found["byte_end"]), (&32.into(), &42.into()));
    assert!(found["fingerprint"].as_str().unwrap().starts_with("v1:"));
    assert_eq!(found["trace"][0]["message"], "a new value at each call");
    assert_eq!(found["trace"][1]["line"], 1);
    assert_eq!(
        json["summary"],
        serde_json::json!({
            "files": 1, "unparsed": 0, "keys": 1, "findings": 1, "notes": 0, "suppressed": 0, "baselined": 0,
            "stale": 0, "unchanged": 0, "partial": 0,
        })
    );
    assert_eq!(json["errors"], serde_json::json!([]));
}

#[test]
fn human_output_fits_and_groups_by_cause() {
    let text = "fn charge(c: &str) {\n    let id = Uuid::new_v4(); // sk_live_51HxSecret\n    client.key(mark_error(id));\n    client.key(mark_error(id));\n}\n";
    let folder = Folder::with(&[("src/billing/charge.rs", text)]);
    let ran = with_marks(&folder.path, &[]);
    insta::assert_snapshot!(ran.stdout);
    assert!(ran.stdout.lines().all(|line| line.chars().count() <= 80), "{}", ran.stdout);
}

#[test]
fn two_hundred_findings_stay_readable() {
    let folder = Folder::new();
    for index in 0..200 {
        folder.write(&format!("src/m{index:03}.rs"), CHARGE);
    }
    let ran = with_marks(&folder.path, &[]);
    assert!(ran.stdout.contains("   200  uuid-in-key"), "{}", ran.stdout);
    let lines = ran.stdout.lines().count();
    assert!(lines < 1300, "{lines} lines");
    let help = ran.stdout.matches("make the key from customer_id and period").count();
    assert_eq!(help, 1);
}

#[test]
fn output_does_not_depend_on_threads() {
    let folder = Folder::new();
    for index in 0..40 {
        folder.write(&format!("src/m{index:03}.rs"), CHARGE);
    }
    let one = with_marks(&folder.path, &["--format", "json", "--jobs", "1"]);
    let four = with_marks(&folder.path, &["--format", "json", "--jobs", "4"]);
    assert_eq!(one.stdout, four.stdout);
    assert!(one.stdout.contains("src/m039.rs"));
}

#[test]
fn rule_flags_in_their_order() {
    let folder = Folder::with(&[("a.rs", CHARGE)]);
    for (arguments, code) in [
        (&["-A", "uuid-in-key"][..], 0),
        (&["-A", "SK001", "-D", "uuid-in-key"], 1),
        (&["-W", "uuid-in-key"], 0),
        (&["-W", "uuid-in-key", "--fail-on", "warning"], 1),
    ] {
        assert_eq!(with_marks(&folder.path, arguments).code, code, "{arguments:?}");
    }
    let unknown = with_marks(&folder.path, &["-D", "uid-in-key"]);
    assert_eq!(unknown.code, 2);
    assert_eq!(unknown.stderr, "error: unknown rule `uid-in-key`; did you mean `uuid-in-key`?\n");
}

#[test]
fn rules_and_explain() {
    let folder = Folder::new();
    let rules = with_marks(&folder.path, &["rules"]);
    assert_eq!(
        rules.stdout,
        "SK001  uuid-in-key   a new UUID in the key\nSK002  clock-in-key  the clock in the key\n"
    );
    for word in ["uuid-in-key", "SK001", "sk001"] {
        let page = with_marks(&folder.path, &["explain", word]);
        assert_eq!((page.code, page.stdout.as_str()), (0, "# uuid-in-key\n\nWhat it does.\n"));
    }
    let unknown = with_marks(&folder.path, &["explain", "clok-in-key"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.stderr.contains("did you mean `clock-in-key`?"));
}

#[test]
fn keys_in_all_formats() {
    let folder = Folder::with(&[("a.rs", CHARGE)]);
    let human = with_marks(&folder.path, &["keys"]);
    assert_eq!(
        human.stdout,
        "a.rs:3  uuid-in-key\n  for    Stripe, remembered 24 hours\n  key    a | ⟨Uuid::new_v4⟩\n  claim  none seen before the call\n"
    );
    let json = with_marks(&folder.path, &["keys", "--format", "json"]);
    let json: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!((&json["keys"][0]["line"], &json["keys"][0]["claim"]), (&3.into(), &false.into()));
    let markdown = with_marks(&folder.path, &["keys", "--format", "markdown"]);
    assert!(
        markdown
            .stdout
            .contains("| a.rs:3 | Stripe | 24 hours | `a \\| ⟨Uuid::new_v4⟩` | no | uuid-in-key |")
    );
}

#[test]
fn a_missing_path_is_named_and_the_rest_is_analysed() {
    let folder = Folder::with(&[("a.rs", CHARGE)]);
    let ran = with_marks(&folder.path, &["--format", "concise", "nowhere", "a.rs"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.starts_with("error: nowhere: no such file or folder\n"), "{}", ran.stderr);
    assert!(ran.stdout.starts_with("a.rs:3:5: error"), "{}", ran.stdout);
}

#[test]
fn no_source_file_is_its_own_exit_code() {
    let folder = Folder::with(&[("readme.md", "mark_error")]);
    let ran = binary(&folder.path, &["."], &[]);
    assert_eq!((ran.code, ran.stdout.as_str()), (3, ""));
    assert!(ran.stderr.ends_with("error: no Rust source file was found\n"), "{}", ran.stderr);
    let folder = Folder::with(&[("Cargo.toml", "[workspace]\nmembers = []\n"), ("src/lib.rs", "")]);
    let ran = binary(&folder.path, &[], &[]);
    assert_eq!(ran.code, 3);
    assert!(
        ran.stderr.contains("a folder or a file that is named is analysed all the same"),
        "{}",
        ran.stderr
    );
    assert_eq!(binary(&folder.path, &["src"], &[]).code, 0);
}

#[test]
fn files_that_cannot_be_read_are_named_once_and_strict_fails() {
    let folder = Folder::with(&[("a.rs", CHARGE)]);
    folder.write("latin.rs", b"// caf\xe9\n\nfn f() { mark_error() }\n");
    let big = std::fs::File::create(folder.join("big.rs")).unwrap();
    big.set_len(50_000_000).unwrap();
    let ran = with_marks(&folder.path, &["--format", "json"]);
    assert_eq!(ran.code, 1);
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        json["errors"],
        serde_json::json!([
            {"file": "big.rs", "message": "is larger than 8 MB; raise max-file-size to analyse it"},
            {"file": "latin.rs", "line": 1, "message": "is not UTF-8; save it as UTF-8 or exclude it"},
        ])
    );
    assert_eq!(json["summary"]["unparsed"], 2);
    assert!(ran.stderr.contains("warning: latin.rs:1: is not UTF-8"), "{}", ran.stderr);
    assert_eq!(with_marks(&folder.path, &["--strict"]).code, 2);
}

#[test]
fn strict_fails_where_the_analysis_was_cut_short() {
    let folder = Folder::with(&[
        ("Cargo.toml", "[package]\nname = \"a\"\n"),
        ("src/lib.rs", "fn f() { mark_cut() }\n"),
        ("src/other.rs", "fn g() {}\n"),
        ("src/whole.rs", "fn h() { mark_note() }\n"),
    ]);
    assert_eq!(with_marks(&folder.path, &[]).code, 0);
    let ran = with_marks(&folder.path, &["--strict"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.ends_with("error: --strict: not all code was analysed: 1 entry point cut short\n"),
        "{}",
        ran.stderr
    );
    let ran = with_marks(&folder.path, &["--strict", "src/whole.rs"]);
    assert_eq!(ran.code, 0, "what is only followed through was not asked for: {}", ran.stderr);
    folder.write("src/lib.rs", "fn f() { mark_unnamed_cut(); mark_cut() }\n");
    folder.write("src/other.rs", "fn g( { mark_note }\n");
    let ran = with_marks(&folder.path, &["--strict"]);
    assert!(ran.stderr.contains("analysed: 1 problem above, 2 entry points cut short\n"), "{}", ran.stderr);
}

#[cfg(unix)]
#[test]
fn whoever_closes_the_pipe_gets_the_exit_code_all_the_same() {
    use std::process::{Command, Stdio};
    let folder = Folder::with(&[(
        "a.rs",
        "pub async fn charge(http: &reqwest::Client) {\n    \
         http.post(\"x\").header(\"Idempotency-Key\", uuid::Uuid::new_v4().to_string()).send().await;\n}\n",
    )]);
    for arguments in [&["check"][..], &["check", "--format", "json"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-samekey"));
        let mut started = command
            .args(arguments)
            .current_dir(&folder.path)
            .env_clear()
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        drop(started.stdout.take());
        assert_eq!(started.wait().unwrap().code(), Some(1), "{arguments:?}");
    }
}

#[cfg(unix)]
#[test]
fn symlinks_that_loop_or_leave_are_named() {
    let outside = Folder::with(&[("secret.rs", CHARGE)]);
    let folder = Folder::with(&[("src/a.rs", CHARGE)]);
    std::os::unix::fs::symlink("..", folder.join("src/up")).unwrap();
    std::os::unix::fs::symlink("self.rs", folder.join("src/self.rs")).unwrap();
    std::os::unix::fs::symlink(&outside.path, folder.join("src/out")).unwrap();
    std::os::unix::fs::symlink("a.rs", folder.join("src/b.rs")).unwrap();
    let ran = with_marks(&folder.path, &["--format", "concise"]);
    assert_eq!(ran.stdout.lines().count(), 1, "{}", ran.stdout);
    for expected in [
        "warning: src/out: is a symlink that leaves the analysed folder\n",
        "warning: src/self.rs: is a symlink that leads nowhere or in a circle\n",
        "warning: src/up: is a symlink to a folder that contains it\n",
    ] {
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
    assert_eq!(ran.code, 1);
}

#[cfg(unix)]
#[test]
fn a_pipe_or_an_unreadable_file_does_not_stop_the_run() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with(&[("a.rs", CHARGE), ("locked.rs", CHARGE)]);
    std::fs::set_permissions(folder.join("locked.rs"), std::fs::Permissions::from_mode(0o0)).unwrap();
    let ran = with_marks(&folder.path, &["--format", "concise", "/dev/null", "a.rs", "locked.rs"]);
    assert!(ran.stderr.contains("error: /dev/null: is neither a file nor a folder\n"), "{}", ran.stderr);
    // Root reads everything.
    if std::fs::read(folder.join("locked.rs")).is_err() {
        assert!(ran.stderr.contains("locked.rs: cannot be read: permission denied\n"), "{}", ran.stderr);
    }
    assert_eq!(ran.code, 2);
    assert!(ran.stdout.contains("a.rs:3:5: error"), "{}", ran.stdout);
}

#[test]
fn a_broken_manifest_is_one_message_and_its_files_are_analysed() {
    let folder = Folder::with(&[("Cargo.toml", "[package\nname = 1"), ("src/lib.rs", CHARGE)]);
    let ran = with_marks(&folder.path, &["--format", "concise"]);
    assert_eq!(ran.code, 1);
    assert_eq!(ran.stderr.matches("Cargo.toml").count(), 1, "{}", ran.stderr);
    assert!(ran.stderr.starts_with("warning: Cargo.toml:1: is not a valid manifest"), "{}", ran.stderr);
    assert!(ran.stdout.starts_with("src/lib.rs:3:5"), "{}", ran.stdout);
}

#[test]
fn a_bad_configuration_shows_the_place_and_stops() {
    let folder = Folder::with(&[("a.rs", CHARGE), ("samekey.toml", "[rules]\nuid-in-key = \"off\"\n")]);
    let ran = with_marks(&folder.path, &[]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("unknown rule `uid-in-key`"), "{}", ran.stderr);
    assert!(ran.stderr.contains("samekey.toml:2:1"), "{}", ran.stderr);
    assert!(ran.stderr.contains("did you mean `uuid-in-key`?"), "{}", ran.stderr);
    let missing = with_marks(&folder.path, &["--config", "other.toml"]);
    assert_eq!(missing.code, 2);
    assert!(missing.stderr.contains("cannot be read: no such file"), "{}", missing.stderr);
}

#[test]
fn the_configuration_counts_from_a_file_and_from_a_manifest() {
    let off = "[rules]\nuuid-in-key = \"off\"\n";
    let folder = Folder::with(&[("a/a.rs", CHARGE), ("samekey.toml", off)]);
    assert_eq!(with_marks(&folder.path, &["a"]).code, 0);
    let manifest =
        "[workspace]\nmembers = [\"m\"]\n[workspace.metadata.samekey]\nexclude = [\"m/src/lib.rs\"]\n";
    let folder = Folder::with(&[
        ("Cargo.toml", manifest),
        ("m/Cargo.toml", "[package]\nname = \"m\"\nedition = \"2024\""),
        ("m/src/lib.rs", CHARGE),
        ("m/src/main.rs", CHARGE),
    ]);
    let ran = with_marks(&folder.path, &["--format", "concise"]);
    assert!(ran.stdout.starts_with("m/src/main.rs:3:5"), "{}", ran.stdout);
    assert_eq!(ran.stdout.lines().count(), 1);
}

#[test]
fn colours_follow_the_environment() {
    let folder = Folder::with(&[("samekey.toml", "x = 1\n"), ("a.rs", CHARGE)]);
    let colored =
        |environment: &[(&str, &str)]| binary(&folder.path, &[], environment).stderr.contains('\u{1b}');
    assert!(!colored(&[]));
    assert!(colored(&[("CARGO_TERM_COLOR", "always")]));
    assert!(!colored(&[("CARGO_TERM_COLOR", "always"), ("NO_COLOR", "1")]));
}

#[test]
fn file_names_cannot_command_a_terminal() {
    let folder = Folder::new();
    if cfg!(unix) {
        folder.write("a\u{1b}[31m.rs", CHARGE);
        for format in ["human", "concise"] {
            let ran = with_marks(&folder.path, &["--format", format]);
            assert!(
                !ran.stdout.contains('\u{1b}') && ran.stdout.contains("\\u{1b}[31m.rs"),
                "{}",
                ran.stdout
            );
        }
    }
}

#[test]
fn generated_vendored_test_and_example_code() {
    let folder = Folder::with(&[
        ("Cargo.toml", "[package]\nname = \"p\"\nedition = \"2021\""),
        ("src/lib.rs", "#[cfg(test)]\nmod checks;\nmod made;\nfn f() {}\n"),
        ("src/checks.rs", CHARGE),
        ("src/made.rs", &format!("// @generated by a tool\n{CHARGE}")),
        ("tests/it.rs", CHARGE),
        ("examples/show.rs", CHARGE),
        ("vendor/x/src/lib.rs", CHARGE),
    ]);
    let ran = with_marks(&folder.path, &["--format", "concise", "--fail-on", "note"]);
    assert_eq!(ran.stdout.lines().count(), 1, "{}", ran.stdout);
    assert!(ran.stdout.starts_with("examples/show.rs:3:5: note"), "{}", ran.stdout);
    let ran = with_marks(&folder.path, &["--format", "concise", "--include-tests"]);
    let files: Vec<&str> = ran.stdout.lines().filter_map(|line| line.split(':').next()).collect();
    assert_eq!(files, ["src/checks.rs", "tests/it.rs"]);
}

#[test]
fn the_same_results_with_everything_loaded() {
    let folder = Folder::with(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"*\"]"),
        ("app/Cargo.toml", "[package]\nname = \"app\"\n[dependencies]\nlow = { path = \"../low\" }"),
        ("app/src/main.rs", CHARGE),
        ("low/Cargo.toml", "[package]\nname = \"low\""),
        ("low/src/lib.rs", "pub fn f() {}"),
        ("other/Cargo.toml", "[package]\nname = \"other\""),
        ("other/src/lib.rs", "pub fn g() {}"),
    ]);
    let narrow = with_marks(&folder.path, &["--format", "json"]);
    let all = with_marks(&folder.path, &["--format", "json", "--load-all"]);
    assert_eq!(narrow.stdout, all.stdout);
    assert_eq!(narrow.code, 1);
}

/// What no parser may be given as it stands.
fn hostile() -> Vec<(&'static str, String)> {
    let many = |text: &str, count: usize| text.repeat(count);
    vec![
        ("parentheses.rs", format!("fn f() {{ let x = {}1{}; }}\n", many("(", 10_000), many(")", 10_000))),
        ("generics.rs", format!("type T = {}u8{};\n", many("Vec<", 10_000), many(">", 10_000))),
        ("prefix.rs", format!("fn f() {{ let x = {}1; }}\n", many("!-*&", 10_000))),
        ("blocks.rs", format!("fn f() {{ {}{} }}\n", many("{", 10_000), many("}", 10_000))),
        ("unclosed.rs", many("([{<", 5_000)),
        ("chain.rs", format!("fn f() {{ let x = a{}; }}\n", many(".b()", 20_000))),
        ("sum.rs", format!("fn f() {{ let x = 1{}; }}\n", many(" + 1", 20_000))),
        ("else.rs", format!("fn f() {{ if a {{}} {} }}\n", many("else if a {} ", 5_000))),
        ("syntax.rs", "fn good() { mark_note() }\nfn bad( {\nfn other() {}\n".to_owned()),
    ]
}

#[test]
fn hostile_files_neither_crash_nor_hide_the_others() {
    for (name, text) in hostile() {
        let folder = Folder::with(&[("a.rs", CHARGE)]);
        folder.write(name, format!("// mark_\n{text}"));
        let ran = with_marks(&folder.path, &["--format", "concise", "--load-all"]);
        assert_eq!(ran.code, 1, "{name}: {}", ran.stderr);
        assert!(ran.stdout.contains("a.rs:3:5: error"), "{name}");
        assert!(ran.stderr.lines().count() <= 22, "{name}: {}", ran.stderr);
    }
}
