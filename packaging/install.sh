#!/usr/bin/env bash
# Installs cargo-samekey: the binary of a release, and where there is none for this machine, built from source.
# usage: packaging/install.sh FOLDER
# SAMEKEY_VERSION    the version, such as 0.1.0; that of this source by default
# SAMEKEY_RELEASES   where the archives of releases are
set -euo pipefail
source_folder="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
bin="$1"
own_version="$(sed -n 's/^version = "\(.*\)"/\1/p' "$source_folder/Cargo.toml" | head -n 1)"
version="${SAMEKEY_VERSION:-$own_version}"
version="${version#v}"
releases="${SAMEKEY_RELEASES:-https://github.com/samekey/samekey/releases/download}"

# The target of this machine, as the release workflow names it.
target() {
    local machine
    case "$(uname -m)" in
        x86_64 | amd64) machine=x86_64 ;;
        aarch64 | arm64) machine=aarch64 ;;
        *) return 1 ;;
    esac
    case "$(uname -s)" in
        Linux) if ls /lib/ld-musl-* >/dev/null 2>&1; then echo "$machine-unknown-linux-musl"; else echo "$machine-unknown-linux-gnu"; fi ;;
        Darwin) echo "$machine-apple-darwin" ;;
        MINGW* | MSYS* | CYGWIN*) echo "$machine-pc-windows-msvc" ;;
        *) return 1 ;;
    esac
}

checksum() {
    if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

fetch() {
    curl --fail --silent --show-error --location --retry 3 --output "$1" "$2"
}

# Errors are returned and not left to `set -e`, which does not hold inside of a condition.
from_release() {
    local target name archive
    target="$(target)" || return 1
    name="cargo-samekey-v$version-$target"
    archive="$name.tar.gz"
    case "$target" in *-windows-*) archive="$name.zip" ;; esac
    fetch "$work/$archive" "$releases/v$version/$archive" || return 1
    fetch "$work/sum" "$releases/v$version/$archive.sha256" || return 1
    if [ "$(checksum "$work/$archive")" != "$(cut -d ' ' -f 1 "$work/sum")" ]; then
        echo "error: $archive is not what its release says: the SHA-256 differs" >&2
        exit 1
    fi
    case "$archive" in
        *.zip) unzip -q "$work/$archive" -d "$work" || return 1 ;;
        *) tar -xzf "$work/$archive" -C "$work" || return 1 ;;
    esac
    cp "$work/$name"/cargo-samekey* "$bin/" || return 1
    echo "samekey: installed $name"
}

from_source() {
    local root="$work/built"
    echo "samekey: there is no release of $version for this machine, building it"
    if [ "$version" = "$own_version" ]; then
        cargo install --locked --root "$root" --path "$source_folder"
    else
        cargo install --locked --root "$root" --version "$version" cargo-samekey
    fi
    cp "$root/bin"/cargo-samekey* "$bin/"
}

mkdir -p "$bin"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
from_release || from_source
"$bin/cargo-samekey" --version
