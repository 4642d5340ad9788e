//! First and last tokens of syntax nodes, without building token streams.

use proc_macro2::{Span, TokenStream};
use syn::{Expr, Pat, PathArguments, ReturnType, Type, UnOp};

/// The first token of an expression, attributes aside.
pub(super) fn expr_first(mut expr: &Expr) -> Span {
    loop {
        expr = match expr {
            Expr::Assign(node) => &node.left,
            Expr::Await(node) => &node.base,
            Expr::Binary(node) => &node.left,
            Expr::Call(node) => &node.func,
            Expr::Cast(node) => &node.expr,
            Expr::Field(node) => &node.base,
            Expr::Group(node) => &node.expr,
            Expr::Index(node) => &node.expr,
            Expr::MethodCall(node) => &node.receiver,
            Expr::Try(node) => &node.expr,
            Expr::Range(node) => match &node.start {
                Some(start) => start,
                None => return range_token(&node.limits),
            },
            _ => return expr_own_first(expr),
        };
    }
}

fn expr_own_first(expr: &Expr) -> Span {
    match expr {
        Expr::Array(node) => node.bracket_token.span.open(),
        Expr::Async(node) => node.async_token.span,
        Expr::Block(node) => {
            node.label.as_ref().map_or(node.block.brace_token.span.open(), |label| label.name.apostrophe)
        }
        Expr::Break(node) => node.break_token.span,
        Expr::Closure(node) => closure_first(node),
        Expr::Const(node) => node.const_token.span,
        Expr::Continue(node) => node.continue_token.span,
        Expr::ForLoop(node) => node.label.as_ref().map_or(node.for_token.span, |label| label.name.apostrophe),
        Expr::If(node) => node.if_token.span,
        Expr::Infer(node) => node.underscore_token.span,
        Expr::Let(node) => node.let_token.span,
        Expr::Lit(node) => node.lit.span(),
        Expr::Loop(node) => node.label.as_ref().map_or(node.loop_token.span, |label| label.name.apostrophe),
        Expr::Macro(node) => path_first(&node.mac.path),
        Expr::Match(node) => node.match_token.span,
        Expr::Paren(node) => node.paren_token.span.open(),
        Expr::Path(node) => qualified_first(node.qself.as_ref(), &node.path),
        Expr::RawAddr(node) => node.and_token.span,
        Expr::Reference(node) => node.and_token.span,
        Expr::Repeat(node) => node.bracket_token.span.open(),
        Expr::Return(node) => node.return_token.span,
        Expr::Struct(node) => qualified_first(node.qself.as_ref(), &node.path),
        Expr::TryBlock(node) => node.try_token.span,
        Expr::Tuple(node) => node.paren_token.span.open(),
        Expr::Unary(node) => match &node.op {
            UnOp::Deref(token) => token.span,
            UnOp::Not(token) => token.span,
            UnOp::Neg(token) => token.span,
            _ => expr_first(&node.expr),
        },
        Expr::Unsafe(node) => node.unsafe_token.span,
        Expr::Verbatim(tokens) => tokens_first(tokens),
        Expr::While(node) => node.label.as_ref().map_or(node.while_token.span, |label| label.name.apostrophe),
        Expr::Yield(node) => node.yield_token.span,
        _ => Span::call_site(),
    }
}

/// The first token of a closure.
pub(super) fn closure_first(node: &syn::ExprClosure) -> Span {
    if let Some(lifetimes) = &node.lifetimes {
        lifetimes.for_token.span
    } else if let Some(token) = &node.constness {
        token.span
    } else if let Some(token) = &node.asyncness {
        token.span
    } else if let Some(token) = &node.capture {
        token.span
    } else {
        node.inputs_begin.span
    }
}

fn range_token(limits: &syn::RangeLimits) -> Span {
    match limits {
        syn::RangeLimits::HalfOpen(token) => token.spans[0],
        syn::RangeLimits::Closed(token) => token.spans[0],
    }
}

fn range_token_last(limits: &syn::RangeLimits) -> Span {
    match limits {
        syn::RangeLimits::HalfOpen(token) => token.spans[1],
        syn::RangeLimits::Closed(token) => token.spans[2],
    }
}

/// The last token of an expression.
pub(super) fn expr_last(mut expr: &Expr) -> Span {
    loop {
        expr = match expr {
            Expr::Assign(node) => &node.right,
            Expr::Binary(node) => &node.right,
            Expr::Closure(node) => &node.body,
            Expr::Group(node) => &node.expr,
            Expr::Let(node) => &node.expr,
            Expr::RawAddr(node) => &node.expr,
            Expr::Reference(node) => &node.expr,
            Expr::Unary(node) => &node.expr,
            Expr::Break(node) => match (&node.expr, &node.label) {
                (Some(value), _) => value,
                (None, Some(label)) => return label.ident.span(),
                (None, None) => return node.break_token.span,
            },
            Expr::Range(node) => match &node.end {
                Some(end) => end,
                None => return range_token_last(&node.limits),
            },
            Expr::Return(node) => match &node.expr {
                Some(value) => value,
                None => return node.return_token.span,
            },
            Expr::Yield(node) => match &node.expr {
                Some(value) => value,
                None => return node.yield_token.span,
            },
            Expr::If(node) => match &node.else_branch {
                Some((_, branch)) => branch,
                None => return node.then_branch.brace_token.span.close(),
            },
            _ => return expr_own_last(expr),
        };
    }
}

fn expr_own_last(expr: &Expr) -> Span {
    match expr {
        Expr::Array(node) => node.bracket_token.span.close(),
        Expr::Async(node) => node.block.brace_token.span.close(),
        Expr::Await(node) => node.await_token.span,
        Expr::Block(node) => node.block.brace_token.span.close(),
        Expr::Call(node) => node.paren_token.span.close(),
        Expr::Cast(node) => type_last(&node.ty),
        Expr::Const(node) => node.block.brace_token.span.close(),
        Expr::Continue(node) => {
            node.label.as_ref().map_or(node.continue_token.span, |label| label.ident.span())
        }
        Expr::Field(node) => member_span(&node.member),
        Expr::ForLoop(node) => node.body.brace_token.span.close(),
        Expr::Index(node) => node.bracket_token.span.close(),
        Expr::Infer(node) => node.underscore_token.span,
        Expr::Lit(node) => node.lit.span(),
        Expr::Loop(node) => node.body.brace_token.span.close(),
        Expr::Macro(node) => node.mac.delimiter.span().close(),
        Expr::Match(node) => node.brace_token.span.close(),
        Expr::MethodCall(node) => node.paren_token.span.close(),
        Expr::Paren(node) => node.paren_token.span.close(),
        Expr::Path(node) => qualified_last(node.qself.as_ref(), &node.path),
        Expr::Repeat(node) => node.bracket_token.span.close(),
        Expr::Struct(node) => node.brace_token.span.close(),
        Expr::Try(node) => node.question_token.span,
        Expr::TryBlock(node) => node.block.brace_token.span.close(),
        Expr::Tuple(node) => node.paren_token.span.close(),
        Expr::Unsafe(node) => node.block.brace_token.span.close(),
        Expr::Verbatim(tokens) => tokens_last(tokens),
        Expr::While(node) => node.body.brace_token.span.close(),
        _ => Span::call_site(),
    }
}

/// The token of a field name or index.
pub(super) fn member_span(member: &syn::Member) -> Span {
    match member {
        syn::Member::Named(ident) => ident.span(),
        syn::Member::Unnamed(index) => index.span,
    }
}

/// The first token of a path.
pub(super) fn path_first(path: &syn::Path) -> Span {
    match (&path.leading_colon, path.segments.first()) {
        (Some(colon), _) => colon.spans[0],
        (None, Some(segment)) => segment.ident.span(),
        (None, None) => Span::call_site(),
    }
}

/// The first token of a path that may be qualified.
pub(super) fn qualified_first(qself: Option<&syn::QSelf>, path: &syn::Path) -> Span {
    qself.map_or_else(|| path_first(path), |qself| qself.lt_token.span)
}

/// The last token of a path that may be qualified.
pub(super) fn qualified_last(qself: Option<&syn::QSelf>, path: &syn::Path) -> Span {
    match (path.segments.last(), qself) {
        (Some(segment), _) => segment_last(segment),
        (None, Some(qself)) => qself.gt_token.span,
        (None, None) => Span::call_site(),
    }
}

fn segment_last(segment: &syn::PathSegment) -> Span {
    match &segment.arguments {
        PathArguments::None => segment.ident.span(),
        PathArguments::AngleBracketed(args) => args.gt_token.span,
        PathArguments::Parenthesized(args) => match &args.output {
            ReturnType::Default => args.paren_token.span.close(),
            ReturnType::Type(_, ty) => type_last(ty),
        },
    }
}

/// The first token of a type.
pub(super) fn type_first(ty: &Type) -> Span {
    match ty {
        Type::Array(node) => node.bracket_token.span.open(),
        Type::FnPtr(node) => node.fn_token.span,
        Type::Group(node) => type_first(&node.elem),
        Type::ImplTrait(node) => node.impl_token.span,
        Type::Infer(node) => node.underscore_token.span,
        Type::Macro(node) => path_first(&node.mac.path),
        Type::Never(node) => node.bang_token.span,
        Type::Paren(node) => node.paren_token.span.open(),
        Type::Path(node) => qualified_first(node.qself.as_ref(), &node.path),
        Type::Ptr(node) => node.star_token.span,
        Type::Reference(node) => node.and_token.span,
        Type::Slice(node) => node.bracket_token.span.open(),
        Type::TraitObject(node) => {
            node.dyn_token.map_or_else(|| bounds_first(node.bounds.first()), |token| token.span)
        }
        Type::Tuple(node) => node.paren_token.span.open(),
        Type::Verbatim(tokens) => tokens_first(tokens),
        _ => Span::call_site(),
    }
}

fn bounds_first(bound: Option<&syn::TypeParamBound>) -> Span {
    match bound {
        Some(syn::TypeParamBound::Trait(bound)) => path_first(&bound.path),
        Some(syn::TypeParamBound::Lifetime(lifetime)) => lifetime.apostrophe,
        _ => Span::call_site(),
    }
}

fn bounds_last(bound: Option<&syn::TypeParamBound>, fallback: Span) -> Span {
    match bound {
        Some(syn::TypeParamBound::Trait(bound)) => qualified_last(None, &bound.path),
        Some(syn::TypeParamBound::Lifetime(lifetime)) => lifetime.ident.span(),
        _ => fallback,
    }
}

/// The last token of a type.
pub(super) fn type_last(ty: &Type) -> Span {
    match ty {
        Type::Array(node) => node.bracket_token.span.close(),
        Type::FnPtr(node) => match &node.output {
            ReturnType::Default => node.paren_token.span.close(),
            ReturnType::Type(_, ty) => type_last(ty),
        },
        Type::Group(node) => type_last(&node.elem),
        Type::ImplTrait(node) => bounds_last(node.bounds.last(), node.impl_token.span),
        Type::Macro(node) => node.mac.delimiter.span().close(),
        Type::Paren(node) => node.paren_token.span.close(),
        Type::Path(node) => qualified_last(node.qself.as_ref(), &node.path),
        Type::Ptr(node) => type_last(&node.elem),
        Type::Reference(node) => type_last(&node.elem),
        Type::Slice(node) => node.bracket_token.span.close(),
        Type::TraitObject(node) => bounds_last(node.bounds.last(), type_first(ty)),
        Type::Tuple(node) => node.paren_token.span.close(),
        Type::Verbatim(tokens) => tokens_last(tokens),
        _ => type_first(ty),
    }
}

/// The first token of a pattern.
pub(super) fn pat_first(pat: &Pat) -> Span {
    match pat {
        Pat::Const(node) => node.const_token.span,
        Pat::Guard(node) => pat_first(&node.pat),
        Pat::Ident(node) => match (&node.by_ref, &node.mutability) {
            (Some(token), _) => token.span,
            (None, Some(token)) => token.span,
            (None, None) => node.ident.span(),
        },
        Pat::Lit(node) => node.lit.span(),
        Pat::Macro(node) => path_first(&node.mac.path),
        Pat::Or(node) => match (&node.leading_vert, node.cases.first()) {
            (Some(token), _) => token.span,
            (None, Some(case)) => pat_first(case),
            (None, None) => Span::call_site(),
        },
        Pat::Paren(node) => node.paren_token.span.open(),
        Pat::Path(node) => qualified_first(node.qself.as_ref(), &node.path),
        Pat::Range(node) => node.start.as_deref().map_or_else(|| range_token(&node.limits), expr_first),
        Pat::Reference(node) => node.and_token.span,
        Pat::Rest(node) => node.dot2_token.spans[0],
        Pat::Slice(node) => node.bracket_token.span.open(),
        Pat::Struct(node) => qualified_first(node.qself.as_ref(), &node.path),
        Pat::Tuple(node) => node.paren_token.span.open(),
        Pat::TupleStruct(node) => qualified_first(node.qself.as_ref(), &node.path),
        Pat::Type(node) => pat_first(&node.pat),
        Pat::Verbatim(tokens) => tokens_first(tokens),
        Pat::Wild(node) => node.underscore_token.span,
        _ => Span::call_site(),
    }
}

/// The last token of a pattern.
pub(super) fn pat_last(pat: &Pat) -> Span {
    match pat {
        Pat::Const(node) => node.block.brace_token.span.close(),
        Pat::Guard(node) => expr_last(&node.guard),
        Pat::Ident(node) => node.subpat.as_ref().map_or(node.ident.span(), |(_, inner)| pat_last(inner)),
        Pat::Macro(node) => node.mac.delimiter.span().close(),
        Pat::Or(node) => node.cases.last().map_or_else(Span::call_site, pat_last),
        Pat::Paren(node) => node.paren_token.span.close(),
        Pat::Path(node) => qualified_last(node.qself.as_ref(), &node.path),
        Pat::Range(node) => node.end.as_deref().map_or_else(|| range_token_last(&node.limits), expr_last),
        Pat::Reference(node) => pat_last(&node.pat),
        Pat::Rest(node) => node.dot2_token.spans[1],
        Pat::Slice(node) => node.bracket_token.span.close(),
        Pat::Struct(node) => node.brace_token.span.close(),
        Pat::Tuple(node) => node.paren_token.span.close(),
        Pat::TupleStruct(node) => node.paren_token.span.close(),
        Pat::Type(node) => type_last(&node.ty),
        Pat::Verbatim(tokens) => tokens_last(tokens),
        _ => pat_first(pat),
    }
}

/// The first token of a stream.
pub(super) fn tokens_first(tokens: &TokenStream) -> Span {
    match tokens.clone().into_iter().next() {
        Some(proc_macro2::TokenTree::Group(group)) => group.span_open(),
        Some(token) => token.span(),
        None => Span::call_site(),
    }
}

/// The last token of a stream.
pub(super) fn tokens_last(tokens: &TokenStream) -> Span {
    match tokens.clone().into_iter().last() {
        Some(proc_macro2::TokenTree::Group(group)) => group.span_close(),
        Some(token) => token.span(),
        None => Span::call_site(),
    }
}
