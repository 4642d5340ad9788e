#!/usr/bin/env bash
# Runs the hooks of .pre-commit-hooks.yaml with pre-commit on throw-away repositories.
# usage: packaging/hooks.sh WHEELS    a folder with the wheel that packaging/wheel.sh built
# needs: pre-commit, git and cargo on the PATH
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
wheels="$(cd "$1" && pwd)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# Nothing of this machine's own git and pre-commit counts, and nothing of it is changed.
export PRE_COMMIT_HOME="$work/cache" GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL="$work/gitconfig"
cat >"$GIT_CONFIG_GLOBAL" <<'CONFIG'
[user]
    name = test
    email = test@example.com
[init]
    defaultBranch = main
[protocol "file"]
    allow = always
CONFIG

fail() {
    echo "error: $*" >&2
    [ ! -f "$work/log" ] || sed 's/^/    /' "$work/log" >&2
    exit 1
}

# A repository with one commit: a package whose key is stable.
new_repository() {
    rm -rf "$work/repository"
    mkdir -p "$work/repository/src"
    cd "$work/repository"
    git init --quiet
    printf '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2024"\n' >Cargo.toml
    charge 'let key = format!("{invoice_id}:charge");'
    cat >.pre-commit-config.yaml
    pre-commit install >/dev/null
    git add --all
    git commit --quiet --no-verify --message begin
}

# Writes a charge whose key is made by a statement.
charge() {
    cat >src/lib.rs <<RUST
pub async fn charge(http: &reqwest::Client, invoice_id: &str) -> reqwest::Result<()> {
    $1
    http.post("https://api.stripe.com/v1/charges").header("Idempotency-Key", key).send().await?;
    Ok(())
}
RUST
}

commits() {
    git commit "$@" --message change >"$work/log" 2>&1 || fail "$hook: the commit was refused"
}

refuses() {
    if git commit "$@" --message change >"$work/log" 2>&1; then fail "$hook: the commit was let through"; fi
    grep -q 'uuid-in-key' "$work/log" || fail "$hook: refused for another reason"
}

# What a hook has to do, whichever way it is installed.
check_hook() {
    hook="$1"
    new_repository
    echo "=== $hook"

    echo 'Charges.' >README.md
    git add README.md
    commits
    grep -q 'no files to check' "$work/log" || fail "$hook: it ran without a Rust file"

    charge 'let key = format!("{invoice_id}:charge:{}", uuid::Uuid::new_v4());'
    refuses --all
    refuses --message named src/lib.rs

    # Only what is staged counts: the mistake stays on disk.
    echo 'pub mod names {}' >src/names.rs
    git add src/names.rs
    commits
    refuses --all

    charge 'let key = format!("{invoice_id}:charge:v2");'
    commits --all
    grep -q 'Passed' "$work/log" || fail "$hook: it did not run"
}

# A repository without keys: one search of its files and nothing more.
check_without_keys() {
    hook="$1"
    new_repository
    rm -r src && mkdir src
    for number in $(seq 200); do
        echo "pub fn number_$number(x: u64) -> u64 { x + $number }" >"src/m$number.rs"
    done
    git add --all
    local before after
    before="$(date +%s%N)"
    cargo-samekey check --staged --format json >"$work/json" 2>"$work/log" || fail "$hook: findings without keys"
    after="$(date +%s%N)"
    grep -q '"keys": *0' "$work/json" || fail "$hook: keys in a repository without keys"
    echo "without keys: $(((after - before) / 1000000)) ms for 200 files"
    commits
}

repository_with() {
    printf 'repos:\n  - repo: %s\n    rev: %s\n    hooks:\n      - id: %s\n' "$root" "$revision" "$1"
}

# The hooks are those of the present files, committed or not.
published="$work/published"
git clone --quiet --no-hardlinks "$root" "$published"
(cd "$root" && git ls-files -z --cached --others --exclude-standard) |
    tar -C "$root" --null --files-from=- --ignore-failed-read -cf - | tar -xf - -C "$published"
git -C "$published" add --all
git -C "$published" commit --quiet --allow-empty --message present
root="$published"
revision="$(git -C "$published" rev-parse HEAD)"

python3 -m venv "$work/installed"
"$work/installed/bin/pip" install --quiet --no-index --find-links "$wheels" cargo-samekey
without_tool="$PATH"
export PATH="$work/installed/bin:$PATH"
check_hook samekey-system < <(repository_with samekey-system)
check_without_keys samekey-system < <(repository_with samekey-system)
export PATH="$without_tool"

# The wheel as a dependency of a local hook, where no compiler works.
mkdir "$work/no-compiler"
printf '#!/bin/sh\nexit 1\n' >"$work/no-compiler/cargo"
cp "$work/no-compiler/cargo" "$work/no-compiler/rustc"
chmod +x "$work/no-compiler"/*
version="$(basename "$wheels"/cargo_samekey-*.whl | cut -d- -f2)"
PATH="$work/no-compiler:$PATH" PIP_FIND_LINKS="$wheels" check_hook "local hook with the wheel" <<YAML
repos:
  - repo: local
    hooks:
      - id: samekey
        name: samekey
        language: python
        additional_dependencies: [cargo-samekey==$version]
        entry: cargo-samekey check --staged
        types: [rust]
        pass_filenames: false
YAML

# From the repository: pip builds the wheel with maturin. In debug mode, which here takes less long than an optimised
# build and has the same parts.
export MATURIN_PEP517_ARGS="--profile dev"
check_hook samekey < <(repository_with samekey)
echo "the hooks work"
