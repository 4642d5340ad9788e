//! An analysis that is running, and what the client shows of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::time::Duration;

use lsp_server::{RequestId, Response};
use lsp_types::notification::Progress;
use lsp_types::request::WorkDoneProgressCreate;
use lsp_types::{
    ProgressParams, ProgressParamsValue, ProgressToken, WorkDoneProgress, WorkDoneProgressBegin,
    WorkDoneProgressCreateParams, WorkDoneProgressEnd, WorkDoneProgressReport,
};

use super::client::Client;

/// How often a running analysis is looked at.
pub(super) const TICK: Duration = Duration::from_millis(100);

/// An analysis shorter than this many ticks is not shown.
const PATIENCE: u32 = 5;

/// An analysis that is running.
#[derive(Debug)]
pub(super) struct Running {
    steps: Receiver<String>,
    stopped: Arc<AtomicBool>,
    token: ProgressToken,
    ticks: u32,
    shown: Shown,
}

/// What the client shows.
#[derive(Debug, PartialEq, Eq)]
enum Shown {
    Nothing,
    /// It was asked whether progress may be shown.
    Asked(RequestId),
    Progress,
}

impl Running {
    /// `number` tells this analysis from others.
    pub(super) fn new(steps: Receiver<String>, stopped: Arc<AtomicBool>, number: u32) -> Running {
        let token = ProgressToken::String(format!("samekey-{number}"));
        Running { steps, stopped, token, ticks: 0, shown: Shown::Nothing }
    }

    /// Its result is obsolete: it may end early.
    pub(super) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Time has passed.
    pub(super) fn tick(&mut self, client: &mut Client) {
        self.ticks = self.ticks.saturating_add(1);
        match self.shown {
            Shown::Nothing if self.ticks == PATIENCE => {
                let params = WorkDoneProgressCreateParams { token: self.token.clone() };
                self.shown = Shown::Asked(client.request::<WorkDoneProgressCreate>(params));
            }
            Shown::Progress => {
                if let Some(step) = self.steps.try_iter().last() {
                    let report = WorkDoneProgressReport { message: Some(step), ..Default::default() };
                    self.send(client, WorkDoneProgress::Report(report));
                }
            }
            _ => {}
        }
    }

    /// The client has answered something; when it was about progress, progress begins.
    pub(super) fn answered(&mut self, response: &Response, client: &Client) {
        if self.shown == Shown::Asked(response.id.clone()) && response.response_result.is_ok() {
            self.shown = Shown::Progress;
            let begin = WorkDoneProgressBegin {
                title: "samekey".to_owned(),
                message: self.steps.try_iter().last(),
                ..Default::default()
            };
            self.send(client, WorkDoneProgress::Begin(begin));
        }
    }

    pub(super) fn end(self, client: &Client) {
        if self.shown == Shown::Progress {
            self.send(client, WorkDoneProgress::End(WorkDoneProgressEnd::default()));
        }
    }

    fn send(&self, client: &Client, progress: WorkDoneProgress) {
        let value = ProgressParamsValue::WorkDone(progress);
        client.notify::<Progress>(ProgressParams { token: self.token.clone(), value });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use lsp_server::Message;
    use serde_json::Value;

    use super::*;
    use crate::lsp::client::failure;
    use crate::lsp::transport::Outgoing;

    /// What a client hears that answers the request for progress like this.
    fn heard(answer: Result<Value, lsp_server::ResponseError>, ticks: u32) -> Vec<Value> {
        let (output, sent) = channel();
        let (steps, receiver) = channel();
        let mut client = Client::new(output);
        let mut running = Running::new(receiver, Arc::default(), 7);
        steps.send("first".to_owned()).unwrap();
        for _ in 0..ticks {
            running.tick(&mut client);
        }
        let response = Response { id: RequestId::from(1), response_result: answer };
        running.answered(&response, &client);
        steps.send("second".to_owned()).unwrap();
        running.tick(&mut client);
        running.end(&client);
        drop(client);
        let params = |message| match message {
            Outgoing::Message(Message::Request(request)) => request.params,
            Outgoing::Message(Message::Notification(notification)) => notification.params,
            other => panic!("{other:?}"),
        };
        sent.into_iter().map(params).collect()
    }

    #[test]
    fn a_long_analysis_is_shown_once_the_client_agrees() {
        let heard = heard(Ok(Value::Null), PATIENCE);
        assert!(heard.iter().all(|params| params["token"] == "samekey-7"), "{heard:#?}");
        let kinds: Vec<_> =
            heard.iter().map(|params| (&params["value"]["kind"], &params["value"]["message"])).collect();
        let expected = [
            (Value::Null, Value::Null),
            ("begin".into(), "first".into()),
            ("report".into(), "second".into()),
            ("end".into(), Value::Null),
        ];
        assert_eq!(kinds, expected.iter().map(|(kind, message)| (kind, message)).collect::<Vec<_>>());
    }

    #[test]
    fn a_short_one_is_not_shown_and_none_against_the_will_of_the_client() {
        assert_eq!(heard(Ok(Value::Null), PATIENCE - 2), [] as [Value; 0]);
        let refused = Err(failure(lsp_server::ErrorCode::InternalError, "no"));
        assert_eq!(heard(refused, PATIENCE).len(), 1, "the request alone");
    }
}
