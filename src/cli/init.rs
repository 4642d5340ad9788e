//! `init`: writes a commented configuration and shows how to have samekey run.

use std::fs::OpenOptions;
use std::io::{self, Write};

use super::check::refuse;
use super::{CLEAN, Terminal};
use crate::config::{CONFIG, SAMPLE, find};
use crate::discover::Scope;
use crate::report::{RuleInfo, printable};

/// How to have it run before each commit and for each change.
const SNIPPETS: &str = "\
Before each commit, what is staged (.git/hooks/pre-commit, made executable):

    #!/bin/sh
    exec cargo samekey check --staged

or with pre-commit (.pre-commit-config.yaml):

    repos:
      - repo: local
        hooks:
          - id: samekey
            name: samekey
            entry: cargo samekey check --staged
            language: system
            types: [rust]
            pass_filenames: false

In GitHub Actions (.github/workflows/samekey.yml):

    on: pull_request
    permissions:
      contents: read
      security-events: write
    jobs:
      samekey:
        runs-on: ubuntu-latest
        steps:
          - uses: actions/checkout@v4
            with:
              fetch-depth: 0
          - run: cargo install --locked cargo-samekey
          - run: >
              cargo samekey check --format github --output sarif=samekey.sarif
              --since origin/${{ github.base_ref }}
          - uses: github/codeql-action/upload-sarif@v3
            if: ${{ !cancelled() }}
            with:
              sarif_file: samekey.sarif

In GitLab CI (.gitlab-ci.yml):

    samekey:
      image: rust:1
      script:
        - cargo install --locked cargo-samekey
        - cargo samekey check --output gitlab=gl-code-quality-report.json
      artifacts:
        when: always
        reports:
          codequality: gl-code-quality-report.json

When there are old findings that should not stop anybody: `cargo samekey baseline` writes them down, and
`cargo samekey check --baseline samekey-baseline.json` reports the others.
";

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
    terminal.stdout.write_all(SNIPPETS.as_bytes())?;
    terminal.stdout.flush()?;
    Ok(CLEAN)
}
