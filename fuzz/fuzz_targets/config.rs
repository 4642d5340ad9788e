//! Any text as a configuration: reading it does not panic, what is wrong has a place in the text, and what is
//! wrong can be shown.

#![no_main]

use std::path::Path;

use cargo_samekey::config;
use cargo_samekey::driver::Analysis;
use cargo_samekey::rules::Rules;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let file = Path::new("samekey.toml");
    for at in [&[][..], &["workspace", "metadata", "samekey"]] {
        let Err(errors) = config::parse(file, text, at, Rules.rules()) else { continue };
        assert!(!errors.errors.is_empty());
        for error in &errors.errors {
            assert!(text.get(error.span.clone()).is_some(), "{:?} of {}", error.span, text.len());
        }
        errors.render(true);
    }
});
