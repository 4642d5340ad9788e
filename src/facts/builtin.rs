//! Sources that are not calls: loop indexes, unordered iteration, `{:?}` and `{:p}`.

use samekey_catalogue::{ChangesOn, Level, SourceKind};

use super::row::{Row, RowKind, SourceInfo};
use crate::flow::spec::RowId;

/// The rows of language constructs.
pub struct Builtin {
    /// The variable of a counting loop.
    pub loop_index: RowId,
    /// The order of a hash map or set.
    pub order: RowId,
    /// `{:?}` of something that is not a text or number.
    pub debug: RowId,
    /// `{:p}`.
    pub pointer: RowId,
}

impl Builtin {
    pub fn new(rows: &mut Vec<Row>) -> Builtin {
        let mut add = |id: &str, kind, changes_on, level| {
            let info = SourceInfo { kind, changes_on, level, configured: false, by_name: false };
            rows.push(Row { id: id.into(), kind: RowKind::Source(info) });
            (rows.len() - 1) as RowId
        };
        Builtin {
            loop_index: add("loop-index", SourceKind::Attempt, ChangesOn::Attempt, Level::Error),
            order: add("unordered-iteration", SourceKind::Encoding, ChangesOn::Restart, Level::Error),
            debug: add("debug-format", SourceKind::Encoding, ChangesOn::Deploy, Level::Warning),
            pointer: add("pointer-format", SourceKind::Encoding, ChangesOn::Restart, Level::Error),
        }
    }

    /// The row for iterating a type without fixed order.
    pub fn iteration(&self, path: &str) -> Option<RowId> {
        super::library::is_unordered(path).then_some(self.order)
    }
}
