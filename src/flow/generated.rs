//! Code that nobody wrote down: what derive macros make of a type, and what calls from outside mean by their names.
//!
//! Derives are told by what they leave: a type of the tree on which a function is called that it does not have.
//! Builders from outside are told by their setters: what was given by `name(value)` is what `name` and `get_name`
//! read.

use std::rc::Rc;

use super::calls::CallSite;
use super::engine::{Engine, Frame};
use super::model::{Flow, Model, Node, Root};
use super::places::resolved_refs;
use super::shape::peel;
use super::state::State;
use super::term::Term;
use super::value::{Callable, Data, Key, Location, Origin, Value};
use super::verdicts::verdict;
use crate::ir::{Attributes, Name, TypeKind};
use crate::resolve::{Ty, TypeId};

/// So many setters in a row make a builder.
const MIN_SETTERS: usize = 2;
/// First words of methods that run a statement that a chain of calls made: rows do not hold what they were found by.
const RUNS: &[&str] = &["all", "one", "load", "execute", "fetch", "exec"];

/// Methods by which what a builder made is taken from it.
pub const FINISHERS: &[&str] = &["build", "try_build", "create", "finish"];

impl<'a> Engine<'a> {
    /// A call of something that a derive made: accessors, setters, and the constructor of all fields.
    pub fn generated(&mut self, frame: &mut Frame<'a>, state: &mut State, site: &CallSite) -> Option<Value> {
        if let Some(value) = verdict(site) {
            return Some(value);
        }
        if let Some(value) = self.called_service(frame, state, site) {
            return Some(value);
        }
        match &site.receiver {
            Some(_) if site.args.is_empty() => self.generated_getter(state, site),
            Some(_) if site.args.len() == 1 => self.generated_setter(state, site),
            Some(_) => None,
            None => {
                self.derived_builder(frame, site).or_else(|| self.generated_constructor(frame, state, site))
            }
        }
    }

    /// `user.name()`, `user.get_name()`, `user.name_mut()` of a type that has the field and no such method.
    fn generated_getter(&self, state: &State, site: &CallSite) -> Option<Value> {
        let receiver = site.receiver.as_ref()?;
        let target = state.dereference(&receiver.value);
        let id = tree_type(&target)?;
        let name = self.field_of(id, &[getter_name(&site.name), &site.name])?;
        let key = Key::Field(name);
        if site.name.ends_with("_mut") {
            let places = self.receiver_places(state, receiver);
            if !places.is_empty() {
                return Some(Value::reference(places.into_iter().map(|at| at.part(key.clone())).collect()));
            }
        }
        let part = self.typed_part(&target, &key);
        // Accessors of optional fields give the content or a default.
        let optional = part.ty().is_some_and(|ty| self.type_path(peel(ty)).ends_with("Option"));
        Some(if optional { state.flattened(&part) } else { part })
    }

    /// `user.set_name(value)` and `user.with_name(value)` of a type that has the field and no such method.
    fn generated_setter(&self, state: &mut State, site: &CallSite) -> Option<Value> {
        let receiver = site.receiver.as_ref()?;
        let argument = site.args.first()?.clone();
        let target = state.dereference(&receiver.value);
        let id = tree_type(&target)?;
        let name = self.field_of(id, &[setter_name(&site.name), &site.name])?;
        let key = Key::Field(name);
        if !site.name.starts_with("set_") {
            return Some(target.with_part(&key, argument, true));
        }
        let places = self.receiver_places(state, receiver);
        let strong = places.len() == 1;
        for place in places {
            self.write(state, &place.part(key.clone()), argument.clone(), strong);
        }
        Some(receiver.value.clone())
    }

    /// `Point::new(x, y)` of a struct without such a function: its fields in order.
    fn generated_constructor(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        site: &CallSite,
    ) -> Option<Value> {
        let owner @ Ty::Adt { id, .. } = peel(&site.self_type) else { return None };
        let definition = self.program.type_(*id);
        let fields: Vec<Name> = match &definition.ir.kind {
            TypeKind::Struct(fields) => fields.iter().map(|field| field.name.clone()).collect(),
            TypeKind::Enum(_) => return None,
        };
        let named = matches!(site.name.as_str(), "new" | "from_parts");
        if !named || fields.len() != site.args.len() || definition.attributes.derives.is_empty() {
            return None;
        }
        let owner = owner.clone();
        let mut parts = Vec::with_capacity(fields.len());
        for (index, (name, value)) in fields.into_iter().zip(site.args.clone()).enumerate() {
            let span = site.arg_spans.get(index).copied().unwrap_or(site.span);
            let value = self.put_field(frame, state, &owner, &name, false, value, site.name_span, span);
            parts.push((Key::Field(name), value));
        }
        Some(Value::aggregate(parts).with_type(Some(owner)))
    }

    fn field_of(&self, id: TypeId, names: &[&str]) -> Option<Name> {
        let fields = self.program.type_(id).fields(None);
        names.iter().find_map(|name| fields.iter().find(|field| field.name == **name)).map(|f| f.name.clone())
    }

    /// The text of a type whose `Display` a derive makes of a format string: of the fields that this names.
    pub fn derived_text(&self, state: &State, value: &Value) -> Option<Value> {
        let definition = self.program.type_(tree_type(value)?);
        let derives =
            |word: &str| definition.attributes.derives.iter().any(|path| path.last_name().ends_with(word));
        if !(derives("Display") || derives("Error") || derives("Snafu")) {
            return None;
        }
        let mut shown = Value::aggregate(Vec::new());
        match &definition.ir.kind {
            TypeKind::Struct(fields) => {
                let template = template(&definition.attributes)?;
                for field in fields.iter().filter(|field| names_field(template, &field.name)) {
                    shown = shown.join_elements(&self.shown(state, value, &Key::Field(field.name.clone())));
                }
            }
            TypeKind::Enum(variants) => {
                for variant in variants {
                    let template = template(&variant.attributes).or_else(|| template(&definition.attributes));
                    let named = |name: &str| template.is_none_or(|template| names_field(template, name));
                    for field in variant.fields.iter().filter(|field| named(&field.name)) {
                        let key = Key::Variant(variant.name.clone(), field.name.clone());
                        shown = shown.join_elements(&self.shown(state, value, &key));
                    }
                }
            }
        }
        Some(shown)
    }

    fn shown(&self, state: &State, value: &Value, key: &Key) -> Value {
        let part = self.typed_part(value, key);
        if part.is_bottom() { part } else { state.flattened(&part) }
    }

    /// What a builder from outside, or what it built, was given by the setter of the name that is read.
    pub fn given_setting(&self, state: &State, site: &CallSite) -> Option<Value> {
        let receiver = site.receiver.as_ref().filter(|_| site.method && site.args.is_empty())?;
        let target = state.dereference(&receiver.value);
        if tree_type(&target).is_some() {
            return None;
        }
        [getter_name(&site.name), &site.name]
            .iter()
            .find_map(|name| target.listed_part(&Key::Field((*name).into())))
            .cloned()
    }

    /// Whether a method of a type from outside only shares its name with one that all types may have: the column
    /// `posts::id.eq(3)` is not compared, and `record.key(id)` is no accessor.
    pub fn is_other_method(
        &self,
        state: &State,
        target: &Value,
        site: &CallSite,
        typed: bool,
        models: &[Rc<Model>],
    ) -> bool {
        if !typed && !site.args.is_empty() && is_flat(target) {
            let tainted = |value: &Value| !state.deep_taints(value).is_empty();
            let given = !tainted(target) || site.args.iter().any(tainted);
            if gives_to_builder(target, site, models, given) {
                return true;
            }
        }
        let general = self.spec.method_models(Some(&Ty::Unknown), &site.name);
        let [first, ..] = general.as_slice() else { return false };
        let applies = !typed || models.first().is_some_and(|model| Rc::ptr_eq(model, first));
        if site.args.is_empty() || !applies {
            return false;
        }
        // What is compared is taken by reference.
        let by_value = site.args.iter().all(|arg| arg.refs().is_empty());
        let term = target.data().and_then(|data| data.term.as_deref());
        let is_item = by_value && matches!(term, Some(Term::Named(path)) if path.contains("::"));
        let gives_itself = |flow: &Flow| flow.from.root == Root::Receiver && flow.to.root == Root::Return;
        let is_accessor = |model: &Rc<Model>| {
            model.returns.is_none() && !model.flows.is_empty() && model.flows.iter().all(gives_itself)
        };
        is_item && first.flows.is_empty() || general.iter().all(is_accessor)
    }

    /// A service that is called by a method: `service.call(request)` of a closure.
    fn called_service(&mut self, frame: &mut Frame<'a>, state: &mut State, site: &CallSite) -> Option<Value> {
        let receiver = site.receiver.as_ref().filter(|_| !site.args.is_empty())?;
        let target = state.dereference(&receiver.value);
        let takes = |callable: &Callable| match callable {
            Callable::Closure(index) => {
                self.closures[*index as usize].closure.body.parameters == site.args.len()
            }
            Callable::Function(id) => self.program.parameter_types(*id).len() == site.args.len(),
            Callable::Constructor(..) | Callable::External(_) => false,
        };
        let callables = target.callables();
        if callables.is_empty() || !callables.iter().all(takes) {
            return None;
        }
        Some(self.call_value(frame, state, &target, site.args.clone(), site.span))
    }

    /// The answer to a statement that a chain of setters made, when it is run on a connection.
    pub fn answered(&self, state: &State, site: &CallSite) -> Option<Value> {
        let receiver = site.receiver.as_ref().filter(|_| site.method)?;
        let [connection] = site.args.as_slice() else { return None };
        let first_word = site.name.split('_').next().unwrap_or_default();
        let target = state.dereference(&receiver.value);
        let is_chain = target.ty().is_none_or(|ty| *ty == Ty::Unknown)
            && is_flat(&target)
            && target.data().is_some_and(|data| !settings(&data.parts).is_empty());
        let runs = RUNS.contains(&first_word)
            && connection.callables().is_empty()
            && state.deep_taints(connection).iter().all(|taint| matches!(taint.origin, Origin::Param(_)));
        (is_chain && runs).then(Value::clean)
    }

    /// Whether a call ends a chain of setters on a builder of which nothing else is known.
    pub fn finishes(&self, state: &State, site: &CallSite) -> bool {
        let Some(receiver) = &site.receiver else { return false };
        let target = state.dereference(&receiver.value);
        FINISHERS.contains(&site.name.as_str())
            && target.ty().is_none_or(|ty| *ty == Ty::Unknown)
            && target.data().is_some_and(|data| !settings(&data.parts).is_empty())
    }

    /// The result of a call from outside with what its receiver was given, and what this call gives it.
    pub fn keep_settings(&self, state: &State, site: &CallSite, result: Value) -> Value {
        let Some(receiver) = site.receiver.as_ref().filter(|_| site.method) else { return result };
        let target = state.dereference(&receiver.value);
        if tree_type(&target).is_some() {
            return result;
        }
        let mut settings = target.data().map_or(Vec::new(), |data| settings(&data.parts));
        if let [argument] = site.args.as_slice()
            && state.dereference(argument).callables().is_empty()
        {
            let key = Key::Field(setter_name(&site.name).into());
            let given = state.flattened(argument);
            match settings.iter_mut().find(|(known, _)| *known == key) {
                Some((_, value)) => *value = value.join_elements(&given),
                None => settings.push((key, given)),
            }
        }
        settings.into_iter().fold(result, |result, (key, value)| result.with_part(&key, value, true))
    }
}

/// Whether a value is known by the chain of calls from outside that made it, and not by its parts.
fn is_flat(target: &Value) -> bool {
    let Some(data) = target.data() else { return false };
    data.root.is_some() && data.parts.iter().all(|(key, _)| matches!(key, Key::Field(_) | Key::At(_)))
}

/// Whether a call gives something to a builder of unknown type, although some library's method of that name exists:
/// this would not take it, or the chain of setters says that it is one.
fn gives_to_builder(target: &Value, site: &CallSite, models: &[Rc<Model>], given: bool) -> bool {
    let takes = |model: &Rc<Model>| model.flows.iter().any(|flow| flow.from.root != Root::Receiver);
    let returns = |flow: &Flow| flow.to.root == Root::Return;
    let looks = !models.iter().any(|model| model.flows.iter().any(returns));
    let set = target.data().map_or(0, |data| settings(&data.parts).len());
    let one = matches!(site.args.as_slice(), [only] if only.callables().is_empty());
    let chained = one && (set >= MIN_SETTERS || set > 0 && models.iter().any(is_setter));
    !models.is_empty() && !looks && (chained || given && !models.iter().any(takes))
}

/// Whether a model gives back what it was called on, together with what it was given.
fn is_setter(model: &Rc<Model>) -> bool {
    let whole = |flow: &Flow, root: Root| {
        flow.from == Node { root, keys: Vec::new() }
            && flow.to == Node { root: Root::Return, keys: Vec::new() }
    };
    let has = |root: Root| model.flows.iter().any(|flow| whole(flow, root));
    has(Root::Receiver) && has(Root::Argument(0))
}

/// Whether a method puts what it is given into what it is called on, by its name.
pub fn is_insertion(name: &str) -> bool {
    let verbs = ["insert", "push", "append", "extend", "add", "register", "feed", "enqueue"];
    let found =
        |verb: &&str| name.strip_prefix(*verb).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'));
    name.starts_with("set_") || verbs.iter().any(found)
}

/// The type of the tree that a value has.
pub fn tree_type(value: &Value) -> Option<TypeId> {
    match value.ty().map(peel) {
        Some(Ty::Adt { id, .. }) => Some(*id),
        _ => None,
    }
}

fn getter_name(name: &str) -> &str {
    let name = name.strip_prefix("get_").unwrap_or(name);
    name.strip_suffix("_ref").or_else(|| name.strip_suffix("_mut")).unwrap_or(name)
}

fn setter_name(name: &str) -> &str {
    name.strip_prefix("set_").or_else(|| name.strip_prefix("with_")).unwrap_or(name)
}

/// The parts of a value from outside that setters gave it.
fn settings(parts: &[(Key, Value)]) -> Vec<(Key, Value)> {
    let is_setting = |key: &Key| matches!(key, Key::Field(name) if !is_position(name));
    parts.iter().filter(|(key, _)| is_setting(key)).cloned().collect()
}

/// A payload that a call turns into something else has the other type: `builder.build()?` is no builder.
pub fn made_into(result: Value, arguments: &[Ty]) -> Value {
    let [ty @ Ty::External { path, .. }] = arguments else { return result };
    if path.starts_with("std::") {
        return result;
    }
    ["Ok", "Some"].iter().fold(result, |result, variant| {
        let key = Key::Variant((*variant).into(), "0".into());
        match result.listed_part(&key) {
            Some(payload) => {
                let payload = payload.clone().with_type(Some(ty.clone()));
                result.with_part(&key, payload, true)
            }
            None => result,
        }
    })
}

/// What of a value that was not taken apart is in its payload too: `builder.build()?` was given what the builder was.
pub fn kept_settings(parts: &[(Key, Value)], key: &Key) -> Vec<(Key, Value)> {
    let of_payload = matches!(key, Key::Variant(name, _) if name == "Some" || name == "Ok");
    if of_payload && !parts.iter().any(|(key, _)| matches!(key, Key::Variant(..))) {
        let is_kept = |key: &Key| matches!(key, Key::At(_));
        let entries = parts.iter().filter(|(key, _)| is_kept(key)).cloned();
        settings(parts).into_iter().chain(entries).collect()
    } else {
        Vec::new()
    }
}

/// A field that a tuple struct from outside does not have is one of its content: `Json(body).name`.
pub fn behind_wrapper(data: &Data, key: &Key) -> Value {
    let in_tree = matches!(data.ty.as_deref(), Some(Ty::Adt { .. } | Ty::Tuple(_)));
    match (key, data.parts.as_slice()) {
        (Key::Field(name), [(Key::Field(only), content)])
            if only == "0" && !is_position(name) && !in_tree =>
        {
            content.part(key)
        }
        _ => Value::BOTTOM,
    }
}

/// What a wrapper from outside refers to, when a field is read that only this can have: `State(shared).name`.
pub fn unwrapped(state: &State, whole: Value, field: &str) -> Value {
    match referred_content(&whole, field) {
        Some(content) => state.dereference(content),
        None => whole,
    }
}

/// Where that is in memory.
pub fn held_places(state: &State, wrapper: &Value, field: &str) -> Option<Vec<Location>> {
    let wrapper = state.dereference(wrapper);
    referred_content(&wrapper, field).map(|content| resolved_refs(state, content))
}

fn referred_content<'v>(wrapper: &'v Value, field: &str) -> Option<&'v Value> {
    let from_outside = matches!(wrapper.ty(), Some(Ty::External { .. }));
    match wrapper.data()?.parts.as_slice() {
        [(Key::Field(only), content)] if from_outside && only == "0" && !is_position(field) => {
            (!content.refs().is_empty()).then_some(content)
        }
        _ => None,
    }
}

/// The type of a part, or of what a wrapper from outside holds: `Query<T>` holds a `T`.
pub fn or_wrapped(found: Ty, whole: &Ty, key: &Key) -> Ty {
    match (peel(whole), key) {
        (Ty::External { path, args }, Key::Field(name))
            if found == Ty::Unknown && name == "0" && !path.starts_with("std::") =>
        {
            match args.as_slice() {
                [only] => only.clone(),
                _ => found,
            }
        }
        _ => found,
    }
}

/// Whether a field is one of a tuple.
pub fn is_position(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_digit())
}

/// The arguments of the attribute that holds the format string.
fn template(attributes: &Attributes) -> Option<&str> {
    let named = |path: &str| matches!(path, "error" | "display" | "snafu");
    attributes
        .other
        .iter()
        .find(|a| named(&a.path) && a.arguments.contains('"'))
        .map(|a| a.arguments.as_str())
}

/// Whether a format string and its arguments name a field: `"{name}"`, `"{0:?}"`, `"{}", self.name`.
fn names_field(template: &str, field: &str) -> bool {
    let mut rest = template;
    while let Some(start) = rest.find(field) {
        let before = rest[..start].chars().next_back();
        let after = rest[start + field.len()..].chars().next();
        let word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let opens = matches!(before, Some('{' | '.' | ' ' | ',' | '(' | '&' | '_'));
        if opens && !word(after) && is_code(template, template.len() - rest.len() + start) {
            return true;
        }
        rest = &rest[start + field.len()..];
    }
    false
}

/// Whether a place of an attribute is between braces of its string, or behind the string.
fn is_code(template: &str, at: usize) -> bool {
    let before = &template[..at];
    let behind = before.matches('"').count() >= 2;
    let opened = before.rfind('{').is_some_and(|open| !before[open..].contains('}'));
    behind || opened
}
