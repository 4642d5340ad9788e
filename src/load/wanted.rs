//! What the analysis of the loaded files asks of the others, as a test on their indexes.

use rustc_hash::{FxHashMap, FxHashSet};

use super::aliases::Aliases;
use super::carriers::Carriers;
use super::index::{Block, FileIndex};
use super::visibility::{Home, Visibility};
use crate::flow::Lead;
use crate::ir::{Name, NameHash};
use crate::resolve::is_standard_method;

type Hashes = FxHashSet<NameHash>;

/// The crates from which something is asked for, or in which it is defined.
type Asked = FxHashMap<NameHash, Vec<Home>>;

fn ask(asked: &mut Asked, name: NameHash, home: Home) {
    let homes = asked.entry(name).or_default();
    if !homes.contains(&home) {
        homes.push(home);
    }
}

/// What is known about the names of the whole tree.
pub(super) struct Names<'a> {
    pub visibility: &'a Visibility,
    pub aliases: &'a Aliases,
    pub carriers: &'a Carriers,
    /// For the names of functions: the traits that are declared where one is defined.
    pub traits_with: &'a FxHashMap<NameHash, FxHashSet<NameHash>>,
}

/// What is asked for.
pub(super) struct Wanted<'a> {
    names: Names<'a>,
    mention_any: Asked,
    mention_plain: Asked,
    mention_dotted: Asked,
    /// Behind a dot, in a file that also holds one of these.
    dotted_with: FxHashMap<NameHash, Asked>,
    /// Not behind a dot, in a file that also holds one of these.
    plain_with: FxHashMap<NameHash, Asked>,
    /// Items by name, and the crates that ask for them.
    defined: Asked,
    /// Items by name in one crate.
    defined_in: FxHashMap<NameHash, FxHashSet<usize>>,
    /// Members by name, of impls and traits whose head holds one of these.
    members_with: FxHashMap<NameHash, FxHashSet<NameHash>>,
    /// Members by name, head and a further name in the header.
    members_between: FxHashMap<NameHash, Vec<(Hashes, Hashes)>>,
    /// Members of any type.
    members: FxHashSet<NameHash>,
    /// Impls whose head holds one of these.
    blocks: FxHashSet<NameHash>,
    /// Impls whose head holds the type and one of the traits.
    implementations: FxHashMap<NameHash, FxHashSet<NameHash>>,
}

impl<'a> Wanted<'a> {
    pub(super) fn new(names: Names<'a>) -> Wanted<'a> {
        Wanted {
            names,
            mention_any: Asked::default(),
            mention_plain: Asked::default(),
            mention_dotted: Asked::default(),
            dotted_with: FxHashMap::default(),
            plain_with: FxHashMap::default(),
            defined: Asked::default(),
            defined_in: FxHashMap::default(),
            members_with: FxHashMap::default(),
            members_between: FxHashMap::default(),
            members: FxHashSet::default(),
            blocks: FxHashSet::default(),
            implementations: FxHashMap::default(),
        }
    }

    /// Asks for the code that mentions what leads to a sink.
    pub(super) fn lead(&mut self, lead: &Lead) {
        match lead {
            Lead::Name(name) => ask(&mut self.mention_any, NameHash::of(name), None),
            Lead::Function { name, krate } => {
                for name in self.names.aliases.of(NameHash::of(name)) {
                    ask(&mut self.mention_plain, name, Some(krate.0 as usize));
                }
            }
            Lead::Member { name, owner, krate } => {
                self.member(name, owner, krate.map(|krate| krate.0 as usize));
            }
            Lead::Field { name, owner, krate } => {
                let (name, home) = (NameHash::of(name), Some(krate.0 as usize));
                for carrier in self.names.carriers.of(owner, self.names.aliases) {
                    ask(self.dotted_with.entry(name).or_default(), carrier, home);
                    ask(self.plain_with.entry(name).or_default(), carrier, home);
                }
            }
            Lead::Values { owner, krate } => {
                for carrier in self.names.carriers.of(owner, self.names.aliases) {
                    ask(&mut self.mention_any, carrier, Some(krate.0 as usize));
                }
            }
        }
    }

    /// A method with the name of a standard one is only meant when the receiver's type is known, and a value of that
    /// type is only at hand where the type, an alias or something declared with it is named.
    fn member(&mut self, name: &Name, owner: &Name, home: Home) {
        let hash = NameHash::of(name);
        let names = self.names.aliases.of(NameHash::of(owner));
        if is_standard_method(name) {
            let with = self.dotted_with.entry(hash).or_default();
            for carrier in self.names.carriers.of(owner, self.names.aliases) {
                ask(with, carrier, home);
            }
            names.iter().for_each(|name| ask(&mut self.mention_plain, *name, home));
        } else {
            ask(&mut self.mention_dotted, hash, home);
        }
        match home {
            // Through a trait any path may lead to it.
            None => ask(&mut self.mention_plain, hash, home),
            Some(_) => {
                let with = self.plain_with.entry(hash).or_default();
                names.iter().for_each(|name| ask(with, *name, home));
            }
        }
    }

    /// Asks for the calls of macros whose rules mention what is asked for. `macros` are all of the tree. Where a name only
    /// counts together with another one, the caller of the macro may hold that.
    pub(super) fn through_macros(&mut self, macros: &[(NameHash, FileIndex)]) {
        loop {
            let before = self.asked_of_macros();
            for (name, rules) in macros {
                let any = |name: &NameHash| self.mention_any.contains_key(name);
                let plain = |name: &NameHash| any(name) || self.mention_plain.contains_key(name);
                let dotted = |name: &NameHash| any(name) || self.mention_dotted.contains_key(name);
                let mut certain = rules.plain().iter().any(plain) || rules.dotted().iter().any(dotted);
                let mut with = Asked::default();
                let plain = rules.plain().iter().filter_map(|name| self.plain_with.get(name));
                let dotted = rules.dotted().iter().filter_map(|name| self.dotted_with.get(name));
                for (other, homes) in plain.chain(dotted).flatten() {
                    certain |= rules.has_plain(*other) || rules.has_dotted(*other);
                    homes.iter().for_each(|home| ask(&mut with, *other, *home));
                }
                if certain {
                    ask(&mut self.mention_any, *name, None);
                } else if !with.is_empty() {
                    let known = self.plain_with.entry(*name).or_default();
                    for (other, homes) in with {
                        homes.into_iter().for_each(|home| ask(known, other, home));
                    }
                }
            }
            if self.asked_of_macros() == before {
                return;
            }
        }
    }

    /// How much is asked for by name; it only grows.
    fn asked_of_macros(&self) -> (usize, usize) {
        let homes = self.plain_with.values().flat_map(Asked::values).map(Vec::len).sum();
        (self.mention_any.len(), homes)
    }

    /// Asks for whatever mentions a name.
    pub(super) fn mention(&mut self, name: NameHash) {
        ask(&mut self.mention_any, name, None);
    }

    /// Asks for an item that code of a crate names.
    pub(super) fn item(&mut self, name: &str, from: Home) {
        ask(&mut self.defined, NameHash::of(name), from);
    }

    /// Asks for an item of a crate.
    pub(super) fn item_of(&mut self, krate: usize, name: &str) {
        self.defined_in.entry(NameHash::of(name)).or_default().insert(krate);
    }

    /// Asks for a member of a type or trait.
    pub(super) fn member_of(&mut self, head: &str, name: &str) {
        let heads = self.names.aliases.of(NameHash::of(head));
        self.members_with.entry(NameHash::of(name)).or_default().extend(heads.iter());
    }

    /// Asks for a member of a type or trait, in a block with a further name among its generic arguments.
    pub(super) fn member_with(&mut self, head: &str, name: &str, with: &str) {
        let of = |name: &str| self.names.aliases.of(NameHash::of(name));
        self.members_between.entry(NameHash::of(name)).or_default().push((of(head), of(with)));
    }

    /// Asks for the methods of a name.
    pub(super) fn method(&mut self, name: &str) {
        self.members.insert(NameHash::of(name));
    }

    /// Asks for the impl blocks with a name in their head.
    pub(super) fn blocks_of(&mut self, head: &str) {
        self.blocks.extend(self.names.aliases.of(NameHash::of(head)).iter());
    }

    /// Asks for the impl blocks of a trait for a type.
    pub(super) fn implementation(&mut self, head: &str, of: &str) {
        let traits = self.names.aliases.of(NameHash::of(of));
        for head in self.names.aliases.of(NameHash::of(head)).iter() {
            self.implementations.entry(*head).or_default().extend(traits.iter());
        }
    }

    /// Whether a file that is not loaded may hold something that is asked for. `here` is its crate.
    pub(super) fn test(&self, here: Home, index: &FileIndex) -> bool {
        self.wants_plain(here, index) || self.wants_dotted(here, index) || self.wants_definition(here, index)
    }

    /// Whether code of crate `here` can reach one of the places where a name that leads to a sink is defined.
    fn reaches(&self, here: Home, asked: &Asked, name: NameHash) -> bool {
        asked.get(&name).is_some_and(|homes| homes.iter().any(|home| self.names.visibility.sees(here, *home)))
    }

    fn wants_plain(&self, here: Home, index: &FileIndex) -> bool {
        index.plain().iter().any(|name| {
            self.reaches(here, &self.mention_any, *name)
                || self.reaches(here, &self.mention_plain, *name)
                || self.plain_with.get(name).is_some_and(|with| self.holds_one(here, with, index))
        })
    }

    fn wants_dotted(&self, here: Home, index: &FileIndex) -> bool {
        index.dotted().iter().any(|name| {
            self.reaches(here, &self.mention_any, *name)
                || self.reaches(here, &self.mention_dotted, *name)
                || self.dotted_with.get(name).is_some_and(|with| self.holds_one(here, with, index))
        })
    }

    fn holds_one(&self, here: Home, names: &Asked, index: &FileIndex) -> bool {
        names.keys().any(|name| {
            (index.has_plain(*name) || index.has_dotted(*name)) && self.reaches(here, names, *name)
        })
    }

    fn wants_definition(&self, here: Home, index: &FileIndex) -> bool {
        let asked = |name: &NameHash| {
            let homes = self.defined.get(name).into_iter().flatten();
            homes.into_iter().any(|from| self.names.visibility.sees(*from, here))
                || self
                    .defined_in
                    .get(name)
                    .is_some_and(|crates| here.is_none_or(|here| crates.contains(&here)))
        };
        index.defined().iter().any(asked)
            || index.methods().iter().any(|name| self.members.contains(name))
            || index.blocks().iter().any(|block| self.wants_block(block))
    }

    fn wants_block(&self, block: &Block) -> bool {
        let member = |name: &NameHash| {
            self.members_with.get(name).is_some_and(|heads| block.may_head(|head| heads.contains(&head)))
                || self.members_between.get(name).into_iter().flatten().any(|(heads, with)| {
                    block.may_head(|head| heads.contains(&head))
                        && block.may_hold(|name| with.contains(&name))
                })
        };
        let implements = |head: NameHash| {
            let traits = self.implementations.get(&head);
            traits.is_some_and(|traits| block.heads(|head| traits.contains(&head)))
        };
        block.members().iter().any(member)
            || block.heads(|head| self.blocks.contains(&head) || implements(head))
            || self.inherits(block)
    }

    /// Whether an impl may get a member that is asked for as the default of its trait.
    fn inherits(&self, block: &Block) -> bool {
        self.members_with.iter().any(|(name, heads)| {
            self.names.traits_with.get(name).is_some_and(|traits| {
                block.heads(|head| traits.contains(&head)) && block.may_head(|head| heads.contains(&head))
            })
        })
    }
}
