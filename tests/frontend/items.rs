//! Items and their attributes.

use cargo_samekey::ir::{Item, ItemKind, SelfParam, TypeKind, print_body, print_path, print_type};

use crate::{lower, names};

/// One line for each item: kind, name and what matters about it.
fn outline(items: &[Item]) -> Vec<String> {
    items.iter().map(line).collect()
}

fn line(item: &Item) -> String {
    let name = &item.name;
    match &item.kind {
        ItemKind::Function(function) => {
            let receiver = match &function.receiver {
                None => String::new(),
                Some(SelfParam::Value) => "self ".to_owned(),
                Some(SelfParam::Reference) => "&self ".to_owned(),
                Some(SelfParam::MutableReference) => "&mut self ".to_owned(),
                Some(SelfParam::Typed(ty)) => format!("self: {} ", print_type(ty)),
            };
            let params: Vec<String> = function
                .params
                .iter()
                .map(|param| format!("{}: {}", param.name.as_deref().unwrap_or("_"), print_type(&param.ty)))
                .collect();
            let result = function.result.as_ref().map(|ty| format!(" -> {}", print_type(ty)));
            let kind = if function.asynchronous { "async fn" } else { "fn" };
            format!("{kind} {name}({receiver}{}){}", params.join(", "), result.unwrap_or_default())
        }
        ItemKind::Type(definition) => match &definition.kind {
            TypeKind::Struct(fields) => {
                let fields: Vec<String> =
                    fields.iter().map(|field| format!("{}: {}", field.name, print_type(&field.ty))).collect();
                format!("struct {name} {{{}}}", fields.join(", "))
            }
            TypeKind::Enum(variants) => {
                let variants: Vec<String> =
                    variants.iter().map(|it| format!("{}/{}", it.name, it.fields.len())).collect();
                format!("enum {name} {{{}}}", variants.join(", "))
            }
        },
        ItemKind::Trait(value) => {
            let supertraits: Vec<String> = value.supertraits.iter().map(print_path).collect();
            format!("trait {name}: {} {:?}", supertraits.join(" + "), outline(&value.items))
        }
        ItemKind::Impl(value) => {
            let of = value.trait_path.as_ref().map(|path| format!("{} for ", print_path(path)));
            format!(
                "impl {}{} {:?}",
                of.unwrap_or_default(),
                print_type(&value.self_type),
                outline(&value.items)
            )
        }
        ItemKind::Static(value) => {
            let kind = if value.constant { "const" } else { "static" };
            let local = if value.thread_local { " thread-local" } else { "" };
            let body = value.initializer.as_deref().map(print_body).unwrap_or_default();
            format!("{kind} {name}: {}{local} = {}", print_type(&value.ty), body.replace('\n', ";"))
        }
        ItemKind::TypeAlias(alias) => {
            format!("type {name} = {}", alias.ty.as_ref().map(print_type).unwrap_or_default())
        }
        ItemKind::Use(import) => {
            let public = if import.public { "pub " } else { "" };
            let global = if import.global { "::" } else { "" };
            let glob = if import.glob { "::*" } else { "" };
            format!("{public}use {global}{}{glob} as {name}", import.path.join("::"))
        }
        ItemKind::Module(module) => match &module.items {
            Some(items) => format!("mod {name} {:?}", outline(items)),
            None => format!("mod {name}; {}", module.path.as_deref().unwrap_or_default()),
        },
        ItemKind::ExternCrate(krate) => format!("extern crate {krate} as {name}"),
        ItemKind::Macro(definition) => {
            format!("macro {name}{}", if definition.exported { " exported" } else { "" })
        }
    }
}

fn assert_outline(source: &str, expected: &[&str]) {
    let ir = lower(source);
    assert_eq!(ir.gaps, [], "{source}");
    assert_eq!(outline(&ir.items), expected, "{source}");
}

#[test]
fn functions() {
    assert_outline(
        "pub async fn f(a: &mut A<B>, (b, c): (u8, [u8]), d: impl Fn(A) -> B) -> Result<(), E> {}",
        &["async fn f(a: &mut A<B>, _: (u8, [u8]), d: impl Fn<fn(A) -> B>) -> Result<(), E>"],
    );
    assert_outline(
        "extern \"C\" { fn f(a: *const u8) -> !; static S: u8; }",
        &["fn f(a: *u8) -> !", "static S: u8 = "],
    );
}

#[test]
fn types() {
    assert_outline(
        "struct S { a: A, b: dyn B + Send } struct T(A, fn(B) -> C); struct U; union V { a: A }\n\
         enum E { A, B(u8), C { d: u8, e: u8 } } type X<T> = Y<Item = T>; type Z = <A as B>::C;",
        &[
            "struct S {a: A, b: dyn B + Send}",
            "struct T {0: A, 1: fn(B) -> C}",
            "struct U {}",
            "struct V {a: A}",
            "enum E {A/0, B/1, C/2}",
            "type X = Y<Item = T>",
            "type Z = <A as B>::C",
        ],
    );
}

#[test]
fn impls_and_traits() {
    assert_outline(
        "impl<T> A for S<T> { type B = C; const K: u8 = 1; fn f(&self) {} fn g(self: Box<Self>) {} }\n\
         trait T: A + B { type I; const K: u8; fn f(&mut self); fn g(self) {} }",
        &[
            "impl A for S<T> [\"type B = C\", \"const K: u8 = b0:;  return 1;\", \"fn f(&self )\", \
             \"fn g(self: Box<Self> )\"]",
            "trait T: A + B [\"type I = \", \"const K: u8 = \", \"fn f(&mut self )\", \"fn g(self )\"]",
        ],
    );
}

#[test]
fn uses_yield_one_item_for_each_name() {
    assert_outline(
        "use a::{b, c as d, e::{self, *}}; pub(crate) use ::f::g; use h as _; extern crate i as j;",
        &[
            "use a::b as b",
            "use a::c as d",
            "use a::e as e",
            "use a::e::* as ",
            "pub use ::f::g as g",
            "use h as _",
            "extern crate i as j",
        ],
    );
}

#[test]
fn modules_and_macros() {
    assert_outline(
        "mod a { fn f() {} } #[path = \"x/y.rs\"] mod b; #[macro_export] macro_rules! m { () => {} } macro_rules! n { () => {} }",
        &["mod a [\"fn f()\"]", "mod b; x/y.rs", "macro m exported", "macro n"],
    );
}

#[test]
fn statics_of_all_kinds() {
    assert_outline(
        "static A: u8 = 1; thread_local! { static B: Cell<u8> = const { Cell::new(2) }; pub static C: u8 = 3 }\n\
         lazy_static! { static ref D: String = g(); }",
        &[
            "static A: u8 = b0:;  return 1;",
            "static B: Cell<u8> thread-local = b0:;  _0: result = Cell::new(2);  return _0;",
            "static C: u8 thread-local = b0:;  return 3;",
            "static D: String = b0:;  _0: result = g();  return _0;",
        ],
    );
}

#[test]
fn generics_gather_all_bounds() {
    let ir = lower("fn f<'a, T: A, U = u8>(t: T) where T: B<C>, Vec<T>: D, 'a: 'a, U: ?Sized + E {}");
    let ItemKind::Function(function) = &ir.items[0].kind else { panic!("a function") };
    let params: Vec<String> = function
        .generics
        .params
        .iter()
        .map(|param| {
            format!("{}: {}", param.name, param.bounds.iter().map(print_path).collect::<Vec<_>>().join(" + "))
        })
        .collect();
    assert_eq!(params, ["T: A + B<C>", "U: E"]);
    assert_eq!(print_type(&function.generics.predicates[0].0), "Vec<T>");
}

#[test]
fn test_code_is_told_by_its_attributes() {
    let cases = [
        ("#[test]", true),
        ("#[tokio::test]", true),
        ("#[rstest]", true),
        ("#[cfg(test)]", true),
        ("#[cfg(all(unix, test))]", true),
        ("#[cfg(any(test))]", true),
        ("#[cfg(any(test, feature = \"x\"))]", false),
        ("#[cfg(any(test, feature = \"test-utils\"))]", true),
        ("#[cfg(feature = \"mock_gateway\")]", true),
        ("#[cfg(feature = \"latest\")]", false),
        ("#[cfg(not(test))]", false),
        ("#[cfg_attr(test, derive(X))]", false),
        ("#[testing]", false),
        ("", false),
    ];
    for (attribute, test) in cases {
        let ir = lower(&format!("{attribute} fn f() {{}}"));
        assert_eq!(ir.items[0].attributes.test, test, "{attribute}");
    }
    assert!(lower("#![cfg(test)] fn f() {}").attributes.test);
}

#[test]
fn attributes_keep_their_arguments() {
    let ir = lower(
        "/// doc\n#[cfg(all(unix, feature = \"a b\"))] #[cfg(windows)] #[derive(Clone, serde::Serialize)]\n\
         #[cfg_attr(feature = \"s\", serde(rename_all = \"camelCase\"), derive(X))] #[a::b = \"c\"]\n\
         struct S { #[serde(rename = \"k\")] f: u8 }",
    );
    let attributes = &ir.items[0].attributes;
    assert_eq!(attributes.cfg, "all(unix,feature=\"a b\");windows");
    let derives: Vec<String> = attributes.derives.iter().map(print_path).collect();
    assert_eq!(derives, ["Clone", "serde::Serialize", "X"]);
    let other: Vec<(&str, &str)> =
        attributes.other.iter().map(|it| (it.path.as_str(), it.arguments.as_str())).collect();
    assert_eq!(other, [("serde", "rename_all = \"camelCase\""), ("a::b", "c")]);
    let ItemKind::Type(definition) = &ir.items[0].kind else { panic!("a type") };
    let TypeKind::Struct(fields) = &definition.kind else { panic!("a struct") };
    assert_eq!(fields[0].attributes.other[0].arguments, "rename = \"k\"");
}

#[test]
fn items_inside_macros_belong_to_the_module() {
    let ir = lower(
        "connector! { name: Foo; impl Build for Foo { fn build(&self) -> String { self.key() } } => fn loose() {} }\n\
         cfg_if! { if #[cfg(test)] { fn a() {} } else if #[cfg(unix)] { fn b() {} } else { fn c() {} } }\n\
         impl S { methods! { fn m(&self) {} { fn n(&self) {} } } }",
    );
    assert_eq!(ir.gaps, []);
    assert_eq!(names(&ir), ["build", "loose", "a", "b", "c", "m", "n"]);
    let tests: Vec<bool> = ir.items.iter().map(|item| item.attributes.test).collect();
    assert_eq!(tests, [false, false, true, false, false, false]);
    assert_eq!(ir.items[3].attributes.cfg, "unix");
}

#[test]
fn macros_of_the_file_expand_to_items() {
    let ir = lower(
        "macro_rules! getter { ($($name:ident: $ty:ty = $body:expr),*) => { $(fn $name() -> $ty { $body })* } }\n\
         getter!(a: String = k(), b: u8 = 1);\n\
         impl S { getter!(c: u8 = 2); }\n\
         later!(d); macro_rules! later { ($n:ident) => { fn $n() {} } }",
    );
    assert_eq!(ir.gaps, []);
    assert_eq!(names(&ir), ["a", "b", "c", "d"]);
}
