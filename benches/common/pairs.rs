//! The measured algorithms: of the library, and written by hand.

#![allow(dead_code, reason = "each benchmark uses a part of this")]

#[path = "../limit/mod.rs"]
pub mod limit;

use limit::graph::Graph;
use limit::{daemon, graph, radio, ring, rounds, yo_yo};
use std::sync::Arc;
use synod::internals::instance::{Instance, Settings};
use synod::internals::ir::{Daemon, Program};
use synod::internals::network::{IdsSpec, Network, Spec};
use synod::internals::setup::{self, Ids, InstanceOptions};
use synod::internals::simulate::{Schedule, SimulateOptions, Unobserved, simulate};

/// Execution model of a pair: it determines the schedules, and the data that the hand-written program receives.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Model {
    /// Messages on a ring, whose neighbours are computed.
    Ring,
    /// Messages on a graph, whose links are listed.
    Graph,
    /// Rounds or slots on a graph: there is no schedule to choose.
    Rounds,
    /// Moves under the central daemon, without an end.
    Daemon,
}

/// Number of moves per process in a run under a daemon.
const MOVES_PER_PROCESS: u64 = 10;

/// A library algorithm and its hand-written counterpart.
pub struct Pair {
    pub label: &'static str,
    pub library: &'static str,
    pub model: Model,
    /// Return the topology for n processes.
    pub topology: fn(u32) -> String,
    /// Greatest n that is measured.
    pub n_max: u32,
    /// Return the number of messages of a run, or moves under a daemon. Some: a random schedule.
    pub by_hand: fn(&Input, Option<u64>) -> u64,
}

/// Input of a hand-written program.
#[derive(Default)]
pub struct Input {
    pub ids: Vec<u32>,
    /// Links of the network; none on rings and under daemons.
    pub graph: Graph,
    /// Diameter, for algorithms in rounds; otherwise 0.
    pub diameter: u32,
}

/// A pair on a network of some size.
pub struct Case {
    pub pair: &'static Pair,
    pub instance: Instance,
    pub input: Input,
}

const MILLION: u32 = 1_000_000;

pub const PAIRS: [Pair; 11] = [
    Pair {
        label: "Chang–Roberts",
        library: "chang_roberts_announced",
        model: Model::Ring,
        topology: on_ring,
        n_max: MILLION,
        by_hand: |input, seed| ring::run::<ring::ChangRoberts>(&input.ids, seed),
    },
    Pair {
        label: "Dolev–Klawe–Rodeh",
        library: "dolev_klawe_rodeh_announced",
        model: Model::Ring,
        topology: on_ring,
        n_max: MILLION,
        by_hand: |input, seed| ring::run::<ring::Dkr>(&input.ids, seed),
    },
    Pair {
        label: "Hirschberg–Sinclair",
        library: "hirschberg_sinclair_swallow",
        model: Model::Ring,
        topology: on_ring,
        n_max: MILLION,
        by_hand: |input, seed| ring::run::<ring::Hs>(&input.ids, seed),
    },
    Pair {
        label: "Chang–Roberts, unannounced",
        library: "chang_roberts",
        model: Model::Ring,
        topology: on_ring,
        n_max: MILLION,
        by_hand: |input, seed| ring::run::<ring::PlainChangRoberts>(&input.ids, seed),
    },
    // n² messages, and sets of up to n identifiers at each process.
    Pair {
        label: "LeLann",
        library: "lelann",
        model: Model::Ring,
        topology: on_ring,
        n_max: 1_000,
        by_hand: |input, seed| ring::run::<ring::LeLann>(&input.ids, seed),
    },
    // 2n(n - 1) messages.
    Pair {
        label: "Ricart–Agrawala",
        library: "ricart_agrawala",
        model: Model::Graph,
        topology: |n| format!("complete({n})"),
        n_max: 1_000,
        by_hand: |input, seed| graph::ricart_agrawala(&input.graph, &input.ids, seed),
    },
    Pair {
        label: "Echo",
        library: "echo",
        model: Model::Graph,
        topology: on_random_graph,
        n_max: 100_000,
        by_hand: |input, seed| graph::echo(&input.graph, seed),
    },
    Pair {
        label: "Yo-Yo",
        library: "yo_yo",
        model: Model::Graph,
        topology: on_random_graph,
        n_max: 100_000,
        by_hand: |input, seed| yo_yo::yo_yo(&input.graph, &input.ids, seed),
    },
    // The diameter takes n searches of the graph, before the measurement.
    Pair {
        label: "Flooding",
        library: "flooding",
        model: Model::Rounds,
        topology: on_random_graph,
        n_max: 10_000,
        by_hand: |input, _| rounds::flooding(&input.graph, &input.ids, input.diameter),
    },
    Pair {
        label: "Beeping",
        library: "beeping",
        model: Model::Rounds,
        topology: on_random_graph,
        n_max: 10_000,
        by_hand: |input, _| radio::beeping(&input.graph, &input.ids, input.diameter),
    },
    // With few privileges every move is a round, and Synod takes time proportional to n for each round.
    Pair {
        label: "K-state ring",
        library: "k_state_ring",
        model: Model::Daemon,
        topology: on_ring,
        n_max: 10_000,
        by_hand: |input, seed| {
            let n = input.ids.len() as u32;
            daemon::k_state_ring(n, MOVES_PER_PROCESS * u64::from(n), seed)
        },
    },
];

fn on_ring(n: u32) -> String {
    format!("ring({n})")
}

/// Return a connected graph with three edges per process, or a complete one if it has fewer.
fn on_random_graph(n: u32) -> String {
    let possible = u64::from(n) * (u64::from(n) - 1) / 2;
    format!("random({n}, {}, seed: 1)", possible.min(3 * u64::from(n)))
}

impl Model {
    /// Return the names of the schedules, and whether they are random.
    pub fn schedules(self) -> &'static [(&'static str, bool)] {
        match self {
            Model::Ring => &[("send order", false), ("random channel", true)],
            Model::Graph => &[("send order", false), ("random message", true)],
            Model::Rounds => &[("rounds", false)],
            Model::Daemon => &[("order of enabling", false), ("random process", true)],
        }
    }
}

pub fn program(name: &str) -> Arc<Program> {
    let entry = synod::internals::library::find(name).expect("a library algorithm");
    let checked = synod::internals::check::check(name, entry.text, &synod::internals::library::source);
    Arc::new(checked.program.expect("the library has no errors"))
}

impl Case {
    /// Build the network for processes with these identifiers.
    pub fn new(pair: &'static Pair, program: &Arc<Program>, ids: Vec<u32>) -> Case {
        let options = InstanceOptions {
            topology: Some(Spec::parse(&(pair.topology)(ids.len() as u32)).expect("a topology")),
            ids: Ids::Spec(IdsSpec::Explicit(ids.iter().map(|i| i64::from(*i)).collect())),
            settings: Settings {
                daemon: (pair.model == Model::Daemon).then_some(Daemon::Central),
                ..Settings::default()
            },
            ..InstanceOptions::default()
        };
        let instance = setup::instantiate(program, &options).expect("an instance");
        let is_graph = matches!(pair.model, Model::Graph | Model::Rounds);
        let graph = if is_graph { links(&instance.network) } else { Graph::default() };
        let diameter = match pair.model {
            Model::Rounds => instance.network.diameter().expect("a connected network"),
            _ => 0,
        };
        Case { pair, instance, input: Input { ids, graph, diameter } }
    }

    pub fn options(&self, random_seed: Option<u64>) -> SimulateOptions {
        let n = u64::from(self.instance.n());
        SimulateOptions {
            schedule: if random_seed.is_some() { Schedule::Random } else { Schedule::Fifo },
            seed: random_seed.unwrap_or(0),
            max_steps: Some(match self.pair.model {
                // Starts are steps too.
                Model::Daemon => n + MOVES_PER_PROCESS * n,
                _ => u64::MAX,
            }),
            // As in the order of sending. A message before a wake-up would remove a candidate, and make the cost depend on the schedule.
            start_together: random_seed.is_some()
                && self.instance.program.roles.iter().any(|role| role.has_wakeup),
        }
    }

    /// Return the number of messages, or moves, of one run without an observer.
    pub fn run(&self, random_seed: Option<u64>) -> u64 {
        let run = simulate(&self.instance, &self.options(random_seed), &mut Unobserved);
        let ends: &[&str] = match self.pair.model {
            Model::Daemon => &["limit"],
            _ => &["terminated", "quiescent"],
        };
        let outcome = run.outcome.as_str();
        assert!(ends.contains(&outcome), "{}: {:?}", self.pair.library, run.outcome);
        match self.pair.model {
            Model::Daemon => run.metrics.moves,
            _ => run.metrics.messages(),
        }
    }

    pub fn by_hand(&self, random_seed: Option<u64>) -> u64 {
        (self.pair.by_hand)(&self.input, random_seed)
    }
}

/// Return the links as the hand-written programs use them.
fn links(network: &Network) -> Graph {
    let mut graph = Graph { first: vec![0], ..Graph::default() };
    for p in network.processes() {
        graph.first.push(graph.first[p.index()] + network.degree(p));
    }
    for p in network.processes() {
        for (k, q) in (0..).zip(network.neighbours(p)) {
            graph.owner.push(p.0);
            graph.peer.push(q.0);
            graph.far.push(graph.first[q.index()] + network.far_end(p, k));
        }
    }
    graph
}
