//! The derive macros of samekey.
//!
//! A type is read in steps: [`attr`] reads the words of `#[idempotent(..)]`,
//! [`ast`] turns the type into typed input, [`check`] holds the rules, and
//! [`expand`] writes the code. Errors are gathered on the way and reported all at
//! once, together with those that the compiler finds in the code for the part
//! that is right.

mod ast;
mod attr;
mod check;
mod errors;
mod expand;
mod facts;
mod template;
mod types;

use proc_macro::TokenStream;
use proc_macro2::TokenStream as TokenStream2;
use syn::{Data, DeriveInput};

use crate::ast::{Derive, Input};
use crate::errors::Errors;

/// Derives `Idempotent` for a struct that describes one business operation.
///
/// See `docs/derive.md` of the project for every word of `#[idempotent(..)]`.
#[proc_macro_derive(Idempotent, attributes(idempotent))]
pub fn derive_idempotent(input: TokenStream) -> TokenStream {
    derive(input, Derive::Idempotent)
}

/// Derives `Identity` for newtypes, structs and enums that identify something.
///
/// See `docs/derive.md` of the project for every word of `#[idempotent(..)]`.
#[proc_macro_derive(Identity, attributes(idempotent))]
pub fn derive_identity(input: TokenStream) -> TokenStream {
    derive(input, Derive::Identity)
}

fn derive(input: TokenStream, derive: Derive) -> TokenStream {
    let source = syn::parse_macro_input!(input as DeriveInput);
    let mut errors = Errors::default();
    let input = Input::read(source, derive, &mut errors);
    let expanded = match (&input.source.data, derive) {
        (Data::Union(_), _) => TokenStream2::new(),
        (_, Derive::Idempotent) => expand::idempotent(&input),
        (_, Derive::Identity) => expand::identity(&input),
    };
    let mut output = errors.into_tokens();
    output.extend(expanded);
    output.into()
}
