//! The formula of a value: a small symbolic expression that shows how a key is made.

use std::rc::Rc;

use super::value::{Data, Key, Origin, ParamPath, Value};
use crate::ir::Name;

/// A symbolic expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Term {
    /// Literal text.
    Literal(Name),
    /// A part of a parameter of the function under analysis.
    Param(ParamPath),
    /// A value known by its name only: a constant, a variable, a field of something unknown.
    Named(Name),
    /// A part of another value.
    Part(Rc<Term>, Name),
    /// A call of something whose result depends on its arguments.
    Call(Name, Vec<Rc<Term>>),
    /// Texts one after another.
    Text(Vec<Rc<Term>>),
    /// A sub-range with its literal bounds: `..32`.
    Slice(Rc<Term>, Name),
    /// A value whose type is known: `uuid::Uuid`, `u64`, `enum` for one of the tree. Only where it is put into a text.
    Typed(Rc<Term>, Name),
    /// One of several.
    Choice(Vec<Rc<Term>>),
    /// Any item of a collection that has all of these.
    Item(Vec<Rc<Term>>),
    /// A source, by its site.
    Source(u32),
    /// Not known.
    Unknown,
}

/// Larger terms are cut.
const MAX_SIZE: usize = 48;
/// More alternatives are not listed.
const MAX_CHOICES: usize = 4;

impl Term {
    /// The term of a value: its own, or the one that follows from its content.
    pub fn of(value: &Value) -> Rc<Term> {
        match value.data() {
            Some(data) => data.term.clone().unwrap_or_else(|| Rc::new(Term::derived(data))),
            None => Rc::new(Term::Unknown),
        }
    }

    fn derived(data: &Data) -> Term {
        match (data.aliases.as_slice(), data.taint.as_slice()) {
            ([alias], []) => match &alias.origin {
                Origin::Param(path) => Term::Param(path.clone()),
                Origin::Source(site) => Term::Source(*site),
                Origin::Static(_) => Term::Unknown,
            },
            _ => Term::Unknown,
        }
    }

    /// The term of a join; `None` when it follows from the joined value. Without `alternatives` both are there.
    pub fn joined(a: &Value, b: &Value, alternatives: bool) -> Option<Rc<Term>> {
        let (x, y) = (Term::of(a), Term::of(b));
        if x == y {
            return Some(x);
        }
        if *x == Term::Unknown && *y == Term::Unknown {
            return None;
        }
        let mut choices = Vec::new();
        for term in [x, y] {
            match term.as_ref() {
                Term::Choice(inner) if alternatives => choices.extend(inner.iter().cloned()),
                Term::Item(inner) if !alternatives => choices.extend(inner.iter().cloned()),
                _ => choices.push(term),
            }
        }
        let mut unique: Vec<Rc<Term>> = Vec::with_capacity(choices.len());
        for choice in choices {
            if !unique.contains(&choice) {
                unique.push(choice);
            }
        }
        if unique.len() > MAX_CHOICES {
            return Some(Rc::new(Term::Unknown));
        }
        Some(Term::bounded(if alternatives { Term::Choice(unique) } else { Term::Item(unique) }))
    }

    /// A call's term.
    pub fn call(name: impl Into<Name>, args: Vec<Rc<Term>>) -> Rc<Term> {
        Term::bounded(Term::Call(name.into(), args))
    }

    /// Texts one after another; nested ones are merged.
    pub fn text(parts: Vec<Rc<Term>>) -> Rc<Term> {
        let mut flat: Vec<Rc<Term>> = Vec::with_capacity(parts.len());
        for part in parts {
            match part.as_ref() {
                Term::Text(inner) => flat.extend(inner.iter().cloned()),
                Term::Literal(text) if text.is_empty() => {}
                _ => flat.push(part),
            }
        }
        if flat.len() == 1
            && let Some(only) = flat.pop()
        {
            return only;
        }
        Term::bounded(Term::Text(flat))
    }

    /// The term of a part.
    pub fn part(whole: &Rc<Term>, key: &Key) -> Option<Rc<Term>> {
        let name = match key {
            Key::Field(name) | Key::At(name) => name.clone(),
            Key::Variant(..) => return Some(whole.clone()),
            Key::Element | Key::MapKey | Key::Capture(_) | Key::View => return None,
        };
        match whole.as_ref() {
            Term::Unknown | Term::Param(_) => None,
            Term::Call(list, parts) if list == "[]" => {
                name.parse::<usize>().ok().and_then(|index| parts.get(index).cloned())
            }
            Term::Source(_) => Some(whole.clone()),
            Term::Typed(inner, _) => Term::part(inner, key),
            _ => Some(Term::bounded(Term::Part(whole.clone(), name))),
        }
    }

    /// A term with its type; what shows by itself how long it is stays as it is.
    pub fn typed(term: Rc<Term>, ty: Name) -> Rc<Term> {
        match term.as_ref() {
            Term::Literal(_) | Term::Text(_) | Term::Choice(_) | Term::Item(_) | Term::Typed(..) => term,
            // What is said of sources goes by their site.
            Term::Source(_) | Term::Unknown => term,
            _ => Rc::new(Term::Typed(term, ty)),
        }
    }

    fn bounded(term: Term) -> Rc<Term> {
        Rc::new(if term.size(MAX_SIZE) > MAX_SIZE { Term::Unknown } else { term })
    }

    fn size(&self, limit: usize) -> usize {
        let sum = |terms: &[Rc<Term>]| {
            let mut total = 1;
            for term in terms {
                if total > limit {
                    break;
                }
                total += term.size(limit - total.min(limit));
            }
            total
        };
        match self {
            Term::Call(_, terms) | Term::Text(terms) | Term::Choice(terms) | Term::Item(terms) => sum(terms),
            Term::Part(inner, _) | Term::Slice(inner, _) => 1 + inner.size(limit),
            // What is known of a type takes no room in the formula.
            Term::Typed(inner, _) => inner.size(limit),
            _ => 1,
        }
    }

    /// The term with parameters replaced by what `argument` gives for them.
    pub fn substitute(self: &Rc<Term>, argument: &impl Fn(&ParamPath) -> Rc<Term>) -> Rc<Term> {
        let all = |terms: &[Rc<Term>]| terms.iter().map(|term| term.substitute(argument)).collect::<Vec<_>>();
        match self.as_ref() {
            Term::Param(path) => argument(path),
            Term::Part(inner, name) => {
                let inner = inner.substitute(argument);
                Term::part(&inner, &Key::Field(name.clone())).unwrap_or_else(|| Rc::new(Term::Unknown))
            }
            Term::Call(name, args) => Term::call(name.clone(), all(args)),
            Term::Text(parts) => Term::text(all(parts)),
            Term::Slice(inner, range) => {
                Term::bounded(Term::Slice(inner.substitute(argument), range.clone()))
            }
            Term::Typed(inner, ty) => Term::typed(inner.substitute(argument), ty.clone()),
            Term::Choice(choices) => Term::bounded(Term::Choice(all(choices))),
            Term::Item(items) => Term::bounded(Term::Item(all(items))),
            Term::Literal(_) | Term::Named(_) | Term::Source(_) | Term::Unknown => self.clone(),
        }
    }

    /// Whether some part of the term satisfies `test`.
    pub fn any(&self, test: &impl Fn(&Term) -> bool) -> bool {
        test(self)
            || match self {
                Term::Part(inner, _) | Term::Slice(inner, _) | Term::Typed(inner, _) => inner.any(test),
                Term::Call(_, terms) | Term::Text(terms) | Term::Choice(terms) | Term::Item(terms) => {
                    terms.iter().any(|term| term.any(test))
                }
                _ => false,
            }
    }
}
