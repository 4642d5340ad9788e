//! Lowers a text item by item, so that one bad item costs one item, and one bad method one method.

use std::ops::Range;
use std::str::FromStr as _;

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser};
use syn::{ImplItem, TraitItem};

use super::recover::{ANONYMOUS, Part, split};
use super::spans::SpanMap;
use super::{Lowerer, range_span};
use crate::frontend::Edition;
use crate::ir::{Attributes, Item, ItemKind};

/// What a block of items belongs to.
#[derive(Clone, Copy, PartialEq)]
enum Within {
    Module,
    Impl,
    Trait,
}

/// Blocks inside blocks are split up to this depth; deeper ones are one part.
const BLOCK_LIMIT: usize = 50;

impl Lowerer<'_> {
    /// Lowers the items of a range of the text.
    pub(super) fn parts(&mut self, text: &str, range: Range<usize>) -> (Vec<Item>, Attributes) {
        let mut attributes = Attributes::default();
        let items = self.members(text, range, Within::Module, 0, &mut attributes);
        (items, attributes)
    }

    fn members(
        &mut self,
        text: &str,
        range: Range<usize>,
        within: Within,
        depth: usize,
        attributes: &mut Attributes,
    ) -> Vec<Item> {
        let mut items = Vec::new();
        for part in split(text, range) {
            if let Some(limit) = part.exceeds {
                if !self.member_block(text, &part, depth, &mut items) {
                    self.skipped(text, &part, part.first.clone(), &limit.message());
                }
            } else if let Err((at, error)) = self.part(text, &part, within, &mut items, attributes)
                && !self.member_block(text, &part, depth, &mut items)
            {
                self.skipped(text, &part, at, &format!("{error}; fix the syntax error"));
            }
        }
        items
    }

    fn skipped(&mut self, text: &str, part: &Part, at: Range<usize>, why: &str) {
        let at = at.start.min(text.len())..at.end.min(text.len());
        let span = range_span(self.spans.file(), &at);
        // A file that is no Rust at all, such as a template, falls into many nameless parts.
        if part.label == ANONYMOUS
            && let Some(last) = self.gaps.last_mut()
            && last.message.starts_with(ANONYMOUS)
        {
            last.span = last.span.to(span);
            return;
        }
        self.gap(span, format!("{} is not analysed: {why}", part.label));
    }

    /// Parses and lowers a part. The error has a place in the text.
    fn part(
        &mut self,
        text: &str,
        part: &Part,
        within: Within,
        items: &mut Vec<Item>,
        attributes: &mut Attributes,
    ) -> Result<(), (Range<usize>, String)> {
        self.spans = SpanMap::new(self.spans.file(), part.range.start, &text[part.range.clone()]);
        let code = &text[part.range.clone()];
        match within {
            Within::Module => {
                let parsed = self.parse(code, part, |input| input.parse::<syn::File>())?;
                let inner = self.attributes(&parsed.attrs);
                attributes.test |= inner.test;
                attributes.other.extend(inner.other);
                items.extend(self.items(&parsed.items));
            }
            Within::Impl => {
                let members = self.parse(code, part, all::<ImplItem>)?;
                members.iter().for_each(|member| self.impl_member(member, items));
            }
            Within::Trait => {
                let members = self.parse(code, part, all::<TraitItem>)?;
                members.iter().for_each(|member| self.trait_member(member, items));
            }
        }
        proc_macro2::extra::invalidate_current_thread_spans();
        Ok(())
    }

    /// Parses a part whose code this is. The error has a place in the text.
    pub(super) fn parse<T>(
        &self,
        code: &str,
        part: &Part,
        parser: fn(ParseStream<'_>) -> syn::Result<T>,
    ) -> Result<T, (Range<usize>, String)> {
        let tokens = TokenStream::from_str(code).map_err(|error| {
            (self.error_range(error.span()), "it has an unclosed bracket or text".to_owned())
        })?;
        match parser.parse2(tokens.clone()) {
            Ok(parsed) => Ok(parsed),
            Err(error) => {
                if self.edition == Edition::Rust2015
                    && let Ok(parsed) = parser.parse2(without_keywords(tokens))
                {
                    return Ok(parsed);
                }
                let at = if self.spans.is_template(error.span()) {
                    part.first.clone()
                } else {
                    self.error_range(error.span())
                };
                Err((at, short(&error)))
            }
        }
    }

    fn error_range(&self, span: proc_macro2::Span) -> Range<usize> {
        let span = self.spans.one(span);
        span.start as usize..span.end as usize
    }

    /// Lowers the members of an impl block, trait or module one by one. Says whether the part is such a block.
    fn member_block(&mut self, text: &str, part: &Part, depth: usize, items: &mut Vec<Item>) -> bool {
        let within = match part.keyword.as_str() {
            "mod" => Within::Module,
            "impl" => Within::Impl,
            "trait" => Within::Trait,
            _ => return false,
        };
        let Some(body) = part.body.clone().filter(|_| depth < BLOCK_LIMIT) else { return false };
        let header =
            Part { range: part.range.start..body.start, first: part.first.clone(), ..Part::default() };
        let code = format!("{}}}", &text[header.range.clone()]);
        if super::guard::exceeded(&code).is_some() {
            return false;
        }
        let mut lowered = Vec::new();
        self.spans = SpanMap::new(self.spans.file(), header.range.start, &code);
        let Ok(parsed) = self.parse(&code, &header, |input| input.parse::<syn::File>()) else { return false };
        lowered.extend(self.items(&parsed.items));
        drop(parsed);
        proc_macro2::extra::invalidate_current_thread_spans();
        let members = self.members(text, body, within, depth + 1, &mut Attributes::default());
        let Some(mut item) = lowered.pop() else { return false };
        item.span.end = super::frame::index(part.range.end);
        match &mut item.kind {
            ItemKind::Module(module) => module.items = Some(members),
            ItemKind::Impl(value) => value.items = members,
            ItemKind::Trait(value) => value.items = members,
            _ => return false,
        }
        items.append(&mut lowered);
        items.push(item);
        true
    }
}

/// The parser's message, without its list of everything that could stand there.
fn short(error: &syn::Error) -> String {
    let message = error.to_string();
    if message.starts_with("expected one of") { "unexpected token".to_owned() } else { message }
}

fn all<T: syn::parse::Parse>(input: ParseStream<'_>) -> syn::Result<Vec<T>> {
    let mut parsed = Vec::new();
    while !input.is_empty() {
        parsed.push(input.parse()?);
    }
    Ok(parsed)
}

/// `async`, `await` and `try` were identifiers in the 2015 edition.
fn without_keywords(tokens: TokenStream) -> TokenStream {
    let trees = tokens.into_iter().map(|tree| match tree {
        TokenTree::Ident(word) if word == "async" || word == "await" || word == "try" => {
            TokenTree::Ident(Ident::new_raw(&word.to_string(), word.span()))
        }
        TokenTree::Group(group) => {
            let inner = without_keywords(group.stream());
            let mut replaced = proc_macro2::Group::new(group.delimiter(), inner);
            replaced.set_span(group.span());
            TokenTree::Group(replaced)
        }
        other => other,
    });
    trees.collect()
}
