//! `action.yml`: its metadata, and its steps as a runner would run them.

use std::collections::BTreeMap;
use std::fs;
use std::process::Output;

use serde_json::Value;
use yaml_rust2::Yaml;

use super::release::{archive, host_target};
use super::stage::{FRESH, STABLE, Stage, entries, exists, scalar, yaml};
use super::tools::{committed, json};

fn metadata() -> Yaml {
    yaml(&committed("action.yml"))
}

/// What the reference of action metadata allows, for a composite action.
#[test]
fn the_metadata_is_complete_and_holds_nothing_unknown() {
    let action = metadata();
    let known = |mapping: &Yaml, names: &[&str]| {
        for (name, _) in entries(mapping) {
            assert!(names.contains(&name), "{name}");
        }
    };
    known(&action, &["name", "description", "author", "branding", "inputs", "outputs", "runs"]);
    for name in ["name", "description", "runs"] {
        assert!(!action[name].is_badvalue(), "{name}");
    }
    known(&action["branding"], &["icon", "color"]);
    for (name, input) in entries(&action["inputs"]) {
        known(input, &["description", "required", "default"]);
        assert!(name.chars().all(|sign| sign.is_ascii_lowercase() || sign == '-'), "{name}");
        assert!(
            input["description"].as_str().is_some() && input["required"].as_bool() == Some(false),
            "{name}"
        );
        assert!(input["default"].as_str().is_some(), "{name}: a default is a text");
    }
    for (name, output) in entries(&action["outputs"]) {
        known(output, &["description", "value"]);
        assert!(output["value"].as_str().is_some(), "{name}: outputs of composite actions have values");
    }
    assert_eq!(action["runs"]["using"].as_str(), Some("composite"));
    known(&action["runs"], &["using", "steps"]);
    for step in action["runs"]["steps"].as_vec().unwrap() {
        known(step, &["name", "id", "shell", "env", "run", "working-directory"]);
        assert_eq!(step["shell"].as_str(), Some("bash"), "each step of a composite action names its shell");
    }
}

/// An expression inside of a script would run what a branch or an input is called.
#[test]
fn no_input_becomes_part_of_a_script() {
    for step in metadata()["runs"]["steps"].as_vec().unwrap() {
        assert!(!step["run"].as_str().unwrap().contains("${{"));
    }
}

#[test]
fn every_input_and_output_is_used() {
    let text = committed("action.yml");
    for (name, _) in entries(&metadata()["inputs"]) {
        assert!(text.contains(&format!("${{{{ inputs.{name} }}}}")), "{name}");
    }
    for (name, _) in entries(&metadata()["outputs"]) {
        assert!(text.contains(&format!("echo \"{name}=")), "{name}");
    }
}

/// What a run of the action did.
pub struct Done {
    pub output: Output,
    pub outputs: BTreeMap<String, String>,
}

impl Done {
    pub fn code(&self) -> Option<i32> {
        self.output.status.code()
    }

    pub fn stdout(&self) -> String {
        String::from_utf8_lossy(&self.output.stdout).into_owned()
    }

    pub fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.output.stderr).into_owned()
    }
}

/// Runs the steps one after the other, with files for the path and the outputs, until one fails.
pub fn run_action(stage: &Stage, inputs: &[(String, String)], releases: &str) -> Done {
    let action = metadata();
    for (name, _) in inputs {
        assert!(!action["inputs"][name.as_str()].is_badvalue(), "there is no input {name}");
    }
    let temporary = stage.join("runner");
    fs::create_dir_all(&temporary).unwrap();
    let file = |name: &str| temporary.join(name).display().to_string();
    for name in ["path", "output"] {
        fs::write(file(name), "").unwrap();
    }
    let mut last = None;
    for step in action["runs"]["steps"].as_vec().unwrap() {
        let mut environment = vec![
            ("RUNNER_TEMP".to_owned(), temporary.display().to_string()),
            ("GITHUB_ACTION_PATH".to_owned(), env!("CARGO_MANIFEST_DIR").to_owned()),
            ("GITHUB_PATH".to_owned(), file("path")),
            ("GITHUB_OUTPUT".to_owned(), file("output")),
            ("SAMEKEY_RELEASES".to_owned(), releases.to_owned()),
        ];
        for (name, value) in entries(&step["env"]) {
            environment.push((name.to_owned(), resolved(&scalar(value), &action, inputs)));
        }
        let mut script = String::new();
        for folder in fs::read_to_string(file("path")).unwrap().lines() {
            script.push_str(&format!("export PATH='{folder}':\"$PATH\"\n"));
        }
        if let Some(folder) = step["working-directory"].as_str() {
            script.push_str(&format!("cd '{}'\n", resolved(folder, &action, inputs)));
        }
        script.push_str(step["run"].as_str().unwrap());
        let output = stage.run(&script, &environment);
        let failed = !output.status.success();
        last = Some(output);
        if failed {
            break;
        }
    }
    let outputs = fs::read_to_string(file("output")).unwrap();
    let outputs = outputs.lines().filter_map(|line| line.split_once('='));
    let outputs = outputs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    Done { output: last.unwrap(), outputs }
}

/// An input of this run, or its default.
fn resolved(text: &str, action: &Yaml, inputs: &[(String, String)]) -> String {
    let Some(name) = text.strip_prefix("${{ inputs.").and_then(|rest| rest.strip_suffix(" }}")) else {
        return text.to_owned();
    };
    let given = inputs.iter().find(|(known, _)| known == name);
    given.map_or_else(|| scalar(&action["inputs"][name]["default"]), |(_, value)| value.clone())
}

fn with(inputs: &[(&str, &str)]) -> Vec<(String, String)> {
    inputs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// A folder of releases that holds one for this machine.
pub fn released(stage: &Stage) -> String {
    let folder = stage.join("releases").join(format!("v{}", env!("CARGO_PKG_VERSION")));
    archive(&host_target(), &folder);
    format!("file://{}", stage.join("releases").display())
}

#[test]
fn a_finding_fails_the_step_and_reaches_the_sarif_file() {
    let stage = Stage::new(FRESH);
    let done =
        run_action(&stage, &with(&[("sarif", "samekey.sarif"), ("since", "origin/main")]), &released(&stage));
    assert_eq!(done.code(), Some(1), "{}", done.stderr());
    assert!(done.stdout().contains("::error file=src/lib.rs,line=3"), "{}", done.stdout());
    assert_eq!(done.outputs["exit-code"], "1");
    assert_eq!(done.outputs["sarif"], "samekey.sarif");
    let sarif: Value = json(&fs::read_to_string(stage.checkout().join("samekey.sarif")).unwrap());
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "uuid-in-key");
    assert_eq!(stage.installed(), "", "a release needs no compiler");
}

#[test]
fn a_stable_key_passes() {
    let stage = Stage::new(STABLE);
    let done = run_action(&stage, &with(&[("since", "origin/main")]), &released(&stage));
    assert_eq!((done.code(), done.outputs["exit-code"].as_str()), (Some(0), "0"), "{}", done.stderr());
    assert!(!exists(&stage.checkout(), "samekey.sarif"));
}

#[test]
fn paths_arguments_and_the_folder_are_passed_on() {
    let stage = Stage::new(FRESH);
    let releases = released(&stage);
    let run = |inputs: &[(&str, &str)]| run_action(&stage, &with(inputs), &releases).code();
    assert_eq!(run(&[("args", "-A uuid-in-key --strict")]), Some(0));
    assert_eq!(run(&[("paths", "src/lib.rs Cargo.toml")]), Some(1));
    assert_eq!(run(&[("paths", "src/none.rs")]), Some(2));
    assert_eq!(run(&[("working-directory", "src"), ("paths", "lib.rs")]), Some(1));
    assert_eq!(run(&[("fail-on", "never")]), Some(2));
    // A name is a name, whatever it looks like.
    assert_eq!(run(&[("since", "$(touch owned); `touch owned`")]), Some(2));
    assert!(!exists(&stage.checkout(), "owned"));
}

#[test]
fn without_a_release_it_is_built_from_the_source_of_the_action() {
    let stage = Stage::new(FRESH);
    let none = format!("file://{}", stage.join("none").display());
    assert_eq!(run_action(&stage, &[], &none).code(), Some(1));
    let installed = stage.installed();
    assert!(installed.contains(&format!("--path {}", env!("CARGO_MANIFEST_DIR"))), "{installed}");
    assert!(installed.contains("install --locked "), "{installed}");

    let stage = Stage::new(FRESH);
    assert_eq!(run_action(&stage, &with(&[("version", "v7.8.9")]), &none).code(), Some(1));
    assert!(stage.installed().contains("--version 7.8.9 cargo-samekey"), "{}", stage.installed());
}

#[test]
fn an_archive_that_is_not_what_the_release_says_is_refused() {
    let stage = Stage::new(FRESH);
    let releases = released(&stage);
    let folder = stage.join("releases").join(format!("v{}", env!("CARGO_PKG_VERSION")));
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "sha256") {
            fs::write(path, format!("{}  x\n", "0".repeat(64))).unwrap();
        }
    }
    let done = run_action(&stage, &[], &releases);
    assert_eq!(done.code(), Some(1));
    assert!(done.stderr().contains("the SHA-256 differs"), "{}", done.stderr());
    assert_eq!((stage.installed().as_str(), done.outputs.len()), ("", 0), "nothing ran");
}
