//! Calls: what is called, what the specification says about it, and which of body, model or default applies.

use super::criteria::Influence;
use super::engine::{BodyRef, Engine, Frame};
use super::places::resolved_refs;
use super::shape::{Shape, is_pointer, peel};
use super::slice::Need;
use super::state::State;
use super::term::Term;
use super::transfer::term_of;
use super::value::{Callable, Flags, Key, Location, Value, leaves_open, union};
use crate::ir::{
    Argument, Callee, Literal, LocalKind, Name, Operand, Path, PlaceBase, Projection, SelfParam, Span, Type,
};
use crate::resolve::{FunctionId, MethodLookup, Owner, TraitRef, Ty, ValueDef};

/// The receiver of a method call.
#[derive(Clone)]
pub struct Receiver {
    pub value: Value,
    /// Where it is in memory, when it is a place.
    pub locations: Vec<Location>,
    /// Whether it is an owned variable of the function itself.
    pub owned: bool,
    pub span: Span,
}

/// A call with its operands evaluated.
pub struct CallSite {
    pub name: Name,
    pub method: bool,
    pub macro_call: bool,
    pub paths: Vec<Name>,
    pub receiver: Option<Receiver>,
    pub args: Vec<Value>,
    pub arg_spans: Vec<Span>,
    pub name_span: Span,
    pub span: Span,
    /// The type that the context asks for.
    pub expected: Ty,
    /// The payload that it asks for, where it leaves open of what.
    pub payload: Ty,
    /// Explicit generic arguments.
    pub generics: Vec<Ty>,
    /// The type whose associated function is called.
    pub self_type: Ty,
    /// The traits through which alone the receiver's declared type gives access: `x: &dyn Tr`, `x: T`.
    pub bounds: Vec<TraitRef>,
}

impl CallSite {
    /// The type that the context asks for: of the payload, where only that is known.
    pub fn wanted(&self) -> &Ty {
        if self.payload == Ty::Unknown { &self.expected } else { &self.payload }
    }
}

/// More targets are not followed.
pub const MAX_TARGETS: usize = 8;

impl<'a> Engine<'a> {
    /// The value of a call.
    #[expect(clippy::too_many_arguments, reason = "the parts of one call statement")]
    pub fn call(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        callee: &'a Callee,
        receiver: Option<&'a Argument>,
        args: &'a [Argument],
        name_span: Span,
        expected: &Ty,
        span: Span,
    ) -> Value {
        let receiver_operand = receiver.map(|argument| &argument.operand);
        let receiver = receiver.map(|argument| self.receiver(frame, state, argument));
        let values: Vec<Value> = args.iter().map(|arg| self.operand(frame, state, &arg.operand)).collect();
        let payload = super::types::wrapped_payload(expected);
        let mut site = CallSite {
            name: Name::default(),
            method: false,
            macro_call: false,
            paths: Vec::new(),
            receiver,
            args: values,
            arg_spans: args.iter().map(|arg| arg.span).collect(),
            name_span,
            span,
            expected: if payload.is_some() { Ty::Unknown } else { expected.clone() },
            payload: payload.cloned().unwrap_or(Ty::Unknown),
            generics: Vec::new(),
            self_type: Ty::Unknown,
            bounds: Vec::new(),
        };
        match callee {
            Callee::Path(path) => self.call_path(frame, state, site, path),
            Callee::Method { name, generics } => {
                site.name = name.clone();
                site.method = true;
                site.bounds = self.receiver_bounds(frame, receiver_operand);
                site.generics = generics.iter().map(|ty| self.resolve_type(frame, ty)).collect();
                self.call_method(frame, state, site)
            }
            Callee::Value(operand) => {
                let value = self.operand(frame, state, operand);
                let value = match operand {
                    Operand::Place(place) if value.refs().is_empty() && !value.callables().is_empty() => {
                        // What it keeps from call to call is where it is.
                        Value::reference(self.locate(frame, state, place)).with_type(value.ty().cloned())
                    }
                    _ => value,
                };
                self.call_value(frame, state, &value, site.args, span)
            }
            Callee::Macro(path) => {
                site.name = path.last_name().into();
                site.macro_call = true;
                site.paths = vec![self.program.resolve_macro_path(frame.scope, path)];
                self.call_macro(frame, state, site)
            }
        }
    }

    fn receiver(&mut self, frame: &mut Frame<'a>, state: &mut State, argument: &'a Argument) -> Receiver {
        let value = self.operand(frame, state, &argument.operand);
        // A shared pointer that is a part of a parameter: what it points to is memory of the caller.
        let value = match value.ty() {
            Some(Ty::External { .. }) if value.ty().is_some_and(super::shape::is_reference) => {
                super::invoke::symbolic_reference(state, value)
            }
            _ => value,
        };
        let (locations, owned) = match &argument.operand {
            Operand::Place(place) => {
                let owned = match &place.base {
                    PlaceBase::Local(local) => frame.body.locals.get(local.0 as usize).is_some_and(|local| {
                        local.name.as_deref() != Some("self")
                            && matches!(local.kind, LocalKind::Variable | LocalKind::Temporary)
                    }),
                    PlaceBase::Item(_) => false,
                };
                (self.locate(frame, state, place), owned)
            }
            Operand::Literal(_) => (Vec::new(), false),
        };
        Receiver { value, locations, owned, span: argument.span }
    }

    fn call_path(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        mut site: CallSite,
        path: &'a Path,
    ) -> Value {
        site.name = path.last_name().into();
        if let Some(last) = path.segments.last() {
            site.generics = last.args.iter().map(|ty| self.resolve_type(frame, ty)).collect();
        }
        site.self_type = self.path_self_type(frame, path);
        let mut definition = self.resolve(frame, path);
        if let Some(concrete) = self.concrete_associated(frame, path, &site, &definition, state) {
            definition = concrete;
        }
        match definition {
            ValueDef::Function(function) => self.call_targets(frame, state, site, vec![function], true),
            ValueDef::Candidates { functions, external } => {
                site.paths.extend(external);
                if functions.is_empty() {
                    return self.call_external(frame, state, site);
                }
                let functions = self.narrow(functions, &site, state);
                let exact = functions.len() == 1;
                self.call_targets(frame, state, site, functions, exact)
            }
            ValueDef::Constructor { ty, variant } => self.construct(frame, state, site, ty, variant),
            ValueDef::Static(id) => {
                let value = self.static_value(id);
                let args = std::mem::take(&mut site.args);
                self.call_value(frame, state, &value, args, site.span)
            }
            ValueDef::External(paths) => {
                site.paths = paths;
                if site.name == "default" && site.args.is_empty() {
                    let ty = if site.self_type == Ty::Unknown { &site.expected } else { &site.self_type };
                    if let Ty::Adt { .. } = peel(ty) {
                        let ty = peel(ty).clone();
                        return self.default_value(frame, state, &ty, site.span, 0);
                    }
                }
                self.call_external(frame, state, site)
            }
        }
    }

    /// The value of `T::default()`: the user's implementation, or the defaults of all fields.
    pub fn default_value(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        ty: &Ty,
        span: Span,
        depth: usize,
    ) -> Value {
        if super::shape::is_reference(ty)
            && let Ty::External { args, .. } = ty
            && let Some(inner) = args.first()
        {
            let content = self.default_value(frame, state, inner, span, depth + 1);
            let base = self.scratch(frame);
            state.set_object(base, content);
            return Value::reference(vec![Location::of(base)]).with_type(Some(ty.clone()));
        }
        let Ty::Adt { id, .. } = peel(ty) else { return Value::clean().with_type(Some(ty.clone())) };
        let functions = self.program.trait_method("std::default::Default", peel(ty), &[], "default");
        if !functions.is_empty() {
            return self.call_functions(frame, state, &functions, Vec::new(), &[], span);
        }
        let fields: Vec<Name> =
            self.program.type_(*id).fields(None).iter().map(|field| field.name.clone()).collect();
        if depth > 3 || fields.is_empty() {
            return Value::clean().with_type(Some(peel(ty).clone()));
        }
        let mut parts = Vec::with_capacity(fields.len());
        for field in fields {
            let inner = self.program.field_type(ty, &field);
            let value = self.default_value(frame, state, &inner, span, depth + 1);
            parts.push((Key::Field(field), value));
        }
        Value::aggregate(parts).with_type(Some(peel(ty).clone()))
    }

    /// The type before the last segment of `Type::function`.
    fn path_self_type(&mut self, frame: &Frame<'a>, path: &'a Path) -> Ty {
        if let Some(ty) = &path.qualified_self {
            return self.resolve_type(frame, ty);
        }
        if path.segments.len() < 2 {
            return Ty::Unknown;
        }
        let starts_upper = |name: &str| name.starts_with(char::is_uppercase);
        if !starts_upper(&path.segments[path.segments.len() - 2].name) {
            return Ty::Unknown;
        }
        let mut prefix = path.clone();
        prefix.segments.pop();
        let ty = self.program.resolve_type(frame.scope, &Type::Path(Box::new(prefix)));
        self.program.substitute(&ty, &frame.substitution)
    }

    /// `T::make()`, `Self::make()` and `<T as Trait>::make()` with the type that the calling context gives, and
    /// `Trait::method(&value)` with the type of its first argument.
    fn concrete_associated(
        &mut self,
        frame: &Frame<'a>,
        path: &Path,
        site: &CallSite,
        definition: &ValueDef,
        state: &State,
    ) -> Option<ValueDef> {
        let ambiguous = match definition {
            ValueDef::Candidates { functions, .. } => functions.len() != 1,
            ValueDef::External(_) => true,
            ValueDef::Function(id) => !self.program.function(*id).has_body() || self.in_trait(*id),
            _ => false,
        };
        if !ambiguous {
            return None;
        }
        let through_trait = self.program.path_trait(frame.scope, path);
        let mut types = Vec::new();
        if site.args.is_empty() || matches!(definition, ValueDef::External(_)) && through_trait.is_some() {
            types.push(peel(&site.expected).clone());
        }
        if matches!(site.self_type, Ty::Adt { .. } | Ty::External { .. } | Ty::Tuple(_) | Ty::Sequence(_)) {
            types.push(site.self_type.clone());
        }
        if !matches!(definition, ValueDef::External(_)) || path.segments.len() >= 2 {
            types.extend(site.args.first().and_then(|v| state.dereference(v).ty().map(peel).cloned()));
        }
        for ty in types {
            if !matches!(ty, Ty::Adt { .. } | Ty::External { .. } | Ty::Tuple(_) | Ty::Sequence(_)) {
                continue;
            }
            if let Some(definition) = &through_trait {
                let name = self.program.trait_path(definition).clone();
                let functions = self.program.trait_method(&name, &ty, &[], path.last_name());
                if !functions.is_empty() {
                    return Some(ValueDef::Candidates { functions, external: Vec::new() });
                }
                continue;
            }
            let found = self.program.lookup_method(frame.scope, &ty, path.last_name());
            if !found.functions.is_empty() {
                let functions = found.functions;
                return Some(ValueDef::Candidates { functions, external: Vec::new() });
            }
        }
        None
    }

    fn in_trait(&self, id: FunctionId) -> bool {
        matches!(self.program.function(id).owner, crate::resolve::Owner::Trait(_))
    }

    /// Of several candidates, those whose parameter types fit the arguments (`impl From<A>` against `From<B>`).
    fn narrow(&self, functions: Vec<FunctionId>, site: &CallSite, state: &State) -> Vec<FunctionId> {
        if functions.len() < 2 {
            return functions;
        }
        let fits = |id: &FunctionId, strict: bool| {
            let declared = self.program.parameter_types(*id);
            let receiver = site.receiver.iter().map(|receiver| &receiver.value);
            receiver.chain(&site.args).zip(&declared).all(|(value, declared)| {
                match (state.dereference(value).ty().map(peel), peel(declared)) {
                    (Some(Ty::Adt { id: a, .. }), Ty::Adt { id: b, .. }) => a == b,
                    (Some(Ty::External { path: a, .. }), Ty::External { path: b, .. }) => {
                        a == b || !strict && is_text_path(a) && is_text_path(b)
                    }
                    (Some(Ty::Adt { .. }), Ty::External { .. })
                    | (Some(Ty::External { .. }), Ty::Adt { .. }) => false,
                    _ => true,
                }
            })
        };
        for strict in [true, false] {
            let fitting: Vec<FunctionId> = functions.iter().copied().filter(|id| fits(id, strict)).collect();
            if !fitting.is_empty() {
                return fitting;
            }
        }
        functions
    }

    pub fn call_method(&mut self, frame: &mut Frame<'a>, state: &mut State, site: CallSite) -> Value {
        let Some(receiver) = &site.receiver else { return Value::clean() };
        let target = state.dereference(&receiver.value);
        let mut ty = target.ty().cloned().unwrap_or(Ty::Unknown);
        if ty == Ty::Unknown {
            ty = receiver.value.ty().cloned().unwrap_or(Ty::Unknown);
        }
        let ty = self.program.substitute(&ty, &frame.substitution);
        // A field that holds a closure is called with parentheses, a method on a callable is a trait's.
        if let Some(value) = self.converted(frame, state, &site, &ty) {
            return value;
        }
        if let Some(value) = self.polled(frame, state, &site) {
            return value;
        }
        let mut lookup = self.program.lookup_method(frame.scope, &ty, &site.name);
        if let Some(functions) = self.through_bounds(&site, &ty, &lookup.functions) {
            lookup.exact = functions.len() == 1;
            lookup.functions = functions;
        }
        let mut known = !matches!(peel(&ty), Ty::Unknown);
        if leaves_open(&ty)
            && let Some(functions) = self.of_mixed_types(frame, &target, &site.name)
        {
            known = true;
            lookup.exact = functions.len() == 1;
            lookup.functions = functions;
        }
        // `impl Tr for Rc<T>`: the pointer itself has the method.
        if lookup.functions.is_empty()
            && let Some(pointer @ Ty::External { path, .. }) = receiver.value.ty()
            && is_pointer(path)
        {
            lookup = self.program.lookup_method(frame.scope, pointer, &site.name);
        }
        if lookup.functions.is_empty() && !site.bounds.is_empty() {
            lookup = self.of_pointer_to(frame, &ty, &site.name).unwrap_or(lookup);
        }
        if let (true, Ty::Sequence(item)) = (lookup.functions.is_empty(), peel(&ty)) {
            let vector = Ty::External { path: "std::vec::Vec".into(), args: vec![item.as_ref().clone()] };
            lookup = self.program.lookup_method(frame.scope, &vector, &site.name);
        }
        if lookup.functions.is_empty() {
            let mut site = site;
            if let Some(value) = self.provided(frame, state, &mut site, &ty) {
                return value;
            }
            if let Some(target) = self.library_target(&ty, &site.name)
                && let Some(receiver) = site.receiver.take()
            {
                let span = site.span;
                site.receiver = Some(self.behind_user_dereference(frame, state, receiver, &target, span));
            }
            return self.call_external(frame, state, site);
        }
        if !known && !self.spec.method_models(None, &site.name).is_empty() {
            // A standard method of an unknown receiver: the library's meaning and the tree's are both possible.
            let mut other = state.clone();
            let functions = lookup.functions;
            let first = self.call_targets(frame, &mut other, site.duplicate(), functions, false);
            let second = self.call_external(frame, state, site);
            *state = state.join(&other);
            return first.join_elements(&second);
        }
        let mut site = site;
        if let Some(receiver) = site.receiver.take() {
            let span = site.span;
            site.receiver = Some(self.behind_user_dereference(frame, state, receiver, &lookup.at, span));
        }
        let functions = self.narrow(lookup.functions, &site, state);
        let exact = lookup.exact || functions.len() == 1;
        self.call_targets(frame, state, site, functions, exact)
    }

    /// The method of an implementation for a shared pointer, where only the type behind it is known.
    fn of_pointer_to(&self, frame: &Frame<'a>, ty: &Ty, name: &str) -> Option<MethodLookup> {
        ["std::rc::Rc", "std::sync::Arc", "std::boxed::Box"].iter().find_map(|path| {
            let pointer = Ty::External { path: (*path).into(), args: vec![peel(ty).clone()] };
            let found = self.program.lookup_method(frame.scope, &pointer, name);
            (!found.functions.is_empty() && found.at == pointer).then_some(found)
        })
    }

    /// The traits that the declared type of a local gives access to.
    fn receiver_bounds(&self, frame: &Frame<'a>, receiver: Option<&'a Operand>) -> Vec<TraitRef> {
        let Some(Operand::Place(place)) = receiver else { return Vec::new() };
        let PlaceBase::Local(local) = &place.base else { return Vec::new() };
        let declared = frame.body.locals.get(local.0 as usize).and_then(|local| local.ty.as_ref());
        let Some(declared) =
            declared.filter(|_| place.projections.iter().all(|p| *p == Projection::Dereference))
        else {
            return Vec::new();
        };
        match peel(&self.program.resolve_type(frame.scope, declared)) {
            Ty::Dyn(bounds) | Ty::Param { bounds, .. } => bounds.clone(),
            _ => Vec::new(),
        }
    }

    /// What a method of a bound means for the concrete type, where that has an own method of the same name.
    fn through_bounds(&self, site: &CallSite, ty: &Ty, found: &[FunctionId]) -> Option<Vec<FunctionId>> {
        let of_trait = |id: &FunctionId| match self.program.function(*id).owner {
            Owner::Impl(block) => self.program.impl_(block).trait_ref.is_some(),
            Owner::Trait(_) | Owner::None => true,
        };
        if leaves_open(ty) || found.is_empty() || found.iter().all(of_trait) {
            return None;
        }
        site.bounds.iter().find_map(|bound| {
            let path = self.program.trait_path(&bound.id).clone();
            let functions = self.program.trait_method(&path, ty, &[], &site.name);
            (!functions.is_empty()).then_some(functions)
        })
    }

    /// The methods of all types that a value may have; `None` when some type has none of this name.
    fn of_mixed_types(&self, frame: &Frame<'a>, value: &Value, name: &str) -> Option<Vec<FunctionId>> {
        let mut all = Vec::new();
        for ty in value.mixed_types() {
            let found = self.program.lookup_method(frame.scope, ty, name).functions;
            if found.is_empty() {
                return None;
            }
            all.extend(found);
        }
        all.sort_unstable();
        all.dedup();
        (!all.is_empty()).then_some(all)
    }

    /// The library type with this method that a user's type dereferences to.
    fn library_target(&self, ty: &Ty, method: &str) -> Option<Ty> {
        let mut current = peel(ty).clone();
        for _ in 0..4 {
            if !matches!(current, Ty::Adt { .. }) {
                break;
            }
            current = peel(&self.program.dereference(&current)?).clone();
        }
        let is_library = matches!(current, Ty::External { .. } | Ty::Sequence(_));
        (is_library
            && !matches!(peel(ty), Ty::External { .. } | Ty::Sequence(_))
            && !self.spec.method_models(Some(&current), method).is_empty())
        .then_some(current)
    }

    /// Calls functions of the tree, after the specification had its say.
    pub fn call_targets(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        mut site: CallSite,
        functions: Vec<FunctionId>,
        exact: bool,
    ) -> Value {
        let functions: Vec<FunctionId> = functions.into_iter().take(MAX_TARGETS).collect();
        site.paths.extend(functions.iter().map(|id| self.program.function(*id).path.clone()));
        let facts = self.facts(frame, state, &site, &functions);
        self.reach_call_sinks(frame, state, &mut site, &facts);
        self.reach_parameter_sinks(frame, state, &mut site, &functions);
        if let Some(value) = self.decided(frame, state, &site, &facts) {
            return match functions.first() {
                Some(function) if value.ty().is_none() => {
                    let ty = self.result_at(state, &site, *function);
                    value.with_type(Some(ty))
                }
                _ => value,
            };
        }
        let mut args = Vec::with_capacity(site.args.len() + 1);
        if let Some(receiver) = &site.receiver {
            args.push(self.self_argument(state, receiver, functions.first().copied()));
        }
        args.extend(site.args.iter().cloned());
        let mut generics = self.explicit_generics(&site, functions.first().copied());
        if let Some(function) = functions.first() {
            let result = self.program.result_type(*function);
            match &result {
                Ty::External { args, .. } if site.payload != Ty::Unknown => {
                    let payload = args.first().unwrap_or(&Ty::Unknown);
                    self.generics_of_result(*function, payload, &site.payload, &mut generics);
                }
                _ if site.expected != Ty::Unknown => {
                    self.generics_of_result(*function, &result, &site.expected, &mut generics);
                }
                _ => {}
            }
        }
        frame.summary.open_call |= !exact || functions.len() > 1;
        let bodies = functions.iter().any(|id| self.program.function(*id).has_body());
        if !bodies {
            return self.opaque(frame, state, &site, Flags::OPAQUE);
        }
        if matches!(frame.need, Need::Type | Need::Probe) {
            self.confirm_call(frame, &functions);
            let ty = functions.first().map(|function| self.result_at(state, &site, *function));
            return Value::clean().with_type(ty);
        }
        let value = self.call_functions(frame, state, &functions, args, &generics, site.span);
        let never = |id: &FunctionId| self.program.function(*id).ir.result == Some(Type::Never);
        frame.diverged |= functions.iter().all(never);
        let value = if exact { value } else { value.with_flags(Flags::POSSIBLE) };
        self.apply_facts(frame, state, &site, &facts, value)
    }

    /// Notes that the statement under analysis means functions of which one may lead to a sink.
    pub fn confirm_call(&self, frame: &mut Frame<'a>, functions: &[FunctionId]) {
        for id in functions {
            let lead = self.criteria.of_function(*id);
            if lead != Influence::default() {
                frame.confirmed.entry(frame.position).or_default().add(lead);
            }
        }
    }

    /// The type of a call's result, with the generic parameters that its arguments decide.
    fn result_at(&self, state: &State, site: &CallSite, function: FunctionId) -> Ty {
        let declared = self.program.parameter_types(function);
        let generics = self.explicit_generics(site, Some(function));
        let receiver = site.receiver.iter().map(|receiver| receiver.value.clone());
        let args: Vec<Value> = receiver.chain(site.args.iter().cloned()).collect();
        let substitution = self.bindings(function, &declared, &args, &generics, state);
        match self.program.substitute(&self.program.result_type(function), &substitution) {
            Ty::Param { .. } => Ty::Unknown,
            ty => ty,
        }
    }

    /// Generic parameters that only the expected type of the result decides: `let x: Kept = make()`.
    fn generics_of_result(
        &self,
        function: FunctionId,
        result: &Ty,
        expected: &Ty,
        generics: &mut Vec<(Name, Ty)>,
    ) {
        let mut bound = crate::resolve::Substitution::default();
        self.program.bind(result, expected, &mut bound);
        for param in &self.program.function(function).ir.generics.params {
            let known = generics.iter().any(|(name, _)| *name == param.name);
            match bound.get(&param.name) {
                Some(ty @ (Ty::Adt { .. } | Ty::External { .. })) if !known => {
                    generics.push((param.name.clone(), ty.clone()));
                }
                _ => {}
            }
        }
    }

    fn explicit_generics(&self, site: &CallSite, function: Option<FunctionId>) -> Vec<(Name, Ty)> {
        let Some(function) = function else { return Vec::new() };
        let definition = &self.program.function(function).ir;
        let mut bound: Vec<(Name, Ty)> = definition
            .generics
            .params
            .iter()
            .zip(&site.generics)
            .filter(|(_, ty)| !matches!(ty, Ty::Unknown | Ty::Param { .. }))
            .map(|(param, ty)| (param.name.clone(), ty.clone()))
            .collect();
        if self.in_trait(function) && matches!(site.self_type, Ty::Adt { .. } | Ty::External { .. }) {
            bound.push(("Self".into(), site.self_type.clone()));
        }
        if let crate::resolve::Owner::Impl(block) = self.program.function(function).owner {
            let block = self.program.impl_(block);
            let mut of_type = crate::resolve::Substitution::default();
            self.program.bind(&block.self_type, &site.self_type, &mut of_type);
            bound.extend(block.generics.params.iter().filter_map(|param| match of_type.get(&param.name) {
                Some(ty @ (Ty::Adt { .. } | Ty::External { .. })) => Some((param.name.clone(), ty.clone())),
                _ => None,
            }));
        }
        bound
    }

    /// The receiver as the method takes it: by reference to its place, or its value.
    pub fn self_argument(&self, state: &State, receiver: &Receiver, function: Option<FunctionId>) -> Value {
        let kind = function.and_then(|id| self.program.function(id).ir.receiver.clone());
        match kind {
            Some(SelfParam::Value) => match receiver.value.ty() {
                Some(ty) if !receiver.value.refs().is_empty() && !super::shape::is_reference(ty) => {
                    state.dereference(&receiver.value)
                }
                Some(Ty::Reference { .. }) => state.dereference(&receiver.value),
                _ => receiver.value.clone(),
            },
            Some(SelfParam::Typed(_)) => receiver.value.clone(),
            _ if !receiver.value.refs().is_empty() => {
                let refs = resolved_refs(state, &receiver.value);
                Value::reference(refs).with_type(state.dereference(&receiver.value).ty().cloned())
            }
            _ if receiver.locations.is_empty() => receiver.value.clone(),
            _ => Value::reference(receiver.locations.clone()).with_type(receiver.value.ty().cloned()),
        }
    }

    /// Calls each of several functions and joins what they do.
    pub fn call_functions(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        functions: &[FunctionId],
        args: Vec<Value>,
        generics: &[(Name, Ty)],
        span: Span,
    ) -> Value {
        let mut joined: Option<(State, Value)> = None;
        for function in functions.iter().take(MAX_TARGETS) {
            let mut own = state.clone();
            let mut args = args.clone();
            if let (true, Some(receiver)) = (functions.len() > 1, args.first_mut()) {
                self.keep_own_places(&own, *function, receiver);
            }
            let value = self.call_function(frame, &mut own, *function, args, generics, span);
            joined = Some(match joined {
                Some((other, result)) => (other.join(&own), result.join(&value)),
                None => (own, value),
            });
        }
        match joined {
            Some((after, value)) => {
                *state = after;
                if functions.len() > 1 { value.with_flags(Flags::POSSIBLE) } else { value }
            }
            None => Value::clean(),
        }
    }

    /// Of the places that a receiver may be at, those whose type has the method.
    fn keep_own_places(&self, state: &State, function: FunctionId, receiver: &mut Value) {
        let Owner::Impl(block) = self.program.function(function).owner else { return };
        let Ty::Adt { id, .. } = peel(&self.program.impl_(block).self_type) else { return };
        let of_type = |place: &Location| matches!(state.load(place).ty().map(peel), Some(Ty::Adt { id: own, .. }) if own == id);
        let own: Vec<Location> = receiver.refs().iter().filter(|place| of_type(place)).cloned().collect();
        if !own.is_empty() && self.program.function(function).ir.receiver.is_some() {
            *receiver = std::mem::take(receiver).update(|data| data.refs = own);
        }
    }

    fn call_function(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        function: FunctionId,
        mut args: Vec<Value>,
        generics: &[(Name, Ty)],
        span: Span,
    ) -> Value {
        if self.program.function(function).body().is_none() {
            let taint = args.iter().fold(Vec::new(), |all, arg| union(&all, &state.deep_taints(arg)));
            return Value::tainted(taint).with_flags(Flags::OPAQUE);
        }
        if frame.owner != Some(function) {
            self.called.insert(function);
        }
        let declared = self.program.parameter_types(function);
        args.resize(declared.len(), Value::clean());
        for (value, ty) in args.iter_mut().zip(&declared) {
            self.adapt_argument(frame, state, value, ty, span);
        }
        let mut shape = Shape::of(self.program, state, &declared, &args);
        shape.generics = generics.to_vec();
        if self.in_trait(function)
            && !shape.generics.iter().any(|(name, _)| name == "Self")
            && let Some(ty @ (Ty::Adt { .. } | Ty::External { .. })) =
                args.first().and_then(|value| state.dereference(value).ty().map(peel).cloned())
            && self.program.function(function).ir.receiver.is_some()
        {
            shape.generics.push(("Self".into(), ty));
        }
        let sinks_only = frame.need == Need::Sinks;
        let instance = self.instance(BodyRef::Function(function), shape, sinks_only);
        let summary = self.summarize(instance);
        let moved = self.moved_references(&declared, &summary);
        let value = self.instantiate_moved(frame, state, &summary, &args, &moved, span);
        if value.ty().is_none_or(says_little) {
            let result = self.program.result_type(function);
            let substitution = self.bindings(function, &declared, &args, generics, state);
            let ty = self.program.substitute(&result, &substitution);
            let ty = match ty {
                Ty::Param { .. } => Ty::Unknown,
                ty => ty,
            };
            // A type whose arguments are open still says more than another one.
            if let Some(Ty::Adt { id, .. }) = value.ty()
                && (says_little(&ty) || !matches!(&ty, Ty::Adt { id: declared, .. } if declared == id))
            {
                return value;
            }
            return if value.is_bottom() { value } else { value.with_type(Some(ty)) };
        }
        value
    }

    /// Closures and futures passed to a parameter of the tree count as invoked there.
    fn adapt_argument(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        value: &mut Value,
        ty: &Ty,
        span: Span,
    ) {
        let target = state.dereference(value);
        for callable in target.callables() {
            if let Callable::Closure(index) = callable {
                frame.invoked.insert(*index);
            }
        }
        // `takes(&mut x)` with a by-value parameter of reference type needs memory behind it.
        if matches!(ty, Ty::Reference { .. }) && value.refs().is_empty() && !value.is_bottom() {
            let is_symbolic =
                value.data().is_some_and(|data| !data.aliases.is_empty() && data.parts.is_empty());
            if !is_symbolic {
                let base = self.heap(span, None);
                let old = state.object(base);
                state.set_object(base, old.join_elements(value));
                *value = Value::reference(vec![Location::of(base)]).with_type(value.ty().cloned());
            }
        }
    }

    pub fn construct(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        mut site: CallSite,
        ty: crate::resolve::TypeId,
        variant: Option<Name>,
    ) -> Value {
        site.paths.push(self.program.type_(ty).path.clone());
        let facts = self.facts(frame, state, &site, &[]);
        self.reach_call_sinks(frame, state, &mut site, &facts);
        let owner = Ty::Adt { id: ty, args: Vec::new() };
        let mut parts = Vec::new();
        for (index, value) in site.args.iter().enumerate() {
            let name: Name = index.to_string().into();
            let span = site.arg_spans.get(index).copied().unwrap_or(site.span);
            let value =
                self.put_field(frame, state, &owner, &name, false, value.clone(), site.name_span, span);
            let key = match &variant {
                Some(variant) => Key::Variant(variant.clone(), name),
                None => Key::Field(name),
            };
            parts.push((key, value));
        }
        let term = match site.args.as_slice() {
            [only] => Some(term_of(state, only)),
            _ => None,
        };
        let value = Value::aggregate(parts).with_type(Some(owner));
        match term {
            Some(term) => value.with_term(term),
            None => value,
        }
    }
}

impl CallSite {
    /// A copy.
    pub fn duplicate(&self) -> CallSite {
        CallSite {
            name: self.name.clone(),
            method: self.method,
            macro_call: self.macro_call,
            paths: self.paths.clone(),
            receiver: self.receiver.clone(),
            args: self.args.clone(),
            arg_spans: self.arg_spans.clone(),
            name_span: self.name_span,
            span: self.span,
            expected: self.expected.clone(),
            payload: self.payload.clone(),
            generics: self.generics.clone(),
            self_type: self.self_type.clone(),
            bounds: self.bounds.clone(),
        }
    }
}

/// Whether a path from outside names a variant rather than a struct: its owner is spelled like a type.
pub fn external_variant(path: &str) -> bool {
    let mut segments = path.rsplit("::");
    let last = segments.next().unwrap_or("");
    matches!(last, "Some" | "None" | "Ok" | "Err")
        || segments.next().is_some_and(|owner| owner.starts_with(char::is_uppercase))
}

/// The literal that a term is, also behind a conversion of one argument (`HeaderName::from_static(..)`).
pub fn literal_of(term: &Term) -> Option<Literal> {
    match term {
        Term::Literal(text) => Some(Literal::Str(text.clone())),
        Term::Call(_, args) => match args.as_slice() {
            [only] => literal_of(only),
            _ => None,
        },
        _ => None,
    }
}

fn is_text_path(path: &str) -> bool {
    matches!(path, "str" | "std::string::String")
}

/// Whether a type leaves open what it is, or with which arguments.
fn says_little(ty: &Ty) -> bool {
    let open = |ty: &Ty| matches!(ty, Ty::Unknown | Ty::Param { .. });
    match ty {
        Ty::Adt { args, .. } => args.iter().any(open),
        ty => open(ty),
    }
}

/// Pointers are looked through when a type's path is asked for.
pub fn path_of(ty: &Ty) -> Option<&Name> {
    match ty {
        Ty::External { path, args } if is_pointer(path) => args.first().and_then(path_of),
        Ty::External { path, .. } => Some(path),
        Ty::Reference { inner, .. } => path_of(inner),
        _ => None,
    }
}
