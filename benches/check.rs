//! How long `check` takes, as ratios within one run.
//!
//! `cargo bench --bench check -- TREE` compares the whole of `check` with two things that any tool could do with
//! the same files on the same threads: search their bytes for the words of sinks, and parse all of them.
//! `cargo bench --bench check -- --scale N RELATED UNRELATED` copies unrelated code beside a project, once to N
//! times, and shows what that costs beyond the search.
//!
//! Times depend on the machine and on what else runs there. Rounds are interleaved, so that a busy moment hits
//! all three, and the ratios of the minima are what to compare.

use std::ffi::OsString;
use std::fs;
use std::hint::black_box;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use cargo_samekey::cli::{self, Terminal};
use cargo_samekey::config::Config;
use cargo_samekey::driver::{self, Analysis, Options, Progress};
use cargo_samekey::rules::Rules;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

const USAGE: &str = "usage: cargo bench --bench check -- [--rounds N] [--jobs N] [TREE]
       cargo bench --bench check -- [--rounds N] [--jobs N] --scale COPIES RELATED UNRELATED";

/// Parsing recurses; this is what the tool gives its own workers.
const STACK: usize = 256 << 20;

fn main() -> ExitCode {
    match Arguments::parse(std::env::args().skip(1)).and_then(|arguments| arguments.run()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

struct Arguments {
    rounds: usize,
    jobs: usize,
    scale: Option<usize>,
    trees: Vec<PathBuf>,
}

impl Arguments {
    fn parse(mut words: impl Iterator<Item = String>) -> Result<Arguments, String> {
        let mut arguments = Arguments { rounds: 7, jobs: 0, scale: None, trees: Vec::new() };
        while let Some(word) = words.next() {
            let mut number = || -> Result<usize, String> {
                let value = words.next().and_then(|value| value.parse().ok());
                value.ok_or_else(|| format!("{word} needs a number"))
            };
            match word.as_str() {
                // What cargo adds.
                "--bench" => {}
                "--rounds" => arguments.rounds = number()?.max(1),
                "--jobs" => arguments.jobs = number()?,
                "--scale" => arguments.scale = Some(number()?),
                flag if flag.starts_with("--") => return Err(format!("unknown flag {flag}")),
                path => arguments.trees.push(PathBuf::from(path)),
            }
        }
        Ok(arguments)
    }

    fn run(&self) -> Result<(), String> {
        let pool = ThreadPoolBuilder::new().num_threads(self.jobs).stack_size(STACK).build();
        let pool = pool.map_err(|error| error.to_string())?;
        match (self.scale, self.trees.as_slice()) {
            (None, []) => self.compare(Path::new(env!("CARGO_MANIFEST_DIR")), &pool),
            (None, [tree]) => self.compare(tree, &pool),
            (Some(copies), [related, unrelated]) => self.scale(copies, related, unrelated, &pool),
            _ => Err("wrong number of trees".to_owned()),
        }
    }

    /// `check` against the search and the parser, on one tree.
    fn compare(&self, tree: &Path, pool: &ThreadPool) -> Result<(), String> {
        let tree = absolute(tree)?;
        let automaton = Search::new()?;
        let facts = Facts::of(&tree, self.jobs, &automaton, pool)?;
        println!("{facts}");
        let [mut check, mut search, mut parse] = [const { Vec::new() }; 3];
        let mut parsed = 0;
        for _ in 0..self.rounds {
            check.push(timed(|| run_check(&tree, self.jobs)));
            search.push(timed(|| automaton.search(&facts.files, pool)));
            parse.push(timed(|| parsed = parse_all(&facts.files, pool)));
        }
        println!("{parsed} of {} files parse as a whole", facts.files.len());
        println!("{:24} {:>9} {:>9}", format!("{} rounds", self.rounds), "minimum", "median");
        for (what, times) in [("check", &check), ("search", &search), ("parse", &parse)] {
            println!("{what:24} {:>9} {:>9}", millis(minimum(times)), millis(median(times)));
        }
        for (what, times) in [("check / search", &search), ("check / parse", &parse)] {
            let minimum = ratio(minimum(&check), minimum(times));
            println!("{what:24} {minimum:>9.2} {:>9.2}", ratio(median(&check), median(times)));
        }
        Ok(())
    }

    /// `check` and the search on a project beside 0, 1, 2, 4 .. copies of unrelated code.
    fn scale(
        &self,
        copies: usize,
        related: &Path,
        unrelated: &Path,
        pool: &ThreadPool,
    ) -> Result<(), String> {
        let automaton = Search::new()?;
        let folder = Scratch::new()?;
        copy_sources(&absolute(related)?, &folder.0.join("related")).map_err(|error| error.to_string())?;
        let unrelated = absolute(unrelated)?;
        println!(
            "{:>6} {:>8} {:>10} {:>7} {:>8} {:>10} {:>10} {:>14} {:>15}",
            "copies",
            "files",
            "lines",
            "loaded",
            "findings",
            "check",
            "search",
            "check - search",
            "check / search"
        );
        let mut present = 0;
        for wanted in steps(copies) {
            while present < wanted {
                present += 1;
                let copy = folder.0.join(format!("unrelated-{present}"));
                copy_sources(&unrelated, &copy).map_err(|error| error.to_string())?;
            }
            let facts = Facts::of(&folder.0, self.jobs, &automaton, pool)?;
            let [mut check, mut search] = [const { Vec::new() }; 2];
            for _ in 0..self.rounds {
                check.push(timed(|| run_check(&folder.0, self.jobs)));
                search.push(timed(|| automaton.search(&facts.files, pool)));
            }
            let (check, search) = (minimum(&check), minimum(&search));
            println!(
                "{wanted:>6} {:>8} {:>10} {:>7} {:>8} {:>10} {:>10} {:>14} {:>15.2}",
                facts.files.len(),
                facts.lines,
                facts.loaded,
                facts.findings,
                millis(check),
                millis(search),
                millis(check.saturating_sub(search)),
                ratio(check, search)
            );
        }
        Ok(())
    }
}

/// What a tree holds and what the tool does with it. Finding that out also warms the caches.
struct Facts {
    files: Vec<PathBuf>,
    lines: usize,
    with_word: usize,
    with_sink: usize,
    loaded: usize,
    findings: usize,
    notes: usize,
}

impl Facts {
    fn of(tree: &Path, jobs: usize, automaton: &Search, pool: &ThreadPool) -> Result<Facts, String> {
        let options = Options {
            current_dir: tree.to_owned(),
            paths: vec![tree.to_owned()],
            jobs,
            ..Options::default()
        };
        let outcome =
            driver::check(&options, &Rules, &Progress::hidden()).map_err(|error| error.to_string())?;
        let sources = &outcome.sources;
        let files: Vec<PathBuf> = sources.ids().map(|file| sources.absolute(file).to_owned()).collect();
        if files.is_empty() {
            return Err(format!("{} holds no Rust source file", tree.display()));
        }
        let newlines =
            |file: &PathBuf| memchr::memchr_iter(b'\n', &fs::read(file).unwrap_or_default()).count();
        Ok(Facts {
            lines: files.iter().map(newlines).sum(),
            with_word: automaton.search(&files, pool),
            with_sink: outcome.with_sink,
            loaded: outcome.loaded.len(),
            findings: outcome.summary.findings,
            notes: outcome.summary.notes,
            files,
        })
    }
}

impl std::fmt::Display for Facts {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            formatter,
            "{} files, {} lines; {} files with a word of a sink, {} where all words of a sink come together, \
             {} loaded; {} findings, {} notes",
            self.files.len(),
            self.lines,
            self.with_word,
            self.with_sink,
            self.loaded,
            self.findings,
            self.notes
        )
    }
}

/// The whole of `check`, as the binary does it, with output that nobody reads.
fn run_check(tree: &Path, jobs: usize) {
    let mut terminal = Terminal {
        stdout: Box::new(io::sink()),
        stderr: Box::new(io::sink()),
        color: false,
        error_color: false,
        interactive: false,
        width: 80,
        current_dir: tree.to_owned(),
    };
    let words = ["cargo-samekey", "check", "--format", "json", "--jobs"].map(OsString::from);
    let rest = [OsString::from(jobs.to_string()), tree.as_os_str().to_owned()];
    black_box(cli::run(words.into_iter().chain(rest), &Rules, &mut terminal));
}

/// The search that any tool could do, with a single pass over the bytes.
struct Search(AhoCorasick);

impl Search {
    fn new() -> Result<Search, String> {
        let rows = Rules.words(&Config::default()).rows;
        let mut words: Vec<String> = rows.into_iter().map(|row| row.anchor.text).collect();
        words.sort_unstable();
        words.dedup();
        let mut builder = AhoCorasick::builder();
        let builder = builder.ascii_case_insensitive(true).kind(Some(AhoCorasickKind::DFA));
        builder.build(words).map(Search).map_err(|error| error.to_string())
    }

    /// Reads all files and searches them to their ends. Gives the number of files with a word.
    fn search(&self, files: &[PathBuf], pool: &ThreadPool) -> usize {
        let found = |file: &PathBuf| {
            fs::read(file).map_or(0, |bytes| black_box(self.0.find_iter(&bytes).count())) > 0
        };
        pool.install(|| files.par_iter().filter(|file| found(file)).count())
    }
}

/// Parses all files, with the places of all tokens. Gives the number of files that parse.
fn parse_all(files: &[PathBuf], pool: &ThreadPool) -> usize {
    let parse = |file: &PathBuf| {
        let parsed = fs::read_to_string(file).ok().and_then(|text| syn::parse_file(&text).ok());
        let parses = black_box(parsed).is_some();
        // Else the table of all tokens grows without end.
        proc_macro2::extra::invalidate_current_thread_spans();
        parses
    };
    pool.install(|| files.par_iter().filter(|file| parse(file)).count())
}

/// 0, 1, 2, 4 .. up to and with the last.
fn steps(last: usize) -> Vec<usize> {
    let doubling = std::iter::successors(Some(1_usize), |step| step.checked_mul(2));
    let mut steps = vec![0];
    steps.extend(doubling.take_while(|step| *step < last));
    if last > 0 {
        steps.push(last);
    }
    steps
}

/// A folder that goes away with the value.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Scratch, String> {
        let folder = std::env::temp_dir().join(format!("samekey-bench-{}", std::process::id()));
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(Scratch(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Copies what the tool reads: sources and manifests.
fn copy_sources(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (name, kind) = (entry.file_name(), entry.file_type()?);
        let target = to.join(&name);
        if kind.is_dir() && name != "target" && name != ".git" {
            copy_sources(&entry.path(), &target)?;
        }
        if kind.is_file()
            && (name == "Cargo.toml" || target.extension().is_some_and(|extension| extension == "rs"))
        {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

fn absolute(tree: &Path) -> Result<PathBuf, String> {
    fs::canonicalize(tree).map_err(|error| format!("{}: {error}", tree.display()))
}

fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    black_box(work());
    start.elapsed()
}

fn minimum(times: &[Duration]) -> Duration {
    times.iter().min().copied().unwrap_or_default()
}

fn median(times: &[Duration]) -> Duration {
    let mut times = times.to_vec();
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn ratio(what: Duration, by: Duration) -> f64 {
    what.as_secs_f64() / by.as_secs_f64().max(f64::MIN_POSITIVE)
}

fn millis(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}
