//! Messages of the client, and the order in which they may come.

use std::time::Duration;

use lsp_server::{ErrorCode, Message, Notification, Request, ResponseError};
use lsp_types::notification::{
    DidChangeConfiguration, DidChangeTextDocument, DidChangeWatchedFiles, DidChangeWorkspaceFolders,
    DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument, Exit, Initialized, Notification as _,
};
use lsp_types::request::{CodeActionRequest, HoverRequest, Initialize, Request as _, Shutdown};
use lsp_types::{
    DidChangeTextDocumentParams, DidChangeWatchedFilesParams, DidChangeWorkspaceFoldersParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, InitializeParams, Uri,
};
use serde_json::Value;

use super::client::{Answer, Client, failure, parameters, value};
use super::features::Features;
use super::session::{Context, Session};
use super::transport::Incoming;
use super::{Ended, Event, answers};

/// The server.
pub(super) struct Server {
    client: Client,
    phase: Phase,
}

/// What the client has asked for so far.
enum Phase {
    /// Nothing; `initialize` has to come first.
    New(Context),
    Ready(Box<Session>),
    ShutDown,
}

impl Server {
    pub(super) fn new(client: Client, context: Context) -> Server {
        Server { client, phase: Phase::New(context) }
    }

    /// How long to wait for the next event before [`tick`](Server::tick).
    pub(super) fn patience(&self) -> Option<Duration> {
        match &self.phase {
            Phase::Ready(session) => session.patience(),
            _ => None,
        }
    }

    /// Nothing happened for a while.
    pub(super) fn tick(&mut self) {
        if let Phase::Ready(session) = &mut self.phase {
            session.tick(&mut self.client);
        }
    }

    /// Something happened. `Some` when it was the end.
    pub(super) fn handle(&mut self, event: Event) -> Option<Ended> {
        match event {
            Event::Incoming(Incoming::Message(Message::Request(request))) => self.request(request),
            Event::Incoming(Incoming::Message(Message::Notification(notification))) => {
                if notification.method == Exit::METHOD {
                    return Some(self.ended());
                }
                self.notification(notification);
            }
            Event::Incoming(Incoming::Message(Message::Response(response))) => {
                if let Phase::Ready(session) = &mut self.phase {
                    session.answered(&response, &self.client);
                }
            }
            Event::Incoming(Incoming::Malformed(refusal)) => self.client.refuse(refusal),
            Event::Analysed(analysed) => {
                if let Phase::Ready(session) = &mut self.phase {
                    session.analysed(analysed, &self.client);
                }
            }
            Event::InputEnded(None) => return Some(self.ended()),
            Event::InputEnded(Some(reason)) => return Some(Ended::NoProtocol(reason)),
        }
        None
    }

    fn ended(&self) -> Ended {
        match self.phase {
            Phase::ShutDown => Ended::AfterShutdown,
            _ => Ended::WithoutShutdown,
        }
    }

    fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let answer = match method.as_str() {
            Initialize::METHOD => self.initialize(params),
            Shutdown::METHOD => self.shutdown(),
            _ => self.ready().and_then(|session| answer(session, &method, params)),
        };
        self.client.answer(id, answer);
    }

    fn ready(&mut self) -> Result<&mut Session, ResponseError> {
        match &mut self.phase {
            Phase::New(_) => Err(failure(ErrorCode::ServerNotInitialized, "initialize comes first")),
            Phase::Ready(session) => Ok(session),
            Phase::ShutDown => Err(failure(ErrorCode::InvalidRequest, "the server was shut down")),
        }
    }

    fn initialize(&mut self, params: Value) -> Answer {
        if !matches!(self.phase, Phase::New(_)) {
            return Err(failure(ErrorCode::InvalidRequest, "the server is initialized already"));
        }
        let params: InitializeParams = parameters(params)?;
        let features = Features::of(&params.capabilities);
        let folders = folders(params);
        // Nothing is done on shutdown but to forget, so the phase may stand in for a moment.
        if let Phase::New(context) = std::mem::replace(&mut self.phase, Phase::ShutDown) {
            let session = Session::new(context, features, &folders, &self.client);
            self.phase = Phase::Ready(Box::new(session));
        }
        Ok(value(features.answer()))
    }

    fn shutdown(&mut self) -> Answer {
        self.ready()?;
        self.phase = Phase::ShutDown;
        Ok(Value::Null)
    }

    /// A notification gets no answer; one that is not valid or comes at the wrong time is written to the log.
    fn notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        let Phase::Ready(session) = &mut self.phase else { return };
        if let Err(error) = notice(session, &mut self.client, &method, params) {
            self.client.log(&[format!("{method} is not valid: {}", error.message)]);
        }
    }
}

/// The folders that are open. `null` and an empty list both mean that there is none, and then the root counts.
fn folders(params: InitializeParams) -> Vec<Uri> {
    #[expect(deprecated, reason = "clients that know no list of folders send it")]
    let root = params.root_uri;
    let named = params.workspace_folders.unwrap_or_default().into_iter().map(|folder| folder.uri);
    let named: Vec<Uri> = named.collect();
    if named.is_empty() { root.into_iter().collect() } else { named }
}

fn answer(session: &mut Session, method: &str, params: Value) -> Answer {
    match method {
        HoverRequest::METHOD => Ok(value(answers::hover(session, &parameters(params)?))),
        CodeActionRequest::METHOD => Ok(value(answers::actions(session, &parameters(params)?))),
        _ => Err(failure(ErrorCode::MethodNotFound, format!("{method} is not known here"))),
    }
}

fn notice(
    session: &mut Session,
    client: &mut Client,
    method: &str,
    params: Value,
) -> Result<(), ResponseError> {
    match method {
        Initialized::METHOD => session.watch_files(client),
        DidOpenTextDocument::METHOD => {
            session.opened(parameters::<DidOpenTextDocumentParams>(params)?.text_document);
        }
        DidChangeTextDocument::METHOD => session.edited(parameters::<DidChangeTextDocumentParams>(params)?),
        DidCloseTextDocument::METHOD => {
            let document = parameters::<DidCloseTextDocumentParams>(params)?.text_document;
            session.closed(&document.uri, client);
        }
        DidChangeWatchedFiles::METHOD => {
            session.files_changed(&parameters::<DidChangeWatchedFilesParams>(params)?.changes);
        }
        DidChangeWorkspaceFolders::METHOD => {
            let change = parameters::<DidChangeWorkspaceFoldersParams>(params)?.event;
            session.folders_changed(&change, client);
        }
        // What they carry is read from disk again.
        DidSaveTextDocument::METHOD | DidChangeConfiguration::METHOD => session.disturbed(),
        // The protocol wants unknown notifications to be ignored.
        _ => {}
    }
    Ok(())
}
