//! Builds a program: takes the items out of the files, gives them ids and scopes, then resolves and indexes.

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use super::definitions::{
    AliasDef, AliasId, CrateInfo, FilePlace, FunctionDef, ImplBlock, Members, Owner, StaticDef,
    TraitDeclaration, TypeDef,
};
use super::placement::place;
use super::prelude;
use super::prelude::canonical_external;
use super::program::{CrateData, FileInfo, Program};
use super::scopes::{
    Binding, Def, Generic, Import, ImportId, ImportKind, ImportState, ScopeKind, Target, View,
};
use super::types::{Substitution, Types, fuel};
use super::{CrateId, FunctionId, ImplId, ScopeId, StaticId, TraitDef, TraitId, TraitRef, Ty, TypeId};
use crate::ir::{self, Body, FileId, FileIr, Item, ItemKind, Name};

/// Where an item is collected.
#[derive(Clone, Copy)]
struct Site {
    file: FileId,
    krate: CrateId,
    scope: ScopeId,
    test: bool,
    owner: Owner,
}

impl Program {
    /// Builds the program of some files. Files may be given in any order; crates that a [`FilePlace`] names must
    /// be in `crates`, files of others land in the first crate.
    #[must_use]
    pub fn build(mut files: Vec<(FileIr, FilePlace)>, crates: Vec<CrateInfo>) -> Program {
        files.sort_by_key(|(ir, _)| ir.file);
        let mut program = Program::default();
        program.add_crates(crates);
        let placement = place(&mut program, &files);
        for ((ir, place), scope) in files.into_iter().zip(placement.scopes) {
            program.add_file(ir, &place, scope);
        }
        program.name_extern_crates();
        program.resolve_imports();
        program.settled = true;
        program.resolve_generics();
        program.resolve_traits();
        program.resolve_impls();
        program.index_impls();
        program
    }

    fn add_crates(&mut self, mut crates: Vec<CrateInfo>) {
        if crates.is_empty() {
            crates.push(CrateInfo::default());
        }
        for (index, info) in crates.into_iter().enumerate() {
            let krate = CrateId(u32::try_from(index).unwrap_or(u32::MAX));
            let root = self.add_scope(None, krate, ScopeKind::Module, info.test, info.name.clone());
            self.crate_names.insert(info.name.clone());
            self.crates.push(CrateData {
                info,
                root,
                extern_names: FxHashMap::default(),
                macro_crates: Vec::new(),
            });
        }
        let roots: Vec<ScopeId> = self.crates.iter().map(|data| data.root).collect();
        for data in &mut self.crates {
            for name in &data.info.external {
                data.extern_names.insert(name.clone(), Def::External(canonical_external(name).into()));
            }
            for (name, real) in &data.info.renamed {
                data.extern_names.insert(name.clone(), Def::External(canonical_external(real).into()));
            }
            for (name, krate) in &data.info.dependencies {
                if let Some(root) = roots.get(krate.0 as usize) {
                    data.extern_names.insert(name.clone(), Def::Module(*root));
                }
            }
        }
    }

    /// `extern crate a as b;` in a crate root puts `b` into the extern prelude.
    fn name_extern_crates(&mut self) {
        let mut named: Vec<(CrateId, Name, Name)> = Vec::new();
        for data in &self.crates {
            for (name, bindings) in &self.scope(data.root).names {
                for binding in bindings {
                    let Target::Import(id) = binding.target else { continue };
                    let import = &self.imports[id.0 as usize];
                    if import.kind == ImportKind::ExternCrate
                        && import.path.first().is_some_and(|real| real != name)
                    {
                        let krate = self.scope(data.root).krate;
                        named.push((krate, name.clone(), import.path[0].clone()));
                    }
                }
            }
        }
        named.sort_unstable();
        for (krate, name, real) in named {
            let root = self.crates[krate.0 as usize].root;
            let def = match real.as_str() {
                "self" => Def::Module(root),
                real => self
                    .extern_prelude(krate, real)
                    .unwrap_or_else(|| Def::External(canonical_external(real).into())),
            };
            self.crates[krate.0 as usize].extern_names.entry(name).or_insert(def);
        }
    }

    fn add_file(&mut self, ir: FileIr, place: &FilePlace, scope: ScopeId) {
        let test = place.test || ir.attributes.test || self.scope(scope).test;
        let krate = self.scope(scope).krate;
        let site = Site { file: ir.file, krate, scope, test, owner: Owner::None };
        self.add_items(ir.items, site);
        self.files.push(FileInfo { file: ir.file, scope, test, attributes: ir.attributes, gaps: ir.gaps });
    }

    fn add_items(&mut self, items: Vec<Item>, site: Site) {
        for item in items {
            self.add_item(item, site);
        }
    }

    fn add_item(&mut self, mut item: Item, site: Site) {
        let test = site.test || item.attributes.test;
        let site = Site { test, ..site };
        let kind = std::mem::replace(&mut item.kind, ItemKind::ExternCrate(Name::default()));
        match kind {
            ItemKind::Function(function) => {
                let id = self.add_function(&item, *function, site);
                self.bind_item(&item, Target::Function(id), site);
            }
            ItemKind::Type(definition) => {
                let id = self.add_type(&item, definition, site);
                self.bind_item(&item, Target::Type(id), site);
            }
            ItemKind::Trait(definition) => {
                let id = self.add_trait(&item, definition, site);
                self.bind_item(&item, Target::Trait(id), site);
            }
            ItemKind::Impl(definition) if !definition.negative => self.add_impl(&item, definition, site),
            ItemKind::Impl(_) => {}
            ItemKind::Static(definition) => {
                let id = self.add_static(&item, definition, site);
                self.bind_item(&item, Target::Static(id), site);
            }
            ItemKind::TypeAlias(alias) => {
                let id = self.add_alias(&item, alias, site);
                self.bind_item(&item, Target::Alias(id), site);
            }
            ItemKind::Use(import) => self.add_use(&item, import, site),
            ItemKind::ExternCrate(name) => self.add_extern_crate(&item, name, site),
            ItemKind::Module(module) => {
                if let Some(items) = module.items {
                    let scope = self.child_module(site.scope, &item.name, test);
                    self.mark_loaded(scope);
                    self.add_items(items, Site { scope, owner: Owner::None, ..site });
                }
            }
            ItemKind::Macro(_) => {
                self.macros.insert((site.krate, item.name.clone()));
            }
        }
    }

    fn bind_item(&mut self, item: &Item, target: Target, site: Site) {
        let binding = binding(item, target, site);
        let name = item.bound_as.as_ref().unwrap_or(&item.name);
        self.bind_name(site.scope, name.clone(), binding);
    }

    fn inner_scope(&mut self, item: &Item, kind: ScopeKind, site: Site, generics: &ir::Generics) -> ScopeId {
        let path = self.path_of(item, site);
        let scope = self.add_scope(Some(site.scope), site.krate, kind, site.test, path);
        let unresolved = |param: &ir::GenericParam| Generic { name: param.name.clone(), bounds: Vec::new() };
        self.scopes[scope.0 as usize].generics = generics.params.iter().map(unresolved).collect();
        scope
    }

    /// The canonical path of an item. Members of impls get theirs once the self type is known.
    fn path_of(&self, item: &Item, site: Site) -> Name {
        let outer = &self.scope(site.scope).path;
        if item.name.is_empty() { outer.clone() } else { format!("{outer}::{}", item.name).into() }
    }

    fn add_function(&mut self, item: &Item, mut function: ir::Function, site: Site) -> FunctionId {
        let id = FunctionId(u32::try_from(self.functions.len()).unwrap_or(u32::MAX));
        let scope = self.inner_scope(item, ScopeKind::Function(id), site, &function.generics);
        let mut nested = Vec::new();
        if let Some(ir::FunctionBody::Lowered(body)) = &mut function.body
            && has_items(body)
        {
            take_items(Arc::make_mut(body), &mut nested);
        }
        self.functions.push(FunctionDef {
            id,
            name: item.name.clone(),
            path: self.scope(scope).path.clone(),
            file: site.file,
            krate: site.krate,
            scope,
            owner: site.owner,
            test: site.test,
            span: item.span,
            name_span: item.name_span,
            cfg: item.attributes.cfg.clone(),
            attributes: item.attributes.clone(),
            ir: Box::new(function),
            signature: OnceLock::new(),
        });
        self.add_items(nested, Site { scope, owner: Owner::None, ..site });
        id
    }

    fn add_static(&mut self, item: &Item, mut definition: Box<ir::Static>, site: Site) -> StaticId {
        let mut nested = Vec::new();
        if let Some(body) = definition.initializer.as_mut().filter(|body| has_items(body)) {
            take_items(Arc::make_mut(body), &mut nested);
        }
        let scope = if nested.is_empty() {
            site.scope
        } else {
            self.inner_scope(item, ScopeKind::Block, site, &ir::Generics::default())
        };
        let id = StaticId(u32::try_from(self.statics.len()).unwrap_or(u32::MAX));
        self.statics.push(StaticDef {
            id,
            name: item.name.clone(),
            path: self.path_of(item, site),
            file: site.file,
            krate: site.krate,
            scope,
            owner: site.owner,
            test: site.test,
            span: item.span,
            name_span: item.name_span,
            cfg: item.attributes.cfg.clone(),
            attributes: item.attributes.clone(),
            ir: definition,
        });
        self.add_items(nested, Site { scope, owner: Owner::None, ..site });
        id
    }

    fn add_type(&mut self, item: &Item, definition: ir::TypeDefinition, site: Site) -> TypeId {
        let id = TypeId(u32::try_from(self.types.len()).unwrap_or(u32::MAX));
        let scope = self.inner_scope(item, ScopeKind::Type(id), site, &definition.generics);
        let variants = match &definition.kind {
            ir::TypeKind::Enum(variants) => {
                variants.iter().map(|variant| variant.name.clone()).zip(0..).collect()
            }
            ir::TypeKind::Struct(_) => FxHashMap::default(),
        };
        self.types.push(TypeDef {
            id,
            name: item.name.clone(),
            path: self.scope(scope).path.clone(),
            file: site.file,
            krate: site.krate,
            scope,
            test: site.test,
            span: item.span,
            name_span: item.name_span,
            attributes: item.attributes.clone(),
            ir: definition,
            variants,
            field_types: OnceLock::new(),
        });
        id
    }

    fn add_alias(&mut self, item: &Item, alias: ir::TypeAlias, site: Site) -> AliasId {
        let id = AliasId(u32::try_from(self.aliases.len()).unwrap_or(u32::MAX));
        let scope = self.inner_scope(item, ScopeKind::Alias(id), site, &alias.generics);
        self.aliases.push(AliasDef { scope, generics: alias.generics, ty: alias.ty });
        id
    }

    fn add_trait(&mut self, item: &Item, definition: ir::Trait, site: Site) -> TraitId {
        let id = TraitId(u32::try_from(self.traits.len()).unwrap_or(u32::MAX));
        let scope = self.inner_scope(item, ScopeKind::Trait(id), site, &definition.generics);
        self.traits.push(TraitDeclaration {
            id,
            name: item.name.clone(),
            path: self.scope(scope).path.clone(),
            file: site.file,
            krate: site.krate,
            scope,
            test: site.test,
            span: item.span,
            attributes: item.attributes.clone(),
            generics: definition.generics,
            supertraits: Vec::new(),
            supertrait_paths: definition.supertraits,
            members: Members::default(),
        });
        let members = self.add_members(definition.items, Site { scope, owner: Owner::Trait(id), ..site });
        self.traits[id.0 as usize].members = members;
        id
    }

    fn add_impl(&mut self, item: &Item, definition: ir::Impl, site: Site) {
        let id = ImplId(u32::try_from(self.impls.len()).unwrap_or(u32::MAX));
        let scope = self.inner_scope(item, ScopeKind::Impl(id), site, &definition.generics);
        self.impls.push(ImplBlock {
            id,
            file: site.file,
            krate: site.krate,
            scope,
            test: site.test,
            span: item.span,
            attributes: item.attributes.clone(),
            trait_ref: None,
            self_type: Ty::Unknown,
            generics: definition.generics,
            trait_path: definition.trait_path,
            self_path: definition.self_type,
            members: Members::default(),
        });
        let members = self.add_members(definition.items, Site { scope, owner: Owner::Impl(id), ..site });
        self.impls[id.0 as usize].members = members;
    }

    /// Members are found through their type or trait, so they are not bound in the scope of the block.
    fn add_members(&mut self, items: Vec<Item>, site: Site) -> Members {
        let mut members = Members::default();
        for mut item in items {
            let site = Site { test: site.test || item.attributes.test, ..site };
            let kind = std::mem::replace(&mut item.kind, ItemKind::ExternCrate(Name::default()));
            match kind {
                ItemKind::Function(function) => {
                    let id = self.add_function(&item, *function, site);
                    members.functions.entry(item.name).or_default().push(id);
                }
                ItemKind::Static(definition) => {
                    let id = self.add_static(&item, definition, site);
                    members.statics.entry(item.name).or_default().push(id);
                }
                ItemKind::TypeAlias(alias) => {
                    let id = self.add_alias(&item, alias, site);
                    members.types.entry(item.name).or_insert(id);
                }
                _ => {}
            }
        }
        members
    }

    fn add_use(&mut self, item: &Item, import: ir::Use, site: Site) {
        let mut path = import.path;
        if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let id = self.next_import();
        let kind = if import.global { ImportKind::Global } else { ImportKind::Relative };
        self.imports.push(Import {
            scope: site.scope,
            path,
            kind,
            public: import.public,
            glob: import.glob,
            test: site.test,
            start: item.span.start,
            state: ImportState::Pending,
        });
        if import.glob {
            self.scopes[site.scope.0 as usize].globs.push(id);
        } else {
            self.bind_item(item, Target::Import(id), site);
        }
    }

    fn add_extern_crate(&mut self, item: &Item, name: Name, site: Site) {
        let id = self.next_import();
        if item.attributes.other.iter().any(|attribute| attribute.path == "macro_use")
            && let Some(data) = self.crates.get_mut(site.krate.0 as usize)
        {
            data.macro_crates.push(canonical_external(&name).into());
        }
        self.imports.push(Import {
            scope: site.scope,
            path: vec![name],
            kind: ImportKind::ExternCrate,
            public: false,
            glob: false,
            test: site.test,
            start: item.span.start,
            state: ImportState::Pending,
        });
        self.bind_item(item, Target::Import(id), site);
    }

    fn next_import(&self) -> ImportId {
        ImportId(u32::try_from(self.imports.len()).unwrap_or(u32::MAX))
    }

    /// Resolves the bounds of all generic parameters.
    fn resolve_generics(&mut self) {
        for index in 0..self.scopes.len() {
            let scope = ScopeId(u32::try_from(index).unwrap_or(u32::MAX));
            let Some(generics) = self.generics_of(scope) else { continue };
            if generics.params.iter().all(|param| param.bounds.is_empty()) {
                continue;
            }
            let view = View { at: u32::MAX, ..self.view(scope, u32::MAX) };
            let resolved = generics
                .params
                .iter()
                .map(|param| {
                    let fuel = fuel();
                    let types = Types { shallow: true, ..Types::new(self, view, &fuel) };
                    Generic { name: param.name.clone(), bounds: types.bounds(&param.bounds) }
                })
                .collect();
            self.scopes[index].generics = resolved;
        }
    }

    fn resolve_traits(&mut self) {
        for index in 0..self.traits.len() {
            let declaration = &self.traits[index];
            let fuel = fuel();
            let types =
                Types { shallow: true, ..Types::new(self, self.view(declaration.scope, u32::MAX), &fuel) };
            let supertraits = types.bounds(&declaration.supertrait_paths);
            self.traits[index].supertraits = supertraits;
        }
    }

    fn resolve_impls(&mut self) {
        for index in 0..self.impls.len() {
            let block = &self.impls[index];
            let fuel = fuel();
            let types = Types::new(self, self.view(block.scope, block.span.start), &fuel);
            let self_type = types.resolve(&block.self_path);
            self.impls[index].self_type = self_type;
        }
        for index in 0..self.impls.len() {
            let block = &self.impls[index];
            let fuel = fuel();
            let types = Types::new(self, self.view(block.scope, block.span.start), &fuel);
            let mut trait_ref = block.trait_path.as_ref().and_then(|path| types.trait_ref(path));
            if let Some(trait_ref) = &mut trait_ref {
                self.complete_arguments(trait_ref, &block.self_type);
            }
            self.impls[index].trait_ref = trait_ref;
        }
        self.name_members();
    }

    /// `impl Add for A` means `Add<A>`: adds the default arguments of a trait.
    fn complete_arguments(&self, trait_ref: &mut TraitRef, self_type: &Ty) {
        let TraitDef::Local(id) = trait_ref.id else {
            if trait_ref.args.is_empty()
                && matches!(&trait_ref.id, TraitDef::External(path) if prelude::defaults_to_self(path))
            {
                trait_ref.args.push(self_type.clone());
            }
            return;
        };
        let declaration = &self.traits[id.0 as usize];
        let mut known = Substitution::new();
        known.insert("Self".into(), self_type.clone());
        for param in declaration.generics.params.iter().skip(trait_ref.args.len()) {
            let Some(default) = &param.default else { break };
            let fuel = fuel();
            let types = Types::new(self, self.view(declaration.scope, u32::MAX), &fuel);
            trait_ref.args.push(Types { known: Some(&known), ..types }.resolve(default));
        }
    }

    /// Gives the members of impls their paths: the self type's path and the name.
    fn name_members(&mut self) {
        for index in 0..self.impls.len() {
            let block = &self.impls[index];
            let scope = block.scope;
            let path = self.path_of_type(&block.self_type, scope);
            let members: Vec<FunctionId> = block.members.functions.values().flatten().copied().collect();
            let statics: Vec<StaticId> = block.members.statics.values().flatten().copied().collect();
            for id in members {
                let def = &mut self.functions[id.0 as usize];
                def.path = format!("{path}::{}", def.name).into();
                let inner = def.scope;
                let path = def.path.clone();
                self.scopes[inner.0 as usize].path = path;
            }
            for id in statics {
                let def = &mut self.statics[id.0 as usize];
                def.path = format!("{path}::{}", def.name).into();
            }
            self.scopes[scope.0 as usize].path = path;
        }
    }

    fn path_of_type(&self, ty: &Ty, scope: ScopeId) -> Name {
        match ty {
            Ty::Adt { id, .. } => self.types[id.0 as usize].path.clone(),
            Ty::External { path, .. } => path.clone(),
            Ty::Reference { inner, .. } => self.path_of_type(inner, scope),
            Ty::Dyn(bounds) => {
                bounds.first().map_or_else(Name::default, |bound| self.trait_path(&bound.id).clone())
            }
            Ty::Param { name, .. } => format!("{}::{name}", self.scope(self.module_of(scope)).path).into(),
            Ty::Sequence(_) => "slice".into(),
            Ty::Tuple(_) => "tuple".into(),
            Ty::Function { .. } => "fn".into(),
            Ty::Unknown => self.scope(self.module_of(scope)).path.clone(),
        }
    }
}

fn binding(item: &Item, target: Target, site: Site) -> Binding {
    Binding { target, test: site.test, conditional: !item.attributes.cfg.is_empty(), start: item.span.start }
}

/// Whether a body or one of its closures defines items.
fn has_items(body: &Body) -> bool {
    !body.items.is_empty() || body.closures.iter().any(|closure| has_items(&closure.body))
}

/// Takes the items out of a body and of its closures; they share the scope of the function.
fn take_items(body: &mut Body, into: &mut Vec<Item>) {
    into.append(&mut body.items);
    for closure in &mut body.closures {
        take_items(&mut closure.body, into);
    }
}
