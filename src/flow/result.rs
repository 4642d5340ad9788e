//! What the analysis found.

use std::rc::Rc;

use super::spec::RowId;
use super::summary::{SinkReach, SinkSite};
use super::term::Term;
use super::trace::Trace;
use super::value::Flags;
use crate::ir::{Name, Span};
use crate::resolve::{CrateId, FunctionId};

/// A place where a fresh value comes into being.
#[derive(Clone, Debug)]
pub struct SourceSite {
    /// The catalogue or configuration row.
    pub row: RowId,
    /// The expression.
    pub span: Span,
    /// The function that holds it; `None` in the initialiser of a static.
    pub function: Option<FunctionId>,
}

/// A sink as a place in the code.
#[derive(Clone, Debug)]
pub struct Sink {
    /// The catalogue or configuration row.
    pub row: RowId,
    /// The value that reaches it: an argument, a field's value.
    pub span: Span,
    /// The callee's name, or the field's.
    pub name_span: Span,
    /// The function that holds it.
    pub function: Option<FunctionId>,
    /// The formula of the value, in terms of the function's parameters.
    pub term: Rc<Term>,
    /// Whether it stands inside a loop.
    pub in_loop: bool,
    /// The name of the callee or field.
    pub name: Name,
    /// The formula of what the call is made on, where the sink is an argument of a method call.
    pub receiver: Option<Rc<Term>>,
    /// The text that names the entry which the value is for: `Idempotency-Key` in `header("Idempotency-Key", key)`.
    pub entry: Option<Name>,
}

/// A source that reaches a sink.
#[derive(Clone, Debug)]
pub struct FlowRecord {
    /// The source site.
    pub source: u32,
    /// The sink.
    pub sink: SinkSite,
    /// What happened on the way.
    pub flags: Flags,
    /// The way.
    pub trace: Trace,
    /// The formula of the value at the sink.
    pub term: Rc<Term>,
    /// The function in which the last symbolic parts of the formula were filled in.
    pub function: Option<FunctionId>,
}

/// A part of a parameter of a function without callers in view that reaches a sink.
#[derive(Clone, Debug)]
pub struct OpenReach {
    /// The function.
    pub function: FunctionId,
    /// How.
    pub reach: SinkReach,
}

/// A name by which code leads to a sink. Whatever mentions it has to be loaded.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lead {
    /// However it is mentioned: a static, the constant that names a slot, a field.
    Name(Name),
    /// A free function of a crate.
    Function {
        /// Its name.
        name: Name,
        /// Its crate.
        krate: CrateId,
    },
    /// A method or associated function.
    Member {
        /// Its name.
        name: Name,
        /// The name of its type or trait.
        owner: Name,
        /// The crate that its callers must see; `None` where a trait lets any code reach it.
        krate: Option<CrateId>,
    },
    /// A field of a type, where it is written.
    Field {
        /// Its name.
        name: Name,
        /// The name of its type.
        owner: Name,
        /// The crate of its type.
        krate: CrateId,
    },
    /// The values of a type: a method that leads to a sink runs for them without being named.
    Values {
        /// The name of the type.
        owner: Name,
        /// The crate of the implementation.
        krate: CrateId,
    },
}

/// Everything that the analysis found.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// Source sites by id.
    pub sources: Vec<SourceSite>,
    /// Sinks by id.
    pub sinks: Vec<Sink>,
    /// Flows, ordered by source and sink.
    pub flows: Vec<FlowRecord>,
    /// Parameters of functions without callers that reach sinks.
    pub open: Vec<OpenReach>,
    /// Entry points whose flows were not followed to the end, in order.
    pub cut_short: Vec<FunctionId>,
    /// What leads to sinks, in order.
    pub leads: Vec<Lead>,
}
