//! The right side of a macro rule.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

use super::super::super::types::ident_name;
use super::matcher::{Binding, Bindings};
use crate::ir::Name;

/// One element of a template. All tokens have the call-site span.
pub(super) enum Template {
    /// A token as it is.
    Token(TokenTree),
    /// A bracketed sequence.
    Group(Delimiter, Vec<Template>),
    /// `$name`.
    Variable(Name),
    /// `$( .. ) separator operator`.
    Repeat { inner: Vec<Template>, separator: Vec<TokenTree> },
}

/// Parses a template.
pub(super) fn parse(tokens: TokenStream) -> Option<Vec<Template>> {
    let mut trees = tokens.into_iter().peekable();
    let mut templates = Vec::new();
    while let Some(tree) = trees.next() {
        templates.push(match tree {
            tree if super::is_dollar(&tree) => match trees.next()? {
                TokenTree::Ident(name) if name == "crate" => {
                    Template::Token(TokenTree::Ident(Ident::new("crate", Span::call_site())))
                }
                TokenTree::Ident(name) => Template::Variable(ident_name(&name)),
                tree => {
                    let inner = parse(super::parenthesised(&tree)?)?;
                    let (separator, _) = super::repetition(&mut trees)?;
                    Template::Repeat { inner, separator: separator.into_iter().map(at_call_site).collect() }
                }
            },
            TokenTree::Group(group) => Template::Group(group.delimiter(), parse(group.stream())?),
            tree => Template::Token(at_call_site(tree)),
        });
    }
    Some(templates)
}

fn at_call_site(mut tree: TokenTree) -> TokenTree {
    tree.set_span(Span::call_site());
    tree
}

/// Fills in the variables. `None` when the bindings do not fit or more than `left` tokens would result.
pub(super) fn transcribe(
    templates: &[Template],
    bindings: &Bindings,
    left: &mut usize,
) -> Option<TokenStream> {
    let mut tokens = TokenStream::new();
    fill(templates, bindings, left, &mut tokens)?;
    Some(tokens)
}

fn fill(
    templates: &[Template],
    bindings: &Bindings,
    left: &mut usize,
    tokens: &mut TokenStream,
) -> Option<()> {
    for template in templates {
        *left = left.checked_sub(1)?;
        match template {
            Template::Token(token) => tokens.extend([token.clone()]),
            Template::Group(delimiter, inner) => {
                let group = Group::new(*delimiter, transcribe(inner, bindings, left)?);
                tokens.extend([TokenTree::Group(group)]);
            }
            Template::Variable(name) => match bindings.get(name)? {
                Binding::Tokens(bound) => {
                    *left = left.checked_sub(count(bound))?;
                    tokens.extend(bound.clone());
                }
                Binding::Repeated(_) => return None,
            },
            Template::Repeat { inner, separator } => repeat(inner, separator, bindings, left, tokens)?,
        }
    }
    Some(())
}

fn repeat(
    inner: &[Template],
    separator: &[TokenTree],
    bindings: &Bindings,
    left: &mut usize,
    tokens: &mut TokenStream,
) -> Option<()> {
    let mut names = Vec::new();
    variables(inner, &mut names);
    let mut fixed = Bindings::new();
    let mut repeated: Vec<(&Name, &Vec<Binding>)> = Vec::new();
    for name in &names {
        match bindings.get(name) {
            Some(Binding::Repeated(rounds)) => repeated.push((name, rounds)),
            Some(tokens) => drop(fixed.insert(name.clone(), tokens.clone())),
            None => {}
        }
    }
    let rounds = repeated.iter().map(|(_, rounds)| rounds.len()).max()?;
    for round in 0..rounds {
        if round > 0 {
            tokens.extend(separator.iter().cloned());
        }
        for (name, rounds) in &repeated {
            fixed.insert((*name).clone(), rounds.get(round)?.clone());
        }
        fill(inner, &fixed, left, tokens)?;
    }
    Some(())
}

fn variables(templates: &[Template], names: &mut Vec<Name>) {
    for template in templates {
        match template {
            Template::Variable(name) => names.push(name.clone()),
            Template::Group(_, inner) | Template::Repeat { inner, .. } => variables(inner, names),
            Template::Token(_) => {}
        }
    }
}

fn count(tokens: &TokenStream) -> usize {
    let trees = tokens.clone().into_iter();
    trees
        .map(|tree| match tree {
            TokenTree::Group(group) => 2 + count(&group.stream()),
            _ => 1,
        })
        .sum()
}
