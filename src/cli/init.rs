//! `init`: writes a commented configuration and shows how to have samekey run.

use std::fs::OpenOptions;
use std::io::{self, Write};

use super::check::refuse;
use super::{CLEAN, Terminal};
use crate::config::{CONFIG, SAMPLE, find};
use crate::discover::Scope;
use crate::report::{RuleInfo, printable};

/// A way to have it run, with the file that it goes into. `docs/ci.md` shows the same.
struct Snippet {
    about: &'static str,
    text: &'static str,
}

const SNIPPETS: [Snippet; 4] = [
    Snippet {
        about: "Before each commit, what is staged (.git/hooks/pre-commit, made executable):",
        text: include_str!("snippets/hook.sh"),
    },
    Snippet {
        about: "or with pre-commit (.pre-commit-config.yaml):",
        text: include_str!("snippets/pre-commit.yaml"),
    },
    Snippet {
        about: "In GitHub Actions (.github/workflows/samekey.yml):",
        text: include_str!("snippets/github.yml"),
    },
    Snippet { about: "In GitLab CI (.gitlab-ci.yml):", text: include_str!("snippets/gitlab.yml") },
];

const OLD_FINDINGS: &str = "\
When there are old findings that should not stop anybody: `cargo samekey baseline` writes them down, and
`cargo samekey check --baseline samekey-baseline.json` reports the others.
";

/// All snippets, indented below what they are about.
fn snippets() -> String {
    let mut text = String::new();
    for snippet in &SNIPPETS {
        text.push_str(snippet.about);
        text.push_str("\n\n");
        for line in snippet.text.replace("{version}", env!("CARGO_PKG_VERSION")).lines() {
            text.push_str(&format!("    {line}\n"));
        }
        text.push('\n');
    }
    text + OLD_FINDINGS
}

pub(super) fn run(rules: &[RuleInfo], terminal: &mut Terminal<'_>) -> io::Result<u8> {
    let root = Scope::resolve(&terminal.current_dir, &[]).root;
    let target = root.join(CONFIG);
    // A configuration that is not valid is one too.
    let existing = match find(&root, rules) {
        Ok(config) => config.file,
        Err(errors) => Some(errors.file),
    };
    if let Some(file) = existing.filter(|file| *file != target) {
        let file = printable(&file.to_string_lossy());
        return Ok(refuse(&format!("{file} configures samekey here already; edit it"), terminal));
    }
    let name = printable(&target.to_string_lossy());
    let written = OpenOptions::new().write(true).create_new(true).open(&target);
    match written.and_then(|mut file| file.write_all(SAMPLE.as_bytes())) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            return Ok(refuse(&format!("{name} exists already; edit it, or remove it first"), terminal));
        }
        Err(error) => return Ok(refuse(&super::output::not_written(&name, &error), terminal)),
    }
    terminal.say(&format!("samekey: wrote {name}; every setting in it is a comment"));
    terminal.stdout.write_all(snippets().as_bytes())?;
    terminal.stdout.flush()?;
    Ok(CLEAN)
}
