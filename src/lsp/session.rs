//! The server between `initialize` and `shutdown`: open folders and texts, the analysis, and what was found.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use lsp_server::Response;
use lsp_types::notification::PublishDiagnostics;
use lsp_types::request::RegisterCapability;
use lsp_types::{
    Diagnostic, DidChangeTextDocumentParams, DidChangeWatchedFilesRegistrationOptions, FileEvent,
    FileSystemWatcher, GlobPattern, PublishDiagnosticsParams, Registration, RegistrationParams,
    TextDocumentItem, Uri, WorkspaceFoldersChangeEvent,
};

use super::analyse::{Analysed, Found, Job};
use super::client::{Client, value};
use super::documents::Documents;
use super::features::Features;
use super::folders::{Folder, Names};
use super::progress::{Running, TICK};
use super::{Event, Settings, uri};
use crate::driver::Analysis;

/// An analysis starts when nothing has changed for this long.
const QUIET: Duration = Duration::from_millis(150);

/// The files whose changes matter.
const WATCHED: [&str; 3] = ["**/*.rs", "**/Cargo.toml", "**/samekey.toml"];

/// What a session is made of.
pub(super) struct Context {
    pub settings: Arc<Settings>,
    pub analysis: &'static dyn Analysis,
    /// Where an analysis sends its result.
    pub events: Sender<Event>,
}

/// The state of the server.
pub(super) struct Session {
    context: Context,
    pub(super) features: Features,
    folders: Vec<Folder>,
    pub(super) documents: Documents,
    /// Whether something has changed since the last analysis began: what that one gives is not shown.
    changed: bool,
    running: Option<Running>,
    runs: u32,
    pub(super) found: BTreeMap<PathBuf, Found>,
    /// What the client has been sent, as far as it is not empty.
    published: BTreeMap<PathBuf, (Uri, Vec<Diagnostic>)>,
    /// The messages of the last analysis; each is shown once.
    told: Vec<String>,
    logged: Vec<String>,
}

impl Session {
    pub(super) fn new(context: Context, features: Features, folders: &[Uri], client: &Client) -> Session {
        let mut session = Session {
            context,
            features,
            folders: Vec::new(),
            documents: Documents::default(),
            changed: true,
            running: None,
            runs: 0,
            found: BTreeMap::new(),
            published: BTreeMap::new(),
            told: Vec::new(),
            logged: Vec::new(),
        };
        session.add_folders(folders, client);
        session
    }

    fn add_folders(&mut self, added: &[Uri], client: &Client) {
        for uri in added {
            match Folder::new(uri) {
                Some(folder) if self.folders.contains(&folder) => {}
                Some(folder) => self.folders.push(folder),
                None => client.show(&format!("{} is no folder of this machine", uri.as_str())),
            }
        }
    }

    /// Asks the client to tell about changes of files.
    pub(super) fn watch_files(&self, client: &mut Client) {
        if !self.features.watched_files {
            return;
        }
        let watchers = WATCHED
            .map(|glob| FileSystemWatcher { glob_pattern: GlobPattern::String(glob.to_owned()), kind: None });
        let options = DidChangeWatchedFilesRegistrationOptions { watchers: watchers.to_vec() };
        let registration = Registration {
            id: "samekey-files".to_owned(),
            method: "workspace/didChangeWatchedFiles".to_owned(),
            register_options: Some(value(options)),
        };
        client.request::<RegisterCapability>(RegistrationParams { registrations: vec![registration] });
    }

    pub(super) fn opened(&mut self, item: TextDocumentItem) {
        self.documents.open(item);
        self.disturbed();
    }

    pub(super) fn edited(&mut self, params: DidChangeTextDocumentParams) {
        let document = params.text_document;
        self.documents.change(
            &document.uri,
            document.version,
            params.content_changes,
            self.features.encoding,
        );
        self.disturbed();
    }

    pub(super) fn closed(&mut self, uri: &Uri, client: &Client) {
        if let Some(document) = self.documents.close(uri) {
            self.disturbed();
            self.publish(&document.path, client);
        }
    }

    /// Something has changed: a text, a file, the configuration.
    pub(super) fn disturbed(&mut self) {
        self.changed = true;
        if let Some(running) = &self.running {
            running.stop();
        }
    }

    /// Files have changed on disk. Where a source file is open, its open text counts.
    pub(super) fn files_changed(&mut self, changes: &[FileEvent]) {
        let is_open = |change: &FileEvent| {
            change.uri.as_str().ends_with(".rs") && self.documents.get(&change.uri).is_some()
        };
        if !changes.iter().all(is_open) {
            self.disturbed();
        }
    }

    pub(super) fn folders_changed(&mut self, change: &WorkspaceFoldersChangeEvent, client: &Client) {
        self.folders.retain(|folder| !change.removed.iter().any(|removed| folder.is_named(&removed.uri)));
        let added: Vec<Uri> = change.added.iter().map(|folder| folder.uri.clone()).collect();
        self.add_folders(&added, client);
        self.disturbed();
    }

    /// How long to wait for the next message before [`tick`](Session::tick).
    pub(super) fn patience(&self) -> Option<Duration> {
        match (&self.running, self.changed) {
            (Some(_), _) => Some(TICK),
            (None, true) => Some(QUIET),
            (None, false) => None,
        }
    }

    /// Nothing came in for a while.
    pub(super) fn tick(&mut self, client: &mut Client) {
        match &mut self.running {
            Some(running) if self.features.progress => running.tick(client),
            Some(_) => {}
            None if self.changed => self.start(client),
            None => {}
        }
    }

    fn start(&mut self, client: &Client) {
        self.changed = false;
        self.runs = self.runs.wrapping_add(1);
        let (sender, steps) = channel();
        let stopped = Arc::new(AtomicBool::new(false));
        let job = Job {
            settings: Arc::clone(&self.context.settings),
            features: self.features,
            folders: self.folders.clone(),
            open: self.documents.iter().cloned().collect(),
            steps: sender,
            stopped: Arc::clone(&stopped),
        };
        let (analysis, events) = (self.context.analysis, self.context.events.clone());
        let run = move || {
            // When the server has ended, nobody wants to know.
            let _ = events.send(Event::Analysed(job.run(analysis)));
        };
        match thread::Builder::new().name("lsp-analysis".to_owned()).spawn(run) {
            Ok(_) => self.running = Some(Running::new(steps, stopped, self.runs)),
            Err(error) => client.show(&format!("no thread for the analysis: {error}")),
        }
    }

    pub(super) fn answered(&mut self, response: &Response, client: &Client) {
        if let Some(running) = &mut self.running {
            running.answered(response, client);
        }
    }

    /// An analysis has ended.
    pub(super) fn analysed(&mut self, analysed: Analysed, client: &Client) {
        if let Some(running) = self.running.take() {
            running.end(client);
        }
        if self.changed {
            return;
        }
        self.found = analysed.files;
        self.tell(analysed.messages, analysed.log, client);
        let open = self.documents.iter().map(|document| &document.path);
        let paths: BTreeSet<PathBuf> =
            open.chain(self.found.keys()).chain(self.published.keys()).cloned().collect();
        for path in &paths {
            self.publish(path, client);
        }
    }

    fn tell(&mut self, messages: Vec<String>, log: Vec<String>, client: &Client) {
        for message in messages.iter().filter(|message| !self.told.contains(message)) {
            client.show(message);
        }
        self.told = messages;
        if self.logged != log {
            client.log(&log);
            self.logged = log;
        }
    }

    /// Sends what is to be shown in a file, unless the client has it: nothing for a file that is closed.
    fn publish(&mut self, path: &Path, client: &Client) {
        let document = self.documents.at(path);
        let found = self.found.get(path);
        let shown =
            document.is_some() || self.context.settings.all_files || found.is_some_and(|found| found.always);
        let findings = found.filter(|_| shown).map(|found| found.findings.as_slice()).unwrap_or_default();
        let diagnostics: Vec<Diagnostic> = findings.iter().map(|one| one.diagnostic.clone()).collect();
        let before = self.published.get(path);
        let known = before.map(|(_, sent)| sent.as_slice()).unwrap_or_default();
        if document.is_none() && known == diagnostics {
            return;
        }
        let names = Names { folders: &self.folders, open: &[] };
        let uri = match (document, before) {
            (Some(document), _) => Some(document.uri.clone()),
            (None, Some((uri, _))) => Some(uri.clone()),
            (None, None) => names.uri(path),
        };
        let Some(uri) = uri else { return };
        let version = document.map(|document| document.version);
        match diagnostics.is_empty() {
            true => self.published.remove(path),
            false => self.published.insert(path.to_owned(), (uri.clone(), diagnostics.clone())),
        };
        client.notify::<PublishDiagnostics>(PublishDiagnosticsParams { uri, diagnostics, version });
    }

    /// The version of a text, and whether what is known about it is about this version.
    pub(super) fn version(&self, path: &Path) -> (Option<i32>, bool) {
        let open = self.documents.at(path).map(|document| document.version);
        (open, open == self.found.get(path).and_then(|found| found.version))
    }

    /// How the client spells a file.
    pub(super) fn uri(&self, path: &Path) -> Option<Uri> {
        match self.documents.at(path) {
            Some(document) => Some(document.uri.clone()),
            None => Names { folders: &self.folders, open: &[] }.uri(path),
        }
    }

    /// What was found in an open text.
    pub(super) fn found_in(&self, uri: &Uri) -> Option<&Found> {
        let path = match self.documents.get(uri) {
            Some(document) => document.path.clone(),
            None => uri::to_path(uri)?,
        };
        self.found.get(&path)
    }
}
