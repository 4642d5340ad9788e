#!/usr/bin/env bash
# Measures what the derive adds to an empty project, as ratios to serde's derive.
#
# Builds three projects from nothing, in turn, and again after a change, and prints
# the medians of the CPU seconds and the number of crates added: an empty one, one with serde's derive and one
# with samekey's, each with the same 20 structs of 5 fields.
#   interop/compile-time/measure.sh [RUNS]      (default: 5)
set -euo pipefail
runs="${1:-5}"
runtime="$(cd "$(dirname "${BASH_SOURCE[0]}")/../../runtime" && pwd)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

project() {
    local name="$1" dependency="$2" attribute="$3" field="$4"
    mkdir -p "$work/$name/src"
    printf '[package]\nname = "%s"\nversion = "0.0.0"\nedition = "2024"\n[workspace]\n[dependencies]\n%s\n' \
        "$name" "$dependency" >"$work/$name/Cargo.toml"
    {
        echo '#![allow(dead_code)]'
        for number in $(seq 20); do
            printf '%s\nstruct S%s {\n' "$attribute" "$number"
            for letter in a b c d e; do
                printf '    %s\n    %s: String,\n' "$field" "$letter"
            done
            echo '}'
        done
        echo 'fn main() {}'
    } >"$work/$name/src/main.rs"
    (cd "$work/$name" && cargo fetch --quiet)
}

# CPU seconds, which other work on the machine disturbs less than the clock.
seconds() {
    local TIMEFORMAT='%U %S'
    {
        time (cd "$work/$1" && CARGO_TARGET_DIR="$work/target" cargo build --quiet --offline -j2)
    } 2>&1 | awk 'END { print $1 + $2 }'
}

median() {
    sort -n "$work/$1" | sed -n "$(((runs + 1) / 2))p"
}

crates() {
    (cd "$work/$1" && cargo tree --prefix none --no-dedupe --edges normal,build --offline) |
        awk '{ print $1, $2 }' | sort -u | tail -n +2 | wc -l
}

project empty '' '' ''
project serde_derive 'serde = { version = "1", features = ["derive"] }' '#[derive(serde::Serialize, serde::Deserialize)]' ''
project samekey_derive "samekey = { path = \"$runtime\" }" \
    $'#[derive(samekey::Idempotent)]\n#[idempotent(namespace = "n", operation = "o")]' '#[idempotent(identity)]'

for run in $(seq "$runs"); do
    for name in empty serde_derive samekey_derive; do
        rm -rf "$work/target"
        seconds "$name" >>"$work/$name.cold"
        touch "$work/$name/src/main.rs"
        seconds "$name" >>"$work/$name.warm"
    done
done
for name in empty serde_derive samekey_derive; do
    echo "$name: $(median "$name.cold") CPU seconds, $(median "$name.warm") after a change," \
        "$(crates "$name") crates"
done
