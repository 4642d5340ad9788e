//! Bounds how deep a text nests, and how long its numbers are, before it is parsed.
//!
//! The parser, the destructors of its trees and the lowering recurse, and overflowing the stack cannot be caught.
//! Measured on syn 3 and a stack of 64 MiB: ten thousand nested `Vec<` or functions overflow, three thousand do
//! not; half a million postfix operations in one chain do not.
//!
//! Two quantities are bounded. The heavy depth counts what makes the parser recurse: brackets, and inside a
//! bracket everything since the last separator that opens another operand (prefix operators, `<`, `return`,
//! closures, `=`, `->`). The light depth counts what only makes trees deep that are built in a loop: method
//! calls, fields, `?` and binary operators.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::lexer::{Lexer, Token, TokenKind};

/// The deepest nesting that is parsed.
pub(super) const HEAVY_LIMIT: usize = 500;
/// The longest chain of postfix and binary operations that is parsed.
pub(super) const LIGHT_LIMIT: usize = 150_000;

/// The longest number that is parsed: the parser multiplies it out digit by digit each time that it looks at it.
const NUMBER_LIMIT: usize = 1_000;

/// What the parser cannot take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limit {
    /// It overflows the stack.
    Nesting,
    /// It takes minutes.
    Number,
}

impl Limit {
    /// What is wrong and what to do.
    pub fn message(self) -> String {
        match self {
            Limit::Nesting => format!("it nests more than {HEAVY_LIMIT} levels deep; split it up"),
            Limit::Number => format!("it has a number of more than {NUMBER_LIMIT} digits; shorten it"),
        }
    }
}

/// The limit of the parser that the text exceeds.
pub(super) fn exceeded(text: &str) -> Option<Limit> {
    let mut depth = Depth::new();
    let mut tokens = Lexer::new(text, 0);
    tokens.find_map(|token| depth.add(token, text.as_bytes()))
}

/// How deep the tokens of a macro expansion nest, at most.
///
/// Cheaper and coarser than the scan over a text: any operator may make the parser recurse, and so may two words
/// in a row.
pub(super) fn token_depth(tokens: &TokenStream) -> usize {
    let (mut deepest, mut run, mut lasting, mut last) = (0, 0_usize, 0_usize, ' ');
    for tree in tokens.clone() {
        let next = match &tree {
            TokenTree::Group(group) => {
                deepest = deepest.max(run + lasting + 1 + token_depth(&group.stream()));
                if group.delimiter() == Delimiter::Brace {
                    run = 0;
                }
                ' '
            }
            TokenTree::Punct(punct) => punct.as_char(),
            TokenTree::Ident(_) => 'a',
            TokenTree::Literal(_) => ' ',
        };
        match next {
            ',' => run = 0,
            ';' => (run, lasting) = (0, 0),
            '<' | '|' => lasting += 1,
            '>' if last != '-' && last != '=' => lasting = lasting.saturating_sub(1),
            'a' if last == 'a' => run += 1,
            'a' | ' ' | '.' | ':' | '?' => {}
            _ => run += 1,
        }
        last = next;
        deepest = deepest.max(run + lasting);
    }
    deepest
}

/// What has been opened at one bracket level since the last separator.
#[derive(Clone, Copy, Default)]
struct Level {
    heavy: usize,
    light: usize,
    /// Open `<`, which a comma does not end.
    angles: usize,
    /// Closures, which a comma does not end.
    closures: usize,
    after_brace: bool,
}

/// Running depths.
pub(super) struct Depth {
    levels: Vec<Level>,
    current: Level,
    heavy: usize,
    light: usize,
    /// Whether the last token ends an operand, so that an operator after it is binary.
    operand: bool,
    /// The `&` or `|` before, when it was a binary operator.
    infix: u8,
    last: u8,
    last_end: usize,
    after_else: bool,
}

impl Depth {
    pub fn new() -> Depth {
        Depth {
            levels: Vec::new(),
            current: Level::default(),
            heavy: 0,
            light: 0,
            operand: false,
            infix: 0,
            last: 0,
            last_end: 0,
            after_else: false,
        }
    }

    /// Adds a token. Says which limit is exceeded.
    pub fn add(&mut self, token: Token, bytes: &[u8]) -> Option<Limit> {
        let after_else = std::mem::take(&mut self.after_else);
        let adjacent = self.last_end == token.start;
        let last = std::mem::replace(&mut self.last, 0);
        match token.kind {
            TokenKind::Open(_) => self.open(),
            TokenKind::Close(byte) => self.close(byte),
            TokenKind::Word => {
                self.word(bytes.get(token.start..token.end).unwrap_or_default(), after_else);
            }
            TokenKind::Literal | TokenKind::Lifetime => {
                self.end_block();
                self.operand = token.kind == TokenKind::Literal;
            }
            TokenKind::Bad => self.operand = false,
            TokenKind::Punct(byte) => {
                let next = bytes.get(token.end).copied().unwrap_or(0);
                self.punct(byte, if adjacent { last } else { 0 }, next);
                self.last = byte;
            }
        }
        self.last_end = token.end;
        let number = token.kind == TokenKind::Literal
            && token.end - token.start > NUMBER_LIMIT
            && bytes.get(token.start).is_some_and(u8::is_ascii_digit);
        let deep =
            self.heavy + self.current.heavy > HEAVY_LIMIT || self.light + self.current.light > LIGHT_LIMIT;
        match (deep, number) {
            (true, _) => Some(Limit::Nesting),
            (false, true) => Some(Limit::Number),
            (false, false) => None,
        }
    }

    fn open(&mut self) {
        self.current.light += 1;
        self.current.heavy += 1;
        self.heavy += self.current.heavy;
        self.light += self.current.light;
        self.levels.push(self.current);
        self.current = Level::default();
        self.operand = false;
    }

    fn close(&mut self, byte: u8) {
        if let Some(level) = self.levels.pop() {
            self.heavy -= level.heavy;
            self.light -= level.light;
            self.current = level;
            self.current.heavy = self.current.heavy.saturating_sub(1);
        } else {
            self.current = Level::default();
        }
        self.current.after_brace = byte == b'}';
        self.operand = true;
    }

    /// After a block, a word or literal starts a new statement, item or arm.
    fn end_block(&mut self) {
        if self.current.after_brace {
            self.current = Level::default();
        }
    }

    fn word(&mut self, word: &[u8], after_else: bool) {
        self.operand = !matches!(
            word,
            b"return"
                | b"break"
                | b"if"
                | b"match"
                | b"while"
                | b"for"
                | b"in"
                | b"let"
                | b"move"
                | b"mut"
                | b"else"
                | b"dyn"
                | b"impl"
                | b"fn"
                | b"box"
                | b"yield"
                | b"async"
                | b"ref"
                | b"unsafe"
                | b"const"
                | b"static"
                | b"where"
                | b"as"
                | b"raw"
                | b"become"
                | b"do"
                | b"loop"
        );
        match word {
            b"else" => self.after_else = true,
            b"as" => self.current.light += 1,
            // `else if` chains are parsed in a loop.
            b"if" if after_else => self.current.light += 1,
            _ => {
                self.end_block();
                if !self.operand {
                    self.current.heavy += 1;
                }
            }
        }
        self.current.after_brace = false;
    }

    fn punct(&mut self, byte: u8, last: u8, next: u8) {
        let infix = std::mem::take(&mut self.infix);
        let level = &mut self.current;
        if byte == b'#' && level.after_brace {
            *level = Level::default();
        }
        level.after_brace = false;
        let was_operand = std::mem::take(&mut self.operand);
        match byte {
            b';' => *level = Level::default(),
            b',' => {
                let Level { angles, closures, .. } = *level;
                *level = Level { heavy: angles + closures, angles, closures, ..Level::default() };
            }
            b'?' => {
                level.light += 1;
                self.operand = was_operand;
            }
            b'<' if next != b'=' => {
                level.heavy += 1;
                level.angles += 1;
            }
            b'>' if last == b'-' => level.heavy += 1,
            b'>' if last != b'=' && level.angles > 0 => {
                level.heavy = level.heavy.saturating_sub(1);
                level.angles -= 1;
                self.operand = true;
            }
            b'=' if matches!(last, b'=' | b'!' | b'<' | b'>' | b'.') || matches!(next, b'=' | b'>') => {
                level.light += 1;
            }
            b'=' | b'@' => level.heavy += 1,
            b'&' | b'|' if was_operand => {
                level.light += 1;
                self.infix = byte;
            }
            // The second character of `&&` or `||`.
            b'&' | b'|' if infix == byte && last == byte => level.light += 1,
            b'|' => {
                level.heavy += 1;
                level.closures += 1;
            }
            // The second character of `..`.
            b'.' if last == b'.' => level.light += 1,
            b'!' | b'-' | b'*' | b'&' | b'.' if !was_operand => level.heavy += 1,
            _ => level.light += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repeated(before: &str, unit: &str, count: usize, after: &str) -> bool {
        exceeded(&format!("{before}{}{after}", unit.repeat(count))).is_some()
    }

    #[test]
    fn whatever_makes_the_parser_recurse_is_bounded() {
        let units = [
            "(",
            "[",
            "{",
            "f(",
            "a.f(",
            "Vec<",
            "Vec <",
            "A<B, ",
            "A < B , ",
            "!",
            "- ",
            "&",
            "& mut ",
            "*",
            "return ",
            "break ",
            "|x| ",
            "|x, y| ",
            "|| ",
            "|x| x > ",
            "move || ",
            "a = ",
            "a += ",
            "x @ ",
            "fn() -> ",
            "if ",
            "match ",
            "if a { match b { _ => ",
            "<",
            "<A as B<",
            ".. ",
            "mod a {",
            "fn a() {",
            "S { a: ",
            "loop { ",
            "a[",
            "&&",
            "HashMap << K as A>::B , ",
            "impl Fn() -> ",
            "let x = ",
            "async move {",
            "for x in ",
        ];
        for unit in units {
            assert!(repeated("fn f() { x ", unit, 10_000, ""), "{unit}");
            assert!(!repeated("fn f() { x ", unit, 100, ""), "{unit}");
        }
    }

    #[test]
    fn long_chains_and_long_lists_are_not_deep() {
        let units = [
            ".f()",
            ".b",
            " + a",
            " && a",
            " || a",
            " == b && c",
            " as u8",
            "?",
            "::a",
            " else if a {}",
            ", a < b()",
            "; !a",
            "; if a {} ",
            "} fn f(a: &A) -> Vec<A> { |x| -x; ",
            "} { (A, B) => &x ",
            ", |x| x + 1",
            " - 1",
            " | 'a'..='b'",
            ", A = 1 << 3",
        ];
        for unit in units {
            let commas = unit.contains('<') || unit.contains('|') && unit.starts_with(',');
            let count = if commas { 200 } else { 20_000 };
            assert!(!repeated("fn f() { x", unit, count, ""), "{unit}");
        }
    }

    #[test]
    fn chains_beyond_the_light_limit_are_too_deep() {
        assert!(repeated("fn f() { x", ".f()", LIGHT_LIMIT, "; }"));
    }
}
