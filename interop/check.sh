#!/usr/bin/env bash
# Reproduces vectors.json in every language, and compiles the Rust client examples.
#
# Needs python3.9+, JDK 17+, Node 18+ with npm, and cargo. Usage:
#   interop/check.sh [python] [java] [typescript] [rust-clients]     (default: all)
# VECTORS=file checks another file: what `cargo samekey schema --format vectors` prints for your own types.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
vectors="$(realpath "${VECTORS:-$here/vectors.json}")"
cd "$here"

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python="${PYTHON:-python3}"

check_python() {
    (cd python && PYTHONDONTWRITEBYTECODE=1 "$python" check.py "$vectors")
}

check_java() {
    javac -Xlint:all -Werror -d "$work/java" java/Samekey.java java/Check.java
    java -cp "$work/java" Check "$vectors"
}

check_typescript() {
    cp typescript/package.json typescript/package-lock.json typescript/tsconfig.json "$work/"
    cp typescript/*.ts "$work/"
    (cd "$work" && npm ci --silent --no-audit --no-fund && npx --no-install tsc)
    node "$work/out/check.js" "$vectors"
}

check_rust_clients() {
    (cd rust-clients && cargo check --locked --all-targets)
}

if [ $# -eq 0 ]; then
    set -- python java typescript rust-clients
fi
for part in "$@"; do
    case "$part" in
        python) check_python ;;
        java) check_java ;;
        typescript) check_typescript ;;
        rust-clients) check_rust_clients ;;
        *)
            echo "there is no check called $part" >&2
            exit 2
            ;;
    esac
done
