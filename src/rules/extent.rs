//! How long a part of a key is, and whether that differs from value to value.

use std::rc::Rc;

use samekey_catalogue::{DigestForm, digest, is_cut_format};

use super::case::World;
use super::formula;
use super::shape::{KeyFormula, pointee};
use crate::flow::term::Term;
use crate::resolve::Ty;

/// The length of a part in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Always this one.
    Fixed(usize),
    /// Differs, but where the part ends shows: a quoted text, `true` and `false`.
    Delimited,
    /// Digits, as many as the number has.
    Number,
    /// A text of any length.
    Text,
    /// Not known.
    Unknown,
}

/// Characters of a UUID with hyphens.
const UUID: usize = 36;

/// The length of a part of a key.
pub fn extent(world: &World<'_>, key: &KeyFormula<'_>, part: &Rc<Term>) -> Extent {
    match part.as_ref() {
        Term::Literal(text) => Extent::Fixed(text.chars().count()),
        Term::Typed(inner, ty) => match extent(world, key, inner) {
            Extent::Unknown | Extent::Text => of_path(ty),
            known => known,
        },
        Term::Param(_) => key.type_of(world, part).map_or(Extent::Unknown, |ty| of_type(world, &ty, 0)),
        Term::Call(name, args) => of_call(world, key, name, args),
        Term::Slice(_, bounds) => kept(bounds).map_or(Extent::Unknown, Extent::Fixed),
        Term::Choice(choices) | Term::Item(choices) => {
            let mut extents = choices.iter().map(|choice| extent(world, key, choice));
            let first = extents.next().unwrap_or(Extent::Unknown);
            if extents.all(|other| other == first) { first } else { Extent::Unknown }
        }
        _ => Extent::Unknown,
    }
}

fn of_call(world: &World<'_>, key: &KeyFormula<'_>, name: &str, args: &[Rc<Term>]) -> Extent {
    let first = |args: &[Rc<Term>]| args.first().map_or(Extent::Unknown, |arg| extent(world, key, arg));
    if let Some(row) = digest(name) {
        return match row.form {
            DigestForm::Bytes => Extent::Fixed(usize::from(row.bits / 8)),
            DigestForm::Hex => Extent::Fixed(usize::from(row.bits / 4)),
            DigestForm::Number => Extent::Number,
            // `{:x}` of a number has no leading zeros, that of bytes has two digits for each.
            DigestForm::Encoding => match first(args) {
                Extent::Fixed(bytes) => Extent::Fixed(bytes * 8 / usize::from(row.bits)),
                other => other,
            },
        };
    }
    match (name, args) {
        ("pad", [inner, width]) => match (extent(world, key, inner), width.as_ref()) {
            (Extent::Number, Term::Literal(width)) => width.parse().map_or(Extent::Unknown, Extent::Fixed),
            _ => Extent::Unknown,
        },
        ("format", [_, format]) if is_format_of_dates(format) => Extent::Delimited,
        ("debug", _) => Extent::Delimited,
        ("new_v5" | "new_v3", _) => Extent::Fixed(UUID),
        ("to_be_bytes" | "to_le_bytes" | "to_ne_bytes", _) => Extent::Delimited,
        ("timestamp" | "timestamp_millis" | "to_rfc3339" | "date_naive", _) => Extent::Delimited,
        ("to_lowercase" | "to_uppercase" | "to_ascii_lowercase" | "to_ascii_uppercase" | "trim", [inner]) => {
            extent(world, key, inner)
        }
        (name, [inner]) if formula::is_transparent(name) => extent(world, key, inner),
        _ => Extent::Unknown,
    }
}

fn is_format_of_dates(format: &Term) -> bool {
    matches!(format, Term::Literal(format) if is_cut_format(format) || format.contains('%'))
}

fn of_type(world: &World<'_>, ty: &Ty, depth: usize) -> Extent {
    match pointee(ty) {
        Ty::External { path, .. } => of_path(path),
        Ty::Adt { id, .. } => {
            let def = world.input.program.type_(*id);
            match def.fields(None) {
                _ if def.is_enum() => Extent::Delimited,
                [only] if depth < 3 && only.name == "0" => {
                    let inner = world.input.program.field_type(pointee(ty), "0");
                    of_type(world, &inner, depth + 1)
                }
                _ => Extent::Unknown,
            }
        }
        _ => Extent::Unknown,
    }
}

/// The extent of all values of a type from outside, by its path.
fn of_path(path: &str) -> Extent {
    let last = path.rsplit("::").next().unwrap_or(path);
    match last {
        "str" | "String" | "SmolStr" | "CompactString" | "EcoString" | "Bytes" | "ByteString" | "FastStr" => {
            Extent::Text
        }
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => {
            Extent::Number
        }
        "Uuid" => Extent::Fixed(UUID),
        "Ulid" => Extent::Fixed(26),
        "bool" | "char" | "enum" => Extent::Delimited,
        "DateTime" | "NaiveDate" | "NaiveDateTime" | "OffsetDateTime" | "Date" | "Timestamp" => {
            Extent::Delimited
        }
        _ => Extent::Unknown,
    }
}

/// How many elements a sub-range keeps: 32 for `..32`, 8 for `4..12`.
pub fn kept(bounds: &str) -> Option<usize> {
    let (start, end) = bounds.split_once("..")?;
    let start = if start.is_empty() { 0 } else { start.parse::<usize>().ok()? };
    let end = match end.strip_prefix('=') {
        Some(last) => last.parse::<usize>().ok()?.checked_add(1)?,
        None => end.parse::<usize>().ok()?,
    };
    end.checked_sub(start)
}

#[cfg(test)]
mod tests {
    use super::kept;

    #[test]
    fn ranges_keep_what_is_between_their_bounds() {
        assert_eq!(kept("..32"), Some(32));
        assert_eq!(kept("4..12"), Some(8));
        assert_eq!(kept("0..=15"), Some(16));
        assert_eq!(kept(".."), None);
        assert_eq!(kept("4.."), None);
        assert_eq!(kept("9..4"), None);
    }
}
