//! Front ends: the bytes of one file to its [`FileIr`](crate::ir::FileIr).
//!
//! Architecture invariant: no type of a parser leaves this module, nothing here does I/O, and lowering never
//! fails as a whole: what could not be understood is a [`Gap`](crate::ir::Gap).

mod rust;

pub use rust::{MacroTable, collect_macros, lower_rust, lower_rust_late, lower_rust_with};

/// An edition of the Rust language; it decides which words are keywords.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Edition {
    /// 2015, also of a package that names none.
    #[default]
    Rust2015,
    /// 2018.
    Rust2018,
    /// 2021.
    Rust2021,
    /// 2024.
    Rust2024,
}
