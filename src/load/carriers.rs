//! What yields a value of a type: without one of these names, no value of it is at hand.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::aliases::Aliases;
use super::declarations::{Declaration, DeclarationKind};
use crate::ir::{Name, NameHash};

/// The declarations of the loaded files, by the names in their types.
#[derive(Default)]
pub(super) struct Carriers {
    declarations: Vec<Declaration>,
    by_signature: FxHashMap<NameHash, Vec<usize>>,
}

impl Carriers {
    pub(super) fn add(&mut self, declarations: Vec<Declaration>) {
        for declaration in declarations {
            for name in &declaration.signature {
                self.by_signature.entry(NameHash::of(name)).or_default().push(self.declarations.len());
            }
            self.declarations.push(declaration);
        }
    }

    /// The type, its aliases, and everything that is declared with it: fields, functions, statics.
    pub(super) fn of(&self, owner: &Name, aliases: &Aliases) -> FxHashSet<NameHash> {
        let mut types = FxHashSet::default();
        let mut names = FxHashSet::default();
        let mut waiting = vec![owner.clone()];
        while let Some(ty) = waiting.pop() {
            if !types.insert(ty.clone()) {
                continue;
            }
            let meant = aliases.of(NameHash::of(&ty));
            let mentions = |set: &BTreeSet<Name>| set.iter().any(|name| meant.contains(&NameHash::of(name)));
            let users = meant.iter().filter_map(|name| self.by_signature.get(name)).flatten();
            for declaration in users.map(|index| &self.declarations[*index]) {
                // Whoever calls a member of the type names it or has a value of it.
                let own =
                    declaration.owner.as_ref().is_some_and(|owner| meant.contains(&NameHash::of(owner)));
                match declaration.kind {
                    DeclarationKind::Value if own => {}
                    DeclarationKind::Value => {
                        names.insert(NameHash::of(&declaration.name));
                    }
                    // What derefs to the type, or names it as an associated type, is as good as the type.
                    DeclarationKind::Impl => waiting.extend(declaration.owner.clone()),
                    DeclarationKind::Type => {
                        for (field, _) in declaration.fields.iter().filter(|(_, types)| mentions(types)) {
                            match field.starts_with(|first: char| first.is_ascii_digit()) {
                                true => waiting.push(declaration.name.clone()),
                                false => drop(names.insert(NameHash::of(field))),
                            }
                        }
                    }
                    DeclarationKind::Alias => waiting.push(declaration.name.clone()),
                }
            }
            names.extend(meant.iter().copied());
        }
        names
    }
}
