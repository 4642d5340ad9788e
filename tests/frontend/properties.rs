//! Whatever the bytes are: no panic, and every span lies in the file on character boundaries.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use cargo_samekey::frontend::{Edition, lower_rust};
use cargo_samekey::ir::FileId;
use proptest::prelude::*;

use crate::well_formed::check;

const SEED: &str = r##"//! é
use a::{b, c as d};
macro_rules! m { ($($e:expr),* $(,)?) => {{ let x = [$($e),*]; g(x) }}; }
#[derive(Clone)] struct S<T: A> { f: Vec<T>, g: &'static str }
impl<T> S<T> where T: B { async fn h(&mut self, (p, q): (u8, String)) -> Result<T, E> {
    let S { f, ref mut g, .. } = self else { return Err(E::New("日本")) };
    for (i, x) in f.iter().enumerate().skip(1) { if i > 3 && let Some(y) = x.get(0)? { break; } }
    let z = match p { 0..=9 if q.ok() => -1, A | B(_) => { m!(q, 1 + 2) } _ => loop { continue } };
    let k = format!("{z:>5} {} {q:?} {{}}", self.f[0].await?, );
    tokio::select! { Some(v) = rx.recv() => v, else => 2 };
    Ok(move |c: u8, [d, .., e]| async move { json!({"a": [c, d], k: null}) })
} }
thread_local! { static T: RefCell<u8> = const { RefCell::new(0) }; }
"##;

const REPLACEMENTS: &[u8] = b"(){}[]<>|&!;,.:#'\"/*=$_a1\\\n\xe9";

/// A cut, a copy or a change of some bytes.
fn mutate(bytes: &mut Vec<u8>, (kind, at, length, with): (u8, usize, usize, u8)) {
    if bytes.is_empty() {
        return;
    }
    let start = at % bytes.len();
    let end = (start + length).min(bytes.len());
    match kind % 3 {
        0 => drop(bytes.drain(start..end)),
        1 => {
            let copy = bytes[start..end].to_vec();
            let to = (at / 3) % bytes.len();
            bytes.splice(to..to, copy);
        }
        _ => bytes[start] = REPLACEMENTS[with as usize % REPLACEMENTS.len()],
    }
}

/// All Rust files of the fixtures.
fn fixtures() -> Vec<String> {
    let (mut folders, mut texts) = (vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")], Vec::new());
    while let Some(folder) = folders.pop() {
        let mut paths: Vec<PathBuf> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                texts.push(fs::read_to_string(path).unwrap());
            }
        }
    }
    texts
}

/// Words, runs of white space, and single other characters.
fn tokens(text: &str) -> Vec<&str> {
    let class = |char: char| match char {
        char if char.is_alphanumeric() || char == '_' => 1,
        char if char.is_whitespace() => 2,
        _ => 0,
    };
    let (mut tokens, mut start, mut last) = (Vec::new(), 0, 0);
    for (at, char) in text.char_indices() {
        let next = class(char);
        if at > start && (next == 0 || next != last) {
            tokens.push(&text[start..at]);
            start = at;
        }
        last = next;
    }
    tokens.push(&text[start..]);
    tokens
}

/// Deletes, duplicates or swaps tokens, or drops all behind one.
fn change(tokens: &mut Vec<&str>, (kind, at, other): (u8, usize, usize)) {
    if tokens.is_empty() {
        return;
    }
    let (at, other) = (at % tokens.len(), other % tokens.len());
    match kind % 8 {
        0..=2 => drop(tokens.drain(at..(at + other % 3 + 1).min(tokens.len()))),
        3..=4 => tokens.insert(other, tokens[at]),
        5..=6 => tokens.swap(at, other),
        _ => tokens.truncate(at.max(other)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        check(&bytes);
    }

    #[test]
    fn any_text_of_tokens(words in proptest::collection::vec(
        prop::sample::select(vec!["fn", "f", "(", ")", "{", "}", "let", "x", "=", ";", "|", "&", "match", "=>", ",",
            "impl", "<", ">", "::", ".", "?", "if", "else", "\"é\"", "'a", "m!", "1", "mut", "#[a]", "mod", "return"]),
        0..60,
    )) {
        check(words.join(" ").as_bytes());
    }

    #[test]
    fn changed_rust(changes in proptest::collection::vec((any::<u8>(), any::<usize>(), 0_usize..40, any::<u8>()), 1..6)) {
        let mut bytes = SEED.as_bytes().to_vec();
        changes.into_iter().for_each(|change| mutate(&mut bytes, change));
        check(&bytes);
    }

    #[test]
    fn changed_fixtures(
        file in any::<prop::sample::Index>(),
        changes in proptest::collection::vec((any::<u8>(), any::<usize>(), any::<usize>()), 1..8),
    ) {
        static FIXTURES: LazyLock<Vec<String>> = LazyLock::new(fixtures);
        let text: &String = file.get(FIXTURES.as_slice());
        let mut tokens = tokens(text);
        changes.into_iter().for_each(|by| change(&mut tokens, by));
        check(tokens.concat().as_bytes());
    }
}

#[test]
fn the_seed_is_understood() {
    let ir = lower_rust(FileId(7), SEED.as_bytes(), Edition::Rust2024);
    assert_eq!(ir.gaps, []);
    check(SEED.as_bytes());
}
