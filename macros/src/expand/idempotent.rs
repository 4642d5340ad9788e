//! `derive(Idempotent)`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use samekey_catalogue::template::Digest as DigestKind;
use syn::{GenericParam, LitStr};

use crate::ast::{Body, How, Input, member_name};
use crate::expand::field::Access;
use crate::expand::identity::record_schema;
use crate::expand::{in_scope_of_its_own, shown_at};

/// Writes the impls. A type that can refuse a value gets no
/// `InfallibleKey`, and with it no `idempotency_key()`.
pub(crate) fn expand(input: &Input) -> TokenStream {
    let krate = &input.container.krate;
    let accesses = accesses(input);
    let generics = input.bounded_generics(&accesses);
    let (_, type_generics, _) = input.source.generics.split_for_impl();
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let ident = &input.source.ident;
    let advice = accesses.iter().filter_map(Access::advice_trait);
    let Table { ty, value } = table(input, &accesses);
    let methods = methods(input);
    let infallible = (!can_refuse(input)).then(|| {
        quote! {
            #[automatically_derived]
            impl #impl_generics #krate::InfallibleKey for #ident #type_generics #where_clause {
                fn write_whole_identity(&self, fields: &mut #krate::Record) {
                    (<Self as #krate::__private::DerivedIntent>::TABLE.write)(self, fields)
                }
            }
        }
    });
    let operation = operation(input);
    let pin = pin(input);
    in_scope_of_its_own(&quote! {
        #(#advice)*
        #[automatically_derived]
        impl #impl_generics #krate::__private::DerivedIntent for #ident #type_generics #where_clause {
            type Table = #ty;
            const TABLE: Self::Table = #value;
        }
        #[automatically_derived]
        impl #impl_generics #krate::Idempotent for #ident #type_generics #where_clause {
            #operation
            #methods
        }
        #infallible
        #pin
    })
}

fn accesses(input: &Input) -> Vec<Access<'_>> {
    let fields = input.identity_fields().enumerate();
    fields.map(|(number, field)| Access::new(field, &input.container.krate, false, number)).collect()
}

/// Whether a value of the type may have no key. A template that could not be
/// read was reported; the type still has one.
fn can_refuse(input: &Input) -> bool {
    let has_instant = |how: &How| matches!(how, How::Instant(_));
    input.container.template.is_some() || input.identity_fields().any(|field| has_instant(&field.how))
}

struct Table {
    ty: TokenStream,
    value: TokenStream,
}

fn table(input: &Input, accesses: &[Access<'_>]) -> Table {
    let krate = &input.container.krate;
    let this = Ident::new("this", Span::mixed_site());
    let record = Ident::new("fields", Span::mixed_site());
    let schema = schema(input, accesses);
    let writes = accesses.iter().map(|access| access.write(&record, &access.of(&this)));
    if !can_refuse(input) {
        return Table {
            ty: quote!(#krate::__private::InfallibleTable<Self>),
            value: quote! {
                #krate::__private::InfallibleTable {
                    schema: #schema,
                    write: |#this: &Self, #record: &mut #krate::Record| { #(#writes)* },
                }
            },
        };
    }
    let live_key = live_key(input, accesses);
    Table {
        ty: quote!(#krate::__private::IntentTable<Self>),
        value: quote! {
            #krate::__private::IntentTable {
                schema: #schema,
                write: |#this: &Self, #record: &mut #krate::Record| {
                    #(#writes)*
                    #krate::__private::Ok(())
                },
                live_key: #live_key,
            }
        },
    }
}

fn schema(input: &Input, accesses: &[Access<'_>]) -> TokenStream {
    let fields = record_schema(accesses, &input.container.krate);
    match (&input.container.template, &input.container.digest) {
        (Some(template), Some(digest)) => {
            let digest = &digest.text;
            quote!(#fields.text(#template).text(#digest))
        }
        _ => fields,
    }
}

fn operation(input: &Input) -> TokenStream {
    let krate = &input.container.krate;
    let text = |literal: &Option<LitStr>| literal.as_ref().map(LitStr::value).unwrap_or_default();
    let namespace = text(&input.container.namespace);
    let operation = text(&input.container.operation);
    let version = input.container.version;
    quote! {
        const OPERATION: #krate::Operation = #krate::Operation::new(
            #namespace,
            #operation,
            #version,
            <Self as #krate::__private::DerivedIntent>::TABLE.schema,
        );
    }
}

fn methods(input: &Input) -> TokenStream {
    let krate = &input.container.krate;
    let table = quote!(<Self as #krate::__private::DerivedIntent>::TABLE);
    let result = quote!(#krate::__private::Result);
    if !can_refuse(input) {
        return quote! {
            fn write_identity(&self, fields: &mut #krate::Record) -> #result<(), #krate::KeyError> {
                (#table.write)(self, fields);
                #krate::__private::Ok(())
            }
        };
    }
    quote! {
        fn write_identity(&self, fields: &mut #krate::Record) -> #result<(), #krate::KeyError> {
            (#table.write)(self, fields)
        }
        fn live_key(&self) -> #krate::__private::Option<#result<#krate::Key, #krate::KeyError>> {
            match #table.live_key {
                #krate::__private::Some(live_key) => #krate::__private::Some(live_key(self)),
                #krate::__private::None => #krate::__private::None,
            }
        }
    }
}

fn live_key(input: &Input, accesses: &[Access<'_>]) -> TokenStream {
    let krate = &input.container.krate;
    let (Some(template), Some(digest), Body::Struct(fields)) =
        (&input.template, &input.container.digest, &input.body)
    else {
        return quote!(#krate::__private::None);
    };
    let this = Ident::new("this", Span::mixed_site());
    let values = template.fields.iter().filter_map(|name| {
        let index = fields.identity.iter().position(|field| member_name(&field.member) == *name)?;
        let access = accesses.get(index)?;
        let text = access.text(&access.of(&this));
        Some(quote!((#name, #text)))
    });
    let literals = &template.literals;
    let digest = digest_value(&digest.kind);
    quote! {
        #krate::__private::Some(|#this: &Self| {
            #krate::__private::Template {
                literals: &[#(#literals),*],
                digest: #krate::__private::TemplateDigest::#digest,
            }
            .key(&[#(#values),*])
        })
    }
}

fn digest_value(kind: &DigestKind) -> TokenStream {
    match kind {
        DigestKind::None => quote!(None),
        DigestKind::Sha256(digits) => quote!(Sha256(#digits)),
        DigestKind::Uuid5(namespace) => quote!(Uuid5([#(#namespace),*])),
    }
}

/// Compares the schema at compile time. A type with type or const parameters
/// has no single schema; that was reported.
fn pin(input: &Input) -> Option<TokenStream> {
    let pin = input.container.pin.as_ref()?;
    let krate = &input.container.krate;
    let ident = &input.source.ident;
    let parameters = input.source.generics.params.iter();
    let lifetimes: Vec<_> = parameters
        .map(|parameter| match parameter {
            GenericParam::Lifetime(_) => Some(quote!('static)),
            _ => None,
        })
        .collect::<Option<_>>()?;
    let assertion = quote! {
        const _: () = #krate::__private::assert_pin(
            <#ident<#(#lifetimes),*> as #krate::Idempotent>::OPERATION.schema,
            #pin,
        );
    };
    Some(shown_at(pin.span(), assertion))
}
