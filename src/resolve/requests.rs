//! What was asked for and is not loaded, so that a program of some files of a tree can be completed on demand.
//!
//! Questions are recorded where an answer depends on definitions that another file may hold: a path into the tree
//! that leads nowhere, a member of a type, the implementations of a trait. What is merely spelled is not recorded;
//! a field whose type is missing matters only when something is done with its value.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashSet;

use super::impls::Head;
use super::{CrateId, Program, ScopeId, TraitDef, Ty, prelude};
use crate::ir::Name;

/// A question whose answer may be in a file that is not loaded.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Request {
    /// What a path means that starts in the tree, or that starts nowhere, in code of a crate.
    Path {
        /// The crate in which it is asked for.
        krate: Option<CrateId>,
        /// The path.
        path: Name,
    },
    /// An associated function, constant or type.
    Member {
        /// The name of the type or trait in the head of its block.
        head: Name,
        /// Its own name.
        name: Name,
        /// A further name in the head, among the generic arguments.
        with: Option<Name>,
    },
    /// The impl blocks in whose head a name stands.
    Blocks {
        /// The name of a type or trait.
        head: Name,
    },
    /// The impl block of a trait for a type.
    Implementation {
        /// The name of the type.
        head: Name,
        /// The name of the trait.
        of: Name,
    },
    /// A member of a type whose own definition was not found.
    Guess {
        /// The last name of the type.
        head: Name,
        /// The member's name.
        name: Name,
    },
    /// A method of a value whose type is not known.
    Method {
        /// Its name.
        name: Name,
    },
}

/// What the files that are not loaded may define, by name.
pub trait Absent: Send + Sync {
    /// Whether one of them may define a function of this name.
    fn defines(&self, name: &str) -> bool;
    /// Whether one of them may hold an impl block with this name in its head.
    fn heads(&self, name: &str) -> bool;
    /// Whether one of them may define a function of this name that never returns.
    fn diverges(&self, name: &str) -> bool;
}

/// The record of a program.
#[derive(Default)]
pub(super) struct Requests {
    absent: Option<Box<dyn Absent>>,
    paused: AtomicBool,
    found: Mutex<FxHashSet<Request>>,
}

impl std::fmt::Debug for Requests {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Requests").field("found", &self.found).finish_non_exhaustive()
    }
}

impl Program {
    /// Says that only a part of the tree is loaded, and what the rest may define. From now on questions are recorded.
    #[must_use]
    pub fn with_absent(mut self, absent: Box<dyn Absent>) -> Program {
        self.requests = Requests { absent: Some(absent), ..Requests::default() };
        self
    }

    /// Whether files of the tree may be missing.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        self.requests.absent.is_some()
    }

    /// What was asked for so far and may not be loaded, in order.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        let found = self.requests.found.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all: Vec<Request> = found.iter().cloned().collect();
        all.sort_unstable();
        all
    }

    /// Asks without recording: for answers that are only used to leave something out, and that are on the safe side
    /// when they are not known.
    pub fn unrecorded<T>(&self, ask: impl FnOnce() -> T) -> T {
        let before = self.requests.paused.swap(true, Ordering::Relaxed);
        let answer = ask();
        self.requests.paused.store(before, Ordering::Relaxed);
        answer
    }

    /// Whether a file that is not loaded may define a function of this name.
    #[must_use]
    pub fn may_define(&self, name: &str) -> bool {
        self.requests.absent.as_ref().is_some_and(|absent| absent.defines(name))
    }

    /// Whether a file that is not loaded may hold an impl block with this name in its head.
    #[must_use]
    pub fn may_implement(&self, name: &str) -> bool {
        self.requests.absent.as_ref().is_some_and(|absent| absent.heads(name))
    }

    /// Whether a file that is not loaded may define a function of this name that never returns.
    #[must_use]
    pub fn may_diverge(&self, name: &str) -> bool {
        self.requests.absent.as_ref().is_some_and(|absent| absent.diverges(name))
    }

    /// Asks for all types of the tree in a type: what they are matters by itself.
    pub fn request_types(&self, ty: &Ty) {
        if !self.records() {
            return;
        }
        self.request_type(ty);
        let all = |types: &[Ty]| types.iter().for_each(|ty| self.request_types(ty));
        match ty {
            Ty::Adt { args, .. } | Ty::External { args, .. } | Ty::Tuple(args) => all(args),
            Ty::Reference { inner, .. } | Ty::Sequence(inner) => self.request_types(inner),
            Ty::Function { params, result } => {
                all(params);
                self.request_types(result);
            }
            Ty::Param { .. } | Ty::Dyn(_) | Ty::Unknown => {}
        }
    }

    /// Whether an outside path is one of the tree whose definition is not loaded, or whose start is not known.
    #[must_use]
    pub fn is_absent(&self, path: &str) -> bool {
        self.requests.absent.is_some() && self.is_unplaced(path)
    }

    /// Whether nothing tells where a path leads: its definition should be in the tree, or it is a bare name.
    #[must_use]
    pub fn is_unplaced(&self, path: &str) -> bool {
        self.within_tree(path) || !(path.contains("::") || prelude::is_primitive(path))
    }

    fn records(&self) -> bool {
        self.requests.absent.is_some() && !self.requests.paused.load(Ordering::Relaxed)
    }

    fn record(&self, request: Request) {
        self.requests.found.lock().unwrap_or_else(PoisonError::into_inner).insert(request);
    }

    /// Notes that something is done with an outside path.
    pub(super) fn request_path(&self, scope: Option<ScopeId>, path: &Name) {
        if self.records() && self.is_unplaced(path) {
            let krate = scope.map(|scope| self.scope(scope).krate);
            self.record(Request::Path { krate, path: path.clone() });
        }
    }

    /// Notes that something is done with values of a type.
    pub(super) fn request_type(&self, ty: &Ty) {
        if let Ty::External { path, .. } = ty {
            self.request_path(None, path);
        }
    }

    /// Notes that a member of a type is looked up.
    pub(super) fn request_member(&self, ty: &Ty, name: &str) {
        if !self.records() {
            return;
        }
        self.request_type(ty);
        match ty {
            Ty::Reference { inner, .. } => self.request_member(inner, name),
            Ty::Param { bounds, .. } | Ty::Dyn(bounds) => {
                bounds.iter().for_each(|bound| self.request_trait(&bound.id));
            }
            _ => {}
        }
        let Some(head) = Head::of(ty) else { return };
        // A trait of the tree adds methods to a type from outside, but hardly one with a name that it has by itself.
        if let Head::External(path) = &head
            && !self.is_unplaced(path)
            && (name == "new"
                || prelude::is_standard_method(name)
                || prelude::standard_constructor_trait(name).is_some())
        {
            return;
        }
        self.request_traits_of(&head);
        self.record_member(&head, name, None);
    }

    fn is_unplaced_head(&self, head: &Head) -> bool {
        matches!(head, Head::External(path) if self.is_unplaced(path))
    }

    /// Notes that a method of a trait is looked up on a type, by its implementations for certain arguments.
    pub(super) fn request_trait_method(&self, id: &TraitDef, ty: &Ty, args: &[Ty], name: &str) {
        if !self.records() {
            return;
        }
        self.request_type(ty);
        args.iter().for_each(|arg| self.request_type(arg));
        let Some(head) = Head::of(ty) else { return };
        let placed = |ty: &Ty| match ty {
            Ty::External { path, .. } => !self.is_unplaced(path),
            Ty::Sequence(_) | Ty::Tuple(_) | Ty::Function { .. } => true,
            _ => false,
        };
        let standard = matches!(id, TraitDef::External(path) if path.starts_with("std::"));
        if !(standard && placed(ty)) {
            self.record_member(&head, name, None);
            return;
        }
        // Only a type of the tree among the arguments allows an implementation of a standard trait for a type from
        // outside.
        let takes_argument = matches!(id, TraitDef::External(path) if prelude::takes_argument(path));
        match args.first().map(|arg| (arg, self.type_name(arg))) {
            _ if !takes_argument => {}
            Some((arg, _)) if placed(arg) => {}
            Some((Ty::Adt { .. }, with @ Some(_))) => self.record_member(&head, name, with),
            _ => self.record_member(&head, name, None),
        }
    }

    /// Notes that all conversions from a type are looked up.
    pub(super) fn request_conversions(&self, source: &Ty) {
        if let Some(source) = self.type_name(source).filter(|_| self.records()) {
            self.record(Request::Member {
                head: "From".into(),
                name: "from".into(),
                with: Some(source.clone()),
            });
            self.record(Request::Member { head: source, name: "into".into(), with: None });
        }
    }

    fn record_member(&self, head: &Head, name: &str, with: Option<Name>) {
        let Some(named) = self.head_name(head) else { return };
        let name = name.into();
        self.record(match self.is_unplaced_head(head) {
            true => Request::Guess { head: named, name },
            false => Request::Member { head: named, name, with },
        });
    }

    /// Notes that any type may be meant.
    pub(super) fn request_method(&self, name: &str) {
        if self.records() && !prelude::is_standard_method(name) {
            self.record(Request::Method { name: name.into() });
        }
    }

    /// Notes that the implementations of a trait are looked up.
    pub(super) fn request_trait(&self, id: &TraitDef) {
        if !self.records() {
            return;
        }
        let path = self.trait_path(id);
        if let TraitDef::External(path) = id {
            self.request_path(None, path);
            if path.starts_with("std::") {
                return;
            }
        }
        let head = path.rsplit("::").next().unwrap_or(path);
        self.record(Request::Blocks { head: head.into() });
    }

    /// Notes that it is asked whether a type implements a trait.
    pub(super) fn request_implementation(&self, ty: &Ty, of: &TraitDef) {
        if self.records()
            && let Some(head) = self.type_name(ty)
        {
            let path = self.trait_path(of);
            let of = path.rsplit("::").next().unwrap_or(path).into();
            self.record(Request::Implementation { head, of });
        }
    }

    /// Traits that a type implements and that are not loaded may have the member as a default.
    fn request_traits_of(&self, head: &Head) {
        for block in self.index.of_head.get(head).into_iter().flatten() {
            if let Some(TraitDef::External(path)) =
                self.impls[block.0 as usize].trait_ref.as_ref().map(|found| &found.id)
            {
                self.request_path(None, path);
            }
        }
    }

    /// The name at the head of a type, below references; `None` for what has no name.
    #[must_use]
    pub fn type_name(&self, ty: &Ty) -> Option<Name> {
        self.head_name(&Head::of(ty)?)
    }

    fn head_name(&self, head: &Head) -> Option<Name> {
        match head {
            Head::Type(id) => Some(self.types[id.0 as usize].name.clone()),
            Head::External(path) => Some(path.rsplit("::").next().unwrap_or(path).into()),
            Head::Dyn(id) => {
                let path = self.trait_path(id);
                Some(path.rsplit("::").next().unwrap_or(path).into())
            }
            Head::Sequence | Head::Tuple | Head::Function | Head::Any => None,
        }
    }
}
