//! `thread_local!` and `lazy_static!`: statics with an initialiser.

use syn::parse::{Parse, ParseStream};
use syn::{Expr, Ident, Token, Type, Visibility};

/// One static.
pub(in super::super) struct StaticDeclaration {
    pub attrs: Vec<syn::Attribute>,
    pub ident: Ident,
    pub ty: Type,
    pub value: Expr,
    pub thread_local: bool,
}

/// All statics of one macro call.
pub(super) struct Statics(pub Vec<StaticDeclaration>);

impl Parse for Statics {
    fn parse(input: ParseStream<'_>) -> syn::Result<Statics> {
        let mut statics = Vec::new();
        while !input.is_empty() {
            let attrs = input.call(syn::Attribute::parse_outer)?;
            input.parse::<Visibility>()?;
            input.parse::<Token![static]>()?;
            input.parse::<Option<Token![ref]>>()?;
            let ident = input.parse()?;
            input.parse::<Token![:]>()?;
            let ty = input.parse()?;
            input.parse::<Token![=]>()?;
            let value = input.parse()?;
            statics.push(StaticDeclaration { attrs, ident, ty, value, thread_local: false });
            if !input.is_empty() {
                input.parse::<Token![;]>()?;
            }
        }
        Ok(Statics(statics))
    }
}
