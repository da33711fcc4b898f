//! *Ends*: the outcome of a run in a configuration in which only faults are enabled.

use crate::specification::configuration::{Configuration, Frame, FrameKind, Lane, Process};
use crate::specification::network::System;
use crate::specification::possible::events;
use crate::specification::step::Event;
use crate::specification::waiting;
use crate::specification::walk::mentions;
use synod::internals::syntax::ast::{Guard, StmtKind};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// «all that are up have halted and nothing is under way»
    Terminated,
    /// «nothing is under way, everyone has halted or waits for input»
    Quiescent,
    /// «a message that nobody takes, one for a halted process included, or a wait that cannot end»
    Stuck,
    /// «if somebody is down and all who are stuck wait»
    Blocked,
}

impl Outcome {
    /// Return the word of scenarios and reports, in which a blocked run is stuck.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Terminated => "terminated",
            Outcome::Quiescent => "quiescent",
            Outcome::Stuck | Outcome::Blocked => "stuck",
        }
    }
}

/// The status of a process when no step is enabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    Down,
    Halted,
    /// The thread is at no waiting point: the process has handlers only.
    Idle,
    WaitsForInput,
    /// «an `await` that stays false, a `receive` in an operation»
    WaitsInVain,
}

/// Return the outcome of a run in a configuration without further steps. `untaken` lists the receivers of messages that no process takes.
pub fn outcome_by(processes: &[Standing], untaken: &[usize], may_restart: bool) -> Outcome {
    use Standing::*;
    let is = |p: &usize, one_of: &[Standing]| one_of.contains(&processes[*p]);
    let all = || 0..processes.len();
    let down = all().any(|p| is(&p, &[Down]));
    // «while somebody is down and the budget has a restart left, nobody waits in vain who has not halted»
    let may_recover = |p: &usize| down && may_restart && !is(p, &[Halted]);
    let in_vain = all().filter(|p| is(p, &[WaitsInVain]));
    let stuck: Vec<usize> = in_vain.chain(untaken.iter().copied()).filter(|p| !may_recover(p)).collect();
    if stuck.is_empty() {
        let over = untaken.is_empty() && all().all(|p| is(&p, &[Down, Halted]));
        return if over { Outcome::Terminated } else { Outcome::Quiescent };
    }
    match down && stuck.iter().all(|p| is(p, &[WaitsForInput, WaitsInVain])) {
        true => Outcome::Blocked,
        false => Outcome::Stuck,
    }
}

/// Return the outcome of a run that ends in a configuration.
pub fn outcome(system: &System, configuration: &Configuration) -> Outcome {
    let processes: Vec<Standing> =
        configuration.processes.iter().map(|process| standing(process, system.has_rounds())).collect();
    // *Rounds*: «What nobody looks at is gone at the end of the round. So such a message makes no run stuck.»
    let lanes = configuration.channels.keys().filter(|_| !system.has_rounds());
    let remaining = lanes.filter(|lane| remains(system, configuration, **lane));
    let untaken: Vec<usize> = remaining.map(|lane| system.network.link(lane.link).to.index()).collect();
    outcome_by(&processes, &untaken, configuration.faults.restart > 0)
}

fn standing(process: &Process, in_rounds: bool) -> Standing {
    if !process.up {
        return Standing::Down;
    }
    if process.parts[0].halted {
        return Standing::Halted;
    }
    let Some(point) = waiting::point(&process.thread) else { return Standing::Idle };
    let in_operation = process.thread.iter().any(|frame| matches!(frame.kind, FrameKind::Operation(_)));
    let in_vain = match in_rounds {
        true => waits_in_vain_in_rounds(&process.thread),
        false => in_operation || matches!(point.stmt.kind, StmtKind::Await(_)),
    };
    if in_vain { Standing::WaitsInVain } else { Standing::WaitsForInput }
}

/// Test whether a thread waits in vain. In rounds silence is input, too, for a wait that reads what arrives.
fn waits_in_vain_in_rounds(thread: &[Frame]) -> bool {
    let Some(point) = waiting::point(thread) else { return false };
    let reads_input = |e| mentions(e, &["received", "heard"]);
    match &point.stmt.kind {
        StmtKind::Await(awaited) => !reads_input(awaited),
        StmtKind::If(branches) | StmtKind::Do(branches) => {
            !branches.iter().any(|b| matches!(&b.guard, Guard::Condition(guard) if reads_input(guard)))
        }
        _ => false,
    }
}

/// *Faults*: test for a message of a channel that remains at the end. A message that could be taken, but whose sender is down, may be
/// lost instead. A FIFO channel then also loses all messages after it.
fn remains(system: &System, configuration: &Configuration, lane: Lane) -> bool {
    let link = system.network.link(lane.link);
    if system.is_timed() || !system.may_lose(configuration, link.from.index()) {
        return true;
    }
    // The exploration has computed the events of the configuration before.
    let Ok(enabled) = events(system, configuration, link.to.index()) else { return true };
    let is_taken = |at: usize| {
        enabled.iter().any(|event| match event {
            Event::Deliver(of, position) => (*of, *position) == (lane, at),
            Event::Gather(_, taken) => taken.contains(&(lane, at)),
            _ => false,
        })
    };
    let messages = &configuration.channels[&lane];
    match system.is_unordered(lane) {
        true => (0..messages.len()).any(|at| {
            let same = messages.iter().position(|sent| sent.content == messages[at].content);
            !is_taken(same.unwrap_or(at))
        }),
        false => !(0..messages.len()).any(is_taken),
    }
}
