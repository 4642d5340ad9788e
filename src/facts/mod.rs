//! The names that matter: the catalogue and the user's configuration as one [`Specification`].
//!
//! Rows are found through hash indexes by last name; full paths and receiver types are compared exactly, never
//! by substring.

mod builtin;
mod configured;
mod index;
mod library;
mod matching;
mod names;
mod row;
mod words;

pub use row::{Row, RowKind, SinkInfo, SourceInfo};
pub use words::sink_words;

use std::rc::Rc;

use index::Index;
use library::Library;

use crate::config::Config;
use crate::flow::model::Model;
use crate::flow::spec::{CallFacts, CallView, FieldView, RowId, Specification};
use crate::resolve::{FunctionId, Program, Ty};

/// All rows, indexed.
pub struct Facts<'p> {
    program: &'p Program,
    rows: Vec<Row>,
    index: Index,
    library: Library,
    builtin: builtin::Builtin,
    configured: configured::Configured,
    names: names::Names,
}

impl<'p> Facts<'p> {
    /// The catalogue's rows and the configuration's.
    pub fn new(program: &'p Program, config: &Config) -> Facts<'p> {
        let mut rows = Vec::new();
        let index = Index::new(&mut rows);
        let builtin = builtin::Builtin::new(&mut rows);
        let configured = configured::Configured::new(config, &mut rows);
        let names = names::Names::new(&mut rows);
        Facts { program, rows, index, library: Library::new(), builtin, configured, names }
    }

    /// A row by its id.
    pub fn row(&self, id: RowId) -> &Row {
        &self.rows[id as usize]
    }

    /// What names alone suggest.
    pub fn names(&self) -> &names::Names {
        &self.names
    }
}

impl Specification for Facts<'_> {
    fn call(&self, call: &CallView<'_>) -> CallFacts {
        let mut facts = CallFacts::default();
        self.configured.call(self.program, call, &mut facts);
        self.index.call(call, &self.rows, &mut facts);
        if self.configured.overrides_body(&facts) {
            return facts;
        }
        facts
    }

    fn field_source(&self, field: &FieldView<'_>) -> Option<RowId> {
        self.index.field_source(field)
    }

    fn field_sink(&self, field: &FieldView<'_>) -> Option<RowId> {
        self.configured
            .field(field)
            .or_else(|| self.index.field_sink(field))
            .or_else(|| self.names.field_sink(field))
    }

    fn parameter_sink(&self, function: FunctionId, parameter: &str) -> Option<RowId> {
        self.names.parameter_sink(&self.program.function(function).path, parameter)
    }

    fn result_sink(&self, _function: FunctionId) -> Option<RowId> {
        None
    }

    fn type_source(&self, path: &str) -> Option<RowId> {
        self.index.type_source(path)
    }

    fn loop_source(&self) -> Option<RowId> {
        Some(self.builtin.loop_index)
    }

    fn iteration_source(&self, path: &str) -> Option<RowId> {
        self.builtin.iteration(path)
    }

    fn format_source(&self, pointer: bool) -> Option<RowId> {
        Some(if pointer { self.builtin.pointer } else { self.builtin.debug })
    }

    fn is_order(&self, row: RowId) -> bool {
        row == self.builtin.order
    }

    fn may_be_sink(&self, name: &str) -> bool {
        self.configured.may_be_sink(name) || self.index.may_be_sink(name) || self.names.may_be_sink(name)
    }

    fn method_models(&self, receiver: Option<&Ty>, name: &str) -> Vec<Rc<Model>> {
        self.library.method(receiver, name)
    }

    fn path_model(&self, path: &str) -> Option<Rc<Model>> {
        self.library.path(path)
    }

    fn is_cell(&self, path: &str) -> bool {
        self.library.is_cell(path)
    }

    fn accumulates(&self, path: &str) -> bool {
        self.library.accumulates(path)
    }
}
