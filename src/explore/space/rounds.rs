//! Synchronous rounds, encoded component by component.
//!
//! The part of a process in a round depends only on its local state and the messages sent to it in the round. Messages sent
//! meanwhile belong to the next round. So a vector contains for each process its local state and its inbox, as in other models.
//! These components follow:
//!
//! * the world, which is outside all processes ([`super::footprint`]);
//! * the progress of the end of a round: the process whose part is next. 0, which always comes first, means that no round is
//!   ending;
//! * the truth vector before the end of the round;
//! * for each process the messages sent to it for the next round, empty between rounds.
//!
//! In a radio network, what a process does in a slot is kept with the messages of the slot that reach it.
//!
//! The processes that continue at the end of a round are those with a part in the tables. A part that begins a round is
//! distinguished from the others, since rounds are counted there.

use crate::explore::space::transitions::{Effect, Rank, Sent, Transition};
use crate::explore::store::components::Components;
use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::ir::{Expr, ExprKind, Fault, Input, Quantifier};
use crate::semantics::event::{Cause, Event};
use crate::semantics::{Configuration, Machine};

/// Number of components between the local states and inboxes and the messages for the next round: world, progress, truth
/// before.
const MORE: usize = 3;

/// The id of the empty inbox of each process.
const NO_MESSAGES: u32 = 0;

/// No round is ending.
const AT_REST: u32 = 0;

/// Rank after all faults.
const PART: Rank = (u8::MAX, 0);

/// The data that all parts taken in a configuration share.
#[derive(Clone, Copy, Debug, Default)]
pub struct RoundProgress {
    /// The process whose part is next. `None`: the round ends.
    pub next: Option<ProcessId>,
    /// The id of the truth vector of the configuration, if no round is ending.
    pub truth: u32,
}

/// Return whether such a vector determines all steps. It does not with deadlines counted in rounds, or if a message may be
/// inserted between messages of an earlier step: in unordered rounds, before or after messages that a process sends on waking.
pub fn tell_all(instance: &Instance) -> bool {
    let model = &instance.model;
    let by_itself = model.deadlines.iter().flatten().any(|wait| !wait.is_empty());
    let wakes_late = model.spontaneous_start && instance.tables.iter().any(|table| table.wakes);
    let budget = |fault| instance.active_faults().is_some_and(|hazards| hazards.budget.of(fault) > 0);
    let comes_back = budget(Fault::Restart) || budget(Fault::Link);
    let is_deaf = !by_itself && !awaits_silence(instance);
    let sends_twice = instance.tables.iter().any(|table| table.wakes) || budget(Fault::Duplication);
    let reorders = instance.channels().any(|channel| instance.layout.reorders_rounds(channel));
    is_deaf && !wakes_late && !comes_back && instance.timing.is_none() && !(reorders && sends_twice)
}

/// Return whether the absence of messages may enable a process. Then a round in which no process continues may precede one in
/// which some process does, and inboxes do not distinguish them.
fn awaits_silence(instance: &Instance) -> bool {
    let waits = instance.program.roles.iter().flat_map(|role| &role.waits);
    waits.flat_map(|wait| &wait.alternatives).any(|alternative| {
        let Input::Condition { some } = &alternative.input else { return false };
        let of_set = some.as_ref().map(|binder| &binder.set);
        let takes_one = of_set.is_some_and(|set| matches!(set.kind, ExprKind::Received));
        let mut conditions = of_set.into_iter().chain(&alternative.guard);
        !takes_one && conditions.any(|e| reads_received(e) && !needs_something(e))
    })
}

fn reads_received(e: &Expr) -> bool {
    use ExprKind::{Fact, Received, ReceivedKind, ReceivedMessage};
    let mut reads =
        matches!(e.kind, Received | ReceivedKind(_) | ReceivedMessage(_) | Fact(crate::ir::Fact::Heard));
    e.parts(&mut |part| reads |= reads_received(part));
    reads
}

/// Return whether the expression is false if no message was received.
fn needs_something(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::ReceivedKind(_) | ExprKind::ReceivedMessage(_) => true,
        ExprKind::In(_, set) => matches!(set.kind, ExprKind::Received),
        ExprKind::And(a, b) => needs_something(a) || needs_something(b),
        ExprKind::Or(a, b) => needs_something(a) && needs_something(b),
        ExprKind::Quantified { quantifier: Quantifier::Some, binders, .. } => {
            binders.iter().any(|binder| matches!(binder.set.kind, ExprKind::Received))
        }
        _ => false,
    }
}

pub fn components(processes: usize) -> usize {
    MORE + processes
}

/// Return the components after the local states and inboxes of an initial configuration.
pub fn at_rest(parts: &Components, world: u32) -> impl Iterator<Item = u32> {
    [world, AT_REST, 0].into_iter().chain(std::iter::repeat_n(NO_MESSAGES, parts.n()))
}

/// Give the empty inbox of each process the id 0.
pub fn number_empty_inboxes(parts: &Components) {
    parts.processes().for_each(|process| {
        let number = parts.empty_inbox(process);
        debug_assert_eq!(number, NO_MESSAGES);
    });
}

/// Return the process whose part is next. `None`: no round is ending.
pub fn next(key: &[u32], processes: usize) -> Option<ProcessId> {
    let next = key[2 * processes + 1];
    (next != AT_REST).then_some(ProcessId(next))
}

/// Return the steps of a process in a situation, with their ranks: its part in the end of a round comes last. `others`: faults.
pub fn steps(
    instance: &Instance,
    machine: &mut Machine,
    configuration: &Configuration,
    process: ProcessId,
    others: Vec<(Event, Rank)>,
) -> Vec<(Event, Rank)> {
    let mut steps = Vec::new();
    if !configuration.in_joint_step() {
        let mut found = Vec::new();
        machine.internal(instance, configuration, process, &mut found);
        let event = |(cause, alternative)| Event { alternative, ..Event::new(process, cause) };
        steps.extend(found.into_iter().map(|found| (event(found), (0, 0))));
        steps.extend(others);
    }
    let is_part = |event: &Event| matches!(event.cause, Cause::Round { .. });
    let parts = machine.enabled(instance, configuration).into_iter().filter(is_part);
    steps.extend(parts.map(|event| (event, PART)));
    steps
}

/// Prepare a process for a round that is ending, or not, with all other processes inactive.
pub fn restore_round(into: &mut Configuration, process: ProcessId, is_ending: bool) {
    into.let_others_halt(process);
    into.restore_round(is_ending.then_some(process));
}

/// Return the messages sent to a process for the next round.
pub fn next_inbox(key: &[u32], processes: usize, process: ProcessId) -> u32 {
    key[2 * processes + MORE + process.index()]
}

/// Replace a vector by the one after a step with these messages. `append`: returns the inbox with an additional message; `decided`: the
/// inbox of the process for the next round, if the step decides what it does there.
pub fn take(
    key: &mut [u32],
    processes: usize,
    (done, outcome, sends): (&Effect, &Transition, &[Sent]),
    coming: RoundProgress,
    decided: Option<u32>,
    mut append: impl FnMut(&Sent, u32) -> u32,
) {
    let (state, behind) = key.split_at_mut(2 * processes);
    let (locals, inboxes) = state.split_at_mut(processes);
    let (more, later) = behind.split_at_mut(MORE);
    let later = &mut later[..processes];
    let process = done.at.index();
    locals[process] = outcome.local;
    inboxes[process] = outcome.inbox;
    more[0] = done.world;
    let is_part = done.is_part();
    if let Some(inbox) = decided {
        later[process] = inbox;
    }
    for sent in sends {
        let to = if is_part { &mut *later } else { &mut *inboxes };
        let inbox = &mut to[sent.receiver.index()];
        *inbox = append(sent, *inbox);
    }
    match coming.next {
        _ if !is_part => {}
        Some(next) => {
            if more[1] == AT_REST {
                more[2] = coming.truth;
            }
            more[1] = next.0;
        }
        None => {
            more[1..].fill(AT_REST);
            // Messages that no process reads in their round are lost.
            inboxes.copy_from_slice(later);
            later.fill(NO_MESSAGES);
        }
    }
}

/// Restore a configuration from a vector, except for the numbers of messages, which are unobservable in the middle of a round.
pub fn restore(parts: &Components, key: &[u32], into: &mut Configuration) {
    let n = parts.n();
    let next = next(key, n);
    into.restore_round(next);
    for process in parts.processes() {
        let later = next_inbox(key, n, process);
        parts.restore_local(into, process, key[process.index()]);
        parts.restore_inbox(into, process, key[n + process.index()]);
        parts.add_inbox(into, process, later);
        if parts.have_decisions && next.is_some() {
            into.restore_next_on_air(process, parts.on_air(process, later));
        }
    }
}
