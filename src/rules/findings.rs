//! From flows to findings: one for each source site and primary place.

use std::collections::BTreeMap;

use super::case::{Case, Slot, World};
use super::classify::{self, Topic};
use super::rule::Rule;
use super::{formula, path, remedy};
use crate::flow::term::Term;
use crate::ir::Span;
use crate::report::{Diagnostic, Identity, Label, Severity};

/// A case with what it means.
struct Judged<'a> {
    case: Case<'a>,
    topic: Topic,
    severity: Severity,
}

/// The findings of all cases.
pub fn findings<'a>(cases: Vec<Case<'a>>, rules: &[Rule]) -> Vec<Diagnostic> {
    let mut best: BTreeMap<(Span, Span, Option<u32>), Judged<'a>> = BTreeMap::new();
    for case in cases {
        let primary = case.primary();
        if case.world.is_silent(primary.sink.function) {
            continue;
        }
        let Some(severity) = classify::level(&case) else { continue };
        let judged = Judged { topic: classify::topic(&case), severity, case };
        let key = (judged.case.place(), judged.case.span, judged.case.site);
        match best.get(&key) {
            Some(known) if !judged.is_better_than(known) => {}
            _ => {
                best.insert(key, judged);
            }
        }
    }
    let judged: Vec<Judged<'a>> = best.into_values().collect();
    let shown = judged.iter().filter(|one| !is_overshadowed(one, &judged));
    shown.filter_map(|one| diagnostic(one, rules)).collect()
}

impl Judged<'_> {
    fn is_better_than(&self, other: &Judged<'_>) -> bool {
        let weight = |judged: &Judged<'_>| {
            (judged.severity, judged.case.strongest().info.level, std::cmp::Reverse(judged.case.steps.len()))
        };
        weight(self) > weight(other)
    }
}

/// A remark about how a text is written, or about a name, says nothing new where a fresh value is in the same key.
fn is_overshadowed(one: &Judged<'_>, all: &[Judged<'_>]) -> bool {
    let minor = one.topic == Topic::Encoding || one.case.source.by_name;
    minor
        && all.iter().any(|other| {
            other.case.place() == one.case.place()
                && other.severity > one.severity
                && other.topic != Topic::Encoding
        })
}

fn diagnostic(judged: &Judged<'_>, rules: &[Rule]) -> Option<Diagnostic> {
    let rule = rules.iter().find(|rule| rule.topic == judged.topic)?;
    let case = &judged.case;
    let primary = case.place();
    Some(Diagnostic {
        rule: rule.info.id,
        code: rule.info.code,
        severity: judged.severity,
        certainty: classify::certainty(case),
        message: (rule.message)(case),
        primary,
        labels: labels(case, primary),
        formula: formula_of(case),
        identity: identity(case.world, case.primary(), &case.row),
        fingerprint: String::new(),
        trace: path::steps(case),
        help: remedy::help(case, rule.advice),
    })
}

fn labels(case: &Case<'_>, primary: Span) -> Vec<Label> {
    let receiver = match (case.provider(), &case.primary().info.identity) {
        (Some(provider), _) => format!("the key that {} gets", provider.name),
        (None, Some(identity)) => format!("part of the key that `{}` derives", identity.owner),
        (None, None) => "this key".to_owned(),
    };
    let inline =
        primary.file == case.span.file && primary.start <= case.span.start && case.span.end <= primary.end;
    if inline && case.span != primary {
        let phrase = case.source.changes_on.phrase().to_owned();
        return vec![Label { span: primary, text: receiver }, Label { span: case.span, text: phrase }];
    }
    vec![Label { span: primary, text: receiver }]
}

/// The formula with the source marked; `None` when the formula does not show the source.
fn formula_of(case: &Case<'_>) -> Option<String> {
    let marked = |term: &Term| match (term, case.site) {
        (Term::Source(site), Some(own)) => *site == own,
        (Term::Param(_) | Term::Part(..), None) => {
            formula::text(case.world, &std::rc::Rc::new(term.clone()), case.term_function, &|_| false)
                .is_some_and(|text| text == case.symbol)
        }
        _ => false,
    };
    let text = formula::text(case.world, &case.term, case.term_function, &marked)?;
    text.contains('⟨').then_some(text)
}

/// What names the finding when lines move.
pub fn identity(world: &World<'_>, slot: Slot<'_>, source: &str) -> Identity {
    let sink = world.input.sources.snippet(slot.sink.span).to_owned();
    let Some(function) = world.function(slot.sink.function) else {
        return Identity { sink, source: source.to_owned(), ..Identity::default() };
    };
    let module = world.input.program.module_path(function.scope).to_string();
    let inner = function.path.strip_prefix(module.as_str()).unwrap_or(&function.path);
    let inner = inner.strip_prefix("::").unwrap_or(inner).to_owned();
    Identity { module, function: inner, sink, source: source.to_owned() }
}
