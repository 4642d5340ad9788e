//! Calls of values: closures, function items, and what is not known.

use super::calls::{CallSite, MAX_TARGETS};
use super::engine::{BodyRef, Engine, Frame};
use super::places::resolved_refs;
use super::shape::{Shape, peel};
use super::slice::Need;
use super::state::State;
use super::value::{Base, Callable, Flags, Key, Location, Origin, Value, union};
use crate::ir::{Name, Span};
use crate::resolve::Ty;

impl<'a> Engine<'a> {
    /// Calls a value: closures, function items, or something unknown.
    pub fn call_value(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        value: &Value,
        args: Vec<Value>,
        span: Span,
    ) -> Value {
        let target = state.dereference(value);
        let callables = target.callables().to_vec();
        if callables.is_empty() {
            if let Some(ty @ Ty::Adt { .. }) = target.ty().map(peel) {
                let ty = ty.clone();
                for path in ["std::ops::Fn", "std::ops::FnMut", "std::ops::FnOnce"] {
                    let method = path.rsplit("::").next().map(snake).unwrap_or_default();
                    let functions = self.program.trait_method(path, &ty, &[], &method);
                    if !functions.is_empty() {
                        let receiver = self.as_reference(frame, state, value);
                        let packed = args.into_iter().enumerate();
                        let packed = packed.map(|(i, v)| (Key::Field(i.to_string().into()), v)).collect();
                        let args = vec![receiver, Value::aggregate(packed)];
                        return self.call_functions(frame, state, &functions, args, &[], span);
                    }
                }
            }
            frame.summary.open_call = true;
            let mut taint = state.deep_taints(value);
            for arg in &args {
                taint = union(&taint, &state.deep_taints(arg));
                self.invoke_unknown(frame, state, arg, span);
            }
            let result = match target.ty().map(peel) {
                Some(Ty::Function { result, .. }) => result.as_ref().clone(),
                _ => Ty::Unknown,
            };
            return Value::tainted(taint).with_type(Some(result)).with_flags(Flags::OPAQUE);
        }
        // Without alternatives nothing is joined, and the memory need not be copied.
        if let [callable] = callables.as_slice() {
            let places = resolved_refs(state, value);
            frame.kept.clear();
            let result = self.invoke(frame, state, callable, &target, args, span);
            for (key, content) in std::mem::take(&mut frame.kept) {
                for place in &places {
                    state.store(&place.part(key.clone()), content.clone(), places.len() == 1);
                }
            }
            return result;
        }
        let mut joined: Option<(State, Value)> = None;
        for callable in callables.iter().take(MAX_TARGETS) {
            let mut own = state.clone();
            let result = self.invoke(frame, &mut own, callable, &target, args.clone(), span);
            joined = Some(match joined {
                Some((other, value)) => (other.join(&own), value.join(&result)),
                None => (own, result),
            });
        }
        match joined {
            Some((after, value)) => {
                *state = after;
                value
            }
            None => Value::clean(),
        }
    }

    /// Calls one callable; `value` is where a closure's captures are.
    pub fn invoke(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        callable: &Callable,
        value: &Value,
        args: Vec<Value>,
        span: Span,
    ) -> Value {
        match callable {
            Callable::Closure(index) => self.invoke_closure(frame, state, *index, value, args, span),
            Callable::Function(function) => {
                let site = self.plain_site(frame, args, span);
                self.call_targets(frame, state, site, vec![*function], true)
            }
            Callable::Constructor(ty, variant) => {
                let site = self.plain_site(frame, args, span);
                self.construct(frame, state, site, *ty, variant.clone())
            }
            Callable::External(path) => {
                let mut site = self.plain_site(frame, args, span);
                site.name = path.rsplit("::").next().unwrap_or(path).into();
                site.paths = vec![path.clone()];
                self.call_external(frame, state, site)
            }
        }
    }

    pub fn plain_site(&self, _frame: &Frame<'a>, args: Vec<Value>, span: Span) -> CallSite {
        CallSite {
            name: Name::default(),
            method: false,
            macro_call: false,
            paths: Vec::new(),
            receiver: None,
            arg_spans: vec![span; args.len()],
            args,
            name_span: span,
            span,
            expected: Ty::Unknown,
            payload: Ty::Unknown,
            generics: Vec::new(),
            self_type: Ty::Unknown,
            bounds: Vec::new(),
        }
    }

    pub fn invoke_closure(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        index: u32,
        value: &Value,
        mut args: Vec<Value>,
        span: Span,
    ) -> Value {
        frame.invoked.insert(index);
        let info = &self.closures[index as usize];
        let parameters = info.closure.body.parameters;
        args.resize(parameters, Value::clean());
        let by_reference: Vec<bool> =
            info.closure.captures.iter().map(|capture| capture.by_reference).collect();
        for (position, by_reference) in by_reference.into_iter().enumerate() {
            let capture = value.part(&Key::capture(index, position));
            let shared = by_reference || capture.ty().is_some_and(super::shape::is_reference);
            let capture = if shared { symbolic_reference(state, capture) } else { capture };
            args.push(capture);
        }
        let declared = self.closure_types(index);
        let shape = Shape::of(self.program, state, &declared, &args);
        let instance = self.instance(BodyRef::Closure(index), shape, frame.need == Need::Sinks);
        let summary = self.summarize(instance);
        let before = (!summary.kept.is_empty()).then(|| state.clone());
        let result = self.instantiate(frame, state, &summary, &args, span);
        if let Some(before) = before {
            let kept = self.kept_after(&before, &summary, &args, span).into_iter();
            frame.kept =
                kept.map(|(position, value)| (Key::capture(index, position as usize), value)).collect();
        }
        result
    }

    /// Something unknown receives a callable: it may call it with anything.
    pub fn invoke_unknown(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        value: &Value,
        span: Span,
    ) -> Value {
        let target = state.dereference(value);
        let mut result = Value::BOTTOM;
        for callable in target.callables().to_vec() {
            if let Callable::Closure(index) = &callable {
                let count = self.closures[*index as usize].closure.body.parameters;
                let made = self.invoke(frame, state, &callable, &target, vec![Value::clean(); count], span);
                result = result.join(&made);
            }
        }
        result
    }
}

/// A value that is known to be a reference, but only as a part of a parameter: a reference to that part's
/// memory, which then holds what was known of the value.
pub fn symbolic_reference(state: &mut State, value: Value) -> Value {
    let Some(data) = value.data() else { return value };
    if !data.refs.is_empty() || data.aliases.is_empty() {
        return value;
    }
    let mut refs = Vec::new();
    for alias in &data.aliases {
        let Origin::Param(path) = &alias.origin else { continue };
        refs.push(Location { base: Base::Param(path.index), keys: path.keys.to_vec() });
    }
    let is_own = matches!(value.ty(), Some(Ty::Adt { .. }));
    let carries_more = is_own || !data.callables.is_empty() || !data.parts.is_empty();
    if carries_more {
        for location in &refs {
            let known = state.load(location);
            if known.callables().is_empty() {
                state.store(location, value.clone(), true);
            }
        }
    }
    refs.sort();
    Value::reference(refs).with_type(value.ty().cloned())
}

fn snake(name: &str) -> String {
    match name {
        "FnMut" => "call_mut".to_owned(),
        "FnOnce" => "call_once".to_owned(),
        _ => "call".to_owned(),
    }
}
