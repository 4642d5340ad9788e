//! What a function does, in terms of its parameters, and how a call site takes it over.

use std::rc::Rc;

use super::term::Term;
use super::trace::Trace;
use super::value::{Flags, ParamPath, Value};

/// A sink that a function or one of its callees contains, as a place in the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SinkSite(pub u32);

/// A part of a parameter that reaches a sink.
#[derive(Clone, Debug)]
pub struct SinkReach {
    /// The sink.
    pub sink: SinkSite,
    /// The part; everything below it counts.
    pub from: ParamPath,
    /// What happens on the way.
    pub flags: Flags,
    /// The way from the function's entry to the sink.
    pub trace: Trace,
    /// The formula of the value at the sink.
    pub term: Rc<Term>,
}

/// What a function does.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// What it returns.
    pub result: Value,
    /// What the memory behind each parameter holds afterwards, where it was written.
    pub effects: Vec<(u32, Value)>,
    /// Of a closure: what it holds afterwards of its own, by the position among its captures, where it was written.
    pub kept: Vec<(u32, Value)>,
    /// What was written to statics.
    pub statics: Vec<(u32, Value)>,
    /// Shared memory that the result or an effect refers to.
    pub heap: Vec<(u32, Value)>,
    /// Parameters that reach sinks.
    pub reaches: Vec<SinkReach>,
    /// Whether there is a sink in it or in what it calls.
    pub holds_sink: bool,
    /// Whether which code a call in it means is left open by the types of its parameters.
    pub open_call: bool,
    /// Whether the work on it was cut short.
    pub cut: bool,
}

impl Summary {
    /// Whether both state the same facts.
    pub fn same(&self, other: &Summary) -> bool {
        self.result.same(&other.result)
            && same_values(&self.effects, &other.effects)
            && same_values(&self.kept, &other.kept)
            && same_values(&self.statics, &other.statics)
            && same_values(&self.heap, &other.heap)
            && self.holds_sink == other.holds_sink
            && self.open_call == other.open_call
            && self.reaches.len() == other.reaches.len()
            && self
                .reaches
                .iter()
                .zip(&other.reaches)
                .all(|(a, b)| a.sink == b.sink && a.from == b.from && a.flags == b.flags)
    }

    /// Adds a reach, keeping the better trace of two equal ones.
    pub fn add_reach(&mut self, reach: SinkReach) {
        let position = self.reaches.binary_search_by(|r| (r.sink, &r.from).cmp(&(reach.sink, &reach.from)));
        match position {
            Ok(index) => {
                let existing = &mut self.reaches[index];
                let flags = Flags(existing.flags.0 & reach.flags.0);
                if reach.trace.better_than(&existing.trace) {
                    *existing = reach;
                }
                existing.flags = flags;
            }
            Err(index) => self.reaches.insert(index, reach),
        }
    }
}

fn same_values(a: &[(u32, Value)], b: &[(u32, Value)]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.0 == b.0 && a.1.same(&b.1))
}
