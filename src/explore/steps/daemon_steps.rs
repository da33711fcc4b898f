//! Joint steps of processes that read their neighbours, where a daemon lets several of them move: part by part, from tables.
//!
//! A vector says for each process what it held when the joint step began, then for each what has become of it since: nothing, or the number
//! of another local state, and 1. Then come the number of what is with no process ([`super::footprint`]), and how far the joint step has
//! come: the position from which on processes may still take part; 0, before everybody, where none is under way. There, nothing has become
//! of anybody.
//!
//! So what a process can do depends on the first part alone, before a joint step as well as in the middle of it: on what it held itself and
//! what its neighbours held. Each move is in the tables twice, as the last part of a joint step and as one behind which somebody else
//! moves; which of the two is possible tell those who come later and can move. The last part makes of what has become of the
//! processes what they hold.

use super::local::Local;
use super::transitions::Done;
use crate::explore::monitor::Monitor;
use crate::explore::space::components::Components;
use crate::instance::Instance;
use crate::ir::Daemon;
use crate::semantics::event::{Cause, Event};
use crate::semantics::{Configuration, Machine};
use smallvec::SmallVec;
use std::ops::Range;

/// Components of a vector behind two for each process: what is with no process, and how far a joint step has come.
pub const MORE: usize = 2;

/// Nobody sends here: the first inbox of each process is the only one.
pub const NO_MESSAGES: u32 = 0;

/// Nothing has become of a process.
const SAME: u32 = 0;

/// No joint step is under way.
const AT_REST: u32 = 0;

/// Does such a vector tell everything that steps and properties depend on? Not if waiting points end by themselves or by messages, nor
/// if what was true before a joint step is told by what has been counted along the run.
pub fn tell_all(instance: &Instance, judge: &Monitor<'_>) -> bool {
    let moves_only = instance.tables.iter().all(|table| !table.wakes && !table.gathers);
    moves_only && instance.program.kinds.is_empty() && judge.with_truth() & judge.ghostly() == 0
}

/// The position from which on processes may still take part. None: no joint step is under way.
pub fn position(key: &[u32], processes: usize) -> Option<u32> {
    let position = key[2 * processes + 1];
    (position != AT_REST).then_some(position)
}

/// What stands behind the local states of processes that have all just started.
pub fn at_rest(processes: usize, world: u32) -> impl Iterator<Item = u32> {
    std::iter::repeat_n(SAME, processes).chain([world, AT_REST])
}

/// The moves of a process in a situation that the configuration holds it in, alternative by alternative, whoever else moves.
pub fn of(
    instance: &Instance,
    machine: &mut Machine,
    configuration: &Configuration,
    process: u32,
) -> Vec<Event> {
    let mut found = Vec::new();
    machine.internal(instance, configuration, process, &mut found);
    let both = |(_, alternative)| {
        let as_last = |last| Event { alternative, ..Event::new(process, Cause::Move { last }) };
        [as_last(true), as_last(false)]
    };
    found.into_iter().flat_map(both).collect()
}

/// The steps that are possible in the configuration with this vector, as places among everything that processes are known to do, in the
/// order in which [`Machine::enabled`] has them.
pub fn possible(daemon: Daemon, local: &mut Local<'_>, processes: usize, key: &[u32], found: &mut Vec<u32>) {
    let under_way = position(key, processes);
    let mut movers: SmallVec<[Range<usize>; 16]> = SmallVec::new();
    for process in under_way.unwrap_or(0)..processes as u32 {
        let steps = local.steps_in(process, key).range();
        let ways = local.all();
        let is_move =
            |place: &usize| matches!(ways.done(&ways.outcomes[*place]).event.cause, Cause::Move { .. });
        let moves = steps.start..steps.clone().find(|place| !is_move(place)).unwrap_or(steps.end);
        if under_way.is_none() {
            found.extend(moves.end as u32..steps.end as u32);
        }
        if !moves.is_empty() {
            movers.push(moves);
        }
    }
    let ways = local.all();
    let done = |place: u32| ways.done(&ways.outcomes[place as usize]);
    // What goes wrong does so between joint steps, and comes first.
    found.sort_by_key(|place| done(*place).rank);
    // Who cannot do without the others is the first of them.
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

/// Makes of a vector the one after a step by which its process comes to this local state.
pub fn take(key: &mut [u32], processes: usize, done: &Done, local: u32) {
    let process = done.at as usize;
    let (before, behind) = key.split_at_mut(processes);
    let (since, more) = behind.split_at_mut(processes);
    more[0] = done.world;
    match done.event.cause {
        Cause::Move { last: false } => {
            since[process] = if before[process] == local { SAME } else { local + 1 };
            more[1] = done.at + 1;
        }
        _ => {
            for (before, since) in before.iter_mut().zip(since).filter(|(_, since)| **since != SAME) {
                *before = std::mem::replace(since, SAME) - 1;
            }
            before[process] = local;
            more[1] = AT_REST;
        }
    }
}

/// Puts what a vector says of processes into a configuration, and how far a joint step has come.
pub fn restore(parts: &Components, key: &[u32], into: &mut Configuration) {
    let processes = parts.n();
    for (process, before) in (0u32..).zip(&key[..processes]) {
        parts.restore_local(into, process, *before);
    }
    into.restore_joint_step(position(key, processes));
    for (process, since) in (0u32..).zip(&key[processes..2 * processes]).filter(|(_, b)| **b != SAME) {
        parts.restore_local(into, process, *since - 1);
    }
}
