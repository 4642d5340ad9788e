//! Keeps the documents true: commands run, outputs are real, files, links, tests and rules exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use cargo_samekey::config;
use cargo_samekey::driver::Analysis;
use cargo_samekey::rules::Rules;

const AT_ROOT: [&str; 4] = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"];

/// How the documents spell a run of the tool.
const TOOL: [&str; 2] = ["cargo run --release -- ", "cargo samekey "];

/// A block ```` ```console ```` is `$ command`, then lines of its output. `...` stands for lines that are left out.
///
/// With `SAMEKEY_BLESS=1` the blocks are written anew: as many paragraphs of the output as they hold now.
#[test]
fn shown_output_is_what_the_tool_prints() {
    let bless = std::env::var_os("SAMEKEY_BLESS").is_some();
    let mut wrong = Vec::new();
    for document in documents() {
        let mut text = document.text.clone();
        for block in blocks(&document, "console") {
            let (first, shown) = block.split_once('\n').unwrap_or((&block, ""));
            let Some(arguments) = first.strip_prefix("$ ").and_then(arguments_of) else {
                wrong.push(format!("{}: not a run of the tool: {first}", document.name));
                continue;
            };
            let output = run(&arguments);
            let printed = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
            if bless {
                text = text.replace(&block, &format!("{first}\n{}", beginning(&printed, shown)));
            } else if let Some(line) = first_missing(shown, &printed) {
                wrong.push(format!("{}: `{first}` does not print (there): {line}", document.name));
            }
        }
        if text != document.text {
            fs::write(&document.path, text).unwrap();
        }
    }
    assert_none(&wrong);
}

/// As many paragraphs from the start of the output as are shown now, or all when nothing is left out at the end.
fn beginning(printed: &str, shown: &str) -> String {
    let Some(shown) = shown.trim_end().strip_suffix("\n...") else { return printed.to_owned() };
    let count = shown.trim_end().split("\n\n").count();
    let paragraphs: Vec<&str> = printed.split("\n\n").take(count).collect();
    format!("{}\n...\n", paragraphs.join("\n\n").trim_end())
}

/// The first shown line that the output does not hold where it has to stand.
fn first_missing<'a>(shown: &'a str, printed: &str) -> Option<&'a str> {
    let printed: Vec<&str> = printed.lines().map(str::trim_end).collect();
    let mut next = 0;
    let mut gap = false;
    for line in shown.lines().map(str::trim_end) {
        if line == "..." {
            gap = true;
            continue;
        }
        let rest = printed.get(next..).unwrap_or_default();
        let found = if gap { rest.iter().position(|other| *other == line) } else { Some(0) };
        match found {
            Some(skipped) if rest.get(skipped) == Some(&line) => next += skipped + 1,
            _ => return Some(line),
        }
        gap = false;
    }
    None
}

/// A usage error would be exit code 2, an empty tree 3.
#[test]
fn shown_commands_run() {
    let mut wrong = Vec::new();
    let mut commands = BTreeSet::new();
    for document in documents() {
        for block in blocks(&document, "sh") {
            commands.extend(block.lines().filter_map(arguments_of));
        }
    }
    assert!(!commands.is_empty(), "no document shows how to run the tool");
    for arguments in commands {
        let output = run(&arguments);
        if !matches!(output.status.code(), Some(0 | 1)) {
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            wrong.push(format!("{}: {}: {message}", arguments.join(" "), output.status));
        }
    }
    assert_none(&wrong);
}

#[test]
fn shown_configuration_is_valid() {
    let mut checked = 0;
    let mut wrong = Vec::new();
    for document in documents() {
        for block in blocks(&document, "toml").iter().filter(|block| is_configuration(block)) {
            checked += 1;
            if config::parse(Path::new("samekey.toml"), block, &[], Rules.rules()).is_err() {
                wrong.push(format!("{}: not a valid configuration:\n{block}", document.name));
            }
        }
    }
    assert!(checked > 0, "no document shows a configuration");
    assert_none(&wrong);
}

fn is_configuration(block: &str) -> bool {
    ["[rules]", "[[path]]", "[[source]]", "[[sink]]"].iter().any(|table| block.contains(table))
}

#[test]
fn links_lead_somewhere() {
    let mut wrong = Vec::new();
    for document in documents() {
        let folder = document.path.parent().unwrap_or(root());
        for target in document.text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = target.split('#').next().unwrap_or_default();
            let elsewhere = file.is_empty() || file.contains("://") || file.contains(' ');
            if !elsewhere && !folder.join(file).exists() {
                wrong.push(format!("{}: no such file: {target}", document.name));
            }
        }
    }
    assert_none(&wrong);
}

/// `src/flow/`, `tests/cli`, `catalogue/data/*.toml`, `tests/cli.rs::colours_follow_the_environment`.
#[test]
fn named_files_and_tests_exist() {
    let mut wrong = Vec::new();
    let folders = [
        "src",
        "tests",
        "fixtures",
        "catalogue",
        "runtime",
        "macros",
        "docs",
        "interop",
        "benches",
        "fuzz",
        "packaging",
        ".ci",
        ".github",
    ];
    for document in documents() {
        for name in quoted(&document.text) {
            let is_path = folders.iter().any(|folder| name.starts_with(&format!("{folder}/")));
            if is_path && !name.contains([' ', '<', '{']) && !exists(name) {
                wrong.push(format!("{}: `{name}`", document.name));
            }
        }
    }
    assert_none(&wrong);
}

/// Inline code, fenced blocks left out.
fn quoted(text: &str) -> Vec<&str> {
    let prose = text.split("```").step_by(2);
    prose.flat_map(|part| part.split('`').skip(1).step_by(2)).collect()
}

fn exists(name: &str) -> bool {
    let (file, test) = name.split_once("::").map_or((name, None), |(file, test)| (file, Some(test)));
    let path = root().join(file);
    if let Some((folder, ending)) = file.split_once('*') {
        let folder = root().join(folder);
        return fs::read_dir(&folder).is_ok_and(|mut entries| {
            entries
                .any(|entry| entry.is_ok_and(|entry| entry.file_name().to_string_lossy().ends_with(ending)))
        });
    }
    match test {
        Some(test) => fs::read_to_string(path).is_ok_and(|text| text.contains(&format!("fn {test}("))),
        // A test target is a file or a folder.
        None => path.exists() || path.with_extension("rs").exists(),
    }
}

#[test]
fn the_code_map_is_complete() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let mut missing = Vec::new();
    for parent in ["src", "."] {
        for entry in fs::read_dir(root().join(parent)).unwrap().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let shown = if parent == "." { format!("`{name}/`") } else { format!("`{parent}/{name}/`") };
            let hidden = name.starts_with('.') || ["target", "src"].contains(&name.as_str());
            if entry.path().is_dir() && !hidden && !text.contains(&shown) {
                missing.push(shown);
            }
        }
    }
    assert_none(&missing);
}

#[test]
fn named_rules_exist() {
    let known: BTreeSet<&str> = Rules.rules().iter().map(|rule| rule.id).collect();
    let mut wrong = Vec::new();
    for document in documents() {
        for name in
            quoted(&document.text).into_iter().filter(|name| name.ends_with("-in-key") && !name.contains(' '))
        {
            if !known.contains(name) {
                wrong.push(format!("{}: `{name}`", document.name));
            }
        }
    }
    assert_none(&wrong);
}

#[test]
fn the_comparison_of_outputs_can_fail() {
    let printed = "a\nb  \n\nc\nd\n";
    assert_eq!(first_missing("a\nb\n...\nd\n", printed), None);
    assert_eq!(first_missing("a\nc", printed), Some("c"));
    assert_eq!(first_missing("b", printed), Some("b"));
    assert_eq!(first_missing("...\nb\n...\na", printed), Some("a"));
    assert_eq!(first_missing("...\nd\ne", printed), Some("e"));
    assert_eq!(beginning(printed, "x\n...\n"), "a\nb\n...\n");
    assert_eq!(beginning(printed, "x\n\ny\n...\n"), "a\nb  \n\nc\nd\n...\n");
    assert_eq!(beginning(printed, "x\n"), printed);
}

struct Document {
    name: String,
    path: PathBuf,
    text: String,
}

fn documents() -> Vec<Document> {
    let mut paths: Vec<PathBuf> = AT_ROOT.iter().map(|name| root().join(name)).collect();
    let pages = fs::read_dir(root().join("docs")).unwrap().flatten().map(|entry| entry.path());
    paths.extend(pages.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    paths.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Document { name: path.strip_prefix(root()).unwrap().display().to_string(), path, text }
    };
    paths.into_iter().map(read).collect()
}

/// The fenced blocks of a language.
fn blocks(document: &Document, language: &str) -> Vec<String> {
    let fenced = document.text.split("```").skip(1).step_by(2);
    let wanted = fenced.filter_map(|block| block.strip_prefix(language)?.strip_prefix('\n'));
    wanted.map(str::to_owned).collect()
}

/// The arguments of the tool in a command line; `None` when it runs something else.
fn arguments_of(line: &str) -> Option<Vec<String>> {
    let line = line.split(" #").next()?.trim();
    let arguments = TOOL.iter().find_map(|tool| line.strip_prefix(tool))?;
    Some(arguments.split_whitespace().map(str::to_owned).collect())
}

/// Runs the tool where the arguments make sense: a command that names no path is meant for the reader's own code,
/// and the example stands in for it.
fn run(arguments: &[String]) -> Output {
    let names_a_path = arguments.iter().any(|argument| argument.contains('/'));
    let folder = if names_a_path { root().to_owned() } else { root().join("fixtures/projects/billing") };
    Command::new(env!("CARGO_BIN_EXE_cargo-samekey"))
        .args(arguments)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .env("COLUMNS", "80")
        .output()
        .unwrap()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn assert_none(wrong: &[String]) {
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
