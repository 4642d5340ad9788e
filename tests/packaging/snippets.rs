//! What `init` prints and the documents show is run as it stands.

use std::fs;
use std::path::Path;

use yaml_rust2::Yaml;

use super::action::{released, run_action};
use super::stage::{FRESH, STABLE, Stage, entries, exists, scalar, yaml};
use super::support::{Folder, binary};
use super::tools::{commit, committed, git, json};

/// The indented blocks of `init` by the name of their file, which stands in brackets above.
fn printed() -> Vec<(String, String)> {
    let folder = Folder::with(&[("Cargo.toml", "[package]\nname = \"m\"\n"), ("src/lib.rs", "")]);
    let ran = binary(&folder.path, &["init"], &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let mut blocks: Vec<(String, String)> = Vec::new();
    for line in ran.stdout.lines() {
        if let Some(code) = line.strip_prefix("    ") {
            blocks.last_mut().unwrap().1.push_str(&format!("{code}\n"));
        } else if let Some((_, file)) = line.trim_end_matches(':').split_once('(') {
            let file = file.split([')', ',']).next().unwrap();
            blocks.push((file.to_owned(), String::new()));
        }
    }
    blocks.retain(|(_, text)| !text.is_empty());
    blocks
}

fn named(file: &str) -> String {
    let blocks = printed();
    let names: Vec<&str> = blocks.iter().map(|(name, _)| name.as_str()).collect();
    let found = blocks.iter().find(|(name, _)| name == file);
    found.unwrap_or_else(|| panic!("{file} is not in {names:?}")).1.clone()
}

/// The fenced blocks of a language on the page about hooks and CI.
fn shown(language: &str) -> Vec<String> {
    let page = committed("docs/ci.md");
    let fenced = page.split("```").skip(1).step_by(2);
    fenced.filter_map(|block| Some(block.strip_prefix(language)?.strip_prefix('\n')?.to_owned())).collect()
}

#[test]
fn the_page_shows_what_init_prints() {
    let shown: Vec<String> = ["sh", "yaml"].iter().flat_map(|language| shown(language)).collect();
    let printed = printed();
    assert_eq!(printed.len(), 4);
    for (file, text) in printed {
        assert!(shown.contains(&text), "{file} is not in docs/ci.md");
    }
}

#[test]
fn the_git_hook_lets_through_what_is_stable_and_nothing_else() {
    for (statement, fits) in [(STABLE, true), (FRESH, false)] {
        let stage = Stage::new("let key = String::new();");
        let checkout = stage.checkout();
        let hook = named(".git/hooks/pre-commit");
        fs::write(checkout.join(".git/hooks/pre-commit"), hook).unwrap();
        let other = Stage::new(statement);
        fs::copy(other.checkout().join("src/lib.rs"), checkout.join("src/lib.rs")).unwrap();
        let commit = "chmod +x .git/hooks/pre-commit; git config user.name t; git config user.email t@example.com; \
                      git commit --quiet --all --message change";
        let output = stage.run(commit, &[]);
        assert_eq!(output.status.success(), fits, "{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// The steps of a job that run something in a shell.
fn commands(job: &Yaml) -> Vec<String> {
    job["steps"].as_vec().unwrap().iter().filter_map(|step| step["run"].as_str().map(str::to_owned)).collect()
}

#[test]
fn the_github_workflow_runs_the_action_of_this_version() {
    let workflow = yaml(&named(".github/workflows/samekey.yml"));
    assert_eq!(workflow["on"].as_str(), Some("pull_request"));
    let steps = workflow["jobs"]["samekey"]["steps"].as_vec().unwrap().clone();
    assert_eq!(steps[0]["with"]["fetch-depth"].as_i64(), Some(0), "`since` needs the history");
    let expected = format!("samekey/samekey@v{}", env!("CARGO_PKG_VERSION"));
    assert_eq!(steps[1]["uses"].as_str(), Some(expected.as_str()));
    let inputs: Vec<(String, String)> = entries(&steps[1]["with"])
        .into_iter()
        .map(|(name, value)| (name.to_owned(), scalar(value).replace("${{ github.base_ref }}", "main")))
        .collect();
    for (statement, code) in [(STABLE, 0), (FRESH, 1)] {
        let stage = Stage::new(statement);
        let done = run_action(&stage, &inputs, &released(&stage));
        assert_eq!(done.code(), Some(code), "{}", done.stderr());
        let uploaded = steps[2]["with"]["sarif_file"].as_str().unwrap();
        assert!(exists(&stage.checkout(), uploaded), "{uploaded} is there for the upload");
    }
}

#[test]
fn the_github_workflow_without_the_action_runs() {
    let workflow = shown("yaml").into_iter().find(|text| text.contains("GITHUB_BASE_REF")).unwrap();
    let commands = commands(&yaml(&workflow)["jobs"]["samekey"]);
    assert_eq!(commands.len(), 2);
    for (statement, code) in [(STABLE, 0), (FRESH, 1)] {
        let stage = Stage::new(statement);
        let environment = [("GITHUB_BASE_REF".to_owned(), "main".to_owned())];
        let output = stage.run(&commands[0], &environment);
        assert!(output.status.success() && stage.installed().contains("cargo-samekey"), "{output:?}");
        let output = stage.run(&commands[1], &environment);
        assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stderr));
        let sarif = json(&fs::read_to_string(stage.checkout().join("samekey.sarif")).unwrap());
        assert_eq!(sarif["version"], "2.1.0");
    }
}

/// Runs the script of a GitLab job and returns the code that the job ends with, and the report that it uploads.
fn gitlab(job: &Yaml, statement: &str) -> (Option<i32>, serde_json::Value) {
    let stage = Stage::new(statement);
    stage.install_tool();
    let environment = [("CI_MERGE_REQUEST_TARGET_BRANCH_NAME".to_owned(), "main".to_owned())];
    let script: Vec<String> = job["script"].as_vec().unwrap().iter().map(scalar).collect();
    let output = stage.run(&script.join("\n"), &environment);
    assert!(stage.installed().contains("cargo-samekey"), "the job installs what it runs");
    assert_eq!(job["artifacts"]["when"].as_str(), Some("always"), "a job that fails has a report too");
    let report = job["artifacts"]["reports"]["codequality"].as_str().unwrap();
    let report = fs::read_to_string(stage.checkout().join(report))
        .unwrap_or_else(|error| panic!("{report}: {error}: {}", String::from_utf8_lossy(&output.stderr)));
    (output.status.code(), json(&report))
}

#[test]
fn the_gitlab_jobs_run_and_write_their_report() {
    let jobs: Vec<Yaml> = shown("yaml")
        .iter()
        .map(|text| yaml(text)["samekey"].clone())
        .filter(|job| !job["script"].is_badvalue())
        .collect();
    assert_eq!(jobs.len(), 2);
    assert_eq!(yaml(&named(".gitlab-ci.yml"))["samekey"], jobs[0]);
    for job in &jobs {
        let (code, report) = gitlab(job, STABLE);
        assert_eq!((code, report.as_array().map(Vec::len)), (Some(0), Some(0)));
        let (code, report) = gitlab(job, FRESH);
        assert_eq!((code, report[0]["check_name"].as_str()), (Some(1), Some("uuid-in-key")));
    }
}

/// What pre-commit itself makes of the hooks is tried by `packaging/hooks.sh`.
#[test]
fn the_hooks_of_pre_commit_call_what_exists() {
    let hooks = yaml(&committed(".pre-commit-hooks.yaml"));
    let ids: Vec<&str> = hooks.as_vec().unwrap().iter().map(|hook| hook["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["samekey", "samekey-system"]);
    let mut lines: Vec<String> = hooks
        .as_vec()
        .unwrap()
        .iter()
        .map(|hook| format!("{} {}", scalar(&hook["entry"]), scalar(&hook["args"][0])))
        .collect();
    let configurations: Vec<Yaml> =
        shown("yaml").iter().map(|text| yaml(text)).filter(|shown| !shown["repos"].is_badvalue()).collect();
    assert_eq!(configurations.len(), 3);
    for configuration in &configurations {
        for hook in configuration["repos"][0]["hooks"].as_vec().unwrap() {
            match hook["entry"].as_str() {
                Some(entry) => lines.push(entry.to_owned()),
                None => assert!(ids.contains(&hook["id"].as_str().unwrap()), "{hook:?}"),
            }
        }
    }
    let stage = Stage::new(FRESH);
    stage.install_tool();
    let checkout = stage.checkout();
    fs::write(checkout.join("src/more.rs"), fs::read_to_string(checkout.join("src/lib.rs")).unwrap())
        .unwrap();
    fs::write(checkout.join("src/lib.rs"), "pub mod more;\n").unwrap();
    git(&checkout, &["add", "-A"]);
    for line in &lines {
        let output = stage.run(line, &[]);
        assert_eq!(output.status.code(), Some(1), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    }
    commit(&checkout);
    for line in &lines {
        assert_eq!(stage.run(line, &[]).status.code(), Some(0), "{line}: nothing is staged");
    }
}

/// Versions that are written out are this one, so that a release renews them.
#[test]
fn shown_versions_are_current() {
    let mut seen = 0;
    for block in shown("yaml") {
        for line in block.lines() {
            let version = ["rev: v", "samekey@v", "cargo-samekey==", "--version "]
                .iter()
                .find_map(|before| Some(line.split_once(before)?.1.trim_end_matches(']')));
            if let Some(version) = version {
                assert_eq!(version, env!("CARGO_PKG_VERSION"), "{line}");
                seen += 1;
            }
        }
    }
    assert_eq!(seen, 5);
}

#[test]
fn every_yaml_file_and_block_is_valid() {
    for file in ["action.yml", ".pre-commit-hooks.yaml", ".github/workflows/release.yml"] {
        yaml(&committed(file));
    }
    assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging/install.sh").is_file());
    for block in shown("yaml") {
        yaml(&block);
    }
}
