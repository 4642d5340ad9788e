//! An index of identifiers, small enough to keep for a whole tree.
//!
//! Names are hashes: two names with one hash only load a file too many.

use crate::ir::NameHash;
use crate::source::lexer::{Token, TokenKind, Tokens, is_identifier_byte, tokens};

/// The identifiers of a file. Words in strings count as names, which only adds some.
#[derive(Clone, Debug, Default)]
pub struct FileIndex {
    /// Names that stand anywhere but behind a dot, sorted.
    plain: Box<[NameHash]>,
    /// Names behind a dot, sorted.
    dotted: Box<[NameHash]>,
    /// Names that an item keyword introduces, methods left out, sorted.
    defined: Box<[NameHash]>,
    /// Functions whose first parameter is a receiver, sorted.
    methods: Box<[NameHash]>,
    blocks: Box<[Block]>,
    /// Whether a function here may never return.
    pub diverges: bool,
    /// Whether all names of some module are imported.
    pub globs: bool,
    /// `use name as alias`, and the name at the head of `type alias = ..;`.
    pub aliases: Box<[(NameHash, NameHash)]>,
}

/// An impl block or a trait.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The names of traits and of the type that it is for, sorted.
    heads: Box<[NameHash]>,
    /// All names in its head, generic arguments included, sorted.
    header: Box<[NameHash]>,
    /// The items in it, also in those within it, sorted.
    members: Box<[NameHash]>,
    /// A head that a macro fills in, or a type parameter, may be any.
    open: bool,
    /// The trait that it declares.
    pub declares: Option<NameHash>,
}

impl Block {
    /// Whether it may be of a trait or for a type of one of the names.
    pub fn may_head(&self, test: impl Fn(NameHash) -> bool) -> bool {
        self.open || self.heads(test)
    }

    /// Whether it certainly is of a trait or for a type of one of the names.
    pub fn heads(&self, test: impl Fn(NameHash) -> bool) -> bool {
        self.heads.iter().any(|name| test(*name))
    }

    /// Whether its head may hold one of the names somewhere, generic arguments included.
    pub fn may_hold(&self, test: impl Fn(NameHash) -> bool) -> bool {
        self.open || self.header.iter().any(|name| test(*name))
    }

    /// The traits and the type that it is of and for.
    #[must_use]
    pub fn all_heads(&self) -> &[NameHash] {
        &self.heads
    }

    /// The names of the items in it.
    #[must_use]
    pub fn members(&self) -> &[NameHash] {
        &self.members
    }
}

impl FileIndex {
    /// Indexes a text.
    #[must_use]
    pub fn new(text: &str) -> FileIndex {
        Indexer::new(text).run()
    }

    /// Whether a name stands anywhere but behind a dot.
    #[must_use]
    pub fn has_plain(&self, name: NameHash) -> bool {
        self.plain.binary_search(&name).is_ok()
    }

    /// Whether a name stands behind a dot.
    #[must_use]
    pub fn has_dotted(&self, name: NameHash) -> bool {
        self.dotted.binary_search(&name).is_ok()
    }

    /// Whether an item that is not a method has the name.
    #[must_use]
    pub fn defines(&self, name: NameHash) -> bool {
        self.defined.binary_search(&name).is_ok()
    }

    /// The names of items that are not methods.
    #[must_use]
    pub fn defined(&self) -> &[NameHash] {
        &self.defined
    }

    /// The names of functions with a receiver, and of those that may have one.
    #[must_use]
    pub fn methods(&self) -> &[NameHash] {
        &self.methods
    }

    /// The names of all functions and other items.
    pub fn members(&self) -> impl Iterator<Item = NameHash> + '_ {
        self.methods.iter().chain(&*self.defined).copied()
    }

    /// The impl blocks and traits.
    #[must_use]
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// All names that stand behind a dot.
    #[must_use]
    pub fn dotted(&self) -> &[NameHash] {
        &self.dotted
    }

    /// All names that stand anywhere but behind a dot.
    #[must_use]
    pub fn plain(&self) -> &[NameHash] {
        &self.plain
    }
}

/// What the identifier before the current one asks for.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Expect {
    #[default]
    Nothing,
    /// After `struct` and the like.
    Definition,
    /// After `trait`.
    Trait,
    /// After `fn`.
    Function,
    /// After `type`.
    AliasName,
    /// After `as`: the identifier before it.
    Alias(NameHash),
}

/// A block while it is read.
#[derive(Default)]
struct Building {
    heads: Vec<NameHash>,
    header: Vec<NameHash>,
    members: Vec<NameHash>,
    open: bool,
    declares: Option<NameHash>,
}

/// What is read between `impl` or `trait` and the block that follows.
#[derive(Default)]
struct Header {
    block: Building,
    /// The generic parameters of the block.
    parameters: Vec<NameHash>,
    /// How deep the current place lies in brackets.
    depth: usize,
    /// Whether only conditions follow.
    ended: bool,
}

struct Indexer<'t> {
    text: &'t str,
    tokens: Tokens<'t>,
    /// The token before the current one, and the one before that; comments left out.
    before: [Option<TokenKind>; 2],
    plain: Vec<NameHash>,
    dotted: Vec<NameHash>,
    defined: Vec<NameHash>,
    methods: Vec<NameHash>,
    diverges: bool,
    globs: bool,
    aliases: Vec<(NameHash, NameHash)>,
    expect: Expect,
    /// The function whose parameters begin.
    begun: Option<NameHash>,
    header: Option<Header>,
    /// Whether the braces of a macro's rules are next.
    macro_begun: bool,
    blocks: Vec<Building>,
    /// The blocks around the current place: how many braces are open in them, and which they are.
    around: Vec<(usize, usize)>,
    braces: usize,
    /// Whether it cannot be told which block an item stands in.
    uneven: bool,
    last: Option<NameHash>,
    /// The alias whose `type .. = ..;` is being read.
    open_alias: Option<NameHash>,
    /// The last name behind the `=` of that alias.
    alias_target: Option<NameHash>,
    in_use: bool,
}

/// Associated types of standard traits. As aliases they would join all types that have one, and code rarely calls a
/// function through them.
const ASSOCIATED: [&[u8]; 9] =
    [b"Item", b"Output", b"Error", b"Err", b"Target", b"IntoIter", b"Owned", b"Future", b"Response"];

impl<'t> Indexer<'t> {
    fn new(text: &'t str) -> Indexer<'t> {
        Indexer {
            text,
            tokens: tokens(text),
            before: [None; 2],
            plain: Vec::new(),
            dotted: Vec::new(),
            defined: Vec::new(),
            methods: Vec::new(),
            diverges: false,
            globs: false,
            aliases: Vec::new(),
            expect: Expect::Nothing,
            begun: None,
            header: None,
            macro_begun: false,
            blocks: Vec::new(),
            around: Vec::new(),
            braces: 0,
            uneven: false,
            last: None,
            open_alias: None,
            alias_target: None,
            in_use: false,
        }
    }

    fn run(mut self) -> FileIndex {
        while let Some(token) = self.tokens.next() {
            match token.kind {
                TokenKind::Comment => continue,
                TokenKind::Identifier => self.identifier(token),
                TokenKind::Text | TokenKind::Unterminated => self.words(token),
                TokenKind::Punctuation(byte) => self.punctuation(byte),
                TokenKind::Number | TokenKind::Lifetime => {}
            }
            self.before = [Some(token.kind), self.before[0]];
        }
        self.defined.extend(self.begun);
        if self.uneven || self.braces > 0 {
            let all: Vec<NameHash> = self.defined.iter().chain(&self.methods).copied().collect();
            self.blocks.iter_mut().for_each(|block| block.members.clone_from(&all));
        }
        let finish = |block: Building| Block {
            heads: sorted(block.heads),
            header: sorted(block.header),
            members: sorted(block.members),
            open: block.open,
            declares: block.declares,
        };
        FileIndex {
            plain: sorted(self.plain),
            dotted: sorted(self.dotted),
            defined: sorted(self.defined),
            methods: sorted(self.methods),
            blocks: self.blocks.into_iter().map(finish).collect(),
            diverges: self.diverges,
            globs: self.globs,
            aliases: self.aliases.into(),
        }
    }

    fn bytes(&self, token: Token) -> &'t [u8] {
        self.text.as_bytes().get(token.start..token.end).unwrap_or_default()
    }

    fn follows(&self, byte: u8) -> bool {
        self.before[0] == Some(TokenKind::Punctuation(byte))
    }

    /// Whether `->` stands before the current place.
    fn follows_arrow(&self) -> bool {
        self.follows(b'>') && self.before[1] == Some(TokenKind::Punctuation(b'-'))
    }

    /// Whether the current identifier follows a dot, but not the two of a range or a struct base.
    fn follows_dot(&self) -> bool {
        self.follows(b'.') && self.before[1] != Some(TokenKind::Punctuation(b'.'))
    }

    /// Format strings and attributes name things.
    fn words(&mut self, token: Token) {
        let bytes = self.bytes(token);
        let mut behind = None;
        for word in bytes.chunk_by(|one, other| is_identifier_byte(*one) == is_identifier_byte(*other)) {
            if word.first().is_some_and(|first| is_identifier_byte(*first) && !first.is_ascii_digit()) {
                let names = if behind == Some(b'.') { &mut self.dotted } else { &mut self.plain };
                names.push(NameHash::of_bytes(word));
            }
            behind = word.last().copied();
        }
    }

    fn punctuation(&mut self, byte: u8) {
        match byte {
            b';' => {
                self.close_alias();
                (self.header, self.in_use) = (None, false);
            }
            b'{' => self.open_brace(),
            b'}' => self.close_brace(),
            b'<' | b'(' | b'[' => self.open_bracket(byte),
            b'>' | b')' | b']' => {
                if !(byte == b'>' && self.follows(b'-'))
                    && let Some(header) = &mut self.header
                {
                    header.depth = header.depth.saturating_sub(1);
                }
            }
            b'$' => {
                if let Some(header) = &mut self.header {
                    header.block.open = true;
                }
            }
            b'*' => self.globs |= self.in_use,
            b'!' => self.diverges |= self.follows_arrow(),
            _ => {}
        }
    }

    fn open_bracket(&mut self, byte: u8) {
        if std::mem::take(&mut self.macro_begun) {
            // Rules in parentheses are not followed.
            self.uneven = true;
            self.blocks.push(Building { open: true, ..Building::default() });
        }
        if byte == b'<' {
            // Behind `fn name<` the first parameter is not in view: the function may be a method or not.
            if let Some(function) = self.begun.take() {
                self.methods.push(function);
                self.defined.push(function);
            }
            // Behind the head of an aliased type stand its arguments.
            if self.alias_target.is_some() {
                self.close_alias();
            }
        }
        if let Some(header) = &mut self.header {
            header.depth += 1;
        }
    }

    fn open_brace(&mut self) {
        self.braces += 1;
        let inside = [b',', b';', b'(', b'['].iter().any(|byte| self.follows(*byte));
        let opens = self.follows(b'<');
        let opened = match self.header.take() {
            // A constant among the arguments.
            Some(header) if opens || header.depth > 0 && inside => {
                self.header = Some(header);
                return;
            }
            Some(mut header) => {
                self.end_header(&mut header);
                header.block
            }
            None if std::mem::take(&mut self.macro_begun) => Building { open: true, ..Building::default() },
            None => return,
        };
        self.around.push((self.braces, self.blocks.len()));
        self.blocks.push(opened);
    }

    fn close_brace(&mut self) {
        if self.around.last().is_some_and(|(braces, _)| *braces == self.braces) {
            self.around.pop();
        }
        match self.braces.checked_sub(1) {
            Some(braces) => self.braces = braces,
            None => self.uneven = true,
        }
    }

    fn close_alias(&mut self) {
        if let (Some(alias), Some(target)) = (self.open_alias.take(), self.alias_target.take()) {
            self.aliases.push((target, alias));
        }
    }

    /// A block for every type, as `impl<T> Extension for T`, may be meant by any. Where generic arguments end the head, a
    /// parameter before it is only an argument.
    fn end_header(&self, header: &mut Header) {
        let is_parameter = self.last.is_some_and(|last| header.parameters.contains(&last));
        header.block.open |= !header.ended && !self.follows(b'>') && is_parameter;
        header.ended = true;
    }

    /// Adds an item to the block around it.
    fn member(&mut self, name: NameHash) {
        if let Some(block) = self.around.last().and_then(|(_, block)| self.blocks.get_mut(*block)) {
            block.members.push(name);
        }
    }

    /// Whether the word is a keyword that is no name. Notes what it says about the next one.
    fn keyword(&mut self, word: &[u8], token: Token) -> bool {
        match word {
            b"fn" => self.expect = Expect::Function,
            b"struct" | b"enum" | b"union" | b"const" | b"static" => self.expect = Expect::Definition,
            b"macro_rules" => (self.expect, self.macro_begun) = (Expect::Definition, true),
            b"trait" => (self.expect, self.header) = (Expect::Trait, Some(Header::default())),
            b"impl" if opens_block(self.text.as_bytes(), token.start) => self.open_header(),
            b"where" => {
                if let Some(mut header) = self.header.take() {
                    self.end_header(&mut header);
                    self.header = Some(header);
                }
            }
            b"type" => self.expect = Expect::AliasName,
            b"as" => {
                self.expect = self.last.filter(|_| self.in_use).map_or(Expect::Nothing, Expect::Alias);
            }
            b"use" => self.in_use = true,
            // `const fn f`, `static mut S`, `async fn`, `-> impl Trait`.
            b"mut" | b"unsafe" | b"async" | b"extern" | b"impl" | b"for" => {}
            _ => return false,
        }
        true
    }

    /// After `impl`: notes the generic parameters of the block, which are no types of their own.
    fn open_header(&mut self) {
        let mut header = Header::default();
        let mut ahead = self.tokens.clone().filter(|token| token.kind != TokenKind::Comment);
        if ahead.next().map(|token| token.kind) == Some(TokenKind::Punctuation(b'<')) {
            let mut depth = 1_usize;
            let mut first = true;
            let mut arrow = false;
            for token in ahead {
                match token.kind {
                    TokenKind::Punctuation(b'<') => depth += 1,
                    TokenKind::Punctuation(b'>') if !arrow => depth -= 1,
                    TokenKind::Punctuation(b'{' | b';') => break,
                    TokenKind::Identifier if first && self.bytes(token) != b"const" => {
                        header.parameters.push(NameHash::of_bytes(self.bytes(token)));
                        first = false;
                    }
                    _ => {}
                }
                arrow = token.kind == TokenKind::Punctuation(b'-');
                first |= depth == 1 && token.kind == TokenKind::Punctuation(b',');
                if depth == 0 {
                    break;
                }
            }
        }
        self.header = Some(header);
    }

    fn identifier(&mut self, token: Token) {
        let word = self.bytes(token);
        let raw = token.start.checked_sub(1).and_then(|at| self.text.as_bytes().get(at)) == Some(&b'#');
        if !raw && self.keyword(word, token) {
            return;
        }
        let name = NameHash::of_bytes(word);
        if let Some(function) = self.begun.take() {
            if word == b"self" { self.methods.push(function) } else { self.defined.push(function) }
        }
        let expect = std::mem::take(&mut self.expect);
        if let Some(header) = &mut self.header
            && !header.ended
            && !header.parameters.contains(&name)
        {
            header.block.header.push(name);
            if header.depth == 0 {
                header.block.heads.push(name);
            }
            if expect == Expect::Trait {
                header.block.declares = Some(name);
            }
        }
        match expect {
            Expect::Nothing => {}
            Expect::Definition | Expect::Trait => {
                self.defined.push(name);
                self.member(name);
            }
            Expect::Function => {
                self.begun = Some(name);
                self.member(name);
            }
            Expect::AliasName => {
                self.defined.push(name);
                self.member(name);
                self.open_alias = Some(name).filter(|_| !ASSOCIATED.contains(&word));
            }
            Expect::Alias(target) => self.aliases.push((target, name)),
        }
        if self.open_alias.is_some_and(|alias| alias != name) {
            self.alias_target = Some(name);
        }
        // A definition is no mention.
        match expect {
            Expect::Definition | Expect::Trait | Expect::Function | Expect::AliasName => {}
            _ if self.follows_dot() => self.dotted.push(name),
            _ => self.plain.push(name),
        }
        self.last = Some(name);
    }
}

/// Whether an `impl` at a place begins a block and not a type: it is the first word of its line, or stands where an item
/// may begin.
fn opens_block(bytes: &[u8], at: usize) -> bool {
    let before = bytes.get(..at).unwrap_or_default();
    let line = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii();
    let item = |text: &[u8]| [&b"unsafe"[..], b"default"].iter().any(|word| text.ends_with(word));
    line.is_empty() || matches!(line.last(), Some(b'{' | b'}' | b';' | b']' | b'/')) || item(line)
}

fn sorted(mut names: Vec<NameHash>) -> Box<[NameHash]> {
    names.sort_unstable();
    names.dedup();
    names.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The members of the blocks that may be of a trait or for a type of a name.
    fn members_of(text: &str, head: &str, members: &[&str]) -> Vec<bool> {
        let index = FileIndex::new(text);
        let blocks: Vec<&Block> =
            index.blocks().iter().filter(|block| block.may_head(|name| name == NameHash::of(head))).collect();
        let has = |member: &&str| blocks.iter().any(|block| block.members().contains(&NameHash::of(member)));
        members.iter().map(has).collect()
    }

    #[test]
    fn knows_methods_and_what_they_belong_to() {
        let text = "impl<T> Tr for Kind<T> where T: B { fn get(&self) { x } fn new() -> Y {} } fn free() {}";
        let index = FileIndex::new(text);
        let name = NameHash::of;
        assert!(index.members().any(|found| found == name("get")) && !index.defines(name("get")));
        assert!(index.defines(name("new")));
        assert_eq!(members_of(text, "Kind", &["get", "new", "free"]), [true, true, false]);
        assert_eq!(members_of(text, "Y", &["get"]), [false]);
        assert_eq!(members_of(text, "T", &["get"]), [false]);
        assert_eq!(members_of("impl Tr for $t { fn a() {} }", "Any", &["a"]), [true]);
        assert_eq!(members_of("impl<'a, T: Fn(A<B>) -> C> Tr for T { fn a() {} }", "Any", &["a"]), [true]);
    }

    #[test]
    fn knows_where_a_block_ends() {
        let text = "impl A<{ 1 + 1 }, 2> { fn a() { impl B { fn b() {} } let c = '}'; } fn d() { \"}\" } /* } */ const E: u8 = 1; }
            fn free() {} trait Tr: Sup where Self: Sized, { type F; fn g(); }";
        assert_eq!(members_of(text, "A", &["a", "d", "E", "free", "g"]), [true, true, true, false, false]);
        assert_eq!(members_of(text, "B", &["b", "d"]), [true, false]);
        assert_eq!(members_of(text, "Tr", &["F", "g", "free"]), [true, true, false]);
        assert_eq!(members_of(text, "Sup", &["g"]), [true]);
        let broken = "impl A { fn a() { } } } fn b() {";
        assert_eq!(members_of(broken, "A", &["a", "b"]), [true, true]);
    }

    #[test]
    fn what_a_macro_defines_may_be_a_member_of_any_type() {
        let braces = "macro_rules! make { () => { fn new() {} } } fn free() {}";
        assert_eq!(members_of(braces, "A", &["new", "free"]), [true, false]);
        let parentheses = "macro_rules! make(() => { fn new() {} });";
        assert_eq!(members_of(parentheses, "A", &["new"]), [true]);
    }

    #[test]
    fn tells_definitions_mentions_and_members_apart() {
        let index = FileIndex::new(
            "use a::Old as New; type Short = Map<Deep>; pub const fn make() -> X { y\n  .run(..base) }\nstatic mut S: T = 1;",
        );
        let defined = |name| index.defined().contains(&NameHash::of(name));
        assert!(defined("make") && defined("S") && defined("Short") && !defined("X"));
        assert!(index.has_dotted(NameHash::of("run")) && !index.has_plain(NameHash::of("run")));
        assert!(index.has_plain(NameHash::of("base")) && !index.has_dotted(NameHash::of("base")));
        assert!(FileIndex::new("fn last() {}").defined().contains(&NameHash::of("last")));
        let alias =
            |target: &str, alias: &str| index.aliases.contains(&(NameHash::of(target), NameHash::of(alias)));
        assert!(alias("Old", "New") && alias("Map", "Short") && !alias("make", "Short"));
    }
}
