//! Who steps when: one process at a time, all in rounds, or those whom a daemon picks.

use super::Settings;
use crate::ir::{Alternative, Daemon, Expr, Feedback, Input, Program};

/// The way in which processes take their steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExecutionModel {
    /// One step of one process at a time.
    Single,
    /// Rounds: everybody's part of a round is one joint step.
    Rounds,
    /// Processes read their neighbours, and several move at once.
    Daemon(Daemon),
    /// One process at a time, which changes its own variables and those of another one.
    Pairs,
}

/// What the assumptions say about steps, looked up once.
#[derive(Clone, Debug)]
pub struct Model {
    pub pace: ExecutionModel,
    /// Does a synchronizer make the rounds, each process at its own pace?
    pub simulated: bool,
    /// Initiators may wake in any round; else all of them wake in the first.
    pub spontaneous: bool,
    /// Radio: what listeners can tell apart.
    pub radio: Option<Feedback>,
    pub transmitter_feedback: bool,
    /// By role and waiting point: when it ends by itself, in rounds since arrival, with the number of the
    /// alternative.
    pub deadlines: Vec<Vec<Vec<(u32, Expr)>>>,
}

impl Model {
    pub(super) fn new(program: &Program, settings: &Settings, wrong: &mut Vec<String>) -> Model {
        let assumes = &program.assumptions;
        let pace = match (assumes.rounds(), assumes.reads_neighbours()) {
            (true, _) => ExecutionModel::Rounds,
            (_, true) => ExecutionModel::Daemon(daemon(program, settings, wrong)),
            _ if assumes.in_pairs() => ExecutionModel::Pairs,
            _ => ExecutionModel::Single,
        };
        if let (Some(daemon), false) = (settings.daemon, matches!(pace, ExecutionModel::Daemon(_))) {
            wrong.push(format!(
                "a {} daemon picks among processes that read their neighbours, and {} does not assume `reads neighbours`",
                daemon.as_str(),
                program.name
            ));
        }
        let due = |(number, a): (usize, &Alternative)| match &a.input {
            Input::After(e) => Some((number as u32, e.clone())),
            _ => None,
        };
        let of_role = |role: &crate::ir::Role| {
            let waits = role.waits.iter();
            waits.map(|wait| wait.alternatives.iter().enumerate().filter_map(due).collect()).collect()
        };
        Model {
            pace,
            simulated: program.rounds_are_made(),
            spontaneous: assumes.spontaneous_start(),
            radio: assumes.radio().then(|| assumes.feedback()),
            transmitter_feedback: assumes.transmitter_feedback(),
            deadlines: match pace {
                ExecutionModel::Rounds => program.roles.iter().map(of_role).collect(),
                _ => Vec::new(),
            },
        }
    }

    /// Do several processes step at once?
    pub fn is_joint(&self) -> bool {
        !matches!(
            self.pace,
            ExecutionModel::Single | ExecutionModel::Pairs | ExecutionModel::Daemon(Daemon::Central)
        )
    }

    pub fn rounds(&self) -> bool {
        self.pace == ExecutionModel::Rounds
    }

    /// Are there rounds to be counted?
    pub fn has_rounds(&self) -> bool {
        self.pace != ExecutionModel::Single || self.simulated
    }

    /// Do steps depend on the variables of others?
    pub fn reads(&self) -> bool {
        matches!(self.pace, ExecutionModel::Daemon(_) | ExecutionModel::Pairs)
    }
}

/// A distributed daemon may also behave as a central or synchronous one; these are what they are.
fn daemon(program: &Program, settings: &Settings, wrong: &mut Vec<String>) -> Daemon {
    let assumed = program.assumptions.daemon();
    match (assumed, settings.daemon) {
        (None | Some(Daemon::Distributed), Some(wished)) => wished,
        (Some(assumed), Some(wished)) if assumed != wished => {
            wrong.push(format!(
                "`{}` assumes a {} daemon, and a {} one is asked for",
                program.name,
                assumed.as_str(),
                wished.as_str()
            ));
            assumed
        }
        (assumed, _) => assumed.unwrap_or_default(),
    }
}
