//! Breadth-first construction of the graph of all configurations.

use crate::memory;
use crate::specification::configuration::Configuration;
use crate::specification::graph::{Edge, Graph, Target};
use crate::specification::network::System;
use crate::specification::step::{Step, starts, successors};
use crate::specification::value::{Failure, Value};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The greatest average number of steps of a configuration.
const MOST_STEPS: usize = 100;

/// The configurations near the initial ones, where the whole graph is too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nearest {
    /// The number of steps within which all configurations are counted.
    pub depth: u32,
    pub configurations: usize,
    /// A command aborts at the start, or in a step from a configuration that is nearer than this depth.
    pub aborts: bool,
}

/// Count the configurations within as many steps as possible; return None if not even the initial ones are at most `most`.
pub fn nearest(system: &System, most: usize) -> Result<Option<Nearest>, Failure> {
    let mut known = BTreeSet::new();
    let mut aborts = false;
    let mut steps = starts(system)?;
    let mut found = None;
    for depth in 0.. {
        let mut level = Vec::new();
        for step in steps {
            match step.target {
                Err(_) => aborts = true,
                Ok(configuration) if known.insert(configuration.clone()) => level.push(configuration),
                Ok(_) => {}
            }
        }
        if known.len() > most || memory::is_exhausted() {
            break;
        }
        found = Some(Nearest { depth, configurations: known.len(), aborts });
        if level.is_empty() {
            break;
        }
        steps = Vec::new();
        for configuration in &level {
            steps.extend(successors(system, configuration)?);
            if steps.len() > MOST_STEPS * most {
                return Ok(found);
            }
        }
    }
    Ok(found)
}

/// Build the graph; return None if it has more than `most` configurations, or too many steps.
pub fn explore(system: &System, most: usize) -> Result<Option<Graph<Configuration, Value>>, Failure> {
    let assumes = |words| system.component(0).assumes(words);
    let pairs = assumes("pairwise interactions");
    let mut graph = Graph::empty(system.n(), pairs, pairs || assumes("reads neighbours"));
    let mut known = BTreeMap::new();
    let mut open = VecDeque::new();
    let mut edge = |step: Step, graph: &mut Graph<Configuration, Value>, open: &mut VecDeque<usize>| {
        let target = match step.target {
            Err(failure) => Target::Abort(failure.to_string()),
            Ok(configuration) => {
                let next = graph.configurations.len();
                let at = *known.entry(configuration.clone()).or_insert(next);
                if at == next {
                    graph.configurations.push(configuration);
                    open.push_back(at);
                }
                Target::Configuration(at)
            }
        };
        Edge { parts: step.parts, rounds: step.rounds, target }
    };
    for step in starts(system)? {
        let edge = edge(step, &mut graph, &mut open);
        graph.starts.push(edge);
    }
    let mut steps = 0;
    while let Some(at) = open.pop_front() {
        if graph.configurations.len() > most || steps > MOST_STEPS * most || memory::is_exhausted() {
            return Ok(None);
        }
        let mut edges = Vec::new();
        for step in successors(system, &graph.configurations[at].clone())? {
            edges.push(edge(step, &mut graph, &mut open));
        }
        steps += edges.len();
        graph.steps.push(edges);
    }
    Ok(Some(graph))
}
