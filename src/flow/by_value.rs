//! What a function changes of parameters that it takes by value: the memory behind their shared pointers.

use super::engine::{Engine, Frame};
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
        match effects.iter_mut().find(|(of, _)| *of == position) {
            Some((_, known)) => *known = known.join_elements(&content),
            None => effects.push((position, content)),
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
        let own = |path: &ParamPath| {
            let same = |taint: &Taint| matches!(&taint.origin, Origin::Param(of) if of.index == path.index && of.keys == path.keys);
            data.aliases.len() == 1 && data.aliases.iter().all(same)
        };
        if depth > 3 || !data.refs.is_empty() || !own(path) {
            return None;
        }
        let mut content = Value::alias(ParamPath { behind: true, ..path.clone() });
        let mut found = false;
        for (key, part) in &data.parts {
            let inner = match key {
                Key::Field(name) => self.program.field_type(ty, name),
                Key::Variant(variant, name) => self.program.variant_field_type(ty, variant, name),
                Key::Element | Key::At(_) => self.program.element_type(ty),
                Key::MapKey | Key::Capture(_) | Key::View => continue,
            };
            let Some(path) = path.extend(key) else { continue };
            let part = match is_reference(&inner) {
                true if part.refs().is_empty() => Some(self.export(state, part, 0)),
                true => None,
                false => self.shared_content(state, part, &inner, &path, depth + 1),
            };
            if let Some(part) = part {
                content = content.with_part(key, part, true);
                found = true;
            }
        }
        found.then_some(content)
    }
}
