//! The language-neutral intermediate representation.
//!
//! A front end turns the bytes of one file into a [`FileIr`]: its items, and for each function a control-flow
//! graph of simple statements over places. Nothing after the front end knows which language a file was written
//! in, and nothing here does I/O, prints, or is serialised.

mod body;
mod deferred;
mod item;
mod name;
mod print;
mod ty;

pub use body::{
    AggregateKind, Argument, BinaryOperator, Block, BlockId, Body, Callee, Capture, Closure, ClosureId,
    ClosureKind, FieldInit, FormatPiece, FormatTrait, Guard, Index, Local, LocalId, LocalKind, Loop, LoopId,
    LoopKind, Operand, Place, PlaceBase, Projection, Rvalue, Statement, StatementKind, Terminator, TypeHint,
    UnaryOperator,
};
pub use deferred::{DeferredBody, FunctionBody, LateBody};
pub use item::{
    Attribute, Attributes, Field, FileIr, Function, Gap, GenericParam, Generics, Impl, Item, ItemKind,
    MacroDefinition, Module, Param, SelfParam, Static, Trait, TypeAlias, TypeDefinition, TypeKind, Use,
    Variant,
};
pub use name::NameHash;
pub use print::{print_body, print_path, print_type};
pub use ty::{Path, Segment, Type};

/// An identifier. Raw identifiers lose their `r#`.
pub type Name = smol_str::SmolStr;

/// A file of the analysed tree, an index into the list of files in sorted order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A range of bytes of a file as it is on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The smallest span that covers both; `other` must lie in the same file.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A literal value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Literal {
    /// A string, C string or the decoded content of a string constant expression such as `concat!`.
    Str(Name),
    /// A byte string.
    Bytes(Vec<u8>),
    /// A character.
    Char(char),
    /// An integer, as its decimal digits without suffix.
    Int(Name),
    /// A floating-point number, as written without suffix.
    Float(Name),
    /// `true` or `false`.
    Bool(bool),
    /// The unit value, and Java's `null`.
    Unit,
}
