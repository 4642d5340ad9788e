//! Assignments: plain, compound and destructuring.

use syn::Expr;

use super::expr::{Value, peel};
use super::frame::project;
use super::pattern::variant_projection;
use super::types::{index_name, member_name};
use super::{Lowerer, extent};
use crate::ir::{BinaryOperator, Index, Literal, Operand, Place, Projection, Rvalue, StatementKind};

impl Lowerer<'_> {
    /// `left = right`. The right side is evaluated first.
    pub(super) fn assignment(&mut self, node: &syn::ExprAssign) -> Value {
        match peel(&node.left) {
            Expr::Infer(_) => self.discard(&node.right),
            left if is_simple_place(left) => {
                let place = self.place(left);
                self.assign_expr(&place, &node.right);
            }
            left => {
                let value = self.operand(&node.right, None);
                self.assign_operand(left, value);
            }
        }
        Value::unit()
    }

    /// `left op= right`.
    pub(super) fn compound_assignment(&mut self, node: &syn::ExprBinary, operator: BinaryOperator) -> Value {
        let operand = self.operand(&node.right, None);
        let place = self.place(&node.left);
        let span = self.spans.between(extent::expr_first(&node.left), extent::expr_last(&node.right));
        self.statement(StatementKind::AssignOperator(place, operator, operand), span);
        Value::unit()
    }

    fn assign_operand(&mut self, left: &Expr, value: Operand) {
        let span = self.expr_span(left);
        if !is_destructuring(left) {
            let place = self.place(left);
            return self.assign(place, Rvalue::Use(value), span);
        }
        let place = match value {
            // The parts are read while the targets are written, as in `(a, b) = (b, a)`.
            Operand::Place(place) => place,
            literal => self.store(Rvalue::Use(literal), None, span),
        };
        self.destructure(left, &place);
    }

    fn destructure(&mut self, left: &Expr, place: &Place) {
        match peel(left) {
            Expr::Tuple(node) => {
                self.destructure_elements(node.elems.iter().collect(), place, &|index| {
                    Projection::Field(index_name(index))
                });
            }
            Expr::Array(node) => {
                self.destructure_elements(node.elems.iter().collect(), place, &|index| {
                    Projection::Index(Index::Literal(Literal::Int(index_name(index))))
                });
            }
            Expr::Call(node) => {
                let Expr::Path(callee) = peel(&node.func) else { return };
                let path = self.path(callee.qself.as_ref(), &callee.path);
                self.destructure_elements(node.args.iter().collect(), place, &|index| {
                    variant_projection(&path, index_name(index))
                });
            }
            Expr::Struct(node) => {
                let path = self.path(node.qself.as_ref(), &node.path);
                for field in &node.fields {
                    let part = project(place, variant_projection(&path, member_name(&field.member)));
                    self.assign_operand(&field.expr, Operand::Place(part));
                }
            }
            _ => {}
        }
    }

    fn destructure_elements(
        &mut self,
        elements: Vec<&Expr>,
        place: &Place,
        projection: &dyn Fn(usize) -> Projection,
    ) {
        let rest = elements.iter().position(|element| is_rest(element));
        for (index, element) in elements.iter().enumerate() {
            let projection = match rest {
                Some(rest) if index == rest => continue,
                Some(rest) if index > rest => {
                    Projection::Index(Index::FromEnd(super::frame::index(elements.len() - 1 - index)))
                }
                _ => projection(index),
            };
            if !matches!(peel(element), Expr::Infer(_)) {
                self.assign_operand(peel(element), Operand::Place(project(place, projection)));
            }
        }
    }
}

fn is_rest(expr: &Expr) -> bool {
    matches!(expr, Expr::Range(range) if range.start.is_none() && range.end.is_none())
}

fn is_destructuring(expr: &Expr) -> bool {
    matches!(expr, Expr::Tuple(_) | Expr::Array(_) | Expr::Call(_) | Expr::Struct(_))
}

/// A place whose evaluation has no effects, so that it may be named before the right side is evaluated.
fn is_simple_place(expr: &Expr) -> bool {
    match peel(expr) {
        Expr::Path(_) => true,
        Expr::Field(node) => is_simple_place(&node.base),
        Expr::Unary(node) => matches!(node.op, syn::UnOp::Deref(_)) && is_simple_place(&node.expr),
        Expr::Index(node) => {
            is_simple_place(&node.expr) && matches!(peel(&node.index), Expr::Lit(_) | Expr::Path(_))
        }
        _ => false,
    }
}
