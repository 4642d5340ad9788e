//! Any text as the one file of a package: a whole run of `check` ends with findings or without, in every format.

#![no_main]

use std::cell::OnceCell;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use cargo_samekey::cli::{CLEAN, FINDINGS, Terminal, run};
use cargo_samekey::rules::Rules;
use libfuzzer_sys::fuzz_target;

const MANIFEST: &str = "[package]\nname = \"pay\"\nedition = \"2024\"\n";
const CONFIG: &str = "[[source]]\npath = \"source\"\n[[sink]]\npath = \"sink\"\narg = 0\n";
const FORMATS: [&str; 7] = ["human", "concise", "json", "jsonl", "sarif", "github", "gitlab"];

thread_local! {
    static FOLDER: OnceCell<PathBuf> = const { OnceCell::new() };
}

fuzz_target!(|text: &str| {
    let folder = FOLDER.with(|folder| folder.get_or_init(folder_with_package).clone());
    fs::write(folder.join("src/lib.rs"), text).expect("the temporary folder takes a file");
    let format = FORMATS[text.len() % FORMATS.len()];
    let mut arguments = vec!["cargo-samekey", "check", "--jobs", "1", "--fail-on", "note", "--format", format];
    // Without it, bodies of functions wait until they are asked for.
    if text.len().is_multiple_of(2) {
        arguments.push("--load-all");
    }
    let mut stdout = Vec::new();
    let mut terminal = Terminal {
        stdout: Box::new(&mut stdout),
        stderr: Box::new(std::io::sink()),
        color: false,
        error_color: false,
        interactive: false,
        width: 80,
        current_dir: folder,
    };
    let code = run(arguments.into_iter().map(OsString::from), &Rules, &mut terminal);
    drop(terminal);
    assert!(code == CLEAN || code == FINDINGS, "exit code {code}");
    assert!(String::from_utf8(stdout).is_ok());
});

fn folder_with_package() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("samekey-fuzz-{}", std::process::id()));
    fs::create_dir_all(folder.join("src")).expect("a temporary folder can be made");
    fs::write(folder.join("Cargo.toml"), MANIFEST).expect("the temporary folder takes a file");
    fs::write(folder.join("samekey.toml"), CONFIG).expect("the temporary folder takes a file");
    folder
}
