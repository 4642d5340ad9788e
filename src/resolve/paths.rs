//! What the paths of expressions, patterns, types and macros mean.

use super::imports::{Names, Outcome, Start};
use super::methods::Candidates;
use super::prelude::{self, canonical_external};
use super::scopes::{Def, ImportState, Namespace, ScopeKind, Target, View};
use super::types::{Types, fuel};
use super::{FunctionId, Program, ScopeId, StaticId, TraitDef, TraitRef, Ty, TypeId};
use crate::ir::{self, Name};

/// What a path in an expression or pattern means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueDef {
    /// Exactly one visible function.
    Function(FunctionId),
    /// An associated function reached through a type parameter or a trait, or several `cfg` twins.
    Candidates {
        /// The candidates with a body.
        functions: Vec<FunctionId>,
        /// Canonical paths of candidates outside the tree.
        external: Vec<Name>,
    },
    /// A tuple struct, unit struct, struct literal or variant of the tree.
    Constructor {
        /// The type.
        ty: TypeId,
        /// The variant of an enum.
        variant: Option<Name>,
    },
    /// A static or constant.
    Static(StaticId),
    /// Canonical paths outside the tree, most likely first.
    External(Vec<Name>),
}

/// The meanings of one path, collected before they are judged.
#[derive(Debug, Default)]
struct Meanings {
    functions: Vec<FunctionId>,
    constructor: Option<(TypeId, Option<Name>)>,
    fixed: Option<StaticId>,
    external: Vec<Name>,
    through_trait: bool,
}

impl Meanings {
    fn is_empty(&self) -> bool {
        self.functions.is_empty()
            && self.constructor.is_none()
            && self.fixed.is_none()
            && self.external.is_empty()
    }

    fn add_external(&mut self, path: Name) {
        if !self.external.contains(&path) {
            self.external.push(path);
        }
    }

    fn finish(self, text: impl FnOnce() -> Name) -> ValueDef {
        if let Some((ty, variant)) = self.constructor {
            return ValueDef::Constructor { ty, variant };
        }
        match (self.functions.as_slice(), self.fixed) {
            ([], Some(id)) => ValueDef::Static(id),
            ([], None) if self.external.is_empty() => ValueDef::External(vec![text()]),
            ([], None) => ValueDef::External(self.external),
            ([one], _) if self.external.is_empty() && !self.through_trait => ValueDef::Function(*one),
            _ => ValueDef::Candidates { functions: self.functions, external: self.external },
        }
    }
}

impl Program {
    /// What a path in an expression means, as seen from a scope.
    #[must_use]
    pub fn resolve_value(&self, scope: ScopeId, path: &ir::Path) -> ValueDef {
        self.resolve_value_with(scope, path, None)
    }

    /// The same with type parameters of the scope known, so that `T::method` finds one function.
    #[must_use]
    pub fn resolve_value_with(
        &self,
        scope: ScopeId,
        path: &ir::Path,
        known: Option<&super::Substitution>,
    ) -> ValueDef {
        let view = self.view(scope, path.span.start);
        let fuel = fuel();
        let types = Types { known, ..Types::new(self, view, &fuel) };
        let mut meanings = Meanings::default();
        self.value_meanings(&types, path, Namespace::Value, &mut meanings);
        let only_guessed =
            meanings.functions.is_empty() && meanings.fixed.is_none() && meanings.constructor.is_none();
        if only_guessed && path.qualified_self.is_none() {
            // Struct literals and `Self { .. }` name types, not values.
            let mut by_type = Meanings::default();
            self.value_meanings(&types, path, Namespace::Type, &mut by_type);
            if by_type.constructor.is_some() || meanings.is_empty() {
                meanings = by_type;
            }
        }
        let found = meanings.finish(|| self.path_text(path));
        self.request_value(scope, &found);
        found
    }

    fn request_value(&self, scope: ScopeId, found: &ValueDef) {
        if let ValueDef::External(paths) | ValueDef::Candidates { external: paths, .. } = found {
            paths.iter().for_each(|path| self.request_path(Some(scope), path));
        }
    }

    /// What the path of a struct literal, or of a struct, tuple or unit pattern means: a constructor or an
    /// outside path (constants in patterns are statics).
    #[must_use]
    pub fn resolve_pattern(&self, scope: ScopeId, path: &ir::Path) -> ValueDef {
        let fuel = fuel();
        let types = Types::new(self, self.view(scope, path.span.start), &fuel);
        let mut meanings = Meanings::default();
        self.value_meanings(&types, path, Namespace::Type, &mut meanings);
        if meanings.constructor.is_none() {
            let mut by_value = Meanings::default();
            self.value_meanings(&types, path, Namespace::Value, &mut by_value);
            if by_value.constructor.is_some() || by_value.fixed.is_some() || meanings.is_empty() {
                meanings = by_value;
            }
        }
        meanings.functions.clear();
        let found = meanings.finish(|| self.path_text(path));
        self.request_value(scope, &found);
        found
    }

    /// The trait through which a path names an associated function: `Trait::f`, `<T as Trait>::f`.
    #[must_use]
    pub fn path_trait(&self, scope: ScopeId, path: &ir::Path) -> Option<TraitDef> {
        let fuel = fuel();
        let types = Types::new(self, self.view(scope, path.span.start), &fuel);
        if path.qualified_self.is_some() && path.trait_segments > 0 {
            return types
                .trait_of_segments(path.segments.get(..path.trait_segments)?, path.global)
                .map(|found| found.id);
        }
        let prefix = path.segments.get(..path.segments.len().checked_sub(1)?)?;
        types.trait_of_segments(prefix, path.global).map(|found| found.id)
    }

    /// The canonical path of a macro: `serde_json::json`, `std::format`.
    #[must_use]
    pub fn resolve_macro_path(&self, scope: ScopeId, path: &ir::Path) -> Name {
        let view = self.view(scope, path.span.start);
        if let [segment] = path.segments.as_slice()
            && !path.global
        {
            return self.macro_name(&view, &segment.name);
        }
        let start = if path.global { Start::Global } else { Start::Expression };
        let walk = self.walk(&view, Names::Segments(&path.segments), start, Namespace::Value);
        walk.outcomes
            .into_iter()
            .find_map(|outcome| match outcome {
                Outcome::Def(Def::External(text)) => Some(text),
                _ => None,
            })
            .unwrap_or_else(|| self.path_text(path))
    }

    fn macro_name(&self, view: &View, name: &Name) -> Name {
        let krate = self.scope(view.scope).krate;
        if self.macros.contains(&(krate, name.clone())) {
            return format!("{}::{name}", self.crate_name(krate)).into();
        }
        if let Some(path) = self.imported_outside(view.scope, name) {
            return path;
        }
        // Globs hold so many names that the standard macro stays the likeliest.
        if prelude::is_standard_macro(name) {
            return format!("std::{name}").into();
        }
        if let Some(Def::External(path)) = self.outside_globs(view, name).into_iter().next() {
            return path;
        }
        match self.crates.get(krate.0 as usize).map(|data| data.macro_crates.as_slice()) {
            Some([one]) => format!("{one}::{name}").into(),
            _ => name.clone(),
        }
    }

    /// The outside path that a `use` around a scope gives a name. Macros live in a namespace of their own, so
    /// functions of the same name do not hide it.
    fn imported_outside(&self, scope: ScopeId, name: &str) -> Option<Name> {
        let mut next = Some(scope);
        while let Some(id) = next {
            let data = self.scope(id);
            for binding in data.names.get(name).into_iter().flatten() {
                let Target::Import(import) = binding.target else { continue };
                let ImportState::Resolved(defs) = &self.imports[import.0 as usize].state else { continue };
                for def in defs {
                    if let Def::External(path) = def {
                        return Some(path.clone());
                    }
                }
            }
            next = if data.kind == ScopeKind::Module { None } else { data.parent };
        }
        None
    }

    fn value_meanings(
        &self,
        types: &Types<'_>,
        path: &ir::Path,
        namespace: Namespace,
        meanings: &mut Meanings,
    ) {
        if let Some(qualified) = &path.qualified_self {
            let self_type = types.resolve(qualified);
            let trait_ref = path
                .segments
                .get(..path.trait_segments)
                .filter(|segments| !segments.is_empty())
                .and_then(|segments| types.trait_of_segments(segments, path.global));
            let rest = path.segments.get(path.trait_segments..).unwrap_or(&[]);
            self.relative(types, &self_type, trait_ref.as_ref(), rest, meanings);
            return;
        }
        let start = if path.global { Start::Global } else { Start::Expression };
        let walk = self.walk(&types.view, Names::Segments(&path.segments), start, namespace);
        for outcome in walk.outcomes {
            match outcome {
                Outcome::Def(def) => self.meaning_of(types, def, &path.segments, meanings),
                Outcome::Relative(Def::Trait(id), used) => {
                    let args =
                        path.segments.get(used.wrapping_sub(1)).map_or(Vec::new(), |s| types.args(&s.args));
                    let bound = TraitRef { id: TraitDef::Local(id), args, bindings: Vec::new() };
                    let rest = path.segments.get(used..).unwrap_or(&[]);
                    self.relative(types, &Ty::Unknown, Some(&bound), rest, meanings);
                }
                Outcome::Relative(def, used) => {
                    let (head, rest) = path.segments.split_at(used.min(path.segments.len()));
                    let self_type = types.of_def(&def, head.last());
                    self.relative(types, &self_type, None, rest, meanings);
                }
            }
        }
    }

    fn meaning_of(&self, types: &Types<'_>, def: Def, segments: &[ir::Segment], meanings: &mut Meanings) {
        match def {
            Def::Function(id) => meanings.functions.push(id),
            Def::Static(id) => meanings.fixed = meanings.fixed.or(Some(id)),
            Def::Type(ty) => meanings.constructor = meanings.constructor.take().or(Some((ty, None))),
            Def::Variant(ty, index) => {
                let name = self.variant_name(ty, index);
                meanings.constructor = meanings.constructor.take().or(Some((ty, name)));
            }
            Def::External(path) => self.outside(types, path, segments, meanings),
            Def::Alias(_) | Def::SelfType(_) => match types.of_def(&def, segments.last()) {
                Ty::Adt { id, .. } => meanings.constructor = meanings.constructor.take().or(Some((id, None))),
                Ty::External { path, .. } => meanings.add_external(path),
                _ => {}
            },
            Def::Module(_) | Def::Trait(_) | Def::Generic(..) => {}
        }
    }

    /// An outside path. Its last name may be an associated function that an extension trait of the tree adds to
    /// the outside type before it.
    fn outside(&self, types: &Types<'_>, path: Name, segments: &[ir::Segment], meanings: &mut Meanings) {
        if let Some((prefix, name)) = path.rsplit_once("::")
            && segments.len() >= 2
        {
            let args = types.args(&segments[segments.len() - 2].args);
            let ty = Ty::External { path: prefix.into(), args };
            self.request_member(&ty, name);
            if self.index.knows(&ty, name)
                && let Some(found) = self.find_on_type(&types.view, &ty, name, None, false)
            {
                take(found, meanings);
                return;
            }
            if let Some(id) = self.associated_static(&types.view, &ty, None, &name.into()) {
                meanings.fixed = meanings.fixed.or(Some(id));
                return;
            }
        }
        meanings.add_external(path);
    }

    /// The names after a type: associated types first, the last one an associated function, constant or variant.
    fn relative(
        &self,
        types: &Types<'_>,
        self_type: &Ty,
        trait_ref: Option<&TraitRef>,
        rest: &[ir::Segment],
        meanings: &mut Meanings,
    ) {
        let Some((last, middle)) = rest.split_last() else {
            if let Ty::Adt { id, .. } = self_type {
                meanings.constructor = meanings.constructor.take().or(Some((*id, None)));
            }
            return;
        };
        let mut ty = self_type.clone();
        let mut bound = trait_ref;
        for segment in middle {
            ty = types.project(&ty, bound, &segment.name);
            bound = None;
        }
        self.associated(types, &ty, bound, &last.name, meanings);
    }

    fn associated(
        &self,
        types: &Types<'_>,
        ty: &Ty,
        bound: Option<&TraitRef>,
        name: &Name,
        meanings: &mut Meanings,
    ) {
        if let Ty::Adt { id, .. } = ty
            && bound.is_none()
            && self.types[id.0 as usize].variants.contains_key(name)
        {
            meanings.constructor = meanings.constructor.take().or(Some((*id, Some(name.clone()))));
            return;
        }
        if let Some(found) = self.find_on_type(&types.view, ty, name, bound, false) {
            take(found, meanings);
            if !meanings.is_empty() {
                return;
            }
        }
        if let Some(id) = self.associated_static(&types.view, ty, bound, name) {
            meanings.fixed = meanings.fixed.or(Some(id));
            return;
        }
        for path in self.outside_member_paths(ty, bound, name) {
            meanings.add_external(path);
        }
    }

    /// The canonical paths of a member that the tree does not define.
    fn outside_member_paths(&self, ty: &Ty, bound: Option<&TraitRef>, name: &str) -> Vec<Name> {
        let on_trait = |id: &TraitDef| -> Name { format!("{}::{name}", self.trait_path(id)).into() };
        if let Some(bound) = bound {
            return vec![on_trait(&bound.id)];
        }
        match ty {
            Ty::Adt { id, .. } => vec![format!("{}::{name}", self.types[id.0 as usize].path).into()],
            Ty::External { path, .. } => vec![canonical_external(&format!("{path}::{name}")).into()],
            Ty::Param { bounds, .. } | Ty::Dyn(bounds) => match prelude::standard_constructor_trait(name) {
                Some(standard) if bounds.iter().any(|b| b.id == TraitDef::External(standard.into())) => {
                    vec![format!("{standard}::{name}").into()]
                }
                _ => bounds
                    .iter()
                    .filter(|bound| matches!(bound.id, TraitDef::External(_)))
                    .map(|b| on_trait(&b.id))
                    .collect(),
            },
            Ty::Reference { inner, .. } => self.outside_member_paths(inner, None, name),
            Ty::Sequence(_) => vec![format!("slice::{name}").into()],
            Ty::Tuple(_) | Ty::Function { .. } | Ty::Unknown => vec![name.into()],
        }
    }

    fn variant_name(&self, ty: TypeId, index: u32) -> Option<Name> {
        match &self.types[ty.0 as usize].ir.kind {
            ir::TypeKind::Enum(variants) => variants.get(index as usize).map(|variant| variant.name.clone()),
            ir::TypeKind::Struct(_) => None,
        }
    }

    /// The text of a path without generic arguments, in the canonical spelling of outside paths.
    fn path_text(&self, path: &ir::Path) -> Name {
        let names: Vec<&str> = path.segments.iter().map(|segment| segment.name.as_str()).collect();
        canonical_external(&names.join("::")).into()
    }
}

fn take(found: Candidates, meanings: &mut Meanings) {
    meanings.through_trait |= found.several;
    for function in found.functions {
        if !meanings.functions.contains(&function) {
            meanings.functions.push(function);
        }
    }
}
