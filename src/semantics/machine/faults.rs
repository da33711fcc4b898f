//! Faults: crashes (also between two sends of one command), restarts, message loss and duplication, link failures.

use super::order::messages_of_next_round;
use super::outbox::insert;
use super::{Chooser, Configuration, Eval, Machine, NO_VALUE, Taken};
use crate::ids::{ChannelId, ProcessId};
use crate::instance::Instance;
use crate::ir::{CRASHED, Fault, PC, Slot, Value};
use crate::semantics::abort::Abort;
use crate::semantics::environment::{Faults, Window};
use crate::semantics::event::{CRASH, Cause, Event, NO_ACTION, Sent};
use crate::source::Span;

/// An order of a scenario: a process crashes before it next sends a message of one of these kinds to one of these processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrashOrder {
    pub process: ProcessId,
    /// Message kinds; None: all.
    pub kinds: Option<Vec<u32>>,
    /// Receivers; empty: all. In rounds: the processes that no longer receive it.
    pub to: Vec<ProcessId>,
    /// The line of the scenario.
    pub span: Span,
}

impl CrashOrder {
    fn is_about(&self, kind: u32, to: ProcessId) -> bool {
        self.kinds.as_ref().is_none_or(|kinds| kinds.contains(&kind))
            && (self.to.is_empty() || self.to.contains(&to))
    }

    /// Return whether, in rounds, a message after the crash is still sent.
    fn lets_through(&self, kind: u32, to: ProcessId) -> bool {
        !self.to.is_empty() && !self.is_about(kind, to)
    }
}

/// A process that has crashed while sending in a round. Its messages of a round are sent simultaneously, so any subset of them
/// may have been sent. Its command therefore runs on; for each message there is a choice, and all other effects are discarded.
#[derive(Clone, Debug)]
pub(super) struct Dying {
    /// The variables at the time of the crash.
    words: Vec<i64>,
    values: Vec<Value>,
    /// The scenario's order, if it determines which messages are sent.
    order: Option<CrashOrder>,
}

impl Machine {
    /// Order a crash, which occurs once.
    pub fn order_crash(&mut self, order: CrashOrder) {
        self.special.orders.push(order);
    }

    /// Return the orders for crashes that are pending.
    pub fn ordered_crashes(&self) -> &[CrashOrder] {
        &self.special.orders
    }

    /// Require that the next step agrees with these orders. The caller makes all choices; [`Machine::disagrees`] then tells
    /// whether they disagree.
    pub(in crate::semantics) fn require_crashes(&mut self, orders: impl Iterator<Item = CrashOrder>) {
        self.special.orders.clear();
        self.special.orders.extend(orders);
        self.special.disagrees = false;
    }

    /// Return whether the last step did not follow the orders of a scenario.
    pub(in crate::semantics) fn disagrees(&self) -> bool {
        self.special.disagrees || self.choice_orders.failed_order().is_some()
    }

    /// Possible crash before a send. The command of a crashed process ends like an abort, but permanently; in rounds it continues
    /// with the other messages of the round. Return whether the current message is sent.
    #[cold]
    pub(super) fn crash_point(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        kind: u32,
        link: u32,
        chooser: &mut dyn Chooser,
    ) -> Eval<bool> {
        let ends = instance.network.link(link);
        if let Some(dying) = &self.special.dying {
            let told = dying.order.as_ref().map(|order| order.lets_through(kind, ends.to));
            return Ok(match told {
                None => {
                    let goes_out = chooser.choose(2) == 1;
                    self.choices.push(goes_out.into());
                    goes_out
                }
                Some(goes_out) => {
                    if instance.script.is_some() && (chooser.choose(2) == 1) != goes_out {
                        self.special.disagrees = true;
                    }
                    self.choices.push(goes_out.into());
                    goes_out
                }
            });
        }
        let process = ends.from;
        let order = self.crashes_now(instance, configuration, process, (kind, Some(ends.to)), chooser);
        let Some(order) = order else { return Ok(true) };
        if instance.model.rounds() {
            let words = self.frame.words[..configuration.words(process).len()].to_vec();
            let values = self.frame.values[..configuration.values(process).len()].to_vec();
            self.special.dying = Some(Box::new(Dying { words, values, order }));
            return Ok(false);
        }
        self.special.crashing = true;
        Err(crashes())
    }

    /// Possible crash before a transmission, which reaches all neighbours or none.
    #[cold]
    pub(super) fn crash_point_on_air(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        process: ProcessId,
        kind: u32,
        chooser: &mut dyn Chooser,
    ) -> Eval<()> {
        if self.crashes_now(instance, configuration, process, (kind, None), chooser).is_none() {
            return Ok(());
        }
        self.special.crashing = true;
        Err(crashes())
    }

    /// Return whether the process crashes before this message (kind, receiver), and the scenario's order if there was one.
    fn crashes_now(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        process: ProcessId,
        (kind, to): (u32, Option<ProcessId>),
        chooser: &mut dyn Chooser,
    ) -> Option<Option<CrashOrder>> {
        if !possible(instance, configuration, Fault::Crash) {
            return None;
        }
        let sent = self.outbox.messages.len();
        let ordered = |order: &CrashOrder| {
            order.process == process
                && match to {
                    Some(to) => order.is_about(kind, to),
                    None => order.kinds.as_ref().is_none_or(|kinds| kinds.contains(&kind)),
                }
        };
        let order = self.special.orders.iter().position(ordered);
        let crashes = match order {
            Some(_) if instance.script.is_none() => true,
            None if !configuration.may_crash_within_command(instance, process) => false,
            _ => chooser.crashes_here(sent),
        };
        self.special.disagrees |= order.is_some() && !crashes;
        if !crashes {
            return None;
        }
        self.choices.push(CRASH + sent as u32);
        Some(order.map(|i| self.special.orders.remove(i)))
    }

    /// Complete the command of a process that has crashed in it. Return whether it has crashed.
    pub(super) fn died(&mut self) -> bool {
        if let Some(dying) = self.special.dying.take() {
            self.frame.words[..dying.words.len()].copy_from_slice(&dying.words);
            self.frame.values[..dying.values.len()].clone_from_slice(&dying.values);
            self.special.crashing = true;
        }
        self.special.crashing
    }

    /// Put the process into the crashed state. Its variables remain for observers. Its thread is cleared, so that meaningless
    /// data do not distinguish configurations.
    pub(super) fn stop(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: ProcessId,
    ) {
        self.special.crashing = false;
        self.special.turned = true;
        self.thread.upcalls.clear();
        self.thread.calls.clear();
        let role = &instance.program.roles[instance.role_of(process)];
        self.clear(role, &role.thread);
        self.frame.words[PC as usize] = CRASHED;
        configuration.set_may_wake(process, false);
        spend(configuration, Fault::Crash);
    }

    /// Execute a fault, or a report of a detector. False: it is not possible here.
    ///
    /// # Errors
    /// If the commands of a restart, or the handler of a report, abort.
    pub fn execute_fault(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        event: &Event,
        chooser: &mut dyn Chooser,
    ) -> Eval<bool> {
        let process = event.process;
        match event.cause {
            Cause::Crash => {
                let up = !configuration.crashed(process);
                if !up || !possible(instance, configuration, Fault::Crash) {
                    return Ok(false);
                }
                self.begin(instance, configuration, process);
                self.effects.action = NO_ACTION;
                self.stop(instance, configuration, process);
                self.commit(instance, configuration, process);
                self.update_after_fault(instance, configuration, process);
                Ok(true)
            }
            Cause::Restart => self.restart(instance, configuration, process, chooser),
            Cause::Lose { channel, position } => {
                Ok(self.lose(instance, configuration, process, channel, position))
            }
            Cause::Duplicate { channel, position } => {
                Ok(self.duplicate(instance, configuration, process, (channel, position), chooser))
            }
            Cause::Cut { link } => Ok(self.cut(instance, configuration, process, link)),
            Cause::Suspect { of } | Cause::Trust { of } => {
                let trusted = matches!(event.cause, Cause::Trust { .. });
                let found = (event.cause.clone(), event.alternative);
                self.detect(instance, configuration, process, of, trusted, &found, chooser)
            }
            Cause::Mislead => Ok(self.mislead(instance, configuration, process, true)),
            Cause::EndMislead => Ok(self.mislead(instance, configuration, process, false)),
            _ => Ok(false),
        }
    }

    /// Execute a step that changes nothing but the time, which has passed before it.
    pub(in crate::semantics) fn elapse(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: ProcessId,
    ) {
        self.begin(instance, configuration, process);
        self.effects.action = NO_ACTION;
        self.commit(instance, configuration, process);
    }

    /// Make the oracles answer a process incorrectly, or correctly again.
    fn mislead(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: ProcessId,
        wrongly: bool,
    ) -> bool {
        let turns = configuration.environment.faults.as_ref().is_some_and(|f| f.misleads(process) != wrongly);
        if !turns
            || configuration.crashed(process)
            || wrongly && !possible(instance, configuration, Fault::OracleError)
        {
            return false;
        }
        self.begin(instance, configuration, process);
        self.effects.action = NO_ACTION;
        self.commit(instance, configuration, process);
        if let Some(faults) = &mut configuration.environment.faults {
            faults.mislead(process, wrongly);
        }
        if wrongly {
            spend(configuration, Fault::OracleError);
        }
        self.has_turned(instance, configuration, process);
        true
    }

    /// Restart the process; stable variables keep their values.
    fn restart(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: ProcessId,
        chooser: &mut dyn Chooser,
    ) -> Eval<bool> {
        if !configuration.crashed(process) || !possible(instance, configuration, Fault::Restart) {
            return Ok(false);
        }
        let role = &instance.program.roles[instance.role_of(process)];
        self.begin(instance, configuration, process);
        let persistent = |slot: Slot| role.vars.iter().any(|v| v.persistent && v.slot == slot);
        for (i, initial) in (0u16..).zip(&role.initial_words) {
            if !persistent(Slot::Word(i)) {
                self.frame.words[i as usize] = *initial;
            }
        }
        for (i, initial) in (0u16..).zip(&role.initial_values) {
            if !persistent(Slot::Value(i)) {
                self.frame.values[i as usize] = initial.clone();
            }
        }
        self.special.restarting = true;
        let mut result = self.run_start(instance, configuration, process, chooser);
        self.effects.action = NO_ACTION;
        self.special.restarting = false;
        if result.is_ok() {
            result = self.handle_restart(instance, configuration, process, chooser);
        }
        self.conclude(instance, configuration, process, result, chooser)?;
        self.special.turned = true;
        spend(configuration, Fault::Restart);
        if let Some(faults) = &mut configuration.environment.faults {
            faults.begins_anew(process, |observer| instance.table(observer).trusts);
        }
        self.update_after_fault(instance, configuration, process);
        Ok(true)
    }

    /// Update rounds or the set of enabled processes after a crash or restart.
    fn update_after_fault(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: ProcessId,
    ) {
        if instance.model.rounds() {
            self.schedule_timeout(instance, configuration, process);
        } else if instance.model.has_state_reading() {
            self.has_turned(instance, configuration, process);
        }
    }

    /// Execute `on restart` at a process that has restarted.
    fn handle_restart(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: ProcessId,
        chooser: &mut dyn Chooser,
    ) -> Eval<()> {
        let table = instance.table(process);
        let mut open: Vec<u32> = Vec::new();
        let here: Vec<u32> =
            table.places(&self.frame.words).flat_map(|place| &place.restarts).copied().collect();
        for number in here {
            if self.guard_holds(instance, process, table, number)? {
                open.push(number);
            }
        }
        if open.is_empty() {
            return Ok(());
        }
        let alternative =
            &table.candidates[open[self.choose(process, chooser, open.len(), NO_VALUE)] as usize].alternative;
        self.effects.action = alternative.action;
        self.run(instance, configuration, process, alternative.entry, chooser)
    }

    /// Return whether messages on this channel vanish: the receiver is down, or the link has failed.
    #[inline]
    pub(super) fn vanishes(instance: &Instance, configuration: &Configuration, channel: ChannelId) -> bool {
        match &configuration.environment.faults {
            None => false,
            Some(faults) => {
                configuration.crashed(instance.receiver(channel))
                    || faults.has_failed(instance.layout.link_of(channel))
            }
        }
    }

    /// Remove a message that arrives at a crashed process or on a failed link.
    pub(super) fn vanish(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        channel: ChannelId,
        position: u32,
    ) {
        let process = instance.receiver(channel);
        let Some(id) = configuration.channel(channel).nth(position as usize).map(|m| m.id) else {
            return;
        };
        self.begin(instance, configuration, process);
        self.special.vanishing = true;
        self.receipt.taken.push(Taken { channel, position, id });
        self.effects.action = NO_ACTION;
        self.commit(instance, configuration, process);
    }

    fn lose(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: ProcessId,
        channel: ChannelId,
        position: u32,
    ) -> bool {
        if channel.0 >= instance.layout.channels
            || instance.receiver(channel) != process
            || configuration.channel(channel).nth(position as usize).is_none()
        {
            return false;
        }
        let is_free = is_lost_freely(instance, configuration, channel, position);
        if !is_free && !possible(instance, configuration, Fault::Loss) {
            return false;
        }
        self.vanish(instance, configuration, channel, position);
        if !is_free {
            spend(configuration, Fault::Loss);
        }
        true
    }

    fn duplicate(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: ProcessId,
        (channel, position): (ChannelId, u32),
        chooser: &mut dyn Chooser,
    ) -> bool {
        if channel.0 >= instance.layout.channels
            || instance.sender(channel) != process
            || !possible(instance, configuration, Fault::Duplication)
        {
            return false;
        }
        let Some(message) = configuration.channel(channel).nth(position as usize) else {
            return false;
        };
        let (original, kind, depth) = (message.id, message.kind, message.depth);
        let (words, values) = (message.words.to_vec(), message.values.to_vec());
        self.begin(instance, configuration, process);
        self.effects.action = NO_ACTION;
        let id = configuration.number_message();
        let slot = configuration.pool.take(kind, id, depth);
        configuration.pool.words_mut(slot).copy_from_slice(&words);
        configuration.pool.values_mut(slot).clone_from_slice(&values);
        self.commit(instance, configuration, process);
        if instance.layout.reorders_rounds(channel) {
            let round = messages_of_next_round(configuration, channel);
            let behind = self.choose_place(configuration, process, &round, slot, chooser);
            insert(configuration, channel, slot, behind);
        } else {
            configuration.insert_behind(channel, position, slot);
        }
        if let Some(clock) = &mut configuration.environment.clock {
            let Window { first, last } = clock.window(original);
            clock.sent(id, Window { first, last });
        }
        // The scheduler learns of the copy from the outbox.
        self.outbox.messages.push((channel, slot));
        self.special.copied = Some(original);
        if self.recording {
            let to = instance.receiver(channel);
            self.effects.sent.push(Sent { message: id, kind, channel, from: process, to });
            self.effects.copied = Some(original);
        }
        spend(configuration, Fault::Duplication);
        true
    }

    fn cut(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: ProcessId,
        link: u32,
    ) -> bool {
        let exists = instance.layout.lanes > 0 && link < instance.layout.channels / instance.layout.lanes;
        if !exists
            || !instance.network.is_used(link)
            || instance.network.link(link).from != process
            || configuration.environment.faults.as_ref().is_none_or(|f| f.has_failed(link))
            || !possible(instance, configuration, Fault::Link)
        {
            return false;
        }
        self.begin(instance, configuration, process);
        self.effects.action = NO_ACTION;
        self.commit(instance, configuration, process);
        if let Some(faults) = &mut configuration.environment.faults {
            faults.fail(link);
        }
        self.special.cut_off = Some(instance.network.link(link).to);
        spend(configuration, Fault::Link);
        true
    }

    /// Return the faults that may occur now, within the budget, in a fixed order: by process, by channel, by link.
    pub fn faults(&mut self, instance: &Instance, configuration: &Configuration) -> Vec<Event> {
        let mut found = Vec::new();
        let Some(faults) = &configuration.environment.faults else { return found };
        let left = |fault| faults.remaining.of(fault) > 0;
        let processes = || instance.processes();
        if left(Fault::Crash) {
            let up = processes().filter(|p| !configuration.crashed(*p));
            found.extend(up.map(|p| Event::new(p, Cause::Crash)));
        }
        if left(Fault::Restart) {
            let down = processes().filter(|p| configuration.crashed(*p));
            found.extend(down.map(|p| Event::new(p, Cause::Restart)));
        }
        let messages = |channel: ChannelId| 0..configuration.channel(channel).count() as u32;
        let crash_loses = instance.active_faults().is_some_and(|hazards| hazards.crash_loses);
        if left(Fault::Loss) || crash_loses {
            for channel in configuration.busy_channels() {
                let to = instance.receiver(channel);
                let lost = messages(channel).filter(|position| {
                    left(Fault::Loss) || is_lost_freely(instance, configuration, channel, *position)
                });
                found.extend(lost.map(|position| Event::new(to, Cause::Lose { channel, position })));
            }
        }
        if left(Fault::Duplication) {
            for channel in configuration.busy_channels() {
                let from = instance.sender(channel);
                let cause = |position| Cause::Duplicate { channel, position };
                found.extend(messages(channel).map(|position| Event::new(from, cause(position))));
            }
        }
        if left(Fault::Link) {
            let links = instance.layout.channels / instance.layout.lanes.max(1);
            let alive = (0..links).filter(|link| !faults.has_failed(*link));
            found.extend(alive.filter_map(|link| {
                let from = instance.network.link(link).from;
                // A message of a process to its own id uses no link that could fail.
                let is_own = instance.network.self_link(from) == Some(link);
                let fails = !is_own && instance.network.is_used(link);
                fails.then(|| Event::new(from, Cause::Cut { link }))
            }));
        }
        if left(Fault::OracleError) {
            let right = processes().filter(|p| !configuration.crashed(*p) && !faults.misleads(*p));
            found.extend(right.map(|p| Event::new(p, Cause::Mislead)));
        }
        if left(Fault::Suspicion) {
            for process in processes() {
                let mut wrong = Vec::new();
                self.detections(instance, configuration, process, true, &mut wrong);
                found.extend(
                    wrong
                        .into_iter()
                        .map(|(cause, alternative)| Event { alternative, ..Event::new(process, cause) }),
                );
            }
        }
        found
    }
}

/// Return whether such a fault may occur: within the budget, or by a scenario's order.
pub(super) fn possible(instance: &Instance, configuration: &Configuration, fault: Fault) -> bool {
    let allows = instance.active_faults().is_some_and(|hazards| hazards.allows(fault));
    let left = |faults: &Faults| faults.remaining.of(fault) > 0;
    allows
        && (configuration.lets_occur(instance, fault)
            || configuration.environment.faults.as_deref().is_some_and(left))
}

/// Return whether a message may be lost without a budget, because its sender is down. A FIFO channel loses its last message
/// first, since no process receives a message without those sent before it (FIFO perfect links).
pub fn is_lost_freely(
    instance: &Instance,
    configuration: &Configuration,
    channel: ChannelId,
    position: u32,
) -> bool {
    configuration.may_lose(instance, channel)
        && (!instance.layout.keeps_order(channel)
            || position as usize + 1 == configuration.channel(channel).count())
}

#[cold]
fn crashes() -> Box<Abort> {
    Abort::new(Span::default(), "the process crashes")
}

pub(super) fn spend(configuration: &mut Configuration, fault: Fault) {
    if let Some(faults) = &mut configuration.environment.faults {
        faults.spend(fault);
    }
}
