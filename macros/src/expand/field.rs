//! How the value of one field is named, typed, written and turned into text.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::spanned::Spanned;
use syn::{Ident, Path, Type};

use crate::ast::{Field, How};
use crate::expand::shown_at;
use crate::types;

/// A field together with the trait through which it is read.
pub(crate) struct Access<'a> {
    field: &'a Field,
    krate: &'a Path,
    /// The trait that carries the advice for a volatile type of this name.
    advice: Option<(Ident, &'static str)>,
    /// Read as stored because the newtype around it says so.
    persisted: bool,
}

impl<'a> Access<'a> {
    /// Prepares the field with a number that is unique in its type.
    pub(crate) fn new(field: &'a Field, krate: &'a Path, persisted: bool, number: usize) -> Self {
        let takes_advice = matches!(field.how, How::Plain) && !persisted;
        let advice = takes_advice
            .then(|| types::refused(&field.ty))
            .flatten()
            .map(|refused| (format_ident!("__SamekeyIdentity{number}"), refused.advice));
        Self { field, krate, advice, persisted }
    }

    pub(crate) fn ty(&self) -> &'a Type {
        &self.field.ty
    }

    pub(crate) fn name(&self) -> &'a str {
        &self.field.name
    }

    /// The trait that a generic type of the field must have.
    pub(crate) fn bound(&self) -> Option<TokenStream> {
        let krate = self.krate;
        match self.field.how {
            How::Plain | How::Persisted => Some(self.base()),
            How::Instant(_) => Some(quote!(#krate::PersistedInstant)),
            How::Bytes => Some(quote!(#krate::BytesIdentity)),
            How::With(_) | How::Invalid => None,
        }
    }

    fn base(&self) -> TokenStream {
        let krate = self.krate;
        if self.persisted || matches!(self.field.how, How::Persisted) {
            quote!(#krate::PersistedIdentity)
        } else {
            quote!(#krate::Identity)
        }
    }

    /// The trait that reads the field: the base trait, or a trait of our own that
    /// every such type has and whose message is the advice.
    fn reader(&self) -> TokenStream {
        match &self.advice {
            Some((ident, _)) => quote!(#ident),
            None => self.base(),
        }
    }

    /// The trait that [`reader`](Self::reader) names, when it is our own.
    pub(crate) fn advice_trait(&self) -> Option<TokenStream> {
        let (ident, advice) = self.advice.as_ref()?;
        let (krate, base) = (self.krate, self.base());
        let message = format!("`{{Self}}` is no business identity: {advice}");
        let label = "may differ when the same intent runs again";
        let note = "if it is a type of your own with that name, derive it: `#[derive(samekey::Identity)]`";
        Some(quote! {
            #[diagnostic::on_unimplemented(message = #message, label = #label, note = #note)]
            trait #ident {
                const SCHEMA: #krate::Schema;
                fn encode(&self, slot: #krate::Slot<'_>) -> #krate::Written;
                fn template_text(&self) -> #krate::__private::Option<#krate::__private::Cow<'_, #krate::__private::str>>;
            }
            #[diagnostic::do_not_recommend]
            impl<T: #base + ?#krate::__private::Sized> #ident for T {
                const SCHEMA: #krate::Schema = <T as #base>::SCHEMA;
                fn encode(&self, slot: #krate::Slot<'_>) -> #krate::Written {
                    <T as #base>::encode(self, slot)
                }
                fn template_text(&self) -> #krate::__private::Option<#krate::__private::Cow<'_, #krate::__private::str>> {
                    <T as #base>::template_text(self)
                }
            }
        })
    }

    /// The schema of the field.
    pub(crate) fn schema(&self) -> TokenStream {
        let (krate, ty) = (self.krate, self.ty());
        match &self.field.how {
            How::Plain | How::Persisted => {
                let reader = self.reader();
                quote!(<#ty as #reader>::SCHEMA)
            }
            How::Instant(_) => quote!(<#ty as #krate::PersistedInstant>::SCHEMA),
            How::Bytes => quote!(<#ty as #krate::BytesIdentity>::SCHEMA),
            How::With(path) => {
                shown_at(path.span(), quote!(#krate::__private::schema_of_result::<#ty, _>(#path)))
            }
            How::Invalid => quote!(#krate::Schema::of(#krate::Tag::None)),
        }
    }

    /// Writes the field's value, given as a reference, into `slot`.
    pub(crate) fn encode(&self, value: &TokenStream, slot: &Ident) -> TokenStream {
        let (krate, ty) = (self.krate, self.ty());
        match &self.field.how {
            How::Plain | How::Persisted => {
                let reader = self.reader();
                quote!(<#ty as #reader>::encode(#value, #slot))
            }
            How::Bytes => quote!(<#ty as #krate::BytesIdentity>::encode_bytes(#value, #slot)),
            How::With(path) => {
                let converted = self.converted(value, path);
                let encode = quote!(#krate::Identity::encode(&#converted, #slot));
                shown_at(path.span(), encode)
            }
            // An instant is written by `write`, since it can be refused.
            How::Instant(_) | How::Invalid => quote!(#slot.none()),
        }
    }

    fn converted(&self, value: &TokenStream, path: &Path) -> TokenStream {
        let (krate, ty) = (self.krate, self.ty());
        shown_at(path.span(), quote!(#krate::__private::convert::<#ty, _>(#value, #path)))
    }

    /// The text of the value in a template.
    pub(crate) fn text(&self, value: &TokenStream) -> TokenStream {
        let (krate, ty) = (self.krate, self.ty());
        match &self.field.how {
            How::Plain | How::Persisted => {
                let reader = self.reader();
                quote!(<#ty as #reader>::template_text(#value))
            }
            How::With(path) => {
                let converted = self.converted(value, path);
                quote!(#krate::__private::text_of(#converted))
            }
            // Reported before: such a field cannot stand in a template.
            How::Instant(_) | How::Bytes | How::Invalid => quote!(#krate::__private::None),
        }
    }

    /// The field of `this`, as a reference.
    pub(crate) fn of(&self, this: &Ident) -> TokenStream {
        let member = &self.field.member;
        quote!(&#this.#member)
    }

    /// Adds the field to a record, given the value as a reference.
    pub(crate) fn write(&self, record: &Ident, value: &TokenStream) -> TokenStream {
        let (krate, ty, name) = (self.krate, self.ty(), self.name());
        if let How::Instant(precision) = &self.field.how {
            return quote! {
                <#ty as #krate::PersistedInstant>::write_stored(
                    #value, #krate::Precision::#precision, #record, #name,
                )?;
            };
        }
        let slot = Ident::new("slot", Span::mixed_site());
        let encode = self.encode(value, &slot);
        quote!(#record.field(#name, |#slot| #encode);)
    }
}
