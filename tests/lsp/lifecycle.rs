//! The order of messages, messages that are not valid, and the end.

use serde_json::{Value, json};

use crate::client::{Editor, capabilities, uri};
use crate::support::Folder;
use crate::{FRESH, charge, shop};

#[test]
fn exit_without_shutdown_is_a_failure() {
    let folder = Folder::new();
    let mut editor = Editor::open(&folder.path);
    editor.notify("exit", Value::Null);
    let end = editor.end();
    assert_eq!(end.code, 1);
    assert_eq!(end.stderr, "error: the editor ended the language server without shutting it down\n");
}

#[test]
fn an_editor_that_is_gone_ends_the_server() {
    let folder = Folder::new();
    assert_eq!(Editor::start(&folder.path, &[]).end().code, 1, "before it said anything");
    assert_eq!(Editor::open(&folder.path).end().code, 1);
    let mut editor = Editor::open(&folder.path);
    editor.ask("shutdown", Value::Null);
    assert_eq!(editor.end().code, 0, "after it shut the server down");
}

#[test]
fn what_is_no_protocol_is_named() {
    for garbage in [
        &b"hello\n"[..],
        b"\xff\xfe\n",
        b"Content-Length: 5\r\n\r\n{}",
        b"Content-Length: 99999999999\r\n\r\n",
    ] {
        let folder = Folder::new();
        let mut editor = Editor::start(&folder.path, &[]);
        editor.send_bytes(garbage);
        let end = editor.end();
        assert_eq!(end.code, 2, "{garbage:?}");
        let expected = "error: standard input is not the language server protocol: ";
        assert!(end.stderr.starts_with(expected), "{}", end.stderr);
        assert_eq!(end.stderr.lines().count(), 1, "{}", end.stderr);
    }
}

#[test]
fn messages_come_in_order() {
    let folder = Folder::new();
    let mut editor = Editor::start(&folder.path, &[]);
    let code = |answer: Value| answer["error"]["code"].clone();
    assert_eq!(code(editor.ask("textDocument/hover", json!({}))), -32002, "initialize comes first");
    assert_eq!(code(editor.ask("shutdown", Value::Null)), -32002);
    assert_eq!(code(editor.ask("initialize", json!(5))), -32602);
    editor.notify("textDocument/didOpen", json!(5));
    editor.initialize(json!({ "capabilities": {} }));
    assert_eq!(code(editor.ask("initialize", json!({ "capabilities": {} }))), -32600);
    editor.ask("shutdown", Value::Null);
    assert_eq!(code(editor.ask("textDocument/hover", json!({}))), -32600);
    editor.notify("exit", Value::Null);
    assert_eq!(editor.end().code, 0);
}

#[test]
fn messages_that_are_not_valid_get_an_answer_and_the_next_one_too() {
    let folder = shop(&charge(FRESH));
    let mut editor = Editor::open(&folder.path);
    let mut refused = |text: &str, code: i32| {
        editor.send_text(text);
        let answer = editor.wait(|message| message["error"]["code"] == code);
        answer["id"].clone()
    };
    assert_eq!(refused("{", -32700), Value::Null);
    assert_eq!(refused("\u{0}", -32700), Value::Null);
    assert_eq!(refused("[1]", -32600), Value::Null);
    assert_eq!(refused(r#"{"id":3}"#, -32600), 3);
    assert_eq!(refused(r#"{"id":99999999999,"method":"shutdown"}"#, -32600), 99_999_999_999_u64);
    assert_eq!(refused(r#"{"jsonrpc":"2.0","id":4,"method":"textDocument/hover","params":{}}"#, -32602), 4);
    assert_eq!(refused(r#"{"jsonrpc":"2.0","id":5,"method":"textDocument/foo","params":{}}"#, -32601), 5);
    assert_eq!(refused(&"[".repeat(100_000), -32700), Value::Null);
    editor.notify("textDocument/didChange", json!({ "textDocument": 1 }));
    let log = editor.wait(|message| message["method"] == "window/logMessage");
    assert!(
        log["params"]["message"].as_str().unwrap().starts_with("textDocument/didChange is not valid"),
        "{log}"
    );
    editor.notify("$/unknown", json!({}));
    let file = folder.join("src/lib.rs");
    editor.did_change(&folder.join("src/not-open.rs"), 2, json!([{ "text": "" }]));
    editor.did_open(&file, &charge(FRESH));
    assert_eq!(editor.diagnostics(&file).len(), 1);
    assert_eq!(editor.shut_down().code, 0);
}

#[test]
fn a_folder_that_does_not_exist_is_named_once() {
    let folder = Folder::new();
    let mut editor = Editor::start(&folder.path, &[]);
    editor.initialize(json!({ "rootUri": uri(&folder.join("nowhere")), "capabilities": {} }));
    let message = editor.wait(|message| message["method"] == "window/showMessage");
    assert!(message["params"]["message"].as_str().unwrap().contains("nowhere: no such folder"), "{message}");
    let file = folder.join("a.rs");
    editor.did_open(&file, "fn main() {}");
    editor.diagnostics(&file);
    assert_eq!(editor.seen.iter().filter(|message| message["method"] == "window/showMessage").count(), 1);
    assert_eq!(editor.shut_down().code, 0);
}

#[test]
fn a_root_that_is_no_folder_of_this_machine_is_named() {
    let folder = Folder::new();
    let mut editor = Editor::start(&folder.path, &[]);
    editor.initialize(json!({ "rootUri": "vscode-remote://ssh/x", "capabilities": {} }));
    let shown = editor.seen.iter().any(|message| message["method"] == "window/showMessage");
    assert!(shown, "{:#?}", editor.seen);
    assert_eq!(editor.shut_down().code, 0);
}

#[test]
fn offers_what_it_does_and_asks_for_changes_of_files() {
    let folder = Folder::new();
    let mut editor = Editor::start(&folder.path, &[]);
    let offer = editor.initialize(json!({ "rootUri": uri(&folder.path), "capabilities": capabilities() }));
    let offer = &offer["capabilities"];
    assert_eq!(offer["textDocumentSync"]["change"], 2);
    assert_eq!(offer["hoverProvider"], true);
    assert_eq!(offer["codeActionProvider"]["codeActionKinds"], json!(["quickfix"]));
    let asked = editor.wait(|message| message["method"] == "client/registerCapability");
    let watchers = &asked["params"]["registrations"][0]["registerOptions"]["watchers"];
    assert_eq!(watchers[2]["globPattern"], "**/samekey.toml");
    assert_eq!(editor.shut_down().code, 0);
}

#[test]
fn the_end_does_not_wait_for_an_analysis() {
    let folder = crate::billing();
    let file = folder.join("src/handler.rs");
    let mut editor = Editor::open(&folder.path);
    editor.did_open(&file, &std::fs::read_to_string(&file).unwrap());
    assert_eq!(editor.shut_down().code, 0);
}

#[test]
fn what_is_said_is_safe_to_print() {
    let folder = shop(&charge(FRESH));
    folder.write("src/\u{1b}[31m.rs", b"\xff");
    let mut editor = Editor::open(&folder.path);
    let log = editor.wait(|message| message["method"] == "window/logMessage");
    let said = log["params"]["message"].as_str().unwrap();
    assert!(
        said.starts_with("2 files, 1 key, 1 finding")
            && said.contains("\nsrc/\\u{1b}[31m.rs:1: is not UTF-8"),
        "{said}"
    );
    assert_eq!(editor.shut_down().code, 0);
}
