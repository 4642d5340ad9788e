//! Conversions whose meaning depends on the type that the context asks for: `into`, `parse`, `collect` and the
//! operators `?`.

use super::calls::CallSite;
use super::describe::is_characters;
use super::engine::{Engine, Frame};
use super::invoke::symbolic_reference;
use super::shape::{is_channel_end, peel};
use super::state::State;
use super::term::Term;
use super::transfer::term_of;
use super::value::{Base, Key, Value};
use crate::ir::{FormatTrait, Span};
use crate::resolve::Ty;

impl<'a> Engine<'a> {
    /// A conversion method of a user's type, or one that turns something into a user's type.
    pub fn converted(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        site: &CallSite,
        ty: &Ty,
    ) -> Option<Value> {
        let receiver = site.receiver.as_ref()?;
        let value = receiver.value.clone();
        let conversion =
            matches!(site.name.as_str(), "into" | "try_into" | "clone" | "to_owned" | "to_string");
        if !conversion
            && matches!(peel(ty), Ty::Adt { .. })
            && !self.program.lookup_method(frame.scope, ty, &site.name).functions.is_empty()
        {
            return None;
        }
        match site.name.as_str() {
            "into" => self.conversion_target(frame, state, &value, &site.expected, site.span),
            "try_into" => self.try_conversion_target(frame, state, &value, site),
            "parse" => self.parse_target(frame, state, &value, site),
            "to_string" if matches!(peel(ty), Ty::Adt { .. }) => {
                let own = self.program.lookup_method(frame.scope, ty, "to_string");
                if !own.functions.is_empty() {
                    return None;
                }
                let text = self.formatted(frame, state, &value, FormatTrait::Display, site.span);
                let taint = state.deep_taints(&text);
                let string = Ty::External { path: "std::string::String".into(), args: Vec::new() };
                Some(Value::tainted(taint).with_type(Some(string)).with_term(term_of(state, &value)))
            }
            "clone" | "cloned" | "to_owned" if site.args.is_empty() => self.cloned(frame, state, site, ty),
            "unwrap_or_default" => self.unwrapped_or_default(frame, state, site),
            "collect" | "sum" | "product" => {
                let value = self.collected(frame, state, site)?;
                let items = term_of(state, &receiver.value);
                let value = match is_characters(&items) {
                    true => value.with_term(Term::call("collect", vec![items])),
                    false => value,
                };
                let facts = self.facts(frame, state, site, &[]);
                Some(self.apply_facts(frame, state, site, &facts, value))
            }
            _ => None,
        }
    }

    /// `x.unwrap_or_default()` of a user's type: the payload, or what its `Default` makes.
    fn unwrapped_or_default(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        site: &CallSite,
    ) -> Option<Value> {
        let receiver = site.receiver.as_ref()?;
        let payload = self.question(state, &receiver.value);
        let declared = state.dereference(&receiver.value).ty().map(peel).map(|whole| {
            let variant = if super::calls::path_of(whole).is_some_and(|p| p.ends_with("Result")) {
                "Ok"
            } else {
                "Some"
            };
            peel(&self.program.variant_field_type(whole, variant, "0")).clone()
        });
        let known = |ty: &Ty| matches!(ty, Ty::Adt { .. });
        let ty = payload.ty().map(peel).cloned().or_else(|| declared.filter(known));
        let ty = ty.unwrap_or_else(|| peel(&site.expected).clone());
        if !matches!(ty, Ty::Adt { .. }) {
            return None;
        }
        let default = self.default_value(frame, state, &ty, site.span, 0);
        Some(payload.join(&default))
    }

    /// `x.clone()`: the user's `Clone`, else the value one reference down.
    fn cloned(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        site: &CallSite,
        ty: &Ty,
    ) -> Option<Value> {
        let receiver = site.receiver.as_ref()?;
        if site.name == "cloned" {
            return None;
        }
        let own = self.program.lookup_method(frame.scope, ty, &site.name);
        if !own.functions.is_empty() && !matches!(peel(ty), Ty::Unknown) {
            return None;
        }
        let value = &receiver.value;
        let shared = |ty: Option<&Ty>| matches!(ty, Some(Ty::External { path, .. }) if path == "std::rc::Rc" || path == "std::sync::Arc");
        // A handle to shared memory (`Rc`, the end of a channel) and its clone refer to the same.
        let is_handle = !matches!(value.ty(), Some(Ty::Reference { .. }))
            && value.refs().iter().all(|place| matches!(place.base, Base::Heap(_)) && place.keys.is_empty());
        if shared(value.ty()) {
            return Some(symbolic_reference(state, value.clone()));
        }
        if self.is_behind_handle(frame, state, value) {
            let handle = symbolic_reference(state, state.innermost(value));
            return Some(handle);
        }
        if is_handle {
            return Some(value.clone());
        }
        if value.refs().is_empty() {
            return Some(value.clone());
        }
        let inner = state.pointee(value);
        if inner.refs().is_empty() || shared(inner.ty()) {
            return Some(inner);
        }
        Some(state.pointee_or_self(&inner))
    }

    /// Whether what is cloned is a shared pointer of which only the content is known here: locks, cells behind
    /// references and types without `Clone` are cloned by their handles.
    fn is_behind_handle(&self, frame: &Frame<'a>, state: &State, value: &Value) -> bool {
        let symbolic = value.data().is_some_and(|data| !data.aliases.is_empty());
        if value.refs().is_empty() && !symbolic {
            return false;
        }
        match state.dereference(value).ty().map(peel) {
            Some(Ty::External { path, .. }) => self.spec.is_cell(path) || is_channel_end(path),
            Some(ty @ Ty::Adt { id, .. }) => {
                !self.program.derives(*id, "Clone")
                    && self.program.lookup_method(frame.scope, ty, "clone").functions.is_empty()
            }
            _ => false,
        }
    }

    /// `x.into()` for a known target, or for the only `From` of the source's type.
    fn conversion_target(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        value: &Value,
        target: &Ty,
        span: Span,
    ) -> Option<Value> {
        let source = state.dereference(value).ty().map(peel).cloned().unwrap_or(Ty::Unknown);
        let target = peel(target).clone();
        let source_args: Vec<Ty> = if source == Ty::Unknown { Vec::new() } else { vec![source.clone()] };
        if matches!(target, Ty::Adt { .. } | Ty::External { .. }) {
            let mut functions =
                self.program.trait_method("std::convert::From", &target, &source_args, "from");
            if functions.is_empty() && source != Ty::Unknown {
                functions = self.program.trait_method(
                    "std::convert::Into",
                    &source,
                    std::slice::from_ref(&target),
                    "into",
                );
            }
            if functions.is_empty() && matches!(target, Ty::Adt { .. }) {
                functions = self.program.trait_method("std::convert::From", &target, &[], "from");
            }
            if !functions.is_empty() {
                return Some(self.call_functions(frame, state, &functions, vec![value.clone()], &[], span));
            }
            return None;
        }
        if source == Ty::Unknown {
            return None;
        }
        let mut functions = self.program.trait_method("std::convert::Into", &source, &[], "into");
        if functions.is_empty() && matches!(source, Ty::Adt { .. }) {
            functions = self.program.from_impls(&source);
        }
        match functions.as_slice() {
            [] => None,
            _ => Some(self.call_functions(frame, state, &functions, vec![value.clone()], &[], span)),
        }
    }

    fn try_conversion_target(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        value: &Value,
        site: &CallSite,
    ) -> Option<Value> {
        let mut target = peel(site.wanted()).clone();
        if matches!(&target, Ty::External { path, .. } if path.ends_with("Result")) {
            target = self.program.variant_field_type(&target, "Ok", "0");
        }
        if matches!(target, Ty::Adt { .. }) {
            let functions = self.program.trait_method("std::convert::TryFrom", &target, &[], "try_from");
            if !functions.is_empty() {
                return Some(self.call_functions(
                    frame,
                    state,
                    &functions,
                    vec![value.clone()],
                    &[],
                    site.span,
                ));
            }
        }
        let source = state.dereference(value).ty().map(peel).cloned()?;
        let functions = self.program.trait_method("std::convert::TryInto", &source, &[], "try_into");
        if functions.is_empty() {
            return None;
        }
        Some(self.call_functions(frame, state, &functions, vec![value.clone()], &[], site.span))
    }

    fn parse_target(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        value: &Value,
        site: &CallSite,
    ) -> Option<Value> {
        let mut target = site.generics.first().cloned().unwrap_or_else(|| peel(site.wanted()).clone());
        if matches!(&target, Ty::External { path, .. } if path.ends_with("Result")) {
            target = self.program.variant_field_type(&target, "Ok", "0");
        }
        if matches!(&target, Ty::External { path, .. } if path == "bool") {
            let parsed = Value::clean().with_type(Some(target));
            return Some(Value::aggregate(vec![(Key::Variant("Ok".into(), "0".into()), parsed)]));
        }
        if !matches!(target, Ty::Adt { .. }) {
            return None;
        }
        let functions = self.program.trait_method("std::str::FromStr", &target, &[], "from_str");
        if functions.is_empty() {
            return None;
        }
        Some(self.call_functions(frame, state, &functions, vec![value.clone()], &[], site.span))
    }

    /// `collect`: a text, a map, a `Result` or `Option` of a collection, a user's collection, or a sequence.
    fn collected(&mut self, frame: &mut Frame<'a>, state: &mut State, site: &CallSite) -> Option<Value> {
        let receiver = site.receiver.as_ref()?;
        let item = self.item_of(frame, state, &receiver.value, site.span);
        let target = match site.generics.first() {
            Some(Ty::External { path, args }) if site.payload != Ty::Unknown && leaves_payload_open(args) => {
                Ty::External { path: path.clone(), args: vec![site.payload.clone()] }
            }
            Some(target) => target.clone(),
            None if site.payload == Ty::Unknown => site.expected.clone(),
            None => of_items(state, &item, &site.payload),
        };
        if site.name != "collect" {
            let (path, method) = match site.name.as_str() {
                "sum" => ("std::iter::Sum", "sum"),
                _ => ("std::iter::Product", "product"),
            };
            let functions = match &target {
                Ty::Adt { .. } => self.program.trait_method(path, &target, &[], method),
                _ => Vec::new(),
            };
            if !functions.is_empty() {
                let items = iterator_over(item);
                return Some(self.call_functions(frame, state, &functions, vec![items], &[], site.span));
            }
            let flat = state.flattened(&item);
            return Some(if target == Ty::Unknown {
                flat.with_type(item.ty().cloned())
            } else {
                flat.with_type(Some(target))
            });
        }
        Some(self.collect_into(frame, state, site, item, &target))
    }

    fn collect_into(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        site: &CallSite,
        item: Value,
        target: &Ty,
    ) -> Value {
        if let Ty::Adt { .. } = target {
            let functions = self.program.trait_method("std::iter::FromIterator", target, &[], "from_iter");
            if !functions.is_empty() {
                let items = iterator_over(item);
                return self.call_functions(frame, state, &functions, vec![items], &[], site.span);
            }
        }
        let path = match target {
            Ty::External { path, .. } => path.rsplit("::").next().unwrap_or("").to_owned(),
            _ => String::new(),
        };
        let variant = |name: &str| Key::Variant(name.into(), "0".into());
        match path.as_str() {
            "String" | "PathBuf" | "OsString" => state.flattened(&item).with_type(Some(target.clone())),
            "Result" | "Option" => {
                let (good, bad) = if path == "Result" { ("Ok", Some("Err")) } else { ("Some", None) };
                let inner_item = self.typed_part(&state.dereference(&item), &variant(good));
                let inner_target = self.program.variant_field_type(target, good, "0");
                let inner = self.collect_into(frame, state, site, inner_item, &inner_target);
                let mut parts = vec![(variant(good), inner)];
                if let Some(bad) = bad {
                    parts.push((variant(bad), state.dereference(&item).part(&variant(bad))));
                }
                Value::aggregate(parts).with_type(Some(target.clone()))
            }
            path if path.ends_with("Map") => {
                let item = state.dereference(&item);
                let key = item.part(&Key::Field("0".into()));
                let value = item.part(&Key::Field("1".into()));
                Value::aggregate(vec![(Key::MapKey, key), (Key::Element, value)])
                    .with_type(Some(target.clone()))
            }
            _ => {
                let sequence = super::transfer::sequence(vec![(Key::Element, item)]);
                if *target == Ty::Unknown { sequence } else { sequence.with_type(Some(target.clone())) }
            }
        }
    }

    /// `x?` on the way on: the payload.
    pub fn question(&mut self, state: &State, value: &Value) -> Value {
        let target = state.dereference(value);
        let payload = |name: &str| Key::Variant(name.into(), "0".into());
        if let Some((going_on, _)) = TRIED.iter().find(|(on, out)| may_be_tried(&target, on, out)) {
            return self.typed_part(&target, &payload(going_on));
        }
        if target.data().is_some_and(|data| !data.aliases.is_empty()) {
            return target.part(&payload("Ok")).join_elements(&target.part(&payload("Some")));
        }
        match target.data().is_some_and(|data| data.closed) {
            true => Value::BOTTOM,
            false => target.with_type(None),
        }
    }

    /// `x?` on the way out: what the function returns early.
    pub fn residual(&mut self, frame: &mut Frame<'a>, state: &mut State, value: &Value, span: Span) -> Value {
        let target = state.dereference(value);
        let err = Key::Variant("Err".into(), "0".into());
        let is_option =
            target.ty().map(peel).and_then(super::calls::path_of).is_some_and(|p| p.ends_with("Option"));
        if is_option {
            return Value::aggregate(Vec::new()).with_type(target.ty().cloned());
        }
        if may_be_tried(&target, "Continue", "Break") {
            let key = Key::Variant("Break".into(), "0".into());
            let broken = self.typed_part(&target, &key);
            return Value::aggregate(vec![(key, broken)]).with_type(target.ty().cloned());
        }
        let error = self.typed_part(&target, &err);
        if error.is_bottom() {
            return Value::aggregate(Vec::new());
        }
        let wanted = self.program.variant_field_type(&frame.result, "Err", "0");
        let same = error.ty().is_some_and(|ty| peel(ty) == peel(&wanted));
        let error = match same {
            true => error,
            false => match self.conversion_target(frame, state, &error, &wanted, span) {
                Some(converted) => converted,
                None => error,
            },
        };
        Value::aggregate(vec![(err, error)])
    }
}

/// The variants of what `?` is applied to: with the first it goes on, with the second the function returns.
const TRIED: [(&str, &str); 3] = [("Some", "None"), ("Ok", "Err"), ("Continue", "Break")];

/// Whether `?` is applied to a value with these variants: by its type, or else by those that it is known to have.
fn may_be_tried(value: &Value, going_on: &str, going_out: &str) -> bool {
    let path = value.ty().map(peel).and_then(super::calls::path_of);
    match path.and_then(|path| path.rsplit("::").next()) {
        Some("Option") => going_on == "Some",
        Some("Result") => going_on == "Ok",
        Some("ControlFlow") => going_on == "Continue",
        _ => value.data().is_some_and(|data| {
            let named = |name: &str| name == going_on || name == going_out;
            data.parts.iter().any(|(key, _)| matches!(key, Key::Variant(name, _) if named(name)))
        }),
    }
}

/// The type that items of results or options are collected into, by its payload.
fn of_items(state: &State, item: &Value, payload: &Ty) -> Ty {
    let item = state.dereference(item);
    let listed = |name: &str| {
        let parts = item.data().map_or(&[][..], |data| data.parts.as_slice());
        parts.iter().any(|(key, _)| matches!(key, Key::Variant(found, _) if found == name))
    };
    let named = |name: &str| matches!(item.ty().map(peel), Some(Ty::External { path, .. }) if path.rsplit("::").next() == Some(name));
    let path = if named("Option") || !named("Result") && listed("Some") {
        "std::option::Option"
    } else if named("Result") || listed("Ok") || listed("Err") {
        "std::result::Result"
    } else {
        return Ty::Unknown;
    };
    Ty::External { path: path.into(), args: vec![payload.clone()] }
}

/// An iterator over one kind of item.
fn iterator_over(item: Value) -> Value {
    let args = vec![item.ty().cloned().unwrap_or(Ty::Unknown)];
    let ty = Ty::External { path: "std::iter::Iterator".into(), args };
    Value::aggregate(vec![(Key::Element, item)]).with_type(Some(ty))
}

/// Whether the arguments of `Result<_, _>` and the like say nothing of the payload.
fn leaves_payload_open(args: &[Ty]) -> bool {
    args.first().is_none_or(|payload| *payload == Ty::Unknown)
}
