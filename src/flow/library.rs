//! Library functions: their flow models applied to a call, and the macros of the language.

use rustc_hash::FxHashMap;

use super::calls::{CallSite, Receiver};
use super::engine::{Engine, Frame};
use super::entries::{entries, is_lookup};
use super::iterate::{one_of, takes_one};
use super::model::{Flow, Model, Node, Root};
use super::places::{constant_key, resolved_refs};
use super::shape::peel;
use super::state::State;
use super::term::Term;
use super::transfer::term_of;
use super::value::{Flags, Key, Location, Value};
use crate::resolve::{Ty, is_primitive};

/// Values of one model application.
pub struct Application<'m> {
    pub model: &'m Model,
    pub receiver: Option<Receiver>,
    results: FxHashMap<usize, Value>,
    /// The element that a constant key selects, where the call names one.
    selected: Option<Key>,
}

/// Whether a call is about a part of its receiver only: `drain(..2)`, other than `drain(..)`.
fn takes_a_part(state: &State, site: &CallSite) -> bool {
    let range = site.args.first().map(|value| state.dereference(value));
    range.is_some_and(|range| {
        matches!(range.ty(), Some(Ty::External { path, .. }) if path == "std::ops::Range")
            && range.data().is_some_and(|data| !data.parts.is_empty())
    })
}

/// Whether a call writes to the elements of a view of something else, which stays a view of it.
fn fills_a_view(state: &State, model: &Model, site: &CallSite) -> bool {
    let elements = Node { root: Root::Receiver, keys: vec![Key::Element] };
    model.flows.iter().any(|flow| flow.to == elements)
        && site
            .receiver
            .as_ref()
            .is_some_and(|receiver| !state.dereference(&receiver.value).element().refs().is_empty())
}

fn is_number(ty: Option<&Ty>) -> bool {
    matches!(ty, Some(Ty::External { path, .. }) if is_primitive(path))
}

/// Whether a call is made on the entry of a map.
fn is_entry(application: &Application<'_>) -> bool {
    let receiver = application.receiver.as_ref().and_then(|receiver| receiver.value.ty());
    matches!(receiver.map(peel), Some(Ty::External { path, .. }) if path.ends_with("Entry"))
}

/// Which of the models of a name can be meant by a call, by its arguments.
fn fitting(models: &[std::rc::Rc<Model>], site: &CallSite) -> Vec<std::rc::Rc<Model>> {
    let empties = |model: &Model| {
        let nothing = |flow: &Flow| (flow.from.root, flow.to.root) == (Root::Nothing, Root::Receiver);
        model.flows.iter().any(nothing)
    };
    let takes = models.iter().any(|model| takes_arguments(model));
    // `iter.take(n)` has a number, `slot.take()` has none.
    let is_take = site.name == "take" && models.iter().any(|model| empties(model));
    let fits = |model: &&std::rc::Rc<Model>| match site.args.is_empty() {
        true => !is_take || empties(model),
        false => !(takes && gives_itself_out(model)),
    };
    models.iter().filter(fits).cloned().collect()
}

/// Whether a model says what becomes of an argument.
fn takes_arguments(model: &Model) -> bool {
    let is_argument = |root: Root| {
        matches!(root, Root::Argument(_) | Root::ArgumentParameter(..) | Root::ArgumentResult(_))
    };
    model.flows.iter().any(|flow| is_argument(flow.from.root) || is_argument(flow.to.root))
}

/// Whether a model is that of a lock, which gives access to all that it holds and takes no argument.
fn gives_itself_out(model: &Model) -> bool {
    let whole = |node: &Node, root: Root| *node == Node { root, keys: Vec::new() };
    let is_view = |flow: &Flow| whole(&flow.from, Root::Return) && whole(&flow.to, Root::Receiver);
    !takes_arguments(model) && model.flows.iter().any(is_view)
}

impl<'a> Engine<'a> {
    /// The result of a call that a library model describes; `None` when none does.
    pub fn library(&mut self, frame: &mut Frame<'a>, state: &mut State, site: &CallSite) -> Option<Value> {
        if let Some(model) = site.paths.iter().find_map(|path| self.spec.path_model(path)) {
            return Some(self.apply_model(frame, state, &model, site));
        }
        let receiver = site.receiver.as_ref()?;
        if let Some(pointer) = moved_pointer(site, &receiver.value) {
            return Some(pointer);
        }
        let target = state.dereference(&receiver.value);
        let known = |value: &Value| {
            value.ty().map(peel).filter(|ty| !matches!(ty, Ty::Unknown | Ty::Param { .. })).cloned()
        };
        let ty = known(&target).or_else(|| known(&receiver.value));
        let ty = ty.or_else(|| guessed_group(&target));
        let ty = match ty {
            // A user's iterator has the adaptors of the trait.
            Some(adt @ Ty::Adt { .. })
                if !self.program.trait_method("std::iter::Iterator", &adt, &[], "next").is_empty() =>
            {
                // Also adaptors that say nothing of the items (`count`) run it.
                self.item_of(frame, state, &receiver.value, site.span);
                Some(Ty::External { path: "std::iter::Iterator".into(), args: Vec::new() })
            }
            other => other,
        };
        let ty = match ty {
            // Without a position it is `Pin::get_mut`, whose content is what it is called on.
            Some(ty) if site.name == "get_mut" && site.args.is_empty() && !self.is_cell(&ty) => {
                Some(Ty::External { path: "std::pin::Pin".into(), args: vec![ty] })
            }
            other => other,
        };
        let mut models = self.spec.method_models(ty.as_ref(), &site.name);
        // A future has the type of what it yields.
        let yields = |path: &str| path != "bool" && (models.is_empty() || site.name == "then");
        if matches!(&ty, Some(Ty::External { path, .. }) if yields(path)) {
            let future = Ty::External { path: "std::future::Future".into(), args: Vec::new() };
            models = self.spec.method_models(Some(&future), &site.name);
        }
        let models = if self.is_other_method(state, &target, site, ty.is_some(), &models) {
            Vec::new()
        } else {
            models
        };
        let model = match models.as_slice() {
            [] => return None,
            [only] => only.clone(),
            several => {
                let wanted = self.type_path(&site.expected);
                let fits = |m: &&std::rc::Rc<Model>| {
                    m.returns.as_deref().is_some_and(|returns| !wanted.is_empty() && returns == wanted)
                };
                let item = ty.as_ref().map_or(Ty::Unknown, |ty| self.program.element_type(ty));
                let of_item = |m: &&std::rc::Rc<Model>| {
                    m.returns.as_deref().is_some_and(|returns| makes_again(returns, peel(&item)))
                };
                match several.iter().find(fits).or_else(|| several.iter().find(of_item)) {
                    Some(model) => model.clone(),
                    None if ty.is_some() => several[0].clone(),
                    None => {
                        let fitting = fitting(several, site);
                        return Some(self.apply_all(frame, state, &fitting, site));
                    }
                }
            }
        };
        Some(self.apply_model(frame, state, &model, site))
    }

    /// The receiver's type is unknown: each model that has the name is possible.
    fn apply_all(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        models: &[std::rc::Rc<Model>],
        site: &CallSite,
    ) -> Value {
        let mut joined: Option<(State, Value)> = None;
        for model in models {
            let mut own = state.clone();
            let value = self.apply_model(frame, &mut own, model, site);
            joined = Some(match joined {
                Some((other, result)) => (other.join(&own), result.join_elements(&value)),
                None => (own, value),
            });
        }
        match joined {
            Some((after, value)) => {
                *state = after;
                value.with_type(None)
            }
            None => Value::clean(),
        }
    }

    /// Applies one model.
    pub fn apply_model(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        model: &Model,
        site: &CallSite,
    ) -> Value {
        let with_tasks = self.run_tasks(frame, state, model, site);
        let site = with_tasks.as_ref().unwrap_or(site);
        let mut application = Application {
            model,
            receiver: site.receiver.clone(),
            results: FxHashMap::default(),
            selected: self.selected_key(state, site),
        };
        self.run_callables(frame, state, &mut application, site);
        let mut result = Value::aggregate(Vec::new());
        let mut written: Vec<(Node, Value, bool)> = Vec::new();
        let mut moved_from_receiver = false;
        let mut deep = Vec::new();
        for flow in &model.flows {
            let from_view = matches!(flow.from.root, Root::Return | Root::ArgumentParameter(..));
            if from_view || matches!(flow.to.root, Root::ArgumentParameter(..)) {
                continue;
            }
            if (flow.from.root, flow.to.root) == (Root::Nothing, Root::Return) {
                // What comes from elsewhere (`env::var(..)`) is not empty, as `None` or a new list is.
                let elsewhere = Value::clean().with_term(std::rc::Rc::new(Term::Named(site.name.clone())));
                let empty = flow.to.keys.is_empty();
                let value = if empty { Value::clean() } else { elsewhere };
                result = write_result(&result, &flow.to.keys, value, true);
                continue;
            }
            if flow.from.root == Root::Nothing {
                if takes_a_part(state, site) || fills_a_view(state, model, site) {
                    continue;
                }
                written.insert(0, (flow.to.clone(), Value::aggregate(Vec::new()), false));
                continue;
            }
            if let Root::Argument(index) = flow.from.root
                && application.results.contains_key(&index)
                && site.args.get(index).is_some_and(|argument| !argument.callables().is_empty())
            {
                // Either a value or, as here, a callable or future that has run.
                continue;
            }
            let value = self.node_value(frame, state, &application, site, &flow.from);
            let value = if flow.taint_only { state.flattened(&value) } else { value };
            // What is read from a place that the call also writes is what the place held before.
            let value = if writes_to(model, &flow.from) { state.pointee_or_self(&value) } else { value };
            // A number that is read through a pointer is a copy.
            let reads =
                flow.from.root == Root::Receiver && flow.from.keys.is_empty() && flow.to.root == Root::Return;
            let value = match reads && is_number(state.dereference(&value).ty()) {
                true => state.dereference(&value),
                false => value,
            };
            match flow.to.root {
                Root::Return if flow.taint_only => {
                    deep = super::value::union(&deep, &state.deep_taints(&value));
                    result = write_result(&result, &flow.to.keys, value, false);
                }
                Root::Return => {
                    let whole = flow.from.root == Root::Receiver && flow.from.keys.is_empty();
                    moved_from_receiver |= whole && flow.to.keys.is_empty();
                    let value = if whole { self.content(state, value) } else { value };
                    let value = if takes_one(flow) { one_of(value, 0) } else { value };
                    // `given.unwrap_or(other)` is one of the two; the elements of `a.chain(b)` are all there.
                    let alternatives = flow.to.keys.iter().all(|key| matches!(key, Key::Variant(..)));
                    let keys = header_keys(state, site, flow).unwrap_or_else(|| flow.to.keys.clone());
                    result = write_result(&result, &keys, value, alternatives);
                }
                _ => {
                    // `entry(id).or_insert(made)` keeps what is there.
                    let keeps = site.name.contains("or_insert");
                    let value = if keeps { value.with_flags(Flags::MAYBE) } else { value };
                    written.push((flow.to.clone(), value, flow.taint_only));
                }
            }
        }
        if let Some(pairs) = self.map_from_pairs(state, model, site) {
            result = pairs;
        }
        for (node, value, taint_only) in written {
            self.write_node(state, &application, site, &node, value, taint_only);
        }
        result = headers_of_answer(state, site, result);
        self.remove_entry(state, site, application.selected.as_ref());
        result = self.mutable_views(frame, state, &application, site, result);
        let result = self.model_type(state, &application, site, result);
        self.model_term(state, &application, site, result, moved_from_receiver)
    }

    /// A spawned async block runs whether or not its handle is awaited.
    fn run_tasks(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        model: &Model,
        site: &CallSite,
    ) -> Option<CallSite> {
        if model.returns.as_deref() != Some("std::thread::JoinHandle") {
            return None;
        }
        let mut site = site.duplicate();
        for index in 0..site.args.len() {
            let task = site.args[index].clone();
            site.args[index] = self.await_value(frame, state, task, site.span);
        }
        Some(site)
    }

    /// A map made of an array of pairs keeps the values of constant keys apart.
    fn map_from_pairs(&self, state: &State, model: &Model, site: &CallSite) -> Option<Value> {
        let to_key = |flow: &&Flow| flow.to == Node { root: Root::Return, keys: vec![Key::MapKey] };
        let flow = model.flows.iter().find(to_key)?;
        let Root::Argument(index) = flow.from.root else { return None };
        if flow.from.keys != [Key::Element, Key::Field("0".into())] {
            return None;
        }
        pairs_to_map(state, &state.dereference(site.args.get(index)?))
    }

    /// The constant key that the first argument of a map access names.
    fn selected_key(&self, state: &State, site: &CallSite) -> Option<Key> {
        let receiver = site.receiver.as_ref()?;
        if site.name.contains("index") {
            return None;
        }
        let target = state.dereference(&receiver.value);
        let keyed = match target.ty().map(peel) {
            Some(ty) if self.is_map(ty) => true,
            Some(Ty::External { path, .. }) => path == "serde_json::Value" || is_lookup(&site.name),
            Some(Ty::Sequence(_)) => site.name == "get" || site.name == "get_mut",
            None => is_lookup(&site.name) && target.data().is_some_and(|data| !entries(data).is_empty()),
            _ => false,
        };
        if !keyed {
            return None;
        }
        constant_key(&state.dereference(site.args.first()?))
    }

    /// Runs the callables among the arguments with what the model passes to them.
    fn run_callables(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        application: &mut Application<'_>,
        site: &CallSite,
    ) {
        let mut used: Vec<usize> = Vec::new();
        for flow in &application.model.flows {
            for node in [&flow.from, &flow.to] {
                if let Root::ArgumentParameter(index, _) | Root::ArgumentResult(index) = node.root
                    && !used.contains(&index)
                {
                    used.push(index);
                }
            }
        }
        // Twice, so that what a callable returns can reach its own parameter (`fold`).
        let feeds_back = application.model.flows.iter().any(|flow| {
            matches!((flow.from.root, flow.to.root), (Root::ArgumentResult(_), Root::ArgumentParameter(..)))
        });
        for _ in 0..(1 + usize::from(feeds_back)) {
            for index in &used {
                let Some(callable) = site.args.get(*index).cloned() else { continue };
                let args = self.callable_arguments(frame, state, application, site, *index);
                let result = self.call_value(frame, state, &callable, args, site.span);
                // A future has no parts: what the model takes apart is what it yields.
                let root = Root::ArgumentResult(*index);
                let flows = &application.model.flows;
                let takes_apart =
                    flows.iter().any(|flow| flow.from.root == root && !flow.from.keys.is_empty())
                        || site.name == "then";
                let result = match takes_apart && !result.callables().is_empty() {
                    true => self.await_value(frame, state, result, site.span),
                    false => result,
                };
                application.results.insert(*index, result);
            }
        }
    }

    fn callable_arguments(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        application: &Application<'_>,
        site: &CallSite,
        index: usize,
    ) -> Vec<Value> {
        let mut args: Vec<Value> = Vec::new();
        for flow in &application.model.flows {
            let Root::ArgumentParameter(argument, position) = flow.to.root else { continue };
            if argument != index {
                continue;
            }
            let value = self.node_value(frame, state, application, site, &flow.from);
            let value = match &flow.from {
                Node { root: Root::Receiver, keys } if *keys == [Key::Element] && value.refs().is_empty() => {
                    let refs = self.node_places(state, application, site, &flow.from);
                    let behind = application.receiver.as_ref().is_some_and(|r| !r.value.refs().is_empty());
                    match behind && !refs.is_empty() && !value.is_bottom() && value.callables().is_empty() {
                        true => Value::reference(refs).with_type(value.ty().cloned()),
                        false => value,
                    }
                }
                _ => value,
            };
            let value = if flow.taint_only { state.flattened(&value) } else { value };
            if args.len() <= position {
                args.resize(position + 1, Value::BOTTOM);
            }
            args[position] = write_result(&args[position], &flow.to.keys, value, false);
        }
        // A parameter that is a view of the place it came from (`with_borrow_mut`).
        for flow in &application.model.flows {
            let Root::ArgumentParameter(argument, position) = flow.from.root else { continue };
            let places = self.node_places(state, application, site, &flow.to);
            if argument == index && position < args.len() && !places.is_empty() {
                let ty = self.content_type(state.load(&places[0]).ty());
                args[position] = Value::reference(places).with_type(ty);
            }
        }
        args.into_iter().map(|value| if value.is_bottom() { Value::clean() } else { value }).collect()
    }

    /// What a cell or lock holds, of a value that may be one: cells are transparent but for their type.
    fn content(&self, state: &State, value: Value) -> Value {
        let ty = state.dereference(&value).ty().cloned();
        match (&ty, self.content_type(ty.as_ref())) {
            (Some(old), Some(new)) if *old != new => value.with_type(Some(new)),
            (Some(old), None) if self.is_cell(old) => value.update(|data| data.ty = None),
            _ => value,
        }
    }

    fn is_cell(&self, ty: &Ty) -> bool {
        matches!(peel(ty), Ty::External { path, .. } if self.spec.is_cell(path))
    }

    /// The type inside a cell or lock; the type itself when it is none.
    pub fn content_type(&self, ty: Option<&Ty>) -> Option<Ty> {
        match peel(ty?) {
            Ty::External { path, args } if self.spec.is_cell(path) => {
                args.first().filter(|ty| **ty != Ty::Unknown).cloned()
            }
            other => Some(other.clone()),
        }
    }

    /// Writes to a place; a cell stays a cell, and a known type is not forgotten.
    pub fn write(&self, state: &mut State, location: &Location, value: Value, strong: bool) {
        let old = state.load(location);
        let value = match old.ty() {
            // An array stays one when the bytes of a text are copied to it.
            Some(ty) if value.ty().is_none() || self.is_cell(ty) || matches!(ty, Ty::Sequence(_)) => {
                value.with_type(Some(ty.clone()))
            }
            _ => value,
        };
        state.store(location, value, strong);
    }

    fn node_value(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        application: &Application<'_>,
        site: &CallSite,
        node: &Node,
    ) -> Value {
        let (mut value, keys) = match node.root {
            Root::Receiver => {
                let Some(receiver) = &application.receiver else { return Value::BOTTOM };
                match node.keys.split_first() {
                    Some((Key::Element, rest)) => {
                        let value = match &application.selected {
                            Some(key) => {
                                let target = state.dereference(&receiver.value);
                                let listed = self.typed_part(&target, key);
                                if listed.is_bottom() { target.part(&Key::Element) } else { listed }
                            }
                            None => self.element_of(frame, state, receiver, site),
                        };
                        (value, rest)
                    }
                    _ => (receiver.value.clone(), node.keys.as_slice()),
                }
            }
            Root::Argument(index) => {
                let Some(value) = site.args.get(index).cloned() else { return Value::BOTTOM };
                match node.keys.split_first() {
                    Some((Key::Element, rest)) => (self.item_of(frame, state, &value, site.span), rest),
                    _ => (value, node.keys.as_slice()),
                }
            }
            Root::ArgumentResult(index) => match application.results.get(&index) {
                Some(value) => (value.clone(), node.keys.as_slice()),
                None => return Value::BOTTOM,
            },
            Root::Return | Root::Nothing | Root::ArgumentParameter(..) => return Value::BOTTOM,
        };
        let of_elements = node.root == Root::Receiver && keys.len() < node.keys.len();
        for key in keys {
            let target = state.dereference(&value);
            let part = self.typed_part(&target, key);
            // The parts of elements that are references (`iter_mut().flatten()`) are so, too.
            value = match of_elements {
                true => self.reborrow(state, &value, key, part),
                false => part,
            };
        }
        value
    }

    fn element_of(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        receiver: &Receiver,
        site: &CallSite,
    ) -> Value {
        if receiver.value.refs().is_empty() && !receiver.locations.is_empty() {
            let target = &receiver.value;
            let simple = !matches!(target.ty().map(peel), Some(Ty::Adt { .. }));
            let is_iterator = target.ty().is_some_and(|ty| self.type_path(ty).contains("iter::"));
            if simple && !is_iterator && site.name.contains("iter_mut") {
                let refs = receiver.locations.iter().map(|l| l.part(Key::Element)).collect();
                return Value::reference(refs);
            }
        }
        self.item_of_collection(frame, state, &receiver.value, site)
    }

    fn item_of_collection(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        value: &Value,
        site: &CallSite,
    ) -> Value {
        let target = state.dereference(value);
        if matches!(target.ty().map(peel), Some(Ty::Adt { .. })) {
            return self.item_of(frame, state, value, site.span);
        }
        let element = self.typed_part(&target, &Key::Element);
        // A look-up by key (`get(&id)`) does not depend on the order.
        let by_key = site.args.first().is_some_and(|key| state.dereference(key).callables().is_empty());
        if by_key {
            return element;
        }
        self.unordered(frame, &target, element, site.span)
    }

    fn write_node(
        &mut self,
        state: &mut State,
        application: &Application<'_>,
        site: &CallSite,
        node: &Node,
        value: Value,
        taint_only: bool,
    ) {
        let own = self.direct_places(state, application, site, node);
        // An entry of a map refers to the element, which may exist already; a pointer that is added to others is added
        // beside them.
        let adds_pointer = !value.refs().is_empty() && !is_entry(application);
        let places =
            if adds_pointer { own.clone() } else { self.node_places(state, application, site, node) };
        let direct = own == places;
        let single = places.len() == 1;
        for location in places {
            if taint_only {
                let taint = state.deep_taints(&value);
                let old = term_of(state, &state.load(&location));
                state.taint(&location, &taint, Flags::default());
                // `text.push_str(part)`, and the other way round `part.hash(&mut hasher)`.
                let part = match (node.root, &site.receiver) {
                    (Root::Argument(_), Some(receiver)) => Some(&receiver.value),
                    _ => site.args.first(),
                };
                let appended = Term::text(vec![old, self.typed_term(state, part.unwrap_or(&value))]);
                let new = state.load(&location).with_term(appended);
                state.store(&location, new, true);
            } else {
                let whole = node.keys.is_empty() || !node.keys.contains(&Key::Element);
                let keyed = matches!(location.keys.last(), Some(Key::At(_)));
                // `get_or_insert` keeps what is there.
                let adds = site.name == "append" && node.root == Root::Receiver;
                let keeps = adds || site.name.starts_with("get_or_") || site.name.starts_with("or_");
                let strong = (whole || keyed) && single && direct && !keeps;
                let strong = strong && !matches!(node.keys.last(), Some(Key::MapKey));
                self.write(state, &location, value.clone(), strong);
            }
        }
    }

    /// Where a node of the model is in memory; an element that is itself a reference is followed.
    fn node_places(
        &self,
        state: &State,
        application: &Application<'_>,
        site: &CallSite,
        node: &Node,
    ) -> Vec<Location> {
        let direct = self.direct_places(state, application, site, node);
        if !node.keys.contains(&Key::Element) {
            return direct;
        }
        let mut places: Vec<Location> = direct
            .into_iter()
            .flat_map(|location| match state.load(&location).refs() {
                [] => vec![location],
                refs => refs.to_vec(),
            })
            .collect();
        places.sort();
        places.dedup();
        places
    }

    fn direct_places(
        &self,
        state: &State,
        application: &Application<'_>,
        site: &CallSite,
        node: &Node,
    ) -> Vec<Location> {
        let base = match node.root {
            Root::Receiver => match &application.receiver {
                Some(receiver) => self.receiver_places(state, receiver),
                None => Vec::new(),
            },
            Root::Argument(index) => match site.args.get(index) {
                Some(value) => resolved_refs(state, value),
                None => Vec::new(),
            },
            _ => Vec::new(),
        };
        base.into_iter()
            .map(|location| {
                node.keys.iter().fold(location, |location, key| match (key, &application.selected) {
                    (Key::Element, Some(selected)) if node.root == Root::Receiver => {
                        location.part(selected.clone())
                    }
                    _ => location.part(key.clone()),
                })
            })
            .collect()
    }

    /// Flows that start at the result: it is a view of what it came from, or two ends of one channel.
    fn mutable_views(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        application: &Application<'_>,
        site: &CallSite,
        result: Value,
    ) -> Value {
        let mut result = result;
        for flow in &application.model.flows {
            if flow.from.root != Root::Return {
                continue;
            }
            if flow.to.root == Root::Return {
                result = self.channel(frame, state, application.model, site, flow, result);
                continue;
            }
            let places = self.node_places(state, application, site, &flow.to);
            if places.is_empty() {
                continue;
            }
            // A cell inside of a cell is at the same place: which one it is, the receiver's type says.
            let carried = application.receiver.as_ref().and_then(|receiver| receiver.value.ty());
            let carried = carried.filter(|ty| flow.to.root == Root::Receiver && self.is_cell(ty));
            let ty = carried
                .filter(|_| flow.to.keys.is_empty())
                .and_then(|ty| self.content_type(Some(ty)))
                .or_else(|| self.content_type(state.load(&places[0]).ty()))
                .or_else(|| self.element_type(state, &places[0]));
            // A part of the result that is a view of the whole is a sub-range (`split_at_mut`, `chunks_mut`).
            let places = match (flow.from.keys.as_slice(), flow.to.keys.as_slice()) {
                ([.., Key::Field(_) | Key::Element], []) => {
                    places.iter().map(|place| place.part(Key::View)).collect()
                }
                _ => places,
            };
            let view = Value::reference(places).with_type(ty);
            result = replace_part(&result, &flow.from.keys, view);
        }
        result
    }

    /// The type of an element that does not exist yet, by the type of its collection.
    fn element_type(&self, state: &State, location: &Location) -> Option<Ty> {
        let mut collection = location.clone();
        let (Key::Element | Key::At(_)) = collection.keys.pop()? else { return None };
        let ty = self.program.element_type(state.load(&collection).ty()?);
        (ty != Ty::Unknown).then_some(ty)
    }

    fn channel(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        model: &Model,
        site: &CallSite,
        flow: &Flow,
        result: Value,
    ) -> Value {
        let base = self.heap(site.span, None);
        if !state.has(base) {
            let sent = self.messages.get(&base).cloned();
            state.set_object(base, sent.unwrap_or_else(|| Value::aggregate(Vec::new())));
        }
        frame.messages.insert(base, Value::BOTTOM);
        let whole = Value::reference(vec![Location::of(base)]);
        let item = Value::reference(vec![Location::of(base).part(Key::Element)]);
        let without_element =
            |keys: &[Key]| -> Vec<Key> { keys.iter().filter(|key| **key != Key::Element).cloned().collect() };
        [&flow.from.keys, &flow.to.keys].iter().fold(result, |result, keys| {
            let end = if keys.contains(&Key::Element) { &whole } else { &item };
            let keys = without_element(keys);
            let old = keys.iter().fold(result.clone(), |value, key| value.part(key));
            let position = match keys.as_slice() {
                [Key::Field(name)] => name.parse::<usize>().ok(),
                _ => None,
            };
            let listed =
                position.and_then(|index| model.arguments.get(index)).filter(|_| model.returns.is_none());
            let ty = old.ty().or(listed).cloned();
            replace_part(&result, &keys, end.clone().with_type(ty))
        })
    }

    /// Macros that are not formatted text: the operators `?`, and macros whose tokens were parsed to arguments.
    pub fn call_macro(&mut self, frame: &mut Frame<'a>, state: &mut State, mut site: CallSite) -> Value {
        match site.name.as_str() {
            "?" => {
                let value = site.args.first().cloned().unwrap_or_default();
                return self.question(state, &value);
            }
            "?residual" => {
                let value = site.args.first().cloned().unwrap_or_default();
                return self.residual(frame, state, &value, site.span);
            }
            _ => {}
        }
        site.receiver = None;
        self.call_external(frame, state, site)
    }
}

/// The response of `(status, [("x-id", id)], body).into_response()` has these headers.
fn headers_of_answer(state: &State, site: &CallSite, response: Value) -> Value {
    let Some(receiver) = site.receiver.as_ref().filter(|_| site.name == "into_response") else {
        return response;
    };
    let target = state.dereference(&receiver.value);
    let parts = target.data().map_or(&[][..], |data| data.parts.as_slice());
    let named = parts.iter().flat_map(|(_, part)| {
        let part = state.dereference(part);
        let map = pairs_to_map(state, &part).unwrap_or(part);
        map.data().map_or(Vec::new(), entries)
    });
    named.fold(response, |response, (key, value)| response.with_part(&key, value, true))
}

/// The map of a sequence of pairs whose keys are all constant; `None` when some are not.
pub fn pairs_to_map(state: &State, sequence: &Value) -> Option<Value> {
    let data = sequence.data()?;
    if !data.closed || data.parts.is_empty() {
        return None;
    }
    let mut map = Value::aggregate(Vec::new());
    for (_, pair) in &data.parts {
        let pair = state.dereference(pair);
        let name = pair.part(&Key::Field("0".into()));
        let key = constant_key(&state.dereference(&name))?;
        map = map.with_part(&Key::MapKey, name, false);
        map = map.with_part(&key, pair.part(&Key::Field("1".into())), true);
    }
    Some(map)
}

/// `pointer.add(n)`: a pointer to some element of the same sequence.
fn moved_pointer(site: &CallSite, pointer: &Value) -> Option<Value> {
    let moves = matches!(site.name.as_str(), "add" | "sub" | "offset" | "wrapping_add" | "wrapping_sub");
    let is_element = |location: &Location| matches!(location.keys.last(), Some(Key::Element | Key::At(_)));
    if !moves || pointer.refs().is_empty() || !pointer.refs().iter().all(is_element) {
        return None;
    }
    let elements = pointer.refs().iter().map(|location| {
        let mut keys = location.keys.clone();
        keys.pop();
        Location { base: location.base, keys }.part(Key::Element)
    });
    let taint =
        site.args.iter().fold(Vec::new(), |all, arg| super::value::union(&all, &arg.shallow_taints()));
    let mut elements: Vec<Location> = elements.collect();
    elements.sort();
    elements.dedup();
    Some(Value::reference(elements).with_type(pointer.ty().cloned()).add_taint(&taint))
}

/// A standard type whose shape the value has, when its type is not known.
fn guessed_group(value: &Value) -> Option<Ty> {
    let data = value.data()?;
    let external = |path: &str| Some(Ty::External { path: path.into(), args: Vec::new() });
    for (key, _) in &data.parts {
        match key {
            Key::Variant(name, _) if name == "Some" => return external("std::option::Option"),
            Key::Variant(name, _) if name == "Ok" || name == "Err" => {
                return external("std::result::Result");
            }
            Key::MapKey => return external("std::collections::HashMap"),
            _ => {}
        }
    }
    None
}

/// Whether a function that puts items together makes one of their kind: texts a text, lists a list.
fn makes_again(returns: &str, item: &Ty) -> bool {
    match item {
        Ty::External { path, .. } if path == "str" => returns == "std::string::String",
        Ty::External { path, .. } => path == returns,
        Ty::Sequence(_) => returns == "std::vec::Vec",
        _ => false,
    }
}

/// The header that a builder is given: `.header("x-id", id)` is told from its other headers.
fn header_keys(state: &State, site: &CallSite, flow: &Flow) -> Option<Vec<Key>> {
    let named = site.name.contains("header") && flow.from.root == Root::Argument(1);
    let [name, _] = site.args.as_slice() else { return None };
    match flow.to.keys.split_last()? {
        (Key::Element, before) if named => {
            let mut keys = before.to_vec();
            keys.push(constant_key(&state.dereference(name))?);
            Some(keys)
        }
        _ => None,
    }
}

/// Whether the model writes to the place that a node reads.
fn writes_to(model: &Model, node: &Node) -> bool {
    matches!(node.root, Root::Receiver | Root::Argument(_))
        && model.flows.iter().any(|flow| {
            flow.to.root == node.root
                && (node.keys.is_empty() || flow.from.root == Root::Nothing)
                && flow.to.keys.is_empty()
                && flow.from.root != Root::Return
                && !matches!(flow.from.root, Root::ArgumentParameter(..))
        })
}

fn write_result(result: &Value, keys: &[Key], value: Value, alternatives: bool) -> Value {
    match keys.split_first() {
        None if is_empty(result) => value,
        None if alternatives => result.join(&value),
        None => result.join_elements(&value),
        Some((key, rest)) => {
            let result = if result.is_bottom() { Value::aggregate(Vec::new()) } else { result.clone() };
            let inner = write_result(&result.part(key), rest, value, alternatives);
            result.with_part(key, inner, true)
        }
    }
}

fn is_empty(value: &Value) -> bool {
    match value.data() {
        None => true,
        Some(data) => {
            data.parts.is_empty()
                && data.taint.is_empty()
                && data.aliases.is_empty()
                && data.refs.is_empty()
                && data.callables.is_empty()
                && data.closed
        }
    }
}

fn replace_part(result: &Value, keys: &[Key], value: Value) -> Value {
    match keys.split_first() {
        None => value,
        Some((key, rest)) => {
            let result = if result.is_bottom() { Value::aggregate(Vec::new()) } else { result.clone() };
            result.with_part(key, replace_part(&result.part(key), rest, value), true)
        }
    }
}
