//! The Rust front end through its public entry point.

use cargo_samekey::frontend::{Edition, lower_rust};
use cargo_samekey::ir::{FileId, FileIr, Function, Item, ItemKind, print_body};

fn lower(source: &str) -> FileIr {
    lower_rust(FileId(0), source.as_bytes(), Edition::Rust2024)
}

fn functions<'i>(items: &'i [Item], found: &mut Vec<(&'i Item, &'i Function)>) {
    for item in items {
        match &item.kind {
            ItemKind::Function(function) => found.push((item, function)),
            ItemKind::Impl(value) => functions(&value.items, found),
            ItemKind::Trait(value) => functions(&value.items, found),
            ItemKind::Module(module) => functions(module.items.as_deref().unwrap_or_default(), found),
            _ => {}
        }
    }
}

/// The body of the first function, as text without the final line break.
fn body(source: &str) -> String {
    let ir = lower(source);
    assert_eq!(ir.gaps, [], "{source}");
    let mut found = Vec::new();
    functions(&ir.items, &mut found);
    let (_, function) = found.first().expect("the source has a function");
    print_body(function.body.as_ref().expect("the function has a body")).trim_end().to_owned()
}

#[test]
fn show() {
    let source = std::env::var("SRC").unwrap_or_default();
    if source.is_empty() { return; }
    let ir = lower(&std::fs::read_to_string(source).unwrap());
    println!("{:?}", ir.gaps);
    let mut found = Vec::new();
    functions(&ir.items, &mut found);
    for (item, f) in found { println!("--- {} {:?}\n{}", item.name, item.span, f.body.as_ref().map(|b| print_body(b)).unwrap_or_default()); }
}
