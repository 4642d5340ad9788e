//! Loads the files that a flow into a key slot can run through, and no more than it must.
//!
//! The files with a sink word are loaded first and analysed. What the analysis says about them decides what else is
//! loaded, until it asks for nothing new:
//!
//! - *leads*: functions, statics and fields that were seen to lead to a sink. A file is loaded when it mentions one:
//!   a function by its name, a method behind a dot or together with the type's name or an alias of it (see `wanted`);
//! - *requests*: questions of the analysis to which the loaded files have no answer, such as what a path means, who
//!   implements a trait, or whether a type has a member of a name. A file is loaded when it may hold the answer.
//!   Methods of values whose type is not known are asked for last, when nothing can make the type known any more;
//! - the parents of loaded modules and the roots of their crates.
//!
//! Where an answer is missing and the analysis goes on meanwhile, it assumes the worst ([`Absent`]). Test code is
//! not followed unless it is reported too.

use std::collections::BTreeSet;
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::aliases::Aliases;
use super::carriers::Carriers;
use super::declarations::declarations;
use super::index::{Block, FileIndex};
use super::modules::Modules;
use super::visibility::{Home, Visibility};
use super::wanted::{Names, Wanted};
use super::words::Scan;
use crate::discover::Layout;
use crate::flow::Lead;
use crate::ir::{FileId, FileIr, Item, ItemKind, Name, NameHash};
use crate::resolve::{Absent, Request};
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
    /// Parses a file.
    pub lower: &'a (dyn Fn(FileId, &Arc<str>) -> FileIr + Sync),
}

/// The loaded files, and what is known about the others.
pub struct Loader<'a> {
    tree: &'a Tree<'a>,
    /// The files that are not loaded yet, in order.
    waiting: Vec<(FileId, FileIndex)>,
    loaded: Vec<FileIr>,
    /// The indexes of loaded files that were asked for themselves, not only as the parent of a module.
    asked: FxHashMap<FileId, FileIndex>,
    visibility: Visibility,
    aliases: Aliases,
    carriers: Carriers,
    modules: Modules<'a>,
    /// All macros of the tree, with the names in their rules.
    macros: Vec<(NameHash, FileIndex)>,
    /// Macros that hold a sink word.
    sink_macros: Vec<NameHash>,
    traits_with: FxHashMap<NameHash, FxHashSet<NameHash>>,
    /// How often more was asked for.
    rounds: u32,
    /// The files that the analyses so far went over, each time counted.
    visited: usize,
}

/// After so many rounds the imports of loaded files are followed unasked, and all requests count at once. Each round
/// costs an analysis, and long chains of files would take one for each link.
const PATIENT_ROUNDS: u32 = 4;
/// With so many files that hold a sink word nearly all are asked for in the end.
const MANY_HITS: usize = 16;
/// When the analyses so far took more work than this, or went over as many files as there are, asking costs more than
/// parsing: all files are loaded.
const PATIENCE: u64 = 1_000_000;
/// So many files are gone over before that, however small the tree is.
const FEW_FILES: usize = 500;

/// Whether so many files hold a sink word that loading all at once is cheaper than asking for them.
#[must_use]
pub fn asks_for_most(candidates: &[FileId], scan: &Scan) -> bool {
    let candidates: FxHashSet<&FileId> = candidates.iter().collect();
    scan.hits.iter().filter(|file| candidates.contains(file)).count() >= MANY_HITS
}

impl<'a> Loader<'a> {
    /// Indexes the candidates and loads those with a sink word.
    #[must_use]
    pub fn new(tree: &'a Tree<'a>) -> Self {
        let indexed: Vec<(FileId, FileIndex)> = tree
            .candidates
            .par_iter()
            .filter_map(|file| Some((*file, tree.sources.with_text(*file, FileIndex::new).ok()?)))
            .collect();
        let mut aliases = Aliases::default();
        let mut traits_with: FxHashMap<NameHash, FxHashSet<NameHash>> = FxHashMap::default();
        for (_, index) in &indexed {
            index.aliases.iter().for_each(|(target, alias)| aliases.add(*target, *alias));
            for block in index.blocks() {
                for member in block.members().iter().filter(|_| block.declares.is_some()) {
                    traits_with.entry(*member).or_default().extend(block.declares);
                }
            }
        }
        let macros = tree.scan.files.iter().flatten().flat_map(|file| &file.macros);
        let (mut known, mut sink_macros) = (Vec::new(), Vec::new());
        for (name, rules) in macros {
            if tree.scan.holds_anchor(rules) {
                sink_macros.push(NameHash::of(name));
            }
            known.push((NameHash::of(name), FileIndex::new(rules)));
        }
        let mut loader = Loader {
            tree,
            waiting: indexed,
            loaded: Vec::new(),
            asked: FxHashMap::default(),
            visibility: Visibility::new(tree.layout),
            aliases,
            carriers: Carriers::default(),
            modules: Modules::new(tree.layout),
            macros: known,
            sink_macros,
            traits_with,
            rounds: 0,
            visited: 0,
        };
        let candidates: BTreeSet<FileId> = tree.candidates.iter().copied().collect();
        let hits: BTreeSet<FileId> =
            tree.scan.hits.iter().filter(|file| candidates.contains(file)).copied().collect();
        loader.load(hits);
        loader
    }

    /// The loaded files, in order.
    #[must_use]
    pub fn files(&self) -> &[FileIr] {
        &self.loaded
    }

    /// Gives the loaded files away, in order, when no more will be asked for.
    pub fn take_files(&mut self) -> Vec<FileIr> {
        std::mem::take(&mut self.loaded)
    }

    /// Whether no file is left.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.waiting.is_empty()
    }

    /// What the other files may define.
    #[must_use]
    pub fn absent(&self) -> Box<dyn Absent> {
        let mut names = AbsentNames::default();
        for (_, index) in &self.waiting {
            names.functions.extend(index.members());
            names.heads.extend(index.blocks().iter().flat_map(Block::all_heads));
            names.any_head |= index.blocks().iter().any(|block| block.may_head(|_| false));
            if index.diverges {
                names.diverging.extend(index.members());
            }
        }
        Box::new(names)
    }

    /// Loads what is asked for. `false` when there is nothing more. `work` is what the analyses took so far.
    pub fn extend(&mut self, leads: &[Lead], requests: &[Request], work: u64) -> bool {
        if self.waiting.is_empty() {
            return false;
        }
        let patient = self.rounds < PATIENT_ROUNDS;
        let steps = if patient { &Certainty::ALL[..] } else { &[Certainty::Guess] };
        let mut wanted = steps.iter().map(|least| self.wanted(leads, requests, *least));
        let Some(mut files) = wanted.find(|files| !files.is_empty()) else { return false };
        drop(wanted);
        self.visited += self.loaded.len();
        if work > PATIENCE || self.visited > (self.loaded.len() + self.waiting.len()).max(FEW_FILES) {
            files.extend(self.waiting.iter().map(|(file, _)| *file));
        }
        self.rounds += 1;
        let loaded = self.load(files);
        if !patient {
            let imported = self.imported(&loaded);
            self.load(imported);
        }
        true
    }

    fn wanted(&self, leads: &[Lead], requests: &[Request], least: Certainty) -> BTreeSet<FileId> {
        let open: FxHashMap<FileId, &FileIndex> =
            self.waiting.iter().map(|(file, index)| (*file, index)).collect();
        let mut files = BTreeSet::new();
        let mut wanted = Wanted::new(Names {
            visibility: &self.visibility,
            aliases: &self.aliases,
            carriers: &self.carriers,
            traits_with: &self.traits_with,
        });
        leads.iter().for_each(|lead| wanted.lead(lead));
        self.sink_macros.iter().for_each(|name| wanted.mention(*name));
        wanted.through_macros(&self.macros);
        for request in requests {
            match request {
                Request::Path { krate, path } => {
                    self.path(krate.map(|krate| krate.0 as usize), path, &open, &mut wanted, &mut files);
                }
                Request::Guess { head, name } if least <= Certainty::Guess => wanted.member_of(head, name),
                Request::Method { name } if least <= Certainty::Guess => wanted.method(name),
                Request::Guess { .. } | Request::Method { .. } => {}
                _ if least > Certainty::Member => {}
                Request::Member { head, name, with: None } => wanted.member_of(head, name),
                Request::Member { head, name, with: Some(with) } => wanted.member_with(head, name, with),
                Request::Blocks { head } => wanted.blocks_of(head),
                Request::Implementation { head, of } => wanted.implementation(head, of),
            }
        }
        let matching =
            self.waiting.par_iter().filter(|(file, index)| wanted.test(self.visibility.krate(*file), index));
        files.extend(matching.map(|(file, _)| *file).collect::<Vec<_>>());
        files.extend(self.globs(&open));
        files
    }

    /// Asks for what a path leads to: the first name behind its modules, in the last of these or anywhere in its crate.
    fn path(
        &self,
        from: Home,
        path: &str,
        open: &FxHashMap<FileId, &FileIndex>,
        wanted: &mut Wanted<'_>,
        files: &mut BTreeSet<FileId>,
    ) {
        let segments: Vec<Name> = path.split("::").map(Name::from).collect();
        let Some((first, rest)) = segments.split_first() else { return };
        if rest.is_empty() {
            wanted.item(first, from);
            return;
        }
        for krate in self.modules.crates_named(first).iter().copied() {
            let (modules, item) = self.modules.deepest(krate, rest);
            for file in modules {
                let holds = |index: &&FileIndex| {
                    item.is_none_or(|item| {
                        let item = NameHash::of(item);
                        index.defines(item) || index.has_plain(item)
                    })
                };
                if open.get(file).is_some_and(holds) {
                    files.insert(*file);
                }
            }
            if let Some(item) = item {
                wanted.item_of(krate, item);
            }
        }
    }

    /// Modules all of whose names a loaded file imports, and that define one that the file mentions or import from
    /// others in turn.
    fn globs(&self, open: &FxHashMap<FileId, &FileIndex>) -> BTreeSet<FileId> {
        let mut files = BTreeSet::new();
        for ir in &self.loaded {
            let Some(index) = self.asked.get(&ir.file) else { continue };
            for (path, _) in imports(&ir.items).into_iter().filter(|(_, glob)| *glob) {
                let targets = self.modules.targets(ir.file, path);
                files.extend(targets.into_iter().filter(|file| {
                    open.get(file).is_some_and(|target| {
                        target.globs || target.defined().iter().any(|name| index.has_plain(*name))
                    })
                }));
            }
        }
        files
    }

    /// Files that define what loaded files import.
    fn imported(&self, files: &BTreeSet<FileId>) -> BTreeSet<FileId> {
        let open: FxHashMap<FileId, &FileIndex> =
            self.waiting.iter().map(|(file, index)| (*file, index)).collect();
        let mut found = BTreeSet::new();
        for ir in self.loaded.iter().filter(|ir| files.contains(&ir.file)) {
            for (path, _) in imports(&ir.items).into_iter().filter(|(_, glob)| !glob) {
                let Some(name) = path.last().map(|name| NameHash::of(name)) else { continue };
                let holds = |file: &FileId| {
                    open.get(file).is_some_and(|index| index.defines(name) || index.has_plain(name))
                };
                found.extend(self.modules.targets(ir.file, path).into_iter().filter(holds));
            }
        }
        found
    }

    /// Loads files with the parents of their modules. Gives those that were not loaded before.
    fn load(&mut self, wanted: BTreeSet<FileId>) -> BTreeSet<FileId> {
        let above: BTreeSet<FileId> =
            wanted.iter().flat_map(|file| self.tree.layout.ancestors(*file)).collect();
        let mut files = Vec::new();
        for (file, index) in std::mem::take(&mut self.waiting) {
            if wanted.contains(&file) {
                self.asked.insert(file, index);
                files.push(file);
            } else if above.contains(&file) {
                files.push(file);
            } else {
                self.waiting.push((file, index));
            }
        }
        let lowered = files.par_iter().filter_map(|file| {
            let text = self.tree.sources.load(*file).ok()?;
            let ir = (self.tree.lower)(*file, text);
            let declared = declarations(&ir);
            Some((ir, declared))
        });
        for (ir, declared) in lowered.collect::<Vec<_>>() {
            self.carriers.add(declared);
            self.loaded.push(ir);
        }
        self.loaded.sort_by_key(|ir| ir.file);
        files.into_iter().collect()
    }
}

/// How well a request tells what is needed. The less certain ones wait until the others ask for nothing more: what
/// these load may answer them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Certainty {
    /// Any type may be meant.
    Guess,
    /// A member of a known type, or the implementations of a trait.
    Member,
    /// One item.
    Item,
}

impl Certainty {
    const ALL: [Certainty; 3] = [Certainty::Item, Certainty::Member, Certainty::Guess];
}

/// The paths of imports, inner modules included, and whether they are of all names.
fn imports(items: &[Item]) -> Vec<(&[Name], bool)> {
    let mut found = Vec::new();
    for item in items {
        match &item.kind {
            ItemKind::Use(import) => found.push((import.path.as_slice(), import.glob)),
            ItemKind::Module(module) => {
                found.extend(imports(module.items.as_deref().unwrap_or_default()));
            }
            _ => {}
        }
    }
    found
}

/// Names of what is defined in files that are not loaded.
#[derive(Default)]
struct AbsentNames {
    functions: FxHashSet<NameHash>,
    heads: FxHashSet<NameHash>,
    any_head: bool,
    diverging: FxHashSet<NameHash>,
}

impl Absent for AbsentNames {
    fn defines(&self, name: &str) -> bool {
        self.functions.contains(&NameHash::of(name))
    }

    fn heads(&self, name: &str) -> bool {
        self.any_head || self.heads.contains(&NameHash::of(name))
    }

    fn diverges(&self, name: &str) -> bool {
        self.diverging.contains(&NameHash::of(name))
    }
}
