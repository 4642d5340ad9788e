//! Bodies: of functions, closures, async blocks and initialisers.

use syn::{Expr, FnArg, Pat};

use super::frame::{index, local_place};
use super::pattern::Binder;
use super::types::ident_name;
use super::{Lowerer, extent};
use crate::ir::{
    Body, Closure, ClosureId, ClosureKind, LocalId, LocalKind, Rvalue, Terminator, Type, TypeHint,
};

impl Lowerer<'_> {
    /// A closure.
    pub(super) fn closure(&mut self, node: &syn::ExprClosure) -> Rvalue {
        let span = self.spans.between(extent::closure_first(node), extent::expr_last(&node.body));
        let (body, captures) = self.nested(node.capture.is_some(), |this| {
            let params: Vec<(&Pat, Option<Type>)> = node
                .inputs
                .iter()
                .map(|pat| match pat {
                    Pat::Type(typed) => (&*typed.pat, Some(this.ty(&typed.ty))),
                    pat => (pat, None),
                })
                .collect();
            this.parameters(params);
            this.returned(&node.body);
        });
        let kind = match node.asyncness {
            Some(_) => ClosureKind::AsyncClosure,
            None => ClosureKind::Closure,
        };
        let result = match &node.output {
            syn::ReturnType::Default => None,
            syn::ReturnType::Type(_, ty) => Some(self.ty(ty)),
        };
        self.add_closure(Closure { kind, captures, result, body, span })
    }

    /// An async block.
    pub(super) fn async_block(&mut self, node: &syn::ExprAsync) -> Rvalue {
        let span = self.spans.between(node.async_token.span, node.block.brace_token.span.close());
        let (body, captures) = self.nested(node.capture.is_some(), |this| {
            let value = this.block_operand(&node.block, Some(TypeHint::Result));
            this.terminate(Terminator::Return(value));
        });
        self.add_closure(Closure { kind: ClosureKind::AsyncBlock, captures, result: None, body, span })
    }

    /// Registers a closure of the current body.
    pub(super) fn add_closure(&mut self, closure: Closure) -> Rvalue {
        let id = ClosureId(index(self.frame.body.closures.len()));
        self.frame.body.closures.push(closure);
        Rvalue::Closure(id)
    }

    /// Makes the parameters the first locals, then destructures those that are patterns.
    fn parameters(&mut self, params: Vec<(&Pat, Option<Type>)>) {
        let locals: Vec<LocalId> =
            params.iter().map(|(pat, ty)| self.parameter_local(pat, ty.clone())).collect();
        self.frame.body.parameters = self.frame.body.locals.len();
        for ((pat, ty), local) in params.iter().zip(locals) {
            match plain_ident(pat) {
                Some(ident) => {
                    let expansion = self.ident_expansion(ident.span());
                    self.bind_name(ident_name(ident), expansion, local);
                }
                None => self.bind(pat, &local_place(local), &mut Binder::default(), ty.as_ref()),
            }
        }
    }

    fn parameter_local(&mut self, pat: &Pat, ty: Option<Type>) -> LocalId {
        match plain_ident(pat) {
            Some(ident) => self.pattern_local(ident, LocalKind::Parameter, ty),
            None => {
                let span = self.spans.between(extent::pat_first(pat), extent::pat_last(pat));
                self.frame.local(None, LocalKind::Parameter, ty, span)
            }
        }
    }

    fn returned(&mut self, expr: &Expr) {
        let value = self.operand(expr, Some(TypeHint::Result));
        self.terminate(Terminator::Return(value));
    }

    /// The body of a function.
    pub(super) fn function_body(&mut self, sig: &syn::Signature, block: &syn::Block) -> Body {
        self.separate(|this| {
            let mut params = Vec::new();
            for input in &sig.inputs {
                match input {
                    FnArg::Receiver(receiver) => this.receiver_local(receiver),
                    FnArg::Typed(typed) => params.push((&*typed.pat, Some(this.ty(&typed.ty)))),
                }
            }
            let owned: Vec<bool> = params.iter().map(|(_, ty)| super::moves::is_owned(ty.as_ref())).collect();
            let first = this.frame.body.locals.len();
            this.parameters(params);
            let locals = (first..).zip(owned).filter(|(_, owned)| *owned);
            this.frame.owned.extend(locals.map(|(local, _)| LocalId(index(local))));
            let value = this.block_operand(block, Some(TypeHint::Result));
            this.leave_scope(0, block);
            this.terminate(Terminator::Return(value));
        })
    }

    fn receiver_local(&mut self, receiver: &syn::Receiver) {
        let ty = match &receiver.kind {
            syn::ReceiverKind::Typed(_, ty) => Some(self.ty(ty)),
            _ => None,
        };
        let span = self.spans.one(receiver.self_token.span);
        let local = self.frame.local(Some("self".into()), LocalKind::Parameter, ty, span);
        self.bind_name("self".into(), 0, local);
    }

    /// The body of an initialiser.
    pub(super) fn initializer(&mut self, expr: &Expr) -> Body {
        self.separate(|this| {
            let value = this.operand(expr, Some(TypeHint::Result));
            this.terminate(Terminator::Return(value));
        })
    }
}

/// The identifier of a pattern that is nothing else.
pub(super) fn plain_ident(pat: &Pat) -> Option<&proc_macro2::Ident> {
    match pat {
        Pat::Ident(node) if node.by_ref.is_none() && node.subpat.is_none() => Some(&node.ident),
        _ => None,
    }
}
