//! What paths mean: imports, re-exports, shadowing, associated items.

use crate::support::{Tree, macro_path, pattern, program, value};

#[test]
fn imports_rename_nest_and_glob() {
    let program = program(
        "mod a { pub fn f() {} pub fn g() {} pub mod b { pub fn h() {} pub struct S; impl S { pub fn new() {} } } }
         mod user {
             use crate::a::{self as all, b::{h as hh, S}, f};
             fn here() {}
             mod below { fn here() {} }
         }
         mod globbing { use crate::a::b::*; use super::a::*; fn here() {} }",
    );
    let here = "app::user::here";
    assert_eq!(value(&program, here, "f"), "fn app::a::f");
    assert_eq!(value(&program, here, "hh"), "fn app::a::b::h");
    assert_eq!(value(&program, here, "all::g"), "fn app::a::g");
    assert_eq!(value(&program, here, "S::new"), "fn app::a::b::S::new");
    assert_eq!(value(&program, here, "S"), "new app::a::b::S");
    assert_eq!(value(&program, here, "g"), "outside g");
    assert_eq!(value(&program, "app::user::below::here", "f"), "outside f");
    let here = "app::globbing::here";
    assert_eq!(value(&program, here, "h"), "fn app::a::b::h");
    assert_eq!(value(&program, here, "g"), "fn app::a::g");
    assert_eq!(value(&program, here, "b::h"), "fn app::a::b::h");
}

#[test]
fn re_exports_are_followed_in_any_order_and_cycles_end() {
    let program = program(
        "mod p { pub use crate::q::f; pub use super::r::*; }
         mod q { pub use crate::s::inner as f; pub use crate::p::*; }
         mod r { pub use crate::q::*; pub fn g() {} }
         mod s { pub fn inner() {} pub use self::loop_a as loop_b; pub use self::loop_b as loop_a; }
         fn here() {}",
    );
    assert_eq!(value(&program, "app::here", "p::f"), "fn app::s::inner");
    assert_eq!(value(&program, "app::here", "q::g"), "fn app::r::g");
    assert_eq!(value(&program, "app::here", "r::f"), "fn app::s::inner");
    assert!(value(&program, "app::here", "s::loop_a").starts_with("outside "));
}

/// Parts of a module that it shows with globs, and that name each other through it.
#[test]
fn globs_of_one_module_do_not_wait_for_each_other() {
    let program = program(
        "mod jobs {
             mod a_producer { use crate::jobs::Job; use super::kind; fn here() {} }
             mod job { pub struct Job; impl Job { pub fn new() {} } pub fn kind() {} }
             pub use a_producer::*;
             pub use job::*;
         }
         fn here() {}",
    );
    for (here, name) in [("app::jobs::a_producer::here", "Job::new"), ("app::here", "jobs::Job::new")] {
        assert_eq!(value(&program, here, name), "fn app::jobs::job::Job::new", "{here}");
    }
    assert_eq!(value(&program, "app::jobs::a_producer::here", "kind"), "fn app::jobs::job::kind");
}

#[test]
fn long_chains_of_imports_resolve_without_deep_recursion() {
    let mut text = String::from("fn target() {} use target as n0;\n");
    for index in 0..3000 {
        text.push_str(&format!("use n{index} as n{};\n", index + 1));
    }
    text.push_str("fn here() {}");
    assert_eq!(value(&program(&text), "app::here", "n3000"), "fn app::target");
    let mut backwards = String::from("fn target() {} use target as n0; fn here() {}\n");
    for index in (0..60).rev() {
        backwards.push_str(&format!("use n{index} as n{};\n", index + 1));
    }
    assert_eq!(value(&program(&backwards), "app::here", "n60"), "fn app::target");
}

#[test]
fn private_imports_do_not_leak_through_globs() {
    let program = program(
        "mod a { use uuid::Uuid as Id; pub use chrono::Utc as Clock; fn x() {} pub mod child { use super::*; fn here() {} } }
         mod b { pub struct Id; impl Id { pub fn make() {} } }
         mod user { use crate::a::*; use crate::b::*; fn here() {} }",
    );
    assert_eq!(value(&program, "app::user::here", "Id::make"), "fn app::b::Id::make");
    assert_eq!(value(&program, "app::user::here", "Clock::now"), "outside chrono::Utc::now");
    assert_eq!(value(&program, "app::a::child::here", "Id::new_v4"), "outside uuid::Uuid::new_v4");
}

#[test]
fn outside_names_are_canonical() {
    let program = program(
        "use uuid::{self, Uuid}; use std::collections::hash_map::HashMap; use core::fmt; use chrono::Utc as Clock;
         use std::time::*; use uuid::*; extern crate alloc; pub use uuid::Builder as B; fn here() {}
         mod inner { use super::B; fn here() {} }",
    );
    let here = "app::here";
    assert_eq!(value(&program, here, "Uuid::new_v4"), "outside uuid::Uuid::new_v4");
    assert_eq!(value(&program, here, "uuid::Uuid::new_v4"), "outside uuid::Uuid::new_v4");
    assert_eq!(value(&program, here, "HashMap::<String, u8>::new"), "outside std::collections::HashMap::new");
    assert_eq!(value(&program, here, "fmt::Error"), "outside std::fmt::Error");
    assert_eq!(value(&program, here, "Clock::now"), "outside chrono::Utc::now");
    assert_eq!(value(&program, here, "alloc::string::String::new"), "outside std::string::String::new");
    assert_eq!(
        value(&program, here, "SystemTime::now"),
        "outside std::time::SystemTime::now, uuid::SystemTime::now"
    );
    assert_eq!(
        value(&program, here, "Timestamp::now"),
        "outside uuid::Timestamp::now, std::time::Timestamp::now"
    );
    assert_eq!(value(&program, "app::inner::here", "B::from_bytes"), "outside uuid::Builder::from_bytes");
    assert_eq!(value(&program, "app::inner::here", "::std::process::id"), "outside std::process::id");
    assert_eq!(value(&program, "app::inner::here", "rand::random"), "outside rand::random");
}

#[test]
fn prelude_names_and_primitives_have_paths() {
    let program = program("fn here() {}");
    for (path, expected) in [
        ("Some", "std::option::Option::Some"),
        ("Option::Some", "std::option::Option::Some"),
        ("None", "std::option::Option::None"),
        ("Ok", "std::result::Result::Ok"),
        ("String::from", "std::string::String::from"),
        ("Box::new", "std::boxed::Box::new"),
        ("Vec::<u8>::new", "std::vec::Vec::new"),
        ("i64::from_str_radix", "i64::from_str_radix"),
        ("str::from_utf8", "str::from_utf8"),
        ("std::i64::MAX", "std::i64::MAX"),
        ("drop", "std::mem::drop"),
        ("Default::default", "std::default::Default::default"),
        ("<String as From<&str>>::from", "std::convert::From::from"),
        ("<String>::new", "std::string::String::new"),
        ("<[u8]>::len", "slice::len"),
    ] {
        assert_eq!(value(&program, "app::here", path), format!("outside {expected}"), "{path}");
    }
}

#[test]
fn names_of_the_tree_hide_the_prelude() {
    let program = program(
        "mod shadow {
             pub enum Option<T> { Some(T), None }
             pub use self::Option::*;
             pub struct Vec; impl Vec { pub fn new() {} }
             pub fn drop() {}
             pub struct i64; impl i64 { pub fn max() {} }
             fn here() {}
         }
         mod globbed { use super::shadow::*; fn here() {} }
         mod std { pub fn source() {} }
         fn here() {}
         mod plain { fn here() {} }",
    );
    for here in ["app::shadow::here", "app::globbed::here"] {
        assert_eq!(value(&program, here, "Some"), "new app::shadow::Option::Some");
        assert_eq!(pattern(&program, here, "None"), "new app::shadow::Option::None");
        assert_eq!(value(&program, here, "Option::Some"), "new app::shadow::Option::Some");
        assert_eq!(value(&program, here, "Vec::new"), "fn app::shadow::Vec::new");
        assert_eq!(value(&program, here, "drop"), "fn app::shadow::drop");
        assert_eq!(value(&program, here, "i64::max"), "fn app::shadow::i64::max");
        assert_eq!(value(&program, here, "String::new"), "outside std::string::String::new");
    }
    assert_eq!(value(&program, "app::here", "std::source"), "fn app::std::source");
    assert_eq!(value(&program, "app::plain::here", "std::source"), "outside std::source");
    assert_eq!(value(&program, "app::plain::here", "Some"), "outside std::option::Option::Some");
}

#[test]
fn the_two_namespaces_are_apart() {
    let program = program(
        "mod key { pub fn key() {} } fn key() {}
         struct Charge { id: u8 } fn Charge() {}
         struct Id(u8); struct Unit;
         enum Kind { Id, Tuple(u8), Struct { a: u8 } }
         use Kind::Struct as Shape;
         fn here() {}",
    );
    let here = "app::here";
    assert_eq!(value(&program, here, "key"), "fn app::key");
    assert_eq!(value(&program, here, "key::key"), "fn app::key::key");
    assert_eq!(value(&program, here, "Charge"), "fn app::Charge");
    assert_eq!(pattern(&program, here, "Charge"), "new app::Charge");
    assert_eq!(value(&program, here, "Id"), "new app::Id");
    assert_eq!(value(&program, here, "Unit"), "new app::Unit");
    assert_eq!(value(&program, here, "Kind::Id"), "new app::Kind::Id");
    assert_eq!(pattern(&program, here, "Kind::Struct"), "new app::Kind::Struct");
    assert_eq!(value(&program, here, "Shape"), "new app::Kind::Struct");
    assert_eq!(value(&program, here, "Kind::absent"), "outside app::Kind::absent");
}

#[test]
fn constructors_are_found_through_aliases_self_and_re_exports() {
    let program = program(
        "mod inner { pub struct Key<T>(pub T); pub enum Mode { On(u8), Off } }
         pub use inner::{Key as K, Mode};
         type Short = inner::Key<u8>; type M = Mode; type Id = uuid::Uuid;
         impl Mode { fn made() {} fn here() {} const LIMIT: u8 = 1; }
         fn here() {}",
    );
    for path in ["K", "Short", "inner::Key", "K::<u8>"] {
        assert_eq!(pattern(&program, "app::here", path), "new app::inner::Key", "{path}");
        assert_eq!(value(&program, "app::here", path), "new app::inner::Key", "{path}");
    }
    assert_eq!(value(&program, "app::here", "M::On"), "new app::inner::Mode::On");
    assert_eq!(value(&program, "app::here", "M::made"), "fn app::inner::Mode::made");
    assert_eq!(value(&program, "app::here", "M::LIMIT"), "static app::inner::Mode::LIMIT");
    assert_eq!(value(&program, "app::here", "Id::new_v4"), "outside uuid::Uuid::new_v4");
    let inside = "app::inner::Mode::here";
    assert_eq!(value(&program, inside, "Self::On"), "new app::inner::Mode::On");
    assert_eq!(pattern(&program, inside, "Self::Off"), "new app::inner::Mode::Off");
    assert_eq!(pattern(&program, inside, "Self"), "new app::inner::Mode");
    assert_eq!(value(&program, inside, "Self::made"), "fn app::inner::Mode::made");
    assert_eq!(value(&program, inside, "Self::LIMIT"), "static app::inner::Mode::LIMIT");
    assert_eq!(pattern(&program, inside, "Self::LIMIT"), "static app::inner::Mode::LIMIT");
}

#[test]
fn blocks_have_their_own_items_and_imports() {
    let program = program(
        "fn helper() {} mod a { pub fn helper() {} pub enum E { V } }
         fn outer() { fn helper() {} struct Local; impl Local { fn new() {} } use crate::a::E::*; }
         fn renaming() { use crate::a::helper as h; use uuid::Uuid; }
         fn closure() { let c = || { fn helper() {} helper() }; c() }
         static TABLE: u8 = { fn helper() -> u8 { 1 } helper() };
         fn here() {}",
    );
    assert_eq!(value(&program, "app::outer", "helper"), "fn app::outer::helper");
    assert_eq!(value(&program, "app::outer", "Local::new"), "fn app::outer::Local::new");
    assert_eq!(value(&program, "app::outer", "V"), "new app::a::E::V");
    assert_eq!(value(&program, "app::renaming", "h"), "fn app::a::helper");
    assert_eq!(value(&program, "app::renaming", "helper"), "fn app::helper");
    assert_eq!(value(&program, "app::renaming", "Uuid::new_v4"), "outside uuid::Uuid::new_v4");
    assert_eq!(value(&program, "app::closure", "helper"), "fn app::closure::helper");
    assert_eq!(value(&program, "app::here", "helper"), "fn app::helper");
    assert_eq!(value(&program, "app::here", "V"), "outside V");
    assert_eq!(value(&program, "app::here", "Uuid::new_v4"), "outside Uuid::new_v4");
}

#[test]
fn cfg_twins_are_all_candidates() {
    let program = program(
        "#[cfg(unix)] fn now() {} #[cfg(windows)] fn now() {}
         #[cfg(feature = \"a\")] use uuid::Uuid as Id; #[cfg(not(feature = \"a\"))] use crate::own::Id;
         mod own { pub struct Id; impl Id { pub fn make() {} } }
         fn plain() {} fn here() {}",
    );
    assert_eq!(value(&program, "app::here", "now"), "fns app::now#1, app::now#2");
    assert_eq!(value(&program, "app::here", "Id::make"), "fns app::own::Id::make or uuid::Uuid::make");
    assert_eq!(value(&program, "app::here", "plain"), "fn app::plain");
}

#[test]
fn trait_functions_go_to_the_implementations() {
    let program = program(
        "trait Clock { const STEP: u8 = 1; fn now() -> u8; fn twice() -> u8 { 2 } fn read(&self) -> u8; }
         struct A; struct B; struct C;
         impl Clock for A { const STEP: u8 = 2; fn now() -> u8 { 1 } fn read(&self) -> u8 { 1 } }
         impl Clock for B { fn now() -> u8 { 2 } fn twice() -> u8 { 3 } fn read(&self) -> u8 { 1 } }
         #[cfg(test)] impl Clock for C { fn now() -> u8 { 2 } fn read(&self) -> u8 { 1 } }
         impl B { fn now() {} }
         fn generic<T: Clock>() {} fn clause<T>() where T: Clock {} fn here() {}
         fn standard<D: Default + Clock, F: std::str::FromStr, E: ext::Mint>() {}",
    );
    assert_eq!(value(&program, "app::standard", "D::default"), "outside std::default::Default::default");
    assert_eq!(value(&program, "app::standard", "D::now"), "fns app::A::now, app::B::now#1");
    assert_eq!(value(&program, "app::standard", "F::from_str"), "outside std::str::FromStr::from_str");
    assert_eq!(value(&program, "app::standard", "E::mint"), "outside ext::Mint::mint");
    let both = "fns app::A::now, app::B::now#1";
    for (place, path) in [
        ("app::generic", "T::now"),
        ("app::clause", "T::now"),
        ("app::generic", "<T as Clock>::now"),
        ("app::here", "Clock::now"),
        ("app::here", "<_ as Clock>::now"),
    ] {
        assert_eq!(value(&program, place, path), both, "{path}");
    }
    assert_eq!(value(&program, "app::generic", "T::twice"), "fns app::B::twice, app::Clock::twice");
    assert_eq!(value(&program, "app::here", "A::now"), "fn app::A::now");
    assert_eq!(value(&program, "app::here", "A::twice"), "fn app::Clock::twice");
    assert_eq!(value(&program, "app::here", "A::read"), "fn app::A::read");
    assert_eq!(value(&program, "app::here", "B::now"), "fn app::B::now#2");
    assert_eq!(value(&program, "app::here", "<B as Clock>::now"), "fn app::B::now#1");
    assert_eq!(value(&program, "app::here", "<B>::now"), "fn app::B::now#2");
    assert_eq!(value(&program, "app::here", "A::STEP"), "static app::A::STEP");
    assert_eq!(value(&program, "app::here", "B::STEP"), "static app::Clock::STEP");
    assert_eq!(value(&program, "app::generic", "T::STEP"), "static app::Clock::STEP");
    assert_eq!(value(&program, "app::here", "A::absent"), "outside app::A::absent");
    assert_eq!(value(&program, "app::generic", "T::absent"), "outside T::absent");
}

#[test]
fn known_parameters_select_one_implementation() {
    let program = program(
        "trait Clock { fn now() -> u8; } struct A; struct B;
         impl Clock for A { fn now() -> u8 { 1 } } impl Clock for B { fn now() -> u8 { 2 } }
         fn generic<T: Clock>() { let _ = T::now(); } fn here() {}",
    );
    let scope = crate::support::scope(&program, "app::generic");
    let mut known = cargo_samekey::resolve::Substitution::new();
    known.insert("T".into(), crate::support::ty(&program, "app::here", "B"));
    let call = cargo_samekey::ir::Path {
        qualified_self: None,
        trait_segments: 0,
        global: false,
        segments: ["T", "now"]
            .map(|name| cargo_samekey::ir::Segment {
                bound_as: None,
                name: name.into(),
                args: Vec::new(),
                bindings: Vec::new(),
            })
            .to_vec(),
        span: cargo_samekey::ir::Span { file: cargo_samekey::ir::FileId(0), start: 0, end: 0 },
    };
    let found = program.resolve_value_with(scope, &call, Some(&known));
    let expected = crate::support::find(&program, "app::B::now");
    assert_eq!(found, cargo_samekey::resolve::ValueDef::Function(expected));
}

#[test]
fn impls_are_told_apart_by_arguments() {
    let program = program(
        "struct W<T>(T); struct A; struct B;
         impl W<A> { fn make() {} } impl W<B> { fn make() {} }
         impl From<A> for B { fn from(a: A) -> B { B } } impl From<u8> for B { fn from(a: u8) -> B { B } }
         fn here() {}",
    );
    assert_eq!(value(&program, "app::here", "W::<A>::make"), "fn app::W::make#1");
    assert_eq!(value(&program, "app::here", "W::<B>::make"), "fn app::W::make#2");
    assert_eq!(value(&program, "app::here", "W::make"), "fns app::W::make#1, app::W::make#2");
    assert_eq!(value(&program, "app::here", "B::from"), "fns app::B::from#1, app::B::from#2");
    assert_eq!(value(&program, "app::here", "<B as From<u8>>::from"), "fn app::B::from#2");
    assert_eq!(value(&program, "app::here", "<A as From<u8>>::from"), "outside std::convert::From::from");
}

#[test]
fn extension_traits_on_outside_types_are_found_by_path() {
    let program = program(
        "trait Keyed { fn key(&self) -> String; fn zero() -> u8 { 0 } }
         impl Keyed for String { fn key(&self) -> String { self.clone() } }
         impl<T> Keyed for Vec<T> { fn key(&self) -> String { String::new() } }
         fn here() {}",
    );
    assert_eq!(value(&program, "app::here", "String::key"), "fn std::string::String::key");
    assert_eq!(value(&program, "app::here", "Vec::<u8>::key"), "fn std::vec::Vec::key");
    assert_eq!(value(&program, "app::here", "String::zero"), "fn app::Keyed::zero");
    assert_eq!(value(&program, "app::here", "String::new"), "outside std::string::String::new");
    assert_eq!(value(&program, "app::here", "i64::key"), "outside i64::key");
}

#[test]
fn statics_and_constants_resolve() {
    let program = Tree::default()
        .file("app/src/lib.rs", "pub mod c; use c::HEADER as H; fn here() { const INNER: u8 = 1; }")
        .file("app/src/c.rs", "pub const HEADER: &str = \"Idempotency-Key\"; pub static COUNT: u8 = 0;")
        .build();
    assert_eq!(value(&program, "app::here", "H"), "static app::c::HEADER");
    assert_eq!(pattern(&program, "app::here", "c::COUNT"), "static app::c::COUNT");
    assert_eq!(value(&program, "app::here", "INNER"), "static app::here::INNER");
    assert_eq!(value(&program, "app::here", "COUNT"), "outside COUNT");
}

#[test]
fn macros_have_paths() {
    let program = Tree::default()
        .file(
            "app/src/lib.rs",
            "#[macro_use] extern crate serde_json; use anyhow::{bail as stop, ensure}; use tracing::info;
             macro_rules! local { () => {} } macro_rules! println { () => {} } fn info() {} fn here() {}",
        )
        .build();
    for (path, expected) in [
        ("format", "std::format"),
        ("std::format", "std::format"),
        ("core::panic", "std::panic"),
        ("serde_json::json", "serde_json::json"),
        ("json", "serde_json::json"),
        ("stop", "anyhow::bail"),
        ("ensure", "anyhow::ensure"),
        ("info", "tracing::info"),
        ("local", "app::local"),
        ("println", "app::println"),
        ("crate::local", "app::local"),
    ] {
        assert_eq!(macro_path(&program, "app::here", path), expected, "{path}");
    }
}
