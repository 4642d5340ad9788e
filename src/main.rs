//! The `cargo samekey` command.
fn main() {}
