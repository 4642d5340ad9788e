//! Completions and manual pages.

use std::path::Path;
use std::process::Command;

use super::support::{Folder, binary};

fn printed(arguments: &[&str]) -> String {
    let ran = binary(Path::new("."), arguments, &[]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{arguments:?}");
    ran.stdout
}

#[test]
fn every_shell_has_completions() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = printed(&["completions", shell]);
        for word in ["cargo-samekey", "explain", "fail-on", "staged"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    let ran = binary(Path::new("."), &["completions", "tcsh"], &[]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("possible values: bash"), "{}", ran.stderr);
}

/// What bash offers for a line, as it would ask: the words, and the number of the one that is completed.
fn offered(words: &[&str], before: &str) -> Vec<String> {
    let script = printed(&["completions", "bash"]);
    let program = if words[0] == "cargo" { "cargo" } else { "cargo-samekey" };
    let line = words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" ");
    let ask = format!(
        "{before}\n{script}\n\
         COMP_WORDS=({line}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); COMPREPLY=()\n\
         spec=\"$(complete -p {program})\"; [[ $spec =~ -F\\ ([^ ]+) ]]\n\
         \"${{BASH_REMATCH[1]}}\" {program} \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\"\n\
         printf '%s\\n' \"${{COMPREPLY[@]}}\"\n"
    );
    let output = Command::new("bash").args(["--noprofile", "--norc", "-c", &ask]).output().unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn bash_completes_the_program_and_the_command_of_cargo() {
    for words in [&["cargo-samekey", "expl"][..], &["cargo", "samekey", "expl"]] {
        assert_eq!(offered(words, ""), ["explain"], "{words:?}");
    }
    for words in
        [&["cargo-samekey", "check", "--fail-on", ""][..], &["cargo", "samekey", "check", "--fail-on", ""]]
    {
        assert_eq!(offered(words, ""), ["error", "warning", "note"], "{words:?}");
    }
}

#[test]
fn bash_leaves_the_rest_of_cargo_as_it_was() {
    let cargo = "_cargo() { COMPREPLY=(\"as before: $*\"); }; complete -F _cargo cargo";
    assert_eq!(offered(&["cargo", "buil"], cargo), ["as before: cargo buil cargo"]);
    assert_eq!(offered(&["cargo", "same"], ""), ["samekey"]);
}

#[test]
fn manual_pages_follow_from_the_definition() {
    let page = printed(&["man"]);
    assert!(page.contains(".TH cargo-samekey 1"), "{page}");
    for word in ["Exit codes", "cargo\\-samekey\\-check(1)", env!("CARGO_PKG_VERSION")] {
        assert!(page.contains(word), "{word}: {page}");
    }
    let check = printed(&["man", "check"]);
    assert!(check.contains(".TH cargo-samekey-check 1"), "{check}");
    assert!(check.contains("cargo samekey check"), "{check}");
    assert!(check.contains("\\-\\-fail\\-on"), "{check}");
}

#[test]
fn all_manual_pages_go_to_a_folder() {
    let folder = Folder::new();
    let ran = binary(&folder.path, &["man", "--output", "share/man1"], &[]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
    let mut pages: Vec<String> = std::fs::read_dir(folder.join("share/man1"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    pages.sort();
    let commands = [
        "baseline",
        "check",
        "completions",
        "config",
        "explain",
        "init",
        "keys",
        "lsp",
        "man",
        "rules",
        "schema",
    ];
    let mut expected = vec!["cargo-samekey.1".to_owned()];
    expected.extend(commands.iter().map(|command| format!("cargo-samekey-{command}.1")));
    expected.sort();
    assert_eq!(pages, expected);
}

#[test]
fn a_page_of_no_command_is_a_mistake() {
    let ran = binary(Path::new("."), &["man", "chek"], &[]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("unknown command `chek`; did you mean `check`?"), "{}", ran.stderr);
    let folder = Folder::with(&[("file", "")]);
    let ran = binary(&folder.path, &["man", "--output", "file"], &[]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("cannot be written"), "{}", ran.stderr);
}
