//! The front end for Rust: syn's syntax trees to the intermediate representation.

mod assign;
mod attributes;
mod chain;
mod closure;
mod control;
mod decode;
mod defaults;
mod expr;
mod extent;
mod frame;
mod guard;
mod items;
mod lexer;
mod macros;
mod moves;
mod outline;
mod parts;
mod pattern;
mod recover;
mod renumber;
mod spans;
mod truth;
mod types;

pub use macros::{MacroTable, collect_macros};

use std::str::FromStr as _;
use std::sync::Arc;

use proc_macro2::TokenStream;
use rustc_hash::FxHashMap;

use super::Edition;
use crate::ir::{Attributes, FileId, FileIr, Gap, Item, Name, Span};
use frame::Frame;
use outline::{Origin, Outline, OutlinedFunction};
use spans::SpanMap;

/// Lowers one file. Never fails: what could not be understood is in the result's gaps.
///
/// The calling thread needs a stack of 64 MiB for the deepest code that is still analysed.
pub fn lower_rust(file: FileId, bytes: &[u8], edition: Edition) -> FileIr {
    lower_rust_with(file, bytes, edition, &MacroTable::default())
}

/// Lowers one file. `macros` are those of the tree that it can call, its own included. Bodies of functions wait until
/// they are asked for where that makes no difference.
pub fn lower_rust_late(file: FileId, text: &Arc<str>, edition: Edition, macros: &MacroTable) -> FileIr {
    let late = outlined(&Origin { file, text, edition }, macros);
    late.unwrap_or_else(|| lower_rust_with(file, text.as_bytes(), edition, macros))
}

/// The items of a file with bodies that wait; `None` when there are none, or when the file does not parse.
fn outlined(origin: &Origin<'_>, macros: &MacroTable) -> Option<FileIr> {
    let decoded = decode::decode(origin.text.as_bytes());
    if decoded.problem.is_some() {
        return None;
    }
    let start = decoded.start;
    let mut outline = Outline::new(origin.text, start, macros)?;
    let code = outline.text.get(start..)?;
    if guard::exceeded(code).is_some() {
        return None;
    }
    let mut lowerer = Lowerer::new(SpanMap::new(origin.file, start, code), origin.edition, macros);
    lowerer.outlined = outline.functions.drain(..).map(|function| (function.brace(), function)).collect();
    lowerer.origin = Some(origin);
    let whole = lowerer.whole(code);
    proc_macro2::extra::invalidate_current_thread_spans();
    let (items, attributes) = whole?;
    // A body that nobody asked for would be lost, and one may call a macro that another macro has defined.
    if !lowerer.outlined.is_empty() || lowerer.macros.defines_beyond(macros) {
        return None;
    }
    lowerer.gaps.sort_by_key(|gap| gap.span);
    Some(FileIr { file: origin.file, items, attributes, gaps: lowerer.gaps })
}

/// Lowers one file whose macros may be defined in other files of the tree.
pub fn lower_rust_with(file: FileId, bytes: &[u8], edition: Edition, macros: &MacroTable) -> FileIr {
    let decoded = decode::decode(bytes);
    let code = &decoded.text[decoded.start..];
    let mut lowerer = Lowerer::new(SpanMap::new(file, decoded.start, code), edition, macros);
    let mut ir = FileIr { file, items: Vec::new(), attributes: Attributes::default(), gaps: Vec::new() };
    if let Some((range, message)) = decoded.problem {
        lowerer.gap(range_span(file, &range), message.to_owned());
    }
    let whole = if guard::exceeded(code).is_some() { None } else { lowerer.whole(code) };
    match whole {
        Some((items, attributes)) => (ir.items, ir.attributes) = (items, attributes),
        None => {
            let text = &decoded.text;
            (ir.items, ir.attributes) = lowerer.parts(text, decoded.start..text.len());
        }
    }
    proc_macro2::extra::invalidate_current_thread_spans();
    lowerer.gaps.sort_by_key(|gap| gap.span);
    ir.gaps = lowerer.gaps;
    ir
}

/// The state of lowering one file, or a part of one.
struct Lowerer<'t> {
    spans: SpanMap,
    edition: Edition,
    gaps: Vec<Gap>,
    /// The body under construction.
    frame: Frame,
    /// The bodies around it, the outermost first.
    outer: Vec<Frame>,
    macros: macros::MacroScope,
    table: &'t MacroTable,
    /// What items of nested blocks are called that share their name with another item of the function.
    renamed: Vec<(Name, Name)>,
    /// Functions whose bodies are left out of the text, by the place of the brace.
    outlined: FxHashMap<usize, OutlinedFunction>,
    /// Where these can be found.
    origin: Option<&'t Origin<'t>>,
}

impl<'t> Lowerer<'t> {
    fn new(spans: SpanMap, edition: Edition, table: &'t MacroTable) -> Lowerer<'t> {
        Lowerer {
            spans,
            edition,
            gaps: Vec::new(),
            frame: Frame::new(),
            outer: Vec::new(),
            macros: macros::MacroScope::default(),
            table,
            renamed: Vec::new(),
            outlined: FxHashMap::default(),
            origin: None,
        }
    }

    /// Lowers a text that parses as a whole.
    fn whole(&mut self, code: &str) -> Option<(Vec<Item>, Attributes)> {
        let tokens = TokenStream::from_str(code).ok()?;
        let parsed: syn::File = syn::parse2(tokens).ok()?;
        let attributes = self.attributes(&parsed.attrs);
        Some((self.items(&parsed.items), attributes))
    }

    fn gap(&mut self, span: Span, message: String) {
        self.gaps.push(Gap { span, message });
    }
}

/// A range of bytes as a span.
fn range_span(file: FileId, range: &std::ops::Range<usize>) -> Span {
    Span { file, start: frame::index(range.start), end: frame::index(range.end) }
}
