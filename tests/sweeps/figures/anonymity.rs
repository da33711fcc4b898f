//! Anonymous processes are identical: rotating the network by one position, with schedule and coins, rotates the run. So a
//! program cannot read its place in the network. Catalogue: E03.

use crate::common::*;
use std::sync::Arc;
use synod::internals::ids::{ChannelId, ProcessId};
use synod::internals::instance::Instance;
use synod::internals::ir::{Program, Value};
use synod::internals::semantics::event::{Cause, Effects, Event};
use synod::internals::semantics::{Configuration, Metrics};
use synod::internals::simulate::{Observer, Schedule, SimulateOptions, Unobserved, replay, simulate};

/// Every construct that might distinguish processes, on a ring with oriented ports.
const BOTH_WAYS: &str = "
algorithm looks_around assumes bidirectional ring, unordered, anonymous, knows n, knows diameter, knows edges, randomness
message Look(ports: set of Port, facts: list of Int, by: Port?), Echo(toss: Bool)
param k : Int = 3
var seen : map of Port to list of Int
var first : Port?
var starts : Bool := initiator
var here : list of Int := [n, degree, diameter, edges, k, random(1..k)]
var anything : (0..n, Port, set of 0..2) := any
state asleep
  on wakeup  -> send Look(neighbours, here, none) to right; become awake
  on arrival -> become awake
state awake
  on Look(ports, facts, by) from p ->
    seen[p] := facts
    if first = none -> first := p [] otherwise -> skip fi
    choose q in ports + {p}
    send Echo(coin(1/3) and p <= q) to q
    if by = none -> send Look({left}, [port_number(p)], p) to opposite(p) [] otherwise -> skip fi
  on Echo(toss) from p -> if toss -> first := least q in neighbours with q != p [] otherwise -> first := p fi
function port_number(p: Port) : Int = count q in neighbours: q < p
scenario one on ring(3)
  expect messages = 0
";

/// The same on a complete network, with a ring through it.
const ALL_TO_ALL: &str = "
algorithm asks_everybody assumes complete, virtual ring, anonymous, fifo, randomness
message Ask(die: Int), Told(dice: map of Port to Int)
var dice : map of Port to Int
var best : list of Port
state s
  send Ask(random(1..6)) to neighbours
  receive Ask(dice[p]) from each p in neighbours
  best := sort({ p in neighbours | dice[p] = max(values(dice)) })
  send Told(dice) to next
  receive Told(h) from prev
  if h = dice -> halt
  [] otherwise -> choose p in best; send Told({p: dice[p]}) to p; become t
  fi
state t
  on Told(_) from p when p in best -> halt
always
  ignore Ask, Told
scenario one on complete(3)
  expect messages = 0
";

struct Recorder(Vec<Event>);

impl Observer for Recorder {
    fn after(&mut self, _: &Instance, e: &Event, _: &Effects, _: &Configuration, _: &Metrics) -> bool {
        self.0.push(e.clone());
        true
    }
}

fn program(text: &str) -> Arc<Program> {
    let checked = synod::internals::check::check("test", text, &synod::internals::library::source);
    let found: Vec<String> = checked.diagnostics.iter().map(|d| d.message()).collect();
    Arc::new(checked.program.unwrap_or_else(|| panic!("{found:?}")))
}

/// Return the channel one position further.
fn turned(instance: &Instance, channel: ChannelId) -> ChannelId {
    let (network, layout) = (&instance.network, &instance.layout);
    let link = network.link(layout.link_of(channel));
    let from = ProcessId((link.from.0 + 1) % instance.n());
    layout.channel(network.ports(from)[link.from_port as usize].out, layout.lane_of(channel))
}

fn turned_event(instance: &Instance, event: &Event) -> Event {
    let cause = match event.cause {
        Cause::Deliver { channel, position } => {
            Cause::Deliver { channel: turned(instance, channel), position }
        }
        ref other => other.clone(),
    };
    Event { process: ProcessId((event.process.0 + 1) % instance.n()), cause, ..event.clone() }
}

/// The state of a process, and the messages in transit to its neighbours: kind, words and values of each.
type View = (Vec<i64>, Vec<Value>, Vec<Vec<(u32, Vec<i64>, Vec<Value>)>>);

fn view(instance: &Instance, configuration: &Configuration, p: ProcessId) -> View {
    let outs =
        instance.network.ports(p).into_iter().filter(|port| port.out != synod::internals::network::NONE);
    let channels = outs.map(|port| {
        let messages = configuration.channel(instance.layout.channel(port.out, 0));
        messages.map(|m| (m.kind, m.words.to_vec(), m.values.to_vec())).collect()
    });
    (configuration.words(p).to_vec(), configuration.values(p).to_vec(), channels.collect())
}

/// Return whether the run rotated by one position ends in the rotated configuration.
fn turns(instance: &Instance, seed: u64) -> bool {
    let mut recorder = Recorder(Vec::new());
    let options = SimulateOptions {
        schedule: Schedule::Random,
        seed,
        max_steps: Some(2_000),
        ..SimulateOptions::default()
    };
    let run = simulate(instance, &options, &mut recorder);
    let mut events: Vec<Event> = recorder.0.iter().map(|e| turned_event(instance, e)).collect();
    // Processes start in the order of their positions, in every run.
    let starts = events.iter().take_while(|e| e.cause == Cause::Start).count();
    assert_eq!(starts, instance.n() as usize);
    events[..starts].sort_by_key(|e| e.process);
    let mut configuration = synod::internals::semantics::initial(instance);
    if replay(instance, &mut configuration, &events, &mut Unobserved).is_err() {
        return false;
    }
    instance.processes().all(|p| {
        view(instance, &run.configuration, p)
            == view(instance, &configuration, ProcessId((p.0 + 1) % instance.n()))
    })
}

#[test]
fn an_anonymous_run_turned_by_one_place_is_a_run() {
    let own = [(program(BOTH_WAYS), "ring"), (program(ALL_TO_ALL), "complete")];
    let listed = ["itai_rodeh_asynchronous", "itai_rodeh_fifo", "random_ids", "ring_size"]
        .map(|name| (library(name), "ring"));
    for (program, family) in own.iter().chain(&listed) {
        for n in 3..=6 {
            let instance = on(program, &format!("{family}({n})")).build();
            for seed in 0..50 {
                assert!(turns(&instance, seed), "{} on {family}({n}), seed {seed}", program.name);
            }
        }
    }
}

/// With identifiers the answer differs.
#[test]
fn a_run_with_identifiers_does_not_turn() {
    let instance = ring(&library("chang_roberts"), &[3, 1, 4, 2, 5]);
    assert!((0..50).all(|seed| !turns(&instance, seed)));
}
