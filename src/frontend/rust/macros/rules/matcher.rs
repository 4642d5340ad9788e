//! The left side of a macro rule.

use std::collections::HashMap;

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::ext::IdentExt as _;
use syn::parse::discouraged::Speculative as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Block, Expr, Lifetime, Lit, Pat, Token, Type, Visibility};

use super::super::super::types::ident_name;
use crate::ir::Name;

/// One element of a matcher.
pub(super) enum Matcher {
    /// A token as it is.
    Token(TokenTree),
    /// A lifetime as it is.
    Lifetime(Name),
    /// A bracketed sequence.
    Group(Delimiter, Vec<Matcher>),
    /// `$name:kind`.
    Fragment(Name, Name),
    /// `$( .. ) separator operator`.
    Repeat { inner: Vec<Matcher>, separator: Vec<TokenTree>, operator: char },
}

/// What the variables of a matcher stand for.
pub(super) type Bindings = HashMap<Name, Binding>;

/// What one variable stands for.
#[derive(Clone)]
pub(super) enum Binding {
    /// Tokens.
    Tokens(TokenStream),
    /// One binding for each repetition.
    Repeated(Vec<Binding>),
}

/// Parses a matcher.
pub(super) fn parse(tokens: TokenStream) -> Option<Vec<Matcher>> {
    let mut trees = tokens.into_iter().peekable();
    let mut matchers = Vec::new();
    while let Some(tree) = trees.next() {
        matchers.push(match tree {
            tree if super::is_dollar(&tree) => match trees.next()? {
                TokenTree::Ident(name) => {
                    trees
                        .next_if(|tree| matches!(tree, TokenTree::Punct(colon) if colon.as_char() == ':'))?;
                    let TokenTree::Ident(kind) = trees.next()? else { return None };
                    Matcher::Fragment(ident_name(&name), ident_name(&kind))
                }
                tree => {
                    let inner = parse(super::parenthesised(&tree)?)?;
                    let (separator, operator) = super::repetition(&mut trees)?;
                    Matcher::Repeat { inner, separator, operator }
                }
            },
            TokenTree::Punct(quote) if quote.as_char() == '\'' => match trees.next()? {
                TokenTree::Ident(name) => Matcher::Lifetime(ident_name(&name)),
                _ => return None,
            },
            TokenTree::Group(group) => Matcher::Group(group.delimiter(), parse(group.stream())?),
            tree => Matcher::Token(tree),
        });
    }
    Some(matchers)
}

/// Matches the input from its start and binds the variables.
pub(super) fn matches(
    matchers: &[Matcher],
    input: ParseStream<'_>,
    bindings: &mut Bindings,
) -> syn::Result<()> {
    for matcher in matchers {
        match matcher {
            Matcher::Token(token) => expect(token, input)?,
            Matcher::Lifetime(name) => {
                let lifetime: Lifetime = input.parse()?;
                if ident_name(&lifetime.ident) != *name {
                    return Err(input.error("another lifetime"));
                }
            }
            Matcher::Group(delimiter, inner) => {
                let group: Group = input.parse()?;
                if group.delimiter() != *delimiter {
                    return Err(input.error("another bracket"));
                }
                (|inside: ParseStream<'_>| matches(inner, inside, bindings)).parse2(group.stream())?;
            }
            Matcher::Fragment(name, kind) => {
                let tokens = fragment(kind, input)?;
                bindings.insert(name.clone(), Binding::Tokens(tokens));
            }
            Matcher::Repeat { inner, separator, operator } => {
                repeat(inner, separator, *operator, input, bindings)?;
            }
        }
    }
    Ok(())
}

fn expect(token: &TokenTree, input: ParseStream<'_>) -> syn::Result<()> {
    let found = input.step(|cursor| {
        let next = match token {
            TokenTree::Ident(_) => cursor.ident().map(|(found, rest)| (TokenTree::Ident(found), rest)),
            TokenTree::Punct(_) => cursor.punct().map(|(found, rest)| (TokenTree::Punct(found), rest)),
            _ => cursor.literal().map(|(found, rest)| (TokenTree::Literal(found), rest)),
        };
        next.ok_or_else(|| cursor.error("another token"))
    })?;
    if found.to_string() == token.to_string() { Ok(()) } else { Err(input.error("another token")) }
}

fn repeat(
    inner: &[Matcher],
    separator: &[TokenTree],
    operator: char,
    input: ParseStream<'_>,
    bindings: &mut Bindings,
) -> syn::Result<()> {
    let mut rounds: Vec<Bindings> = Vec::new();
    while !input.is_empty() && (operator != '?' || rounds.is_empty()) {
        let ahead = input.fork();
        if !rounds.is_empty() && separator.iter().any(|token| expect(token, &ahead).is_err()) {
            break;
        }
        let before = ahead.cursor();
        let mut round = Bindings::new();
        if matches(inner, &ahead, &mut round).is_err() || ahead.cursor() == before {
            break;
        }
        input.advance_to(&ahead);
        rounds.push(round);
    }
    if operator == '+' && rounds.is_empty() {
        return Err(input.error("nothing repeats"));
    }
    let mut names = Vec::new();
    variables(inner, &mut names);
    for name in names {
        let repeated = rounds.iter_mut().filter_map(|round| round.remove(&name)).collect();
        bindings.insert(name, Binding::Repeated(repeated));
    }
    Ok(())
}

fn variables(matchers: &[Matcher], names: &mut Vec<Name>) {
    for matcher in matchers {
        match matcher {
            Matcher::Fragment(name, _) => names.push(name.clone()),
            Matcher::Group(_, inner) | Matcher::Repeat { inner, .. } => variables(inner, names),
            Matcher::Token(_) | Matcher::Lifetime(_) => {}
        }
    }
}

/// The tokens of a fragment. Expressions and types are grouped, so that they stay whole.
fn fragment(kind: &str, input: ParseStream<'_>) -> syn::Result<TokenStream> {
    Ok(match kind {
        "expr" | "expr_2021" => grouped(input.parse::<Expr>()?.to_token_stream()),
        "ty" => grouped(input.parse::<Type>()?.to_token_stream()),
        "ident" => input.call(Ident::parse_any)?.to_token_stream(),
        "tt" => token_tree(input)?,
        "literal" => {
            let minus: Option<Token![-]> = input.parse()?;
            let lit: Lit = input.parse()?;
            let mut tokens = minus.to_token_stream();
            lit.to_tokens(&mut tokens);
            tokens
        }
        "path" => input.parse::<syn::TypePath>()?.to_token_stream(),
        "pat" => Pat::parse_multi_with_leading_vert(input)?.to_token_stream(),
        "pat_param" => Pat::parse_single(input)?.to_token_stream(),
        "block" => input.parse::<Block>()?.to_token_stream(),
        "item" => input.parse::<syn::Item>()?.to_token_stream(),
        "lifetime" => input.parse::<Lifetime>()?.to_token_stream(),
        "vis" => input.parse::<Visibility>()?.to_token_stream(),
        "meta" => input.parse::<syn::Meta>()?.to_token_stream(),
        "stmt" => statement(input)?,
        _ => return Err(input.error("a fragment of unknown kind")),
    })
}

fn token_tree(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    if input.peek(Lifetime) {
        return Ok(input.parse::<Lifetime>()?.to_token_stream());
    }
    Ok(input.parse::<TokenTree>()?.into())
}

/// A statement without its semicolon.
fn statement(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let mut tokens = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![;]) {
        tokens.extend([input.parse::<TokenTree>()?]);
    }
    if tokens.is_empty() { Err(input.error("expected a statement")) } else { Ok(tokens) }
}

fn grouped(tokens: TokenStream) -> TokenStream {
    let mut trees = tokens.clone().into_iter();
    if trees.next().is_some() && trees.next().is_none() {
        return tokens;
    }
    TokenTree::Group(Group::new(Delimiter::None, tokens)).into()
}
