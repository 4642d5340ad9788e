//! Macros that the tree defines with `macro_rules!`.

use proc_macro2::TokenStream;
use syn::Macro;

use super::super::Lowerer;
use crate::ir::Span;

/// Macros of other files of the tree.
#[derive(Clone, Debug, Default)]
pub struct MacroTable {}

/// The macros in scope.
#[derive(Default)]
pub(in super::super) struct MacroScope {}

impl Lowerer<'_> {
    /// Makes a macro definition visible.
    pub(in super::super) fn declare_macro(&mut self, _item: &syn::Item) {}

    /// Expands a macro call of the tree and lowers the result.
    pub(super) fn expand<T>(
        &mut self,
        _mac: &Macro,
        _name: &str,
        _span: Span,
        _lower: impl FnOnce(&mut Self, TokenStream) -> Option<T>,
    ) -> Option<T> {
        None
    }

    /// The macro expansion that an identifier was written in; zero outside of templates.
    pub(in super::super) fn ident_expansion(&self, _span: proc_macro2::Span) -> u32 {
        0
    }
}
