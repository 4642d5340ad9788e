//! What a program defines, with everything that the files said about it.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::{CrateId, FunctionId, ImplId, ScopeId, StaticId, TraitId, TraitRef, Ty, TypeId};
use crate::ir::{self, Attributes, FileId, Name, Span};

/// A crate (package target) of the tree, as discovery found it in the manifests.
#[derive(Clone, Debug, Default)]
pub struct CrateInfo {
    /// Its name, with `_` for `-`.
    pub name: Name,
    /// Whether it uses the paths of edition 2015.
    pub edition_2015: bool,
    /// Its root file, when loaded.
    pub root: Option<FileId>,
    /// Names under which it sees other crates of the tree (renames applied, its own library included).
    pub dependencies: Vec<(Name, CrateId)>,
    /// Names of its other dependencies.
    pub external: Vec<Name>,
    /// Renamed outside dependencies: the name in code and the real crate name (`uid = { package = "uuid" }`).
    pub renamed: Vec<(Name, Name)>,
    /// Whether it is a test or bench target.
    pub test: bool,
}

/// Where a file stands, by its path. A loaded parent's `mod` declarations override it.
#[derive(Clone, Debug)]
pub struct FilePlace {
    /// The crate.
    pub krate: CrateId,
    /// The module path below the crate root (`src/a/b.rs` and `src/a/b/mod.rs` are `a`, `b`).
    pub module: Vec<Name>,
    /// Whether all of it is test code.
    pub test: bool,
    /// The path relative to the root of the tree, with `/`.
    pub path: String,
}

/// What a function, static or associated type is a member of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// Free-standing.
    None,
    /// Of an impl block.
    Impl(ImplId),
    /// Of a trait (declarations and default methods).
    Trait(TraitId),
}

/// A function, method or associated function.
#[derive(Debug)]
pub struct FunctionDef {
    /// Its id.
    pub id: FunctionId,
    /// Its name.
    pub name: Name,
    /// Its canonical path, crate first: `billing::keys::Key::for_charge`.
    pub path: Name,
    /// The file.
    pub file: FileId,
    /// The crate.
    pub krate: CrateId,
    /// The scope inside it: generic parameters, `Self`, local items.
    pub scope: ScopeId,
    /// What it is a member of.
    pub owner: Owner,
    /// Whether it is compiled for tests only.
    pub test: bool,
    /// The whole item.
    pub span: Span,
    /// The identifier.
    pub name_span: Span,
    /// Its `cfg` predicates; empty when there are none.
    pub cfg: Name,
    /// Its attributes.
    pub attributes: Attributes,
    /// Signature and body; the items of its body have moved into the program.
    pub ir: Box<ir::Function>,
    pub(super) signature: OnceLock<Signature>,
}

impl FunctionDef {
    /// The body; `None` for a declaration.
    #[must_use]
    pub fn body(&self) -> Option<&ir::Body> {
        self.ir.body.as_ref()?.get()
    }

    /// Whether there is a body, which need not be lowered for that.
    #[must_use]
    pub fn has_body(&self) -> bool {
        self.ir.body.is_some()
    }

    /// Whether the body may spell a name.
    #[must_use]
    pub fn may_spell(&self, name: ir::NameHash) -> bool {
        self.ir.body.as_ref().is_some_and(|body| body.may_spell(name))
    }
}

/// The resolved types of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The self type of a member.
    pub self_type: Option<Ty>,
    /// Parameter types, the receiver first.
    pub parameters: Vec<Ty>,
    /// The result type; for an `async fn` the declared one, for `impl Future<Output = T>` it is `T`.
    pub result: Ty,
}

/// A static or constant, associated ones included.
#[derive(Debug)]
pub struct StaticDef {
    /// Its id.
    pub id: StaticId,
    /// Its name.
    pub name: Name,
    /// Its canonical path.
    pub path: Name,
    /// The file.
    pub file: FileId,
    /// The crate.
    pub krate: CrateId,
    /// The scope that its type and initialiser see.
    pub scope: ScopeId,
    /// What it is a member of.
    pub owner: Owner,
    /// Whether it is compiled for tests only.
    pub test: bool,
    /// The whole item.
    pub span: Span,
    /// The identifier.
    pub name_span: Span,
    /// Its `cfg` predicates.
    pub cfg: Name,
    /// Its attributes.
    pub attributes: Attributes,
    /// Type and initialiser.
    pub ir: Box<ir::Static>,
}

/// A struct, enum or union.
#[derive(Debug)]
pub struct TypeDef {
    /// Its id.
    pub id: TypeId,
    /// Its name.
    pub name: Name,
    /// Its canonical path.
    pub path: Name,
    /// The file.
    pub file: FileId,
    /// The crate.
    pub krate: CrateId,
    /// The scope inside it: generic parameters and `Self`.
    pub scope: ScopeId,
    /// Whether it is compiled for tests only.
    pub test: bool,
    /// The whole item.
    pub span: Span,
    /// The identifier.
    pub name_span: Span,
    /// Its attributes, derives among them.
    pub attributes: Attributes,
    /// Generic parameters and fields.
    pub ir: ir::TypeDefinition,
    pub(super) variants: FxHashMap<Name, u32>,
    pub(super) field_types: OnceLock<FieldTypes>,
}

/// Resolved field types by variant (empty for a struct) and field name, in terms of the type's own parameters.
pub(super) type FieldTypes = FxHashMap<(Name, Name), Ty>;

impl TypeDef {
    /// The fields of a struct, or of the named variant of an enum.
    #[must_use]
    pub fn fields(&self, variant: Option<&str>) -> &[ir::Field] {
        match (&self.ir.kind, variant) {
            (ir::TypeKind::Struct(fields), _) => fields,
            (ir::TypeKind::Enum(variants), Some(name)) => self
                .variants
                .get(name)
                .and_then(|index| variants.get(*index as usize))
                .map_or(&[], |variant| &variant.fields),
            (ir::TypeKind::Enum(_), None) => &[],
        }
    }

    /// Whether it is an enum.
    #[must_use]
    pub fn is_enum(&self) -> bool {
        matches!(self.ir.kind, ir::TypeKind::Enum(_))
    }

    /// Whether its name is also a value: a tuple struct or a unit struct.
    pub(super) fn has_constructor(&self) -> bool {
        match &self.ir.kind {
            ir::TypeKind::Struct(fields) => fields.first().is_none_or(|field| field.name == "0"),
            ir::TypeKind::Enum(_) => false,
        }
    }
}

/// A trait.
#[derive(Debug)]
pub struct TraitDeclaration {
    /// Its id.
    pub id: TraitId,
    /// Its name.
    pub name: Name,
    /// Its canonical path.
    pub path: Name,
    /// The file.
    pub file: FileId,
    /// The crate.
    pub krate: CrateId,
    /// The scope inside it.
    pub scope: ScopeId,
    /// Whether it is compiled for tests only.
    pub test: bool,
    /// The whole item.
    pub span: Span,
    /// Its attributes.
    pub attributes: Attributes,
    /// Generic parameters.
    pub generics: ir::Generics,
    /// Supertraits, resolved.
    pub supertraits: Vec<TraitRef>,
    pub(super) supertrait_paths: Vec<ir::Path>,
    pub(super) members: Members,
}

/// An impl block.
#[derive(Debug)]
pub struct ImplBlock {
    /// Its id.
    pub id: ImplId,
    /// The file.
    pub file: FileId,
    /// The crate.
    pub krate: CrateId,
    /// The scope inside it: generic parameters and `Self`.
    pub scope: ScopeId,
    /// Whether it is compiled for tests only.
    pub test: bool,
    /// The whole item.
    pub span: Span,
    /// Its attributes.
    pub attributes: Attributes,
    /// The trait, for a trait impl.
    pub trait_ref: Option<TraitRef>,
    /// The type.
    pub self_type: Ty,
    /// Generic parameters.
    pub generics: ir::Generics,
    pub(super) trait_path: Option<ir::Path>,
    pub(super) self_path: ir::Type,
    pub(super) members: Members,
}

/// Members of a trait or impl by name; several of one name are `cfg` twins.
#[derive(Debug, Default)]
pub(super) struct Members {
    pub functions: FxHashMap<Name, Vec<FunctionId>>,
    pub statics: FxHashMap<Name, Vec<StaticId>>,
    pub types: FxHashMap<Name, AliasId>,
}

/// A type alias or associated type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct AliasId(pub u32);

/// A type alias or associated type.
#[derive(Debug)]
pub(super) struct AliasDef {
    /// The scope inside it: its generic parameters.
    pub scope: ScopeId,
    pub generics: ir::Generics,
    /// `None` for an associated type without default.
    pub ty: Option<ir::Type>,
}
