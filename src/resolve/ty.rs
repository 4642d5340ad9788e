//! Types after name resolution.

use super::{TraitId, TypeId};
use crate::ir::Name;

/// A type after name resolution. References and pointers keep their place, so that a caller can see whether a
/// parameter is mutated; `Box`, `Rc` and `Arc` are ordinary [`Ty::External`] types.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ty {
    /// A type of the analysed tree.
    Adt {
        /// Its definition.
        id: TypeId,
        /// Generic arguments; shorter than the parameter list when unknown.
        args: Vec<Ty>,
    },
    /// A type from outside the tree by canonical path (`std::option::Option`, `uuid::Uuid`, `i64`, `str`).
    External {
        /// The path; `core::` and `alloc::` read `std::`, prelude names are expanded.
        path: Name,
        /// Generic arguments.
        args: Vec<Ty>,
    },
    /// A generic parameter with its bounds, `impl Trait` (then the name is empty) and an unresolved associated type.
    Param {
        /// The parameter's name, or `T::Item`.
        name: Name,
        /// Its trait bounds.
        bounds: Vec<TraitRef>,
    },
    /// `dyn A + B`.
    Dyn(Vec<TraitRef>),
    /// `&T`, `&mut T`.
    Reference {
        /// Whether it is `&mut`.
        mutable: bool,
        /// The type referred to.
        inner: Box<Ty>,
    },
    /// `[T]` and `[T; N]`.
    Sequence(Box<Ty>),
    /// `(A, B)`; unit is the empty tuple.
    Tuple(Vec<Ty>),
    /// A function pointer or `Fn` trait signature.
    Function {
        /// Parameter types.
        params: Vec<Ty>,
        /// Result type.
        result: Box<Ty>,
    },
    /// Not known.
    Unknown,
}

impl Ty {
    /// Whether the type has no more nodes than `left`, which shrinks by as many.
    pub fn fits(&self, left: &mut usize) -> bool {
        let Some(rest) = left.checked_sub(1) else { return false };
        *left = rest;
        let mut all = |types: &[Ty]| types.iter().all(|ty| ty.fits(left));
        match self {
            Ty::Adt { args, .. } | Ty::External { args, .. } | Ty::Tuple(args) => all(args),
            Ty::Reference { inner, .. } | Ty::Sequence(inner) => inner.fits(left),
            Ty::Function { params, result } => all(params) && result.fits(left),
            Ty::Param { bounds, .. } | Ty::Dyn(bounds) => bounds.iter().all(|bound| {
                all(&bound.args) && bound.bindings.iter().all(|(_, ty)| all(std::slice::from_ref(ty)))
            }),
            Ty::Unknown => true,
        }
    }
}

/// A trait with arguments, as a bound or in an impl.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TraitRef {
    /// Which trait.
    pub id: TraitDef,
    /// Generic arguments; a parenthesised `Fn(A) -> B` bound has one [`Ty::Function`].
    pub args: Vec<Ty>,
    /// Associated type bindings.
    pub bindings: Vec<(Name, Ty)>,
}

/// A trait of the tree, or one from outside by canonical path (`std::ops::Add`).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TraitDef {
    /// Of the tree.
    Local(TraitId),
    /// From outside.
    External(Name),
}
