//! The names that matter: the catalogue and the user's configuration as one [`Specification`].
//!
//! Rows are found through hash indexes by last name; full paths and receiver types are compared exactly, never
//! by substring.

mod builtin;
mod calls;
mod configured;
mod derived;
mod digests;
mod index;
mod library;
mod matching;
mod names;
mod row;
mod sql;
mod words;

pub use matching::wildcard;
pub use names::TYPED;
pub use row::{IdentitySlot, Row, RowKind, SinkInfo, SourceInfo};
pub use words::{derive_words, sink_words};

use std::rc::Rc;

use index::Index;
use library::Library;

use crate::config::Config;
use crate::derive::Intent;
use crate::flow::model::Model;
use crate::flow::spec::{CallFacts, CallSlot, CallView, FieldView, RowId, Specification};
use crate::flow::value::Key;
use crate::ir::{Name, Type};
use crate::load::Scan;
use crate::resolve::{FunctionId, Program, Ty, TypeId};

/// All rows, indexed.
pub struct Facts<'p> {
    program: &'p Program,
    rows: Vec<Row>,
    index: Index,
    library: Library,
    builtin: builtin::Builtin,
    configured: configured::Configured,
    names: names::Names,
    derived: derived::Derived,
    digests: digests::DigestIndex,
    /// The words of sinks that occur in the tree; without them every name may be a sink's.
    words: Option<&'p Scan>,
    debug: Option<RowId>,
    pointer: Option<RowId>,
}

impl<'p> Facts<'p> {
    /// The catalogue's rows and the configuration's.
    pub fn new(program: &'p Program, config: &Config, words: Option<&'p Scan>) -> Facts<'p> {
        let mut rows = Vec::new();
        let index = Index::new(&mut rows);
        let builtin = builtin::Builtin::new(&mut rows);
        let configured = configured::Configured::new(config, &mut rows);
        let names = names::Names::new(&mut rows);
        let derived = derived::Derived::new(program, &mut rows);
        Facts {
            program,
            rows,
            library: Library::new(),
            builtin,
            configured,
            names,
            derived,
            digests: digests::DigestIndex::new(),
            words,
            debug: index.path_source("std::fmt::Debug::fmt"),
            pointer: index.path_source("std::fmt::Pointer::fmt"),
            index,
        }
    }

    /// A row by its id.
    pub fn row(&self, id: RowId) -> &Row {
        &self.rows[id as usize]
    }

    /// The source row for a call by its name alone: nothing else is known of it, and nothing that flows into it
    /// could decide what it yields.
    fn named_function(&self, call: &CallView<'_>, facts: &CallFacts) -> Option<RowId> {
        let decided = facts.clears
            || !facts.sources.is_empty()
            || !facts.adds.is_empty()
            || facts.summary.is_some()
            || facts.hash;
        if decided || call.macro_call || !call.targets.is_empty() {
            return None;
        }
        if call.literals.iter().any(Option::is_none) {
            return None;
        }
        let row = self.names.function_source(call.name, call.method)?;
        let known = match call.method {
            true => self.library.knows_method(call.receiver, call.name),
            false => call.paths.iter().any(|path| self.library.knows_path(path)),
        };
        (!known).then_some(row)
    }

    /// The types of the tree that derive their keys.
    pub fn intents(&self) -> &[Intent] {
        self.derived.intents()
    }

    /// The type that derives its key from the field of a row.
    pub fn intent_of_row(&self, row: RowId) -> Option<TypeId> {
        self.derived.type_of_row(row)
    }

    /// What names alone suggest.
    pub fn names(&self) -> &names::Names {
        &self.names
    }
}

/// The last name of a type behind references and `Option`.
fn type_name(ty: &Type) -> Option<&str> {
    match ty {
        Type::Reference { inner, .. } => type_name(inner),
        Type::Path(path) => match (path.last_name(), path.segments.last()?.args.first()) {
            ("Option", Some(inner)) => type_name(inner),
            (name, _) => Some(name),
        },
        _ => None,
    }
}

impl Specification for Facts<'_> {
    fn call(&self, call: &CallView<'_>) -> CallFacts {
        let mut facts = CallFacts::default();
        self.configured.call(self.program, call, &mut facts);
        self.derived.call(self.program, call, &mut facts);
        self.index.call(call, &self.library, &mut facts);
        if let Some(row) = self.named_function(call, &facts) {
            facts.sources.push((row, CallSlot::Return));
        }
        facts.digest = self.digests.step(call);
        facts
    }

    fn field_source(&self, field: &FieldView<'_>) -> Option<RowId> {
        self.index.field_source(field, self.library.groups())
    }

    fn field_clears(&self, field: &FieldView<'_>) -> bool {
        self.index.field_clears(field, self.library.groups())
    }

    fn field_sink(&self, field: &FieldView<'_>) -> Option<RowId> {
        self.configured
            .field(field)
            .or_else(|| self.derived.field(field))
            .or_else(|| self.index.field_sink(field, self.library.groups()))
            .or_else(|| self.names.field_sink(field))
    }

    fn leaves_out(&self, row: RowId, part: Option<(&Ty, &Key)>) -> bool {
        self.derived.leaves_out(self.program, row, part)
    }

    fn parameter_sink(&self, function: FunctionId, parameter: &str) -> Option<RowId> {
        let definition = self.program.function(function);
        self.names.parameter_sink(&definition.path, parameter).or_else(|| {
            let params = &definition.ir.params;
            let found = params.iter().find(|param| param.name.as_deref() == Some(parameter))?;
            let ty = type_name(&found.ty)?;
            // What a type does with its own values, and a look at one, is no use of a key.
            let is_own = self
                .program
                .self_type(function)
                .is_some_and(|own| matches!(own, Ty::Adt { id, .. } if self.program.type_(id).name == ty));
            self.names.type_sink(ty).filter(|_| !is_own && !calls::only_looks(&definition.name))
        })
    }

    fn type_source(&self, path: &str) -> Option<RowId> {
        self.index.type_source(path)
    }

    fn type_clears(&self, path: &str) -> bool {
        self.index.is_stable_type(path)
    }

    fn loop_source(&self) -> Option<RowId> {
        Some(self.builtin.loop_index)
    }

    fn iteration_source(&self, path: &str) -> Option<RowId> {
        self.index.iteration(path)
    }

    fn type_orders(&self, path: &str) -> bool {
        self.index.is_ordered(path)
    }

    fn format_source(&self, pointer: bool) -> Option<RowId> {
        if pointer { self.pointer } else { self.debug }
    }

    fn is_order(&self, row: RowId) -> bool {
        self.index.is_order(row)
    }

    fn may_be_sink(&self, text: &str) -> bool {
        self.derived.may_be_sink(text) || self.words.is_none_or(|words| words.holds_anchor(text))
    }

    fn may_be_sink_call(&self, name: &str, arguments: usize) -> bool {
        self.configured.sinks_of(name)
            || self.derived.may_be_sink(name)
            || self.index.may_use(name, arguments)
    }

    fn may_be_sink_field(&self, name: &str) -> bool {
        self.configured.has_field(name)
            || self.derived.may_be_sink(name)
            || self.index.has_sink_field(name)
            || self.names.is_sink(name)
    }

    fn slot_names(&self) -> Vec<&Name> {
        self.derived.names()
    }

    fn is_cell(&self, path: &str) -> bool {
        self.library.is_cell(path)
    }

    fn method_models(&self, receiver: Option<&Ty>, name: &str) -> Vec<Rc<Model>> {
        self.library.method(receiver, name)
    }

    fn path_model(&self, path: &str) -> Option<Rc<Model>> {
        self.library.path(path)
    }

    fn is_map(&self, path: &str) -> bool {
        self.library.groups().of(path) == Some("HashMap")
    }

    fn is_shared_state(&self, path: &str) -> bool {
        self.library.groups().of(path) == Some("State")
    }

    fn accumulates(&self, path: &str) -> bool {
        self.library.accumulates(path)
    }
}
