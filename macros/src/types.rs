//! What can be said about a type from its spelling alone.

use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;
use syn::{GenericArgument, PathArguments, ReturnType, Type};

use crate::facts::{self, RefusedType};

/// Runs over a type and everything inside of it until something is found.
fn find<T>(ty: &Type, look: &mut impl FnMut(&Type) -> Option<T>) -> Option<T> {
    if let Some(found) = look(ty) {
        return Some(found);
    }
    match ty {
        Type::Array(array) => find(&array.elem, look),
        Type::Slice(slice) => find(&slice.elem, look),
        Type::Reference(reference) => find(&reference.elem, look),
        Type::Paren(paren) => find(&paren.elem, look),
        Type::Group(group) => find(&group.elem, look),
        Type::Ptr(pointer) => find(&pointer.elem, look),
        Type::Tuple(tuple) => tuple.elems.iter().find_map(|inner| find(inner, look)),
        Type::Path(path) => path
            .qself
            .iter()
            .map(|qself| &*qself.ty)
            .chain(
                path.path
                    .segments
                    .iter()
                    .flat_map(|segment| arguments(&segment.arguments)),
            )
            .find_map(|inner| find(inner, look)),
        _ => None,
    }
}

fn arguments(arguments: &PathArguments) -> Vec<&Type> {
    match arguments {
        PathArguments::None => Vec::new(),
        PathArguments::AngleBracketed(list) => list
            .args
            .iter()
            .filter_map(|argument| match argument {
                GenericArgument::Type(ty) => Some(ty),
                GenericArgument::AssocType(associated) => Some(&associated.ty),
                _ => None,
            })
            .collect(),
        PathArguments::Parenthesized(list) => {
            let output = match &list.output {
                ReturnType::Default => None,
                ReturnType::Type(_, ty) => Some(&**ty),
            };
            list.inputs
                .iter()
                .map(|input| &input.ty)
                .chain(output)
                .collect()
        }
    }
}

/// The advice for the first volatile type that is spelled.
///
/// The name alone proves nothing: the compiler decides whether the type is an
/// identity, and only its message takes the advice.
pub(crate) fn refused(ty: &Type) -> Option<&'static RefusedType> {
    find(ty, &mut |inner| match inner {
        Type::Path(path) => {
            let last = path.path.segments.last()?;
            facts::refused_type(&last.ident.to_string())
        }
        _ => None,
    })
}

/// The first part whose value is an address or has no value at all.
pub(crate) fn address(ty: &Type) -> Option<(Span, &'static str)> {
    find(ty, &mut |inner| {
        let message = match inner {
            Type::Ptr(_) => {
                "a pointer is an address, which differs in each process: use the id of what it points to"
            }
            Type::FnPtr(_) => {
                "a function pointer is an address, which differs in each process: use a name"
            }
            Type::TraitObject(_) => {
                "a trait object does not say what it encodes: use a concrete type or an enum"
            }
            Type::Reference(reference) if reference.mutability.is_some() => {
                "a value that may still change identifies nothing: use `&`, or an owned value"
            }
            Type::Macro(_) => "the type is hidden in a macro: write it out, or give it a name",
            _ => return None,
        };
        Some((inner.span(), message))
    })
}

/// Whether the type is written as an `Option`.
pub(crate) fn is_option(ty: &Type) -> bool {
    matches!(ty, Type::Path(path)
        if path.path.segments.last().is_some_and(|segment| segment.ident == "Option"))
}

/// Where one of the names is used as a type.
pub(crate) fn mention(ty: &Type, names: &[Ident]) -> Option<Span> {
    find(ty, &mut |inner| match inner {
        Type::Path(path) if path.qself.is_none() => {
            let ident = &path.path.segments.first()?.ident;
            let alone = path.path.segments.len() == 1 && path.path.leading_colon.is_none();
            (alone && names.contains(ident)).then(|| inner.span())
        }
        _ => None,
    })
}

/// Whether the type depends on one of the type parameters, also as the first
/// segment of a longer path (`T::Id`).
pub(crate) fn depends_on(ty: &Type, parameters: &[Ident]) -> bool {
    find(ty, &mut |inner| match inner {
        Type::Path(path) => {
            let first = path.path.segments.first()?;
            parameters.contains(&first.ident).then_some(())
        }
        _ => None,
    })
    .is_some()
}
