//! Macros that are not known: their tokens are read as arguments as far as they parse.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::ext::IdentExt as _;
use syn::parse::discouraged::Speculative as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Block, Expr, Lit, Stmt, Token, token};

use super::super::Lowerer;
use crate::ir::{Argument, Operand};

/// What the tokens of a macro look like.
enum Reading {
    /// Statements, the last of which may be a value.
    Statements(Vec<Stmt>),
    /// Expressions.
    Arguments(Vec<Expr>),
}

impl Lowerer<'_> {
    /// The argument values of a macro that is not known.
    pub(super) fn unknown_arguments(&mut self, tokens: &TokenStream) -> Vec<Argument> {
        match read(tokens) {
            Reading::Arguments(exprs) => {
                let mut args = Vec::new();
                for expr in &exprs {
                    let operand = self.operand(expr, None);
                    args.push(Argument { operand, span: self.expr_span(expr) });
                }
                args
            }
            Reading::Statements(stmts) => {
                let span = self.tokens_span(tokens);
                let operand = self.scoped(|this| this.statements_operand(&stmts, None));
                match operand {
                    Operand::Literal(crate::ir::Literal::Unit) => Vec::new(),
                    operand => vec![Argument { operand, span }],
                }
            }
        }
    }
}

fn read(tokens: &TokenStream) -> Reading {
    let list = syn::punctuated::Punctuated::<Expr, Token![,]>::parse_terminated;
    if let Ok(exprs) = list.parse2(tokens.clone()) {
        return Reading::Arguments(exprs.into_iter().collect());
    }
    if has_semicolon(tokens)
        && let Ok(stmts) = Block::parse_within.parse2(tokens.clone())
    {
        return statements(stmts);
    }
    let mut exprs = Vec::new();
    // Parsing item by item consumes everything, so it does not fail.
    let _ = (|input: ParseStream<'_>| loose(input, &mut exprs)).parse2(tokens.clone());
    Reading::Arguments(exprs)
}

/// Expressions between semicolons are arguments, as in `vec![value; length]`.
fn statements(stmts: Vec<Stmt>) -> Reading {
    let mut exprs = Vec::new();
    for stmt in &stmts {
        match stmt {
            Stmt::Expr(expr, _) => exprs.push(expr.clone()),
            _ => return Reading::Statements(stmts),
        }
    }
    Reading::Arguments(exprs)
}

fn has_semicolon(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|tree| matches!(tree, TokenTree::Punct(punct) if punct.as_char() == ';'))
}

/// Reads whatever parses: expressions, values after `key:`, `key =` and `key =>`, and what is inside braces.
fn loose(input: ParseStream<'_>, exprs: &mut Vec<Expr>) -> syn::Result<()> {
    while !input.is_empty() {
        if is_keyed(input) {
            input.parse::<TokenTree>()?;
            skip_separator(input)?;
            continue;
        }
        let ahead = input.fork();
        if let Ok(expr) = ahead.parse::<Expr>() {
            input.advance_to(&ahead);
            exprs.push(expr);
        } else if input.peek(token::Brace) || input.peek(token::Paren) || input.peek(token::Bracket) {
            let TokenTree::Group(group) = input.parse()? else { continue };
            (|inside: ParseStream<'_>| loose(inside, exprs)).parse2(group.stream())?;
        } else {
            input.parse::<TokenTree>()?;
        }
    }
    Ok(())
}

/// A name or literal before `:`, `=` or `=>` is a key.
fn is_keyed(input: ParseStream<'_>) -> bool {
    let key = input.peek(Ident::peek_any) || input.peek(Lit);
    let colon = input.peek2(Token![:]) && !input.peek2(Token![::]);
    let equals = input.peek2(Token![=]) && !input.peek2(Token![==]);
    key && (colon || equals || input.peek2(Token![=>]))
}

fn skip_separator(input: ParseStream<'_>) -> syn::Result<()> {
    if input.peek(Token![=>]) {
        input.parse::<Token![=>]>()?;
    } else {
        input.parse::<TokenTree>()?;
    }
    Ok(())
}
