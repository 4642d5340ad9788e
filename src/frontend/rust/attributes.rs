//! Attributes: which code is for tests, `cfg` predicates, derives, and everything else as text.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::parse::Parser as _;
use syn::{Expr, Lit, Meta, Token, punctuated::Punctuated};

use super::Lowerer;
use super::types::ident_name;
use crate::ir::{Attribute, Attributes, Name, Span};

impl Lowerer<'_> {
    /// The attributes of an item, field, variant or parameter.
    pub(super) fn attributes(&self, attrs: &[syn::Attribute]) -> Attributes {
        let mut attributes = Attributes::default();
        for attr in attrs {
            if !attr.path().is_ident("doc") {
                let first = attr.pound_token.span;
                let span = self.spans.between(first, attr.bracket_token.span.close());
                self.meta(&attr.meta, span, &mut attributes);
            }
        }
        attributes
    }

    fn meta(&self, meta: &Meta, span: Span, attributes: &mut Attributes) {
        let path = path_text(meta.path());
        match (path.as_str(), meta) {
            ("cfg", Meta::List(list)) => add_cfg(&list.tokens, attributes),
            ("cfg_attr", Meta::List(list)) => self.cfg_attr(&list.tokens, span, attributes),
            ("derive", Meta::List(list)) => self.derives(&list.tokens, attributes),
            _ => {
                attributes.test |= is_test_attribute(&path);
                let arguments = meta_arguments(meta);
                attributes.other.push(Attribute { path, arguments, span });
            }
        }
    }

    fn derives(&self, tokens: &TokenStream, attributes: &mut Attributes) {
        let parser = Punctuated::<syn::Path, Token![,]>::parse_terminated;
        if let Ok(paths) = parser.parse2(tokens.clone()) {
            attributes.derives.extend(paths.iter().map(|path| self.path(None, path)));
        }
    }

    fn cfg_attr(&self, tokens: &TokenStream, span: Span, attributes: &mut Attributes) {
        let parser = Punctuated::<Meta, Token![,]>::parse_terminated;
        if let Ok(metas) = parser.parse2(tokens.clone()) {
            for meta in metas.iter().skip(1) {
                self.meta(meta, span, attributes);
            }
        }
    }
}

fn add_cfg(tokens: &TokenStream, attributes: &mut Attributes) {
    attributes.test |= requires_test(tokens);
    let predicate = without_space(tokens);
    attributes.cfg = match attributes.cfg.as_str() {
        "" => Name::new(predicate),
        before => Name::new(format!("{before};{predicate}")),
    };
}

/// Words of features that only tests and the crates that support them turn on.
const TEST_FEATURES: &[&str] =
    &["test", "tests", "testing", "testutil", "testutils", "mock", "mocks", "fuzz", "fuzzing", "fixtures"];

/// Whether a `cfg` predicate can only hold in test builds: `test`, `feature = "test-utils"`, `all(.., test, ..)`,
/// or `any` of nothing else.
fn requires_test(tokens: &TokenStream) -> bool {
    let mut trees = tokens.clone().into_iter();
    match (trees.next(), trees.next()) {
        (Some(TokenTree::Ident(word)), None) => word == "test",
        (Some(TokenTree::Ident(word)), Some(TokenTree::Punct(equals))) if equals.as_char() == '=' => {
            word == "feature" && trees.next().is_some_and(|name| is_test_feature(&name.to_string()))
        }
        (Some(TokenTree::Ident(word)), Some(TokenTree::Group(group))) => {
            let parts = split_commas(group.stream());
            match word.to_string().as_str() {
                "all" => parts.iter().any(requires_test),
                "any" => !parts.is_empty() && parts.iter().all(requires_test),
                _ => false,
            }
        }
        _ => false,
    }
}

fn is_test_feature(literal: &str) -> bool {
    literal.trim_matches('"').split(['-', '_']).any(|word| TEST_FEATURES.contains(&word))
}

fn split_commas(tokens: TokenStream) -> Vec<TokenStream> {
    let mut parts = Vec::new();
    let mut part = TokenStream::new();
    for tree in tokens {
        if matches!(&tree, TokenTree::Punct(punct) if punct.as_char() == ',') {
            parts.push(std::mem::take(&mut part));
        } else {
            part.extend([tree]);
        }
    }
    if !part.is_empty() {
        parts.push(part);
    }
    parts
}

fn without_space(tokens: &TokenStream) -> String {
    let mut text = String::new();
    for tree in tokens.clone() {
        match tree {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::None => ("", ""),
                };
                text.push_str(open);
                text.push_str(&without_space(&group.stream()));
                text.push_str(close);
            }
            other => text.push_str(&other.to_string()),
        }
    }
    text
}

/// Test attributes of the language and of the usual test frameworks.
fn is_test_attribute(path: &str) -> bool {
    let last = path.rsplit("::").next().unwrap_or(path);
    matches!(last, "test" | "bench" | "rstest" | "test_case" | "quickcheck" | "wasm_bindgen_test")
}

/// A path with `::` and without generic arguments.
pub(super) fn path_text(path: &syn::Path) -> Name {
    if let Some(ident) = path.get_ident() {
        return ident_name(ident);
    }
    let names: Vec<Name> = path.segments.iter().map(|segment| ident_name(&segment.ident)).collect();
    Name::new(names.join("::"))
}

fn meta_arguments(meta: &Meta) -> String {
    match meta {
        Meta::Path(_) => String::new(),
        Meta::List(list) => list.tokens.to_string(),
        Meta::NameValue(pair) => match &pair.value {
            Expr::Lit(syn::ExprLit { lit: Lit::Str(text), .. }) => text.value(),
            other => other.to_token_stream().to_string(),
        },
    }
}
