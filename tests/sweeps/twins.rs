//! The hand-written programs of the benchmarks have the same costs as the algorithms of the library.

#[path = "../../benches/common/pairs.rs"]
mod pairs;

use crate::common::*;
use pairs::limit::daemon::KStateRing;
use pairs::{Case, Model, PAIRS, Pair, limit};
use synod::internals::instance::Instance;
use synod::internals::ir::Value;
use synod::internals::semantics::event::{Cause, Effects, Event};
use synod::internals::semantics::{Configuration, Metrics};
use synod::internals::simulate::{Observer, Run, SimulateOptions, simulate};

const SIZES: [u32; 10] = [1, 2, 3, 4, 5, 7, 8, 13, 30, 50];

/// Arrangements of the identifiers for each size.
const ARRANGEMENTS: u64 = 3;

/// Random schedules are included: all initiators wake up together, so the cost does not depend on the order.
#[test]
fn hand_written_programs_send_as_many_messages() {
    for pair in &PAIRS {
        let program = pairs::program(pair.library);
        for n in SIZES {
            let mut counts = Vec::new();
            for arrangement in 1..=ARRANGEMENTS {
                let case = Case::new(pair, &program, limit::ids(n, arrangement));
                for (schedule, random) in pair.model.schedules() {
                    for seed in 1..=if *random { 3 } else { 1 } {
                        let seed = random.then_some(seed);
                        let (synod, by_hand) = (case.run(seed), case.by_hand(seed));
                        assert_eq!(synod, by_hand, "{} on {n}, {schedule}, {seed:?}", pair.label);
                        counts.push(synod);
                    }
                }
            }
            assert!(n == 1 || counts.iter().all(|count| *count > 0), "{} on {n}", pair.label);
        }
    }
}

/// Record which processes move.
struct Moves(Vec<u32>);

impl Observer for Moves {
    fn after(&mut self, _: &Instance, e: &Event, _: &Effects, _: &Configuration, _: &Metrics) -> bool {
        if e.cause != Cause::Start {
            self.0.push(e.process.0);
        }
        true
    }
}

fn values(instance: &Instance, run: &Run) -> Vec<u32> {
    let x = |p| match variable(instance, &run.configuration, p, "x") {
        Value::Int(x) => u32::try_from(x).unwrap(),
        other => panic!("{other:?}"),
    };
    instance.processes().map(x).collect()
}

/// Replay the moves of the library's ring in the hand-written one, from the same values: each is enabled, and all values agree
/// afterwards. With the fixed schedule the hand-written ring chooses the same moves.
#[test]
fn the_hand_written_k_state_ring_makes_the_same_moves() {
    let pair = PAIRS.iter().find(|pair: &&Pair| pair.model == Model::Daemon).unwrap();
    let program = pairs::program(pair.library);
    for n in SIZES {
        let case = Case::new(pair, &program, limit::ids(n, 1));
        for (_, random) in pair.model.schedules() {
            let options = case.options(random.then_some(u64::from(n)));
            let starts = SimulateOptions { max_steps: Some(u64::from(n)), ..options };
            let first = simulate(&case.instance, &starts, &mut Moves(Vec::new()));
            let mut moves = Moves(Vec::new());
            let run = simulate(&case.instance, &options, &mut moves);
            let mut ring = KStateRing { x: values(&case.instance, &first) };
            for (number, p) in moves.0.iter().enumerate() {
                assert!(ring.enabled(*p), "move {number} of {n}: p{p} in {:?}", ring.x);
                ring.make_move(*p);
            }
            assert_eq!(ring.x, values(&case.instance, &run), "{n} processes");
            if !random {
                let mut ring = KStateRing { x: values(&case.instance, &first) };
                assert_eq!(ring.run(moves.0.len() as u64, None), run.metrics.moves);
                assert_eq!(ring.x, values(&case.instance, &run), "{n} processes, by itself");
            }
        }
    }
}
