//! Name resolution over the loaded files: modules, imports, types, impls and method lookup.
//!
//! [`Program::build`] places the files in a module tree, gives every definition an id, resolves all imports and
//! indexes the impls. After that a program does not change; every question is answered from it on demand and by
//! any thread. What the tree does not define is named by its canonical outside path.

mod binding;
mod build;
mod contents;
mod definitions;
mod globs;
mod impls;
mod imports;
mod methods;
mod paths;
mod placement;
mod prelude;
mod program;
mod requests;
mod scopes;
mod ty;
mod types;

pub use definitions::{
    CrateInfo, FilePlace, FunctionDef, ImplBlock, Owner, Signature, StaticDef, TraitDeclaration, TypeDef,
};
pub use methods::MethodLookup;
pub use paths::ValueDef;
pub(crate) use prelude::{is_primitive, is_standard_method};
pub use program::{FileInfo, Program};
pub use requests::{Absent, Request};
pub use ty::{TraitDef, TraitRef, Ty};
pub use types::Substitution;

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
