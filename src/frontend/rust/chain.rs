//! Calls, method calls, fields, indexing, `?`, `.await` and casts: everything that is written after its operand.
//!
//! Chains are walked with a list instead of recursion, because generated code chains thousands of calls.

use proc_macro2::Span as TokenSpan;
use syn::Expr;

use super::expr::{Value, literal, peel};
use super::frame::TargetKind;
use super::types::{ident_name, member_name};
use super::{Lowerer, extent};
use crate::ir::{
    Argument, Callee, Index, Name, Operand, Path, Place, Projection, Rvalue, Segment, Span, Terminator,
    TypeHint,
};

impl Lowerer<'_> {
    /// Lowers a chain of postfix operations.
    pub(super) fn chain(&mut self, expr: &Expr) -> Value {
        let mut steps = vec![expr];
        let mut base = inner(expr);
        while let Some(next) = base {
            let next = peel(next);
            base = inner(next);
            if base.is_some() {
                steps.push(next);
            } else {
                return self.steps(next, &steps);
            }
        }
        // Without an operand the outermost step is a call by path.
        self.call_by_path(expr)
    }

    fn steps(&mut self, base: &Expr, steps: &[&Expr]) -> Value {
        let mut hints = operand_hints(steps, self.frame.wanted.take());
        let first = extent::expr_first(base);
        let mut last = extent::expr_last(base);
        let mut value = match base {
            Expr::Call(_) => self.call_by_path(base),
            _ => Value::Operand(self.operand(base, None)),
        };
        for step in steps.iter().rev() {
            let operand = self.stored_as(value, hints.pop().flatten(), self.spans.between(first, last));
            value = self.step(step, operand, first, last);
            last = extent::expr_last(step);
        }
        value
    }

    fn step(&mut self, step: &Expr, operand: Operand, first: TokenSpan, last: TokenSpan) -> Value {
        let span = self.spans.between(first, last);
        match step {
            Expr::MethodCall(node) => self.method_call(node, Argument { operand, span }),
            Expr::Field(node) => {
                let mut place = self.operand_place(operand, span);
                place.projections.push(Projection::Field(member_name(&node.member)));
                Value::place(place)
            }
            Expr::Index(node) => {
                let mut place = self.operand_place(operand, span);
                // `x[..]` is all of `x`.
                if is_full_range(&node.index) {
                    return Value::place(place);
                }
                let index = self.index(&node.index);
                place.projections.push(Projection::Index(index));
                Value::place(place)
            }
            Expr::Try(_) => self.question(operand, span),
            Expr::Await(_) => Value::Rvalue(Rvalue::Await(operand)),
            Expr::Cast(node) => Value::Rvalue(Rvalue::Cast(operand, self.ty(&node.ty))),
            Expr::Call(node) => {
                let args = self.arguments(&node.args, None);
                let call =
                    Rvalue::Call { callee: Callee::Value(operand), receiver: None, args, name_span: span };
                Value::Rvalue(call)
            }
            _ => Value::Operand(operand),
        }
    }

    fn operand_place(&mut self, operand: Operand, span: Span) -> Place {
        match operand {
            Operand::Place(place) => place,
            literal => self.store(Rvalue::Use(literal), None, span),
        }
    }

    fn method_call(&mut self, node: &syn::ExprMethodCall, receiver: Argument) -> Value {
        let args = self.arguments(&node.args, None);
        Value::Rvalue(Rvalue::Call {
            callee: Callee::Method {
                name: ident_name(&node.method),
                generics: self.turbofish(node.turbofish.as_ref()),
            },
            receiver: Some(receiver),
            args,
            name_span: self.spans.one(node.method.span()),
        })
    }

    /// A call of a path that names no variable; a called variable is a value.
    fn call_by_path(&mut self, expr: &Expr) -> Value {
        let Expr::Call(node) = expr else { return Value::unit() };
        let Expr::Path(callee) = peel(&node.func) else { return Value::unit() };
        let variable = match callee.path.get_ident() {
            Some(ident) if callee.qself.is_none() => self.ident_variable(ident),
            _ => None,
        };
        if let Some(place) = variable {
            let name_span = self.expr_span(&node.func);
            let args = self.arguments(&node.args, None);
            let callee = Callee::Value(Operand::Place(place));
            return Value::Rvalue(Rvalue::Call { callee, receiver: None, args, name_span });
        }
        let path = self.path(callee.qself.as_ref(), &callee.path);
        let args = self.arguments(&node.args, Some(&path));
        let name_span = match callee.path.segments.last() {
            Some(segment) => self.spans.one(segment.ident.span()),
            None => path.span,
        };
        let diverges = is_diverging(&path);
        let call = Rvalue::Call { callee: Callee::Path(path), receiver: None, args, name_span };
        if diverges {
            self.store(call, None, self.expr_span(expr));
            self.leave(Terminator::Diverge);
            return Value::unit();
        }
        Value::Rvalue(call)
    }

    /// Which element an index expression names.
    pub(super) fn index(&mut self, expr: &Expr) -> Index {
        let expr = peel(expr);
        let bare = match expr {
            Expr::Reference(node) => peel(&node.expr),
            other => other,
        };
        match bare {
            Expr::Lit(node) => Index::Literal(literal(&node.lit)),
            Expr::Range(node) => {
                for bound in [node.start.as_deref(), node.end.as_deref()].into_iter().flatten() {
                    self.discard(bound);
                }
                Index::Range(range_text(node))
            }
            _ => Index::Operand(Box::new(self.operand(expr, None))),
        }
    }

    /// `operand?`: goes on with the success value, or leaves with the residual.
    pub(super) fn question(&mut self, operand: Operand, span: Span) -> Value {
        let cont = self.new_block();
        let exit = self.new_block();
        self.branch(vec![cont, exit]);
        self.switch_to(exit);
        let residual = self.macro_call("?residual", vec![Argument { operand: operand.clone(), span }], span);
        let targets = &self.frame.targets;
        match targets.iter().rposition(|target| target.kind == TargetKind::Try) {
            Some(index) => self.leave_try(index, residual, span),
            None => {
                let value = self.store(residual, Some(TypeHint::Result), span);
                self.mark_early_exits(0);
                self.terminate(Terminator::Return(Operand::Place(value)));
            }
        }
        self.switch_to(cont);
        Value::Rvalue(self.macro_call("?", vec![Argument { operand, span }], span))
    }

    fn leave_try(&mut self, index: usize, residual: Rvalue, span: Span) {
        self.mark_early_exits(index);
        let Some(target) = self.frame.targets.get(index) else { return };
        let exit = target.exit;
        match target.dest.clone() {
            Some(dest) => self.assign(dest, residual, span),
            None => {
                self.store(residual, None, span);
            }
        }
        self.goto(exit);
    }

    /// A call of a macro, or of an operation that is modelled like one.
    pub(super) fn macro_call(&self, name: &str, args: Vec<Argument>, span: Span) -> Rvalue {
        let callee = Callee::Macro(simple_path(name, span));
        Rvalue::Call { callee, receiver: None, args, name_span: span }
    }
}

/// Wrappers around a type that is asked for; nobody nests more of them.
const MAX_WRAPPED: usize = 4;

/// Where the types of the operands of these steps come from, when that of the first is known; the others follow as
/// far as only the payload is taken out or put into another wrapper.
fn operand_hints(steps: &[&Expr], wanted: Option<TypeHint>) -> Vec<Option<TypeHint>> {
    let mut hints = Vec::with_capacity(steps.len());
    let mut wanted = wanted;
    let mut wrapped = 0;
    for step in steps {
        wanted = wanted.and_then(|hint| match step {
            Expr::Try(_) => wrap(hint, &mut wrapped),
            Expr::Await(_) => Some(hint),
            Expr::MethodCall(node) => match node.method.to_string().as_str() {
                "unwrap" | "expect" | "unwrap_or" | "unwrap_or_default" | "unwrap_or_else" => {
                    wrap(hint, &mut wrapped)
                }
                "map_err" | "ok" | "ok_or" | "ok_or_else" | "or_else" | "context" | "with_context" => {
                    match hint {
                        TypeHint::Wrapped(_) | TypeHint::SamePayload(_) => Some(hint),
                        hint => Some(TypeHint::SamePayload(Box::new(hint))),
                    }
                }
                _ => None,
            },
            _ => None,
        });
        hints.push(wanted.clone());
    }
    hints
}

fn wrap(hint: TypeHint, wrapped: &mut usize) -> Option<TypeHint> {
    *wrapped += 1;
    (*wrapped <= MAX_WRAPPED).then(|| TypeHint::Wrapped(Box::new(hint)))
}

/// The operand of a postfix operation; none for a call by path and for everything else.
fn inner(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::Await(node) => Some(&node.base),
        Expr::Cast(node) => Some(&node.expr),
        Expr::Field(node) => Some(&node.base),
        Expr::Index(node) => Some(&node.expr),
        Expr::MethodCall(node) => Some(&node.receiver),
        Expr::Try(node) => Some(&node.expr),
        Expr::Call(node) if !matches!(peel(&node.func), Expr::Path(_)) => Some(&node.func),
        _ => None,
    }
}

/// A path of one segment.
pub(super) fn simple_path(name: &str, span: Span) -> Path {
    Path {
        qualified_self: None,
        trait_segments: 0,
        global: false,
        segments: vec![Segment {
            name: Name::new(name),
            bound_as: None,
            args: Vec::new(),
            bindings: Vec::new(),
        }],
        span,
    }
}

/// Functions of the standard library that never return.
fn is_diverging(path: &Path) -> bool {
    let mut names = path.segments.iter().rev().map(|segment| segment.name.as_str());
    matches!(
        (names.next(), names.next()),
        (Some("exit" | "abort"), Some("process")) | (Some("resume_unwind" | "panic_any"), Some("panic"))
    )
}

fn is_full_range(index: &Expr) -> bool {
    matches!(peel(index), Expr::Range(node) if node.start.is_none() && node.end.is_none())
}

/// A range with the bounds that are literals: `..32`.
fn range_text(range: &syn::ExprRange) -> Name {
    let digits = |bound: Option<&Expr>| match bound.map(peel) {
        Some(Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(digits), .. })) => digits.base10_digits().to_owned(),
        _ => String::new(),
    };
    let end = digits(range.end.as_deref());
    let dots = match range.limits {
        syn::RangeLimits::Closed(_) if !end.is_empty() => "..=",
        _ => "..",
    };
    Name::new(digits(range.start.as_deref()) + dots + &end)
}
