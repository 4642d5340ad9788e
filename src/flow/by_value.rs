//! What a function changes of parameters that it takes by value: the memory behind their shared pointers.

use super::engine::{BodyRef, Engine, Frame};
use super::shape::is_reference;
use super::state::State;
use super::value::{Base, Key, Origin, ParamPath, Taint, Value};
use crate::resolve::Ty;

impl<'a> Engine<'a> {
    /// What was written through shared pointers inside of a parameter that is passed by value.
    pub fn shared_effects(
        &self,
        frame: &Frame<'a>,
        state: &State,
        index: usize,
        effects: &mut Vec<(u32, Value)>,
    ) {
        let ty = &frame.parameters[index];
        if is_reference(ty) {
            return;
        }
        let position = index as u32;
        let value = state.object(Base::Local(position));
        let path = ParamPath::root(position);
        let Some(content) = self.shared_content(state, &value, ty, &path, 0) else { return };
        add_effect(effects, position, content);
    }

    /// What a closure has written to what it took along by value: the next call finds it there.
    pub fn kept_captures(&self, frame: &Frame<'a>, state: &State) -> Vec<(u32, Value)> {
        let BodyRef::Closure(index) = frame.reference else { return Vec::new() };
        let closure = self.closures[index as usize].closure;
        let own = (0..).zip(&closure.captures).filter(|(_, capture)| !capture.by_reference);
        let changed = own.filter_map(|(position, _)| {
            let local = closure.body.parameters as u32 + position;
            let value = state.object(Base::Local(local));
            let data = value.data()?;
            let same = is_equal_to(&value, &ParamPath::root(local)) && data.taint.is_empty();
            let is_kept = data.refs.is_empty() && !(same && data.parts.is_empty());
            is_kept.then(|| (position, self.export(state, &value, 0)))
        });
        changed.collect()
    }

    /// The same for parts of parameters that are in variables of their own: `fn serve(State(shop): State<Shop>)`.
    pub fn moved_effects(&self, frame: &Frame<'a>, state: &State, effects: &mut Vec<(u32, Value)>) {
        for (base, value) in state.objects() {
            let (Base::Local(local), Some(data)) = (base, value.data()) else { continue };
            let [Taint { origin: Origin::Param(path), .. }] = data.aliases.as_slice() else { continue };
            let is_part = *local as usize >= frame.parameters.len() && !path.behind && !path.keys.is_empty();
            if !is_part || data.parts.is_empty() {
                continue;
            }
            if let Some(content) = self.moved_content(frame, state, value, path) {
                add_effect(effects, path.index, content);
            }
        }
    }

    /// What was written through shared pointers inside of a part of a parameter, as content of the parameter.
    fn moved_content(
        &self,
        frame: &Frame<'a>,
        state: &State,
        value: &Value,
        path: &ParamPath,
    ) -> Option<Value> {
        let mut ty = frame.parameters.get(path.index as usize)?.clone();
        let mut around = vec![ParamPath::root(path.index)];
        for key in path.keys.iter() {
            if is_reference(&ty) {
                return None;
            }
            ty = self.part_type(&ty, key)?;
            around.push(around.last()?.extend(key)?);
        }
        let own = around.pop()?;
        if is_reference(&ty) {
            return None;
        }
        let mut content = self.shared_content(state, value, &ty, &own, 0)?;
        for (path, key) in around.into_iter().zip(path.keys.iter()).rev() {
            content = Value::alias(ParamPath { behind: true, ..path }).with_part(key, content, true);
        }
        Some(content)
    }

    fn part_type(&self, ty: &Ty, key: &Key) -> Option<Ty> {
        match key {
            Key::Field(name) => Some(self.program.field_type(ty, name)),
            Key::Variant(variant, name) => Some(self.program.variant_field_type(ty, variant, name)),
            Key::Element | Key::At(_) => Some(self.program.element_type(ty)),
            Key::MapKey | Key::Capture(_) | Key::View => None,
        }
    }

    /// The parts of a by-value parameter's value that are behind shared pointers and not what they were.
    fn shared_content(
        &self,
        state: &State,
        value: &Value,
        ty: &Ty,
        path: &ParamPath,
        depth: usize,
    ) -> Option<Value> {
        let data = value.data()?;
        if depth > 3 || !data.refs.is_empty() || !is_equal_to(value, path) {
            return None;
        }
        let mut content = Value::alias(ParamPath { behind: true, ..path.clone() });
        let mut found = false;
        for (key, part) in &data.parts {
            let Some(path) = path.extend(key) else { continue };
            let part = match (key, self.part_type(ty, key)) {
                // No declaration says what a closure took along, and it keeps that from call to call.
                (Key::Capture(_), _) if is_equal_to(part, &path) => {
                    self.shared_content(state, part, &Ty::Unknown, &path, depth + 1)
                }
                (Key::Capture(_), _) => Some(self.export(state, part, 0)).filter(|_| part.refs().is_empty()),
                (_, None) => None,
                (_, Some(inner)) if is_reference(&inner) => {
                    Some(self.export(state, part, 0)).filter(|_| part.refs().is_empty())
                }
                (_, Some(inner)) => self.shared_content(state, part, &inner, &path, depth + 1),
            };
            if let Some(part) = part {
                content = content.with_part(key, part, true);
                found = true;
            }
        }
        found.then_some(content)
    }
}

/// Whether a value is what a part of a parameter was, but for the parts that are listed.
fn is_equal_to(value: &Value, path: &ParamPath) -> bool {
    value.data().is_some_and(|data| matches!(data.aliases.as_slice(), [alias] if alias.is_of(path)))
}

fn add_effect(effects: &mut Vec<(u32, Value)>, position: u32, content: Value) {
    match effects.iter_mut().find(|(of, _)| *of == position) {
        Some((_, known)) => *known = known.join_elements(&content),
        None => effects.push((position, content)),
    }
}
