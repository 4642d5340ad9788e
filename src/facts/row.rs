//! Rows: sources and sinks of all origins in one form.

use std::rc::Rc;

use samekey_catalogue as catalogue;
use samekey_catalogue::{ChangesOn, Family, Level, SourceKind};

use crate::derive::Reason;
use crate::ir::Name;

/// A row that a source site or sink refers to.
#[derive(Clone, Debug)]
pub struct Row {
    /// The catalogue's id, or the path in the configuration.
    pub id: Name,
    /// What it is.
    pub kind: RowKind,
}

/// What a row is.
#[derive(Clone, Debug)]
pub enum RowKind {
    /// A source.
    Source(SourceInfo),
    /// A sink.
    Sink(SinkInfo),
}

/// What later steps ask of a source.
#[derive(Clone, Debug)]
pub struct SourceInfo {
    /// Its kind.
    pub kind: SourceKind,
    /// When its value changes.
    pub changes_on: ChangesOn,
    /// The level of an unconditional flow into a payment key.
    pub level: Level,
    /// From the configuration.
    pub configured: bool,
    /// Matched by name alone.
    pub by_name: bool,
}

/// What later steps ask of a sink.
#[derive(Clone, Debug)]
pub struct SinkInfo {
    /// The provider's id in the catalogue; empty when unknown.
    pub provider: &'static str,
    /// What the provider does.
    pub family: Family,
    /// The level of a proven finding.
    pub level: Level,
    /// From the configuration, without `key = true`: reports at the call itself, and only flows.
    pub configured: bool,
    /// Matched by name alone.
    pub by_name: bool,
    /// The row of the catalogue.
    pub row: Option<&'static catalogue::Sink>,
    /// The field of a type that derives its key.
    pub identity: Option<Rc<IdentitySlot>>,
}

/// An identity field as a key slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdentitySlot {
    /// The name of its type.
    pub owner: Name,
    /// Why the author says that its value does not change.
    pub reasons: Vec<Reason>,
}

impl IdentitySlot {
    /// The reason of this word.
    pub fn reason(&self, word: &str) -> Option<&str> {
        self.reasons.iter().find(|reason| reason.word == word).map(|reason| reason.text.as_str())
    }
}

impl Row {
    /// The source's facts.
    pub fn source(&self) -> Option<&SourceInfo> {
        match &self.kind {
            RowKind::Source(info) => Some(info),
            RowKind::Sink(_) => None,
        }
    }

    /// The sink's facts.
    pub fn sink(&self) -> Option<&SinkInfo> {
        match &self.kind {
            RowKind::Sink(info) => Some(info),
            RowKind::Source(_) => None,
        }
    }
}
