//! The language server as an editor sees it: the binary, over its standard input and output.

mod client;
mod findings;
mod lifecycle;
#[path = "../support/mod.rs"]
mod support;

use std::fs;
use std::path::{Path, PathBuf};

use support::Folder;

/// A copy of the example project.
fn billing() -> Folder {
    let folder = Folder::new();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/projects/billing");
    for place in ["", "src"] {
        for entry in fs::read_dir(example.join(place)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                let name = PathBuf::from(place).join(path.file_name().unwrap());
                folder.write(name.to_str().unwrap(), fs::read(&path).unwrap());
            }
        }
    }
    folder
}

const MANIFEST: &str = "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
                        [dependencies]\nreqwest = \"0.12\"\nuuid = { version = \"1\", features = [\"v4\"] }\n";

/// A function that charges with a key, on lines that the tests know.
fn charge(key: &str) -> String {
    format!(
        "use reqwest::Client;\nuse uuid::Uuid;\n\n\
         pub async fn charge(http: &Client, customer: &str) -> reqwest::Result<()> {{\n    \
         let key = {key};\n    \
         http.post(\"https://api.stripe.com/v1/charges\")\n        \
         .header(\"Idempotency-Key\", key)\n        \
         .send()\n        .await?;\n    Ok(())\n}}\n"
    )
}

const FRESH: &str = "Uuid::new_v4().to_string()";
const STABLE: &str = "format!(\"{customer}:2026-08:charge\")";

/// A package with one file.
fn shop(lib: &str) -> Folder {
    Folder::with(&[("Cargo.toml", MANIFEST), ("src/lib.rs", lib)])
}
