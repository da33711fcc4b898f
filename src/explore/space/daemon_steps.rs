//! Joint steps of processes that read their neighbours, under a synchronous or distributed daemon, encoded component by
//! component.
//!
//! A vector contains for each process its local state when the joint step began, then for each process its local state since: 0
//! if unchanged, or the id of another local state + 1. Next come the world ([`super::footprint`]), and the progress of the
//! joint step: the position from which on processes may still take part. 0, before all processes, means that no joint step is
//! in progress; then no process has changed.
//!
//! So the steps of a process depend on the first part alone, before a joint step as well as within it: on its own local state
//! and those of its neighbours. Each move is in the tables twice, as the last part of a joint step and as a part that others
//! follow. The later processes that are enabled decide which of the two is possible. The last part replaces the old local
//! states by the new ones.

use crate::explore::monitor::Monitor;
use crate::explore::space::transitions::Effect;
use crate::explore::store::components::Components;
use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::semantics::event::{Cause, Event};
use crate::semantics::{Configuration, Machine};

/// Number of components besides two for each process: the world, and the progress of the joint step.
pub const MORE: usize = 2;

/// The id of the only inbox of each process: there are no messages.
pub const NO_MESSAGES: u32 = 0;

/// The local state is unchanged.
const SAME: u32 = 0;

/// No joint step is in progress.
const AT_REST: u32 = 0;

/// Return whether such a vector determines steps and properties. It does not if waiting points end by wakeup or by messages,
/// nor if the truth before a joint step depends on counts or history.
pub fn tell_all(instance: &Instance, monitor: &Monitor<'_>) -> bool {
    let moves_only = instance.tables.iter().all(|table| !table.wakes && !table.gathers);
    moves_only && instance.program.kinds.is_empty() && monitor.with_truth() & monitor.reading_auxiliary() == 0
}

/// Return the position from which on processes may still take part. `None`: no joint step is in progress.
pub fn position(key: &[u32], processes: usize) -> Option<ProcessId> {
    let position = key[2 * processes + 1];
    (position != AT_REST).then_some(ProcessId(position))
}

/// Return the components after the local states of an initial configuration.
pub fn at_rest(processes: usize, world: u32) -> impl Iterator<Item = u32> {
    std::iter::repeat_n(SAME, processes).chain([world, AT_REST])
}

/// Return the moves of a process in a situation, alternative by alternative, independently of other moves.
pub fn of(
    instance: &Instance,
    machine: &mut Machine,
    configuration: &Configuration,
    process: ProcessId,
) -> Vec<Event> {
    let mut found = Vec::new();
    machine.internal(instance, configuration, process, &mut found);
    let both = |(_, alternative)| {
        let as_last = |last| Event { alternative, ..Event::new(process, Cause::Move { last }) };
        [as_last(true), as_last(false)]
    };
    found.into_iter().flat_map(both).collect()
}

/// Replace a vector by the one after a step of a process to this local state.
pub fn take(key: &mut [u32], processes: usize, done: &Effect, local: u32) {
    let process = done.at.index();
    let (before, behind) = key.split_at_mut(processes);
    let (since, more) = behind.split_at_mut(processes);
    more[0] = done.world;
    match done.event.cause {
        Cause::Move { last: false } => {
            since[process] = if before[process] == local { SAME } else { local + 1 };
            more[1] = done.at.0 + 1;
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

/// Restore the local states of a vector, and the progress of the joint step.
pub fn restore(parts: &Components, key: &[u32], into: &mut Configuration) {
    let processes = parts.n();
    for (process, before) in (0..).map(ProcessId).zip(&key[..processes]) {
        parts.restore_local(into, process, *before);
    }
    into.restore_joint_step(position(key, processes));
    for (process, since) in
        (0..).map(ProcessId).zip(&key[processes..2 * processes]).filter(|(_, b)| **b != SAME)
    {
        parts.restore_local(into, process, *since - 1);
    }
}
