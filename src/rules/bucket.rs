//! Clocks that are cut to a period, read off the formula: `now / 86400`, `year(now) "-" month(now)`.

use samekey_catalogue::{Effect, Language, Pattern, is_cut_format, safes};

use crate::flow::term::Term;
use crate::flow::value::Flags;

/// A period from which on a bucket counts as long.
const DAY: u64 = 86_400;

/// What the formula says about the clock at `site`: cut to a day or longer, or to less, wherever it occurs; nothing
/// when it occurs uncut.
pub fn bucket(term: &Term, site: u32) -> Flags {
    let mut cuts = Vec::new();
    collect(term, site, Cut::None, &mut cuts);
    match cuts.iter().max() {
        Some(Cut::Long) => Flags::LONG_BUCKET,
        Some(Cut::Short) => Flags::SHORT_BUCKET,
        Some(Cut::Divided(_) | Cut::None) | None => Flags::default(),
    }
}

/// How a part of a formula is cut; the weakest cut of all occurrences decides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Cut {
    Long,
    Short,
    /// Divided by so many units, which are not known yet.
    Divided(u64),
    None,
}

fn collect(term: &Term, site: u32, cut: Cut, cuts: &mut Vec<Cut>) {
    match term {
        Term::Source(own) if *own == site => cuts.push(settled(cut, 1)),
        Term::Call(name, args) => {
            let inner = match (cut, name.as_str(), args.as_slice()) {
                (Cut::Long | Cut::Short, ..) => cut,
                (_, "/", [_, by]) => divided(cut, by),
                (_, "format", [_, format]) if is_cut(format) => Cut::Short,
                (_, name, _) if cuts_to_date(name) => Cut::Long,
                (_, name, _) => settled(cut, units_per_second(name)),
            };
            for arg in args {
                collect(arg, site, inner, cuts);
            }
        }
        Term::Text(parts) | Term::Choice(parts) | Term::Item(parts) => {
            for part in parts {
                collect(part, site, cut, cuts);
            }
        }
        Term::Part(inner, _) | Term::Slice(inner, _) | Term::Typed(inner, _) => {
            collect(inner, site, cut, cuts)
        }
        _ => {}
    }
}

/// A format such as `%Y%m%d%H`. One of dates only is cut by a row of the catalogue.
fn is_cut(format: &Term) -> bool {
    matches!(format, Term::Literal(format) if is_cut_format(format))
}

fn divided(cut: Cut, by: &Term) -> Cut {
    let Term::Literal(digits) = by else { return cut };
    let Ok(number) = digits.replace('_', "").parse::<u64>() else { return cut };
    match cut {
        Cut::Divided(before) => Cut::Divided(before.saturating_mul(number)),
        _ => Cut::Divided(number),
    }
}

/// A division by so many units of the clock is a long or a short bucket.
fn settled(cut: Cut, per_second: u64) -> Cut {
    match cut {
        Cut::Divided(number) if number / per_second >= DAY => Cut::Long,
        Cut::Divided(_) => Cut::Short,
        other => other,
    }
}

fn units_per_second(method: &str) -> u64 {
    match method {
        _ if method.contains("milli") => 1_000,
        _ if method.contains("micro") => 1_000_000,
        _ if method.contains("nano") => 1_000_000_000,
        _ => 1,
    }
}

/// Whether the catalogue has a method of this name that cuts a clock to a date.
fn cuts_to_date(method: &str) -> bool {
    let weakening = safes()
        .iter()
        .filter(|safe| safe.effect == Effect::WeakensToBucket && safe.language != Language::Java);
    weakening.flat_map(|safe| safe.patterns).any(|pattern| match pattern {
        Pattern::Method { receivers, name, when, .. } => {
            *name == method && !receivers.is_empty() && when.is_empty()
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;

    fn call(name: &str, args: Vec<Term>) -> Term {
        Term::Call(name.into(), args.into_iter().map(Rc::new).collect())
    }

    fn by(number: &str, term: Term) -> Term {
        call("/", vec![term, Term::Literal(number.into())])
    }

    #[test]
    fn divisions_know_their_unit() {
        let seconds = || call("timestamp", vec![Term::Source(1)]);
        let millis = || call("timestamp_millis", vec![Term::Source(1)]);
        assert_eq!(bucket(&by("86400", seconds()), 1), Flags::LONG_BUCKET);
        assert_eq!(bucket(&by("60", seconds()), 1), Flags::SHORT_BUCKET);
        assert_eq!(bucket(&by("86400", millis()), 1), Flags::SHORT_BUCKET);
        assert_eq!(bucket(&by("24", by("3600", seconds())), 1), Flags::LONG_BUCKET);
        assert_eq!(bucket(&seconds(), 1), Flags::default());
    }

    #[test]
    fn an_uncut_occurrence_decides() {
        let date = call("date_naive", vec![Term::Source(1)]);
        assert_eq!(bucket(&date, 1), Flags::LONG_BUCKET);
        let both = Term::Text(vec![Rc::new(date), Rc::new(Term::Source(1))]);
        assert_eq!(bucket(&both, 1), Flags::default());
        assert_eq!(bucket(&both, 2), Flags::default());
    }
}
