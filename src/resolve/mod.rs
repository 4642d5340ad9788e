//! Name resolution over the loaded files: modules, imports, types, impls and method lookup.

mod ty;

pub use ty::{TraitDef, TraitRef, Ty};

/// An index of a definition kind; ids follow the sorted order of files and the source order inside a file.
macro_rules! id {
    ($($(#[$meta:meta])* $name:ident),*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);
    )*};
}
id! {
    /// A crate (package target) of the tree.
    CrateId,
    /// A name scope: a module, or the inside of a function or impl.
    ScopeId,
    /// A function, method or associated function.
    FunctionId,
    /// A struct, enum or union.
    TypeId,
    /// A trait.
    TraitId,
    /// An impl block.
    ImplId,
    /// A static or constant, associated ones included.
    StaticId
}
