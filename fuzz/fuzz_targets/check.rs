//! Texts of programs: names, types, assumptions and code. Every diagnostic has a place within the text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use synod::internals::{check, library};

fuzz_target!(|text: &str| {
    let checked = check::check("fuzz.syn", text, &library::source);
    for diagnostic in &checked.diagnostics {
        checked.sources.place(diagnostic.span);
        assert!(!diagnostic.message().is_empty());
    }
    let has_errors = checked.diagnostics.iter().any(|diagnostic| diagnostic.is_error());
    assert!(checked.program.is_none() || !has_errors, "a program with errors was accepted");
});
