//! Traces: real ones of both forms, mutated, through every reader, replay and export.

use crate::common::{library, on};
use crate::robustness::stir::{Dice, stirred};
use synod::internals::render::space_time;
use synod::internals::trace::Trace;
use synod::internals::trace::export::Form;
use synod::internals::trace::histories::Histories;
use synod::testing;

const CASES: usize = 500;

fn recorded(name: &str, topology: &str) -> Trace {
    testing::library(name).on(topology).run().trace().clone()
}

#[test]
fn mutated_traces() {
    let mut dice = Dice(3);
    let runs = [("lelann", "ring(3)"), ("lamport", "complete(2)"), ("echo", "mesh(2, 2)")].map(
        |(name, topology)| {
            let instance = on(&library(name), topology).build();
            (recorded(name, topology), instance)
        },
    );
    let mut read_back = 0;
    for case in 0..CASES {
        let (trace, instance) = &runs[case % runs.len()];
        let text = if case % 2 == 0 { trace.to_text() } else { trace.to_lines() };
        let Ok(read) = Trace::read(&stirred(&text, &mut dice)) else { continue };
        read_back += 1;
        read.replay(instance);
        space_time::space_time(&read, &space_time::SpaceTimeOptions::default());
        let _ = Histories::of(&read);
        for form in [
            Form::Itf,
            Form::Shiviz,
            Form::Mermaid,
            Form::Plantuml,
            Form::Perfetto,
            Form::Dot,
            Form::Tikz,
            Form::Csv,
        ] {
            read.export(form);
        }
        assert_eq!(Trace::read(&read.to_lines()).as_ref(), Ok(&read));
    }
    assert!(read_back > 10, "only {read_back} of the stirred traces can be read: they are stirred too much");
}

/// A truncated trace is read or rejected.
#[test]
fn truncated_traces() {
    let trace = recorded("lelann", "ring(2)");
    for text in [trace.to_text(), trace.to_lines()] {
        for (end, _) in text.char_indices() {
            if let Ok(read) = Trace::read(&text[..end]) {
                assert!(read.events.len() <= trace.events.len());
            }
        }
    }
}
