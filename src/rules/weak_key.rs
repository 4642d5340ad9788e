//! A key with so few bits that two operations may share one by chance.

use std::rc::Rc;

use samekey_catalogue::{DigestForm, digest};

use super::case::World;
use super::extent::kept;
use super::formula;
use super::shape::{self, KeyFormula, Remark};
use crate::flow::term::Term;
use crate::ir::Span;
use crate::report::{Diagnostic, RuleInfo};

/// The rule. It reads formulas, not flows.
pub const INFO: RuleInfo = RuleInfo {
    id: "weak-key",
    code: "SK103",
    summary: "so little of a hash is kept that two operations may get one key",
    page: include_str!("../../docs/rules/weak-key.md"),
};

/// Fewer bits are too few. With 120 bits a collision is out of reach for any number of payments; UUIDs keep 122.
const ENOUGH: u32 = 120;
/// Rules that say the same of a hash.
const SAID_BEFORE: &str = "unstable-encoding-in-key";

/// Keys in which nothing but a short hash tells operations apart, where no other finding is about the hash.
pub fn findings<'a>(world: &'a World<'a>, keys: &[KeyFormula<'a>], known: &[Diagnostic]) -> Vec<Diagnostic> {
    let told: Vec<Span> =
        known.iter().filter(|known| known.rule == SAID_BEFORE).map(|known| known.primary).collect();
    let mut found = shape::findings(world, keys, &INFO, judge);
    found.retain(|finding| !told.contains(&finding.primary));
    found
}

fn judge(world: &World<'_>, key: &KeyFormula<'_>) -> Option<Remark> {
    let left = bits(&key.term)?;
    if left.bits >= ENOUGH {
        return None;
    }
    let operations = match left.bits {
        ..=40 => "a few thousand operations are enough for two with one key",
        41..=70 => "with many operations two get one key",
        _ => "that is less than the 120 bits which rule out that two operations get one key",
    };
    Some(Remark {
        severity: key.proven(world),
        message: format!("the key keeps {} bits of `{}`: {operations}", left.bits, left.digest),
        label: format!("{} bits", left.bits),
        help: "keep at least 120 bits of a cryptographic hash, such as 32 hexadecimal digits of SHA-256; or put the \
               parts of the key into it as they are"
            .to_owned(),
        subject: left.digest,
        fixes: Vec::new(),
    })
}

/// What is left of a digest.
struct Left {
    bits: u32,
    digest: String,
    /// Bits of each element of a sub-range; `None` for a number.
    each: Option<u32>,
}

/// The bits of a key that is made of literals and one digest; `None` when something else tells operations apart, or
/// it is not known.
fn bits(term: &Rc<Term>) -> Option<Left> {
    match term.as_ref() {
        Term::Text(parts) => {
            let mut rest = parts.iter().filter(|part| !is_fixed(part));
            let only = rest.next()?;
            if rest.next().is_some() { None } else { bits(only) }
        }
        Term::Typed(inner, _) => bits(inner),
        Term::Slice(inner, bounds) => cut(bits(inner)?, kept(bounds)?),
        Term::Call(name, args) => of_call(name, args),
        _ => None,
    }
}

fn of_call(name: &str, args: &[Rc<Term>]) -> Option<Left> {
    if let Some(row) = digest(name) {
        return match row.form {
            DigestForm::Encoding => {
                let inner = bits(args.first()?)?;
                Some(Left { each: inner.each.map(|_| u32::from(row.bits)), ..inner })
            }
            DigestForm::Bytes => {
                Some(Left { bits: u32::from(row.bits), digest: name.to_owned(), each: Some(8) })
            }
            DigestForm::Hex => {
                Some(Left { bits: u32::from(row.bits), digest: name.to_owned(), each: Some(4) })
            }
            DigestForm::Number => {
                Some(Left { bits: u32::from(row.bits), digest: name.to_owned(), each: None })
            }
        };
    }
    match (name, args) {
        ("take", [inner, count]) => match count.as_ref() {
            Term::Literal(count) => cut(bits(inner)?, count.parse().ok()?),
            _ => None,
        },
        ("from_be_bytes" | "from_le_bytes" | "from_ne_bytes", [inner]) => {
            bits(inner).map(|left| Left { each: None, ..left })
        }
        ("new_v5" | "new_v3", [_, _]) => Some(Left { bits: 122, digest: name.to_owned(), each: Some(4) }),
        ("chars" | "collect" | "bytes" | "to_lowercase" | "to_uppercase", [inner]) => bits(inner),
        (name, [inner]) if formula::is_conversion(name) => bits(inner),
        _ => None,
    }
}

/// What a sub-range of so many elements keeps.
fn cut(left: Left, elements: usize) -> Option<Left> {
    let kept = u32::try_from(elements).ok()?.checked_mul(left.each?)?;
    Some(Left { bits: left.bits.min(kept), ..left })
}

/// A part that is the same in every key.
fn is_fixed(part: &Term) -> bool {
    match part {
        Term::Literal(_) => true,
        Term::Named(name) => formula::is_constant_name(name),
        Term::Typed(inner, _) => is_fixed(inner),
        _ => false,
    }
}
