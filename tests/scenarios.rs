//! Scenarios and runs of one program.

use std::sync::Arc;
use synod::scenario::{instance, play};
use synod::semantics::event::{Effects, Event};
use synod::semantics::{Configuration, Metrics};
use synod::simulate::{Observer, Options, Schedule, simulate};

struct Events(Vec<Event>);

impl Observer for Events {
    fn after(
        &mut self,
        _: &synod::instance::Instance,
        event: &Event,
        _: &Effects,
        _: &Configuration,
        _: &Metrics,
    ) -> bool {
        self.0.push(event.clone());
        true
    }
}

/// Channels with several messages, choices in commands, processes that go on by themselves.
const BUSY: &str = "algorithm busy
assumes complete, unordered
message M(k: Int)
var got, rest : Int
state s
  on wakeup -> send M(1) to neighbours; send M(2) to neighbours; send M(3) to neighbours; rest := 2
  on M(k) when k > 1 -> choose got in {1, 2, 3}; send M(k - 1) to neighbours
  on M(k) when k = 1 -> skip
  when rest > 0 -> rest := rest - 1
scenario with_a_seed on complete(4) with seed 5, schedule SCHEDULE
scenario without_seed on complete(4) with schedule SCHEDULE
";

#[test]
fn a_scenario_goes_as_a_run_with_the_same_seed_and_schedule() {
    for (word, schedule) in [
        ("fifo", Schedule::Fifo),
        ("random", Schedule::Random),
        ("round_robin", Schedule::RoundRobin),
        ("round-robin", Schedule::RoundRobin),
        ("adversary", Schedule::Adversary),
        ("priorities", Schedule::Priorities),
    ] {
        let text = BUSY.replace("SCHEDULE", word);
        let checked = synod::check::check("busy.syn", &text, &|_| None);
        let found: Vec<&str> = checked.diagnostics.iter().map(|d| d.message.as_str()).collect();
        let program = Arc::new(checked.program.unwrap_or_else(|| panic!("{found:?}")));
        for (scenario, seed) in program.scenarios.iter().zip([5, 1]) {
            let mut played = Events(Vec::new());
            let outcome = play(&program, scenario, None, &mut |i, e, f, c, m| {
                played.after(i, e, f, c, m);
            });
            assert!(outcome.passed(), "{outcome:?}");
            let mut run = Events(Vec::new());
            let instance = instance(&program, scenario).unwrap();
            let options = Options { schedule, seed, ..Options::default() };
            simulate(&instance, &options, &mut run);
            assert!(run.0.len() > 50);
            assert_eq!(played.0, run.0, "{word} {seed}");
        }
    }
}
