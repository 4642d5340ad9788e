//! Finds idempotency keys whose value changes when the same intent is executed again.

pub mod cli;
pub mod config;
pub mod derive;
pub mod discover;
pub mod driver;
pub mod facts;
pub mod fix;
pub mod flow;
pub mod frontend;
pub mod git;
pub mod ir;
pub mod load;
pub mod lsp;
pub mod report;
pub mod resolve;
pub mod rules;
pub mod schema;
pub mod source;
pub mod suppress;
