//! Any bytes as a Rust file: lowering does not panic, and all spans lie on boundaries of characters.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/frontend/well_formed.rs"]
mod well_formed;

fuzz_target!(|bytes: &[u8]| well_formed::check(bytes));
