//! Every error message as the compiler prints it, and the types that must compile.
//!
//! `TRYBUILD=overwrite` rewrites the expected messages: read them before you
//! commit them.

#[test]
fn messages() {
    let cases = trybuild::TestCases::new();
    cases.pass("tests/ui/pass/*.rs");
    cases.compile_fail("tests/ui/fail/*.rs");
}
