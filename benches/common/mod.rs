//! The algorithms that are measured, as Synod runs them and as they are written by hand.

#[path = "../limit/mod.rs"]
pub mod limit;

use std::sync::Arc;
use synod::internals::instance::Instance;
use synod::internals::ir::Program;
use synod::internals::network::{IdsSpec, Spec};
use synod::internals::setup::{self, Ids, InstanceOptions};
use synod::internals::simulate::{Schedule, SimulateOptions, Unobserved, simulate};

/// As in the command.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A library algorithm and its hand-written counterpart.
#[allow(dead_code, reason = "each benchmark uses a part of this")]
pub struct Pair {
    pub label: &'static str,
    pub library: &'static str,
    pub by_hand: fn(&[u32], Option<u64>) -> u64,
}

pub const PAIRS: [Pair; 3] = [
    Pair {
        label: "Chang–Roberts",
        library: "chang_roberts_announced",
        by_hand: limit::run::<limit::ChangRoberts>,
    },
    Pair {
        label: "Dolev–Klawe–Rodeh",
        library: "dolev_klawe_rodeh_announced",
        by_hand: limit::run::<limit::Dkr>,
    },
    Pair {
        label: "Hirschberg–Sinclair",
        library: "hirschberg_sinclair_swallow",
        by_hand: limit::run::<limit::Hs>,
    },
];

pub fn program(name: &str) -> Arc<Program> {
    let entry = synod::internals::library::find(name).expect("a library algorithm");
    let checked = synod::internals::check::check(name, entry.text, &synod::internals::library::source);
    Arc::new(checked.program.expect("the library has no errors"))
}

pub fn instance(program: &Arc<Program>, ids: &[u32]) -> Instance {
    let wishes = InstanceOptions {
        topology: Some(Spec::parse(&format!("ring({})", ids.len())).expect("a topology")),
        ids: Ids::Spec(IdsSpec::Explicit(ids.iter().map(|i| i64::from(*i)).collect())),
        ..InstanceOptions::default()
    };
    setup::instantiate(program, &wishes).expect("an instance")
}

/// Messages sent in one run that nobody watches.
pub fn run(instance: &Instance, random_seed: Option<u64>) -> u64 {
    let options = SimulateOptions {
        schedule: if random_seed.is_some() { Schedule::Random } else { Schedule::Fifo },
        seed: random_seed.unwrap_or(0),
        max_steps: Some(u64::MAX),
        ..SimulateOptions::default()
    };
    let run = simulate(instance, &options, &mut Unobserved);
    assert!(
        matches!(run.outcome.as_str(), "terminated" | "quiescent"),
        "{}: {:?}",
        instance.program.name,
        run.outcome
    );
    run.metrics.messages()
}
