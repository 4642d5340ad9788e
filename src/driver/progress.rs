//! Says on a terminal what takes long.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A run shorter than this says nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// Shows the current step on standard error once a run takes longer than a second. Dropping it clears the line.
#[derive(Debug, Default)]
pub struct Progress {
    steps: Option<Mutex<Sender<String>>>,
    thread: Option<JoinHandle<()>>,
    stopped: Arc<AtomicBool>,
}

impl Progress {
    /// Shows nothing.
    #[must_use]
    pub fn hidden() -> Progress {
        Progress::default()
    }

    /// Shows steps on standard error, which must be a terminal.
    #[must_use]
    pub fn on_terminal() -> Progress {
        let (sender, receiver) = channel();
        let thread = std::thread::Builder::new().spawn(move || show(&receiver)).ok();
        Progress { steps: Some(Mutex::new(sender)), thread, stopped: Arc::default() }
    }

    /// Hands each step to `steps`, for whoever shows it elsewhere. Once `stopped` is set, nobody wants the result any
    /// more, and the run ends early with a part of it.
    #[must_use]
    pub fn to(steps: Sender<String>, stopped: Arc<AtomicBool>) -> Progress {
        Progress { steps: Some(Mutex::new(steps)), thread: None, stopped }
    }

    /// Whether nobody wants the result any more.
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Begins a step.
    pub fn step(&self, what: &str) {
        if let Some(steps) = &self.steps {
            // The thread may have failed to start; then nobody listens.
            let _ = steps.lock().unwrap_or_else(PoisonError::into_inner).send(what.to_owned());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.steps = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn show(steps: &Receiver<String>) {
    let start = Instant::now();
    let mut current = String::new();
    let mut shown = false;
    loop {
        match steps.recv_timeout(PATIENCE.saturating_sub(start.elapsed()).max(Duration::from_millis(100))) {
            Ok(step) => current = step,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if start.elapsed() >= PATIENCE && !current.is_empty() {
            shown = true;
            let seconds = start.elapsed().as_secs();
            // A terminal that is gone is no reason to stop.
            let _ = write!(std::io::stderr(), "\r\u{1b}[Ksamekey: {current} ({seconds} s)");
        }
    }
    if shown {
        let _ = write!(std::io::stderr(), "\r\u{1b}[K");
    }
}
