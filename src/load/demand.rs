//! Loads the files that a flow into a key slot can run through, and no more than it must.
//!
//! The files with a sink word are loaded first. What their relevant units mention and are mentioned by (see
//! `relevance`) is looked up in the index of the other files, what is found is loaded, and so on
//! until nothing new is asked for. A file is loaded when
//!
//! - it may call something that leads to a key slot: it mentions the function's name, for a method behind a dot or
//!   together with the type's name or an alias of it. A method with the name of a standard one (`get`, `push`) is
//!   only meant when the receiver's type is known, and a value of that type is only at hand where the type, an alias
//!   or something declared with it (a field, a function, a static) is named;
//! - it defines something that relevant code mentions: a function, type, trait, constant, static or macro of that
//!   name, or a member of that name in an impl whose head names the type that the mention goes through, or, behind a
//!   dot, any member of that name (for standard names: of a type that relevant code mentions);
//! - it implements a trait method that runs without being named for such a type;
//! - it is a module that a used import leads through, the parent of a loaded module, or the root of its crate.
//!
//! Test code is not followed unless it is reported too.

use std::collections::BTreeSet;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::index::{FileIndex, NameHash};
use super::modules::Modules;
use super::relevance::{IMPLICIT, Relevance, Up, Visibility, is_type_name};
use super::unit::{By, Units};
use super::words::Scan;
use crate::discover::Layout;
use crate::ir::{FileId, FileIr, Name};
use crate::resolve::is_standard_method;
use crate::source::Sources;

/// What loading needs.
pub struct Tree<'a> {
    /// The texts.
    pub sources: &'a Sources,
    /// The crates and modules.
    pub layout: &'a Layout,
    /// What the search found.
    pub scan: &'a Scan,
    /// The files that may be loaded, in order.
    pub candidates: &'a [FileId],
    /// Whether test code counts.
    pub include_tests: bool,
    /// Parses a file.
    pub lower: &'a (dyn Fn(FileId, &str) -> FileIr + Sync),
}

/// Loads what can matter; the result is in the order of the files.
#[must_use]
pub fn load(tree: &Tree<'_>) -> Vec<FileIr> {
    let mut loader = Loader::new(tree);
    let candidates: FxHashSet<FileId> = tree.candidates.iter().copied().collect();
    let mut wanted: BTreeSet<FileId> =
        tree.scan.hits.iter().filter(|file| candidates.contains(file)).copied().collect();
    while !wanted.is_empty() {
        loader.load(&wanted);
        wanted = loader.next();
    }
    loader.finish()
}

struct Loader<'a> {
    tree: &'a Tree<'a>,
    /// The files that are not loaded yet, in order.
    waiting: Vec<(FileId, FileIndex)>,
    loaded: Vec<FileIr>,
    visibility: Visibility,
    relevance: Relevance,
    modules: Modules<'a>,
}

impl<'a> Loader<'a> {
    fn new(tree: &'a Tree<'a>) -> Self {
        let indexed: Vec<(FileId, FileIndex)> = tree
            .candidates
            .par_iter()
            .filter_map(|file| Some((*file, tree.sources.with_text(*file, FileIndex::new).ok()?)))
            .collect();
        let visibility = Visibility::new(tree.layout);
        let mut relevance = Relevance::new(visibility.clone());
        for (_, index) in &indexed {
            for (target, alias) in &index.aliases {
                relevance.aliases.add(*target, *alias);
            }
            relevance.defined.extend(index.defined());
        }
        let modules = Modules::new(tree.layout);
        Loader { tree, waiting: indexed, loaded: Vec::new(), visibility, relevance, modules }
    }

    fn load(&mut self, wanted: &BTreeSet<FileId>) {
        self.waiting.retain(|(file, _)| !wanted.contains(file));
        let files: Vec<FileId> = wanted.iter().copied().collect();
        let lowered: Vec<(FileIr, Units, Vec<usize>)> = files
            .par_iter()
            .filter_map(|file| {
                let text = self.tree.sources.load(*file).ok()?;
                let ir = (self.tree.lower)(*file, text);
                let units = Units::new(&ir, text);
                Some((ir, units, self.tree.scan.anchors(text)))
            })
            .collect();
        for (ir, units, anchors) in lowered {
            self.relevance.add(ir.file, units, &anchors, self.tree.include_tests);
            self.loaded.push(ir);
        }
    }

    /// The files to load next.
    fn next(&mut self) -> BTreeSet<FileId> {
        self.relevance.settle();
        self.relevance.update_carriers();
        self.relevance.settle();
        let demands = Demands::new(&self.relevance, &self.visibility);
        let mut wanted: BTreeSet<FileId> = self
            .waiting
            .par_iter()
            .filter(|(file, index)| demands.want(*file, index))
            .map(|(file, _)| *file)
            .collect::<Vec<_>>()
            .into_iter()
            .collect();
        wanted.extend(self.modules.of_qualifiers(&self.relevance.downs, &self.visibility));
        wanted.extend(self.imported());
        let above: Vec<FileId> = self
            .loaded
            .iter()
            .map(|ir| ir.file)
            .chain(wanted.iter().copied())
            .flat_map(|file| self.tree.layout.ancestors(file))
            .collect();
        wanted.extend(above);
        let open: FxHashSet<FileId> = self.waiting.iter().map(|(file, _)| *file).collect();
        wanted.retain(|file| open.contains(file));
        wanted
    }

    /// The modules that used imports lead through. An import may lead to another import, whose name is then used.
    fn imported(&self) -> BTreeSet<FileId> {
        let mut names: FxHashSet<Name> =
            self.relevance.downs.iter().map(|(mention, _)| mention.name.clone()).collect();
        names.extend(self.relevance.downs.iter().filter_map(|(mention, _)| match &mention.by {
            By::Qualifier(qualifier) => Some(qualifier.clone()),
            _ => None,
        }));
        let mut files = BTreeSet::new();
        for _ in 0..=self.relevance.imports() {
            let before = names.len();
            let mut more: Vec<Name> = Vec::new();
            for (file, import) in self.relevance.used_imports(&names) {
                files.extend(self.modules.along(*file, &import.path));
                more.extend(import.path.iter().cloned());
            }
            names.extend(more);
            if names.len() == before {
                break;
            }
        }
        files
    }

    fn finish(self) -> Vec<FileIr> {
        let mut loaded = self.loaded;
        loaded.sort_by_key(|ir| ir.file);
        loaded
    }
}

/// The crates from which something is asked for, or in which it is defined.
type Homes = Vec<Option<usize>>;
type Asked = FxHashMap<NameHash, Homes>;

/// What is asked of the files that are not loaded.
struct Demands<'a> {
    visibility: &'a Visibility,
    mention_any: Asked,
    mention_plain: Asked,
    mention_dotted: Asked,
    /// Behind a dot, in a file that also holds one of these.
    dotted_with: FxHashMap<NameHash, Asked>,
    /// Not behind a dot, in a file that also holds one of these.
    plain_with: FxHashMap<NameHash, Asked>,
    defined: Asked,
    members: FxHashSet<NameHash>,
    /// Members that count for relevant types only.
    members_of_types: FxHashSet<NameHash>,
    types: FxHashSet<NameHash>,
    /// Members, by name, of impls whose head holds one of these.
    members_with: FxHashMap<NameHash, FxHashSet<NameHash>>,
}

fn ask(asked: &mut Asked, name: NameHash, home: Option<usize>) {
    let homes = asked.entry(name).or_default();
    if !homes.contains(&home) {
        homes.push(home);
    }
}

impl<'a> Demands<'a> {
    fn new(relevance: &Relevance, visibility: &'a Visibility) -> Demands<'a> {
        let mut demands = Demands {
            visibility,
            mention_any: Asked::default(),
            mention_plain: Asked::default(),
            mention_dotted: Asked::default(),
            dotted_with: FxHashMap::default(),
            plain_with: FxHashMap::default(),
            defined: Asked::default(),
            members: FxHashSet::default(),
            members_of_types: IMPLICIT.iter().map(|name| NameHash::of(name)).collect(),
            types: relevance.types.iter().map(|name| NameHash::of(name)).collect(),
            members_with: FxHashMap::default(),
        };
        for (up, home) in &relevance.ups {
            demands.up(up, *home, relevance);
        }
        for (mention, home) in &relevance.downs {
            demands.down(&mention.name, &mention.by, *home, relevance);
        }
        demands
    }

    fn up(&mut self, up: &Up, home: Option<usize>, relevance: &Relevance) {
        match up {
            Up::Any(name) => ask(&mut self.mention_any, NameHash::of(name), home),
            Up::Free(name) => ask(&mut self.mention_plain, NameHash::of(name), home),
            Up::Member { name, owner, of_trait } => {
                let hash = NameHash::of(name);
                match relevance.carriers().get(owner).filter(|_| is_standard_method(name)) {
                    Some(carriers) => {
                        let with = self.dotted_with.entry(hash).or_default();
                        carriers.iter().for_each(|carrier| ask(with, *carrier, home));
                        // What is declared with the type tells where its values are at hand.
                        let names = relevance.aliases.of(NameHash::of(owner));
                        names.iter().copied().for_each(|name| ask(&mut self.mention_plain, name, home));
                    }
                    None => ask(&mut self.mention_dotted, hash, home),
                }
                match of_trait {
                    true => ask(&mut self.mention_plain, hash, home),
                    false => {
                        let with = self.plain_with.entry(hash).or_default();
                        let names = relevance.aliases.of(NameHash::of(owner));
                        names.iter().copied().for_each(|name| ask(with, name, home));
                    }
                }
            }
            Up::Implicit(owner) => {
                let names = relevance.aliases.of(NameHash::of(owner));
                let carriers = relevance.carriers().get(owner).into_iter().flatten().copied();
                carriers.chain(names.iter().copied()).for_each(|name| ask(&mut self.mention_any, name, home));
            }
        }
    }

    fn down(&mut self, name: &Name, by: &By, home: Option<usize>, relevance: &Relevance) {
        let hash = NameHash::of(name);
        match by {
            By::Label => {}
            By::Itself => ask(&mut self.defined, hash, home),
            By::Dot if is_standard_method(name) => {
                self.members_of_types.insert(hash);
            }
            By::Dot => {
                self.members.insert(hash);
            }
            By::Qualifier(qualifier) if is_type_name(qualifier) => {
                let heads = relevance.aliases.behind(NameHash::of(qualifier));
                self.members_with.entry(hash).or_default().extend(heads);
                if is_type_name(name) {
                    ask(&mut self.defined, hash, home);
                }
            }
            By::Qualifier(qualifier) => {
                ask(&mut self.defined, hash, home);
                if qualifier.is_empty() {
                    self.members.insert(hash);
                }
            }
        }
    }

    fn want(&self, file: FileId, index: &FileIndex) -> bool {
        let here = self.visibility.krate(file);
        self.wants_plain(here, index) || self.wants_dotted(here, index) || self.wants_definition(here, index)
    }

    /// Whether code of crate `here` can reach one of the places where a name that is up is defined.
    fn reaches(&self, here: Option<usize>, asked: &Asked, name: NameHash) -> bool {
        asked.get(&name).is_some_and(|homes| homes.iter().any(|home| self.visibility.sees(here, *home)))
    }

    fn wants_plain(&self, here: Option<usize>, index: &FileIndex) -> bool {
        index.plain().iter().any(|name| {
            self.reaches(here, &self.mention_any, *name)
                || self.reaches(here, &self.mention_plain, *name)
                || self.plain_with.get(name).is_some_and(|with| {
                    with.keys().any(|other| index.has_plain(*other) && self.reaches(here, with, *other))
                })
        })
    }

    fn wants_dotted(&self, here: Option<usize>, index: &FileIndex) -> bool {
        index.dotted().iter().any(|name| {
            self.reaches(here, &self.mention_any, *name)
                || self.reaches(here, &self.mention_dotted, *name)
                || self.dotted_with.get(name).is_some_and(|with| {
                    with.keys().any(|other| {
                        (index.has_plain(*other) || index.has_dotted(*other))
                            && self.reaches(here, with, *other)
                    })
                })
        })
    }

    fn wants_definition(&self, here: Option<usize>, index: &FileIndex) -> bool {
        let heads = || index.heads(|name| self.types.contains(&name));
        let asked = |name: &NameHash| {
            let homes = self.defined.get(name).into_iter().flatten();
            homes.into_iter().any(|from| self.visibility.sees(*from, here))
        };
        index.defined().iter().any(asked)
            || index.methods().iter().any(|name| self.members.contains(name))
            || index.members().any(|name| {
                (self.members_of_types.contains(&name) && heads())
                    || self
                        .members_with
                        .get(&name)
                        .is_some_and(|with| index.heads(|head| with.contains(&head)))
            })
    }
}
