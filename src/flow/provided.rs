//! Methods that traits of the standard library provide on top of one that a type of the tree implements.

use super::calls::CallSite;
use super::engine::{Engine, Frame};
use super::shape::peel;
use super::state::State;
use super::value::{Callable, Key, Value};
use crate::ir::ClosureKind;
use crate::resolve::Ty;

/// A provided method, its trait, and the method by which it writes.
const WRITERS: [(&str, &str, &str); 5] = [
    ("write_all", "std::io::Write", "write"),
    ("write_fmt", "std::io::Write", "write"),
    ("write_vectored", "std::io::Write", "write"),
    ("write_fmt", "std::fmt::Write", "write_str"),
    ("write_char", "std::fmt::Write", "write_str"),
];

impl<'a> Engine<'a> {
    /// `writer.write_all(bytes)` of a type that implements `write`.
    pub fn provided(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        site: &mut CallSite,
        ty: &Ty,
    ) -> Option<Value> {
        let ty = peel(ty);
        if !matches!(ty, Ty::Adt { .. }) || site.args.len() != 1 {
            return None;
        }
        let written = |(name, path, required): &(&str, &str, &str)| {
            let found = *name == site.name.as_str();
            let functions =
                if found { self.program.trait_method(path, ty, &[], required) } else { Vec::new() };
            (!functions.is_empty()).then_some(functions)
        };
        let functions = WRITERS.iter().find_map(written)?;
        let facts = self.facts(frame, state, site, &[]);
        self.reach_call_sinks(frame, state, site, &facts);
        let receiver = site.receiver.as_ref()?;
        let writer = self.self_argument(state, receiver, functions.first().copied());
        let args = vec![writer, site.args.first()?.clone()];
        let made = self.call_functions(frame, state, &functions, args, &[], site.span);
        let error = Key::Variant("Err".into(), "0".into());
        let result = Ty::External { path: "std::result::Result".into(), args: Vec::new() };
        Some(Value::aggregate(vec![(error.clone(), made.part(&error))]).with_type(Some(result)))
    }

    /// `future.poll(cx)` of an async block, which runs by being polled.
    pub fn polled(&mut self, frame: &mut Frame<'a>, state: &mut State, site: &CallSite) -> Option<Value> {
        let receiver = site.receiver.as_ref().filter(|_| site.name == "poll" && site.args.len() == 1)?;
        let is_block = |callable: &Callable| match callable {
            Callable::Closure(index) => {
                self.closures[*index as usize].closure.kind == ClosureKind::AsyncBlock
            }
            _ => false,
        };
        if !state.dereference(&receiver.value).callables().iter().any(is_block) {
            return None;
        }
        let value = self.await_value(frame, state, receiver.value.clone(), site.span);
        let ty = Ty::External { path: "std::task::Poll".into(), args: Vec::new() };
        Some(Value::aggregate(vec![(Key::Variant("Ready".into(), "0".into()), value)]).with_type(Some(ty)))
    }
}
