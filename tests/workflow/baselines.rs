//! A baseline that only shrinks.

use crate::support::{Folder, Ran, with_marks};
use crate::tools::{CHARGE, closed, committed, json, violations};

const FILE: &str = "samekey-baseline.json";

fn baseline(folder: &Folder) -> Ran {
    with_marks(&folder.path, &["baseline"])
}

fn check(folder: &Folder) -> Ran {
    with_marks(&folder.path, &["--format", "concise", "--baseline", FILE])
}

fn text(folder: &Folder) -> String {
    std::fs::read_to_string(folder.join(FILE)).unwrap()
}

#[test]
fn hides_what_it_knows_and_reports_the_rest() {
    let folder = Folder::with(&[("src/a.rs", CHARGE)]);
    let written = baseline(&folder);
    assert_eq!((written.code, written.stdout.as_str()), (0, ""), "{}", written.stderr);
    assert!(
        written.stderr.starts_with("samekey: samekey-baseline.json holds 1 finding;"),
        "{}",
        written.stderr
    );
    let schema = closed(json(&committed("docs/schema/baseline.json")));
    assert_eq!(violations(&schema, &json(&text(&folder))), [] as [String; 0]);
    let ran = check(&folder);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""));
    assert_eq!(
        ran.stderr,
        "samekey: 1 file, 1 key, 0 findings, 0 notes, 0 not analysed, 1 in the baseline\n"
    );
    folder.write("src/a.rs", format!("// moved\n\n{CHARGE}fn more() {{ mark_error() }}\n"));
    let ran = check(&folder);
    assert_eq!((ran.code, ran.stdout.lines().count()), (1, 1), "{}", ran.stdout);
    assert!(ran.stdout.starts_with("src/a.rs:7:13: error"), "{}", ran.stdout);
}

#[test]
fn only_shrinks_when_it_is_written_again() {
    let two = "fn f() {\n    mark_error();\n}\nfn g() {\n    mark_error();\n}\n";
    let folder = Folder::with(&[("src/a.rs", CHARGE), ("src/b.rs", two)]);
    baseline(&folder);
    let before = text(&folder);
    assert_eq!(before.lines().count(), 5);
    assert_eq!(baseline(&folder).code, 0);
    assert_eq!(text(&folder), before, "deterministic");

    folder.write("src/b.rs", "fn f() {}\n");
    let stale = check(&folder);
    assert_eq!(stale.code, 0);
    assert!(
        stale.stderr.starts_with("warning: samekey-baseline.json: 2 findings in it not found any more;"),
        "{}",
        stale.stderr
    );
    assert!(stale.stderr.contains("\n  src/b.rs  uuid-in-key\n"), "{}", stale.stderr);
    let report = json(&with_marks(&folder.path, &["--format", "json", "--baseline", FILE]).stdout);
    assert_eq!((&report["summary"]["stale"], report["stale"].as_array().unwrap().len()), (&2.into(), 2));

    assert_eq!(baseline(&folder).code, 0);
    let shrunk = text(&folder);
    assert!(shrunk.lines().count() == 3 && !shrunk.contains("src/b.rs"), "{shrunk}");

    folder.write("src/a.rs", format!("{CHARGE}{two}"));
    let again = baseline(&folder);
    assert_eq!(again.code, 1);
    assert!(again.stderr.contains("error: not in samekey-baseline.json: 2 findings;"), "{}", again.stderr);
    assert_eq!(text(&folder), shrunk);
}

#[test]
fn what_was_not_analysed_is_not_stale() {
    let folder = Folder::with(&[("src/a.rs", CHARGE), ("src/b.rs", "fn f() { mark_error() }\n")]);
    baseline(&folder);
    let ran = with_marks(&folder.path, &["src/a.rs", "--baseline", FILE, "--format", "concise"]);
    assert_eq!(ran.code, 0);
    assert!(!ran.stderr.contains("not found any more"), "{}", ran.stderr);
    let allowed = with_marks(&folder.path, &["--baseline", FILE, "-A", "uuid-in-key"]);
    assert!(!allowed.stderr.contains("not found any more"), "{}", allowed.stderr);
    std::fs::remove_file(folder.join("src/b.rs")).unwrap();
    assert!(check(&folder).stderr.contains("1 finding in it not found any more"));
}

#[test]
fn mistakes_are_one_message_with_the_remedy() {
    let folder = Folder::with(&[
        ("a.rs", CHARGE),
        ("bad.json", "{"),
        ("new.json", "{\"version\": 2, \"findings\": []}"),
    ]);
    for (file, message) in [
        (FILE, "error: samekey-baseline.json: no such file; `cargo samekey baseline` writes it\n"),
        ("x.json", "error: x.json: no such file; `cargo samekey baseline --output x.json` writes it\n"),
        ("bad.json", "error: bad.json is not a baseline (EOF"),
        ("new.json", "error: new.json is a baseline of version 2, this samekey reads version 1"),
    ] {
        let ran = with_marks(&folder.path, &["--baseline", file]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
        assert!(ran.stderr.starts_with(message), "{}", ran.stderr);
    }
    let refused = with_marks(&folder.path, &["baseline", "--output", "bad.json"]);
    assert_eq!(refused.code, 2);
    assert_eq!(std::fs::read_to_string(folder.join("bad.json")).unwrap(), "{");
    let nowhere = with_marks(&folder.path, &["baseline", "--output", "no/where.json"]);
    assert!(nowhere.stderr.contains("no/where.json cannot be written"), "{}", nowhere.stderr);
    assert_eq!(nowhere.code, 2);
}

#[test]
fn what_was_not_understood_is_not_dropped() {
    let folder = Folder::with(&[("src/a.rs", CHARGE), ("src/b.rs", "fn f() { mark_error() }\n")]);
    baseline(&folder);
    let before = text(&folder);
    for broken in [&b"fn f() { mark_error( }\n"[..], b"fn f() { mark_error() } // \xff\n"] {
        folder.write("src/b.rs", broken);
        assert!(!check(&folder).stderr.contains("not found any more"), "{}", check(&folder).stderr);
        baseline(&folder);
        assert_eq!(text(&folder), before);
    }
}

#[test]
fn nothing_is_written_for_a_path_that_does_not_exist() {
    let folder = Folder::with(&[("src/a.rs", CHARGE)]);
    let ran = with_marks(&folder.path, &["baseline", "sr"]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("error: sr: no such file or folder\n"), "{}", ran.stderr);
    assert!(ran.stderr.contains("samekey-baseline.json is not written\n"), "{}", ran.stderr);
    assert!(!folder.join(FILE).exists());
    let empty = Folder::with(&[("readme.md", "")]);
    assert_eq!((with_marks(&empty.path, &["baseline"]).code, empty.join(FILE).exists()), (3, false));
}
