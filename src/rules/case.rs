//! One way from a source to a key slot, with the facts about both ends.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashSet;
use samekey_catalogue::{Level, Pattern, Provider, SourceKind};

use super::context::Contexts;
use super::host;
use crate::discover::FileClass;
use crate::driver::Input;
use crate::facts::{Facts, SinkInfo, SourceInfo, TYPED};
use crate::flow::term::Term;
use crate::flow::trace::{Step, StepKind};
use crate::flow::value::Flags;
use crate::flow::{Analysis, FlowRecord, OpenReach, Sink};
use crate::ir::{FileId, Name, Span};
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
    /// Sinks by where they start.
    places: BTreeMap<(FileId, u32), Vec<u32>>,
    /// Which source reaches which sink.
    reached: FxHashSet<(u32, u32)>,
    /// The sinks that some source reaches on a way that is in view.
    volatile: FxHashSet<u32>,
    /// Which function's parameters reach which sink.
    reached_openly: FxHashSet<(FunctionId, u32)>,
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

impl Slot<'_> {
    /// Whether nothing but a name says that this is a key.
    pub fn by_name(&self) -> bool {
        let name_only = |pattern: &Pattern| match pattern {
            Pattern::Method { receivers, .. } => receivers.is_empty(),
            Pattern::Field { owners, .. } => owners.is_empty(),
            _ => false,
        };
        let row = self.info.row.filter(|row| row.provider.is_empty());
        self.info.by_name || row.is_some_and(|row| row.patterns.iter().all(name_only))
    }
}

impl<'a> World<'a> {
    /// The world of one run.
    pub fn new(input: Input<'a>, facts: &'a Facts<'a>, analysis: &'a Analysis) -> World<'a> {
        let mut places: BTreeMap<(FileId, u32), Vec<u32>> = BTreeMap::new();
        for (id, sink) in (0..).zip(&analysis.sinks) {
            places.entry((sink.span.file, sink.span.start)).or_default().push(id);
        }
        World {
            input,
            facts,
            analysis,
            contexts: Contexts::new(input.program),
            places,
            reached: analysis.flows.iter().map(|flow| (flow.source, flow.sink.0)).collect(),
            volatile: analysis
                .flows
                .iter()
                .filter(|flow| is_followed(flow))
                .map(|flow| flow.sink.0)
                .collect(),
            reached_openly: analysis.open.iter().map(|open| (open.function, open.reach.sink.0)).collect(),
        }
    }

    /// A key slot by its index in the analysis.
    pub fn slot(&self, id: u32) -> Option<Slot<'_>> {
        let sink = self.analysis.sinks.get(id as usize)?;
        let info = self.facts.row(sink.row).sink()?;
        Some(Slot { id, sink, info })
    }

    /// The key slots at places inside of one that no source reaches, or only through a field that some constructor
    /// fills: whoever asks for one of two keys gives it in most cases.
    pub fn stable_slots_in(&self, place: Span) -> impl Iterator<Item = Slot<'_>> {
        let inside = (place.file, place.start)..(place.file, place.end);
        let slots = self.places.range(inside).flat_map(|(_, sinks)| sinks);
        slots.filter(|id| !self.volatile.contains(id)).filter_map(|id| self.slot(*id))
    }

    /// The key slots on the way of a flow, the final one last.
    pub fn slots_of_flow(&self, flow: &FlowRecord) -> Vec<Slot<'_>> {
        self.slots(&flow.trace.steps(), flow.sink.0, &|sink| self.reached.contains(&(flow.source, sink)))
    }

    /// The key slots on the way of a parameter, the final one last.
    pub fn slots_of_parameter(&self, open: &OpenReach) -> Vec<Slot<'_>> {
        let reaches = |sink| self.reached_openly.contains(&(open.function, sink));
        self.slots(&open.reach.trace.steps(), open.reach.sink.0, &reaches)
    }

    /// Steps name the slots that a value was put into. A slot that took a reference is found by its place: an
    /// argument of a call on the way that the same origin reaches.
    fn slots(&self, steps: &[Step], last: u32, reaches: &dyn Fn(u32) -> bool) -> Vec<Slot<'_>> {
        let mut ids: Vec<u32> = Vec::new();
        for step in steps {
            match step.kind {
                StepKind::Slot(id) => ids.push(id),
                StepKind::Argument => {
                    let inside = (step.span.file, step.span.start)..(step.span.file, step.span.end);
                    let candidates = self.places.range(inside).flat_map(|(_, sinks)| sinks).copied();
                    ids.extend(
                        candidates
                            .filter(|id| *id != last && self.is_argument(*id, step.span) && reaches(*id)),
                    );
                }
                _ => {}
            }
        }
        ids.push(last);
        let mut seen = FxHashSet::default();
        ids.retain(|id| seen.insert(*id));
        let slots: Vec<Slot<'_>> = ids.into_iter().filter_map(|id| self.slot(id)).collect();
        // A sink of the configuration reports at itself; it is no step on the way to another key slot.
        let configured = slots.last().is_some_and(|slot| slot.info.configured);
        // The type of a parameter says that there is a key; where it is used is said by another slot, if any.
        let used = slots.iter().any(|slot| !self.is_typed(slot));
        let says = |slot: &Slot<'_>| slot.info.configured == configured && !(used && self.is_typed(slot));
        slots.into_iter().filter(says).collect()
    }

    /// Whether nothing but the type of a parameter says that this is a key.
    fn is_typed(&self, slot: &Slot<'_>) -> bool {
        &*self.facts.row(slot.sink.row).id == TYPED
    }

    /// Whether a source reaches a slot that says more than the type of a parameter.
    fn reaches_more(&self, source: u32) -> bool {
        let sinks =
            self.reached.iter().filter(|(from, _)| *from == source).filter_map(|(_, id)| self.slot(*id));
        sinks.into_iter().any(|slot| !self.is_typed(&slot))
    }

    /// Whether a source reaches a key column of a table.
    pub fn reaches_column(&self, source: u32) -> bool {
        let is_column = |pattern: &Pattern| matches!(pattern, Pattern::Sql { .. });
        let reached = self.reached.iter().filter(|(from, _)| *from == source);
        let mut slots = reached.filter_map(|(_, id)| self.slot(*id));
        slots.any(|slot| slot.info.row.is_some_and(|row| row.patterns.iter().any(is_column)))
    }

    /// Whether a sink is an argument of a call.
    fn is_argument(&self, id: u32, call: Span) -> bool {
        self.analysis.sinks.get(id as usize).is_some_and(|sink| {
            sink.name_span.start >= call.start
                && sink.name_span.end <= sink.span.start
                && sink.span.end <= call.end
        })
    }

    /// The case of a flow.
    pub fn case(&'a self, flow: &FlowRecord) -> Option<Case<'a>> {
        let site = self.analysis.sources.get(flow.source as usize)?;
        let row = self.facts.row(site.row);
        let steps = flow.trace.steps();
        let slots = self.slots_of_flow(flow);
        if self.is_typed(slots.first()?) && self.reaches_more(flow.source) {
            return None;
        }
        let source = row.source()?.clone();
        let cut = match source.kind {
            SourceKind::Clock => super::bucket::bucket(&flow.term, flow.source),
            _ => Flags::default(),
        };
        Some(Case {
            world: self,
            source,
            row: row.id.clone(),
            symbol: super::formula::symbol(self.input.sources.snippet(site.span), &row.id),
            span: site.span,
            site: Some(flow.source),
            function: site.function,
            slots,
            flags: flow.flags.with(cut),
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

/// Whether the whole way of a flow is in view, and no field is read that something elsewhere fills.
fn is_followed(flow: &FlowRecord) -> bool {
    !flow.flags.has(Flags::FIELD)
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
        let weight = |slot: &Slot<'_>| (slot.info.configured, !slot.by_name(), slot.info.level, slot.id);
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
        self.slots.iter().rev().find_map(|slot| host::provider_of(*slot))
    }

    /// The level that the source's and the slot's rows allow.
    pub fn row_level(&self) -> Level {
        let slot = if super::filled::is_sent_on(self) { Level::Error } else { self.strongest().info.level };
        self.source.level.min(slot)
    }

    /// The name of the function at whose calls the value is new: the one in which it sets out for the key, or the one
    /// that filled the field from which the key is read.
    pub fn user(&self) -> Option<&'a str> {
        let id = match self.flags.has(Flags::FIELD) {
            true => self.function,
            false => self.term_function.or(self.primary().sink.function),
        };
        id.map(|id| self.world.input.program.function(id).name.as_str())
    }
}
