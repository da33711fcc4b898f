//! Cycles of runs: what the search finds repeats in the run itself, event by event, whatever is part of the state.

use crate::common::*;
use std::collections::BTreeSet;
use synod::internals::semantics::event::{Cause, Event};
use synod::internals::session::{Keep, run_monitored};
use synod::internals::simulate::{Cycle, CycleSearch, Schedule, SimulateOptions};

/// Alternatives are chosen in turn, so the state of a round-robin scheduler contains the number of choices so far.
const CHOOSING: &str = "algorithm choosing
assumes unidirectional ring, unique ids, integer ids
message Token
var last : 0..2
state s
  on wakeup -> send Token
  on Token ->
    if true -> last := 0
    [] true -> last := 1
    [] int(id) = 1 -> last := 2
    fi
    send Token
";

/// Timers, also without a clock, and messages that are taken later than they arrive.
const TIMED: &str = "algorithm timed
assumes bidirectional ring, unique ids, delay in 1..3
message Ping, Pong
var late : 0..1
state idle
  on wakeup -> send Ping to right; become busy
  on Ping -> send Pong to left
state busy
  defer Ping
  on Pong -> become idle_again
  after 4 -> late := 1 - late; become busy
state idle_again
  on Ping -> send Pong to left; send Ping to right; become busy
  after 2 -> send Ping to right; become busy
  ignore Pong
";

const MOVING: &str = "algorithm moving
assumes unidirectional ring, reads neighbours, central daemon
var x : 0..4
when true -> x := (x + 1) mod 5
";

const IN_ROUNDS: &str = "algorithm in_rounds
assumes complete, synchronous, unique ids
message M(k: Int)
var k : 0..2
state s
  send M(k) to neighbours
  round
  k := (k + 1) mod 3
";

/// At most one step is possible at any time, so that random runs have no choice.
const ONE_TOKEN: &str = "algorithm one_token
assumes unidirectional ring, unique ids, integer ids
message Token
var x : 0..3
state begin
  if int(id) = 1 -> send Token
  [] otherwise   -> skip
  fi
  become idle
state idle
always
  on Token -> x := (x + 1) mod 4; send Token
";

#[test]
fn a_run_repeats_the_cycle_that_was_found() {
    let mut lengths = BTreeSet::new();
    for (text, topology) in [
        (CHOOSING, "ring(1)"),
        (CHOOSING, "ring(3)"),
        (TIMED, "ring(2)"),
        (TIMED, "ring(4)"),
        (MOVING, "ring(1)"),
        (MOVING, "ring(3)"),
        (IN_ROUNDS, "complete(3)"),
        (ONE_TOKEN, "ring(3)"),
    ] {
        let instance = on(&source(text), topology).build();
        for schedule in Schedule::ALL {
            let options = SimulateOptions { schedule, seed: 1, ..SimulateOptions::default() };
            let found = CycleSearch::new(&options).up_to(&instance, 5_000);
            let Some(Cycle { from, length }) = found else {
                // Priorities choose by the number of the choice.
                let is_free = schedule == Schedule::Priorities && text == CHOOSING;
                let is_random = schedule == Schedule::Random && text != ONE_TOKEN;
                assert!(is_free || is_random, "{topology} {schedule:?}\n{text}");
                continue;
            };
            // A search that is continued finds the same.
            let mut search = CycleSearch::new(&options);
            let again = (1..5_000).find_map(|steps| search.up_to(&instance, steps));
            assert_eq!(again, found);
            let options = SimulateOptions { max_steps: Some(from + 5 * length), ..options };
            let run = run_monitored(&instance, Some(&[]), Keep::Always, schedule.as_str(), &options);
            // Only the number of a round differs in each cycle.
            let unnumbered = |event: Event| match event.cause {
                Cause::Round { .. } => Event { cause: Cause::Round { round: 0 }, ..event },
                _ => event,
            };
            let events: Vec<Event> = run.trace.expect("it is kept").schedule().map(unnumbered).collect();
            assert_eq!(events.len() as u64, from + 5 * length, "{topology} {schedule:?}\n{text}");
            let cycles: Vec<&[Event]> = events[from as usize..].chunks(length as usize).collect();
            assert!(cycles.windows(2).all(|two| two[0] == two[1]), "{topology} {schedule:?}\n{text}");
            lengths.insert((topology, length));
        }
    }
    assert!(lengths.len() > 5, "{lengths:?}");
}
