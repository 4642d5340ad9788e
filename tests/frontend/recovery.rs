//! One bad item costs one item, and one bad method one method.

use cargo_samekey::frontend::{Edition, MacroTable, collect_macros, lower_rust, lower_rust_with};
use cargo_samekey::ir::{FileId, print_body};

use crate::{first_body, lower, names};

fn gaps(source: &str) -> Vec<(String, String)> {
    let gap = |gap: cargo_samekey::ir::Gap| {
        let place = source.get(gap.span.start as usize..gap.span.end as usize).unwrap_or("?").to_owned();
        (place, gap.message)
    };
    lower(source).gaps.into_iter().map(gap).collect()
}

#[test]
fn a_bad_function_costs_itself() {
    let source = "fn a() {}\nfn b() { let = ; }\nstruct S;\nimpl S { fn c(&self) {}\nfn d( -> {}\nfn e() { 1 + }\nfn g() {} }\nfn h() {}\n";
    assert_eq!(names(&lower(source)), ["a", "c", "g", "h"]);
    let gaps = gaps(source);
    assert_eq!(gaps.len(), 3, "{gaps:?}");
    assert!(gaps[0].1.starts_with("`fn b` is not analysed: "), "{gaps:?}");
    assert_eq!(gaps[0].0, "=");
}

#[test]
fn a_lost_brace_costs_one_function() {
    let source =
        "fn a() { if x { }\n\npub fn b() {}\n\nmod m {\n    fn c() { ( }\n\n    fn d() {}\n}\n\nfn e() {}\n";
    assert_eq!(names(&lower(source)), ["b", "d", "e"]);
}

#[test]
fn an_open_text_costs_one_function() {
    assert_eq!(names(&lower("fn a() { g(\"x); }\nfn b() {}\n")), ["b"]);
}

#[test]
fn bad_members_of_traits_and_modules_cost_themselves() {
    let source =
        "trait T { fn a(); fn b() { ] } fn c() {} }\nmod m { use x::; fn d() {} mod n { fn e() {} fn f } }";
    assert_eq!(names(&lower(source)), ["a", "c", "d", "e"]);
}

#[test]
fn bytes_that_are_not_utf8_cost_only_the_code_that_they_stand_in() {
    let ir = lower_rust(
        FileId(0),
        b"// \xe9\nfn a() { g(\"\xff\"); }\nfn b() { \xfe }\nfn c() {}",
        Edition::Rust2024,
    );
    assert_eq!(names(&ir), ["a", "c"]);
    assert_eq!(ir.gaps.len(), 2, "{:?}", ir.gaps);
    assert_eq!((ir.gaps[0].span.start, ir.gaps[0].span.end), (3, 4));
}

#[test]
fn foreign_files_have_one_gap() {
    for bytes in [&b"\xff\xfef\0n\0"[..], b"\x7fELF\0\0\0"] {
        let ir = lower_rust(FileId(0), bytes, Edition::Rust2024);
        assert_eq!((ir.items.len(), ir.gaps.len()), (0, 1));
    }
    assert_eq!(lower("").gaps, []);
}

#[test]
fn a_template_that_is_no_rust_has_few_gaps() {
    let line = "{{#each classes as |class|}} {{snake class.name}};\n";
    let ir = lower(&format!("{}fn a() {{}}\n{}", line.repeat(50), line.repeat(50)));
    assert_eq!(names(&ir), ["a"]);
    assert!(ir.gaps.len() <= 2, "{:?}", ir.gaps);
}

#[test]
fn words_that_became_keywords_are_names_in_the_2015_edition() {
    let source = b"fn a(async: u8) { try!(g(async)); h(await) }";
    let ir = lower_rust(FileId(0), source, Edition::Rust2015);
    assert_eq!(ir.gaps, []);
    let body = first_body(&ir);
    assert!(print_body(body).contains("g(async_0)"), "{}", print_body(body));
    assert_eq!(lower_rust(FileId(0), source, Edition::Rust2018).gaps.len(), 1);
}

#[test]
fn macros_of_other_files_expand() {
    let mut table = MacroTable::new();
    table.extend(collect_macros(
        b"#[macro_use] mod a { macro_rules! key { ($e:expr) => { join($e, Uuid::new_v4()) } } }",
    ));
    let source = b"fn f(a: A) { key!(a.id); }";
    let ir = lower_rust_with(FileId(0), source, Edition::Rust2024, &table);
    let body = first_body(&ir);
    assert_eq!(
        print_body(body),
        "param a_0: A\nb0:\n  _1: argument 1 of join = Uuid::new_v4()\n  _2 = join(a_0.id, _1)\n  drop a_0\n  return ()\n"
    );
}

#[test]
fn a_macro_that_grows_without_end_stays_a_call() {
    let source = "macro_rules! grow { ($($t:tt)*) => { grow!($($t)* $($t)* x) } } fn f() { grow!(a b); g() }";
    let ir = lower(source);
    let body = first_body(&ir);
    assert!(print_body(body).contains("g()"));
}
