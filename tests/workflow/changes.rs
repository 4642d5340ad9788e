//! Findings that touch a change.

use std::process::Command;

use crate::support::{Folder, Ran, binary, with_marks};
use crate::tools::{CHARGE, commit, git, json};

fn concise(folder: &Folder, arguments: &[&str]) -> Ran {
    with_marks(&folder.path, &[&["--format", "concise"][..], arguments].concat())
}

/// The places of the findings since a revision.
fn since(folder: &Folder, revision: &str) -> Vec<String> {
    let ran = concise(folder, &["--since", revision]);
    assert!(ran.code < 2, "{}", ran.stderr);
    ran.stdout.lines().map(|line| line.split(": ").next().unwrap().to_owned()).collect()
}

#[test]
fn only_flows_that_touch_the_change_are_reported() {
    let two = "fn f() {\n    mark_error();\n}\nfn g() {\n    a();\n    mark_error();\n}\n";
    let folder = Folder::with(&[("src/a.rs", CHARGE), ("src/b.rs", two)]);
    let first = commit(&folder.path);
    folder.write("src/b.rs", two.replace("    a();\n    mark_error();", "    a();\n    mark_error(1);"));
    assert_eq!(since(&folder, &first), ["src/b.rs:6:5"]);
    let ran = concise(&folder, &["--since", "HEAD"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.ends_with(", 2 outside of the change\n"), "{}", ran.stderr);
    let report = json(&with_marks(&folder.path, &["--format", "json", "--since", "HEAD"]).stdout);
    assert_eq!(report["summary"]["unchanged"], 2);
}

/// The source is a step of the path.
#[test]
fn a_changed_step_counts_and_so_does_a_removed_line_beside_it() {
    let folder = Folder::with(&[(
        "a.rs",
        "fn charge() {\n    let old = 1;\n    let id = Uuid::new_v4();\n    x();\n    y();\n    mark_error(id);\n}\n",
    )]);
    commit(&folder.path);
    let change = |text: &str| {
        folder.write("a.rs", text);
        since(&folder, "HEAD").len()
    };
    assert_eq!(
        change(
            "fn charge() {\n    let old = 1;\n    let id = Uuid::new_v4(); // now\n    x();\n    y();\n    mark_error(id);\n}\n"
        ),
        1
    );
    assert_eq!(
        change("fn charge() {\n    let id = Uuid::new_v4();\n    x();\n    y();\n    mark_error(id);\n}\n"),
        1
    );
    assert_eq!(
        change(
            "// top\nfn charge() {\n    let old = 1;\n    let id = Uuid::new_v4();\n    x();\n    y();\n    mark_error(id);\n}\n"
        ),
        0
    );
}

#[test]
fn new_files_and_renamed_files() {
    let long: String = (0..40).map(|number| format!("fn f{number}() {{}}\n")).collect();
    let folder = Folder::with(&[("src/old.rs", &format!("{long}{CHARGE}"))]);
    commit(&folder.path);
    git(&folder.path, &["mv", "src/old.rs", "src/new name é.rs"]);
    assert_eq!(since(&folder, "HEAD").len(), 0, "a renamed file has not changed");
    folder.write("src/new name é.rs", format!("{long}{CHARGE}fn more() {{ mark_error() }}\n"));
    git(&folder.path, &["add", "-A"]);
    assert_eq!(since(&folder, "HEAD"), ["src/new name é.rs:45:13"]);
    folder.write("src/untracked.rs", CHARGE);
    assert_eq!(since(&folder, "HEAD").len(), 2);
    folder.write(".gitignore", "untracked.rs\n");
    assert_eq!(since(&folder, "HEAD").len(), 1);
}

#[test]
fn since_a_branch_means_since_it_was_left() {
    let folder = Folder::with(&[("a.rs", CHARGE), ("b.rs", "fn f() {}\n")]);
    commit(&folder.path);
    git(&folder.path, &["checkout", "-q", "-b", "topic"]);
    folder.write("b.rs", "fn f() {}\nfn g() { mark_error() }\n");
    commit(&folder.path);
    git(&folder.path, &["checkout", "-q", "-"]);
    folder.write("a.rs", CHARGE.replace("mark_error(id)", "mark_error(id, 1)"));
    commit(&folder.path);
    git(&folder.path, &["checkout", "-q", "topic"]);
    assert_eq!(since(&folder, "@{-1}"), ["b.rs:2:10"]);
}

#[test]
fn staged_lines_only_also_when_the_file_has_later_edits() {
    let folder = Folder::with(&[("a.rs", "fn f() {\n    mark_error();\n}\n")]);
    commit(&folder.path);
    folder.write("a.rs", "fn f() {\n    mark_error();\n}\nfn g() {\n    mark_error();\n}\n");
    git(&folder.path, &["add", "-A"]);
    let staged = || {
        let ran = concise(&folder, &["--staged"]);
        ran.stdout.lines().map(|line| line.split(": ").next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(staged(), ["a.rs:5:5"]);
    folder.write("a.rs", "// new\n// lines\nfn f() {\n    mark_error();\n}\nfn g() {\n    mark_error();\n}\nfn h() { mark_error() }\n");
    assert_eq!(staged(), ["a.rs:7:5"]);
    assert_eq!(since(&folder, "HEAD").len(), 2);
}

/// The first commit of a repository is checked too.
#[test]
fn staged_without_any_commit() {
    let folder = Folder::with(&[("a.rs", CHARGE)]);
    git(&folder.path, &["init", "-q"]);
    git(&folder.path, &["add", "-A"]);
    assert_eq!(concise(&folder, &["--staged"]).stdout.lines().count(), 1);
    assert_eq!(concise(&folder, &["--since", "HEAD"]).code, 2);
}

#[test]
fn nothing_changed_is_clean_in_every_format() {
    let folder = Folder::with(&[("a.rs", CHARGE), ("readme.md", "x")]);
    commit(&folder.path);
    folder.write("readme.md", "y");
    for format in ["human", "concise", "json", "jsonl", "sarif", "github", "gitlab"] {
        let ran = with_marks(&folder.path, &["--format", format, "--since", "HEAD"]);
        assert_eq!(
            (ran.code, ran.stderr.as_str()),
            (0, "samekey: no source file changed, nothing to analyse\n")
        );
        match format {
            "json" => assert_eq!(json(&ran.stdout)["diagnostics"], serde_json::json!([])),
            "sarif" => assert_eq!(json(&ran.stdout)["runs"][0]["results"], serde_json::json!([])),
            _ => {}
        }
    }
    assert_eq!(concise(&folder, &["--staged"]).code, 0);
    assert_eq!(concise(&folder, &["--staged", "nowhere"]).code, 2);
}

#[test]
fn exceptions_that_the_change_adds_are_listed() {
    let code = "fn f() {\n    // samekey: ignore[uuid-in-key] -- old\n    mark_error();\n}\n";
    let config = "[[sanitizer]]\npath = \"old\"\n";
    let folder = Folder::with(&[("src/a.rs", code), ("samekey.toml", config)]);
    commit(&folder.path);
    folder.write(
        "src/a.rs",
        format!(
            "{code}fn g() {{\n    // samekey: ignore[uuid-in-key] -- sk_live_abc\n    mark_error();\n}}\n"
        ),
    );
    folder.write(
        "samekey.toml",
        format!("{config}\n[[sanitizer]]\npath = \"Store::claim\"\n\n[[path]]\nfiles = \"x\"\nlevel = \"off\"\nreason = \"y\"\n"),
    );
    let ran = concise(&folder, &["--since", "HEAD"]);
    assert_eq!(ran.code, 0);
    let lines: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!(
        lines[..4],
        [
            "samekey: the change adds 3 exceptions; see whether the reasons hold",
            "  samekey.toml:4  [[sanitizer]] path = \"Store::claim\"",
            "  samekey.toml:7  [[path]] files = \"x\" level = \"off\" reason = \"y\"",
            "  src/a.rs:6  // samekey: ignore[uuid-in-key] -- sk_live_***",
        ]
    );
    let report = json(&with_marks(&folder.path, &["--format", "json", "--since", "HEAD"]).stdout);
    assert_eq!(report["exceptions"][0]["kind"], "sanitizer");
    assert_eq!(report["exceptions"].as_array().unwrap().len(), 3);
    // Only the configuration changed: nothing is analysed, and it is listed all the same.
    git(&folder.path, &["checkout", "-q", "src/a.rs"]);
    let ran = concise(&folder, &["--since", "HEAD"]);
    assert!(
        ran.stderr.contains("adds 2 exceptions") && ran.stderr.contains("nothing to analyse"),
        "{}",
        ran.stderr
    );
}

#[test]
fn what_git_cannot_tell_is_one_message_with_the_remedy() {
    let outside = Folder::with(&[("a.rs", CHARGE)]);
    let environment = [("PATH", std::env::var("PATH").unwrap_or_default())];
    let environment: Vec<(&str, &str)> =
        environment.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let run = |folder: &Folder, arguments: &[&str]| {
        let ran = binary(&folder.path, arguments, &environment);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{arguments:?}");
        assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
        ran.stderr
    };
    assert_eq!(
        run(&outside, &["--staged"]),
        "error: this is not a git repository; --since and --staged need one\n"
    );
    let inside = Folder::with(&[("a.rs", CHARGE)]);
    commit(&inside.path);
    for revision in ["nowhere", "--output=x", "HEAD:a.rs"] {
        let argument = format!("--since={revision}");
        let message = run(&inside, &[&argument]);
        assert!(
            message.starts_with(&format!("error: git knows no commit `{revision}`; name a branch")),
            "{message}"
        );
    }
    for (revision, expected) in [
        ("", "error: --since names no revision: `` is not complete; is the variable"),
        ("origin/", "error: --since names no revision: `origin/` is not complete; is the variable"),
        (
            "HEAD..main",
            "error: `HEAD..main` is a range; name where the change starts, such as `--since HEAD`",
        ),
        ("...main", "error: `...main` is a range; name where the change starts, such as `--since main`"),
    ] {
        let message = run(&inside, &["--since", revision]);
        assert!(message.starts_with(expected), "{message}");
    }
    let new = Folder::with(&[("a.rs", CHARGE)]);
    git(&new.path, &["init", "-q"]);
    let message = run(&new, &["--since", "HEAD"]);
    assert!(message.contains("nothing is committed here yet; --staged reports"), "{message}");
    let bare = Folder::new();
    git(&bare.path, &["init", "-q", "--bare"]);
    bare.write("a.rs", CHARGE);
    assert_eq!(run(&bare, &["--staged"]), "error: this git repository has no working tree; check one out\n");
    let without_git = binary(&inside.path, &["--staged"], &[("PATH", "/nowhere")]);
    assert_eq!(without_git.stderr, "error: `git` was not found; --since and --staged need it on the PATH\n");
    assert_eq!(without_git.code, 2);
    let both = binary(&inside.path, &["--staged", "--since", "HEAD"], &[]);
    assert_eq!(both.code, 2);
}

#[test]
fn a_shallow_clone_is_named() {
    let folder = Folder::with(&[("a.rs", CHARGE)]);
    let first = commit(&folder.path);
    commit(&folder.path);
    let clone = Folder::new();
    let url = format!("file://{}", folder.path.display());
    git(&clone.path, &["clone", "-q", "--depth", "1", &url, "it"]);
    let ran = with_marks(&clone.join("it"), &["--since", &first]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.contains("this clone is shallow; fetch the history with `git fetch --unshallow`"),
        "{}",
        ran.stderr
    );
}

/// The configuration of a repository names programs; none of them is started.
#[cfg(unix)]
#[test]
fn git_starts_no_program() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with(&[
        ("a.rs", CHARGE),
        (".gitattributes", "*.rs diff=evil filter=evil\nb.rs filter=e=v\n"),
        ("b.rs", "fn f() {}\n"),
    ]);
    commit(&folder.path);
    let marker = folder.join("started");
    let script = folder.join("evil.sh");
    folder.write("evil.sh", format!("#!/bin/sh\ntouch '{}'\ncat\n", marker.display()));
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let script = script.to_string_lossy().into_owned();
    for key in [
        "core.fsmonitor",
        "diff.external",
        "diff.evil.command",
        "diff.evil.textconv",
        "filter.evil.clean",
        "core.pager",
    ] {
        git(&folder.path, &["config", key, &script]);
    }
    git(&folder.path, &["config", "filter.evil.required", "true"]);
    folder.write("a.rs", CHARGE.replace("mark_error(id)", "mark_error(id, 1)"));
    folder.write("b.rs", "fn g() {}\n");
    let ran = concise(&folder, &["--since", "HEAD"]);
    assert_eq!((ran.code, ran.stdout.lines().count()), (1, 1), "{}", ran.stderr);
    concise(&folder, &["--staged"]);
    let ran = concise(&folder, &["--fix"]);
    assert!(ran.code == 2 && ran.stderr.contains("a.rs (dirty)"), "{}", ran.stderr);
    assert!(!marker.exists(), "a program of the configuration was started");
    // The trap works: git itself falls into it.
    Command::new("git").args(["diff", "--stat"]).current_dir(&folder.path).output().unwrap();
    assert!(marker.exists());
}

/// A hook is started with variables that say which repository and index are meant.
#[test]
fn works_as_a_hook() {
    let folder =
        Folder::with(&[("sub/Cargo.toml", "[package]\nname = \"p\"\n"), ("sub/src/lib.rs", "fn f() {}\n")]);
    commit(&folder.path);
    folder.write("sub/src/lib.rs", "fn f() {}\n// samekey: ignore\nfn g() {}\n");
    git(&folder.path, &["add", "-A"]);
    let path = std::env::var("PATH").unwrap_or_default();
    let environment = [("GIT_DIR", ".git"), ("GIT_INDEX_FILE", ".git/index"), ("PATH", path.as_str())];
    let arguments = ["check", "sub", "--staged", "--fail-on", "warning", "--format", "concise"];
    let ran = binary(&folder.path, &arguments, &environment);
    assert_eq!((ran.code, ran.stdout.lines().count()), (1, 1), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn how_git_is_set_up_does_not_matter() {
    let folder = Folder::with(&[("sub/é a.rs", CHARGE), ("sub/b.rs", "fn f() {}\n")]);
    commit(&folder.path);
    for (key, value) in [
        ("diff.noprefix", "true"),
        ("diff.mnemonicPrefix", "true"),
        ("diff.relative", "true"),
        ("diff.renames", "false"),
        ("diff.context", "9"),
        ("color.ui", "always"),
        ("core.quotePath", "true"),
        ("status.relativePaths", "true"),
    ] {
        git(&folder.path, &["config", key, value]);
    }
    folder.write("sub/é a.rs", format!("{CHARGE}fn more() {{ mark_error() }}\n"));
    folder.write("new.rs", "fn z() { mark_error() }\n");
    let expected = ["new.rs:1:10", "sub/é a.rs:5:13"];
    assert_eq!(since(&folder, "HEAD"), expected);
    git(&folder.path, &["add", "-A"]);
    let ran = with_marks(&folder.join("sub"), &["--format", "concise", "--staged"]);
    assert_eq!(ran.stdout.lines().count(), 1, "{}", ran.stdout);
    assert!(ran.stdout.starts_with("é a.rs:5:13: "), "{}", ran.stdout);
    git(&folder.path, &["mv", "sub/é a.rs", "sub/c.rs"]);
    assert_eq!(since(&folder, "HEAD"), ["new.rs:1:10", "sub/c.rs:5:13"]);
}

/// The repository that is meant is the one that holds what was named, not the one around the current folder.
#[test]
fn what_is_named_may_lie_in_another_repository() {
    let outer = Folder::with(&[("src/a.rs", "fn f() {}\n"), ("inner/src/b.rs", "fn g() {}\n")]);
    commit(&outer.join("inner"));
    outer.write("inner/src/b.rs", "fn g() { mark_error() }\n");
    let ran = with_marks(&outer.path, &["inner", "--since", "HEAD", "--format", "concise"]);
    assert_eq!((ran.code, ran.stdout.lines().count()), (1, 1), "{}", ran.stderr);
    let refused = with_marks(&outer.path, &["inner", "--fix"]);
    assert!(refused.stderr.contains("src/b.rs (dirty)"), "{}", refused.stderr);
}

/// Attributes may keep a file out of the diffs that people see; its flows change all the same.
#[test]
fn files_without_a_readable_diff_are_seen() {
    let folder = Folder::with(&[("a.rs", CHARGE), (".gitattributes", "*.rs -diff\n")]);
    commit(&folder.path);
    folder.write("a.rs", format!("{CHARGE}fn more() {{ mark_error() }}\n"));
    assert_eq!(since(&folder, "HEAD"), ["a.rs:5:13"]);
    git(&folder.path, &["add", "-A"]);
    let ran = concise(&folder, &["--staged"]);
    assert_eq!((ran.code, ran.stdout.lines().count()), (1, 1), "{}", ran.stderr);
}
