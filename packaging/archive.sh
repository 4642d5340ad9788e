#!/usr/bin/env bash
# Packs a built binary as a release does: binary, licences, README, completions and manual pages.
# usage: packaging/archive.sh TARGET BINARY FOLDER [RUNNABLE]
# RUNNABLE prints completions and manual pages where BINARY does not run on this machine.
# Prints the name of the archive. `[package.metadata.binstall]` and packaging/install.sh expect this name and layout.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
target="$1" binary="$2" folder="$3" runnable="${4:-$2}"

version="$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)"
name="cargo-samekey-v$version-$target"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

mkdir -p "$folder" "$work/$name/completions"
cp "$binary" LICENSE-APACHE LICENSE-MIT README.md CHANGELOG.md "$work/$name/"
"$runnable" man --output "$work/$name/man" 2>/dev/null
for shell in bash elvish fish powershell zsh; do
    "$runnable" completions "$shell" >"$work/$name/completions/cargo-samekey.$shell"
done

case "$target" in
    *-windows-*)
        archive="$name.zip"
        "$(command -v python3 || command -v python)" -c 'import shutil, sys; shutil.make_archive(sys.argv[1][:-4], "zip", sys.argv[2], sys.argv[3])' \
            "$folder/$archive" "$work" "$name"
        ;;
    *)
        archive="$name.tar.gz"
        tar -czf "$folder/$archive" -C "$work" "$name"
        ;;
esac
if command -v sha256sum >/dev/null; then
    (cd "$folder" && sha256sum "$archive" >"$archive.sha256")
else
    (cd "$folder" && shasum -a 256 "$archive" >"$archive.sha256")
fi
echo "$archive"
