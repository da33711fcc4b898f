//! Measured costs of the runs of an algorithm.

use crate::ir::{Program, Shape};
use crate::network::{IdsSpec, Spec};
use crate::setup::{Ids, InstanceOptions, instantiate};
use crate::simulate::{Outcome, Schedule, SimulateOptions, Unobserved, simulate};
use serde::Serialize;
use std::sync::Arc;

/// The number of runs on each network, with seeds from 1: ids and schedule are drawn from the seed.
pub const RUNS: u64 = 10;

/// The maximum number of steps; a run that has not ended by then is taken as infinite. The longest of the library take a few
/// thousand steps on these networks.
const MOST_STEPS: u64 = 50_000;

/// The minimum and maximum costs of the runs on one network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Figure {
    pub network: String,
    pub n: u32,
    pub messages: (u64, u64),
    /// The longest causal chain of messages; `None` in models with rounds.
    pub time: Option<(u64, u64)>,
    pub rounds: Option<(u64, u64)>,
    /// The number of runs without a good end, and how they ended: `stuck`.
    pub unfinished: Option<(u64, String)>,
}

/// Return three networks of the topology that an algorithm assumes, from a few processes to a few dozen.
pub fn networks(program: &Program) -> [&'static str; 3] {
    match program.assumptions.topology {
        Some(Shape::Ring) => ["ring(4)", "ring(8)", "ring(16)"],
        Some(Shape::Line) => ["line(4)", "line(8)", "line(16)"],
        Some(Shape::Star) => ["star(3)", "star(7)", "star(15)"],
        Some(Shape::Tree) => ["tree(7)", "tree(15)", "tree(31)"],
        Some(Shape::Mesh) => ["mesh(3, 3)", "mesh(4, 4)", "mesh(5, 5)"],
        Some(Shape::Torus) => ["torus(3, 3)", "torus(4, 4)", "torus(5, 5)"],
        Some(Shape::Hypercube) => ["hypercube(2)", "hypercube(3)", "hypercube(4)"],
        Some(Shape::Connected) => {
            ["random(8, 12, seed: 1)", "random(16, 24, seed: 1)", "random(32, 48, seed: 1)"]
        }
        Some(Shape::Complete) | None => ["complete(3)", "complete(5)", "complete(8)"],
    }
}

/// Measure an algorithm on networks of its topology. Infinite runs have no figures, nor have programs that this version cannot
/// run.
pub fn figures(program: &Arc<Program>) -> Vec<Figure> {
    networks(program).iter().filter_map(|network| measure(program, network)).collect()
}

fn measure(program: &Arc<Program>, network: &str) -> Option<Figure> {
    let mut figure: Option<Figure> = None;
    for seed in 1..=RUNS {
        let wishes = InstanceOptions {
            topology: Some(Spec::parse(network).ok()?),
            ids: Ids::Spec(IdsSpec::Random),
            seed,
            ..InstanceOptions::default()
        };
        let instance = instantiate(program, &wishes).ok()?;
        let options = SimulateOptions {
            schedule: Schedule::Random,
            seed,
            max_steps: Some(MOST_STEPS),
            ..SimulateOptions::default()
        };
        let run = simulate(&instance, &options, &mut Unobserved);
        if matches!(run.outcome, Outcome::Limit) {
            return None;
        }
        let metrics = &run.metrics;
        let in_rounds = instance.model.has_rounds();
        let time = (!in_rounds).then_some(u64::from(metrics.time));
        let rounds = in_rounds.then_some(metrics.rounds);
        let ended = matches!(run.outcome, Outcome::Terminated | Outcome::Quiescent);
        let figure = figure.get_or_insert_with(|| Figure {
            network: network.into(),
            n: instance.n(),
            messages: (u64::MAX, 0),
            time: time.map(|_| (u64::MAX, 0)),
            rounds: rounds.map(|_| (u64::MAX, 0)),
            unfinished: None,
        });
        widen(&mut figure.messages, metrics.messages());
        figure.time.iter_mut().zip(time).for_each(|(range, time)| widen(range, time));
        figure.rounds.iter_mut().zip(rounds).for_each(|(range, rounds)| widen(range, rounds));
        if !ended {
            let (count, _) = figure.unfinished.get_or_insert((0, run.outcome.as_str().into()));
            *count += 1;
        }
    }
    figure
}

fn widen((least, most): &mut (u64, u64), value: u64) {
    *least = (*least).min(value);
    *most = (*most).max(value);
}
