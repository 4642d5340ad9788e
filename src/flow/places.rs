//! Places: which memory an expression names, and what it holds.

use super::calls::literal_of;
use super::engine::{Engine, Frame};
use super::shape::peel;
use super::spec::FieldView;
use super::state::State;
use super::term::Term;
use super::trace::Trace;
use super::value::{Base, Flags, Key, Location, Origin, Taint, Value};
use crate::ir::{Index, Literal, Name, Operand, Path, Place, PlaceBase, Projection, Span};
use crate::resolve::{Ty, ValueDef};

/// How many user-defined `Deref`s a field may stand behind.
const MAX_FIELD_DEREFERENCES: usize = 4;

impl<'a> Engine<'a> {
    /// The value of an operand.
    pub fn operand(&mut self, frame: &mut Frame<'a>, state: &mut State, operand: &'a Operand) -> Value {
        match operand {
            Operand::Place(place) => self.read_place(frame, state, place),
            Operand::Literal(literal) => literal_value(literal),
        }
    }

    /// The value at a place.
    pub fn read_place(&mut self, frame: &mut Frame<'a>, state: &mut State, place: &'a Place) -> Value {
        let mut value = match &place.base {
            PlaceBase::Local(local) => state.object(Base::Local(local.0)),
            PlaceBase::Item(path) => self.item(frame, state, path),
        };
        for projection in &place.projections {
            value = self.project(frame, state, &value, projection, place);
        }
        value
    }

    fn project(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        value: &Value,
        projection: &'a Projection,
        place: &'a Place,
    ) -> Value {
        match projection {
            Projection::Dereference => {
                let span = self.place_span(frame, place);
                match self.user_dereference(frame, state, value, span) {
                    Some(target) => target,
                    None => state.pointee_or_self(value),
                }
            }
            Projection::Field(name) => {
                let part = self.read_field(frame, state, value, name, place);
                match frame.binds {
                    true => self.reborrow(state, value, &Key::Field(name.clone()), part),
                    false => part,
                }
            }
            Projection::Variant { path, .. } if self.is_transparent_variant(frame, path) => value.clone(),
            Projection::Variant { path, .. }
                if self.is_literal_container(frame, &state.dereference(value), path) =>
            {
                let keyed = path.last_name() == "Object";
                let ty = if keyed { "serde_json::Map" } else { "std::vec::Vec" };
                value.clone().with_type(Some(Ty::External { path: ty.into(), args: Vec::new() }))
            }
            Projection::Variant { path, field } => {
                let key = self.variant_key(frame, path, field);
                let whole = state.dereference(value);
                let part = self.typed_part(&whole, &key);
                self.reborrow(state, value, &key, part)
            }
            Projection::Index(index) => {
                let part = self.read_index(frame, state, value, index, place);
                let key = match index {
                    Index::Range(_) => Some(Key::View),
                    Index::FromEnd(distance) => {
                        Some(from_end(&state.dereference(value), *distance).unwrap_or(Key::Element))
                    }
                    Index::Literal(literal) => literal_key(literal),
                    Index::Operand(_) => None,
                };
                match key {
                    Some(key) if frame.binds => self.reborrow(state, value, &key, part),
                    _ => part,
                }
            }
        }
    }

    /// The part of a value behind a reference stays a reference to that part, so that a pattern on `&mut x`
    /// binds what it changes.
    pub fn reborrow(&self, state: &State, value: &Value, key: &Key, part: Value) -> Value {
        if value.refs().is_empty() || !part.refs().is_empty() || part.is_bottom() {
            return part;
        }
        let refs: Vec<Location> = resolved_refs(state, value).iter().map(|r| r.part(key.clone())).collect();
        Value::reference(refs).with_type(part.ty().cloned())
    }

    fn read_field(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        value: &Value,
        name: &Name,
        place: &'a Place,
    ) -> Value {
        let mut whole = state.dereference(value);
        let key = Key::Field(name.clone());
        let span = self.place_span(frame, place);
        for _ in 0..MAX_FIELD_DEREFERENCES {
            let Some(ty @ Ty::Adt { .. }) = whole.ty().map(peel) else { break };
            if self.has_field(ty, name) {
                break;
            }
            let ty = ty.clone();
            if !self.has_dereference(&ty) {
                break;
            }
            match self.user_dereference(frame, state, &whole, span) {
                Some(target) => whole = state.dereference(&target),
                None => break,
            }
        }
        let whole = super::generated::unwrapped(state, whole, name);
        let part = self.typed_part(&whole, &key);
        let owner = whole.ty().map(|ty| self.type_path(ty)).unwrap_or_default();
        let in_tree = matches!(whole.ty().map(peel), Some(Ty::Adt { .. }));
        let view = FieldView { owner: &owner, name, key: false, in_tree, wire_name: None };
        self.of_named_slot(frame, part, &view, span)
    }

    /// What is read from a field or key, with what the specification says of it.
    fn of_named_slot(&mut self, frame: &Frame<'a>, part: Value, view: &FieldView<'_>, span: Span) -> Value {
        if self.spec.field_clears(view) {
            return Value::clean().with_type(part.ty().cloned()).with_term(Term::of(&part));
        }
        if let Some(row) = self.spec.field_source(view) {
            let taint = self.source(frame, row, span);
            return part.add_taint(&[taint]);
        }
        part
    }

    /// A part of a value with its type and term filled in.
    pub fn typed_part(&self, whole: &Value, key: &Key) -> Value {
        let mut part = match key {
            Key::Element => whole.element(),
            _ => whole.part(key),
        };
        if part.ty().is_none()
            && let Some(ty) = whole.ty()
        {
            let found = match key {
                Key::Field(name) => self.program.field_type(ty, name),
                Key::Variant(variant, name) => self.program.variant_field_type(ty, variant, name),
                Key::Element | Key::At(_) => self.program.element_type(ty),
                Key::MapKey | Key::Capture(_) | Key::View => Ty::Unknown,
            };
            part = part.with_type(Some(super::generated::or_wrapped(found, ty, key)));
        }
        if part.ty().is_some_and(|ty| matches!(ty, Ty::Reference { .. })) && part.refs().is_empty() {
            part = reference_to_parameter(part);
        }
        if part.data().is_some_and(|data| data.term.is_none())
            && let Some(term) = Term::part(&Term::of(whole), key)
        {
            part = part.with_term(term);
        }
        part
    }

    fn read_index(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        value: &Value,
        index: &'a Index,
        place: &'a Place,
    ) -> Value {
        let whole = state.dereference(value);
        let span = self.place_span(frame, place);
        if let Some(ty @ Ty::Adt { .. }) = whole.ty().map(peel) {
            let ty = ty.clone();
            let argument = self.index_argument(frame, state, index);
            let functions = self.index_functions(&[("std::ops::Index", "index")], &ty, state, &argument);
            if !functions.is_empty() {
                let receiver = self.as_reference(frame, state, value);
                return self.call_functions(frame, state, &functions, vec![receiver, argument], &[], span);
            }
            if let Some(target) = self.user_dereference(frame, state, &whole, span)
                && !target.same(&whole)
            {
                return self.read_index(frame, state, &target, index, place);
            }
        }
        match index {
            Index::Range(bounds) => match whole.data() {
                // A sub-range keeps the elements, but not at their indices; a text stays a text.
                Some(data) if !data.parts.is_empty() => {
                    let element = whole.element();
                    let ty = whole.ty().cloned();
                    let slice = Value::aggregate(vec![(Key::Element, element)]).with_type(ty);
                    slice.update(|new| {
                        new.taint.clone_from(&data.taint);
                        new.closed = data.closed;
                        new.term =
                            data.term.clone().map(|term| std::rc::Rc::new(Term::Slice(term, bounds.clone())));
                    })
                }
                Some(_) => {
                    let term = std::rc::Rc::new(Term::Slice(Term::of(&whole), bounds.clone()));
                    whole.with_term(term)
                }
                None => Value::BOTTOM,
            },
            Index::FromEnd(distance) => {
                let key = from_end(&whole, *distance).unwrap_or(Key::Element);
                self.typed_part(&whole, &key)
            }
            _ => {
                let key = self.index_key(frame, state, index);
                let part = self.typed_part(&whole, &key);
                match &key {
                    Key::At(name) => {
                        let view = FieldView { owner: "", name, key: true, in_tree: false, wire_name: None };
                        self.of_named_slot(frame, part, &view, span)
                    }
                    _ => part,
                }
            }
        }
    }

    /// The key for an index.
    pub fn index_key(&mut self, frame: &mut Frame<'a>, state: &mut State, index: &'a Index) -> Key {
        match index {
            Index::Literal(literal) => literal_key(literal).unwrap_or(Key::Element),
            Index::Operand(operand) => {
                let value = self.operand(frame, state, operand);
                constant_key(&state.dereference(&value)).unwrap_or(Key::Element)
            }
            Index::FromEnd(_) | Index::Range(_) => Key::Element,
        }
    }

    /// Whether a pattern takes apart the entry of a map, whose two variants are views of the same place.
    fn is_transparent_variant(&self, frame: &Frame<'a>, path: &Path) -> bool {
        let owner = match path.last_name() {
            "Occupied" | "Vacant" => "Entry::",
            "Borrowed" | "Owned" => "Cow::",
            _ => return false,
        };
        match self.program.resolve_pattern(frame.scope, path) {
            ValueDef::External(paths) => paths.iter().any(|path| path.contains(owner)),
            _ => false,
        }
    }

    /// Whether `Value::Object(..)` and `Value::Array(..)` match what `json!` wrote down, whose entries it lists itself.
    fn is_literal_container(&self, frame: &Frame<'a>, value: &Value, path: &Path) -> bool {
        let Some(data) = value.data() else { return false };
        let variants = data.parts.iter().any(|(key, _)| matches!(key, Key::Variant(..)));
        let json = match data.ty.as_deref() {
            Some(Ty::External { path, .. }) => path == "serde_json::Value",
            Some(Ty::Sequence(_)) => path.last_name() == "Array",
            _ => false,
        };
        let listed = json && !data.parts.is_empty() && !variants;
        listed
            && matches!(path.last_name(), "Object" | "Array")
            && matches!(self.program.resolve_pattern(frame.scope, path), ValueDef::External(_))
    }

    /// The key for a field of a pattern: of a variant, or of a struct.
    pub fn variant_key(&mut self, frame: &Frame<'a>, path: &Path, field: &Name) -> Key {
        match self.program.resolve_pattern(frame.scope, path) {
            ValueDef::Constructor { variant: None, .. } => Key::Field(field.clone()),
            ValueDef::Constructor { variant: Some(variant), .. } => Key::Variant(variant, field.clone()),
            ValueDef::External(paths) => match paths.first() {
                Some(path) if super::calls::external_variant(path) => {
                    Key::Variant(path.rsplit("::").next().unwrap_or(path).into(), field.clone())
                }
                Some(_) => Key::Field(field.clone()),
                None => Key::Variant(path.last_name().into(), field.clone()),
            },
            _ => Key::Variant(path.last_name().into(), field.clone()),
        }
    }

    /// The value of an item that is named by a path.
    fn item(&mut self, frame: &mut Frame<'a>, state: &mut State, path: &'a Path) -> Value {
        match self.resolve(frame, path) {
            ValueDef::Static(id) => {
                let base = Base::Static(id);
                if self.program.static_(id).ir.constant {
                    let value = self.static_value(id);
                    return named(value, path);
                }
                if !state.has(base) {
                    let written = Taint {
                        origin: Origin::Static(id),
                        flags: Flags::default(),
                        trace: Trace::default(),
                    };
                    let initial = self.static_value(id);
                    let value = match is_empty(&initial) {
                        true => initial.with_term(std::rc::Rc::new(Term::Literal("".into()))),
                        false => named(initial, path),
                    };
                    let value = value.opened().add_taint(&[written]);
                    state.set_object(base, value);
                }
                let ty = state.object(base).ty().cloned();
                Value::reference(vec![Location::of(base)]).with_type(ty)
            }
            ValueDef::Function(id) => Value::callable(super::value::Callable::Function(id)),
            ValueDef::Candidates { functions, .. } => {
                let mut functions: Vec<_> =
                    functions.into_iter().map(super::value::Callable::Function).collect();
                functions.sort();
                Value::clean().update(|data| data.callables = functions)
            }
            ValueDef::Constructor { ty, variant } => self.unit_or_constructor(ty, variant),
            ValueDef::External(paths) => {
                let last = paths.first().map_or("", |p| p.rsplit("::").next().unwrap_or(p));
                if last == "None" {
                    let option = Ty::External { path: "std::option::Option".into(), args: Vec::new() };
                    return Value::aggregate(Vec::new()).with_type(Some(option));
                }
                let term = std::rc::Rc::new(Term::Named(path_text(path)));
                let value = Value::clean().with_term(term);
                match paths.into_iter().next() {
                    Some(external) => {
                        let first_source = self.external_constant(frame, path, &external);
                        let value = value
                            .update(|data| data.callables = vec![super::value::Callable::External(external)]);
                        match first_source {
                            Some(taint) => value.add_taint(&[taint]),
                            None => value,
                        }
                    }
                    None => value,
                }
            }
        }
    }

    /// Where a place is in memory; several when a reference may point to several, none when it is a temporary
    /// without memory.
    pub fn locate(&mut self, frame: &mut Frame<'a>, state: &mut State, place: &'a Place) -> Vec<Location> {
        let mut locations = match &place.base {
            PlaceBase::Local(local) => vec![Location::of(Base::Local(local.0))],
            PlaceBase::Item(path) => {
                let value = self.item(frame, state, path);
                value.refs().to_vec()
            }
        };
        for projection in &place.projections {
            let mut next = Vec::new();
            for location in &locations {
                self.locate_step(frame, state, location, projection, place, &mut next);
            }
            next.sort();
            next.dedup();
            next.truncate(16);
            locations = next;
        }
        locations
    }

    fn locate_step(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        location: &Location,
        projection: &'a Projection,
        place: &'a Place,
        next: &mut Vec<Location>,
    ) {
        let value = self.load_typed(state, location);
        let span = self.place_span(frame, place);
        if *projection == Projection::Dereference {
            if !value.refs().is_empty() {
                next.extend(value.refs().iter().cloned());
            } else if let Some(target) = self.user_dereference_mut(frame, state, location, &value, span) {
                next.extend(target.refs().iter().cloned());
            } else {
                next.push(location.clone());
            }
            return;
        }
        let mut bases =
            if value.refs().is_empty() { vec![location.clone()] } else { resolved_refs(state, &value) };
        if !value.refs().is_empty() && value.is_also_itself() {
            bases.push(location.clone());
        }
        if let Projection::Field(name) = projection
            && let Some(holders) = self.behind_field_owner(frame, state, location, &value, name, span)
        {
            bases = holders;
        }
        if let Projection::Field(name) = projection
            && let Some(held) = super::generated::held_places(state, &value, name)
        {
            bases = held;
        }
        if let Projection::Index(index) = projection
            && let Some(target) = self.user_index_mut(frame, state, location, &value, index, span)
        {
            next.extend(target.refs().iter().cloned());
            return;
        }
        let key = match projection {
            Projection::Field(name) => Some(Key::Field(name.clone())),
            Projection::Variant { path, .. } if self.is_transparent_variant(frame, path) => None,
            Projection::Variant { path, .. }
                if self.is_literal_container(frame, &state.dereference(&value), path) =>
            {
                None
            }
            Projection::Variant { path, field } => Some(self.variant_key(frame, path, field)),
            Projection::Index(Index::Range(_)) => Some(Key::View),
            Projection::Dereference => None,
            Projection::Index(Index::FromEnd(distance)) => {
                Some(from_end(&state.dereference(&value), *distance).unwrap_or(Key::Element))
            }
            Projection::Index(index) => Some(self.index_key(frame, state, index)),
        };
        for base in bases {
            next.push(match &key {
                Some(key) => base.part(key.clone()),
                None => base,
            });
        }
    }

    /// What is at a place, with the type that the declarations on the way to it say.
    fn load_typed(&self, state: &State, location: &Location) -> Value {
        let value = state.load(location);
        if value.ty().is_some() || location.keys.is_empty() {
            return value;
        }
        let declared = location
            .keys
            .iter()
            .fold(state.object(location.base), |value, key| self.typed_part(&state.dereference(&value), key));
        value.with_type(declared.ty().cloned())
    }

    /// The places behind user-defined `Deref`s that have the field which the value itself lacks.
    fn behind_field_owner(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        location: &Location,
        value: &Value,
        name: &Name,
        span: Span,
    ) -> Option<Vec<Location>> {
        let mut holder = value.clone();
        let mut found = None;
        for _ in 0..MAX_FIELD_DEREFERENCES {
            let Some(ty @ Ty::Adt { .. }) = state.dereference(&holder).ty().map(peel).cloned() else { break };
            if self.has_field(&ty, name) || !self.has_dereference(&ty) {
                break;
            }
            let Some(target) = self.user_dereference_mut(frame, state, location, &holder, span) else {
                break;
            };
            if target.refs().is_empty() {
                break;
            }
            found = Some(target.refs().to_vec());
            holder = target;
        }
        found
    }

    /// A reference to a value: the value itself when it is one, else to a fresh object that holds it.
    pub fn as_reference(&mut self, frame: &mut Frame<'a>, state: &mut State, value: &Value) -> Value {
        if !value.refs().is_empty() {
            return value.clone();
        }
        let base = self.scratch(frame);
        state.set_object(base, value.clone());
        Value::reference(vec![Location::of(base)]).with_type(value.ty().cloned())
    }

    /// The place of the expression, for steps and sources.
    pub fn place_span(&self, frame: &Frame<'a>, place: &Place) -> Span {
        match &place.base {
            PlaceBase::Item(path) => path.span,
            PlaceBase::Local(_) => frame.current,
        }
    }
}

/// A part of a parameter that is itself a reference points to memory of the parameter.
fn reference_to_parameter(value: Value) -> Value {
    let Some(data) = value.data() else { return value };
    if data.aliases.is_empty()
        || !data.parts.is_empty()
        || !data.callables.is_empty()
        || !data.taint.is_empty()
    {
        return value;
    }
    let location = |alias: &super::value::Taint| match &alias.origin {
        super::value::Origin::Param(path) if !path.keys.is_empty() => {
            Some(Location { base: Base::Param(path.index), keys: path.keys.to_vec() })
        }
        _ => None,
    };
    let refs: Option<Vec<Location>> = data.aliases.iter().map(location).collect();
    match refs {
        Some(mut refs) => {
            refs.sort();
            Value::reference(refs).with_type(value.ty().cloned())
        }
        None => value,
    }
}

impl State {
    /// What a reference refers to, or the value itself.
    pub fn pointee_or_self(&self, value: &Value) -> Value {
        if value.refs().is_empty() { value.clone() } else { self.pointee(value) }
    }
}

/// The places that a value refers to, through references to references.
pub fn resolved_refs(state: &State, value: &Value) -> Vec<Location> {
    let mut current = value.refs().to_vec();
    for _ in 0..4 {
        let mut next = Vec::new();
        let mut changed = false;
        for location in &current {
            let inner = state.load(location);
            if inner.refs().is_empty() {
                next.push(location.clone());
            } else {
                next.extend(inner.refs().iter().cloned());
                changed = true;
            }
        }
        next.sort();
        next.dedup();
        current = next;
        if !changed {
            break;
        }
    }
    current
}

/// Whether nothing is in a value yet: a `OnceLock` before it is filled.
fn is_empty(value: &Value) -> bool {
    value.data().is_some_and(|data| data.closed && data.parts.is_empty() && data.taint.is_empty())
}

fn named(value: Value, path: &Path) -> Value {
    match value.data().and_then(|data| data.term.clone()).as_deref() {
        Some(term) if literal_of(term).is_some() => value,
        _ if !value.shallow_taints().is_empty() => value,
        _ => value.with_term(std::rc::Rc::new(Term::Named(path_text(path)))),
    }
}

/// A path as text, without generic arguments.
pub fn path_text(path: &Path) -> Name {
    let segments: Vec<&str> = path.segments.iter().map(|segment| segment.name.as_str()).collect();
    segments.join("::").into()
}

/// A literal as a value.
pub fn literal_value(literal: &Literal) -> Value {
    let (text, ty): (Name, &str) = match literal {
        Literal::Str(text) => (text.clone(), "str"),
        Literal::Bytes(bytes) => (String::from_utf8_lossy(bytes).as_ref().into(), ""),
        Literal::Char(c) => (c.to_string().into(), "char"),
        Literal::Int(digits) => (digits.clone(), ""),
        Literal::Float(digits) => (digits.clone(), ""),
        Literal::Bool(value) => (if *value { "true" } else { "false" }.into(), "bool"),
        Literal::Unit => {
            return Value::typed(Ty::Tuple(Vec::new())).with_term(std::rc::Rc::new(Term::Literal("".into())));
        }
    };
    let value = Value::clean().with_term(std::rc::Rc::new(Term::Literal(text)));
    match ty {
        "" => value,
        _ => value.with_type(Some(Ty::External { path: ty.into(), args: Vec::new() })),
    }
}

/// The part that is so far from the end of a tuple or array of known length.
fn from_end(whole: &Value, distance: u32) -> Option<Key> {
    let distance = distance as usize + 1;
    if let Some(Ty::Tuple(parts)) = whole.ty().map(peel) {
        let index = parts.len().checked_sub(distance)?;
        return Some(Key::Field(index.to_string().into()));
    }
    let data = whole.data()?;
    if !data.closed || !data.parts.iter().all(|(key, _)| matches!(key, Key::At(_))) {
        return None;
    }
    let index = data.parts.len().checked_sub(distance)?;
    Some(Key::At(index.to_string().into()))
}

fn literal_key(literal: &Literal) -> Option<Key> {
    match literal {
        Literal::Str(text) | Literal::Int(text) => Some(Key::At(text.clone())),
        Literal::Char(c) => Some(Key::At(c.to_string().into())),
        _ => None,
    }
}

/// The key for a value that is a known constant.
pub fn constant_key(value: &Value) -> Option<Key> {
    match value.data()?.term.as_deref()? {
        Term::Literal(text) => Some(Key::At(text.clone())),
        Term::Named(name) => Some(Key::At(name.clone())),
        // `HeaderName::from_static("x-id")`
        Term::Call(name, args) if name == "from_static" => match args.first()?.as_ref() {
            Term::Literal(text) => Some(Key::At(text.clone())),
            _ => None,
        },
        _ => None,
    }
}
