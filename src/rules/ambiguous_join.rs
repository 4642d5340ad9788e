//! Parts of a key side by side: `1` and `23` give the key of `12` and `3`.

use std::rc::Rc;

use super::case::World;
use super::extent::{Extent, extent};
use super::shape::{self, KeyFormula, Remark};
use super::{formula, repair};
use crate::flow::term::Term;
use crate::report::{Diagnostic, RuleInfo, Severity};

/// The rule. It reads formulas, not flows.
pub const INFO: RuleInfo = RuleInfo {
    id: "ambiguous-join",
    code: "SK102",
    summary: "parts of the key are joined so that different values give one key",
    page: include_str!("../../docs/rules/ambiguous-join.md"),
};

/// Names of values that bring their separator, or stand for a fixed text.
const AFFIXES: &[&str] = &["prefix", "suffix", "separator", "sep", "delimiter", "namespace"];

/// Keys whose parts cannot be told apart.
pub fn findings<'a>(world: &'a World<'a>, keys: &[KeyFormula<'a>]) -> Vec<Diagnostic> {
    shape::findings(world, keys, &INFO, judge)
}

fn judge(world: &World<'_>, key: &KeyFormula<'_>) -> Option<Remark> {
    let texts = shape::texts(&key.term);
    let touching = texts.iter().filter_map(|parts| touching(world, key, parts));
    let spread = texts.iter().filter_map(|parts| spread(world, key, parts));
    touching.chain(spread).max_by_key(|remark| remark.severity)
}

/// Two variable parts without text between them.
fn touching(world: &World<'_>, key: &KeyFormula<'_>, parts: &[Rc<Term>]) -> Option<Remark> {
    let pairs = touching_pairs(world, key, parts);
    // Of several, the first of the most serious ones.
    let (severity, index) = pairs.iter().rev().copied().max_by_key(|(severity, _)| *severity)?;
    let (left, right) = (parts.get(index)?, parts.get(index.checked_add(1)?)?);
    let (left, right) = (key.text(world, left), key.text(world, right));
    let behind: Vec<usize> = pairs.iter().map(|(_, index)| *index).collect();
    // Where the types are not in view, the parts may well be of one length.
    let is_known = severity > Severity::Note;
    let fix = is_known.then(|| repair::separated(world, key, parts, &behind)).flatten();
    Some(Remark {
        severity,
        message: format!(
            "nothing separates `{left}` from `{right}`: \"1\" and \"23\" give the same key as \"12\" and \"3\""
        ),
        label: "different values, one key".to_owned(),
        help: "put a separator between them that neither can contain, or give one of them a fixed width; \
               `#[derive(Idempotent)]` writes the length before each value"
            .to_owned(),
        subject: format!("{left} {right}"),
        fixes: fix.into_iter().collect(),
    })
}

/// The parts that run into the one behind them, with how serious that is.
fn touching_pairs(world: &World<'_>, key: &KeyFormula<'_>, parts: &[Rc<Term>]) -> Vec<(Severity, usize)> {
    let mut found = Vec::new();
    for (index, pair) in parts.windows(2).enumerate() {
        let [left, right] = pair else { continue };
        let before = index.checked_sub(1).and_then(|before| parts.get(before));
        if before.is_some_and(|length| is_length(length, left)) {
            continue;
        }
        match (open_end(world, key, left), open_end(world, key, right)) {
            (Some(true), Some(true)) => found.push((key.proven(world), index)),
            (Some(_), Some(_)) => found.push((Severity::Note, index)),
            _ => {}
        }
    }
    found
}

/// Whether a part may be of any length, and whether that is known; `None` for one whose end shows.
fn open_end(world: &World<'_>, key: &KeyFormula<'_>, part: &Rc<Term>) -> Option<bool> {
    if part.any(&|term| matches!(term, Term::Source(_))) || is_affix(world, key, part) {
        return None;
    }
    match extent(world, key, part) {
        Extent::Text | Extent::Number => Some(true),
        Extent::Fixed(_) | Extent::Delimited => None,
        Extent::Unknown => is_plain(part).then_some(false),
    }
}

/// A value by its name, through conversions; what calls make of it may well be delimited.
fn is_plain(part: &Term) -> bool {
    match part {
        Term::Param(_) | Term::Part(..) => true,
        Term::Named(name) => !formula::is_constant_name(name),
        Term::Typed(inner, _) => is_plain(inner),
        Term::Call(name, args) => {
            formula::is_transparent(name) && matches!(args.as_slice(), [only] if is_plain(only))
        }
        _ => false,
    }
}

fn is_affix(world: &World<'_>, key: &KeyFormula<'_>, part: &Term) -> bool {
    match part {
        Term::Named(name) if formula::is_constant_name(name) => true,
        Term::Param(_) | Term::Named(_) | Term::Part(..) => {
            key.name_of(world, part).is_some_and(|name| is_affix_name(&name))
        }
        Term::Typed(inner, _) => is_affix(world, key, inner),
        Term::Call(name, args) => {
            formula::is_transparent(name) && args.iter().any(|arg| is_affix(world, key, arg))
        }
        _ => false,
    }
}

fn is_affix_name(name: &str) -> bool {
    let last = name.to_ascii_lowercase();
    AFFIXES
        .iter()
        .any(|affix| last == *affix || last.strip_suffix(affix).is_some_and(|rest| rest.ends_with('_')))
}

/// Whether a part says how long the next one is: `a.len().to_be_bytes()` before `a`.
fn is_length(part: &Term, of: &Rc<Term>) -> bool {
    part.any(&|term| match term {
        Term::Call(name, args) => name == "len" && args.iter().any(|arg| bare(arg) == bare(of)),
        _ => false,
    })
}

/// A value without its conversions.
fn bare(term: &Rc<Term>) -> &Rc<Term> {
    match term.as_ref() {
        Term::Typed(inner, _) => bare(inner),
        Term::Call(name, args) if formula::is_transparent(name) => args.first().map_or(term, bare),
        _ => term,
    }
}

/// A list of any length that is joined with the separator which stands between it and another part.
fn spread(world: &World<'_>, key: &KeyFormula<'_>, parts: &[Rc<Term>]) -> Option<Remark> {
    for (index, part) in parts.iter().enumerate() {
        let Some(separator) = separator_of_list(part) else { continue };
        let neighbours = [index.checked_sub(1), index.checked_add(1)];
        let beside = |at: &usize| matches!(parts.get(*at).map(Rc::as_ref), Some(Term::Literal(text)) if text.contains(separator));
        if !neighbours.into_iter().flatten().any(|at| beside(&at)) {
            continue;
        }
        let other = parts.iter().enumerate().find(|(at, other)| {
            *at != index
                && matches!(extent(world, key, other), Extent::Text | Extent::Unknown)
                && !is_affix(world, key, other)
        });
        let Some((_, other)) = other else { continue };
        let (list, other) = (key.text(world, part), key.text(world, other));
        return Some(Remark {
            severity: key.proven(world),
            message: format!(
                "`{list}` contains the separator {separator:?}: where it ends and `{other}` begins does not show"
            ),
            label: "different values, one key".to_owned(),
            help:
                "join the list with another separator, or put its length before it; `#[derive(Idempotent)]` \
                   writes the length before each value"
                    .to_owned(),
            subject: list,
            fixes: Vec::new(),
        });
    }
    None
}

/// The separator of a joined list whose length is not in view.
fn separator_of_list(part: &Term) -> Option<&str> {
    match part {
        Term::Typed(inner, _) => separator_of_list(inner),
        Term::Call(name, args) if name == "join" => match args.as_slice() {
            [list, separator] => match (list.as_ref(), separator.as_ref()) {
                (Term::Call(list, _), _) if list == "[]" => None,
                (_, Term::Literal(separator)) if !separator.is_empty() => Some(separator),
                _ => None,
            },
            _ => None,
        },
        Term::Call(name, args) if formula::is_transparent(name) => match args.as_slice() {
            [only] => separator_of_list(only),
            _ => None,
        },
        _ => None,
    }
}
