//! The public paths under which one item can be imported.

use std::sync::LazyLock;

use super::input::{Spelling, Spellings};

/// Modules of `std` that `core` has too.
const CORE_MODULES: &[&str] = &[
    "any", "array", "cell", "char", "cmp", "convert", "fmt", "future", "hash", "hint", "iter", "mem", "num",
    "ops", "option", "panic", "pin", "ptr", "result", "slice", "str", "time",
];

/// Modules of `std` that `alloc` has too.
const ALLOC_MODULES: &[&str] =
    &["borrow", "boxed", "collections", "fmt", "rc", "slice", "str", "string", "vec"];

static SPELLINGS: LazyLock<Vec<Spelling>> = LazyLock::new(|| super::read::<Spellings>("spellings").spelling);

/// All spellings of all paths, each once.
pub fn all(paths: &[String]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for spelling in paths.iter().flat_map(|path| spellings(path)) {
        if !found.contains(&spelling) {
            found.push(spelling);
        }
    }
    found
}

/// The path itself, then the other paths of the same item.
pub fn spellings(path: &str) -> Vec<String> {
    let mut found = vec![path.to_owned()];
    for Spelling { path: start, also } in SPELLINGS.iter() {
        // A prefix counts only where a segment ends.
        let rest = path.strip_prefix(start.as_str());
        if let Some(rest) = rest.filter(|rest| rest.is_empty() || rest.starts_with("::")) {
            found.extend(also.iter().map(|other| format!("{other}{rest}")));
        }
    }
    let twins: Vec<String> = found.iter().flat_map(|path| std_twins(path)).collect();
    found.extend(twins);
    found
}

/// The same path in `core` and `alloc`, where they have it.
fn std_twins(path: &str) -> Vec<String> {
    let Some(rest) = path.strip_prefix("std::") else {
        return Vec::new();
    };
    let module = rest.split("::").next().unwrap_or(rest);
    let hashed = rest.contains("hash_") || rest.contains("::Hash") || rest.contains("RandomState");
    let mut twins = Vec::new();
    if (CORE_MODULES.contains(&module) || rest.starts_with("sync::atomic")) && !hashed {
        twins.push(format!("core::{rest}"));
    }
    if (ALLOC_MODULES.contains(&module) || rest.starts_with("sync::Arc")) && !hashed {
        twins.push(format!("alloc::{rest}"));
    }
    twins
}
