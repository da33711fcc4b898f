//! Rounds with crashes, and radio slots, compared with models independent of Synod: a few lines that follow the language
//! reference, configuration by configuration.

use crate::common::*;
use crate::explore::naive;
use std::collections::BTreeSet;
use synod::internals::explore::{ExploreOptions, explore};
use synod::internals::ids::ProcessId;
use synod::internals::instance::Instance;
use synod::internals::ir::{Fault, Value};
use synod::internals::property::Judgement;
use synod::internals::semantics::Configuration;

/// The observable state of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Seen {
    up: bool,
    halted: bool,
    turn: i64,
    knows: i64,
    /// Whether it has sent something in this round.
    sends: bool,
}

/// A configuration between two rounds: the processes, the messages between processes that are up and not halted, and the
/// remaining faults.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Between {
    processes: Vec<Seen>,
    under_way: BTreeSet<(usize, usize, i64)>,
    crashes: u32,
    losses: u32,
}

/// All reachable configurations, and those that are ends.
#[derive(Debug, Default, PartialEq, Eq)]
struct Reached {
    configurations: BTreeSet<Between>,
    ends: BTreeSet<Between>,
}

/// The behaviour of a program as functions: the messages sent at the beginning of a round, and the effect of those received.
trait Program {
    /// Return, at the beginning of a round, whether the process may broadcast, whether it may be silent, and the message.
    fn begin(&self, process: usize, knows: i64) -> (&'static [bool], i64);
    /// Return the knowledge at the end of a round. `sends`: whether the process has sent something.
    fn end(&self, knows: i64, sends: bool, received: &[i64]) -> i64;
}

struct Model<P> {
    program: P,
    neighbours: Vec<Vec<usize>>,
    initial: Vec<i64>,
    turns: i64,
    crashes: u32,
    losses: u32,
    /// On the radio, a transmission reaches all processes or none.
    on_air: bool,
}

impl<P: Program> Model<P> {
    /// Each process in turn begins the round: it sends everything that it may send, or only a part of it and is then down.
    fn begin_round(&self, from: &Between, who: usize, found: &mut BTreeSet<Between>) {
        if who == from.processes.len() {
            found.insert(self.tidied(from.clone()));
            return;
        }
        let state = from.processes[who];
        if !state.up || state.halted {
            return self.begin_round(from, who + 1, found);
        }
        let (choices, what) = self.program.begin(who, state.knows);
        for sends in choices {
            let mut after = from.clone();
            after.processes[who] = Seen { turn: state.turn + 1, sends: *sends, ..state };
            if !sends {
                self.begin_round(&after, who + 1, found);
                continue;
            }
            let to = &self.neighbours[who];
            for part in 0..1u32 << to.len() {
                let complete = part + 1 == 1 << to.len();
                let possible = complete || (from.crashes > 0 && (!self.on_air || part == 0));
                if !possible {
                    continue;
                }
                let mut after = after.clone();
                let sent = to.iter().enumerate().filter(|(bit, _)| part >> bit & 1 == 1);
                after.under_way.extend(sent.map(|(_, to)| (who, *to, what)));
                if !complete {
                    after.processes[who].up = false;
                    after.crashes -= 1;
                }
                self.begin_round(&after, who + 1, found);
            }
        }
    }

    /// Remove messages to processes that are down or have halted: they are unobservable.
    fn tidied(&self, mut between: Between) -> Between {
        let processes = &between.processes;
        between.under_way.retain(|(_, to, _)| processes[*to].up && !processes[*to].halted);
        between
    }

    fn next(&self, from: &Between) -> BTreeSet<Between> {
        let mut found = BTreeSet::new();
        let goes_on = |p: &Seen| p.up && !p.halted;
        if from.processes.iter().any(goes_on) {
            let mut after = from.clone();
            for (who, process) in after.processes.iter_mut().enumerate().filter(|(_, p)| goes_on(p)) {
                let of_it = from.under_way.iter().filter(|(_, to, _)| *to == who);
                let received: Vec<i64> = of_it.map(|(_, _, what)| *what).collect();
                process.knows = self.program.end(process.knows, process.sends, &received);
                process.halted = process.turn == self.turns;
            }
            after.under_way.clear();
            self.begin_round(&after, 0, &mut found);
        }
        found
    }

    /// Faults between rounds: a process crashes after sending everything; a message is lost.
    fn faults(&self, from: &Between) -> BTreeSet<Between> {
        let mut found = BTreeSet::new();
        if from.crashes > 0 {
            for who in (0..from.processes.len()).filter(|p| from.processes[*p].up) {
                let mut after = from.clone();
                // It may have halted before.
                after.processes[who] = Seen { up: false, halted: false, ..after.processes[who] };
                after.crashes -= 1;
                found.insert(self.tidied(after));
            }
        }
        if from.losses > 0 {
            for message in &from.under_way {
                let mut after = from.clone();
                after.under_way.remove(message);
                after.losses -= 1;
                found.insert(after);
            }
        }
        found
    }

    fn reached(&self) -> Reached {
        let processes = self.initial.iter().map(|knows| Seen {
            up: true,
            halted: false,
            turn: 0,
            knows: *knows,
            sends: false,
        });
        let initial = Between {
            processes: processes.collect(),
            under_way: BTreeSet::new(),
            crashes: self.crashes,
            losses: self.losses,
        };
        let mut open = BTreeSet::new();
        self.begin_round(&initial, 0, &mut open);
        let mut reached = Reached::default();
        while let Some(between) = open.pop_first() {
            if !reached.configurations.insert(between.clone()) {
                continue;
            }
            let next = self.next(&between);
            if next.is_empty() {
                reached.ends.insert(between.clone());
            }
            open.extend(next);
            open.extend(self.faults(&between));
        }
        reached
    }
}

/// Sends the greatest value that it has received.
struct Rumour;

impl Program for Rumour {
    fn begin(&self, _: usize, knows: i64) -> (&'static [bool], i64) {
        (&[true], knows)
    }

    fn end(&self, knows: i64, _: bool, received: &[i64]) -> i64 {
        received.iter().copied().fold(knows, i64::max)
    }
}

const RUMOUR: &str = "algorithm rumour
assumes connected graph, synchronous, unique ids, integer ids, crashes, loses messages
param turns : Int
var turn : Int
var sends : Bool
var knows : Int := int(id)
state s
  turn := turn + 1; sends := true
  send knows to neighbours
  round
  knows := max({knows} + received)
  if turn = turns -> halt [] otherwise -> skip fi
finally alike: forall p, q with p.up and q.up: p.knows = q.knows
";

/// Counts the processes that it has heard, round by round.
struct Census;

impl Program for Census {
    fn begin(&self, _: usize, _: i64) -> (&'static [bool], i64) {
        (&[true], 0)
    }

    fn end(&self, knows: i64, _: bool, received: &[i64]) -> i64 {
        (4 * knows + received.len() as i64) % 64
    }
}

const CENSUS: &str = "algorithm census
assumes connected graph, synchronous, unique ids, crashes, loses messages
message Here
param turns : Int
var turn, knows : Int
var sends : Bool
state s
  turn := turn + 1; sends := true
  send Here to neighbours
  round
  knows := (4 * knows + size(received)) mod 64
  if turn = turns -> halt [] otherwise -> skip fi
finally alike: forall p, q with p.up and q.up: p.knows = q.knows
";

/// The signal of a slot.
#[derive(Clone, Copy, Debug)]
enum Air {
    NoDetection,
    Detection,
    Feedback,
    Beeps,
}

/// The content of a beep, always the same.
const BEEP: i64 = 1;

/// Transmits or listens nondeterministically, and remembers the signals of the last slots: silence 0, a message of process p 2 +
/// p, noise 6, a collision 7.
struct Chatter(Air);

impl Program for Chatter {
    fn begin(&self, process: usize, _: i64) -> (&'static [bool], i64) {
        (&[false, true], if matches!(self.0, Air::Beeps) { BEEP } else { process as i64 + 1 })
    }

    fn end(&self, knows: i64, sends: bool, received: &[i64]) -> i64 {
        let sound = match (self.0, sends, received) {
            (Air::Feedback, true, []) => 6,
            (Air::Feedback, true, _) => 7,
            (_, true, _) | (_, false, []) => 0,
            (Air::Beeps, false, _) => 6,
            (_, false, [from]) => 1 + from,
            (Air::NoDetection, false, _) => 0,
            (Air::Detection | Air::Feedback, false, _) => 7,
        };
        (8 * knows + sound) % 512
    }
}

fn chatter(air: Air) -> String {
    let (assumed, transmitted, sounds) = match air {
        Air::NoDetection => ("", "Here(int(id))", ""),
        Air::Detection => {
            (", collision detection", "Here(int(id))", "[] otherwise heard = collision -> sound := 7")
        }
        Air::Feedback => (
            ", collision detection, transmitter feedback",
            "Here(int(id))",
            "[] otherwise heard = success -> sound := 6 [] otherwise heard = collision -> sound := 7",
        ),
        Air::Beeps => (", beeps", "beep", ""),
    };
    let heard = if matches!(air, Air::Beeps) {
        "if heard = beep -> sound := 6".to_string()
    } else {
        format!("if arrived Here(w) -> sound := 1 + w {sounds}")
    };
    let message = if matches!(air, Air::Beeps) { "" } else { "message Here(w: Int)" };
    format!(
        "algorithm chatter
assumes connected graph, radio{assumed}, unique ids, integer ids, crashes, loses messages
{message}
param turns : Int
var turn, knows : Int
var sends : Bool
state s
  turn := turn + 1
  choose s in {{false, true}}
  sends := s
  if sends -> transmit {transmitted} [] otherwise -> listen fi
  round
  sound := 0
  {heard} [] otherwise -> skip fi
  knows := (8 * knows + sound) mod 512
  if turn = turns -> halt [] otherwise -> skip fi
finally alike: forall p, q with p.up and q.up: p.knows = q.knows
"
    )
}

/// Return the observable part of a configuration of Synod.
fn seen(instance: &Instance, configuration: &Configuration) -> Between {
    let n = instance.n();
    let number = |p, name| match variable(instance, configuration, p, name) {
        Value::Int(number) => number,
        other => panic!("{name} is {other:?}"),
    };
    let processes: Vec<Seen> = (0..n)
        .map(|p| Seen {
            up: !configuration.crashed(ProcessId(p)),
            halted: !configuration.crashed(ProcessId(p)) && configuration.halted(ProcessId(p)),
            turn: number(p, "turn"),
            knows: number(p, "knows"),
            sends: variable(instance, configuration, p, "sends") == Value::Bool(true),
        })
        .collect();
    let mut under_way = BTreeSet::new();
    for channel in instance.channels() {
        let (from, to) = (instance.sender(channel).index(), instance.receiver(channel).index());
        for message in configuration.channel(channel) {
            under_way.insert((from, to, message.words.first().copied().unwrap_or(0)));
        }
    }
    under_way.retain(|(_, to, _)| processes[*to].up && !processes[*to].halted);
    // The remaining faults are not observable.
    Between { processes, under_way, crashes: 0, losses: 0 }
}

/// Compare the explorer, the naive one and the model: the totals, the configurations between rounds, the ends and the verdict.
fn as_the_model<P: Program>(what: &str, program: &str, topology: &str, mut model: Model<P>) -> usize {
    let faults = [(Fault::Crash, model.crashes), (Fault::Loss, model.losses)];
    let setup = on(&source(program), topology).param("turns", model.turns);
    let instance = setup.faults(&faults).build();
    let neighbours = |p| instance.network.ports(p).iter().map(|link| link.peer.index()).collect();
    model.neighbours = instance.processes().map(neighbours).collect();
    let options = ExploreOptions { keep_going: true, ..ExploreOptions::default() };
    let found = explore(&instance, None, &options, &mut |_| None);
    let verdicts: Vec<_> = found.verdicts.iter().map(|v| (v.name.clone(), v.judgement)).collect();
    let mut by_naive = Reached::default();
    let naive = naive::explore_seeing(&instance, &verdicts, &mut |configuration, at_end| {
        let between = seen(&instance, configuration);
        if at_end {
            by_naive.ends.insert(between.clone());
        }
        by_naive.configurations.insert(between);
    });
    assert_eq!(found.stopped_by, None, "{what}");
    assert_eq!((found.configurations, found.steps), (naive.configurations, naive.steps), "{what}");
    let ending: u64 = found.ends.iter().map(|end| end.configurations).sum();
    assert_eq!(ending, naive.ending, "{what}");
    let outcomes: BTreeSet<&str> = found.ends.iter().map(|end| end.outcome).collect();
    assert_eq!(outcomes, naive.ends, "{what}");

    let unseen = |between: Between| Between { crashes: 0, losses: 0, ..between };
    let reached = model.reached();
    let by_model = Reached {
        configurations: reached.configurations.into_iter().map(unseen).collect(),
        ends: reached.ends.into_iter().map(unseen).collect(),
    };
    let only = |a: &Reached, b: &Reached| a.configurations.difference(&b.configurations).next().cloned();
    assert_eq!(only(&by_naive, &by_model), None, "{what}: only Synod comes to it");
    assert_eq!(only(&by_model, &by_naive), None, "{what}: only the model comes to it");
    assert_eq!(by_naive.ends, by_model.ends, "{what}");
    let alike = |end: &Between| {
        let up = end.processes.iter().filter(|p| p.up).map(|p| p.knows);
        up.collect::<BTreeSet<i64>>().len() <= 1
    };
    let holds = by_model.ends.iter().all(alike);
    let judged = if holds { Judgement::Holds } else { Judgement::Violated };
    assert_eq!(verdicts, [("alike".to_string(), judged)], "{what}");
    by_model.configurations.len()
}

/// Any part of the messages of a process's last round may be sent.
#[test]
fn rounds_with_crashes_are_those_of_a_model() {
    let mut together = 0;
    for (topology, n) in
        [("complete(2)", 2), ("complete(3)", 3), ("line(3)", 3), ("star(3)", 4), ("ring(4)", 4)]
    {
        for turns in 1..=3 {
            for (crashes, losses) in [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1)] {
                if n == 4 && (turns > 2 || crashes + losses > 1) {
                    continue;
                }
                let what = format!("{topology}, {turns} rounds, {crashes} crashes, {losses} losses");
                let neighbours = Vec::new();
                let (initial, on_air) = ((1..=n).collect(), false);
                let model = Model { program: Rumour, neighbours, initial, turns, crashes, losses, on_air };
                together += as_the_model(&what, RUMOUR, topology, model);
                let neighbours = Vec::new();
                let initial = vec![0; n as usize];
                let model = Model { program: Census, neighbours, initial, turns, crashes, losses, on_air };
                together += as_the_model(&what, CENSUS, topology, model);
            }
        }
    }
    assert_eq!(together, 6_830, "configurations between rounds");
}

/// No process receives two messages at once, or any while it transmits; a process that crashes before it transmits reaches no
/// other.
#[test]
fn radio_is_that_of_a_model() {
    let mut together = 0;
    for air in [Air::NoDetection, Air::Detection, Air::Feedback, Air::Beeps] {
        for (topology, n) in [("complete(2)", 2), ("complete(3)", 3), ("line(3)", 3), ("star(3)", 4)] {
            for turns in 1..=2 {
                for (crashes, losses) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                    if n == 4 && (turns > 1 || crashes + losses > 1) {
                        continue;
                    }
                    let what =
                        format!("{air:?}, {topology}, {turns} slots, {crashes} crashes, {losses} losses");
                    let model = Model {
                        program: Chatter(air),
                        neighbours: Vec::new(),
                        initial: vec![0; n],
                        turns,
                        crashes,
                        losses,
                        on_air: true,
                    };
                    together += as_the_model(&what, &chatter(air), topology, model);
                }
            }
        }
    }
    assert_eq!(together, 36_290, "configurations between slots");
}

/// At the end of a round, a message of that round differs from an equal one of the next: one process has crashed before it could
/// send, or another's message was lost.
#[test]
fn messages_of_two_rounds_are_distinguished() {
    let instance = on(&source(CENSUS), "complete(3)").param("turns", 2);
    let instance = instance.faults(&[(Fault::Crash, 1), (Fault::Loss, 1)]).build();
    for threads in 1..=3 {
        let options = ExploreOptions { keep_going: true, threads, ..ExploreOptions::default() };
        let found = explore(&instance, None, &options, &mut |_| None);
        // 322 of them are in the middle of a round; it would be 320 if messages were distinguished by content alone.
        assert_eq!((found.configurations, found.intermediate), (757, 322), "{threads} threads");
    }
}
