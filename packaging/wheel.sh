#!/usr/bin/env bash
# Builds the Python wheel, installs it into a virtual environment of its own and runs it there.
# usage: packaging/wheel.sh [FOLDER]    the wheel stays in FOLDER (default: target/wheels)
# needs: maturin and python3 on the PATH, as packaging/requirements.txt says
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

wheels="${1:-target/wheels}"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

fail() {
    echo "error: $*" >&2
    exit 1
}

rm -f "$wheels"/cargo_samekey-*.whl
maturin build --release --locked --out "$wheels"
wheel="$(echo "$wheels"/cargo_samekey-*.whl)"
[ -f "$wheel" ] || fail "no wheel, or several: $wheel"

python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --no-index "$wheel"
tool="$work/venv/bin/cargo-samekey"

version="$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)"
[ "$("$tool" --version)" = "cargo-samekey $version" ] || fail "another version: $("$tool" --version)"

code=0
"$tool" check --format concise fixtures/projects/billing >"$work/found" || code=$?
[ "$code" -eq 1 ] || fail "expected the findings of the example (exit code 1), got $code"
grep -q 'error\[uuid-in-key\]' "$work/found" || fail "the example's finding is missing: $(cat "$work/found")"
cat >"$work/stable.rs" <<'RUST'
pub async fn charge(http: &reqwest::Client, invoice_id: &str) -> reqwest::Result<()> {
    let key = format!("{invoice_id}:charge");
    http.post("https://api.stripe.com/v1/charges").header("Idempotency-Key", key).send().await?;
    Ok(())
}
RUST
"$tool" check --strict "$work/stable.rs" || fail "a stable key was reported"
echo "the wheel works: $wheel"
