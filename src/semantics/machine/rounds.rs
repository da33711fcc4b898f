//! Synchronous rounds. At the end of a round, every process receives the messages sent to it in the round and proceeds to its
//! next waiting point. This is one joint step, recorded as one event for each process that proceeds.
//!
//! A process that cannot proceed stays at its waiting point, and its messages are discarded. Rounds in which no process proceeds
//! are *quiet* and are skipped. The next round that counts is the first in which a process reacts to a message, to silence, or to
//! a timeout.
//!
//! Faults occur between two joint steps, when all messages of the round have been sent, or while a process sends
//! (`faults::Dying`): then any subset of its messages of the round is sent.

use super::radio::Reception;
use super::{Chooser, Configuration, Eval, Machine, NO_VALUE, Taken};
use crate::ids::{ChannelId, MessageId, ProcessId};
use crate::instance::{Instance, RoleTable, wait_index};
use crate::ir::{Alternative, Input};
use crate::semantics::environment::{Air, Joint, JointProgress, NEVER, before};
use crate::semantics::eval::neighbourhood::ReceivedInRound;
use crate::semantics::eval::word;
use crate::semantics::event::{Cause, Event};

/// The next part of a joint step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::semantics) struct Part {
    pub round: u64,
    pub process: ProcessId,
    /// Whether the messages in transit belong to this round.
    fresh: bool,
    /// Messages from this number on belong to the next round.
    boundary: MessageId,
}

impl Machine {
    /// Return the round and process of the next part; None: no process can proceed in any round.
    pub fn next_part(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
    ) -> Option<(u64, ProcessId)> {
        self.round_part(instance, configuration, &mut Vec::new()).map(|part| (part.round, part.process))
    }

    fn round_part(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        quiet: &mut Vec<ProcessId>,
    ) -> Option<Part> {
        let joint = configuration.joint()?;
        if let Some(JointProgress { next, boundary, fresh, .. }) = joint.progress {
            return Some(Part { round: joint.round, process: next, fresh, boundary });
        }
        if configuration.next_to_start().is_some()
            || (!instance.model.spontaneous_start && self.somebody_wakes(instance, configuration))
        {
            return None;
        }
        let boundary = configuration.next_message();
        let round = joint.round.saturating_add(1);
        let next = Part { round, process: ProcessId(0), fresh: true, boundary };
        if let Some(process) = self.participant(instance, configuration, next, quiet) {
            return Some(Part { process, ..next });
        }
        // Messages of this round are gone in the next one, in which no message arrives; a process may be waiting for that.
        if was_heard(configuration, joint) {
            let silent =
                Part { round: round.saturating_add(1), process: ProcessId(0), fresh: false, boundary };
            if let Some(process) = self.participant(instance, configuration, silent, quiet) {
                return Some(Part { process, ..silent });
            }
        }
        // No messages until the first timeout.
        let live = instance.processes().filter(|p| configuration.pc(*p) >= 0);
        let due = live.map(|p| joint.due(p)).min().filter(|due| *due != NEVER)?;
        let later = Part { round: due, process: ProcessId(0), fresh: false, boundary };
        let process = self.participant(instance, configuration, later, quiet)?;
        Some(Part { process, ..later })
    }

    /// Return the maximum number of consecutive quiet rounds that may end now. They are skipped unless a process wakes up or
    /// restarts after some of them: timeouts are then closer, and messages of the last counted round are gone. If no timeout is
    /// pending, more than one quiet round makes no difference.
    pub fn quiet_rounds(&mut self, instance: &Instance, configuration: &Configuration) -> u64 {
        let joint = configuration.joint().filter(|joint| joint.progress.is_none());
        let Some(joint) =
            joint.filter(|_| instance.model.rounds() && configuration.next_to_start().is_none())
        else {
            return 0;
        };
        match self.round_part(instance, configuration, &mut Vec::new()) {
            Some(part) => (part.round - 1).saturating_sub(joint.round),
            None if !instance.model.spontaneous_start && self.somebody_wakes(instance, configuration) => 0,
            None => u64::from(was_heard(configuration, joint)),
        }
    }

    /// Return whether a process must wake up before the round ends. By the lines of a scenario, processes wake up at any time.
    pub(in crate::semantics) fn somebody_wakes(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
    ) -> bool {
        let mut found = Vec::new();
        let is_by_line = instance.script.as_ref().is_some_and(|script| !script.woken.is_empty());
        !is_by_line
            && instance.processes().filter(|p| configuration.may_wake(*p)).any(|p| {
                self.internal(instance, configuration, p, &mut found);
                !found.is_empty()
            })
    }

    /// Return the first process from a position on that proceeds at the end of the round. Append to `quiet` the processes that
    /// wait for a message.
    fn participant(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        part: Part,
        quiet: &mut Vec<ProcessId>,
    ) -> Option<ProcessId> {
        let joint = configuration.joint()?;
        (part.process.0..instance.n()).map(ProcessId).find(|process| {
            let process = *process;
            if configuration.pc(process) < 0 {
                return false;
            }
            let silent = !part.fresh || !hears(instance, configuration, process, part.boundary);
            let due = joint.due(process) <= part.round;
            if silent && joint.quiet[process.index()] && !due {
                return false;
            }
            let (table, pc) = (instance.table(process), configuration.pc(process));
            let wait = &table.waits[wait_index(table, pc)];
            let always = |number: &u32| table.candidates[*number as usize].alternative.guard.is_none();
            if wait.conditions.iter().any(always) {
                return true;
            }
            self.look(instance, configuration, process);
            self.receive_round(instance, configuration, process, part);
            let goes_on = match self.find_open(instance, joint, process, part.round) {
                // The guard aborts; executing the step reports it.
                Err(_) => true,
                Ok(()) => !self.joint.open.is_empty(),
            };
            let around = self.joint.neighbourhood.as_deref();
            if !goes_on && around.is_some_and(|a| a.received.is_empty() && a.heard == 0) {
                quiet.push(process);
            }
            goes_on
        })
    }

    /// Collect what a process receives in this round; `self.receipt.taken` has the messages that it notices.
    fn receive_round(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        process: ProcessId,
        part: Part,
    ) {
        self.receipt.taken.clear();
        let Some(mut around) = self.joint.neighbourhood.take() else { return };
        around.received.clear();
        let mut deepest = 0;
        let air = configuration.joint().filter(|_| part.fresh).and_then(|joint| match &joint.progress {
            Some(under_way) => under_way.air.get(process.index()),
            None => joint.air.get(process.index()),
        });
        let air = air.copied().unwrap_or_default();
        let mut signals = Vec::new();
        if part.fresh {
            let arrives = |c: &ChannelId| {
                !configuration.is_empty(*c) && !Machine::vanishes(instance, configuration, *c)
            };
            for channel in instance.incoming(process).filter(arrives) {
                let of_round = |slot: &u32| before(configuration.pool.id(*slot), part.boundary);
                signals.extend(configuration.slots(channel).take_while(of_round).map(|slot| (channel, slot)));
            }
        }
        let reception = Reception::of(instance, air, signals.len());
        around.heard = reception.heard;
        for (channel, slot) in signals {
            let message = configuration.pool.message(slot);
            if reception.noticed {
                // Earlier messages of its channel are taken first.
                self.receipt.taken.push(Taken { channel, position: 0, id: message.id });
                deepest = deepest.max(message.depth);
            }
            if reception.understood {
                around.received.push(ReceivedInRound {
                    kind: message.kind,
                    from: super::receive::sender(instance, channel),
                    words: message.words.to_vec(),
                    values: message.values.to_vec(),
                });
            }
        }
        if instance.layout.by_id {
            // A process that knows the others by their identifiers knows no ports.
            around.received.sort_by_key(|message| message.from);
        }
        self.thread.depth = configuration.depth(process).max(deepest);
        self.joint.neighbourhood = Some(around);
    }

    /// Fill the frame of a process as at the end of the next round, if no more messages were sent. `None`: the model has no rounds.
    pub(super) fn hear_round(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        process: ProcessId,
    ) -> Option<()> {
        let round = configuration.joint()?.round.saturating_add(1);
        let next = Part { round, process, fresh: true, boundary: configuration.next_message() };
        let part = self.round_part(instance, configuration, &mut Vec::new()).unwrap_or(next);
        self.look(instance, configuration, process);
        self.receive_round(instance, configuration, process, part);
        Some(())
    }

    /// Find the alternatives by which the process can proceed. The frame contains its state. Messages take precedence over a
    /// timeout: if both are possible, the message is received.
    fn find_open(&mut self, instance: &Instance, joint: &Joint, process: ProcessId, round: u64) -> Eval<()> {
        self.joint.open.clear();
        let table = instance.table(process);
        let pc = self.frame.words[crate::ir::PC as usize];
        let wait = &instance.program.roles[instance.role_of(process)].waits[pc.max(0) as usize];
        if !self.receipt.taken.is_empty() && arrivals(table, &self.frame.words).next().is_some() {
            let first = wait.alternatives.len() as u32;
            let count = arrivals(table, &self.frame.words).count() as u32;
            self.joint.open.extend(first..first + count);
            return Ok(());
        }
        for (number, alternative) in (0u32..).zip(&wait.alternatives) {
            if alternative.after_earlier && !self.joint.open.is_empty() {
                continue;
            }
            if matches!(alternative.input, Input::Condition { .. })
                && self.condition_holds(instance, process, alternative)?
            {
                self.joint.open.push(number);
            }
        }
        if self.joint.open.is_empty()
            && let Some((due, number)) = joint.timeouts.get(process.index())
            && *due <= round
        {
            self.joint.open.push(*number);
        }
        Ok(())
    }

    /// Execute the part of a process in the end of a round, and return its alternative. `None`: it is not its turn, or it cannot
    /// proceed with this alternative.
    ///
    /// # Errors
    /// If a guard or the command aborts.
    pub fn execute_part(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        round: u64,
        process: ProcessId,
        wanted: Option<u32>,
        chooser: &mut dyn Chooser,
    ) -> Eval<Option<u32>> {
        let mut quiet = Vec::new();
        let Some(part) = self.round_part(instance, configuration, &mut quiet) else {
            return Ok(None);
        };
        if (part.round, part.process) != (round, process) {
            return Ok(None);
        }
        self.begin(instance, configuration, process);
        self.receive_round(instance, configuration, process, part);
        let Some(joint) = configuration.joint() else {
            return Ok(None);
        };
        if let Err(abort) = self.find_open(instance, joint, process, round) {
            return Err(self.roll_back(instance, configuration, process, abort));
        }
        let chosen = match wanted {
            Some(wanted) => {
                let place = self.joint.open.iter().position(|open| *open == wanted);
                if let Some(place) = place.filter(|_| self.joint.open.len() > 1) {
                    self.choice_orders.note((process, place), self.joint.open.len(), NO_VALUE);
                }
                place.map(|_| wanted)
            }
            None if self.joint.open.is_empty() => None,
            None if self.joint.open.len() == 1 => Some(self.joint.open[0]),
            None => {
                let options = self.joint.open.len();
                Some(
                    self.joint.open
                        [self.choice_orders.choose(process, options, NO_VALUE, || chooser.choose(options))],
                )
            }
        };
        let Some(chosen) = chosen else {
            self.frame.give_back(configuration, process);
            return Ok(None);
        };
        let alternative = numbered(instance, process, &self.frame.words, chosen);
        let (action, entry) = (alternative.action, alternative.entry);
        let before = begin_round(configuration, part, &quiet);
        self.effects.action = action;
        if let Err(abort) = self.execute_step(instance, configuration, process, entry, chooser) {
            if let (Some(round), Some(joint)) = (before, configuration.joint_mut()) {
                joint.round = round;
                joint.air = joint.progress.take().map(|under_way| under_way.air).unwrap_or_default();
            }
            return Err(abort);
        }
        if before.is_some() && !part.fresh {
            // Discard messages of a much earlier round.
            configuration.sweep(part.boundary);
        }
        if !self.receipt.taken.is_empty() {
            configuration.reached(process, self.thread.depth);
        }
        self.schedule_timeout(instance, configuration, process);

        quiet.clear();
        let rest = Part { process: ProcessId(process.0 + 1), ..part };
        let next = self.participant(instance, configuration, rest, &mut quiet);
        // The search for the next part has overwritten the frame; the effects of this step have been recorded.
        if next.is_none() {
            self.metrics.rounds = round;
        }
        end_part(configuration, part, next, &quiet);
        Ok(Some(chosen))
    }

    /// Schedule the timeout of a process that has arrived at a waiting point, or clean up after its end.
    pub(super) fn schedule_timeout(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: ProcessId,
    ) {
        let pc = configuration.pc(process);
        if pc < 0 {
            Machine::leave_air(instance, configuration, process);
        }
        let Some(joint) = configuration.joint_mut().filter(|joint| !joint.quiet.is_empty()) else {
            return;
        };
        joint.quiet[process.index()] = false;
        let now = joint.round;
        // A handler that leaves the thread at its waiting point does not postpone the timeout.
        if joint.timeouts.is_empty() || (pc >= 0 && !self.special.arrived) {
            return;
        }
        joint.timeouts[process.index()] = (NEVER, 0);
        let deadlines = usize::try_from(pc)
            .ok()
            .and_then(|pc| instance.model.deadlines[instance.role_of(process)].get(pc))
            .filter(|deadlines| !deadlines.is_empty());
        let Some(deadlines) = deadlines else { return };
        let taken = std::mem::take(&mut self.receipt.taken);
        self.look(instance, configuration, process);
        let mut first = (NEVER, 0);
        for (number, after) in deadlines {
            // The number of rounds was evaluated on arrival: this only reads a variable.
            let after = word(after, &mut self.env(instance, process)).unwrap_or(0).max(0) as u64;
            let due = now.saturating_add(after).min(NEVER - 1);
            if due < first.0 {
                first = (due, *number);
            }
        }
        self.receipt.taken = taken;
        if let Some(joint) = configuration.joint_mut() {
            joint.timeouts[process.index()] = first;
        }
    }

    /// Return the possible steps in a model of rounds.
    pub(in crate::semantics) fn enabled_in_rounds(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
    ) -> Vec<Event> {
        let mut events = Vec::new();
        let event = |process, cause, alternative| Event { alternative, ..Event::new(process, cause) };
        if !configuration.in_joint_step() {
            let mut wakeups = Vec::new();
            for process in instance.processes() {
                self.internal(instance, configuration, process, &mut wakeups);
                events
                    .extend(wakeups.drain(..).map(|(cause, alternative)| event(process, cause, alternative)));
            }
            events.append(&mut self.faults(instance, configuration));
            self.after_quiet_rounds(instance, configuration, &mut events);
        }
        let Some(part) = self.round_part(instance, configuration, &mut Vec::new()) else {
            return events;
        };
        let Part { round, process, .. } = part;
        self.look(instance, configuration, process);
        self.receive_round(instance, configuration, process, part);
        let Some(joint) = configuration.joint() else { return events };
        if self.find_open(instance, joint, process, round).is_err() {
            // The guard aborts; executing the step reports it.
            self.joint.open.push(0);
        }
        let open = std::mem::take(&mut self.joint.open);
        events.extend(open.iter().map(|number| event(process, Cause::Round { round }, *number)));
        events
    }

    /// List wake-ups and restarts after each number of quiet rounds to be tried.
    pub(in crate::semantics) fn after_quiet_rounds(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        events: &mut Vec<Event>,
    ) {
        let begins = |event: &&Event| matches!(event.cause, Cause::Wakeup | Cause::Restart);
        if !events.iter().any(|event| begins(&event)) {
            return;
        }
        let quiet = self.quiet_rounds(instance, configuration);
        let beginning: Vec<Event> = events.iter().filter(begins).cloned().collect();
        for wait in self.delays(1..=quiet) {
            events.extend(beginning.iter().map(|event| Event { wait, ..event.clone() }));
        }
    }
}

/// Return whether any message was sent in the ending round, or any process has transmitted or listened in the slot.
fn was_heard(configuration: &Configuration, joint: &Joint) -> bool {
    configuration.in_flight() > 0 || joint.air.iter().any(|air| *air != Air::default())
}

/// Return whether a message was sent to this process in the ending round.
fn hears(
    instance: &Instance,
    configuration: &Configuration,
    process: ProcessId,
    boundary: MessageId,
) -> bool {
    configuration.in_flight() > 0
        && instance.incoming(process).any(|channel| {
            !configuration.is_empty(channel)
                && before(configuration.pool.id(configuration.first_slot(channel)), boundary)
                && !Machine::vanishes(instance, configuration, channel)
        })
}

/// Return the `on arrival` alternatives at the process's waiting point and control states.
fn arrivals<'a>(table: &'a RoleTable, words: &'a [i64]) -> impl Iterator<Item = u32> + 'a {
    table.places(words).flat_map(|place| place.arrivals.iter().copied())
}

/// Return an alternative by its number: those of the waiting point, then those for arrivals.
fn numbered<'i>(instance: &'i Instance, process: ProcessId, words: &[i64], number: u32) -> &'i Alternative {
    let table = instance.table(process);
    let pc = words[crate::ir::PC as usize].max(0) as usize;
    let own = &instance.program.roles[instance.role_of(process)].waits[pc].alternatives;
    match own.get(number as usize) {
        Some(alternative) => alternative,
        None => {
            let arrival = arrivals(table, words).nth(number as usize - own.len()).unwrap_or_default();
            &table.candidates[arrival as usize].alternative
        }
    }
}

/// Begin the joint step, if this part is its first, and return the number of rounds that had ended before.
fn begin_round(configuration: &mut Configuration, part: Part, quiet: &[ProcessId]) -> Option<u64> {
    let begins = !configuration.in_joint_step();
    let joint = configuration.joint_mut()?;
    for process in quiet {
        joint.quiet[process.index()] = true;
    }
    if begins {
        let before = std::mem::replace(&mut joint.round, part.round);
        joint.progress = Some(JointProgress {
            next: part.process,
            boundary: part.boundary,
            fresh: part.fresh,
            air: joint.air.clone(),
            before: None,
        });
        // In the next slot every process decides anew.
        joint.air.fill(Air::default());
        return Some(before);
    }
    None
}

/// Continue with the next part, or end the round and discard the messages that no process has taken.
fn end_part(configuration: &mut Configuration, part: Part, next: Option<ProcessId>, quiet: &[ProcessId]) {
    if let Some(joint) = configuration.joint_mut() {
        for process in quiet {
            joint.quiet[process.index()] = true;
        }
        match (next, &mut joint.progress) {
            (Some(next), Some(under_way)) => {
                under_way.next = next;
                return;
            }
            _ => joint.progress = None,
        }
    }
    configuration.sweep(part.boundary);
}

impl Configuration {
    /// End rounds in which no process proceeds.
    pub fn pass_rounds(&mut self, rounds: u64) {
        let boundary = self.next_message();
        let Some(joint) = self.joint_mut().filter(|_| rounds > 0) else { return };
        joint.round = joint.round.saturating_add(rounds);
        joint.air.fill(Air::default());
        self.sweep(boundary);
    }

    /// Remove all messages with numbers before this one.
    fn sweep(&mut self, boundary: MessageId) {
        if self.in_flight() == 0 {
            return;
        }
        let busy: Vec<ChannelId> = self.busy_channels().collect();
        for channel in busy {
            while !self.is_empty(channel) && before(self.pool.id(self.first_slot(channel)), boundary) {
                self.remove(channel, 0);
            }
        }
    }
}
