//! The formula of a key as text: `sha256(customer_id ":" period ":" ⟨Utc::now⟩)[..32]`.

use std::rc::Rc;

use samekey_catalogue::digest;

use super::case::World;
use crate::flow::term::Term;
use crate::flow::value::{Key, ParamPath};
use crate::ir::Span;
use crate::resolve::{FunctionId, Program};

/// Longer sources are cut.
const LONGEST_SYMBOL: usize = 40;
/// Longer formulas say nothing at a glance.
const LONGEST_FORMULA: usize = 240;

/// Conversions that a reader thinks of as the value itself.
const TRANSPARENT: &[&str] = &[
    "to_string",
    "to_owned",
    "to_str",
    "as_str",
    "as_ref",
    "as_bytes",
    "as_deref",
    "as_mut",
    "into",
    "from",
    "parse",
    "clone",
    "cloned",
    "copied",
    "borrow",
    "deref",
    "unwrap",
    "expect",
    "unwrap_or_default",
    "ok",
    "some",
    "?",
    "Some",
    "Ok",
    "into_owned",
    "into_bytes",
    "into_string",
    "String",
    "Cow",
    "from_str",
    "as_slice",
    "from_utf8",
    "from_utf8_lossy",
    "into_boxed_str",
    "hyphenated",
    "simple",
    "ok_or",
    "ok_or_else",
    "iter",
    "into_iter",
    "collect",
    "finish",
    "build",
    "to_vec",
    "Bytes",
    "new",
    "from_static",
    "try_from",
    "try_into",
];
/// Functions of their arguments alone, beside the transparent ones.
const PURE: &[&str] = &[
    "digest",
    "hash",
    "encode",
    "hex",
    "finalize",
    "new_v5",
    "new_v3",
    "join",
    "concat",
    "trim",
    "format",
    "to_lowercase",
    "to_uppercase",
    "to_ascii_lowercase",
    "to_ascii_uppercase",
    "chars",
    "pad",
    "+",
];

/// The text of a term, or `None` when nothing of it is known.
pub fn text(
    world: &World<'_>,
    term: &Rc<Term>,
    function: Option<FunctionId>,
    marked: &dyn Fn(&Term) -> bool,
) -> Option<String> {
    if **term == Term::Unknown {
        return None;
    }
    let writer = Writer { world, function, marked };
    let text = writer.write(term, false);
    (text.chars().count() <= LONGEST_FORMULA).then_some(text)
}

/// A source as code, short: `Uuid::new_v4`, `delivery.delivery_tag`.
pub fn symbol(snippet: &str, row: &str) -> String {
    let mut text = snippet.split_whitespace().collect::<Vec<_>>().join(" ").replace(" .", ".");
    if let Some(rest) = text.strip_suffix("()") {
        text = rest.to_owned();
    }
    if text.is_empty() {
        return row.to_owned();
    }
    if text.chars().count() > LONGEST_SYMBOL {
        text = text.chars().take(LONGEST_SYMBOL - 1).chain(['…']).collect();
    }
    text
}

/// The name of a part of a parameter: `request.customer`. Positions of tuples and newtypes are left out.
pub fn parameter(program: &Program, function: Option<FunctionId>, path: &ParamPath) -> String {
    let mut name = function
        .and_then(|id| parameter_name(program, id, path.index))
        .unwrap_or_else(|| format!("argument {}", path.index));
    for key in path.keys.iter() {
        match key {
            Key::Field(field) | Key::Variant(_, field) | Key::At(field)
                if !field.starts_with(|c: char| c.is_ascii_digit()) =>
            {
                name.push('.');
                name.push_str(field);
            }
            _ => {}
        }
    }
    name
}

/// The name of a parameter, the receiver counted.
pub fn parameter_name(program: &Program, function: FunctionId, index: u32) -> Option<String> {
    let definition = program.function(function);
    let index = index as usize;
    let shift = usize::from(definition.ir.receiver.is_some());
    if index < shift {
        return Some("self".to_owned());
    }
    let parameter = definition.ir.params.get(index - shift)?;
    if let Some(name) = &parameter.name {
        return Some(name.to_string());
    }
    // `Json(request): Json<ChargeRequest>`: the one variable of the pattern stands for the whole.
    let inside = |span: Span| {
        span.file == parameter.span.file
            && parameter.span.start <= span.start
            && span.end <= parameter.span.end
    };
    let locals = definition.body().map_or(&[][..], |body| &body.locals);
    let mut names = locals.iter().filter(|local| inside(local.span)).filter_map(|local| local.name.as_ref());
    match (names.next(), names.next()) {
        (Some(only), None) => Some(only.to_string()),
        _ => None,
    }
}

/// Whether the term is the same at every execution: literals, constants and pure functions of them. A source
/// counts when `bucket` says that it is cut to a period.
pub fn is_constant(term: &Term, bucket: &dyn Fn(u32) -> bool) -> bool {
    match term {
        Term::Literal(_) => true,
        Term::Named(name) => is_constant_name(name),
        Term::Source(site) => bucket(*site),
        Term::Call(name, args) => {
            is_pure(name) && !args.is_empty() && args.iter().all(|arg| is_constant(arg, bucket))
        }
        Term::Text(parts) => !parts.is_empty() && parts.iter().all(|part| is_constant(part, bucket)),
        Term::Choice(parts) | Term::Item(parts) => parts.iter().all(|part| is_constant(part, bucket)),
        Term::Slice(inner, _) | Term::Typed(inner, _) => is_constant(inner, bucket),
        Term::Param(_) | Term::Part(..) | Term::Unknown => false,
    }
}

/// Whether a call is a function of its arguments alone: a conversion, an encoding, a digest.
pub fn is_pure(name: &str) -> bool {
    is_transparent(name) || PURE.contains(&name) || digest(name).is_some()
}

/// Whether a reader thinks of the result of a call as of the value itself.
pub fn is_transparent(name: &str) -> bool {
    TRANSPARENT.contains(&name)
}

/// Whether a call gives its only argument in another type, as the same text or bytes.
pub fn is_conversion(name: &str) -> bool {
    is_transparent(name) && !matches!(name, "simple" | "hyphenated")
}

/// Whether a name is that of a constant: `CURRENCY`, `config::PREFIX`.
pub fn is_constant_name(name: &str) -> bool {
    let last = name.rsplit("::").next().unwrap_or(name);
    last.len() > 1 && last.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}

struct Writer<'w> {
    world: &'w World<'w>,
    function: Option<FunctionId>,
    marked: &'w dyn Fn(&Term) -> bool,
}

impl Writer<'_> {
    /// Writes a term; inside a text, alternatives need parentheses.
    fn write(&self, term: &Term, inside: bool) -> String {
        let text = self.plain(term, inside);
        if (self.marked)(term) { format!("⟨{text}⟩") } else { text }
    }

    fn plain(&self, term: &Term, inside: bool) -> String {
        match term {
            Term::Literal(text) => format!("{text:?}"),
            Term::Param(path) => parameter(self.world.input.program, self.function, path),
            Term::Named(name) => name.rsplit("::").next().unwrap_or(name).to_owned(),
            Term::Part(inner, name) => self.part(inner, name),
            Term::Call(name, args) => self.call(name, args),
            Term::Text(parts) => {
                parts.iter().map(|part| self.write(part, true)).collect::<Vec<_>>().join(" ")
            }
            Term::Slice(inner, range) => format!("{}[{range}]", self.write(inner, true)),
            Term::Choice(choices) | Term::Item(choices) => {
                let mut texts: Vec<String> = choices.iter().map(|choice| self.write(choice, true)).collect();
                texts.dedup();
                let joined = texts.join(" or ");
                if inside && texts.len() > 1 { format!("({joined})") } else { joined }
            }
            Term::Source(site) => self.source(*site),
            Term::Typed(inner, _) => self.write(inner, inside),
            Term::Unknown => "…".to_owned(),
        }
    }

    fn part(&self, inner: &Term, name: &str) -> String {
        let whole = self.write(inner, true);
        match name.starts_with(|c: char| c.is_ascii_digit()) {
            true => whole,
            false => format!("{whole}.{name}"),
        }
    }

    fn call(&self, name: &str, args: &[Rc<Term>]) -> String {
        match args {
            [only] if TRANSPARENT.contains(&name) => self.write(only, true),
            [first, rest @ ..]
                if TRANSPARENT.contains(&name) && rest.iter().all(|arg| **arg == Term::Unknown) =>
            {
                self.write(first, true)
            }
            [left, right] if !name.starts_with(|c: char| c.is_alphabetic() || c == '_') => {
                format!("{} {name} {}", self.write(left, true), self.write(right, true))
            }
            [list, separator] if name == "join" => self.joined(list, separator),
            [inner, width] if name == "pad" => {
                let inner = self.write(inner, true);
                match width.as_ref() {
                    Term::Literal(width) => format!("{inner}:{width}"),
                    _ => inner,
                }
            }
            _ if name == "[]" => {
                let parts: Vec<String> = args.iter().map(|arg| self.write(arg, true)).collect();
                parts.join(" ")
            }
            _ => {
                let args: Vec<String> = args.iter().map(|arg| self.write(arg, false)).collect();
                format!("{name}({})", args.join(", "))
            }
        }
    }

    /// The parts of a list that is in view, with the separator between them.
    fn joined(&self, list: &Term, separator: &Term) -> String {
        let separator = self.write(separator, true);
        match list {
            Term::Call(name, parts) if name == "[]" => {
                let parts: Vec<String> = parts.iter().map(|part| self.write(part, true)).collect();
                parts.join(&format!(" {separator} "))
            }
            _ => format!("join({}, {separator})", self.write(list, false)),
        }
    }

    fn source(&self, site: u32) -> String {
        let Some(source) = self.world.analysis.sources.get(site as usize) else { return "…".to_owned() };
        let row = self.world.facts.row(source.row);
        symbol(self.world.input.sources.snippet(source.span), &row.id)
    }
}
