//! Names, paths, types, bounds and generic parameters.

use proc_macro2::Ident;
use syn::{GenericArgument, PathArguments, ReturnType, TypeParamBound, WherePredicate};

use super::{Lowerer, extent};
use crate::ir::{GenericParam, Generics, Name, Path, Segment, Type};

/// An identifier without its raw prefix.
pub(super) fn ident_name(ident: &Ident) -> Name {
    let name = smol_str::ToSmolStr::to_smolstr(ident);
    match name.strip_prefix("r#") {
        Some(stripped) => Name::new(stripped),
        None => name,
    }
}

/// A field name or tuple index.
pub(super) fn member_name(member: &syn::Member) -> Name {
    match member {
        syn::Member::Named(ident) => ident_name(ident),
        syn::Member::Unnamed(index) => index_name(index.index as usize),
    }
}

/// The name of a tuple field or element.
pub(super) fn index_name(index: usize) -> Name {
    smol_str::ToSmolStr::to_smolstr(&index)
}

impl Lowerer<'_> {
    /// A path as written.
    pub(super) fn path(&self, qself: Option<&syn::QSelf>, path: &syn::Path) -> Path {
        let first = extent::qualified_first(qself, path);
        let last = extent::qualified_last(qself, path);
        let mut segments: Vec<Segment> = path.segments.iter().map(|segment| self.segment(segment)).collect();
        if let (false, None, Some(first)) = (path.leading_colon.is_some(), qself, segments.first_mut())
            && let Some((_, renamed)) = self.renamed.iter().rev().find(|(name, _)| *name == first.name)
        {
            first.bound_as = Some(renamed.clone());
        }
        Path {
            qualified_self: qself.map(|qself| Box::new(self.ty(&qself.ty))),
            trait_segments: qself.map_or(0, |qself| qself.position),
            global: path.leading_colon.is_some() && qself.is_none(),
            segments,
            span: self.spans.between(first, last),
        }
    }

    fn segment(&self, segment: &syn::PathSegment) -> Segment {
        let mut lowered = Segment {
            name: ident_name(&segment.ident),
            bound_as: None,
            args: Vec::new(),
            bindings: Vec::new(),
        };
        match &segment.arguments {
            PathArguments::None => {}
            PathArguments::AngleBracketed(args) => self.angle_args(args, &mut lowered),
            PathArguments::Parenthesized(args) => lowered.args.push(Type::Function {
                params: args.inputs.iter().map(|input| self.ty(&input.ty)).collect(),
                result: Box::new(self.return_type(&args.output)),
            }),
        }
        lowered
    }

    fn angle_args(&self, args: &syn::AngleBracketedGenericArguments, segment: &mut Segment) {
        for arg in &args.args {
            match arg {
                GenericArgument::Type(ty) => segment.args.push(self.ty(ty)),
                GenericArgument::AssocType(assoc) => {
                    segment.bindings.push((ident_name(&assoc.ident), self.ty(&assoc.ty)));
                }
                GenericArgument::Constraint(constraint) => {
                    let bounds = Type::ImplTrait(self.bounds(&constraint.bounds));
                    segment.bindings.push((ident_name(&constraint.ident), bounds));
                }
                _ => {}
            }
        }
    }

    /// The type arguments of a turbofish.
    pub(super) fn turbofish(&self, args: Option<&syn::AngleBracketedGenericArguments>) -> Vec<Type> {
        let Some(args) = args else { return Vec::new() };
        let types = args.args.iter().filter_map(|arg| match arg {
            GenericArgument::Type(ty) => Some(self.ty(ty)),
            _ => None,
        });
        types.collect()
    }

    /// A result type; unit when none is written.
    pub(super) fn return_type(&self, output: &ReturnType) -> Type {
        match output {
            ReturnType::Default => Type::Tuple(Vec::new()),
            ReturnType::Type(_, ty) => self.ty(ty),
        }
    }

    /// A type as written.
    pub(super) fn ty(&self, ty: &syn::Type) -> Type {
        match ty {
            syn::Type::Array(node) => Type::Array(Box::new(self.ty(&node.elem))),
            syn::Type::FnPtr(node) => Type::Function {
                params: node.inputs.iter().map(|input| self.ty(&input.ty)).collect(),
                result: Box::new(self.return_type(&node.output)),
            },
            syn::Type::Group(node) => self.ty(&node.elem),
            syn::Type::ImplTrait(node) => Type::ImplTrait(self.bounds(&node.bounds)),
            syn::Type::Never(_) => Type::Never,
            syn::Type::Paren(node) => self.ty(&node.elem),
            syn::Type::Path(node) => Type::Path(Box::new(self.path(node.qself.as_ref(), &node.path))),
            syn::Type::Ptr(node) => Type::Pointer(Box::new(self.ty(&node.elem))),
            syn::Type::Reference(node) => {
                Type::Reference { mutable: node.mutability.is_some(), inner: Box::new(self.ty(&node.elem)) }
            }
            syn::Type::Slice(node) => Type::Slice(Box::new(self.ty(&node.elem))),
            syn::Type::TraitObject(node) => Type::DynTrait(self.bounds(&node.bounds)),
            syn::Type::Tuple(node) => Type::Tuple(node.elems.iter().map(|elem| self.ty(elem)).collect()),
            _ => Type::Infer,
        }
    }

    /// Trait bounds; lifetimes and `?Sized` are dropped.
    pub(super) fn bounds<'b>(&self, bounds: impl IntoIterator<Item = &'b TypeParamBound>) -> Vec<Path> {
        let traits = bounds.into_iter().filter_map(|bound| match bound {
            TypeParamBound::Trait(bound) if bound.maybe.is_none() => Some(self.path(None, &bound.path)),
            _ => None,
        });
        traits.collect()
    }

    /// Generic parameters with the bounds of their where-clauses.
    pub(super) fn generics(&self, generics: &syn::Generics) -> Generics {
        let mut lowered = Generics::default();
        for param in &generics.params {
            if let syn::GenericParam::Type(param) = param {
                lowered.params.push(GenericParam {
                    name: ident_name(&param.ident),
                    bounds: self.bounds(&param.bounds),
                    default: param.default.as_ref().map(|(_, ty)| self.ty(ty)),
                });
            }
        }
        for predicate in generics.where_clause.iter().flat_map(|clause| &clause.predicates) {
            if let WherePredicate::Type(predicate) = predicate {
                self.where_predicate(predicate, &mut lowered);
            }
        }
        lowered
    }

    fn where_predicate(&self, predicate: &syn::PredicateType, generics: &mut Generics) {
        let bounds = self.bounds(&predicate.bounds);
        let ty = self.ty(&predicate.bounded_ty);
        if let Type::Path(path) = &ty
            && path.is_ident()
            && let Some(param) = generics.params.iter_mut().find(|param| param.name == path.last_name())
        {
            param.bounds.extend(bounds);
        } else {
            generics.predicates.push((ty, bounds));
        }
    }
}
