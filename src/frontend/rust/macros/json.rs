//! JSON object literals and map literals.

use proc_macro2::TokenStream;
use proc_macro2::extra::DelimSpan;
use syn::parse::{ParseStream, Parser as _};
use syn::{Expr, ExprLit, Lit, Token, token};

use super::super::Lowerer;
use super::super::types::index_name;
use crate::ir::{AggregateKind, FieldInit, Literal, Name, Operand, Rvalue, Span};

/// A JSON value.
enum Json {
    Object(DelimSpan, Vec<(Expr, Json)>),
    Array(DelimSpan, Vec<Json>),
    Null,
    Value(Box<Expr>),
}

impl Json {
    fn parse(input: ParseStream<'_>) -> syn::Result<Json> {
        if input.peek(token::Brace) {
            let ahead = input.fork();
            if let Ok(object) = Json::object(&ahead) {
                syn::parse::discouraged::Speculative::advance_to(input, &ahead);
                return Ok(object);
            }
        } else if input.peek(token::Bracket) {
            let ahead = input.fork();
            if let Ok(array) = Json::array(&ahead) {
                syn::parse::discouraged::Speculative::advance_to(input, &ahead);
                return Ok(array);
            }
        }
        let value: Expr = input.parse()?;
        match &value {
            Expr::Path(path) if path.path.is_ident("null") => Ok(Json::Null),
            _ => Ok(Json::Value(Box::new(value))),
        }
    }

    fn object(input: ParseStream<'_>) -> syn::Result<Json> {
        let content;
        let brace = syn::braced!(content in input);
        let mut entries = Vec::new();
        while !content.is_empty() {
            let key = if content.peek(Lit) {
                Expr::Lit(ExprLit { attrs: Vec::new(), lit: content.parse()? })
            } else {
                content.parse()?
            };
            content.parse::<Token![:]>()?;
            entries.push((key, Json::parse(&content)?));
            if !content.is_empty() {
                content.parse::<Token![,]>()?;
            }
        }
        ends_value(input)?;
        Ok(Json::Object(brace.span, entries))
    }

    fn array(input: ParseStream<'_>) -> syn::Result<Json> {
        let content;
        let bracket = syn::bracketed!(content in input);
        let mut elements = Vec::new();
        while !content.is_empty() {
            elements.push(Json::parse(&content)?);
            if !content.is_empty() {
                content.parse::<Token![,]>()?;
            }
        }
        ends_value(input)?;
        Ok(Json::Array(bracket.span, elements))
    }
}

/// A value goes on when an operator or method call follows, as in `[a, b].concat()`.
fn ends_value(input: ParseStream<'_>) -> syn::Result<()> {
    if input.is_empty() || input.peek(Token![,]) { Ok(()) } else { Err(input.error("expected `,`")) }
}

impl Lowerer<'_> {
    /// `json!(..)`.
    pub(super) fn json(&mut self, tokens: &TokenStream, span: Span) -> Option<Rvalue> {
        let json = Json::parse.parse2(tokens.clone()).ok()?;
        Some(match json {
            Json::Object(..) | Json::Array(..) => self.json_aggregate(&json),
            Json::Null => Rvalue::Use(Operand::Literal(Literal::Unit)),
            // Serialising a value is a call, so that its fields stay apart from the JSON text.
            Json::Value(value) => {
                let operand = self.operand(&value, None);
                let args = vec![crate::ir::Argument { operand, span: self.expr_span(&value) }];
                self.macro_call("json", args, span)
            }
        })
    }

    /// `doc! { "name": name }`: an object without its braces.
    pub(super) fn document(&mut self, tokens: &TokenStream, span: Span) -> Option<Rvalue> {
        let object = proc_macro2::Group::new(proc_macro2::Delimiter::Brace, tokens.clone());
        self.json(&proc_macro2::TokenTree::from(object).into(), span)
    }

    fn json_aggregate(&mut self, json: &Json) -> Rvalue {
        match json {
            Json::Object(_, entries) => {
                let mut fields = Vec::new();
                for (key, value) in entries {
                    let field = self.key(key);
                    let (value, span) = self.json_operand(value);
                    fields.push(FieldInit { name: field.0, name_span: field.1, value, span });
                }
                Rvalue::Aggregate { kind: AggregateKind::Object, fields, base: None }
            }
            Json::Array(_, elements) => {
                let mut fields = Vec::new();
                for (index, element) in elements.iter().enumerate() {
                    let (value, span) = self.json_operand(element);
                    fields.push(FieldInit { name: index_name(index), name_span: span, value, span });
                }
                Rvalue::Aggregate { kind: AggregateKind::Array, fields, base: None }
            }
            Json::Null | Json::Value(_) => Rvalue::Use(Operand::Literal(Literal::Unit)),
        }
    }

    fn json_operand(&mut self, json: &Json) -> (Operand, Span) {
        match json {
            Json::Null => (Operand::Literal(Literal::Unit), self.spans.whole()),
            Json::Value(value) => (self.operand(value, None), self.expr_span(value)),
            Json::Object(brackets, _) | Json::Array(brackets, _) => {
                let span = self.spans.between(brackets.open(), brackets.close());
                let aggregate = self.json_aggregate(json);
                (Operand::Place(self.store(aggregate, None, span)), span)
            }
        }
    }

    /// The name of a map key: its text when it is constant, else `*`.
    fn key(&mut self, key: &Expr) -> (Name, Span) {
        let span = self.expr_span(key);
        match self.text_of(key) {
            Some(text) => (Name::new(text), span),
            None => {
                self.discard(key);
                ("*".into(), span)
            }
        }
    }

    /// `hashmap! { key => value, .. }`.
    pub(super) fn map_literal(&mut self, tokens: &TokenStream) -> Option<Rvalue> {
        let entries = map_entries.parse2(tokens.clone()).ok()?;
        let mut fields = Vec::new();
        for (key, value) in &entries {
            let (name, name_span) = self.key(key);
            let operand = self.operand(value, None);
            fields.push(FieldInit { name, name_span, value: operand, span: self.expr_span(value) });
        }
        Some(Rvalue::Aggregate { kind: AggregateKind::Object, fields, base: None })
    }
}

fn map_entries(input: ParseStream<'_>) -> syn::Result<Vec<(Expr, Expr)>> {
    let mut entries = Vec::new();
    while !input.is_empty() {
        let key = input.parse()?;
        input.parse::<Token![=>]>()?;
        entries.push((key, input.parse()?));
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
    }
    Ok(entries)
}
