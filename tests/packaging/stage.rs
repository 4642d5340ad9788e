//! A project with a remote, and programs that stand in for those which need a network.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use yaml_rust2::{Yaml, YamlLoader};

use super::support::Folder;
use super::tools::{commit, git};

const MANIFEST: &str = "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";

/// A charge whose key is made by a statement.
fn charge(statement: &str) -> String {
    format!(
        "pub async fn charge(http: &reqwest::Client, invoice_id: &str) -> reqwest::Result<()> {{\n    {statement}\n    \
         http.post(\"https://api.stripe.com/v1/charges\").header(\"Idempotency-Key\", key).send().await?;\n    \
         Ok(())\n}}\n"
    )
}

pub const STABLE: &str = "let key = format!(\"{invoice_id}:charge\");";
pub const FRESH: &str = "let key = uuid::Uuid::new_v4().to_string();";

/// A checkout whose `origin/main` has a stable key, and a folder of programs.
pub struct Stage {
    folder: Folder,
}

impl Stage {
    /// The branch of the checkout makes its key by this statement.
    pub fn new(statement: &str) -> Stage {
        let folder = Folder::with(&[("origin/Cargo.toml", MANIFEST), ("origin/src/lib.rs", &charge(STABLE))]);
        commit(&folder.join("origin"));
        git(&folder.path, &["clone", "-q", "origin", "checkout"]);
        folder.write("checkout/src/lib.rs", charge(statement));
        let stage = Stage { folder };
        commit(&stage.checkout());
        let tool = env!("CARGO_BIN_EXE_cargo-samekey");
        let log = "echo \"$(basename \"$0\") $*\" >>\"$INSTALLED\"";
        stage.program("pip", log);
        // Cargo runs a command `x` as `cargo-x x`; what it would install is the binary of this build.
        let install = format!(
            "while [ $# -gt 0 ]; do [ \"$1\" != --root ] || root=\"$2\"; shift; done\n\
             [ -z \"$root\" ] || {{ mkdir -p \"$root/bin\" && cp '{tool}' \"$root/bin/\"; }}"
        );
        stage.program(
            "cargo",
            &format!(
                "case \"$1\" in\nsamekey) exec '{tool}' \"$@\" ;;\ninstall) {log}\n{install} ;;\n*) exit 9 ;;\nesac"
            ),
        );
        stage
    }

    /// Puts a program on the path.
    pub fn program(&self, name: &str, script: &str) {
        self.folder.write(&format!("bin/{name}"), format!("#!/bin/sh\n{script}\n"));
        let path = self.folder.join("bin").join(name);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Puts the tool itself on the path.
    pub fn install_tool(&self) {
        self.program("cargo-samekey", &format!("exec '{}' \"$@\"", env!("CARGO_BIN_EXE_cargo-samekey")));
    }

    pub fn checkout(&self) -> PathBuf {
        self.folder.join("checkout")
    }

    pub fn join(&self, path: &str) -> PathBuf {
        self.folder.join(path)
    }

    /// What was asked to be installed, one command on a line.
    pub fn installed(&self) -> String {
        fs::read_to_string(self.folder.join("installed")).unwrap_or_default()
    }

    /// Runs a script in the checkout as build agents do, which stop at the first command that fails.
    pub fn run(&self, script: &str, environment: &[(String, String)]) -> Output {
        let own_path = format!("{}:{}", self.folder.join("bin").display(), inherited_path());
        Command::new("bash")
            .args(["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script])
            .current_dir(self.checkout())
            .env_clear()
            .env("PATH", own_path)
            .env("HOME", &self.folder.path)
            .env("INSTALLED", self.folder.join("installed"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .envs(environment.iter().map(|(name, value)| (name, value)))
            .output()
            .unwrap()
    }
}

fn inherited_path() -> String {
    std::env::var("PATH").unwrap_or_else(|_| "/usr/bin:/bin".to_owned())
}

/// The one document in a text.
pub fn yaml(text: &str) -> Yaml {
    let mut documents = YamlLoader::load_from_str(text).unwrap_or_else(|error| panic!("{error} in {text}"));
    assert_eq!(documents.len(), 1, "{text}");
    documents.remove(0)
}

/// The entries of a mapping with texts as keys.
pub fn entries(mapping: &Yaml) -> Vec<(&str, &Yaml)> {
    let mapping = mapping.as_hash().unwrap_or_else(|| panic!("no mapping: {mapping:?}"));
    mapping.iter().map(|(key, value)| (key.as_str().unwrap(), value)).collect()
}

/// A scalar as the text that a build agent passes on.
pub fn scalar(value: &Yaml) -> String {
    match value {
        Yaml::String(text) | Yaml::Real(text) => text.clone(),
        Yaml::Integer(number) => number.to_string(),
        Yaml::Boolean(flag) => flag.to_string(),
        other => panic!("no scalar: {other:?}"),
    }
}

pub fn exists(folder: &Path, name: &str) -> bool {
    folder.join(name).is_file()
}
