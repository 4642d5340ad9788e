//! Comparing what a call looks like with what a row asks for.

use samekey_catalogue::{ArgCondition, is_date_only_format};

use super::library::Groups;
use crate::flow::spec::CallView;
use crate::flow::term::Term;
use crate::ir::Literal;

/// Whether the canonical path of a type is one of these.
///
/// A wanted path that ends in `*` stands for all paths that start like it, one that starts with `*` for all that end
/// like it, and the name of a receiver group for all types of the group.
pub fn type_matches(path: &str, wanted: &[&str], groups: &Groups) -> bool {
    wanted.iter().any(|wanted| match (wanted.strip_suffix('*'), wanted.strip_prefix('*')) {
        (Some(start), _) => path.starts_with(start),
        (None, Some(end)) => path.ends_with(end),
        (None, None) => path == *wanted || (!wanted.contains("::") && groups.of(path) == Some(*wanted)),
    })
}

/// Whether a chain of calls that starts at this type or function yields one of these: only rows for whole crates
/// or modules say so.
pub fn root_matches(root: &str, wanted: &[&str]) -> bool {
    wanted.iter().any(|wanted| wanted.strip_suffix('*').is_some_and(|start| root.starts_with(start)))
}

/// Whether the receiver of a call is a value of one of these types.
pub fn receiver_matches(call: &CallView<'_>, wanted: &[&str], groups: &Groups) -> bool {
    match (call.receiver_path, call.receiver_root) {
        (Some(path), _) => type_matches(path, wanted, groups),
        (None, Some(root)) => root_matches(root, wanted),
        (None, None) => false,
    }
}

/// Whether an argument is what the row asks for.
pub fn condition_holds(condition: &ArgCondition, call: &CallView<'_>) -> bool {
    let index = usize::from(condition.index);
    let text = match call.literals.get(index) {
        Some(Some(Literal::Str(text))) => Some(text.as_str()),
        Some(_) => None,
        None => return false,
    };
    condition.literals.iter().any(|wanted| match *wanted {
        "None" => call.nones.contains(&index),
        "Some(_)" => call.somes.contains(&index),
        "date-only" => text.is_some_and(is_date_only_format),
        special if special.starts_with("::") => {
            call.terms.get(index).is_some_and(|term| last_segment(term) == Some(&special[2..]))
        }
        exact => text == Some(exact),
    })
}

/// The last segment of the path that a term is, or that it calls.
fn last_segment(term: &Term) -> Option<&str> {
    match term {
        Term::Named(path) | Term::Call(path, _) => path.rsplit("::").next(),
        _ => None,
    }
}

/// Whether a name fits a pattern with a `*` at its start or end.
pub fn wildcard(pattern: &str, name: &str) -> bool {
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(end), None) => name.ends_with(end),
        (None, Some(start)) => name.starts_with(start),
        (Some(_), Some(_)) => name.contains(pattern.trim_matches('*')),
        (None, None) => match pattern.split_once('*') {
            Some((start, end)) => {
                name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
            }
            None => pattern == name,
        },
    }
}
