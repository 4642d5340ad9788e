//! Spans are byte ranges of the file on disk.

use cargo_samekey::ir::{Callee, FunctionBody, ItemKind, Rvalue, Span, StatementKind};

use crate::{first_body, functions, lower};

fn text(source: &str, span: Span) -> &str {
    &source[span.start as usize..span.end as usize]
}

/// The source texts of all statements of all functions.
fn statements(source: &str) -> Vec<&str> {
    let ir = lower(source);
    let mut texts = Vec::new();
    for (_, function) in functions(&ir.items) {
        for block in function.body.iter().filter_map(FunctionBody::get).flat_map(|body| &body.blocks) {
            texts.extend(block.statements.iter().map(|statement| text(source, statement.span)));
        }
    }
    texts
}

#[test]
fn statements_have_the_span_of_their_expression() {
    assert_eq!(
        statements("fn f(a: A) -> R { let x = a.b(1)?.c(&a) + 2; x.y = -x; S { k: g() } }"),
        [
            "a.b(1)",
            "a.b(1)?",
            "&a",
            "a.b(1)?.c(&a)",
            "a.b(1)?.c(&a) + 2",
            "-x",
            "g()",
            "S { k: g() }",
            "}",
            "a.b(1)",
        ]
    );
}

#[test]
fn wide_characters_a_byte_order_mark_and_a_shebang_do_not_shift_spans() {
    for lead in ["", "\u{feff}", "#!/usr/bin/env x\n", "\u{feff}#!/bin/x é\n", "// 日本 é\n", "/* 💥 */ "]
    {
        let source = format!("{lead}fn f() {{ let s = \"日本\"; g(s, \"é\"); }} // ü\nfn h() {{ k(); }}");
        assert_eq!(statements(&source), ["\"日本\"", "g(s, \"é\")", "k()"], "{lead:?}");
    }
}

#[test]
fn inline_captures_have_the_span_of_the_name() {
    for template in ["\"é {name} {other:?}\"", "r#\"é {name} {other:?}\"#"] {
        let source = format!("fn f(name: A, other: B) {{ format!({template}); }}");
        let ir = lower(&source);
        let body = first_body(&ir);
        let StatementKind::Assign(_, Rvalue::Format { args, .. }) = &body.blocks[0].statements[0].kind else {
            panic!("a format")
        };
        let texts: Vec<&str> = args.iter().map(|arg| text(&source, arg.span)).collect();
        assert_eq!(texts, ["name", "other"]);
    }
}

#[test]
fn calls_have_the_span_of_the_callees_name() {
    let source = "fn f() { a::b::<C>(1).method(2); name!(3); }";
    let ir = lower(source);
    let body = first_body(&ir);
    let mut names = Vec::new();
    for statement in &body.blocks[0].statements {
        if let StatementKind::Assign(_, Rvalue::Call { name_span, callee, .. }) = &statement.kind {
            names.push(text(source, *name_span));
            if let Callee::Path(path) = callee {
                assert_eq!(text(source, path.span), "a::b::<C>");
            }
        }
    }
    assert_eq!(names, ["b", "method", "name"]);
}

#[test]
fn expansions_point_to_the_call() {
    let source = "macro_rules! mint { ($a:expr) => { send(Uuid::new_v4(), $a) } }\nfn f() { mint!(id()); }";
    assert_eq!(statements(source), ["mint!(id())", "id()", "mint!(id())"]);
}

#[test]
fn items_and_names() {
    let source = "/// doc\n#[inline]\npub fn name(a: u8) {}\nimpl Tr for S<T> {}\n";
    let ir = lower(source);
    assert_eq!(text(source, ir.items[0].name_span), "name");
    assert_eq!(text(source, ir.items[0].span), "/// doc\n#[inline]\npub fn name(a: u8) {}");
    assert_eq!(text(source, ir.items[1].name_span), "S<T>");
    let ItemKind::Function(function) = &ir.items[0].kind else { panic!("a function") };
    assert_eq!(text(source, function.params[0].span), "a: u8");
}
