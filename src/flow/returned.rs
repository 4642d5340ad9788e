//! The type and the formula of what a library function returns.

use super::calls::CallSite;
use super::engine::Engine;
use super::library::Application;
use super::model::{Flow, Root};
use super::state::State;
use super::term::Term;
use super::transfer::term_of;
use super::value::{Key, Value};
use crate::resolve::Ty;

impl Engine<'_> {
    /// The result with the type that the model says.
    pub fn model_type(
        &self,
        state: &State,
        application: &Application<'_>,
        site: &CallSite,
        result: Value,
    ) -> Value {
        if result.is_bottom() {
            return result;
        }
        match application.model.returns.as_deref() {
            Some("Self") => {
                let ty = application
                    .receiver
                    .as_ref()
                    .and_then(|receiver| state.dereference(&receiver.value).ty().cloned());
                match ty.or_else(|| self.guessed_type(site)) {
                    Some(ty) => result.with_type(Some(ty)),
                    None => result,
                }
            }
            Some(path) => {
                let args = match &site.expected {
                    Ty::External { path: expected, args } if expected == path => args.clone(),
                    _ if path == "std::iter::Iterator" => self.items_kept(state, application),
                    _ if self.spec.is_cell(path) => result.ty().cloned().into_iter().collect(),
                    _ if application.model.arguments.is_empty() => arguments_kept(&result, path),
                    _ => application.model.arguments.clone(),
                };
                let result = super::generated::made_into(result, &application.model.arguments);
                result.with_type(Some(Ty::External { path: path.into(), args }))
            }
            None if result.ty().is_none() && !application.model.arguments.is_empty() => {
                result.with_type(Some(Ty::Tuple(application.model.arguments.clone())))
            }
            None if result.ty().is_none() && site.expected != Ty::Unknown => {
                result.with_type(Some(site.expected.clone()))
            }
            None => result,
        }
    }

    /// The type of the items of an adaptor that hands on those of its receiver.
    fn items_kept(&self, state: &State, application: &Application<'_>) -> Vec<Ty> {
        let keeps = |flow: &Flow| {
            flow.from.root == Root::Receiver
                && flow.to.root == Root::Return
                && flow.from.keys == flow.to.keys
                && matches!(flow.to.keys.as_slice(), [] | [Key::Element])
        };
        let receiver = application.receiver.as_ref().filter(|_| application.model.flows.iter().all(keeps));
        let ty = receiver.and_then(|receiver| state.dereference(&receiver.value).ty().cloned());
        let item = ty.map_or(Ty::Unknown, |ty| self.program.element_type(&ty));
        match item {
            Ty::Unknown => application.model.arguments.clone(),
            item => vec![item],
        }
    }

    /// The result with the formula of the call, where it is not the value of an argument itself.
    pub fn model_term(
        &self,
        state: &State,
        application: &Application<'_>,
        site: &CallSite,
        result: Value,
        moved: bool,
    ) -> Value {
        let Some(data) = result.data() else { return result };
        // A value that is made of others is not one of them, whatever the terms that its taints came with.
        let made = application
            .model
            .flows
            .iter()
            .any(|flow| flow.taint_only && flow.to.root == Root::Return && flow.to.keys.is_empty());
        if !made && (data.term.is_some() || moved) || !data.refs.is_empty() {
            return result;
        }
        let mut terms: Vec<_> =
            application.receiver.iter().map(|receiver| term_of(state, &receiver.value)).collect();
        let taken_apart = site.args.is_empty() && data.taint.is_empty() && !data.parts.is_empty();
        if terms.len() == 1 && taken_apart && site.name != "parse" {
            return result;
        }
        terms.extend(site.args.iter().filter(|a| a.callables().is_empty()).map(|arg| term_of(state, arg)));
        match (terms.len(), site.name.as_str()) {
            (
                1,
                "to_string" | "to_owned" | "into" | "as_str" | "as_bytes" | "as_ref" | "into_bytes"
                | "to_vec",
            ) => {
                let receiver = application.receiver.as_ref().map(|receiver| &receiver.value);
                let term = terms.remove(0);
                match receiver {
                    Some(receiver) if self.fixed_type(state, receiver) => {
                        result.with_term(self.typed_term(state, receiver))
                    }
                    _ => result.with_term(term),
                }
            }
            _ => result.with_term(Term::call(site.name.clone(), terms)),
        }
    }
}

/// The type arguments of a value that is handed on as what it was (`option.take()`).
fn arguments_kept(result: &Value, path: &str) -> Vec<Ty> {
    match result.ty() {
        Some(Ty::External { path: known, args }) if known == path => args.clone(),
        _ => Vec::new(),
    }
}
