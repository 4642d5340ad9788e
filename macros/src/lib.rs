//! The derive macros of samekey.
//!
//! A type is read in steps: `attr` reads the words of `#[idempotent(..)]`,
//! `ast` turns the type into typed input, `check` holds the rules, and
//! `expand` writes the code. Errors are gathered on the way and reported all at
//! once, together with those that the compiler finds in the code for the part
//! that is right.

mod ast;
mod attr;
mod check;
mod errors;
mod expand;
mod template;
mod types;

use proc_macro::TokenStream;
use proc_macro2::TokenStream as TokenStream2;
use syn::{Data, DeriveInput};

use crate::ast::{Derive, Input};
use crate::errors::Errors;

/// Derives `Idempotent` for a struct that describes one business operation.
///
/// ```
/// use samekey::Idempotent;
///
/// #[derive(Idempotent)]
/// #[idempotent(namespace = "billing", operation = "charge.monthly")]
/// struct MonthlyCharge {
///     #[idempotent(identity)]
///     customer_id: String,
///     #[idempotent(identity, persisted = "invoices.id, inserted before the first call")]
///     invoice_id: uuid::Uuid,
///     #[idempotent(ignore = "snapshot stored with the claim")]
///     amount_cents: i64,
/// }
///
/// let charge = MonthlyCharge {
///     customer_id: "cust_123".into(),
///     invoice_id: uuid::Uuid::from_u128(7),
///     amount_cents: 4_900,
/// };
/// let key = charge.idempotency_key();
/// assert_eq!(key.as_str().len(), 32);
/// ```
///
/// Before the struct: `namespace`, `operation` (both required), `version = 2`,
/// `pin = ".."`, `template = ".."` with `digest = ".."`, `crate = path`.
///
/// Before a field: `identity` or `ignore = "why"`, and with `identity`:
/// `rename = ".."`, `persisted = "where"`, `at = "microsecond"`,
/// `attempt = "column and when it is raised"`, `stable = "why"`, `with = path`,
/// `bytes`. `docs/derive.md` of the project explains each.
#[proc_macro_derive(Idempotent, attributes(idempotent))]
pub fn derive_idempotent(input: TokenStream) -> TokenStream {
    derive(input, Derive::Idempotent)
}

/// Derives `Identity` for newtypes, structs and enums that identify something.
///
/// ```
/// use samekey::Identity;
///
/// #[derive(Identity)]
/// struct Iban(String);
///
/// #[derive(Identity)]
/// #[idempotent(persisted = "primary key of customers")]
/// struct CustomerId(uuid::Uuid);
///
/// #[derive(Identity)]
/// enum Payer {
///     Customer(CustomerId),
///     #[idempotent(rename = "bank")]
///     BankAccount {
///         iban: Iban,
///         #[idempotent(ignore = "only shown")]
///         label: String,
///     },
/// }
/// ```
///
/// Every field belongs to the identity unless it says `ignore = "why"`. A tuple
/// struct with one field encodes as that field. Fields take the words of
/// [`Idempotent`](macro@Idempotent) except `at` and `attempt`; variants take
/// `rename`.
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

#[cfg(test)]
#[path = "../tests/unit/catalogue_rows.rs"]
mod catalogue_rows;
