//! An analysis that is running, and what the client shows of it.

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
    pub(super) fn new(steps: Receiver<String>, number: u32) -> Running {
        let token = ProgressToken::String(format!("samekey-{number}"));
        Running { steps, token, ticks: 0, shown: Shown::Nothing }
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
