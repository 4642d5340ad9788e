//! What the server says to the client.

use std::sync::mpsc::Sender;

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response, ResponseError};
use lsp_types::notification::{LogMessage, Notification as Notified, ShowMessage};
use lsp_types::request::Request as Requested;
use lsp_types::{LogMessageParams, MessageType, ShowMessageParams};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::transport::{Outgoing, Refusal};
use crate::report::printable;

/// The answer to a request.
pub(super) type Answer = Result<Value, ResponseError>;

/// The client. When it is gone, what is said to it is lost; the end of its input ends the server.
#[derive(Debug)]
pub(super) struct Client {
    output: Sender<Outgoing>,
    requests: i32,
}

impl Client {
    pub(super) fn new(output: Sender<Outgoing>) -> Client {
        Client { output, requests: 0 }
    }

    pub(super) fn answer(&self, id: RequestId, answer: Answer) {
        self.send(Message::Response(Response { id, response_result: answer }));
    }

    pub(super) fn refuse(&self, refusal: Refusal) {
        // See the type.
        let _ = self.output.send(Outgoing::Refusal(refusal));
    }

    pub(super) fn notify<N: Notified>(&self, params: N::Params) {
        let method = N::METHOD.to_owned();
        self.send(Message::Notification(Notification { method, params: value(params) }));
    }

    /// Asks the client for something; its answer has the id that is returned.
    pub(super) fn request<R: Requested>(&mut self, params: R::Params) -> RequestId {
        self.requests = self.requests.wrapping_add(1);
        let id = RequestId::from(self.requests);
        let request = Request { id: id.clone(), method: R::METHOD.to_owned(), params: value(params) };
        self.send(Message::Request(request));
        id
    }

    /// Shows an error to the user, on one line.
    pub(super) fn show(&self, message: &str) {
        let message = format!("samekey: {}", printable(message));
        self.notify::<ShowMessage>(ShowMessageParams { typ: MessageType::ERROR, message });
    }

    /// Writes lines to the log of the server.
    pub(super) fn log(&self, lines: &[String]) {
        let message = lines.iter().map(|line| printable(line)).collect::<Vec<_>>().join("\n");
        self.notify::<LogMessage>(LogMessageParams { typ: MessageType::LOG, message });
    }

    fn send(&self, message: Message) {
        // See the type.
        let _ = self.output.send(Outgoing::Message(message));
    }
}

/// As JSON; the types of the protocol have string keys only and cannot fail.
pub(super) fn value(params: impl Serialize) -> Value {
    serde_json::to_value(params).unwrap_or_default()
}

/// The parameters of a request.
///
/// # Errors
/// When they are not those of its method.
pub(super) fn parameters<P: DeserializeOwned>(params: Value) -> Result<P, ResponseError> {
    serde_json::from_value(params).map_err(|error| failure(ErrorCode::InvalidParams, error.to_string()))
}

pub(super) fn failure(code: ErrorCode, message: impl Into<String>) -> ResponseError {
    ResponseError { code: code as i32, message: message.into(), data: None }
}
