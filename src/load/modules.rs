//! From paths in the code to the files of modules.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::relevance::Visibility;
use super::unit::{By, Mention};
use crate::discover::Layout;
use crate::ir::{FileId, Name};

/// The files of modules by crate and path.
pub(super) struct Modules<'a> {
    layout: &'a Layout,
    by_path: FxHashMap<(usize, &'a [Name]), FileId>,
    by_last: FxHashMap<&'a Name, Vec<FileId>>,
}

impl<'a> Modules<'a> {
    pub(super) fn new(layout: &'a Layout) -> Modules<'a> {
        let mut modules = Modules { layout, by_path: FxHashMap::default(), by_last: FxHashMap::default() };
        for (index, place) in layout.places.iter().enumerate() {
            let Ok(file) = u32::try_from(index).map(FileId) else { break };
            modules.by_path.entry((place.krate, &place.module)).or_insert(file);
            if let Some(last) = place.module.last() {
                modules.by_last.entry(last).or_default().push(file);
            }
        }
        for krate in &layout.crates {
            modules.by_last.entry(&krate.name).or_default().push(krate.root);
        }
        modules
    }

    /// The files that a path of an import leads through, as written in `file`.
    pub(super) fn along(&self, file: FileId, path: &[Name]) -> BTreeSet<FileId> {
        let mut files = BTreeSet::new();
        let Some(place) = self.layout.places.get(file.0 as usize) else { return files };
        let mut from = place.module.clone();
        let mut rest = path;
        while let Some((first, others)) = rest.split_first() {
            match first.as_str() {
                "crate" => from.clear(),
                "self" => {}
                "super" => {
                    from.pop();
                }
                _ => break,
            }
            rest = others;
        }
        let relative = rest.len() == path.len();
        self.descend(place.krate, from, rest, &mut files);
        if relative && let Some((first, others)) = path.split_first() {
            // A bare first segment may be a crate, or in edition 2015 a module of the crate root.
            self.descend(place.krate, Vec::new(), path, &mut files);
            let crates = &self.layout.crates[place.krate].dependencies;
            for (_, krate) in crates.iter().filter(|(name, _)| name == first) {
                files.insert(self.layout.crates[*krate].root);
                self.descend(*krate, Vec::new(), others, &mut files);
            }
        }
        files
    }

    fn descend(&self, krate: usize, mut at: Vec<Name>, path: &[Name], files: &mut BTreeSet<FileId>) {
        files.extend(self.by_path.get(&(krate, at.as_slice())));
        for segment in path {
            at.push(segment.clone());
            files.extend(self.by_path.get(&(krate, at.as_slice())));
        }
    }

    /// The modules and crates that mentions go through: `charge` of `charge::create(..)`.
    pub(super) fn of_qualifiers(
        &self,
        mentions: &BTreeSet<(Mention, Option<usize>)>,
        visibility: &Visibility,
    ) -> BTreeSet<FileId> {
        let mut files = BTreeSet::new();
        for (mention, from) in mentions {
            let By::Qualifier(qualifier) = &mention.by else { continue };
            let modules = self.by_last.get(qualifier).into_iter().flatten();
            files.extend(modules.filter(|file| visibility.sees(*from, visibility.krate(**file))));
        }
        files
    }
}
