//! All errors of one type, gathered to be reported at once.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// The errors that were found so far.
#[derive(Default)]
pub(crate) struct Errors {
    found: Vec<syn::Error>,
}

impl Errors {
    /// Reports at a span.
    pub(crate) fn at(&mut self, span: Span, message: impl Into<String>) {
        self.found.push(syn::Error::new(span, message.into()));
    }

    /// Reports at everything that the tokens cover.
    pub(crate) fn on(&mut self, tokens: impl ToTokens, message: impl Into<String>) {
        self.found.push(syn::Error::new_spanned(tokens, message.into()));
    }

    /// Takes over an error of the parser.
    pub(crate) fn take(&mut self, error: syn::Error) {
        self.found.push(error);
    }

    /// Gives the value of a result, or reports its error.
    pub(crate) fn ok<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.take(error)).ok()
    }

    /// The compile errors, as items.
    pub(crate) fn into_tokens(self) -> TokenStream {
        self.found.iter().map(syn::Error::to_compile_error).collect()
    }
}
