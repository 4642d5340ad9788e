//! Files, modules, crates, editions, test code.

use crate::support::{Tree, find, program, type_text, value};

#[test]
fn files_are_modules_by_their_path_and_see_each_other() {
    let program = Tree::default()
        .file("app/src/lib.rs", "mod a; pub fn top() {} fn here() {}")
        .file("app/src/a.rs", "pub mod b; pub fn mid() {} fn here() {}")
        .file("app/src/a/b.rs", "pub fn deep() {} fn here() {}")
        .build();
    assert_eq!(value(&program, "app::here", "a::b::deep"), "fn app::a::b::deep");
    assert_eq!(value(&program, "app::a::b::here", "super::mid"), "fn app::a::mid");
    assert_eq!(value(&program, "app::a::b::here", "super::super::top"), "fn app::top");
    assert_eq!(value(&program, "app::a::b::here", "crate::top"), "fn app::top");
    assert_eq!(value(&program, "app::a::b::here", "self::deep"), "fn app::a::b::deep");
    assert_eq!(value(&program, "app::a::b::here", "top"), "outside top");
}

#[test]
fn a_file_is_placed_without_its_parent() {
    let program = Tree::default()
        .file("app/src/a/b.rs", "use super::c::other; pub fn deep() {} fn here() {}")
        .file("app/src/a/c/mod.rs", "pub fn other() {} fn here() {}")
        .build();
    assert_eq!(value(&program, "app::a::b::here", "other"), "fn app::a::c::other");
    assert_eq!(value(&program, "app::a::c::here", "crate::a::b::deep"), "fn app::a::b::deep");
    assert_eq!(value(&program, "app::a::c::here", "crate::a::gone::f"), "outside app::a::gone::f");
    assert_eq!(value(&program, "app::a::c::here", "crate::x::y::f"), "outside app::x::y::f");
}

#[test]
fn a_path_through_a_missing_module_is_named_in_full() {
    let program = Tree::default()
        .file("app/src/lib.rs", "mod keys; mod uuid; use keys::Maker as M; pub use keys::*; fn here() {}")
        .file("app/src/other.rs", "use crate::keys::inner::mint; use crate::M as N; fn here() {}")
        .build();
    assert_eq!(value(&program, "app::here", "M::mint"), "outside app::keys::Maker::mint");
    assert_eq!(value(&program, "app::other::here", "mint"), "outside app::keys::inner::mint");
    assert_eq!(value(&program, "app::other::here", "N::mint"), "outside app::keys::Maker::mint");
    assert_eq!(value(&program, "app::here", "globbed"), "outside app::keys::globbed");
    // A declared module hides a crate of its name, loaded or not.
    assert_eq!(value(&program, "app::here", "uuid::f"), "outside app::uuid::f");
    assert_eq!(value(&program, "app::other::here", "uuid::f"), "outside uuid::f");
}

#[test]
fn path_attributes_move_a_file() {
    let program = Tree::default()
        .file(
            "app/src/lib.rs",
            "#[path = \"imp/fast.rs\"] mod engine; mod inner { #[path = \"x.rs\"] pub mod y; } fn here() {}",
        )
        .file("app/src/imp/fast.rs", "mod part; pub fn run() { }")
        .file("app/src/imp/part.rs", "pub fn step() {}")
        .file("app/src/inner/x.rs", "pub fn deep() {}")
        .build();
    assert_eq!(value(&program, "app::here", "engine::run"), "fn app::engine::run");
    assert_eq!(value(&program, "app::here", "engine::part::step"), "fn app::engine::part::step");
    assert_eq!(value(&program, "app::here", "inner::y::deep"), "fn app::inner::y::deep");
    assert_eq!(value(&program, "app::here", "imp::fast::run"), "outside imp::fast::run");
}

#[test]
fn one_file_may_be_a_module_of_two_crates() {
    let program = Tree::default()
        .file("app/src/lib.rs", "pub mod shared;")
        .file("app/src/shared.rs", "pub fn key() {}")
        .with("tool", |info| info.root = None)
        .file("tool/main.rs", "#[path = \"../app/src/shared.rs\"] mod common; fn here() {}")
        .build();
    assert_eq!(value(&program, "tool::here", "common::key"), "fn app::shared::key");
}

#[test]
fn crates_of_the_tree_see_each_other_under_their_names() {
    let program = Tree::default()
        .file("keys/src/lib.rs", "pub mod hash; pub use hash::digest; pub fn own() {}")
        .file("keys/src/hash.rs", "pub fn digest() {}")
        .file("app/src/lib.rs", "use kk::hash; use kk::digest as d; fn here() {} mod inner { fn here() {} }")
        .depends("app", "kk", "keys")
        .build();
    assert_eq!(value(&program, "app::here", "kk::own"), "fn keys::own");
    assert_eq!(value(&program, "app::here", "::kk::own"), "fn keys::own");
    assert_eq!(value(&program, "app::here", "hash::digest"), "fn keys::hash::digest");
    assert_eq!(value(&program, "app::here", "d"), "fn keys::hash::digest");
    assert_eq!(value(&program, "app::inner::here", "kk::digest"), "fn keys::hash::digest");
    // Not under its own name, nor from the crate that does not depend on it.
    assert_eq!(value(&program, "app::here", "keys::own"), "outside keys::own");
    assert_eq!(value(&program, "keys::own", "kk::own"), "outside kk::own");
    assert_eq!(value(&program, "app::here", "kk::absent"), "outside keys::absent");
}

#[test]
fn without_a_manifest_lower_case_names_are_crates_before_globs() {
    let tree = |known: &[&str]| {
        let external = known.iter().map(|name| (*name).into()).collect();
        Tree::default()
            .file("app/src/a/b.rs", "use super::*; use ext::*; fn here() {}")
            .with("app", |info| info.external = external)
            .build()
    };
    assert_eq!(
        value(&tree(&[]), "app::a::b::here", "uuid::Uuid::new_v4"),
        "outside uuid::Uuid::new_v4, ext::uuid::Uuid::new_v4, app::a::uuid::Uuid::new_v4"
    );
    let listed = "outside ext::uuid::Uuid::new_v4, app::a::uuid::Uuid::new_v4";
    assert_eq!(value(&tree(&["serde", "ext"]), "app::a::b::here", "uuid::Uuid::new_v4"), listed);
    assert_eq!(
        value(&tree(&["uuid"]), "app::a::b::here", "uuid::Uuid::new_v4"),
        "outside uuid::Uuid::new_v4"
    );
}

#[test]
fn renamed_outside_dependencies_read_as_the_real_crate() {
    let program = Tree::default()
        .file("app/src/lib.rs", "use uid::Uuid; fn here() {}")
        .with("app", |info| info.renamed.push(("uid".into(), "uuid".into())))
        .build();
    assert_eq!(value(&program, "app::here", "Uuid::new_v4"), "outside uuid::Uuid::new_v4");
    assert_eq!(value(&program, "app::here", "uid::Uuid::new_v4"), "outside uuid::Uuid::new_v4");
}

#[test]
fn extern_crate_items_bind_names_for_the_whole_crate() {
    let program = Tree::default()
        .file(
            "app/src/lib.rs",
            "extern crate uuid as ids; extern crate self as me; mod m; pub fn top() {} fn here() {}",
        )
        .file("app/src/m.rs", "fn here() {}")
        .build();
    for place in ["app::here", "app::m::here"] {
        assert_eq!(value(&program, place, "ids::Uuid::new_v4"), "outside uuid::Uuid::new_v4");
        assert_eq!(value(&program, place, "me::top"), "fn app::top");
    }
}

#[test]
fn paths_of_edition_2015_start_at_the_crate_root() {
    let old = Tree::default()
        .file("app/src/lib.rs", "pub mod a; pub mod b;")
        .file("app/src/a.rs", "pub fn f() {}")
        .file("app/src/b.rs", "use a::f; use uuid::Uuid; mod a { pub fn f() {} } fn here() {}")
        .with("app", |info| info.edition_2015 = true)
        .build();
    assert_eq!(value(&old, "app::b::here", "f"), "fn app::a::f");
    assert_eq!(value(&old, "app::b::here", "::a::f"), "fn app::a::f");
    assert_eq!(value(&old, "app::b::here", "Uuid::new_v4"), "outside uuid::Uuid::new_v4");
    let new = Tree::default()
        .file("app/src/lib.rs", "pub mod a; pub mod b;")
        .file("app/src/a.rs", "pub fn f() {}")
        .file("app/src/b.rs", "use a::f; mod a { pub fn f() {} } fn here() {}")
        .build();
    assert_eq!(value(&new, "app::b::here", "f"), "fn app::b::a::f");
    assert_eq!(value(&new, "app::b::here", "::a::f"), "outside a::f");
}

#[test]
fn test_code_sees_code_but_not_the_other_way_round() {
    let program = Tree::default()
        .file(
            "app/src/lib.rs",
            "#[cfg(test)] mod fixtures; #[cfg(test)] fn mint() {} fn here() {}
             #[cfg(test)] mod clock { pub fn now() {} }
             #[cfg(not(test))] mod clock { pub fn now() {} }
             #[cfg(test)] use fixtures::key as source; #[cfg(not(test))] use clock::now as source;
             #[cfg(test)] mod tests { use super::*; fn inside() {} }",
        )
        .file("app/src/fixtures.rs", "pub fn key() {}")
        .build();
    assert_eq!(value(&program, "app::here", "mint"), "outside mint");
    assert_eq!(value(&program, "app::here", "fixtures::key"), "outside fixtures::key");
    assert_eq!(value(&program, "app::here", "clock::now"), "fn app::clock::now#2");
    assert_eq!(value(&program, "app::tests::inside", "mint"), "fn app::mint");
    assert_eq!(value(&program, "app::tests::inside", "crate::fixtures::key"), "fn app::fixtures::key");
    assert_eq!(value(&program, "app::here", "source"), "fn app::clock::now#2");
    assert_eq!(value(&program, "app::tests::inside", "source"), "fns app::fixtures::key, app::clock::now#2");
    assert!(program.function(find(&program, "app::fixtures::key")).test);
    assert!(!program.function(find(&program, "app::here")).test);
}

#[test]
fn test_targets_and_test_files_are_test_code() {
    let program = Tree::default()
        .file("it/main.rs", "fn check() {}")
        .with("it", |info| info.test = true)
        .file("app/src/lib.rs", "#![cfg(test)] fn helper() {}")
        .build();
    assert!(program.function(find(&program, "it::check")).test);
    assert!(program.function(find(&program, "app::helper")).test);
}

#[test]
fn ids_follow_the_order_of_files_and_of_their_items() {
    let program = Tree::default()
        .file("app/src/z.rs", "fn first() {} fn second() { fn nested() {} }")
        .file("app/src/lib.rs", "mod z; fn third() {}")
        .build();
    let paths: Vec<&str> = program.functions().map(|id| program.function(id).path.as_str()).collect();
    assert_eq!(paths, ["app::z::first", "app::z::second", "app::z::second::nested", "app::third"]);
}

#[test]
fn members_are_named_by_their_type_and_trait() {
    let program = program(
        "mod keys { pub struct Key; pub trait Make { fn make(); fn both() {} } impl Key { pub fn new() {} } }
         impl keys::Make for keys::Key { fn make() {} }
         impl keys::Make for String { fn make() {} }
         fn here() {}",
    );
    let paths: Vec<&str> = program.functions().map(|id| program.function(id).path.as_str()).collect();
    assert_eq!(
        paths,
        [
            "app::keys::Make::make",
            "app::keys::Make::both",
            "app::keys::Key::new",
            "app::keys::Key::make",
            "std::string::String::make",
            "app::here",
        ]
    );
    let names = program.function_paths(find(&program, "app::keys::Key::make"));
    assert_eq!(names, ["app::keys::Key::make", "app::keys::Make::make"]);
}

#[test]
fn an_empty_program_answers() {
    let program = Tree::default().build();
    assert_eq!(program.functions().count(), 0);
    let program = Tree::default().file("app/src/lib.rs", "fn here() {}").build();
    assert_eq!(type_text(&program, "app::here", "Key"), "Key");
}
