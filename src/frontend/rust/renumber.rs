//! Puts the captures of a closure body right after its parameters.
//!
//! Captures are found while the body is lowered, after other locals exist already.

use crate::ir::{
    Argument, Body, Callee, Capture, Index, LocalId, LocalKind, Operand, Place, PlaceBase, Projection,
    Rvalue, Statement, StatementKind, Terminator, TypeHint,
};

/// Reorders the locals: parameters, captures, everything else.
pub(super) fn captures_first(mut body: Body, mut captures: Vec<Capture>) -> (Body, Vec<Capture>) {
    if !is_ordered(&body) {
        let numbers = Numbers::new(&mut body);
        numbers.body(&mut body);
        for capture in &mut captures {
            numbers.local(&mut capture.inner);
        }
    }
    (body, captures)
}

fn is_ordered(body: &Body) -> bool {
    let mut rest = body.locals.iter().skip(body.parameters);
    rest.find(|local| local.kind != LocalKind::Capture);
    rest.all(|local| local.kind != LocalKind::Capture)
}

/// The new number of each local.
struct Numbers(Vec<LocalId>);

impl Numbers {
    /// Sorts the locals of `body` and remembers where each went.
    fn new(body: &mut Body) -> Numbers {
        let parameters = body.parameters;
        let mut order: Vec<usize> = (0..body.locals.len()).collect();
        order.sort_by_key(|&local| match body.locals[local].kind {
            _ if local < parameters => 0,
            LocalKind::Capture => 1,
            _ => 2,
        });
        let mut numbers = vec![LocalId(0); order.len()];
        for (new, &old) in order.iter().enumerate() {
            numbers[old] = LocalId(super::frame::index(new));
        }
        body.locals = order.iter().map(|&old| body.locals[old].clone()).collect();
        Numbers(numbers)
    }

    fn local(&self, local: &mut LocalId) {
        if let Some(new) = self.0.get(local.0 as usize) {
            *local = *new;
        }
    }

    fn hint(&self, hint: &mut TypeHint) {
        match hint {
            TypeHint::Local(local) => self.local(local),
            TypeHint::Wrapped(inner) | TypeHint::SamePayload(inner) => self.hint(inner),
            TypeHint::Type(_) | TypeHint::Argument { .. } | TypeHint::Field { .. } | TypeHint::Result => {}
        }
    }

    fn body(&self, body: &mut Body) {
        for local in &mut body.locals {
            local.hint.iter_mut().for_each(|hint| self.hint(hint));
        }
        for block in &mut body.blocks {
            block.statements.iter_mut().for_each(|statement| self.statement(statement));
            if let Terminator::Return(operand) = &mut block.terminator {
                self.operand(operand);
            }
        }
        for capture in body.closures.iter_mut().flat_map(|closure| &mut closure.captures) {
            self.local(&mut capture.outer);
        }
    }

    fn statement(&self, statement: &mut Statement) {
        match &mut statement.kind {
            StatementKind::Assign(place, value) => {
                self.place(place);
                self.rvalue(value);
            }
            StatementKind::AssignOperator(place, _, operand) => {
                self.place(place);
                self.operand(operand);
            }
            StatementKind::Declare(local) | StatementKind::Drop(local) => self.local(local),
        }
    }

    fn place(&self, place: &mut Place) {
        if let PlaceBase::Local(local) = &mut place.base {
            self.local(local);
        }
        for projection in &mut place.projections {
            if let Projection::Index(Index::Operand(operand)) = projection {
                self.operand(operand);
            }
        }
    }

    fn operand(&self, operand: &mut Operand) {
        if let Operand::Place(place) = operand {
            self.place(place);
        }
    }

    fn arguments(&self, args: &mut [Argument]) {
        args.iter_mut().for_each(|arg| self.operand(&mut arg.operand));
    }

    fn rvalue(&self, value: &mut Rvalue) {
        match value {
            Rvalue::Use(operand)
            | Rvalue::Repeat(operand)
            | Rvalue::Unary(_, operand)
            | Rvalue::Cast(operand, _)
            | Rvalue::Await(operand)
            | Rvalue::Next { iterator: operand, .. } => self.operand(operand),
            Rvalue::Reference { place, .. } => self.place(place),
            Rvalue::Aggregate { fields, base, .. } => {
                fields.iter_mut().for_each(|field| self.operand(&mut field.value));
                base.iter_mut().for_each(|base| self.operand(base));
            }
            Rvalue::Call { callee, receiver, args, .. } => {
                if let Callee::Value(operand) = callee {
                    self.operand(operand);
                }
                receiver.iter_mut().for_each(|receiver| self.operand(&mut receiver.operand));
                self.arguments(args);
            }
            Rvalue::Binary(_, left, right) => {
                self.operand(left);
                self.operand(right);
            }
            Rvalue::Format { args, .. } => self.arguments(args),
            Rvalue::Closure(_) => {}
            Rvalue::Range(bounds) => bounds.iter_mut().for_each(|bound| self.operand(bound)),
        }
    }
}
