//! Texts of programs: the parser never panics, and a formatted program stays unchanged.

#![no_main]

use libfuzzer_sys::fuzz_target;
use synod::internals::syntax::format::{Signs, format};
use synod::internals::syntax::parse;

fuzz_target!(|text: &str| {
    let (_, mistakes) = parse(0, text);
    match format(text, Signs::AsWritten) {
        Ok(formatted) => {
            assert!(mistakes.is_empty(), "a text with mistakes was formatted");
            let again = format(&formatted, Signs::AsWritten).expect("formatted text can be parsed");
            assert_eq!(again, formatted, "formatting twice changes the text");
        }
        Err(_) => assert!(!mistakes.is_empty(), "a text without mistakes was not formatted"),
    }
});
