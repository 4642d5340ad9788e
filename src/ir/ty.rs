//! Types and paths as written in the source, before any name is resolved.

use super::{Name, Span};

/// A type as written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// A named type, `Self` and generic parameters included.
    Path(Box<Path>),
    /// `&T` or `&mut T`.
    Reference {
        /// Whether it is `&mut`.
        mutable: bool,
        /// The type referred to.
        inner: Box<Type>,
    },
    /// `*const T` or `*mut T`.
    Pointer(Box<Type>),
    /// `[T]`.
    Slice(Box<Type>),
    /// `[T; N]`.
    Array(Box<Type>),
    /// `(A, B)`; the unit type is the empty tuple.
    Tuple(Vec<Type>),
    /// `fn(A) -> B`, and the parenthesised form of the `Fn` traits.
    Function {
        /// Parameter types.
        params: Vec<Type>,
        /// Result type.
        result: Box<Type>,
    },
    /// `impl A + B`.
    ImplTrait(Vec<Path>),
    /// `dyn A + B`.
    DynTrait(Vec<Path>),
    /// `!`.
    Never,
    /// `_`, or a type that the front end does not model.
    Infer,
}

/// A path as written, with generic arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Path {
    /// The self type of a qualified path: `T` of `<T as Trait>::name`.
    pub qualified_self: Option<Box<Type>>,
    /// How many leading segments name the trait of a qualified path (`0` for `<T>::name`).
    pub trait_segments: usize,
    /// Whether the path starts with `::`.
    pub global: bool,
    /// The segments; never empty unless `qualified_self` is set.
    pub segments: Vec<Segment>,
    /// Where the path stands.
    pub span: Span,
}

/// One segment of a path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Segment {
    /// The identifier; `self`, `super`, `crate`, `Self` and `$crate` (as `crate`) included.
    pub name: Name,
    /// Of a first segment that means an item of a nested block: what tells this from others of the name.
    pub bound_as: Option<Name>,
    /// Generic type arguments; lifetimes and const arguments are dropped.
    pub args: Vec<Type>,
    /// Associated type bindings such as `Item = T`.
    pub bindings: Vec<(Name, Type)>,
}

impl Segment {
    /// The name by which it is looked up.
    #[must_use]
    pub fn lookup_name(&self) -> &str {
        self.bound_as.as_ref().unwrap_or(&self.name)
    }
}

impl Path {
    /// The last segment's name, or `""` for a bare qualified self.
    #[must_use]
    pub fn last_name(&self) -> &str {
        self.segments.last().map_or("", |segment| segment.name.as_str())
    }

    /// Whether the path is a single plain identifier.
    #[must_use]
    pub fn is_ident(&self) -> bool {
        self.qualified_self.is_none() && !self.global && self.segments.len() == 1
    }
}
