//! Runs with faults and time. Steps that are possible now are with the scheduler, as in every run. Later steps are on the agenda;
//! the scheduler receives them when no step remains at the current instant.

use super::agenda::{Agenda, Due};
use super::simulation::{LEISURE, NOTE, PROCESS, PROCESS_MASK, Progress, Simulation, TIMER};
use super::{Observer, Scheduler, Token};
use crate::ids::{ChannelId, MessageId, ProcessId};
use crate::instance::Instance;
use crate::ir::Fault;
use crate::semantics::event::{Cause, Event};
use crate::semantics::machine::{CrashOrder, Possible, ScriptedDelay};
use crate::semantics::{Eval, StepError};

/// Classes of internal steps.
#[derive(Clone, Copy, PartialEq, Eq)]
enum InternalKind {
    /// Immediate: conditions that hold, complete gatherings.
    Urgent,
    /// At any time: pauses, wake-ups, reports of detectors.
    Leisure,
    Timeout,
}

impl<S: Scheduler> Simulation<S> {
    /// The same as `next`, in models with faults and time.
    pub(super) fn next_special<O: Observer>(
        &mut self,
        instance: &Instance,
        observer: &mut O,
    ) -> Eval<Progress> {
        loop {
            if let Some((channel, position)) =
                self.special.as_mut().and_then(|special| special.lost_by_crash.pop())
            {
                let event = Event::new(instance.receiver(channel), Cause::Lose { channel, position });
                match self.take_fault(instance, &event, observer)? {
                    Some(progress) => return Ok(progress),
                    None => continue,
                }
            }
            if let Some(fault) = self.scheduler.next_fault() {
                match self.inject_fault(instance, fault, observer)? {
                    Some(progress) => return Ok(progress),
                    None => self.scheduler.postpone_fault(fault),
                }
            }
            if let Some(token) = self.scheduler.pop() {
                match self.serve(instance, token, observer)? {
                    Some(progress) => return Ok(progress),
                    None => continue,
                }
            }
            if self.something_comes(instance) {
                continue;
            }
            if self.agenda().is_some_and(|agenda| agenda.horizon.is_some()) {
                return Ok(Progress::Quiet);
            }
            // Faults may still occur in a quiescent system: the next moment is then now.
            let Some(fault) = self.scheduler.fault_when_quiescent() else {
                return Ok(Progress::Quiet);
            };
            if let Some(progress) = self.inject_fault(instance, fault, observer)? {
                return Ok(progress);
            }
        }
    }

    fn agenda(&mut self) -> Option<&mut Agenda> {
        self.special.as_mut()?.agenda.as_deref_mut()
    }

    /// Return the time, or the number of quiet rounds, since the last event, and reset it: the next event contains it.
    pub(super) fn take_wait(&mut self) -> u64 {
        let rounds = std::mem::take(&mut self.quiet_rounds);
        self.agenda().map_or(rounds, |agenda| std::mem::take(&mut agenda.passed))
    }

    /// Set the last instant at which events occur; None: unlimited.
    pub fn set_horizon(&mut self, instant: Option<u64>) {
        if let Some(agenda) = self.agenda() {
            agenda.horizon = instant;
        }
    }

    /// Return all possible reports of a process's detector, correct or incorrect.
    pub fn detections(&mut self, instance: &Instance, process: ProcessId) -> Vec<Possible> {
        self.machine.all_detections(instance, &self.configuration, process)
    }

    /// Return the maximum time that may pass before an event must occur. `None`: unlimited.
    pub fn time_left(&mut self, instance: &Instance) -> Option<u64> {
        self.machine.time_left(instance, &self.configuration)
    }

    /// Let time pass up to an instant before which no event occurs by itself.
    pub fn pass_until(&mut self, instant: u64) {
        let time = instant.saturating_sub(self.configuration.now());
        self.configuration.advance_time(time);
        if let Some(agenda) = self.agenda() {
            agenda.passed += time;
        }
    }

    /// Return whether the message has arrived, so that it can be taken.
    pub(super) fn has_arrived(&self, message: MessageId) -> bool {
        match self.special.as_ref().and_then(|special| special.agenda.as_ref()) {
            Some(agenda) => agenda.has_arrived(message),
            None => true,
        }
    }

    /// Inject a fault of this kind at a possible target, if there is one.
    pub(super) fn inject_fault<O: Observer>(
        &mut self,
        instance: &Instance,
        fault: Fault,
        observer: &mut O,
    ) -> Eval<Option<Progress>> {
        let of_kind = |cause: &Cause| {
            matches!(
                (fault, cause),
                (Fault::Crash, Cause::Crash)
                    | (Fault::Restart, Cause::Restart)
                    | (Fault::Loss, Cause::Lose { .. })
                    | (Fault::Duplication, Cause::Duplicate { .. })
                    | (Fault::Link, Cause::Cut { .. })
                    | (Fault::Suspicion, Cause::Suspect { .. })
                    | (Fault::OracleError, Cause::Mislead)
            )
        };
        let mut targets = self.machine.faults(instance, &self.configuration);
        targets.retain(|event| of_kind(&event.cause));
        let event = match targets.len() {
            0 => return Ok(None),
            1 => targets.remove(0),
            many => targets.swap_remove(self.scheduler.choose(many)),
        };
        self.take_fault(instance, &event, observer)
    }

    /// Take a fault. `None`: it is not possible.
    fn take_fault<O: Observer>(
        &mut self,
        instance: &Instance,
        event: &Event,
        observer: &mut O,
    ) -> Eval<Option<Progress>> {
        self.wait_for_rounds(instance, &event.cause);
        match self.take(instance, event, observer) {
            Ok(progress) => {
                let now = self.configuration.now();
                if let Some(special) = &mut self.special {
                    special.struck = Some(now);
                }
                Ok(Some(progress))
            }
            Err(StepError::Aborted(abort)) => Err(abort),
            Err(StepError::Impossible(_)) => Ok(None),
        }
    }

    fn serve<O: Observer>(
        &mut self,
        instance: &Instance,
        token: Token,
        observer: &mut O,
    ) -> Eval<Option<Progress>> {
        let process = ProcessId(token & PROCESS_MASK);
        if token < PROCESS || (NOTE..LEISURE).contains(&token) {
            return self.serve_token(instance, token, observer);
        }
        let own = if token & TIMER == TIMER {
            InternalKind::Timeout
        } else if token & LEISURE == LEISURE {
            InternalKind::Leisure
        } else if self.agenda().is_some() {
            InternalKind::Urgent
        } else {
            return self.serve_token(instance, token, observer);
        };
        let Some(special) = &mut self.special else { return Ok(None) };
        match own {
            InternalKind::Urgent => self.listed[process.index()] = false,
            InternalKind::Leisure => special.at_leisure[process.index()] = false,
            InternalKind::Timeout => special.timing_out[process.index()] = false,
        }
        let mut possible = self.own(instance, process, own);
        let chosen = match possible.len() {
            0 => return Ok(None),
            1 => possible.remove(0),
            many => possible.swap_remove(self.scheduler.choose(many)),
        };
        if own == InternalKind::Timeout && self.something_is_due(instance, process, &chosen) {
            return Ok(None);
        }
        self.fire(instance, process, chosen, observer)
    }

    /// Return whether a timeout must be postponed. A timer is handed over when no other step remains at its instant. A fault at
    /// that time may enable a step that takes precedence: a message that its receiver would not have taken is lost if the
    /// receiver has just crashed. The timer then returns to the agenda.
    fn something_is_due(
        &mut self,
        instance: &Instance,
        process: ProcessId,
        (cause, alternative): &Possible,
    ) -> bool {
        let now = self.configuration.now();
        let Some(special) = &mut self.special else { return false };
        if special.agenda.is_none() || special.struck != Some(now) || special.put_off.contains(&process) {
            return false;
        }
        let timeout = Event { alternative: *alternative, ..Event::new(process, cause.clone()) };
        if self.machine.in_time(instance, &self.configuration, &timeout) {
            return false;
        }
        if let Some(special) = &mut self.special {
            special.put_off.push(process);
            if let Some(agenda) = &mut special.agenda {
                agenda.push(now, Due::Timer, TIMER | process.0);
            }
        }
        true
    }

    /// Return the internal steps of one class that a process can take now.
    fn own(&mut self, instance: &Instance, process: ProcessId, own: InternalKind) -> Vec<Possible> {
        let mut possible = Vec::new();
        let Simulation { machine, configuration, .. } = self;
        if own == InternalKind::Timeout {
            machine.timeouts(instance, configuration, process, 0, &mut possible);
            return possible;
        }
        machine.internal(instance, configuration, process, &mut possible);
        possible.retain(|p| {
            machine.is_urgent(instance, configuration, process, p) == (own == InternalKind::Urgent)
        });
        possible
    }

    /// Let time pass until some event, and hand it to the scheduler. False: there is none.
    fn something_comes(&mut self, instance: &Instance) -> bool {
        loop {
            let now = self.configuration.now();
            let Some((at, due, token)) = self.agenda().and_then(Agenda::next) else {
                return false;
            };
            let comes = match due {
                Due::Message(id) => self.is_under_way(id),
                Due::Leisure => {
                    // Time passes only if the step is still possible.
                    let process = ProcessId(token & PROCESS_MASK);
                    let goes_on = !self.own(instance, process, InternalKind::Leisure).is_empty();
                    if let Some(special) = &mut self.special {
                        special.at_leisure[process.index()] = goes_on;
                    }
                    goes_on
                }
                Due::Timer => {
                    let process = ProcessId(token & PROCESS_MASK);
                    let later = at.saturating_sub(now);
                    let mut possible = Vec::new();
                    let Simulation { machine, configuration, .. } = self;
                    machine.timeouts(instance, configuration, process, later, &mut possible);
                    !possible.is_empty()
                }
            };
            if let Due::Message(id) = due {
                self.comes(id);
            }
            if !comes {
                continue;
            }
            self.pass_until(at.max(now));
            self.hand_over(instance, token);
            if matches!(due, Due::Message(_)) {
                self.deliver_arrivals(instance, at);
            }
            return true;
        }
    }

    /// Deliver the other messages that arrive at an instant.
    fn deliver_arrivals(&mut self, instance: &Instance, at: u64) {
        while let Some((due, token)) = self.agenda().and_then(|agenda| agenda.arrivals(at)) {
            let Due::Message(id) = due else { continue };
            self.comes(id);
            if self.is_under_way(id) {
                self.hand_over(instance, token);
            }
        }
    }

    fn comes(&mut self, message: MessageId) {
        self.machine.let_come(message, true);
        if let Some(agenda) = self.agenda() {
            agenda.arrived(message);
        }
    }

    fn is_under_way(&self, message: MessageId) -> bool {
        self.configuration.environment().clock.as_ref().is_some_and(|clock| clock.is_in_transit(message))
    }

    fn hand_over(&mut self, instance: &Instance, token: Token) {
        let process = match token < PROCESS {
            true => instance.receiver(ChannelId(token)),
            false => ProcessId(token & PROCESS_MASK),
        };
        if token & TIMER == TIMER
            && let Some(special) = &mut self.special
            && std::mem::replace(&mut special.timing_out[process.index()], true)
        {
            return;
        }
        self.scheduler.push(token, process);
    }

    /// Put steps that became possible, now or later, on the scheduler or the agenda.
    #[cold]
    pub(super) fn after_special(
        &mut self,
        instance: &Instance,
        process: ProcessId,
        served: Option<ChannelId>,
    ) {
        if let Some(special) = &mut self.special {
            special.put_off.clear();
        }
        if self.agenda().is_some() {
            let sent: Vec<(ChannelId, MessageId)> = self.machine.sent_messages(&self.configuration);
            let copied = self.machine.copied();
            for (channel, id) in sent {
                self.schedule_message(instance, channel, id, copied);
            }
            if let Some(channel) = served
                && !self.machine.took_something()
            {
                // It fired `on arrival` and remains in its channel.
                self.park(instance, process, channel.0);
            }
        } else {
            self.push_sent(instance, process, served);
        }
        if let Some(receiver) = self.machine.failed_link_receiver()
            && !self.parked.is_empty()
        {
            self.scheduler.release(&mut self.parked[receiver.index()], receiver);
        }
        self.draw_lost_messages(instance, process);
        if self.machine.crashed_or_restarted()
            && instance.active_faults().is_some_and(|h| h.detector.is_some())
        {
            for other in instance.processes().filter(|q| *q != process) {
                self.reconsider_special(instance, other);
            }
        }
        self.look_at_timers(instance, process);
    }

    /// If the process has crashed within the budget, draw the messages in transit from it that are lost: of an unordered channel,
    /// each with probability 1/2; of a FIFO channel, a random number of the last ones.
    fn draw_lost_messages(&mut self, instance: &Instance, process: ProcessId) {
        let Simulation { machine, configuration, scheduler, special, .. } = self;
        let Some(hazards) = instance.active_faults() else { return };
        let (true, Some(special)) = (hazards.crash_loses && hazards.budget.of(Fault::Crash) > 0, special)
        else {
            return;
        };
        if !machine.crashed_or_restarted() || !configuration.crashed(process) {
            return;
        }
        for channel in configuration.busy_channels().filter(|channel| instance.sender(*channel) == process) {
            let messages = configuration.channel(channel).count();
            let lost = &mut special.lost_by_crash;
            match instance.layout.keeps_order(channel) {
                true => {
                    let arrive = scheduler.choose(messages + 1);
                    lost.extend((arrive..messages).map(|position| (channel, position as u32)));
                }
                false => {
                    let is_lost = |_: &usize| scheduler.choose(2) == 1;
                    lost.extend((0..messages).filter(is_lost).map(|position| (channel, position as u32)));
                }
            }
        }
    }

    /// Choose the arrival time of a sent message; a copy arrives with its original.
    pub(super) fn schedule_message(
        &mut self,
        instance: &Instance,
        channel: ChannelId,
        id: MessageId,
        copied: Option<MessageId>,
    ) {
        let now = self.configuration.now();
        let window = match &self.configuration.environment().clock {
            Some(clock) => clock.window(id),
            None => return,
        };
        let (least, most) = (window.first.saturating_sub(now), window.last.saturating_sub(now));
        let delay = self.scheduler.delay(least, most);
        let ordered = instance.layout.keeps_order(channel);
        if let Some(agenda) = self.agenda() {
            match copied {
                Some(original) if ordered => agenda.copy(channel, original, id, now),
                _ => agenda.send(channel, ordered, id, now.saturating_add(delay)),
            }
            self.machine.let_come(id, false);
        }
    }

    /// Put the timers of a process on the agenda; without a clock they may expire at once.
    pub(super) fn look_at_timers(&mut self, instance: &Instance, process: ProcessId) {
        if instance.table(process).timers.is_empty() {
            return;
        }
        let now = self.configuration.now();
        let Simulation { special, configuration, .. } = self;
        let (Some(special), Some(clock)) = (special, &configuration.environment().clock) else { return };
        if let Some(agenda) = &mut special.agenda {
            for (timer, at) in clock.timers(process).enumerate() {
                let Some(at) = at else {
                    special.timers.remove(&(process, timer));
                    continue;
                };
                // An expired timer may have been waiting for its guard.
                if special.timers.insert((process, timer), at) != Some(at) || at <= now {
                    agenda.push(at, Due::Timer, TIMER | process.0);
                }
            }
            return;
        }
        if !special.timing_out[process.index()]
            && !self.own(instance, process, InternalKind::Timeout).is_empty()
        {
            if let Some(special) = &mut self.special {
                special.timing_out[process.index()] = true;
            }
            self.scheduler.push_timeout(TIMER | process.0, process);
        }
    }

    /// The same as `reconsider`, but separates immediate steps from leisure steps.
    pub(super) fn reconsider_special(&mut self, instance: &Instance, process: ProcessId) {
        // A program that handles only messages is never notified by its detector.
        if self.listed.is_empty() {
            return;
        }
        if self.agenda().is_none() {
            return self.reconsider(instance, process, false);
        }
        if !self.listed[process.index()] && !self.own(instance, process, InternalKind::Urgent).is_empty() {
            self.listed[process.index()] = true;
            self.scheduler.push(PROCESS | process.0, process);
        }
        let waiting = self.special.as_ref().is_some_and(|s| s.at_leisure[process.index()]);
        if !waiting && !self.own(instance, process, InternalKind::Leisure).is_empty() {
            let most = instance.timing.as_ref().and_then(|t| t.delay).map_or(0, |(_, most)| most);
            let at = self.configuration.now().saturating_add(self.scheduler.leisure_delay(most));
            let Some(special) = &mut self.special else { return };
            special.at_leisure[process.index()] = true;
            if let Some(agenda) = &mut special.agenda {
                agenda.push(at, Due::Leisure, LEISURE | process.0);
            }
        }
    }
}

/// Orders of scenarios.
impl<S: Scheduler> Simulation<S> {
    pub fn order_crash(&mut self, order: CrashOrder) {
        self.machine.order_crash(order);
    }

    /// Return the crashes that are ordered and have not occurred.
    pub fn ordered_crashes(&self) -> &[CrashOrder] {
        self.machine.ordered_crashes()
    }

    pub fn order_delay(&mut self, delay: ScriptedDelay) {
        self.machine.order_delay(delay);
    }
}
