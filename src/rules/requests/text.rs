//! What a text may be, such as a URL that is put together in several places: the literal parts that are in view,
//! and holes where they are not.

use crate::ir::{
    BinaryOperator, Callee, FormatPiece, Literal, Name, Operand, Path, Place, PlaceBase, Projection, Rvalue,
};
use crate::resolve::{FunctionId, ScopeId, StaticId, ValueDef};

use super::flat::{Flat, FlatStatement, Variable};
use super::{Call, Requests, Writer};

/// How many functions, fields and variables a text is followed through.
const DEEPEST: u32 = 12;
/// The most writers of a field, callers of a function and values of a variable that are tried.
const MOST_WAYS: usize = 8;

/// The most parts of a text; a hole stands for the others. Texts that are made of texts grow as fast as one likes.
const MOST_PIECES: usize = 256;

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Piece {
    /// These characters.
    Literal(String),
    /// A parameter of the function in which the text was asked for.
    Parameter(u32),
    /// Anything.
    Hole,
}

/// A text as its parts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Text(pub Vec<Piece>);

impl Text {
    fn hole() -> Text {
        Text(vec![Piece::Hole])
    }

    pub fn literal(text: &str) -> Text {
        Text(vec![Piece::Literal(text.to_owned())])
    }

    /// The text with holes as `\0`.
    pub fn flat(&self) -> String {
        let parts = self.0.iter().map(|piece| match piece {
            Piece::Literal(text) => text.as_str(),
            Piece::Parameter(_) | Piece::Hole => "\0",
        });
        parts.collect()
    }

    /// The text when all of it is known.
    pub fn known(&self) -> Option<String> {
        let text = self.flat();
        (!self.0.is_empty() && !text.contains('\0')).then_some(text)
    }

    fn then(mut self, other: Text) -> Text {
        self.0.extend(other.0);
        self.bounded()
    }

    fn bounded(mut self) -> Text {
        if self.0.len() > MOST_PIECES {
            self.0.truncate(MOST_PIECES);
            self.0.push(Piece::Hole);
        }
        self
    }

    /// The text with the parameters of its function replaced.
    pub fn with(self, argument: &mut dyn FnMut(u32) -> Text) -> Text {
        let parts = self.0.into_iter().flat_map(|piece| match piece {
            Piece::Parameter(index) => argument(index).0,
            other => vec![other],
        });
        Text(parts.take(MOST_PIECES + 1).collect()).bounded()
    }

    /// `base.join(path)` of a URL: a path from the root replaces the one of the base.
    fn joined(self, path: Text) -> Text {
        let base = self.flat();
        let from_root = path.flat().starts_with('/');
        let kept = match base.split_once("://") {
            Some((scheme, after)) if from_root && !scheme.contains('\0') => {
                let host = after.split('/').next().unwrap_or(after);
                holes(&format!("{scheme}://{host}"))
            }
            // Slashes that meet count as one where a path is read.
            _ => self.then(Text::literal("/")),
        };
        kept.then(path)
    }
}

/// A text with `\0` for what is not known, as its parts.
fn holes(text: &str) -> Text {
    let mut parts = Vec::new();
    for (index, part) in text.split('\0').enumerate() {
        if index > 0 {
            parts.push(Piece::Hole);
        }
        if !part.is_empty() {
            parts.push(Piece::Literal(part.to_owned()));
        }
    }
    Text(parts)
}

/// Calls that pass the text of their receiver or first argument on.
const SAME_TEXT: &[&str] = &[
    "to_string",
    "to_owned",
    "into",
    "as_str",
    "as_ref",
    "clone",
    "parse",
    "unwrap",
    "expect",
    "from",
    "from_str",
    "from_static",
    "new",
    "Some",
    "Ok",
    "?",
    "trim_end_matches",
    "trim_end",
    "trim",
    "trim_start_matches",
    "borrow",
    "deref",
    "into_string",
    "to_lowercase",
    "to_ascii_lowercase",
    "ok",
    "map_err",
    "context",
    "with_context",
    "format",
    "as_deref",
    "unwrap_or_default",
    "must_use",
    "as_bytes",
    "try_from",
    "try_into",
    "into_boxed_str",
    "cloned",
    "string",
    "String",
    "from_bytes",
    "Arc",
    "Box",
];
/// Calls that stand for another text when there is none.
const OTHERWISE: &[&str] = &["unwrap_or", "unwrap_or_else", "or", "or_else"];

/// Whether a call of this name passes the text of its receiver or first argument on.
pub fn passes_text(name: &str) -> bool {
    SAME_TEXT.contains(&name)
}

/// What the statements that are read belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// A function.
    Function(FunctionId),
    /// The initialiser of a static or constant.
    Fixed(StaticId),
}

/// What was followed before.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Followed {
    /// What the writers of a field put there.
    Field(Name),
    /// What a function returns.
    Returned(FunctionId),
    /// A variable.
    Variable(Owner, Variable),
    /// The value of a static or constant.
    Fixed(StaticId),
    /// A text of a function in terms of what its callers give.
    Given(FunctionId, Text),
}

impl<'a> Requests<'a> {
    /// The text of what is followed, as it was found before or as `find` says.
    fn followed(&self, what: Followed, depth: u32, find: impl FnOnce() -> Text) -> Text {
        let asked = (what, depth);
        if let Some(known) = self.texts.borrow().get(&asked) {
            return known.clone();
        }
        let text = find();
        self.texts.borrow_mut().insert(asked, text.clone());
        text
    }

    /// What the value of an operand in a function may be as a text.
    pub fn text(&self, function: FunctionId, flat: &Flat<'a>, body: usize, operand: &Operand) -> Text {
        Reader { requests: self, flat, owner: Owner::Function(function), scope: self.scope(function) }
            .operand(body, operand, DEEPEST)
    }

    /// What a function returns as a text, in terms of its parameters.
    fn returned(&self, function: FunctionId, depth: u32) -> Text {
        let Some(flat) = self.flat(function) else { return Text::hole() };
        let reader = Reader {
            requests: self,
            flat: &flat,
            owner: Owner::Function(function),
            scope: self.scope(function),
        };
        let own = flat.returns.iter().filter(|(body, _)| *body == 0);
        self.followed(Followed::Returned(function), depth, || {
            best(own.take(MOST_WAYS).map(|(body, operand)| reader.operand(*body, operand, depth)))
        })
    }
}

/// The most telling of several texts: one with a host, else the first that is not a hole.
fn best(ways: impl Iterator<Item = Text>) -> Text {
    let mut found: Option<Text> = None;
    for text in ways {
        let flat = text.flat();
        if super::operation::names_host(&flat) {
            return text;
        }
        if !flat.is_empty() && found.as_ref().is_none_or(|known| known.flat().starts_with('\0')) {
            found = Some(text);
        }
    }
    found.unwrap_or_else(Text::hole)
}

struct Reader<'r, 'a> {
    requests: &'r Requests<'a>,
    flat: &'r Flat<'a>,
    owner: Owner,
    scope: ScopeId,
}

impl<'a> Reader<'_, 'a> {
    fn operand(&self, body: usize, operand: &Operand, depth: u32) -> Text {
        match operand {
            Operand::Literal(Literal::Str(text)) => Text::literal(text),
            Operand::Literal(Literal::Char(text)) => Text::literal(&text.to_string()),
            Operand::Literal(Literal::Int(text)) => Text::literal(text),
            Operand::Literal(_) => Text::hole(),
            Operand::Place(place) => self.place(body, place, depth),
        }
    }

    fn place(&self, body: usize, place: &Place, depth: u32) -> Text {
        let Some(depth) = depth.checked_sub(1) else { return Text::hole() };
        let fields = place.projections.iter().rev().find_map(|projection| match projection {
            Projection::Field(name) if !name.starts_with(|c: char| c.is_ascii_digit()) => Some(name),
            _ => None,
        });
        if let Some(field) = fields {
            return self.field(field, depth);
        }
        match &place.base {
            PlaceBase::Item(path) => self.item(path, depth),
            PlaceBase::Local(local) => match self.flat.variable(body, *local) {
                Some(variable) => self.variable(variable, depth),
                None => Text::hole(),
            },
        }
    }

    fn item(&self, path: &Path, depth: u32) -> Text {
        let program = self.requests.world.input.program;
        let ValueDef::Static(id) = program.resolve_value(self.scope, path) else { return Text::hole() };
        let fixed = program.static_(id);
        let Some(body) = &fixed.ir.initializer else { return Text::hole() };
        self.requests.followed(Followed::Fixed(id), depth, || {
            let flat = Flat::new(body);
            let owner = Owner::Fixed(id);
            let reader = Reader { requests: self.requests, flat: &flat, owner, scope: fixed.scope };
            let own = flat.returns.iter().filter(|(body, _)| *body == 0);
            best(own.take(MOST_WAYS).map(|(body, operand)| reader.operand(*body, operand, depth)))
        })
    }

    fn variable(&self, variable: Variable, depth: u32) -> Text {
        if let Some(index) = self.flat.parameter(variable) {
            return Text(vec![Piece::Parameter(index)]);
        }
        self.requests.followed(Followed::Variable(self.owner, variable), depth, || {
            let values = self.flat.values(variable).take(MOST_WAYS);
            best(values.map(|(at, value)| self.value(at, value, depth)))
        })
    }

    fn value(&self, at: FlatStatement<'a>, value: &Rvalue, depth: u32) -> Text {
        let body = at.body;
        match value {
            Rvalue::Use(operand) | Rvalue::Await(operand) | Rvalue::Cast(operand, _) => {
                self.operand(body, operand, depth)
            }
            Rvalue::Reference { place, .. } => self.place(body, place, depth),
            Rvalue::Format { pieces, args, .. } => {
                let parts = pieces.iter().map(|piece| match piece {
                    FormatPiece::Text(text) => Text::literal(text),
                    FormatPiece::Argument { index, .. } => match args.get(*index) {
                        Some(argument) => self.operand(body, &argument.operand, depth),
                        None => Text::hole(),
                    },
                });
                parts.fold(Text::default(), Text::then)
            }
            Rvalue::Binary(BinaryOperator::Add, left, right) => {
                self.operand(body, left, depth).then(self.operand(body, right, depth))
            }
            Rvalue::Call { callee, receiver, args, .. } => {
                let first = receiver.iter().chain(args).map(|argument| &argument.operand);
                let given: Vec<&Operand> = first.collect();
                self.call(body, callee, &given, depth)
            }
            _ => Text::hole(),
        }
    }

    /// A call; a receiver is the first of what is given.
    fn call(&self, body: usize, callee: &Callee, given: &[&Operand], depth: u32) -> Text {
        let name = callee_name(callee);
        if let Some(target) = self.target(body, callee, given)
            && let Some(depth) = depth.checked_sub(1)
        {
            let text = self.requests.returned(target, depth);
            return text.with(&mut |index| match given.get(index as usize) {
                Some(operand) => self.operand(body, operand, depth),
                None => Text::hole(),
            });
        }
        match (name, given) {
            ("join", [base, path]) => self.operand(body, base, depth).joined(self.operand(body, path, depth)),
            (name, [first, other]) if OTHERWISE.contains(&name) => {
                let text = self.operand(body, first, depth);
                if text.flat() == "\0" { self.other(body, other, depth) } else { text }
            }
            ("concat", parts) => {
                parts.iter().fold(Text::default(), |text, part| text.then(self.operand(body, part, depth)))
            }
            (name, [first, ..]) if SAME_TEXT.contains(&name) => self.operand(body, first, depth),
            _ => Text::hole(),
        }
    }

    fn target(&self, body: usize, callee: &Callee, given: &[&Operand]) -> Option<FunctionId> {
        let receiver = match callee {
            Callee::Method { .. } => given.first().copied(),
            _ => None,
        };
        match self.owner {
            Owner::Function(function) => self.requests.target(function, self.flat, body, callee, receiver),
            Owner::Fixed(_) => None,
        }
    }

    /// The text that stands in for another, perhaps as a closure.
    fn other(&self, body: usize, operand: &Operand, depth: u32) -> Text {
        let Some(depth) = depth.checked_sub(1) else { return Text::hole() };
        let Some(variable) = self.flat.of_operand(body, operand) else {
            return self.operand(body, operand, depth);
        };
        let mut values = self.flat.values(variable);
        let Some((at, Rvalue::Closure(id))) = values.next() else {
            return self.variable(variable, depth);
        };
        let closure = self.flat.body(at.body).and_then(|body| body.closures.get(id.0 as usize));
        let Some(inner) = closure.and_then(|closure| self.flat.closure_body(closure.span)) else {
            return Text::hole();
        };
        let own = self.flat.returns.iter().filter(|(body, _)| *body == inner);
        best(own.map(|(body, operand)| self.operand(*body, operand, depth)))
    }

    /// What the writers of a field of this name put there.
    fn field(&self, name: &Name, depth: u32) -> Text {
        let text_of = |writer: &Writer<'a>| {
            let Some(flat) = self.requests.flat(writer.function) else { return Text::hole() };
            let scope = self.requests.scope(writer.function);
            let reader = Reader {
                requests: self.requests,
                flat: &flat,
                owner: Owner::Function(writer.function),
                scope,
            };
            let text = reader.operand(writer.body, writer.value, depth);
            self.requests.with_callers(writer.function, text, depth)
        };
        self.requests.followed(Followed::Field(name.clone()), depth, || {
            let writers = self.requests.field_writers(name);
            best(writers.iter().take(MOST_WAYS).map(text_of))
        })
    }
}

impl<'a> Requests<'a> {
    /// A text with the parameters of its function replaced by what its callers give.
    fn with_callers(&self, function: FunctionId, text: Text, depth: u32) -> Text {
        let Some(depth) = depth.checked_sub(2) else { return text.with(&mut |_| Text::hole()) };
        if !text.0.iter().any(|piece| matches!(piece, Piece::Parameter(_))) {
            return text;
        }
        let given_by = |call: &Call<'a>, text: &Text| {
            let Some(flat) = self.flat(call.function) else { return Text::hole() };
            let scope = self.scope(call.function);
            let reader = Reader { requests: self, flat: &flat, owner: Owner::Function(call.function), scope };
            let given = text.clone().with(&mut |index| match call.given.get(index as usize) {
                Some(operand) => reader.operand(call.body, operand, depth),
                None => Text::hole(),
            });
            self.with_callers(call.function, given, depth)
        };
        self.followed(Followed::Given(function, text.clone()), depth, || {
            best(self.callers(function).iter().take(MOST_WAYS).map(|call| given_by(call, &text)))
        })
    }
}

/// The last name of what is called.
pub fn callee_name(callee: &Callee) -> &str {
    match callee {
        Callee::Path(path) | Callee::Macro(path) => path.last_name(),
        Callee::Method { name, .. } => name.as_str(),
        Callee::Value(_) => "",
    }
}
