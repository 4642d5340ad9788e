//! Items: functions, types, traits, impls, uses, modules and statics.

use std::sync::Arc;

use proc_macro2::Span as TokenSpan;
use syn::{FnArg, ForeignItem, ImplItem, Stmt, TraitItem, UseTree};

use super::closure::plain_ident;
use super::types::{ident_name, index_name};
use super::{Lowerer, extent};
use crate::ir::{
    Attributes, Field, Function, FunctionBody, Generics, Impl, Item, ItemKind, MacroDefinition, Module, Name,
    Param, SelfParam, Span, Static, Trait, TypeAlias, TypeDefinition, TypeKind, Use, Variant,
};

impl Lowerer<'_> {
    /// Lowers items in source order. Macros are declared first, because `#[macro_export]` and `use` make later
    /// ones visible.
    pub(super) fn items<'i>(&mut self, items: impl IntoIterator<Item = &'i syn::Item> + Clone) -> Vec<Item> {
        for item in items.clone() {
            self.announce_macro(item);
        }
        let mut lowered = Vec::new();
        for item in items {
            self.item(item, &mut lowered);
        }
        lowered
    }

    /// Lowers the items among statements into the current body.
    pub(super) fn declare_items(&mut self, stmts: &[Stmt]) {
        let items = stmts.iter().filter_map(|stmt| match stmt {
            Stmt::Item(item) => Some(item),
            _ => None,
        });
        if items.clone().next().is_none() {
            return;
        }
        let first = self.renamed.len();
        if !self.frame.body.items.is_empty() {
            items.clone().for_each(|item| self.keep_apart(item));
        }
        let mut lowered = self.items(items);
        for (name, renamed) in self.renamed.iter().skip(first) {
            lowered
                .iter_mut()
                .filter(|item| item.name == *name)
                .for_each(|item| item.bound_as = Some(renamed.clone()));
        }
        self.frame.body.items.extend(lowered);
    }

    /// All items of a body share one scope: those of a nested block get a name of their own where an item of the same
    /// name is around.
    fn keep_apart(&mut self, item: &syn::Item) {
        let mut names = Vec::new();
        match item {
            syn::Item::Fn(node) => names.push(ident_name(&node.sig.ident)),
            syn::Item::Const(node) => names.push(ident_name(&node.ident)),
            syn::Item::Static(node) => names.push(ident_name(&node.ident)),
            syn::Item::Struct(node) => names.push(ident_name(&node.ident)),
            syn::Item::Enum(node) => names.push(ident_name(&node.ident)),
            syn::Item::Use(node) => imported_names(&node.tree, &mut names),
            _ => {}
        }
        let items = &self.frame.body.items;
        let number = items.len();
        names.retain(|name| items.iter().any(|item| item.name == *name));
        self.renamed.extend(names.into_iter().map(|name| {
            let renamed = Name::new(format!("{name}#{number}"));
            (name, renamed)
        }));
    }

    fn item(&mut self, item: &syn::Item, lowered: &mut Vec<Item>) {
        match item {
            syn::Item::Fn(node) => lowered.push(self.fn_item(&node.attrs, &node.sig, Some(&node.block))),
            syn::Item::Impl(node) => lowered.push(self.impl_item(node)),
            syn::Item::Trait(node) => lowered.push(self.trait_item(node)),
            syn::Item::Mod(node) => lowered.push(self.module(node)),
            syn::Item::Use(node) => self.use_item(node, lowered),
            syn::Item::Macro(node) => self.macro_item(item, node, lowered),
            syn::Item::ForeignMod(node) => self.foreign_items(node, lowered),
            _ => {
                lowered.extend(self.definition(item));
                lowered.extend(self.field_defaults(item));
            }
        }
    }

    fn definition(&mut self, item: &syn::Item) -> Option<Item> {
        Some(match item {
            syn::Item::Struct(node) => {
                let kind = TypeKind::Struct(self.fields(&node.fields));
                let last = struct_last(node);
                self.type_item(node.struct_token.span, last, &node.attrs, &node.ident, &node.generics, kind)
            }
            syn::Item::Union(node) => {
                let fields = syn::Fields::Named(node.fields.clone());
                let kind = TypeKind::Struct(self.fields(&fields));
                let last = node.fields.brace_token.span.close();
                let first = node.union_token.span;
                let mut item = self.type_item(first, last, &node.attrs, &node.ident, &node.generics, kind);
                if let ItemKind::Type(definition) = &mut item.kind {
                    definition.union = true;
                }
                item
            }
            syn::Item::Enum(node) => {
                let kind = TypeKind::Enum(node.variants.iter().map(|item| self.variant(item)).collect());
                let last = node.brace_token.span.close();
                self.type_item(node.enum_token.span, last, &node.attrs, &node.ident, &node.generics, kind)
            }
            syn::Item::Const(node) => {
                let initializer = self.initializer(&node.expr);
                let value = Static {
                    ty: self.ty(&node.ty),
                    constant: true,
                    thread_local: false,
                    initializer: Some(Arc::new(initializer)),
                };
                let kind = ItemKind::Static(Box::new(value));
                self.named(node.const_token.span, node.semi_token.span, &node.attrs, &node.ident, kind)
            }
            syn::Item::Static(node) => {
                let initializer = self.initializer(&node.expr);
                let value = Static {
                    ty: self.ty(&node.ty),
                    constant: false,
                    thread_local: false,
                    initializer: Some(Arc::new(initializer)),
                };
                let kind = ItemKind::Static(Box::new(value));
                self.named(node.static_token.span, node.semi_token.span, &node.attrs, &node.ident, kind)
            }
            syn::Item::Type(node) => {
                let alias =
                    TypeAlias { generics: self.generics(&node.generics), ty: Some(self.ty(&node.ty)) };
                let kind = ItemKind::TypeAlias(alias);
                self.named(node.type_token.span, node.semi_token.span, &node.attrs, &node.ident, kind)
            }
            syn::Item::TraitAlias(node) => {
                let value = Trait {
                    generics: self.generics(&node.generics),
                    supertraits: self.bounds(&node.bounds),
                    items: Vec::new(),
                };
                let kind = ItemKind::Trait(value);
                self.named(node.trait_token.span, node.semi_token.span, &node.attrs, &node.ident, kind)
            }
            syn::Item::ExternCrate(node) => {
                let kind = ItemKind::ExternCrate(ident_name(&node.ident));
                let ident = node.rename.as_ref().map_or(&node.ident, |(_, rename)| rename);
                self.named(node.extern_token.span, node.semi_token.span, &node.attrs, ident, kind)
            }
            _ => return None,
        })
    }

    fn named(
        &self,
        first: TokenSpan,
        last: TokenSpan,
        attrs: &[syn::Attribute],
        ident: &proc_macro2::Ident,
        kind: ItemKind,
    ) -> Item {
        Item {
            name: ident_name(ident),
            bound_as: None,
            span: self.item_span(attrs, first, last),
            name_span: self.spans.one(ident.span()),
            attributes: self.attributes(attrs),
            kind,
        }
    }

    fn item_span(&self, attrs: &[syn::Attribute], first: TokenSpan, last: TokenSpan) -> Span {
        let outer = attrs.iter().find(|attr| matches!(attr.style, syn::AttrStyle::Outer));
        self.spans.between(outer.map_or(first, |attr| attr.pound_token.span), last)
    }

    fn type_item(
        &self,
        first: TokenSpan,
        last: TokenSpan,
        attrs: &[syn::Attribute],
        ident: &proc_macro2::Ident,
        generics: &syn::Generics,
        kind: TypeKind,
    ) -> Item {
        let generics = self.generics(generics);
        self.named(first, last, attrs, ident, ItemKind::Type(TypeDefinition { generics, kind, union: false }))
    }

    fn fields(&self, fields: &syn::Fields) -> Vec<Field> {
        let lowered = fields.iter().enumerate().map(|(index, field)| {
            let first = field.ident.as_ref().map_or_else(|| extent::type_first(&field.ty), |it| it.span());
            Field {
                name: field.ident.as_ref().map_or_else(|| index_name(index), ident_name),
                ty: self.ty(&field.ty),
                span: self.spans.between(first, extent::type_last(&field.ty)),
                attributes: self.attributes(&field.attrs),
            }
        });
        lowered.collect()
    }

    fn variant(&self, variant: &syn::Variant) -> Variant {
        let first = variant.ident.span();
        let last = match &variant.fields {
            syn::Fields::Named(fields) => fields.brace_token.span.close(),
            syn::Fields::Unnamed(fields) => fields.paren_token.span.close(),
            syn::Fields::Unit => first,
        };
        Variant {
            name: ident_name(&variant.ident),
            fields: self.fields(&variant.fields),
            span: self.spans.between(first, last),
            attributes: self.attributes(&variant.attrs),
        }
    }

    /// A function, method or declaration.
    pub(super) fn fn_item(
        &mut self,
        attrs: &[syn::Attribute],
        sig: &syn::Signature,
        block: Option<&syn::Block>,
    ) -> Item {
        let function = Function {
            generics: self.generics(&sig.generics),
            receiver: sig.receiver().map(|receiver| self.receiver(receiver)),
            params: self.params(sig),
            result: match &sig.output {
                syn::ReturnType::Default => None,
                syn::ReturnType::Type(_, ty) => Some(self.ty(ty)),
            },
            asynchronous: sig.asyncness.is_some(),
            body: block.map(|block| self.body_of(sig, block)),
        };
        let last = block.map_or_else(|| signature_last(sig), |block| block.brace_token.span.close());
        let kind = ItemKind::Function(Box::new(function));
        self.named(signature_first(sig), last, attrs, &sig.ident, kind)
    }

    /// The body of a function, which waits when it is left out of the text.
    fn body_of(&mut self, sig: &syn::Signature, block: &syn::Block) -> FunctionBody {
        let brace = self.spans.one(block.brace_token.span.open()).start as usize;
        match (self.outlined.remove(&brace), self.origin) {
            (Some(outlined), Some(origin)) => FunctionBody::Deferred(Arc::new(outlined.deferred(origin))),
            _ => FunctionBody::Lowered(Arc::new(self.function_body(sig, block))),
        }
    }

    fn receiver(&self, receiver: &syn::Receiver) -> SelfParam {
        match &receiver.kind {
            syn::ReceiverKind::Reference(_, _, Some(_)) => SelfParam::MutableReference,
            syn::ReceiverKind::Reference(..) => SelfParam::Reference,
            syn::ReceiverKind::Typed(_, ty) => SelfParam::Typed(self.ty(ty)),
            _ => SelfParam::Value,
        }
    }

    fn params(&self, sig: &syn::Signature) -> Vec<Param> {
        let typed = sig.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(typed) => Some(typed),
            FnArg::Receiver(_) => None,
        });
        let params = typed.map(|typed| Param {
            name: plain_ident(&typed.pat).map(ident_name),
            ty: self.ty(&typed.ty),
            span: self.spans.between(extent::pat_first(&typed.pat), extent::type_last(&typed.ty)),
            attributes: self.attributes(&typed.attrs),
        });
        params.collect()
    }

    pub(super) fn impl_item(&mut self, node: &syn::ItemImpl) -> Item {
        let mut items = Vec::new();
        for item in &node.items {
            self.impl_member(item, &mut items);
        }
        let value = Impl {
            generics: self.generics(&node.generics),
            trait_path: node.trait_.as_ref().map(|(path, _)| self.path(None, path)),
            negative: node.modifiers.polarity.is_some(),
            self_type: self.ty(&node.self_ty),
            items,
        };
        Item {
            name: Name::default(),
            bound_as: None,
            span: self.item_span(&node.attrs, node.impl_token.span, node.brace_token.span.close()),
            name_span: self
                .spans
                .between(extent::type_first(&node.self_ty), extent::type_last(&node.self_ty)),
            attributes: self.attributes(&node.attrs),
            kind: ItemKind::Impl(value),
        }
    }

    /// A member of an impl block.
    pub(super) fn impl_member(&mut self, item: &ImplItem, items: &mut Vec<Item>) {
        match item {
            ImplItem::Fn(node) => items.push(self.fn_item(&node.attrs, &node.sig, Some(&node.block))),
            ImplItem::Const(node) => {
                let initializer = Some(Arc::new(self.initializer(&node.expr)));
                let ty = self.ty(&node.ty);
                let value = Static { ty, constant: true, thread_local: false, initializer };
                let (first, last) = (node.const_token.span, node.semi_token.span);
                items.push(self.named(
                    first,
                    last,
                    &node.attrs,
                    &node.ident,
                    ItemKind::Static(Box::new(value)),
                ));
            }
            ImplItem::Type(node) => {
                let alias =
                    TypeAlias { generics: self.generics(&node.generics), ty: Some(self.ty(&node.ty)) };
                let (first, last) = (node.type_token.span, node.semi_token.span);
                items.push(self.named(first, last, &node.attrs, &node.ident, ItemKind::TypeAlias(alias)));
            }
            ImplItem::Macro(node) => self.member_macro(&node.mac, items),
            _ => {}
        }
    }

    fn trait_item(&mut self, node: &syn::ItemTrait) -> Item {
        let mut items = Vec::new();
        for item in &node.items {
            self.trait_member(item, &mut items);
        }
        let value = Trait {
            generics: self.generics(&node.generics),
            supertraits: self.bounds(&node.supertraits),
            items,
        };
        let (first, last) = (node.trait_token.span, node.brace_token.span.close());
        self.named(first, last, &node.attrs, &node.ident, ItemKind::Trait(value))
    }

    /// A member of a trait.
    pub(super) fn trait_member(&mut self, item: &TraitItem, items: &mut Vec<Item>) {
        match item {
            TraitItem::Fn(node) => items.push(self.fn_item(&node.attrs, &node.sig, node.default.as_ref())),
            TraitItem::Const(node) => {
                let initializer = node.default.as_ref().map(|(_, value)| Arc::new(self.initializer(value)));
                let ty = self.ty(&node.ty);
                let value = Static { ty, constant: true, thread_local: false, initializer };
                let (first, last) = (node.const_token.span, node.semi_token.span);
                items.push(self.named(
                    first,
                    last,
                    &node.attrs,
                    &node.ident,
                    ItemKind::Static(Box::new(value)),
                ));
            }
            TraitItem::Type(node) => {
                let ty = node.default.as_ref().map(|(_, ty)| self.ty(ty));
                let alias = TypeAlias { generics: self.generics(&node.generics), ty };
                let (first, last) = (node.type_token.span, node.semi_token.span);
                items.push(self.named(first, last, &node.attrs, &node.ident, ItemKind::TypeAlias(alias)));
            }
            TraitItem::Macro(node) => self.member_macro(&node.mac, items),
            _ => {}
        }
    }

    fn module(&mut self, node: &syn::ItemMod) -> Item {
        let attributes = self.attributes(&node.attrs);
        let path = attributes.other.iter().find(|attr| attr.path == "path");
        let path = path.map(|attr| attr.arguments.clone());
        let items = node.content.as_ref().map(|(_, items)| self.items(items));
        let last = match (&node.content, &node.semi) {
            (Some((brace, _)), _) => brace.span.close(),
            (None, Some(semi)) => semi.span,
            (None, None) => node.ident.span(),
        };
        let kind = ItemKind::Module(Module { items, path });
        Item { attributes, ..self.named(node.mod_token.span, last, &node.attrs, &node.ident, kind) }
    }

    fn foreign_items(&mut self, node: &syn::ItemForeignMod, items: &mut Vec<Item>) {
        for item in &node.items {
            match item {
                ForeignItem::Fn(node) => items.push(self.fn_item(&node.attrs, &node.sig, None)),
                ForeignItem::Static(node) => {
                    let ty = self.ty(&node.ty);
                    let value = Static { ty, constant: false, thread_local: false, initializer: None };
                    let (first, last) = (node.static_token.span, node.semi_token.span);
                    items.push(self.named(
                        first,
                        last,
                        &node.attrs,
                        &node.ident,
                        ItemKind::Static(Box::new(value)),
                    ));
                }
                ForeignItem::Type(node) => {
                    let definition = TypeDefinition {
                        generics: Generics::default(),
                        kind: TypeKind::Struct(Vec::new()),
                        union: false,
                    };
                    let (first, last) = (node.type_token.span, node.semi_token.span);
                    items.push(self.named(first, last, &node.attrs, &node.ident, ItemKind::Type(definition)));
                }
                _ => {}
            }
        }
    }

    fn use_item(&mut self, node: &syn::ItemUse, items: &mut Vec<Item>) {
        let import = Import {
            public: !matches!(node.vis, syn::Visibility::Inherited),
            global: node.leading_colon.is_some(),
            span: self.item_span(&node.attrs, node.use_token.span, node.semi_token.span),
            attributes: self.attributes(&node.attrs),
        };
        self.use_tree(&node.tree, &mut Vec::new(), &import, items);
    }

    fn use_tree(&self, mut tree: &UseTree, prefix: &mut Vec<Name>, import: &Import, items: &mut Vec<Item>) {
        let outer = prefix.len();
        while let UseTree::Path(node) = tree {
            prefix.push(ident_name(&node.ident));
            tree = &node.tree;
        }
        self.use_leaf(tree, prefix, import, items);
        prefix.truncate(outer);
    }

    fn use_leaf(&self, tree: &UseTree, prefix: &mut Vec<Name>, import: &Import, items: &mut Vec<Item>) {
        match tree {
            UseTree::Path(_) => {}
            UseTree::Group(node) => {
                for tree in &node.items {
                    self.use_tree(tree, prefix, import, items);
                }
            }
            UseTree::Name(node) => {
                let name = ident_name(&node.ident);
                let mut path = prefix.clone();
                // `a::b::{self}` imports `a::b`.
                if name != "self" || path.is_empty() {
                    path.push(name);
                }
                let bound = path.last().cloned().unwrap_or_default();
                let name_span = self.spans.one(node.ident.span());
                items.push(import.item(bound, name_span, path, false));
            }
            UseTree::Rename(node) => {
                let name = ident_name(&node.ident);
                let mut path = prefix.clone();
                if name != "self" || path.is_empty() {
                    path.push(name);
                }
                let name_span = self.spans.one(node.rename.span());
                items.push(import.item(ident_name(&node.rename), name_span, path, false));
            }
            UseTree::Glob(node) => {
                let name_span = self.spans.one(node.star_token.span);
                items.push(import.item(Name::default(), name_span, prefix.clone(), true));
            }
        }
    }

    fn macro_item(&mut self, item: &syn::Item, node: &syn::ItemMacro, items: &mut Vec<Item>) {
        match &node.ident {
            Some(ident) if node.mac.path.is_ident("macro_rules") => {
                self.declare_macro(item);
                let exported = node.attrs.iter().any(|attr| attr.path().is_ident("macro_export"));
                let kind = ItemKind::Macro(MacroDefinition { exported });
                let first = extent::path_first(&node.mac.path);
                let last = node.mac.delimiter.span().close();
                items.push(self.named(first, last, &node.attrs, ident, kind));
            }
            _ => {
                let attributes = self.attributes(&node.attrs);
                self.item_macro(&node.mac, &attributes, items);
            }
        }
    }

    /// A static that a macro such as `thread_local!` defines.
    pub(super) fn macro_static(&mut self, parsed: &super::macros::statics::StaticDeclaration) -> Item {
        let initializer = Some(Arc::new(self.initializer(&parsed.value)));
        let value = Static {
            ty: self.ty(&parsed.ty),
            constant: false,
            thread_local: parsed.thread_local,
            initializer,
        };
        let last = extent::expr_last(&parsed.value);
        let kind = ItemKind::Static(Box::new(value));
        self.named(parsed.ident.span(), last, &parsed.attrs, &parsed.ident, kind)
    }
}

/// What all names of one `use` share.
struct Import {
    public: bool,
    global: bool,
    span: Span,
    attributes: Attributes,
}

impl Import {
    fn item(&self, name: Name, name_span: Span, path: Vec<Name>, glob: bool) -> Item {
        Item {
            name,
            bound_as: None,
            span: self.span,
            name_span,
            attributes: self.attributes.clone(),
            kind: ItemKind::Use(Use { path, global: self.global, glob, public: self.public }),
        }
    }
}

fn signature_first(sig: &syn::Signature) -> TokenSpan {
    if let Some(token) = &sig.constness {
        token.span
    } else if let Some(token) = &sig.asyncness {
        token.span
    } else {
        sig.fn_token.span
    }
}

fn signature_last(sig: &syn::Signature) -> TokenSpan {
    match &sig.output {
        syn::ReturnType::Default => sig.paren_token.span.close(),
        syn::ReturnType::Type(_, ty) => extent::type_last(ty),
    }
}

fn struct_last(node: &syn::ItemStruct) -> TokenSpan {
    match (&node.fields, &node.semi_token) {
        (_, Some(semi)) => semi.span,
        (syn::Fields::Named(fields), None) => fields.brace_token.span.close(),
        (syn::Fields::Unnamed(fields), None) => fields.paren_token.span.close(),
        (syn::Fields::Unit, None) => node.ident.span(),
    }
}

/// The names that an import brings into scope.
fn imported_names(tree: &UseTree, names: &mut Vec<Name>) {
    match tree {
        UseTree::Path(node) => imported_names(&node.tree, names),
        UseTree::Group(node) => node.items.iter().for_each(|tree| imported_names(tree, names)),
        UseTree::Name(node) => names.push(ident_name(&node.ident)),
        UseTree::Rename(node) => names.push(ident_name(&node.rename)),
        UseTree::Glob(_) => {}
    }
}
