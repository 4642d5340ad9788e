//! Macro calls that define items: statics, conditional items, and items found in the tokens of other macros.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::ext::IdentExt as _;
use syn::parse::discouraged::Speculative as _;
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::{Block, ImplItem, Macro, Token, token};

use super::super::Lowerer;
use super::macro_name;
use super::statics::Statics;
use crate::ir::{Attributes, Item, ItemKind, Name};

impl Lowerer<'_> {
    /// A macro call among items. All that it defines belongs to the module around it.
    pub(in super::super) fn item_macro(
        &mut self,
        mac: &Macro,
        attributes: &Attributes,
        items: &mut Vec<Item>,
    ) {
        let first = items.len();
        self.items_of_macro(mac, items);
        for item in items.iter_mut().skip(first) {
            restrict(item, attributes);
        }
    }

    fn items_of_macro(&mut self, mac: &Macro, items: &mut Vec<Item>) {
        let name = macro_name(mac);
        if self.static_macro(&name, mac, items) {
            return;
        }
        if name == "cfg_if" {
            return self.conditional_items(&mac.tokens, items);
        }
        let span = self.macro_span(mac);
        let expanded = self.expand(mac, &name, span, |this, tokens| {
            let parsed = all_items.parse2(tokens).ok()?;
            Some(this.items(&parsed))
        });
        match expanded {
            Some(expanded) => items.extend(expanded),
            None => {
                let found: Vec<syn::Item> = found(&mac.tokens);
                items.extend(self.items(&found));
            }
        }
    }

    /// A macro call inside an impl block or trait.
    pub(in super::super) fn member_macro(&mut self, mac: &Macro, items: &mut Vec<Item>) {
        let span = self.macro_span(mac);
        let expanded = self.expand(mac, &macro_name(mac), span, |this, tokens| {
            let members = all_members.parse2(tokens).ok()?;
            let mut items = Vec::new();
            members.iter().for_each(|member| this.impl_member(member, &mut items));
            Some(items)
        });
        match expanded {
            Some(expanded) => items.extend(expanded),
            None => {
                let members: Vec<ImplItem> = found(&mac.tokens);
                members.iter().for_each(|member| self.impl_member(member, items));
            }
        }
    }

    /// `thread_local!` and `lazy_static!`. Says whether the macro was one of them.
    pub(super) fn static_macro(&mut self, name: &str, mac: &Macro, items: &mut Vec<Item>) -> bool {
        if !matches!(name, "thread_local" | "lazy_static") {
            return false;
        }
        let Ok(Statics(statics)) = syn::parse2::<Statics>(mac.tokens.clone()) else { return false };
        for mut declaration in statics {
            declaration.thread_local = name == "thread_local";
            items.push(self.macro_static(&declaration));
        }
        true
    }

    fn conditional_items(&mut self, tokens: &TokenStream, items: &mut Vec<Item>) {
        for branch in cfg_branches(tokens) {
            let first = items.len();
            let found: Vec<syn::Item> = found(&branch.body);
            items.extend(self.items(&found));
            let attributes = self.attributes(&branch.attrs);
            for item in items.iter_mut().skip(first) {
                restrict(item, &attributes);
            }
        }
    }

    /// `cfg_if!` among statements: one of the branches is compiled.
    pub(super) fn conditional_statements(&mut self, tokens: &TokenStream) {
        let join = self.new_block();
        let mut starts = vec![join];
        let entry = self.frame.current;
        for branch in cfg_branches(tokens) {
            let Ok(stmts) = Block::parse_within.parse2(branch.body) else { continue };
            let start = self.new_block();
            starts.push(start);
            self.switch_to(start);
            self.scoped(|this| this.statements(&stmts, None));
            self.goto(join);
        }
        self.switch_to(entry);
        self.branch(starts);
        self.switch_to(join);
    }
}

/// Adds the conditions of a macro call to what it defines.
fn restrict(item: &mut Item, attributes: &Attributes) {
    item.attributes.test |= attributes.test;
    if !attributes.cfg.is_empty() {
        item.attributes.cfg = match item.attributes.cfg.as_str() {
            "" => attributes.cfg.clone(),
            own => Name::new(format!("{};{own}", attributes.cfg)),
        };
    }
    if let ItemKind::Module(module) = &mut item.kind {
        module.items.iter_mut().flatten().for_each(|inner| inner.attributes.test |= attributes.test);
    }
}

/// One branch of `cfg_if!`.
struct CfgBranch {
    attrs: Vec<syn::Attribute>,
    body: TokenStream,
}

fn cfg_branches(tokens: &TokenStream) -> Vec<CfgBranch> {
    let parse = |input: ParseStream<'_>| {
        let mut branches = Vec::new();
        while !input.is_empty() {
            input.parse::<Option<Token![else]>>()?;
            let mut attrs = Vec::new();
            if input.parse::<Option<Token![if]>>()?.is_some() {
                attrs = input.call(syn::Attribute::parse_outer)?;
            }
            let group: proc_macro2::Group = input.parse()?;
            branches.push(CfgBranch { attrs, body: group.stream() });
        }
        Ok(branches)
    };
    parse.parse2(tokens.clone()).unwrap_or_default()
}

fn all_items(input: ParseStream<'_>) -> syn::Result<Vec<syn::Item>> {
    let mut items = Vec::new();
    while !input.is_empty() {
        items.push(input.parse()?);
    }
    Ok(items)
}

fn all_members(input: ParseStream<'_>) -> syn::Result<Vec<ImplItem>> {
    let mut members = Vec::new();
    while !input.is_empty() {
        members.push(input.parse()?);
    }
    Ok(members)
}

/// The items among tokens of any kind, also inside braces that are no item.
fn found<T: Parse>(tokens: &TokenStream) -> Vec<T> {
    let mut items = Vec::new();
    // Searching consumes everything, so it does not fail.
    let _ = (|input: ParseStream<'_>| search(input, &mut items)).parse2(tokens.clone());
    items
}

fn search<T: Parse>(input: ParseStream<'_>, items: &mut Vec<T>) -> syn::Result<()> {
    while !input.is_empty() {
        if starts_item(input) {
            let ahead = input.fork();
            if let Ok(item) = ahead.parse::<T>() {
                input.advance_to(&ahead);
                items.push(item);
                continue;
            }
        }
        if input.peek(token::Brace) {
            let TokenTree::Group(group) = input.parse()? else { continue };
            (|inside: ParseStream<'_>| search(inside, items)).parse2(group.stream())?;
        } else {
            input.parse::<TokenTree>()?;
        }
    }
    Ok(())
}

fn starts_item(input: ParseStream<'_>) -> bool {
    if input.peek(Token![#]) {
        return input.peek2(token::Bracket);
    }
    if !input.peek(Ident::peek_any) {
        return false;
    }
    let Ok(word) = input.fork().call(Ident::parse_any) else { return false };
    let words = [
        "pub",
        "fn",
        "async",
        "unsafe",
        "const",
        "static",
        "impl",
        "struct",
        "enum",
        "union",
        "trait",
        "mod",
        "use",
        "type",
        "extern",
        "macro_rules",
    ];
    words.iter().any(|known| word == known)
}
