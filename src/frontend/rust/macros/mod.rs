//! Macro calls: those of the standard library and of well-known crates are modelled, macros that the tree
//! defines are expanded, and the tokens of all others are read as arguments or items.

mod arguments;
mod concurrent;
mod format;
mod items;
mod json;
mod known;
mod logging;
mod rules;
pub(super) mod statics;

pub(super) use rules::MacroScope;
pub use rules::{MacroTable, collect_macros};

use proc_macro2::TokenStream;
use syn::parse::Parser as _;
use syn::{Block, Expr, Macro, Pat};

use super::expr::Value;
use super::pattern::Binder;
use super::types::ident_name;
use super::{Lowerer, extent};
use crate::ir::{Callee, Name, Place, Rvalue, Span, Type};

impl Lowerer<'_> {
    /// Where a macro call stands.
    pub(super) fn macro_span(&self, mac: &Macro) -> Span {
        self.spans.between(extent::path_first(&mac.path), mac.delimiter.span().close())
    }

    fn tokens_span(&self, tokens: &TokenStream) -> Span {
        self.spans.between(extent::tokens_first(tokens), extent::tokens_last(tokens))
    }

    /// The value of a macro call in an expression.
    pub(super) fn macro_value(&mut self, mac: &Macro) -> Value {
        let name = macro_name(mac);
        let span = self.macro_span(mac);
        if let Some(value) = self.expanded_value(mac, &name, span) {
            return value;
        }
        if let Some(value) = self.known_macro(&name, mac, span) {
            return value;
        }
        let args = self.unknown_arguments(&mac.tokens);
        Value::Rvalue(self.named_macro_call(mac, args))
    }

    /// A call of a macro that stays a call.
    fn named_macro_call(&self, mac: &Macro, args: Vec<crate::ir::Argument>) -> Rvalue {
        let path = self.path(None, &mac.path);
        let name_span = match mac.path.segments.last() {
            Some(segment) => self.spans.one(segment.ident.span()),
            None => path.span,
        };
        Rvalue::Call { callee: Callee::Macro(path), receiver: None, args, name_span }
    }

    /// A macro call that is a statement; what it defines stays in scope.
    pub(super) fn macro_statement(&mut self, mac: &Macro) {
        let name = macro_name(mac);
        let mut items = Vec::new();
        if self.static_macro(&name, mac, &mut items) {
            return self.frame.body.items.extend(items);
        }
        let span = self.macro_span(mac);
        if name == "cfg_if" {
            return self.conditional_statements(&mac.tokens);
        }
        let expanded = self.expand(mac, &name, span, |this, tokens| {
            let stmts = Block::parse_within.parse2(tokens).ok()?;
            this.statements(&stmts, None);
            Some(())
        });
        if expanded.is_none()
            && let Value::Rvalue(value) = self.macro_value(mac)
        {
            self.store(value, None, span);
        }
    }

    /// A macro call at the end of a block.
    pub(super) fn tail_macro(&mut self, mac: &Macro) -> Value {
        match macro_name(mac).as_str() {
            "thread_local" | "lazy_static" | "cfg_if" => {
                self.macro_statement(mac);
                Value::unit()
            }
            _ => self.macro_value(mac),
        }
    }

    fn expanded_value(&mut self, mac: &Macro, name: &Name, span: Span) -> Option<Value> {
        self.expand(mac, name, span, |this, tokens| {
            if let Ok(expr) = syn::parse2::<Expr>(tokens.clone()) {
                return Some(Value::Operand(this.operand(&expr, None)));
            }
            let stmts = Block::parse_within.parse2(tokens).ok()?;
            Some(Value::Operand(this.scoped(|this| this.statements_operand(&stmts, None))))
        })
    }

    /// A macro call that is a pattern.
    pub(super) fn bind_macro(&mut self, mac: &Macro, place: &Place, binder: &mut Binder, ty: Option<&Type>) {
        let span = self.macro_span(mac);
        self.expand(mac, &macro_name(mac), span, |this, tokens| {
            let pat = Pat::parse_multi_with_leading_vert.parse2(tokens).ok()?;
            this.bind(&pat, place, binder, ty);
            Some(())
        });
    }
}

/// The last segment of a macro's path.
fn macro_name(mac: &Macro) -> Name {
    mac.path.segments.last().map_or_else(Name::default, |segment| ident_name(&segment.ident))
}
