//! Method calls: which functions a receiver and a name may run.

use cargo_samekey::resolve::Ty;

use crate::support::{
    Tree, find, functions_text, lookup, method, method_text, program, scope, show, ty, via,
};

#[test]
fn inherent_methods_of_any_module_and_file() {
    let program = Tree::default()
        .file(
            "app/src/lib.rs",
            "mod a; mod b; pub struct Key; impl Key { pub fn one(&self) {} fn new() {} } fn here() {}",
        )
        .file("app/src/a.rs", "use crate::Key; impl Key { pub fn two(&self) {} }")
        .file("app/src/b.rs", "impl super::Key { pub fn three(self) {} }")
        .build();
    for receiver in ["Key", "&Key", "&mut Box<Key>", "std::sync::Arc<Key>", "std::pin::Pin<&mut Key>"] {
        assert_eq!(method(&program, "app::here", receiver, "one"), "= app::Key::one", "{receiver}");
        assert_eq!(method(&program, "app::here", receiver, "two"), "= app::Key::two", "{receiver}");
        assert_eq!(method(&program, "app::here", receiver, "three"), "= app::Key::three", "{receiver}");
        assert_eq!(method(&program, "app::here", receiver, "four"), "-", "{receiver}");
        assert_eq!(method(&program, "app::here", receiver, "new"), "-", "{receiver}");
    }
    assert_eq!(show(&program, &lookup(&program, "app::here", "&Box<Key>", "one").at), "app::Key");
    assert_eq!(method(&program, "app::here", "Option<Key>", "one"), "-");
    assert_eq!(method(&program, "app::here", "String", "one"), "-");
}

#[test]
fn derived_and_library_methods_are_empty_with_their_trait() {
    let program = program(
        "#[derive(Clone)] struct Key; struct Other; impl Clone for Other { fn clone(&self) -> Other {} } fn here() {}",
    );
    let found = lookup(&program, "app::here", "Key", "clone");
    assert_eq!(method_text(&program, &found), "-");
    assert_eq!(via(&program, &found), "std::clone::Clone");
    let found = lookup(&program, "app::here", "&Other", "clone");
    assert_eq!(method_text(&program, &found), "= app::Other::clone");
    assert_eq!(via(&program, &found), "std::clone::Clone");
}

#[test]
fn trait_methods_default_methods_and_priority() {
    let program = program(
        "trait Base { fn base(&self) {} }
         trait Tr: Base { fn own(&self); fn given(&self) {} fn both(&self) {} }
         struct A; struct B;
         impl Base for A {} impl Base for B { fn base(&self) {} }
         impl Tr for A { fn own(&self) {} fn given(&self) {} }
         impl Tr for B { fn own(&self) {} }
         impl A { fn both(&self) {} }
         fn here() {} fn generic<T: Tr>() {} fn dynamic() {}",
    );
    assert_eq!(method(&program, "app::here", "A", "own"), "= app::A::own");
    assert_eq!(method(&program, "app::here", "A", "given"), "= app::A::given");
    assert_eq!(method(&program, "app::here", "B", "given"), "= app::Tr::given");
    assert_eq!(method(&program, "app::here", "A", "base"), "= app::Base::base");
    assert_eq!(method(&program, "app::here", "A", "both"), "= app::A::both");
    assert_eq!(method(&program, "app::here", "B", "both"), "= app::Tr::both");
    assert_eq!(method(&program, "app::generic", "&T", "own"), "~ app::A::own, app::B::own");
    assert_eq!(method(&program, "app::generic", "T", "given"), "~ app::A::given, app::Tr::given");
    assert_eq!(method(&program, "app::generic", "T", "base"), "~ app::B::base, app::Base::base");
    assert_eq!(method(&program, "app::here", "Box<dyn Tr>", "own"), "~ app::A::own, app::B::own");
    assert_eq!(method(&program, "app::here", "&impl Tr", "own"), "~ app::A::own, app::B::own");
    assert_eq!(method(&program, "app::Tr::given", "Self", "own"), "~ app::A::own, app::B::own");
    assert_eq!(method(&program, "app::generic", "T", "absent"), "-");
    let found = lookup(&program, "app::generic", "T", "own");
    assert_eq!(via(&program, &found), "app::Tr");
    assert_eq!(show(&program, &found.at), "T: app::Tr");
}

#[test]
fn bounds_with_arguments_choose_impls() {
    let program = program(
        "trait Store<K> { fn put(&self); } struct A; struct B; struct X; struct Y;
         impl Store<X> for A { fn put(&self) {} } impl Store<Y> for A { fn put(&self) {} } impl Store<Y> for B { fn put(&self) {} }
         fn x<S: Store<X>>() {} fn y<S>() where S: Store<Y> {} fn here() {}",
    );
    assert_eq!(method(&program, "app::x", "S", "put"), "= app::A::put#1");
    assert_eq!(method(&program, "app::y", "S", "put"), "~ app::A::put#2, app::B::put");
    assert_eq!(method(&program, "app::here", "A", "put"), "~ app::A::put#1, app::A::put#2");
    assert_eq!(method(&program, "app::here", "B", "put"), "= app::B::put");
}

#[test]
fn blanket_impls_need_their_bounds() {
    let program = program(
        "trait Named { fn name(&self); } trait Ext { fn ext(&self); fn twice(&self) {} } trait Other { fn other(&self); }
         impl<T: Named> Ext for T { fn ext(&self) {} }
         impl<T> Other for Vec<T> { fn other(&self) {} }
         struct A; impl Named for A { fn name(&self) {} } struct B; struct C; impl Ext for C { fn ext(&self) {} }
         fn generic<N: Named, P>() {} fn here() {}",
    );
    assert_eq!(method(&program, "app::here", "A", "ext"), "= app::T::ext");
    assert_eq!(method(&program, "app::here", "&A", "twice"), "= app::Ext::twice");
    assert_eq!(method(&program, "app::here", "B", "ext"), "-");
    assert_eq!(method(&program, "app::here", "C", "ext"), "= app::C::ext");
    assert_eq!(method(&program, "app::generic", "N", "ext"), "= app::T::ext");
    assert_eq!(method(&program, "app::generic", "P", "ext"), "-");
    assert_eq!(method(&program, "app::here", "Vec<u8>", "other"), "= std::vec::Vec::other");
    assert_eq!(method(&program, "app::here", "String", "other"), "-");
}

#[test]
fn extension_traits_on_outside_types() {
    let program = program(
        "trait Ext { fn keyed(&self); } impl Ext for str { fn keyed(&self) {} } impl Ext for i64 { fn keyed(&self) {} }
         impl Ext for [u8] { fn keyed(&self) {} } impl<T> Ext for Option<T> { fn keyed(&self) {} }
         impl Ext for (u8, u8) { fn keyed(&self) {} } impl Ext for &uuid::Uuid { fn keyed(&self) {} }
         fn here() {}",
    );
    for (receiver, expected) in [
        ("&str", "= str::keyed"),
        ("String", "= str::keyed"),
        ("i64", "= i64::keyed"),
        ("Vec<u8>", "= slice::keyed"),
        ("[u8; 2]", "= slice::keyed"),
        ("Option<String>", "= std::option::Option::keyed"),
        ("(u8, u8)", "= tuple::keyed"),
        ("uuid::Uuid", "= uuid::Uuid::keyed"),
        ("&uuid::Uuid", "= uuid::Uuid::keyed"),
        ("bool", "-"),
        ("(u8, u8, u8)", "-"),
    ] {
        assert_eq!(method(&program, "app::here", receiver, "keyed"), expected, "{receiver}");
    }
}

#[test]
fn the_trait_in_scope_decides_between_two() {
    let program = program(
        "mod one { pub trait First { fn key(&self); } impl First for super::K { fn key(&self) {} } }
         mod two { pub trait Second { fn key(&self); } impl Second for super::K { fn key(&self) {} } }
         pub struct K;
         mod uses_one { use crate::one::First; fn here() {} }
         mod uses_two { use crate::two::Second as _; fn here() {} }
         mod globs { use crate::two::*; fn here() {} }
         mod both { use crate::{one::First, two::Second}; fn here() {} }
         mod neither { fn here() {} }",
    );
    let (first, second) = ("= app::K::key#1", "= app::K::key#2");
    assert_eq!(method(&program, "app::uses_one::here", "crate::K", "key"), first);
    assert_eq!(method(&program, "app::uses_two::here", "crate::K", "key"), second);
    assert_eq!(method(&program, "app::globs::here", "crate::K", "key"), second);
    for place in ["app::both::here", "app::neither::here"] {
        assert_eq!(method(&program, place, "crate::K", "key"), "~ app::K::key#1, app::K::key#2", "{place}");
    }
}

#[test]
fn user_deref_is_followed() {
    let program = program(
        "use std::ops::Deref; struct Inner; impl Inner { fn inner(&self) {} } struct Outer<T>(T); struct Plain(Inner);
         impl<T> Deref for Outer<T> { type Target = T; fn deref(&self) -> &T {} }
         impl<T> Outer<T> { fn outer(&self) {} } fn here() {}
         mod shadow { pub trait Deref { type Target; } pub struct W; impl Deref for W { type Target = super::Inner; } fn here() {} }",
    );
    assert_eq!(method(&program, "app::here", "Outer<Inner>", "inner"), "= app::Inner::inner");
    assert_eq!(method(&program, "app::here", "&Outer<Box<Inner>>", "inner"), "= app::Inner::inner");
    assert_eq!(method(&program, "app::here", "Outer<Inner>", "outer"), "= app::Outer::outer");
    assert_eq!(method(&program, "app::here", "Plain", "inner"), "-");
    assert_eq!(method(&program, "app::shadow::here", "W", "inner"), "-");
    assert_eq!(method(&program, "app::here", "axum::extract::State<Inner>", "inner"), "= app::Inner::inner");
    assert_eq!(method(&program, "app::here", "std::sync::Mutex<Inner>", "inner"), "-");
}

#[test]
fn by_value_methods_on_references_come_first() {
    let program = program(
        "struct Rows; struct Iter;
         impl IntoIterator for Rows { type Item = u8; type IntoIter = Iter; fn into_iter(self) -> Iter {} }
         impl<'a> IntoIterator for &'a Rows { type Item = &'a u8; type IntoIter = Iter; fn into_iter(self) -> Iter {} }
         fn here() {}",
    );
    assert_eq!(method(&program, "app::here", "Rows", "into_iter"), "= app::Rows::into_iter#1");
    assert_eq!(method(&program, "app::here", "&Rows", "into_iter"), "= app::Rows::into_iter#2");
}

#[test]
fn unknown_receivers_are_guessed_with_care() {
    let program = program(
        "trait Gateway { fn charge(&self); fn get(&self); } struct A; struct B; struct C;
         impl Gateway for A { fn charge(&self) {} fn get(&self) {} } impl Gateway for B { fn charge(&self) {} fn get(&self) {} }
         impl A { fn only(&self) {} fn twice(&self) {} fn push(&self) {} fn make() {} } impl B { fn twice(&self) {} }
         #[cfg(test)] mod tests { struct T; impl T { fn only(&self) {} fn tested(&self) {} } }
         fn here() {} fn generic<T>() where T: Iterator {}",
    );
    let here = "app::here";
    assert_eq!(method(&program, here, "_", "charge"), "guess ~ app::A::charge, app::B::charge");
    assert_eq!(method(&program, here, "_", "only"), "guess = app::A::only");
    assert_eq!(method(&program, here, "_", "twice"), "-");
    assert_eq!(method(&program, here, "_", "push"), "-");
    assert_eq!(method(&program, here, "_", "get"), "-");
    assert_eq!(method(&program, here, "_", "make"), "-");
    assert_eq!(method(&program, here, "_", "tested"), "-");
    assert_eq!(method(&program, here, "_", "absent"), "-");
    // A type that is not loaded, or that a macro makes, is as unknown; one from outside is not.
    assert_eq!(method(&program, here, "crate::gone::Type", "only"), "guess = app::A::only");
    assert_eq!(method(&program, here, "Generated", "only"), "guess = app::A::only");
    assert_eq!(method(&program, here, "Box<_>", "only"), "guess = app::A::only");
    assert_eq!(method(&program, "app::generic", "T::Item", "only"), "guess = app::A::only");
    assert_eq!(method(&program, here, "stripe::Client", "only"), "-");
    assert_eq!(method(&program, here, "C", "only"), "-");
}

#[test]
fn at_most_eight_implementations_and_code_before_tests() {
    let mut text = String::from("trait Gateway { fn charge(&self); } fn here() {} ");
    text.push_str("#[cfg(test)] mod tests { use super::*; struct Fake; impl Gateway for Fake { fn charge(&self) {} } fn inside() {} } ");
    for index in 0..8 {
        text.push_str(&format!("struct G{index}; impl Gateway for G{index} {{ fn charge(&self) {{}} }} "));
    }
    let found = lookup(&program(&text), "app::here", "&dyn Gateway", "charge");
    assert_eq!((found.functions.len(), found.truncated, found.exact), (8, false, false));
    let tree = program(&text);
    let found = lookup(&tree, "app::tests::inside", "&dyn Gateway", "charge");
    assert_eq!((found.functions.len(), found.truncated), (8, true));
    assert!(found.functions.iter().all(|id| !tree.function(*id).test));
    text.push_str("struct G8; impl Gateway for G8 { fn charge(&self) {} }");
    let found = lookup(&program(&text), "app::here", "&dyn Gateway", "charge");
    assert_eq!((found.functions.len(), found.truncated), (8, true));
}

#[test]
fn one_implementation_in_code_is_exact() {
    let program = program(
        "trait Gateway { fn charge(&self); } struct Real; impl Gateway for Real { fn charge(&self) {} }
         #[cfg(test)] mod tests { use super::*; struct Fake; impl Gateway for Fake { fn charge(&self) {} } fn inside() {} }
         fn here() {}",
    );
    assert_eq!(method(&program, "app::here", "&dyn Gateway", "charge"), "= app::Real::charge");
    assert_eq!(
        method(&program, "app::tests::inside", "&dyn Gateway", "charge"),
        "~ app::Real::charge, app::tests::Fake::charge"
    );
}

#[test]
fn forwarding_impls_are_no_candidates_of_their_own() {
    let program = program(
        "trait Gateway { fn charge(&self); } struct Real; impl Gateway for Real { fn charge(&self) {} }
         impl<T: Gateway + ?Sized> Gateway for std::sync::Arc<T> { fn charge(&self) { (**self).charge() } }
         impl<'a, T> Gateway for &'a T where T: Gateway { fn charge(&self) { (**self).charge() } }
         impl Gateway for Box<dyn Gateway> { fn charge(&self) { (**self).charge() } }
         struct Retry<T>(T); impl<T: Gateway> Gateway for Retry<T> { fn charge(&self) { self.0.charge() } }
         trait One { fn one(&self); } impl One for Real { fn one(&self) {} }
         impl<T: One + ?Sized> One for Box<T> { fn one(&self) { (**self).one() } }
         fn here() {}",
    );
    assert_eq!(
        method(&program, "app::here", "&dyn Gateway", "charge"),
        "~ app::Real::charge, app::Retry::charge"
    );
    assert_eq!(method(&program, "app::here", "&dyn One", "one"), "= app::Real::one");
    assert_eq!(method(&program, "app::here", "Box<Real>", "one"), "= std::boxed::Box::one");
    assert_eq!(method(&program, "app::here", "Retry<Real>", "charge"), "= app::Retry::charge");
}

#[test]
fn methods_of_standard_traits_need_a_known_type() {
    let program = program(
        "use std::fmt; struct A; impl fmt::Display for A { fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {} }
         impl Iterator for A { type Item = u8; fn next(&mut self) -> Option<u8> {} }
         trait Gateway { fn send_it(&self); } impl ext::Sender for A { fn deliver(&self) {} }
         fn generic<I: Iterator, S: ext::Sender>() {} fn here() {}",
    );
    let found = lookup(&program, "app::generic", "I", "next");
    assert_eq!(
        (method_text(&program, &found), via(&program, &found)),
        ("-".into(), "std::iter::Iterator".into())
    );
    assert_eq!(method(&program, "app::here", "A", "next"), "= app::A::next");
    assert_eq!(method(&program, "app::here", "_", "next"), "-");
    // A trait from outside whose impls are here is as good as one of the tree.
    assert_eq!(method(&program, "app::generic", "S", "deliver"), "= app::A::deliver");
}

#[test]
fn cfg_twins_are_not_exact() {
    let program = program(
        "struct K; #[cfg(unix)] impl K { fn now(&self) {} } #[cfg(windows)] impl K { fn now(&self) {} }
         impl K { #[cfg(a)] fn id(&self) {} #[cfg(not(a))] fn id(&self) {} fn plain(&self) {} } fn here() {}",
    );
    assert_eq!(method(&program, "app::here", "K", "now"), "~ app::K::now#1, app::K::now#2");
    assert_eq!(method(&program, "app::here", "K", "id"), "~ app::K::id#1, app::K::id#2");
    assert_eq!(method(&program, "app::here", "K", "plain"), "= app::K::plain");
}

#[test]
fn operators_and_conversions_go_by_trait_path() {
    let program = program(
        "use std::ops::*; use std::fmt::Display; struct A; struct B; struct C;
         impl Add for A { type Output = A; fn add(self, o: A) -> A {} }
         impl Add<B> for A { type Output = A; fn add(self, o: B) -> A {} }
         impl Add<&A> for &A { type Output = A; fn add(self, o: &A) -> A {} }
         impl Mul<i64> for A { type Output = A; fn mul(self, o: i64) -> A {} }
         impl Display for A { fn fmt(&self) {} }
         impl From<A> for C { fn from(a: A) -> C {} } impl From<&str> for C { fn from(a: &str) -> C {} }
         impl From<String> for C { fn from(a: String) -> C {} } impl Into<B> for A { fn into(self) -> B {} }
         mod shadow { pub trait Add { fn add(self); } impl Add for super::C { fn add(self) {} } }
         fn here() {}",
    );
    let here = "app::here";
    let found = |path: &str, ty_text: &str, args: &[&str], name: &str| {
        let args: Vec<Ty> = args.iter().map(|text| ty(&program, here, text)).collect();
        functions_text(&program, &program.trait_method(path, &ty(&program, here, ty_text), &args, name))
    };
    assert_eq!(found("std::ops::Add", "A", &["B"], "add"), "app::A::add#2");
    assert_eq!(found("std::ops::Add", "&A", &["&A"], "add"), "app::A::add#3");
    assert_eq!(found("std::ops::Mul", "A", &["i32"], "mul"), "app::A::mul");
    assert_eq!(found("std::ops::Mul", "A", &["_"], "mul"), "app::A::mul");
    assert_eq!(found("std::ops::Mul", "A", &["String"], "mul"), "");
    assert_eq!(found("std::ops::Add", "C", &[], "add"), "");
    assert_eq!(found("app::shadow::Add", "C", &[], "add"), "app::C::add");
    assert_eq!(found("std::fmt::Display", "&Box<A>", &[], "fmt"), "app::A::fmt");
    assert_eq!(found("std::fmt::Display", "B", &[], "fmt"), "");
    assert_eq!(found("std::convert::From", "C", &["A"], "from"), "app::C::from#1");
    assert_eq!(found("std::convert::From", "C", &["&str"], "from"), "app::C::from#2");
    assert_eq!(found("std::convert::From", "C", &["bool"], "from"), "");
    assert_eq!(found("std::convert::From", "_", &["A"], "from"), "");
    let from = |text: &str| functions_text(&program, &program.from_impls(&ty(&program, here, text)));
    assert_eq!(from("A"), "app::C::from#1, app::A::into");
    assert_eq!(from("&str"), "app::C::from#2");
    assert_eq!(from("String"), "app::C::from#3");
    assert_eq!(from("bool"), "");
    assert_eq!(from("_"), "");
}

#[test]
fn candidates_are_narrowed_by_types() {
    let program = program(
        "trait Make { fn make(x: u8) -> Self; fn given(&self) {} } struct A; struct B; struct C;
         impl Make for A { fn make(x: u8) -> A {} fn given(&self) {} } impl Make for B { fn make(x: u8) -> B {} }
         impl From<u8> for C { fn from(x: u8) -> C {} } impl From<String> for C { fn from(x: String) -> C {} }
         fn here() {}",
    );
    let all = |names: &[&str]| names.iter().map(|name| find(&program, name)).collect::<Vec<_>>();
    let text = |text: &str| ty(&program, "app::here", text);
    let makes = all(&["app::A::make", "app::B::make"]);
    assert_eq!(functions_text(&program, &program.narrow(&makes, Some(&text("B")), &[])), "app::B::make");
    assert_eq!(program.narrow(&makes, Some(&text("C")), &[]), makes);
    assert_eq!(program.narrow(&makes, None, &[]), makes);
    let given = all(&["app::A::given", "app::Make::given"]);
    assert_eq!(functions_text(&program, &program.narrow(&given, Some(&text("A")), &[])), "app::A::given");
    assert_eq!(functions_text(&program, &program.narrow(&given, Some(&text("B")), &[])), "app::Make::given");
    let froms: Vec<_> = program.functions().filter(|id| program.function(*id).name == "from").collect();
    assert_eq!(functions_text(&program, &program.narrow(&froms, None, &[text("String")])), "app::C::from#2");
}

#[test]
fn impl_blocks_list_their_trait() {
    let program = program(
        "trait Tr {} struct A; impl Tr for A {} impl Clone for A { fn clone(&self) -> A {} } fn here() {}",
    );
    let of = program.traits().next().expect("one trait");
    assert_eq!(program.implementors(of).len(), 1);
    assert_eq!(program.impls().count(), 2);
    assert_eq!(
        program
            .impl_(program.implementors(of)[0])
            .trait_ref
            .as_ref()
            .map(|found| program.trait_path(&found.id).to_string()),
        Some("app::Tr".into())
    );
    assert_eq!(program.module_path(scope(&program, "app::here")), "app");
}
