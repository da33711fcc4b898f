//! Faults in the slots of radio networks.

use crate::common::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use synod::internals::explore::{Exploration, ExploreOptions, explore};
use synod::internals::instance::Instance;
use synod::internals::ir::{Fault, Program, Value};

fn search(instance: &Instance) -> Exploration {
    explore(instance, None, &ExploreOptions { keep_going: true, ..ExploreOptions::default() }, &mut |_| None)
}

fn play_all(program: &Arc<Program>) {
    for scenario in &program.scenarios {
        let played =
            synod::internals::scenario::play(program, scenario, &Default::default(), &mut |_, _, _, _, _| {});
        assert!(played.passed(), "{}: {:#?}", scenario.name, played.failures);
    }
}

/// On the radio a crash precedes a transmission, and a lost message is lost for one listener.
#[test]
fn faults_in_slots() {
    let text = "
algorithm beacon assumes complete, radio, integer ids, crashes, loses messages
message Here
var heard_in : list of Int
var slot : Int
state s
  for k in 1..2 do
    if int(id) = 1 -> transmit Here
    [] otherwise   -> listen
    fi
    round
    slot := slot + 1
    if arrived Here -> heard_in := heard_in + [slot]
    [] otherwise        -> skip
    fi
  od
  halt
scenario fading on complete(3)
  lose p0 -> p1
  at 1
  expect p1.heard_in = [] and p2.heard_in = [1]
  at 2
  expect p1.heard_in = [2] and p2.heard_in = [1, 2]
  expect messages = 2
scenario off_the_air on complete(3)
  crash p0 before send Here
  at 2
  expect p1.heard_in = [] and p2.heard_in = [] and not p0.up
  expect messages = 0
  expect outcome terminated
";
    let program = source(text);
    play_all(&program);
    let instance = on(&program, "complete(2)").faults(&[(Fault::Crash, 1), (Fault::Loss, 1)]).build();
    let found = endings(&instance, |_| Vec::new(), |end| end.variable(1, "heard_in"));
    let lists = [&[1, 2][..], &[1], &[2], &[]].map(|l| Value::list(l.iter().map(|k| Value::Int(*k))));
    assert_eq!(found, BTreeSet::from(lists));
}

/// A process that restarts in the slot of its crash begins anew in it: what it had heard is forgotten, and what it had
/// transmitted is on the air.
#[test]
fn a_process_restarted_in_a_slot_takes_part_in_it() {
    let text = "
algorithm returning assumes complete, radio, integer ids, crashes, restarts
message Here(life: Int)
persistent var life : Int
var got : list of Int
state s
  life := life + 1
  if int(id) <= 2 -> transmit Here(life)
  [] otherwise    -> listen
  fi
  for k in 1..2 do
    round
    if arrived Here(q) -> got := got + [q]
    [] otherwise        -> got := got + [0]
    fi
    if int(id) = 1 and k = 1 -> transmit Here(10 * life)
    [] otherwise             -> listen
    fi
  od
  halt
scenario it_collides_with_itself on complete(2) with ids [1, 3]
  at 0
  crash p0
  restart p0
  at 1
  expect p0.up and p0.life = 2 and p0.got = [0] and p1.got = [0]
  at 2
  expect p1.got = [0, 20] and p0.halted and p1.halted
  expect messages = 3 and rounds = 2
scenario it_is_deafened on complete(2) with ids [3, 1]
  at 0
  crash p0
  restart p0
  at 2
  expect p0.got = [1, 10]
scenario three_lives on complete(2) with ids [1, 3]
  at 0
  crash p0
  restart p0
  crash p0
  restart p0
  at 2
  expect p1.got = [0, 30]
scenario in_the_slot_that_follows on complete(2) with ids [1, 3]
  at 0
  crash p0
  at 1
  restart p0
  at 2
  expect p1.got = [1, 2]
";
    let program = source(text);
    play_all(&program);
}

/// A restarted process does not hear its own transmission from before the crash, but learns from the feedback that it was not
/// alone; and it hears no other process in that slot.
#[test]
fn transmissions_before_a_crash_are_on_the_air() {
    let text = "
algorithm overlapping assumes complete, radio, collision detection, transmitter feedback, integer ids, crashes, restarts
message Here
persistent var life : Int
var first, second : Heard
state s
  life := life + 1
  if int(id) = 1 or life = 1 and int(id) = 2 -> transmit Here
  [] otherwise                               -> listen
  fi
  round
  first := heard
  if int(id) = 1 -> transmit Here
  [] otherwise   -> listen
  fi
  round
  second := heard
  halt
scenario alone on complete(2) with ids [1, 3]
  at 0
  expect messages = 1
  at 1
  expect p0.first = success and p1.first = success
scenario with_itself on complete(2) with ids [1, 3]
  at 0
  crash p0
  restart p0
  at 2
  expect p0.first = collision and p1.first = collision
  expect p0.second = success and p1.second = success
scenario then_it_listens on complete(2) with ids [1, 2]
  at 0
  crash p1
  restart p1
  at 2
  expect p0.first = collision and p1.first = silence
  expect p0.second = success and p1.second = success
";
    let program = source(text);
    play_all(&program);
}

/// Whichever process crashes and restarts in any slot, there is no run-time error. The state of a process that is down for good,
/// or has halted, does not depend on its actions in the slot.
#[test]
fn processes_may_restart_in_any_slot() {
    let text = "
algorithm by_coin assumes complete, radio, crashes, restarts
message Here
state s
  for slot in 1..2 do
    choose speaks in {true, false}
    if speaks -> transmit Here [] otherwise -> listen fi
    round
  od
  halt
";
    let program = source(text);
    for (topology, crashes, restarts) in [("complete(1)", 1, 1), ("complete(2)", 1, 1), ("complete(2)", 2, 2)]
    {
        let faults = [(Fault::Crash, crashes), (Fault::Restart, restarts)];
        let found = search(&on(&program, topology).faults(&faults).build());
        assert!(found.counterexamples.is_empty(), "{topology}: {:?}", found.counterexamples);
    }
    // Alone and without restart: it transmits or listens in the first slot, then in the second, and has halted, whatever it did
    // last. In each of these states it may be down instead, as a single further state.
    let found = search(&on(&program, "complete(1)").faults(&[(Fault::Crash, 1)]).build());
    assert_eq!(found.configurations, 6);
}
