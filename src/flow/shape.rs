//! Calling contexts: what a body is told about its arguments besides where their taint comes from.
//!
//! A body is analysed once with symbolic parameters. It is analysed again only where the argument brings
//! something that decides which code runs: a closure, or a concrete type for a generic or dynamic parameter.

use super::state::State;
use super::value::{Base, Callable, Key, Location, ParamPath, Value};
use crate::ir::Name;
use crate::resolve::{FunctionId, Owner, Program, Ty};

/// More facts are not told.
const MAX_FACTS: usize = 24;
/// Parts that are nested deeper are not looked at.
const MAX_NESTING: usize = 5;
/// Fields that are nested deeper are not asked for callables.
const MAX_OPEN_FIELDS: usize = 3;

/// Something known of a part of an argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Fact {
    /// What it calls.
    Callables(Vec<Callable>),
    /// Its concrete type.
    Type(Ty),
    /// The concrete types that it may have.
    Types(Vec<Ty>),
    /// It is a reference, although its declared type does not say so.
    Reference,
}

/// A calling context.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Shape {
    facts: Vec<(ParamPath, Fact)>,
    /// Generic parameters that are bound explicitly; `Self` for a trait's default method.
    pub generics: Vec<(Name, Ty)>,
}

impl Shape {
    /// The context of a call with these arguments to parameters of these declared types.
    pub fn of(program: &Program, state: &State, declared: &[Ty], args: &[Value]) -> Shape {
        let mut shape = Shape::default();
        for (index, value) in args.iter().enumerate() {
            let declared = declared.get(index).unwrap_or(&Ty::Unknown);
            let mut path = ParamPath::root(index as u32);
            // A part of the caller's own parameter that is a pointer has no place of its own here.
            let symbolic = value.ty().is_some_and(is_reference)
                && value.data().is_some_and(|data| !data.aliases.is_empty());
            if !value.refs().is_empty() || symbolic {
                if !is_reference(declared) {
                    shape.facts.push((path.clone(), Fact::Reference));
                }
                path = ParamPath::behind(index as u32);
            }
            if is_reference(declared) {
                path = ParamPath::behind(index as u32);
            }
            shape.collect(program, state, &state.dereference(value), &path, peel(declared), 0);
            // What a channel holds does not say that it is one.
            if path.behind
                && is_open(declared)
                && let Some(ty @ Ty::External { path: end, .. }) =
                    state.innermost(value).ty().map(behind_reference)
                && is_channel_end(end)
            {
                shape.facts.push((path, Fact::Type(ty.clone())));
            }
        }
        shape.facts.truncate(MAX_FACTS);
        shape
    }

    fn collect(
        &mut self,
        program: &Program,
        state: &State,
        value: &Value,
        path: &ParamPath,
        declared: &Ty,
        depth: usize,
    ) {
        let Some(data) = value.data() else { return };
        if !data.callables.is_empty() {
            self.facts.push((path.clone(), Fact::Callables(data.callables.clone())));
        }
        if let Some(ty) = data.ty.as_deref()
            && is_open(declared)
            && !says_less(peel(ty), declared)
            && matches!(peel(ty), Ty::Adt { .. } | Ty::External { .. } | Ty::Tuple(_) | Ty::Sequence(_))
        {
            self.facts.push((path.clone(), Fact::Type(peel(ty).clone())));
        }
        if is_open(declared) && !value.mixed_types().is_empty() {
            let types = value.mixed_types().iter().map(|ty| peel(ty).clone()).collect();
            self.facts.push((path.clone(), Fact::Types(types)));
        }
        if depth >= MAX_NESTING || self.facts.len() >= MAX_FACTS {
            return;
        }
        let declared_here = if is_open(declared) { value.ty().unwrap_or(&Ty::Unknown) } else { declared };
        for (key, part) in &data.parts {
            if matches!(key, Key::Capture(_)) {
                // A shared pointer that a closure took along: what it writes there is seen by others.
                if let (Some(path), Some(ty)) = (path.extend(key), part.ty())
                    && is_reference(ty)
                {
                    self.facts.push((path, Fact::Type(ty.clone())));
                }
                let part = state.dereference(part);
                // Of a type of the tree, operators and methods are its own.
                if let (Some(path), Some(ty @ Ty::Adt { .. })) = (path.extend(key), part.ty()) {
                    self.facts.push((path, Fact::Type(ty.clone())));
                }
                if let Some(path) = path.extend(key)
                    && (!part.callables().is_empty() || depth == 0)
                {
                    self.collect(program, state, &part, &path, &Ty::Tuple(Vec::new()), depth + 1);
                }
                continue;
            }
            let field = match key {
                Key::Field(name) => program.field_type(declared_here, name),
                Key::Element | Key::At(_) => program.element_type(declared_here),
                Key::Variant(variant, name) => program.variant_field_type(declared_here, variant, name),
                _ => Ty::Unknown,
            };
            if let Some(path) = path.extend(key) {
                let before = self.facts.len();
                self.collect(program, state, &state.dereference(part), &path, peel(&field), depth + 1);
                if !part.refs().is_empty() {
                    self.keep_reference(before, &path, &field);
                }
                // `iter_mut().enumerate()`: what is in the pair can be changed through it.
                let plain = |(at, fact): &(ParamPath, Fact)| *at == path && matches!(fact, Fact::Type(_));
                let undeclared = field == Ty::Unknown || *declared == Ty::Unknown && !is_reference(&field);
                let unseen = !path.behind && undeclared && !part.refs().is_empty();
                if unseen && self.facts[before..].iter().all(plain) {
                    self.facts.insert(before, (path, Fact::Reference));
                }
            }
        }
    }

    /// A part that is declared as a reference stays one, to what is known of the type behind it.
    fn keep_reference(&mut self, from: usize, at: &ParamPath, declared: &Ty) {
        for (path, fact) in &mut self.facts[from..] {
            let Fact::Type(ty) = fact else { continue };
            if path != at || is_reference(ty) {
                continue;
            }
            match declared {
                Ty::Reference { mutable, .. } => {
                    *ty = Ty::Reference { mutable: *mutable, inner: Box::new(ty.clone()) };
                }
                Ty::External { path, .. } if is_shared_pointer(path) => {
                    *ty = Ty::External { path: path.clone(), args: vec![ty.clone()] };
                }
                _ => {}
            }
        }
    }

    /// Whether nothing is told.
    pub fn is_general(&self) -> bool {
        self.facts.is_empty() && self.generics.is_empty()
    }

    /// The concrete type of a whole parameter, or of what it refers to.
    pub fn parameter_type(&self, index: u32) -> Option<&Ty> {
        self.facts.iter().find_map(|(path, fact)| match fact {
            Fact::Type(ty) if path.index == index && path.keys.is_empty() => Some(ty),
            _ => None,
        })
    }

    /// The initial value of a parameter of this declared type.
    pub fn parameter(&self, index: u32, declared: &Ty) -> Value {
        let told = self.facts.iter().any(|(path, fact)| {
            path.index == index && !path.behind && path.keys.is_empty() && *fact == Fact::Reference
        });
        if told || is_reference(declared) {
            let value = Value::reference(vec![Location::of(Base::Param(index))]);
            return value.with_type(Some(declared.clone()));
        }
        let value = Value::alias(ParamPath::root(index)).with_type(Some(declared.clone()));
        self.with_facts(value, index, false)
    }

    /// The initial values of what parameters refer to, where something is known of them.
    pub fn memory(&self) -> Vec<(Base, Value)> {
        let mut indices: Vec<u32> =
            self.facts.iter().filter(|(path, _)| path.behind).map(|(path, _)| path.index).collect();
        indices.sort_unstable();
        indices.dedup();
        indices
            .into_iter()
            .map(|index| {
                let value = Value::alias(ParamPath::behind(index));
                (Base::Param(index), self.with_facts(value, index, true))
            })
            .collect()
    }

    fn with_facts(&self, value: Value, index: u32, behind: bool) -> Value {
        self.facts.iter().filter(|(path, _)| path.index == index && path.behind == behind).fold(
            value,
            |value, (path, fact)| match fact {
                Fact::Reference if !path.keys.is_empty() => {
                    let target = Location { base: Base::Param(index), keys: path.keys.to_vec() };
                    replaced(&value, &path.keys, Value::reference(vec![target]))
                }
                _ => apply(&value, &path.keys, fact),
            },
        )
    }
}

fn replaced(value: &Value, keys: &[Key], part: Value) -> Value {
    match keys.split_first() {
        Some((key, rest)) => value.with_part(key, replaced(&value.part(key), rest, part), true),
        None => part,
    }
}

fn apply(value: &Value, keys: &[Key], fact: &Fact) -> Value {
    match keys.split_first() {
        Some((key, rest)) => value.with_part(key, apply(&value.part(key), rest, fact), true),
        None => value.clone().update(|data| match fact {
            Fact::Callables(callables) => data.callables = callables.clone(),
            Fact::Type(ty) => data.ty = Some(std::rc::Rc::new(ty.clone())),
            Fact::Types(types) => data.mixed = types.iter().cloned().map(std::rc::Rc::new).collect(),
            Fact::Reference => {}
        }),
    }
}

/// Whether values of the type refer to memory that others see: references, shared pointers and ends of channels.
pub fn is_reference(ty: &Ty) -> bool {
    match ty {
        Ty::Reference { .. } => true,
        Ty::External { path, .. } => is_shared_pointer(path) || is_channel_end(path),
        _ => false,
    }
}

fn is_shared_pointer(path: &str) -> bool {
    matches!(path, "std::rc::Rc" | "std::sync::Arc" | "std::rc::Weak" | "std::sync::Weak")
}

fn behind_reference(ty: &Ty) -> &Ty {
    match ty {
        Ty::Reference { inner, .. } => behind_reference(inner),
        _ => ty,
    }
}

/// Whether a type from outside is an end of a channel, by its name.
pub fn is_channel_end(path: &str) -> bool {
    path.ends_with("Sender") || path.ends_with("Receiver")
}

/// The type behind references and owning or shared pointers.
pub fn peel(ty: &Ty) -> &Ty {
    match ty {
        Ty::Reference { inner, .. } => peel(inner),
        Ty::External { path, args } if is_pointer(path) => args.first().map_or(ty, peel),
        _ => ty,
    }
}

/// The standard pointers that behave like the value that they hold.
pub fn is_pointer(path: &str) -> bool {
    matches!(
        path,
        "std::boxed::Box"
            | "std::rc::Rc"
            | "std::sync::Arc"
            | "std::pin::Pin"
            | "std::borrow::Cow"
            | "std::cell::Ref"
            | "std::cell::RefMut"
            | "std::sync::MutexGuard"
            | "std::sync::RwLockReadGuard"
            | "std::sync::RwLockWriteGuard"
            | "std::mem::ManuallyDrop"
            | "std::sync::LazyLock"
            | "std::cell::LazyCell"
            | "once_cell::sync::Lazy"
            | "once_cell::unsync::Lazy"
    )
}

/// Whether a function's types leave open which code runs in it: generic or dynamic parameters, callables, also in
/// the fields of what it takes.
pub fn is_open_function(program: &Program, function: FunctionId) -> bool {
    let definition = program.function(function);
    let generic_owner = match definition.owner {
        Owner::Trait(_) => true,
        Owner::Impl(block) => !program.impl_(block).generics.params.is_empty(),
        Owner::None => false,
    };
    let generic = !definition.ir.generics.params.is_empty();
    generic_owner
        || generic
        || program.parameter_types(function).iter().any(|ty| holds_open(program, ty, MAX_OPEN_FIELDS))
}

fn holds_open(program: &Program, ty: &Ty, levels: usize) -> bool {
    let ty = peel(ty);
    if is_open(ty) || matches!(ty, Ty::Function { .. }) {
        return true;
    }
    let Ty::Adt { id, .. } = ty else { return false };
    levels > 0
        && program.type_(*id).fields(None).iter().any(|field| {
            let field = program.field_type(ty, &field.name);
            field != Ty::Unknown && holds_open(program, &field, levels - 1)
        })
}

/// Whether the type of a collection that was seen knows its elements less than the declared one does.
fn says_less(seen: &Ty, declared: &Ty) -> bool {
    let unknown = |args: &[Ty]| args.is_empty() || args.contains(&Ty::Unknown);
    match (seen, declared) {
        (Ty::Sequence(inner), Ty::Sequence(_) | Ty::External { .. }) => **inner == Ty::Unknown,
        (Ty::External { path: a, args }, Ty::External { path: b, args: known }) => {
            a == b && unknown(args) && !unknown(known)
        }
        _ => false,
    }
}

/// Whether the declared type leaves open which code runs.
fn is_open(ty: &Ty) -> bool {
    match ty {
        Ty::Param { .. } | Ty::Dyn(_) | Ty::Unknown => true,
        Ty::Adt { args, .. } | Ty::External { args, .. } | Ty::Tuple(args) => args.iter().any(is_open),
        Ty::Sequence(inner) | Ty::Reference { inner, .. } => is_open(inner),
        Ty::Function { .. } => false,
    }
}
