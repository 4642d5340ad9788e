//! What is shown, where, and when it goes away.

use std::fs;

use serde_json::{Value, json};

use crate::client::{Editor, capabilities, edited, uri};
use crate::support::Folder;
use crate::{FRESH, MANIFEST, STABLE, billing, charge, shop};

fn codes(diagnostics: &[Value]) -> Vec<&str> {
    diagnostics.iter().map(|one| one["code"].as_str().unwrap()).collect()
}

/// A folder that holds a file with one finding, and what was shown in it.
fn one_finding(editor: &mut Editor, folder: &Folder) -> Value {
    let file = folder.join("src/lib.rs");
    editor.did_open(&file, &fs::read_to_string(&file).unwrap());
    let shown = editor.diagnostics(&file);
    assert_eq!(codes(&shown), ["SK001"], "{shown:#?}");
    shown[0].clone()
}

#[test]
fn the_example_project_from_opening_to_the_fix() {
    let folder = billing();
    let mut editor = Editor::open(&folder.path);
    let (handler, gateway) = (folder.join("src/handler.rs"), folder.join("src/gateway.rs"));
    let text = fs::read_to_string(&handler).unwrap();
    editor.did_open(&handler, &text);

    let shown = editor.diagnostics(&handler);
    let lines: Vec<usize> = (0..)
        .zip(text.lines())
        .filter(|(_, line)| line.contains("//~ uuid-in-key"))
        .map(|(at, _)| at)
        .collect();
    let found: Vec<&Value> = shown.iter().filter(|one| one["code"] == "SK001").collect();
    assert_eq!(found.iter().map(|one| one["range"]["start"]["line"].clone()).collect::<Vec<_>>(), lines);
    let first = found[0];
    assert_eq!((&first["severity"], &first["source"]), (&json!(1), &json!("samekey")));
    assert!(first["codeDescription"]["href"].as_str().unwrap().ends_with("docs/rules/uuid-in-key.md"));
    assert!(first.get("tags").is_none());
    let steps = first["relatedInformation"].as_array().unwrap();
    assert_eq!(steps[0]["message"], "a new value at each call");
    assert_eq!(steps[0]["location"]["uri"], *uri(&handler));
    assert_eq!(steps.last().unwrap()["location"]["uri"], *uri(&gateway), "{steps:#?}");
    assert!(shown.iter().any(|one| one["severity"] == 2), "a fallback is a warning");

    let hover = editor.hover(&handler, &first["range"]["start"]);
    let said = hover["contents"]["value"].as_str().unwrap();
    assert_eq!(hover["contents"]["kind"], "markdown");
    assert!(said.contains("key   ⟨Uuid::new_v4⟩"), "{said}");
    assert!(said.contains("# uuid-in-key (SK001)") && said.contains("## Use instead"), "{said}");
    assert_eq!(hover["range"], first["range"]);
    assert_eq!(editor.hover(&handler, &json!({ "line": 0, "character": 0 })), Value::Null);

    // The corrected form, typed and not saved.
    let stable = "keys::monthly_charge(&request.customer, request.period)";
    let fixed = text
        .replace("let key = Uuid::new_v4().to_string();", &format!("let key = {stable};"))
        .replace("let key = Uuid::new_v4();", &format!("let key = {stable};"));
    editor.did_change(&handler, 2, json!([{ "text": fixed }]));
    let shown = editor.diagnostics(&handler);
    assert!(!codes(&shown).contains(&"SK001"), "{shown:#?}");
    assert_eq!(fs::read_to_string(&handler).unwrap(), text, "the file was not touched");

    let end = editor.shut_down();
    assert_eq!((end.code, end.stderr.as_str()), (0, ""));
}

#[test]
fn a_change_in_one_file_changes_what_is_shown_in_another() {
    let folder = Folder::with(&[
        ("Cargo.toml", MANIFEST),
        ("src/lib.rs", "mod keys;\nmod pay;\n"),
        ("src/keys.rs", "pub fn key(customer: &str) -> String {\n    customer.to_owned()\n}\n"),
        ("src/pay.rs", &charge("crate::keys::key(customer) + \":2026-08:charge\"")),
    ]);
    let mut editor = Editor::open(&folder.path);
    let (keys, pay) = (folder.join("src/keys.rs"), folder.join("src/pay.rs"));
    editor.did_open(&pay, &fs::read_to_string(&pay).unwrap());
    editor.did_open(&keys, &fs::read_to_string(&keys).unwrap());
    assert!(editor.diagnostics(&pay).is_empty());
    let line = json!({ "start": { "line": 1, "character": 4 }, "end": { "line": 1, "character": 23 } });
    let fresh = "format!(\"{customer}{}\", uuid::Uuid::new_v4())";
    editor.did_change(&keys, 2, json!([{ "range": line, "text": fresh }]));
    let shown = editor.diagnostics(&pay);
    assert_eq!(codes(&shown), ["SK001"]);
    assert_eq!(shown[0]["relatedInformation"][0]["location"]["uri"], *uri(&keys));
    // Whoever closes a text without saving it wants the one on disk.
    editor.did_close(&keys);
    assert!(editor.diagnostics(&pay).is_empty());
    assert_eq!(editor.shut_down().code, 0);
}

#[test]
fn a_closed_file_shows_nothing() {
    let folder = shop(&charge(FRESH));
    let mut editor = Editor::open(&folder.path);
    one_finding(&mut editor, &folder);
    editor.did_close(&folder.join("src/lib.rs"));
    assert!(editor.diagnostics(&folder.join("src/lib.rs")).is_empty());
    assert_eq!(editor.shut_down().code, 0);
}

#[test]
fn files_that_are_not_open_are_shown_on_request() {
    let folder = shop(&charge(FRESH));
    let mut editor = Editor::start(&folder.path, &["--all-files"]);
    editor.initialize(json!({ "rootUri": uri(&folder.path), "capabilities": {} }));
    let shown = editor.diagnostics(&folder.join("src/lib.rs"));
    assert_eq!(codes(&shown), ["SK001"]);
    assert!(shown[0].get("relatedInformation").is_none());
    let message = shown[0]["message"].as_str().unwrap();
    assert!(message.contains("\n1  src/lib.rs:5  a new value at each call"), "{message}");
    assert_eq!(editor.shut_down().code, 0);
}

#[test]
fn columns_count_in_the_unit_that_was_agreed_on() {
    // The argument stands behind a character of two bytes and one of four, two units of UTF-16.
    let text = charge(FRESH).replace("\n        .header(", "/* é🦀 */.header(").replace('\n', "\r\n");
    let line = text.lines().position(|line| line.contains("Idempotency-Key")).unwrap();
    let before = text.lines().nth(line).unwrap().split(", key)").next().unwrap().to_owned() + ", ";
    for (offered, agreed, column) in [
        (json!(["utf-16", "utf-8"]), "utf-8", before.len()),
        (json!(["utf-16"]), "utf-16", before.encode_utf16().count()),
        (json!(["utf-32"]), "utf-16", before.encode_utf16().count()),
    ] {
        let folder = shop(&text);
        let mut editor = Editor::start(&folder.path, &[]);
        let mut capabilities = capabilities();
        capabilities["general"]["positionEncodings"] = offered;
        let offer = editor.initialize(json!({ "rootUri": uri(&folder.path), "capabilities": capabilities }));
        assert_eq!(offer["capabilities"]["positionEncoding"], agreed);
        let finding = one_finding(&mut editor, &folder);
        let range = json!({
            "start": { "line": line, "character": column },
            "end": { "line": line, "character": column + 3 },
        });
        assert_eq!(finding["range"], range, "{agreed}");
        assert_eq!(editor.shut_down().code, 0);
    }
}

#[test]
fn a_finding_can_be_suppressed() {
    let text = charge(FRESH);
    let folder = shop(&text);
    let file = folder.join("src/lib.rs");
    let mut editor = Editor::open(&folder.path);
    let finding = one_finding(&mut editor, &folder);
    let actions = editor.actions(&file, &finding["range"]);
    let action = actions.iter().find(|one| one["title"] == "suppress uuid-in-key with a reason").unwrap();
    assert_eq!((&action["kind"], &action["diagnostics"][0]), (&json!("quickfix"), &finding));
    let change = &action["edit"]["documentChanges"][0];
    assert_eq!(change["textDocument"], json!({ "uri": uri(&file), "version": 1 }));
    let suppressed = edited(&text, &change["edits"]);
    assert!(
        suppressed.contains("\n        // samekey: ignore[uuid-in-key] -- reason\n        .header("),
        "{suppressed}"
    );

    let elsewhere = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 1 } });
    assert!(editor.actions(&file, &elsewhere).is_empty());
    editor.did_change(&file, 2, json!([{ "text": suppressed }]));
    assert!(editor.actions(&file, &finding["range"]).is_empty(), "edits for another version go astray");
    assert!(editor.diagnostics(&file).is_empty());
    assert_eq!(editor.shut_down().code, 0);
}

#[test]
fn edits_go_to_clients_without_versions_too() {
    let folder = shop(&charge(FRESH));
    let file = folder.join("src/lib.rs");
    let mut editor = Editor::start(&folder.path, &[]);
    editor.initialize(json!({ "rootUri": uri(&folder.path), "capabilities": {} }));
    let finding = one_finding(&mut editor, &folder);
    let actions = editor.actions(&file, &finding["range"]);
    let suppress = actions.iter().find(|one| one["title"].as_str().unwrap().starts_with("suppress")).unwrap();
    assert_eq!(suppress["edit"]["changes"][uri(&file)].as_array().unwrap().len(), 1);
    let params = json!({
        "textDocument": { "uri": uri(&file) }, "range": finding["range"],
        "context": { "diagnostics": [], "only": ["refactor"] },
    });
    assert_eq!(editor.ask("textDocument/codeAction", params)["result"], json!([]));
    assert_eq!(editor.shut_down().code, 0);
}

#[test]
fn several_folders_are_analysed_and_each_once() {
    let (first, second) = (shop(&charge(FRESH)), shop(&charge(FRESH)));
    let mut editor = Editor::start(&first.path, &[]);
    let folders = json!([
        { "uri": uri(&first.path), "name": "first" },
        { "uri": uri(&first.join("src")), "name": "first again" },
    ]);
    editor
        .initialize(json!({ "rootUri": null, "workspaceFolders": folders, "capabilities": capabilities() }));
    one_finding(&mut editor, &first);
    let file = second.join("src/lib.rs");
    editor.did_open(&file, &charge(FRESH));
    assert!(editor.diagnostics(&file).is_empty(), "its folder is not open");
    let added = json!([{ "uri": uri(&second.path), "name": "second" }]);
    editor
        .notify("workspace/didChangeWorkspaceFolders", json!({ "event": { "added": added, "removed": [] } }));
    assert_eq!(codes(&editor.diagnostics(&file)), ["SK001"]);
    editor
        .notify("workspace/didChangeWorkspaceFolders", json!({ "event": { "added": [], "removed": added } }));
    assert!(editor.diagnostics(&file).is_empty());
    assert_eq!(editor.shut_down().code, 0);
}

#[test]
fn without_a_folder_the_workspace_of_an_open_text_is_analysed() {
    let folder = shop(&charge(FRESH));
    let loose = Folder::with(&[("loose.rs", &charge(FRESH))]);
    let mut editor = Editor::start(&folder.path, &[]);
    editor.initialize(json!({ "rootUri": null, "capabilities": capabilities() }));
    one_finding(&mut editor, &folder);
    editor.did_open(&loose.join("loose.rs"), &charge(FRESH));
    assert_eq!(codes(&editor.diagnostics(&loose.join("loose.rs"))), ["SK001"]);
    editor.did_open(&loose.join("never-saved.rs"), &charge(FRESH));
    assert_eq!(codes(&editor.diagnostics(&loose.join("never-saved.rs"))), [""; 0]);
    assert_eq!(editor.shut_down().code, 0);
}

#[test]
fn the_configuration_is_read_again() {
    let folder = shop(&charge(FRESH));
    let (file, config) = (folder.join("src/lib.rs"), folder.join("samekey.toml"));
    let mut editor = Editor::open(&folder.path);
    one_finding(&mut editor, &folder);

    folder.write("samekey.toml", "[rules]\nuuid-in-key = \"off\"\n");
    let changed = json!({ "changes": [{ "uri": uri(&config), "type": 1 }] });
    editor.notify("workspace/didChangeWatchedFiles", changed.clone());
    assert!(editor.diagnostics(&file).is_empty());

    folder.write("samekey.toml", "# é\n[rules]\nuid-in-key = \"off\"\n");
    editor.notify("workspace/didChangeWatchedFiles", changed.clone());
    let shown = editor.diagnostics(&config);
    assert_eq!(shown[0]["range"]["start"], json!({ "line": 2, "character": 0 }), "{shown:#?}");
    assert!(shown[0]["message"].as_str().unwrap().contains("did you mean `uuid-in-key`?"), "{shown:#?}");
    editor.notify("workspace/didChangeConfiguration", json!({ "settings": null }));
    // One for each of the two runs.
    editor.diagnostics(&file);
    editor.diagnostics(&file);
    let errors = editor.seen.iter().filter(|message| message["method"] == "window/showMessage");
    assert_eq!(errors.count(), 1, "each error is shown once");

    folder.write("samekey.toml", "");
    editor.notify("workspace/didChangeConfiguration", json!({ "settings": null }));
    assert!(editor.diagnostics(&config).is_empty());
    assert_eq!(codes(&editor.diagnostics(&file)), ["SK001"]);
    assert_eq!(editor.shut_down().code, 0);
}

#[test]
fn a_baseline_hides_what_is_known() {
    let folder = shop(&charge(FRESH));
    assert_eq!(crate::support::binary(&folder.path, &["baseline"], &[]).code, 0);
    let mut editor = Editor::start(&folder.path, &["--baseline", "samekey-baseline.json"]);
    editor.initialize(json!({ "rootUri": uri(&folder.path), "capabilities": capabilities() }));
    let file = folder.join("src/lib.rs");
    editor.did_open(&file, &charge(FRESH));
    assert!(editor.diagnostics(&file).is_empty());
    folder.write("samekey-baseline.json", "[");
    editor.notify("workspace/didChangeConfiguration", json!({ "settings": null }));
    let message = editor.wait(|message| message["method"] == "window/showMessage");
    assert!(message["params"]["message"].as_str().unwrap().contains("samekey-baseline.json"), "{message}");
    assert_eq!(codes(&editor.diagnostics(&file)), ["SK001"]);
    assert_eq!(editor.shut_down().code, 0);
}

#[test]
fn what_is_typed_after_the_other_is_analysed_as_a_whole() {
    let folder = shop(&charge(STABLE));
    let file = folder.join("src/lib.rs");
    let mut editor = Editor::open(&folder.path);
    editor.did_open(&file, &charge(STABLE));
    for version in 2..50 {
        let key = if version % 2 == 0 { FRESH } else { STABLE };
        editor.did_change(&file, version, json!([{ "text": charge(key) }]));
    }
    editor.did_change(&file, 50, json!([{ "text": charge(FRESH) }]));
    let published = editor.wait(|message| message["method"] == "textDocument/publishDiagnostics");
    assert_eq!(published["params"]["version"], 50, "what came before is obsolete");
    assert_eq!(published["params"]["diagnostics"].as_array().unwrap().len(), 1);
    assert_eq!(editor.shut_down().code, 0);
}

#[cfg(unix)]
#[test]
fn files_keep_the_names_that_the_editor_gives_them() {
    let (folder, elsewhere) = (shop(&charge(FRESH)), Folder::new());
    let link = elsewhere.join("link");
    std::os::unix::fs::symlink(&folder.path, &link).unwrap();
    let mut editor = Editor::start(&elsewhere.path, &["--all-files"]);
    editor.initialize(json!({ "rootUri": uri(&link), "capabilities": capabilities() }));
    let file = link.join("src/lib.rs");
    let shown = editor.diagnostics(&file);
    assert_eq!(shown[0]["relatedInformation"][0]["location"]["uri"], *uri(&file));
    editor.did_open(&file, &charge(STABLE));
    assert!(editor.diagnostics(&file).is_empty(), "the open text is that of the file behind the link");
    assert_eq!(editor.shut_down().code, 0);
}

#[test]
fn a_finding_with_a_fix_can_be_fixed() {
    let wrong = charge(STABLE).replace("Idempotency-Key", "X-Idempotency-Key");
    let folder = shop(&wrong);
    let file = folder.join("src/lib.rs");
    let mut editor = Editor::open(&folder.path);
    editor.did_open(&file, &wrong);
    let shown = editor.diagnostics(&file);
    assert_eq!(codes(&shown), ["SK106"], "{shown:#?}");
    let actions = editor.actions(&file, &shown[0]["range"]);
    assert_eq!(actions.len(), 2, "{actions:#?}");
    let fixed = edited(&wrong, &actions[0]["edit"]["documentChanges"][0]["edits"]);
    assert_eq!(fixed, charge(STABLE));
    editor.did_change(&file, 2, json!([{ "text": fixed }]));
    assert!(editor.diagnostics(&file).is_empty());
    assert_eq!(editor.shut_down().code, 0);
}

#[test]
fn a_suppression_that_is_not_needed_can_be_removed_and_not_suppressed() {
    let text =
        charge(STABLE).replace("    http", "    // samekey: ignore[uuid-in-key] -- not any more\n    http");
    let folder = shop(&text);
    let file = folder.join("src/lib.rs");
    let mut editor = Editor::open(&folder.path);
    editor.did_open(&file, &text);
    let shown = editor.diagnostics(&file);
    assert_eq!(shown.len(), 1, "{shown:#?}");
    let actions = editor.actions(&file, &shown[0]["range"]);
    assert_eq!(actions.len(), 1, "{actions:#?}");
    assert_eq!(edited(&text, &actions[0]["edit"]["documentChanges"][0]["edits"]), charge(STABLE));
    assert_eq!(editor.shut_down().code, 0);
}

#[test]
fn the_findings_are_those_of_the_command_line() {
    let folder = billing();
    let ran = crate::support::binary(&folder.path, &["check", "-v", "--format", "json"], &[]);
    let document: Value = serde_json::from_str(&ran.stdout).unwrap();
    let place = |file: String, line: u64, code: &Value| format!("{file}:{line} {}", code.as_str().unwrap());
    let reported = document["diagnostics"].as_array().unwrap().iter();
    let mut expected: Vec<String> = reported
        .map(|one| {
            let file = uri(&folder.join(one["file"].as_str().unwrap()));
            place(file, one["line"].as_u64().unwrap(), &one["code"])
        })
        .collect();

    let mut editor = Editor::start(&folder.path, &["--all-files"]);
    editor.initialize(json!({ "rootUri": uri(&folder.path), "capabilities": capabilities() }));
    // The answer to this comes after everything that the first analysis gave.
    editor.wait(|message| message["method"] == "window/logMessage");
    editor.ask(
        "textDocument/hover",
        json!({ "textDocument": { "uri": "file:///" }, "position": { "line": 0, "character": 0 } }),
    );
    let mut shown = Vec::new();
    for message in editor.seen.iter().filter(|message| message["method"] == "textDocument/publishDiagnostics")
    {
        let params = &message["params"];
        shown.extend(params["diagnostics"].as_array().unwrap().iter().map(|one| {
            let line = one["range"]["start"]["line"].as_u64().unwrap() + 1;
            place(params["uri"].as_str().unwrap().to_owned(), line, &one["code"])
        }));
    }
    expected.sort();
    shown.sort();
    assert!(expected.len() > 5, "{expected:#?}");
    assert_eq!(shown, expected);
    assert_eq!(editor.shut_down().code, 0);
}
