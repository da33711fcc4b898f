//! Execution models: single steps, synchronous rounds, steps chosen by a daemon, pairwise interactions.

use super::Settings;
use crate::ir::{Alternative, Daemon, Expr, Feedback, Input, Program};

/// The rule that decides which processes step together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExecutionModel {
    /// One step of one process at a time.
    Single,
    /// Synchronous rounds: a round is a joint step of all processes.
    Rounds,
    /// Processes read their neighbours' variables; a daemon chooses which processes move together.
    Daemon(Daemon),
    /// One process at a time, which changes its own variables and those of one other process.
    Pairs,
}

/// The execution model and its parameters, as derived from the assumptions.
#[derive(Clone, Debug)]
pub struct Model {
    pub execution: ExecutionModel,
    /// Whether a synchronizer simulates the rounds, so that each process proceeds at its own pace.
    pub has_synchronizer: bool,
    /// Whether initiators may wake up in any round; otherwise all of them wake up in the first.
    pub spontaneous_start: bool,
    /// Radio: what listeners can distinguish.
    pub radio: Option<Feedback>,
    pub transmitter_feedback: bool,
    /// By role and waiting point: the timeouts, as the index of the alternative and the number of rounds since arrival.
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
                "a {} daemon requires processes that read their neighbours, but {} does not assume `reads neighbours`",
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
            execution: pace,
            has_synchronizer: program.rounds_are_made(),
            spontaneous_start: assumes.spontaneous_start(),
            radio: assumes.radio().then(|| assumes.feedback()),
            transmitter_feedback: assumes.transmitter_feedback(),
            deadlines: match pace {
                ExecutionModel::Rounds => program.roles.iter().map(of_role).collect(),
                _ => Vec::new(),
            },
        }
    }

    /// Return whether several processes can step at once.
    pub fn is_joint(&self) -> bool {
        !matches!(
            self.execution,
            ExecutionModel::Single | ExecutionModel::Pairs | ExecutionModel::Daemon(Daemon::Central)
        )
    }

    pub fn rounds(&self) -> bool {
        self.execution == ExecutionModel::Rounds
    }

    /// Return whether the model has a number of rounds.
    pub fn has_rounds(&self) -> bool {
        self.execution != ExecutionModel::Single || self.has_synchronizer
    }

    /// Return whether steps depend on the variables of other processes.
    pub fn has_state_reading(&self) -> bool {
        matches!(self.execution, ExecutionModel::Daemon(_) | ExecutionModel::Pairs)
    }
}

/// Return the daemon of the instance. An algorithm for a distributed daemon also runs under a central or synchronous one, since
/// these are special cases.
fn daemon(program: &Program, settings: &Settings, wrong: &mut Vec<String>) -> Daemon {
    let assumed = program.assumptions.daemon();
    match (assumed, settings.daemon) {
        (None | Some(Daemon::Distributed), Some(wished)) => wished,
        (Some(assumed), Some(wished)) if assumed != wished => {
            wrong.push(format!(
                "`{}` assumes a {} daemon, but the {} daemon was selected",
                program.name,
                assumed.as_str(),
                wished.as_str()
            ));
            assumed
        }
        (assumed, _) => assumed.unwrap_or_default(),
    }
}
