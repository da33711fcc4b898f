//! Scenarios under every schedule whose lines are about rounds, time, or a later step, compared with the player.

use crate::common::source;
use crate::every_schedule::{played, violated};
use std::collections::BTreeSet;
use std::sync::Arc;
use synod::internals::explore::ExploreOptions;
use synod::internals::ir::{Program, Scenario, ScenarioLine as Line};
use synod::internals::scenario::play;
use synod::internals::stop::StopSignal;

/// The names of scenarios say what is true of them: those that end in `_holds` hold under every schedule, and those that end in
/// `_passes` hold in the first schedule only.
const PROGRAMS: [&str; 5] = [ROUNDS, QUIET, TIME, LATER, DAEMON];

/// Rounds: each process counts the messages of each round.
const ROUNDS: &str = "algorithm rounds_of_messages
assumes complete, synchronous, unique ids, knows n, crashes, restarts, loses messages
message Alive(k: Int)
var got : list of Int
var drawn : list of Int
state s
  on wakeup -> become awake
state awake
  for i in [1, 2, 3] do
    choose d in {0, 1}
    drawn := drawn + [d]
    send Alive(d) to neighbours
    round
    got := got + [size(received)]
  od
  halt
scenario a_round_each_holds on complete(2)
  at 1
  expect p0.got = [1] and p1.got = [1] and size(p0.drawn) = 2
  at 2
  lose p1 -> p0
  at 3
  expect p0.got = [1, 1, 0] and p1.got = [1, 1, 1]
scenario a_crash_after_a_round_holds on complete(3) with names [A, B, C], messages survive
  at 1
  crash A
  at 3
  expect B.got = [2, 2, 1] and C.got = [2, 2, 1] and A.got = [2]
scenario half_of_a_round_holds on complete(3) with names [A, B, C]
  crash A before send to B
  at 1
  expect B.got = [1] and C.got = [2] and not A.up
scenario the_second_choice_holds on complete(2)
  choose 1 at p0
  choose 0 at p0
  at 1
  expect p0.drawn = [1, 0]
scenario the_choice_passes on complete(2)
  wake p0, p1
  at 1
  expect p0.drawn = [0, 0] or p0.drawn = [1, 1]
scenario a_late_wakeup_holds on complete(2)
  wake p0
  at 2
  wake p1
  at 3
  expect p0.got = [0, 0, 1] and p1.got = [1]
scenario a_crash_at_any_time_passes on complete(2)
  wake p0, p1
  crash p1
  expect p0.got = [1, 1, 1]
scenario alone_holds on complete(1)
  choose 1 at p0
  at 1
  expect p0.got = [0] and head(p0.drawn) = 1
";

/// Eager reliable broadcast: a crash within the budget may lose the messages of the first process that delivers.
const LOSSES: &str = "algorithm losses
assumes complete, reliable, unordered, crashes
message Data
var delivered : Bool
state s
  on wakeup -> send Data to neighbours; delivered := true; become t
  on Data -> send Data to neighbours; delivered := true; become t
state t
always
  ignore Data
finally uniform: (some p: p.delivered) implies forall q with q.up: q.delivered
scenario a_lost_message on complete(3) with initiators [p0], crash 1
  expect uniform holds
scenario no_lost_message on complete(3) with initiators [p0], crash 1, messages survive
  expect uniform holds
scenario a_crash_at_a_line on complete(3)
  wake p0
  crash p0
  expect uniform holds
";

/// Rounds that are skipped, and a process that may wake up in each of them.
const QUIET: &str = "algorithm quiet_rounds
assumes complete, synchronous, spontaneous start, unique ids, crashes
message Hello
var hears : Int := -1
state s
  on wakeup -> become waiting
  on arrival -> hears := 0; become done
state waiting
  if arrived Hello -> hears := 1
  [] after 9       -> send Hello to neighbours
  fi
  become done
state done
  halt
scenario nine_rounds_holds on complete(2)
  wake p0
  at 8
  expect messages = 0
  at 9
  expect messages = 1
  at 11
  expect p0.halted and p1.hears = 0
scenario the_second_wakes_passes on complete(2)
  at 9
  expect messages = 2
";

/// Time: a message of at most three units, and a timer of two.
const TIME: &str = "algorithm timed_messages
assumes complete, reliable, unique ids, knows peers, delay <= 3, crashes
message Ping(k: Int)
var late, came : Bool
var got : list of Int
state s
  on wakeup            -> send Ping(1) to others; set timer patience after 2
  on timeout(patience) -> late := true
  on Ping(k) ->
    came := true
    got := got + [k]
    if k < 2 -> send Ping(k + 1) to others
    [] otherwise -> skip
    fi
scenario in_the_end_holds on complete(2) with names [A, B]
  wake A
  expect B.came and A.late
scenario by_three_holds on complete(2) with names [A, B]
  wake A
  at 1
  expect not A.late
  at 3
  expect B.came and A.late
scenario by_two_passes on complete(2) with names [A, B]
  wake A
  at 2
  expect A.late and not B.came
scenario before_two_holds on complete(2) with names [A, B]
  delay A -> B := 1
  wake A
  at 1
  expect B.came and not A.late
  crash A
  expect outcome quiescent
  expect not A.late
scenario delayed_holds on complete(2) with names [A, B]
  delay A -> B := 9
  wake A
  at 8
  expect not B.came
  at 9
  expect B.came
scenario held_holds on complete(2) with names [A, B]
  hold A -> B
  wake A
  at 5
  expect not B.came
  deliver A -> B
  expect B.came
  at 8
  expect A.got = [2]
scenario before_the_answer_holds on complete(2) with names [A, B]
  crash B before send Ping
  wake A
  at 1
  expect not A.late
  at 3
  expect not B.up and A.got = []
scenario a_crash_at_any_time_passes on complete(2) with names [A, B]
  wake A
  crash A
  expect A.late
scenario alone_holds on complete(1)
  wake p0
  at 1
  expect not p0.late
  at 2
  expect p0.late
";

/// Lines about a later step: a choice, and a crash before a send.
const LATER: &str = "algorithm later_steps
assumes complete, reliable, unique ids, knows peers, crashes
message Ask, Answer(k: Int)
var seen : list of Int
state s
  on wakeup -> send Ask to others
  on Ask from p ->
    choose k in {1, 2, 3}
    send Answer(k) to p
  on Answer(k) -> seen := seen + [k]
scenario it_answers_two_holds on complete(2) with names [A, B]
  choose 2 at B
  wake A
  expect A.seen = [2]
scenario only_one_choice_passes on complete(3) with names [A, B, C]
  choose 1 at B
  wake A
  expect A.seen = [1, 1]
scenario no_answer_to_the_second_holds on complete(3) with names [A, B, C], messages survive
  hold C -> B
  wake A, C
  expect size(A.seen) = 2 and size(C.seen) = 1
  crash B before send Answer
  expect B.up
  release
  expect not B.up and size(C.seen) = 1
scenario the_first_answer_only_holds on complete(3) with names [A, B, C], messages survive
  crash B before send Answer to A
  wake A, C
  expect not B.up and size(A.seen) = 1
";

/// Processes that read their neighbours: the token of Dijkstra's ring takes a round to the next process.
const DAEMON: &str = "algorithm maxima
assumes connected graph, reads neighbours, distributed daemon, integer ids
var top : Int
state s
  when some q in neighbours with q.top > top -> top := q.top
scenario one_hop_each_round_holds on line(4) with daemon synchronous
  initially p0.top := 9
  at 1
  expect p1.top = 9 and p2.top = 0
  at 2
  expect p2.top = 9 and p3.top = 0
  at 9
  expect p3.top = 9
scenario at_least_one_hop_holds on line(4)
  initially p0.top := 9
  at 1
  expect p1.top = 9
  at 2
  expect p2.top = 9
scenario further_passes on line(3) with daemon synchronous
  initially p0.top := 9
  initially p2.top := 8
  at 1
  expect p1.top = 8
";

fn programs() -> impl Iterator<Item = Arc<Program>> {
    PROGRAMS.into_iter().map(source)
}

fn passes(program: &Arc<Program>, scenario: &Scenario) -> bool {
    play(program, scenario, &StopSignal::NEVER, &mut |_, _, _, _, _| ()).passed()
}

/// Every violation is one of the player under some schedule, and conversely. The reductions change nothing.
#[test]
fn the_player_agrees() {
    for program in programs() {
        for scenario in &program.scenarios {
            let all = ExploreOptions { keep_going: true, ..ExploreOptions::default() };
            let none = ExploreOptions {
                reduce: false,
                symmetry: false,
                view: false,
                dead_messages: false,
                forget_wakeups: false,
                ..all
            };
            for line_by_line in [false, true] {
                let own = violated(&program, scenario, line_by_line, &all);
                assert_eq!(own, violated(&program, scenario, line_by_line, &none), "{}", scenario.name);
                if scenario.name.ends_with("_holds") {
                    assert_eq!(own, BTreeSet::new(), "{} {line_by_line}", scenario.name);
                }
            }
            let (own, theirs) = (violated(&program, scenario, true, &all), played(&program, scenario));
            assert_eq!(own.is_empty(), theirs.is_empty(), "{}: {own:?}, {theirs:?}", scenario.name);
            if scenario.name.ends_with("_passes") {
                assert!(passes(&program, scenario), "{}", scenario.name);
                assert!(!violated(&program, scenario, false, &all).is_empty(), "{}", scenario.name);
            }
        }
    }
}

/// Without one of its lines about rounds, time or a later step, a scenario that holds no longer does.
#[test]
fn each_line_matters() {
    let options = ExploreOptions { keep_going: true, ..ExploreOptions::default() };
    let mut left_out = 0;
    for program in programs() {
        let scenarios = program.scenarios.iter().filter(|scenario| scenario.name.ends_with("_holds"));
        for scenario in scenarios {
            let last = scenario.lines.iter().rposition(|(line, _)| matches!(line, Line::AdvanceTo(_)));
            for (at, (line, span)) in scenario.lines.iter().enumerate() {
                let is_such = match line {
                    Line::AdvanceTo(_) => Some(at) == last,
                    Line::Choose { .. } | Line::Delay { .. } | Line::Hold { .. } => true,
                    Line::Crash { .. } | Line::Lose { .. } => true,
                    _ => false,
                };
                if !is_such {
                    continue;
                }
                let mut fewer = scenario.clone();
                fewer.lines.remove(at);
                let found = violated(&program, &fewer, false, &options);
                assert!(!found.is_empty(), "{} without {}", scenario.name, program.sources.slice(*span));
                left_out += 1;
            }
        }
    }
    assert!(left_out >= 20, "{left_out}");
}

/// A line waits until no message is in transit, and a message that a crash has lost is not. Few random runs lose one, so the player is no
/// oracle here.
#[test]
fn a_crash_within_the_budget_loses_messages() {
    let program = source(LOSSES);
    let all = ExploreOptions { keep_going: true, ..ExploreOptions::default() };
    let explicit = ExploreOptions { implicit_losses: false, reduce: false, dead_messages: false, ..all };
    for scenario in &program.scenarios {
        for line_by_line in [false, true] {
            let found = violated(&program, scenario, line_by_line, &all);
            assert_eq!(found, violated(&program, scenario, line_by_line, &explicit), "{}", scenario.name);
            // Line by line, the crash waits until all messages have arrived.
            let holds =
                scenario.name == "no_lost_message" || scenario.name == "a_crash_at_a_line" && line_by_line;
            assert_eq!(found.is_empty(), holds, "{}", scenario.name);
        }
    }
}
