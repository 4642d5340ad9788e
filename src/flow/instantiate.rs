//! Taking over a summary at a call site: parameters become arguments.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::engine::{Engine, Frame};
use super::places::resolved_refs;
use super::result::FlowRecord;
use super::shape::peel;
use super::state::State;
use super::summary::{SinkReach, SinkSite, Summary};
use super::term::Term;
use super::trace::{Step, StepKind, Trace};
use super::transfer::term_of;
use super::value::{Base, Data, Flags, Key, Location, Origin, ParamPath, Taint, Value, joined_types, union};
use crate::ir::Span;
use crate::resolve::{FunctionId, StaticId, Ty};

/// The arguments of one call, in the state before it.
struct Site<'s> {
    args: &'s [Value],
    before: &'s State,
    heap: &'s FxHashMap<u32, Base>,
    /// Places behind parameters whose content the callee gives back a reference to, although it put something else
    /// there since.
    moved: &'s [Location],
    span: Span,
}

impl Site<'_> {
    /// What the caller passes for a part of a parameter.
    fn argument(&self, path: &ParamPath) -> Value {
        let Some(value) = self.args.get(path.index as usize) else { return Value::clean() };
        let mut value = if path.behind { self.before.dereference(value) } else { value.clone() };
        for key in path.keys.iter() {
            value = self.before.part(&value, key);
        }
        value
    }

    /// Where a part of what a parameter refers to is in the caller's memory.
    fn places(&self, index: u32, keys: &[Key]) -> Vec<Location> {
        let Some(value) = self.args.get(index as usize) else { return Vec::new() };
        let mut locations = targets(self.before, value);
        let mut value = self.before.dereference(value);
        for key in keys {
            let mut next = Vec::new();
            value = self.before.part(&value, key);
            if locations.is_empty() {
                locations = targets(self.before, &value);
                continue;
            }
            for location in &locations {
                let part = location.part(key.clone());
                let inner = self.before.load(&part);
                if !inner.refs().is_empty() {
                    next.extend(inner.refs().iter().cloned());
                } else {
                    next.push(part);
                }
            }
            next.sort();
            next.dedup();
            locations = next;
        }
        locations
    }

    fn continued(&self, outer: &Taint, inner: &Taint) -> Taint {
        let step = Step { span: self.span, kind: StepKind::Argument };
        Taint {
            origin: outer.origin.clone(),
            flags: outer.flags.with(inner.flags),
            trace: outer.trace.with(step).then(&inner.trace),
        }
    }

    fn taints(&self, inner: &Taint) -> Vec<Taint> {
        match &inner.origin {
            Origin::Source(_) | Origin::Static(_) => {
                let step = Step { span: self.span, kind: StepKind::Return };
                vec![Taint { trace: inner.trace.with(step), ..inner.clone() }]
            }
            Origin::Param(path) => self
                .before
                .deep_taints(&self.argument(path))
                .iter()
                .map(|outer| self.continued(outer, inner))
                .collect(),
        }
    }

    /// A value of the callee in terms of the caller.
    fn value(&self, value: &Value) -> Value {
        let Some(data) = value.data() else { return Value::BOTTOM };
        let mut base = Value::BOTTOM;
        for alias in &data.aliases {
            let Origin::Param(path) = &alias.origin else { continue };
            let argument = self.argument(path);
            let argument = argument.map_taints(&|outer| *outer = self.continued(outer, alias));
            base = base.join_elements(&argument);
        }
        let mut refs = Vec::new();
        for location in &data.refs {
            match location.base {
                Base::Param(index) => {
                    let places = self.places(index, &location.keys);
                    if places.is_empty() || self.moved.contains(location) {
                        let path = location
                            .keys
                            .iter()
                            .try_fold(ParamPath::behind(index), |path, key| path.extend(key));
                        if let Some(path) = path {
                            base = base.join_elements(&self.argument(&path));
                        }
                    }
                    refs.extend(places);
                }
                Base::Heap(id) => {
                    let base = self.heap.get(&id).copied().unwrap_or(location.base);
                    refs.push(Location { base, keys: location.keys.clone() });
                }
                Base::Static(_) => refs.push(location.clone()),
                Base::Local(_) => {}
            }
        }
        let taint = data.taint.iter().fold(Vec::new(), |all, taint| union(&all, &self.taints(taint)));
        let had_alias = !base.is_bottom();
        if !had_alias {
            base = Value::new(Data { closed: data.closed, ..Data::default() });
        }
        base = base.add_taint(&taint);
        for (key, part) in &data.parts {
            base = base.with_part(key, self.value(part), *key != Key::Element || !had_alias);
        }
        let term = data.term.as_ref().map(|term| self.term(term));
        base.update(|new| {
            new.refs.extend(refs);
            new.refs.sort();
            new.refs.dedup();
            new.refs.truncate(super::value::MAX_REFS);
            new.callables.extend(data.callables.iter().cloned());
            new.callables.sort();
            new.callables.dedup();
            if !had_alias {
                new.mixed.clone_from(&data.mixed);
            } else if !data.refs.is_empty() {
                // What the callee put beside it may be of another type.
                (new.ty, new.mixed) = joined_types(new, data);
            }
            if new.mixed.is_empty()
                && new.ty.as_deref().is_none_or(|ty| matches!(ty, Ty::Unknown | Ty::Param { .. }))
                && data.ty.is_some()
            {
                new.ty.clone_from(&data.ty);
            }
            if term.is_some() || !data.parts.is_empty() {
                new.term = term;
            }
        })
    }

    fn term(&self, term: &Rc<Term>) -> Rc<Term> {
        term.substitute(&|path| {
            let value = self.argument(path);
            term_of(self.before, &value)
        })
    }
}

impl<'a> Engine<'a> {
    /// Applies a summary: writes its effects, records what reaches sinks, and gives the result.
    pub fn instantiate(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        summary: &Summary,
        args: &[Value],
        span: Span,
    ) -> Value {
        self.instantiate_moved(frame, state, summary, args, &[], span)
    }

    /// The same where the callee may have moved on from what it gives back (`moved_references`).
    pub fn instantiate_moved(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        summary: &Summary,
        args: &[Value],
        moved: &[Location],
        span: Span,
    ) -> Value {
        let heap = summary.heap.iter().map(|(id, _)| (*id, self.heap(span, Some(*id)))).collect();
        if summary.heap.is_empty() && summary.effects.is_empty() && summary.statics.is_empty() {
            return self.take_over(frame, &Site { args, before: state, heap: &heap, moved, span }, summary);
        }
        state.count_copy();
        let before = state.clone();
        let site = Site { args, before: &before, heap: &heap, moved, span };
        for (id, content) in &summary.heap {
            let base = heap[id];
            let old = state.object(base);
            state.set_object(base, old.join_elements(&site.value(content)));
        }
        for (index, content) in &summary.effects {
            let Some(argument) = args.get(*index as usize) else { continue };
            let locations = targets(&before, argument);
            apply_effect(state, &site, &locations, argument, content, &ParamPath::behind(*index));
        }
        for (id, content) in &summary.statics {
            self.apply_static(state, &site, StaticId(*id), content);
        }
        self.take_over(frame, &site, summary)
    }

    /// What a closure holds of its own after a call, by its positions.
    pub fn kept_after(
        &mut self,
        before: &State,
        summary: &Summary,
        args: &[Value],
        span: Span,
    ) -> Vec<(u32, Value)> {
        let heap = summary.heap.iter().map(|(id, _)| (*id, self.heap(span, Some(*id)))).collect();
        let site = Site { args, before, heap: &heap, moved: &[], span };
        summary.kept.iter().map(|(position, content)| (*position, site.value(content))).collect()
    }

    /// Records what reaches sinks, and gives the result.
    fn take_over(&mut self, frame: &mut Frame<'a>, site: &Site<'_>, summary: &Summary) -> Value {
        frame.summary.holds_sink |= summary.holds_sink;
        frame.summary.open_call |= summary.open_call;
        if frame.recording {
            for reach in &summary.reaches {
                self.apply_reach(frame, site, reach);
            }
        }
        site.value(&summary.result)
    }

    /// Places of the result whose content is what a reference in a parameter led to before the callee replaced that
    /// reference: `self.at = node.next; &node.item`.
    pub fn moved_references(&self, declared: &[Ty], summary: &Summary) -> Vec<Location> {
        let mut places = Vec::new();
        if !summary.effects.is_empty() {
            collect_places(&summary.result, &mut places);
        }
        places.retain(|place| {
            let Base::Param(index) = place.base else { return false };
            let effect = summary.effects.iter().find(|(of, _)| *of == index);
            match (effect, declared.get(index as usize)) {
                (Some((_, content)), Some(ty)) => self.is_moved(content, ty, index, &place.keys),
                _ => false,
            }
        });
        places
    }

    fn is_moved(&self, content: &Value, declared: &Ty, index: u32, keys: &[Key]) -> bool {
        let mut content = content.clone();
        let mut ty = peel(declared).clone();
        let mut path = ParamPath::behind(index);
        let mut replaced = false;
        for key in keys {
            let Some(next) = path.extend(key) else { return false };
            path = next;
            if !replaced {
                let Some(part) = content.listed_part(key).cloned() else { return false };
                replaced =
                    !part.data().is_some_and(|data| data.aliases.iter().any(|alias| alias.is_of(&path)));
                content = part;
            }
            ty = match key {
                Key::Field(name) => self.program.field_type(&ty, name),
                Key::Variant(variant, name) => self.program.variant_field_type(&ty, variant, name),
                _ => self.program.element_type(&ty),
            };
            if let Ty::Reference { .. } = ty {
                return replaced;
            }
        }
        false
    }

    fn apply_static(&mut self, state: &mut State, site: &Site<'_>, id: StaticId, content: &Value) {
        let base = Base::Static(id);
        if !state.has(base) {
            let value = self.static_value(id);
            state.set_object(base, value);
        }
        let new = state.object(base).join_elements(&site.value(content));
        state.set_object(base, new);
    }

    fn apply_reach(&mut self, frame: &mut Frame<'a>, site: &Site<'_>, reach: &SinkReach) {
        let argument = site.argument(&reach.from);
        let inner = Taint {
            origin: Origin::Param(reach.from.clone()),
            flags: reach.flags,
            trace: reach.trace.clone(),
        };
        let term = site.term(&reach.term);
        for outer in site.before.deep_taints(&argument) {
            let taint = site.continued(&outer, &inner);
            match taint.origin {
                Origin::Source(source) => {
                    self.flow(source, reach.sink, taint.flags, taint.trace, term.clone(), frame.owner);
                }
                Origin::Static(id) => {
                    self.statics_read.insert(id);
                }
                Origin::Param(from) => frame.summary.add_reach(SinkReach {
                    sink: reach.sink,
                    from,
                    flags: taint.flags,
                    trace: taint.trace,
                    term: term.clone(),
                }),
            }
        }
    }

    /// Records that a source reaches a sink; of several ways the shortest is shown, and a restriction holds only
    /// when it holds on all of them.
    pub fn flow(
        &mut self,
        source: u32,
        sink: SinkSite,
        flags: Flags,
        trace: Trace,
        term: Rc<Term>,
        function: Option<FunctionId>,
    ) {
        if flags.has(Flags::ORDERED) && self.spec.is_order(self.sources[source as usize].row) {
            return;
        }
        let record = FlowRecord { source, sink, flags, trace, term, function };
        match self.flows.entry((source, sink)) {
            std::collections::btree_map::Entry::Vacant(slot) => {
                slot.insert(record);
            }
            std::collections::btree_map::Entry::Occupied(mut slot) => {
                let existing = slot.get_mut();
                let flags = Flags(existing.flags.0 & record.flags.0);
                if record.trace.better_than(&existing.trace) {
                    *existing = record;
                }
                existing.flags = flags;
            }
        }
    }
}

/// The places behind parameters that a value or a part of it refers to.
fn collect_places(value: &Value, places: &mut Vec<Location>) {
    let Some(data) = value.data() else { return };
    places.extend(data.refs.iter().filter(|place| matches!(place.base, Base::Param(_))).cloned());
    data.parts.iter().for_each(|(_, part)| collect_places(part, places));
}

/// Where a reference points; a part of the caller's own parameter stands for the memory behind it.
fn targets(state: &State, value: &Value) -> Vec<Location> {
    if !value.refs().is_empty() {
        return resolved_refs(state, value);
    }
    let Some(data) = value.data() else { return Vec::new() };
    data.aliases
        .iter()
        .filter_map(|alias| match &alias.origin {
            Origin::Param(path) => Some(Location { base: Base::Param(path.index), keys: path.keys.to_vec() }),
            Origin::Source(_) | Origin::Static(_) => None,
        })
        .collect()
}

/// Writes what a callee left behind a parameter to where the argument points.
fn apply_effect(
    state: &mut State,
    site: &Site<'_>,
    locations: &[Location],
    argument: &Value,
    content: &Value,
    path: &ParamPath,
) {
    let Some(data) = content.data() else { return };
    let own = |taint: &Taint| taint.is_of(path);
    // A closure of the callee's own that was added says nothing of what was there before.
    let called = site.before.dereference(argument);
    let new_callable = data.callables.iter().any(|callable| !called.callables().contains(callable));
    let kept = data.taint.is_empty() && !new_callable && data.aliases.iter().any(own);
    let others: Vec<&Taint> = data.aliases.iter().filter(|alias| !own(alias)).collect();
    if kept && data.refs.is_empty() && others.iter().all(|alias| is_sibling(alias, path)) {
        // Some other element may have been written there.
        if path.keys.last() != Some(&Key::Element) && !others.is_empty() {
            let aliases = others.into_iter().cloned().collect();
            let value = site.value(&Value::new(Data { aliases, ..Data::default() }));
            locations.iter().for_each(|location| state.store(location, value.clone(), false));
        }
        for (key, part) in &data.parts {
            let Some(inner) = path.extend(key) else { continue };
            let old = site.before.part(argument, key);
            let next: Vec<Location> = match old.refs() {
                // A closure by value is nowhere itself, but what it took along may be.
                [] if locations.is_empty() => targets(site.before, &old),
                [] => locations.iter().map(|location| location.part(key.clone())).collect(),
                _ if part.refs().is_empty() => resolved_refs(site.before, &old),
                _ => locations.iter().map(|location| location.part(key.clone())).collect(),
            };
            apply_effect(state, site, &next, &old, part, &inner);
        }
        return;
    }
    let value = site.value(content);
    let strong = locations.len() == 1;
    for location in locations {
        state.store(location, value.clone(), strong);
    }
    write_captured(state, site, argument, content, path);
}

/// Closures that a callee took out of what it was given and ran have written to what they captured, wherever they
/// are now.
fn write_captured(state: &mut State, site: &Site<'_>, argument: &Value, content: &Value, path: &ParamPath) {
    let Some(data) = content.data() else { return };
    for (key, part) in &data.parts {
        let Some(inner) = path.extend(key) else { continue };
        let old = site.before.part(argument, key);
        match (key, old.refs()) {
            (Key::Capture(_), refs @ [_, ..]) if part.refs().is_empty() => {
                let refs = refs.to_vec();
                apply_effect(state, site, &refs, &old, part, &inner);
            }
            _ => write_captured(state, site, &old, part, &inner),
        }
    }
}

/// Whether an alias stands for some element of the collection of which the path names one.
fn is_sibling(alias: &Taint, path: &ParamPath) -> bool {
    let Origin::Param(of) = &alias.origin else { return false };
    let element = |key: &Key| matches!(key, Key::Element | Key::At(_));
    let same = |(a, b): (&Key, &Key)| {
        a == b || (*a == Key::Element || *b == Key::Element) && element(a) && element(b)
    };
    of.index == path.index
        && of.keys.len() == path.keys.len()
        && of.keys.iter().zip(path.keys.iter()).all(same)
}
