//! What loaded files declare: functions, statics, types and impl blocks, with the names in their types.

use std::collections::BTreeSet;

use crate::ir::{FileIr, Function, FunctionBody, Impl, Item, ItemKind, Name, Path, Type, TypeKind};

/// A declaration.
#[derive(Clone, Debug)]
pub(super) struct Declaration {
    pub kind: DeclarationKind,
    /// Its name.
    pub name: Name,
    /// For members: the name of the impl's type, or of the trait.
    pub owner: Option<Name>,
    /// Names in the types of parameters and result, of fields, or behind the associated types of an impl block.
    pub signature: BTreeSet<Name>,
    /// Fields of a type, with the names in their types.
    pub fields: Vec<(Name, BTreeSet<Name>)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DeclarationKind {
    /// A function, static or constant.
    Value,
    Type,
    Alias,
    /// The head of an impl block with its associated types.
    Impl,
}

/// All declarations of a file.
pub(super) fn declarations(file: &FileIr) -> Vec<Declaration> {
    let mut found = Vec::new();
    of_items(&file.items, None, &mut found);
    found
}

fn of_items(items: &[Item], owner: Option<&Name>, found: &mut Vec<Declaration>) {
    for item in items {
        of_item(item, owner, found);
    }
}

fn of_item(item: &Item, owner: Option<&Name>, found: &mut Vec<Declaration>) {
    let declaration = |kind| Declaration {
        kind,
        name: item.name.clone(),
        owner: owner.cloned(),
        signature: BTreeSet::new(),
        fields: Vec::new(),
    };
    match &item.kind {
        ItemKind::Function(function) => {
            let mut own = declaration(DeclarationKind::Value);
            signature(function, &mut own.signature);
            found.push(own);
            if let Some(FunctionBody::Lowered(body)) = &function.body {
                of_items(&body.items, None, found);
            }
        }
        ItemKind::Static(definition) => {
            let mut own = declaration(DeclarationKind::Value);
            names_of(&definition.ty, &mut own.signature);
            found.push(own);
            definition.initializer.iter().for_each(|body| of_items(&body.items, None, found));
        }
        ItemKind::Type(definition) => {
            let mut own = declaration(DeclarationKind::Type);
            let variants = match &definition.kind {
                TypeKind::Struct(fields) => vec![fields],
                TypeKind::Enum(variants) => variants.iter().map(|variant| &variant.fields).collect(),
            };
            for field in variants.into_iter().flatten() {
                let mut types = BTreeSet::new();
                names_of(&field.ty, &mut types);
                own.signature.extend(types.iter().cloned());
                own.fields.push((field.name.clone(), types));
            }
            found.push(own);
        }
        ItemKind::Trait(definition) => of_items(&definition.items, Some(&item.name), found),
        ItemKind::Impl(definition) => {
            let owner = head_name(&definition.self_type);
            let mut own = declaration(DeclarationKind::Impl);
            own.owner = Some(owner.clone());
            own.signature = associated_types(definition);
            found.push(own);
            of_items(&definition.items, Some(&owner), found);
        }
        ItemKind::TypeAlias(alias) => {
            let mut own = declaration(DeclarationKind::Alias);
            alias.ty.iter().for_each(|ty| names_of(ty, &mut own.signature));
            found.push(own);
        }
        ItemKind::Module(module) => of_items(module.items.as_deref().unwrap_or_default(), owner, found),
        ItemKind::Macro(_) | ItemKind::Use(_) | ItemKind::ExternCrate(_) => {}
    }
}

fn signature(function: &Function, names: &mut BTreeSet<Name>) {
    let types = function.params.iter().map(|param| &param.ty).chain(&function.result);
    types.for_each(|ty| names_of(ty, names));
    let bounds = function.generics.params.iter().flat_map(|param| &param.bounds);
    bounds.for_each(|bound| names_of_path(bound, names));
}

fn associated_types(definition: &Impl) -> BTreeSet<Name> {
    let mut names = BTreeSet::new();
    for item in &definition.items {
        if let ItemKind::TypeAlias(alias) = &item.kind {
            alias.ty.iter().for_each(|ty| names_of(ty, &mut names));
        }
    }
    names
}

/// The name at the head of a type: `Store` of `&mut Store<T>`.
fn head_name(ty: &Type) -> Name {
    match ty {
        Type::Path(path) => Name::new(path.last_name()),
        Type::Reference { inner, .. } | Type::Pointer(inner) | Type::Slice(inner) | Type::Array(inner) => {
            head_name(inner)
        }
        Type::DynTrait(bounds) | Type::ImplTrait(bounds) => {
            bounds.first().map(|path| Name::new(path.last_name())).unwrap_or_default()
        }
        _ => Name::default(),
    }
}

fn names_of(ty: &Type, names: &mut BTreeSet<Name>) {
    match ty {
        Type::Path(path) => names_of_path(path, names),
        Type::Reference { inner, .. } | Type::Pointer(inner) | Type::Slice(inner) | Type::Array(inner) => {
            names_of(inner, names)
        }
        Type::Tuple(parts) => parts.iter().for_each(|part| names_of(part, names)),
        Type::Function { params, result } => {
            params.iter().chain([&**result]).for_each(|part| names_of(part, names))
        }
        Type::ImplTrait(bounds) | Type::DynTrait(bounds) => {
            bounds.iter().for_each(|bound| names_of_path(bound, names))
        }
        Type::Never | Type::Infer => {}
    }
}

fn names_of_path(path: &Path, names: &mut BTreeSet<Name>) {
    if let Some(ty) = &path.qualified_self {
        names_of(ty, names);
    }
    for segment in &path.segments {
        names.insert(segment.name.clone());
        segment.args.iter().for_each(|arg| names_of(arg, names));
        segment.bindings.iter().for_each(|(_, ty)| names_of(ty, names));
    }
}
