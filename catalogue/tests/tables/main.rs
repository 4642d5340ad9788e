//! Keeps `src/generated/` equal to `data/`, and every row complete.
//!
//! `SAMEKEY_BLESS=1 cargo test -p samekey-catalogue` rewrites the tables.

mod input;
mod render;
mod spell;

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read<T: DeserializeOwned>(name: &str) -> T {
    let path = root().join("data").join(name).with_extension("toml");
    let text = std::fs::read_to_string(&path).expect("the data file is readable");
    toml::from_str(&text).unwrap_or_else(|error| panic!("data/{name}.toml: {error}"))
}

/// Writes the table when blessing, otherwise compares it.
fn compare(name: &str, rendered: &str) {
    let path: PathBuf = root().join("src/generated").join(name).with_extension("rs");
    if std::env::var_os("SAMEKEY_BLESS").is_some() {
        std::fs::write(&path, rendered).expect("the generated file is writable");
        return;
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == rendered,
        "src/generated/{name}.rs is stale: run SAMEKEY_BLESS=1 cargo test -p samekey-catalogue"
    );
}

#[test]
fn sources_are_current() {
    let input::Sources { environment_readers, source } = read("sources");
    compare("sources", &render::sources(&environment_readers, &source));
}

#[test]
fn sinks_are_current() {
    compare("sinks", &render::sinks(&read::<input::Sinks>("sinks").sink));
}

#[test]
fn safes_are_current() {
    compare("safe", &render::safes(&read::<input::Safes>("safe").safe));
}

#[test]
fn contexts_are_current() {
    compare("contexts", &render::contexts(&read::<input::Contexts>("contexts").context));
}

#[test]
fn operations_are_current() {
    compare("operations", &render::operations(&read::<input::Operations>("operations")));
}

#[test]
fn providers_are_current() {
    compare("providers", &render::providers(&read::<input::Providers>("providers").provider));
}

#[test]
fn digests_are_current() {
    compare("digests", &render::digests(&read("digests")));
}

#[test]
fn names_are_current() {
    compare("names", &render::names(&read::<input::Names>("names").name));
}

#[test]
fn refused_types_and_names_are_current() {
    compare("derive", &render::refused(&read("derive")));
}

#[test]
fn models_are_current() {
    compare("models", &render::models(&read("models")));
}

#[test]
fn no_row_has_a_misspelt_key() {
    let sources = read::<input::Sources>("sources").source;
    let sinks = read::<input::Sinks>("sinks").sink;
    let safes = read::<input::Safes>("safe").safe;
    let contexts = read::<input::Contexts>("contexts").context;
    let operations = read::<input::Operations>("operations").operation;
    let rows = (sources.iter().map(|row| (&row.id, &row.unknown)))
        .chain(sinks.iter().map(|row| (&row.id, &row.unknown)))
        .chain(safes.iter().map(|row| (&row.id, &row.unknown)))
        .chain(contexts.iter().map(|row| (&row.id, &row.unknown)))
        .chain(operations.iter().map(|row| (&row.id, &row.unknown)));
    for (id, unknown) in rows {
        assert!(unknown.is_empty(), "{id}: {:?}", unknown.keys());
    }
}
