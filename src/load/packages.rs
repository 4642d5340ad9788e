//! Which crates a flow into a key slot can run through.
//!
//! A value moves between functions along calls and through statics, and code can only name what its own crate or
//! a dependency of it defines. So a function that passes a value towards a sink is in the sink's crate or in a
//! crate that depends on it, directly or through others; and a function that hands a value to one of those is in
//! a crate on which they depend, or is called back by them through a trait or closure, which again needs a crate
//! that names both. Hence: the crates with a hit, all that depend on them, and all on which those depend.
//! A loose file is a crate of its own that nobody depends on. Crates whose manifest could not be read may depend
//! on anything and are kept.

use std::collections::BTreeSet;

use crate::discover::{Layout, Project};
use crate::ir::FileId;

/// The files of the crates that matter, in order, given the files with a hit.
#[must_use]
pub fn related_files(project: &Project, layout: &Layout, hits: &[FileId]) -> Vec<FileId> {
    let related = related_crates(project, layout, hits);
    let files = layout.places.iter().enumerate().filter(|(_, place)| related.contains(&place.krate));
    files.filter_map(|(index, _)| u32::try_from(index).ok().map(FileId)).collect()
}

fn related_crates(project: &Project, layout: &Layout, hits: &[FileId]) -> BTreeSet<usize> {
    let unknown = (0..layout.crates.len()).filter(|index| {
        let package = layout.crates[*index].package.and_then(|package| project.packages.get(package));
        package.is_some_and(|package| package.broken)
    });
    let hit = hits.iter().filter_map(|file| layout.places.get(file.0 as usize)).map(|place| place.krate);
    let start: BTreeSet<usize> = hit.collect();
    if start.is_empty() {
        return start;
    }
    let mut dependents = vec![Vec::new(); layout.crates.len()];
    for (index, krate) in layout.crates.iter().enumerate() {
        for (_, dependency) in &krate.dependencies {
            dependents[*dependency].push(index);
        }
    }
    let users = closure(start.into_iter().chain(unknown), |krate| dependents[krate].clone());
    closure(users.into_iter(), |krate| {
        layout.crates[krate].dependencies.iter().map(|(_, found)| *found).collect()
    })
}

fn closure(start: impl Iterator<Item = usize>, next: impl Fn(usize) -> Vec<usize>) -> BTreeSet<usize> {
    let mut waiting: Vec<usize> = start.collect();
    let mut found = BTreeSet::new();
    while let Some(krate) = waiting.pop() {
        if found.insert(krate) {
            waiting.extend(next(krate));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discover::{Crate, Edition, FileClass, Placement};

    /// One crate with one file for each entry, which lists the crates that it depends on.
    fn related(dependencies: &[&[usize]], hits: &[u32]) -> Vec<u32> {
        let crates = dependencies.iter().enumerate().map(|(index, dependencies)| Crate {
            name: format!("c{index}").into(),
            package: None,
            kind: None,
            root: FileId(u32::try_from(index).unwrap()),
            edition: Edition::default(),
            dependencies: dependencies.iter().map(|found| (format!("c{found}").into(), *found)).collect(),
            external: Vec::new(),
            renamed: Vec::new(),
        });
        let places = (0..dependencies.len()).map(|krate| Placement {
            krate,
            module: Vec::new(),
            class: FileClass::Source,
            parent: None,
        });
        let layout = Layout { crates: crates.collect(), places: places.collect(), problems: Vec::new() };
        let hits: Vec<FileId> = hits.iter().copied().map(FileId).collect();
        related_files(&Project::default(), &layout, &hits).into_iter().map(|file| file.0).collect()
    }

    #[test]
    fn callers_and_what_they_call_remain() {
        // 0 app -> 1 billing (hit), 2 ids; 3 unrelated -> 2; 4 deep -> 3
        let graph: [&[usize]; 5] = [&[1, 2], &[], &[], &[2], &[3]];
        assert_eq!(related(&graph, &[1]), [0, 1, 2]);
    }

    #[test]
    fn a_hit_in_a_low_crate_keeps_its_users() {
        let graph: [&[usize]; 3] = [&[1], &[2], &[]];
        assert_eq!(related(&graph, &[2]), [0, 1, 2]);
        assert_eq!(related(&graph, &[]), [] as [u32; 0]);
    }
}
