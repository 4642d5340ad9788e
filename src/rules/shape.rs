//! The formulas of keys, each where a finding about it belongs, and what the rules about the shape of a key share.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::case::{Slot, World};
use super::findings::identity;
use super::{formula, message};
use crate::flow::term::Term;
use crate::flow::value::Key;
use crate::ir::Span;
use crate::report::{Certainty, Diagnostic, Fix, Label, RuleInfo, Severity, Step};
use crate::resolve::{FunctionId, Ty};

/// A key slot with the formula of what it is given.
pub struct KeyFormula<'a> {
    /// The first key slot on the way in code of the user's own.
    pub slot: Slot<'a>,
    /// The slot that is told apart best: by a row of a provider, if there is one on the way.
    pub receiver: Slot<'a>,
    /// The formula.
    pub term: Rc<Term>,
    /// The function whose parameters the formula names.
    pub function: Option<FunctionId>,
}

/// What a rule says of a key.
pub struct Remark {
    pub severity: Severity,
    pub message: String,
    pub label: String,
    pub help: String,
    /// Edits that remove it.
    pub fixes: Vec<Fix>,
    /// What tells this remark from another one at the same slot.
    pub subject: String,
}

/// The formulas of all keys. One that depends on parameters is taken from the callers in view.
pub fn formulas<'a>(world: &'a World<'a>) -> Vec<KeyFormula<'a>> {
    let analysis = world.analysis;
    let open = analysis
        .open
        .iter()
        .map(|open| (world.slots_of_parameter(open), open.reach.term.clone(), Some(open.function)));
    let flows =
        analysis.flows.iter().map(|flow| (world.slots_of_flow(flow), flow.term.clone(), flow.function));
    let mut found: Vec<KeyFormula<'a>> = Vec::new();
    let mut through: BTreeSet<u32> = BTreeSet::new();
    let mut seen: BTreeSet<(Span, Rc<Term>)> = BTreeSet::new();
    for (slots, term, function) in open.chain(flows) {
        let Some(slot) = slots.iter().find(|slot| world.may_be_primary(slot.sink.span)).copied() else {
            continue;
        };
        through.extend(slots.iter().map(|slot| slot.id));
        let receiver = slots.iter().copied().max_by_key(|slot| (!slot.info.provider.is_empty(), slot.id));
        if seen.insert((slot.sink.span, term.clone())) {
            found.push(KeyFormula { slot, receiver: receiver.unwrap_or(slot), term, function });
        }
    }
    for slot in (0..).take(analysis.sinks.len()).filter_map(|id| world.slot(id)) {
        let term = slot.sink.term.clone();
        let decided = through.contains(&slot.id) && term.any(&|term| matches!(term, Term::Param(_)));
        if !decided && world.may_be_primary(slot.sink.span) && seen.insert((slot.sink.span, term.clone())) {
            found.push(KeyFormula { slot, receiver: slot, term, function: slot.sink.function });
        }
    }
    found.retain(|key| is_judged(world, key));
    found.sort_by(|a, b| (a.slot.sink.span, &a.term).cmp(&(b.slot.sink.span, &b.term)));
    found
}

fn is_judged(world: &World<'_>, key: &KeyFormula<'_>) -> bool {
    let info = key.slot.info;
    !info.configured
        && info.identity.is_none()
        && info.level != samekey_catalogue::Level::Off
        && !world.is_silent(key.slot.sink.function)
}

impl KeyFormula<'_> {
    /// The level of what the formula proves: less in examples.
    pub fn proven(&self, world: &World<'_>) -> Severity {
        if world.is_example(self.slot.sink.span) { Severity::Note } else { Severity::Warning }
    }

    /// A part of the key as the reader knows it.
    pub fn text(&self, world: &World<'_>, part: &Rc<Term>) -> String {
        let text = formula::text(world, part, self.function, &|_| false);
        text.unwrap_or_else(|| "a value".to_owned()).replace('`', "'")
    }

    /// The type of a part of a parameter.
    pub fn type_of(&self, world: &World<'_>, term: &Term) -> Option<Ty> {
        let (Term::Param(path), Some(function)) = (term, self.function) else { return None };
        let program = world.input.program;
        let mut ty = program.parameter_types(function).get(path.index as usize)?.clone();
        for key in path.keys.iter() {
            let owner = pointee(&ty).clone();
            ty = match key {
                Key::Field(name) => program.field_type(&owner, name),
                Key::Variant(variant, name) => program.variant_field_type(&owner, variant, name),
                Key::Element | Key::At(_) => program.element_type(&owner),
                _ => Ty::Unknown,
            };
        }
        (ty != Ty::Unknown).then_some(ty)
    }

    /// The name of a value that is named: of a field, a parameter, a variable. Positions of newtypes do not count.
    pub fn name_of(&self, world: &World<'_>, term: &Term) -> Option<String> {
        match term {
            Term::Param(_) => {
                let text = formula::text(world, &Rc::new(term.clone()), self.function, &|_| false)?;
                Some(text.rsplit('.').next()?.to_owned())
            }
            Term::Named(name) => Some(name.rsplit("::").next()?.to_owned()),
            Term::Part(inner, name) if name.starts_with(|c: char| c.is_ascii_digit()) => {
                self.name_of(world, inner)
            }
            Term::Part(_, name) => Some(name.to_string()),
            _ => None,
        }
    }

    /// The finding of a remark.
    pub fn finding(&self, world: &World<'_>, info: &RuleInfo, remark: Remark) -> Diagnostic {
        let slot = self.slot;
        Diagnostic {
            rule: info.id,
            code: info.code,
            severity: remark.severity,
            certainty: match remark.severity {
                Severity::Note => Certainty::Possible,
                _ => Certainty::Proven,
            },
            message: remark.message,
            primary: slot.sink.span,
            labels: vec![Label { span: slot.sink.span, text: remark.label }],
            formula: formula::text(world, &self.term, self.function, &|_| false),
            identity: identity(world, slot, &remark.subject),
            fingerprint: String::new(),
            trace: vec![Step {
                span: slot.sink.span,
                message: format!("reaches {}", message::slot(self.receiver)),
            }],
            help: remark.help,
            fixes: remark.fixes,
        }
    }
}

/// The findings of a rule about shapes: the most serious one at each place.
pub fn findings<'a>(
    world: &'a World<'a>,
    keys: &[KeyFormula<'a>],
    info: &RuleInfo,
    judge: impl Fn(&World<'a>, &KeyFormula<'a>) -> Option<Remark>,
) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for key in keys {
        let Some(remark) = judge(world, key) else { continue };
        let finding = key.finding(world, info, remark);
        match found.iter_mut().find(|known| known.primary == finding.primary) {
            Some(known) if known.severity >= finding.severity => {}
            Some(known) => *known = finding,
            None => found.push(finding),
        }
    }
    found
}

/// The texts of which a key is made, wherever they stand in it: `a ":" b` in `sha256(a ":" b)[..32]`.
pub fn texts(term: &Rc<Term>) -> Vec<Vec<Rc<Term>>> {
    let mut found = Vec::new();
    collect_texts(term, &mut found);
    found
}

fn collect_texts(term: &Rc<Term>, found: &mut Vec<Vec<Rc<Term>>>) {
    match term.as_ref() {
        Term::Text(parts) => {
            for part in parts {
                collect_texts(part, found);
            }
            found.push(parts.clone());
        }
        Term::Choice(parts) | Term::Item(parts) => parts.iter().for_each(|part| collect_texts(part, found)),
        Term::Typed(inner, _) | Term::Slice(inner, _) => collect_texts(inner, found),
        Term::Call(name, args) => match listed(name, args) {
            Some(parts) => {
                for part in &parts {
                    collect_texts(part, found);
                }
                found.push(parts);
            }
            None if formula::is_pure(name) => args.iter().for_each(|arg| collect_texts(arg, found)),
            None => {}
        },
        _ => {}
    }
}

/// The parts of `[a, b].concat()` and `[a, b].join("-")`, separators between them.
fn listed(name: &str, args: &[Rc<Term>]) -> Option<Vec<Rc<Term>>> {
    let (list, separator) = match (name, args) {
        ("concat", [list]) => (list, None),
        ("join", [list, separator]) => (list, Some(separator)),
        _ => return None,
    };
    let Term::Call(name, parts) = list.as_ref() else { return None };
    if name != "[]" {
        return None;
    }
    let mut joined = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        match separator {
            Some(separator) if index > 0 && !is_empty(separator) => joined.push(separator.clone()),
            _ => {}
        }
        joined.push(part.clone());
    }
    Some(joined)
}

/// The type behind references and owning pointers.
pub fn pointee(ty: &Ty) -> &Ty {
    match ty {
        Ty::Reference { inner, .. } => pointee(inner),
        Ty::External { path, args } if args.len() == 1 => match path.rsplit("::").next() {
            Some("Box" | "Arc" | "Rc" | "Cow") => args.first().map_or(ty, pointee),
            _ => ty,
        },
        _ => ty,
    }
}

/// Whether a term is the empty text.
pub fn is_empty(term: &Term) -> bool {
    matches!(term, Term::Literal(text) if text.is_empty())
}
