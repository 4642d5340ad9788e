//! Whatever the bytes are: no panic, and every span lies in the file on character boundaries.

use cargo_samekey::frontend::{Edition, lower_rust};
use cargo_samekey::ir::{Body, FileId, Item, ItemKind, Span, Terminator};
use proptest::prelude::*;

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

fn check(bytes: &[u8]) {
    for edition in [Edition::Rust2015, Edition::Rust2024] {
        let ir = lower_rust(FileId(7), bytes, edition);
        let text = std::str::from_utf8(bytes).ok();
        let spans = Spans { length: bytes.len(), text };
        ir.gaps.iter().for_each(|gap| spans.check(gap.span));
        ir.items.iter().for_each(|item| spans.item(item));
    }
}

struct Spans<'t> {
    length: usize,
    text: Option<&'t str>,
}

impl Spans<'_> {
    fn check(&self, span: Span) {
        let (start, end) = (span.start as usize, span.end as usize);
        assert_eq!(span.file, FileId(7));
        assert!(start <= end && end <= self.length, "{span:?} of {}", self.length);
        if let Some(text) = self.text {
            assert!(text.is_char_boundary(start) && text.is_char_boundary(end), "{span:?}");
        }
    }

    fn item(&self, item: &Item) {
        self.check(item.span);
        self.check(item.name_span);
        match &item.kind {
            ItemKind::Function(function) => function.body.iter().for_each(|body| self.body(body)),
            ItemKind::Impl(value) => value.items.iter().for_each(|item| self.item(item)),
            ItemKind::Trait(value) => value.items.iter().for_each(|item| self.item(item)),
            ItemKind::Module(module) => module.items.iter().flatten().for_each(|item| self.item(item)),
            ItemKind::Static(value) => value.initializer.iter().for_each(|body| self.body(body)),
            _ => {}
        }
    }

    fn body(&self, body: &Body) {
        body.locals.iter().for_each(|local| self.check(local.span));
        body.loops.iter().for_each(|looped| self.check(looped.span));
        body.items.iter().for_each(|item| self.item(item));
        for closure in &body.closures {
            self.check(closure.span);
            self.body(&closure.body);
        }
        for block in &body.blocks {
            block.statements.iter().for_each(|statement| self.check(statement.span));
            let successors = match &block.terminator {
                Terminator::Goto(block) => vec![*block],
                Terminator::Branch(blocks) => blocks.clone(),
                Terminator::Return(_) | Terminator::Diverge => Vec::new(),
            };
            assert!(successors.iter().all(|block| (block.0 as usize) < body.blocks.len()));
        }
    }
}

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
}

#[test]
fn the_seed_is_understood() {
    let ir = lower_rust(FileId(7), SEED.as_bytes(), Edition::Rust2024);
    assert_eq!(ir.gaps, []);
    check(SEED.as_bytes());
}
