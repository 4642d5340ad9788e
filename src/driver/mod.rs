//! One run: from the paths of a command line to the findings.
//!
//! `discover -> read and search -> lay out -> load -> lower -> resolve -> analyse -> levels -> suppress -> report`

mod change;
mod levels;
mod progress;

pub use levels::{Levels, RuleFlag};
pub use progress::Progress;

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use crate::config::{self, Config, ConfigErrors};
use crate::discover::{self, FileClass, Layout, Problem, Project, Scope, Selection};
use crate::flow::{self, Complete, Lead};
use crate::frontend::{self, MacroTable, lower_rust_late, lower_rust_with};
use crate::git::{self, Change, GitError};
use crate::ir::{FileId, FileIr, FunctionBody};
use crate::load::demand::{Loader, Tree};
use crate::load::{self, Scan, SinkWords, Word, WordRow, scan};
use crate::report::{
    CutShort, Diagnostic, Exception, KeyEntry, KnownFinding, RuleInfo, Severity, Summary, assign_fingerprints,
};
use crate::resolve::{CrateId, CrateInfo, FilePlace, Program};
use crate::schema::Operation;
use crate::source::{Overlay, Sources};
use crate::suppress::{self, Baseline, Suppressions};
use change::Touched;

/// Lowering recurses over nested code, also of bodies that the analysis asks for deep in its own recursion; the stack of
/// a worker is large enough for the deepest of both that is accepted.
const STACK: usize = 256 << 20;

/// What the rules need from the driver, and what they give back.
pub trait Analysis: Sync {
    /// All rules.
    fn rules(&self) -> &[RuleInfo];

    /// The words without which no sink is used.
    fn words(&self, config: &Config) -> SinkWords;

    /// Finds everything, in any order. Levels, paths and fingerprints are the driver's business. `None` when it asked
    /// for more files with `complete` and got them: then it runs again on all of them.
    fn run(&self, input: &Input<'_>, complete: &mut Complete<'_>) -> Option<Findings>;
}

/// What is analysed.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    /// The loaded files, resolved.
    pub program: &'a Program,
    /// The texts.
    pub sources: &'a Sources,
    /// The configuration.
    pub config: &'a Config,
    /// The packages, for versions and features of dependencies.
    pub project: &'a Project,
    /// The crates and modules.
    pub layout: &'a Layout,
    /// Which words of sinks occur where.
    pub scan: &'a Scan,
    /// What each file is, by its id.
    pub files: &'a [FileFacts],
    /// Whether test code counts.
    pub include_tests: bool,
}

/// What the driver knows about a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileFacts {
    /// What code it holds.
    pub class: FileClass,
    /// Whether findings may be reported in it.
    pub primary: bool,
}

/// What an analysis found.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// The findings.
    pub diagnostics: Vec<Diagnostic>,
    /// All keys.
    pub keys: Vec<KeyEntry>,
    /// The types that derive their keys, where these were asked for.
    pub operations: Vec<Operation>,
    /// How often the work budget cut an analysis short.
    pub partial: usize,
    /// The entry points that this concerns, as far as they are known.
    pub cut_short: Vec<CutShort>,
}

/// What to check and how.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Where the run starts.
    pub current_dir: PathBuf,
    /// The named paths.
    pub paths: Vec<PathBuf>,
    /// The configuration file, when one was named.
    pub config: Option<PathBuf>,
    /// `-A`, `-W` and `-D`, in order.
    pub flags: Vec<(RuleFlag, String)>,
    /// Worker threads; `0` is one for each core.
    pub jobs: usize,
    /// Whether test code counts.
    pub include_tests: bool,
    /// Whether every file is loaded, whatever it holds.
    pub load_all: bool,
    /// Only findings that touch this change are reported.
    pub change: Option<Change>,
    /// Findings that are known and not reported.
    pub baseline: Option<Baseline>,
    /// Texts that are analysed instead of those on disk.
    pub overlay: Overlay,
}

/// Why a run could not begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The configuration is not valid.
    Config(ConfigErrors),
    /// What changed cannot be told.
    Change(GitError),
}

impl fmt::Display for Refused {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Config(errors) => errors.fmt(formatter),
            Refused::Change(error) => error.fmt(formatter),
        }
    }
}

impl std::error::Error for Refused {}

impl From<ConfigErrors> for Refused {
    fn from(errors: ConfigErrors) -> Refused {
        Refused::Config(errors)
    }
}

/// What a run found.
#[derive(Debug)]
pub struct Outcome {
    /// The texts.
    pub sources: Sources,
    /// The findings by place.
    pub diagnostics: Vec<Diagnostic>,
    /// The keys by place.
    pub keys: Vec<KeyEntry>,
    /// The types that derive their keys by place, where these were asked for.
    pub operations: Vec<Operation>,
    /// Files that could not be analysed, or not completely.
    pub problems: Vec<Problem>,
    /// Named paths that do not exist.
    pub missing: Vec<Problem>,
    /// Entry points whose analysis the work budget cut short.
    pub cut_short: Vec<CutShort>,
    /// How many of them lie in code that was asked for, and not in what is only followed through; those of which
    /// the place is not known count too.
    pub cut_short_here: usize,
    /// Suppressions and sanitizers that the change adds.
    pub exceptions: Vec<Exception>,
    /// The lines of the configuration's `[[path]]` tables that turn off findings which are not there.
    pub unused_paths: Vec<u32>,
    /// The configuration file.
    pub config: Option<PathBuf>,
    /// Configuration files of packages, which do not count.
    pub other_configs: Vec<String>,
    /// What the baseline holds and this run found.
    pub known: Vec<KnownFinding>,
    /// What the baseline holds and this run did not find.
    pub stale: Vec<KnownFinding>,
    /// Whether the change touches no source file, so that nothing was analysed.
    pub nothing_changed: bool,
    /// The numbers.
    pub summary: Summary,
    /// Files in which all words of a sink come together.
    pub with_sink: usize,
    /// Files that were parsed, in order.
    pub loaded: Vec<FileId>,
    /// The path from the top of the repository to the root: empty, or with a `/` at its end.
    pub prefix: String,
}

/// Analyses what the options name.
///
/// # Errors
/// When the configuration is not valid, or git cannot tell what changed.
pub fn check(options: &Options, analysis: &dyn Analysis, progress: &Progress) -> Result<Outcome, Refused> {
    let scope = Scope::resolve(&options.current_dir, &options.paths);
    let config = match &options.config {
        Some(file) => config::load(&options.current_dir.join(file), analysis.rules())?,
        None => config::find(&scope.root, analysis.rules())?,
    };
    let touched = match &options.change {
        None => None,
        Some(change) => {
            progress.step("asking git what changed");
            Some(Touched::new(git::changed_lines(&scope.innermost(), change).map_err(Refused::Change)?))
        }
    };
    let run = Run { options, analysis, progress, config: &config, touched: touched.as_ref() };
    if touched.as_ref().is_some_and(Touched::is_free) {
        return Ok(run.nothing_changed(&scope));
    }
    let work = || run.check(&scope);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.jobs).stack_size(STACK).build();
    Ok(match pool {
        Ok(pool) => pool.install(work),
        // Without threads of our own the global ones do the work.
        Err(_) => work(),
    })
}

struct Run<'a> {
    options: &'a Options,
    analysis: &'a dyn Analysis,
    progress: &'a Progress,
    config: &'a Config,
    touched: Option<&'a Touched>,
}

impl Run<'_> {
    /// A run whose change touches no source file: no flow can touch it either.
    fn nothing_changed(&self, scope: &Scope) -> Outcome {
        let outcome = self.outcome(scope, Sources::default());
        Outcome { nothing_changed: true, ..outcome }
    }

    /// A run without a finding so far.
    fn outcome(&self, scope: &Scope, sources: Sources) -> Outcome {
        Outcome {
            diagnostics: Vec::new(),
            keys: Vec::new(),
            operations: Vec::new(),
            problems: Vec::new(),
            missing: scope.missing.clone(),
            cut_short: Vec::new(),
            cut_short_here: 0,
            exceptions: self
                .touched
                .map(|touched| touched.of_config(self.config, &scope.root))
                .unwrap_or_default(),
            unused_paths: Vec::new(),
            config: self.config.file.clone(),
            other_configs: Vec::new(),
            known: Vec::new(),
            stale: Vec::new(),
            nothing_changed: false,
            summary: Summary { files: sources.len(), ..Summary::default() },
            with_sink: 0,
            loaded: Vec::new(),
            prefix: repository_prefix(&scope.root),
            sources,
        }
    }

    fn check(&self, scope: &Scope) -> Outcome {
        self.progress.step("looking for files");
        let project = self.discover(scope);
        let files = project.files.iter().map(|file| (file.display.clone(), file.absolute.clone()));
        let sources = Sources::new(files, self.config.max_file_size).with_overlay(&self.options.overlay);
        self.progress.step(&format!("reading {} files", sources.len()));
        let scan = self.scan(&project, &sources);
        let mut problems = project.problems.clone();
        problems.extend(unreadable(&sources, &scan));
        let with_sink = scan.hits.len();
        let other_configs = self.other_configs(scope, &project);
        let mut outcome = Outcome { problems, with_sink, other_configs, ..self.outcome(scope, sources) };
        if !scan.hits.is_empty() || self.options.load_all {
            self.analyse(&project, &scan, &mut outcome);
        }
        self.compare_with_baseline(scope, &mut outcome);
        self.keep_touched(&mut outcome);
        finish(&mut outcome);
        outcome
    }

    fn discover(&self, scope: &Scope) -> Project {
        let include =
            |path: &std::path::Path| self.config.include.as_ref().is_none_or(|globs| globs.matches(path));
        let exclude = |path: &std::path::Path| self.config.exclude.matches(path);
        let selection = Selection { exclude: &exclude, include: &include, threads: self.options.jobs };
        discover::discover(scope, &selection)
    }

    /// One configuration counts for a run. Those of the packages in it, and of folders that were named, would be passed
    /// over without a word.
    fn other_configs(&self, scope: &Scope, project: &Project) -> Vec<String> {
        let counts = |file: &Path| self.config.file.as_deref() == Some(file);
        let packages = project.packages.iter().map(|package| &package.folder);
        let folders: BTreeSet<&PathBuf> = packages.chain(&scope.folders).collect();
        let files = folders.into_iter().map(|folder| folder.join(config::CONFIG));
        let others = files.filter(|file| file.is_file() && !counts(file));
        let shown = others.filter_map(|file| {
            let relative = file.strip_prefix(&project.root).ok()?;
            Some(relative.to_string_lossy().replace('\\', "/"))
        });
        shown.collect()
    }

    fn scan(&self, project: &Project, sources: &Sources) -> Scan {
        let dependencies = project.packages.iter().flat_map(|package| &package.dependencies);
        let names: Vec<String> = dependencies.map(|found| found.package.replace('-', "_")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut words = self.analysis.words(self.config);
        // A suppression in a file without any key is one that is not needed any more.
        let marker = |text: &str| Word { text: text.to_owned(), ignore_case: true };
        words.others.extend(suppress::MARKERS.map(|text| WordRow::single(marker(text))));
        scan(sources, &words, &names)
    }

    fn analyse(&self, project: &Project, scan: &Scan, outcome: &mut Outcome) {
        let declarations: Vec<_> = scan
            .files
            .iter()
            .map(|file| file.as_ref().map(|file| file.modules.clone()).unwrap_or_default())
            .collect();
        let layout = Layout::new(project, &declarations);
        outcome.problems.extend(layout.problems.iter().cloned());
        let facts = facts(project, &layout, scan);
        let ground = Ground { project, layout: &layout, scan, facts: &facts, sources: &outcome.sources };
        let (program, findings) = self.load_and_run(&ground);
        outcome.loaded = program.files().iter().map(|file| file.file).collect();
        outcome.problems.extend(gaps(&outcome.sources, &program));
        outcome.keys = findings.keys;
        outcome.keys.retain(|key| self.counts(&facts, key.span.file));
        outcome.operations = findings.operations;
        outcome.operations.retain(|found| self.counts(&facts, found.span.file));
        outcome.summary.partial = findings.partial.max(findings.cut_short.len());
        outcome.cut_short = findings.cut_short;
        outcome.diagnostics = findings.diagnostics;
        let own: Vec<FileId> =
            outcome.loaded.iter().copied().filter(|file| self.counts(&facts, *file)).collect();
        let own_paths: BTreeSet<&str> = own.iter().map(|file| outcome.sources.path(*file)).collect();
        let here = outcome.cut_short.iter().filter(|cut| own_paths.contains(cut.file.as_str()));
        let unnamed = outcome.summary.partial.saturating_sub(outcome.cut_short.len());
        outcome.cut_short_here = here.count() + unnamed;
        // Nobody waits until so much memory is given back.
        rayon::spawn(move || drop(program));
        self.judge(outcome, &own, &layout, &facts);
    }

    /// Levels, fingerprints and suppressions. Fingerprints come first: a suppression must not rename the findings
    /// beside it. `own` are the files in which findings may be reported.
    fn judge(&self, outcome: &mut Outcome, own: &[FileId], layout: &Layout, facts: &[FileFacts]) {
        let Outcome { sources, diagnostics, problems, summary, exceptions, unused_paths, .. } = outcome;
        let levels = Levels::new(self.config, &self.options.flags);
        diagnostics.retain(|found| self.counts(facts, found.primary.file));
        // What was not analysed may hold what a table is about.
        if self.options.paths.is_empty() && summary.partial == 0 && problems.is_empty() {
            *unused_paths = levels.unused_paths(diagnostics, sources);
        }
        summary.suppressed = levels.apply(diagnostics, facts, sources);
        sort(diagnostics);
        assign_fingerprints(diagnostics);
        let module = |file: FileId| module_name(layout, file);
        let mut suppressions =
            Suppressions::find(own.iter().copied(), sources, self.analysis.rules(), &module);
        summary.suppressed += suppressions.apply(diagnostics);
        let mut about = suppressions.invalid();
        about.extend(suppressions.unused(
            &|rule, file| !levels.is_off(rule, sources.absolute(file)),
            &|file| summary.partial == 0 && !has_problem(problems, sources.path(file)),
            diagnostics,
        ));
        levels.apply(&mut about, facts, sources);
        sort(&mut about);
        assign_fingerprints(&mut about);
        diagnostics.extend(about);
        sort(diagnostics);
        if let Some(touched) = self.touched {
            exceptions.extend(suppressions.added(&|span| touched.touches(span, sources)));
        }
    }

    /// Drops what the baseline knows. An entry is stale when its finding is gone from code that was analysed.
    fn compare_with_baseline(&self, scope: &Scope, outcome: &mut Outcome) {
        let Some(baseline) = &self.options.baseline else { return };
        let found: BTreeSet<&str> =
            outcome.diagnostics.iter().map(|found| found.fingerprint.as_str()).collect();
        let (known, gone) = baseline.split(&found);
        let mut analysed: BTreeSet<&str> = outcome.sources.ids().map(|id| outcome.sources.path(id)).collect();
        // What was not understood may still hold what is missing.
        for problem in &outcome.problems {
            analysed.remove(problem.file.as_str());
        }
        for cut in &outcome.cut_short {
            analysed.remove(cut.file.as_str());
        }
        let allowed = |rule: &str| {
            let flag = self.options.flags.iter().rev().find(|(_, id)| id == rule);
            flag.is_some_and(|(flag, _)| *flag == RuleFlag::Allow)
        };
        outcome.stale = gone
            .into_iter()
            .filter(|entry| !allowed(&entry.rule))
            .filter(|entry| analysed.contains(entry.file.as_str()) || !scope.root.join(&entry.file).exists())
            .collect();
        let hidden: BTreeSet<&str> = known.iter().map(|known| known.fingerprint.as_str()).collect();
        outcome.diagnostics.retain(|found| !hidden.contains(found.fingerprint.as_str()));
        outcome.summary.baselined = hidden.len();
        outcome.summary.stale = outcome.stale.len();
        outcome.known = known;
    }

    /// Drops findings whose path does not touch the change.
    fn keep_touched(&self, outcome: &mut Outcome) {
        let Some(touched) = self.touched else { return };
        let before = outcome.diagnostics.len();
        let sources = &outcome.sources;
        outcome.diagnostics.retain(|found| touched.concerns(found, sources));
        outcome.summary.unchanged = before - outcome.diagnostics.len();
    }

    /// Parses and analyses the files that can matter, until the analysis asks for no others. Test code cannot matter,
    /// unless it is reported.
    fn load_and_run(&self, ground: &Ground<'_>) -> (Program, Findings) {
        let mut candidates: Vec<FileId> = match self.options.load_all {
            true => ground.sources.ids().collect(),
            false => load::packages::related_files(ground.project, ground.layout, &ground.scan.hits),
        };
        let is_test = |file: &FileId| {
            ground.facts.get(file.0 as usize).is_some_and(|facts| facts.class == FileClass::Test)
        };
        candidates.retain(|file| self.options.include_tests || !is_test(file));
        let macros = macros_of_crates(ground.layout, ground.scan);
        let lower = |file: FileId, text: &Arc<str>| self.lower(file, text, ground, &macros);
        self.progress.step("parsing what can matter");
        if self.options.load_all || load::demand::asks_for_most(&candidates, ground.scan) {
            let text = |file: &FileId| Some((*file, ground.sources.load(*file).ok()?));
            let files: Vec<FileIr> =
                candidates.par_iter().filter_map(text).map(|(file, text)| lower(file, text)).collect();
            let program = ground.build(files);
            let findings = self.run_on(ground, &program, &mut |_| true).unwrap_or_default();
            return (program, findings);
        }
        let tree = Tree {
            sources: ground.sources,
            layout: ground.layout,
            scan: ground.scan,
            candidates: &candidates,
            lower: &lower,
        };
        let mut loader = Loader::new(&tree);
        let begun = flow::work();
        loop {
            let program = match loader.is_complete() {
                true => ground.build(loader.take_files()),
                false => ground.build(loader.files().to_vec()).with_absent(loader.absent()),
            };
            let mut complete =
                |leads: &[Lead]| !loader.extend(leads, &program.requests(), flow::work() - begun);
            if let Some(findings) = self.run_on(ground, &program, &mut complete) {
                return (program, findings);
            }
            if self.progress.is_stopped() {
                return (program, Findings::default());
            }
        }
    }

    /// Lowers a file. Where no word of a key is spelled, most functions turn out not to matter: their bodies wait.
    fn lower(&self, file: FileId, text: &Arc<str>, ground: &Ground<'_>, macros: &[MacroTable]) -> FileIr {
        let krate = ground.layout.places.get(file.0 as usize).map_or(usize::MAX, |place| place.krate);
        let known = ground.layout.crates.get(krate);
        let edition = edition(known.map_or(discover::Edition::default(), |krate| krate.edition));
        let none = MacroTable::new();
        let macros = macros.get(krate).unwrap_or(&none);
        match self.options.load_all || ground.scan.spells_anchor(file) {
            true => lower_rust_with(file, text.as_bytes(), edition, macros),
            false => lower_rust_late(file, text, edition, macros),
        }
    }

    fn run_on(
        &self,
        ground: &Ground<'_>,
        program: &Program,
        complete: &mut Complete<'_>,
    ) -> Option<Findings> {
        self.progress.step(&format!("following values through {} files", program.files().len()));
        let input = Input {
            program,
            sources: ground.sources,
            config: self.config,
            project: ground.project,
            layout: ground.layout,
            scan: ground.scan,
            files: ground.facts,
            include_tests: self.options.include_tests,
        };
        self.analysis.run(&input, complete)
    }

    /// Whether findings in a file are shown.
    fn counts(&self, facts: &[FileFacts], file: FileId) -> bool {
        facts.get(file.0 as usize).is_some_and(|facts| {
            facts.primary && (self.options.include_tests || facts.class != FileClass::Test)
        })
    }
}

/// What is known of the tree before anything is parsed.
struct Ground<'a> {
    project: &'a Project,
    layout: &'a Layout,
    scan: &'a Scan,
    facts: &'a [FileFacts],
    sources: &'a Sources,
}

fn unreadable<'a>(sources: &'a Sources, scan: &'a Scan) -> impl Iterator<Item = Problem> + 'a {
    sources.ids().zip(&scan.files).filter_map(|(id, file)| {
        let error = file.as_ref().err()?;
        Some(Problem { file: sources.path(id).to_owned(), line: error.line(), message: error.to_string() })
    })
}

fn facts(project: &Project, layout: &Layout, scan: &Scan) -> Vec<FileFacts> {
    let files = project.files.iter().zip(&layout.places).zip(&scan.files);
    files
        .map(|((file, place), scanned)| {
            let generated = scanned.as_ref().is_ok_and(|scanned| scanned.generated);
            match generated {
                true => FileFacts { class: FileClass::Foreign, primary: false },
                false => FileFacts { class: place.class, primary: file.primary },
            }
        })
        .collect()
}

/// The macros that each crate can call: its own first, then those of its dependencies.
fn macros_of_crates(layout: &Layout, scan: &Scan) -> Vec<MacroTable> {
    let mut own = vec![Vec::new(); layout.crates.len()];
    for (place, file) in layout.places.iter().zip(&scan.files) {
        let macros = file.iter().flat_map(|file| &file.macros).cloned();
        own[place.krate].extend(macros);
    }
    let table = |(index, krate): (usize, &discover::Crate)| {
        let mut table = MacroTable::new();
        table.extend(own[index].iter().cloned());
        for (name, dependency) in &krate.dependencies {
            table.extend(own[*dependency].iter().map(|(of, rules)| (of.clone(), from_outside(rules, name))));
        }
        table
    };
    layout.crates.iter().enumerate().map(table).collect()
}

/// The rules of a macro as another crate sees them: `$crate` is the crate that defines it.
fn from_outside(rules: &Arc<str>, krate: &str) -> Arc<str> {
    match rules.contains("$crate") {
        true => rules.replace("$crate", &format!("::{krate}")).into(),
        false => Arc::clone(rules),
    }
}

fn edition(edition: discover::Edition) -> frontend::Edition {
    match edition {
        discover::Edition::Edition2015 => frontend::Edition::Rust2015,
        discover::Edition::Edition2018 => frontend::Edition::Rust2018,
        discover::Edition::Edition2021 => frontend::Edition::Rust2021,
        discover::Edition::Edition2024 => frontend::Edition::Rust2024,
    }
}

fn gaps<'a>(sources: &'a Sources, program: &'a Program) -> impl Iterator<Item = Problem> + 'a {
    let late = program
        .functions()
        .filter_map(|id| program.function(id).ir.body.as_ref())
        .flat_map(FunctionBody::late_gaps);
    program.files().iter().flat_map(|file| &file.gaps).chain(late).map(|gap| Problem {
        file: sources.path(gap.span.file).to_owned(),
        line: Some(sources.line(gap.span)),
        message: gap.message.clone(),
    })
}

impl Ground<'_> {
    /// Resolves the names of lowered files.
    fn build(&self, lowered: Vec<FileIr>) -> Program {
        let id = |index: usize| CrateId(u32::try_from(index).unwrap_or(u32::MAX));
        let crates = self.layout.crates.iter().map(|krate| CrateInfo {
            name: krate.name.clone(),
            edition_2015: krate.edition == discover::Edition::Edition2015,
            root: Some(krate.root),
            dependencies: krate.dependencies.iter().map(|(name, index)| (name.clone(), id(*index))).collect(),
            external: krate.external.clone(),
            renamed: krate.renamed.clone(),
            test: krate.kind.is_some_and(discover::TargetKind::is_test)
                && self.facts.get(krate.root.0 as usize).is_some_and(|facts| facts.class == FileClass::Test),
        });
        let files = lowered.into_iter().filter_map(|ir| {
            let index = ir.file.0 as usize;
            let place = self.layout.places.get(index)?;
            let place = FilePlace {
                krate: id(place.krate),
                module: place.module.clone(),
                test: place.class == FileClass::Test,
                path: self.project.files.get(index)?.display.clone(),
            };
            Some((ir, place))
        });
        Program::build(files.collect(), crates.collect())
    }
}

fn has_problem(problems: &[Problem], file: &str) -> bool {
    problems.iter().any(|problem| problem.file == file)
}

/// The crate and module of a file, joined by `::`.
fn module_name(layout: &Layout, file: FileId) -> String {
    let Some(place) = layout.places.get(file.0 as usize) else { return String::new() };
    let krate = layout.crates.get(place.krate).map(|krate| &krate.name);
    krate.into_iter().chain(&place.module).map(|name| name.as_str()).collect::<Vec<_>>().join("::")
}

/// The path from the top of the repository around `root` to it. Nothing is asked of git for that.
fn repository_prefix(root: &Path) -> String {
    let Some(top) = root.ancestors().find(|folder| folder.join(".git").exists()) else {
        return String::new();
    };
    let relative = root.strip_prefix(top).unwrap_or(Path::new(""));
    relative.components().map(|part| format!("{}/", part.as_os_str().to_string_lossy())).collect()
}

fn sort(diagnostics: &mut Vec<Diagnostic>) {
    let order = |found: &Diagnostic| {
        let source = found.trace.first().map(|step| step.span);
        (found.primary, found.code, source, found.message.clone())
    };
    diagnostics.sort_by_cached_key(order);
    diagnostics.dedup();
}

/// Sorts everything and counts.
fn finish(outcome: &mut Outcome) {
    outcome.keys.sort_by_key(|key| key.span);
    outcome.operations.sort_by_key(|found| found.span);
    outcome.problems.sort_unstable();
    outcome.problems.dedup();
    outcome.cut_short.sort_unstable();
    outcome.cut_short.dedup();
    outcome.exceptions.sort_unstable();
    let mut unparsed: Vec<&str> = outcome.problems.iter().map(|problem| problem.file.as_str()).collect();
    unparsed.dedup();
    let notes = outcome.diagnostics.iter().filter(|found| found.severity == Severity::Note).count();
    outcome.summary = Summary {
        unparsed: unparsed.len(),
        keys: outcome.keys.len() + outcome.operations.len(),
        findings: outcome.diagnostics.len() - notes,
        notes,
        ..outcome.summary
    };
}
