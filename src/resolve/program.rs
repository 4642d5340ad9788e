//! The resolved program and access to its definitions.

use rustc_hash::{FxHashMap, FxHashSet};

use super::definitions::{AliasDef, CrateInfo, FunctionDef, ImplBlock, StaticDef, TraitDeclaration, TypeDef};
use super::impls::ImplIndex;
use super::requests::Requests;
use super::scopes::{Def, Import, Scope, Target};
use super::{CrateId, FunctionId, ImplId, Owner, ScopeId, StaticId, TraitDef, TraitId, TypeId};
use crate::ir::{Attributes, FileId, Gap, Name};

/// All definitions of the loaded files with everything needed to resolve names. Immutable once built.
#[derive(Debug, Default)]
pub struct Program {
    pub(super) files: Vec<FileInfo>,
    pub(super) crates: Vec<CrateData>,
    /// Never empty.
    pub(super) scopes: Vec<Scope>,
    pub(super) imports: Vec<Import>,
    pub(super) functions: Vec<FunctionDef>,
    pub(super) statics: Vec<StaticDef>,
    pub(super) types: Vec<TypeDef>,
    pub(super) traits: Vec<TraitDeclaration>,
    pub(super) impls: Vec<ImplBlock>,
    pub(super) aliases: Vec<AliasDef>,
    /// `macro_rules!` by the crate that defines them.
    pub(super) macros: FxHashSet<(CrateId, Name)>,
    pub(super) crate_names: FxHashSet<Name>,
    /// Modules by parent, name, and whether they are test code.
    pub(super) modules: FxHashMap<(ScopeId, Name, bool), ScopeId>,
    pub(super) index: ImplIndex,
    pub(super) requests: Requests,
    /// Whether all imports are resolved.
    pub(super) settled: bool,
}

/// What stays of a file besides its items.
#[derive(Debug)]
pub struct FileInfo {
    /// The file.
    pub file: FileId,
    /// The module that it is.
    pub scope: ScopeId,
    /// Whether all of it is test code.
    pub test: bool,
    /// Attributes of the file itself.
    pub attributes: Attributes,
    /// Parts that were not understood.
    pub gaps: Vec<Gap>,
}

/// A crate with what its code can name.
#[derive(Debug)]
pub(super) struct CrateData {
    pub info: CrateInfo,
    pub root: ScopeId,
    pub extern_names: FxHashMap<Name, Def>,
    /// `#[macro_use] extern crate`.
    pub macro_crates: Vec<Name>,
}

impl Program {
    /// Names that an import binds to something of another name: `use a::send as deliver` gives
    /// `(deliver, send)`.
    pub fn renamed_imports(&self) -> impl Iterator<Item = (Name, &Name)> {
        self.scopes.iter().flat_map(|scope| &scope.names).flat_map(move |(name, bindings)| {
            bindings.iter().filter_map(move |binding| match binding.target {
                Target::Import(id) => {
                    let original = self.imports.get(id.0 as usize)?.path.last()?;
                    // The binding of a nested block may have a mark.
                    let alias = name.split('#').next().unwrap_or(name);
                    (original != alias).then(|| (alias.into(), original))
                }
                _ => None,
            })
        })
    }

    /// How many crates there are.
    #[must_use]
    pub fn crate_count(&self) -> usize {
        self.crates.len()
    }

    /// The crates of the tree that a crate names as its dependencies.
    pub fn dependencies(&self, id: CrateId) -> impl Iterator<Item = CrateId> + '_ {
        let data = self.crates.get(id.0 as usize);
        data.into_iter().flat_map(|data| &data.info.dependencies).map(|(_, dependency)| *dependency)
    }

    /// All functions, in order.
    pub fn functions(&self) -> impl Iterator<Item = FunctionId> + use<> {
        ids(self.functions.len()).map(FunctionId)
    }

    /// A function of this program.
    #[must_use]
    pub fn function(&self, id: FunctionId) -> &FunctionDef {
        &self.functions[id.0 as usize]
    }

    /// All statics and constants, in order.
    pub fn statics(&self) -> impl Iterator<Item = StaticId> + use<> {
        ids(self.statics.len()).map(StaticId)
    }

    /// A static of this program.
    #[must_use]
    pub fn static_(&self, id: StaticId) -> &StaticDef {
        &self.statics[id.0 as usize]
    }

    /// All types, in order.
    pub fn types(&self) -> impl Iterator<Item = TypeId> + use<> {
        ids(self.types.len()).map(TypeId)
    }

    /// A type of this program.
    #[must_use]
    pub fn type_(&self, id: TypeId) -> &TypeDef {
        &self.types[id.0 as usize]
    }

    /// All traits, in order.
    pub fn traits(&self) -> impl Iterator<Item = TraitId> + use<> {
        ids(self.traits.len()).map(TraitId)
    }

    /// A trait of this program.
    #[must_use]
    pub fn trait_(&self, id: TraitId) -> &TraitDeclaration {
        &self.traits[id.0 as usize]
    }

    /// All impl blocks, in order.
    pub fn impls(&self) -> impl Iterator<Item = ImplId> + use<> {
        ids(self.impls.len()).map(ImplId)
    }

    /// An impl block of this program.
    #[must_use]
    pub fn impl_(&self, id: ImplId) -> &ImplBlock {
        &self.impls[id.0 as usize]
    }

    /// The files in order, without their items.
    #[must_use]
    pub fn files(&self) -> &[FileInfo] {
        &self.files
    }

    /// The name of a crate.
    #[must_use]
    pub fn crate_name(&self, id: CrateId) -> &str {
        self.crates.get(id.0 as usize).map_or("", |data| data.info.name.as_str())
    }

    /// The canonical path of the module, function or type whose inside a scope is.
    #[must_use]
    pub fn scope_path(&self, id: ScopeId) -> &Name {
        &self.scope(id).path
    }

    /// The canonical path of the module that a scope lies in.
    #[must_use]
    pub fn module_path(&self, id: ScopeId) -> &Name {
        &self.scope(self.module_of(id)).path
    }

    /// The canonical path of a trait.
    #[must_use]
    pub fn trait_path<'p>(&'p self, id: &'p TraitDef) -> &'p Name {
        match id {
            TraitDef::Local(id) => &self.traits[id.0 as usize].path,
            TraitDef::External(path) => path,
        }
    }

    /// The paths by which a configuration may name a function: its own, and for a method of a trait impl also
    /// the one through the trait.
    #[must_use]
    pub fn function_paths(&self, id: FunctionId) -> Vec<Name> {
        let def = self.function(id);
        let mut paths = vec![def.path.clone()];
        if let Owner::Impl(block) = def.owner
            && let Some(trait_ref) = &self.impl_(block).trait_ref
        {
            paths.push(format!("{}::{}", self.trait_path(&trait_ref.id), def.name).into());
        }
        paths
    }
}

fn ids(count: usize) -> impl Iterator<Item = u32> + use<> {
    0..u32::try_from(count).unwrap_or(u32::MAX)
}
