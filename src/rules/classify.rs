//! What a flow means: the topic that decides which rule speaks, and the level.

use std::rc::Rc;

use samekey_catalogue::{Family, Level, SourceKind};

use super::alternatives::is_beside_stable_key;
use super::case::Case;
use super::{filled, findings, locals, order, path};
use crate::flow::term::Term;
use crate::flow::trace::{MAX_STEPS, StepKind};
use crate::flow::value::Flags;
use crate::ir::{Path, Span, Type};
use crate::report::{Certainty, Severity};
use crate::resolve::{FunctionId, Ty};

/// What a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    Uuid,
    Clock,
    Random,
    Connection,
    Member,
    Fence,
    Sequence,
    Attempt,
    Request,
    Encoding,
    Bucket,
    Fallback,
    Mutable,
}

/// The topic of a flow.
pub fn topic(case: &Case<'_>) -> Topic {
    let kind = case.source.kind;
    let fresh = matches!(kind, SourceKind::Uuid | SourceKind::Random | SourceKind::Clock);
    if fresh && !case.configured() {
        if kind == SourceKind::Clock && is_bucket(case.flags) {
            return Topic::Bucket;
        }
        if is_fallback(case) && !case.source.by_name && !is_optional_part(case) {
            return Topic::Fallback;
        }
        if case.flags.has(Flags::IN_PROCESS) && case.function.is_none() && case.site.is_some() {
            return Topic::Member;
        }
    }
    match kind {
        SourceKind::Uuid => Topic::Uuid,
        SourceKind::Clock => Topic::Clock,
        SourceKind::Random => Topic::Random,
        SourceKind::Connection => Topic::Connection,
        SourceKind::Member => Topic::Member,
        SourceKind::Fence => Topic::Fence,
        SourceKind::Sequence => Topic::Sequence,
        SourceKind::Attempt => Topic::Attempt,
        SourceKind::Request => Topic::Request,
        SourceKind::Encoding => Topic::Encoding,
        SourceKind::Bucket => Topic::Bucket,
        SourceKind::Mutable => Topic::Mutable,
    }
}

/// Whether the value is only one of several alternatives and another one is stable.
fn is_fallback(case: &Case<'_>) -> bool {
    let own = |term: &Term| matches!((term, case.site), (Term::Source(site), Some(own)) if *site == own);
    case.flags.has(Flags::MAYBE)
        || case.term.any(&|term| is_choice_with(term, &own))
        || case.site.is_some() && is_beside_stable_key(case)
}

/// Whether a term is a choice between a part that holds the source and one that holds no source at all. Literals
/// are start values, not alternatives.
fn is_choice_with(term: &Term, own: &impl Fn(&Term) -> bool) -> bool {
    let Term::Choice(choices) = term else { return false };
    let volatile = |term: &Term| matches!(term, Term::Source(_));
    let Some(own) = choices.iter().position(|choice| choice.any(own)) else { return false };
    choices.iter().enumerate().any(|(position, choice)| match **choice {
        Term::Literal(_) => false,
        // What comes after the source and is not known is its own default: `id().unwrap_or_default()`.
        Term::Unknown => position < own,
        _ => !choice.any(&volatile),
    })
}

/// Whether the source is in a part that a key has on some ways only: without it, it is the same key and no other one.
fn is_optional_part(case: &Case<'_>) -> bool {
    let own = |term: &Term| matches!((term, case.site), (Term::Source(site), Some(own)) if *site == own);
    let longer = |long: &Term, short: &Term| match (long, short) {
        (Term::Text(long), Term::Text(short)) => long.len() > short.len() && long.starts_with(short),
        (Term::Text(long), short) => long.first().is_some_and(|first| first.as_ref() == short),
        _ => false,
    };
    case.term.any(&|term| {
        let Term::Choice(choices) = term else { return false };
        let (with, without): (Vec<_>, Vec<_>) = choices.iter().partition(|choice| choice.any(&own));
        let optional = |long: &&Rc<Term>| without.iter().any(|short| longer(long, short));
        !with.is_empty() && with.iter().all(optional)
    })
}

fn is_bucket(flags: Flags) -> bool {
    flags.has(Flags::SHORT_BUCKET) || flags.has(Flags::LONG_BUCKET)
}

/// The level of a flow; `None` when it is nobody's business.
pub fn level(case: &Case<'_>) -> Option<Severity> {
    if case.configured() {
        return reports_at_configured(case).then_some(Severity::Error);
    }
    let single_entry = order::is_order(case) && order::is_single_entry(case);
    if is_business_loop(case) || single_entry || is_admitted(case) {
        return None;
    }
    let mut level = severity(case.row_level())?;
    // The cheap questions come first, and none is asked whose answer changes nothing.
    for (holds, ceiling) in CEILINGS {
        if level > *ceiling && holds(case) {
            level = *ceiling;
        }
    }
    Some(level)
}

/// A sink of the configuration takes values as they are: how a text is written, in which order, and where a
/// loop stands, is not its business. What a name alone suggests is not either. A configuration that names its own
/// sources gets those, and values that are fresh whatever one looks for.
fn reports_at_configured(case: &Case<'_>) -> bool {
    let fresh = matches!(case.source.kind, SourceKind::Uuid | SourceKind::Clock | SourceKind::Random);
    let looked_for = fresh || case.world.input.config.sources.is_empty();
    // A field that is written elsewhere is no path of the engine's own.
    if case.flags.has(Flags::FIELD) && !case.flags.has(Flags::SHARED) {
        return false;
    }
    case.source.configured
        || looked_for
            && !case.source.by_name
            && case.source.kind != SourceKind::Encoding
            && !is_loop_index(case)
}

/// Whether the path cannot be shown to its end and is not certain either.
fn is_beyond_proof(case: &Case<'_>) -> bool {
    let unsure = [Flags::POSSIBLE, Flags::OPAQUE, Flags::FIELD, Flags::BLURRED]
        .iter()
        .any(|flag| case.flags.has(*flag));
    case.steps.len() >= MAX_STEPS as usize && (unsure || is_fallback(case))
}

/// What keeps a flow from being an error.
type Question = fn(&Case<'_>) -> bool;

/// What keeps a flow from being an error, with the highest level that it may have.
const CEILINGS: &[(Question, Severity)] = &[
    (|case| case.flags.has(Flags::AWAITED), Severity::Note),
    (|case| case.world.is_example(case.place()), Severity::Note),
    (is_beyond_proof, Severity::Note),
    (|case| case.source.by_name, Severity::Warning),
    (|case| case.flags.has(Flags::LONG_BUCKET), Severity::Warning),
    (|case| case.flags.has(Flags::STORED), Severity::Warning),
    (|case| is_new_at_each_call(case) && says(case, "persisted"), Severity::Warning),
    (|case| case.flags.has(Flags::IN_PROCESS) && is_new_at_each_call(case), Severity::Warning),
    (is_named_only, Severity::Warning),
    (filled::is_minted_by_constructor, Severity::Warning),
    // Items that are added to a text one by one are there in some runs of the loop only; their order is not.
    (
        |case| case.source.kind != SourceKind::Encoding && is_fallback(case) && !is_repeated(case),
        Severity::Warning,
    ),
    (is_identity_of_record, Severity::Note),
    (filled::is_answer, Severity::Note),
    (|case| is_new_at_each_call(case) && is_another_part(case), Severity::Note),
    (|case| case.flags.has(Flags::BLURRED) && !is_shown(case), Severity::Note),
    (is_unsure, Severity::Note),
    (is_unshown_way_of_writing, Severity::Note),
    (|case| is_new_at_each_call(case) && is_unproven(case), Severity::Warning),
    (|case| is_new_at_each_call(case) && !is_shown(case) && is_default_value(case), Severity::Note),
    (|case| is_new_at_each_call(case) && is_default_value(case), Severity::Warning),
    (is_id_of_message, Severity::Warning),
    (|case| is_new_at_each_call(case) && is_minted_before_retries(case), Severity::Warning),
    (|case| is_new_at_each_call(case) && locals::is_stored_first(case), Severity::Warning),
];

fn is_new_at_each_call(case: &Case<'_>) -> bool {
    matches!(case.source.kind, SourceKind::Uuid | SourceKind::Random | SourceKind::Clock)
}

/// Whether nothing but a name says that this is a key.
pub fn is_named_only(case: &Case<'_>) -> bool {
    case.strongest().by_name() && !filled::is_sent_on(case)
}

/// The formula knows all of the key, and the source is not in it: the value came along in the structure of which
/// the key is another part.
fn is_another_part(case: &Case<'_>) -> bool {
    let known = |term: &Term| !matches!(term, Term::Unknown | Term::Named(_) | Term::Source(_));
    let part = |term: &Term| {
        matches!(term, Term::Part(..)) || matches!(term, Term::Param(path) if !path.keys.is_empty())
    };
    let followed = case.site.is_some() && !case.flags.has(Flags::FIELD);
    followed && case.term.any(&part) && !case.term.any(&|term| !known(term))
}

/// A field of a derived key whose author says why its value does not change: a name does not say otherwise.
fn is_admitted(case: &Case<'_>) -> bool {
    let identity = case.primary().info.identity.as_ref();
    case.source.by_name && identity.is_some_and(|slot| !slot.reasons.is_empty())
}

/// Whether the author of a derived key gives such a reason for the field.
fn says(case: &Case<'_>, word: &str) -> bool {
    case.primary().info.identity.as_ref().is_some_and(|slot| slot.reason(word).is_some())
}

fn severity(level: Level) -> Option<Severity> {
    match level {
        Level::Off => None,
        Level::Note => Some(Severity::Note),
        Level::Warning => Some(Severity::Warning),
        Level::Error => Some(Severity::Error),
    }
}

/// How sure a flow is.
pub fn certainty(case: &Case<'_>) -> Certainty {
    let unsure = case.flags.has(Flags::POSSIBLE)
        || case.flags.has(Flags::OPAQUE)
        || case.flags.has(Flags::BLURRED)
        || case.source.by_name
        || is_named_only(case);
    // What the configuration names is meant, whatever stands between.
    let unsure = if case.configured() { case.flags.has(Flags::POSSIBLE) } else { unsure };
    if unsure { Certainty::Possible } else { Certainty::Proven }
}

/// The index of a counting loop.
fn is_loop_index(case: &Case<'_>) -> bool {
    case.row == "loop-index"
}

/// A loop index counts tries only in a loop that ends with the first success and uses the key; elsewhere it
/// counts items of the business.
fn is_business_loop(case: &Case<'_>) -> bool {
    if !is_loop_index(case) {
        return false;
    }
    // A counter that is bumped by hand may number pages or lines as well: its name has to say what it counts.
    let by_hand = case.symbol.split_once("+=").map(|(name, _)| name.trim());
    let unnamed = by_hand.is_some_and(|name| !is_attempt_name(case, name));
    unnamed || !case.world.contexts.counts_tries(case.span, &case.steps)
}

fn is_attempt_name(case: &Case<'_>, name: &str) -> bool {
    let facts = case.world.facts;
    let row = facts.names().source(name.rsplit('.').next().unwrap_or(name));
    row.and_then(|row| facts.row(row).source()).is_some_and(|info| info.kind == SourceKind::Attempt)
}

/// Whether the flow runs again for one intent in code that is in view: in a loop of tries or over messages, a retried
/// closure, a handler.
fn is_repeated(case: &Case<'_>) -> bool {
    case.slots.iter().any(|slot| case.world.contexts.is_in_open_loop(slot.sink.span))
        || case.steps.iter().any(|step| case.world.contexts.runs_again(step.span))
}

/// Minted once before a loop that retries the call with the same key: right for these tries, wrong after a
/// restart.
fn is_minted_before_retries(case: &Case<'_>) -> bool {
    let contexts = &case.world.contexts;
    contexts.enters_retry_loop(&case.steps)
        || locals::is_sent_by_later_tries(contexts, case.primary().sink.span)
        || locals::is_prepared_for_tries(case)
}

/// An id or a time of creation that a record got when it was made, read where nobody in view made it: records are
/// stored and loaded again, and then these fields are the same at each attempt.
fn is_identity_of_record(case: &Case<'_>) -> bool {
    if !case.flags.has(Flags::FIELD) || case.source.by_name {
        return false;
    }
    let sources = case.world.input.sources;
    let line = sources.line_text(case.span.file, sources.line(case.span));
    let field = path::field_before(line, sources.snippet(case.span));
    field.is_some_and(|field| match case.source.kind {
        SourceKind::Uuid => is_id_field(field),
        SourceKind::Clock => matches!(field, "created_at" | "inserted_at" | "issued_at" | "placed_at"),
        _ => false,
    })
}

/// The most calls and returns of a way that is believed where nothing but the way speaks for it.
const CLEAR_CALLS: usize = 4;

/// A value that came a long way, from or to a name, through code which is not in view, through one of several methods,
/// or as one of several alternatives, and that the formula does not show: it may be another part of the same
/// structure.
fn is_unsure(case: &Case<'_>) -> bool {
    let guessed = case.source.by_name
        || case.source.kind == SourceKind::Encoding
        || is_named_only(case)
        || case.flags.has(Flags::POSSIBLE)
        || case.flags.has(Flags::OPAQUE)
        || is_fallback(case);
    guessed && crossings(case) > CLEAR_CALLS && !is_shown(case)
}

/// Where the formula does not show the source, the way alone has to prove the flow: a short one, without a choice among
/// methods and without code that is not in view.
fn is_unproven(case: &Case<'_>) -> bool {
    let unsure = case.flags.has(Flags::POSSIBLE) || case.flags.has(Flags::OPAQUE);
    let most = if unsure { 0 } else { CLEAR_CALLS };
    crossings(case) > most && !is_shown(case)
}

/// Whether the formula of the key shows the source.
fn is_shown(case: &Case<'_>) -> bool {
    findings::formula_of(case).is_some()
}

fn crossings(case: &Case<'_>) -> usize {
    case.steps.iter().filter(|step| matches!(step.kind, StepKind::Argument | StepKind::Return)).count()
}

/// How a text is written matters where it is written into the key: a text of an error, or of a log, that shares a
/// structure with the key is everywhere in a program.
fn is_unshown_way_of_writing(case: &Case<'_>) -> bool {
    let unsure = case.flags.has(Flags::POSSIBLE) || case.flags.has(Flags::OPAQUE);
    case.source.kind == SourceKind::Encoding && unsure && !is_shown(case)
}

/// A value that the `Default` of some type made up on the way: it stands in where nobody gave one.
fn is_default_value(case: &Case<'_>) -> bool {
    let inside = |span: Span| {
        let function = case.world.contexts.function_at(span);
        function.is_some_and(|id| case.world.input.program.function(id).name == "default")
    };
    let returns = case.steps.iter().filter(|step| matches!(step.kind, StepKind::Source | StepKind::Return));
    returns.map(|step| step.span).chain([case.span]).any(inside)
}

/// The own id of a message that is written into it where it is made, elsewhere: whoever sends the message again sends
/// the id that it has.
fn is_id_of_message(case: &Case<'_>) -> bool {
    if !is_new_at_each_call(case) || case.strongest().info.family != Family::Message {
        return false;
    }
    let returns = case.steps.iter().filter(|step| step.kind == StepKind::Return).map(|step| step.span);
    returns.chain([case.span]).any(|span| {
        let contexts = &case.world.contexts;
        let Some((function, body)) = contexts.function_at(span).zip(contexts.body_at(span)) else {
            return false;
        };
        if Some(function) == case.primary().sink.function {
            return false;
        }
        let filled = locals::fields_filled_from(body, span);
        filled.iter().any(|(owner, field)| is_id_field(field) && is_message(case, function, owner))
    })
}

fn is_id_field(field: &str) -> bool {
    field == "id" || field == "uuid" || field.ends_with("_id")
}

/// Whether the struct that a path names in a function is one that is sent.
fn is_message(case: &Case<'_>, function: FunctionId, owner: &Path) -> bool {
    let program = case.world.input.program;
    let is_sent = |id| program.derives(id, "Serialize");
    let ty = match owner.last_name() {
        "Self" => program.self_type(function),
        _ => {
            Some(program.resolve_type(program.function(function).scope, &Type::Path(Box::new(owner.clone()))))
        }
    };
    matches!(ty, Some(Ty::Adt { id, .. }) if is_sent(id))
}
