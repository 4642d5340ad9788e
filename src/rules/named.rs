//! What names alone suggest: parameters of functions that nobody in view calls, and columns that change.
//!
//! A name is never an error, and it counts only where no definition says what the value is.

use std::rc::Rc;

use samekey_catalogue::{Level, SourceKind, name_rules};

use super::case::{Case, World};
use super::formula;
use crate::facts::SourceInfo;
use crate::flow::OpenReach;
use crate::flow::term::Term;
use crate::flow::trace::{Step, StepKind};
use crate::flow::value::{Flags, Key, ParamPath};
use crate::ir::{Attributes, Name};
use crate::resolve::{FunctionId, Ty};

/// Cases that rest on a name.
pub fn cases<'a>(world: &'a World<'a>) -> Vec<Case<'a>> {
    let open = world.analysis.open.iter().filter_map(|open| parameter(world, open));
    let columns = (0..).take(world.analysis.sinks.len()).flat_map(|sink| columns(world, sink));
    open.chain(columns).collect()
}

/// A parameter of a function without callers in view.
fn parameter<'a>(world: &'a World<'a>, open: &OpenReach) -> Option<Case<'a>> {
    let program = world.input.program;
    let from = &open.reach.from;
    let name = last_name(from)
        .or_else(|| formula::parameter_name(program, open.function, from.index).map(Name::from))?;
    let mut info = source_of(world, &name)?;
    match record(world, open.function, from) {
        // The sender chose the value; a redelivery brings the same one.
        Record::Message if !matches!(info.1.kind, SourceKind::Attempt) => return None,
        // A stored column is the same at each attempt, unless it is made to change.
        Record::Row if !matches!(info.1.kind, SourceKind::Attempt | SourceKind::Mutable) => return None,
        Record::Plain if !from.keys.is_empty() && has_homonym(&info.0) => return None,
        Record::Message | Record::Row if info.1.kind == SourceKind::Attempt => {
            info.1.level = Level::Note;
        }
        _ => {}
    }
    let span =
        program.function(open.function).body().and_then(|body| body.locals.get(from.index as usize))?.span;
    let mut steps = vec![Step { span, kind: StepKind::Source }];
    steps.extend(open.reach.trace.steps());
    let slots = world.slots_of_parameter(open);
    slots.first()?;
    Some(Case {
        world,
        row: info.0,
        source: info.1,
        symbol: formula::parameter(program, Some(open.function), from),
        span,
        site: None,
        function: Some(open.function),
        slots,
        flags: open.reach.flags.without(Flags::OPAQUE),
        steps,
        term: open.reach.term.clone(),
        term_function: Some(open.function),
    })
}

/// Whether the name also means something of the business. A struct of the tree says more than such a name.
fn has_homonym(row: &str) -> bool {
    name_rules().iter().any(|rule| rule.id == row && !rule.homonyms.is_empty())
}

fn source_of(world: &World<'_>, name: &str) -> Option<(Name, SourceInfo)> {
    let row = world.facts.row(world.facts.names().source(name)?);
    Some((row.id.clone(), row.source()?.clone()))
}

fn last_name(path: &ParamPath) -> Option<Name> {
    path.keys.iter().rev().find_map(|key| match key {
        Key::Field(name) | Key::Variant(_, name) | Key::At(name)
            if !name.starts_with(|c: char| c.is_ascii_digit()) =>
        {
            Some(name.clone())
        }
        _ => None,
    })
}

/// Where the struct that holds a field comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Record {
    /// Deserialised: somebody sent it.
    Message,
    /// Read from a database.
    Row,
    /// Anything else.
    Plain,
}

/// The kind of the struct whose field the path names.
fn record(world: &World<'_>, function: FunctionId, path: &ParamPath) -> Record {
    let program = world.input.program;
    let types = program.parameter_types(function);
    let Some(mut ty) = types.get(path.index as usize).cloned() else { return Record::Plain };
    let mut found = Record::Plain;
    for key in path.keys.iter() {
        if let Some(kind) = kind_of(world, &ty) {
            found = kind;
        }
        ty = match key {
            Key::Field(name) => program.field_type(&ty, name),
            Key::Variant(variant, name) => program.variant_field_type(&ty, variant, name),
            Key::Element | Key::At(_) => program.element_type(&ty),
            _ => return found,
        };
    }
    found
}

fn kind_of(world: &World<'_>, ty: &Ty) -> Option<Record> {
    match ty {
        Ty::Reference { inner, .. } => kind_of(world, inner),
        Ty::Adt { id, .. } => {
            let derives = |attributes: &Attributes, name: &str| {
                attributes.derives.iter().any(|path| path.last_name() == name)
            };
            let attributes = &world.input.program.type_(*id).attributes;
            Some(match () {
                () if derives(attributes, "FromRow") || derives(attributes, "Queryable") => Record::Row,
                () if derives(attributes, "Deserialize") => Record::Message,
                () => Record::Plain,
            })
        }
        _ => None,
    }
}

/// Fields of something that was loaded, read off the formula: `updated_at` changes, `attempt` counts.
fn columns<'a>(world: &'a World<'a>, sink: u32) -> Vec<Case<'a>> {
    let Some(slot) = world.slot(sink) else { return Vec::new() };
    if slot.info.configured || world.is_silent(slot.sink.function) {
        return Vec::new();
    }
    let mut parts = Vec::new();
    collect_parts(&slot.sink.term, &mut parts);
    let span = slot.sink.span;
    let case = |(whole, name): (Rc<Term>, Name)| {
        let (row, mut source) = source_of(world, &name)?;
        match source.kind {
            SourceKind::Mutable => {}
            SourceKind::Member if source.level == Level::Note => {}
            SourceKind::Attempt => source.level = Level::Note,
            _ => return None,
        }
        let part = Rc::new(Term::Part(whole, name.clone()));
        let symbol = formula::text(world, &part, slot.sink.function, &|_| false)?;
        let steps = vec![Step { span, kind: StepKind::Source }, Step { span, kind: StepKind::Slot(sink) }];
        Some(Case {
            world,
            row,
            source,
            symbol,
            span,
            site: None,
            function: slot.sink.function,
            slots: vec![slot],
            flags: Flags::default(),
            steps,
            term: slot.sink.term.clone(),
            term_function: slot.sink.function,
        })
    };
    parts.into_iter().filter_map(case).collect()
}

/// Fields of what a call from outside gave, deserialised messages excepted.
fn collect_parts(term: &Term, parts: &mut Vec<(Rc<Term>, Name)>) {
    match term {
        Term::Part(inner, name) => {
            let sent = |term: &Term| match term {
                Term::Call(name, _) => {
                    name.starts_with("from_") || name.contains("deserialize") || name == "json"
                }
                _ => false,
            };
            if !inner.any(&sent) && inner.any(&|term| matches!(term, Term::Call(..))) {
                parts.push((inner.clone(), name.clone()));
            }
            collect_parts(inner, parts);
        }
        Term::Call(name, terms) => {
            // `context.worker_id()`: a getter of something from outside says what it gives like a field.
            if let [whole] = terms.as_slice() {
                parts.push((whole.clone(), name.clone()));
            }
            for term in terms {
                collect_parts(term, parts);
            }
        }
        Term::Text(terms) | Term::Choice(terms) | Term::Item(terms) => {
            for term in terms {
                collect_parts(term, parts);
            }
        }
        Term::Slice(inner, _) | Term::Typed(inner, _) => collect_parts(inner, parts),
        _ => {}
    }
}
