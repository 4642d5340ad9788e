//! `#[idempotent(..)]` as written: names, values and spans.

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::parse::{Parse, Parser};
use syn::{Attribute, Ident, LitInt, LitStr, Meta, Path};

use crate::errors::Errors;

/// The words that stand before a type.
const CONTAINER: &[&str] =
    &["namespace", "operation", "version", "pin", "template", "digest", "crate", "persisted"];

/// The words that stand before a field.
const FIELD: &[&str] =
    &["identity", "ignore", "rename", "persisted", "stable", "with", "bytes", "at", "attempt"];

/// The words that stand before a variant.
const VARIANT: &[&str] = &["rename"];

/// Words that people try, and the word that is meant.
const OTHER_WORDS: &[(&str, &str)] = &[
    ("key", "identity"),
    ("id", "identity"),
    ("include", "identity"),
    ("skip", "ignore"),
    ("exclude", "ignore"),
    ("name", "rename"),
    ("op", "operation"),
    ("ns", "namespace"),
    ("prefix", "namespace"),
    ("hash", "digest"),
    ("format", "template"),
    ("stored", "persisted"),
    ("precision", "at"),
    ("retry", "attempt"),
];

/// Where an attribute stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Before a type.
    Container,
    /// Before a field.
    Field,
    /// Before a variant.
    Variant,
}

impl Place {
    fn words(self) -> &'static [&'static str] {
        match self {
            Self::Container => CONTAINER,
            Self::Field => FIELD,
            Self::Variant => VARIANT,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Container => "type",
            Self::Field => "field",
            Self::Variant => "variant",
        }
    }
}

/// One word of an attribute and the tokens after its `=`.
pub(crate) struct Item {
    name: String,
    pub(crate) span: Span,
    value: Option<TokenStream>,
}

/// The words of all `#[idempotent(..)]` attributes at one place.
pub(crate) struct Items(Vec<Item>);

impl Items {
    /// Reads attributes; what cannot be read is reported and left out.
    pub(crate) fn read(attributes: &[Attribute], place: Place, errors: &mut Errors) -> Self {
        let mut items = Vec::<Item>::new();
        for attribute in attributes {
            if !attribute.path().is_ident("idempotent") {
                continue;
            }
            let Meta::List(list) = &attribute.meta else {
                errors.on(attribute, "write `#[idempotent(..)]` with its words in parentheses");
                continue;
            };
            for chunk in split_at_commas(list.tokens.clone()) {
                let Some(item) = errors.ok(parse_item.parse2(chunk)) else {
                    continue;
                };
                if !place.words().contains(&item.name.as_str()) {
                    errors.at(item.span, unknown_word(&item.name, place));
                } else if items.iter().any(|earlier| earlier.name == item.name) {
                    errors.at(item.span, format!("`{}` is given twice", item.name));
                } else {
                    items.push(item);
                }
            }
        }
        Self(items)
    }

    /// The word, if it is there.
    pub(crate) fn get(&self, name: &str) -> Option<&Item> {
        self.0.iter().find(|item| item.name == name)
    }

    /// The span of a word that takes no value.
    pub(crate) fn flag(&self, name: &str, errors: &mut Errors) -> Option<Span> {
        let item = self.get(name)?;
        if let Some(value) = &item.value {
            errors.on(value, format!("`{name}` takes no value"));
        }
        Some(item.span)
    }

    /// The literal after a word.
    pub(crate) fn text(&self, name: &str, errors: &mut Errors) -> Option<LitStr> {
        let literal: LitStr = self.value(name, "a string literal", errors)?;
        if literal.value().trim().is_empty() {
            errors.at(literal.span(), format!("`{name}` is empty"));
            return None;
        }
        if holds_secret(&literal.value()) {
            errors.at(
                literal.span(),
                "this looks like a secret: it never stands in source, pass it at run time to `key_with(&Secret)`",
            );
        }
        Some(literal)
    }

    /// The number after a word.
    pub(crate) fn integer(&self, name: &str, errors: &mut Errors) -> Option<LitInt> {
        self.value(name, "a number", errors)
    }

    /// The path after a word, with or without quotes.
    pub(crate) fn path(&self, name: &str, errors: &mut Errors) -> Option<Path> {
        let item = self.get(name)?;
        let quoted = item.value.clone().and_then(|tokens| syn::parse2::<LitStr>(tokens).ok());
        match quoted {
            Some(literal) => {
                let parsed = literal.parse_with(Path::parse_mod_style);
                if parsed.is_err() {
                    errors.at(literal.span(), format!("`{name}` takes a path"));
                }
                parsed.ok()
            }
            None => self.value(name, "a path", errors),
        }
    }

    fn value<T: Parse>(&self, name: &str, what: &str, errors: &mut Errors) -> Option<T> {
        let item = self.get(name)?;
        let Some(value) = item.value.clone() else {
            errors.at(item.span, format!("`{name}` needs {what}: `{name} = ..`"));
            return None;
        };
        let parsed = syn::parse2(value.clone());
        if parsed.is_err() {
            errors.on(value, format!("`{name}` takes {what}"));
        }
        parsed.ok()
    }
}

fn split_at_commas(tokens: TokenStream) -> Vec<TokenStream> {
    let mut chunks = vec![TokenStream::new()];
    for token in tokens {
        match (&token, chunks.last_mut()) {
            (TokenTree::Punct(punct), _) if punct.as_char() == ',' => {
                chunks.push(TokenStream::new());
            }
            (_, Some(chunk)) => chunk.extend([token]),
            (_, None) => {}
        }
    }
    chunks.retain(|chunk| !chunk.is_empty());
    chunks
}

fn parse_item(input: syn::parse::ParseStream<'_>) -> syn::Result<Item> {
    use syn::ext::IdentExt;

    let Ok(name) = input.call(Ident::parse_any) else {
        return Err(input.error("a word is written without quotes, such as `identity`"));
    };
    let mut value = None;
    if input.peek(syn::Token![=]) {
        input.parse::<syn::Token![=]>()?;
        if input.is_empty() {
            let message = format!("`{name}` needs a value after `=`");
            return Err(syn::Error::new(name.span(), message));
        }
        value = Some(input.parse()?);
    } else if !input.is_empty() {
        let message = format!("write `{name}` or `{name} = ..`, and a comma between two words");
        return Err(input.error(message));
    }
    Ok(Item { span: name.span(), name: name.unraw().to_string(), value })
}

fn unknown_word(name: &str, place: Place) -> String {
    if name == "secret" {
        return "a secret never stands in source: pass it at run time to `key_with(&Secret)`".into();
    }
    let here = place.words();
    let meant = OTHER_WORDS
        .iter()
        .find(|(tried, _)| *tried == name)
        .map(|(_, meant)| *meant)
        .or_else(|| here.iter().copied().find(|word| is_near(name, word)));
    if let Some(word) = meant.filter(|word| here.contains(word)) {
        return format!("there is no `{name}` here; did you mean `{word}`?");
    }
    let elsewhere = [Place::Container, Place::Field]
        .into_iter()
        .find(|other| *other != place && other.words().contains(&name));
    match elsewhere {
        Some(other) => format!("`{name}` stands before a {}, not before a {}", other.name(), place.name()),
        None => format!("there is no `{name}` here; a {} takes {}", place.name(), list(here)),
    }
}

fn list(words: &[&str]) -> String {
    let quoted: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
    quoted.join(", ")
}

/// Whether one word becomes the other by one insertion, removal or change, or by
/// swapping two letters.
fn is_near(left: &str, right: &str) -> bool {
    let (left, right): (Vec<_>, Vec<_>) = (left.chars().collect(), right.chars().collect());
    let start = left.iter().zip(&right).take_while(|(a, b)| a == b).count();
    let (left, right) = (&left[start..], &right[start..]);
    let end = left.iter().rev().zip(right.iter().rev()).take_while(|(a, b)| a == b).count();
    let (left, right) = (&left[..left.len() - end], &right[..right.len() - end]);
    match (left, right) {
        ([a, b], [c, d]) => a == d && b == c,
        _ => left.len() <= 1 && right.len() <= 1,
    }
}

fn holds_secret(text: &str) -> bool {
    ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"].iter().any(|prefix| text.contains(prefix))
}
