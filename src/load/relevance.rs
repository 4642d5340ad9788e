//! Which units of the loaded files a flow into a key slot can run through.
//!
//! A unit is *up* when a value inside it may move on to a key slot: it holds the word of a sink, or it mentions a
//! unit that is up. It is *relevant* when it is up, or when a relevant unit mentions it and so may receive a value
//! from it. This over-approximates every flow: a value moves between units by a call, a return, a static, a
//! constant, or as a part of a value that moves, and each of these mentions a name, with the exceptions that
//! [`IMPLICIT`] lists. A method is mentioned by its name behind a dot, or by its type's or trait's name.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::index::NameHash;
use super::unit::{By, Import, Mention, Unit, UnitKind, Units};
use crate::discover::Layout;
use crate::ir::{FileId, Name};
use crate::resolve::is_standard_method;

/// Methods of standard traits that run without being named: conversions, operators, formatting, iteration.
pub(super) const IMPLICIT: [&str; 40] = [
    "add",
    "add_assign",
    "as_ref",
    "borrow",
    "borrow_mut",
    "bitand",
    "bitor",
    "bitxor",
    "call",
    "clone",
    "default",
    "deref",
    "deref_mut",
    "div",
    "drop",
    "extend",
    "fmt",
    "from",
    "from_iter",
    "from_str",
    "hash",
    "index",
    "index_mut",
    "into",
    "into_future",
    "into_iter",
    "mul",
    "neg",
    "next",
    "not",
    "poll",
    "rem",
    "serialize",
    "shl",
    "shr",
    "sub",
    "to_owned",
    "to_string",
    "try_from",
    "try_into",
];

/// A name by which something is reached that passes values on to a key slot.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Up {
    /// However it is mentioned: statics, constants, macros, types.
    Any(Name),
    /// A free function: not behind a dot.
    Free(Name),
    /// A method or associated function.
    Member { name: Name, owner: Name, of_trait: bool },
    /// A method that runs without being named, for values of this type.
    Implicit(Name),
}

impl Up {
    fn owner(&self) -> Option<&Name> {
        match self {
            Up::Member { owner, .. } | Up::Implicit(owner) => Some(owner),
            Up::Any(_) | Up::Free(_) => None,
        }
    }
}

/// Where something that is up is defined: a crate, or `None` when code of any crate may reach it, as through a trait.
type Home = Option<usize>;

/// A place in the list of units.
type UnitId = usize;

/// The loaded units and what is known about them.
pub(super) struct Relevance {
    visibility: Visibility,
    units: Vec<(FileId, Unit)>,
    imports: Vec<(FileId, Import)>,
    by_mention: FxHashMap<NameHash, Vec<UnitId>>,
    /// The same by name and by how it is reached: a type has a `new` of its own in most files.
    by_reach: FxHashMap<(NameHash, NameHash), Vec<UnitId>>,
    by_signature: FxHashMap<NameHash, Vec<UnitId>>,
    by_name: FxHashMap<Name, Vec<UnitId>>,
    by_owner: FxHashMap<Name, Vec<UnitId>>,
    /// The names that the units of each file mention.
    names_of_file: FxHashMap<FileId, FxHashSet<NameHash>>,
    up: Vec<bool>,
    relevant: Vec<bool>,
    /// Relevant units whose mentions were not looked at yet.
    queue: Vec<UnitId>,
    /// What was found to be up and not spread yet.
    up_queue: Vec<(Up, Home)>,
    /// What units that are up are reached by.
    pub ups: BTreeSet<(Up, Home)>,
    ups_by_name: FxHashMap<Name, Vec<(Up, Home)>>,
    /// Members of types by their name and the names of their type.
    members_up: FxHashMap<(NameHash, NameHash), Vec<Home>>,
    /// All others by name.
    others_up: FxHashMap<Name, Vec<(Up, Home)>>,
    /// Names whose mention alone leads to something that is up, because it runs without being named.
    implicit: FxHashMap<NameHash, Vec<Home>>,
    /// What relevant units mention, and from which crate where that matters.
    pub downs: BTreeSet<(Mention, Home)>,
    downs_by_name: FxHashMap<Name, Vec<(Mention, Home)>>,
    /// Types and traits that relevant units mention.
    pub types: FxHashSet<Name>,
    /// For types: the names of what yields a value of them.
    carriers: FxHashMap<Name, FxHashSet<NameHash>>,
    pub aliases: Aliases,
    /// Names that the tree defines; others are of libraries.
    pub defined: FxHashSet<NameHash>,
}

/// Which crate can name what another one defines.
#[derive(Clone)]
pub(super) struct Visibility {
    krate_of_file: Vec<usize>,
    /// For each crate: itself and all that it depends on.
    sees: Vec<FxHashSet<usize>>,
}

impl Visibility {
    pub(super) fn new(layout: &Layout) -> Visibility {
        let sees = (0..layout.crates.len()).map(|start| {
            let mut found = FxHashSet::default();
            let mut waiting = vec![start];
            while let Some(krate) = waiting.pop() {
                if found.insert(krate) {
                    waiting.extend(layout.crates[krate].dependencies.iter().map(|(_, next)| *next));
                }
            }
            found
        });
        Visibility {
            krate_of_file: layout.places.iter().map(|place| place.krate).collect(),
            sees: sees.collect(),
        }
    }

    pub(super) fn krate(&self, file: FileId) -> Home {
        self.krate_of_file.get(file.0 as usize).copied()
    }

    /// Whether code of crate `from` can reach what is defined in `home`.
    pub(super) fn sees(&self, from: Home, home: Home) -> bool {
        match (from, home) {
            (Some(from), Some(home)) => self.sees.get(from).is_none_or(|seen| seen.contains(&home)),
            _ => true,
        }
    }
}

/// Which names stand for which others.
#[derive(Default)]
pub(super) struct Aliases {
    of_target: FxHashMap<NameHash, Vec<NameHash>>,
    of_alias: FxHashMap<NameHash, Vec<NameHash>>,
    /// Answers of [`Aliases::of`] until another alias is added.
    known: RefCell<FxHashMap<NameHash, Rc<FxHashSet<NameHash>>>>,
}

impl Aliases {
    pub(super) fn add(&mut self, target: NameHash, alias: NameHash) {
        self.known.get_mut().clear();
        self.of_target.entry(target).or_default().push(alias);
        self.of_alias.entry(alias).or_default().push(target);
    }

    /// Whether a name stands for another.
    fn is_alias(&self, name: NameHash) -> bool {
        self.of_alias.contains_key(&name)
    }

    /// A name and all that it is called elsewhere.
    pub(super) fn of(&self, target: NameHash) -> Rc<FxHashSet<NameHash>> {
        if let Some(known) = self.known.borrow().get(&target) {
            return known.clone();
        }
        let found = Rc::new(closure(&self.of_target, target));
        self.known.borrow_mut().insert(target, found.clone());
        found
    }

    /// A name and all that it may stand for.
    pub(super) fn behind(&self, alias: NameHash) -> FxHashSet<NameHash> {
        closure(&self.of_alias, alias)
    }
}

fn closure(edges: &FxHashMap<NameHash, Vec<NameHash>>, start: NameHash) -> FxHashSet<NameHash> {
    let mut found = FxHashSet::default();
    let mut waiting = vec![start];
    while let Some(name) = waiting.pop() {
        if found.insert(name) {
            waiting.extend(edges.get(&name).into_iter().flatten());
        }
    }
    found
}

impl Relevance {
    pub(super) fn new(visibility: Visibility) -> Relevance {
        Relevance {
            visibility,
            units: Vec::new(),
            imports: Vec::new(),
            by_mention: FxHashMap::default(),
            by_reach: FxHashMap::default(),
            by_signature: FxHashMap::default(),
            by_name: FxHashMap::default(),
            by_owner: FxHashMap::default(),
            names_of_file: FxHashMap::default(),
            up: Vec::new(),
            relevant: Vec::new(),
            queue: Vec::new(),
            up_queue: Vec::new(),
            ups: BTreeSet::new(),
            ups_by_name: FxHashMap::default(),
            members_up: FxHashMap::default(),
            others_up: FxHashMap::default(),
            implicit: FxHashMap::default(),
            downs: BTreeSet::new(),
            downs_by_name: FxHashMap::default(),
            types: FxHashSet::default(),
            carriers: FxHashMap::default(),
            aliases: Aliases::default(),
            defined: FxHashSet::default(),
        }
    }

    /// Adds the units of a file. `anchors` are the offsets of sink words in it.
    pub(super) fn add(&mut self, file: FileId, units: Units, anchors: &[usize], include_tests: bool) {
        let home = self.visibility.krate(file);
        for import in units.imports {
            if holds(anchors, import.span) && !import.name.is_empty() {
                self.up_queue.push((Up::Any(import.name.clone()), home));
            }
            self.imports.push((file, import));
        }
        for unit in units.units.into_iter().filter(|unit| include_tests || !unit.test) {
            let hit = holds(anchors, unit.span);
            let id = self.insert(file, unit);
            if hit || self.reaches_up(id) {
                self.mark_up(id, anchors);
            } else if self.is_wanted(id) {
                self.mark(id);
            }
        }
    }

    fn insert(&mut self, file: FileId, unit: Unit) -> UnitId {
        let id = self.units.len();
        let names: BTreeSet<NameHash> =
            unit.mentions.iter().map(|mention| NameHash::of(&mention.name)).collect();
        for name in &names {
            self.by_mention.entry(*name).or_default().push(id);
        }
        let reached: BTreeSet<(NameHash, NameHash)> = unit
            .mentions
            .iter()
            .map(|mention| (NameHash::of(&mention.name), reach(mention, &unit)))
            .collect();
        for key in reached {
            self.by_reach.entry(key).or_default().push(id);
        }
        self.names_of_file.entry(file).or_default().extend(names);
        self.by_name.entry(unit.name.clone()).or_default().push(id);
        for name in &unit.signature {
            self.by_signature.entry(NameHash::of(name)).or_default().push(id);
        }
        for owner in [&unit.owner, &unit.of_trait].into_iter().flatten() {
            self.by_owner.entry(owner.clone()).or_default().push(id);
        }
        self.units.push((file, unit));
        self.up.push(false);
        self.relevant.push(false);
        id
    }

    /// Spreads what is known until nothing new follows.
    pub(super) fn settle(&mut self) {
        loop {
            if let Some((up, home)) = self.up_queue.pop() {
                self.spread_up(up, home);
            } else if let Some(id) = self.queue.pop() {
                for mention in self.units[id].1.mentions.clone() {
                    self.demand(mention, id);
                }
            } else {
                break;
            }
        }
    }

    fn home(&self, id: UnitId) -> Home {
        self.visibility.krate(self.units[id].0)
    }

    fn mark(&mut self, id: UnitId) {
        if !std::mem::replace(&mut self.relevant[id], true) {
            self.queue.push(id);
        }
    }

    fn mark_up(&mut self, id: UnitId, anchors: &[usize]) {
        self.mark(id);
        if std::mem::replace(&mut self.up[id], true) {
            return;
        }
        let home = self.home(id);
        let unit = &self.units[id].1;
        let name = unit.name.clone();
        match (unit.kind, unit.owner.clone()) {
            (UnitKind::Impl, _) => {}
            (UnitKind::Function, None) => self.up_queue.push((Up::Free(name), home)),
            (UnitKind::Type, None) => {
                // A word that stands at no field in particular, as in an attribute of the type, is about all.
                let hit = holds(anchors, unit.span);
                let at_field = unit.fields.iter().any(|(_, span, _)| holds(anchors, *span));
                let fields =
                    unit.fields.iter().filter(|(_, span, _)| hit && (!at_field || holds(anchors, *span)));
                self.up_queue.extend(fields.map(|(field, _, _)| (Up::Any(field.clone()), home)));
                self.up_queue.push((Up::Any(name), home));
            }
            (_, None) => self.up_queue.push((Up::Any(name), home)),
            (_, Some(owner)) => {
                let of_trait = unit.of_trait.is_some();
                if of_trait && IMPLICIT.contains(&name.as_str()) {
                    self.up_queue.push((Up::Implicit(owner.clone()), home));
                }
                // Who calls through a trait need not see the crate of the implementation.
                let home = home.filter(|_| !of_trait);
                self.up_queue.push((Up::Member { name, owner, of_trait }, home));
            }
        }
    }

    /// Marks all units that lead to something which is up.
    fn spread_up(&mut self, up: Up, home: Home) {
        if !self.ups.insert((up.clone(), home)) {
            return;
        }
        let candidates = match &up {
            Up::Any(name) | Up::Free(name) | Up::Member { name, .. } => {
                self.ups_by_name.entry(name.clone()).or_default().push((up.clone(), home));
                match &up {
                    Up::Member { name, owner, of_trait: false } => self.spread_member(name, owner, home),
                    _ => {
                        self.others_up.entry(name.clone()).or_default().push((up.clone(), home));
                        self.by_mention.get(&NameHash::of(name)).cloned().unwrap_or_default()
                    }
                }
            }
            Up::Implicit(owner) => return self.spread_implicit(&self.yielding(owner), home),
        };
        for id in candidates {
            if !self.up[id] && self.matches_up(id, &up, home) {
                self.mark_up(id, &[]);
            }
        }
    }

    /// Notes a member of a type that is up. Gives the units that may mention it: by the names of the type, behind
    /// a dot, or by a qualifier that may stand for any type.
    fn spread_member(&mut self, name: &Name, owner: &Name, home: Home) -> Vec<UnitId> {
        let name = NameHash::of(name);
        let names = self.aliases.of(NameHash::of(owner));
        let mut candidates = Vec::new();
        for owner in names.iter() {
            self.members_up.entry((name, *owner)).or_default().push(home);
        }
        let open = [NameHash::of(BEHIND_DOT), NameHash::of(ANY_TYPE)];
        for owner in names.iter().chain(&open) {
            candidates.extend(self.by_reach.get(&(name, *owner)).into_iter().flatten());
        }
        candidates
    }

    fn spread_implicit(&mut self, names: &FxHashSet<NameHash>, home: Home) {
        for name in names {
            let homes = self.implicit.entry(*name).or_default();
            if homes.contains(&home) {
                continue;
            }
            homes.push(home);
            for id in self.by_mention.get(name).cloned().unwrap_or_default() {
                if !self.up[id] && self.visibility.sees(self.home(id), home) {
                    self.mark_up(id, &[]);
                }
            }
        }
    }

    fn reaches_up(&self, id: UnitId) -> bool {
        let from = self.home(id);
        let unit = &self.units[id].1;
        let seen = |homes: Option<&Vec<Home>>| {
            homes.into_iter().flatten().any(|home| self.visibility.sees(from, *home))
        };
        let matches = |ups: Option<&Vec<(Up, Home)>>| {
            ups.into_iter().flatten().any(|(up, home)| self.matches_up(id, up, *home))
        };
        unit.mentions.iter().any(|mention| {
            let name = NameHash::of(&mention.name);
            let reach = reach(mention, unit);
            let of_type = matches!(mention.by, By::Qualifier(_)) && reach != NameHash::of(ANY_TYPE);
            seen(self.implicit.get(&name))
                || match of_type {
                    true => {
                        seen(self.members_up.get(&(name, reach)))
                            || matches(self.others_up.get(&mention.name))
                    }
                    false => matches(self.ups_by_name.get(&mention.name)),
                }
        })
    }

    fn matches_up(&self, id: UnitId, up: &Up, home: Home) -> bool {
        if !self.visibility.sees(self.home(id), home) {
            return false;
        }
        let (_, unit) = &self.units[id];
        // Mentions are sorted by name.
        let of_name = |wanted: &Name, test: &dyn Fn(&By) -> bool| {
            let start = unit.mentions.partition_point(|mention| mention.name < *wanted);
            let same = unit.mentions[start..].iter().take_while(|mention| mention.name == *wanted);
            same.map(|mention| &mention.by).any(test)
        };
        match up {
            Up::Any(name) => of_name(name, &|_| true),
            Up::Free(name) => of_name(name, &|by| !matches!(by, By::Label | By::Dot)),
            Up::Member { name, owner, of_trait } => of_name(name, &|by| match by {
                By::Dot => self.receiver_may_be(id, name, owner),
                By::Itself | By::Label => false,
                By::Qualifier(qualifier) => {
                    *of_trait
                        || qualifier.is_empty()
                        || qualifier == "Self"
                        || unit.generics.contains(qualifier)
                        || self.may_mean(qualifier, owner)
                }
            }),
            // These are found by their names alone.
            Up::Implicit(_) => false,
        }
    }

    /// A method with a standard name is only meant when a value of its type may be at hand.
    fn receiver_may_be(&self, id: UnitId, name: &str, owner: &Name) -> bool {
        if !is_standard_method(name) {
            return true;
        }
        let Some(carriers) = self.carriers.get(owner) else { return false };
        let names = self.names_of_file.get(&self.units[id].0);
        names.is_some_and(|names| carriers.iter().any(|carrier| names.contains(carrier)))
    }

    fn may_mean(&self, qualifier: &Name, owner: &Name) -> bool {
        if qualifier == owner {
            return true;
        }
        self.aliases.is_alias(NameHash::of(qualifier))
            && self.aliases.of(NameHash::of(owner)).contains(&NameHash::of(qualifier))
    }

    /// A relevant unit mentions something.
    fn demand(&mut self, mention: Mention, from: UnitId) {
        let mention = match &mention.by {
            By::Qualifier(qualifier) if qualifier == "Self" => {
                let owner = self.units[from].1.owner.clone().unwrap_or_default();
                Mention { by: By::Qualifier(owner), ..mention }
            }
            // A generic parameter may stand for any type.
            By::Qualifier(qualifier) if self.units[from].1.generics.contains(qualifier) => {
                Mention { by: By::Qualifier(Name::default()), ..mention }
            }
            _ => mention,
        };
        if mention.by == By::Label {
            return;
        }
        let mention = Mention { called: false, ..mention };
        let home = match &mention.by {
            By::Itself => self.home(from),
            By::Qualifier(qualifier) if !qualifier.is_empty() && !is_type_name(qualifier) => self.home(from),
            _ => None,
        };
        if !self.downs.insert((mention.clone(), home)) {
            return;
        }
        self.downs_by_name.entry(mention.name.clone()).or_default().push((mention.clone(), home));
        if mention.by != By::Dot && is_type_name(&mention.name) {
            self.new_type(mention.name.clone());
        }
        if let By::Qualifier(qualifier) = &mention.by
            && is_type_name(qualifier)
        {
            self.new_type(qualifier.clone());
        }
        for id in self.by_name.get(&mention.name).cloned().unwrap_or_default() {
            if self.is_meant(id, &mention, home) {
                self.mark(id);
            }
        }
    }

    /// Members of a type that run unasked become relevant with it.
    fn new_type(&mut self, name: Name) {
        let of_tree = self.defined.contains(&NameHash::of(&name));
        if !of_tree || !self.types.insert(name.clone()) {
            return;
        }
        for id in self.by_owner.get(&name).cloned().unwrap_or_default() {
            if self.is_wanted(id) {
                self.mark(id);
            }
        }
    }

    fn is_wanted(&self, id: UnitId) -> bool {
        let (_, unit) = &self.units[id];
        let of_relevant_type =
            [&unit.owner, &unit.of_trait].into_iter().flatten().any(|name| self.types.contains(name));
        if unit.kind == UnitKind::Impl || IMPLICIT.contains(&unit.name.as_str()) {
            return of_relevant_type;
        }
        let mentions = self.downs_by_name.get(&unit.name).into_iter().flatten();
        mentions.into_iter().any(|(mention, home)| self.is_meant(id, mention, *home))
    }

    /// Whether a mention in crate `from` may mean a unit of that name.
    fn is_meant(&self, id: UnitId, mention: &Mention, from: Home) -> bool {
        let (_, unit) = &self.units[id];
        let Some(owner) = &unit.owner else {
            let by_name = !matches!(mention.by, By::Dot | By::Label);
            return by_name && self.visibility.sees(from, self.home(id));
        };
        match &mention.by {
            By::Itself | By::Label => false,
            By::Dot if is_standard_method(&mention.name) => {
                self.types.contains(owner)
                    || unit.of_trait.as_ref().is_some_and(|name| self.types.contains(name))
            }
            By::Dot => true,
            By::Qualifier(qualifier) => {
                // A generic parameter or an alias may stand for any type.
                !self.defined.contains(&NameHash::of(qualifier))
                    || self.may_mean(qualifier, owner)
                    || unit.of_trait.as_ref() == Some(qualifier)
            }
        }
    }

    /// Imports of loaded files that relevant code may use: globs, and those of names that it mentions.
    pub(super) fn used_imports(&self, wanted: &FxHashSet<Name>) -> impl Iterator<Item = &(FileId, Import)> {
        self.imports.iter().filter(move |(_, import)| import.glob || wanted.contains(&import.name))
    }

    /// How many imports there are.
    pub(super) fn imports(&self) -> usize {
        self.imports.len()
    }

    /// The types whose carriers are asked for.
    pub(super) fn carried_types(&self) -> BTreeSet<Name> {
        let mut types = BTreeSet::new();
        for (up, _) in &self.ups {
            match up {
                Up::Implicit(owner) => {
                    types.insert(owner.clone());
                }
                Up::Member { name, owner, .. } if is_standard_method(name) => {
                    types.insert(owner.clone());
                }
                _ => {}
            }
        }
        types
    }

    /// The names without one of which no value of a type is at hand: the type, its aliases, and everything that is
    /// declared with it.
    fn yielding(&self, owner: &Name) -> FxHashSet<NameHash> {
        self.carriers
            .get(owner)
            .cloned()
            .unwrap_or_else(|| self.aliases.of(NameHash::of(owner)).as_ref().clone())
    }

    /// Works out what yields values of the carried types, and marks the units that this makes relevant.
    pub(super) fn update_carriers(&mut self) {
        let mut changed = FxHashSet::default();
        for owner in self.carried_types() {
            let names = self.compute_carriers(&owner);
            if self.carriers.get(&owner) != Some(&names) {
                self.carriers.insert(owner.clone(), names);
                changed.insert(owner);
            }
        }
        let ups: Vec<(Up, Home)> = self
            .ups
            .iter()
            .filter(|(up, _)| up.owner().is_some_and(|owner| changed.contains(owner)))
            .cloned()
            .collect();
        for (up, home) in ups {
            match &up {
                Up::Implicit(owner) => self.spread_implicit(&self.yielding(owner), home),
                Up::Member { name, .. } if is_standard_method(name) => {
                    for id in self.by_mention.get(&NameHash::of(name)).cloned().unwrap_or_default() {
                        if !self.up[id] && self.matches_up(id, &up, home) {
                            self.mark_up(id, &[]);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn compute_carriers(&self, owner: &Name) -> FxHashSet<NameHash> {
        let mut types = FxHashSet::default();
        let mut names = FxHashSet::default();
        let mut waiting = vec![owner.clone()];
        while let Some(ty) = waiting.pop() {
            if !types.insert(ty.clone()) {
                continue;
            }
            let meant = self.aliases.of(NameHash::of(&ty));
            let mentions = |set: &BTreeSet<Name>| set.iter().any(|name| meant.contains(&NameHash::of(name)));
            let users = meant.iter().filter_map(|name| self.by_signature.get(name)).flatten();
            for (_, unit) in users.map(|id| &self.units[*id]) {
                // Whoever calls a member of the type names it or has a value of it.
                let own = unit.owner.as_ref().is_some_and(|owner| meant.contains(&NameHash::of(owner)));
                match unit.kind {
                    UnitKind::Function | UnitKind::Static if own => {}
                    UnitKind::Function | UnitKind::Static => {
                        names.insert(NameHash::of(&unit.name));
                    }
                    // What derefs to the type, or names it as an associated type, is as good as the type.
                    UnitKind::Impl => waiting.extend(unit.owner.clone()),
                    UnitKind::Type => {
                        for (field, _, _) in unit.fields.iter().filter(|(_, _, types)| mentions(types)) {
                            match field.starts_with(|first: char| first.is_ascii_digit()) {
                                true => waiting.push(unit.name.clone()),
                                false => {
                                    names.insert(NameHash::of(field));
                                }
                            }
                        }
                    }
                    UnitKind::Alias => waiting.push(unit.name.clone()),
                    UnitKind::Trait | UnitKind::Macro => {}
                }
            }
            names.extend(meant.iter().copied());
        }
        names
    }

    /// The carriers of all carried types.
    pub(super) fn carriers(&self) -> &FxHashMap<Name, FxHashSet<NameHash>> {
        &self.carriers
    }
}

/// How a member is reached behind a dot.
const BEHIND_DOT: &str = ".";
/// How a member is reached by a qualifier that may stand for any type.
const ANY_TYPE: &str = "*";

/// How a unit reaches what it mentions: by the name of a type, behind a dot, by what may be any type, or by itself.
fn reach(mention: &Mention, unit: &Unit) -> NameHash {
    NameHash::of(match &mention.by {
        By::Dot => BEHIND_DOT,
        By::Itself | By::Label => "",
        By::Qualifier(qualifier)
            if qualifier.is_empty() || qualifier == "Self" || unit.generics.contains(qualifier) =>
        {
            ANY_TYPE
        }
        By::Qualifier(qualifier) => qualifier,
    })
}

/// Whether a name looks like that of a type, trait or constant.
pub(super) fn is_type_name(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

fn holds(anchors: &[usize], span: crate::ir::Span) -> bool {
    anchors.iter().any(|anchor| (span.start as usize..span.end as usize).contains(anchor))
}
