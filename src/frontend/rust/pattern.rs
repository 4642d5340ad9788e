//! Patterns: which parts of a value the names of a pattern hold.

use proc_macro2::Ident;
use syn::Pat;
use syn::parse::Parser as _;

use super::Lowerer;
use super::frame::{local_place, project};
use super::types::{ident_name, index_name, member_name};
use crate::ir::{Index, Literal, LocalId, LocalKind, Name, Operand, Path, Place, Projection, Rvalue, Type};

/// How names bind to the matched place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum BindMode {
    /// They hold the value.
    #[default]
    Move,
    /// The scrutinee is `&place`: they refer to the place.
    Ref,
    /// The scrutinee is `&mut place`.
    RefMut,
}

/// The state of one pattern.
#[derive(Default)]
pub(super) struct Binder {
    /// How names bind.
    pub mode: BindMode,
    /// Whether the pattern may fail to match; only then an upper-case name is a constant.
    pub refutable: bool,
    /// Names bound so far; the alternatives of an or-pattern share them.
    pub names: Vec<(Name, u32, LocalId)>,
}

impl Lowerer<'_> {
    /// Binds the names of a pattern to parts of `place`.
    pub(super) fn bind(&mut self, pat: &Pat, place: &Place, binder: &mut Binder, ty: Option<&Type>) {
        match pat {
            Pat::Ident(node) => self.bind_ident(node, place, binder, ty),
            Pat::Paren(node) => self.bind(&node.pat, place, binder, ty),
            Pat::Type(node) => {
                let ty = self.ty(&node.ty);
                self.bind(&node.pat, place, binder, Some(&ty));
            }
            Pat::Tuple(node) => {
                let types = match ty {
                    Some(Type::Tuple(types)) => types.as_slice(),
                    _ => &[],
                };
                self.bind_elements(node.elems.iter().collect(), place, binder, types, &|name| {
                    Projection::Field(name)
                });
            }
            Pat::TupleStruct(node) => {
                let path = self.path(node.qself.as_ref(), &node.path);
                self.bind_elements(node.elems.iter().collect(), place, binder, &[], &|field| {
                    Projection::Variant { path: Box::new(path.clone()), field }
                });
            }
            Pat::Struct(node) => self.bind_struct(node, place, binder),
            Pat::Reference(node) => self.bind_reference(&node.pat, place, binder, ty),
            Pat::Slice(node) => self.bind_slice(node.elems.iter().collect(), place, binder),
            Pat::Or(node) => self.bind_alternatives(node.cases.iter().collect(), place, binder, ty),
            Pat::Guard(node) => {
                self.bind(&node.pat, place, binder, ty);
                self.discard(&node.guard);
            }
            Pat::Verbatim(tokens) => self.bind_verbatim(tokens, place, binder),
            Pat::Macro(node) => self.bind_macro(&node.mac, place, binder, ty),
            _ => {}
        }
    }

    fn bind_ident(&mut self, node: &syn::PatIdent, place: &Place, binder: &mut Binder, ty: Option<&Type>) {
        let plain = node.by_ref.is_none() && node.mutability.is_none() && node.subpat.is_none();
        let name = ident_name(&node.ident);
        if !(plain && binder.refutable && is_constant_name(&name)) {
            let local = self.binding_local(&node.ident, name, binder, ty);
            let mutable = match &node.by_ref {
                Some(_) => Some(node.mutability.is_some()),
                None => match binder.mode {
                    BindMode::Move => None,
                    BindMode::Ref => Some(false),
                    BindMode::RefMut => Some(true),
                },
            };
            let value = match mutable {
                Some(mutable) => Rvalue::Reference { mutable, place: place.clone() },
                None => Rvalue::Use(Operand::Place(place.clone())),
            };
            let span = self.spans.one(node.ident.span());
            self.assign(local_place(local), value, span);
        }
        if let Some((_, inner)) = &node.subpat {
            self.bind(inner, place, binder, ty);
        }
    }

    /// The local of a name; the alternatives of an or-pattern share one.
    fn binding_local(
        &mut self,
        ident: &Ident,
        name: Name,
        binder: &mut Binder,
        ty: Option<&Type>,
    ) -> LocalId {
        let expansion = self.ident_expansion(ident.span());
        let mut names = binder.names.iter();
        if let Some(known) = names.find(|(known, at, _)| *known == name && *at == expansion) {
            return known.2;
        }
        let ty = if binder.mode == BindMode::Move { ty.cloned() } else { None };
        let local = self.pattern_local(ident, LocalKind::Variable, ty);
        binder.names.push((name.clone(), expansion, local));
        self.bind_name(name, expansion, local);
        local
    }

    /// A new local for an identifier of a pattern.
    pub(super) fn pattern_local(&mut self, ident: &Ident, kind: LocalKind, ty: Option<Type>) -> LocalId {
        let span = self.spans.one(ident.span());
        self.frame.local(Some(ident_name(ident)), kind, ty, span)
    }

    fn bind_elements(
        &mut self,
        elements: Vec<&Pat>,
        place: &Place,
        binder: &mut Binder,
        types: &[Type],
        projection: &dyn Fn(Name) -> Projection,
    ) {
        let rest = elements.iter().position(|element| is_rest(element));
        for (index, element) in elements.iter().enumerate() {
            let projection = match rest {
                Some(rest) if index == rest => continue,
                // How many fields the rest stands for is only known from the definition.
                Some(rest) if index > rest => {
                    let from_end = super::frame::index(elements.len() - 1 - index);
                    Projection::Index(Index::FromEnd(from_end))
                }
                _ => projection(index_name(index)),
            };
            let ty = types.get(index).filter(|_| rest.is_none());
            self.bind(element, &project(place, projection), binder, ty);
        }
    }

    fn bind_struct(&mut self, node: &syn::PatStruct, place: &Place, binder: &mut Binder) {
        let path = self.path(node.qself.as_ref(), &node.path);
        for field in &node.fields {
            let field_name = member_name(&field.member);
            let projection = Projection::Variant { path: Box::new(path.clone()), field: field_name };
            let part = project(place, projection);
            // Shorthand fields always bind, whatever their case.
            let refutable = binder.refutable;
            binder.refutable = refutable && field.colon_token.is_some();
            self.bind(&field.pat, &part, binder, None);
            binder.refutable = refutable;
        }
    }

    fn bind_reference(&mut self, inner: &Pat, place: &Place, binder: &mut Binder, ty: Option<&Type>) {
        let ty = match ty {
            Some(Type::Reference { inner, .. }) => Some(&**inner),
            _ => None,
        };
        if binder.mode == BindMode::Move {
            self.bind(inner, &project(place, Projection::Dereference), binder, ty);
        } else {
            // The scrutinee is `&place`, so the pattern takes exactly that reference away.
            let mode = std::mem::take(&mut binder.mode);
            self.bind(inner, place, binder, ty);
            binder.mode = mode;
        }
    }

    fn bind_slice(&mut self, elements: Vec<&Pat>, place: &Place, binder: &mut Binder) {
        let rest = elements.iter().position(|element| is_rest_binding(element));
        for (index, element) in elements.iter().enumerate() {
            let position = match rest {
                Some(rest) if index == rest => Index::Range("..".into()),
                Some(rest) if index > rest => Index::FromEnd(super::frame::index(elements.len() - 1 - index)),
                _ => Index::Literal(Literal::Int(index_name(index))),
            };
            self.bind(element, &project(place, Projection::Index(position)), binder, None);
        }
    }

    fn bind_alternatives(&mut self, cases: Vec<&Pat>, place: &Place, binder: &mut Binder, ty: Option<&Type>) {
        let mut bound = Vec::new();
        cases.iter().for_each(|case| binding_idents(case, &mut bound));
        let binds = bound.iter().any(|ident| !is_constant_name(&ident_name(ident)));
        if !binds {
            return;
        }
        let join = self.new_block();
        let starts: Vec<_> = cases.iter().map(|_| self.new_block()).collect();
        self.branch(starts.clone());
        for (case, start) in cases.iter().zip(starts) {
            self.switch_to(start);
            self.bind(case, place, binder, ty);
            self.goto(join);
        }
        self.switch_to(join);
    }

    /// Patterns that the parser keeps as tokens: `box pat`.
    fn bind_verbatim(&mut self, tokens: &proc_macro2::TokenStream, place: &Place, binder: &mut Binder) {
        let mut tokens = tokens.clone().into_iter();
        let boxed = matches!(tokens.next(), Some(proc_macro2::TokenTree::Ident(word)) if word == "box");
        if boxed && let Ok(inner) = Pat::parse_single.parse2(tokens.collect()) {
            self.bind(&inner, &project(place, Projection::Dereference), binder, None);
        }
    }
}

/// Whether a name in a pattern is by convention a constant, unit struct or unit variant.
fn is_constant_name(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

fn is_rest(pat: &Pat) -> bool {
    matches!(pat, Pat::Rest(_))
}

fn is_rest_binding(pat: &Pat) -> bool {
    match pat {
        Pat::Rest(_) => true,
        Pat::Ident(node) => node.subpat.as_ref().is_some_and(|(_, inner)| is_rest(inner)),
        _ => false,
    }
}

/// The identifiers that a pattern may bind, constants included.
pub(super) fn binding_idents<'p>(pat: &'p Pat, idents: &mut Vec<&'p Ident>) {
    match pat {
        Pat::Ident(node) => {
            idents.push(&node.ident);
            if let Some((_, inner)) = &node.subpat {
                binding_idents(inner, idents);
            }
        }
        Pat::Paren(node) => binding_idents(&node.pat, idents),
        Pat::Type(node) => binding_idents(&node.pat, idents),
        Pat::Reference(node) => binding_idents(&node.pat, idents),
        Pat::Guard(node) => binding_idents(&node.pat, idents),
        Pat::Tuple(node) => node.elems.iter().for_each(|elem| binding_idents(elem, idents)),
        Pat::TupleStruct(node) => node.elems.iter().for_each(|elem| binding_idents(elem, idents)),
        Pat::Slice(node) => node.elems.iter().for_each(|elem| binding_idents(elem, idents)),
        Pat::Or(node) => node.cases.iter().for_each(|case| binding_idents(case, idents)),
        Pat::Struct(node) => node.fields.iter().for_each(|field| binding_idents(&field.pat, idents)),
        _ => {}
    }
}

/// The path that a tuple-struct pattern or expression names.
pub(super) fn variant_projection(path: &Path, field: Name) -> Projection {
    Projection::Variant { path: Box::new(path.clone()), field }
}
