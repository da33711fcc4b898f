//! The steps that are possible before and within a joint step, found in transition tables.

use super::local::LocalSteps;
use crate::explore::space::{daemon_steps, rounds};
use crate::ids::ProcessId;
use crate::ir::Daemon;
use crate::semantics::event::Cause;
use smallvec::SmallVec;
use std::ops::Range;

/// Find the steps enabled in the configuration with this vector, as indices of transitions, in the order of
/// [`Machine::enabled`].
pub fn possible_moves(
    daemon: Daemon,
    local: &mut LocalSteps<'_>,
    processes: usize,
    key: &[u32],
    found: &mut Vec<u32>,
) {
    let under_way = daemon_steps::position(key, processes);
    let mut movers: SmallVec<[Range<usize>; 16]> = SmallVec::new();
    for process in (under_way.unwrap_or_default().0..processes as u32).map(ProcessId) {
        let steps = local.steps_in(process, key).range();
        let transitions = local.all();
        let is_move = |place: &usize| {
            matches!(transitions.done(&transitions.outcomes[*place]).event.cause, Cause::Move { .. })
        };
        let moves = steps.start..steps.clone().find(|place| !is_move(place)).unwrap_or(steps.end);
        if under_way.is_none() {
            found.extend(moves.end as u32..steps.end as u32);
        }
        if !moves.is_empty() {
            movers.push(moves);
        }
    }
    let transitions = local.all();
    let done = |place: u32| transitions.done(&transitions.outcomes[place as usize]);
    // Faults occur between joint steps, and come first.
    found.sort_by_key(|place| done(*place).rank);
    // Under a synchronous daemon, the next part must be that of the first enabled process.
    let parts = if daemon == Daemon::Synchronous { 1 } else { movers.len() };
    for (number, moves) in movers.iter().take(parts).enumerate() {
        let more = number + 1 < movers.len();
        let fits = |place: &u32| match done(*place).event.cause {
            Cause::Move { last } if daemon == Daemon::Synchronous => last != more,
            Cause::Move { last } => last || more,
            _ => false,
        };
        found.extend((moves.start as u32..moves.end as u32).filter(fits));
    }
}

/// Find the steps enabled in the configuration with this vector, as indices of transitions, in the order of
/// [`Machine::enabled`]. Return the process whose part follows the one taken.
pub fn possible_parts(
    local: &mut LocalSteps<'_>,
    processes: usize,
    key: &[u32],
    found: &mut Vec<u32>,
) -> Option<ProcessId> {
    let ending = rounds::next(key, processes);
    let (mut taking, mut coming, mut wakes) = (None, None, false);
    for process in (ending.unwrap_or_default().0..processes as u32).map(ProcessId) {
        let steps = local.steps_in(process, key).range();
        let transitions = local.all();
        let cause = |place: usize| &transitions.done(&transitions.outcomes[place]).event.cause;
        let is_part = |place: &usize| matches!(cause(*place), Cause::Round { .. });
        let part = steps.clone().rev().take_while(is_part).last().map(|first| first..steps.end);
        let others = steps.start..part.as_ref().map_or(steps.end, |part| part.start);
        wakes |= others.clone().any(|place| *cause(place) == Cause::Wakeup);
        found.extend(others.start as u32..others.end as u32);
        match (part, &taking) {
            (None, _) => {}
            (part, None) => taking = part,
            (Some(_), Some(_)) => {
                coming.get_or_insert(process);
                // Before a round, a later process may have a fault.
                if ending.is_some() {
                    break;
                }
            }
        }
    }
    let transitions = local.all();
    found.sort_by_key(|place| transitions.done(&transitions.outcomes[*place as usize]).rank);
    // All spontaneous wakeups precede the first round.
    if let Some(part) = taking.filter(|_| !wakes) {
        found.extend(part.start as u32..part.end as u32);
    }
    coming
}
