//! From paths in the code to the files of modules.

use rustc_hash::FxHashMap;

use crate::discover::Layout;
use crate::ir::{FileId, Name};

/// The files of modules by crate and path.
pub(super) struct Modules<'a> {
    layout: &'a Layout,
    /// Several files are one module when `cfg` chooses between them.
    by_path: FxHashMap<(usize, &'a [Name]), Vec<FileId>>,
    crates: FxHashMap<&'a str, Vec<usize>>,
}

impl<'a> Modules<'a> {
    pub(super) fn new(layout: &'a Layout) -> Modules<'a> {
        let mut modules = Modules { layout, by_path: FxHashMap::default(), crates: FxHashMap::default() };
        for (index, place) in layout.places.iter().enumerate() {
            let Ok(file) = u32::try_from(index).map(FileId) else { break };
            modules.by_path.entry((place.krate, &place.module)).or_default().push(file);
        }
        for (index, krate) in layout.crates.iter().enumerate() {
            modules.crates.entry(krate.name.as_str()).or_default().push(index);
        }
        modules
    }

    /// The crates of a name.
    pub(super) fn crates_named(&self, name: &str) -> &[usize] {
        self.crates.get(name).map_or(&[], Vec::as_slice)
    }

    /// The files of the deepest module of a crate that a path leads into, and the name behind it.
    pub(super) fn deepest<'p>(&'p self, krate: usize, path: &'p [Name]) -> (&'p [FileId], Option<&'p Name>) {
        for length in (0..=path.len()).rev() {
            let found = path.get(..length).and_then(|module| self.by_path.get(&(krate, module)));
            if let Some(files) = found {
                return (files, path.get(length));
            }
        }
        (&[], path.first())
    }

    /// The files of the modules that the path of an import in `file` may lead into.
    pub(super) fn targets(&self, file: FileId, path: &[Name]) -> Vec<FileId> {
        let Some(place) = self.layout.places.get(file.0 as usize) else { return Vec::new() };
        let mut from = place.module.clone();
        let mut rest = path;
        while let Some((first, others)) = rest.split_first() {
            match first.as_str() {
                "crate" | "$crate" => from.clear(),
                "self" => {}
                "super" => drop(from.pop()),
                _ => break,
            }
            rest = others;
        }
        from.extend(rest.iter().cloned());
        let mut found = self.deepest(place.krate, &from).0.to_vec();
        if rest.len() == path.len()
            && let Some((first, others)) = path.split_first()
        {
            // A bare first segment may be a crate, or in edition 2015 a module of the crate root.
            found.extend(self.deepest(place.krate, path).0);
            let dependencies = &self.layout.crates[place.krate].dependencies;
            for (_, krate) in dependencies.iter().filter(|(name, _)| name == first) {
                found.extend(self.deepest(*krate, others).0);
            }
        }
        found
    }
}
