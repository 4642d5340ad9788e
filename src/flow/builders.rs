//! Builders that a derive makes of a struct of the tree: `Profile::builder().name(name).build()` and
//! `ProfileBuilder::default()`.
//!
//! A setter is told by the field that it is named after. What was set stays in that field; the others have a default.

use super::calls::CallSite;
use super::engine::{Engine, Frame};
use super::generated::FINISHERS;
use super::shape::peel;
use super::state::State;
use super::value::{Key, Value};
use crate::ir::{Name, Path, Segment, Type};
use crate::resolve::{Ty, TypeDef, TypeId};

/// The type of a builder whose setters give back the builder itself.
const MOVED: &str = "derived::MovedBuilder";
/// The same, of one whose last call may fail.
const FALLIBLE: &str = "derived::FallibleBuilder";
/// The type of one whose setters change it and give back a reference to it.
const LENT: &str = "derived::LentBuilder";
/// Words before the name of a field in the name of its setter.
const SETTER_PREFIXES: &[&str] = &["", "maybe_", "with_", "set_"];

impl<'a> Engine<'a> {
    /// `Profile::builder()` or `ProfileBuilder::default()` of a struct with such a derive.
    pub fn derived_builder(&self, frame: &Frame<'a>, site: &CallSite) -> Option<Value> {
        if !site.args.is_empty() || site.receiver.is_some() {
            return None;
        }
        let (path, owner) = match site.name.as_str() {
            "builder" => (MOVED, peel(&site.self_type).clone()),
            "default" | "create_empty" => {
                let owner = self.built_by(frame, site)?;
                let Ty::Adt { id, .. } = &owner else { return None };
                (if moves_its_builder(self.program.type_(*id)) { FALLIBLE } else { LENT }, owner)
            }
            _ => return None,
        };
        let Ty::Adt { id, .. } = &owner else { return None };
        let definition = self.program.type_(*id);
        let derives = definition.attributes.derives.iter().any(|path| path.last_name().ends_with("Builder"));
        let ty = Ty::External { path: path.into(), args: vec![owner] };
        (derives && !definition.is_enum()).then(|| Value::aggregate(Vec::new()).with_type(Some(ty)))
    }

    /// The struct of which a derive made the type whose function is called, by its name.
    fn built_by(&self, frame: &Frame<'a>, site: &CallSite) -> Option<Ty> {
        let (owner, _) = site.paths.first()?.rsplit_once("::")?;
        let built =
            owner.strip_suffix("Builder").filter(|built| !built.is_empty() && !built.ends_with(':'))?;
        let (_, name) = built.rsplit_once("::").unwrap_or(("", built));
        let in_crate = built.split_once("::").map(|(_, rest)| format!("crate::{rest}"));
        // The derive puts it beside the struct; an import may have brought it here.
        [Some(built.to_owned()), in_crate, Some(name.to_owned())].into_iter().flatten().find_map(|path| {
            let ty = self.program.resolve_type(frame.scope, &named_type(&path, site));
            matches!(ty, Ty::Adt { .. }).then_some(ty)
        })
    }

    /// A setter of such a builder, or the call that ends it.
    pub fn derived_builder_call(&self, state: &mut State, site: &CallSite) -> Option<Value> {
        let receiver = site.receiver.as_ref()?;
        let target = state.dereference(&receiver.value);
        let Some(Ty::External { path, args }) = target.ty().map(peel) else { return None };
        let lent = path == LENT;
        if !matches!(path.as_str(), MOVED | FALLIBLE | LENT) {
            return None;
        }
        let fallible = path != MOVED || site.name.starts_with("try_");
        let [owner @ Ty::Adt { id, .. }] = args.as_slice() else { return None };
        match site.args.as_slice() {
            [] if FINISHERS.contains(&site.name.as_str()) => {
                let built = target.clone().with_type(Some(owner.clone()));
                Some(if fallible { succeeded(built) } else { built })
            }
            [argument] => {
                let name = self.set_field(*id, &site.name)?;
                let wraps = !site.name.starts_with("maybe_") || name.starts_with("maybe_");
                let value =
                    if wraps { self.as_option(state, owner, &name, argument) } else { argument.clone() };
                let key = Key::Field(name);
                let places = if lent { self.receiver_places(state, receiver) } else { Vec::new() };
                if places.is_empty() {
                    return Some(target.with_part(&key, value, true));
                }
                for place in &places {
                    self.write(state, &place.part(key.clone()), value.clone(), places.len() == 1);
                }
                Some(Value::reference(places).with_type(target.ty().cloned()))
            }
            _ => None,
        }
    }

    fn set_field(&self, id: TypeId, setter: &str) -> Option<Name> {
        let fields = self.program.type_(id).fields(None);
        let is_named = |name: &str| fields.iter().find(|field| field.name == *name);
        SETTER_PREFIXES
            .iter()
            .find_map(|prefix| setter.strip_prefix(prefix).and_then(is_named))
            .map(|field| field.name.clone())
    }

    /// What is given to the setter of an optional field is its content.
    fn as_option(&self, state: &State, owner: &Ty, field: &Name, argument: &Value) -> Value {
        let is_option = |ty: &Ty| self.type_path(peel(ty)).ends_with("Option");
        let declared = self.program.field_type(owner, field);
        if !is_option(&declared) || state.dereference(argument).ty().is_some_and(is_option) {
            return argument.clone();
        }
        let payload = Key::Variant("Some".into(), "0".into());
        Value::aggregate(vec![(payload, argument.clone())]).with_type(Some(declared))
    }
}

fn named_type(path: &str, site: &CallSite) -> Type {
    let segment =
        |name: &str| Segment { name: name.into(), bound_as: None, args: Vec::new(), bindings: Vec::new() };
    Type::Path(Box::new(Path {
        qualified_self: None,
        trait_segments: 0,
        global: false,
        segments: path.split("::").map(segment).collect(),
        span: site.span,
    }))
}

fn succeeded(value: Value) -> Value {
    let args = value.ty().cloned().into_iter().collect();
    let ty = Ty::External { path: "std::result::Result".into(), args };
    Value::aggregate(vec![(Key::Variant("Ok".into(), "0".into()), value)]).with_type(Some(ty))
}

/// Whether an attribute says that setters take the builder by value.
fn moves_its_builder(definition: &TypeDef) -> bool {
    let attributes = &definition.attributes.other;
    attributes.iter().any(|attribute| {
        attribute.path == "builder"
            && attribute.arguments.contains("pattern")
            && attribute.arguments.contains("\"owned\"")
    })
}
