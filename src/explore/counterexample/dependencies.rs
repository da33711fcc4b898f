//! Re-execution of a run, whole or without some of its events: dependencies between events, and the event that violates the
//! property.

use crate::explore::ViolationKind;
use crate::ids::ProcessId;
use crate::instance::{ExecutionModel, Instance};
use crate::ir::{Daemon, PropertyKind, Value};
use crate::property::{CrashedCommand, Ended, Judgement, RunMonitor};
use crate::semantics::enumeration::ChoiceEnumerator;
use crate::semantics::event::{Cause, Effects, Event};
use crate::semantics::machine::readers;
use crate::semantics::{Configuration, Machine, Metrics, StepError};
use crate::source::Span;
use rustc_hash::FxHashMap;
use std::collections::{BTreeSet, VecDeque};

/// The result of a re-execution.
pub struct Reexecution {
    /// The events as executed.
    pub events: Vec<Event>,
    /// By event: messages sent, and received, lost or duplicated messages, by number; notes are numbered downwards from the
    /// maximum.
    sent: Vec<Vec<u64>>,
    received: Vec<Vec<u64>>,
    /// By event: the result of the interaction, if it is one.
    met: Vec<Option<InteractionResult>>,
    /// The event after which the violation holds, but not before.
    pub flipped_by: Option<usize>,
    /// If its process crashed within its command: this command.
    pub crashed_within: Option<CrashedCommand>,
    pub why: String,
    pub span: Option<Span>,
    /// Names of all claimed invariants, stable properties and orders that the run violates.
    pub violated: Vec<String>,
}

/// The responder of an interaction, and the variables of both afterwards. An event records the responder as an index among
/// possible partners, which changes if other events are omitted.
#[derive(Clone, PartialEq, Eq)]
struct InteractionResult {
    responder: ProcessId,
    words: Vec<i64>,
    values: Vec<Value>,
}

impl InteractionResult {
    fn of(process: ProcessId, effects: &Effects, after: &Configuration) -> Option<InteractionResult> {
        let responder = effects.responder?;
        let both = [process, responder];
        let words = both.iter().flat_map(|p| after.words(*p)).copied().collect();
        let values = both.iter().flat_map(|p| after.values(*p)).cloned().collect();
        Some(InteractionResult { responder, words, values })
    }
}

/// Identification of an event's message and partner in a run with fewer events.
#[derive(Default)]
struct Meant {
    /// The message, by the event that sent it and its index among the messages of that event.
    message: Option<(usize, usize)>,
    met: Option<InteractionResult>,
}

impl Reexecution {
    /// Re-execute a run. `None`: the run is impossible.
    pub fn whole(instance: &Instance, what: &ViolationKind, events: &[Event]) -> Option<Reexecution> {
        run(instance, what, events.iter().cloned().map(|event| (event, Meant::default())))
    }

    /// Re-execute some of the events, closed under causes. `None`: the run is impossible.
    pub fn without(&self, instance: &Instance, what: &ViolationKind, kept: &[bool]) -> Option<Reexecution> {
        // By message of the whole run: the event that sent it, counted among those kept, and its index there.
        let mut origin: FxHashMap<u64, (usize, usize)> = FxHashMap::default();
        let mut list: Vec<(Event, Meant)> = Vec::new();
        // Time also passes at omitted events.
        let mut passed = 0;
        for (number, (event, kept)) in self.events.iter().zip(kept).enumerate() {
            // The end of a round states how many rounds have ended.
            let wait = match event.cause {
                Cause::Round { .. } => 0,
                _ => event.wait + passed,
            };
            passed = if *kept { 0 } else { wait };
            if !kept {
                continue;
            }
            for (place, message) in self.sent[number].iter().enumerate() {
                origin.insert(*message, (list.len(), place));
            }
            let message = self.received[number].first().and_then(|message| origin.get(message)).copied();
            list.push((Event { wait, ..event.clone() }, Meant { message, met: self.met[number].clone() }));
        }
        // A move becomes the last one of its joint step if no later one remains.
        let groups = self.joint_step_numbers();
        let mut taken =
            kept.iter().zip(&groups).filter(|(kept, _)| **kept).map(|(_, group)| *group).peekable();
        for (event, _) in &mut list {
            let group = taken.next();
            if let Cause::Move { last } = &mut event.cause {
                *last = taken.peek().copied() != group;
            }
        }
        run(instance, what, list.into_iter())
    }

    /// Return for each event the number of its joint step, ascending. Where processes step one at a time, each event has its
    /// own.
    pub fn joint_step_numbers(&self) -> Vec<usize> {
        let mut number = 0;
        let mut before: Option<&Event> = None;
        let mut groups = Vec::new();
        for event in &self.events {
            let goes_on = before.is_some_and(|before| match (&before.cause, &event.cause) {
                (Cause::Move { last }, Cause::Move { .. }) => !last,
                (Cause::Round { round }, Cause::Round { round: next }) => round == next,
                _ => false,
            });
            number += usize::from(before.is_some() && !goes_on);
            groups.push(number);
            before = Some(event);
        }
        groups
    }

    /// Return the senders of the messages that an event receives.
    pub fn senders(&self, event: usize) -> BTreeSet<ProcessId> {
        let sent_by = |message: &u64| self.sent[..event].iter().rposition(|sent| sent.contains(message));
        let senders = self.received[event].iter().filter_map(sent_by);
        senders.map(|sender| self.events[sender].process).collect()
    }

    /// Return for each event its direct causes: the previous event of the same process, the senders of its messages, the last
    /// moves of the neighbours whose variables it reads, and the last interactions of its partner.
    pub fn causes(&self, instance: &Instance) -> Vec<Vec<usize>> {
        let reads = matches!(instance.model.execution, ExecutionModel::Daemon(_));
        let groups = self.joint_step_numbers();
        let mut last: FxHashMap<ProcessId, usize> = FxHashMap::default();
        let mut senders: FxHashMap<u64, usize> = FxHashMap::default();
        let mut moved: Vec<(ProcessId, usize)> = Vec::new();
        let mut causes = Vec::new();
        for (number, event) in self.events.iter().enumerate() {
            if number > 0 && groups[number] != groups[number - 1] {
                last.extend(moved.drain(..));
            }
            let mut who = vec![event.process];
            who.extend(self.met[number].as_ref().map(|met| met.responder));
            let mut seen = who.clone();
            if reads && event.cause != Cause::Start {
                seen.extend(readers(instance, event.process));
            }
            let mut own: Vec<usize> = seen.iter().filter_map(|p| last.get(p)).copied().collect();
            own.extend(self.received[number].iter().filter_map(|message| senders.get(message)));
            own.sort_unstable();
            own.dedup();
            causes.push(own);
            moved.extend(who.into_iter().map(|p| (p, number)));
            senders.extend(self.sent[number].iter().map(|message| (*message, number)));
        }
        causes
    }
}

/// Return whether all enabled processes must step together, so that only processes that never begin can be omitted.
pub fn steps_together(instance: &Instance) -> bool {
    matches!(instance.model.execution, ExecutionModel::Rounds | ExecutionModel::Daemon(Daemon::Synchronous))
}

/// Return all events that these events depend on, themselves included, ascending.
pub fn past(causes: &[Vec<usize>], events: impl IntoIterator<Item = usize>) -> Vec<usize> {
    let mut found = vec![false; causes.len()];
    let mut open: Vec<usize> = events.into_iter().collect();
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut found[at], true) {
            open.extend(&causes[at]);
        }
    }
    (0..causes.len()).filter(|event| found[*event]).collect()
}

/// Execute events with their identifications. `None`: the run is impossible.
fn run(
    instance: &Instance,
    what: &ViolationKind,
    events: impl Iterator<Item = (Event, Meant)>,
) -> Option<Reexecution> {
    let program = &instance.program;
    let mut configuration = Configuration::initial(instance);
    let mut machine = Machine::new(instance);
    machine.recording = true;
    let mut watch = RunMonitor::new(instance, None);
    watch.begin(instance, &configuration, &Metrics::new(program.kinds.len(), program.operations.len()));
    let mut again = Reexecution {
        events: Vec::new(),
        sent: Vec::new(),
        received: Vec::new(),
        met: Vec::new(),
        flipped_by: None,
        crashed_within: None,
        why: String::new(),
        span: None,
        violated: Vec::new(),
    };
    let mut notes: FxHashMap<(ProcessId, ProcessId), VecDeque<u64>> = FxHashMap::default();
    let mut next_note = u64::MAX;
    for (mut event, meant) in events {
        if let (
            Cause::Deliver { channel, position }
            | Cause::Lose { channel, position }
            | Cause::Duplicate { channel, position },
            Some((sender, place)),
        ) = (&mut event.cause, meant.message)
        {
            let id = *again.sent[sender].get(place)?;
            *position = configuration.channel(*channel).position(|m| u64::from(m.id) == id)? as u32;
        }
        if let Some(met) = meant.met {
            event = meeting(instance, &configuration, &event, &met)?;
        }
        let number = again.events.len();
        again.events.push(event.clone());
        let message = |configuration: &Configuration| match event.cause {
            Cause::Deliver { channel, position }
            | Cause::Lose { channel, position }
            | Cause::Duplicate { channel, position } => {
                configuration.channel(channel).nth(position as usize).map(|m| u64::from(m.id))
            }
            _ => None,
        };
        let at = message(&configuration);
        match machine.replay(instance, &mut configuration, &event) {
            Ok(()) => {}
            Err(StepError::Aborted(abort)) if matches!(what, ViolationKind::Aborted(_)) => {
                again.flipped_by = Some(number);
                again.why.clone_from(&abort.message);
                again.span = Some(abort.span);
                again.received.push(at.into_iter().collect());
                again.sent.push(Vec::new());
                again.met.push(None);
                break;
            }
            Err(_) => return None,
        }
        let effects = &machine.effects;
        let mut sent: Vec<u64> = effects.sent.iter().map(|s| u64::from(s.message)).collect();
        // The received messages, first the one whose position the event states.
        let mut received: Vec<u64> = at.into_iter().collect();
        received.extend(effects.received.iter().map(|r| u64::from(r.message)).filter(|m| Some(*m) != at));
        match event.cause {
            Cause::SendNote { to } => {
                notes.entry((event.process, to)).or_default().push_back(next_note);
                sent.push(next_note);
                next_note -= 1;
            }
            Cause::ReceiveNote { from } => {
                received
                    .extend(notes.get_mut(&(from, event.process)).and_then(|waiting| waiting.pop_front()));
            }
            _ => {}
        }
        again.sent.push(sent);
        again.received.push(received);
        again.met.push(InteractionResult::of(event.process, effects, &configuration));
        watch.after(instance, &event, effects, &configuration, &machine.metrics);
    }
    for verdict in watch.verdicts(instance, Ended::CutOff, &configuration, &machine.metrics) {
        if verdict.judgement != Judgement::Violated {
            continue;
        }
        if matches!(what, ViolationKind::Property(p) if program.properties[*p].name == verdict.name) {
            again.flipped_by = verdict.at_event.map(|event| event as usize);
            again.crashed_within = verdict.crashed_within;
            again.why = verdict.why.to_string();
            again.span = Some(verdict.span);
        }
        if verdict.promised
            && matches!(verdict.kind, PropertyKind::Invariant | PropertyKind::Stable | PropertyKind::Order)
        {
            again.violated.push(verdict.name);
        }
    }
    Some(again)
}

/// Return the interaction of this process with the same partner and the same result as before. `None`: there is none.
fn meeting(
    instance: &Instance,
    before: &Configuration,
    event: &Event,
    met: &InteractionResult,
) -> Option<Event> {
    let mut machine = Machine::new(instance);
    let mut choices = ChoiceEnumerator::default();
    loop {
        let mut after = before.clone();
        let done = machine.perform(instance, &mut after, event, &mut choices);
        if matches!(done, Ok(true))
            && InteractionResult::of(event.process, &machine.effects, &after).as_ref() == Some(met)
        {
            return Some(Event { choices: machine.choices.clone(), ..event.clone() });
        }
        if !choices.next() {
            return None;
        }
    }
}
