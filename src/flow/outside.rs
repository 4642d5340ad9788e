//! Calls of functions whose body is not in view: constructors, models, and the default.

use super::calls::{CallSite, Receiver, external_variant};
use super::engine::{Engine, Frame};
use super::places::resolved_refs;
use super::shape::peel;
use super::slice::Need;
use super::state::State;
use super::term::Term;
use super::trace::{Step, StepKind};
use super::transfer::term_of;
use super::value::{Base, Callable, Flags, Key, Location, Taint, Value, union};
use super::verdicts::{reduces_to_bool, state_of_unknown};
use crate::ir::{LocalId, Name, Span};
use crate::resolve::Ty;

/// How deep inside of a value destructors are looked for, and in how many parts of one value.
const MAX_DESTROYED_DEPTH: usize = 3;
const MAX_DESTROYED_PARTS: usize = 16;

/// Ends of names of types that give access to something outside of the program, and of random generators.
pub const HANDLES: &[&str] =
    &["Rng", "Connection", "Conn", "Client", "Pool", "Transaction", "Session", "Runtime"];

impl<'a> Engine<'a> {
    /// A call without a visible body: the specification, then a library model, then the default.
    pub fn call_external(&mut self, frame: &mut Frame<'a>, state: &mut State, mut site: CallSite) -> Value {
        frame.summary.open_call |= is_open_call(state, &site);
        if site.receiver.is_none() && !site.macro_call && self.is_method_path(&site) {
            let first = site.args.remove(0);
            let span = site.arg_spans.remove(0);
            site.receiver =
                Some(Receiver { locations: resolved_refs(state, &first), value: first, owned: true, span });
            site.method = true;
            return self.call_method(frame, state, site);
        }
        self.run_destructor(frame, state, &site);
        let facts = self.facts(frame, state, &site, &[]);
        self.reach_call_sinks(frame, state, &mut site, &facts);
        if let Some(value) = self.decided(frame, state, &site, &facts) {
            // A source may take up what it is given: `slab.insert(job)` gives a slot.
            if site.receiver.is_some() && !site.args.is_empty() && !facts.sources.is_empty() {
                let _ = self.library(frame, state, &site);
            }
            return value;
        }
        if let Some(value) = self.shared_allocation(state, &site) {
            return value;
        }
        let modelled = match self.known_beforehand(state, &site) {
            None if self.finishes(state, &site) => None,
            None => self.library(frame, state, &site),
            given => given,
        };
        let value = match modelled {
            Some(value) => value,
            None => match self.external_constructor(state, &site).or_else(|| self.entry(state, &site)) {
                Some(value) => value,
                None => match self.generated(frame, state, &site) {
                    Some(value) => value,
                    None => {
                        let made = self.opaque(frame, state, &site, Flags::OPAQUE);
                        if reduces_to_bool(&site) { Value::clean() } else { made }
                    }
                },
            },
        };
        let value = self.described(state, &site, &facts, value);
        let value = match self.chain_root(state, &site) {
            Some(root) if value.ty().is_none_or(|ty| *ty == Ty::Unknown) => value.with_root(root),
            _ => value,
        };
        self.apply_facts(frame, state, &site, &facts, value)
    }

    /// What a call gives that reads a known part of its receiver.
    fn known_beforehand(&self, state: &mut State, site: &CallSite) -> Option<Value> {
        self.derived_builder_call(state, site)
            .or_else(|| self.given_setting(state, site))
            .or_else(|| self.answered(state, site))
            .or_else(|| self.pointed(state, site))
            .or_else(|| {
                let receiver = site.receiver.as_ref()?;
                state_of_unknown(site, &state.dereference(&receiver.value))
            })
    }

    /// `drop(x)` runs the destructor of a user's type.
    pub fn run_destructor(&mut self, frame: &mut Frame<'a>, state: &mut State, site: &CallSite) {
        let [value] = site.args.as_slice() else { return };
        if !matches!(site.paths.first().map(Name::as_str), Some("std::mem::drop" | "drop")) {
            return;
        }
        let receiver = self.as_reference(frame, state, value);
        for location in resolved_refs(state, &receiver) {
            self.destroy(frame, state, &location, site.span, 0);
        }
    }

    /// A variable goes out of scope.
    pub fn end_of_scope(&mut self, frame: &mut Frame<'a>, state: &mut State, local: LocalId, span: Span) {
        self.destroy(frame, state, &Location::of(Base::Local(local.0)), span, 0);
    }

    /// Runs the destructor of what is stored at a place, then those of its parts.
    fn destroy(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        location: &Location,
        span: Span,
        depth: usize,
    ) {
        let value = state.load(location);
        if !value.refs().is_empty() || value.is_bottom() {
            return;
        }
        if let Some(ty @ Ty::Adt { .. }) = value.ty().map(peel) {
            let functions = self.program.trait_method("std::ops::Drop", ty, &[], "drop");
            if matches!(frame.need, Need::Type | Need::Probe) {
                self.confirm_call(frame, &functions);
            } else if !functions.is_empty() {
                let receiver = Value::reference(vec![location.clone()]).with_type(Some(ty.clone()));
                self.call_functions(frame, state, &functions, vec![receiver], &[], span);
            }
        }
        if depth >= MAX_DESTROYED_DEPTH {
            return;
        }
        let parts = value.data().map_or(&[][..], |data| data.parts.as_slice());
        for (key, part) in parts.iter().take(MAX_DESTROYED_PARTS) {
            if part.data().is_some_and(|data| data.ty.is_some() || !data.parts.is_empty()) {
                self.destroy(frame, state, &location.part(key.clone()), span, depth + 1);
            }
        }
    }

    /// `Rc::new(x)` and `Arc::new(x)`: memory that all clones of the pointer see; `Box::leak(x)`: memory without an
    /// owner.
    pub fn shared_allocation(&mut self, state: &mut State, site: &CallSite) -> Option<Value> {
        let (owner, name) = site.paths.first()?.rsplit_once("::")?;
        let is_shared = matches!(owner, "std::rc::Rc" | "std::sync::Arc");
        let content = match site.args.as_slice() {
            [content] => content.clone(),
            [] if is_shared && name == "default" => Value::clean(),
            _ => return None,
        };
        let leaks = matches!(name, "leak" | "into_raw") && matches!(owner, "std::boxed::Box" | "Box");
        if !(leaks || is_shared && matches!(name, "new" | "default")) || !content.refs().is_empty() {
            return None;
        }
        let base = self.heap(site.span, None);
        let ty = content.ty().cloned().unwrap_or(Ty::Unknown);
        // In a loop, earlier allocations of this place are still alive.
        let old = state.object(base);
        state.set_object(base, old.join_elements(&content));
        let pointer = match leaks {
            true => Ty::Reference { mutable: true, inner: Box::new(peel(&ty).clone()) },
            false => Ty::External { path: owner.into(), args: vec![ty] },
        };
        Some(
            Value::reference(vec![Location::of(base)])
                .with_type(Some(pointer))
                .with_term(term_of(state, &content)),
        )
    }

    /// A tuple struct or variant from outside, told by its spelling: `Some(x)`, `Json(body)`.
    pub fn external_constructor(&self, state: &State, site: &CallSite) -> Option<Value> {
        if site.method || site.macro_call || site.args.is_empty() {
            return None;
        }
        let path = site.paths.first()?;
        let (owner, name) = path.rsplit_once("::").unwrap_or(("", path));
        if !name.starts_with(char::is_uppercase) {
            return None;
        }
        let is_variant = external_variant(path);
        if owner == "std::borrow::Cow" {
            return site.args.first().cloned();
        }
        let parts = site
            .args
            .iter()
            .enumerate()
            .map(|(index, value)| {
                let field: Name = index.to_string().into();
                let key = if is_variant { Key::Variant(name.into(), field) } else { Key::Field(field) };
                (key, value.clone())
            })
            .collect();
        let ty = Ty::External {
            path: if is_variant { owner.into() } else { path.clone() },
            args: self.constructor_arguments(name, &site.args),
        };
        let value = Value::aggregate(parts).with_type(Some(ty));
        Some(match site.args.as_slice() {
            [only] => value.with_term(term_of(state, only)),
            _ => value,
        })
    }

    /// Type arguments that the payload decides: `Some(x)` is an `Option` of the type of `x`.
    pub fn constructor_arguments(&self, name: &str, args: &[Value]) -> Vec<Ty> {
        let first = args.first().and_then(|value| value.ty().cloned()).unwrap_or(Ty::Unknown);
        match name {
            "Some" | "Ok" if first != Ty::Unknown => vec![first],
            "Err" if first != Ty::Unknown => vec![Ty::Unknown, first],
            _ => Vec::new(),
        }
    }

    /// The type or function from outside at which a chain of calls starts.
    pub fn chain_root(&self, state: &State, site: &CallSite) -> Option<Name> {
        let Some(receiver) = &site.receiver else {
            return site.paths.first().filter(|path| path.contains("::")).cloned();
        };
        let receiver = state.dereference(&receiver.value);
        match receiver.ty().map(peel) {
            Some(Ty::External { path, .. }) => Some(path.clone()),
            None | Some(Ty::Unknown) => receiver.data()?.root.clone(),
            Some(_) => None,
        }
    }

    /// `Clone::clone(&x)`, `Option::map(x, f)`: a method written as a function.
    pub fn is_method_path(&self, site: &CallSite) -> bool {
        let Some(path) = site.paths.first() else { return false };
        if site.args.is_empty() || self.spec.path_model(path).is_some() {
            return false;
        }
        let Some((owner, name)) = path.rsplit_once("::") else { return false };
        let is_type =
            |last: &str| last.starts_with(char::is_uppercase) || crate::resolve::is_primitive(owner);
        if !owner.rsplit("::").next().is_some_and(is_type) {
            return false;
        }
        let ty = Ty::External { path: owner.into(), args: Vec::new() };
        !self.spec.method_models(Some(&ty), name).is_empty()
            || matches!(
                path.as_str(),
                "std::convert::Into::into"
                    | "std::convert::TryInto::try_into"
                    | "std::string::ToString::to_string"
                    | "std::clone::Clone::clone"
            )
    }

    /// The default for a call that nothing describes: receiver and arguments flow to the result, and into the
    /// receiver when it takes things up.
    pub fn opaque(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        site: &CallSite,
        flags: Flags,
    ) -> Value {
        let mut taint = Vec::new();
        let mut terms = Vec::new();
        let mut from_args = Vec::new();
        for arg in &site.args {
            from_args = union(&from_args, &state.deep_taints(arg));
            let called = self.invoke_unknown_with(frame, state, arg, site);
            from_args = union(&from_args, &state.deep_taints(&called));
        }
        let mut entries = Vec::new();
        if let Some(receiver) = &site.receiver {
            taint = match self.split_entries(&state.dereference(&receiver.value), site) {
                Some((rest, kept)) => {
                    entries = kept;
                    state.deep_taints(&rest)
                }
                None => state.deep_taints(&receiver.value),
            };
            terms.push(term_of(state, &receiver.value));
            self.take_up(state, site, receiver, &from_args, flags);
        }
        self.write_mutable_arguments(state, site, &taint, &from_args);
        taint = union(&taint, &from_args);
        terms.extend(site.args.iter().map(|arg| term_of(state, arg)));
        let step = Step { span: site.span, kind: StepKind::Through };
        let ty = self.guessed_type(site);
        let name = if site.name.is_empty() {
            site.paths.first().map_or("call".into(), |path| path.rsplit("::").next().unwrap_or(path).into())
        } else {
            site.name.clone()
        };
        let made = self.keep_settings(state, site, Value::tainted(taint).with_type(ty));
        entries
            .into_iter()
            .fold(made, |made, (key, entry)| made.with_part(&key, entry, true))
            .with_flags(flags)
            .with_term(Term::call(name, terms))
            .with_step(step)
    }

    pub fn invoke_unknown_with(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        argument: &Value,
        site: &CallSite,
    ) -> Value {
        let target = state.dereference(argument);
        if target.callables().is_empty() {
            return Value::BOTTOM;
        }
        let mut taint = site.receiver.as_ref().map_or(Vec::new(), |r| state.deep_taints(&r.value));
        for other in site.args.iter().filter(|other| !other.same(argument)) {
            taint = union(&taint, &state.deep_taints(other));
        }
        let mut result = Value::BOTTOM;
        for callable in target.callables().to_vec() {
            // A handler that only code from outside calls has no caller in view.
            let called = |id| self.called.contains(id);
            let handler = matches!(&callable, Callable::Function(id) if !called(id));
            let count = match &callable {
                Callable::Closure(index) => self.closures[*index as usize].closure.body.parameters,
                Callable::Function(id) => self.program.parameter_types(*id).len(),
                Callable::Constructor(..) | Callable::External(_) => 1,
            };
            let mut args = vec![Value::tainted(taint.clone()); count];
            if let Callable::Function(id) = &callable {
                // What the fields of its state hold is told apart where they are written.
                let types = self.program.parameter_types(*id);
                for (arg, _) in args.iter_mut().zip(&types).filter(|(_, ty)| self.holds_shared_state(ty)) {
                    *arg = Value::clean();
                }
            }
            let made = self.invoke(frame, state, &callable, &target, args, site.span);
            if let (true, Callable::Function(id)) = (handler, &callable) {
                self.called.remove(id);
            }
            result = result.join(&made);
        }
        result
    }

    /// Arguments flow into a receiver that collects: an owned variable of builder, buffer or hasher kind.
    pub fn take_up(
        &self,
        state: &mut State,
        site: &CallSite,
        receiver: &Receiver,
        taint: &[Taint],
        flags: Flags,
    ) {
        if taint.is_empty() {
            return;
        }
        let target = state.dereference(&receiver.value);
        let path = target.ty().map(|ty| self.type_path(peel(ty))).unwrap_or_default();
        let collects =
            self.spec.accumulates(&path) || (receiver.owned && super::generated::is_insertion(&site.name));
        let mutable = receiver.owned
            || matches!(receiver.value.ty(), Some(Ty::Reference { mutable: true, .. }))
            || !receiver.value.refs().is_empty();
        if collects && mutable {
            let locations = self.receiver_places(state, receiver);
            for location in locations {
                state.taint(&location, taint, flags);
            }
        }
    }

    /// `fill(&mut buffer, data)`: what else is passed may be written to what is passed by mutable reference.
    pub fn write_mutable_arguments(
        &self,
        state: &mut State,
        site: &CallSite,
        receiver: &[Taint],
        args: &[Taint],
    ) {
        let taint = union(receiver, args);
        if taint.is_empty() {
            return;
        }
        for arg in &site.args {
            let is_lent = matches!(arg.ty(), Some(Ty::Reference { mutable: true, .. }));
            if is_lent && !self.is_handle(&state.dereference(arg)) {
                for location in arg.refs() {
                    state.taint(location, &taint, Flags::OPAQUE);
                }
            }
        }
    }

    /// Whether a value gives access to something outside: what is done through it is not in it.
    fn is_handle(&self, value: &Value) -> bool {
        let root = value.data().and_then(|data| data.root.as_deref()).unwrap_or_default();
        let path = value.ty().map(|ty| self.type_path(peel(ty))).unwrap_or_default();
        let path = if path.is_empty() { root } else { &path };
        let last = path.rsplit("::").next().unwrap_or_default();
        HANDLES.iter().any(|kind| last.ends_with(kind)) || matches!(last, "rng" | "thread_rng")
    }

    /// The type of a call's result: what the context asks for, or the type whose constructor it is by convention.
    pub fn guessed_type(&self, site: &CallSite) -> Option<Ty> {
        if site.expected != Ty::Unknown {
            return Some(site.expected.clone());
        }
        if site.method {
            return None;
        }
        let constructor =
            ["new", "default", "now", "from", "with_capacity", "parse_str"].iter().any(|prefix| {
                site.name == *prefix || site.name.strip_prefix(prefix).is_some_and(|r| r.starts_with('_'))
            });
        if !constructor {
            return None;
        }
        if site.self_type != Ty::Unknown {
            return Some(site.self_type.clone());
        }
        let (owner, _) = site.paths.first()?.rsplit_once("::")?;
        let last = owner.rsplit("::").next()?;
        last.starts_with(char::is_uppercase).then(|| Ty::External { path: owner.into(), args: Vec::new() })
    }
}

/// Whether the type whose function is called is not known yet.
fn is_open_call(state: &State, site: &CallSite) -> bool {
    let open = |ty: &Ty| matches!(peel(ty), Ty::Param { .. } | Ty::Dyn(_));
    match &site.receiver {
        Some(receiver) => state.dereference(&receiver.value).ty().is_some_and(open),
        None => open(&site.self_type) || open(&site.expected),
    }
}
