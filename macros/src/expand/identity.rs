//! `derive(Identity)`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::Path;

use crate::ast::{Body, Field, FieldSet, Input, Variant};
use crate::expand::field::Access;
use crate::expand::in_scope_of_its_own;

/// Writes the impls; a struct is a record or, as a newtype, what it holds.
pub(crate) fn expand(input: &Input) -> TokenStream {
    let krate = &input.container.krate;
    let accesses = Accesses::of(input);
    let generics = input.bounded_generics(&accesses.0);
    let (impl_generics, type_generics, where_clause) = {
        let (_, type_generics, _) = input.source.generics.split_for_impl();
        let (impl_generics, _, where_clause) = generics.split_for_impl();
        (impl_generics, type_generics, where_clause)
    };
    let ident = &input.source.ident;
    let advice = accesses.0.iter().filter_map(Access::advice_trait);
    let table = match &input.body {
        Body::Struct(fields) => struct_table(fields, &accesses, krate),
        Body::Enum(variants) => enum_table(variants, &accesses, krate),
    };
    let traits = ["Identity", "PersistedIdentity"].map(|name| {
        let name = Ident::new(name, Span::call_site());
        quote! {
            #[automatically_derived]
            impl #impl_generics #krate::#name for #ident #type_generics #where_clause {
                const SCHEMA: #krate::Schema =
                    <Self as #krate::__private::DerivedIdentity>::TABLE.schema;
                fn encode(&self, slot: #krate::Slot<'_>) -> #krate::Written {
                    (<Self as #krate::__private::DerivedIdentity>::TABLE.encode)(self, slot)
                }
                fn template_text(&self) -> #krate::__private::Option<#krate::__private::Cow<'_, #krate::__private::str>> {
                    (<Self as #krate::__private::DerivedIdentity>::TABLE.template_text)(self)
                }
            }
        }
    });
    in_scope_of_its_own(&quote! {
        #(#advice)*
        #[automatically_derived]
        impl #impl_generics #krate::__private::DerivedIdentity for #ident #type_generics #where_clause {
            const TABLE: #krate::__private::IdentityTable<Self> = #table;
        }
        #(#traits)*
    })
}

/// The accesses of all fields, in the order of
/// [`identity_fields`](Input::identity_fields).
struct Accesses<'a>(Vec<Access<'a>>);

impl<'a> Accesses<'a> {
    fn of(input: &'a Input) -> Self {
        let persisted = input.container.persisted.is_some();
        let fields = input.identity_fields().enumerate();
        Self(
            fields
                .map(|(number, field)| Access::new(field, &input.container.krate, persisted, number))
                .collect(),
        )
    }
}

fn struct_table(fields: &FieldSet, accesses: &Accesses<'_>, krate: &Path) -> TokenStream {
    let this = Ident::new("this", Span::mixed_site());
    let slot = Ident::new("slot", Span::mixed_site());
    if let ([access], true) = (&accesses.0[..], fields.is_newtype) {
        let (schema, value) = (access.schema(), access.of(&this));
        let (encode, text) = (access.encode(&value, &slot), access.text(&value));
        return quote! {
            #krate::__private::IdentityTable {
                schema: #schema,
                encode: |#this: &Self, #slot: #krate::Slot<'_>| #encode,
                template_text: |#this: &Self| #text,
            }
        };
    }
    let record = Ident::new("fields", Span::mixed_site());
    let schema = record_schema(&accesses.0, krate);
    let writes = accesses.0.iter().map(|access| access.write(&record, &access.of(&this)));
    quote! {
        #krate::__private::IdentityTable {
            schema: #schema,
            encode: |#this: &Self, #slot: #krate::Slot<'_>| #slot.record(|#record| { #(#writes)* }),
            template_text: |_: &Self| #krate::__private::None,
        }
    }
}

/// The schema of named fields, which are sorted by name.
pub(super) fn record_schema(accesses: &[Access<'_>], krate: &Path) -> TokenStream {
    let fields = accesses.iter().map(|access| {
        let (name, schema) = (access.name(), access.schema());
        quote!(.field(#name, #schema))
    });
    quote!(#krate::Schema::of(#krate::Tag::Record) #(#fields)*)
}

fn enum_table(variants: &[Variant], accesses: &Accesses<'_>, krate: &Path) -> TokenStream {
    let mut accesses = accesses.0.iter();
    let arms: Vec<_> = variants
        .iter()
        .map(|variant| Arm {
            variant,
            accesses: accesses.by_ref().take(variant.fields.identity.len()).collect(),
            krate,
        })
        .collect();
    let mut sorted: Vec<_> = arms.iter().collect();
    sorted.sort_by(|left, right| left.variant.name.cmp(&right.variant.name));
    let schemas = sorted.iter().map(|arm| arm.schema());
    let slot = Ident::new("slot", Span::mixed_site());
    let encodes = arms.iter().map(|arm| arm.encode(&slot));
    let texts = arms.iter().map(Arm::text);
    quote! {
        #krate::__private::IdentityTable {
            schema: #krate::Schema::of(#krate::Tag::Variant) #(#schemas)*,
            encode: |this: &Self, #slot: #krate::Slot<'_>| match *this { #(#encodes)* },
            template_text: |this: &Self| match *this { #(#texts)* },
        }
    }
}

/// A variant with what is needed to write its match arms.
struct Arm<'a, 'f> {
    variant: &'a Variant,
    accesses: Vec<&'a Access<'f>>,
    krate: &'a Path,
}

impl Arm<'_, '_> {
    fn schema(&self) -> TokenStream {
        let krate = self.krate;
        let name = &self.variant.name;
        let fields = self.accesses.iter().map(|access| {
            let (name, schema) = (access.name(), access.schema());
            quote!(.field(#name, #schema))
        });
        quote!(.field(#name, #krate::Schema::of(#krate::Tag::Record) #(#fields)*))
    }

    fn encode(&self, slot: &Ident) -> TokenStream {
        let (ident, name) = (&self.variant.ident, &self.variant.name);
        let record = Ident::new("fields", Span::mixed_site());
        let bindings = self.variant.fields.identity.iter().map(|field| {
            let Field { member, binding, .. } = field;
            quote!(#member: ref #binding,)
        });
        let writes = self.accesses.iter().zip(&self.variant.fields.identity).map(|(access, field)| {
            let binding = &field.binding;
            access.write(&record, &quote!(#binding))
        });
        quote! {
            Self::#ident { #(#bindings)* .. } => #slot.variant(#name, |#record| { #(#writes)* }),
        }
    }

    fn text(&self) -> TokenStream {
        let krate = self.krate;
        let (ident, name) = (&self.variant.ident, &self.variant.name);
        let text = if self.variant.is_unit {
            quote!(#krate::__private::Some(#krate::__private::Cow::Borrowed(#name)))
        } else {
            quote!(#krate::__private::None)
        };
        quote!(Self::#ident { .. } => #text,)
    }
}
