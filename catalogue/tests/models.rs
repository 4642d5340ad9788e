//! Every flow model parses, and no callee is described twice.

use std::collections::HashSet;

use samekey_catalogue::{Callee, Flow, Model, Place, Root, groups, models};

/// Roots that make no sense for a callee.
fn root_fits(callee: Callee, place: Place<'_>) -> bool {
    matches!(callee, Callee::Method { .. }) || place.root != Root::Receiver
}

#[test]
fn flows_parse_and_fit_their_callee() {
    for model in models() {
        for text in model.flows {
            let flow = Flow::parse(text).unwrap_or_else(|error| panic!("{model:?} {text}: {error:?}"));
            assert!(root_fits(model.callee, flow.from), "{model:?}: {text}");
            assert!(root_fits(model.callee, flow.to), "{model:?}: {text}");
            // Elements that change places move within the receiver.
            let reorders = *text == "self[] -> self[]";
            assert!(reorders || flow.from != flow.to, "{model:?}: {text} moves nothing");
        }
    }
}

#[test]
fn callees_are_unique_up_to_their_result() {
    let mut seen = HashSet::new();
    let twice: Vec<_> = models()
        .iter()
        .filter(|model| !seen.insert((model.callee, model.returns)))
        .map(|model| model.callee)
        .collect();
    assert!(twice.is_empty(), "described twice: {twice:#?}");
}

#[test]
fn receivers_are_groups_or_paths() {
    let names: HashSet<&str> = groups().iter().map(|group| group.name).collect();
    let receivers: HashSet<&str> = models().iter().filter_map(receiver).collect();
    for on in &receivers {
        // A bare type name is another spelling of a full path.
        let mut paths = receivers.iter().filter_map(|path| path.rsplit_once("::"));
        let spelling = paths.any(|(_, last)| last == *on);
        assert!(names.contains(on) || on.contains("::") || spelling, "{on}");
    }
}

fn receiver(model: &Model) -> Option<&'static str> {
    match model.callee {
        Callee::Method { receiver, .. } => Some(receiver),
        Callee::Function { .. } | Callee::Macro { .. } => None,
    }
}

#[test]
fn results_name_known_groups_or_paths() {
    let names: HashSet<&str> = groups().iter().map(|group| group.name).collect();
    let primitives = ["Self", "bool", "i64", "u64", "str"];
    for model in models() {
        for word in words(model.returns.unwrap_or_default()) {
            let known = names.contains(word) || word.contains("::") || primitives.contains(&word);
            assert!(known, "{:?} returns {word}", model.callee);
        }
    }
}

fn words(returns: &str) -> impl Iterator<Item = &str> {
    returns.split(['<', '>', '(', ')', ',', ' ']).filter(|word| !word.is_empty())
}

#[test]
fn a_type_belongs_to_one_group() {
    let mut seen = HashSet::new();
    let types = groups().iter().flat_map(|group| group.types);
    let twice: Vec<_> = types.filter(|path| !seen.insert(**path)).collect();
    assert!(twice.is_empty(), "in two groups: {twice:?}");
}
