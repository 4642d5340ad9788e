//! The parts of loaded files between which values move: functions, statics, types and macros, with the names that
//! each mentions.

use std::collections::BTreeSet;

use crate::ir::{
    Body, Field, FileId, FileIr, Function, Generics, Impl, Item, ItemKind, Name, Path, Span, Type, TypeKind,
};
use crate::source::syntax::{Token, TokenKind, tokens};

/// A part of a file.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    pub kind: UnitKind,
    /// Its name.
    pub name: Name,
    pub span: Span,
    /// For members: the name of the impl's type, or of the trait.
    pub owner: Option<Name>,
    /// For members of a trait impl or of a trait: the trait's name.
    pub of_trait: Option<Name>,
    /// Names in the types of parameters and result, of fields, or behind the associated types of an impl block.
    pub signature: BTreeSet<Name>,
    /// Generic parameters that it can name, those of its impl or trait included.
    pub generics: Vec<Name>,
    /// All names that it mentions.
    pub mentions: Vec<Mention>,
    /// Fields of a type, with their spans and the names in their types.
    pub fields: Vec<(Name, Span, BTreeSet<Name>)>,
    /// Only compiled for tests.
    pub test: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnitKind {
    Function,
    Static,
    Type,
    Trait,
    Alias,
    Macro,
    /// The head of an impl block with its associated types.
    Impl,
}

/// A name in the text of a unit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Mention {
    pub name: Name,
    pub by: By,
    /// Whether an opening parenthesis or `!` follows.
    pub called: bool,
}

/// How a name is mentioned.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum By {
    /// Alone, and not the name of a local variable.
    Itself,
    /// In front of a single colon: a field, or a variable with its type.
    Label,
    /// Behind a dot.
    Dot,
    /// Behind `qualifier::`; the qualifier is empty where it is not a plain name.
    Qualifier(Name),
}

/// An import of a loaded file.
#[derive(Clone, Debug)]
pub(super) struct Import {
    pub path: Vec<Name>,
    pub name: Name,
    pub glob: bool,
    pub span: Span,
}

/// What a file holds.
#[derive(Clone, Debug, Default)]
pub(super) struct Units {
    pub units: Vec<Unit>,
    pub imports: Vec<Import>,
}

impl Units {
    pub(super) fn new(file: &FileIr, text: &str) -> Units {
        let mut reader = Reader { file: file.file, text, found: Units::default() };
        reader.items(
            &file.items,
            &Around { owner: None, of_trait: None, generics: Vec::new(), test: file.attributes.test },
        );
        reader.found
    }
}

/// What stands around an item.
#[derive(Clone)]
struct Around {
    owner: Option<Name>,
    of_trait: Option<Name>,
    generics: Vec<Name>,
    test: bool,
}

struct Reader<'a> {
    file: FileId,
    text: &'a str,
    found: Units,
}

impl Reader<'_> {
    fn items(&mut self, items: &[Item], around: &Around) {
        for item in items {
            let around = Around { test: around.test || item.attributes.test, ..around.clone() };
            self.item(item, &around);
        }
    }

    fn item(&mut self, item: &Item, around: &Around) {
        match &item.kind {
            ItemKind::Function(function) => self.function(item, function, around),
            ItemKind::Static(found) => {
                let mut unit = self.unit(UnitKind::Static, item, around);
                names_of(&found.ty, &mut unit.signature);
                self.found.units.push(unit);
                self.items(
                    found
                        .initializer
                        .iter()
                        .flat_map(|body| &body.items)
                        .cloned()
                        .collect::<Vec<_>>()
                        .as_slice(),
                    around,
                );
            }
            ItemKind::Type(found) => {
                let mut unit = self.unit(UnitKind::Type, item, around);
                let variants = match &found.kind {
                    TypeKind::Struct(fields) => vec![fields],
                    TypeKind::Enum(variants) => variants.iter().map(|variant| &variant.fields).collect(),
                };
                for field in variants.into_iter().flatten() {
                    let mut types = BTreeSet::new();
                    names_of(&field.ty, &mut types);
                    unit.signature.extend(types.iter().cloned());
                    unit.fields.push((field.name.clone(), whole_field(field), types));
                }
                self.found.units.push(unit);
            }
            ItemKind::Trait(found) => {
                self.push(UnitKind::Trait, item, around);
                let inside = Around {
                    owner: Some(item.name.clone()),
                    of_trait: Some(item.name.clone()),
                    generics: parameters(&found.generics).collect(),
                    test: around.test,
                };
                self.items(&found.items, &inside);
            }
            ItemKind::Impl(found) => self.implementation(item, found, around),
            ItemKind::TypeAlias(alias) => {
                let mut unit = self.unit(UnitKind::Alias, item, around);
                alias.ty.iter().for_each(|ty| names_of(ty, &mut unit.signature));
                self.found.units.push(unit);
            }
            ItemKind::Macro(_) => self.push(UnitKind::Macro, item, around),
            ItemKind::Use(found) => self.found.imports.push(Import {
                path: found.path.clone(),
                name: item.name.clone(),
                glob: found.glob,
                span: item.span,
            }),
            ItemKind::Module(module) => self.items(module.items.as_deref().unwrap_or_default(), around),
            ItemKind::ExternCrate(_) => {}
        }
    }

    fn function(&mut self, item: &Item, function: &Function, around: &Around) {
        let mut unit = self.unit(UnitKind::Function, item, around);
        let types = function.params.iter().map(|param| &param.ty).chain(&function.result);
        for ty in types {
            names_of(ty, &mut unit.signature);
        }
        unit.generics.extend(parameters(&function.generics));
        for bound in function.generics.params.iter().flat_map(|param| &param.bounds) {
            names_of_path(bound, &mut unit.signature);
        }
        if let Some(body) = &function.body {
            forget_locals(&mut unit.mentions, body);
        }
        self.found.units.push(unit);
        if let Some(body) = &function.body {
            let inside = Around { owner: None, of_trait: None, generics: Vec::new(), test: around.test };
            self.items(&body.items, &inside);
        }
    }

    fn implementation(&mut self, item: &Item, found: &Impl, around: &Around) {
        let inside = Around {
            owner: Some(head_name(&found.self_type)),
            of_trait: found.trait_path.as_ref().map(|path| Name::new(path.last_name())),
            generics: parameters(&found.generics).collect(),
            test: around.test,
        };
        let mut unit = self.unit(UnitKind::Impl, item, &inside);
        for alias in found.items.iter().filter_map(|item| match &item.kind {
            ItemKind::TypeAlias(alias) => alias.ty.as_ref(),
            _ => None,
        }) {
            names_of(alias, &mut unit.signature);
        }
        // The members are units of their own.
        let mut names = unit.signature.clone();
        if let Some(path) = &found.trait_path {
            names_of_path(path, &mut names);
        }
        let mention = |name| Mention { name, by: By::Itself, called: false };
        unit.mentions = names.into_iter().map(mention).collect();
        self.found.units.push(unit);
        self.items(&found.items, &inside);
    }

    fn push(&mut self, kind: UnitKind, item: &Item, around: &Around) {
        let unit = self.unit(kind, item, around);
        self.found.units.push(unit);
    }

    fn unit(&self, kind: UnitKind, item: &Item, around: &Around) -> Unit {
        // What a macro of another file expands to may mention whatever this file does.
        let here = item.span.file == self.file && item.span.start < item.span.end;
        let range = if here { item.span.start as usize..item.span.end as usize } else { 0..self.text.len() };
        let text = self.text.get(range).unwrap_or_default();
        Unit {
            kind,
            name: item.name.clone(),
            span: item.span,
            owner: around.owner.clone(),
            of_trait: around.of_trait.clone(),
            signature: BTreeSet::new(),
            generics: around.generics.clone(),
            mentions: if kind == UnitKind::Impl { Vec::new() } else { mentions(text) },
            fields: Vec::new(),
            test: around.test,
        }
    }
}

/// The name at the head of a type: `Store` of `&mut Store<T>`.
fn head_name(ty: &Type) -> Name {
    match ty {
        Type::Path(path) => Name::new(path.last_name()),
        Type::Reference { inner, .. } | Type::Pointer(inner) | Type::Slice(inner) | Type::Array(inner) => {
            head_name(inner)
        }
        Type::DynTrait(bounds) | Type::ImplTrait(bounds) => {
            bounds.first().map(|path| Name::new(path.last_name())).unwrap_or_default()
        }
        _ => Name::default(),
    }
}

/// A field with its attributes.
fn whole_field(field: &Field) -> Span {
    let attributes = field.attributes.other.iter().map(|attribute| attribute.span);
    attributes.filter(|span| span.file == field.span.file).fold(field.span, Span::to)
}

fn parameters(generics: &Generics) -> impl Iterator<Item = Name> + '_ {
    generics.params.iter().map(|param| param.name.clone())
}

fn names_of(ty: &Type, names: &mut BTreeSet<Name>) {
    match ty {
        Type::Path(path) => names_of_path(path, names),
        Type::Reference { inner, .. } | Type::Pointer(inner) | Type::Slice(inner) | Type::Array(inner) => {
            names_of(inner, names)
        }
        Type::Tuple(parts) => parts.iter().for_each(|part| names_of(part, names)),
        Type::Function { params, result } => {
            params.iter().chain([&**result]).for_each(|part| names_of(part, names))
        }
        Type::ImplTrait(bounds) | Type::DynTrait(bounds) => {
            bounds.iter().for_each(|bound| names_of_path(bound, names))
        }
        Type::Never | Type::Infer => {}
    }
}

fn names_of_path(path: &Path, names: &mut BTreeSet<Name>) {
    if let Some(ty) = &path.qualified_self {
        names_of(ty, names);
    }
    for segment in &path.segments {
        names.insert(segment.name.clone());
        segment.args.iter().for_each(|arg| names_of(arg, names));
        segment.bindings.iter().for_each(|(_, ty)| names_of(ty, names));
    }
}

/// Drops mentions of local variables. A name that is called stays: `let key = key(x)`.
fn forget_locals(mentions: &mut Vec<Mention>, body: &Body) {
    let mut locals = BTreeSet::new();
    let mut waiting = vec![body];
    while let Some(body) = waiting.pop() {
        locals.extend(body.locals.iter().filter_map(|local| local.name.as_ref()));
        waiting.extend(body.closures.iter().map(|closure| &closure.body));
    }
    mentions.retain(|mention| mention.by != By::Itself || mention.called || !locals.contains(&mention.name));
}

/// Words that name nothing.
const KEYWORDS: [&str; 32] = [
    "as", "async", "await", "break", "const", "continue", "dyn", "else", "enum", "fn", "for", "if", "impl",
    "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "self", "static", "struct",
    "trait", "type", "unsafe", "use", "where", "while",
];

/// All names in a text, each way of mentioning once.
fn mentions(text: &str) -> Vec<Mention> {
    let mut found = Vec::new();
    // The two tokens before the current one, and the identifier before those.
    let mut before: [Option<Token>; 3] = [None; 3];
    for token in tokens(text).filter(|token| token.kind != TokenKind::Comment) {
        if token.kind == TokenKind::Identifier {
            let word = text.get(token.start..token.end).unwrap_or_default();
            if !KEYWORDS.contains(&word) && !introduces(text, before[2]) {
                let after = text.as_bytes().get(token.end..).unwrap_or_default().trim_ascii_start();
                let label = after.starts_with(b":") && !after.starts_with(b"::");
                let by = match by(text, &before) {
                    By::Itself if label => By::Label,
                    other => other,
                };
                found.push(Mention {
                    name: Name::new(word),
                    by,
                    called: matches!(after.first(), Some(b'(' | b'!')),
                });
            }
        }
        before = [before[1], before[2], Some(token)];
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether the token before a name makes it a definition, which is no mention.
fn introduces(text: &str, before: Option<Token>) -> bool {
    let word = before.and_then(|token| text.get(token.start..token.end));
    word.is_some_and(|word| {
        ["fn", "struct", "enum", "union", "trait", "const", "static", "type", "mod"].contains(&word)
    })
}

fn by(text: &str, before: &[Option<Token>; 3]) -> By {
    let punctuation = |token: Option<Token>, byte: u8| {
        token.is_some_and(|token| token.kind == TokenKind::Punctuation(byte))
    };
    let [third, second, first] = *before;
    if punctuation(first, b'.') && !punctuation(second, b'.') {
        return By::Dot;
    }
    if punctuation(first, b':') && punctuation(second, b':') {
        let qualifier = third.filter(|token| token.kind == TokenKind::Identifier);
        let name = qualifier.and_then(|token| text.get(token.start..token.end));
        return By::Qualifier(Name::new(name.unwrap_or_default()));
    }
    By::Itself
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mentions_know_how_a_name_is_reached() {
        let found = mentions("a::b(x.c(), ..d) /* no */ <T as Q>::e; // f");
        let seen: Vec<String> = found
            .iter()
            .map(|mention| match &mention.by {
                By::Itself => mention.name.to_string(),
                By::Label => format!("{}:", mention.name),
                By::Dot => format!(".{}", mention.name),
                By::Qualifier(qualifier) => format!("{qualifier}::{}", mention.name),
            })
            .collect();
        assert_eq!(seen, ["Q", "T", "a", "a::b", ".c", "d", "::e", "x"]);
    }
}
