//! Which variables still own their value where they go out of scope.

use syn::Expr;

use super::expr::peel;
use crate::ir::{Argument, Body, Operand, Place, PlaceBase, Rvalue, StatementKind, Terminator, Type};

/// An early return drops no more variables than these, so that generated code does not grow with its square.
pub(super) const MAX_DROPPED: usize = 16;

/// Whether a variable that starts with this value may own something with a destructor.
pub(super) fn may_own(expr: &Expr) -> bool {
    match peel(expr) {
        Expr::Call(_)
        | Expr::MethodCall(_)
        | Expr::Struct(_)
        | Expr::Tuple(_)
        | Expr::Array(_)
        | Expr::Path(_)
        | Expr::Try(_)
        | Expr::Await(_) => true,
        Expr::Macro(node) => node.mac.path.is_ident("vec"),
        _ => false,
    }
}

/// Whether an expression, by its spelling, makes a value of a type with a name: one that is not kept is dropped.
pub(super) fn constructs(expr: &Expr) -> bool {
    let is_type = |segment: &syn::PathSegment| segment.ident.to_string().starts_with(char::is_uppercase);
    match peel(expr) {
        Expr::Struct(_) => true,
        Expr::Call(node) => match peel(&node.func) {
            Expr::Path(path) => path.path.segments.iter().rev().take(2).any(is_type),
            _ => false,
        },
        _ => false,
    }
}

/// Whether a parameter of this type owns its value, which may have a destructor.
pub(super) fn is_owned(ty: Option<&Type>) -> bool {
    match ty {
        Some(Type::Path(path)) => match path.segments.as_slice() {
            [only] => only.name != "String" && only.name.starts_with(char::is_uppercase),
            _ => true,
        },
        Some(Type::ImplTrait(_)) => true,
        _ => false,
    }
}

/// Leaves out the ends of variables that are moved somewhere else: there the value lives on.
pub(super) fn forget_moved(body: &mut Body) {
    let is_drop = |kind: &StatementKind| matches!(kind, StatementKind::Drop(_));
    if !body.blocks.iter().flat_map(|block| &block.statements).any(|statement| is_drop(&statement.kind)) {
        return;
    }
    let mut moved = vec![false; body.locals.len()];
    for block in &body.blocks {
        for statement in &block.statements {
            if let StatementKind::Assign(_, value) = &statement.kind {
                moved_by(value, &mut moved);
            }
        }
        if let Terminator::Return(operand) = &block.terminator {
            mark(operand, &mut moved);
        }
    }
    let captures = body.closures.iter().flat_map(|closure| &closure.captures);
    for capture in captures.filter(|capture| !capture.by_reference) {
        if let Some(moved) = moved.get_mut(capture.outer.0 as usize) {
            *moved = true;
        }
    }
    for block in &mut body.blocks {
        block.statements.retain(|statement| match statement.kind {
            StatementKind::Drop(local) => !moved.get(local.0 as usize).copied().unwrap_or(true),
            _ => true,
        });
    }
}

fn moved_by(value: &Rvalue, moved: &mut [bool]) {
    let arguments = |args: &[Argument], moved: &mut [bool]| {
        args.iter().for_each(|argument| mark(&argument.operand, moved));
    };
    match value {
        Rvalue::Use(operand)
        | Rvalue::Repeat(operand)
        | Rvalue::Cast(operand, _)
        | Rvalue::Await(operand)
        | Rvalue::Next { iterator: operand, .. } => mark(operand, moved),
        Rvalue::Aggregate { fields, base, .. } => {
            fields.iter().for_each(|field| mark(&field.value, moved));
            base.iter().for_each(|base| mark(base, moved));
        }
        Rvalue::Call { args, .. } => arguments(args, moved),
        Rvalue::Binary(_, left, right) => {
            mark(left, moved);
            mark(right, moved);
        }
        Rvalue::Range(bounds) => bounds.iter().for_each(|bound| mark(bound, moved)),
        Rvalue::Unary(..) | Rvalue::Reference { .. } | Rvalue::Format { .. } | Rvalue::Closure(_) => {}
    }
}

/// Marks a variable that is used as a whole.
fn mark(operand: &Operand, moved: &mut [bool]) {
    if let Operand::Place(Place { base: PlaceBase::Local(local), projections }) = operand
        && projections.is_empty()
        && let Some(moved) = moved.get_mut(local.0 as usize)
    {
        *moved = true;
    }
}
