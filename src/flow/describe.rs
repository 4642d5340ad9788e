//! Formulas of library calls that say more than a name: digests, sub-ranges, texts that are changed in place.

use std::rc::Rc;

use super::calls::CallSite;
use super::engine::Engine;
use super::spec::{CallFacts, DigestStep};
use super::state::State;
use super::term::Term;
use super::transfer::term_of;
use super::value::Value;
use crate::resolve::Ty;

/// Methods that change a text or list in place to what its formula does not say.
const CHANGING: &[&str] = &[
    "clear",
    "dedup",
    "drain",
    "insert_str",
    "make_ascii_lowercase",
    "make_ascii_uppercase",
    "pop",
    "remove",
    "replace_range",
    "retain",
    "reverse",
    "split_off",
    "zeroize",
];

impl<'a> Engine<'a> {
    /// The result of a library call with a formula that names what the call did, where that is more than its name.
    pub fn described(&self, state: &mut State, site: &CallSite, facts: &CallFacts, value: Value) -> Value {
        if let Some(step) = facts.digest {
            return value.with_term(self.digest_term(state, site, step));
        }
        let Some(receiver) = &site.receiver else { return empty_text(site, value) };
        let whole = term_of(state, &receiver.value);
        match (site.name.as_str(), site.args.as_slice()) {
            ("truncate", [count]) => {
                let bounds = match term_of(state, count).as_ref() {
                    Term::Literal(count) => format!("..{count}"),
                    _ => "..".to_owned(),
                };
                self.change_term(state, site, &whole, Term::Slice(whole.clone(), bounds.into()));
                value
            }
            (name, _) if CHANGING.contains(&name) => {
                self.change_term(state, site, &whole, Term::Unknown);
                value
            }
            // `[a, b].concat()` of a list in view, which is a text or a list by what its elements are.
            ("concat", []) if matches!(&*whole, Term::Call(name, _) if name == "[]") => {
                value.with_term(Term::call("concat", vec![whole]))
            }
            // The whole of a `Result` has the formula of what is in it.
            ("try_into", []) if *whole != Term::Unknown => value.with_term(whole),
            ("chars" | "bytes", []) if *whole != Term::Unknown => {
                value.with_term(Term::call("chars", vec![whole]))
            }
            ("take", [count]) if is_characters(&whole) => {
                value.with_term(Term::call("take", vec![whole, term_of(state, count)]))
            }
            _ => value,
        }
    }

    /// What a hasher took up is a text after the name of the digest; finishing it leaves a call of that name.
    fn digest_term(&self, state: &State, site: &CallSite, step: DigestStep) -> Rc<Term> {
        let receiver = site.receiver.as_ref().map(|receiver| &receiver.value);
        let taken = receiver.into_iter().chain(&site.args).map(|part| self.typed_term(state, part));
        match step {
            DigestStep::Start(name) => Term::call(name, Vec::new()),
            DigestStep::Feed => Term::text(taken.collect()),
            DigestStep::Finish(name) => {
                Term::call(name, taken.filter_map(|part| without_start(&part)).collect())
            }
        }
    }

    /// Gives what a method was called on another formula, if it has one.
    fn change_term(&self, state: &mut State, site: &CallSite, old: &Term, new: Term) {
        let Some(receiver) = site.receiver.as_ref().filter(|_| *old != Term::Unknown) else { return };
        let new = Rc::new(new);
        for location in self.receiver_places(state, receiver) {
            let changed = state.load(&location).with_term(new.clone());
            state.store(&location, changed, true);
        }
    }
}

/// `String::new()` and the like are the empty text.
fn empty_text(site: &CallSite, value: Value) -> Value {
    let makes =
        matches!((site.name.as_str(), site.args.len()), ("new" | "default", 0) | ("with_capacity", 1));
    match value.ty() {
        Some(Ty::External { path, .. }) if makes && path == "std::string::String" => {
            value.with_term(Rc::new(Term::Literal("".into())))
        }
        _ => value,
    }
}

/// Whether a term is the characters of a text.
pub fn is_characters(term: &Term) -> bool {
    matches!(term, Term::Call(name, args) if !args.is_empty() && (name == "chars" || name == "take"))
}

/// The digest whose hasher this is, by the name at its start.
pub fn started_digest(term: &Term) -> Option<&str> {
    match term {
        Term::Call(name, args) if args.is_empty() => Some(name),
        Term::Text(parts) | Term::Choice(parts) => started_digest(parts.first()?),
        Term::Typed(inner, _) => started_digest(inner),
        _ => None,
    }
}

/// What was put into a hasher.
fn without_start(term: &Rc<Term>) -> Option<Rc<Term>> {
    match term.as_ref() {
        Term::Typed(inner, _) if started_digest(inner).is_some() => without_start(inner),
        Term::Text(parts) if started_digest(term).is_some() => {
            Some(Term::text(parts.get(1..).unwrap_or_default().to_vec()))
        }
        // Fed on some ways only.
        Term::Choice(choices) if started_digest(term).is_some() => {
            let fed: Vec<Rc<Term>> = choices.iter().filter_map(without_start).collect();
            match fed.as_slice() {
                [only] => Some(only.clone()),
                _ => Some(Rc::new(Term::Choice(fed))),
            }
        }
        Term::Call(_, args) if args.is_empty() => None,
        _ => Some(term.clone()),
    }
}
