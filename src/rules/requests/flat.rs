//! A function with its closures as one list of statements over one set of variables.
//!
//! The flow engine says where values come from; this says what a function does with one: which calls are made on a
//! request before it is sent, and which variables a value depends on. It does not ask in which order.

use rustc_hash::FxHashMap;

use crate::ir::{
    Body, Local, LocalId, LocalKind, Operand, Place, PlaceBase, Projection, Rvalue, Span, Statement,
    StatementKind, Terminator,
};

/// A variable of a function or of one of its closures; what a closure captures is one variable with the original.
pub type Variable = u32;

/// A statement and the body that it stands in.
#[derive(Clone, Copy)]
pub struct FlatStatement<'a> {
    /// The body, as an index into the bodies of the function.
    pub body: usize,
    /// The block of that body.
    pub block: usize,
    /// The statement.
    pub statement: &'a Statement,
}

/// A function's statements and variables.
pub struct Flat<'a> {
    /// All statements, those of closures after those of the function.
    pub statements: Vec<FlatStatement<'a>>,
    /// What is returned, by body.
    pub returns: Vec<(usize, &'a Operand)>,
    bodies: Vec<FlatBody<'a>>,
    locals: Vec<&'a Local>,
    writes: FxHashMap<Variable, Vec<usize>>,
    reads: FxHashMap<Variable, Vec<usize>>,
}

struct FlatBody<'a> {
    body: &'a Body,
    /// The whole closure; nothing for the function itself.
    closure: Option<Span>,
    variables: Vec<Variable>,
}

impl<'a> Flat<'a> {
    /// A body and its closures.
    pub fn new(body: &'a Body) -> Flat<'a> {
        let mut flat = Flat {
            statements: Vec::new(),
            returns: Vec::new(),
            bodies: Vec::new(),
            locals: Vec::new(),
            writes: FxHashMap::default(),
            reads: FxHashMap::default(),
        };
        // Bodies wait here with what their captures stand for.
        let mut waiting = vec![(body, None, FxHashMap::default())];
        while let Some((body, closure, captured)) = waiting.pop() {
            let index = flat.add_body(body, closure, &captured);
            for inner in &body.closures {
                let captures = inner.captures.iter();
                let known = captures
                    .filter_map(|capture| Some((capture.inner, flat.variable(index, capture.outer)?)));
                waiting.push((&inner.body, Some(inner.span), known.collect()));
            }
        }
        for index in 0..flat.statements.len() {
            flat.index(index);
        }
        flat
    }

    fn add_body(
        &mut self,
        body: &'a Body,
        closure: Option<Span>,
        captured: &FxHashMap<LocalId, Variable>,
    ) -> usize {
        let index = self.bodies.len();
        let mut variables = Vec::with_capacity(body.locals.len());
        for (id, local) in (0..).map(LocalId).zip(&body.locals) {
            variables.push(captured.get(&id).copied().unwrap_or_else(|| {
                self.locals.push(local);
                (self.locals.len() - 1) as Variable
            }));
        }
        self.bodies.push(FlatBody { body, closure, variables });
        for (number, block) in body.blocks.iter().enumerate() {
            let statements = block.statements.iter();
            self.statements.extend(statements.map(|statement| FlatStatement {
                body: index,
                block: number,
                statement,
            }));
            if let Terminator::Return(operand) = &block.terminator {
                self.returns.push((index, operand));
            }
        }
        index
    }

    fn index(&mut self, index: usize) {
        let FlatStatement { body, statement, .. } = self.statements[index];
        let (place, read) = match &statement.kind {
            StatementKind::Assign(place, value) => (place, operands(value)),
            StatementKind::AssignOperator(place, _, operand) => (place, vec![operand]),
            StatementKind::Declare(_) | StatementKind::Drop(_) => return,
        };
        if let Some(variable) = self.of_place(body, place) {
            self.writes.entry(variable).or_default().push(index);
        }
        let read: Vec<Variable> =
            read.into_iter().filter_map(|operand| self.of_operand(body, operand)).collect();
        for variable in read {
            self.reads.entry(variable).or_default().push(index);
        }
        if let StatementKind::Assign(_, Rvalue::Reference { place, .. }) = &statement.kind
            && let Some(variable) = self.of_place(body, place)
        {
            self.reads.entry(variable).or_default().push(index);
        }
    }

    /// The variable that a local of a body is.
    pub fn variable(&self, body: usize, local: LocalId) -> Option<Variable> {
        self.bodies.get(body)?.variables.get(local.0 as usize).copied()
    }

    /// The variable at the start of a place.
    pub fn of_place(&self, body: usize, place: &Place) -> Option<Variable> {
        match place.base {
            PlaceBase::Local(local) => self.variable(body, local),
            PlaceBase::Item(_) => None,
        }
    }

    /// The variable at the start of an operand.
    pub fn of_operand(&self, body: usize, operand: &Operand) -> Option<Variable> {
        match operand {
            Operand::Place(place) => self.of_place(body, place),
            Operand::Literal(_) => None,
        }
    }

    /// The statements that write to a variable or a part of it.
    pub fn writes(&self, variable: Variable) -> impl Iterator<Item = FlatStatement<'a>> + '_ {
        self.writes.get(&variable).into_iter().flatten().map(|index| self.statements[*index])
    }

    /// The values that a variable as a whole is given.
    pub fn values(&self, variable: Variable) -> impl Iterator<Item = (FlatStatement<'a>, &'a Rvalue)> + '_ {
        self.writes(variable).filter_map(|found| match &found.statement.kind {
            StatementKind::Assign(place, value) if is_whole(place) => Some((found, value)),
            _ => None,
        })
    }

    /// The statements that read a variable or a part of it.
    pub fn reads(&self, variable: Variable) -> impl Iterator<Item = FlatStatement<'a>> + '_ {
        self.reads.get(&variable).into_iter().flatten().map(|index| self.statements[*index])
    }

    /// The position of a variable among the parameters of the function, the receiver first.
    pub fn parameter(&self, variable: Variable) -> Option<u32> {
        let first = self.bodies.first()?;
        let is_parameter = (variable as usize) < first.body.parameters.min(first.body.locals.len());
        is_parameter.then_some(variable)
    }

    /// The local behind a variable.
    pub fn local(&self, variable: Variable) -> Option<&'a Local> {
        self.locals.get(variable as usize).copied()
    }

    /// Whether a variable is a parameter of a closure.
    pub fn is_closure_parameter(&self, variable: Variable) -> bool {
        self.parameter(variable).is_none()
            && self.local(variable).is_some_and(|local| local.kind == LocalKind::Parameter)
    }

    /// The variables that are parameters of the closure at a place.
    pub fn closure_parameters(&self, closure: Span) -> Vec<Variable> {
        let bodies = self.bodies.iter().filter(|body| body.closure == Some(closure));
        bodies
            .flat_map(|body| body.variables.iter().take(body.body.parameters).copied())
            .filter(|variable| self.is_closure_parameter(*variable))
            .collect()
    }

    /// The body with an index.
    pub fn body(&self, index: usize) -> Option<&'a Body> {
        self.bodies.get(index).map(|body| body.body)
    }

    /// The closures, with where they stand.
    pub fn closures(&self) -> impl Iterator<Item = Span> + '_ {
        self.bodies.iter().filter_map(|body| body.closure)
    }

    /// The index of the body of the closure at a place.
    pub fn closure_body(&self, closure: Span) -> Option<usize> {
        self.bodies.iter().position(|body| body.closure == Some(closure))
    }
}

/// Whether a place is a variable itself, perhaps behind a reference.
pub fn is_whole(place: &Place) -> bool {
    place.projections.iter().all(|projection| *projection == Projection::Dereference)
}

/// The operands that a value is made of; a reference has none, it has a place.
pub fn operands(value: &Rvalue) -> Vec<&Operand> {
    match value {
        Rvalue::Use(operand)
        | Rvalue::Await(operand)
        | Rvalue::Cast(operand, _)
        | Rvalue::Unary(_, operand)
        | Rvalue::Repeat(operand)
        | Rvalue::Next { iterator: operand, .. } => vec![operand],
        Rvalue::Binary(_, left, right) => vec![left, right],
        Rvalue::Aggregate { fields, base, .. } => {
            fields.iter().map(|field| &field.value).chain(base).collect()
        }
        Rvalue::Call { callee, receiver, args, .. } => {
            let called = match callee {
                crate::ir::Callee::Value(operand) => Some(operand),
                _ => None,
            };
            let given = receiver.iter().chain(args).map(|argument| &argument.operand);
            given.chain(called).collect()
        }
        Rvalue::Format { args, .. } => args.iter().map(|argument| &argument.operand).collect(),
        Rvalue::Range(bounds) => bounds.iter().collect(),
        Rvalue::Reference { .. } | Rvalue::Closure(_) => Vec::new(),
    }
}
