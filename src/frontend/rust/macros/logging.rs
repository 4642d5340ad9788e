//! Logging macros of `log` and `tracing`: fields, then a message.

use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Expr, Ident, LitStr, Macro, Token, token};

use super::super::Lowerer;
use super::format::FormatArgs;
use crate::ir::{Argument, Operand, Rvalue};

/// The arguments of a logging macro.
#[derive(Default)]
struct LogArgs {
    values: Vec<Expr>,
    message: Option<FormatArgs>,
}

impl LogArgs {
    fn parse(input: ParseStream<'_>) -> syn::Result<LogArgs> {
        let mut args = LogArgs::default();
        args.fields(input)?;
        Ok(args)
    }

    fn fields(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        while !input.is_empty() {
            if input.peek(LitStr) && !input.peek2(Token![=]) {
                self.message = Some(FormatArgs::parse(input)?);
            } else if input.peek(token::Brace) {
                let content;
                syn::braced!(content in input);
                self.fields(&content)?;
            } else {
                self.field(input)?;
            }
            if input.peek(Token![;]) {
                input.parse::<Token![;]>()?;
            } else if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(())
    }

    fn field(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        let ahead = input.fork();
        if key(&ahead).is_ok() {
            key(input)?;
        }
        if input.peek(Token![%]) {
            input.parse::<Token![%]>()?;
        } else if input.peek(Token![?]) {
            input.parse::<Token![?]>()?;
        }
        if input.peek(token::Brace) || !(input.is_empty() || input.peek(Token![,])) {
            self.values.push(input.parse()?);
        }
        Ok(())
    }
}

/// `a.b =`, `"a" =`, `a:? =`, `target:`.
fn key(input: ParseStream<'_>) -> syn::Result<()> {
    if input.peek(LitStr) {
        input.parse::<LitStr>()?;
    } else {
        input.call(Ident::parse_any)?;
        while input.peek(Token![.]) {
            input.parse::<Token![.]>()?;
            input.call(Ident::parse_any)?;
        }
    }
    if input.peek(Token![:]) && !input.peek(Token![::]) {
        input.parse::<Token![:]>()?;
        let mut modifier = false;
        if input.peek(Token![?]) || input.peek(Token![%]) {
            input.parse::<proc_macro2::TokenTree>()?;
            modifier = true;
        } else if input.peek(Ident) && input.peek2(Token![=]) {
            input.parse::<Ident>()?;
            modifier = true;
        }
        if modifier {
            input.parse::<Token![=]>()?;
        }
        return Ok(());
    }
    if input.peek(Token![==]) {
        return Err(input.error("expected `=`"));
    }
    input.parse::<Token![=]>().map(|_| ())
}

impl Lowerer<'_> {
    /// A logging macro; its values and its message are arguments.
    pub(super) fn logging(&mut self, mac: &Macro) -> Option<Rvalue> {
        let parsed = LogArgs::parse.parse2(mac.tokens.clone()).ok()?;
        let span = self.macro_span(mac);
        let mut args = Vec::new();
        for value in &parsed.values {
            let operand = self.operand(value, None);
            args.push(Argument { operand, span: self.expr_span(value) });
        }
        if let Some(message) = &parsed.message {
            let text = self.format("format_args", message);
            args.push(Argument { operand: Operand::Place(self.store(text, None, span)), span });
        }
        Some(self.named_macro_call(mac, args))
    }
}
