//! What a change touches and what is not committed, by asking `git`: the only program that is ever started.
//!
//! A repository's own configuration can name programs that git runs. All that `diff`, `status` and `ls-files` would start are
//! turned off: the file system monitor, external diffs, text conversion, filters, hooks and lazy fetching.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Which change is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Everything since the common ancestor of a revision and the present commit, also what is not committed.
    Since(String),
    /// What is staged for the next commit.
    Staged,
}

/// The lines that a change adds or edits, by absolute path. A place where lines were only removed counts as the
/// lines around it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangedLines {
    files: BTreeMap<PathBuf, Lines>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Lines {
    All,
    Some(Vec<RangeInclusive<u32>>),
}

impl ChangedLines {
    /// The changed files.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.keys().map(PathBuf::as_path)
    }

    /// Whether any of these lines (from 1) of a file was touched.
    #[must_use]
    pub fn touch(&self, file: &Path, lines: &RangeInclusive<u32>) -> bool {
        match self.files.get(file) {
            None => false,
            Some(Lines::All) => true,
            Some(Lines::Some(ranges)) => {
                ranges.iter().any(|range| range.start() <= lines.end() && lines.start() <= range.end())
            }
        }
    }
}

/// Why git could not tell, in one sentence with the remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GitError(String);

impl fmt::Display for GitError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for GitError {}

/// The lines that a change touches in the repository around `folder`.
///
/// # Errors
/// Without git, outside of a repository, for a revision that is not known, and when git fails.
pub fn changed_lines(folder: &Path, change: &Change) -> Result<ChangedLines, GitError> {
    let git = Git::open(folder)?;
    match change {
        Change::Since(revision) => git.since(revision),
        Change::Staged => git.staged(),
    }
}

/// A file whose state on disk is not committed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uncommitted {
    /// Its path from the top of the repository.
    pub path: String,
    /// Whether all of its changes are staged.
    pub staged: bool,
}

/// The files of the repository around `folder` with changes that are not committed, files that git does not know
/// included.
///
/// # Errors
/// Without git, and when git fails.
pub fn uncommitted(folder: &Path) -> Result<Vec<Uncommitted>, GitError> {
    let git = Git::open(folder)?;
    let status = git.text(&[
        "status",
        "--porcelain=v1",
        "-z",
        "--no-renames",
        "--untracked-files=normal",
        "--ignore-submodules=all",
    ])?;
    let entry = |entry: &[u8]| {
        let [_, on_disk, b' ', path @ ..] = entry else { return None };
        let path = String::from_utf8_lossy(path).into_owned();
        Some(Uncommitted { path, staged: *on_disk == b' ' })
    };
    Ok(status.split(|byte| *byte == 0).filter_map(entry).collect())
}

/// A repository.
struct Git {
    top: PathBuf,
    /// Settings that turn off the filters which the configuration names.
    no_filters: Vec<(String, &'static str)>,
}

impl Git {
    fn open(folder: &Path) -> Result<Git, GitError> {
        let top = run(folder, &[], &["rev-parse", "--show-toplevel"])?;
        if !top.status.success() {
            return Err(not_a_repository(&top));
        }
        let top = path_of(top.stdout.strip_suffix(b"\n").unwrap_or(&top.stdout));
        if top.as_os_str().is_empty() {
            return Err(GitError("this git repository has no working tree; check one out".to_owned()));
        }
        let top = top.canonicalize().unwrap_or(top);
        let no_filters = no_filters(&top)?;
        Ok(Git { top, no_filters })
    }

    fn since(&self, revision: &str) -> Result<ChangedLines, GitError> {
        let commit = self.commit(revision)?;
        let base = self.merge_base(&commit)?.unwrap_or(commit);
        let mut changed = self.to_changed(hunks_by_file(&self.diff(&[&base])?));
        for file in self
            .text(&["ls-files", "--others", "--exclude-standard", "--full-name", "-z"])?
            .split(|b| *b == 0)
        {
            if !file.is_empty() {
                changed.files.insert(self.top.join(path_of(file)), Lines::All);
            }
        }
        Ok(changed)
    }

    /// The files on disk are what is analysed: lines of the index are carried over to them.
    fn staged(&self) -> Result<ChangedLines, GitError> {
        let staged = hunks_by_file(&self.diff(&["--cached"])?);
        if staged.is_empty() {
            return Ok(ChangedLines::default());
        }
        let unstaged: BTreeMap<Vec<u8>, Vec<Hunk>> = hunks_by_file(&self.diff(&[])?).into_iter().collect();
        let on_disk = staged.into_iter().map(|(file, hunks)| {
            let later = unstaged.get(&file).map(Vec::as_slice).unwrap_or_default();
            let carried = hunks.into_iter().map(|hunk| hunk.carried_over(later)).collect();
            (file, carried)
        });
        Ok(self.to_changed(on_disk.collect()))
    }

    fn to_changed(&self, files: Vec<(Vec<u8>, Vec<Hunk>)>) -> ChangedLines {
        let files = files.into_iter().map(|(file, hunks)| {
            let lines = hunks.iter().map(Hunk::touched).collect();
            (self.top.join(path_of(&file)), Lines::Some(lines))
        });
        ChangedLines { files: files.collect() }
    }

    /// The commit that a revision names.
    fn commit(&self, revision: &str) -> Result<String, GitError> {
        // `origin/$BRANCH` with an empty variable.
        if revision.trim().is_empty() || revision.ends_with('/') {
            return Err(GitError(format!(
                "--since names no revision: `{}` is not complete; is the variable of the CI that holds it set?",
                crate::report::printable(revision)
            )));
        }
        let name = format!("{revision}^{{commit}}");
        let found = self.run(&["rev-parse", "--verify", "--quiet", "--end-of-options", &name])?;
        if found.status.success() {
            return Ok(String::from_utf8_lossy(&found.stdout).trim().to_owned());
        }
        let shown = crate::report::printable(revision);
        if let Some((first, second)) = revision.split_once("..") {
            let first = crate::report::printable(if first.is_empty() { second } else { first });
            return Err(GitError(format!(
                "`{shown}` is a range; name where the change starts, such as `--since {}`",
                first.trim_start_matches('.')
            )));
        }
        if !self.run(&["rev-parse", "--verify", "--quiet", "HEAD"])?.status.success() {
            return Err(GitError(format!(
                "git knows no commit `{shown}`: nothing is committed here yet; --staged reports what is staged"
            )));
        }
        Err(GitError(match self.is_shallow() {
            true => format!(
                "git knows no commit `{shown}`: this clone is shallow; fetch the history with `git fetch --unshallow` \
                 (in CI, check out with the full history: `fetch-depth: 0`, `GIT_DEPTH: 0`)"
            ),
            false => format!(
                "git knows no commit `{shown}`; name a branch, tag or commit, and `git fetch` it when it is on the \
                 server only"
            ),
        }))
    }

    /// The last common ancestor with the present commit; `None` without a present commit or a common history.
    fn merge_base(&self, commit: &str) -> Result<Option<String>, GitError> {
        let found = self.run(&["merge-base", commit, "HEAD"])?;
        if found.status.success() {
            return Ok(Some(String::from_utf8_lossy(&found.stdout).trim().to_owned()));
        }
        match self.is_shallow() {
            true => Err(GitError(
                "git finds no common ancestor: this clone is shallow; fetch the history with `git fetch --unshallow` \
                 (in CI, check out with the full history: `fetch-depth: 0`, `GIT_DEPTH: 0`)"
                    .to_owned(),
            )),
            false => Ok(None),
        }
    }

    fn is_shallow(&self) -> bool {
        let answer = self.run(&["rev-parse", "--is-shallow-repository"]);
        answer.is_ok_and(|answer| answer.stdout.starts_with(b"true"))
    }

    fn diff(&self, what: &[&str]) -> Result<Vec<u8>, GitError> {
        let options = [
            "diff",
            "--no-ext-diff",
            "--no-textconv",
            "--text",
            "--no-color",
            "--no-relative",
            "--no-indent-heuristic",
            "--find-renames",
            "--ignore-submodules=all",
            "--submodule=short",
            "--unified=0",
            "--inter-hunk-context=0",
            "--src-prefix=a/",
            "--dst-prefix=b/",
        ];
        let arguments: Vec<&str> = options.iter().chain(what).copied().chain(["--"]).collect();
        self.text(&arguments)
    }

    fn text(&self, arguments: &[&str]) -> Result<Vec<u8>, GitError> {
        let output = self.run(arguments)?;
        match output.status.success() {
            true => Ok(output.stdout),
            false => Err(failed(&output)),
        }
    }

    fn run(&self, arguments: &[&str]) -> Result<Output, GitError> {
        run(&self.top, &self.no_filters, arguments)
    }
}

/// Runs git with everything off that could start another program.
fn run(folder: &Path, settings: &[(String, &str)], arguments: &[&str]) -> Result<Output, GitError> {
    let fixed =
        ["core.fsmonitor=false", "core.hooksPath=/dev/null", "diff.external=", "core.quotePath=false"];
    let mut command = Command::new("git");
    command.arg("--no-pager");
    // In a hook, git has said which repository and index are meant, relative to where the hook was started.
    if std::env::var_os("GIT_DIR").is_none() {
        command.arg("-C").arg(folder);
    }
    command.args(fixed.iter().flat_map(|option| ["-c", option])).args(arguments);
    // The name of a filter may hold any character, so `-c` would not do.
    let given = std::env::var("GIT_CONFIG_COUNT").ok().and_then(|count| count.parse().ok());
    let first: usize = given.unwrap_or(0);
    for (index, (key, value)) in (first..).zip(settings) {
        command.env(format!("GIT_CONFIG_KEY_{index}"), key).env(format!("GIT_CONFIG_VALUE_{index}"), value);
    }
    if !settings.is_empty() {
        command.env("GIT_CONFIG_COUNT", (first + settings.len()).to_string());
    }
    command.env("GIT_OPTIONAL_LOCKS", "0").env("GIT_NO_LAZY_FETCH", "1").env("GIT_TERMINAL_PROMPT", "0");
    command.env("LC_ALL", "C").env_remove("GIT_EXTERNAL_DIFF").env_remove("GIT_DIFF_OPTS");
    command.stdin(Stdio::null()).output().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            GitError("`git` was not found; --since and --staged need it on the PATH".to_owned())
        }
        kind => GitError(format!("`git` could not be started: {kind}")),
    })
}

/// Filters of the configuration are programs that git runs to compare a file on disk.
fn no_filters(top: &Path) -> Result<Vec<(String, &'static str)>, GitError> {
    let pattern = r"^filter\..*\.(clean|process|smudge|required)$";
    let listed = run(top, &[], &["config", "--name-only", "-z", "--get-regexp", pattern])?;
    let mut settings = Vec::new();
    for key in listed.stdout.split(|byte| *byte == 0).filter(|key| !key.is_empty()) {
        let Ok(key) = std::str::from_utf8(key) else {
            return Err(GitError("git names a filter that is not UTF-8; rename it".to_owned()));
        };
        settings.push((key.to_owned(), if key.ends_with(".required") { "false" } else { "" }));
    }
    Ok(settings)
}

fn not_a_repository(output: &Output) -> GitError {
    let message = String::from_utf8_lossy(&output.stderr);
    if message.contains("not a git repository") {
        return GitError("this is not a git repository; --since and --staged need one".to_owned());
    }
    if message.contains("dubious ownership") {
        return GitError(
            "git does not trust this repository, which belongs to another user; say that you do with \
             `git config --global --add safe.directory PATH`"
                .to_owned(),
        );
    }
    if message.contains("must be run in a work tree") {
        return GitError("this git repository has no working tree; check one out".to_owned());
    }
    failed(output)
}

fn failed(output: &Output) -> GitError {
    let message = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = message.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let first = lines.first().copied().unwrap_or("it gave no reason");
    let first = first.strip_prefix("fatal: ").or_else(|| first.strip_prefix("error: ")).unwrap_or(first);
    GitError(format!("git failed: {}", crate::report::printable(first)))
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

/// A run of changed lines: `@@ -old,old_count +new,new_count @@`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Hunk {
    old: u32,
    old_count: u32,
    new: u32,
    new_count: u32,
}

impl Hunk {
    fn parse(header: &[u8]) -> Option<Hunk> {
        let header = std::str::from_utf8(header).ok().or_else(|| {
            // The text behind the second `@@` is code in any encoding.
            let end = memchr::memmem::find(header, b" @@")?;
            std::str::from_utf8(header.get(..end)?).ok()
        })?;
        let mut parts = header.strip_prefix("@@ ")?.split(' ');
        let side = |text: &str| match text.split_once(',') {
            Some((start, count)) => Some((start.parse().ok()?, count.parse().ok()?)),
            None => Some((text.parse().ok()?, 1)),
        };
        let (old, old_count) = side(parts.next()?.strip_prefix('-')?)?;
        let (new, new_count) = side(parts.next()?.strip_prefix('+')?)?;
        Some(Hunk { old, old_count, new, new_count })
    }

    /// The lines of the new side; the neighbours of the place where lines are gone.
    fn touched(&self) -> RangeInclusive<u32> {
        match self.new_count {
            0 => self.new.max(1)..=self.new.saturating_add(1),
            count => self.new..=self.new.saturating_add(count - 1),
        }
    }

    /// The same hunk after later changes to the new side.
    fn carried_over(self, later: &[Hunk]) -> Hunk {
        let touched = self.touched();
        let start = carried_line(*touched.start(), later, |hunk| hunk.new);
        let end = carried_line(*touched.end(), later, |hunk| hunk.new.saturating_add(hunk.new_count));
        Hunk { new: start.min(end), new_count: end.saturating_sub(start).saturating_add(1), ..self }
    }
}

/// Where a line is after some changes. A line that was changed itself is at `edge` of its change.
fn carried_line(line: u32, later: &[Hunk], edge: fn(&Hunk) -> u32) -> u32 {
    let mut shift = 0_i64;
    for hunk in later {
        // A hunk without old lines stands behind the line that it names.
        let first = if hunk.old_count == 0 { hunk.old.saturating_add(1) } else { hunk.old };
        if line < first {
            break;
        }
        if line < first.saturating_add(hunk.old_count) {
            return edge(hunk).max(1);
        }
        shift += i64::from(hunk.new_count) - i64::from(hunk.old_count);
    }
    u32::try_from((i64::from(line) + shift).max(1)).unwrap_or(u32::MAX)
}

/// The changed lines of each file of a diff that still exists, in order.
fn hunks_by_file(diff: &[u8]) -> Vec<(Vec<u8>, Vec<Hunk>)> {
    let mut files: Vec<(Vec<u8>, Vec<Hunk>)> = Vec::new();
    let mut in_header = true;
    let mut current = false;
    for line in diff.split(|byte| *byte == b'\n') {
        if line.starts_with(b"diff --git ") {
            (in_header, current) = (true, false);
        } else if in_header && line.starts_with(b"+++ ") {
            let name = file_name(line.get(4..).unwrap_or_default());
            current = name.is_some();
            files.extend(name.map(|name| (name, Vec::new())));
        } else if line.starts_with(b"@@ ") {
            in_header = false;
            if let (true, Some(hunk), Some((_, hunks))) = (current, Hunk::parse(line), files.last_mut()) {
                hunks.push(hunk);
            }
        }
    }
    files
}

/// The file that a `+++` line names; `None` when it was deleted.
fn file_name(name: &[u8]) -> Option<Vec<u8>> {
    // A name with a space ends with a tab.
    let name = name.strip_suffix(b"\t").unwrap_or(name);
    let name = match name.strip_prefix(b"\"") {
        Some(quoted) => unquoted(quoted.strip_suffix(b"\"").unwrap_or(quoted)),
        None => name.to_vec(),
    };
    name.strip_prefix(b"b/").map(<[u8]>::to_vec)
}

/// Undoes the quoting of C strings.
fn unquoted(quoted: &[u8]) -> Vec<u8> {
    let mut result = Vec::with_capacity(quoted.len());
    let mut bytes = quoted.iter().copied();
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            result.push(byte);
            continue;
        }
        match bytes.next() {
            Some(b'n') => result.push(b'\n'),
            Some(b't') => result.push(b'\t'),
            Some(b'r') => result.push(b'\r'),
            Some(b'a') => result.push(7),
            Some(b'b') => result.push(8),
            Some(b'v') => result.push(11),
            Some(b'f') => result.push(12),
            Some(first @ b'0'..=b'7') => {
                let digits = [Some(first), bytes.next(), bytes.next()];
                let value = digits
                    .into_iter()
                    .flatten()
                    .fold(0_u32, |value, digit| value * 8 + u32::from(digit.wrapping_sub(b'0') & 7));
                result.push(u8::try_from(value & 0xff).unwrap_or_default());
            }
            Some(other) => result.push(other),
            None => {}
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hunk(text: &str) -> Hunk {
        Hunk::parse(text.as_bytes()).unwrap()
    }

    #[test]
    fn reads_the_lines_of_a_diff() {
        let diff = b"diff --git a/x.rs b/x.rs\nindex 1..2 100644\n--- a/x.rs\n+++ b/x.rs\n@@ -1,0 +2,3 @@ fn f\n\
            +++ b/not-a-name\n+diff --git a b\n+x\n@@ -9,2 +13,0 @@\n-a\n-b\n\
            diff --git a/old.rs b/new name.rs\nsimilarity index 90%\nrename from old.rs\nrename to new name.rs\n\
            --- a/old.rs\n+++ b/new name.rs\t\n@@ -5 +5 @@\n-a\n+b\n\
            diff --git a/gone.rs b/gone.rs\n--- a/gone.rs\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n\
            diff --git a/q b/q\n--- \"a/\\303\\251\\\"\"\n+++ \"b/\\303\\251\\\"\"\n@@ -1 +1 @@\n";
        let files = hunks_by_file(diff);
        let seen: Vec<(String, Vec<RangeInclusive<u32>>)> = files
            .into_iter()
            .map(|(name, hunks)| {
                (String::from_utf8(name).unwrap(), hunks.iter().map(Hunk::touched).collect())
            })
            .collect();
        assert_eq!(
            seen,
            [
                ("x.rs".to_owned(), vec![2..=4, 13..=14]),
                ("new name.rs".to_owned(), vec![5..=5]),
                ("é\"".to_owned(), vec![1..=1]),
            ]
        );
    }

    #[test]
    fn staged_lines_are_found_again_on_disk() {
        let staged = hunk("@@ -10,0 +11,2 @@");
        let above = [hunk("@@ -3,0 +4,5 @@"), hunk("@@ -40 +45,0 @@")];
        assert_eq!(staged.carried_over(&above).touched(), 16..=17);
        let removed_above = [hunk("@@ -3,2 +2,0 @@")];
        assert_eq!(staged.carried_over(&removed_above).touched(), 9..=10);
        let inside = [hunk("@@ -12 +12,3 @@")];
        assert_eq!(staged.carried_over(&inside).touched(), 11..=15);
        assert_eq!(staged.carried_over(&[]).touched(), staged.touched());
    }
}
