//! The template and digest of a live key, as the derive reports what is wrong with them.

use proc_macro2::Span;
use samekey_catalogue::template::{Digest as DigestKind, Template as Parts};
use syn::LitStr;

use crate::errors::Errors;

/// The template with its place.
pub(crate) struct Template {
    pub(crate) span: Span,
    pub(crate) literals: Vec<String>,
    pub(crate) fields: Vec<String>,
}

impl Template {
    /// Reads `"{customer_id}:{billing_period}:monthly"`.
    pub(crate) fn read(literal: &LitStr, errors: &mut Errors) -> Option<Self> {
        let span = literal.span();
        match Parts::parse(&literal.value()) {
            Ok(Parts { literals, fields }) => Some(Self { span, literals, fields }),
            Err(message) => {
                errors.at(span, message);
                None
            }
        }
    }
}

/// What becomes of the text of a template.
pub(crate) struct Digest {
    /// As written, for the schema.
    pub(crate) text: String,
    pub(crate) kind: DigestKind,
}

impl Digest {
    /// Reads `"none"`, `"sha256/32"` or `"uuid5(namespace)"`.
    pub(crate) fn read(literal: &LitStr, errors: &mut Errors) -> Option<Self> {
        let text = literal.value();
        match DigestKind::parse(&text) {
            Ok(kind) => Some(Self { text, kind }),
            Err(message) => {
                errors.at(literal.span(), message);
                None
            }
        }
    }
}
