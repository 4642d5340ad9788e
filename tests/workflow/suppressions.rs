//! Exceptions in the code and in the configuration.

use crate::support::{Folder, binary, with_marks};
use crate::tools::json;

fn concise(folder: &Folder, arguments: &[&str]) -> (i32, Vec<String>, String) {
    let ran = with_marks(&folder.path, &[&["--format", "concise"][..], arguments].concat());
    (ran.code, ran.stdout.lines().map(str::to_owned).collect(), ran.stderr)
}

#[test]
fn a_comment_above_beside_or_above_the_item() {
    for text in [
        "fn f() {\n    // samekey: ignore[uuid-in-key] -- stored before\n    client.key(\n        mark_error(),\n    );\n}\n",
        "fn f() {\n    mark_error(); // samekey: ignore[SK001] -- stored before\n}\n",
        "// samekey: ignore[uuid-in-key, clock-in-key] -- stored before\n#[inline]\npub fn f() {\n    a();\n    mark_error();\n}\n",
    ] {
        let folder = Folder::with(&[("a.rs", text)]);
        let (code, lines, stderr) = concise(&folder, &["-A", "clock-in-key"]);
        assert_eq!((code, lines.len()), (0, 0), "{text}: {lines:?}");
        assert_eq!(stderr, "samekey: 1 file, 1 key, 0 findings, 0 notes, 0 not analysed, 1 suppressed\n");
    }
}

#[test]
fn what_does_not_suppress() {
    for text in [
        "fn f() {\n    // samekey: ignore[clock-in-key] -- another rule\n    mark_error();\n}\n",
        "fn f() {\n    // samekey: ignore[uuid-in-key] -- only this\n    a();\n    mark_error();\n}\n",
        "fn f() {\n    let a = \"\n // samekey: ignore[uuid-in-key] -- a string\n\"; mark_error();\n}\n",
        "/// samekey: ignore[uuid-in-key] -- documentation\nfn f() {\n    mark_error();\n}\n",
        "fn f() {\n    // samekey: ignore[uuid-in-key]\n    mark_error();\n}\n",
        "fn f() {\n    // samekey: ignore\n    mark_error();\n}\n",
    ] {
        let folder = Folder::with(&[("a.rs", text)]);
        let (code, lines, _) = concise(&folder, &[]);
        assert_eq!(code, 1, "{text}");
        assert_eq!(lines.iter().filter(|line| line.contains("error[uuid-in-key]")).count(), 1, "{lines:?}");
    }
}

#[test]
fn bad_ones_are_findings() {
    for (comment, finding) in [
        ("samekey: ignore", "warning[invalid-suppression] this suppression names no rule: it has no effect"),
        (
            "samekey: ignore[uuid-in-key]",
            "warning[invalid-suppression] this suppression gives no reason: it has no effect",
        ),
        (
            "samekey: ignore[uid-in-key] -- x",
            "warning[invalid-suppression] unknown rule `uid-in-key` in this suppression",
        ),
        (
            "samekey: disable[uuid-in-key] -- x",
            "warning[invalid-suppression] `disable` is not a word that samekey knows: the comment has no effect",
        ),
        (
            "samekey: ignore[uuid-in-key] -- x",
            "warning[unused-suppression] no `uuid-in-key` is reported here: this suppression is not needed",
        ),
        (
            "Samekey-Ignore[uuid-in-key] -- x",
            "warning[invalid-suppression] a suppression starts with `samekey: ignore`: this comment has no effect",
        ),
        (
            "/ samekey: ignore[uuid-in-key] -- x",
            "warning[invalid-suppression] this suppression is part of the documentation: it has no effect",
        ),
    ] {
        let comment =
            comment.strip_prefix('/').map_or_else(|| format!(" {comment}"), |doc| format!("/{doc}"));
        // No key is in the file: what is not needed any more must show.
        let folder = Folder::with(&[("a.rs", &format!("fn f() {{\n    //{comment}\n    a();\n}}\n"))]);
        let (code, lines, _) = concise(&folder, &[]);
        assert_eq!(lines, [format!("a.rs:2:5: {finding}")]);
        assert_eq!(code, 0);
        assert_eq!(concise(&folder, &["--fail-on", "warning"]).0, 1);
    }
}

#[test]
fn a_rule_that_is_off_and_test_code_need_no_comment_and_do_not_miss_one() {
    let text = "fn f() {\n    // samekey: ignore[uuid-in-key] -- x\n    a();\n}\n#[cfg(test)]\nmod tests {\n    // samekey: ignore[clock-in-key] -- x\n    fn t() {}\n}\n";
    let folder = Folder::with(&[("a.rs", text)]);
    assert_eq!(concise(&folder, &["-A", "uuid-in-key"]).1.len(), 0);
    assert_eq!(concise(&folder, &[]).1.len(), 1);
}

#[test]
fn a_comment_at_the_source_is_told_where_it_belongs() {
    let text = "fn f() {\n    // samekey: ignore[uuid-in-key] -- x\n    let id = Uuid::new_v4();\n    mark_error(id);\n}\n";
    let folder = Folder::with(&[("a.rs", text)]);
    let ran = with_marks(&folder.path, &["--format", "json"]);
    let report = json(&ran.stdout);
    let unused =
        report["diagnostics"].as_array().unwrap().iter().find(|found| found["rule"] == "unused-suppression");
    assert_eq!(unused.unwrap()["help"], "move it to where the key is: the finding is reported at a.rs:4");
    assert_eq!(ran.code, 1);
}

#[test]
fn suppressing_one_does_not_rename_the_others() {
    let prints = |text: &str| -> Vec<String> {
        let folder = Folder::with(&[("a.rs", text)]);
        let report = json(&with_marks(&folder.path, &["--format", "json"]).stdout);
        let found = report["diagnostics"].as_array().unwrap().iter();
        found.map(|found| found["fingerprint"].as_str().unwrap().to_owned()).collect()
    };
    let both = prints("fn f() {\n    mark_error();\n    mark_error();\n}\n");
    let second = prints(
        "fn f() {\n    // samekey: ignore[uuid-in-key] -- x\n    mark_error();\n    mark_error();\n}\n",
    );
    assert_eq!(second, both[1..]);
}

#[test]
fn suppressed_findings_are_in_no_format() {
    let text = "fn f() {\n    // samekey: ignore[uuid-in-key] -- x\n    mark_error();\n}\n";
    let folder = Folder::with(&[("a.rs", text)]);
    let sarif = json(&with_marks(&folder.path, &["--format", "sarif"]).stdout);
    assert_eq!(sarif["runs"][0]["results"], serde_json::json!([]));
    let report = json(&with_marks(&folder.path, &["--format", "json"]).stdout);
    assert_eq!(
        (&report["diagnostics"], &report["summary"]["suppressed"]),
        (&serde_json::json!([]), &1.into())
    );
}

#[test]
fn a_path_in_the_configuration_counts_as_suppressed() {
    let config =
        "[[path]]\nfiles = [\"load/**\"]\nrules = { uuid-in-key = \"off\" }\nreason = \"load tests\"\n";
    let folder = Folder::with(&[("load/a.rs", "fn f() { mark_error() }"), ("samekey.toml", config)]);
    let (code, lines, stderr) = concise(&folder, &[]);
    assert_eq!((code, lines.len()), (0, 0));
    assert_eq!(stderr, "samekey: 1 file, 1 key, 0 findings, 0 notes, 0 not analysed, 1 suppressed\n");
    folder.write(
        "samekey.toml",
        format!("{config}\n[[path]]\nfiles = [\"old/**\"]\nlevel = \"off\"\nreason = \"gone\"\n"),
    );
    let (code, _, stderr) = concise(&folder, &[]);
    assert_eq!(code, 0);
    let message =
        "warning: samekey.toml:6: this [[path]] table turns off findings that are not there; remove it\n";
    assert!(stderr.starts_with(message), "{stderr}");
    let (_, _, stderr) = concise(&folder, &["load"]);
    assert!(!stderr.contains("[[path]]"), "{stderr}");
}

#[test]
fn the_levels_of_these_rules_can_be_set() {
    let config = "[rules]\nunused-suppression = \"error\"\n";
    let text = "// samekey: ignore[uuid-in-key] -- x\nfn f() {}\n";
    let folder = Folder::with(&[("a.rs", text), ("samekey.toml", config)]);
    let ran = binary(&folder.path, &["--format", "concise"], &[]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stdout.starts_with("a.rs:1:1: error[unused-suppression]"), "{}", ran.stdout);
}
