//! Programs that a run once ended in a panic with.

use crate::common::on;
use crate::support::{Case, play_all, program};
use synod::ir::Fault;
use synod::property::Judgement::Holds;
use synod::simulate::{Schedule, simulate};

/// The failure detector has something to say, and no process listens: there is nothing that a process does by itself.
#[test]
fn a_detector_is_the_only_activity() {
    play_all("detector_alone");
    let faults = [(Fault::Crash, 1)];
    let instance = on(&program("detector_alone"), "complete(3)").faults(&faults).build();
    for schedule in [Schedule::Fifo, Schedule::Adversary, Schedule::RoundRobin, Schedule::Random] {
        for seed in 0..5 {
            let options = synod::simulate::Options { schedule, seed, ..Default::default() };
            simulate(&instance, &options, &mut synod::simulate::Unobserved);
        }
    }
    Case::with("detector_alone", "complete(3)", &faults, None).says("one_at_most", Holds).check();
}
