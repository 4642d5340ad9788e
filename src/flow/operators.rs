//! Operators: of the language, and of the types of the tree.

use super::engine::{Engine, Frame};
use super::shape::peel;
use super::state::State;
use super::term::Term;
use super::trace::{Step, StepKind};
use super::transfer::{operand_types, term_of};
use super::value::{Location, Taint, Value};
use crate::ir::{BinaryOperator, Operand, Place, Span, UnaryOperator};
use crate::resolve::Ty;

impl<'a> Engine<'a> {
    pub fn binary(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        operator: BinaryOperator,
        left: &'a Operand,
        right: &'a Operand,
        span: Span,
    ) -> Value {
        let a = self.operand(frame, state, left);
        let b = self.operand(frame, state, right);
        if matches!(operator, BinaryOperator::Compare | BinaryOperator::Logic) {
            if let Some((_, method)) = operator_trait(operator)
                && let Some(ty @ Ty::Adt { .. }) = state.dereference(&a).ty().map(peel)
            {
                // The user's comparison runs for its effects only.
                let ty = ty.clone();
                let functions = self.program.trait_method("std::cmp::PartialEq", &ty, &[], method);
                if !functions.is_empty() {
                    let args = vec![self.as_reference(frame, state, &a), self.as_reference(frame, state, &b)];
                    self.call_functions(frame, state, &functions, args, &[], span);
                }
            }
            return Value::typed(Ty::External { path: "bool".into(), args: Vec::new() });
        }
        if let Some(value) = self.user_operator(frame, state, operator, &a, &b, span) {
            return value;
        }
        let taint = super::value::union(&state.deep_taints(&a), &state.deep_taints(&b));
        let ty = state.dereference(&a).ty().or(state.dereference(&b).ty()).cloned();
        let term = match operator {
            BinaryOperator::Add if is_text(ty.as_ref()) => {
                Term::text(vec![self.typed_term(state, &a), self.typed_term(state, &b)])
            }
            _ => Term::call(operator_name(operator), vec![term_of(state, &a), term_of(state, &b)]),
        };
        Value::tainted(taint).with_type(ty).with_term(term)
    }

    pub fn user_operator(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        operator: BinaryOperator,
        a: &Value,
        b: &Value,
        span: Span,
    ) -> Option<Value> {
        let (path, method) = operator_trait(operator)?;
        let mut left = operand_types(state, a);
        let mut right = operand_types(state, b);
        // An implementation for references goes before the one for the type itself.
        for (types, value) in [(&mut left, a), (&mut right, b)] {
            if let Some(ty @ Ty::Reference { .. }) = value.ty() {
                types.insert(0, ty.clone());
            }
        }
        let is_user = |types: &[Ty]| types.iter().any(|ty| matches!(peel(ty), Ty::Adt { .. }));
        if !is_user(&left) && !is_user(&right) {
            return None;
        }
        let mut functions = Vec::new();
        for ty in &left {
            for other in &right {
                if functions.is_empty() {
                    functions = self.program.trait_method(path, ty, std::slice::from_ref(other), method);
                }
            }
        }
        if functions.is_empty()
            && let Some(ty) = left.first()
        {
            functions = self.program.trait_method(path, ty, &[], method);
        }
        if functions.is_empty() {
            return None;
        }
        Some(self.call_functions(frame, state, &functions, vec![a.clone(), b.clone()], &[], span))
    }

    pub fn assign_operator(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        place: &'a Place,
        operator: BinaryOperator,
        operand: &'a Operand,
        span: Span,
    ) {
        let value = self.operand(frame, state, operand);
        let old = self.read_place(frame, state, place);
        let locations = self.locate(frame, state, place);
        let mut locations: Vec<Location> = locations
            .into_iter()
            .flat_map(|location| match state.load(&location).refs() {
                [] => vec![location],
                refs => refs.to_vec(),
            })
            .collect();
        if locations.is_empty() {
            locations = old.refs().to_vec();
        }
        if let Some((path, method)) = assign_trait(operator)
            && let Some(ty) = state.dereference(&old).ty().map(peel).cloned()
        {
            let functions = self.program.trait_method(path, &ty, &[], method);
            if !functions.is_empty() {
                let receiver = Value::reference(locations).with_type(Some(ty));
                self.call_functions(frame, state, &functions, vec![receiver, value], &[], span);
                return;
            }
            if let Some(result) = self.user_operator(frame, state, operator, &old, &value, span) {
                for location in &locations {
                    state.store(location, result.clone(), locations.len() == 1);
                }
                return;
            }
        }
        let mut taint = state.deep_taints(&value);
        // `attempts += 1` in a loop counts like the variable of a counting loop.
        if frame.in_loop
            && operator == BinaryOperator::Add
            && matches!(operand, Operand::Literal(crate::ir::Literal::Int(_)))
            && let Some(row) = self.spec.loop_source()
        {
            taint = super::value::union(&taint, &[self.source(frame, row, span)]);
        }
        let x = self.typed_term(state, &old);
        let y = self.typed_term(state, &value);
        let step = Step { span, kind: StepKind::Assign };
        for location in &locations {
            let current = state.load(location);
            let taint: Vec<Taint> =
                taint.iter().map(|t| Taint { trace: t.trace.with(step), ..t.clone() }).collect();
            let term = match operator {
                BinaryOperator::Add if is_text(current.ty()) => Term::text(vec![x.clone(), y.clone()]),
                _ => Term::call(operator_name(operator), vec![x.clone(), y.clone()]),
            };
            let new = current.add_taint(&taint).with_term(term).with_type(current.ty().cloned());
            state.store(location, new, locations.len() == 1);
        }
    }

    pub fn unary(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        operator: UnaryOperator,
        operand: &'a Operand,
        span: Span,
    ) -> Value {
        let value = self.operand(frame, state, operand);
        let (path, method) = match operator {
            UnaryOperator::Neg => ("std::ops::Neg", "neg"),
            UnaryOperator::Not => ("std::ops::Not", "not"),
        };
        let target = state.dereference(&value);
        if let Some(ty @ Ty::Adt { .. }) = target.ty().map(peel) {
            let ty = ty.clone();
            let functions = self.program.trait_method(path, &ty, &[], method);
            if !functions.is_empty() {
                return self.call_functions(frame, state, &functions, vec![value], &[], span);
            }
        }
        let term = Term::call(method, vec![term_of(state, &value)]);
        let ty = target.ty().cloned();
        state.flattened(&value).with_type(ty).with_term(term)
    }

    pub fn cast(
        &mut self,
        frame: &mut Frame<'a>,
        state: &mut State,
        operand: &'a Operand,
        ty: &'a crate::ir::Type,
    ) -> Value {
        let value = self.operand(frame, state, operand);
        let ty = self.resolve_type(frame, ty);
        match ty {
            Ty::Reference { .. } | Ty::Dyn(_) | Ty::Function { .. } | Ty::Unknown => value,
            _ if !value.refs().is_empty() || !value.callables().is_empty() => value,
            _ => value.with_type(Some(ty)),
        }
    }
}

/// How a formula writes an operator.
fn operator_name(operator: BinaryOperator) -> &'static str {
    match operator {
        BinaryOperator::Compare => "==",
        other => other.symbol(),
    }
}

fn operator_trait(operator: BinaryOperator) -> Option<(&'static str, &'static str)> {
    Some(match operator {
        BinaryOperator::Add => ("std::ops::Add", "add"),
        BinaryOperator::Sub => ("std::ops::Sub", "sub"),
        BinaryOperator::Mul => ("std::ops::Mul", "mul"),
        BinaryOperator::Div => ("std::ops::Div", "div"),
        BinaryOperator::Rem => ("std::ops::Rem", "rem"),
        BinaryOperator::BitAnd => ("std::ops::BitAnd", "bitand"),
        BinaryOperator::BitOr => ("std::ops::BitOr", "bitor"),
        BinaryOperator::BitXor => ("std::ops::BitXor", "bitxor"),
        BinaryOperator::Shl => ("std::ops::Shl", "shl"),
        BinaryOperator::Shr => ("std::ops::Shr", "shr"),
        BinaryOperator::Compare => ("std::cmp::PartialEq", "eq"),
        BinaryOperator::Logic => return None,
    })
}

fn assign_trait(operator: BinaryOperator) -> Option<(&'static str, &'static str)> {
    Some(match operator {
        BinaryOperator::Add => ("std::ops::AddAssign", "add_assign"),
        BinaryOperator::Sub => ("std::ops::SubAssign", "sub_assign"),
        BinaryOperator::Mul => ("std::ops::MulAssign", "mul_assign"),
        BinaryOperator::Div => ("std::ops::DivAssign", "div_assign"),
        BinaryOperator::Rem => ("std::ops::RemAssign", "rem_assign"),
        BinaryOperator::BitAnd => ("std::ops::BitAndAssign", "bitand_assign"),
        BinaryOperator::BitOr => ("std::ops::BitOrAssign", "bitor_assign"),
        BinaryOperator::BitXor => ("std::ops::BitXorAssign", "bitxor_assign"),
        BinaryOperator::Shl => ("std::ops::ShlAssign", "shl_assign"),
        BinaryOperator::Shr => ("std::ops::ShrAssign", "shr_assign"),
        BinaryOperator::Compare | BinaryOperator::Logic => return None,
    })
}

fn is_text(ty: Option<&Ty>) -> bool {
    matches!(ty.map(peel), Some(Ty::External { path, .. }) if path == "std::string::String" || path == "str")
}
