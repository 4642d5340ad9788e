//! What makes a statement matter by itself: that it spells what may be a sink, or calls a function which leads to one.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::effects::Effects;
use super::mentions::Mention;
use super::spec::Specification;
use crate::ir::Name;
use crate::resolve::{FunctionId, Owner, ScopeId, ValueDef};

/// The names that make a statement matter by itself. They grow while the analysis goes on.
pub struct Criteria<'a> {
    spec: &'a dyn Specification,
    pub effects: Effects<'a>,
    /// Constants whose text is the name of a key slot, and fields that have one on the wire.
    slots: FxHashSet<Name>,
    /// What names stand for that imports rename.
    renamed: FxHashMap<Name, Vec<Name>>,
    /// Functions that lead to a sink, with the functions of traits that they implement.
    leading: FxHashMap<FunctionId, Influence>,
    /// The same by name.
    leading_by_name: FxHashMap<Name, Influence>,
    /// Those names of them that a call of a trait from outside the tree may mean.
    through_outside: FxHashSet<Name>,
    /// Statics whose content is read where it matters.
    statics: FxHashSet<Name>,
    /// Fields whose content is read where it matters.
    fields: FxHashSet<Name>,
    sink_names: std::cell::RefCell<FxHashMap<Name, bool>>,
    /// The names of the functions of the tree.
    functions: FxHashSet<Name>,
    /// Names that began to matter, or matter more, since this was last emptied.
    news: BTreeSet<Name>,
}

/// All parameters of a function.
pub const ALL: u64 = u64::MAX;

impl<'a> Criteria<'a> {
    pub fn new(
        spec: &'a dyn Specification,
        effects: Effects<'a>,
        slots: FxHashSet<Name>,
        renamed: FxHashMap<Name, Vec<Name>>,
    ) -> Criteria<'a> {
        let program = effects.program;
        let functions = program.functions().map(|id| program.function(id).name.clone()).collect();
        Criteria {
            spec,
            functions,
            effects,
            slots,
            renamed,
            leading: FxHashMap::default(),
            leading_by_name: FxHashMap::default(),
            through_outside: FxHashSet::default(),
            statics: FxHashSet::default(),
            fields: FxHashSet::default(),
            sink_names: std::cell::RefCell::default(),
            news: BTreeSet::new(),
        }
    }

    /// Adds what is known of how a function leads to a sink; `false` when it was known.
    pub fn lead(&mut self, function: FunctionId, lead: Influence) -> bool {
        if lead == Influence::default() {
            return false;
        }
        let program = self.effects.program;
        let name = &program.function(function).name;
        for id in program.declarations(function) {
            self.leading.entry(*id).or_default().add(lead);
        }
        if self.leading_by_name.entry(name.clone()).or_default().add(lead) {
            self.news.insert(name.clone());
        }
        if program.is_of_outside_trait(function) && self.through_outside.insert(name.clone()) {
            self.news.insert(name.clone());
        }
        let more = self.leading.entry(function).or_default().add(lead);
        if more {
            self.news.insert(name.clone());
        }
        more
    }

    /// How a function leads to a sink.
    pub fn of_function(&self, function: FunctionId) -> Influence {
        self.leading.get(&function).copied().unwrap_or_default()
    }

    /// Functions that lead to a sink.
    pub fn leading(&self) -> impl Iterator<Item = FunctionId> + '_ {
        self.leading.keys().copied()
    }

    /// Adds a static whose content matters.
    pub fn read_static(&mut self, name: &Name) -> bool {
        let new = self.statics.insert(name.clone());
        if new {
            self.news.insert(name.clone());
        }
        new
    }

    /// Whether the content of a static of this name matters.
    pub fn reads_static(&self, name: &str) -> bool {
        self.statics.contains(name)
    }

    /// Names that lead to a sink wherever they are mentioned: of slots and of statics.
    pub fn leading_names(&self) -> impl Iterator<Item = &Name> {
        self.slots.iter().chain(&self.statics)
    }

    /// Adds fields whose content matters.
    pub fn read_fields(&mut self, names: impl IntoIterator<Item = Name>) {
        for name in names {
            if self.fields.insert(name.clone()) {
                self.news.insert(name);
            }
        }
    }

    /// Names that began to matter, or matter more, since the last time.
    pub fn take_news(&mut self) -> BTreeSet<Name> {
        std::mem::take(&mut self.news)
    }

    /// Whether code that spells this name or text can hold a sink.
    pub fn is_sink(&self, text: &Name) -> bool {
        if let Some(known) = self.sink_names.borrow().get(text) {
            return *known;
        }
        let found = self.slots.contains(text) || self.spec.may_be_sink(text);
        self.sink_names.borrow_mut().insert(text.clone(), found);
        found
    }

    /// Whether code with this mention can hold a sink. What is only read is none, and neither is a field or a function of
    /// the tree that is called like a key by chance: the body of the function is followed.
    pub fn may_be_sink(&self, mention: Mention<'_>) -> bool {
        let none = |name: &Name| match mention {
            Mention::Read(_) => true,
            Mention::Field(_) => !self.slots.contains(name) && !self.spec.may_be_sink_field(name),
            Mention::Callee(_, _, arguments) => {
                self.functions.contains(name) && !self.spec.may_be_sink_call(name, arguments)
            }
            _ => false,
        };
        self.meanings(mention.text()).any(|name| self.is_sink(name) && !none(name))
    }

    /// A name and what it stands for.
    pub fn meanings<'n>(&'n self, name: &'n Name) -> impl Iterator<Item = &'n Name> {
        std::iter::once(name).chain(self.renamed.get(name).into_iter().flatten())
    }

    /// Why a mention matters by itself. What the function that it may call leads to is another question.
    pub fn hit(&self, mention: Mention<'_>) -> Hit {
        let sink = self.may_be_sink(mention);
        match mention {
            Mention::Text(_) if sink => Hit::Text,
            Mention::Text(_) => Hit::None,
            Mention::Item(name, _) => {
                let led = |name: &Name| self.statics.contains(name) || self.opens(name);
                match self.meanings(name).any(led) {
                    true => Hit::Callable,
                    false if sink => Hit::Text,
                    false => Hit::None,
                }
            }
            Mention::Name(name) | Mention::Field(name) | Mention::Read(name) => {
                if sink || self.fields.contains(name) { Hit::Sink } else { Hit::None }
            }
            // What it yields may be the builder on which the key is set.
            Mention::Callee(..) if sink => Hit::Text,
            Mention::Callee(name, ..) if self.meanings(name).any(|name| self.effects.diverges(name)) => {
                Hit::Call(0)
            }
            Mention::Callee(..) => Hit::None,
        }
    }

    fn opens(&self, name: &Name) -> bool {
        self.leading_by_name.get(name).is_some_and(|lead| lead.positions != 0)
    }

    /// What the function that is called may lead to.
    pub fn led(&self, scope: ScopeId, mention: Mention<'_>) -> Influence {
        let Mention::Callee(name, path, _) = mention else { return Influence::default() };
        let mut named = Influence::default();
        for lead in self.meanings(name).filter_map(|name| self.leading_by_name.get(name)) {
            named.add(*lead);
        }
        let Some(path) = path.filter(|_| named != Influence::default()) else { return named };
        let program = self.effects.program;
        match program.unrecorded(|| program.resolve_value(scope, path)) {
            // Of a trait's function, all that implement it.
            ValueDef::Function(id) if matches!(program.function(id).owner, Owner::Trait(_)) => named,
            ValueDef::Function(id) => self.of_function(id),
            ValueDef::External(paths)
                if !paths.iter().any(|path| program.is_unplaced(path))
                    && !self.meanings(name).any(|name| self.through_outside.contains(name)) =>
            {
                Influence::default()
            }
            _ => named,
        }
    }
}

/// How a function leads to a sink.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Influence {
    /// The parameters by which a call of it may decide what reaches one.
    pub positions: u64,
    /// Whether it gives back something that leads to one when it is called.
    pub carries: bool,
}

impl Influence {
    /// `false` when nothing is new.
    pub fn add(&mut self, other: Influence) -> bool {
        let before = *self;
        self.positions |= other.positions;
        self.carries |= other.carries;
        *self != before
    }
}

/// Why a statement matters by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hit {
    None,
    /// It calls a function that leads to a sink by these parameters; by none when it only may never return.
    Call(u64),
    /// It may be a sink.
    Sink,
    /// It spells the name of a key slot, or of what a key is set on.
    Text,
    /// What it yields leads to a sink when it is called.
    Callable,
}
