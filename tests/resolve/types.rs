//! Types: aliases, parameters, associated types, fields, elements, substitution, signatures.

use cargo_samekey::resolve::{Substitution, Ty};

use crate::support::{find, program, scope, show, ty, type_text};

#[test]
fn written_types_resolve() {
    let program = program(
        "use std::collections::HashMap; use uuid::Uuid;
         pub struct Key<T>(T); type Pair<A, B = u8> = (B, Key<A>); type Map<V> = HashMap<String, V>;
         type Loop = Loop2; type Loop2 = Vec<Loop>;
         trait Store { } fn here<T: Store + Clone>() where T: Send {}",
    );
    for (text, expected) in [
        ("Key<u8>", "app::Key<u8>"),
        ("&mut Uuid", "&mut uuid::Uuid"),
        ("Option<&str>", "std::option::Option<&str>"),
        ("[u8; 4]", "[u8]"),
        ("(i64, String)", "(i64, std::string::String)"),
        ("Pair<bool>", "(u8, app::Key<bool>)"),
        ("Pair<bool, char>", "(char, app::Key<bool>)"),
        ("Map<Key<u8>>", "std::collections::HashMap<std::string::String, app::Key<u8>>"),
        ("fn(u8) -> Uuid", "fn(u8) -> uuid::Uuid"),
        ("Box<dyn Store + Send>", "std::boxed::Box<dyn app::Store + std::marker::Send>"),
        ("impl Fn(u8) -> String", ": std::ops::Fn<fn(u8) -> std::string::String>"),
        ("impl Iterator<Item = Uuid>", ": std::iter::Iterator<Item = uuid::Uuid>"),
        ("T", "T: app::Store + std::clone::Clone + std::marker::Send"),
        ("_", "?"),
        ("crate::gone::Thing<u8>", "app::gone::Thing<u8>"),
        ("Unheard", "Unheard"),
    ] {
        assert_eq!(type_text(&program, "app::here", text), expected, "{text}");
    }
    let endless = type_text(&program, "app::here", "Loop");
    assert!(endless.starts_with("std::vec::Vec<") && endless.contains('?'), "{endless}");
}

#[test]
fn cyclic_bounds_and_wide_aliases_stay_small() {
    let mut text = String::from("trait Tr<X> {} fn here<A: Tr<B>, B: Tr<A>>() {} type A0 = u8;");
    for index in 0..40 {
        text.push_str(&format!("type A{} = (A{index}, A{index}, A{index}, A{index});", index + 1));
    }
    text.push_str("type Me = (Me, Me, Me, Me, Me, Me, Me, Me);");
    let program = program(&text);
    assert_eq!(type_text(&program, "app::here", "A"), "A: app::Tr<B>");
    assert!(type_text(&program, "app::here", "A40").len() < 100_000);
    assert!(type_text(&program, "app::here", "Me").len() < 100_000);
}

#[test]
fn self_is_the_type_of_the_block() {
    let program = program(
        "struct Key<T>(T); impl<T> Key<T> { fn make() -> Self {} }
         impl Clone for Key<u8> { fn clone(&self) -> Self {} }
         trait Tr { fn own(self) -> Self; } struct List { next: Option<Box<Self>> } fn here() {}",
    );
    assert_eq!(type_text(&program, "app::Key::make", "Self"), "app::Key<T>");
    assert_eq!(type_text(&program, "app::Key::clone", "Self"), "app::Key<u8>");
    assert_eq!(type_text(&program, "app::Tr::own", "Self"), "Self: app::Tr");
    let list = ty(&program, "app::here", "List");
    assert_eq!(
        show(&program, &program.field_type(&list, "next")),
        "std::option::Option<std::boxed::Box<app::List>>"
    );
}

#[test]
fn associated_types_project_when_the_self_type_is_known() {
    let program = program(
        "trait Load { type Row; type Key; fn load(&self) -> Self::Row; }
         struct Db<T>(T); struct Charge;
         impl<T> Load for Db<T> { type Row = Vec<T>; type Key = Charge; fn load(&self) -> Self::Row {} }
         struct Once; impl Iterator for Once { type Item = Charge; fn next(&mut self) -> Option<Self::Item> {} }
         impl std::ops::Add for Charge { type Output = String; fn add(self, o: Charge) -> Self::Output {} }
         fn here<L: Load<Key = u8>, I: Iterator>() where I::Item: Load {}",
    );
    let here = "app::here";
    for (text, expected) in [
        ("<Db<u8> as Load>::Row", "std::vec::Vec<u8>"),
        ("<Db<u8> as Load>::Key", "app::Charge"),
        ("<&Db<u8> as Load>::Key", "app::Charge"),
        ("<Charge as std::ops::Add>::Output", "std::string::String"),
        ("<Once as Iterator>::Item", "app::Charge"),
        ("<Vec<u8> as IntoIterator>::Item", "u8"),
        ("L::Key", "u8"),
        ("L::Row", "L::Row"),
        ("I::Item", "I::Item: app::Load"),
        ("<Charge as Load>::Row", "?"),
    ] {
        assert_eq!(type_text(&program, here, text), expected, "{text}");
    }
    let load = find(&program, "app::Db::load");
    assert_eq!(show(&program, &program.result_type(load)), "std::vec::Vec<T>");
    let declared = find(&program, "app::Load::load");
    assert_eq!(show(&program, &program.result_type(declared)), "Self::Row");
    let mut known = Substitution::new();
    known.insert("Self".into(), ty(&program, here, "Db<bool>"));
    let row = program.substitute(&program.result_type(declared), &known);
    assert_eq!(show(&program, &row), "std::vec::Vec<bool>");
}

#[test]
fn recursive_projections_end() {
    let program = program(
        "trait Tr { type A; } struct W<T>(T); struct S;
         impl<T> Tr for W<T> { type A = <W<W<T>> as Tr>::A; }
         impl Tr for S { type A = <S as Tr>::A; }
         trait Un { type A; } impl<T: Other> Un for T { type A = T::A; } trait Other { }
         impl<T> std::ops::Deref for W<T> { type Target = W<W<T>>; fn deref(&self) -> &W<W<T>> {} }
         impl Iterator for S { type Item = <Box<S> as IntoIterator>::Item; fn next(&mut self) {} }
         fn here() {}",
    );
    for text in ["<W<u8> as Tr>::A", "<S as Tr>::A", "<u8 as Un>::A", "<S as Iterator>::Item"] {
        assert_eq!(type_text(&program, "app::here", text), "?", "{text}");
    }
    let endless = ty(&program, "app::here", "W<u8>");
    assert_eq!(program.field_type(&endless, "absent"), Ty::Unknown);
    assert_eq!(program.element_type(&endless), Ty::Unknown);
}

#[test]
fn fields_have_types_through_pointers_and_arguments() {
    let program = program(
        "use std::sync::Arc;
         struct Client<T> { inner: T, keys: Vec<T>, id: (u8, T) } struct New(Client<String>);
         impl std::ops::Deref for New { type Target = Client<String>; fn deref(&self) -> &Client<String> {} }
         enum Event<T> { Paid { key: T, at: u8 }, Raw(T, bool), Empty }
         union U { a: u8 } fn here() {}",
    );
    let field =
        |text: &str, name: &str| show(&program, &program.field_type(&ty(&program, "app::here", text), name));
    assert_eq!(field("Client<u8>", "inner"), "u8");
    assert_eq!(field("&mut Box<Client<u8>>", "keys"), "std::vec::Vec<u8>");
    assert_eq!(field("Arc<Client<u8>>", "id"), "(u8, u8)");
    assert_eq!(field("New", "0"), "app::Client<std::string::String>");
    assert_eq!(field("New", "inner"), "std::string::String");
    assert_eq!(field("actix_web::web::Data<Client<u8>>", "inner"), "u8");
    assert_eq!(field("(u8, String)", "1"), "std::string::String");
    assert_eq!(field("Client", "inner"), "?");
    assert_eq!(field("Client<u8>", "absent"), "?");
    assert_eq!(field("Option<Client<u8>>", "inner"), "?");
    assert_eq!(field("U", "a"), "u8");
    let variant = |text: &str, variant: &str, name: &str| {
        show(&program, &program.variant_field_type(&ty(&program, "app::here", text), variant, name))
    };
    assert_eq!(variant("Event<String>", "Paid", "key"), "std::string::String");
    assert_eq!(variant("&Event<String>", "Raw", "1"), "bool");
    assert_eq!(variant("Event<String>", "Empty", "0"), "?");
    assert_eq!(variant("Option<u8>", "Some", "0"), "u8");
    assert_eq!(variant("Result<u8, String>", "Err", "0"), "std::string::String");
    assert_eq!(variant("anyhow::Result<u8>", "Ok", "0"), "u8");
    assert_eq!(variant("anyhow::Result<u8>", "Err", "0"), "?");
    assert_eq!(variant("Client<u8>", "Client", "inner"), "u8");
}

#[test]
fn a_local_option_is_not_the_one_of_the_language() {
    let program = program("enum Option<T> { Some(u8, T), None } fn here() {}");
    let option = ty(&program, "app::here", "Option<String>");
    assert_eq!(show(&program, &program.variant_field_type(&option, "Some", "0")), "u8");
    assert_eq!(show(&program, &program.variant_field_type(&option, "Some", "1")), "std::string::String");
    assert_eq!(program.variant_field_type(&option, "Err", "0"), Ty::Unknown);
}

#[test]
fn elements_and_items() {
    let program = program(
        "use std::collections::{HashMap, VecDeque}; struct Row; struct Rows; struct Table;
         impl Iterator for Rows { type Item = Row; fn next(&mut self) -> Option<Row> {} }
         impl IntoIterator for Table { type Item = (u8, Row); type IntoIter = Rows; fn into_iter(self) -> Rows {} }
         impl std::ops::Index<u8> for Table { type Output = String; fn index(&self, at: u8) -> &String {} }
         fn here() {}",
    );
    for (text, element, item) in [
        ("Vec<u8>", "u8", "u8"),
        ("&[String]", "std::string::String", "std::string::String"),
        ("&HashMap<u8, Row>", "app::Row", "(u8, app::Row)"),
        ("std::sync::Arc<VecDeque<Row>>", "app::Row", "app::Row"),
        ("indexmap::IndexMap<u8, Row>", "app::Row", "(u8, app::Row)"),
        ("impl Iterator<Item = Row>", "app::Row", "app::Row"),
        ("Table", "std::string::String", "(u8, app::Row)"),
        ("Rows", "?", "app::Row"),
        ("Option<u8>", "?", "u8"),
        ("String", "?", "?"),
        ("Row", "?", "?"),
    ] {
        let found = ty(&program, "app::here", text);
        assert_eq!(show(&program, &program.element_type(&found)), element, "element of {text}");
        assert_eq!(show(&program, &program.item_type(&found)), item, "item of {text}");
    }
}

#[test]
fn signatures_hold_receiver_parameters_and_result() {
    let program = program(
        "use std::future::Future; struct Key; 
         impl Key {
             fn a(&mut self, x: u8) -> &str {}
             fn b(self: Box<Self>) {}
             async fn c(&self) -> Result<Key, String> {}
             fn d(&self) -> impl Future<Output = Key> + Send {}
             fn e(f: impl Fn(u8) -> Key) -> Self {}
         }
         fn free<T: Clone>(t: &T) -> Vec<T> {}",
    );
    let text = |path: &str| {
        let id = find(&program, path);
        let parameters: Vec<String> =
            program.parameter_types(id).iter().map(|ty| show(&program, ty)).collect();
        format!("({}) -> {}", parameters.join(", "), show(&program, &program.result_type(id)))
    };
    assert_eq!(text("app::Key::a"), "(&mut app::Key, u8) -> &str");
    assert_eq!(text("app::Key::b"), "(std::boxed::Box<app::Key>) -> ()");
    assert_eq!(text("app::Key::c"), "(&app::Key) -> std::result::Result<app::Key, std::string::String>");
    assert_eq!(text("app::Key::d"), "(&app::Key) -> app::Key");
    assert_eq!(text("app::Key::e"), "(: std::ops::Fn<fn(u8) -> app::Key>) -> app::Key");
    assert_eq!(text("app::free"), "(&T: std::clone::Clone) -> std::vec::Vec<T: std::clone::Clone>");
    assert_eq!(program.self_type(find(&program, "app::free")), None);
    assert_eq!(
        program.self_type(find(&program, "app::Key::e")).map(|ty| show(&program, &ty)),
        Some("app::Key".into())
    );
}

#[test]
fn binding_and_substituting_parameters() {
    let program = program(
        "struct W<T>(T); fn f<T, U>(a: &W<T>, b: Option<U>, c: &[T]) -> (T, U) {}
         fn g<I, F>(i: I, f: F) -> I::Item where I: Iterator, F: Fn(I::Item) -> u8 {}
         fn h<T, I: IntoIterator<Item = T>>(i: I) -> T {}
         fn here() {}",
    );
    let result = |function: &str, args: &[&str]| {
        let id = find(&program, function);
        let mut known = Substitution::new();
        for (pattern, actual) in program.parameter_types(id).iter().zip(args) {
            program.bind(pattern, &ty(&program, "app::here", actual), &mut known);
        }
        show(&program, &program.substitute(&program.result_type(id), &known))
    };
    assert_eq!(result("app::f", &["&W<u8>", "Option<String>"]), "(u8, std::string::String)");
    assert_eq!(result("app::f", &["W<u8>", "Option<String>"]), "(u8, std::string::String)");
    assert_eq!(result("app::f", &["_", "Option<u8>", "Vec<bool>"]), "(bool, u8)");
    assert_eq!(result("app::f", &["u8", "u8"]), "(T, U)");
    assert_eq!(result("app::g", &["std::vec::IntoIter<u8>"]), "u8");
    assert_eq!(result("app::h", &["Vec<bool>"]), "bool");
    assert_eq!(result("app::h", &["_"]), "T");
}

#[test]
fn awaiting_gives_the_output() {
    let program = program(
        "use std::future::Future; use std::pin::Pin; struct Job;
         impl Future for Job { type Output = u8; fn poll(&self) {} } fn here() {}",
    );
    let awaited = |text: &str| show(&program, &program.awaited_type(&ty(&program, "app::here", text)));
    assert_eq!(awaited("Pin<Box<dyn Future<Output = String>>>"), "std::string::String");
    assert_eq!(awaited("tokio::task::JoinHandle<u8>"), "u8");
    assert_eq!(awaited("Job"), "u8");
    assert_eq!(awaited("String"), "?");
}

#[test]
fn derives_are_known_by_name() {
    let program = program("#[derive(Clone, serde::Serialize)] struct Key; fn here() {}");
    let Ty::Adt { id, .. } = ty(&program, "app::here", "Key") else { panic!("no type") };
    assert!(program.derives(id, "Clone"));
    assert!(program.derives(id, "Serialize"));
    assert!(!program.derives(id, "Default"));
    assert_eq!(program.scope_path(scope(&program, "app::here")), "app::here");
}

/// The parameters of the analysed function have the same names as those of the impl, in another order.
#[test]
fn parameters_of_the_caller_are_not_those_of_the_impl() {
    let program = program(
        "trait Load {} struct Page<A, B>(A, B); struct Row;
         impl<T> Load for Page<T, T> {} impl<T, U> Load for Page<Option<(T, U)>, Page<T, U>> {}
         fn here<T, U>(page: Page<T, Page<U, T>>) where Page<T, U>: Load {}",
    );
    for text in ["Page<T, Row>", "Page<Option<T>, Option<Row>>", "Page<Page<U, T>, Page<T, Row>>"] {
        let page = ty(&program, "app::here", text);
        for name in ["Page<T, T>", "Page<U, T>", "Page<T, Page<U, T>>"] {
            let from = program.from_impls(&ty(&program, "app::here", name));
            assert!(from.is_empty());
        }
        let methods = program.trait_method("app::Load", &page, &[], "load");
        assert!(methods.is_empty(), "{text}");
    }
}
