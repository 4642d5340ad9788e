//! Deep nesting and long chains: analysed up to a limit, named beyond it, and never an abort.

use cargo_samekey::ir::FileIr;

use crate::{lower, names};

/// Lowers on a stack of the size that the entry point asks for.
fn on_worker(source: String) -> FileIr {
    let worker = std::thread::Builder::new().stack_size(64 << 20);
    worker.spawn(move || lower(&source)).expect("a thread starts").join().expect("lowering does not panic")
}

fn nested(before: &str, open: &str, middle: &str, close: &str, after: &str, depth: usize) -> String {
    format!(
        "fn before() {{}}\n{before}{}{middle}{}{after}\nfn after() {{}}\n",
        open.repeat(depth),
        close.repeat(depth)
    )
}

const SHAPES: [(&str, &str, &str, &str, &str); 28] = [
    ("fn f() { let x = ", "(", "1", ")", "; }"),
    ("fn f() { let x = ", "[", "1", "]", "; }"),
    ("fn f() { let x = ", "{", "1", "}", "; }"),
    ("fn f() { let x = ", "g(", "1", ")", "; }"),
    ("fn f() { let x = ", "a.g(", "1", ")", "; }"),
    ("fn f() { let x = ", "S { a: ", "1", "}", "; }"),
    ("fn f() { let x = ", "!", "1", "", "; }"),
    ("fn f() { let x = ", "& ", "1", "", "; }"),
    ("fn f() { let x = ", "return ", "1", "", "; }"),
    ("fn f() { let x = ", "|x, y| ", "1", "", "; }"),
    ("fn f() { let x = ", "move || ", "1", "", "; }"),
    ("fn f() { let x = ", "async { ", "1", "}", "; }"),
    ("fn f() { ", "a = ", "1", "", "; }"),
    ("fn f() { ", "if ", "a", " {} ", " }"),
    ("fn f() { ", "if a { match b { _ => ", "1", "}}", " }"),
    ("fn f() { ", "for a in b { ", "1", "}", " }"),
    ("fn f() { let ", "x @ ", "y", "", " = 1; }"),
    ("fn f(", "(", "x", ")", ": u8) {}"),
    ("fn f(x: ", "Vec<", "u8", ">", ") {}"),
    ("fn f(x: ", "(", "u8", ",)", ") {}"),
    ("fn f(x: ", "fn() -> ", "u8", "", ") {}"),
    ("fn f(x: ", "<", "A", " as B>::C", ") {}"),
    ("use ", "a::{", "b", "}", ";"),
    ("", "mod m { ", "", "}", ""),
    ("", "fn g() { ", "", "}", ""),
    ("fn f() { m!{ ", "(", "1", ")", " } }"),
    ("fn f() { json!(", "{\"a\": ", "1", "}", ") }"),
    ("fn f() { format!(\"{}\", ", "vec![", "1", "]", ") }"),
];

#[test]
fn nesting_below_the_limit_is_analysed() {
    for (before, open, middle, close, after) in SHAPES {
        let depth = 480 / open.chars().filter(|char| "({[<".contains(*char)).count().max(1) / 3;
        let ir = on_worker(nested(before, open, middle, close, after, depth));
        assert_eq!(ir.gaps, [], "{before}{open}");
    }
}

#[test]
fn the_deepest_nesting_that_is_analysed_fits_the_stack() {
    for (before, open, middle, close, after) in SHAPES {
        for depth in [100, 240, 245, 249, 480, 490, 495, 499] {
            on_worker(nested(before, open, middle, close, after, depth));
        }
    }
}

#[test]
fn nesting_beyond_the_limit_is_named_and_the_rest_analysed() {
    for (before, open, middle, close, after) in SHAPES {
        let ir = on_worker(nested(before, open, middle, close, after, 10_000));
        assert!(!ir.gaps.is_empty(), "{before}{open}");
        assert!(
            ir.gaps.iter().all(|gap| gap.message.contains("nests more than 500 levels")),
            "{:?}",
            ir.gaps
        );
        let names = names(&ir);
        assert!(names.contains(&"before") && names.contains(&"after"), "{before}{open}: {names:?}");
    }
}

#[test]
fn a_deep_method_costs_itself() {
    let deep = format!("fn deep() {{ let x = {}1{}; }}", "(".repeat(10_000), ")".repeat(10_000));
    let ir = on_worker(format!("mod m {{ impl S {{ fn a() {{}} {deep} fn b() {{}} }} fn c() {{}} }}"));
    assert_eq!(names(&ir), ["a", "b", "c"]);
    assert_eq!(ir.gaps.len(), 1);
}

#[test]
fn unbalanced_floods_do_not_abort() {
    for open in [
        "(", "[", "{", "<", "Vec<", "!", "|x|", "fn f() {", "impl X {", "'", "\"", "/*", "#[", "r#\"", "}",
        ")",
    ] {
        let ir = on_worker(format!("fn before() {{}}\nfn f() {{ {}", open.repeat(10_000)));
        assert!(names(&ir).contains(&"before"), "{open}");
    }
}

#[test]
fn long_chains_are_analysed() {
    for unit in [".f()", ".b", "?", " + a", " && a", " as u8", ".await", "[0]", "()", " else if a {}"] {
        let first = if unit == " else if a {}" { "if a {}" } else { "a" };
        let ir = on_worker(format!("fn f(a: A) {{ {first}{}; }}", unit.repeat(20_000)));
        assert_eq!(ir.gaps, [], "{unit}");
        assert_eq!(names(&ir), ["f"]);
    }
}

#[test]
fn long_lists_are_analysed() {
    let statements = "if a { b(); } else { c(&a, |x| -x)?; }\n".repeat(5_000);
    let arms = "A(x) | B { x, .. } if x > 1 => { g(&x) }\n".repeat(5_000);
    let elements = "S { a: &b, c: !d }, ".repeat(5_000);
    let items = "pub fn f<T: A<B>>(x: &mut Vec<T>) -> Option<T> { let y = x.z()?; Some(y) }\n".repeat(2_000);
    for source in [
        format!("fn f() {{ {statements} }}"),
        format!("fn f() {{ match a {{ {arms} _ => 1 }} }}"),
        format!("fn f() {{ [{elements}] }}"),
        items,
    ] {
        assert_eq!(on_worker(source).gaps, []);
    }
}

#[test]
fn expansions_that_nest_together_stay_within_the_stack() {
    let opens = "g(".repeat(300);
    let closes = ")".repeat(300);
    let source = format!(
        "macro_rules! deep {{ ($e:expr) => {{ {opens} deep!($e) {closes} }} }} fn before() {{}} fn f() {{ deep!(1) }}"
    );
    assert_eq!(names(&on_worker(source)), ["before", "f"]);
}
