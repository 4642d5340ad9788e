//! What holds of the result of lowering, whatever the bytes are. The fuzz targets check the same.

use cargo_samekey::frontend::{Edition, lower_rust};
use cargo_samekey::ir::{Body, FileId, FunctionBody, Item, ItemKind, Span, Terminator};

/// Lowers the bytes in an old and a new edition and checks what comes out.
///
/// # Panics
/// When a span lies outside of the file or inside a character, or a block leads nowhere.
pub fn check(bytes: &[u8]) {
    for edition in [Edition::Rust2015, Edition::Rust2024] {
        let ir = lower_rust(FileId(7), bytes, edition);
        let text = std::str::from_utf8(bytes).ok();
        let spans = Spans { length: bytes.len(), text };
        ir.gaps.iter().for_each(|gap| spans.check(gap.span));
        ir.items.iter().for_each(|item| spans.item(item));
    }
}

struct Spans<'t> {
    length: usize,
    text: Option<&'t str>,
}

impl Spans<'_> {
    fn check(&self, span: Span) {
        let (start, end) = (span.start as usize, span.end as usize);
        assert_eq!(span.file, FileId(7));
        assert!(start <= end && end <= self.length, "{span:?} of {}", self.length);
        if let Some(text) = self.text {
            assert!(text.is_char_boundary(start) && text.is_char_boundary(end), "{span:?}");
        }
    }

    fn item(&self, item: &Item) {
        self.check(item.span);
        self.check(item.name_span);
        match &item.kind {
            ItemKind::Function(function) => {
                function.body.iter().filter_map(FunctionBody::get).for_each(|body| self.body(body))
            }
            ItemKind::Impl(value) => value.items.iter().for_each(|item| self.item(item)),
            ItemKind::Trait(value) => value.items.iter().for_each(|item| self.item(item)),
            ItemKind::Module(module) => module.items.iter().flatten().for_each(|item| self.item(item)),
            ItemKind::Static(value) => value.initializer.iter().for_each(|body| self.body(body)),
            _ => {}
        }
    }

    fn body(&self, body: &Body) {
        body.locals.iter().for_each(|local| self.check(local.span));
        body.loops.iter().for_each(|looped| self.check(looped.span));
        body.items.iter().for_each(|item| self.item(item));
        for closure in &body.closures {
            self.check(closure.span);
            self.body(&closure.body);
        }
        for block in &body.blocks {
            block.statements.iter().for_each(|statement| self.check(statement.span));
            let successors = match &block.terminator {
                Terminator::Goto(block) => vec![*block],
                Terminator::Branch(blocks) => blocks.clone(),
                Terminator::Return(_) | Terminator::Diverge => Vec::new(),
            };
            assert!(successors.iter().all(|block| (block.0 as usize) < body.blocks.len()));
        }
    }
}
