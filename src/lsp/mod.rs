//! The language server: the findings of `check` in an editor, while code is typed.
//!
//! One thread reads messages, one writes them, and one analyses when something has changed and then nothing for a
//! moment; the loop in between waits for none of them. An analysis is that of the command line on the texts that are
//! open in the editor ([`Overlay`](crate::source::Overlay)). What changed while it ran makes its result obsolete.

mod analyse;
mod answers;
mod client;
mod documents;
mod features;
mod folders;
mod position;
mod present;
mod progress;
mod server;
mod session;
mod transport;
mod uri;

use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;

use lsp_server::Message;
use lsp_types::notification::{Exit, Notification as _};

use crate::driver::Analysis;
use analyse::Analysed;
use client::Client;
use server::Server;
use session::Context;
use transport::Incoming;

/// What the command line says about each analysis.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Where the paths below start.
    pub current_dir: PathBuf,
    /// The configuration file, when one was named.
    pub config: Option<PathBuf>,
    /// The file of findings that are known and not shown; it is read again for each analysis.
    pub baseline: Option<PathBuf>,
    /// Worker threads; `0` is one for each core.
    pub jobs: usize,
    /// Whether test code counts.
    pub include_tests: bool,
    /// Whether findings are shown in files that are not open.
    pub all_files: bool,
}

/// How the server came to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The client shut it down first.
    AfterShutdown,
    /// The client said `exit` or was gone without shutting it down.
    WithoutShutdown,
    /// The input is not made of messages of the protocol.
    NoProtocol(String),
}

/// Something that the main loop has to look at.
enum Event {
    Incoming(Incoming),
    Analysed(Analysed),
    /// The client is gone, or what it sent is not made of messages.
    InputEnded(Option<String>),
}

/// Serves one client until it says `exit` or is gone.
///
/// # Errors
/// When a thread cannot be started.
pub fn serve(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    settings: Settings,
    analysis: &'static dyn Analysis,
) -> io::Result<Ended> {
    let (events, incoming) = channel();
    let (sender, writer) = transport::writer(output)?;
    let reader_events = events.clone();
    thread::Builder::new().name("lsp-input".to_owned()).spawn(move || read_all(input, &reader_events))?;
    let context = Context { settings: Arc::new(settings), analysis, events };
    let ended = run(Server::new(Client::new(sender), context), &incoming);
    // Everything that was said goes out; nothing can be done about a writer that failed.
    let _ = writer.join();
    Ok(ended)
}

/// Hands on all messages up to `exit`.
fn read_all(mut input: impl BufRead, events: &Sender<Event>) {
    loop {
        let event = match transport::read(&mut input) {
            Ok(Some(incoming)) => Event::Incoming(incoming),
            Ok(None) => Event::InputEnded(None),
            Err(error) => Event::InputEnded(Some(error.to_string())),
        };
        let is_last = match &event {
            Event::Incoming(Incoming::Message(Message::Notification(found))) => found.method == Exit::METHOD,
            Event::Incoming(_) | Event::Analysed(_) => false,
            Event::InputEnded(_) => true,
        };
        if events.send(event).is_err() || is_last {
            return;
        }
    }
}

/// The main loop.
fn run(mut server: Server, events: &Receiver<Event>) -> Ended {
    loop {
        let event = match server.patience() {
            Some(patience) => events.recv_timeout(patience),
            None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match event {
            Ok(event) => {
                if let Some(ended) = server.handle(event) {
                    return ended;
                }
            }
            Err(RecvTimeoutError::Timeout) => server.tick(),
            // The server holds a sender itself, so this cannot happen while it runs.
            Err(RecvTimeoutError::Disconnected) => return Ended::WithoutShutdown,
        }
    }
}
