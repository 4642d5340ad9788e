//! What can be said about a type from its spelling alone.

use proc_macro2::{Ident, Span};
use samekey_catalogue::derive::{RefusedType, refused_type};
use syn::spanned::Spanned;
use syn::{GenericArgument, PathArguments, ReturnType, Type, TypePath};

/// Std types that hold their argument, so that what is said of it is said of them.
const HOLDERS: [&str; 8] = ["Option", "Box", "Vec", "VecDeque", "Rc", "Arc", "BTreeMap", "BTreeSet"];

/// Which generic arguments of a path are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Those of types that surely hold a value of their argument.
    Held,
    /// All: the argument may be a mere marker, as in `Id<Order>`.
    Spelled,
}

/// Runs over a type and everything inside of it until something is found.
fn find<T>(ty: &Type, reach: Reach, look: &mut impl FnMut(&Type) -> Option<T>) -> Option<T> {
    if let Some(found) = look(ty) {
        return Some(found);
    }
    match ty {
        Type::Array(array) => find(&array.elem, reach, look),
        Type::Slice(slice) => find(&slice.elem, reach, look),
        Type::Reference(reference) => find(&reference.elem, reach, look),
        Type::Paren(paren) => find(&paren.elem, reach, look),
        Type::Group(group) => find(&group.elem, reach, look),
        Type::Tuple(tuple) => tuple.elems.iter().find_map(|inner| find(inner, reach, look)),
        Type::Path(path) => inside(path, reach).into_iter().find_map(|inner| find(inner, reach, look)),
        _ => None,
    }
}

fn inside(path: &TypePath, reach: Reach) -> Vec<&Type> {
    let segments = path.path.segments.iter();
    let qualified = path.qself.iter().map(|qself| &*qself.ty);
    match reach {
        Reach::Spelled => {
            qualified.chain(segments.flat_map(|segment| arguments(&segment.arguments))).collect()
        }
        Reach::Held => segments
            .filter(|segment| HOLDERS.iter().any(|holder| segment.ident == holder))
            .flat_map(|segment| arguments(&segment.arguments))
            .collect(),
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
            list.inputs.iter().map(|input| &input.ty).chain(output).collect()
        }
    }
}

/// The advice for the first volatile type that is spelled.
///
/// The name alone proves nothing: the compiler decides whether the type is an
/// identity, and only its message takes the advice.
pub(crate) fn refused(ty: &Type) -> Option<&'static RefusedType> {
    find(ty, Reach::Spelled, &mut |inner| match inner {
        Type::Path(path) => {
            let last = path.path.segments.last()?;
            refused_type(&last.ident.to_string())
        }
        _ => None,
    })
}

/// The first part whose value is an address or has no value at all.
pub(crate) fn address(ty: &Type) -> Option<(Span, &'static str)> {
    find(ty, Reach::Held, &mut |inner| {
        let message = match inner {
            Type::Ptr(_) => {
                "a pointer is an address, which differs in each process: use the id of what it points to"
            }
            Type::FnPtr(_) => "a function pointer is an address, which differs in each process: use a name",
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
    match ty {
        Type::Group(group) => is_option(&group.elem),
        Type::Paren(paren) => is_option(&paren.elem),
        Type::Path(path) => path.path.segments.last().is_some_and(|segment| segment.ident == "Option"),
        _ => false,
    }
}

/// Where one of the names is used as a type.
pub(crate) fn mention(ty: &Type, names: &[Ident]) -> Option<Span> {
    find(ty, Reach::Held, &mut |inner| match inner {
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
    find(ty, Reach::Spelled, &mut |inner| match inner {
        Type::Path(path) => {
            let first = path.path.segments.first()?;
            parameters.contains(&first.ident).then_some(())
        }
        _ => None,
    })
    .is_some()
}
