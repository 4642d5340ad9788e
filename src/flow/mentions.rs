//! What statements spell: the names and texts by which code can be known to matter without analysing it.

use crate::ir::{
    AggregateKind, Body, Callee, Index, Literal, Name, Operand, Path, Place, PlaceBase, Projection, Rvalue,
    Statement, StatementKind, Terminator,
};

/// Something that code spells.
#[derive(Clone, Copy)]
pub enum Mention<'a> {
    /// The last name of what is called, with the path unless it is a method, and how many arguments it is given.
    Callee(&'a Name, Option<&'a Path>, usize),
    /// A segment of the path of an item that is read, not called; of the last one, with the path.
    Item(&'a Name, Option<&'a Path>),
    /// A struct, a qualifier in front of a callee, a key that may be written.
    Name(&'a Name),
    /// A field that may be written.
    Field(&'a Name),
    /// A field that is only read.
    Read(&'a Name),
    /// A literal text.
    Text(&'a Name),
}

impl<'a> Mention<'a> {
    /// The spelling.
    pub fn text(self) -> &'a Name {
        match self {
            Mention::Callee(name, ..)
            | Mention::Item(name, _)
            | Mention::Name(name)
            | Mention::Field(name)
            | Mention::Read(name)
            | Mention::Text(name) => name,
        }
    }
}

/// The method that runs where a variable goes out of scope.
pub static DROP: Name = Name::new_static("drop");

/// Whether a body, its closures included, spells something of a kind.
pub fn any<'a>(body: &'a Body, mut counts: impl FnMut(Mention<'a>) -> bool) -> bool {
    let mut found = false;
    of_body(body, &mut |mention| found = found || counts(mention));
    found
}

/// Reports everything that a body spells, its closures included.
pub fn of_body<'a>(body: &'a Body, see: &mut dyn FnMut(Mention<'a>)) {
    for block in &body.blocks {
        block.statements.iter().for_each(|statement| of_statement(statement, see));
        if let Terminator::Return(operand) = &block.terminator {
            of_operand(operand, see);
        }
    }
    for closure in &body.closures {
        of_body(&closure.body, see);
    }
}

/// Reports everything that a statement spells; of a closure, only that it is made.
pub fn of_statement<'a>(statement: &'a Statement, see: &mut dyn FnMut(Mention<'a>)) {
    match &statement.kind {
        StatementKind::Assign(place, rvalue) => {
            of_place(place, true, see);
            of_rvalue(rvalue, see);
        }
        StatementKind::AssignOperator(place, _, operand) => {
            of_place(place, true, see);
            of_operand(operand, see);
        }
        StatementKind::Declare(_) => {}
        StatementKind::Drop(_) => see(Mention::Callee(&DROP, None, 0)),
    }
}

fn of_place<'a>(place: &'a Place, written: bool, see: &mut dyn FnMut(Mention<'a>)) {
    if let PlaceBase::Item(path) = &place.base
        && let Some((last, qualifiers)) = path.segments.split_last()
    {
        qualifiers.iter().for_each(|segment| see(Mention::Item(&segment.name, None)));
        see(Mention::Item(&last.name, Some(path)));
    }
    for projection in &place.projections {
        match projection {
            Projection::Field(name) if written => see(Mention::Field(name)),
            Projection::Index(Index::Literal(Literal::Str(text))) if written => see(Mention::Name(text)),
            Projection::Field(name) | Projection::Index(Index::Literal(Literal::Str(name))) => {
                see(Mention::Read(name));
            }
            Projection::Index(Index::Operand(operand)) => of_operand(operand, see),
            Projection::Index(_) | Projection::Variant { .. } | Projection::Dereference => {}
        }
    }
}

fn of_operand<'a>(operand: &'a Operand, see: &mut dyn FnMut(Mention<'a>)) {
    match operand {
        Operand::Place(place) => of_place(place, false, see),
        Operand::Literal(Literal::Str(text)) => see(Mention::Text(text)),
        Operand::Literal(_) => {}
    }
}

fn of_callee_path<'a>(path: &'a Path, arguments: usize, see: &mut dyn FnMut(Mention<'a>)) {
    if let Some((last, qualifiers)) = path.segments.split_last() {
        qualifiers.iter().for_each(|segment| see(Mention::Name(&segment.name)));
        see(Mention::Callee(&last.name, Some(path), arguments));
    }
}

fn of_rvalue<'a>(rvalue: &'a Rvalue, see: &mut dyn FnMut(Mention<'a>)) {
    match rvalue {
        Rvalue::Use(operand)
        | Rvalue::Repeat(operand)
        | Rvalue::Unary(_, operand)
        | Rvalue::Cast(operand, _)
        | Rvalue::Await(operand)
        | Rvalue::Next { iterator: operand, .. } => of_operand(operand, see),
        Rvalue::Reference { place, mutable: true } => of_place(place, true, see),
        Rvalue::Reference { place, mutable: false } => of_place(place, false, see),
        Rvalue::Aggregate { kind, fields, base } => {
            if let AggregateKind::Struct(path) = kind
                && let Some(segment) = path.segments.last()
            {
                see(Mention::Name(&segment.name));
            }
            let of_struct = matches!(kind, AggregateKind::Struct(_));
            for field in fields {
                see(if of_struct { Mention::Field(&field.name) } else { Mention::Name(&field.name) });
                of_operand(&field.value, see);
            }
            base.iter().for_each(|base| of_operand(base, see));
        }
        Rvalue::Call { callee, receiver, args, .. } => {
            match callee {
                Callee::Path(path) | Callee::Macro(path) => of_callee_path(path, args.len(), see),
                Callee::Method { name, .. } => see(Mention::Callee(name, None, args.len())),
                Callee::Value(operand) => of_operand(operand, see),
            }
            match receiver.as_ref().map(|receiver| &receiver.operand) {
                // The method may write it.
                Some(Operand::Place(place)) => of_place(place, true, see),
                receiver => receiver.iter().for_each(|receiver| of_operand(receiver, see)),
            }
            args.iter().for_each(|argument| of_operand(&argument.operand, see));
        }
        Rvalue::Binary(_, left, right) => {
            of_operand(left, see);
            of_operand(right, see);
        }
        Rvalue::Format { args, .. } => args.iter().for_each(|argument| of_operand(&argument.operand, see)),
        Rvalue::Range(bounds) => bounds.iter().for_each(|bound| of_operand(bound, see)),
        Rvalue::Closure(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use std::path::{Path as FilePath, PathBuf};
    use std::sync::Arc;

    use super::*;
    use crate::frontend::{Edition, MacroTable, collect_macros, lower_rust_late};
    use crate::ir::{FileId, FunctionBody, Item, ItemKind, NameHash};

    /// What front ends add of their own accord. No function of the tree is meant but destructors, of which any body may
    /// run one.
    const ADDED: [&str; 6] = ["drop", "push", "Ok", "Err", "?", "?residual"];

    fn fixtures(folder: &FilePath, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                fixtures(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }

    fn bodies<'i>(items: &'i [Item], found: &mut Vec<&'i FunctionBody>) {
        for item in items {
            match &item.kind {
                ItemKind::Function(function) => found.extend(&function.body),
                ItemKind::Impl(block) => bodies(&block.items, found),
                ItemKind::Trait(definition) => bodies(&definition.items, found),
                ItemKind::Module(module) => bodies(module.items.as_deref().unwrap_or_default(), found),
                _ => {}
            }
        }
    }

    #[test]
    fn a_body_that_waits_spells_no_name_that_it_does_not_own_up_to() {
        let mut files = Vec::new();
        fixtures(&FilePath::new(env!("CARGO_MANIFEST_DIR")).join("fixtures"), &mut files);
        let mut waiting = 0;
        let mut unknown = std::collections::BTreeSet::new();
        for file in files {
            let Ok(text) = std::fs::read_to_string(&file) else { continue };
            let text: Arc<str> = text.into();
            let mut macros = MacroTable::new();
            macros.extend(collect_macros(text.as_bytes()));
            let ir = lower_rust_late(FileId(0), &text, Edition::Rust2024, &macros);
            let mut found = Vec::new();
            bodies(&ir.items, &mut found);
            for body in found {
                let Some(names) = body.deferred_names() else { continue };
                let Some(body) = body.get() else { continue };
                waiting += 1;
                of_body(body, &mut |mention| {
                    let name = mention.text();
                    let known = matches!(mention, Mention::Text(_))
                        || ADDED.contains(&name.as_str())
                        // Parts of tuples by their position in a pattern.
                        || name.bytes().all(|byte| byte.is_ascii_digit())
                        || names.binary_search(&NameHash::of(name)).is_ok();
                    if !known {
                        unknown.insert(format!("{}: {name}", file.display()));
                    }
                });
            }
        }
        assert!(unknown.is_empty(), "{unknown:#?}");
        assert!(waiting > 1000, "{waiting}");
    }
}
