//! The abstract memory at a program point.

use std::collections::BTreeMap;

use super::iterate::one_of;
use super::taints::marked;
use super::term::Term;
use super::value::{Base, Data, Flags, Key, Location, Origin, ParamPath, Taint, Value, union};
use crate::resolve::Ty;

/// Copying a memory of no more objects than this is no work to speak of.
const FREE_OBJECTS: usize = 500;
/// Of the objects beyond those, how many are copied for the work of one merged taint.
const OBJECTS_PER_WORK: usize = 16;
/// How many places one look through references may load; a web of references would be walked on every way.
const MAX_LOADS: u32 = 24;
/// How far references are followed when everything below a value is asked for.
const MAX_REFERENCE_DEPTH: usize = 5;
/// How many places may have to be loaded to find one.
const MAX_LOADING: usize = 8;

/// Memory objects and their values. An object that is not listed has its initial value: bottom for a local and
/// for shared memory, the parameter's content for what a parameter refers to.
#[derive(Clone, Debug, Default)]
pub struct State {
    memory: BTreeMap<Base, Value>,
    /// Loads left in the look through references that is under way.
    fuel: std::cell::Cell<u32>,
}

impl State {
    /// The value of a whole object.
    pub fn object(&self, base: Base) -> Value {
        match (self.memory.get(&base), base) {
            (Some(value), _) => value.clone(),
            (None, Base::Param(index)) => Value::alias(ParamPath::behind(index)),
            (None, Base::Static(_)) => Value::clean(),
            (None, _) => Value::BOTTOM,
        }
    }

    /// Whether the object was given a value.
    pub fn has(&self, base: Base) -> bool {
        self.memory.contains_key(&base)
    }

    /// Counts the work of copying a large memory: a body of ten thousand blocks keeps as many copies of it.
    pub fn count_copy(&self) {
        super::value::add_work((self.memory.len().saturating_sub(FREE_OBJECTS) / OBJECTS_PER_WORK) as u64);
    }

    /// All objects that have a value.
    pub fn objects(&self) -> impl Iterator<Item = (&Base, &Value)> {
        self.memory.iter()
    }

    /// Replaces a whole object.
    pub fn set_object(&mut self, base: Base, value: Value) {
        self.memory.insert(base, value);
    }

    /// The value at a place. References inside the path are followed.
    pub fn load(&self, location: &Location) -> Value {
        self.load_within(location, None)
    }

    fn load_within(&self, location: &Location, outer: Option<&Loading<'_>>) -> Value {
        if outer.is_none() {
            self.fuel.set(MAX_LOADS);
        }
        let left = self.fuel.get();
        if left == 0 {
            return Value::BOTTOM;
        }
        self.fuel.set(left - 1);
        super::value::add_work(4);
        let here = Loading { location, outer };
        let mut value = self.object(location.base);
        for key in &location.keys {
            let whole = self.dereference_within(&value, Some(&here));
            value = match key {
                Key::View => whole.sub_range(),
                _ => own_part(&whole, key),
            };
        }
        value
    }

    /// A part of a value, references followed first.
    pub fn part(&self, value: &Value, key: &Key) -> Value {
        own_part(&self.dereference(value), key)
    }

    /// What a value refers to, or the value itself when it refers to nothing.
    pub fn dereference(&self, value: &Value) -> Value {
        self.dereference_within(value, None)
    }

    fn dereference_within(&self, value: &Value, loading: Option<&Loading<'_>>) -> Value {
        let mut value = value.clone();
        for _ in 0..MAX_REFERENCE_DEPTH {
            if value.refs().is_empty() {
                return value;
            }
            value = self.pointee_within(&value, loading);
        }
        value
    }

    /// The last reference on the way to what a value refers to, or the value itself when it refers to nothing.
    pub fn innermost(&self, value: &Value) -> Value {
        let mut value = value.clone();
        for _ in 0..MAX_REFERENCE_DEPTH {
            let next = self.pointee(&value);
            if next.refs().is_empty() {
                return value;
            }
            value = next;
        }
        value
    }

    /// What a reference refers to, one level; its own flags and taint carry over.
    pub fn pointee(&self, value: &Value) -> Value {
        self.pointee_within(value, None)
    }

    fn pointee_within(&self, value: &Value, loading: Option<&Loading<'_>>) -> Value {
        let either = value.data().is_some_and(|data| data.either);
        let join = if either { Value::join } else { Value::join_elements };
        let mut joined = Value::BOTTOM;
        for location in value.refs() {
            // A place on the way to itself adds nothing.
            if loading.is_none_or(|loading| !loading.includes(location)) {
                joined = join(&joined, &self.load_within(location, loading));
            }
        }
        let Some(data) = value.data() else { return joined };
        let beside = data.either && is_something(data);
        let joined = if beside { joined.with_flags(Flags::MAYBE) } else { joined };
        // On some way it is not a reference but the thing itself.
        let joined = match value.is_also_itself() {
            true => join(
                &joined,
                &value.clone().update(|data| {
                    data.refs.clear();
                    data.ty = None;
                }),
            ),
            false => joined,
        };
        let joined = match data.ty.as_deref().map(reference_target) {
            Some(known) if decides(known, joined.ty()) => joined.with_type(Some(known.clone())),
            _ => joined,
        };
        if data.taint.is_empty() { joined } else { joined.add_taint(&data.taint) }
    }

    /// Writes to a place: replaces (strong) or joins (weak). References inside the path are followed.
    pub fn store(&mut self, location: &Location, value: Value, strong: bool) {
        let keys = &location.keys;
        if keys.is_empty() || !self.memory.get(&location.base).is_some_and(|object| leads_away(object, keys))
        {
            return self.store_directly(location, value, strong);
        }
        let targets = self.through_references(location);
        let strong = strong && targets.len() == 1;
        for target in &targets {
            self.store_directly(target, value.clone(), strong);
        }
    }

    /// Where a place is when the references on the way to it are followed.
    fn through_references(&self, location: &Location) -> Vec<Location> {
        let mut places = vec![Location::of(location.base)];
        for key in &location.keys {
            let mut next: Vec<Location> = Vec::new();
            for place in places {
                let found = super::places::resolved_refs(self, &self.load(&place));
                let is_plain = found.is_empty();
                next.extend(found.into_iter().map(|found| found.part(key.clone())));
                if is_plain {
                    next.push(place.part(key.clone()));
                }
            }
            next.sort();
            next.dedup();
            next.truncate(MAX_LOADING);
            places = next;
        }
        places
    }

    fn store_directly(&mut self, location: &Location, value: Value, strong: bool) {
        let object = self.object(location.base);
        let item = location.keys.contains(&Key::Element);
        let new = write(&object, &location.keys, value, strong && !item, item);
        self.memory.insert(location.base, new);
    }

    /// Everything that taints a value, its parts and what it refers to.
    pub fn deep_taints(&self, value: &Value) -> Vec<Taint> {
        let mut all = Vec::new();
        let mut seen = Vec::new();
        self.deep(value, MAX_REFERENCE_DEPTH, &mut all, &mut seen);
        all
    }

    fn deep(&self, value: &Value, depth: usize, all: &mut Vec<Taint>, seen: &mut Vec<Location>) {
        let Some(data) = value.data() else { return };
        let contents = if data.either && depth > 0 { self.contents(data) } else { Vec::new() };
        if !data.taint.is_empty() || !data.aliases.is_empty() {
            let own = union(&data.taint, &data.aliases);
            let beside = contents.iter().any(is_stable);
            let own: Vec<Taint> = own.iter().map(|taint| marked(taint, beside)).collect();
            *all = union(all, &own);
        }
        for (key, part) in &data.parts {
            if !matches!(key, Key::Capture(..)) || data.callables.is_empty() {
                self.deep(part, depth, all, seen);
            }
        }
        if depth == 0 {
            return;
        }
        let itself = data.either && is_something(data);
        for (index, location) in data.refs.iter().enumerate() {
            if seen.contains(location) {
                continue;
            }
            seen.push(location.clone());
            let mut others = contents.iter().enumerate().filter(|(other, _)| *other != index);
            let beside = itself || others.any(|(_, other)| is_stable(other));
            let mut found = Vec::new();
            self.deep(&self.load(location), depth - 1, &mut found, seen);
            let found: Vec<Taint> = found.iter().map(|taint| marked(taint, beside)).collect();
            *all = union(all, &found);
        }
    }

    fn contents(&self, data: &Data) -> Vec<Value> {
        data.refs.iter().map(|location| self.load(location)).collect()
    }

    /// A clean or tainted value without structure that stands for everything in `value`.
    pub fn flattened(&self, value: &Value) -> Value {
        Value::tainted(self.deep_taints(value))
    }

    /// Adds taint to a place.
    pub fn taint(&mut self, location: &Location, taint: &[Taint], flags: Flags) {
        if taint.is_empty() {
            return;
        }
        let taint: Vec<Taint> =
            taint.iter().map(|t| Taint { flags: t.flags.with(flags), ..t.clone() }).collect();
        let old = self.load(location);
        let new = old.add_taint(&taint).update(|data| data.term = None);
        self.store(location, new, true);
    }

    /// The state where two ways meet.
    #[must_use]
    pub fn join(&self, other: &State) -> State {
        let mut joined = self.clone();
        joined.absorb(other);
        joined
    }

    /// Makes this the state where it meets another way. Takes no longer than the other one is large, so that ten
    /// thousand ways can meet.
    pub fn absorb(&mut self, other: &State) {
        self.absorb_by(other, |_, own, added| own.join(added));
    }

    /// The same, where only some objects may be one or the other: the rest was changed in place on the way.
    pub fn absorb_changed(&mut self, other: &State, replaced: impl Fn(Base) -> bool) {
        self.absorb_by(other, |base, own, added| match replaced(base) {
            true => own.join(added),
            false => own.join_elements(added),
        });
    }

    /// Makes this the state before a turn of a loop over items, which the end of a turn reaches as well. What a turn
    /// adds is there whenever there are items.
    pub fn absorb_turn(&mut self, turn: &State) {
        self.absorb_by(turn, |_, own, added| own.join_with(added, (true, false), 0).bounded());
    }

    fn absorb_by(&mut self, other: &State, join: impl Fn(Base, &Value, &Value) -> Value) {
        // A local that one side never assigned is out of scope there, and so is shared memory that it never made;
        // other objects have an initial value.
        let unassigned: Vec<Base> = self
            .memory
            .range(Base::Param(0)..)
            .map(|(base, _)| *base)
            .filter(|base| !matches!(base, Base::Heap(_)) && !other.has(*base))
            .collect();
        for base in unassigned {
            let joined = join(base, &self.object(base), &other.object(base));
            self.memory.insert(base, joined);
        }
        for (base, value) in &other.memory {
            let mine = self.object(*base);
            if !mine.shares(value) {
                self.memory.insert(*base, join(*base, &mine, value));
            }
        }
    }

    /// Whether both hold the same facts.
    pub fn same(&self, other: &State) -> bool {
        self.memory.len() == other.memory.len()
            && self.memory.iter().zip(&other.memory).all(|(a, b)| a.0 == b.0 && a.1.same(b.1))
    }

    /// Replaces each object that differs from `older` by a value without structure, so that iteration ends.
    pub fn widen(&mut self, older: &State) {
        let changed: Vec<Base> = self
            .memory
            .iter()
            .filter(|(base, value)| !older.object(**base).same(value))
            .map(|(base, _)| *base)
            .collect();
        for base in changed {
            let value = self.object(base);
            let taints = union(&value.blurred_taints(), &older.object(base).blurred_taints());
            let ty = value.ty().cloned();
            let refs = value.refs().to_vec();
            let callables = value.callables().to_vec();
            let mixed = value.data().map_or(Vec::new(), |data| data.mixed.clone());
            let flat = Value::tainted(taints).with_type(ty).update(|data| {
                data.mixed = mixed;
                data.refs = refs;
                data.callables = callables;
            });
            self.memory.insert(base, flat);
        }
    }
}

/// The places that are being loaded, from the innermost outwards: a loop over a linked structure may leave a
/// variable that refers to a part of itself.
struct Loading<'s> {
    location: &'s Location,
    outer: Option<&'s Loading<'s>>,
}

impl Loading<'_> {
    /// Whether the place, or too many, are being loaded.
    fn includes(&self, location: &Location) -> bool {
        let mut depth = 0;
        let mut current = Some(self);
        while let Some(loading) = current {
            depth += 1;
            if loading.location == location || depth >= MAX_LOADING {
                return true;
            }
            current = loading.outer;
        }
        false
    }
}

/// Whether another alternative is a fallback beside this content.
fn is_stable(content: &Value) -> bool {
    content.data().is_some_and(Data::is_stable_alternative)
}

/// Whether a value that is one of several has a way on which it is no reference, but something stable itself.
fn is_something(data: &Data) -> bool {
    let fresh = |taint: &Taint| matches!(taint.origin, Origin::Source(_));
    let literal = |term: &Term| matches!(term, Term::Literal(_) | Term::Unknown);
    let known = data.term.as_deref().is_some_and(|term| !literal(term));
    !data.taint.iter().any(fresh) && (known || !data.aliases.is_empty() || !data.taint.is_empty())
}

/// Whether a reference stands on the way to a part.
fn leads_away(value: &Value, keys: &[Key]) -> bool {
    if !value.refs().is_empty() {
        return true;
    }
    match keys {
        [key, rest @ ..] if !rest.is_empty() => {
            value.listed_part(key).is_some_and(|part| leads_away(part, rest))
        }
        _ => false,
    }
}

fn own_part(value: &Value, key: &Key) -> Value {
    match key {
        Key::Element => value.element(),
        _ => value.part(key),
    }
}

/// The type behind a reference; a reference may also carry the type of its target directly.
fn reference_target(ty: &Ty) -> &Ty {
    match ty {
        Ty::Reference { inner, .. } => inner,
        Ty::External { path, args } if matches!(path.as_str(), "std::rc::Rc" | "std::sync::Arc") => {
            args.first().unwrap_or(&Ty::Unknown)
        }
        _ => ty,
    }
}

/// Whether the type that a reference carries goes before the type of what is stored there: a view into a cell
/// has the type of the cell's content.
fn decides(carried: &Ty, stored: Option<&Ty>) -> bool {
    match (carried, stored) {
        (Ty::Unknown | Ty::Param { .. } | Ty::Dyn(_) | Ty::Function { .. } | Ty::Reference { .. }, _) => {
            false
        }
        (_, None | Some(Ty::Unknown | Ty::Param { .. } | Ty::Dyn(_))) => true,
        (Ty::Adt { id, .. }, Some(Ty::Adt { id: other, .. })) => id != other,
        (Ty::External { path, .. }, Some(Ty::External { path: other, .. })) => path != other,
        (Ty::Sequence(_), Some(Ty::Sequence(_))) | (Ty::Tuple(_), Some(Ty::Tuple(_))) => false,
        _ => true,
    }
}

fn write(object: &Value, keys: &[Key], value: Value, strong: bool, item: bool) -> Value {
    match keys.split_first() {
        None if strong => value,
        // One of several places is written: it has the old value or the new one.
        None if !item => one_of(object.join_elements(&value), 0),
        None => object.join_elements(&value),
        Some((Key::View, rest)) => write(object, rest, value, strong && !rest.is_empty(), item),
        Some((key, rest)) => {
            let part = if *key == Key::Element { object.element() } else { object.part(key) };
            let new = write(&part, rest, value, strong, item);
            // The recursive call has joined already where it had to.
            object.with_part(key, new, strong || *key != Key::Element)
        }
    }
}
