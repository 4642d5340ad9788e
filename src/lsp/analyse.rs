//! One analysis, on a thread of its own: from the open folders and texts to what is shown in each file.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Sender;

use super::Settings;
use super::documents::Document;
use super::features::Features;
use super::folders::{Folder, Names, Target, targets};
use super::present::{Finding, Presenter, config_errors};
use crate::driver::{Analysis, Options, Outcome, Progress, Refused, check};
use crate::source::Overlay;
use crate::suppress::Baseline;

/// What is analysed.
#[derive(Debug)]
pub(super) struct Job {
    pub settings: Arc<Settings>,
    pub features: Features,
    pub folders: Vec<Folder>,
    /// The open texts as they are now.
    pub open: Vec<Document>,
    /// Hears what the analysis is doing.
    pub steps: Sender<String>,
    /// Whether the result is obsolete already.
    pub stopped: Arc<AtomicBool>,
}

/// What an analysis gave.
#[derive(Debug, Default)]
pub(super) struct Analysed {
    /// What was found, by file.
    pub files: BTreeMap<PathBuf, Found>,
    /// What the user has to be told, such as mistakes in the configuration.
    pub messages: Vec<String>,
    /// What a curious user may want to know.
    pub log: Vec<String>,
}

/// What was found in a file.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub findings: Vec<Finding>,
    /// The version of the text, when it was open.
    pub version: Option<i32>,
    /// Whether it is shown though the file is not open.
    pub always: bool,
}

impl Job {
    /// Analyses everything. A failure is a message to the user.
    pub(super) fn run(&self, analysis: &dyn Analysis) -> Analysed {
        let mut analysed = Analysed::default();
        // The server must stay alive whatever happens here.
        if catch_unwind(AssertUnwindSafe(|| self.run_all(analysis, &mut analysed))).is_err() {
            let message = "the analysis failed; this is a mistake in samekey, please report it";
            analysed.messages.push(message.to_owned());
        }
        analysed
    }

    fn run_all(&self, analysis: &dyn Analysis, analysed: &mut Analysed) {
        for folder in self.folders.iter().filter(|folder| folder.is_missing()) {
            analysed.messages.push(format!("{}: no such folder, nothing is analysed in it", folder.shown()));
        }
        let baseline = match self.settings.baseline.as_deref().map(|file| self.baseline(file)).transpose() {
            Ok(baseline) => baseline,
            Err(message) => {
                analysed.messages.push(message);
                None
            }
        };
        for target in targets(&self.folders, &self.open) {
            let progress = Progress::to(self.steps.clone(), Arc::clone(&self.stopped));
            match check(&self.options(&target, baseline.clone()), analysis, &progress) {
                Ok(outcome) => self.take(&outcome, analysis, analysed),
                Err(refused) => self.refused(&refused, analysed),
            }
        }
        for document in &self.open {
            let found = analysed.files.entry(document.path.clone()).or_default();
            found.version = Some(document.version);
        }
    }

    fn options(&self, target: &Target, baseline: Option<Baseline>) -> Options {
        let Settings { current_dir, config, jobs, include_tests, .. } = &*self.settings;
        let open =
            self.open.iter().map(|document| (document.path.clone(), Arc::from(document.text.as_str())));
        Options {
            current_dir: target.current_dir.clone(),
            paths: target.paths.clone(),
            config: config.as_ref().map(|file| current_dir.join(file)),
            jobs: *jobs,
            include_tests: *include_tests,
            baseline,
            overlay: open.collect::<Overlay>(),
            ..Options::default()
        }
    }

    fn baseline(&self, file: &Path) -> Result<Baseline, String> {
        let shown = file.display();
        let text = crate::source::read_named(&self.settings.current_dir.join(file))
            .map_err(|error| format!("{shown} cannot be read: {}", crate::source::reason(&error)))?;
        Baseline::parse(&text).map_err(|error| format!("{shown} {error}"))
    }

    fn take(&self, outcome: &Outcome, analysis: &dyn Analysis, analysed: &mut Analysed) {
        let names = Names { folders: &self.folders, open: &self.open };
        let mut presenter = Presenter::new(&outcome.sources, analysis.rules(), names, self.features);
        for found in &outcome.diagnostics {
            let file = outcome.sources.absolute(found.primary.file).to_owned();
            let findings = &mut analysed.files.entry(file).or_default().findings;
            let finding = presenter.finding(found);
            // Two folders may hold the same file.
            if !findings.contains(&finding) {
                findings.push(finding);
            }
        }
        analysed.log.push(outcome.summary.to_string());
        let line = |line: Option<u32>| line.map(|line| format!(":{line}")).unwrap_or_default();
        let problems = outcome.problems.iter();
        analysed.log.extend(problems.map(|one| format!("{}{}: {}", one.file, line(one.line), one.message)));
        let cut_short = outcome.cut_short.iter();
        analysed
            .log
            .extend(cut_short.map(|one| format!("{}{}: {}", one.file, line(one.line), one.message())));
    }

    fn refused(&self, refused: &Refused, analysed: &mut Analysed) {
        if let Refused::Config(errors) = refused {
            let file = errors.file.canonicalize().unwrap_or_else(|_| errors.file.clone());
            let found = analysed.files.entry(file).or_default();
            found.findings = config_errors(errors, self.features);
            found.always = true;
        }
        let message = format!("nothing is analysed: {refused}");
        if !analysed.messages.contains(&message) {
            analysed.messages.push(message);
        }
    }
}
