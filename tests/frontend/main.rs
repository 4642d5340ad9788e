//! The Rust front end through its public entry point.

mod closures;
mod control;
mod items;
mod late;
mod limits;
mod macros;
mod patterns;
mod places;
mod properties;
mod recovery;
mod spans;
mod values;
mod well_formed;

use cargo_samekey::frontend::{Edition, lower_rust};
use cargo_samekey::ir::{Body, FileId, FileIr, Function, FunctionBody, Item, ItemKind, print_body};

fn lower(source: &str) -> FileIr {
    lower_rust(FileId(0), source.as_bytes(), Edition::Rust2024)
}

/// All functions, in source order, with those inside impls, traits and modules.
fn functions(items: &[Item]) -> Vec<(&Item, &Function)> {
    let mut found = Vec::new();
    for item in items {
        match &item.kind {
            ItemKind::Function(function) => found.push((item, &**function)),
            ItemKind::Impl(value) => found.extend(functions(&value.items)),
            ItemKind::Trait(value) => found.extend(functions(&value.items)),
            ItemKind::Module(module) => found.extend(functions(module.items.as_deref().unwrap_or_default())),
            _ => {}
        }
    }
    found
}

fn names(ir: &FileIr) -> Vec<&str> {
    functions(&ir.items).into_iter().map(|(item, _)| item.name.as_str()).collect()
}

/// The body of the first function.
fn first_body(ir: &FileIr) -> &Body {
    let function = functions(&ir.items)[0].1;
    function.body.as_ref().and_then(FunctionBody::get).expect("a body")
}

/// The body of the last function, as text.
fn body(source: &str) -> String {
    let ir = lower(source);
    assert_eq!(ir.gaps, [], "{source}");
    let functions = functions(&ir.items);
    let (_, function) = functions.last().expect("the source has a function");
    print_body(function.body.as_ref().and_then(FunctionBody::get).expect("the function has a body"))
}

/// Compares the body of the last function, without the indentation of the expected text. The ends of variables have
/// cases of their own, which name them, and are left out elsewhere.
fn assert_body(source: &str, expected: &str) {
    let lines: Vec<&str> = expected.lines().filter(|line| !line.trim().is_empty()).collect();
    let indent = lines.iter().map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    let expected: String = lines.iter().map(|line| format!("{}\n", &line[indent..])).collect();
    let is_drop = |line: &&str| line.trim_start().starts_with("drop ");
    let mut actual = body(source);
    if !expected.lines().any(|line| is_drop(&line)) {
        actual = actual.lines().filter(|line| !is_drop(line)).map(|line| format!("{line}\n")).collect();
    }
    assert!(actual == expected, "{source}\n--- expected\n{expected}--- actual\n{actual}");
}
