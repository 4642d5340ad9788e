//! The representation as text, for tests and for people who work on the engine.

use std::fmt::Write as _;

use super::{
    AggregateKind, Argument, Block, Body, Callee, Closure, FormatPiece, FormatTrait, Index, Literal, LocalId,
    LocalKind, Operand, Path, Place, PlaceBase, Projection, Rvalue, Statement, StatementKind, Terminator,
    Type, TypeHint, UnaryOperator,
};

/// A body as text: its locals, then its blocks, then its closures, indented.
///
/// Locals read `name_3` or `_3`. One line per statement; `b0` is the entry.
#[must_use]
pub fn print_body(body: &Body) -> String {
    let mut printer = Printer { body, text: String::new(), indent: 0 };
    printer.body();
    printer.text
}

struct Printer<'b> {
    body: &'b Body,
    text: String,
    indent: usize,
}

impl Printer<'_> {
    fn line(&mut self, line: &str) {
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "{:1$}{line}", "", self.indent * 2);
    }

    fn body(&mut self) {
        for (index, local) in self.body.locals.iter().enumerate() {
            let kind = match local.kind {
                LocalKind::Parameter => "param",
                LocalKind::Capture => "capture",
                LocalKind::Variable => "let",
                LocalKind::Temporary => continue,
            };
            let name = self.local(LocalId(u32::try_from(index).unwrap_or(u32::MAX)));
            let ty = local.ty.as_ref().map(|ty| format!(": {}", print_type(ty))).unwrap_or_default();
            self.line(&format!("{kind} {name}{ty}"));
        }
        for (index, looped) in self.body.loops.iter().enumerate() {
            let parent = looped.parent.map(|parent| format!(" in l{}", parent.0)).unwrap_or_default();
            let early = if looped.exits_early { " exits early" } else { "" };
            self.line(&format!("l{index}: {:?} at b{}{parent}{early}", looped.kind, looped.head.0));
        }
        for (index, block) in self.body.blocks.iter().enumerate() {
            self.block(index, block);
        }
        for (index, closure) in self.body.closures.iter().enumerate() {
            self.closure(index, closure);
        }
        for item in &self.body.items {
            self.line(&format!("item {}", item.name));
        }
    }

    fn block(&mut self, index: usize, block: &Block) {
        let looped = block.innermost_loop.map(|id| format!(" (l{})", id.0)).unwrap_or_default();
        let guard = block.guard.as_deref().map(|guard| {
            let not = if guard.expected { "" } else { "!" };
            format!(" if {not}{}", guard.constant.last_name())
        });
        self.line(&format!("b{index}{looped}{}:", guard.unwrap_or_default()));
        self.indent += 1;
        for statement in &block.statements {
            let text = self.statement(statement);
            self.line(&text);
        }
        let text = self.terminator(&block.terminator);
        self.line(&text);
        self.indent -= 1;
    }

    fn closure(&mut self, index: usize, closure: &Closure) {
        let captures: Vec<String> = closure
            .captures
            .iter()
            .map(|capture| {
                let by = if capture.by_reference { "&" } else { "" };
                format!("{by}{}", self.local(capture.outer))
            })
            .collect();
        self.line(&format!("closure c{index} {:?} [{}]", closure.kind, captures.join(", ")));
        let mut inner =
            Printer { body: &closure.body, text: std::mem::take(&mut self.text), indent: self.indent + 1 };
        inner.body();
        self.text = inner.text;
    }

    fn terminator(&self, terminator: &Terminator) -> String {
        match terminator {
            Terminator::Goto(block) => format!("goto b{}", block.0),
            Terminator::Branch(blocks) => {
                let blocks: Vec<String> = blocks.iter().map(|block| format!("b{}", block.0)).collect();
                format!("branch {}", blocks.join(" "))
            }
            Terminator::Return(operand) => format!("return {}", self.operand(operand)),
            Terminator::Diverge => "diverge".to_owned(),
        }
    }

    fn statement(&self, statement: &Statement) -> String {
        match &statement.kind {
            StatementKind::Assign(place, value) => {
                format!("{}{} = {}", self.place(place), self.hint(place), self.rvalue(value))
            }
            StatementKind::AssignOperator(place, operator, operand) => {
                format!("{} {}= {}", self.place(place), operator.symbol(), self.operand(operand))
            }
            StatementKind::Declare(local) => format!("declare {}", self.local(*local)),
            StatementKind::Drop(local) => format!("drop {}", self.local(*local)),
        }
    }

    fn hint(&self, place: &Place) -> String {
        let PlaceBase::Local(local) = place.base else { return String::new() };
        let local = self.body.locals.get(local.0 as usize);
        match local.and_then(|local| local.hint.as_ref()).filter(|_| place.projections.is_empty()) {
            None => String::new(),
            Some(hint) => format!(": {}", self.hinted(hint)),
        }
    }

    fn hinted(&self, hint: &TypeHint) -> String {
        match hint {
            TypeHint::Type(ty) => print_type(ty),
            TypeHint::Argument { path, index } => format!("argument {index} of {}", print_path(path)),
            TypeHint::Field { path, field } => format!("field {field} of {}", print_path(path)),
            TypeHint::Result => "result".to_owned(),
            TypeHint::Local(local) => format!("as {}", self.local(*local)),
            TypeHint::Wrapped(payload) => format!("wrapped {}", self.hinted(payload)),
            TypeHint::SamePayload(other) => format!("same payload {}", self.hinted(other)),
        }
    }

    fn local(&self, id: LocalId) -> String {
        match self.body.locals.get(id.0 as usize).and_then(|local| local.name.as_ref()) {
            Some(name) => format!("{name}_{}", id.0),
            None => format!("_{}", id.0),
        }
    }

    fn place(&self, place: &Place) -> String {
        let mut text = match &place.base {
            PlaceBase::Local(local) => self.local(*local),
            PlaceBase::Item(path) => print_path(path),
        };
        for projection in &place.projections {
            match projection {
                Projection::Field(name) => text = format!("{text}.{name}"),
                Projection::Variant { path, field } => text = format!("{text}.<{}>{field}", print_path(path)),
                Projection::Index(index) => text = format!("{text}[{}]", self.index(index)),
                Projection::Dereference => text = format!("(*{text})"),
            }
        }
        text
    }

    fn index(&self, index: &Index) -> String {
        match index {
            Index::Literal(literal) => print_literal(literal),
            Index::FromEnd(position) => format!("-{}", position + 1),
            Index::Operand(operand) => self.operand(operand),
            Index::Range(bounds) => bounds.to_string(),
        }
    }

    fn operand(&self, operand: &Operand) -> String {
        match operand {
            Operand::Place(place) => self.place(place),
            Operand::Literal(literal) => print_literal(literal),
        }
    }

    fn operands(&self, operands: &[Operand]) -> String {
        operands.iter().map(|operand| self.operand(operand)).collect::<Vec<_>>().join(", ")
    }

    fn arguments(&self, args: &[Argument]) -> String {
        args.iter().map(|arg| self.operand(&arg.operand)).collect::<Vec<_>>().join(", ")
    }

    fn rvalue(&self, value: &Rvalue) -> String {
        match value {
            Rvalue::Use(operand) => self.operand(operand),
            Rvalue::Reference { mutable, place } => {
                format!("&{}{}", if *mutable { "mut " } else { "" }, self.place(place))
            }
            Rvalue::Aggregate { kind, fields, base } => {
                let kind = match kind {
                    AggregateKind::Struct(path) => print_path(path),
                    AggregateKind::Tuple => "tuple".to_owned(),
                    AggregateKind::Array => "array".to_owned(),
                    AggregateKind::Object => "object".to_owned(),
                };
                let mut parts: Vec<String> = fields
                    .iter()
                    .map(|part| format!("{}: {}", part.name, self.operand(&part.value)))
                    .collect();
                parts.extend(base.iter().map(|base| format!("..{}", self.operand(base))));
                format!("{kind} {{{}}}", parts.join(", "))
            }
            Rvalue::Repeat(operand) => format!("repeat {}", self.operand(operand)),
            Rvalue::Call { callee, receiver, args, .. } => self.call(callee, receiver.as_ref(), args),
            Rvalue::Binary(operator, left, right) => {
                format!("{} {} {}", self.operand(left), operator.symbol(), self.operand(right))
            }
            Rvalue::Unary(UnaryOperator::Neg, operand) => format!("-{}", self.operand(operand)),
            Rvalue::Unary(UnaryOperator::Not, operand) => format!("!{}", self.operand(operand)),
            Rvalue::Cast(operand, ty) => format!("{} as {}", self.operand(operand), print_type(ty)),
            Rvalue::Format { name, pieces, args } => {
                let pieces: Vec<String> = pieces.iter().map(piece_text).collect();
                format!("{name}!({}; {})", pieces.concat(), self.arguments(args))
            }
            Rvalue::Closure(id) => format!("closure c{}", id.0),
            Rvalue::Await(operand) => format!("await {}", self.operand(operand)),
            Rvalue::Next { iterator, of } => format!("next l{} {}", of.0, self.operand(iterator)),
            Rvalue::Range(bounds) => format!("range({})", self.operands(bounds)),
        }
    }

    fn call(&self, callee: &Callee, receiver: Option<&Argument>, args: &[Argument]) -> String {
        let args = self.arguments(args);
        let receiver = receiver.map(|receiver| format!("{}.", self.operand(&receiver.operand)));
        let receiver = receiver.unwrap_or_default();
        match callee {
            Callee::Path(path) => format!("{}({args})", print_path(path)),
            Callee::Method { name, generics } if generics.is_empty() => format!("{receiver}{name}({args})"),
            Callee::Method { name, generics } => {
                format!("{receiver}{name}::<{}>({args})", print_types(generics))
            }
            Callee::Value(operand) => format!("call {}({args})", self.operand(operand)),
            Callee::Macro(path) => format!("{}!({args})", print_path(path)),
        }
    }
}

fn piece_text(piece: &FormatPiece) -> String {
    match piece {
        FormatPiece::Text(text) => text.to_string(),
        FormatPiece::Argument { index, format } => {
            let suffix = match format {
                FormatTrait::Display => String::new(),
                FormatTrait::Padded(width) => format!(":{width}"),
                FormatTrait::Debug => ":?".to_owned(),
                FormatTrait::Pointer => ":p".to_owned(),
                FormatTrait::Number => ":x".to_owned(),
            };
            format!("{{{index}{suffix}}}")
        }
    }
}

fn print_literal(literal: &Literal) -> String {
    match literal {
        Literal::Str(text) => format!("{text:?}"),
        Literal::Bytes(bytes) => format!("b\"{}\"", bytes.escape_ascii()),
        Literal::Char(character) => format!("{character:?}"),
        Literal::Int(digits) | Literal::Float(digits) => digits.to_string(),
        Literal::Bool(value) => value.to_string(),
        Literal::Unit => "()".to_owned(),
    }
}

fn print_types(types: &[Type]) -> String {
    types.iter().map(print_type).collect::<Vec<_>>().join(", ")
}

fn print_bounds(bounds: &[Path]) -> String {
    bounds.iter().map(print_path).collect::<Vec<_>>().join(" + ")
}

/// A path as text.
#[must_use]
pub fn print_path(path: &Path) -> String {
    let mut text = String::new();
    let mut segments = path.segments.iter().map(|segment| {
        let mut args: Vec<String> = segment.args.iter().map(print_type).collect();
        args.extend(segment.bindings.iter().map(|(name, ty)| format!("{name} = {}", print_type(ty))));
        match args.is_empty() {
            true => segment.name.to_string(),
            false => format!("{}<{}>", segment.name, args.join(", ")),
        }
    });
    if let Some(ty) = &path.qualified_self {
        let of: Vec<String> = segments.by_ref().take(path.trait_segments).collect();
        let of = if of.is_empty() { String::new() } else { format!(" as {}", of.join("::")) };
        text = format!("<{}{of}>::", print_type(ty));
    } else if path.global {
        text.push_str("::");
    }
    text + &segments.collect::<Vec<_>>().join("::")
}

/// A type as text.
#[must_use]
pub fn print_type(ty: &Type) -> String {
    match ty {
        Type::Path(path) => print_path(path),
        Type::Reference { mutable, inner } => {
            format!("&{}{}", if *mutable { "mut " } else { "" }, print_type(inner))
        }
        Type::Pointer(inner) => format!("*{}", print_type(inner)),
        Type::Slice(inner) => format!("[{}]", print_type(inner)),
        Type::Array(inner) => format!("[{}; _]", print_type(inner)),
        Type::Tuple(types) => format!("({})", print_types(types)),
        Type::Function { params, result } => format!("fn({}) -> {}", print_types(params), print_type(result)),
        Type::ImplTrait(bounds) => format!("impl {}", print_bounds(bounds)),
        Type::DynTrait(bounds) => format!("dyn {}", print_bounds(bounds)),
        Type::Never => "!".to_owned(),
        Type::Infer => "_".to_owned(),
    }
}
