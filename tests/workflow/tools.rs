//! Helpers of these tests: schemas and git repositories.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

pub const CHARGE: &str = "fn charge() {\n    let id = Uuid::new_v4();\n    mark_error(id);\n}\n";

/// A file of this repository.
pub fn committed(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

/// What of a value a schema does not allow.
pub fn violations(schema: &Value, value: &Value) -> Vec<String> {
    let validator = jsonschema::options().should_validate_formats(true).build(schema).unwrap();
    validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

/// A schema that allows only what it names. Users may meet fields of later versions; this version writes no other.
pub fn closed(mut schema: Value) -> Value {
    fn close(value: &mut Value) {
        match value {
            Value::Object(map) => {
                if map.get("type") == Some(&"object".into()) && map.contains_key("properties") {
                    map.insert("additionalProperties".to_owned(), false.into());
                }
                map.values_mut().for_each(close);
            }
            Value::Array(items) => items.iter_mut().for_each(close),
            _ => {}
        }
    }
    close(&mut schema);
    schema
}

/// Runs git in a folder, apart from the configuration of this machine.
pub fn git(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"])
        .args(["-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always"])
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env_remove("GIT_DIR")
        .env_remove("GIT_INDEX_FILE")
        .env_remove("GIT_WORK_TREE")
        .output()
        .unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// Commits everything.
pub fn commit(folder: &Path) -> String {
    if !folder.join(".git").exists() {
        git(folder, &["init", "-q"]);
    }
    git(folder, &["add", "-A"]);
    git(folder, &["commit", "-q", "--allow-empty", "-m", "x"]);
    git(folder, &["rev-parse", "HEAD"])
}
