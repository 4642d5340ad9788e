//! From flows to findings: one for each source site and primary place.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::case::{Case, Slot, World};
use super::classify::{self, Topic};
use super::rule::Rule;
use super::{formula, path, remedy, repair};
use crate::flow::term::Term;
use crate::flow::value::Flags;
use crate::ir::Span;
use crate::report::{Certainty, Diagnostic, Fix, Identity, Label, Severity};

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
    let mut judged: Vec<Judged<'a>> = best.into_values().collect();
    doubt_companions(&mut judged);
    judge_replacements(&mut judged);
    drop_repeated_fields(&mut judged);
    drop_repeated_names(&mut judged);
    doubt_crowds(&mut judged);
    let shown = judged.iter().filter(|one| !is_overshadowed(one, &judged));
    shown.filter_map(|one| diagnostic(one, rules)).collect()
}

/// Where the formula of a key shows all of it, a value that it does not show came along in the same structure.
fn doubt_companions(judged: &mut [Judged<'_>]) {
    let fresh =
        |one: &Judged<'_>| matches!(one.topic, Topic::Uuid | Topic::Clock | Topic::Random | Topic::Fallback);
    let whole = |one: &&Judged<'_>| !one.case.term.any(&|term| *term == Term::Unknown);
    let shown: FxHashSet<Span> = judged
        .iter()
        .filter(|one| fresh(one) && one.severity > Severity::Note && one.case.site.is_some())
        .filter(whole)
        .filter(|one| formula_of(&one.case).is_some())
        .map(|one| one.case.place())
        .collect();
    for one in judged.iter_mut().filter(|one| one.severity > Severity::Note) {
        if shown.contains(&one.case.place()) && formula_of(&one.case).is_none() {
            one.severity = Severity::Note;
        }
    }
}

/// What stands in for another fresh value is no fallback: `if fill(&mut bytes).is_err() { bytes = clock() }` is new
/// at each call on both ways.
fn judge_replacements(judged: &mut [Judged<'_>]) {
    let fresh = |one: &&Judged<'_>| matches!(one.topic, Topic::Uuid | Topic::Random | Topic::Clock);
    let direct: FxHashSet<Span> = judged
        .iter()
        .filter(fresh)
        .filter(|one| !one.case.source.by_name && !one.case.flags.has(Flags::FIELD))
        .map(|one| one.case.place())
        .collect();
    for one in judged.iter_mut().filter(|one| one.topic == Topic::Fallback) {
        if direct.contains(&one.case.place()) {
            one.case.flags = one.case.flags.without(Flags::MAYBE);
            one.topic = classify::topic(&one.case);
            one.severity = classify::level(&one.case).unwrap_or(one.severity);
        }
    }
}

/// A field that is read where nobody in view filled it holds what some writer put there. Where the writer fills
/// what is a key slot by itself, that place says it all.
fn drop_repeated_fields(judged: &mut Vec<Judged<'_>>) {
    let at_writer = |one: &&Judged<'_>| {
        let slot = one.case.primary().sink;
        !one.case.flags.has(Flags::FIELD) && one.case.function.is_some() && slot.function == one.case.function
    };
    let told: FxHashSet<u32> = judged.iter().filter(at_writer).filter_map(|one| one.case.site).collect();
    judged.retain(|one| {
        !one.case.flags.has(Flags::FIELD) || one.case.site.is_none_or(|site| !told.contains(&site))
    });
}

/// A function that makes a key, sends it and gives it back, has told all: its callers write down what was sent, or read
/// the answer. A parameter's name says nothing new there.
fn drop_repeated_names(judged: &mut Vec<Judged<'_>>) {
    let sends = |one: &&Judged<'_>| {
        let function = one.case.strongest().sink.function;
        one.case.function.is_some() && function == one.case.function && !classify::is_named_only(&one.case)
    };
    let mut sent: FxHashMap<u32, Severity> = FxHashMap::default();
    for one in judged.iter().filter(sends) {
        if let Some(site) = one.case.site {
            let told = sent.entry(site).or_insert(one.severity);
            *told = one.severity.max(*told);
        }
    }
    judged.retain(|one| {
        let told = one.case.site.and_then(|site| sent.get(&site)).is_some_and(|told| *told >= one.severity);
        !told || !classify::is_named_only(&one.case)
    });
}

/// The most writers of a field that are believed to fill it for one reader.
const MOST_WRITERS: usize = 2;

/// A field that many places fill in their own ways is a general one, and which of them a key is made of is a guess.
fn doubt_crowds(judged: &mut [Judged<'_>]) {
    let mut writers: BTreeMap<Span, usize> = BTreeMap::new();
    let guessed = |one: &Judged<'_>| one.case.flags.has(Flags::FIELD);
    for one in judged.iter().filter(|one| guessed(one)) {
        *writers.entry(one.case.place()).or_default() += 1;
    }
    for one in judged.iter_mut().filter(|one| guessed(one)) {
        if writers.get(&one.case.place()).is_some_and(|count| *count > MOST_WRITERS) {
            one.severity = Severity::Note;
        }
    }
}

impl Judged<'_> {
    fn is_better_than(&self, other: &Judged<'_>) -> bool {
        let weight = |judged: &Judged<'_>| {
            (judged.severity, judged.case.strongest().info.level, std::cmp::Reverse(judged.case.steps.len()))
        };
        weight(self) > weight(other)
    }
}

/// A remark about how a text is written, or about a name, says nothing new where a fresh value is in the same key,
/// or where the text is worse written.
fn is_overshadowed(one: &Judged<'_>, all: &[Judged<'_>]) -> bool {
    let minor = one.topic == Topic::Encoding || one.case.source.by_name;
    minor
        && all.iter().any(|other| {
            other.case.place() == one.case.place()
                && other.severity > one.severity
                && (other.topic != Topic::Encoding || one.topic == Topic::Encoding)
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
        fixes: fix(judged).into_iter().collect(),
    })
}

/// An edit for what is proven to change at each try. Attempts, sequences, periods and fallbacks may be meant: what to
/// make of those is for the author to decide.
fn fix(judged: &Judged<'_>) -> Option<Fix> {
    let is_noise = matches!(
        judged.topic,
        Topic::Uuid | Topic::Clock | Topic::Random | Topic::Connection | Topic::Member | Topic::Fence
    );
    let is_proven =
        judged.severity == Severity::Error && classify::certainty(&judged.case) == Certainty::Proven;
    (is_noise && is_proven).then(|| repair::without_source(&judged.case)).flatten()
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
pub fn formula_of(case: &Case<'_>) -> Option<String> {
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
