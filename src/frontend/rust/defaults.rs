//! Values that a derive fills in where none was given: `#[serde(default = "path")]` and the like. Each type with such
//! fields gets an impl block that does by hand what the derive generates.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote_spanned};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{Expr, ExprLit, Field, Fields, Lit, Meta, Token};

use super::Lowerer;
use crate::ir::Item;

/// The derives that take a default for a field, by the path of their attribute and the name of the argument, and what
/// stands there.
const DEFAULTS: &[(&str, &str, Given)] = &[
    ("serde", "default", Given::Function),
    ("builder", "default", Given::Expression),
    ("builder", "default_code", Given::Expression),
    ("arg", "default_value_t", Given::Expression),
    ("clap", "default_value_t", Given::Expression),
];

/// What an attribute gives as a default.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Given {
    /// The path of a function, as a string.
    Function,
    /// An expression, as it is or as a string.
    Expression,
}

impl Lowerer<'_> {
    /// The impl block for the defaults of a type's fields; `None` when there are none.
    pub(super) fn field_defaults(&mut self, item: &syn::Item) -> Option<Item> {
        let (ident, generics, variants) = match item {
            syn::Item::Struct(node) => (&node.ident, &node.generics, vec![(None, &node.fields)]),
            syn::Item::Enum(node) => {
                let variants = node.variants.iter().map(|variant| (Some(&variant.ident), &variant.fields));
                (&node.ident, &node.generics, variants.collect())
            }
            _ => return None,
        };
        let functions: Vec<TokenStream> =
            variants.into_iter().filter_map(|(variant, fields)| filled(variant, fields)).collect();
        if functions.is_empty() {
            return None;
        }
        let (bounds, arguments, conditions) = generics.split_for_impl();
        let block = quote_spanned! { ident.span() =>
            impl #bounds #ident #arguments #conditions { #(#functions)* }
        };
        Some(self.impl_item(&syn::parse2(block).ok()?))
    }
}

/// A function that takes what was given for the fields with a default and makes the value.
fn filled(variant: Option<&Ident>, fields: &Fields) -> Option<TokenStream> {
    let Fields::Named(fields) = fields else { return None };
    let defaults: Vec<(&Field, &Ident, TokenStream)> = fields
        .named
        .iter()
        .filter_map(|field| Some((field, field.ident.as_ref()?, default_of(field)?)))
        .collect();
    let (_, first, _) = defaults.first()?;
    let span = first.span();
    let path = variant.map(|variant| quote_spanned! { span => ::#variant });
    let given: Vec<Ident> = (0..)
        .zip(&defaults)
        .map(|(index, (.., default))| format_ident!("given_{index}", span = default.span()))
        .collect();
    let types = defaults.iter().map(|(field, ..)| &field.ty);
    let values = defaults.iter().zip(&given).map(|((_, name, default), given)| {
        quote_spanned! { default.span() => #name: #given.unwrap_or_else(|| #default) }
    });
    Some(quote_spanned! { span =>
        fn filled_in(#(#given: Option<#types>),*) -> Self { Self #path { #(#values,)* ..rest() } }
    })
}

fn default_of(field: &Field) -> Option<TokenStream> {
    field.attrs.iter().find_map(|attribute| in_meta(&attribute.meta))
}

fn in_meta(meta: &Meta) -> Option<TokenStream> {
    let Meta::List(list) = meta else { return None };
    let conditional = list.path.is_ident("cfg_attr");
    if !conditional && !DEFAULTS.iter().any(|(path, ..)| list.path.is_ident(path)) {
        return None;
    }
    let arguments = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).ok()?;
    if conditional {
        return arguments.iter().skip(1).find_map(in_meta);
    }
    arguments.iter().find_map(|argument| {
        let Meta::NameValue(pair) = argument else { return None };
        let (.., given) =
            DEFAULTS.iter().find(|(path, name, _)| list.path.is_ident(path) && pair.path.is_ident(name))?;
        expression(&pair.value, *given)
    })
}

fn expression(value: &Expr, given: Given) -> Option<TokenStream> {
    let span = value.span();
    match (value, given) {
        (Expr::Lit(ExprLit { lit: Lit::Str(text), .. }), Given::Function) => {
            let path: syn::ExprPath = text.parse().ok()?;
            Some(quote_spanned! { span => #path() })
        }
        // A string is the expression in one derive and the value itself in others; what it says decides.
        (Expr::Lit(ExprLit { lit: Lit::Str(text), .. }), Given::Expression) => {
            let expression: Expr = text.parse().ok()?;
            Some(quote_spanned! { span => #expression })
        }
        (_, Given::Expression) => Some(quote_spanned! { span => #value }),
        (_, Given::Function) => None,
    }
}
