//! From URIs to paths and back.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use lsp_types::Uri;

const SCHEME: &str = "file://";

/// The path of a `file:` URI of this machine; `None` for other URIs, such as those of texts that were never saved.
pub(super) fn to_path(uri: &Uri) -> Option<PathBuf> {
    path_text(uri.as_str(), cfg!(windows)).map(PathBuf::from)
}

/// The URI of an absolute path; `None` when the path is not UTF-8.
pub(super) fn from_path(path: &Path) -> Option<Uri> {
    Uri::from_str(&uri_text(path.to_str()?, cfg!(windows))).ok()
}

fn path_text(uri: &str, windows: bool) -> Option<String> {
    let (scheme, rest) = uri.split_at_checked(SCHEME.len())?;
    let rest = rest.split(['?', '#']).next()?;
    let (host, path) = rest.split_at(rest.find('/')?);
    let path = decoded(path)?;
    if !scheme.eq_ignore_ascii_case(SCHEME) || path.contains('\0') {
        return None;
    }
    match (windows, host) {
        (false, "" | "localhost") => Some(path),
        (false, _) => None,
        (true, "" | "localhost") => Some(path.trim_start_matches('/').replace('/', "\\")),
        (true, host) => Some(format!("\\\\{host}{}", path.replace('/', "\\"))),
    }
}

fn uri_text(path: &str, windows: bool) -> String {
    if !windows {
        return format!("{SCHEME}{}", encoded(path));
    }
    // What `canonicalize` puts in front.
    let path = path
        .strip_prefix(r"\\?\UNC\")
        .map(|share| format!(r"\\{share}"))
        .unwrap_or_else(|| path.strip_prefix(r"\\?\").unwrap_or(path).to_owned());
    let path = path.replace('\\', "/");
    match path.strip_prefix("//") {
        Some(share) => format!("{SCHEME}{}", encoded(share)),
        None => format!("{SCHEME}/{}", encoded(&path)),
    }
}

fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
                u8::try_from(digit(rest.next())? * 16 + digit(rest.next())?).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

fn encoded(path: &str) -> String {
    let mut text = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' | b':' => {
                text.push(char::from(byte));
            }
            byte => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_come_back() {
        for path in ["/a b/c%d/[e]/ü.rs", "/src/main.rs"] {
            let uri = uri_text(path, false);
            assert!(Uri::from_str(&uri).is_ok(), "{uri}");
            assert_eq!(path_text(&uri, false).as_deref(), Some(path));
        }
        assert_eq!(uri_text("/a b/ü.rs", false), "file:///a%20b/%C3%BC.rs");
    }

    #[test]
    fn windows_has_drives_and_shares() {
        for (uri, path) in [
            ("file:///c:/x/main.rs", r"c:\x\main.rs"),
            ("file:///c%3A/x/main.rs", r"c:\x\main.rs"),
            ("file://host/share/main.rs", r"\\host\share\main.rs"),
        ] {
            assert_eq!(path_text(uri, true).as_deref(), Some(path));
        }
        assert_eq!(uri_text(r"\\?\C:\x y\main.rs", true), "file:///C:/x%20y/main.rs");
        assert_eq!(uri_text(r"\\?\UNC\host\share\a.rs", true), "file://host/share/a.rs");
    }

    #[test]
    fn other_uris_are_no_paths() {
        for uri in [
            "untitled:Untitled-1",
            "file://elsewhere/a.rs",
            "file:///a%",
            "file:///a%ff",
            "file:///%00",
            "",
            "é:::::::/",
        ] {
            assert_eq!(path_text(uri, false), None, "{uri}");
        }
    }
}
