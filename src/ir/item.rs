//! Items: what a file defines.

use std::sync::Arc;

use super::{Body, FileId, FunctionBody, Name, Path, Span, Type};

/// The result of lowering one file.
#[derive(Clone, Debug)]
pub struct FileIr {
    /// The file.
    pub file: FileId,
    /// Its items in source order.
    pub items: Vec<Item>,
    /// Attributes of the file itself (`#![cfg(test)]`).
    pub attributes: Attributes,
    /// Parts that were not understood, by place.
    pub gaps: Vec<Gap>,
}

/// A part of a file that could not be parsed or lowered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Where it is.
    pub span: Span,
    /// One sentence, lower case, that names the thing and the remedy.
    pub message: String,
}

/// An item.
#[derive(Clone, Debug)]
pub struct Item {
    /// Its name; empty for impls, that of the binding for uses.
    pub name: Name,
    /// What paths that mean it are marked with, where another item of the name is around (`Segment::bound_as`).
    pub bound_as: Option<Name>,
    /// The whole item.
    pub span: Span,
    /// The identifier (the span of the self type for an impl).
    pub name_span: Span,
    /// Its attributes.
    pub attributes: Attributes,
    /// What it is.
    pub kind: ItemKind,
}

/// Attributes that later steps ask for.
#[derive(Clone, Debug, Default)]
pub struct Attributes {
    /// Only compiled for tests: `#[cfg(test)]` (also inside `all(..)`), `#[test]`, `#[bench]`, and test
    /// attributes of runtimes whose last segment is `test` (`#[tokio::test]`), `#[rstest]`, `#[test_case(..)]`.
    pub test: bool,
    /// The text of all `cfg(..)` predicates, white space removed, joined by `;`. Empty when there is none.
    pub cfg: Name,
    /// Paths inside `#[derive(..)]`.
    pub derives: Vec<Path>,
    /// All other attributes, doc comments excluded; also those inside `cfg_attr(pred, ..)`.
    pub other: Vec<Attribute>,
}

/// An attribute as a path and its arguments.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// The path with `::`, such as `serde`, `tokio::main`, `idempotent`.
    pub path: Name,
    /// The tokens between the parentheses, or the string after `=`, as text.
    pub arguments: String,
    /// Where it is.
    pub span: Span,
}

/// What an item is.
#[derive(Clone, Debug)]
pub enum ItemKind {
    /// A function or method.
    Function(Box<Function>),
    /// A struct, enum or union.
    Type(TypeDefinition),
    /// A trait.
    Trait(Trait),
    /// An impl block.
    Impl(Impl),
    /// A static or constant; also an associated constant.
    Static(Box<Static>),
    /// A type alias; also an associated type.
    TypeAlias(TypeAlias),
    /// One imported name; `use a::{b, c}` yields two items.
    Use(Use),
    /// A module.
    Module(Module),
    /// `extern crate name as alias`; the item's name is the alias or the name.
    ExternCrate(Name),
    /// `macro_rules!`, kept so that its words count for loading.
    Macro(MacroDefinition),
}

/// A module.
#[derive(Clone, Debug)]
pub struct Module {
    /// The items of an inline module; `None` for `mod name;`.
    pub items: Option<Vec<Item>>,
    /// The value of `#[path = ".."]`.
    pub path: Option<String>,
}

/// One imported name. The item's name is the name it is bound to (`_` for `as _`), empty for a glob.
#[derive(Clone, Debug)]
pub struct Use {
    /// The path as written, without the glob star.
    pub path: Vec<Name>,
    /// Whether the path starts with `::`.
    pub global: bool,
    /// Whether it is `path::*`.
    pub glob: bool,
    /// Whether it is visible outside its module (`pub`, `pub(crate)`, ..).
    pub public: bool,
}

/// A `macro_rules!` definition.
#[derive(Clone, Debug)]
pub struct MacroDefinition {
    /// Whether `#[macro_export]` makes it visible at the crate root.
    pub exported: bool,
}

/// A type alias or associated type.
#[derive(Clone, Debug)]
pub struct TypeAlias {
    /// Generic parameters.
    pub generics: Generics,
    /// The aliased type; `None` for an associated type without default.
    pub ty: Option<Type>,
}

/// A static, constant or associated constant.
#[derive(Clone, Debug)]
pub struct Static {
    /// The declared type.
    pub ty: Type,
    /// Whether it is a `const`.
    pub constant: bool,
    /// Inside `thread_local!`.
    pub thread_local: bool,
    /// The initialiser as a body without parameters that returns the value.
    pub initializer: Option<Arc<Body>>,
}

/// Generic parameters with all their bounds.
#[derive(Clone, Debug, Default)]
pub struct Generics {
    /// Type parameters in order; lifetimes and const parameters are dropped.
    pub params: Vec<GenericParam>,
    /// Where-clauses on types that are not plain parameters.
    pub predicates: Vec<(Type, Vec<Path>)>,
}

/// A type parameter.
#[derive(Clone, Debug)]
pub struct GenericParam {
    /// Its name.
    pub name: Name,
    /// Trait bounds, those of where-clauses included. `Fn(A) -> B` bounds have the arguments in `args` of the
    /// last segment as one [`Type::Function`].
    pub bounds: Vec<Path>,
    /// The default type.
    pub default: Option<Type>,
}

/// A function, method, associated function, or a constructor.
#[derive(Clone, Debug)]
pub struct Function {
    /// Generic parameters; `impl Trait` parameters stay in the parameter's type.
    pub generics: Generics,
    /// The receiver.
    pub receiver: Option<SelfParam>,
    /// Parameters without the receiver.
    pub params: Vec<Param>,
    /// The result type; `None` is unit.
    pub result: Option<Type>,
    /// Whether it is `async`.
    pub asynchronous: bool,
    /// The body; `None` for a declaration. Parameter locals come first (the receiver is local 0 when there is one).
    pub body: Option<FunctionBody>,
}

/// How a method takes its receiver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SelfParam {
    /// `self`.
    Value,
    /// `&self`.
    Reference,
    /// `&mut self`.
    MutableReference,
    /// `self: T`.
    Typed(Type),
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name when the pattern is a plain identifier.
    pub name: Option<Name>,
    /// Its type.
    pub ty: Type,
    /// The whole parameter.
    pub span: Span,
    /// Attributes, such as `#[header]`.
    pub attributes: Attributes,
}

/// A struct, enum or union.
#[derive(Clone, Debug)]
pub struct TypeDefinition {
    /// Generic parameters.
    pub generics: Generics,
    /// What it is.
    pub kind: TypeKind,
    /// Whether all its fields are one memory.
    pub union: bool,
}

/// The shape of a type definition.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// A struct or union with its fields; tuple fields are named `0`, `1`.
    Struct(Vec<Field>),
    /// An enum.
    Enum(Vec<Variant>),
}

/// A field.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name; tuple fields are named `0`, `1`.
    pub name: Name,
    /// Its type.
    pub ty: Type,
    /// The whole field.
    pub span: Span,
    /// Its attributes.
    pub attributes: Attributes,
}

/// A variant of an enum.
#[derive(Clone, Debug)]
pub struct Variant {
    /// Its name.
    pub name: Name,
    /// Its fields; tuple fields are named `0`, `1`.
    pub fields: Vec<Field>,
    /// The whole variant.
    pub span: Span,
    /// Its attributes (`#[default]` among them).
    pub attributes: Attributes,
}

/// A trait.
#[derive(Clone, Debug)]
pub struct Trait {
    /// Generic parameters.
    pub generics: Generics,
    /// Supertraits.
    pub supertraits: Vec<Path>,
    /// Methods, constants and associated types.
    pub items: Vec<Item>,
}

/// An impl block.
#[derive(Clone, Debug)]
pub struct Impl {
    /// Generic parameters.
    pub generics: Generics,
    /// The trait of a trait impl.
    pub trait_path: Option<Path>,
    /// Whether it is `impl !Trait for T`.
    pub negative: bool,
    /// The type.
    pub self_type: Type,
    /// Methods, constants and associated types.
    pub items: Vec<Item>,
}
