//! Time: windows of messages, timers and their expiry, and possible delays of steps.

use super::{Configuration, Eval, Machine, Possible};
use crate::ids::{MessageId, ProcessId};
use crate::instance::{Instance, LONGEST, TimerPlace};
use crate::ir::{CRASHED, Expr, HALTED, Input, PC};
use crate::semantics::abort::Abort;
use crate::semantics::environment::{Clock, Window};
use crate::semantics::eval::word;
use crate::semantics::event::{Cause, Event};
use crate::semantics::machine::time_limits::TimeLimits;

/// An order of a scenario: messages between two processes have this delay, whatever the bounds are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptedDelay {
    pub from: ProcessId,
    pub to: ProcessId,
    /// Message kinds; None: all.
    pub kinds: Option<Vec<u32>>,
    pub delay: u64,
}

impl Machine {
    /// Apply this delay to messages sent from now on.
    pub fn order_delay(&mut self, delay: ScriptedDelay) {
        self.special.delays.push(delay);
    }

    /// Apply these delays, and no others, to messages sent from now on.
    pub(in crate::semantics) fn order_delays(&mut self, delays: impl Iterator<Item = ScriptedDelay>) {
        self.special.delays.clear();
        self.special.delays.extend(delays);
    }

    /// Delay a message that could arrive now, by choice of the run, or end its delay (`now`).
    pub fn let_come(&mut self, message: MessageId, now: bool) {
        match now {
            true => self.special.coming.remove(&message),
            false => self.special.coming.insert(message),
        };
    }

    /// Return whether the message may have arrived, according to the bounds on delays.
    pub(super) fn may_have_come(&self, configuration: &Configuration, message: MessageId) -> bool {
        let Some(clock) = &configuration.environment.clock else { return true };
        clock.window(message).first <= clock.now().saturating_add(self.special.later)
    }

    /// Return whether the run holds the message back: by its choice of a delay, or because a scenario holds it.
    pub(super) fn is_kept_back(&self, message: MessageId) -> bool {
        self.special.coming.contains(&message) || self.special.held.contains(&message)
    }

    /// Return the minimum and maximum time until all messages that a `receive … from each` waits for have arrived; None: some
    /// have not been sent.
    pub(super) fn gathering(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        process: ProcessId,
        position: u32,
    ) -> Option<(u64, u64)> {
        let clock = configuration.environment.clock.as_ref()?;
        let table = instance.table(process);
        let mut here = table.places(configuration.words(process)).flat_map(|place| &place.gathers);
        let number = *here.nth(position as usize)?;
        self.look(instance, configuration, process);
        self.special.later = u64::MAX;
        let offered = self.gather(instance, configuration, process, table, number);
        self.special.later = 0;
        let until = |instant: u64| instant.saturating_sub(clock.now());
        // The earliest of several messages of one channel suffices.
        Some(offered.ok().flatten()?.iter().fold((0, 0), |(first, last), messages| {
            let windows =
                || messages.iter().filter(|(_, free)| *free).map(|(taken, _)| clock.window(taken.id));
            let earliest = windows().map(|window| until(window.first)).min().unwrap_or(0);
            let latest = windows().map(|window| until(window.last)).min().unwrap_or(0);
            (first.max(earliest), last.max(latest))
        }))
    }

    /// List the internal steps of a process, possible now or when messages in transit have arrived.
    pub(in crate::semantics) fn internal_in_time(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        process: ProcessId,
        found: &mut Vec<Possible>,
    ) {
        self.special.later = u64::MAX;
        self.internal(instance, configuration, process, found);
        self.special.later = 0;
    }

    /// Evaluate a duration.
    pub(super) fn duration(&mut self, instance: &Instance, process: ProcessId, e: &Expr) -> Eval<u64> {
        let time = word(e, &mut self.env(instance, process))?;
        match u64::try_from(time) {
            Ok(time) if time <= LONGEST => Ok(time),
            _ => Err(Abort::new(e.span, format!("invalid timer duration {time}"))),
        }
    }

    /// Complete a command and its upcalls: a crash is not an error, and waiting points and states arm their timers.
    pub(super) fn settle(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: ProcessId,
        result: Eval<()>,
    ) -> Eval<()> {
        if self.died() {
            self.stop(instance, configuration, process);
            return Ok(());
        }
        result?;
        let table = instance.table(process);
        if table.timers.is_empty() {
            return Ok(());
        }
        let moved = self.special.arrived || configuration.pc(process) != self.frame.words[PC as usize];
        let entered = std::mem::take(&mut self.special.entered);
        let role = &instance.program.roles[instance.role_of(process)];
        for (timer, place) in (0u16..).zip(&table.timers) {
            let (concerned, armed) = match place {
                TimerPlace::Wait(wait) => {
                    (moved, self.special.arrived && self.frame.words[PC as usize] == i64::from(*wait))
                }
                TimerPlace::State { component, state } => {
                    let slot = role.components[*component as usize].state_slot;
                    let here = self.frame.words[slot as usize] == i64::from(*state);
                    (entered.contains(component), here)
                }
                TimerPlace::Named(_) => (false, false),
            };
            if !concerned {
                continue;
            }
            let of_timer = |c: &&crate::instance::Candidate| c.timer == Some(timer);
            let after = table.candidates.iter().find(of_timer).map(|c| &c.alternative.input);
            let after = match after {
                Some(Input::After(e)) if armed => Some(self.duration(instance, process, e)?),
                _ => None,
            };
            self.special.timers.push((timer, after));
        }
        Ok(())
    }

    /// Store timers and the windows of messages in the configuration.
    #[cold]
    pub(super) fn commit_time(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: ProcessId,
    ) {
        let Configuration { environment, pool, .. } = configuration;
        let Some(clock) = &mut environment.clock else { return };
        if matches!(self.frame.words[PC as usize], CRASHED | HALTED) {
            clock.disarm_all(process);
        } else {
            for (timer, after) in self.special.timers.drain(..) {
                clock.set_timer(process, timer, after);
            }
        }
        for taken in &self.receipt.taken {
            clock.taken(taken.id);
        }
        let Some((least, most)) = instance.timing.as_ref().and_then(|timing| timing.delay) else { return };
        let now = clock.now();
        for (channel, slot) in &self.outbox.messages {
            let kind = pool.kind(*slot);
            let ends = (instance.sender(*channel), instance.receiver(*channel));
            let fits = |d: &&ScriptedDelay| {
                (d.from, d.to) == ends && d.kinds.as_ref().is_none_or(|kinds| kinds.contains(&kind))
            };
            let (least, most) = match self.special.delays.iter().rev().find(fits) {
                Some(scripted) => (scripted.delay, scripted.delay),
                None => (least, most),
            };
            clock.sent(
                pool.id(*slot),
                Window { first: now.saturating_add(least), last: now.saturating_add(most) },
            );
        }
    }

    /// List the expired timers of a process, after the given time, that some alternative waits for.
    pub fn timeouts(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        process: ProcessId,
        later: u64,
        found: &mut Vec<Possible>,
    ) {
        let Some(clock) = &configuration.environment.clock else { return };
        let table = instance.table(process);
        if table.timers.is_empty() {
            return;
        }
        let here: Vec<u32> =
            table.places(configuration.words(process)).flat_map(|place| &place.timeouts).copied().collect();
        let mut loaded = false;
        for (position, number) in (0u32..).zip(here) {
            let candidate = &table.candidates[number as usize];
            if !candidate.timer.is_some_and(|timer| clock.has_run_out(process, timer, later)) {
                continue;
            }
            if !loaded {
                self.look(instance, configuration, process);
                loaded = true;
            }
            if self.timeout_open(instance, process, number).unwrap_or(true) {
                found.push((Cause::Timeout, position));
            }
        }
    }

    /// Return whether the guard of a timeout holds, taking `else` into account.
    pub(super) fn timeout_open(
        &mut self,
        instance: &Instance,
        process: ProcessId,
        number: u32,
    ) -> Eval<bool> {
        let table = instance.table(process);
        let candidate = &table.candidates[number as usize];
        for earlier in &candidate.earlier {
            if self.condition_holds(instance, process, &table.candidates[*earlier as usize].alternative)? {
                return Ok(false);
            }
        }
        self.guard_holds(instance, process, table, number)
    }

    /// Return whether the step is urgent. Commands take no time: a step whose condition holds occurs immediately. Pauses,
    /// wake-ups and reports of detectors may occur at any time.
    pub fn is_urgent(
        &self,
        instance: &Instance,
        configuration: &Configuration,
        process: ProcessId,
        possible: &Possible,
    ) -> bool {
        match possible.0 {
            Cause::Gather => true,
            Cause::Internal => {
                let table = instance.table(process);
                let mut here = table.places(configuration.words(process)).flat_map(|p| &p.conditions);
                here.nth(possible.1 as usize).is_some_and(|number| {
                    !matches!(table.candidates[*number as usize].alternative.input, Input::Pause)
                })
            }
            _ => false,
        }
    }

    /// Return whether timing permits the event after its wait.
    pub fn in_time(&mut self, instance: &Instance, configuration: &Configuration, event: &Event) -> bool {
        let Some(clock) = configuration.environment.clock.as_deref().filter(|c| c.is_timed()) else {
            return event.wait == 0;
        };
        if instance.scripted && instance.script.is_none() {
            return event.wait <= LONGEST;
        }
        let at = clock.now().saturating_add(event.wait);
        if let Cause::Deliver { channel, position } = event.cause {
            let mut messages = configuration.channel(channel);
            if messages.nth(position as usize).is_some_and(|m| clock.window(m.id).first > at) {
                return false;
            }
        }
        let timeout = event.cause == Cause::Timeout;
        if event.wait == 0 && !timeout {
            return true;
        }
        let limits = self.limits(instance, configuration);
        // If nothing is due, any time up to the longest representable one may pass.
        event.wait <= limits.time().unwrap_or(LONGEST) && (!timeout || limits.lets_timers(event.wait))
    }

    /// List all possible events, each after every possible wait that is tried.
    pub(in crate::semantics) fn enabled_in_time(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        clock: &Clock,
        untimed: Vec<Event>,
    ) -> Vec<Event> {
        let limits = self.limits(instance, configuration);
        let mut events = self.after_waits(instance, configuration, (clock, limits.most()), untimed);
        for process in instance.processes() {
            events.append(&mut self.expiries(instance, configuration, process, limits));
        }
        events
    }

    /// List the timeouts of a process. A timer expires when no more time may pass.
    fn expiries(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        process: ProcessId,
        limits: TimeLimits,
    ) -> Vec<Event> {
        let (wait, mut possible) = (limits.most(), Vec::new());
        if limits.lets_timers(wait) {
            self.timeouts(instance, configuration, process, wait, &mut possible);
        }
        let event = |(cause, alternative)| Event { wait, alternative, ..Event::new(process, cause) };
        possible.into_iter().map(event).collect()
    }

    /// List the timeouts of a process, where the time that may pass has been [stated](Machine::state_time).
    pub fn stated_expiries(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        process: ProcessId,
    ) -> Vec<Event> {
        let limits = self.limits(instance, configuration);
        self.expiries(instance, configuration, process, limits)
    }

    /// Return these events, each after every possible wait that is tried.
    pub fn at_all_times(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        events: Vec<Event>,
    ) -> Vec<Event> {
        let Some(clock) = configuration.environment.clock.as_deref().filter(|c| c.is_timed()) else {
            return events;
        };
        let most = self.limits(instance, configuration).most();
        self.after_waits(instance, configuration, (clock, most), events)
    }

    fn after_waits(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        (clock, most): (&Clock, u64),
        untimed: Vec<Event>,
    ) -> Vec<Event> {
        let mut events = Vec::new();
        for event in untimed {
            let waits = match event.cause {
                Cause::Deliver { channel, position } => {
                    let mut messages = configuration.channel(channel);
                    let window = messages.nth(position as usize).map(|m| clock.window(m.id));
                    let first = window.map_or(0, |w| w.first.saturating_sub(clock.now()));
                    first..=most
                }
                Cause::Gather => {
                    let alternative = event.alternative;
                    let first = self.gathering(instance, configuration, event.process, alternative);
                    first.map_or(0, |(first, _)| first)..=most
                }
                Cause::Internal
                    if self.is_urgent(
                        instance,
                        configuration,
                        event.process,
                        &(event.cause.clone(), event.alternative),
                    ) =>
                {
                    0..=0
                }
                _ => 0..=most,
            };
            events.extend(self.delays(waits).map(|wait| Event { wait, ..event.clone() }));
        }
        events
    }
}
