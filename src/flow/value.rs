//! Abstract values: the lattice of the flow engine.
//!
//! A [`Value`] says, for a value and each of its parts, which sources and which parts of the enclosing
//! function's parameters it may hold, what it points to, and what happens when it is called. Parts that are not
//! listed inherit from the whole; a *closed* value has no other parts than those listed.

use std::rc::Rc;

use super::shape::peel;
pub use super::taints::{add_work, union, work};
use super::taints::{insert, same_taints, union_marked};
use super::term::Term;
use super::trace::{Step, Trace};
use crate::ir::Name;
use crate::resolve::{FunctionId, StaticId, Ty, TypeId};

/// The longest access path; longer ones are cut, and the part then stands for everything below it.
pub const MAX_PATH: usize = 6;
/// The deepest nesting of listed parts.
const MAX_DEPTH: usize = 8;
/// The most listed parts of one value.
const MAX_PARTS: usize = 64;
/// The most nodes of one value; a part that would make it larger loses its own structure.
const MAX_WEIGHT: usize = 40;

/// A step of an access path.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// A field, also of a tuple.
    Field(Name),
    /// A field of a variant's payload.
    Variant(Name, Name),
    /// Any element of a collection, or any value of a map.
    Element,
    /// The element at a literal index or key.
    At(Name),
    /// Any key of a map.
    MapKey,
    /// A captured variable of a closure.
    Capture(u32),
    /// A sub-range of a sequence: the sequence itself, but indexes below it are shifted. Only in locations.
    View,
}

impl Key {
    /// The captured variable at a position of a closure; closures that are alternatives keep theirs apart.
    pub fn capture(closure: u32, position: usize) -> Key {
        Key::Capture((closure << 8) | (position as u32 & 0xff))
    }
}

/// A part of a parameter of the function under analysis.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ParamPath {
    /// Which parameter.
    pub index: u32,
    /// Whether the path starts at what the parameter refers to.
    pub behind: bool,
    /// The path into it; references are not steps.
    pub keys: Rc<[Key]>,
}

impl ParamPath {
    /// The whole parameter.
    pub fn root(index: u32) -> ParamPath {
        ParamPath { index, behind: false, keys: Rc::from([]) }
    }

    /// What the parameter refers to.
    pub fn behind(index: u32) -> ParamPath {
        ParamPath { index, behind: true, keys: Rc::from([]) }
    }

    /// The path with one more step, or `None` when it would be too long.
    pub fn extend(&self, key: &Key) -> Option<ParamPath> {
        if self.keys.len() >= MAX_PATH {
            return None;
        }
        let mut keys = self.keys.to_vec();
        keys.push(key.clone());
        Some(ParamPath { index: self.index, behind: self.behind, keys: keys.into() })
    }
}

/// Where a taint comes from.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Origin {
    /// A source site, by its index in the analysis.
    Source(u32),
    /// Whatever taints the part of a parameter.
    Param(ParamPath),
    /// Whatever is written to a static.
    Static(StaticId),
}

/// What happened to a value on its way, as a set of bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Flags(pub u16);

impl Flags {
    /// Only one of several alternatives; another one is stable.
    pub const MAYBE: Flags = Flags(1);
    /// Through a call with several possible targets.
    pub const POSSIBLE: Flags = Flags(1 << 1);
    /// Through an unresolved call.
    pub const OPAQUE: Flags = Flags(1 << 2);
    /// Through an unresolved call whose result was awaited.
    pub const AWAITED: Flags = Flags(1 << 3);
    /// A clock that was cut to an hour or less.
    pub const SHORT_BUCKET: Flags = Flags(1 << 4);
    /// A clock that was cut to a day or longer.
    pub const LONG_BUCKET: Flags = Flags(1 << 5);
    /// Handed to a store before.
    pub const STORED: Flags = Flags(1 << 6);
    /// Through a static or an in-process cache.
    pub const IN_PROCESS: Flags = Flags(1 << 7);
    /// Through a hash.
    pub const HASHED: Flags = Flags(1 << 8);
    /// Through a field written elsewhere, matched by type and name only.
    pub const FIELD: Flags = Flags(1 << 9);
    /// Through `{:?}`.
    pub const DEBUG: Flags = Flags(1 << 10);
    /// Put in order, so that sources of order alone do not count any more.
    pub const ORDERED: Flags = Flags(1 << 11);
    /// Through a structure that was too large to tell its parts apart.
    pub const BLURRED: Flags = Flags(1 << 12);
    /// From the state that an application gives to all its handlers.
    pub const SHARED: Flags = Flags(1 << 13);

    /// The union.
    #[must_use]
    pub fn with(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }

    /// The flags without `other`.
    #[must_use]
    pub fn without(self, other: Flags) -> Flags {
        Flags(self.0 & !other.0)
    }

    /// Whether all of `other` is set.
    pub fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    /// What holds of a value that arrives on two ways: a restriction holds only when it holds on both.
    pub fn merge(self, other: Flags) -> Flags {
        Flags(self.0 & other.0)
    }
}

/// An origin with what happened since.
#[derive(Clone, Debug)]
pub struct Taint {
    /// Where it comes from.
    pub origin: Origin,
    /// What happened on the way.
    pub flags: Flags,
    /// The way.
    pub trace: Trace,
}

impl Taint {
    /// Whether it stands for this part of a parameter, be it behind a reference or not.
    pub fn is_of(&self, path: &ParamPath) -> bool {
        matches!(&self.origin, Origin::Param(of) if of.index == path.index && of.keys == path.keys)
    }
}

/// A memory object of the function under analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Base {
    /// A local.
    Local(u32),
    /// What a parameter refers to.
    Param(u32),
    /// Shared memory (`Rc`, `Arc`, channels), by allocation site and calling context.
    Heap(u32),
    /// A static.
    Static(StaticId),
}

/// A place in memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location {
    /// The object.
    pub base: Base,
    /// The path into it.
    pub keys: Vec<Key>,
}

impl Location {
    /// A whole object.
    pub fn of(base: Base) -> Location {
        Location { base, keys: Vec::new() }
    }

    /// A part of this place.
    #[must_use]
    pub fn part(&self, key: Key) -> Location {
        if self.keys.len() >= MAX_PATH + 2 {
            return self.clone();
        }
        let mut keys = self.keys.clone();
        let shifted = keys.last() == Some(&Key::View);
        if shifted {
            keys.pop();
        }
        keys.push(match key {
            Key::At(_) if shifted => Key::Element,
            key => key,
        });
        Location { base: self.base, keys }
    }
}

/// Something that can be called.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Callable {
    /// A closure or async block, by its index in the analysis; its captures are parts of the value.
    Closure(u32),
    /// A function of the tree.
    Function(FunctionId),
    /// A tuple struct or variant.
    Constructor(TypeId, Option<Name>),
    /// A function from outside, by canonical path.
    External(Name),
}

/// An abstract value; cheap to clone. `Value(None)` is bottom: no execution gets here with a value.
#[derive(Clone, Debug, Default)]
pub struct Value(Option<Rc<Data>>);

/// The content of a value that is not bottom.
#[derive(Clone, Debug, Default)]
pub struct Data {
    /// The type, as far as known.
    pub ty: Option<Rc<Ty>>,
    /// The types of the tree that it may have, where they are several; one that is unknown stands for all.
    pub mixed: Vec<Rc<Ty>>,
    /// Taint of the whole, sorted by origin.
    pub taint: Vec<Taint>,
    /// Parts of parameters that this value is equal to, sorted; their structure carries over.
    pub aliases: Vec<Taint>,
    /// Parts that differ from the whole, sorted by key.
    pub parts: Vec<(Key, Value)>,
    /// Whether there are no other parts than those listed.
    pub closed: bool,
    /// What it refers to, sorted.
    pub refs: Vec<Location>,
    /// Whether it refers to one of these only, and not, as any item of a collection does, to each of them.
    pub either: bool,
    /// What it calls when it is called, sorted.
    pub callables: Vec<Callable>,
    /// The symbolic expression; absent when it follows from the rest.
    pub term: Option<Rc<Term>>,
    /// Where the chain of calls starts that made a value of unknown type: a type or function from outside.
    pub root: Option<Name>,
}

impl Value {
    /// No value.
    pub const BOTTOM: Value = Value(None);

    /// A value from its content.
    pub fn new(data: Data) -> Value {
        Value(Some(Rc::new(data)))
    }

    /// A value without taint and without known structure.
    pub fn clean() -> Value {
        Value::new(Data::default())
    }

    /// A clean value of a type.
    pub fn typed(ty: Ty) -> Value {
        Value::new(Data { ty: Some(Rc::new(ty)), ..Data::default() })
    }

    /// A value with one taint.
    pub fn tainted(taint: Vec<Taint>) -> Value {
        Value::new(Data { taint, ..Data::default() })
    }

    /// A reference to places.
    pub fn reference(mut refs: Vec<Location>) -> Value {
        refs.truncate(MAX_REFS);
        Value::new(Data { refs, ..Data::default() })
    }

    /// A value that can be called.
    pub fn callable(callable: Callable) -> Value {
        Value::new(Data { callables: vec![callable], ..Data::default() })
    }

    /// A value with exactly these parts.
    pub fn aggregate(mut parts: Vec<(Key, Value)>) -> Value {
        parts.sort_by(|a, b| a.0.cmp(&b.0));
        Value::new(Data { parts, closed: true, ..Data::default() })
    }

    /// Part of a parameter.
    pub fn alias(path: ParamPath) -> Value {
        let alias = Taint { origin: Origin::Param(path), flags: Flags::default(), trace: Trace::default() };
        Value::new(Data { aliases: vec![alias], ..Data::default() })
    }

    /// The content, `None` for bottom.
    pub fn data(&self) -> Option<&Data> {
        self.0.as_deref()
    }

    /// Whether this is bottom.
    pub fn is_bottom(&self) -> bool {
        self.0.is_none()
    }

    /// The type, when known.
    pub fn ty(&self) -> Option<&Ty> {
        self.data().and_then(|data| data.ty.as_deref())
    }

    /// The types of the tree that it may have, where they are several and all known.
    pub fn mixed_types(&self) -> &[Rc<Ty>] {
        match self.data() {
            Some(data) if data.mixed.iter().all(|ty| **ty != Ty::Unknown) => &data.mixed,
            _ => &[],
        }
    }

    /// Places that it refers to.
    pub fn refs(&self) -> &[Location] {
        self.data().map_or(&[], |data| &data.refs)
    }

    /// Whether a value that refers to something is, on some way, the thing itself.
    pub fn is_also_itself(&self) -> bool {
        self.data().is_some_and(|data| {
            !data.callables.is_empty() || data.parts.iter().any(|(key, _)| !matches!(key, Key::Capture(_)))
        })
    }

    /// What it calls.
    pub fn callables(&self) -> &[Callable] {
        self.data().map_or(&[], |data| &data.callables)
    }

    /// The same value with its content changed.
    #[must_use]
    pub fn update(mut self, change: impl FnOnce(&mut Data)) -> Value {
        if let Some(data) = &mut self.0 {
            change(Rc::make_mut(data));
        }
        self
    }

    /// The same value of a known type.
    #[must_use]
    pub fn with_type(self, ty: Option<Ty>) -> Value {
        match ty {
            Some(ty) if ty != Ty::Unknown => self.update(|data| {
                if !leaves_open(&ty) {
                    data.mixed.clear();
                }
                data.ty = Some(Rc::new(ty));
            }),
            _ => self,
        }
    }

    /// The same value with another term.
    #[must_use]
    pub fn with_term(self, term: Rc<Term>) -> Value {
        self.update(|data| data.term = Some(term))
    }

    /// The same value at the end of a chain of calls that starts there.
    #[must_use]
    pub fn with_root(self, root: Name) -> Value {
        self.update(|data| data.root = Some(root))
    }

    /// The part under a key: listed, or inherited from the whole.
    pub fn part(&self, key: &Key) -> Value {
        let Some(data) = self.data() else { return Value::BOTTOM };
        if let Some(part) = data.listed(key) {
            return part.clone();
        }
        match key {
            Key::At(_) if data.parts.iter().any(|(k, _)| *k == Key::Element) => self.part(&Key::Element),
            _ if data.closed => super::generated::behind_wrapper(data, key),
            Key::Field(name) if !super::generated::is_position(name) => {
                // A field of a thing from outside may be where it keeps its entries.
                let entries = super::entries::entries(data);
                let taint = entries.iter().fold(Vec::new(), |all, (_, e)| union(&all, &e.shallow_taints()));
                data.inherited(key).add_taint(&taint)
            }
            _ => data.inherited(key),
        }
    }

    /// The part under a key, when it is listed.
    pub fn listed_part(&self, key: &Key) -> Option<&Value> {
        self.data()?.listed(key)
    }

    /// The element at any index: the join of all listed elements and the inherited one. What is iterated may be an
    /// option as well.
    pub fn element(&self) -> Value {
        let Some(data) = self.data() else { return Value::BOTTOM };
        let mut joined = if data.closed && data.listed(&Key::Element).is_none() {
            Value::BOTTOM
        } else {
            self.part(&Key::Element)
        };
        for (key, value) in &data.parts {
            if matches!(key, Key::At(_))
                || matches!(key, Key::Variant(name, _) if name == "Some" || name == "Ok")
            {
                joined = joined.join_elements(value);
            }
        }
        joined
    }

    /// A sub-range of this sequence: the elements stay, but not at their indices.
    #[must_use]
    pub fn sub_range(&self) -> Value {
        match self.data() {
            Some(data) if data.parts.iter().any(|(key, _)| matches!(key, Key::At(_))) => {
                let slice = Value::aggregate(vec![(Key::Element, self.element())]);
                slice.update(|new| {
                    new.ty.clone_from(&data.ty);
                    new.taint.clone_from(&data.taint);
                    new.closed = data.closed;
                })
            }
            _ => self.clone(),
        }
    }

    /// This value with the part under a key replaced (strong) or joined (weak).
    #[must_use]
    pub fn with_part(&self, key: &Key, value: Value, strong: bool) -> Value {
        if self.is_bottom() {
            return Value::aggregate(vec![(key.clone(), value)]).update(|data| data.closed = false);
        }
        let value = if strong { value } else { self.part(key).join_elements(&value) };
        let value = value.fitted(MAX_WEIGHT - self.weight(MAX_WEIGHT).min(MAX_WEIGHT));
        // In a value that is deep already, a part is one without parts of its own.
        let value = if self.depth() >= MAX_DEPTH { value.without_structure() } else { value };
        let limit_reached =
            self.data().is_some_and(|d| d.parts.len() >= MAX_PARTS && d.listed(key).is_none());
        self.clone().update(|data| {
            data.term = None;
            if limit_reached && !matches!(key, Key::Capture(_)) {
                let mut lost = value.blurred_taints();
                lost.iter_mut().for_each(|taint| taint.flags = taint.flags.with(Flags::BLURRED));
                data.taint = union(&data.taint, &lost);
                return;
            }
            if matches!(key, Key::Element) && !strong {
                // A write at an unknown index may hit each listed element.
                let added = value.clone();
                for (k, part) in &mut data.parts {
                    if matches!(k, Key::At(_)) {
                        *part = part.join_elements(&added);
                    }
                }
            }
            match data.parts.binary_search_by(|(k, _)| k.cmp(key)) {
                Ok(index) => data.parts[index].1 = value,
                Err(index) => data.parts.insert(index, (key.clone(), value)),
            }
        })
    }

    /// How many nodes the value has, counted up to a limit.
    fn weight(&self, limit: usize) -> usize {
        let Some(data) = self.data() else { return 0 };
        let mut total = 1;
        for (_, part) in &data.parts {
            if total >= limit {
                break;
            }
            total += part.weight(limit - total);
        }
        total
    }

    /// The value with everything in its parts on the whole.
    fn without_structure(&self) -> Value {
        let Some(data) = self.data() else { return Value::BOTTOM };
        if data.parts.is_empty() {
            return self.clone();
        }
        let taint = self.blurred_taints();
        self.clone().update(|data| {
            data.taint = taint;
            data.aliases.clear();
            data.parts.retain(|(key, _)| matches!(key, Key::Capture(_)));
            data.closed = false;
        })
    }

    /// The value with structure only so many levels deep.
    fn cut(&self, levels: usize) -> Value {
        if levels == 0 {
            return self.without_structure();
        }
        self.clone().update(|data| {
            for (_, part) in &mut data.parts {
                *part = part.cut(levels - 1);
            }
        })
    }

    /// The value itself, or one that is as much shallower as `room` nodes ask for: the deepest parts go first, so that
    /// the fields of a large record are not taken for each other.
    fn fitted(self, room: usize) -> Value {
        let mut value = self;
        for levels in [2, 1, 0] {
            if value.weight(room + 1) <= room {
                return value;
            }
            value = value.cut(levels);
        }
        value
    }

    /// The value itself, or a shallower one when it has too many nodes.
    pub fn bounded(self) -> Value {
        let mut value = self;
        for levels in [4, 3, 2, 1, 0] {
            if value.weight(MAX_WEIGHT * 2) < MAX_WEIGHT * 2 {
                return value;
            }
            value = value.cut(levels);
        }
        value
    }

    fn depth(&self) -> usize {
        let Some(data) = self.data() else { return 0 };
        data.parts.iter().map(|(_, value)| value.depth() + 1).max().unwrap_or(0)
    }

    /// The join at a control-flow merge: origins of only one side are marked as one alternative.
    #[must_use]
    pub fn join(&self, other: &Value) -> Value {
        self.join_with(other, (true, true), 0).bounded()
    }

    /// The join of two values that are both present, such as the elements of a collection.
    #[must_use]
    pub fn join_elements(&self, other: &Value) -> Value {
        self.join_with(other, (false, false), 0).bounded()
    }

    /// Whether both are one value in memory.
    pub fn shares(&self, other: &Value) -> bool {
        matches!((&self.0, &other.0), (Some(a), Some(b)) if Rc::ptr_eq(a, b))
    }

    /// With `marks` for the first and the second, an origin that only this one has is one of several alternatives.
    pub fn join_with(&self, other: &Value, marks: (bool, bool), depth: usize) -> Value {
        let (Some(a), Some(b)) = (&self.0, &other.0) else {
            return if self.is_bottom() { other.clone() } else { self.clone() };
        };
        if Rc::ptr_eq(a, b) {
            return self.clone();
        }
        let mark_a = marks.0 && b.is_stable_alternative();
        let mark_b = marks.1 && a.is_stable_alternative();
        let mut keys: Vec<&Key> = a.parts.iter().chain(&b.parts).map(|(key, _)| key).collect();
        keys.sort();
        keys.dedup();
        let mut parts = Vec::with_capacity(keys.len());
        if depth <= MAX_DEPTH {
            for key in keys {
                let joined = self.part(key).join_with(&other.part(key), marks, depth + 1);
                parts.push((key.clone(), joined));
            }
        }
        let (ty, mixed) = joined_types(a, b);
        Value::new(Data {
            ty,
            mixed,
            taint: union_marked(&a.taint, &b.taint, mark_a, mark_b),
            aliases: union_marked(&a.aliases, &b.aliases, mark_a, mark_b),
            parts,
            closed: a.closed && b.closed,
            refs: merged_refs(&a.refs, &b.refs),
            either: a.either || b.either || marks.0 && a.refs != b.refs,
            callables: merge_sorted(&a.callables, &b.callables),
            term: Term::joined(self, other, marks.0),
            root: if a.root == b.root { a.root.clone() } else { None },
        })
    }

    /// This value with more taint on the whole.
    #[must_use]
    pub fn add_taint(&self, taint: &[Taint]) -> Value {
        if taint.is_empty() {
            return self.clone();
        }
        let base = if self.is_bottom() { Value::clean() } else { self.clone() };
        base.update(|data| {
            data.taint = union(&data.taint, taint);
            for (_, part) in &mut data.parts {
                *part = part.add_taint(taint);
            }
        })
    }

    /// This value where more than what is listed may have been written to it.
    #[must_use]
    pub fn opened(self) -> Value {
        self.update(|data| {
            data.closed = false;
            for (_, part) in &mut data.parts {
                *part = std::mem::take(part).opened();
            }
        })
    }

    /// All taints of the value and its listed parts, what it refers to excluded.
    pub fn shallow_taints(&self) -> Vec<Taint> {
        let Some(data) = self.data() else { return Vec::new() };
        let own = union(&data.taint, &data.aliases);
        data.parts.iter().fold(own, |all, (_, part)| union(&all, &part.shallow_taints()))
    }

    /// The same, where each of several parts is no longer told from the others.
    pub fn blurred_taints(&self) -> Vec<Taint> {
        let Some(data) = self.data() else { return Vec::new() };
        let several = data.parts.len() > 1;
        let own = union(&data.taint, &data.aliases);
        data.parts.iter().fold(own, |all, (_, part)| {
            let mut taints = part.blurred_taints();
            if several {
                taints.iter_mut().for_each(|taint| taint.flags = taint.flags.with(Flags::BLURRED));
            }
            union(&all, &taints)
        })
    }

    /// This value with each taint, of its parts too, changed.
    #[must_use]
    pub fn map_taints(&self, change: &impl Fn(&mut Taint)) -> Value {
        let Some(data) = self.data() else { return Value::BOTTOM };
        if data.taint.is_empty() && data.aliases.is_empty() && data.parts.is_empty() {
            return self.clone();
        }
        self.clone().update(|data| {
            data.taint.iter_mut().for_each(change);
            data.aliases.iter_mut().for_each(change);
            for (_, part) in &mut data.parts {
                *part = part.map_taints(change);
            }
        })
    }

    /// This value without the taints for which `keep` is false.
    #[must_use]
    pub fn retain_taints(&self, keep: &impl Fn(&Taint) -> bool) -> Value {
        self.clone().update(|data| {
            data.taint.retain(keep);
            for (_, part) in &mut data.parts {
                *part = part.retain_taints(keep);
            }
        })
    }

    /// This value one step further.
    #[must_use]
    pub fn with_step(&self, step: Step) -> Value {
        self.map_taints(&|taint| taint.trace = taint.trace.with(step))
    }

    /// This value with more flags on all its taints.
    #[must_use]
    pub fn with_flags(&self, flags: Flags) -> Value {
        if flags == Flags::default() {
            return self.clone();
        }
        self.map_taints(&|taint| taint.flags = taint.flags.with(flags))
    }

    /// Whether both hold the same facts; traces and terms do not count.
    pub fn same(&self, other: &Value) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(a), Some(b)) => Rc::ptr_eq(a, b) || a.same(b),
            _ => false,
        }
    }
}

impl Data {
    fn listed(&self, key: &Key) -> Option<&Value> {
        self.parts.binary_search_by(|(k, _)| k.cmp(key)).ok().map(|index| &self.parts[index].1)
    }

    fn inherited(&self, key: &Key) -> Value {
        let mut taint = self.taint.clone();
        let mut aliases = Vec::with_capacity(self.aliases.len());
        for alias in &self.aliases {
            let Origin::Param(path) = &alias.origin else { continue };
            match path.extend(key) {
                Some(path) => aliases.push(Taint { origin: Origin::Param(path), ..alias.clone() }),
                None => insert(&mut taint, alias.clone()),
            }
        }
        aliases.sort_by(|a, b| a.origin.cmp(&b.origin));
        let parts = super::generated::kept_settings(&self.parts, key);
        Value::new(Data { taint, aliases, parts, ..Data::default() })
    }

    /// Whether an alternative with this content makes the other side a fallback: it carries no certain source
    /// itself and is not just an empty or literal start value.
    pub fn is_stable_alternative(&self) -> bool {
        // What a reference leads to is asked when it is followed.
        if !self.refs.is_empty() {
            return false;
        }
        let has_source =
            self.taint.iter().any(|t| matches!(t.origin, Origin::Source(_)) && !t.flags.has(Flags::MAYBE));
        !has_source && !self.is_blank()
    }

    fn is_blank(&self) -> bool {
        // A static that nobody in view has written to is as good as empty.
        let unwritten = |taint: &Taint| matches!(taint.origin, Origin::Static(_));
        if self.aliases.is_empty() && !self.taint.is_empty() && self.taint.iter().all(unwritten) {
            return true;
        }
        match self.term.as_deref() {
            Some(Term::Literal(_)) => true,
            Some(_) => false,
            None => self.taint.is_empty() && self.aliases.is_empty() && self.closed,
        }
    }

    fn same(&self, other: &Data) -> bool {
        self.closed == other.closed
            && self.ty == other.ty
            && self.mixed.len() == other.mixed.len()
            && self.mixed.iter().all(|ty| other.mixed.contains(ty))
            && same_taints(&self.taint, &other.taint)
            && same_taints(&self.aliases, &other.aliases)
            && (&self.refs, self.either) == (&other.refs, other.either)
            && self.callables == other.callables
            && self.parts.len() == other.parts.len()
            && self.parts.iter().zip(&other.parts).all(|(a, b)| a.0 == b.0 && a.1.same(&b.1))
    }
}

/// The type of the join of two values, and the types of the tree that it may have where they are several.
pub fn joined_types(a: &Data, b: &Data) -> (Option<Rc<Ty>>, Vec<Rc<Ty>>) {
    let mixed = mix(a, b);
    let ty = match mixed.is_empty() {
        true => join_types(a.ty.as_ref(), b.ty.as_ref()),
        false => [&a.ty, &b.ty].into_iter().flatten().find(|ty| leaves_open(ty)).cloned(),
    };
    (ty, mixed)
}

/// More alternatives than these are not told apart.
const MAX_MIXED: usize = 6;

/// The types of the tree that the join of two values may have; empty when it has one type.
fn mix(a: &Data, b: &Data) -> Vec<Rc<Ty>> {
    let own = |data: &Data| -> Vec<Rc<Ty>> {
        match &data.ty {
            _ if !data.mixed.is_empty() => data.mixed.clone(),
            Some(ty) if matches!(peel(ty), Ty::Adt { .. }) => vec![ty.clone()],
            _ => Vec::new(),
        }
    };
    let (mut all, other) = (own(a), own(b));
    if a.mixed.is_empty() && b.mixed.is_empty() && (all.is_empty() || other.is_empty()) {
        return Vec::new();
    }
    for ty in other {
        let same_head = |known: &Rc<Ty>| match (peel(known), peel(&ty)) {
            (Ty::Adt { id: x, .. }, Ty::Adt { id: y, .. }) => x == y,
            (known, ty) => known == ty,
        };
        if !all.iter().any(same_head) {
            all.push(ty);
        }
    }
    match all.len() {
        0 | 1 if a.mixed.is_empty() && b.mixed.is_empty() => Vec::new(),
        0..=MAX_MIXED => all,
        _ => vec![Rc::new(Ty::Unknown)],
    }
}

/// Whether a type says only what can be done with a value.
pub fn leaves_open(ty: &Ty) -> bool {
    matches!(peel(ty), Ty::Dyn(_) | Ty::Param { .. } | Ty::Unknown)
}

fn join_types(a: Option<&Rc<Ty>>, b: Option<&Rc<Ty>>) -> Option<Rc<Ty>> {
    match (a, b) {
        (Some(a), Some(b)) if a == b => Some(a.clone()),
        (Some(a), Some(b)) => more_general(a, b),
        (one, other) => one.or(other).cloned(),
    }
}

/// Of two types with the same head, the one with more arguments known; otherwise nothing is known.
fn more_general(a: &Rc<Ty>, b: &Rc<Ty>) -> Option<Rc<Ty>> {
    match (a.as_ref(), b.as_ref()) {
        (Ty::Adt { id: x, args: p }, Ty::Adt { id: y, args: q }) if x == y => {
            if p.len() != q.len() {
                return Some(if p.len() > q.len() { a.clone() } else { b.clone() });
            }
            let common = |(p, q): (&Ty, &Ty)| if p == q { p.clone() } else { Ty::Unknown };
            Some(Rc::new(Ty::Adt { id: *x, args: p.iter().zip(q).map(common).collect() }))
        }
        (Ty::External { path: x, args: p }, Ty::External { path: y, args: q }) if x == y => {
            if p.len() != q.len() || p == q {
                return Some(if p.len() >= q.len() { a.clone() } else { b.clone() });
            }
            let args = p.iter().zip(q).map(|(p, q)| common_argument(p, q)).collect();
            Some(Rc::new(Ty::External { path: x.clone(), args }))
        }
        (Ty::Unknown, _) => Some(b.clone()),
        (_, Ty::Unknown) => Some(a.clone()),
        _ => None,
    }
}

/// What is known of a type argument where two are possible: it decides which methods are meant.
fn common_argument(a: &Ty, b: &Ty) -> Ty {
    match (a, b) {
        _ if a == b => a.clone(),
        (Ty::Unknown, known) | (known, Ty::Unknown) => known.clone(),
        (open, _) | (_, open) if leaves_open(open) => open.clone(),
        _ => more_general(&Rc::new(a.clone()), &Rc::new(b.clone()))
            .map_or(Ty::Unknown, |ty| ty.as_ref().clone()),
    }
}

/// The most places that one value refers to.
pub const MAX_REFS: usize = 8;

fn merged_refs(a: &[Location], b: &[Location]) -> Vec<Location> {
    let mut all = merge_sorted(a, b);
    all.truncate(MAX_REFS);
    all
}

fn merge_sorted<T: Ord + Clone>(a: &[T], b: &[T]) -> Vec<T> {
    let mut all: Vec<T> = a.iter().chain(b).cloned().collect();
    all.sort();
    all.dedup();
    all
}
