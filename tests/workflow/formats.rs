//! Output for programs and services.

use serde_json::Value;

use crate::support::{Folder, binary, with_marks};
use crate::tools::{CHARGE, closed, committed, json, violations};

const FORMATS: [&str; 7] = ["human", "concise", "json", "jsonl", "sarif", "github", "gitlab"];

/// Text that would do harm in a terminal, a build log or a report.
const HOSTILE: &str = "fn charge() {\n    let id = Uuid::new_v4(); // ##vso[task.setvariable]x \u{1b}[31m sk_live_51HxSecret \u{202e}\n    \
                       mark_error(id); // ::error::x\n}\n";

#[test]
fn json_and_its_lines_fit_the_committed_schema() {
    let schema = closed(json(&committed("docs/schema/check.json")));
    let folder =
        Folder::with(&[("src/a.rs", HOSTILE), ("src/b.rs", "fn f( { mark_note() }\nfn g() { mark_note() }")]);
    folder.write("src/latin.rs", b"// caf\xe9 mark_\n");
    let whole = json(&with_marks(&folder.path, &["--format", "json", "-v"]).stdout);
    assert_eq!(violations(&schema, &whole), [] as [String; 0]);
    assert!(!whole["errors"].as_array().unwrap().is_empty());
    let lines = with_marks(&folder.path, &["--format", "jsonl", "-v"]).stdout;
    let mut lines: Vec<Value> = lines.lines().map(json).collect();
    let kinds: Vec<String> = lines
        .iter_mut()
        .map(|line| line.as_object_mut().unwrap().remove("type").unwrap().to_string())
        .collect();
    let mut expected: Vec<Value> = whole["diagnostics"].as_array().unwrap().clone();
    expected.extend(whole["errors"].as_array().unwrap().clone());
    expected.push(whole["summary"].clone());
    assert_eq!(lines, expected);
    assert_eq!(
        (kinds.first().map(String::as_str), kinds.last().map(String::as_str)),
        (Some("\"diagnostic\""), Some("\"summary\""))
    );
}

#[test]
fn the_comparison_with_a_schema_can_fail() {
    let schema = closed(json(&committed("docs/schema/check.json")));
    let folder = Folder::with(&[("a.rs", CHARGE)]);
    let mut whole = json(&with_marks(&folder.path, &["--format", "json"]).stdout);
    whole["diagnostics"][0]["surprise"] = 1.into();
    whole["summary"].as_object_mut().unwrap().remove("files");
    whole["diagnostics"][0]["line"] = 0.into();
    assert_eq!(violations(&schema, &whole).len(), 3);
}

#[test]
fn sarif_is_valid_and_tells_the_path() {
    let schema = json(&committed("tests/schemas/sarif-2.1.0.json"));
    let folder = Folder::with(&[("src/a b#é.rs", CHARGE)]);
    folder.write("src/latin.rs", b"// caf\xe9 mark_\n");
    let ran = with_marks(&folder.path, &["--format", "sarif"]);
    assert_eq!(ran.code, 1);
    let log = json(&ran.stdout);
    assert_eq!(violations(&schema, &log), [] as [String; 0]);
    let run = &log["runs"][0];
    let result = &run["results"][0];
    assert_eq!((&result["ruleId"], &result["level"]), (&"uuid-in-key".into(), &"error".into()));
    assert_eq!(
        run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize]["id"],
        "uuid-in-key"
    );
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "src/a%20b%23%C3%A9.rs");
    assert_eq!(
        place["region"],
        serde_json::json!({"startLine": 3, "startColumn": 5, "endLine": 3, "endColumn": 15})
    );
    let steps = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap();
    assert_eq!(steps.len(), 2);
    assert_eq!(steps[0]["location"]["physicalLocation"]["region"]["startLine"], 2);
    assert!(result["partialFingerprints"]["samekey/v1"].as_str().unwrap().starts_with("v1:"));
    let rule = &run["tool"]["driver"]["rules"][0];
    assert!(rule["help"]["markdown"].as_str().unwrap().starts_with("# uuid-in-key"));
    assert_eq!(rule["properties"]["security-severity"], "7.5");
    let notifications = run["invocations"][0]["toolExecutionNotifications"].as_array().unwrap();
    assert!(notifications[0]["message"]["text"].as_str().unwrap().contains("is not UTF-8"));
}

/// The real rules with their pages, and the findings of the example.
#[test]
fn sarif_of_the_example_is_valid() {
    let schema = json(&committed("tests/schemas/sarif-2.1.0.json"));
    let project = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/projects/billing");
    let log = json(&binary(&project, &["--format", "sarif", "-v"], &[]).stdout);
    assert_eq!(violations(&schema, &log), [] as [String; 0]);
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    for rule in rules {
        assert!(rule["help"]["text"].as_str().unwrap().len() > 200, "{}", rule["id"]);
        assert_ne!(rule["fullDescription"], rule["shortDescription"], "{}", rule["id"]);
    }
    let results = run["results"].as_array().unwrap();
    assert!(results.len() > 5);
    let prints: std::collections::BTreeSet<&str> =
        results.iter().map(|result| result["partialFingerprints"]["samekey/v1"].as_str().unwrap()).collect();
    assert_eq!(prints.len(), results.len());
}

/// Services look for files from the top of the repository.
#[test]
fn paths_for_services_start_at_the_top_of_the_repository() {
    let folder = Folder::with(&[("services/pay/src/a.rs", CHARGE), (".git/HEAD", "")]);
    let inside = folder.join("services/pay");
    let sarif = json(&with_marks(&inside, &["--format", "sarif"]).stdout);
    let uri = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert_eq!(uri, "services/pay/src/a.rs");
    let gitlab = json(&with_marks(&inside, &["--format", "gitlab"]).stdout);
    assert_eq!(gitlab[0]["location"]["path"], "services/pay/src/a.rs");
    assert!(
        with_marks(&inside, &["--format", "github"])
            .stdout
            .starts_with("::error file=services/pay/src/a.rs,")
    );
    assert!(with_marks(&inside, &["--format", "concise"]).stdout.starts_with("src/a.rs:"));
}

#[test]
fn github_annotations() {
    let text = CHARGE.to_owned() + "fn more() { mark_warning() }\nfn note() { mark_note() }\n";
    let folder = Folder::with(&[("src/a,b:c%.rs", text.as_str())]);
    let ran = with_marks(&folder.path, &["--format", "github", "--fail-on", "note"]);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(
        lines[0],
        "::error file=src/a%2Cb%3Ac%25.rs,line=3,endLine=3,col=5,endColumn=15,title=uuid-in-key (SK001)::the key \
         holds a new UUID at each call of `charge`: a retry is a new charge for Stripe%0Akey: sha256(customer_id \
         \":\" ⟨Uuid::new_v4⟩)%0Ahelp: make the key from customer_id and period"
    );
    assert!(lines[1].starts_with("::warning ") && lines[2].starts_with("::notice "), "{}", ran.stdout);
}

#[test]
fn gitlab_code_quality() {
    let folder = Folder::with(&[("src/a.rs", CHARGE)]);
    let report = json(&with_marks(&folder.path, &["--format", "gitlab"]).stdout);
    let issue = &report[0];
    assert_eq!(
        (&issue["check_name"], &issue["severity"], &issue["location"]),
        (
            &"uuid-in-key".into(),
            &"critical".into(),
            &serde_json::json!({"path": "src/a.rs", "lines": {"begin": 3, "end": 3}})
        )
    );
    assert!(issue["fingerprint"].as_str().unwrap().starts_with("v1:"));
    let clean = Folder::with(&[("src/a.rs", "fn f() {}")]);
    assert_eq!(with_marks(&clean.path, &["--format", "gitlab"]).stdout, "[]\n");
}

#[test]
fn nothing_that_is_printed_can_do_harm() {
    let folder = Folder::with(&[("src/a.rs", HOSTILE)]);
    if cfg!(unix) {
        folder.write("src/\u{1b}]0;x\u{7}\u{202e}.rs", HOSTILE);
    }
    for format in FORMATS {
        let file = format!("{format}=out");
        let ran = with_marks(&folder.path, &["--format", format, "--output", &file, "-v"]);
        assert_eq!(ran.code, 1);
        let written = std::fs::read_to_string(folder.join("out")).unwrap();
        for text in [&ran.stdout, &written, &ran.stderr] {
            let bad = |c: char| c.is_control() && c != '\n' || ('\u{202a}'..='\u{202e}').contains(&c);
            assert!(!text.contains(bad), "{format}: {text:?}");
            assert!(!text.contains("51HxSecret") && !text.contains("##vso["), "{format}: {text}");
            let commands = text.lines().filter(|line| line.trim_start().starts_with("::")).count();
            assert_eq!(
                commands,
                if format == "github" && !text.starts_with("samekey") { 2 } else { 0 },
                "{text}"
            );
        }
    }
}

#[test]
fn exit_codes_are_the_same_in_every_format() {
    let found = Folder::with(&[("a.rs", CHARGE)]);
    let clean = Folder::with(&[("a.rs", "fn f() {}")]);
    let empty = Folder::with(&[("a.txt", "")]);
    for format in FORMATS {
        let code = |folder: &Folder, more: &[&str]| {
            with_marks(&folder.path, &[&["--format", format][..], more].concat()).code
        };
        assert_eq!((code(&found, &[]), code(&clean, &[]), code(&empty, &[])), (1, 0, 3), "{format}");
        assert_eq!(code(&found, &["nowhere"]), 2, "{format}");
        assert_eq!(code(&found, &["-W", "uuid-in-key"]), 0, "{format}");
    }
}

#[test]
fn files_are_written_beside_the_terminal_output() {
    let folder = Folder::with(&[("a.rs", CHARGE), ("out/keep", "")]);
    let ran = with_marks(
        &folder.path,
        &[
            "--format",
            "concise",
            "--output",
            "sarif=out/a.sarif",
            "--output",
            "json=b.json",
            "--output",
            "human=c.txt",
        ],
    );
    assert_eq!((ran.code, ran.stdout.lines().count()), (1, 1));
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(json(&read("out/a.sarif"))["version"], "2.1.0");
    assert_eq!(json(&read("b.json"))["version"], 1);
    assert!(read("c.txt").contains("error[uuid-in-key]") && read("c.txt").ends_with(" 0 not analysed\n"));
    assert_eq!(read("b.json"), with_marks(&folder.path, &["--format", "json"]).stdout);
}

#[test]
fn mistakes_about_files_are_one_message_with_the_remedy() {
    let folder = Folder::with(&[("a.rs", CHARGE), ("dir/keep", "")]);
    for (arguments, message) in [
        (&["--output", "sarif"][..], "write FORMAT=FILE, such as sarif=samekey.sarif"),
        (&["--output", "sarfi=x"], "unknown format `sarfi`; did you mean `sarif`?"),
        (&["--output", "xml=x"], "unknown format `xml`; the formats are human, concise, json"),
        (&["--output", "json="], "no file is named; write json=FILE"),
        (&["--output", "json=-"], "use --format json for standard output"),
        (&["--output", "json=x", "--output", "sarif=./x"], "error: --output names ./x twice"),
        (&["--output", "json=lib.rs"], "error: --output lib.rs would replace source code; name another file"),
        (
            &["--output", "json=samekey.toml"],
            "error: --output samekey.toml would replace the project's own file; name another file",
        ),
        (
            &["--output", "json=old.json", "--baseline", "dir/../old.json"],
            "error: --output old.json would replace a file that this run reads; name another file",
        ),
        (&["chekc"], "error: chekc: no such file or folder; did you mean the command `check`?\n"),
        (&["--output", "json=dir"], "error: --output dir is a folder; name a file in it"),
        (
            &["--output", "json=nowhere/x"],
            "error: --output nowhere/x: its folder does not exist; create it first",
        ),
        (&["--format", "sarfi"], "sarif"),
    ] {
        let ran = with_marks(&folder.path, arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(ran.stderr.contains(message), "{arguments:?}: {}", ran.stderr);
    }
    assert!(!folder.join("x").exists());
}

#[cfg(unix)]
#[test]
fn a_link_to_source_code_is_not_written_through() {
    let folder = Folder::with(&[("a.rs", CHARGE)]);
    std::os::unix::fs::symlink("a.rs", folder.join("report.json")).unwrap();
    let ran = with_marks(&folder.path, &["--output", "json=report.json"]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("report.json would replace source code"), "{}", ran.stderr);
    assert_eq!(std::fs::read_to_string(folder.join("a.rs")).unwrap(), CHARGE);
    std::os::unix::fs::symlink("b.json", folder.join("c.json")).unwrap();
    folder.write("b.json", "");
    let ran = with_marks(&folder.path, &["--output", "json=b.json", "--output", "sarif=c.json"]);
    assert!(ran.stderr.contains("--output names c.json twice"), "{}", ran.stderr);
}

/// What was found is printed even when a file cannot be written.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said_at_the_end() {
    let folder = Folder::with(&[("a.rs", CHARGE)]);
    let ran = with_marks(&folder.path, &["--format", "concise", "--output", "json=/dev/full"]);
    assert_eq!((ran.code, ran.stdout.lines().count()), (2, 1));
    assert!(
        ran.stderr.ends_with("error: /dev/full cannot be written: no storage space; name another file\n"),
        "{}",
        ran.stderr
    );
}

#[test]
fn an_analysis_that_saw_only_a_part_says_so() {
    let folder = Folder::with(&[("src/a.rs", "fn f() {\n    mark_cut();\n    mark_unnamed_cut();\n}\n")]);
    let ran = with_marks(&folder.path, &["--format", "json"]);
    assert_eq!(ran.code, 0);
    assert_eq!(
        ran.stderr,
        "warning: src/a.rs:2: the work budget cut the analysis of `billing::charge` short: flows through it may be \
         missing\nwarning: the work budget cut the analysis short at 1 more place: flows may be missing\nsamekey: 1 \
         file, 0 keys, 0 findings, 0 notes, 0 not analysed, 2 cut short\n"
    );
    let report = json(&ran.stdout);
    assert_eq!(report["summary"]["partial"], 2);
    assert_eq!((&report["errors"][0]["file"], &report["errors"][0]["line"]), (&"src/a.rs".into(), &2.into()));
    let sarif = json(&with_marks(&folder.path, &["--format", "sarif"]).stdout);
    assert_eq!(violations(&json(&committed("tests/schemas/sarif-2.1.0.json")), &sarif), [] as [String; 0]);
    let notes = &sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"];
    assert!(notes[0]["message"]["text"].as_str().unwrap().contains("`billing::charge`"), "{notes}");
}
