//! What values hold: fields, payloads, elements, and what dereferencing or awaiting them gives.

use super::definitions::FieldTypes;
use super::prelude;
use super::types::{Substitution, Types, bound_binding, fuel};
use super::{Program, ScopeId, TraitDef, TraitRef, Ty, TypeId};
use crate::ir::{self, Name};

impl Program {
    /// What awaiting a value of this type gives: the `Output` of futures, the result of task handles.
    #[must_use]
    pub fn awaited_type(&self, ty: &Ty) -> Ty {
        match ty {
            Ty::Param { bounds, .. } | Ty::Dyn(bounds) => {
                future_output(bounds).cloned().unwrap_or(Ty::Unknown)
            }
            Ty::Reference { inner, .. } => self.awaited_type(inner),
            Ty::External { path, args } if prelude::dereferences_to_argument(path).is_some() => {
                args.first().map_or(Ty::Unknown, |inner| self.awaited_type(inner))
            }
            Ty::External { args, .. } if args.len() == 1 => args[0].clone(),
            Ty::Adt { .. } => {
                let bound = TraitRef {
                    id: TraitDef::External("std::future::Future".into()),
                    args: Vec::new(),
                    bindings: Vec::new(),
                };
                self.associated_type(ty, Some(&bound), "Output")
            }
            _ => Ty::Unknown,
        }
    }

    /// The type of a field of a struct or tuple, through references and smart pointers.
    #[must_use]
    pub fn field_type(&self, ty: &Ty, field: &str) -> Ty {
        self.along_deref(ty, |step| match step {
            Ty::Tuple(parts) => field.parse::<usize>().ok().and_then(|index| parts.get(index).cloned()),
            Ty::Adt { id, args } => self.adt_field(*id, args, "", field),
            _ => None,
        })
    }

    /// The type of a field of an enum variant; also the payloads of `Option`, `Result`, `Poll`, `Cow` and the like.
    #[must_use]
    pub fn variant_field_type(&self, ty: &Ty, variant: &str, field: &str) -> Ty {
        self.along_deref(ty, |step| match step {
            Ty::Adt { id, args } if self.types[id.0 as usize].is_enum() => {
                self.adt_field(*id, args, variant, field)
            }
            Ty::Adt { id, args } => self.adt_field(*id, args, "", field),
            Ty::External { path, args } => outside_variant(path, args, variant).cloned(),
            _ => None,
        })
    }

    fn adt_field(&self, id: TypeId, args: &[Ty], variant: &str, field: &str) -> Option<Ty> {
        let def = &self.types[id.0 as usize];
        let fields = def.field_types.get_or_init(|| self.make_field_types(id));
        let ty = fields.get(&(Name::from(variant), Name::from(field)))?;
        Some(self.substitute(ty, &self.arguments(id, args)))
    }

    /// The arguments of a generic type that the types of its fields decide; empty when they decide none.
    #[must_use]
    pub fn arguments_of_fields(&self, id: TypeId, variant: &str, fields: &[(Name, Ty)]) -> Vec<Ty> {
        let def = &self.types[id.0 as usize];
        let params = &def.ir.generics.params;
        if params.is_empty() {
            return Vec::new();
        }
        let declared = def.field_types.get_or_init(|| self.make_field_types(id));
        let mut bound = Substitution::new();
        for (field, ty) in fields.iter().filter(|(_, ty)| !matches!(ty, Ty::Param { .. } | Ty::Unknown)) {
            if let Some(pattern) = declared.get(&(Name::from(variant), field.clone())) {
                self.bind(pattern, ty, &mut bound);
            }
        }
        if bound.is_empty() {
            return Vec::new();
        }
        params.iter().map(|param| bound.get(&param.name).cloned().unwrap_or(Ty::Unknown)).collect()
    }

    fn make_field_types(&self, id: TypeId) -> FieldTypes {
        let def = &self.types[id.0 as usize];
        let view = self.view(def.scope, def.span.start);
        let mut resolved = FieldTypes::default();
        let mut add = |variant: &Name, fields: &[ir::Field]| {
            for field in fields {
                let fuel = fuel();
                let types = Types::new(self, view, &fuel);
                resolved.insert((variant.clone(), field.name.clone()), types.resolve(&field.ty));
            }
        };
        match &def.ir.kind {
            ir::TypeKind::Struct(fields) => add(&Name::default(), fields),
            ir::TypeKind::Enum(variants) => {
                variants.iter().for_each(|variant| add(&variant.name, &variant.fields))
            }
        }
        resolved
    }

    /// The parameters of a type definition bound to the arguments of a use; missing ones are unknown.
    #[must_use]
    pub fn arguments(&self, id: TypeId, args: &[Ty]) -> Substitution {
        let def = &self.types[id.0 as usize];
        let mut substitution = Substitution::new();
        for (index, param) in def.ir.generics.params.iter().enumerate() {
            let ty = args.get(index).cloned().or_else(|| {
                param
                    .default
                    .as_ref()
                    .map(|ty| Types::new(self, self.view(def.scope, def.span.start), &fuel()).resolve(ty))
            });
            substitution.insert(param.name.clone(), ty.unwrap_or(Ty::Unknown));
        }
        substitution
    }

    /// What indexing a collection gives: the element, the value of a map.
    #[must_use]
    pub fn element_type(&self, ty: &Ty) -> Ty {
        self.contained(ty, false)
    }

    /// What iterating over a value gives: the element, key and value of a map.
    #[must_use]
    pub fn item_type(&self, ty: &Ty) -> Ty {
        self.contained(ty, true)
    }

    fn contained(&self, ty: &Ty, pairs: bool) -> Ty {
        self.along_deref(ty, |step| match step {
            Ty::Sequence(inner) => Some((**inner).clone()),
            Ty::External { path, args } => outside_element(path, args, pairs),
            Ty::Param { bounds, .. } | Ty::Dyn(bounds) => bound_binding(bounds, "Item").cloned(),
            Ty::Adt { .. } => ["std::iter::Iterator", "std::iter::IntoIterator", "std::ops::Index"]
                .iter()
                .zip(["Item", "Item", "Output"])
                .filter(|(path, _)| pairs != (**path == "std::ops::Index"))
                .find_map(|(path, name)| self.trait_type(step, path, name)),
            _ => None,
        })
    }

    /// The associated type of an impl of an outside trait in the tree.
    pub(super) fn trait_type(&self, ty: &Ty, trait_path: &str, name: &str) -> Option<Ty> {
        let bound =
            TraitRef { id: TraitDef::External(trait_path.into()), args: Vec::new(), bindings: Vec::new() };
        let fuel = fuel();
        let types = Types::new(self, self.view(ScopeId(0), u32::MAX), &fuel);
        types.project_concrete(ty, Some(&bound), &name.into()).filter(|ty| *ty != Ty::Unknown)
    }

    /// The first answer along the chain of dereferences, else [`Ty::Unknown`].
    fn along_deref(&self, ty: &Ty, answer: impl Fn(&Ty) -> Option<Ty>) -> Ty {
        let mut current = ty.clone();
        for _ in 0..super::methods::MAXIMAL_DEREFS {
            if let Some(found) = answer(&current) {
                return found;
            }
            self.request_type(&current);
            match self.dereference(&current) {
                Some(next) => current = next,
                None => break,
            }
        }
        Ty::Unknown
    }

    /// The type that `*value` has; for wrappers from outside the tree that are not known, their only argument.
    #[must_use]
    pub fn dereference(&self, ty: &Ty) -> Option<Ty> {
        match ty {
            Ty::Reference { inner, .. } => Some((**inner).clone()),
            Ty::External { path, args } => match path.as_str() {
                "std::string::String" => Some(Ty::External { path: "str".into(), args: Vec::new() }),
                "std::vec::Vec" => Some(Ty::Sequence(Box::new(args.first().cloned().unwrap_or(Ty::Unknown)))),
                path => match prelude::dereferences_to_argument(path) {
                    Some(index) => Some(args.get(index).cloned().unwrap_or(Ty::Unknown)),
                    None => outside_wrapper(path, args),
                },
            },
            Ty::Adt { .. } => self.trait_type(ty, "std::ops::Deref", "Target"),
            Ty::Param { bounds, .. } => bound_binding(bounds, "Target").cloned(),
            _ => None,
        }
    }
}

pub(super) fn future_output(bounds: &[TraitRef]) -> Option<&Ty> {
    bounds
        .iter()
        .filter(|bound| matches!(&bound.id, TraitDef::External(path) if path.ends_with("Future")))
        .find_map(|bound| bound_binding(std::slice::from_ref(bound), "Output"))
}

/// The payload of a variant of a well-known generic enum.
fn outside_variant<'t>(path: &str, args: &'t [Ty], variant: &str) -> Option<&'t Ty> {
    let last = path.rsplit("::").next().unwrap_or(path);
    match (last, variant) {
        ("Option", "Some") | ("Result", "Ok") | ("Poll", "Ready") | ("Bound", "Included" | "Excluded") => {
            args.first()
        }
        ("Cow", "Borrowed" | "Owned") => args.first(),
        ("Result", "Err") => args.get(1),
        ("ControlFlow", "Break") => args.first(),
        ("ControlFlow", "Continue") => args.get(1),
        ("Either", "Left") => args.first(),
        ("Either", "Right") => args.get(1),
        _ => None,
    }
}

/// The element of an outside collection or iterator; none for types that hold a value without being iterated.
pub(super) fn outside_element(path: &str, args: &[Ty], pairs: bool) -> Option<Ty> {
    let last = path.rsplit("::").next().unwrap_or(path);
    if prelude::dereferences_to_argument(path).is_some() {
        return None;
    }
    match (last, args) {
        (
            "Option" | "Result" | "Mutex" | "RwLock" | "RefCell" | "Cell" | "OnceLock" | "OnceCell"
            | "LazyLock",
            _,
        ) => match (pairs, last, args) {
            (true, "Option" | "Result", [item, ..]) => Some(item.clone()),
            _ => None,
        },
        (name, [key, value, ..]) if name.ends_with("Map") => {
            Some(if pairs { Ty::Tuple(vec![key.clone(), value.clone()]) } else { value.clone() })
        }
        (_, [item]) => Some(match item {
            // `SmallVec<[T; N]>` and its kind.
            Ty::Sequence(inner) if last.ends_with("Vec") && path != "std::vec::Vec" => (**inner).clone(),
            item => item.clone(),
        }),
        (_, [item, _]) if path.starts_with("std::") => Some(item.clone()),
        _ => None,
    }
}

/// An unknown wrapper with one argument (`Data<T>`, `State<T>`, a guard) most likely dereferences to it. Types
/// that are known not to are left alone.
fn outside_wrapper(path: &str, args: &[Ty]) -> Option<Ty> {
    match args {
        [
            inner @ (Ty::Adt { .. }
            | Ty::Param { .. }
            | Ty::Dyn(_)
            | Ty::External { .. }
            | Ty::Reference { .. }),
        ] if !path.starts_with("std::") => Some(inner.clone()),
        _ => None,
    }
}
