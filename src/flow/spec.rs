//! What the engine asks about names: which calls, fields and types are sources, sinks or sanitizers, and how
//! library functions pass values. The answers come from the catalogue and the user's configuration.

use std::rc::Rc;

use super::model::Model;
use super::term::Term;
use super::value::Key;
use crate::ir::{Literal, Name};
use crate::resolve::{FunctionId, Ty};

/// Which part of a call is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CallSlot {
    /// Its result.
    Return,
    /// Its receiver.
    Receiver,
    /// An argument, the receiver not counted.
    Argument(u32),
    /// An element of an argument that is an array or tuple.
    Element(u32, u32),
}

/// What a call looks like to a [`Specification`].
#[derive(Debug)]
pub struct CallView<'a> {
    /// Canonical paths of the callee, most likely first; empty for a method of an unknown type.
    pub paths: &'a [Name],
    /// The last segment, method or macro name.
    pub name: &'a str,
    /// Whether it is written as a method call.
    pub method: bool,
    /// Whether it is a macro call.
    pub macro_call: bool,
    /// The receiver's type behind references, when known.
    pub receiver: Option<&'a Ty>,
    /// The canonical path of the receiver's type, when it has one.
    pub receiver_path: Option<&'a str>,
    /// Where the chain of calls starts that made a receiver of unknown type: the path of a type or function from
    /// outside.
    pub receiver_root: Option<&'a str>,
    /// The receiver's formula.
    pub receiver_term: Option<&'a Term>,
    /// The functions of the tree that are called.
    pub targets: &'a [FunctionId],
    /// The arguments' formulas.
    pub terms: &'a [Rc<Term>],
    /// The arguments that are literals.
    pub literals: &'a [Option<Literal>],
    /// Which arguments are `None`.
    pub nones: &'a [usize],
    /// Which arguments are `Some(..)`.
    pub somes: &'a [usize],
    /// How many arguments there are.
    pub arity: usize,
    /// The function that holds the call.
    pub caller: FunctionId,
}

/// A source or sink row of the catalogue or configuration, as an opaque number.
pub type RowId = u32;

/// What a call does to a digest or encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DigestStep {
    /// Makes a hasher for the digest of this name.
    Start(&'static str),
    /// Takes up data and gives the hasher back.
    Feed,
    /// Yields the digest of this name.
    Finish(&'static str),
}

/// What is to be done at a call.
#[derive(Clone, Debug, Default)]
pub struct CallFacts {
    /// The call yields fresh values there.
    pub sources: Vec<(RowId, CallSlot)>,
    /// The call adds these to what flows through it: the order of an unordered collection, a text that may differ.
    pub adds: Vec<RowId>,
    /// A key slot or configured sink.
    pub sinks: Vec<(RowId, CallSlot)>,
    /// The call makes a fresh key and uses it: source row and sink row.
    pub mints: Vec<(RowId, RowId)>,
    /// Said by the user's configuration, which goes before bodies.
    pub configured: bool,
    /// The result is stable, whatever the arguments.
    pub clears: bool,
    /// Removes only taints of sources for which [`Specification::is_order`] holds.
    pub clears_order: bool,
    /// Weakens a clock to a bucket: `Some(true)` a day or longer, `Some(false)` shorter.
    pub bucket: Option<bool>,
    /// A hash: passes taint whatever its body.
    pub hash: bool,
    /// What the call does to a digest, for the formula.
    pub digest: Option<DigestStep>,
    /// The value handed in counts as stored from here on.
    pub stores: bool,
    /// The result of an in-process cache.
    pub in_process: bool,
    /// A flow model that replaces the body.
    pub summary: Option<Rc<Model>>,
}

/// A named slot that a value is put into or read from.
#[derive(Debug)]
pub struct FieldView<'a> {
    /// The canonical path of the owning type; empty when unknown.
    pub owner: &'a str,
    /// The field or key.
    pub name: &'a str,
    /// Whether it is a string key of a JSON object or map.
    pub key: bool,
    /// Whether the owning type is one of the tree, so that its writers are in view.
    pub in_tree: bool,
    /// The names that attributes give the field on the wire.
    pub wire_name: Option<&'a str>,
}

/// The names that matter.
pub trait Specification {
    /// What a call does.
    fn call(&self, call: &CallView<'_>) -> CallFacts;
    /// The source row for reading a field.
    fn field_source(&self, field: &FieldView<'_>) -> Option<RowId>;
    /// Whether a field or key that is read holds a stored or caller-supplied value, whatever made its owner.
    fn field_clears(&self, field: &FieldView<'_>) -> bool;
    /// The sink row for writing a field or key.
    fn field_sink(&self, field: &FieldView<'_>) -> Option<RowId>;
    /// Whether a part of a value does not count in a slot; without a part, whether some may not.
    fn leaves_out(&self, row: RowId, part: Option<(&Ty, &Key)>) -> bool;
    /// The sink row for an argument of a function in view, by the parameter's name.
    fn parameter_sink(&self, function: FunctionId, parameter: &str) -> Option<RowId>;
    /// The source row for every value of a type.
    fn type_source(&self, path: &str) -> Option<RowId>;
    /// Whether every value of a type is stored or caller-supplied, whatever made it.
    fn type_clears(&self, path: &str) -> bool;
    /// The source row for reading the loop variable of a counting loop.
    fn loop_source(&self) -> Option<RowId>;
    /// The source row for iterating a collection of this type without fixed order.
    fn iteration_source(&self, path: &str) -> Option<RowId>;
    /// Whether making a collection of this type puts its elements in order.
    fn type_orders(&self, path: &str) -> bool;
    /// The source row for a text formatted with `{:?}` or `{:p}`.
    fn format_source(&self, pointer: bool) -> Option<RowId>;
    /// Whether a row is about order only.
    fn is_order(&self, row: RowId) -> bool;
    /// Quick test: whether code that spells this name or text can hold a sink at all. Used to find the functions
    /// that matter.
    fn may_be_sink(&self, text: &str) -> bool;
    /// The same of a call of a function by its name and how many arguments it is given, where the name could be that of a
    /// key only by chance.
    fn may_be_sink_call(&self, name: &str, arguments: usize) -> bool;
    /// The same of a field of this name that is written.
    fn may_be_sink_field(&self, name: &str) -> bool;
    /// Names of fields that are slots although no word of a sink stands where they are filled.
    fn slot_names(&self) -> Vec<&Name>;
    /// The library model of a method, by the group of its receiver's type (`None`: unknown type).
    fn method_models(&self, receiver: Option<&Ty>, name: &str) -> Vec<Rc<Model>>;
    /// The library model of a function by canonical path.
    fn path_model(&self, path: &str) -> Option<Rc<Model>>;
    /// Whether a type is a cell or lock: transparent, but for its type.
    fn is_cell(&self, path: &str) -> bool;
    /// Whether a type is a map: its entries are told apart by constant keys.
    fn is_map(&self, path: &str) -> bool;
    /// Whether a type hands to handlers what the application was given at its start.
    fn is_shared_state(&self, path: &str) -> bool;
    /// Whether a value of this type takes up the arguments of methods that are not in view (buffers, hashers, builders).
    fn accumulates(&self, path: &str) -> bool;
}
