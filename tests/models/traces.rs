//! Traces of runs with time and faults: both file forms, and replay.

use crate::common::*;
use synod::ir::Fault;
use synod::semantics::initial;
use synod::simulate::{Options, Schedule, simulate};
use synod::trace::{End, Header, Recorder, Trace};

#[test]
fn they_are_written_read_and_replayed() {
    let mut crashes_in_commands = 0;
    for (name, faults) in [
        ("bully", &[(Fault::Crash, 2), (Fault::Restart, 1)][..]),
        ("reliable", &[(Fault::Crash, 1)][..]),
        ("lelann_regeneration", &[(Fault::Loss, 3)][..]),
    ] {
        let program = library(name);
        let topology = if name == "lelann_regeneration" { "ring(3)" } else { "complete(4)" };
        for seed in 0..60 {
            let instance = on(&program, topology).faults(faults).build();
            let header = Header::of(&instance, &[], "random", seed);
            let mut recorder = Recorder::new(&instance, header, &initial(&instance));
            let options =
                Options { schedule: Schedule::Random, seed, max_steps: Some(400), ..Options::default() };
            let run = simulate(&instance, &options, &mut recorder);
            let trace = recorder.finish(End::of(&run.outcome));
            let text = trace.to_text();
            let read = Trace::read(&text).unwrap_or_else(|e| panic!("{name}, seed {seed}: {e}\n{text}"));
            assert_eq!(read, trace);
            assert_eq!(read.to_text(), text);
            assert_eq!(Trace::read(&trace.to_lines()).unwrap(), trace);
            let replay = trace.replay(&instance);
            assert!(replay.reproduced(), "{name}, seed {seed}: {}", replay.summary());
            crashes_in_commands += usize::from(text.contains("crash-after"));
        }
    }
    assert!(crashes_in_commands > 3, "{crashes_in_commands}");
}
