//! Bodies that wait are the same as those that do not.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cargo_samekey::frontend::{Edition, MacroTable, collect_macros, lower_rust_late, lower_rust_with};
use cargo_samekey::ir::{FileId, FileIr, Function, FunctionBody, print_body};

use crate::functions;

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

fn late(text: &str) -> FileIr {
    let text: Arc<str> = text.into();
    let mut macros = MacroTable::new();
    macros.extend(collect_macros(text.as_bytes()));
    lower_rust_late(FileId(0), &text, Edition::Rust2024, &macros)
}

fn text_of(function: &Function) -> Option<String> {
    function.body.as_ref().and_then(FunctionBody::get).map(print_body)
}

fn texts(ir: &FileIr) -> Vec<Option<String>> {
    functions(&ir.items).into_iter().map(|(_, function)| text_of(function)).collect()
}

/// The names of functions whose bodies wait.
fn waiting(text: &str) -> Vec<String> {
    let ir = late(text);
    let names = functions(&ir.items)
        .into_iter()
        .filter(|(_, function)| function.body.as_ref().is_some_and(|body| body.deferred_names().is_some()));
    names.map(|(item, _)| item.name.to_string()).collect()
}

#[test]
fn a_body_that_waited_is_the_one_that_did_not() {
    let mut found = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures"), &mut found);
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    let mut compared = 0;
    for file in found {
        let Ok(text) = fs::read_to_string(&file) else { continue };
        let mut macros = MacroTable::new();
        macros.extend(collect_macros(text.as_bytes()));
        let whole = lower_rust_with(FileId(0), text.as_bytes(), Edition::Rust2024, &macros);
        let late = late(&text);
        let (whole, late) = (functions(&whole.items), functions(&late.items));
        assert_eq!(whole.len(), late.len(), "{}", file.display());
        for ((item, whole), (other, late)) in whole.into_iter().zip(late) {
            assert_eq!((&item.name, item.span), (&other.name, other.span), "{}", file.display());
            assert_eq!(text_of(whole), text_of(late), "{}: {}", file.display(), item.name);
            compared += 1;
        }
    }
    assert!(compared > 5000, "{compared}");
}

#[test]
fn items_are_where_they_were() {
    let text = "/// One.\n/// Two: é.\n#[inline]\nfn a() { é() }\n// note\nimpl S {\n    /// Three.\n    fn b(&self) { 1 } // end\n    fn c(&self) {}\n}";
    let whole = crate::lower(text);
    let late = late(text);
    let spans = |ir: &FileIr| ir.items.iter().map(|item| (item.span, item.name_span)).collect::<Vec<_>>();
    assert_eq!(spans(&whole), spans(&late));
}

#[test]
fn bodies_wait_unless_something_else_depends_on_them() {
    assert_eq!(
        waiting("fn a() { b() } impl S { async fn c(&self) { d } } trait T { fn e() { f } fn g(); }"),
        ["a", "c", "e"]
    );
    assert_eq!(
        waiting("fn a() { struct Local; } fn b() { use x::y; y() } fn c() { static S: u8 = 1; }"),
        [""; 0]
    );
    assert_eq!(
        waiting("macro_rules! m { () => { fn g() { h() } } } fn a() { m!() } fn b() { other!(fine) }"),
        ["b"]
    );
    assert_eq!(
        waiting("m! { fn a() { b() } } fn c(f: fn(u8) -> u8, x: [u8; { 1 }]) -> S<{ 2 }> { f(1) }"),
        ["c"]
    );
    assert_eq!(
        waiting(
            "mod inner { const F: u8 = { fn nested() { 1 } 2 }; pub(crate) unsafe extern \"C\" fn a() { } }"
        ),
        ["a"]
    );
}

#[test]
fn operators_in_brackets_open_no_arguments() {
    let text = "fn a(x: [u8; 1 << 4]) { b } fn c(x: [u8; 64 >> 2]) -> Box<dyn Fn(u8) -> u8> { d }";
    assert_eq!(waiting(text), ["a", "c"]);
    let late = late(text);
    assert!(functions(&late.items).into_iter().all(|(_, function)| text_of(function).is_some()));
}

#[test]
fn what_the_rest_of_a_file_says_of_a_body_counts() {
    // A macro that a macro defines, and an attribute inside the body.
    let defined = "macro_rules! outer { () => { macro_rules! inner { ($x:expr) => { pay($x) } } } }
outer!();
fn f() { inner!(k) }";
    assert_eq!(texts(&late(defined)), texts(&crate::lower(defined)));
    assert_eq!(waiting("fn f() { #![cfg(test)] g() } fn h() { #[allow(x)] { g() } }"), ["h"]);
}

#[test]
fn words_that_became_keywords_are_names_in_late_bodies_too() {
    let text: Arc<str> = "fn a(x: A) { try!(g(x)); h(await) }".into();
    let ir = lower_rust_late(FileId(0), &text, Edition::Rust2015, &MacroTable::new());
    let whole = lower_rust_with(FileId(0), text.as_bytes(), Edition::Rust2015, &MacroTable::new());
    assert_eq!(texts(&ir), texts(&whole));
    assert!(texts(&ir)[0].is_some());
}

#[test]
fn a_body_that_cannot_be_parsed_is_named_when_it_is_asked_for() {
    let ir = late("fn fine() { 1 }\nfn broken() { let = ; }\n");
    let found = functions(&ir.items);
    assert!(ir.gaps.is_empty());
    let body = found.iter().find(|(item, _)| item.name == "broken").unwrap().1.body.as_ref().unwrap();
    assert!(body.get().is_none());
    let gap = &body.late_gaps()[0];
    assert!(gap.message.starts_with("`fn broken` is not analysed: "), "{}", gap.message);
    assert_eq!((gap.span.start, gap.span.end), (34, 35));
    // What is broken outside of bodies costs one item, as ever.
    assert_eq!(waiting("fn fine() { 1 }\nfn broken( { }\n"), [""; 0]);
    assert_eq!(late("fn fine() { 1 }\nfn broken( { }\n").gaps.len(), 1);
}
