//! Regression tests: programs whose runs used to panic.

use crate::common::{on, run};
use crate::soundness::support::{Case, play_all, program};
use synod::internals::ir::Fault;
use synod::internals::property::Judgement::Holds;
use synod::internals::simulate::{Outcome, Schedule, simulate};

/// The failure detector may report a crash, and no process listens to it: no process has an internal step.
#[test]
fn a_detector_is_the_only_activity() {
    play_all("detector_alone");
    let faults = [(Fault::Crash, 1)];
    let instance = on(&program("detector_alone"), "complete(3)").faults(&faults).build();
    for schedule in [Schedule::Fifo, Schedule::Adversary, Schedule::RoundRobin, Schedule::Random] {
        for seed in 0..5 {
            let options =
                synod::internals::simulate::SimulateOptions { schedule, seed, ..Default::default() };
            simulate(&instance, &options, &mut synod::internals::simulate::Unobserved);
        }
    }
    Case::with("detector_alone", "complete(3)", &faults, None).says("one_at_most", Holds).check();
}

/// An aborted command leaves nothing behind. A run that nothing observes counted its messages, and kept its lists.
#[test]
fn an_aborted_command_sends_nothing() {
    let instance = on(&program("an_aborted_command_sends_nothing"), "ring(2)").build();
    for schedule in Schedule::ALL {
        let run = run(&instance, schedule, 1);
        assert!(
            matches!(run.outcome, Outcome::Aborted(_)),
            "{}: {}",
            schedule.as_str(),
            run.outcome.as_str()
        );
        assert_eq!((run.metrics.messages(), run.metrics.total_bits(), run.metrics.time), (0, 0, 0));
    }
}
