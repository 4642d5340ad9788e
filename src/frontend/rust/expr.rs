//! Expressions: values, places and where they go.

use syn::{BinOp, Expr, Lit, UnOp};

use super::frame::{local_place, project};
use super::types::{ident_name, index_name, member_name};
use super::{Lowerer, extent};
use crate::ir::{
    AggregateKind, Argument, BinaryOperator, FieldInit, Literal, Name, Operand, Path, Place, PlaceBase,
    Projection, Rvalue, Span, StatementKind, TypeHint, UnaryOperator,
};

/// The value of an expression whose parts have been evaluated.
pub(super) enum Value {
    /// A place or literal.
    Operand(Operand),
    /// Something that still has to be stored.
    Rvalue(Rvalue),
}

impl Value {
    /// The unit value.
    pub fn unit() -> Value {
        Value::Operand(Operand::Literal(Literal::Unit))
    }

    /// A place.
    pub fn place(place: Place) -> Value {
        Value::Operand(Operand::Place(place))
    }
}

/// The expression inside parentheses and invisible groups.
pub(super) fn peel(mut expr: &Expr) -> &Expr {
    loop {
        expr = match expr {
            Expr::Paren(node) => &node.expr,
            Expr::Group(node) => &node.expr,
            _ => return expr,
        };
    }
}

impl Lowerer<'_> {
    /// Where an expression stands.
    pub(super) fn expr_span(&self, expr: &Expr) -> Span {
        self.spans.between(extent::expr_first(expr), extent::expr_last(expr))
    }

    /// Evaluates an expression to a place or literal; other values go to a temporary with `hint`.
    pub(super) fn operand(&mut self, expr: &Expr, hint: Option<TypeHint>) -> Operand {
        let expr = peel(expr);
        if is_control_flow(expr) {
            return self.control_flow_operand(expr, hint);
        }
        self.frame.wanted.clone_from(&hint);
        match self.value(expr) {
            Value::Operand(operand) => operand,
            Value::Rvalue(value) => Operand::Place(self.store(value, hint, self.expr_span(expr))),
        }
    }

    /// A block's statements run in line; anything else that branches writes to one temporary.
    fn control_flow_operand(&mut self, expr: &Expr, hint: Option<TypeHint>) -> Operand {
        match expr {
            Expr::Block(node) if node.label.is_none() => self.block_operand(&node.block, hint),
            Expr::Unsafe(node) => self.block_operand(&node.block, hint),
            Expr::Const(node) => self.block_operand(&node.block, hint),
            _ => {
                let span = self.expr_span(expr);
                let place = local_place(self.temporary(hint, span));
                self.control_flow(expr, Some(&place));
                Operand::Place(place)
            }
        }
    }

    /// Evaluates an expression to a place.
    pub(super) fn place(&mut self, expr: &Expr) -> Place {
        match self.operand(expr, None) {
            Operand::Place(place) => place,
            literal => {
                let span = self.expr_span(expr);
                self.store(Rvalue::Use(literal), None, span)
            }
        }
    }

    /// Evaluates an expression into a place.
    pub(super) fn assign_expr(&mut self, dest: &Place, expr: &Expr) {
        let expr = peel(expr);
        if is_control_flow(expr) {
            return self.control_flow(expr, Some(dest));
        }
        self.frame.wanted = match (&dest.base, dest.projections.as_slice()) {
            (PlaceBase::Local(local), []) => Some(TypeHint::Local(*local)),
            _ => None,
        };
        let value = match self.value(expr) {
            Value::Operand(operand) => Rvalue::Use(operand),
            Value::Rvalue(value) => value,
        };
        self.assign(dest.clone(), value, self.expr_span(expr));
    }

    /// Evaluates an expression into a place, or for its effects only.
    pub(super) fn assign_or_discard(&mut self, dest: Option<&Place>, expr: &Expr) {
        match dest {
            Some(dest) => self.assign_expr(dest, expr),
            None => self.discard(expr),
        }
    }

    /// Evaluates an expression for its effects.
    pub(super) fn discard(&mut self, expr: &Expr) {
        let expr = peel(expr);
        if is_control_flow(expr) {
            return self.control_flow(expr, None);
        }
        self.frame.wanted = None;
        if let Value::Rvalue(value) = self.value(expr) {
            let span = self.expr_span(expr);
            let temporary = self.store(value, None, span);
            if let PlaceBase::Local(local) = temporary.base
                && super::moves::constructs(expr)
            {
                self.statement(StatementKind::Drop(local), span);
            }
        }
    }

    /// Evaluates the parts of an expression that is not control flow.
    pub(super) fn value(&mut self, expr: &Expr) -> Value {
        match expr {
            Expr::Lit(node) => Value::Operand(Operand::Literal(literal(&node.lit))),
            Expr::Path(node) => Value::place(self.path_place(node)),
            Expr::Await(_)
            | Expr::Call(_)
            | Expr::Cast(_)
            | Expr::Field(_)
            | Expr::Index(_)
            | Expr::MethodCall(_)
            | Expr::Try(_) => self.chain(expr),
            Expr::Reference(node) => self.reference(node.mutability.is_some(), &node.expr),
            Expr::RawAddr(node) => {
                let mutable = matches!(node.mutability, syn::PointerMutability::Mut(_));
                self.reference(mutable, &node.expr)
            }
            Expr::Macro(node) => self.macro_value(&node.mac),
            Expr::Binary(node) => self.binary(node),
            Expr::Unary(node) => self.unary(node),
            Expr::Struct(node) => Value::Rvalue(self.struct_literal(node)),
            Expr::Assign(node) => self.assignment(node),
            Expr::Closure(node) => Value::Rvalue(self.closure(node)),
            Expr::Async(node) => Value::Rvalue(self.async_block(node)),
            _ => self.rare_value(expr),
        }
    }

    fn rare_value(&mut self, expr: &Expr) -> Value {
        match expr {
            Expr::Tuple(node) if node.elems.is_empty() => Value::unit(),
            Expr::Tuple(node) => Value::Rvalue(self.sequence(AggregateKind::Tuple, node.elems.iter())),
            Expr::Array(node) => Value::Rvalue(self.sequence(AggregateKind::Array, node.elems.iter())),
            Expr::Repeat(node) => {
                let value = self.operand(&node.expr, None);
                self.discard(&node.len);
                Value::Rvalue(Rvalue::Repeat(value))
            }
            Expr::Range(node) => Value::Rvalue(self.range(node)),
            Expr::Return(node) => self.return_value(node.expr.as_deref()),
            Expr::Break(node) => self.break_value(node),
            Expr::Continue(node) => self.continue_value(node),
            Expr::Let(node) => self.let_value(node),
            Expr::Yield(node) => self.yield_value(node),
            Expr::Verbatim(tokens) => self.unknown_expression(tokens),
            Expr::Infer(_) => Value::unit(),
            other => Value::Operand(self.operand(other, None)),
        }
    }

    fn unknown_expression(&mut self, tokens: &proc_macro2::TokenStream) -> Value {
        if !tokens.is_empty() {
            let span = self.spans.between(extent::tokens_first(tokens), extent::tokens_last(tokens));
            self.gap(span, "this expression is not understood; write it in stable Rust".to_owned());
        }
        Value::unit()
    }

    fn path_place(&mut self, node: &syn::ExprPath) -> Place {
        if node.qself.is_none()
            && let Some(ident) = node.path.get_ident()
            && let Some(place) = self.ident_variable(ident)
        {
            return place;
        }
        item_place(self.path(node.qself.as_ref(), &node.path))
    }

    /// The variable that an identifier names, if it is one.
    pub(super) fn ident_variable(&mut self, ident: &proc_macro2::Ident) -> Option<Place> {
        let name = ident_name(ident);
        let expansion = self.ident_expansion(ident.span());
        let span = self.spans.one(ident.span());
        self.variable(&name, expansion, span)
    }

    fn reference(&mut self, mutable: bool, expr: &Expr) -> Value {
        match self.operand(expr, None) {
            Operand::Literal(literal) => Value::Operand(Operand::Literal(literal)),
            Operand::Place(place) => Value::Rvalue(Rvalue::Reference { mutable, place }),
        }
    }

    fn unary(&mut self, node: &syn::ExprUnary) -> Value {
        match &node.op {
            UnOp::Deref(_) => {
                let place = self.place(&node.expr);
                Value::place(project(&place, Projection::Dereference))
            }
            UnOp::Neg(_) => {
                let operand = self.operand(&node.expr, None);
                Value::Rvalue(Rvalue::Unary(UnaryOperator::Neg, operand))
            }
            _ => {
                let operand = self.operand(&node.expr, None);
                Value::Rvalue(Rvalue::Unary(UnaryOperator::Not, operand))
            }
        }
    }

    /// Left-associative operators are walked with a list, because generated code chains thousands of them.
    fn binary(&mut self, node: &syn::ExprBinary) -> Value {
        match operator(&node.op) {
            Operator::Assign(operator) => self.compound_assignment(node, operator),
            Operator::Logic => self.logic(node),
            Operator::Plain(operator) => {
                let mut spine = vec![(operator, node)];
                let mut left = &*node.left;
                while let Expr::Binary(inner) = peel(left)
                    && let Operator::Plain(operator) = self::operator(&inner.op)
                {
                    spine.push((operator, inner));
                    left = &inner.left;
                }
                self.spine(left, &spine)
            }
        }
    }

    fn spine(&mut self, leftmost: &Expr, spine: &[(BinaryOperator, &syn::ExprBinary)]) -> Value {
        let first = extent::expr_first(leftmost);
        let mut value = Value::Operand(self.operand(leftmost, None));
        let mut last = extent::expr_last(leftmost);
        for (operator, node) in spine.iter().rev() {
            let left = self.stored(value, self.spans.between(first, last));
            let left = self.protected(left, &node.right);
            let right = self.operand(&node.right, None);
            last = extent::expr_last(&node.right);
            value = Value::Rvalue(Rvalue::Binary(*operator, left, right));
        }
        value
    }

    /// The operand of a value; what is no place or literal yet goes to a temporary.
    pub(super) fn stored(&mut self, value: Value, span: Span) -> Operand {
        self.stored_as(value, None, span)
    }

    /// The same, where the type of the value comes from somewhere.
    pub(super) fn stored_as(&mut self, value: Value, hint: Option<TypeHint>, span: Span) -> Operand {
        match value {
            Value::Operand(operand) => operand,
            Value::Rvalue(value) => Operand::Place(self.store(value, hint, span)),
        }
    }

    /// Reads a place now when evaluating `later` may change it.
    pub(super) fn protected(&mut self, operand: Operand, later: &Expr) -> Operand {
        match (&operand, peel(later)) {
            (
                Operand::Place(Place { base: PlaceBase::Local(_), .. }),
                Expr::Block(_) | Expr::If(_) | Expr::Match(_) | Expr::Assign(_) | Expr::Unsafe(_),
            ) => {
                let span = self.expr_span(later);
                Operand::Place(self.store(Rvalue::Use(operand), None, span))
            }
            _ => operand,
        }
    }

    /// `&&` and `||` evaluate their right side only sometimes. The result carries no value.
    fn logic(&mut self, node: &syn::ExprBinary) -> Value {
        let mut rights = vec![&*node.right];
        let mut left = &*node.left;
        while let Expr::Binary(inner) = left
            && matches!(operator(&inner.op), Operator::Logic)
        {
            rights.push(&inner.right);
            left = &inner.left;
        }
        let first = self.operand(left, None);
        let mut last = first.clone();
        let end = self.new_block();
        for right in rights.into_iter().rev() {
            if !is_pure(right) {
                let next = self.new_block();
                self.branch(vec![next, end]);
                self.switch_to(next);
            }
            last = self.operand(right, None);
        }
        self.goto(end);
        self.switch_to(end);
        Value::Rvalue(Rvalue::Binary(BinaryOperator::Logic, first, last))
    }

    fn range(&mut self, node: &syn::ExprRange) -> Rvalue {
        let bounds = [node.start.as_deref(), node.end.as_deref()];
        Rvalue::Range(bounds.into_iter().flatten().map(|bound| self.operand(bound, None)).collect())
    }

    /// A tuple or array.
    pub(super) fn sequence<'e>(
        &mut self,
        kind: AggregateKind,
        elements: impl Iterator<Item = &'e Expr>,
    ) -> Rvalue {
        let mut fields = Vec::new();
        for (index, element) in elements.enumerate() {
            let value = self.operand(element, None);
            let span = self.expr_span(element);
            fields.push(FieldInit { name: index_name(index), name_span: span, value, span });
        }
        Rvalue::Aggregate { kind, fields, base: None }
    }

    fn struct_literal(&mut self, node: &syn::ExprStruct) -> Rvalue {
        let path = self.path(node.qself.as_ref(), &node.path);
        let mut fields = Vec::new();
        for field in &node.fields {
            let name = member_name(&field.member);
            let hint = TypeHint::Field { path: path.clone(), field: name.clone() };
            let value = self.operand(&field.expr, Some(hint));
            let span = self.expr_span(&field.expr);
            let name_span = self.spans.one(extent::member_span(&field.member));
            fields.push(FieldInit { name, name_span, value, span });
        }
        let base = node.rest.as_ref().map(|rest| self.operand(rest, None));
        Rvalue::Aggregate { kind: AggregateKind::Struct(path), fields, base }
    }

    /// Evaluates the arguments of a call of `path`.
    pub(super) fn arguments<'e>(
        &mut self,
        args: impl IntoIterator<Item = &'e Expr>,
        path: Option<&Path>,
    ) -> Vec<Argument> {
        let exprs: Vec<&Expr> = args.into_iter().collect();
        let mut lowered = Vec::with_capacity(exprs.len());
        for (index, arg) in exprs.iter().enumerate() {
            let hint = path
                .filter(|_| may_need_hint(arg))
                .map(|path| TypeHint::Argument { path: path.clone(), index: super::frame::index(index) });
            let mut operand = self.operand(arg, hint);
            if let Some(later) = exprs.get(index + 1) {
                operand = self.protected(operand, later);
            }
            lowered.push(Argument { operand, span: self.expr_span(arg) });
        }
        lowered
    }
}

/// Only results of calls and conversions have a type that the context decides.
fn may_need_hint(expr: &Expr) -> bool {
    !matches!(expr, Expr::Lit(_) | Expr::Path(_) | Expr::Field(_) | Expr::Reference(_) | Expr::Struct(_))
}

/// Whether evaluating the expression can change nothing.
fn is_pure(expr: &Expr) -> bool {
    match peel(expr) {
        Expr::Lit(_) | Expr::Path(_) => true,
        Expr::Field(node) => is_pure(&node.base),
        Expr::Unary(node) => is_pure(&node.expr),
        Expr::Reference(node) => is_pure(&node.expr),
        _ => false,
    }
}

/// Whether lowering the expression may branch, so that its value is joined in one place.
pub(super) fn is_control_flow(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Block(_)
            | Expr::Const(_)
            | Expr::ForLoop(_)
            | Expr::If(_)
            | Expr::Loop(_)
            | Expr::Match(_)
            | Expr::TryBlock(_)
            | Expr::Unsafe(_)
            | Expr::While(_)
    )
}

/// A place that is an item.
pub(super) fn item_place(path: Path) -> Place {
    Place { base: PlaceBase::Item(Box::new(path)), projections: Vec::new() }
}

/// The value of a literal.
pub(super) fn literal(lit: &Lit) -> Literal {
    match lit {
        Lit::Str(lit) => Literal::Str(Name::new(lit.value())),
        Lit::ByteStr(lit) => Literal::Bytes(lit.value()),
        Lit::CStr(lit) => Literal::Str(Name::new(lit.value().to_string_lossy())),
        Lit::Byte(lit) => Literal::Int(index_name(usize::from(lit.value()))),
        Lit::Char(lit) => Literal::Char(lit.value()),
        Lit::Int(lit) => Literal::Int(Name::new(lit.base10_digits())),
        Lit::Float(lit) => Literal::Float(Name::new(lit.base10_digits())),
        Lit::Bool(lit) => Literal::Bool(lit.value),
        other => Literal::Int(verbatim_literal(other)),
    }
}

fn verbatim_literal(lit: &Lit) -> Name {
    match lit {
        Lit::Verbatim(token) => Name::new(token.to_string()),
        _ => Name::default(),
    }
}

/// How a binary operator is lowered.
pub(super) enum Operator {
    /// Evaluates both sides.
    Plain(BinaryOperator),
    /// `&&`, `||`.
    Logic,
    /// `+=` and the like.
    Assign(BinaryOperator),
}

/// The kind of a binary operator.
pub(super) fn operator(op: &BinOp) -> Operator {
    use BinaryOperator::{Add, BitAnd, BitOr, BitXor, Compare, Div, Mul, Rem, Shl, Shr, Sub};
    match op {
        BinOp::Add(_) => Operator::Plain(Add),
        BinOp::Sub(_) => Operator::Plain(Sub),
        BinOp::Mul(_) => Operator::Plain(Mul),
        BinOp::Div(_) => Operator::Plain(Div),
        BinOp::Rem(_) => Operator::Plain(Rem),
        BinOp::BitAnd(_) => Operator::Plain(BitAnd),
        BinOp::BitOr(_) => Operator::Plain(BitOr),
        BinOp::BitXor(_) => Operator::Plain(BitXor),
        BinOp::Shl(_) => Operator::Plain(Shl),
        BinOp::Shr(_) => Operator::Plain(Shr),
        BinOp::And(_) | BinOp::Or(_) => Operator::Logic,
        BinOp::AddAssign(_) => Operator::Assign(Add),
        BinOp::SubAssign(_) => Operator::Assign(Sub),
        BinOp::MulAssign(_) => Operator::Assign(Mul),
        BinOp::DivAssign(_) => Operator::Assign(Div),
        BinOp::RemAssign(_) => Operator::Assign(Rem),
        BinOp::BitAndAssign(_) => Operator::Assign(BitAnd),
        BinOp::BitOrAssign(_) => Operator::Assign(BitOr),
        BinOp::BitXorAssign(_) => Operator::Assign(BitXor),
        BinOp::ShlAssign(_) => Operator::Assign(Shl),
        BinOp::ShrAssign(_) => Operator::Assign(Shr),
        _ => Operator::Plain(Compare),
    }
}
