//! What the engine asks about types: annotations, signatures, user-defined dereference and indexing.

use std::rc::Rc;

use super::engine::{BodyRef, Engine, Frame, Instance};
use super::places::resolved_refs;
use super::shape::peel;
use super::state::State;
use super::term::Term;
use super::transfer::term_of;
use super::value::{Callable, Key, Location, Taint, Value};
use crate::ir::{Index, Name, Path, Span, Type, TypeHint};
use crate::resolve::{FunctionId, Substitution, Ty, TypeId, ValueDef};

/// Newtypes of newtypes are looked through so deep.
const MAX_NEWTYPES: usize = 3;

impl<'a> Engine<'a> {
    /// The definition that a path names, with the context's generic bindings applied to its first segment.
    pub fn resolve(&mut self, frame: &Frame<'a>, path: &'a Path) -> ValueDef {
        self.program.resolve_value_with(frame.scope, path, Some(&frame.substitution))
    }

    /// A type as written, in the context of a body.
    pub fn resolve_type(&mut self, frame: &Frame<'a>, ty: &'a Type) -> Ty {
        let key = (frame.scope, std::ptr::from_ref(ty).addr());
        let resolved = match self.types.get(&key) {
            Some(found) => found.clone(),
            None => {
                let found = self.program.resolve_type(frame.scope, ty);
                self.types.insert(key, found.clone());
                found
            }
        };
        if frame.substitution.is_empty() {
            resolved
        } else {
            self.program.substitute(&resolved, &frame.substitution)
        }
    }

    /// The type that a hint asks for.
    pub fn hinted_type(&mut self, frame: &Frame<'a>, hint: &'a TypeHint) -> Ty {
        match hint {
            TypeHint::Type(ty) => self.resolve_type(frame, ty),
            TypeHint::Result => frame.result.clone(),
            TypeHint::Wrapped(payload) => match self.hinted_type(frame, payload) {
                Ty::Unknown => Ty::Unknown,
                payload => wrapped(payload),
            },
            TypeHint::SamePayload(other) => match self.hinted_type(frame, other) {
                Ty::External { path, args } if is_wrapper(&path) => {
                    args.into_iter().next().map_or(Ty::Unknown, wrapped)
                }
                _ => Ty::Unknown,
            },
            TypeHint::Field { path, field } => match self.program.resolve_pattern(frame.scope, path) {
                ValueDef::Constructor { ty, variant: None } => {
                    self.program.field_type(&Ty::Adt { id: ty, args: Vec::new() }, field)
                }
                ValueDef::Constructor { ty, variant: Some(variant) } => {
                    self.program.variant_field_type(&Ty::Adt { id: ty, args: Vec::new() }, &variant, field)
                }
                _ => Ty::Unknown,
            },
            TypeHint::Argument { path, index } => self.argument_type(frame, path, *index as usize),
            TypeHint::Local(local) => match frame.body.locals.get(local.0 as usize) {
                Some(local) => match (&local.ty, &local.hint) {
                    (Some(ty), _) => self.resolve_type(frame, ty),
                    (None, Some(TypeHint::Local(_)) | None) => Ty::Unknown,
                    (None, Some(hint)) => self.hinted_type(frame, hint),
                },
                None => Ty::Unknown,
            },
        }
    }

    fn argument_type(&mut self, frame: &Frame<'a>, path: &'a Path, index: usize) -> Ty {
        match self.program.resolve_value(frame.scope, path) {
            ValueDef::Function(id) => {
                let ty = self.program.parameter_types(id).get(index).cloned().unwrap_or(Ty::Unknown);
                if matches!(ty, Ty::Param { .. }) { Ty::Unknown } else { ty }
            }
            ValueDef::Constructor { ty, variant } => {
                let owner = Ty::Adt { id: ty, args: Vec::new() };
                let field = index.to_string();
                match variant {
                    Some(variant) => self.program.variant_field_type(&owner, &variant, &field),
                    None => self.program.field_type(&owner, &field),
                }
            }
            // `Ok(x.into())` at the end of a function: the payload of the function's result.
            ValueDef::External(paths) => {
                let last = paths.first().map_or("", |path| path.rsplit("::").next().unwrap_or(path));
                match last {
                    "Ok" | "Err" | "Some" => self.program.variant_field_type(&frame.result, last, "0"),
                    _ => Ty::Unknown,
                }
            }
            _ => Ty::Unknown,
        }
    }

    /// The canonical path of a type, empty when it has none.
    pub fn type_path(&self, ty: &Ty) -> String {
        match peel(ty) {
            Ty::Adt { id, .. } => self.program.type_(*id).path.to_string(),
            Ty::External { path, .. } => path.to_string(),
            Ty::Sequence(_) => "std::vec::Vec".to_owned(),
            _ => String::new(),
        }
    }

    /// The term of a value that is put into a text, with its type.
    pub fn typed_term(&self, state: &State, value: &Value) -> Rc<Term> {
        let term = term_of(state, value);
        match state.dereference(value).ty().and_then(|ty| self.shown_type(ty, 0)) {
            Some(ty) => Term::typed(term, ty),
            None => term,
        }
    }

    /// Whether all values of the type have a text of one length, so that it is worth to be remembered.
    pub fn fixed_type(&self, state: &State, value: &Value) -> bool {
        let ty = state.dereference(value).ty().and_then(|ty| self.shown_type(ty, 0));
        ty.is_some_and(|ty| ty.contains("::") && ty != "std::string::String")
    }

    /// A type as formulas name it: by its path, a newtype by that of its content.
    fn shown_type(&self, ty: &Ty, depth: usize) -> Option<Name> {
        match peel(ty) {
            Ty::External { path, .. } => Some(path.clone()),
            Ty::Adt { id, .. } => {
                let def = self.program.type_(*id);
                match def.fields(None) {
                    _ if def.is_enum() => Some("enum".into()),
                    [only] if depth < MAX_NEWTYPES && only.name == "0" => {
                        self.shown_type(&self.program.field_type(ty, "0"), depth + 1)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The name that serde attributes give a field on the wire.
    pub fn wire_name(&self, owner: &Ty, field: &str) -> Option<String> {
        match peel(owner) {
            Ty::Adt { id, .. } => super::wire::wire_name(self.program.type_(*id), field),
            _ => None,
        }
    }

    /// Parameter types, result type and generic bindings of a body in a context.
    pub fn signature(&mut self, instance: &Instance) -> (Vec<Ty>, Ty, Substitution) {
        match instance.body {
            BodyRef::Function(id) => {
                let declared = self.program.parameter_types(id);
                let mut substitution = Substitution::default();
                for (name, ty) in &instance.shape.generics {
                    substitution.insert(name.clone(), ty.clone());
                }
                for (index, ty) in declared.iter().enumerate() {
                    if let Some(actual) = instance.shape.parameter_type(index as u32) {
                        self.program.bind(peel(ty), actual, &mut substitution);
                    }
                }
                let types = declared
                    .iter()
                    .enumerate()
                    .map(|(index, ty)| {
                        let substituted = self.program.substitute(ty, &substitution);
                        match instance.shape.parameter_type(index as u32) {
                            Some(actual) => with_inner(&substituted, actual),
                            None => substituted,
                        }
                    })
                    .collect();
                let result = self.program.substitute(&self.program.result_type(id), &substitution);
                (types, result, substitution)
            }
            BodyRef::Static(id) => {
                let scope = self.program.static_(id).scope;
                let ty = self.program.resolve_type(scope, &self.program.static_(id).ir.ty);
                (Vec::new(), ty, Substitution::default())
            }
            BodyRef::Closure(index) => {
                let substitution = self.closures[index as usize].substitution.clone();
                let types = self
                    .closure_types(index)
                    .into_iter()
                    .enumerate()
                    .map(|(position, ty)| match instance.shape.parameter_type(position as u32) {
                        Some(actual) => with_inner(&ty, actual),
                        None => ty,
                    })
                    .collect();
                let result = match &self.closures[index as usize].closure.result {
                    Some(ty) => self.program.resolve_type(self.closure_scope(index), ty),
                    None => Ty::Unknown,
                };
                (types, result, substitution.as_ref().clone())
            }
        }
    }

    fn closure_scope(&self, index: u32) -> crate::resolve::ScopeId {
        let mut parent = self.closures[index as usize].parent;
        loop {
            match parent {
                BodyRef::Function(id) => return self.program.function(id).scope,
                BodyRef::Static(id) => return self.program.static_(id).scope,
                BodyRef::Closure(outer) => parent = self.closures[outer as usize].parent,
            }
        }
    }

    /// The types of a closure's parameters and captures, as far as they are written.
    pub fn closure_types(&self, index: u32) -> Vec<Ty> {
        let scope = self.closure_scope(index);
        let closure = self.closures[index as usize].closure;
        let mut types: Vec<Ty> = closure
            .body
            .locals
            .iter()
            .take(closure.body.parameters)
            .map(|local| local.ty.as_ref().map_or(Ty::Unknown, |ty| self.program.resolve_type(scope, ty)))
            .collect();
        types.extend(closure.captures.iter().map(|capture| match capture.by_reference {
            true => Ty::Reference { mutable: true, inner: Box::new(Ty::Unknown) },
            false => Ty::Unknown,
        }));
        types
    }

    /// What the arguments of a call say about the callee's generic parameters.
    pub fn bindings(
        &self,
        _function: FunctionId,
        declared: &[Ty],
        args: &[Value],
        generics: &[(Name, Ty)],
        state: &State,
    ) -> Substitution {
        let mut substitution = Substitution::default();
        for (name, ty) in generics {
            substitution.insert(name.clone(), ty.clone());
        }
        for (ty, value) in declared.iter().zip(args) {
            if let Some(actual) = state.dereference(value).ty() {
                self.program.bind(peel(ty), peel(actual), &mut substitution);
            }
        }
        substitution
    }

    /// A path to a struct or variant used as a value: the unit value, or the constructor as a function.
    pub fn unit_or_constructor(&self, ty: TypeId, variant: Option<Name>) -> Value {
        let owner = Ty::Adt { id: ty, args: Vec::new() };
        let value = Value::aggregate(Vec::new()).with_type(Some(owner));
        if self.program.type_(ty).fields(variant.as_deref()).is_empty() {
            return value;
        }
        value.update(|data| data.callables = vec![Callable::Constructor(ty, variant)])
    }

    /// The taint of a constant from outside that is a source by itself.
    pub fn external_constant(&mut self, frame: &Frame<'a>, path: &Path, name: &str) -> Option<Taint> {
        let row = self.spec.type_source(name)?;
        Some(self.source(frame, row, path.span))
    }

    /// Whether a struct itself has a field of this name.
    pub fn has_field(&self, ty: &Ty, name: &str) -> bool {
        match peel(ty) {
            Ty::Adt { id, .. } => self.program.type_(*id).fields(None).iter().any(|field| field.name == name),
            _ => false,
        }
    }

    /// Whether a type has a user-defined `Deref`.
    pub fn has_dereference(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::Adt { .. })
            && !self.program.trait_method("std::ops::Deref", ty, &[], "deref").is_empty()
    }

    /// `*x` through a user-defined `Deref`.
    pub fn user_dereference(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        value: &Value,
        span: Span,
    ) -> Option<Value> {
        // `*x` on a reference is the built-in dereference.
        if !value.refs().is_empty() && matches!(value.ty(), Some(Ty::Reference { .. })) {
            return None;
        }
        let target = state.dereference(value);
        let ty = target.ty().map(peel)?.clone();
        if !matches!(ty, Ty::Adt { .. }) {
            return None;
        }
        let functions = self.program.trait_method("std::ops::Deref", &ty, &[], "deref");
        if functions.is_empty() {
            return None;
        }
        let receiver = self.as_reference(frame, state, value);
        let made = self.call_functions(frame, state, &functions, vec![receiver], &[], span);
        Some(state.pointee_or_self(&made))
    }

    /// The receiver of a method that is found behind user-defined `Deref`s.
    pub fn behind_user_dereference(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        mut receiver: super::calls::Receiver,
        at: &Ty,
        span: Span,
    ) -> super::calls::Receiver {
        let wanted = head(at);
        for _ in 0..4 {
            let target = state.dereference(&receiver.value);
            let Some(ty @ Ty::Adt { .. }) = target.ty().map(peel) else { return receiver };
            if wanted.is_none() || head(ty) == wanted {
                return receiver;
            }
            let location = receiver.locations.first().cloned();
            let location = location.or_else(|| receiver.value.refs().first().cloned());
            let location = match location {
                Some(location) => location,
                None => {
                    let base = self.scratch(frame);
                    state.set_object(base, receiver.value.clone());
                    Location::of(base)
                }
            };
            let value = receiver.value.clone();
            match self.user_dereference_mut(frame, state, &location, &value, span) {
                Some(made) => {
                    receiver.locations = Vec::new();
                    receiver.value = made;
                }
                None => return receiver,
            }
        }
        receiver
    }

    /// The place behind a user-defined `DerefMut` (or `Deref`).
    pub fn user_dereference_mut(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        location: &Location,
        value: &Value,
        span: Span,
    ) -> Option<Value> {
        let target = state.dereference(value);
        let ty = target.ty().map(peel)?.clone();
        if !matches!(ty, Ty::Adt { .. }) {
            return None;
        }
        let mut functions = self.program.trait_method("std::ops::DerefMut", &ty, &[], "deref_mut");
        if functions.is_empty() {
            functions = self.program.trait_method("std::ops::Deref", &ty, &[], "deref");
        }
        if functions.is_empty() {
            return None;
        }
        let refs = if value.refs().is_empty() { vec![location.clone()] } else { resolved_refs(state, value) };
        let receiver = Value::reference(refs).with_type(Some(ty));
        Some(self.call_functions(frame, state, &functions, vec![receiver], &[], span))
    }

    /// The place behind a user-defined `IndexMut` (or `Index`).
    pub fn user_index_mut(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        location: &Location,
        value: &Value,
        index: &'a Index,
        span: Span,
    ) -> Option<Value> {
        let target = state.dereference(value);
        let ty = target.ty().map(peel)?.clone();
        if !matches!(ty, Ty::Adt { .. }) {
            return None;
        }
        let argument = self.index_argument(frame, state, index);
        let traits = [("std::ops::IndexMut", "index_mut"), ("std::ops::Index", "index")];
        let functions = self.index_functions(&traits, &ty, state, &argument);
        if functions.is_empty() {
            let target = self.user_dereference_mut(frame, state, location, value, span)?;
            return self.index_behind(frame, state, &target, index, span);
        }
        let refs = if value.refs().is_empty() { vec![location.clone()] } else { resolved_refs(state, value) };
        let receiver = Value::reference(refs).with_type(Some(ty));
        Some(self.call_functions(frame, state, &functions, vec![receiver, argument], &[], span))
    }

    /// The element of what a user's type dereferences to.
    fn index_behind(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        target: &Value,
        index: &'a Index,
        span: Span,
    ) -> Option<Value> {
        let places = resolved_refs(state, target);
        if let Some(found) = self.user_index_mut(frame, state, places.first()?, target, index, span) {
            return Some(found);
        }
        let key = match index {
            Index::Range(_) => Key::View,
            _ => self.index_key(frame, state, index),
        };
        Some(Value::reference(places.into_iter().map(|place| place.part(key.clone())).collect()))
    }
}

impl<'a> Engine<'a> {
    /// The value between the brackets.
    pub fn index_argument(&mut self, frame: &mut Frame<'a>, state: &mut State, index: &'a Index) -> Value {
        match index {
            Index::Operand(operand) => self.operand(frame, state, operand),
            Index::Literal(literal) => super::places::literal_value(literal),
            Index::FromEnd(_) => Value::clean(),
            Index::Range(_) => {
                let ty = Ty::External { path: "std::ops::Range".into(), args: Vec::new() };
                Value::clean().with_type(Some(ty))
            }
        }
    }

    /// The user's indexing function for an argument of this type, or all of them when none fits.
    pub fn index_functions(
        &self,
        traits: &[(&str, &str)],
        ty: &Ty,
        state: &State,
        argument: &Value,
    ) -> Vec<FunctionId> {
        let mut types = super::transfer::operand_types(state, argument);
        if let Some(Ty::External { path, .. }) = types.first()
            && path == "std::ops::Range"
        {
            let kinds = ["RangeInclusive", "RangeFrom", "RangeTo", "RangeFull"];
            types.extend(
                kinds
                    .iter()
                    .map(|kind| Ty::External { path: format!("std::ops::{kind}").into(), args: Vec::new() }),
            );
        }
        let is_string = |ty: &Ty| matches!(ty, Ty::External { path, .. } if path == "std::string::String");
        if types.iter().any(is_string) {
            // `name.as_str()` has the type of `name`.
            types.push(Ty::External { path: "str".into(), args: Vec::new() });
        }
        let fitting = types.iter().map(std::slice::from_ref);
        let candidates = fitting.chain([&[][..]]).flat_map(|args| traits.iter().map(move |of| (of, args)));
        candidates
            .map(|((path, method), args)| self.program.trait_method(path, ty, args, method))
            .find(|functions| !functions.is_empty())
            .unwrap_or_default()
    }
}

/// The definition of a type, its arguments left out.
fn head(ty: &Ty) -> Option<Ty> {
    match peel(ty) {
        Ty::Adt { id, .. } => Some(Ty::Adt { id: *id, args: Vec::new() }),
        Ty::External { path, .. } => Some(Ty::External { path: path.clone(), args: Vec::new() }),
        Ty::Sequence(_) => Some(Ty::Sequence(Box::new(Ty::Unknown))),
        _ => None,
    }
}

/// The declared type with what it refers to replaced by the actual type.
fn with_inner(declared: &Ty, actual: &Ty) -> Ty {
    match declared {
        Ty::Reference { mutable, inner } => {
            Ty::Reference { mutable: *mutable, inner: Box::new(with_inner(inner, actual)) }
        }
        _ => actual.clone(),
    }
}

/// The path that stands for `Result`, `Option` and whatever else `?` and `unwrap()` take the payload of.
const WRAPPER: &str = "?";

/// A type of which only the payload is known.
fn wrapped(payload: Ty) -> Ty {
    match payload {
        Ty::Unknown | Ty::Param { .. } => Ty::Unknown,
        payload => Ty::External { path: WRAPPER.into(), args: vec![payload] },
    }
}

fn is_wrapper(path: &str) -> bool {
    path == WRAPPER || matches!(path.rsplit("::").next(), Some("Result" | "Option"))
}

/// The payload, of a type of which nothing else is known.
pub fn wrapped_payload(ty: &Ty) -> Option<&Ty> {
    match ty {
        Ty::External { path, args } if path == WRAPPER => args.first(),
        _ => None,
    }
}
