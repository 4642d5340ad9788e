//! The code that a derive writes.
//!
//! Every name is an absolute path through the runtime crate, so nothing that the
//! user's scope holds can take its place. All that needs a field's type to be an
//! identity stands in one constant, so the compiler reports each field once.

mod field;
mod idempotent;
mod identity;

pub(crate) use idempotent::expand as idempotent;
pub(crate) use identity::expand as identity;

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::quote;
use syn::{GenericParam, Generics, WherePredicate, parse_quote};

use crate::ast::{Body, Field, Input};
use crate::expand::field::Access;
use crate::types;

impl Input {
    /// All fields of the identity, of a struct or of every variant.
    pub(crate) fn identity_fields(&self) -> impl Iterator<Item = &Field> {
        let (fields, variants) = match &self.body {
            Body::Struct(fields) => (Some(fields), &[][..]),
            Body::Enum(variants) => (None, &variants[..]),
        };
        let of_variants = variants.iter().map(|variant| &variant.fields);
        fields.into_iter().chain(of_variants).flat_map(|fields| &fields.identity)
    }

    /// The generics, with a bound for each field type that depends on them.
    fn bounded_generics(&self, accesses: &[Access<'_>]) -> Generics {
        let parameters = self.type_parameters();
        let mut generics = self.source.generics.clone();
        let bounds: Vec<WherePredicate> = accesses
            .iter()
            .filter(|access| types::depends_on(access.ty(), &parameters))
            .filter_map(|access| {
                let (ty, bound) = (access.ty(), access.bound()?);
                Some(parse_quote!(#ty: #bound))
            })
            .collect();
        if !bounds.is_empty() {
            generics.make_where_clause().predicates.extend(bounds);
        }
        generics
    }

    fn type_parameters(&self) -> Vec<Ident> {
        let parameters = self.source.generics.params.iter();
        parameters
            .filter_map(|parameter| match parameter {
                GenericParam::Type(parameter) => Some(parameter.ident.clone()),
                _ => None,
            })
            .collect()
    }
}

/// Wraps generated items so that their names stay out of the user's scope.
fn in_scope_of_its_own(items: &TokenStream) -> TokenStream {
    quote! {
        const _: () = {
            #items
        };
    }
}

/// The same tokens, which the compiler reports at a span.
fn shown_at(span: Span, tokens: TokenStream) -> TokenStream {
    tokens
        .into_iter()
        .map(|mut token| {
            if let TokenTree::Group(group) = &token {
                let inner = shown_at(span, group.stream());
                token = TokenTree::Group(Group::new(group.delimiter(), inner));
            }
            token.set_span(token.span().located_at(span));
            token
        })
        .collect()
}
