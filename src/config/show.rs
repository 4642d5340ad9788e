//! The configuration that is in effect, with where each value comes from.

use std::fmt::Write;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::keys::{Key, Kind, ROOT, Table};
use super::{ConfigErrors, find, load};
use crate::discover::MANIFEST;
use crate::report::{RuleInfo, printable};
use crate::source::read_named;

/// The configuration for `root`, or that of a named file, as TOML with comments.
///
/// # Errors
/// When the file cannot be read or is not valid.
pub fn show(root: &Path, named: Option<&Path>, rules: &[RuleInfo]) -> Result<String, ConfigErrors> {
    let config = match named {
        Some(file) => load(file, rules)?,
        None => find(root, rules)?,
    };
    let Some(file) = config.file else {
        return Ok(Shown { name: String::new(), text: String::new(), out: String::new() }.all(None));
    };
    let text = read_named(&file).unwrap_or_default();
    let relative = file.strip_prefix(root).unwrap_or(&file).to_string_lossy().replace('\\', "/");
    let shown = Shown { name: printable(&relative), text: text.clone(), out: String::new() };
    let document = DeTable::parse(&text).ok();
    let table = document.as_ref().and_then(|document| inside(document.get_ref(), &file));
    Ok(shown.all(table))
}

/// The table of a manifest, or the whole of another file.
fn inside<'t, 'i>(document: &'t DeTable<'i>, file: &Path) -> Option<&'t DeTable<'i>> {
    if file.file_name().is_none_or(|name| name != MANIFEST) {
        return Some(document);
    }
    let below = |owner: &str| {
        ["metadata", "samekey"].iter().fold(document.get(owner)?.get_ref().as_table(), |table, key| {
            table?.get(*key)?.get_ref().as_table()
        })
    };
    below("workspace").or_else(|| below("package"))
}

struct Shown {
    /// The file as it is shown.
    name: String,
    text: String,
    out: String,
}

type Value<'i> = Spanned<DeValue<'i>>;

impl Shown {
    fn all(mut self, table: Option<&DeTable<'_>>) -> String {
        let heading = match self.name.is_empty() {
            true => {
                "# no samekey.toml and no [workspace.metadata.samekey]: all values are defaults".to_owned()
            }
            false => format!("# read from {}", self.name),
        };
        self.line(&heading);
        let value = |key: &Key| table.and_then(|table| table.get(key.name));
        for key in ROOT.keys.iter().filter(|key| !matches!(key.kind, Kind::Levels | Kind::Tables(_))) {
            self.value(key, value(key));
        }
        for key in ROOT.keys {
            match (&key.kind, value(key)) {
                (Kind::Levels, given) => self.levels(key, given),
                (Kind::Tables(inner), Some(given)) => self.tables(key, inner, given),
                _ => {}
            }
        }
        self.out
    }

    fn line(&mut self, line: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.out, "{}", printable(line));
    }

    /// A line of the output with where its value comes from, as a comment.
    fn with_origin(&mut self, text: &str, origin: &str) {
        self.line(&format!("{text:<40}  # {origin}"));
    }

    fn origin(&self, offset: usize) -> String {
        let before = self.text.get(..offset).unwrap_or_default();
        format!("{}:{}", self.name, before.matches('\n').count() + 1)
    }

    fn value(&mut self, key: &Key, given: Option<&Value<'_>>) {
        match given {
            Some(value) => {
                let origin = self.origin(value.span().start);
                self.with_origin(&format!("{} = {}", key.name, written(value.get_ref())), &origin);
            }
            // A default that is no value is shown as a comment.
            None if key.default.contains(' ') && !key.default.starts_with('"') => {
                self.with_origin(&format!("# {}: {}", key.name, key.default), "default");
            }
            None if !key.default.is_empty() => {
                self.with_origin(&format!("{} = {}", key.name, key.default), "default");
            }
            None => {}
        }
    }

    fn levels(&mut self, key: &Key, given: Option<&Value<'_>>) {
        self.out.push('\n');
        self.line(&format!("[{}]", key.name));
        for (rule, level) in given.and_then(|given| given.get_ref().as_table()).into_iter().flatten() {
            let origin = self.origin(rule.span().start);
            self.with_origin(&format!("{} = {}", rule.get_ref(), written(level.get_ref())), &origin);
        }
        self.with_origin("# the other rules", "default: each finding has its own level");
    }

    fn tables(&mut self, key: &Key, inner: &Table, given: &Value<'_>) {
        let elements: Vec<&Value<'_>> = match given.get_ref() {
            DeValue::Array(array) => array.iter().collect(),
            _ => vec![given],
        };
        for element in elements {
            let Some(table) = element.get_ref().as_table() else { continue };
            self.out.push('\n');
            self.line(&format!("[[{}]]", key.name));
            for key in inner.keys {
                self.value(key, table.get(key.name));
            }
        }
    }
}

/// A value as TOML on one line.
fn written(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => toml::Value::String(text.to_string()).to_string(),
        DeValue::Integer(number) => number.as_str().to_owned(),
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| written(item.get_ref())).collect();
            format!("[{}]", items.join(", "))
        }
        DeValue::Table(table) => {
            let entries: Vec<String> = table
                .iter()
                .map(|(key, value)| format!("{} = {}", key.get_ref(), written(value.get_ref())))
                .collect();
            format!("{{ {} }}", entries.join(", "))
        }
        // Nothing else is valid anywhere in a configuration.
        DeValue::Float(_) | DeValue::Datetime(_) => String::new(),
    }
}
