//! Blocks, statements, conditions, `if`, `match`, `try` blocks, and leaving early.

use syn::{Block as SynBlock, Expr, Pat, Stmt};

use super::Lowerer;
use super::expr::{Operator, Value, operator, peel};
use super::frame::{Target, TargetKind, local_place};
use super::pattern::{BindMode, Binder};
use super::truth;
use super::types::ident_name;
use crate::ir::{
    Argument, BinaryOperator, BlockId, Callee, Guard, Literal, LocalKind, Operand, Place, Rvalue, Span,
    StatementKind, Terminator, TypeHint,
};

impl Lowerer<'_> {
    /// Lowers an expression that branches, with its value in `dest` if one is wanted.
    pub(super) fn control_flow(&mut self, expr: &Expr, dest: Option<&Place>) {
        match expr {
            Expr::Block(node) => match &node.label {
                Some(label) => self.labelled_block(&label.name, &node.block, dest),
                None => self.block(&node.block, dest),
            },
            Expr::Unsafe(node) => self.block(&node.block, dest),
            Expr::Const(node) => self.block(&node.block, dest),
            Expr::If(node) => self.if_chain(node, dest),
            Expr::Match(node) => self.match_arms(node, dest),
            Expr::TryBlock(node) => self.try_block(&node.block, dest),
            Expr::ForLoop(node) => self.for_loop(node, dest),
            Expr::While(node) => self.while_loop(node, dest),
            Expr::Loop(node) => self.endless_loop(node, dest),
            _ => {}
        }
    }

    /// A block in a scope of its own.
    pub(super) fn block(&mut self, block: &SynBlock, dest: Option<&Place>) {
        let outer = self.frame.owned.len();
        self.scoped(|this| this.statements(&block.stmts, dest));
        self.leave_scope(outer, block);
    }

    /// A block whose value is a place or literal.
    pub(super) fn block_operand(&mut self, block: &SynBlock, hint: Option<TypeHint>) -> Operand {
        let outer = self.frame.owned.len();
        let value = self.scoped(|this| this.statements_operand(&block.stmts, hint));
        self.leave_scope(outer, block);
        value
    }

    /// The end of a block: what it declared is dropped, the last first.
    pub(super) fn leave_scope(&mut self, outer: usize, block: &SynBlock) {
        let span = self.spans.one(block.brace_token.span.close());
        while self.frame.owned.len() > outer {
            let Some(local) = self.frame.owned.pop() else { return };
            self.statement(StatementKind::Drop(local), span);
        }
    }

    /// The value of a list of statements as an operand, in the current scope.
    pub(super) fn statements_operand(&mut self, stmts: &[Stmt], hint: Option<TypeHint>) -> Operand {
        self.declare_items(stmts);
        let Some((last, before)) = stmts.split_last() else { return Operand::Literal(Literal::Unit) };
        before.iter().for_each(|stmt| self.stmt(stmt));
        match last {
            Stmt::Expr(expr, None) => self.operand(expr, hint),
            Stmt::Macro(stmt) if stmt.semi_token.is_none() => {
                let span = self.macro_span(&stmt.mac);
                match self.tail_macro(&stmt.mac) {
                    Value::Operand(operand) => operand,
                    Value::Rvalue(value) => Operand::Place(self.store(value, hint, span)),
                }
            }
            other => {
                self.stmt(other);
                Operand::Literal(Literal::Unit)
            }
        }
    }

    /// A list of statements in the current scope.
    pub(super) fn statements(&mut self, stmts: &[Stmt], dest: Option<&Place>) {
        self.declare_items(stmts);
        let Some((last, before)) = stmts.split_last() else { return self.set_unit(dest, None) };
        before.iter().for_each(|stmt| self.stmt(stmt));
        match last {
            Stmt::Expr(expr, None) => self.assign_or_discard(dest, expr),
            Stmt::Macro(stmt) if stmt.semi_token.is_none() && dest.is_some() => {
                let span = self.macro_span(&stmt.mac);
                let value = match self.tail_macro(&stmt.mac) {
                    Value::Operand(operand) => Rvalue::Use(operand),
                    Value::Rvalue(value) => value,
                };
                if let Some(dest) = dest {
                    self.assign(dest.clone(), value, span);
                }
            }
            other => {
                self.stmt(other);
                self.set_unit(dest, None);
            }
        }
    }

    /// Writes the unit value.
    pub(super) fn set_unit(&mut self, dest: Option<&Place>, span: Option<Span>) {
        if let Some(dest) = dest {
            let span = span.unwrap_or_else(|| self.spans.whole());
            self.assign(dest.clone(), Rvalue::Use(Operand::Literal(Literal::Unit)), span);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let attrs = match stmt {
            Stmt::Local(node) => &node.attrs,
            Stmt::Macro(node) => &node.attrs,
            Stmt::Expr(expr, _) => expr_attrs(expr),
            Stmt::Item(_) => return,
        };
        if !attrs.iter().any(|attr| attr.path().is_ident("cfg")) {
            return self.plain_stmt(stmt);
        }
        if self.attributes(attrs).test {
            return;
        }
        let with = self.new_block();
        let next = self.new_block();
        self.branch(vec![with, next]);
        self.switch_to(with);
        self.plain_stmt(stmt);
        self.goto(next);
        self.switch_to(next);
    }

    fn plain_stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Local(node) => self.let_statement(node),
            Stmt::Expr(expr, _) => self.discard(expr),
            Stmt::Macro(node) => self.macro_statement(&node.mac),
            Stmt::Item(_) => {}
        }
    }

    fn let_statement(&mut self, node: &syn::Local) {
        let (pat, annotation) = match &node.pat {
            Pat::Type(typed) => (&*typed.pat, Some(self.ty(&typed.ty))),
            pat => (pat, None),
        };
        let Some(init) = &node.init else { return self.declare(pat, annotation) };
        if let (Pat::Ident(ident), None) = (pat, &init.diverge)
            && ident.by_ref.is_none()
            && ident.subpat.is_none()
        {
            let local = self.pattern_local(&ident.ident, LocalKind::Variable, annotation);
            self.assign_expr(&local_place(local), &init.expr);
            if super::moves::may_own(&init.expr) {
                self.frame.owned.push(local);
            }
            let expansion = self.ident_expansion(ident.ident.span());
            return self.bind_name(ident_name(&ident.ident), expansion, local);
        }
        if matches!(pat, Pat::Wild(_)) && init.diverge.is_none() {
            return self.discard(&init.expr);
        }
        let named =
            if annotation.is_none() && init.diverge.is_none() { self.pattern_type(pat) } else { None };
        let (place, mode) = self.scrutinee(&init.expr, annotation.as_ref().or(named.as_ref()));
        let refutable = init.diverge.is_some();
        if let Some((_, otherwise)) = &init.diverge {
            let cont = self.new_block();
            let exit = self.new_block();
            self.branch(vec![cont, exit]);
            self.switch_to(exit);
            self.scoped(|this| this.discard(otherwise));
            // The else block diverges, so its end is unreachable.
            self.switch_to(cont);
        }
        self.bind(pat, &place, &mut Binder { mode, refutable, ..Binder::default() }, annotation.as_ref());
    }

    /// The type that a pattern which always matches names.
    fn pattern_type(&mut self, pat: &Pat) -> Option<crate::ir::Type> {
        let (qself, path) = match pat {
            Pat::TupleStruct(node) => (node.qself.as_ref(), &node.path),
            Pat::Struct(node) => (node.qself.as_ref(), &node.path),
            _ => return None,
        };
        Some(crate::ir::Type::Path(Box::new(self.path(qself, path))))
    }

    fn declare(&mut self, pat: &Pat, annotation: Option<crate::ir::Type>) {
        let mut names = Vec::new();
        super::pattern::binding_idents(pat, &mut names);
        for ident in names {
            let local = self.pattern_local(ident, LocalKind::Variable, annotation.clone());
            let span = self.spans.one(ident.span());
            self.statement(StatementKind::Declare(local), span);
            let expansion = self.ident_expansion(ident.span());
            self.bind_name(ident_name(ident), expansion, local);
        }
    }

    /// The place that patterns are matched against, and how names bind to it.
    pub(super) fn scrutinee(
        &mut self,
        expr: &Expr,
        annotation: Option<&crate::ir::Type>,
    ) -> (Place, BindMode) {
        match peel(expr) {
            Expr::Reference(node) => {
                let mode = if node.mutability.is_some() { BindMode::RefMut } else { BindMode::Ref };
                (self.place(&node.expr), mode)
            }
            other => {
                let hint = annotation.map(|ty| TypeHint::Type(ty.clone()));
                let place = match self.operand(other, hint) {
                    Operand::Place(place) => place,
                    literal => {
                        let span = self.expr_span(other);
                        self.store(Rvalue::Use(literal), None, span)
                    }
                };
                (place, BindMode::Move)
            }
        }
    }

    /// Evaluates a condition; when it does not hold, control goes to `otherwise`.
    pub(super) fn condition(&mut self, expr: &Expr, otherwise: BlockId) {
        let mut parts = Vec::new();
        let mut left = peel(expr);
        while let Expr::Binary(node) = left
            && matches!(node.op, syn::BinOp::And(_))
        {
            parts.push(&*node.right);
            left = peel(&node.left);
        }
        parts.push(left);
        for part in parts.into_iter().rev() {
            self.condition_part(peel(part), otherwise);
        }
    }

    fn condition_part(&mut self, expr: &Expr, otherwise: BlockId) {
        // What `if true` leaves out is followed: it often stands for some condition.
        if truth::of(expr) == Some(false) {
            self.goto(otherwise);
            let never = self.new_block();
            self.switch_to(never);
            return;
        }
        match expr {
            Expr::Let(node) => {
                let (place, mode) = self.scrutinee(&node.expr, None);
                let then = self.new_block();
                self.branch(vec![then, otherwise]);
                self.switch_to(then);
                let mut binder = Binder { mode, refutable: true, ..Binder::default() };
                self.bind(&node.pat, &place, &mut binder, None);
            }
            Expr::Binary(node) if matches!(operator(&node.op), Operator::Logic) => {
                if matches!(node.op, syn::BinOp::And(_)) {
                    return self.condition(expr, otherwise);
                }
                self.discard(expr);
                self.then_or(otherwise);
            }
            _ => {
                self.discard(expr);
                self.then_or(otherwise);
                if let Some((path, expected)) = truth::of_constant(expr) {
                    let constant = self.path(None, path);
                    self.guard(Guard { constant, expected });
                }
            }
        }
    }

    fn then_or(&mut self, otherwise: BlockId) {
        let then = self.new_block();
        self.branch(vec![then, otherwise]);
        self.switch_to(then);
    }

    /// `else if` is walked in a loop, because generated code chains thousands of them.
    fn if_chain(&mut self, first: &syn::ExprIf, dest: Option<&Place>) {
        let join = self.new_block();
        let mut node = first;
        loop {
            let otherwise = self.new_block();
            self.scoped(|this| {
                this.condition(&node.cond, otherwise);
                this.block(&node.then_branch, dest);
            });
            self.goto(join);
            self.switch_to(otherwise);
            match node.else_branch.as_ref().map(|(_, branch)| peel(branch)) {
                Some(Expr::If(next)) => node = next,
                Some(branch) => {
                    self.assign_or_discard(dest, branch);
                    break;
                }
                None => {
                    let span = self.spans.one(node.then_branch.brace_token.span.close());
                    self.set_unit(dest, Some(span));
                    break;
                }
            }
        }
        self.goto(join);
        self.switch_to(join);
    }

    fn match_arms(&mut self, node: &syn::ExprMatch, dest: Option<&Place>) {
        let (place, mode) = self.scrutinee(&node.expr, None);
        let join = self.new_block();
        let mut arms = node.arms.as_slice();
        while !arms.is_empty() {
            // Arms up to the first guard are alternatives; after a guard that fails, the later arms are.
            let guarded = arms.iter().position(|arm| matches!(arm.pat, Pat::Guard(_)));
            let group = guarded.map_or(arms.len(), |index| index + 1);
            let (now, later) = arms.split_at(group);
            arms = later;
            let starts: Vec<BlockId> = now.iter().map(|_| self.new_block()).collect();
            let mut successors = starts.clone();
            let next = if later.is_empty() { None } else { Some(self.new_block()) };
            successors.extend(next);
            self.branch(successors);
            for (arm, start) in now.iter().zip(starts) {
                self.switch_to(start);
                self.scoped(|this| this.arm(arm, &place, mode, next.unwrap_or(join), dest));
                self.goto(join);
            }
            if let Some(next) = next {
                self.switch_to(next);
            }
        }
        self.switch_to(join);
    }

    fn arm(&mut self, arm: &syn::Arm, place: &Place, mode: BindMode, next: BlockId, dest: Option<&Place>) {
        let mut binder = Binder { mode, refutable: true, ..Binder::default() };
        if let Pat::Guard(guarded) = &arm.pat {
            self.bind(&guarded.pat, place, &mut binder, None);
            self.condition(&guarded.guard, next);
        } else {
            self.bind(&arm.pat, place, &mut binder, None);
        }
        self.assign_or_discard(dest, &arm.body);
    }

    fn labelled_block(&mut self, label: &syn::Lifetime, block: &SynBlock, dest: Option<&Place>) {
        let exit = self.new_block();
        self.frame.targets.push(Target {
            label: Some(ident_name(&label.ident)),
            kind: TargetKind::Block,
            exit,
            head: exit,
            dest: dest.cloned(),
        });
        self.block(block, dest);
        self.frame.targets.pop();
        self.goto(exit);
        self.switch_to(exit);
    }

    /// `try { value }` yields `Ok(value)` or the residual of a `?` inside.
    fn try_block(&mut self, block: &SynBlock, dest: Option<&Place>) {
        let span = self.spans.between(block.brace_token.span.open(), block.brace_token.span.close());
        self.in_try(dest, span, |this| this.block_operand(block, None));
    }

    /// Runs `inside` so that a `?` in it ends there; its value is wrapped in `Ok`.
    pub(super) fn in_try(
        &mut self,
        dest: Option<&Place>,
        span: Span,
        inside: impl FnOnce(&mut Self) -> Operand,
    ) {
        let exit = self.new_block();
        let dest = dest.cloned();
        let target = Target { label: None, kind: TargetKind::Try, exit, head: exit, dest: dest.clone() };
        self.frame.targets.push(target);
        let operand = inside(self);
        self.frame.targets.pop();
        if let Some(dest) = dest {
            let callee = Callee::Path(super::chain::simple_path("Ok", span));
            let args = vec![Argument { operand, span }];
            self.assign(dest, Rvalue::Call { callee, receiver: None, args, name_span: span }, span);
        }
        self.goto(exit);
        self.switch_to(exit);
    }

    /// `return value`.
    pub(super) fn return_value(&mut self, value: Option<&Expr>) -> Value {
        let operand = match value {
            Some(value) => self.operand(value, Some(TypeHint::Result)),
            None => Operand::Literal(Literal::Unit),
        };
        let span = value.map_or_else(|| self.spans.whole(), |value| self.expr_span(value));
        for local in
            self.frame.owned.iter().rev().take(super::moves::MAX_DROPPED).copied().collect::<Vec<_>>()
        {
            self.statement(StatementKind::Drop(local), span);
        }
        self.leave_body(operand);
        Value::unit()
    }

    /// `break 'label value`.
    pub(super) fn break_value(&mut self, node: &syn::ExprBreak) -> Value {
        let Some(index) = self.target(node.label.as_ref()) else {
            node.expr.iter().for_each(|value| self.discard(value));
            self.leave(Terminator::Diverge);
            return Value::unit();
        };
        let (exit, dest) = (self.frame.targets[index].exit, self.frame.targets[index].dest.clone());
        match &node.expr {
            Some(value) => self.assign_or_discard(dest.as_ref(), value),
            None => self.set_unit(dest.as_ref(), Some(self.spans.one(node.break_token.span))),
        }
        self.mark_early_exits(index);
        self.leave(Terminator::Goto(exit));
        Value::unit()
    }

    /// `continue 'label`.
    pub(super) fn continue_value(&mut self, node: &syn::ExprContinue) -> Value {
        match self.target(node.label.as_ref()) {
            Some(index) => {
                let head = self.frame.targets[index].head;
                self.mark_early_exits(index + 1);
                self.leave(Terminator::Goto(head));
            }
            None => self.leave(Terminator::Diverge),
        }
        Value::unit()
    }

    /// The index of the target with that label, or of the innermost loop.
    fn target(&self, label: Option<&syn::Lifetime>) -> Option<usize> {
        let label = label.map(|label| ident_name(&label.ident));
        self.frame.targets.iter().rposition(|target| match &label {
            Some(label) => target.label.as_ref() == Some(label),
            None => matches!(target.kind, TargetKind::Loop(_)),
        })
    }

    /// `let` outside of a condition, as some macros write it: binds, and carries no value.
    pub(super) fn let_value(&mut self, node: &syn::ExprLet) -> Value {
        let (place, mode) = self.scrutinee(&node.expr, None);
        let mut binder = Binder { mode, refutable: true, ..Binder::default() };
        self.bind(&node.pat, &place, &mut binder, None);
        let left = Operand::Place(place);
        Value::Rvalue(Rvalue::Binary(BinaryOperator::Compare, left, Operand::Literal(Literal::Bool(true))))
    }

    /// `yield value` adds to the stream of the macro around it; elsewhere the value is dropped.
    pub(super) fn yield_value(&mut self, node: &syn::ExprYield) -> Value {
        let Some(value) = &node.expr else { return Value::unit() };
        let operand = self.operand(value, None);
        if let Some(stream) = self.frame.yields {
            let span = self.expr_span(value);
            let receiver = Argument { operand: Operand::Place(local_place(stream)), span };
            let callee = Callee::Method { name: "push".into(), generics: Vec::new() };
            let args = vec![Argument { operand, span }];
            let call = Rvalue::Call { callee, receiver: Some(receiver), args, name_span: span };
            self.store(call, None, span);
        }
        Value::unit()
    }

    /// `for pat in iterator { .. }`.
    fn for_loop(&mut self, node: &syn::ExprForLoop, dest: Option<&Place>) {
        let first = node.label.as_ref().map_or(node.for_token.span, |label| label.name.apostrophe);
        let span = self.spans.between(first, node.body.brace_token.span.close());
        let iterated = self.expr_span(&node.expr);
        let iterator = self.temporary(None, iterated);
        self.assign_expr(&local_place(iterator), &node.expr);
        let kind =
            if is_range(&node.expr) { crate::ir::LoopKind::ForRange } else { crate::ir::LoopKind::For };
        let label = node.label.as_ref().map(|label| ident_name(&label.name.ident));
        let (id, head, exit) = self.enter_loop(kind, label, None, span);
        let body = self.new_block();
        self.branch(vec![body, exit]);
        self.switch_to(body);
        let next = Rvalue::Next { iterator: Operand::Place(local_place(iterator)), of: id };
        self.scoped(|this| {
            this.bind_value(&node.pat, next, iterated);
            this.block(&node.body, None);
        });
        self.finish_loop(head, exit);
        self.set_unit(dest, Some(span));
    }

    /// Stores a value and destructures it into a pattern that always matches.
    pub(super) fn bind_value(&mut self, pat: &Pat, value: Rvalue, span: Span) {
        if let Pat::Ident(ident) = pat
            && ident.by_ref.is_none()
            && ident.subpat.is_none()
        {
            let local = self.pattern_local(&ident.ident, LocalKind::Variable, None);
            self.assign(local_place(local), value, span);
            let expansion = self.ident_expansion(ident.ident.span());
            return self.bind_name(ident_name(&ident.ident), expansion, local);
        }
        let place = self.store(value, None, span);
        self.bind(pat, &place, &mut Binder::default(), None);
    }

    fn while_loop(&mut self, node: &syn::ExprWhile, dest: Option<&Place>) {
        let first = node.label.as_ref().map_or(node.while_token.span, |label| label.name.apostrophe);
        let span = self.spans.between(first, node.body.brace_token.span.close());
        let label = node.label.as_ref().map(|label| ident_name(&label.name.ident));
        let (_, head, exit) = self.enter_loop(crate::ir::LoopKind::While, label, None, span);
        self.scoped(|this| {
            this.condition(&node.cond, exit);
            this.block(&node.body, None);
        });
        self.finish_loop(head, exit);
        self.set_unit(dest, Some(span));
    }

    fn endless_loop(&mut self, node: &syn::ExprLoop, dest: Option<&Place>) {
        let first = node.label.as_ref().map_or(node.loop_token.span, |label| label.name.apostrophe);
        let span = self.spans.between(first, node.body.brace_token.span.close());
        let label = node.label.as_ref().map(|label| ident_name(&label.name.ident));
        let (_, head, exit) = self.enter_loop(crate::ir::LoopKind::Loop, label, dest, span);
        self.block(&node.body, None);
        self.finish_loop(head, exit);
    }
}

/// `a..b`, also with `.rev()` or `.step_by(n)`.
fn is_range(expr: &Expr) -> bool {
    match peel(expr) {
        Expr::Range(_) => true,
        Expr::MethodCall(node) if node.method == "rev" || node.method == "step_by" => {
            is_range(&node.receiver)
        }
        _ => false,
    }
}

/// The attributes of an expression that can stand as a statement.
fn expr_attrs(expr: &Expr) -> &[syn::Attribute] {
    match expr {
        Expr::Assign(node) => &node.attrs,
        Expr::Await(node) => &node.attrs,
        Expr::Binary(node) => &node.attrs,
        Expr::Block(node) => &node.attrs,
        Expr::Call(node) => &node.attrs,
        Expr::ForLoop(node) => &node.attrs,
        Expr::If(node) => &node.attrs,
        Expr::Loop(node) => &node.attrs,
        Expr::Macro(node) => &node.attrs,
        Expr::Match(node) => &node.attrs,
        Expr::MethodCall(node) => &node.attrs,
        Expr::Return(node) => &node.attrs,
        Expr::Try(node) => &node.attrs,
        Expr::Unsafe(node) => &node.attrs,
        Expr::While(node) => &node.attrs,
        _ => &[],
    }
}
