//! Where people run the tool: completions, manual pages, snippets, the GitHub action, releases.
#![cfg(unix)]

#[path = "../support/mod.rs"]
mod support;
#[path = "../workflow/tools.rs"]
#[allow(dead_code, reason = "each test binary uses a part")]
mod tools;

mod action;
mod release;
mod shells;
mod snippets;
mod stage;
