//! *Ends*: the status of each process when no step is enabled.

use crate::configuration::{Configuration, FrameKind, Lane, Process};
use crate::ends;
use crate::graph::{Graph, Target};
use crate::network::System;
use crate::value::Value;
use crate::verdicts::{Outcome, Standing, outcome};
use crate::waiting;
use std::collections::BTreeSet;
use synod::syntax::ast::StmtKind;

/// Return the outcomes of all finite runs; *blocked* ones are distinguished from *stuck* ones.
pub fn outcomes(system: &System, graph: &Graph<Configuration, Value>) -> BTreeSet<Outcome> {
    let ends = (0..graph.configurations.len()).filter(|at| graph.is_end(*at));
    ends.map(|at| outcome_of(system, &graph.configurations[at])).collect()
}

/// *Aborts*: test whether «a command went wrong», at the start or in a step.
pub fn aborts<C, V>(graph: &Graph<C, V>) -> bool {
    let all = graph.starts.iter().chain(graph.steps.iter().flatten());
    all.into_iter().any(|edge| matches!(edge.target, Target::Abort(_)))
}

/// *Rules in detail*: «If a process aborts while it begins, no property is checked in that run. If every run aborts so, no property is
/// checked at all.»
pub fn aborts_at_every_beginning<C, V>(graph: &Graph<C, V>) -> bool {
    graph.configurations.is_empty()
}

fn outcome_of(system: &System, configuration: &Configuration) -> Outcome {
    let mut standing: Vec<Standing> = configuration.processes.iter().map(standing).collect();
    let receiver = |lane: &Lane| system.network.link(lane.link).to as usize;
    let mut untaken: Vec<usize> = configuration.channels.keys().map(receiver).collect();
    // *Rounds*: «What nobody looks at is gone at the end of the round. So such a message makes no run stuck.» Silence is also input, for a
    // wait that reads what arrives.
    if system.has_rounds() {
        untaken.clear();
        for (standing, process) in standing.iter_mut().zip(&configuration.processes) {
            if matches!(standing, Standing::WaitsInVain | Standing::WaitsForInput) {
                *standing = match ends::waits_in_vain_in_rounds(&process.thread) {
                    true => Standing::WaitsInVain,
                    false => Standing::WaitsForInput,
                };
            }
        }
    }
    let found = outcome(&standing, &untaken, configuration.faults.restart > 0);
    let word = match found {
        Outcome::Terminated => "terminated",
        Outcome::Quiescent => "quiescent",
        Outcome::Stuck | Outcome::Blocked => "stuck",
    };
    assert_eq!(word, ends::outcome(system, configuration), "an end has one outcome");
    found
}

fn standing(process: &Process) -> Standing {
    if !process.up {
        return Standing::Down;
    }
    if process.parts.first().is_some_and(|part| part.halted) {
        return Standing::Halted;
    }
    let Some(point) = waiting::point(&process.thread) else { return Standing::Idle };
    let in_operation = process.thread.iter().any(|frame| matches!(frame.kind, FrameKind::Operation(_)));
    match in_operation || matches!(point.stmt.kind, StmtKind::Await(_)) {
        true => Standing::WaitsInVain,
        false => Standing::WaitsForInput,
    }
}
