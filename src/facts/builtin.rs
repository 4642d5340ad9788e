//! Sources that are neither calls nor fields.

use samekey_catalogue::{ChangesOn, Level, SourceKind};

use super::row::{Row, RowKind, SourceInfo};
use crate::flow::spec::RowId;

/// The rows of language constructs that no API name stands for.
pub struct Builtin {
    /// The variable of a counting loop.
    pub loop_index: RowId,
}

impl Builtin {
    pub fn new(rows: &mut Vec<Row>) -> Builtin {
        let loop_index = rows.len() as RowId;
        let info = SourceInfo {
            kind: SourceKind::Attempt,
            changes_on: ChangesOn::Attempt,
            level: Level::Error,
            configured: false,
            by_name: false,
        };
        rows.push(Row { id: "loop-index".into(), kind: RowKind::Source(info) });
        Builtin { loop_index }
    }
}
