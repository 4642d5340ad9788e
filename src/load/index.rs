//! An index of identifiers, small enough to keep for a whole tree.
//!
//! Names are hashes: two names with one hash only load a file too many.

use crate::ir::NameHash;
use crate::source::syntax::is_identifier_byte;

/// The identifiers of a file. Comments and strings count, which only adds names.
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
    /// Names between `impl` or `trait` and the block that follows, sorted.
    headers: Box<[NameHash]>,
    /// Those of them that are no generic arguments: of traits and of the types that the blocks are for, sorted.
    heads: Box<[NameHash]>,
    /// A header that a macro fills in may name anything.
    open_headers: bool,
    /// Traits that are declared here, sorted.
    traits: Box<[NameHash]>,
    /// Whether a function here may never return.
    pub diverges: bool,
    /// Whether all names of some module are imported.
    pub globs: bool,
    /// `use name as alias`, and the name at the head of `type alias = ..;`.
    pub aliases: Box<[(NameHash, NameHash)]>,
}

impl FileIndex {
    /// Indexes a text.
    #[must_use]
    pub fn new(text: &str) -> FileIndex {
        Indexer::default().run(text.as_bytes())
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

    /// Whether an impl or trait of one of the names may be here.
    pub fn heads(&self, test: impl Fn(NameHash) -> bool) -> bool {
        self.open_headers || self.heads.iter().any(|name| test(*name))
    }

    /// Whether an impl or trait of one of the names is here for certain.
    pub fn heads_named(&self, test: impl Fn(NameHash) -> bool) -> bool {
        self.heads.iter().any(|name| test(*name))
    }

    /// Whether the head of an impl or trait holds one of the names somewhere, generic arguments included.
    pub fn has_in_header(&self, test: impl Fn(NameHash) -> bool) -> bool {
        self.open_headers || self.headers.iter().any(|name| test(*name))
    }

    /// The traits and types that the impls here are of and for.
    #[must_use]
    pub fn implemented(&self) -> &[NameHash] {
        &self.heads
    }

    /// The traits that are declared here.
    #[must_use]
    pub fn traits(&self) -> &[NameHash] {
        &self.traits
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

#[derive(Default)]
struct Indexer {
    plain: Vec<NameHash>,
    dotted: Vec<NameHash>,
    defined: Vec<NameHash>,
    methods: Vec<NameHash>,
    headers: Vec<NameHash>,
    heads: Vec<NameHash>,
    /// How deep the current place in a header lies in brackets.
    depth: usize,
    open_headers: bool,
    traits: Vec<NameHash>,
    diverges: bool,
    globs: bool,
    aliases: Vec<(NameHash, NameHash)>,
    expect: Expect,
    /// The function whose parameters begin.
    begun: Option<NameHash>,
    in_header: bool,
    /// Generic parameters of the impl block whose head is read.
    parameters: Vec<NameHash>,
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

impl Indexer {
    fn run(mut self, bytes: &[u8]) -> FileIndex {
        let mut at = 0;
        while let Some(byte) = bytes.get(at).copied() {
            if !is_identifier_byte(byte) {
                match byte {
                    b';' => {
                        self.close_alias();
                        (self.in_header, self.in_use) = (false, false);
                    }
                    b'{' => self.end_header(closes_arguments(bytes, at)),
                    b'<' if self.in_header && self.last_word_is_impl(bytes, at) => {
                        at = self.parameters(bytes, at);
                        continue;
                    }
                    b'<' | b'(' | b'[' if self.in_header => self.depth += 1,
                    b'>' | b')' | b']'
                        if self.in_header && !bytes.get(..at).is_some_and(|b| b.ends_with(b"-")) =>
                    {
                        self.depth = self.depth.saturating_sub(1);
                    }
                    // Behind the head of an aliased type stand its arguments.
                    b'<' if self.alias_target.is_some() => self.close_alias(),
                    b'$' if self.in_header => self.open_headers = true,
                    b'*' if self.in_use => self.globs = true,
                    b'!' if bytes
                        .get(..at)
                        .is_some_and(|before| before.trim_ascii_end().ends_with(b"->")) =>
                    {
                        self.diverges = true;
                    }
                    _ => {}
                }
                at += 1;
                continue;
            }
            let start = at;
            while bytes.get(at).copied().is_some_and(is_identifier_byte) {
                at += 1;
            }
            if !byte.is_ascii_digit() {
                let word = bytes.get(start..at).unwrap_or_default();
                // A lifetime is no name, and may stand between `&` and `self`.
                if start == 0 || bytes.get(start - 1) != Some(&b'\'') {
                    let place = Place {
                        behind_dot: is_behind_dot(bytes, start),
                        behind_arguments: closes_arguments(bytes, start),
                        in_signature: word == b"impl" && !opens_block(bytes, start),
                    };
                    self.identifier(word, place);
                }
                self.generic_function(bytes, at);
            }
        }
        self.defined.extend(self.begun);
        FileIndex {
            plain: sorted(self.plain),
            dotted: sorted(self.dotted),
            defined: sorted(self.defined),
            methods: sorted(self.methods),
            headers: sorted(self.headers),
            heads: sorted(self.heads),
            open_headers: self.open_headers,
            traits: sorted(self.traits),
            diverges: self.diverges,
            globs: self.globs,
            aliases: self.aliases.into(),
        }
    }

    fn close_alias(&mut self) {
        if let (Some(alias), Some(target)) = (self.open_alias.take(), self.alias_target.take()) {
            self.aliases.push((target, alias));
        }
    }

    /// Behind `fn name<` the first parameter is not in view: the function may be a method or not.
    fn generic_function(&mut self, bytes: &[u8], at: usize) {
        let generic = bytes.get(at..).is_some_and(|rest| rest.trim_ascii_start().starts_with(b"<"));
        if generic && let Some(function) = self.begun.take() {
            self.methods.push(function);
            self.defined.push(function);
        }
    }

    /// Whether the `<` at `at` opens the generic parameters of an impl block.
    fn last_word_is_impl(&self, bytes: &[u8], at: usize) -> bool {
        bytes.get(..at).is_some_and(|before| before.trim_ascii_end().ends_with(b"impl"))
    }

    /// Notes the generic parameters of an impl block, which are no types of their own, and moves past them.
    fn parameters(&mut self, bytes: &[u8], open: usize) -> usize {
        let mut depth = 0_usize;
        let mut at = open;
        let mut first = false;
        while let Some(byte) = bytes.get(at).copied() {
            match byte {
                b'<' => depth += 1,
                b'>' if at > 0 && bytes.get(at - 1) == Some(&b'-') => {}
                b'>' => depth -= 1,
                b'{' | b';' => return at,
                _ => {}
            }
            if depth == 0 {
                return at + 1;
            }
            first = if depth == 1 && matches!(byte, b'<' | b',') { true } else { first };
            if first && is_identifier_byte(byte) {
                let word = bytes.get(at..).unwrap_or_default();
                let length = word.iter().take_while(|byte| is_identifier_byte(**byte)).count();
                self.parameters.push(NameHash::of_bytes(word.get(..length).unwrap_or_default()));
                first = false;
                at += length;
            } else {
                at += 1;
            }
        }
        at
    }

    /// A block for every type, as `impl<T> Extension for T`, may be meant by any. `closed` says that generic
    /// arguments end the head, so that a parameter before it is only an argument.
    fn end_header(&mut self, closed: bool) {
        if std::mem::take(&mut self.in_header)
            && !closed
            && self.last.is_some_and(|last| self.parameters.contains(&last))
        {
            self.open_headers = true;
        }
    }

    fn identifier(&mut self, word: &[u8], place: Place) {
        match word {
            b"fn" => {
                self.expect = Expect::Function;
                return;
            }
            b"struct" | b"enum" | b"union" | b"const" | b"static" | b"macro_rules" => {
                self.expect = Expect::Definition;
                return;
            }
            b"trait" => {
                (self.expect, self.in_header, self.depth) = (Expect::Trait, true, 0);
                return;
            }
            b"impl" if place.in_signature => return,
            b"impl" => {
                (self.in_header, self.depth) = (true, 0);
                self.parameters.clear();
                return;
            }
            b"where" => {
                self.end_header(place.behind_arguments);
                return;
            }
            b"for" => return,
            b"type" => {
                self.expect = Expect::AliasName;
                return;
            }
            b"as" => {
                self.expect = self.last.filter(|_| self.in_use).map_or(Expect::Nothing, Expect::Alias);
                return;
            }
            b"use" => {
                self.in_use = true;
                return;
            }
            // `const fn f`, `static mut S`, `async fn`.
            b"mut" | b"unsafe" | b"async" | b"extern" => return,
            _ => {}
        }
        let name = NameHash::of_bytes(word);
        if let Some(function) = self.begun.take() {
            if word == b"self" { self.methods.push(function) } else { self.defined.push(function) }
        }
        if self.in_header && !self.parameters.contains(&name) {
            self.headers.push(name);
            if self.depth == 0 {
                self.heads.push(name);
            }
        }
        let expect = std::mem::take(&mut self.expect);
        match expect {
            Expect::Nothing => {}
            Expect::Definition => self.defined.push(name),
            Expect::Trait => {
                self.defined.push(name);
                self.traits.push(name);
            }
            Expect::Function => self.begun = Some(name),
            Expect::AliasName => {
                self.defined.push(name);
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
            _ if place.behind_dot => self.dotted.push(name),
            _ => self.plain.push(name),
        }
        self.last = Some(name);
    }
}

/// What stands before an identifier.
struct Place {
    behind_dot: bool,
    /// Whether generic arguments end there.
    behind_arguments: bool,
    /// Whether it is the `impl` of a type in a signature.
    in_signature: bool,
}

/// Whether an `impl` at a place begins a block: it is the first word of its line, or stands where an item may begin.
fn opens_block(bytes: &[u8], at: usize) -> bool {
    let before = bytes.get(..at).unwrap_or_default();
    let line = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii();
    let item = |text: &[u8]| [&b"unsafe"[..], b"default"].iter().any(|word| text.ends_with(word));
    line.is_empty() || matches!(line.last(), Some(b'{' | b'}' | b';' | b']' | b'/')) || item(line)
}

/// Whether `>` stands before a place.
fn closes_arguments(bytes: &[u8], at: usize) -> bool {
    bytes.get(..at).is_some_and(|before| before.trim_ascii_end().ends_with(b">"))
}

/// Whether the identifier at `start` follows a dot, but not the two of a range or a struct base.
fn is_behind_dot(bytes: &[u8], start: usize) -> bool {
    let before = bytes.get(..start).unwrap_or_default().trim_ascii_end();
    before.ends_with(b".") && !before.ends_with(b"..")
}

fn sorted(mut names: Vec<NameHash>) -> Box<[NameHash]> {
    names.sort_unstable();
    names.dedup();
    names.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_methods_and_what_they_belong_to() {
        let index =
            FileIndex::new("impl<T> Tr for Kind<T> where T: B { fn get(&self) { x } fn new() -> Y {} }");
        let name = NameHash::of;
        assert!(index.members().any(|found| found == name("get")) && !index.defines(name("get")));
        assert!(index.defines(name("new")));
        assert!(index.heads(|found| found == name("Kind")) && !index.heads(|found| found == name("Y")));
        assert!(FileIndex::new("impl Tr for $t { }").heads(|_| false));
        assert!(!index.heads(|found| found == name("T")));
        assert!(FileIndex::new("impl<'a, T: Fn(A<B>) -> C> Tr for T { }").heads(|_| false));
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
