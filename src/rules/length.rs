//! How long a key is at least and at most, as far as its formula proves it.

use std::rc::Rc;

use samekey_catalogue::{DigestForm, digest};

use super::case::World;
use super::extent::{Extent, extent, kept};
use super::formula;
use super::shape::KeyFormula;
use crate::flow::term::Term;

/// Bounds in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Length {
    pub least: usize,
    /// `None` when there is no bound.
    pub most: Option<usize>,
}

impl Length {
    const ANY: Length = Length { least: 0, most: None };

    fn exactly(length: usize) -> Length {
        Length { least: length, most: Some(length) }
    }

    fn and(self, other: Length) -> Length {
        let most = self.most.zip(other.most).map(|(a, b)| a + b);
        Length { least: self.least + other.least, most }
    }

    fn or(self, other: Length) -> Length {
        let most = self.most.zip(other.most).map(|(a, b)| a.max(b));
        Length { least: self.least.min(other.least), most }
    }
}

/// The length of a part of a key.
pub fn length(world: &World<'_>, key: &KeyFormula<'_>, term: &Rc<Term>) -> Length {
    let inner = |term: &Rc<Term>| length(world, key, term);
    match term.as_ref() {
        Term::Literal(text) => Length::exactly(text.chars().count()),
        Term::Text(parts) => parts.iter().map(inner).fold(Length::exactly(0), Length::and),
        Term::Choice(choices) | Term::Item(choices) => {
            choices.iter().map(inner).reduce(Length::or).unwrap_or(Length::ANY)
        }
        // A shorter text would stop the program, so the range is as long as it says.
        Term::Slice(_, bounds) => kept(bounds).map_or(Length::ANY, Length::exactly),
        Term::Call(name, args) => of_call(world, key, name, args, term),
        _ => of_extent(extent(world, key, term)),
    }
}

fn of_call(
    world: &World<'_>,
    key: &KeyFormula<'_>,
    name: &str,
    args: &[Rc<Term>],
    term: &Rc<Term>,
) -> Length {
    let inner = |term: &Rc<Term>| length(world, key, term);
    match (name, args) {
        // Bytes of a digest are no text yet; what turns them into one is not in view.
        _ if digest(name).is_some_and(|row| row.form == DigestForm::Bytes) => Length::ANY,
        ("hex", [bytes]) => match extent(world, key, bytes) {
            Extent::Fixed(bytes) => Length::exactly(2 * bytes),
            _ => Length::ANY,
        },
        ("new_v5" | "new_v3", _) => Length { least: 32, most: Some(36) },
        ("debug", [value]) => match value.as_ref() {
            Term::Typed(_, ty) if matches!(ty.as_str(), "str" | "std::string::String") => {
                Length { least: 2, most: None }
            }
            _ => Length::ANY,
        },
        ("simple", [_]) => Length::exactly(32),
        ("pad", [value, width]) => {
            let least = match width.as_ref() {
                Term::Literal(width) => width.parse().unwrap_or(0),
                _ => 0,
            };
            Length { least: least.max(inner(value).least), most: None }
        }
        ("join" | "concat", [list, ..]) => match list.as_ref() {
            Term::Call(name, parts) if name == "[]" => {
                let between = args.get(1).map_or(Length::exactly(0), inner);
                let gaps = parts.len().saturating_sub(1);
                let ends = parts.iter().map(inner);
                let gaps = (0..gaps).map(|_| between);
                ends.chain(gaps).fold(Length::exactly(0), Length::and)
            }
            _ => Length::ANY,
        },
        (name, [only]) if formula::is_conversion(name) => inner(only),
        _ => of_extent(extent(world, key, term)),
    }
}

fn of_extent(extent: Extent) -> Length {
    match extent {
        // A UUID is written with hyphens or without.
        Extent::Fixed(36) => Length { least: 32, most: Some(36) },
        Extent::Fixed(length) => Length::exactly(length),
        Extent::Number => Length { least: 1, most: Some(40) },
        Extent::Delimited | Extent::Text | Extent::Unknown => Length::ANY,
    }
}
