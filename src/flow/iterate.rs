//! Iteration: what a loop or an adaptor gets from an iterator, of a library's type or of a user's.

use std::rc::Rc;

use super::engine::{Engine, Frame};
use super::model::Flow;
use super::places::resolved_refs;
use super::shape::peel;
use super::state::State;
use super::term::Term;
use super::value::{Key, Location, Origin, Value};
use crate::ir::{LoopId, LoopKind, Operand, Span};
use crate::resolve::{FunctionId, Ty};

const ITERATOR: &str = "std::iter::Iterator";
const INTO_ITERATOR: &str = "std::iter::IntoIterator";
/// How often a user's `next` runs where some adaptor asks for its items: what it remembers of one turn comes out
/// in a later one.
const MAX_RUNS: usize = 3;

impl<'a> Engine<'a> {
    /// The next item of the iterator of a `for` loop.
    pub fn next_item(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        iterator: &'a Operand,
        of: LoopId,
        span: Span,
    ) -> Value {
        let value = self.operand(frame, state, iterator);
        let value = self.loop_iterator(frame, state, iterator, value, span);
        let item = self.items(frame, state, &value, span, 1);
        let searches = frame.body.loops.get(of.0 as usize).is_some_and(|looped| looped.exits_early);
        let item = if searches { one_of(item, 0) } else { item };
        let kind = frame.body.loops.get(of.0 as usize).map(|info| info.kind);
        if kind == Some(LoopKind::ForRange)
            && let Some(row) = self.spec.loop_source()
        {
            let taint = self.source(frame, row, span);
            let Origin::Source(site) = taint.origin else { return item };
            return item.add_taint(&[taint]).with_term(Rc::new(Term::Source(site)));
        }
        item
    }

    /// The iterator of a loop: one of a user's type keeps what it remembers from turn to turn.
    fn loop_iterator(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        iterator: &'a Operand,
        value: Value,
        span: Span,
    ) -> Value {
        let (Operand::Place(place), Some(ty @ Ty::Adt { .. })) = (iterator, value.ty().map(peel)) else {
            return value;
        };
        let ty = ty.clone();
        let places = self.locate(frame, state, place);
        if places.len() != 1 || !value.refs().is_empty() {
            return value;
        }
        let is_iterator =
            |engine: &Self, ty: &Ty| !engine.program.trait_method(ITERATOR, ty, &[], "next").is_empty();
        if is_iterator(self, &ty) {
            return Value::reference(places).with_type(Some(ty));
        }
        let into = self.program.trait_method(INTO_ITERATOR, &ty, &[], "into_iter");
        if into.is_empty() {
            return value;
        }
        let made = self.call_functions(frame, state, &into, vec![value], &[], span);
        match made.ty().map(peel).cloned() {
            Some(ty) if made.refs().is_empty() && is_iterator(self, &ty) => {
                let base = self.heap(span, None);
                let earlier = state.object(base);
                state.set_object(base, earlier.join_elements(&made));
                Value::reference(vec![Location::of(base)]).with_type(Some(ty))
            }
            _ => made,
        }
    }

    /// Any item of something that is iterated.
    pub fn item_of(&mut self, frame: &mut Frame<'a>, state: &mut State, value: &Value, span: Span) -> Value {
        self.items(frame, state, value, span, MAX_RUNS)
    }

    /// What a user's `next` yields when it runs as often, or until nothing new comes.
    fn user_items(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        next: &[FunctionId],
        receiver: &Value,
        span: Span,
        runs: usize,
    ) -> Value {
        let mut items = Value::BOTTOM;
        for _ in 0..runs {
            let before = state.dereference(receiver);
            let option = self.call_functions(frame, state, next, vec![receiver.clone()], &[], span);
            let option = state.dereference(&option);
            let item = self.typed_part(&option, &Key::Variant("Some".into(), "0".into()));
            let known = items.clone();
            items = items.join_elements(&item);
            if items.same(&known) || state.dereference(receiver).same(&before) {
                break;
            }
        }
        items
    }

    fn items(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        value: &Value,
        span: Span,
        runs: usize,
    ) -> Value {
        let target = state.dereference(value);
        if let Some(ty @ Ty::Adt { .. }) = target.ty().map(peel) {
            let ty = ty.clone();
            let next = self.program.trait_method(ITERATOR, &ty, &[], "next");
            if !next.is_empty() {
                let receiver = self.as_reference(frame, state, value);
                return self.user_items(frame, state, &next, &receiver, span, runs);
            }
            // `for item in &bag` may have an implementation of its own.
            let iterated = value.ty().filter(|ty| matches!(ty, Ty::Reference { .. })).unwrap_or(&ty);
            let into = self.program.trait_method(INTO_ITERATOR, iterated, &[], "into_iter");
            if !into.is_empty() {
                let made = self.call_functions(frame, state, &into, vec![value.clone()], &[], span);
                let is_other = state.dereference(&made).ty().map(peel) != Some(&ty);
                if is_other && !made.same(value) {
                    return self.items(frame, state, &made, span, runs);
                }
            }
        }
        let keys = self.typed_part(&target, &Key::MapKey);
        let is_map = target.ty().is_some_and(|ty| self.is_map(peel(ty)))
            || target.data().is_some_and(|data| data.parts.iter().any(|(key, _)| is_key_of_map(key)));
        let element = if value.refs().is_empty() {
            self.typed_part(&target, &Key::Element)
        } else {
            let refs = resolved_refs(state, value);
            let element = self.typed_part(&target, &Key::Element);
            if element.refs().is_empty() && !element.is_bottom() {
                let refs: Vec<Location> = refs.iter().map(|location| location.part(Key::Element)).collect();
                let items = Value::reference(refs).with_type(element.ty().cloned());
                match value.is_also_itself() {
                    true => items.join_elements(&value.element()),
                    false => items,
                }
            } else {
                element
            }
        };
        let item = if is_map {
            Value::aggregate(vec![(Key::Field("0".into()), keys), (Key::Field("1".into()), element)])
        } else {
            element
        };
        self.unordered(frame, &target, item, span)
    }
}

/// Whether a call gives one of the elements, and not a collection of them.
pub fn takes_one(flow: &Flow) -> bool {
    flow.from.keys.first() == Some(&Key::Element) && !flow.to.keys.contains(&Key::Element)
}

/// The item that was taken out of several: its formula says that it is one of them.
pub fn one_of(item: Value, depth: usize) -> Value {
    let Some(data) = item.data() else { return item };
    let parts = data.parts.clone();
    let own = data.term.clone();
    let mut item = match own.as_deref() {
        Some(Term::Item(items)) => item.with_term(Rc::new(Term::Choice(items.clone()))),
        _ => item,
    };
    for (key, part) in parts.into_iter().filter(|(_, part)| depth < 2 && part.data().is_some()) {
        item = item.with_part(&key, one_of(part, depth + 1), true);
    }
    item
}

/// Whether a part has a key, and not only a position in a sequence.
fn is_key_of_map(key: &Key) -> bool {
    match key {
        Key::MapKey => true,
        Key::At(name) => !name.starts_with(|c: char| c.is_ascii_digit()),
        _ => false,
    }
}
