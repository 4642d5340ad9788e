//! The transfer function: what one statement does to the state.

use std::rc::Rc;

use super::calls::literal_of;
use super::engine::{Engine, Frame};
use super::result::Sink;
use super::shape::peel;
use super::spec::{FieldView, RowId};
use super::state::State;
use super::summary::SinkReach;
use super::term::Term;
use super::trace::{Step, StepKind};
use super::value::{Base, Callable, Flags, Key, Location, Origin, Taint, Value};
use crate::ir::{
    AggregateKind, Argument, ClosureId, ClosureKind, FieldInit, FormatPiece, FormatTrait, Literal, LocalKind,
    Name, Operand, Path, Place, PlaceBase, Projection, Rvalue, Span, Statement, StatementKind,
};
use crate::resolve::{Ty, ValueDef};

impl<'a> Engine<'a> {
    /// Runs one statement.
    pub fn statement(&mut self, frame: &mut Frame<'a>, state: &mut State, statement: &'a Statement) {
        match &statement.kind {
            StatementKind::Declare(local) => state.set_object(Base::Local(local.0), Value::BOTTOM),
            StatementKind::Drop(local) => self.end_of_scope(frame, state, *local, statement.span),
            StatementKind::Assign(place, rvalue) => {
                let expected = self.expected_type(frame, place);
                frame.binds = is_binding(frame, place, rvalue, statement.span);
                let value = self.rvalue(frame, state, rvalue, &expected, statement.span);
                frame.binds = false;
                self.assign(frame, state, place, value, statement.span);
            }
            StatementKind::AssignOperator(place, operator, operand) => {
                self.assign_operator(frame, state, place, *operator, operand, statement.span);
            }
        }
    }

    /// The type that a place's annotation or hint asks for.
    fn expected_type(&mut self, frame: &Frame<'a>, place: &'a Place) -> Ty {
        let PlaceBase::Local(local) = &place.base else { return Ty::Unknown };
        let Some(local) = frame.body.locals.get(local.0 as usize) else { return Ty::Unknown };
        if !place.projections.is_empty() {
            return Ty::Unknown;
        }
        match (&local.ty, &local.hint) {
            (Some(ty), _) => self.resolve_type(frame, ty),
            (None, Some(hint)) => self.hinted_type(frame, hint),
            (None, None) => Ty::Unknown,
        }
    }

    fn assign(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        place: &'a Place,
        value: Value,
        span: Span,
    ) {
        let value = match self.assigned_variable(frame, place) {
            true => value.with_step(Step { span, kind: StepKind::Assign }),
            false => value,
        };
        if let (PlaceBase::Local(local), []) = (&place.base, place.projections.as_slice()) {
            let value = self.annotated(frame, local.0, value);
            let value = without_self_reference(state, Base::Local(local.0), value);
            state.set_object(Base::Local(local.0), value);
            return;
        }
        let value = self.field_assignment_sink(frame, state, place, value, span);
        let mut locations = self.locate(frame, state, place);
        if value.refs().is_empty() {
            // A part that is a view of something else (an element of a chunk) is written through.
            locations = locations
                .into_iter()
                .flat_map(|location| match state.load(&location).refs() {
                    refs if !refs.is_empty() && !location.keys.is_empty() => refs.to_vec(),
                    _ => vec![location],
                })
                .collect();
        }
        let strong = locations.len() == 1;
        for location in &locations {
            self.write(state, location, value.clone(), strong);
        }
    }

    /// Whether the assignment gives a value to something that the user named.
    fn assigned_variable(&self, frame: &Frame<'a>, place: &Place) -> bool {
        if !place.projections.is_empty() {
            return true;
        }
        match &place.base {
            PlaceBase::Local(local) => {
                frame.body.locals.get(local.0 as usize).is_some_and(|local| local.kind == LocalKind::Variable)
            }
            PlaceBase::Item(_) => true,
        }
    }

    /// A value that is stored in an annotated variable, with the type of the annotation where none is known.
    fn annotated(&mut self, frame: &Frame<'a>, local: u32, value: Value) -> Value {
        let Some(ty) = frame.body.locals.get(local as usize).and_then(|local| local.ty.as_ref()) else {
            return value;
        };
        let ty = self.resolve_type(frame, ty);
        match value.ty() {
            None | Some(Ty::Unknown | Ty::Param { .. }) => value.with_type(Some(ty)),
            // An annotation that says more than what is known (`Vec<u8>` against `Vec`).
            Some(known) if same_head(known, &ty) => value.with_type(Some(ty)),
            Some(_) => value,
        }
    }

    /// `x.idempotency_key = value`: a key slot, or a field whose writers are remembered.
    fn field_assignment_sink(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        place: &'a Place,
        value: Value,
        span: Span,
    ) -> Value {
        let Some((last, before)) = place.projections.split_last() else { return value };
        let (name, key) = match last {
            Projection::Field(name) => (name.clone(), false),
            Projection::Index(crate::ir::Index::Literal(crate::ir::Literal::Str(name))) => {
                (name.clone(), true)
            }
            _ => return value,
        };
        let owner_place = Place { base: place.base.clone(), projections: before.to_vec() };
        let owner = self.place_type(frame, state, &owner_place);
        self.put_field(frame, state, &owner, &name, key, value, span, span)
    }

    fn place_type(&mut self, frame: &Frame<'a>, state: &State, place: &Place) -> Ty {
        let mut value = match &place.base {
            PlaceBase::Local(local) => state.object(Base::Local(local.0)),
            PlaceBase::Item(_) => return Ty::Unknown,
        };
        for projection in &place.projections {
            value = state.dereference(&value);
            match projection {
                Projection::Field(name) => value = self.typed_part(&value, &Key::Field(name.clone())),
                Projection::Variant { path, field } => {
                    let key = self.variant_key(frame, path, field);
                    value = self.typed_part(&value, &key);
                }
                Projection::Index(_) => value = self.typed_part(&value, &Key::Element),
                Projection::Dereference => {}
            }
        }
        state.dereference(&value).ty().map_or(Ty::Unknown, |ty| peel(ty).clone())
    }

    /// A value goes into a field or key: reports it when that is a key slot.
    #[expect(clippy::too_many_arguments, reason = "the parts of one field initialiser")]
    pub fn put_field(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        owner: &Ty,
        name: &Name,
        key: bool,
        value: Value,
        name_span: Span,
        span: Span,
    ) -> Value {
        let path = self.type_path(owner);
        let wire = self.wire_name(owner, name);
        let in_tree = matches!(peel(owner), Ty::Adt { .. });
        let view = FieldView { owner: &path, name, key, in_tree, wire_name: wire.as_deref() };
        let value = match self.spec.field_sink(&view) {
            Some(row) => {
                let value =
                    if self.spec.leaves_out(row, None) { self.without_left_out(row, value) } else { value };
                let sink = self.sink_at(frame, row, span, name_span, name, &value);
                self.reach_sink(frame, state, sink, &value)
            }
            None => value,
        };
        // With the slot on its way, so that whoever reads the field finds the first one.
        if frame.recording && !key {
            self.remember_field_write(state, owner, name, &value);
        }
        value
    }

    /// A value without the parts that do not count in a slot.
    fn without_left_out(&self, row: RowId, value: Value) -> Value {
        let owner = value.ty().cloned();
        value.update(|data| {
            for (key, part) in &mut data.parts {
                let left_out = owner.as_ref().is_some_and(|ty| self.spec.leaves_out(row, Some((ty, key))));
                *part = if left_out { Value::clean() } else { self.without_left_out(row, part.clone()) };
            }
        })
    }

    fn remember_field_write(&mut self, state: &State, owner: &Ty, name: &Name, value: &Value) {
        let Ty::Adt { id, .. } = peel(owner) else { return };
        let taints: Vec<Taint> = state
            .deep_taints(value)
            .into_iter()
            .filter(|taint| matches!(taint.origin, Origin::Source(_)))
            .collect();
        if !taints.is_empty() {
            let slot = self.field_writes.entry((*id, name.clone())).or_default();
            *slot = super::value::union(slot, &taints);
        }
    }

    /// Describes a sink for recording.
    pub fn sink_at(
        &mut self,
        frame: &Frame<'a>,
        row: RowId,
        span: Span,
        name_span: Span,
        name: &Name,
        value: &Value,
    ) -> Sink {
        Sink {
            row,
            span,
            name_span,
            function: frame.owner,
            term: Term::of(value),
            in_loop: frame.in_loop,
            name: name.clone(),
            receiver: None,
            entry: None,
        }
    }

    /// A value reaches a sink: records the flow, or that a parameter reaches it. Gives back the value, one step
    /// further, so that a later slot shows this one on its path.
    pub fn reach_sink(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        sink: Sink,
        value: &Value,
    ) -> Value {
        frame.summary.holds_sink = true;
        if !frame.recording {
            return value.clone();
        }
        let term = sink.term.clone();
        let span = sink.span;
        let site = self.sink(sink);
        for taint in state.deep_taints(value) {
            let trace = taint.trace.with(Step { span, kind: StepKind::Slot(site.0) });
            match taint.origin {
                Origin::Source(source) => {
                    self.flow(source, site, taint.flags, trace, term.clone(), frame.owner);
                }
                Origin::Static(id) => {
                    self.statics_read.insert(id);
                }
                Origin::Param(from) => {
                    let term = term.clone();
                    frame.summary.add_reach(SinkReach { sink: site, from, flags: taint.flags, trace, term });
                }
            }
        }
        value.with_step(Step { span, kind: StepKind::Slot(site.0) })
    }

    /// The value of a right-hand side.
    fn rvalue(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        rvalue: &'a Rvalue,
        expected: &Ty,
        span: Span,
    ) -> Value {
        match rvalue {
            Rvalue::Use(operand) => self.operand(frame, state, operand),
            Rvalue::Reference { mutable, place } => self.reference_to(frame, state, place, *mutable),
            Rvalue::Aggregate { kind, fields, base } => {
                self.aggregate(frame, state, kind, fields, base.as_ref(), expected)
            }
            Rvalue::Repeat(operand) => {
                let element = self.operand(frame, state, operand);
                sequence(vec![(Key::Element, element)])
            }
            Rvalue::Call { callee, receiver, args, name_span } => {
                self.call(frame, state, callee, receiver.as_ref(), args, *name_span, expected, span)
            }
            Rvalue::Binary(operator, left, right) => self.binary(frame, state, *operator, left, right, span),
            Rvalue::Unary(operator, operand) => self.unary(frame, state, *operator, operand, span),
            Rvalue::Cast(operand, ty) => self.cast(frame, state, operand, ty),
            Rvalue::Format { name, pieces, args } => self.format(frame, state, name, pieces, args, span),
            Rvalue::Closure(id) => self.make_closure(frame, state, *id),
            Rvalue::Await(operand) => self.wait(frame, state, operand, span),
            Rvalue::Next { iterator, of } => self.next_item(frame, state, iterator, *of, span),
            Rvalue::Range(bounds) => {
                let mut element = Value::BOTTOM;
                let mut parts = Vec::new();
                for (bound, name) in bounds.iter().zip(["start", "end"]) {
                    let bound = self.operand(frame, state, bound);
                    element = element.join_elements(&bound);
                    parts.push((Key::Field(name.into()), bound));
                }
                if !bounds.is_empty() {
                    parts.push((Key::Element, element));
                }
                let ty = Ty::External { path: "std::ops::Range".into(), args: Vec::new() };
                Value::aggregate(parts).with_type(Some(ty))
            }
        }
    }

    fn reference_to(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        place: &'a Place,
        mutable: bool,
    ) -> Value {
        let value = self.read_place(frame, state, place);
        let is_item = matches!(place.base, PlaceBase::Item(_)) && place.projections.is_empty();
        // A reference to a closure or function is called like the thing itself; a reference to a constant is
        // the constant; a sub-range of something is a view of it.
        if is_item {
            return value;
        }
        let locations = self.locate(frame, state, place);
        if locations.is_empty() {
            return value;
        }
        let inner = Box::new(value.ty().cloned().unwrap_or(Ty::Unknown));
        let reference = Value::reference(locations).with_type(Some(Ty::Reference { mutable, inner }));
        match place.projections.last() {
            Some(Projection::Index(crate::ir::Index::Range(_))) => {
                reference.with_term(term_of(state, &value))
            }
            _ => reference,
        }
    }

    fn aggregate(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        kind: &'a AggregateKind,
        fields: &'a [FieldInit],
        base: Option<&'a Operand>,
        expected: &Ty,
    ) -> Value {
        let (ty, variant) = match kind {
            AggregateKind::Struct(path) => self.struct_type(frame, path, expected),
            _ => (Ty::Unknown, None),
        };
        let base = base.map(|operand| {
            let value = self.operand(frame, state, operand);
            state.dereference(&value)
        });
        let open = base.is_some();
        let mut terms = Vec::new();
        let mut value = match base {
            Some(base) => base.update(|data| data.term = None),
            None => Value::aggregate(Vec::new()),
        };
        // `("Idempotency-Key", value)`: the pair that header and query lists are made of.
        let pair = match (kind, fields) {
            (AggregateKind::Tuple, [FieldInit { value: first, .. }, _]) => {
                let first = self.operand(frame, state, first);
                literal_of(&term_of(state, &first))
            }
            _ => None,
        };
        for field in fields {
            let part = self.operand(frame, state, &field.value);
            let json = *kind == AggregateKind::Object;
            let part = match kind {
                AggregateKind::Struct(_) | AggregateKind::Object => {
                    self.put_field(frame, state, &ty, &field.name, json, part, field.name_span, field.span)
                }
                AggregateKind::Tuple if field.name == "1" => match &pair {
                    Some(Literal::Str(name)) => {
                        self.put_field(frame, state, &ty, name, true, part, field.span, field.span)
                    }
                    _ => part,
                },
                _ => part,
            };
            let (key, strong) = match (kind, &variant) {
                (AggregateKind::Struct(_), Some(variant)) => {
                    (Key::Variant(variant.clone(), field.name.clone()), true)
                }
                (AggregateKind::Struct(_) | AggregateKind::Tuple, _) => {
                    (Key::Field(field.name.clone()), true)
                }
                (AggregateKind::Object, _) if field.name == "*" => (Key::Element, false),
                (AggregateKind::Array | AggregateKind::Object, _) => (Key::At(field.name.clone()), true),
            };
            if *kind == AggregateKind::Array {
                terms.push(term_of(state, &part));
            }
            value = value.with_part(&key, part, strong);
        }
        let ty = match kind {
            AggregateKind::Struct(_) => {
                Some(self.with_field_arguments(ty, variant.as_deref(), fields, &value))
            }
            AggregateKind::Array => Some(Ty::Sequence(Box::new(self.element_ty(&value)))),
            AggregateKind::Tuple => Some(tuple_type(&value, fields.len())),
            AggregateKind::Object => {
                Some(Ty::External { path: "serde_json::Value".into(), args: Vec::new() })
            }
        };
        let union = matches!(&ty, Some(Ty::Adt { id, .. }) if self.program.type_(*id).ir.union);
        let value = if union { state.flattened(&value) } else { value };
        let value = value.with_type(ty);
        let value = match kind {
            AggregateKind::Array if terms.len() == fields.len() => value.with_term(Term::call("[]", terms)),
            _ => value,
        };
        if open || union { value } else { value.update(|data| data.closed = true) }
    }

    /// A struct literal's type with the arguments that its fields decide, where the context gave none.
    fn with_field_arguments(&self, ty: Ty, variant: Option<&str>, fields: &[FieldInit], value: &Value) -> Ty {
        let Ty::Adt { id, args } = &ty else { return ty };
        if !args.is_empty() {
            return ty;
        }
        let part = |name: &Name| match variant {
            Some(variant) => value.part(&Key::Variant(variant.into(), name.clone())),
            None => value.part(&Key::Field(name.clone())),
        };
        let known: Vec<(Name, Ty)> = fields
            .iter()
            .filter_map(|field| Some((field.name.clone(), part(&field.name).ty()?.clone())))
            .collect();
        let args = self.program.arguments_of_fields(*id, variant.unwrap_or_default(), &known);
        Ty::Adt { id: *id, args }
    }

    fn element_ty(&self, value: &Value) -> Ty {
        value.element().ty().cloned().unwrap_or(Ty::Unknown)
    }

    /// The type of a struct literal, and the variant when it is one of an enum.
    fn struct_type(&mut self, frame: &Frame<'a>, path: &'a Path, expected: &Ty) -> (Ty, Option<Name>) {
        match self.program.resolve_pattern(frame.scope, path) {
            ValueDef::Constructor { ty, variant } => {
                let named = path.segments.iter().rev().nth(usize::from(variant.is_some()));
                let written: Vec<Ty> = match named {
                    Some(segment) => segment.args.iter().map(|ty| self.resolve_type(frame, ty)).collect(),
                    None => Vec::new(),
                };
                let args = match expected {
                    _ if !written.is_empty() => written,
                    Ty::Adt { id, args } if *id == ty => args.clone(),
                    _ => Vec::new(),
                };
                (Ty::Adt { id: ty, args }, variant)
            }
            ValueDef::External(paths) => {
                let path = paths.into_iter().next().unwrap_or_default();
                (Ty::External { path, args: Vec::new() }, None)
            }
            _ => (Ty::Unknown, None),
        }
    }

    fn format(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        name: &Name,
        pieces: &'a [FormatPiece],
        args: &'a [Argument],
        span: Span,
    ) -> Value {
        let values: Vec<Value> = args.iter().map(|arg| self.operand(frame, state, &arg.operand)).collect();
        let mut taint: Vec<Taint> = Vec::new();
        let mut terms = Vec::new();
        for piece in pieces {
            match piece {
                FormatPiece::Text(text) => terms.push(Rc::new(Term::Literal(text.clone()))),
                FormatPiece::Argument { index, format } => {
                    let Some(value) = values.get(*index) else { continue };
                    let shown = self.formatted(frame, state, value, *format, args[*index].span);
                    taint = super::value::union(&taint, &state.deep_taints(&shown));
                    terms.push(self.shown_term(state, value, *format));
                }
            }
        }
        let step = Step { span, kind: StepKind::Through };
        let ty = Ty::External { path: "std::string::String".into(), args: Vec::new() };
        let value = Value::tainted(taint).with_type(Some(ty)).with_term(Term::text(terms)).with_step(step);
        match name.as_str() {
            "print" | "println" | "eprint" | "eprintln" => Value::clean(),
            _ => value,
        }
    }

    fn shown_term(&self, state: &State, value: &Value, format: FormatTrait) -> Rc<Term> {
        let term = self.typed_term(state, value);
        match format {
            FormatTrait::Debug => Term::call("debug", vec![term]),
            FormatTrait::Number => Term::call("hex", vec![term]),
            FormatTrait::Padded(width) => {
                Term::call("pad", vec![term, Rc::new(Term::Literal(width.to_string().into()))])
            }
            FormatTrait::Display | FormatTrait::Pointer => term,
        }
    }

    /// The text of a value: what its `Display` implementation writes, or everything in it.
    pub fn formatted(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        value: &Value,
        format: FormatTrait,
        span: Span,
    ) -> Value {
        let target = state.dereference(value);
        let path = match format {
            FormatTrait::Display | FormatTrait::Padded(_) => "std::fmt::Display",
            FormatTrait::Debug => "std::fmt::Debug",
            FormatTrait::Pointer => return self.pointer_text(frame, span),
            FormatTrait::Number => "std::fmt::LowerHex",
        };
        if let Some(ty @ Ty::Adt { .. }) = target.ty().map(peel) {
            let ty = ty.clone();
            let functions = self.program.trait_method(path, &ty, &[], "fmt");
            if !functions.is_empty() {
                let buffer = self.heap(span, None);
                state.set_object(buffer, literal_text(""));
                let receiver = self.as_reference(frame, state, value);
                let out = Value::reference(vec![Location::of(buffer)]);
                self.call_functions(frame, state, &functions, vec![receiver, out], &[], span);
                return state.object(buffer);
            }
        }
        let derived = if path == "std::fmt::Display" { self.derived_text(state, &target) } else { None };
        let mut shown = derived.unwrap_or_else(|| state.flattened(value));
        if format == FormatTrait::Debug
            && let Some(row) = self.spec.format_source(false)
            && target.ty().is_some_and(|ty| !prints_like_itself(peel(ty)))
        {
            let taint = self.source(frame, row, span);
            shown = shown.add_taint(&[taint]);
        }
        self.unordered(frame, &target, shown, span)
    }

    fn pointer_text(&mut self, frame: &Frame<'a>, span: Span) -> Value {
        match self.spec.format_source(true) {
            Some(row) => Value::tainted(vec![self.source(frame, row, span)]),
            None => Value::clean(),
        }
    }

    /// A text or sequence made of a collection without order carries that as a source.
    pub fn unordered(&mut self, frame: &Frame<'a>, collection: &Value, result: Value, span: Span) -> Value {
        let Some(ty) = collection.ty() else { return result };
        let path = self.type_path(peel(ty));
        match self.spec.iteration_source(&path) {
            Some(row) => {
                let taint = self.source(frame, row, span);
                result.add_taint(&[taint])
            }
            None => result,
        }
    }

    fn make_closure(&mut self, frame: &mut Frame<'a>, state: &mut State, id: ClosureId) -> Value {
        let index = self.closure(frame, id);
        let closure = &frame.body.closures[id.0 as usize];
        let captures = closure
            .captures
            .iter()
            .enumerate()
            .map(|(position, capture)| {
                let base = Base::Local(capture.outer.0);
                let value = state.object(base);
                let value = match capture.by_reference {
                    true => Value::reference(vec![Location::of(base)]).with_type(value.ty().cloned()),
                    false => value,
                };
                (Key::capture(index, position), value)
            })
            .collect();
        let value = Value::aggregate(captures).update(|data| data.callables = vec![Callable::Closure(index)]);
        frame.created.insert(index, value.clone());
        value
    }

    fn wait(&mut self, frame: &mut Frame<'a>, state: &mut State, operand: &'a Operand, span: Span) -> Value {
        let value = self.operand(frame, state, operand);
        self.await_value(frame, state, value, span)
    }

    /// The result of a future: an async block runs now, a call has run already.
    pub fn await_value(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        value: Value,
        span: Span,
    ) -> Value {
        let future = state.dereference(&value);
        let blocks: Vec<Callable> = future
            .callables()
            .iter()
            .filter(|callable| match callable {
                Callable::Closure(index) => {
                    self.closures[*index as usize].closure.kind == ClosureKind::AsyncBlock
                }
                _ => false,
            })
            .cloned()
            .collect();
        if !blocks.is_empty() {
            let mut result = Value::BOTTOM;
            for block in blocks {
                let value = self.invoke(frame, state, &block, &future, Vec::new(), span);
                result = result.join(&value);
            }
            // One of several futures, of which others are calls that have run.
            return match future.data() {
                Some(data) if !data.taint.is_empty() => result.join(&Value::tainted(data.taint.clone())),
                _ => result,
            };
        }
        if let Some(ty @ Ty::Adt { .. }) = future.ty().map(peel) {
            let ty = ty.clone();
            let functions = self.program.trait_method("std::future::Future", &ty, &[], "poll");
            if !functions.is_empty() {
                let receiver = self.as_reference(frame, state, &value);
                let polled =
                    self.call_functions(frame, state, &functions, vec![receiver, Value::clean()], &[], span);
                return self.typed_part(&polled, &Key::Variant("Ready".into(), "0".into()));
            }
            let functions = self.program.trait_method("std::future::IntoFuture", &ty, &[], "into_future");
            if !functions.is_empty() {
                let made = self.call_functions(frame, state, &functions, vec![value], &[], span);
                return self.await_value(frame, state, made, span);
            }
        }
        let value = of_joined_task(self.await_parts(frame, state, value, span, MAX_AWAITED_DEPTH));
        of_yielded_type(value).map_taints(&|taint| {
            if taint.flags.has(Flags::OPAQUE) {
                taint.flags = taint.flags.with(Flags::AWAITED);
            }
        })
    }

    /// Async blocks that a library's future drives (`timeout(.., async { .. })`, `join_all`) run when it is awaited.
    fn await_parts(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        value: Value,
        span: Span,
        depth: usize,
    ) -> Value {
        let parts = value.data().map_or(&[][..], |data| &data.parts);
        let mut awaited = Vec::new();
        for (key, part) in parts.iter().filter(|(key, _)| !matches!(key, Key::Capture(_))) {
            if !part.callables().is_empty() {
                awaited.push((key.clone(), self.await_value(frame, state, part.clone(), span)));
            } else if is_task_handle(part) {
                awaited.push((key.clone(), of_joined_task(part.clone())));
            } else if depth > 0 && part.data().is_some_and(|data| !data.parts.is_empty()) {
                awaited.push((key.clone(), self.await_parts(frame, state, part.clone(), span, depth - 1)));
            }
        }
        awaited.into_iter().fold(value.clone(), |value, (key, part)| value.with_part(&key, part, true))
    }

    pub fn is_map(&self, ty: &Ty) -> bool {
        let Ty::External { path, .. } = ty else { return false };
        path.ends_with("Map") && !path.ends_with("iter::Map") || self.spec.is_map(path)
    }
}

/// Whether a statement binds a name of a pattern to a part of what is matched: it stands at the name itself.
fn is_binding(frame: &Frame<'_>, place: &Place, value: &Rvalue, span: Span) -> bool {
    let (PlaceBase::Local(local), Rvalue::Use(Operand::Place(part))) = (&place.base, value) else {
        return false;
    };
    place.projections.is_empty()
        && !part.projections.is_empty()
        && frame.body.locals.get(local.0 as usize).is_some_and(|local| local.span == span)
}

/// The types that an operand may have; a number literal may be of any numeric type.
pub fn operand_types(state: &State, value: &Value) -> Vec<Ty> {
    match state.dereference(value).ty().map(peel) {
        Some(Ty::Unknown) | None => {
            let numbers = ["i64", "i32", "u64", "u32", "f64", "usize", "u8", "i128", "u128", "f32"];
            numbers.iter().map(|path| Ty::External { path: (*path).into(), args: Vec::new() }).collect()
        }
        Some(ty) => vec![ty.clone()],
    }
}

/// The most nodes of the type of a tuple; larger parts have an unknown type.
const MAX_TYPE_SIZE: usize = 400;
/// How deep inside of an awaited value other futures are looked for.
const MAX_AWAITED_DEPTH: usize = 1;
/// How deep lists are shown.
const MAX_LIST_DEPTH: usize = 3;

/// The term of a value, behind references.
pub fn term_of(state: &State, value: &Value) -> Rc<Term> {
    term_within(state, value, 0)
}

fn term_within(state: &State, value: &Value, depth: usize) -> Rc<Term> {
    match value.data() {
        Some(data) if data.term.is_none() && !data.refs.is_empty() => {
            let target = state.dereference(value);
            list_term(state, &target, depth).unwrap_or_else(|| Term::of(&target))
        }
        Some(_) => list_term(state, value, depth).unwrap_or_else(|| Term::of(value)),
        None => Term::of(value),
    }
}

/// The term of a list whose elements are all known.
fn list_term(state: &State, value: &Value, depth: usize) -> Option<Rc<Term>> {
    let data = value.data()?;
    let unknown = !data.closed || !data.taint.is_empty() || !data.aliases.is_empty() || data.parts.is_empty();
    if unknown || data.term.is_some() || depth >= MAX_LIST_DEPTH {
        return None;
    }
    let mut parts = Vec::with_capacity(data.parts.len());
    for (key, part) in &data.parts {
        let Key::At(index) = key else { return None };
        parts.push((index.parse::<usize>().ok()?, term_within(state, part, depth + 1)));
    }
    parts.sort_by_key(|(index, _)| *index);
    Some(Term::call("[]", parts.into_iter().map(|(_, term)| term).collect()))
}

/// `current = &current.next`: what the variable referred to, where it would refer to itself.
fn without_self_reference(state: &State, base: Base, value: Value) -> Value {
    if value.refs().iter().all(|location| location.base != base) {
        return value;
    }
    let (own, other): (Vec<Location>, Vec<Location>) =
        value.refs().iter().cloned().partition(|location| location.base == base);
    let kept = if other.is_empty() { Value::BOTTOM } else { value.clone().update(|data| data.refs = other) };
    own.iter().fold(kept, |joined, location| joined.join_elements(&state.load(location)))
}

/// What a library's future yields has no longer the type of a future.
fn of_yielded_type(value: Value) -> Value {
    let yielded = match value.ty() {
        Some(Ty::External { path, args }) if path == "std::future::Future" => {
            args.first().cloned().filter(|ty| *ty != Ty::Unknown)
        }
        _ => return value,
    };
    value.update(|data| data.ty = yielded.map(Rc::new))
}

fn is_task_handle(value: &Value) -> bool {
    matches!(value.ty(), Some(Ty::External { path, .. }) if path.ends_with("JoinHandle"))
}

/// What the handle of a task yields: `Ok` of the task's result, and the result itself where tasks cannot fail.
fn of_joined_task(value: Value) -> Value {
    if !is_task_handle(&value) {
        return value;
    }
    let result = value.update(|data| data.ty = None);
    let term = result.data().and_then(|data| data.term.clone());
    let both = result.with_part(&Key::Variant("Ok".into(), "0".into()), result.clone(), true);
    let both = both.with_part(&Key::Variant("Err".into(), "0".into()), Value::clean(), true);
    both.update(|data| data.term = term)
}

/// An empty or constant text.
pub fn literal_text(text: &str) -> Value {
    let ty = Ty::External { path: "std::string::String".into(), args: Vec::new() };
    Value::aggregate(Vec::new())
        .with_type(Some(ty))
        .with_term(Rc::new(Term::Literal(text.into())))
        .update(|data| data.closed = false)
}

/// A sequence with these parts and no others.
pub fn sequence(parts: Vec<(Key, Value)>) -> Value {
    let element = parts.first().and_then(|(_, value)| value.ty().cloned()).unwrap_or(Ty::Unknown);
    Value::aggregate(parts).with_type(Some(Ty::Sequence(Box::new(element))))
}

fn tuple_type(value: &Value, count: usize) -> Ty {
    // A tuple of pairs of pairs would have a type of exponential size.
    let mut left = MAX_TYPE_SIZE;
    let mut part = |index: usize| {
        let part = value.part(&Key::Field(index.to_string().into()));
        let ty = part.ty().filter(|ty| ty.fits(&mut left));
        ty.cloned().unwrap_or(Ty::Unknown)
    };
    Ty::Tuple((0..count).map(&mut part).collect())
}

/// Types whose `{:?}` text is as stable as their `{}` text.
fn prints_like_itself(ty: &Ty) -> bool {
    match ty {
        Ty::External { path, .. } => !path.contains("::") || path == "std::string::String",
        Ty::Tuple(parts) => parts.iter().all(prints_like_itself),
        Ty::Sequence(inner) => prints_like_itself(inner),
        _ => false,
    }
}

fn same_head(a: &Ty, b: &Ty) -> bool {
    match (a, b) {
        (Ty::Adt { id: x, args: p }, Ty::Adt { id: y, args: q }) => x == y && p.len() <= q.len(),
        (Ty::External { path: x, args: p }, Ty::External { path: y, args: q }) => {
            x == y && p.len() <= q.len()
        }
        _ => false,
    }
}
