//! Traces in both formats, and those of other tools. A trace that can be read is written and read again without a change.

#![no_main]

use libfuzzer_sys::fuzz_target;
use synod::internals::trace::Trace;
use synod::internals::trace::import::import;

fuzz_target!(|text: &str| {
    if let Ok(trace) = Trace::read(text) {
        for written in [trace.to_text(), trace.to_lines()] {
            let again = Trace::read(&written).expect("a written trace can be read");
            assert_eq!(again.to_text(), trace.to_text(), "a trace changes when it is written and read");
        }
    }
    if let Some(Ok(imported)) = import(text) {
        let written = imported.trace.to_text();
        assert!(!written.is_empty());
    }
});
