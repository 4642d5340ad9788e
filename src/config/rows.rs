//! Reads the rows that teach the engine about a code base's own functions.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use super::keys::{self, Table};
use super::read::{Reader, suggestion, whole};
use super::{
    RowPath, SOURCE_KINDS, SanitizerRow, SinkRow, SinkSlot, SourceRow, SummaryFrom, SummaryRow, SummaryTo,
};
use crate::ir::Name;

/// One table of an array of tables.
pub(super) struct Rows<'r, 'a> {
    reader: &'r mut Reader<'a>,
    span: Range<usize>,
    table: &'r DeTable<'r>,
}

impl<'r, 'a> Rows<'r, 'a> {
    pub(super) fn new(reader: &'r mut Reader<'a>, span: Range<usize>, table: &'r DeTable<'r>) -> Self {
        Rows { reader, span, table }
    }

    fn only(&mut self, table: &Table) {
        let valid = table.names();
        for (key, _) in self.table {
            if !valid.contains(&key.get_ref().as_ref()) {
                self.reader.unknown_key(key, &valid);
            }
        }
    }

    fn text(&mut self, key: &str) -> Option<(String, Range<usize>)> {
        self.reader.text(self.table.get(key)?)
    }

    /// A text that is not empty.
    fn name(&mut self, key: &str) -> Option<Name> {
        let (text, span) = self.text(key)?;
        if text.trim().is_empty() {
            self.reader.error(span, "expected a name, found an empty string", None);
            return None;
        }
        Some(Name::new(text))
    }

    fn required(&mut self, row: &str, key: &str) -> Option<(String, Range<usize>)> {
        if !self.table.contains_key(key) {
            self.reader.error(self.span.clone(), format!("a [[{row}]] table needs `{key}`"), None);
        }
        self.text(key)
    }

    fn path(&mut self, row: &str) -> Option<RowPath> {
        let (text, span) = self.required(row, "path")?;
        let segments: Vec<Name> =
            text.trim_end_matches('!').split("::").map(|part| Name::new(part.trim())).collect();
        let valid = |name: &Name| {
            let name = name.strip_prefix("r#").unwrap_or(name);
            name.starts_with(|first: char| first == '_' || first.is_alphabetic())
                && name.chars().all(|character| character == '_' || character.is_alphanumeric())
        };
        if !segments.iter().all(valid) {
            let message = format!("`{text}` is not a path such as `a::b::f`, `Type::method` or `f`");
            self.reader.error(span, message, None);
            return None;
        }
        Some(RowPath { segments })
    }

    fn number(&mut self, key: &str) -> Option<u32> {
        let value = self.table.get(key)?;
        match value.get_ref() {
            DeValue::Integer(number) => {
                let parsed = whole(number);
                if parsed.is_none() {
                    self.reader.error(value.span(), "expected an index from 0", None);
                }
                parsed
            }
            _ => {
                self.reader.wrong_kind(value, "a number");
                None
            }
        }
    }
}

pub(super) fn source(row: &mut Rows<'_, '_>) -> Option<SourceRow> {
    row.only(&keys::SOURCE);
    let path = row.path("source");
    let kind = row.text("kind");
    if let Some((word, span)) = kind.as_ref().filter(|(word, _)| !SOURCE_KINDS.contains(&word.as_str())) {
        let all = || format!("the kinds are {}", SOURCE_KINDS.join(", "));
        let help = suggestion(word, SOURCE_KINDS).unwrap_or_else(all);
        row.reader.error(span.clone(), format!("unknown kind `{word}`"), Some(&help));
        return None;
    }
    Some(SourceRow { path: path?, kind: kind.map(|(word, _)| Name::new(word)) })
}

pub(super) fn sink(row: &mut Rows<'_, '_>) -> Option<SinkRow> {
    row.only(&keys::SINK);
    let slots = ["arg", "field", "header"].iter().filter(|key| row.table.contains_key(**key)).count();
    if slots > 1 {
        row.reader.error(row.span.clone(), "a [[sink]] table has one of `arg`, `field` and `header`", None);
        return None;
    }
    let header = row.table.contains_key("header");
    let path = if header && !row.table.contains_key("path") { None } else { Some(row.path("sink")) };
    let key = match row.table.get("key").map(|value| (value, value.get_ref().as_bool())) {
        None => false,
        Some((_, Some(key))) => key,
        Some((value, None)) => {
            row.reader.wrong_kind(value, "true or false");
            return None;
        }
    };
    let slot = if row.table.contains_key("arg") {
        SinkSlot::Argument(row.number("arg")?)
    } else if row.table.contains_key("field") {
        SinkSlot::Field(row.name("field")?)
    } else if header {
        SinkSlot::Header(row.name("header")?)
    } else {
        SinkSlot::AnyArgument
    };
    let path = match path {
        None => None,
        Some(read) => Some(read?),
    };
    Some(SinkRow { path, slot, key })
}

pub(super) fn sanitizer(row: &mut Rows<'_, '_>) -> Option<SanitizerRow> {
    row.only(&keys::SANITIZER);
    Some(SanitizerRow { path: row.path("sanitizer")? })
}

pub(super) fn summary(row: &mut Rows<'_, '_>) -> Option<SummaryRow> {
    row.only(&keys::SUMMARY);
    let path = row.path("summary");
    let from = row.required("summary", "from").and_then(|(word, span)| {
        let parsed = match word.as_str() {
            "self" => Some(SummaryFrom::Receiver),
            other => argument(other).map(SummaryFrom::Argument),
        };
        if parsed.is_none() {
            row.reader.error(span, format!("`{word}` is not `self` or `argN`"), None);
        }
        parsed
    });
    let to = row.required("summary", "to").and_then(|(word, span)| {
        let parsed = summary_to(&word);
        if parsed.is_none() {
            row.reader.error(
                span,
                format!("`{word}` is not `return`, `return.field`, `self` or `argN`"),
                None,
            );
        }
        parsed
    });
    Some(SummaryRow { path: path?, from: from?, to: to? })
}

fn summary_to(word: &str) -> Option<SummaryTo> {
    if word == "self" {
        return Some(SummaryTo::Receiver);
    }
    if let Some(fields) = word.strip_prefix("return") {
        let mut parts = fields.split('.');
        let fields: Vec<Name> = parts.by_ref().skip(1).map(Name::new).collect();
        let valid = word.split('.').next() == Some("return") && fields.iter().all(|field| !field.is_empty());
        return valid.then_some(SummaryTo::Return(fields));
    }
    argument(word).map(SummaryTo::Argument)
}

fn argument(word: &str) -> Option<u32> {
    word.strip_prefix("arg")?.parse().ok()
}
