//! What the integration tests share: throw-away folders, the binary in a scrubbed environment, and an analysis that
//! finds marks in the text, so that the command line can be tested apart from the rules.
#![allow(dead_code, reason = "each test binary uses a part")]

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use cargo_samekey::cli::{Terminal, run};
use cargo_samekey::config::Config;
use cargo_samekey::driver::{Analysis, Findings, Input};
use cargo_samekey::flow::Complete;
use cargo_samekey::ir::{FileId, Span};
use cargo_samekey::load::{SinkWords, Word, WordRow};
use cargo_samekey::report::{
    Certainty, CutShort, Diagnostic, Identity, KeyEntry, Label, RuleInfo, Severity, Step,
};

/// A folder that is removed at the end of a test.
pub struct Folder {
    pub path: PathBuf,
}

impl Folder {
    pub fn new() -> Folder {
        static COUNTER: AtomicU32 = AtomicU32::new(0);
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("samekey-test-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder { path: path.canonicalize().unwrap() }
    }

    /// A folder with files, given by path and text.
    pub fn with(files: &[(&str, &str)]) -> Folder {
        let folder = Folder::new();
        for (path, text) in files {
            folder.write(path, text);
        }
        folder
    }

    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.path.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub fn join(&self, path: impl AsRef<Path>) -> PathBuf {
        self.path.join(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// What a run of the tool gave.
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// Runs the binary in a folder with nothing of the environment but what is given.
pub fn binary(folder: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> Ran {
    let output = Command::new(env!("CARGO_BIN_EXE_cargo-samekey"))
        .args(arguments)
        .env_clear()
        .envs(environment.iter().copied())
        .current_dir(folder)
        .output()
        .unwrap();
    Ran {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs the command line in this process with an analysis that reports every mark.
pub fn with_marks(folder: &Path, arguments: &[&str]) -> Ran {
    in_process(folder, arguments, &Marks)
}

/// Runs the command line in this process.
pub fn in_process(folder: &Path, arguments: &[&str], analysis: &'static dyn Analysis) -> Ran {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut terminal = Terminal {
        stdout: Box::new(&mut stdout),
        stderr: Box::new(&mut stderr),
        color: false,
        error_color: false,
        interactive: false,
        width: 80,
        current_dir: folder.to_owned(),
    };
    let arguments = ["cargo-samekey"].iter().chain(arguments).map(OsString::from);
    let code = i32::from(run(arguments, analysis, &mut terminal));
    drop(terminal);
    Ran { code, stdout: String::from_utf8(stdout).unwrap(), stderr: String::from_utf8(stderr).unwrap() }
}

/// Reports `mark_error`, `mark_warning` and `mark_note` wherever they stand in a loaded file, and takes `mark_cut`
/// for a function whose analysis was cut short.
pub struct Marks;

const MARKS: [(&str, Severity); 3] =
    [("mark_error", Severity::Error), ("mark_warning", Severity::Warning), ("mark_note", Severity::Note)];

pub const RULES: [RuleInfo; 2] = [
    RuleInfo {
        id: "uuid-in-key",
        code: "SK001",
        summary: "a new UUID in the key",
        page: "# uuid-in-key\n\nWhat it does.\n",
    },
    RuleInfo { id: "clock-in-key", code: "SK002", summary: "the clock in the key", page: "# clock-in-key\n" },
];

impl Analysis for Marks {
    fn rules(&self) -> &[RuleInfo] {
        &RULES
    }

    fn words(&self, _config: &Config) -> SinkWords {
        SinkWords { rows: vec![WordRow::single(Word::exact("mark_"))], others: Vec::new() }
    }

    fn run(&self, input: &Input<'_>, _complete: &mut Complete<'_>) -> Option<Findings> {
        let mut findings = Findings::default();
        for file in input.program.files() {
            let text = input.sources.text(file.file);
            for (mark, severity) in MARKS {
                for (start, _) in text.match_indices(mark) {
                    let span = span(file.file, start, mark);
                    findings.diagnostics.push(diagnostic(span, severity, text));
                    findings.keys.push(key(span));
                }
            }
            for (start, mark) in text.match_indices("mark_cut") {
                let place = span(file.file, start, mark);
                findings.cut_short.push(CutShort {
                    file: input.sources.path(file.file).to_owned(),
                    line: Some(input.sources.line(place)),
                    function: "billing::charge".to_owned(),
                });
            }
            findings.partial += text.matches("mark_cut").count() + text.matches("mark_unnamed_cut").count();
        }
        Some(findings)
    }
}

fn span(file: FileId, start: usize, mark: &str) -> Span {
    let start = u32::try_from(start).unwrap();
    Span { file, start, end: start + u32::try_from(mark.len()).unwrap() }
}

fn diagnostic(primary: Span, severity: Severity, text: &str) -> Diagnostic {
    let source =
        text.find("Uuid::new_v4").map_or(primary, |start| span(primary.file, start, "Uuid::new_v4()"));
    Diagnostic {
        rule: "uuid-in-key",
        code: "SK001",
        severity,
        certainty: Certainty::Proven,
        message: "the key holds a new UUID at each call of `charge`: a retry is a new charge for Stripe"
            .to_owned(),
        primary,
        labels: vec![Label { span: primary, text: "sent to Stripe".to_owned() }],
        formula: Some("sha256(customer_id \":\" ⟨Uuid::new_v4⟩)".to_owned()),
        identity: Identity {
            module: "billing".to_owned(),
            function: "charge".to_owned(),
            sink: "mark".to_owned(),
            source: "uuid".to_owned(),
        },
        fingerprint: String::new(),
        trace: vec![
            Step { span: source, message: "a new value at each call".to_owned() },
            Step { span: primary, message: "sent as the key".to_owned() },
        ],
        help: "make the key from customer_id and period".to_owned(),
        fixes: Vec::new(),
    }
}

fn key(span: Span) -> KeyEntry {
    KeyEntry {
        span,
        provider: "Stripe".to_owned(),
        window: "24 hours".to_owned(),
        formula: "a | ⟨Uuid::new_v4⟩".to_owned(),
        claim: Some(false),
        verdict: "uuid-in-key".to_owned(),
        reasons: Vec::new(),
    }
}
