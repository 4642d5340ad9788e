//! The front end for Rust: syn's syntax trees to the intermediate representation.

mod assign;
mod attributes;
mod chain;
mod closure;
mod control;
mod expr;
mod extent;
mod frame;
mod items;
mod macros;
mod pattern;
mod renumber;
mod spans;
mod types;

pub use macros::MacroTable;

use super::Edition;
use crate::ir::{FileId, FileIr, Gap, Span};
use frame::Frame;
use spans::SpanMap;

/// Lowers one file. Never fails: what could not be understood is in the result's gaps.
pub fn lower_rust(file: FileId, bytes: &[u8], edition: Edition) -> FileIr {
    lower_rust_with(file, bytes, edition, &MacroTable::default())
}

/// Lowers one file whose macros may be defined in other files of the tree.
pub fn lower_rust_with(file: FileId, bytes: &[u8], edition: Edition, macros: &MacroTable) -> FileIr {
    let _ = edition;
    let text = String::from_utf8_lossy(bytes);
    let mut lowerer = Lowerer::new(SpanMap::new(file, 0, &text), macros);
    let (items, attributes) = match syn::parse_file(&text) {
        Ok(parsed) => {
            let attributes = lowerer.attributes(&parsed.attrs);
            (lowerer.items(&parsed.items), attributes)
        }
        Err(error) => {
            let span = lowerer.spans.one(error.span());
            lowerer.gap(span, format!("cannot parse the file: {error}"));
            (Vec::new(), crate::ir::Attributes::default())
        }
    };
    proc_macro2::extra::invalidate_current_thread_spans();
    FileIr { file, items, attributes, gaps: lowerer.gaps }
}

/// The state of lowering one file, or a part of one.
struct Lowerer<'t> {
    spans: SpanMap,
    gaps: Vec<Gap>,
    /// The body under construction.
    frame: Frame,
    /// The bodies around it, the outermost first.
    outer: Vec<Frame>,
    macros: macros::MacroScope,
    table: &'t MacroTable,
}

impl<'t> Lowerer<'t> {
    fn new(spans: SpanMap, table: &'t MacroTable) -> Lowerer<'t> {
        Lowerer {
            spans,
            gaps: Vec::new(),
            frame: Frame::new(),
            outer: Vec::new(),
            macros: macros::MacroScope::default(),
            table,
        }
    }

    fn gap(&mut self, span: Span, message: String) {
        self.gaps.push(Gap { span, message });
    }
}
