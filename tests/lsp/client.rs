//! An editor: the binary's language server over its standard input and output.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

/// Longer than any answer takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// One editor with its server.
pub struct Editor {
    server: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// Everything that came in, in order.
    pub seen: Vec<Value>,
    requests: i32,
}

/// How a server ended.
pub struct End {
    pub code: i32,
    pub stderr: String,
}

impl Editor {
    /// Starts a server and sends nothing.
    pub fn start(folder: &Path, arguments: &[&str]) -> Editor {
        let mut server = Command::new(env!("CARGO_BIN_EXE_cargo-samekey"))
            .arg("lsp")
            .args(arguments)
            .env_clear()
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, messages) = channel();
        let mut output = BufReader::new(server.stdout.take().unwrap());
        std::thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let input = server.stdin.take();
        Editor { server, input, messages, seen: Vec::new(), requests: 0 }
    }

    /// Starts a server for a folder and introduces itself as an editor that can do everything.
    pub fn open(folder: &Path) -> Editor {
        let mut editor = Editor::start(folder, &["--stdio"]);
        editor.initialize(json!({ "rootUri": uri(folder), "capabilities": capabilities() }));
        editor
    }

    /// Initializes and returns what the server offers.
    pub fn initialize(&mut self, params: Value) -> Value {
        let answer = self.ask("initialize", params);
        self.notify("initialized", json!({}));
        answer["result"].clone()
    }

    pub fn send(&mut self, message: &Value) {
        self.send_text(&message.to_string());
    }

    pub fn send_text(&mut self, text: &str) {
        self.send_bytes(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request and returns its answer.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        self.requests += 1;
        let id = format!("request-{}", self.requests);
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        self.wait(|message| message["id"] == *id && message.get("method").is_none())
    }

    /// The next message for which a condition holds. Requests of the server are answered in passing.
    pub fn wait(&mut self, condition: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = match self.messages.recv_timeout(PATIENCE) {
                Ok(message) => message,
                Err(error) => panic!("{error}; so far there were {:#?}", self.seen),
            };
            self.seen.push(message.clone());
            if let (Some(id), Some(_)) = (message.get("id"), message.get("method")) {
                self.send(&json!({ "jsonrpc": "2.0", "id": id, "result": null }));
            }
            if condition(&message) {
                return message;
            }
        }
    }

    /// What is said next about a file.
    pub fn diagnostics(&mut self, file: &Path) -> Vec<Value> {
        let uri = uri(file);
        let message = self.wait(|message| {
            message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == *uri
        });
        message["params"]["diagnostics"].as_array().unwrap().clone()
    }

    pub fn did_open(&mut self, file: &Path, text: &str) {
        let document = json!({ "uri": uri(file), "languageId": "rust", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    pub fn did_change(&mut self, file: &Path, version: i32, changes: Value) {
        let document = json!({ "uri": uri(file), "version": version });
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    pub fn did_close(&mut self, file: &Path) {
        self.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri(file) } }));
    }

    pub fn hover(&mut self, file: &Path, position: &Value) -> Value {
        let params = json!({ "textDocument": { "uri": uri(file) }, "position": position });
        self.ask("textDocument/hover", params)["result"].clone()
    }

    pub fn actions(&mut self, file: &Path, range: &Value) -> Vec<Value> {
        let params = json!({
            "textDocument": { "uri": uri(file) }, "range": range, "context": { "diagnostics": [] },
        });
        self.ask("textDocument/codeAction", params)["result"].as_array().unwrap().clone()
    }

    /// Shuts the server down as an editor does.
    pub fn shut_down(mut self) -> End {
        let answer = self.ask("shutdown", Value::Null);
        assert_eq!(answer.get("result"), Some(&Value::Null), "{answer}");
        self.notify("exit", Value::Null);
        self.end()
    }

    /// Closes the pipe and waits for the server to end.
    pub fn end(mut self) -> End {
        self.input = None;
        let mut stderr = String::new();
        self.server.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        End { code: self.server.wait().unwrap().code().unwrap_or(-1), stderr }
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        output.read_line(&mut line).ok().filter(|read| *read > 0)?;
        match line.trim_end().strip_prefix("Content-Length: ") {
            Some(value) => length = value.parse().ok()?,
            None if line == "\r\n" => break,
            None => {}
        }
    }
    let mut content = vec![0; length];
    output.read_exact(&mut content).ok()?;
    serde_json::from_slice(&content).ok()
}

/// Paths of these tests hold nothing that has to be escaped.
pub fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// What an editor says that can do everything, with columns in UTF-16.
pub fn capabilities() -> Value {
    json!({
        "general": { "positionEncodings": ["utf-16"] },
        "textDocument": {
            "publishDiagnostics": { "relatedInformation": true, "versionSupport": true },
            "hover": { "contentFormat": ["markdown", "plaintext"] },
            "codeAction": {
                "codeActionLiteralSupport": { "codeActionKind": { "valueSet": ["quickfix"] } },
            },
        },
        "workspace": {
            "workspaceEdit": { "documentChanges": true },
            "workspaceFolders": true,
            "didChangeWatchedFiles": { "dynamicRegistration": true },
        },
        "window": { "workDoneProgress": true },
    })
}

/// The text behind an edit of a code action. Columns are ASCII here.
pub fn edited(text: &str, edits: &Value) -> String {
    let mut edits = edits.as_array().unwrap().clone();
    edits.sort_by_key(|edit| std::cmp::Reverse(offset(text, &edit["range"]["start"])));
    let mut text = text.to_owned();
    for edit in edits {
        let range = offset(&text, &edit["range"]["start"])..offset(&text, &edit["range"]["end"]);
        text.replace_range(range, edit["newText"].as_str().unwrap());
    }
    text
}

fn offset(text: &str, position: &Value) -> usize {
    let line = usize::try_from(position["line"].as_u64().unwrap()).unwrap();
    let before: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    before + usize::try_from(position["character"].as_u64().unwrap()).unwrap()
}
