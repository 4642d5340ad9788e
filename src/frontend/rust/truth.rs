//! Conditions that the text itself decides: `if false`, `while 1 > 2`.

use syn::{BinOp, Expr, Lit, UnOp};

/// How deep operators of a condition are looked into.
const MAX_DEPTH: usize = 16;

/// Whether a condition of literals holds; `None` for all others.
pub(super) fn of(condition: &Expr) -> Option<bool> {
    holds(condition, MAX_DEPTH)
}

/// The constant, told by its spelling, that a condition consists of, and what it has to be.
pub(super) fn of_constant(condition: &Expr) -> Option<(&syn::Path, bool)> {
    let mut condition = condition;
    let mut expected = true;
    for _ in 0..MAX_DEPTH {
        match condition {
            Expr::Paren(node) => condition = &node.expr,
            Expr::Group(node) => condition = &node.expr,
            Expr::Unary(node) if matches!(node.op, UnOp::Not(_)) => {
                condition = &node.expr;
                expected = !expected;
            }
            Expr::Path(node) if node.qself.is_none() => {
                let name = node.path.segments.last()?.ident.to_string();
                let is_constant = !name.contains(char::is_lowercase);
                return is_constant.then_some((&node.path, expected));
            }
            _ => return None,
        }
    }
    None
}

fn holds(condition: &Expr, depth: usize) -> Option<bool> {
    let depth = depth.checked_sub(1)?;
    match condition {
        Expr::Paren(node) => holds(&node.expr, depth),
        Expr::Group(node) => holds(&node.expr, depth),
        Expr::Unary(node) if matches!(node.op, UnOp::Not(_)) => holds(&node.expr, depth).map(|holds| !holds),
        Expr::Lit(node) => match &node.lit {
            Lit::Bool(lit) => Some(lit.value),
            _ => None,
        },
        Expr::Binary(node) => {
            let (left, right) = (number(&node.left)?, number(&node.right)?);
            match node.op {
                BinOp::Eq(_) => Some(left == right),
                BinOp::Ne(_) => Some(left != right),
                BinOp::Lt(_) => Some(left < right),
                BinOp::Le(_) => Some(left <= right),
                BinOp::Gt(_) => Some(left > right),
                BinOp::Ge(_) => Some(left >= right),
                _ => None,
            }
        }
        _ => None,
    }
}

fn number(expr: &Expr) -> Option<u128> {
    match expr {
        Expr::Lit(node) => match &node.lit {
            Lit::Int(lit) => lit.base10_parse().ok(),
            _ => None,
        },
        _ => None,
    }
}
