//! `join!`, `try_join!` and `select!`.

use proc_macro2::TokenStream;
use syn::parse::discouraged::Speculative as _;
use syn::parse::{ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{Expr, Ident, Pat, Token, token};

use super::super::Lowerer;
use super::super::expr::Value;
use super::super::frame::local_place;
use super::super::pattern::Binder;
use super::super::types::index_name;
use crate::ir::{AggregateKind, Argument, Callee, FieldInit, Operand, Place, Rvalue, Span};

/// One arm of `select!`.
struct SelectArm {
    /// The pattern and the future; none for `else`, `default` and `complete`.
    event: Option<(Pat, Expr)>,
    /// Whether the event is a future, and not a channel operation whose result is there already.
    awaited: bool,
    guard: Option<Expr>,
    handler: Expr,
}

fn biased(input: ParseStream<'_>) -> syn::Result<()> {
    if input.peek(Ident) && input.peek2(Token![;]) {
        input.parse::<Ident>()?;
        input.parse::<Token![;]>()?;
    }
    Ok(())
}

fn select_arms(input: ParseStream<'_>) -> syn::Result<Vec<SelectArm>> {
    biased(input)?;
    let mut arms = Vec::new();
    while !input.is_empty() {
        arms.push(select_arm(input)?);
        if input.peek(Token![,]) {
            input.parse::<Token![,]>()?;
        }
    }
    Ok(arms)
}

fn select_arm(input: ParseStream<'_>) -> syn::Result<SelectArm> {
    let mut event = None;
    let mut awaited = false;
    let mut guard = None;
    if input.peek(Token![else]) {
        input.parse::<Token![else]>()?;
    } else if input.peek(Ident) && (input.peek2(Token![=>]) || is_timed_default(input)) {
        input.parse::<Ident>()?;
        if input.peek(token::Paren) {
            input.parse::<proc_macro2::TokenTree>()?;
        }
    } else if let Some(channel) = channel_event(input) {
        event = Some(channel);
    } else {
        let pat = Pat::parse_multi_with_leading_vert(input)?;
        input.parse::<Token![=]>()?;
        event = Some((pat, input.parse()?));
        awaited = true;
        if input.peek(Token![,]) && input.peek2(Token![if]) {
            input.parse::<Token![,]>()?;
            input.parse::<Token![if]>()?;
            guard = Some(input.parse()?);
        }
    }
    input.parse::<Token![=>]>()?;
    Ok(SelectArm { event, awaited, guard, handler: handler(input)? })
}

/// A block handler ends at its brace when another arm follows.
fn handler(input: ParseStream<'_>) -> syn::Result<Expr> {
    if input.peek(token::Brace) {
        let ahead = input.fork();
        let block: syn::ExprBlock = ahead.parse()?;
        if !ahead.peek(Token![.]) && !ahead.peek(Token![?]) {
            input.advance_to(&ahead);
            return Ok(Expr::Block(block));
        }
    }
    input.parse()
}

/// `default(timeout) => ..`.
fn is_timed_default(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    ahead.parse::<Ident>().is_ok_and(|word| word == "default") && ahead.peek(token::Paren)
}

/// `recv(receiver) -> pattern` and `send(sender, value) -> pattern` of crossbeam.
fn channel_event(input: ParseStream<'_>) -> Option<(Pat, Expr)> {
    let ahead = input.fork();
    let word: Ident = ahead.parse().ok()?;
    if !(word == "recv" || word == "send") || !ahead.peek(token::Paren) {
        return None;
    }
    let group: proc_macro2::Group = ahead.parse().ok()?;
    ahead.parse::<Token![->]>().ok()?;
    let pat = Pat::parse_single(&ahead).ok()?;
    let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
    let mut args = parser.parse2(group.stream()).ok()?.into_iter();
    let receiver = args.next()?;
    input.advance_to(&ahead);
    let call = syn::ExprMethodCall {
        attrs: Vec::new(),
        receiver: Box::new(receiver),
        dot_token: Token![.](word.span()),
        method: word,
        turbofish: None,
        paren_token: token::Paren(group.delim_span()),
        args: args.collect(),
    };
    Some((pat, Expr::MethodCall(call)))
}

impl Lowerer<'_> {
    /// `join!(a, b)` awaits all and yields a tuple; `try_join!` yields `Ok` of it.
    pub(super) fn join_macro(&mut self, name: &str, tokens: &TokenStream, span: Span) -> Option<Value> {
        let parse = |input: ParseStream<'_>| {
            biased(input)?;
            Punctuated::<Expr, Token![,]>::parse_terminated(input)
        };
        let futures = parse.parse2(tokens.clone()).ok()?;
        let mut fields = Vec::new();
        for (index, future) in futures.iter().enumerate() {
            let span = self.expr_span(future);
            let operand = self.operand(future, None);
            let mut value = self.store(Rvalue::Await(operand), None, span);
            if name == "try_join" {
                let args = vec![Argument { operand: Operand::Place(value), span }];
                let success = self.macro_call("?", args, span);
                value = self.store(success, None, span);
            }
            let value = Operand::Place(value);
            fields.push(FieldInit { name: index_name(index), name_span: span, value, span });
        }
        let tuple = Rvalue::Aggregate { kind: AggregateKind::Tuple, fields, base: None };
        if name == "join" {
            return Some(Value::Rvalue(tuple));
        }
        let tuple = Operand::Place(self.store(tuple, None, span));
        let callee = Callee::Path(super::super::chain::simple_path("Ok", span));
        let args = vec![Argument { operand: tuple, span }];
        Some(Value::Rvalue(Rvalue::Call { callee, receiver: None, args, name_span: span }))
    }

    /// `select! { pattern = future => handler, .. }`: one of the handlers runs.
    pub(super) fn select_macro(&mut self, tokens: &TokenStream, span: Span) -> Option<Value> {
        let arms = select_arms.parse2(tokens.clone()).ok()?;
        let mut futures = Vec::new();
        for arm in &arms {
            if let Some(guard) = &arm.guard {
                self.discard(guard);
            }
            let future =
                arm.event.as_ref().map(|(_, future)| (self.operand(future, None), self.expr_span(future)));
            futures.push(future);
        }
        let dest = local_place(self.temporary(None, span));
        let join = self.new_block();
        let starts: Vec<_> = arms.iter().map(|_| self.new_block()).collect();
        self.branch(starts.clone());
        for ((arm, future), start) in arms.iter().zip(futures).zip(starts) {
            self.switch_to(start);
            self.scoped(|this| this.select_handler(arm, future, &dest));
            self.goto(join);
        }
        self.switch_to(join);
        Some(Value::place(dest))
    }

    fn select_handler(&mut self, arm: &SelectArm, future: Option<(Operand, Span)>, dest: &Place) {
        if let (Some((pat, _)), Some((operand, span))) = (&arm.event, future) {
            let value = if arm.awaited { Rvalue::Await(operand) } else { Rvalue::Use(operand) };
            let place = self.store(value, None, span);
            let mut binder = Binder { refutable: true, ..Binder::default() };
            self.bind(pat, &place, &mut binder, None);
        }
        self.assign_expr(dest, &arm.handler);
    }
}
