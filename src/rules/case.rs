//! One way from a source to a key slot, with the facts about both ends.

use std::rc::Rc;

use samekey_catalogue::{Level, Provider, provider};

use super::context::Contexts;
use crate::discover::FileClass;
use crate::driver::Input;
use crate::facts::{Facts, SinkInfo, SourceInfo};
use crate::flow::term::Term;
use crate::flow::trace::{Step, StepKind};
use crate::flow::value::Flags;
use crate::flow::{Analysis, FlowRecord, Sink};
use crate::ir::{Name, Span};
use crate::resolve::{FunctionDef, FunctionId};

/// Everything that rules read.
pub struct World<'a> {
    /// The files and what is known about them.
    pub input: Input<'a>,
    /// The catalogue's and the configuration's rows.
    pub facts: &'a Facts<'a>,
    /// What the engine found.
    pub analysis: &'a Analysis,
    /// Code that is run again.
    pub contexts: Contexts<'a>,
}

/// A key slot with its row.
#[derive(Clone, Copy)]
pub struct Slot<'a> {
    /// Its index in the analysis.
    pub id: u32,
    /// The place.
    pub sink: &'a Sink,
    /// The facts of its row.
    pub info: &'a SinkInfo,
}

/// One way from a source to a key slot.
pub struct Case<'a> {
    pub world: &'a World<'a>,
    /// The facts of the source's row.
    pub source: SourceInfo,
    /// The id of the source's row.
    pub row: Name,
    /// The source as code.
    pub symbol: String,
    /// The source expression.
    pub span: Span,
    /// The source's site; `None` when a name alone makes it one.
    pub site: Option<u32>,
    /// The function that holds the source; `None` in the initialiser of a static.
    pub function: Option<FunctionId>,
    /// The key slots on the way, in order; never empty.
    pub slots: Vec<Slot<'a>>,
    /// What happened on the way.
    pub flags: Flags,
    /// The way.
    pub steps: Vec<Step>,
    /// How the key is made.
    pub term: Rc<Term>,
    /// The function whose parameters the formula names.
    pub term_function: Option<FunctionId>,
}

impl<'a> World<'a> {
    /// A key slot by its index in the analysis.
    pub fn slot(&self, id: u32) -> Option<Slot<'_>> {
        let sink = self.analysis.sinks.get(id as usize)?;
        let info = self.facts.row(sink.row).sink()?;
        Some(Slot { id, sink, info })
    }

    /// The key slots on a way, the final one last.
    pub fn slots(&self, steps: &[Step], last: u32) -> Vec<Slot<'_>> {
        let mut ids: Vec<u32> = steps
            .iter()
            .filter_map(|step| match step.kind {
                StepKind::Slot(id) => Some(id),
                _ => None,
            })
            .collect();
        if ids.last() != Some(&last) {
            ids.push(last);
        }
        let slots: Vec<Slot<'_>> = ids.into_iter().filter_map(|id| self.slot(id)).collect();
        // A sink of the configuration reports at itself; it is no step on the way to another key slot.
        let configured = slots.last().is_some_and(|slot| slot.info.configured);
        slots.into_iter().filter(|slot| slot.info.configured == configured).collect()
    }

    /// The case of a flow.
    pub fn case(&'a self, flow: &FlowRecord) -> Option<Case<'a>> {
        let site = self.analysis.sources.get(flow.source as usize)?;
        let row = self.facts.row(site.row);
        let steps = flow.trace.steps();
        let slots = self.slots(&steps, flow.sink.0);
        slots.first()?;
        Some(Case {
            world: self,
            source: row.source()?.clone(),
            row: row.id.clone(),
            symbol: super::formula::symbol(self.input.sources.snippet(site.span), &row.id),
            span: site.span,
            site: Some(flow.source),
            function: site.function,
            slots,
            flags: flow.flags,
            steps,
            term: flow.term.clone(),
            term_function: flow.function,
        })
    }

    /// Whether a finding may be reported in a file.
    pub fn may_be_primary(&self, span: Span) -> bool {
        self.input.files.get(span.file.0 as usize).is_some_and(|facts| facts.primary)
    }

    /// Whether a place is in an example.
    pub fn is_example(&self, span: Span) -> bool {
        let facts = self.input.files.get(span.file.0 as usize);
        facts.is_some_and(|facts| facts.class == FileClass::Example)
    }

    /// Whether a function is test code that was not asked for.
    pub fn is_silent(&self, function: Option<FunctionId>) -> bool {
        !self.input.include_tests && function.is_some_and(|id| self.input.program.function(id).test)
    }

    /// A function's definition.
    pub fn function(&self, id: Option<FunctionId>) -> Option<&'a FunctionDef> {
        id.map(|id| self.input.program.function(id))
    }
}

impl<'a> Case<'a> {
    /// The slot at which the finding is reported: the first on the way in code of the user's own.
    pub fn primary(&self) -> Slot<'a> {
        let own = self.slots.iter().find(|slot| self.world.may_be_primary(slot.sink.span));
        // `slots` is never empty.
        *own.unwrap_or(&self.slots[0])
    }

    /// The slot that says most: the one of the highest level, a name alone least.
    pub fn strongest(&self) -> Slot<'a> {
        let weight = |slot: &Slot<'_>| (slot.info.configured, slot.info.level, !slot.info.by_name, slot.id);
        let strongest = self.slots.iter().copied().max_by_key(weight);
        strongest.unwrap_or_else(|| self.primary())
    }

    /// Whether the flow ends at a sink of the configuration, which reports every flow at itself.
    pub fn configured(&self) -> bool {
        self.slots.last().is_some_and(|slot| slot.info.configured)
    }

    /// Where the finding is reported.
    pub fn place(&self) -> Span {
        match self.slots.last() {
            Some(slot) if slot.info.configured => slot.sink.name_span,
            _ => self.primary().sink.span,
        }
    }

    /// Who receives the key.
    pub fn provider(&self) -> Option<&'static Provider> {
        self.slots.iter().rev().find_map(|slot| provider(slot.info.provider))
    }

    /// The level that the source's and the slot's rows allow.
    pub fn row_level(&self) -> Level {
        self.source.level.min(self.strongest().info.level)
    }

    /// The name of the function in which the key is used.
    pub fn user(&self) -> Option<&'a str> {
        let id = self.primary().sink.function;
        id.map(|id| self.world.input.program.function(id).name.as_str())
    }
}
