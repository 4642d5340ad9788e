//! Macros of the standard library and of well-known crates.

use proc_macro2::TokenStream;
use syn::parse::{ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{Block, Expr, Lit, Macro, Pat, Token};

use super::super::Lowerer;
use super::super::expr::Value;
use super::super::frame::local_place;
use super::super::pattern::Binder;
use super::format::FormatArgs;
use crate::ir::{
    AggregateKind, Argument, BinaryOperator, Callee, Literal, Name, Operand, Rvalue, Span, Terminator,
    TypeHint,
};

impl Lowerer<'_> {
    /// The value of a modelled macro; `None` when the name or the tokens are not those of one.
    pub(super) fn known_macro(&mut self, name: &str, mac: &Macro, span: Span) -> Option<Value> {
        let tokens = &mac.tokens;
        match name {
            "format" | "format_args" | "format_smolstr" | "format_compact" | "formatcp" => {
                self.format_tokens(name, tokens).map(Value::Rvalue)
            }
            "print" | "println" | "eprint" | "eprintln" => {
                let value = self.format_tokens(name, tokens)?;
                self.store(value, None, span);
                Some(Value::unit())
            }
            "write" | "writeln" => self.write_macro(name, tokens, span),
            "panic" | "todo" | "unimplemented" | "unreachable" => {
                let value = self.format_tokens(name, tokens)?;
                self.store(value, None, span);
                self.leave(Terminator::Diverge);
                Some(Value::unit())
            }
            "bail" | "ensure" | "anyhow" | "eyre" | "format_err" | "miette" => {
                self.error_macro(name, mac, span)
            }
            "assert" | "debug_assert" | "assert_eq" | "debug_assert_eq" | "assert_ne" | "debug_assert_ne" => {
                self.assertion(name, tokens, span)
            }
            "vec" => self.vec_macro(tokens),
            "json" => self.json(tokens, span).map(Value::Rvalue),
            "doc" | "rawdoc" => self.document(tokens, span).map(Value::Rvalue),
            "hashmap" | "btreemap" | "indexmap" | "hash_map" | "btree_map" => {
                self.map_literal(tokens).map(Value::Rvalue)
            }
            "matches" | "assert_matches" | "debug_assert_matches" => self.matches_macro(tokens),
            "dbg" => self.dbg_macro(tokens),
            "concat" | "stringify" => self.text_macro(mac),
            "try" => self.try_macro(tokens),
            "trace" | "debug" | "info" | "warn" | "error" | "log" | "event" | "span" | "trace_span"
            | "debug_span" | "info_span" | "warn_span" | "error_span" => self.logging(mac).map(Value::Rvalue),
            "query"
            | "query_as"
            | "query_scalar"
            | "query_unchecked"
            | "query_as_unchecked"
            | "query_scalar_unchecked"
            | "query_file"
            | "query_file_as"
            | "query_file_scalar" => self.query_macro(name, mac).map(Value::Rvalue),
            "join" | "try_join" => self.join_macro(name, tokens, span),
            "select" | "select_biased" | "tokio_select" => self.select_macro(tokens, span),
            "stream" | "try_stream" => self.stream_macro(tokens, span),
            _ => None,
        }
    }

    fn write_macro(&mut self, name: &str, tokens: &TokenStream, span: Span) -> Option<Value> {
        let parse = |input: ParseStream<'_>| {
            let dest: Expr = input.parse()?;
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
            Ok((dest, FormatArgs::parse(input)?))
        };
        let (dest, args) = parse.parse2(tokens.clone()).ok()?;
        let receiver = Argument { operand: self.operand(&dest, None), span: self.expr_span(&dest) };
        let text = self.format(name, &args);
        let text = Operand::Place(self.store(text, None, span));
        Some(Value::Rvalue(Rvalue::Call {
            callee: Callee::Method { name: "write_fmt".into(), generics: Vec::new() },
            receiver: Some(receiver),
            args: vec![Argument { operand: text, span }],
            name_span: span,
        }))
    }

    /// `anyhow!(..)` makes an error, `bail!(..)` returns it, `ensure!(condition, ..)` returns it sometimes.
    fn error_macro(&mut self, name: &str, mac: &Macro, span: Span) -> Option<Value> {
        let mut args = FormatArgs::parse.parse2(mac.tokens.clone()).ok()?;
        if name == "ensure" {
            let condition = args.template.take()?;
            let failed = self.new_block();
            self.condition(&condition, failed);
            let held = self.frame.current;
            self.switch_to(failed);
            self.return_error(&rest_of(args), mac, span);
            self.switch_to(held);
            return Some(Value::unit());
        }
        if name == "bail" {
            self.return_error(&args, mac, span);
            return Some(Value::unit());
        }
        let error = self.error_value(&args, mac, span);
        Some(Value::Rvalue(error))
    }

    fn return_error(&mut self, args: &FormatArgs, mac: &Macro, span: Span) {
        let error = self.error_value(args, mac, span);
        let error = Operand::Place(self.store(error, None, span));
        let callee = Callee::Path(super::super::chain::simple_path("Err", span));
        let args = vec![Argument { operand: error, span }];
        let result = Rvalue::Call { callee, receiver: None, args, name_span: span };
        let result = self.store(result, Some(TypeHint::Result), span);
        self.leave_body(Operand::Place(result));
    }

    fn error_value(&mut self, args: &FormatArgs, mac: &Macro, span: Span) -> Rvalue {
        let argument = match &args.template {
            Some(template) if self.text_of(template).is_none() && args.positional.is_empty() => {
                Argument { operand: self.operand(template, None), span: self.expr_span(template) }
            }
            _ => {
                let text = self.format("format", args);
                Argument { operand: Operand::Place(self.store(text, None, span)), span }
            }
        };
        self.named_macro_call(mac, vec![argument])
    }

    fn assertion(&mut self, name: &str, tokens: &TokenStream, span: Span) -> Option<Value> {
        let mut args = FormatArgs::parse.parse2(tokens.clone()).ok()?;
        let first = args.template.take()?;
        let failed = self.new_block();
        if name.ends_with("assert") {
            self.condition(&first, failed);
        } else {
            self.discard(&first);
            if !args.positional.is_empty() {
                let second = args.positional.remove(0);
                self.discard(&second);
            }
            let held = self.new_block();
            self.branch(vec![held, failed]);
            self.switch_to(held);
        }
        let held = self.frame.current;
        self.switch_to(failed);
        let args = rest_of(args);
        if args.template.is_some() {
            let text = self.format(name, &args);
            self.store(text, None, span);
        }
        self.terminate(Terminator::Diverge);
        self.switch_to(held);
        Some(Value::unit())
    }

    fn vec_macro(&mut self, tokens: &TokenStream) -> Option<Value> {
        let repeat = |input: ParseStream<'_>| {
            let value: Expr = input.parse()?;
            input.parse::<Token![;]>()?;
            Ok((value, input.parse::<Expr>()?))
        };
        if let Ok((value, length)) = repeat.parse2(tokens.clone()) {
            let value = self.operand(&value, None);
            self.discard(&length);
            return Some(Value::Rvalue(Rvalue::Repeat(value)));
        }
        let elements = expressions(tokens)?;
        Some(Value::Rvalue(self.sequence(AggregateKind::Array, elements.iter())))
    }

    /// `matches!(value, pattern if guard)`, which carries no value.
    fn matches_macro(&mut self, tokens: &TokenStream) -> Option<Value> {
        let parse = |input: ParseStream<'_>| {
            let value: Expr = input.parse()?;
            input.parse::<Token![,]>()?;
            let pat = Pat::parse_multi_with_leading_vert(input)?;
            let guard = if input.peek(Token![if]) {
                input.parse::<Token![if]>()?;
                Some(input.parse::<Expr>()?)
            } else {
                None
            };
            input.parse::<TokenStream>()?;
            Ok((value, pat, guard))
        };
        let (value, pat, guard) = parse.parse2(tokens.clone()).ok()?;
        let (place, mode) = self.scrutinee(&value, None);
        if let Some(guard) = &guard {
            let end = self.new_block();
            let guarded = self.new_block();
            self.branch(vec![guarded, end]);
            self.switch_to(guarded);
            self.scoped(|this| {
                let mut binder = Binder { mode, refutable: true, ..Binder::default() };
                this.bind(&pat, &place, &mut binder, None);
                this.discard(guard);
            });
            self.goto(end);
            self.switch_to(end);
        }
        let left = Operand::Place(place);
        let right = Operand::Literal(Literal::Bool(true));
        Some(Value::Rvalue(Rvalue::Binary(BinaryOperator::Compare, left, right)))
    }

    fn dbg_macro(&mut self, tokens: &TokenStream) -> Option<Value> {
        let args = expressions(tokens)?;
        match args.as_slice() {
            [] => Some(Value::unit()),
            [only] => Some(Value::Operand(self.operand(only, None))),
            several => Some(Value::Rvalue(self.sequence(AggregateKind::Tuple, several.iter()))),
        }
    }

    /// `concat!` of literals is a literal.
    fn text_macro(&self, mac: &Macro) -> Option<Value> {
        let expr = Expr::Macro(syn::ExprMacro { attrs: Vec::new(), mac: mac.clone() });
        let text = self.text_of(&expr)?;
        Some(Value::Operand(Operand::Literal(Literal::Str(Name::new(text)))))
    }

    fn try_macro(&mut self, tokens: &TokenStream) -> Option<Value> {
        let expr: Expr = syn::parse2(tokens.clone()).ok()?;
        let operand = self.operand(&expr, None);
        let span = self.expr_span(&expr);
        Some(self.question(operand, span))
    }

    /// `query_as!(Row, "select ..", binds..)`: the row type becomes a type argument of the macro's path.
    fn query_macro(&mut self, name: &str, mac: &Macro) -> Option<Rvalue> {
        let parse = |input: ParseStream<'_>| {
            let mut row = None;
            if name.contains("_as") {
                row = Some(input.parse::<syn::Type>()?);
                input.parse::<Token![,]>()?;
            }
            Ok((row, Punctuated::<Expr, Token![,]>::parse_terminated(input)?))
        };
        let (row, exprs) = parse.parse2(mac.tokens.clone()).ok()?;
        let mut args = Vec::new();
        for expr in &exprs {
            // `"select " + "x"` is how the macro joins literals.
            let operand = match self.joined_text(expr) {
                Some(text) => Operand::Literal(Literal::Str(Name::new(text))),
                None => self.operand(expr, None),
            };
            args.push(Argument { operand, span: self.expr_span(expr) });
        }
        let mut call = self.named_macro_call(mac, args);
        if let (Some(row), Rvalue::Call { callee: Callee::Macro(path), .. }) = (row, &mut call) {
            let row = self.ty(&row);
            path.segments.iter_mut().last()?.args.push(row);
        }
        Some(call)
    }

    fn joined_text(&self, expr: &Expr) -> Option<String> {
        match expr {
            Expr::Binary(node) => Some(self.joined_text(&node.left)? + &self.joined_text(&node.right)?),
            Expr::Lit(lit) if matches!(lit.lit, Lit::Str(_)) => self.text_of(expr),
            Expr::Macro(_) => self.text_of(expr),
            _ => None,
        }
    }

    /// `stream! { .. yield value; .. }`: a collection that each `yield` adds to.
    fn stream_macro(&mut self, tokens: &TokenStream, span: Span) -> Option<Value> {
        let stmts = Block::parse_within.parse2(tokens.clone()).ok()?;
        let stream = self.temporary(None, span);
        let empty = Rvalue::Aggregate { kind: AggregateKind::Array, fields: Vec::new(), base: None };
        self.assign(local_place(stream), empty, span);
        let before = self.frame.yields.replace(stream);
        self.in_try(None, span, |this| this.scoped(|this| this.statements_operand(&stmts, None)));
        self.frame.yields = before;
        Some(Value::place(local_place(stream)))
    }
}

/// The message of an assertion: the template is the first argument after the checked ones.
fn rest_of(mut args: FormatArgs) -> FormatArgs {
    if args.template.is_none() && !args.positional.is_empty() {
        args.template = Some(args.positional.remove(0));
    }
    args
}

/// Comma-separated expressions.
pub(super) fn expressions(tokens: &TokenStream) -> Option<Vec<Expr>> {
    let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
    Some(parser.parse2(tokens.clone()).ok()?.into_iter().collect())
}
