//! The outline of a text: its items without the bodies of functions, which are lowered when they are asked for.
//!
//! Most functions of a tree are never on the way of a value to a key, and parsing their bodies is most of the work of
//! the front end. The lexer finds where a body ends and which names it spells; the parser sees blanks in its place.
//! A body stays where it is when more than the function itself may depend on it: when it may define items, or calls
//! a macro of the tree.

use std::ops::Range;
use std::sync::Arc;

use super::lexer::{Lexer, Token, TokenKind};
use super::macros::MacroTable;
use super::recover::{Part, is_item_keyword};
use super::spans::SpanMap;
use super::{Lowerer, guard, range_span};
use crate::frontend::Edition;
use crate::ir::{DeferredBody, FileId, Gap, LateBody, NameHash};

/// A text without the bodies that can wait.
pub(super) struct Outline {
    /// The text with blanks in their place; all other bytes are where they were.
    pub text: String,
    /// The functions whose bodies are missing, by the place of the opening brace.
    pub functions: Vec<OutlinedFunction>,
}

/// A function whose body can wait.
pub(super) struct OutlinedFunction {
    /// From the first qualifier to the closing brace.
    range: Range<usize>,
    /// Inside the braces.
    body: Range<usize>,
    names: Vec<NameHash>,
}

/// Where the code of an outline comes from.
pub(super) struct Origin<'t> {
    pub file: FileId,
    pub text: &'t Arc<str>,
    pub edition: Edition,
}

impl Outline {
    /// The outline of a text from a byte on; `None` when all of it is needed.
    pub fn new(text: &str, start: usize, macros: &MacroTable) -> Option<Outline> {
        let tokens = Lexer::new(text, start);
        let mut scanner = Scanner { text, tokens, macros, functions: Vec::new(), blanks: Vec::new() };
        scanner.run();
        if scanner.blanks.is_empty() {
            return None;
        }
        let mut blanked = String::with_capacity(text.len());
        let mut at = 0;
        for blank in &scanner.blanks {
            blanked.push_str(text.get(at..blank.start)?);
            push_blanks(text.get(blank.clone())?, &mut blanked);
            at = blank.end;
        }
        blanked.push_str(text.get(at..)?);
        Some(Outline { text: blanked, functions: scanner.functions })
    }
}

/// The text with every character replaced by blanks of the same length; lines stay.
fn push_blanks(text: &str, into: &mut String) {
    let mut at = 0;
    for line in memchr::memchr_iter(b'\n', text.as_bytes()).chain([text.len()]) {
        into.extend(std::iter::repeat_n(' ', line - at));
        if line < text.len() {
            into.push('\n');
        }
        at = line + 1;
    }
}

impl OutlinedFunction {
    /// Where its body opens.
    pub fn brace(&self) -> usize {
        self.body.start.saturating_sub(1)
    }

    /// The body, to be lowered from the text when it is asked for.
    pub fn deferred(self, origin: &Origin<'_>) -> DeferredBody {
        let (file, text, edition) = (origin.file, Arc::clone(origin.text), origin.edition);
        let range = self.range;
        let lower = move || lower_function(file, &text, range.clone(), edition);
        DeferredBody::new(self.names, Box::new(lower))
    }
}

fn lower_function(file: FileId, text: &str, range: Range<usize>, edition: Edition) -> LateBody {
    let code = text.get(range.clone()).unwrap_or_default();
    let macros = MacroTable::default();
    let mut lowerer = Lowerer::new(SpanMap::new(file, range.start, code), edition, &macros);
    let parsed = match guard::exceeded(code) {
        Some(limit) => Err((range.clone(), limit.message())),
        None => {
            let part = Part { range: range.clone(), first: range, ..Part::default() };
            let parsed = lowerer.parse(code, &part, |input| input.parse::<syn::ImplItemFn>());
            parsed.map_err(|(at, error)| (at, format!("{error}; fix the syntax error")))
        }
    };
    let body = parsed.map(|node| lowerer.function_body(&node.sig, &node.block));
    proc_macro2::extra::invalidate_current_thread_spans();
    let mut late = LateBody { body: None, gaps: lowerer.gaps };
    match body {
        Ok(body) => late.body = Some(body),
        Err((at, why)) => {
            let message = format!("{} is not analysed: {why}", label(code));
            late.gaps.push(Gap { span: range_span(file, &at), message });
        }
    }
    late
}

/// What a function is called in messages.
fn label(code: &str) -> String {
    let words = Lexer::new(code, 0).filter_map(|token| code.get(token.start..token.end));
    let name = words.skip_while(|word| *word != "fn").nth(1).unwrap_or_default();
    format!("`fn {name}`")
}

struct Scanner<'t> {
    text: &'t str,
    tokens: Lexer<'t>,
    macros: &'t MacroTable,
    functions: Vec<OutlinedFunction>,
    /// What the parser need not see, in order.
    blanks: Vec<Range<usize>>,
}

impl<'t> Scanner<'t> {
    fn run(&mut self) {
        let mut end = self.tokens.end();
        let mut before = [None; 2];
        // The first of the words in front of `fn` that belong to it.
        let mut first: Option<usize> = None;
        while let Some(token) = self.tokens.next() {
            let word = self.word(token);
            self.comments(end..token.start);
            match token.kind {
                TokenKind::Word if word == "fn" => {
                    self.function(first.unwrap_or(token.start));
                    first = None;
                }
                TokenKind::Word if is_qualifier(word) => first = first.or(Some(token.start)),
                // `extern "C" fn`
                TokenKind::Literal if first.is_some() => {}
                TokenKind::Open(_) if self.is_opaque(before) => {
                    self.skip_group();
                    first = None;
                }
                _ => first = None,
            }
            before = [before[1], Some(token)];
            end = self.tokens.end();
        }
    }

    /// Blanks the line comments between two tokens. To the parser those of documentation are attributes, and items
    /// begin with the first: the slashes of that one stay.
    fn comments(&mut self, between: Range<usize>) {
        let text = self.text.get(between.clone()).unwrap_or_default();
        if !text.contains("//") || text.contains("/*") {
            return;
        }
        let mut kept = false;
        let mut at = between.start;
        for line in text.split_inclusive('\n') {
            let comment = line.trim_start();
            let start = at + line.len() - comment.len();
            at += line.len();
            let documents = comment.starts_with("///") && !comment.starts_with("////");
            let slashes = if documents && !std::mem::replace(&mut kept, true) { 3 } else { 0 };
            if comment.starts_with("//") {
                self.blanks.push(start + slashes..at);
            }
        }
    }

    fn word(&self, token: Token) -> &'t str {
        self.text.get(token.start..token.end).unwrap_or_default()
    }

    /// Whether the group behind two tokens is that of a macro call or definition, or of an attribute.
    fn is_opaque(&self, before: [Option<Token>; 2]) -> bool {
        let is = |token: Option<Token>, byte| token.is_some_and(|token| token.kind == TokenKind::Punct(byte));
        let is_word = |token: Option<Token>| token.is_some_and(|token| token.kind == TokenKind::Word);
        // `name! {`, `macro_rules! name {`, `#[`, `#![`
        is(before[1], b'!') && (is_word(before[0]) || is(before[0], b'#'))
            || is(before[0], b'!') && is_word(before[1])
            || is(before[1], b'#')
    }

    /// Moves behind the bracket that closes the one just seen.
    fn skip_group(&mut self) {
        let mut depth = 1_usize;
        for token in self.tokens.by_ref() {
            match token.kind {
                TokenKind::Open(_) => depth += 1,
                TokenKind::Close(_) => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }

    /// Reads a function behind its `fn`.
    fn function(&mut self, start: usize) {
        if !self.tokens.next().is_some_and(|name| name.kind == TokenKind::Word) {
            // The type of a pointer to a function.
            return;
        }
        let (mut depth, mut angles) = (0_usize, 0_usize);
        let mut last = TokenKind::Word;
        while let Some(token) = self.tokens.next() {
            match token.kind {
                TokenKind::Open(b'{') if depth == 0 && angles == 0 => return self.body(start, token.end),
                // The value of a const argument.
                TokenKind::Open(b'{') => self.skip_group(),
                TokenKind::Open(_) => depth += 1,
                TokenKind::Close(_) => depth = depth.saturating_sub(1),
                // In brackets they may be operators, and have no say.
                TokenKind::Punct(b'<') if depth == 0 => angles += 1,
                TokenKind::Punct(b'>') if depth == 0 && last != TokenKind::Punct(b'-') => {
                    angles = angles.saturating_sub(1);
                }
                TokenKind::Punct(b';') if depth == 0 => return,
                _ => {}
            }
            last = token.kind;
        }
    }

    /// Reads a body behind its brace, and notes the function when its body can wait.
    fn body(&mut self, start: usize, open: usize) {
        let mut depth = 1_usize;
        // An inner attribute belongs to the item.
        let mut can_wait = !self.text.get(open..).unwrap_or_default().trim_start().starts_with("#!");
        let mut names = Vec::new();
        let mut last: Option<&str> = None;
        while let Some(token) = self.tokens.next() {
            let word = self.word(token);
            match token.kind {
                TokenKind::Open(_) => depth += 1,
                TokenKind::Close(_) => depth -= 1,
                TokenKind::Word => {
                    can_wait &= !begins_item(word);
                    names.push(NameHash::of(word.strip_prefix("r#").unwrap_or(word)));
                    if matches!(word, "write" | "writeln") {
                        names.push(NameHash::of("write_fmt"));
                    }
                }
                TokenKind::Literal => names_in_literal(word, &mut names),
                TokenKind::Punct(b'!') => {
                    can_wait &= last.is_none_or(|name| self.macros.rules(name).is_none())
                }
                TokenKind::Bad => can_wait = false,
                TokenKind::Punct(_) | TokenKind::Lifetime => {}
            }
            if depth == 0 {
                if can_wait {
                    let (range, body) = (start..token.end, open..token.start);
                    self.blanks.push(body.clone());
                    self.functions.push(OutlinedFunction { range, body, names });
                }
                return;
            }
            last = (token.kind == TokenKind::Word).then_some(word);
        }
    }
}

/// Whether a word may stand between the visibility and the `fn` of a function.
fn is_qualifier(word: &str) -> bool {
    matches!(word, "const" | "async" | "unsafe" | "safe" | "extern" | "default" | "gen")
}

/// Whether a word may begin an item inside a body.
fn begins_item(word: &str) -> bool {
    is_item_keyword(word) || matches!(word, "impl" | "extern" | "thread_local" | "lazy_static" | "cfg_if")
}

/// What a literal names: the field of a tuple, the part of a map or of JSON, or what a format captures.
fn names_in_literal(literal: &str, names: &mut Vec<NameHash>) {
    if literal.starts_with(|first: char| first.is_ascii_digit()) {
        names.extend(literal.split('.').map(NameHash::of));
        return;
    }
    names.extend(literal.split('"').nth(1).filter(|content| content.len() < 64).map(NameHash::of));
    for (at, _) in literal.match_indices('{') {
        let rest = literal.get(at + 1..).unwrap_or_default().trim_start();
        let name = rest.split(|next: char| !next.is_alphanumeric() && next != '_').next().unwrap_or_default();
        if !name.is_empty() {
            names.push(NameHash::of(name));
        }
    }
}
