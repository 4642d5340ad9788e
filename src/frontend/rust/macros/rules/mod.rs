//! Macros that the tree defines with `macro_rules!`: definitions in scope, and expansion.
//!
//! Tokens that a call hands over keep their places. Tokens of the template get the parser's call-site span, which
//! stands for the call in the user's code, and their identifiers are kept apart from the caller's (hygiene).

mod matcher;
mod table;
mod template;

pub use table::{MacroTable, collect_macros};

use std::collections::HashMap;
use std::rc::Rc;
use std::str::FromStr as _;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::Macro;
use syn::parse::{ParseStream, Parser as _};

use super::super::types::ident_name;
use super::super::{Lowerer, guard};
use crate::ir::{Name, Span};
use matcher::{Bindings, Matcher};
use template::Template;

/// Expansions inside expansions; the language's own limit is 128.
const DEPTH_LIMIT: u32 = 64;
/// Tokens that all expansions of one file may produce.
const TOKEN_LIMIT: usize = 150_000;
/// How deep all expansions around one point may nest together.
const NESTING_LIMIT: usize = 2 * guard::HEAVY_LIMIT;

/// One `matcher => template` of a macro.
struct Rule {
    matcher: Vec<Matcher>,
    template: Vec<Template>,
}

/// A definition whose rules are parsed when it is first used.
enum Definition {
    Tokens(TokenStream),
    Rules(Rc<Vec<Rule>>),
}

/// The macros in scope, and the state of expansion.
#[derive(Default)]
pub(in super::super) struct MacroScope {
    definitions: HashMap<Name, Definition>,
    /// The number of the current expansion, zero outside.
    current: u32,
    /// How many expansions there were.
    count: u32,
    depth: u32,
    nesting: usize,
    tokens: usize,
}

impl MacroScope {
    /// Whether there is a macro that the table does not know.
    pub fn defines_beyond(&self, table: &MacroTable) -> bool {
        self.definitions.keys().any(|name| table.rules(name).is_none())
    }

    fn rules(&mut self, name: &Name, table: &MacroTable) -> Option<Rc<Vec<Rule>>> {
        if !self.definitions.contains_key(name) {
            let tokens = TokenStream::from_str(table.rules(name)?).ok()?;
            self.definitions.insert(name.clone(), Definition::Tokens(tokens));
        }
        let definition = self.definitions.get_mut(name)?;
        if let Definition::Tokens(tokens) = definition {
            *definition = Definition::Rules(Rc::new(parse_rules(tokens)));
        }
        match definition {
            Definition::Rules(rules) => Some(Rc::clone(rules)),
            Definition::Tokens(_) => None,
        }
    }
}

/// Rules up to the first one that is not understood.
fn parse_rules(tokens: &TokenStream) -> Vec<Rule> {
    let mut trees = tokens.clone().into_iter().peekable();
    let mut rules = Vec::new();
    while let Some(TokenTree::Group(matcher)) = trees.next() {
        let arrow = [trees.next(), trees.next()];
        let is_arrow = matches!(&arrow, [Some(TokenTree::Punct(first)), Some(TokenTree::Punct(second))]
            if first.as_char() == '=' && second.as_char() == '>');
        let Some(TokenTree::Group(template)) = trees.next().filter(|_| is_arrow) else { break };
        let Some(matcher) = matcher::parse(matcher.stream()) else { break };
        let Some(template) = template::parse(template.stream()) else { break };
        rules.push(Rule { matcher, template });
        if matches!(trees.peek(), Some(TokenTree::Punct(punct)) if punct.as_char() == ';') {
            trees.next();
        }
    }
    rules
}

impl Lowerer<'_> {
    /// Makes a macro definition visible from here on.
    pub(in super::super) fn declare_macro(&mut self, item: &syn::Item) {
        if let Some((name, tokens)) = definition(item) {
            self.macros.definitions.insert(name, Definition::Tokens(tokens.clone()));
        }
    }

    /// Makes a macro definition visible unless there is one of that name.
    pub(in super::super) fn announce_macro(&mut self, item: &syn::Item) {
        if let Some((name, tokens)) = definition(item) {
            let definitions = &mut self.macros.definitions;
            definitions.entry(name).or_insert_with(|| Definition::Tokens(tokens.clone()));
        }
    }

    /// Expands a call of a macro that the tree defines and lowers the result. `None` when there is no such macro,
    /// no rule matches, a limit is reached, or `lower` cannot parse the result.
    pub(super) fn expand<T>(
        &mut self,
        mac: &Macro,
        name: &Name,
        span: Span,
        lower: impl FnOnce(&mut Self, TokenStream) -> Option<T>,
    ) -> Option<T> {
        if self.macros.depth >= DEPTH_LIMIT || self.macros.tokens >= TOKEN_LIMIT {
            return None;
        }
        let rules = self.macros.rules(name, self.table)?;
        let budget = TOKEN_LIMIT - self.macros.tokens;
        let (tokens, count) = rules.iter().find_map(|rule| rule.apply(&mac.tokens, budget))?;
        self.macros.tokens += count;
        let nesting = guard::token_depth(&tokens);
        if self.macros.nesting + nesting > NESTING_LIMIT {
            return None;
        }
        self.macros.count += 1;
        self.macros.depth += 1;
        self.macros.nesting += nesting;
        let outer = std::mem::replace(&mut self.macros.current, self.macros.count);
        let call_site = self.spans.call_site.replace(span);
        let lowered = lower(self, tokens);
        self.spans.call_site = call_site;
        self.macros.current = outer;
        self.macros.nesting -= nesting;
        self.macros.depth -= 1;
        lowered
    }

    /// The macro expansion whose template an identifier stands in; zero outside of templates.
    pub(in super::super) fn ident_expansion(&self, span: proc_macro2::Span) -> u32 {
        if self.macros.current != 0 && self.spans.is_template(span) { self.macros.current } else { 0 }
    }
}

impl Rule {
    /// The expansion, and how many tokens it has, when the matcher fits.
    fn apply(&self, tokens: &TokenStream, budget: usize) -> Option<(TokenStream, usize)> {
        let mut bindings = Bindings::new();
        let matched = |input: ParseStream<'_>| matcher::matches(&self.matcher, input, &mut bindings);
        matched.parse2(tokens.clone()).ok()?;
        let mut left = budget;
        let expanded = template::transcribe(&self.template, &bindings, &mut left)?;
        Some((expanded, budget - left))
    }
}

/// The name and rules of a `macro_rules!` item.
fn definition(item: &syn::Item) -> Option<(Name, &TokenStream)> {
    match item {
        syn::Item::Macro(node) if node.mac.path.is_ident("macro_rules") => {
            Some((ident_name(node.ident.as_ref()?), &node.mac.tokens))
        }
        _ => None,
    }
}

/// The part after `$(..)`: a separator and the operator.
fn repetition(
    trees: &mut std::iter::Peekable<proc_macro2::token_stream::IntoIter>,
) -> Option<(Vec<TokenTree>, char)> {
    let mut separator: Vec<TokenTree> = Vec::new();
    loop {
        let tree = trees.next()?;
        let operator = operator_of(&tree);
        // `$(..)+*` repeats with `+` between.
        let is_separator = separator.is_empty() && trees.peek().and_then(operator_of).is_some();
        match operator {
            Some(operator) if !is_separator => return Some((separator, operator)),
            _ if separator.len() < 3 => separator.push(tree),
            _ => return None,
        }
    }
}

fn operator_of(tree: &TokenTree) -> Option<char> {
    match tree {
        TokenTree::Punct(punct) => Some(punct.as_char()).filter(|char| matches!(char, '*' | '+' | '?')),
        _ => None,
    }
}

/// Whether a token tree is `$`.
fn is_dollar(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Punct(punct) if punct.as_char() == '$')
}

/// The content of `$( .. )`.
fn parenthesised(tree: &TokenTree) -> Option<TokenStream> {
    match tree {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => Some(group.stream()),
        _ => None,
    }
}
