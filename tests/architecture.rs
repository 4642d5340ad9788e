//! Keeps the invariants of ARCHITECTURE.md that no type and no lint can keep, by reading the sources.

use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use cargo_samekey::driver::Analysis;
use cargo_samekey::rules::Rules;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use samekey_catalogue::{Pattern, sinks, sources};

/// A file longer than this hides two things. Generated tables do not count.
const MAX_LINES: usize = 900;

#[test]
fn syntax_trees_stay_in_the_front_end() {
    let wrong = search(&sources_outside("src/frontend"), |code| {
        let mut found = code.words(&["syn", "proc_macro2", "tree_sitter"]);
        found.extend(code.macros(&["quote", "quote_spanned", "parse_quote"]));
        found
    });
    assert_none(&wrong, "types of a parser are used outside of the front end");
}

#[test]
fn the_core_does_no_io_and_is_not_serialised() {
    let wrong = search(&sources_in(&["src/ir", "src/resolve", "src/flow"]), |code| {
        let mut found = code.words(&["Serialize", "Deserialize", "serde", "anstream", "miette"]);
        found.extend(code.words(&["File", "TcpStream", "stdout", "stderr", "stdin"]));
        found.extend(code.paths("std", &["fs", "io", "net", "env"]));
        found.extend(code.macros(&["print", "println", "eprint", "eprintln", "dbg"]));
        found
    });
    assert_none(&wrong, "ir, resolve and flow compute and do nothing else");
}

#[test]
fn the_flow_engine_knows_no_rule_and_no_severity() {
    let names = ["Severity", "Certainty", "Diagnostic", "RuleInfo", "RuleLevel"];
    let wrong = search(&sources_in(&["src/flow"]), |code| {
        let mut found = code.words(&names);
        found.extend(
            code.paths("crate", &["rules", "report", "driver", "cli", "config", "discover", "facts"]),
        );
        found.extend(
            code.literals(|text| Rules.rules().iter().any(|rule| text == rule.id || text == rule.code)),
        );
        found
    });
    assert_none(&wrong, "the flow engine must not depend on what is made of its result");
}

#[test]
fn later_stages_are_not_used_by_earlier_ones() {
    let mut wrong = Vec::new();
    for (folder, later) in [
        ("src/ir", &["resolve", "flow", "facts", "rules", "report", "driver", "cli"][..]),
        ("src/frontend", &["resolve", "flow", "facts", "rules", "report", "driver", "cli"]),
        ("src/resolve", &["frontend", "flow", "facts", "rules", "report", "driver", "cli"]),
        ("src/facts", &["frontend", "rules", "driver", "cli"]),
        ("src/rules", &["frontend", "cli"]),
        ("src/report", &["frontend", "flow", "facts", "rules", "driver", "cli"]),
    ] {
        wrong.extend(search(&sources_in(&[folder]), |code| code.paths("crate", later)));
    }
    assert_none(&wrong, "data flows one way");
}

/// Nothing of the analysed tree is executed. `git` is the one program that may be started, by the module named here.
#[test]
fn no_program_is_started() {
    let files = sources_outside("src/git.rs");
    let wrong = search(&files, |code| code.paths("process", &["Command", "exit", "abort"]));
    assert_none(&wrong, "the linter starts no program and leaves through `main`");
}

/// A budget that counts time would make the output depend on the machine.
#[test]
fn no_result_depends_on_the_clock() {
    let files = sources_outside("src/driver/progress.rs");
    let wrong = search(&files, |code| {
        let mut found = code.paths("time", &["Instant", "SystemTime"]);
        found.extend(
            ["Instant", "SystemTime", "Utc", "Local"].iter().flat_map(|clock| code.paths(clock, &["now"])),
        );
        found.extend(code.paths("thread", &["sleep"]));
        found
    });
    assert_none(&wrong, "only the progress line reads a clock");
}

#[test]
fn api_names_live_in_the_catalogue() {
    let rows = sources().iter().map(|row| row.patterns).chain(sinks().iter().map(|row| row.patterns));
    let paths: Vec<&str> = rows.flatten().filter_map(named_path).collect();
    assert!(paths.len() > 100, "{} paths in the catalogue", paths.len());
    let files = sources_in(&["src/flow", "src/facts", "src/rules", "src/resolve"]);
    let wrong = search(&files, |code| code.literals(|text| paths.contains(&text)));
    assert_none(&wrong, "a name that decides about sources and sinks is a row of the catalogue");
}

fn named_path(pattern: &Pattern) -> Option<&'static str> {
    match pattern {
        // What the language itself defines is known to the engine without a row.
        Pattern::Call { path, .. } if !path.starts_with("std::fmt::") => Some(path),
        _ => None,
    }
}

/// An assertion for the tests of users, and a `const fn` that stops the build: these are there to panic.
const PANICS: [&str; 2] = ["runtime/src/testing.rs", "runtime/src/private.rs"];

#[test]
fn what_can_panic_says_why_it_cannot() {
    let mut files = sources_in(&["src", "runtime/src", "macros/src", "catalogue/src"]);
    files.retain(|file| !PANICS.contains(&shown(file).as_str()));
    let wrong = search(&files, |code| {
        let mut found =
            code.macros(&["panic", "unreachable", "todo", "unimplemented", "assert", "assert_eq"]);
        found.extend(code.calls(&["unwrap", "expect", "unwrap_err", "expect_err"]));
        found.retain(|place| !code.is_explained(place.line));
        found
    });
    assert_none(&wrong, "library code does not panic; where it provably cannot, a comment above says why");
}

#[test]
fn files_are_short_and_say_what_they_are() {
    let mut wrong = Vec::new();
    for file in sources_in(&["src", "tests", "runtime", "macros", "catalogue", "benches"]) {
        let text = read(&file);
        let is_case = file.components().any(|part| part.as_os_str() == "ui");
        if text.lines().count() > MAX_LINES && !is_generated(&file) {
            wrong.push(format!("{}: {} lines", shown(&file), text.lines().count()));
        }
        if !text.starts_with("//!") && !is_case {
            wrong.push(format!("{}: no module documentation at the top", shown(&file)));
        }
    }
    assert_none(&wrong, "files stay readable");
}

#[test]
fn no_loose_ends_and_no_path_of_a_machine() {
    let mut words: Vec<String> =
        ["TO", "FIX", "XX"].iter().zip(["DO", "ME", "X"]).map(|(a, b)| format!("{a}{b}")).collect();
    // A path with one component, such as `/src`, may stand in any text.
    let places = [Some(root().to_path_buf()), std::env::var_os("HOME").map(PathBuf::from)];
    let deep = places.into_iter().flatten().filter(|path| path.components().count() > 2);
    words.extend(deep.map(|path| path.to_string_lossy().into_owned()));
    let mut wrong = Vec::new();
    for file in repository_files() {
        let text = read(&file);
        for (number, line) in (1..).zip(text.lines()) {
            wrong.extend(
                words
                    .iter()
                    .filter(|word| line.contains(*word))
                    .map(|word| format!("{}:{number}: `{word}`", shown(&file))),
            );
        }
    }
    assert_none(&wrong, "what is committed is finished and holds nothing of the machine it was made on");
}

/// Billing code that only derives keys compiles nothing of the linter.
#[test]
fn the_runtime_takes_few_dependencies() {
    let runtime = dependencies("runtime/Cargo.toml");
    let allowed = ["hmac", "samekey-macros", "sha2"];
    assert!(runtime.iter().all(|name| allowed.contains(&name.as_str())), "{runtime:?}");
    let macros = dependencies("macros/Cargo.toml");
    let allowed = ["proc-macro2", "quote", "samekey-catalogue", "syn"];
    assert!(macros.iter().all(|name| allowed.contains(&name.as_str())), "{macros:?}");
    assert_eq!(dependencies("catalogue/Cargo.toml"), Vec::<String>::new());
    for package in ["runtime", "macros", "catalogue"] {
        assert!(!root().join(package).join("build.rs").exists(), "{package} has a build script");
    }
}

/// The dependencies of a manifest that no feature switches off.
fn dependencies(manifest: &str) -> Vec<String> {
    let table: toml::Table = read(&root().join(manifest)).parse().unwrap();
    let Some(found) = table.get("dependencies").and_then(toml::Value::as_table) else { return Vec::new() };
    let is_optional =
        |value: &toml::Value| value.get("optional").and_then(toml::Value::as_bool) == Some(true);
    found.iter().filter(|(_, value)| !is_optional(value)).map(|(name, _)| name.clone()).collect()
}

/// The checks above are only as good as what they see.
#[test]
fn the_reader_sees_code_and_not_comments_or_tests() {
    let code = Code::new(
        "//! syn\nuse std::{io, fs as files};\n// println!\n/// Doc.\nfn f() { g(\"syn\").unwrap(); }\n\
         #[cfg(test)]\nmod tests { fn t() { panic!(); syn(); } }\nfn h() {\n    // Never empty.\n    x.expect(\"\");\n}\n",
    );
    assert!(code.words(&["syn", "tests"]).is_empty());
    assert!(code.macros(&["println", "panic"]).is_empty());
    let paths = code.paths("std", &["fs", "net"]);
    assert_eq!(paths, [Place { line: 2, text: "fs".into() }]);
    assert_eq!(code.literals(|text| text == "syn").len(), 1);
    let calls = code.calls(&["unwrap", "expect"]);
    let explained: Vec<(usize, bool)> =
        calls.iter().map(|call| (call.line, code.is_explained(call.line))).collect();
    assert_eq!(explained, [(5, false), (10, true)]);
}

/// The code of a file without comments and test modules.
struct Code {
    lines: Vec<String>,
    tokens: Vec<Token>,
}

#[derive(Debug, PartialEq, Eq)]
struct Token {
    line: usize,
    text: String,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Word,
    Literal,
    Sign,
}

/// Where something was found.
#[derive(Debug, PartialEq, Eq)]
struct Place {
    line: usize,
    text: String,
}

impl Code {
    fn new(text: &str) -> Code {
        let mut tokens = Vec::new();
        let stream = TokenStream::from_str(text).unwrap_or_else(|error| panic!("{error} in {text}"));
        flatten(stream, &mut tokens);
        Code { lines: text.lines().map(str::to_owned).collect(), tokens }
    }

    fn places(&self, wanted: impl Fn(usize, &Token) -> bool) -> Vec<Place> {
        let tokens = self.tokens.iter().enumerate();
        let found = tokens.filter(|(index, token)| wanted(*index, token));
        found.map(|(_, token)| Place { line: token.line, text: token.text.clone() }).collect()
    }

    fn text_at(&self, index: usize) -> &str {
        self.tokens.get(index).map_or("", |token| token.text.as_str())
    }

    /// Identifiers.
    fn words(&self, words: &[&str]) -> Vec<Place> {
        self.places(|_, token| token.kind == Kind::Word && words.contains(&token.text.as_str()))
    }

    /// Macro calls.
    fn macros(&self, names: &[&str]) -> Vec<Place> {
        self.places(|index, token| {
            token.kind == Kind::Word
                && names.contains(&token.text.as_str())
                && self.text_at(index + 1) == "!"
                && self.text_at(index + 2) != "="
        })
    }

    /// Method calls.
    fn calls(&self, names: &[&str]) -> Vec<Place> {
        self.places(|index, token| {
            names.contains(&token.text.as_str())
                && index.checked_sub(1).is_some_and(|before| self.text_at(before) == ".")
                && self.text_at(index + 1) == "("
        })
    }

    /// Paths `parent::name`, also inside the braces of a `use`.
    fn paths(&self, parent: &str, names: &[&str]) -> Vec<Place> {
        let starts = (0..self.tokens.len()).filter(|index| {
            self.text_at(*index) == parent && self.text_at(index + 1) == ":" && self.text_at(index + 2) == ":"
        });
        let named = starts.flat_map(|start| self.named_after(start + 3));
        let found = named.filter(|token| names.contains(&token.text.as_str()));
        found.map(|token| Place { line: token.line, text: token.text.clone() }).collect()
    }

    /// The name at a position, or the first segments of all entries of a brace there.
    fn named_after(&self, start: usize) -> Vec<&Token> {
        if self.text_at(start) != "{" {
            return self.tokens.get(start).into_iter().collect();
        }
        let mut depth = 0;
        let mut named = Vec::new();
        for index in start..self.tokens.len() {
            match self.text_at(index) {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ if depth == 1 && matches!(self.text_at(index - 1), "{" | ",") => {
                    named.push(&self.tokens[index]);
                }
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        named
    }

    /// String literals, without their quotes.
    fn literals(&self, wanted: impl Fn(&str) -> bool) -> Vec<Place> {
        self.places(|_, token| token.kind == Kind::Literal && wanted(token.text.trim_matches('"')))
    }

    /// Whether a comment stands in the line or in the one above.
    fn is_explained(&self, line: usize) -> bool {
        let above = line.saturating_sub(2)..line;
        let is_comment = |line: &String| line.trim_start().starts_with("// ") || line.contains(" // ");
        self.lines.get(above).is_some_and(|lines| lines.iter().any(is_comment))
    }
}

fn flatten(stream: TokenStream, tokens: &mut Vec<Token>) {
    let mut trees = stream.into_iter().peekable();
    let mut skipping = false;
    while let Some(tree) = trees.next() {
        let starts_attribute = matches!(&tree, TokenTree::Punct(sign) if sign.as_char() == '#');
        let attribute = trees.peek().filter(|_| starts_attribute).map(ToString::to_string);
        skipping |= attribute.is_some_and(|attribute| attribute.replace(' ', "") == "[cfg(test)]");
        if skipping {
            // The item ends with its body or with a semicolon.
            skipping = match &tree {
                TokenTree::Group(group) => group.delimiter() != Delimiter::Brace,
                TokenTree::Punct(sign) => sign.as_char() != ';',
                _ => true,
            };
            continue;
        }
        push(tree, tokens);
    }
}

fn push(tree: TokenTree, tokens: &mut Vec<Token>) {
    let line = tree.span().start().line;
    let (text, kind) = match tree {
        TokenTree::Ident(word) => (word.to_string(), Kind::Word),
        TokenTree::Literal(literal) => (literal.to_string(), Kind::Literal),
        TokenTree::Punct(sign) => (sign.as_char().to_string(), Kind::Sign),
        TokenTree::Group(group) => {
            let (open, close) = match group.delimiter() {
                Delimiter::Parenthesis => ("(", ")"),
                Delimiter::Brace => ("{", "}"),
                Delimiter::Bracket => ("[", "]"),
                Delimiter::None => ("", ""),
            };
            tokens.push(Token { line, text: open.to_owned(), kind: Kind::Sign });
            flatten(group.stream(), tokens);
            (close.to_owned(), Kind::Sign)
        }
    };
    tokens.push(Token { line, text, kind });
}

/// What a check finds in files, as `path:line: text`.
fn search(files: &[PathBuf], check: impl Fn(&Code) -> Vec<Place>) -> Vec<String> {
    assert!(!files.is_empty(), "no files to check");
    let found = files.iter().flat_map(|file| {
        let places = check(&Code::new(&read(file)));
        places.into_iter().map(move |place| format!("{}:{}: `{}`", shown(file), place.line, place.text))
    });
    found.collect()
}

fn assert_none(wrong: &[String], rule: &str) {
    assert!(wrong.is_empty(), "{rule}:\n{}", wrong.join("\n"));
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("cannot read {}: {error}", file.display()))
}

fn shown(file: &Path) -> String {
    file.strip_prefix(root()).unwrap_or(file).display().to_string()
}

fn is_generated(file: &Path) -> bool {
    file.components().any(|part| part.as_os_str() == "generated")
}

/// The Rust files below these folders and files; those that do not exist are left out.
fn sources_in(places: &[&str]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for place in places {
        collect(&root().join(place), &mut files);
    }
    files.retain(|file| file.extension().is_some_and(|extension| extension == "rs"));
    files
}

/// The linter's own code except a folder or file.
fn sources_outside(place: &str) -> Vec<PathBuf> {
    let place = root().join(place);
    let mut files = sources_in(&["src"]);
    files.retain(|file| !file.starts_with(&place));
    files
}

/// Every text of the repository.
fn repository_files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    collect(root(), &mut files);
    let texts =
        ["rs", "md", "toml", "sh", "py", "java", "ts", "json", "snap", "stderr", "txt", "yaml", "yml", "run"];
    files.retain(|file| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        texts.contains(&name.rsplit('.').next().unwrap_or_default()) || name == "run"
    });
    files
}

fn collect(place: &Path, files: &mut Vec<PathBuf>) {
    if place.is_file() {
        files.push(place.to_owned());
        return;
    }
    let Ok(entries) = fs::read_dir(place) else { return };
    let mut entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for entry in entries {
        let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let skipped = ["target", ".git", "node_modules", "__pycache__", "corpus", "artifacts"];
        if !skipped.contains(&name.as_str()) && !entry.is_symlink() {
            collect(&entry, files);
        }
    }
}
