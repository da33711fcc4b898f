//! *Ends*: the outcome of a run in a configuration in which only faults are enabled.

use crate::configuration::{Configuration, Frame, FrameKind};
use crate::network::System;
use crate::waiting;
use synod::syntax::ast::{Guard, StmtKind};

/// *terminated: all that are up have halted and nothing is under way. quiescent: nothing is under way, everyone has halted or waits for
/// input. stuck: a message that nobody takes, one for a halted process included, or a wait that cannot end; while somebody is down and
/// the budget has a restart left, nobody waits in vain who has not halted.*
pub fn outcome(system: &System, configuration: &Configuration) -> &'static str {
    let processes = &configuration.processes;
    let halted = |p: usize| processes[p].parts[0].halted;
    let is_down = processes.iter().any(|process| !process.up);
    let hope = is_down && configuration.faults.restart > 0;
    let in_vain =
        |p: &usize| processes[*p].up && !halted(*p) && !hope && waits_in_vain(&processes[*p].thread);
    // *Rounds: what nobody looks at is gone. So such a message makes no run stuck.*
    if system.has_rounds() {
        let up = || (0..system.n()).filter(|p| processes[*p].up);
        if up().any(|p| !halted(p) && !hope && waits_in_vain_in_rounds(&processes[p].thread)) {
            return "stuck";
        }
        return if up().all(halted) { "terminated" } else { "quiescent" };
    }
    let left_over = configuration.channels.keys().any(|lane| {
        let to = system.network.link(lane.link).to as usize;
        !hope || halted(to)
    });
    if left_over || (0..system.n()).any(|p| in_vain(&p)) {
        return "stuck";
    }
    if (0..system.n()).filter(|p| processes[*p].up).all(halted) && configuration.channels.is_empty() {
        "terminated"
    } else {
        "quiescent"
    }
}

/// *An `await` that stays false, a `receive` in an operation.*
fn waits_in_vain(thread: &[Frame]) -> bool {
    let Some(point) = waiting::point(thread) else { return false };
    match point.stmt.kind {
        StmtKind::Await(_) => true,
        _ => thread.iter().any(|frame| matches!(frame.kind, FrameKind::Operation(_))),
    }
}

/// Test whether the thread waits in vain: in rounds, a wait is for input only if it reads `received` or `heard`.
pub fn waits_in_vain_in_rounds(thread: &[Frame]) -> bool {
    let Some(point) = waiting::point(thread) else { return false };
    let reads_input = |e| waiting::mentions(e, &["received", "heard"]);
    match &point.stmt.kind {
        StmtKind::Await(awaited) => !reads_input(awaited),
        StmtKind::If(branches) | StmtKind::Do(branches) => {
            !branches.iter().any(|b| matches!(&b.guard, Guard::Condition(guard) if reads_input(guard)))
        }
        _ => false,
    }
}
