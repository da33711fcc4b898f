//! The whole interface of the semantics: `initial`, `enabled`, `step`.
//!
//! These make a [`Machine`] for each call. Whoever takes many steps keeps one, and uses its methods.

use super::abort::{Abort, Eval};
use super::choice::{Chooser, Given};
use super::configuration::Configuration;
use super::event::{Cause, Effects, Event};
use super::machine::{Machine, Offer};
use crate::instance::Instance;
use crate::source::Span;
use smallvec::SmallVec;

/// Nobody has started.
pub fn initial(instance: &Instance) -> Configuration {
    Configuration::initial(instance)
}

/// The steps that are possible, in a fixed order, without the choices in the course of their commands: process by
/// process, first what it can do by itself, then the messages it can take, channel by channel; notes last. While some
/// process has not started, the next start is the only one.
///
/// Calls and notes that scenarios make are not among them. Faults are, within the budget; where time passes, an event is
/// listed once for each time that may pass before it.
pub fn enabled(instance: &Instance, configuration: &Configuration) -> Vec<Event> {
    Machine::new(instance).enabled(instance, configuration)
}

/// Takes one step with all its choices given.
///
/// # Errors
/// When the step is not possible here, or the program goes wrong: then only compound variables of the
/// process may have changed.
pub fn step(instance: &Instance, configuration: &mut Configuration, event: &Event) -> Eval<Effects> {
    let mut machine = Machine::new(instance);
    machine.recording = true;
    machine.replay(instance, configuration, event)?;
    Ok(machine.effects)
}

impl Machine {
    /// As [`enabled`].
    pub fn enabled(&mut self, instance: &Instance, configuration: &Configuration) -> Vec<Event> {
        let event = |process, cause, alternative| Event {
            process,
            wait: 0,
            cause,
            alternative,
            choices: SmallVec::new(),
        };
        if let Some(process) = configuration.next_to_start() {
            return vec![event(process, Cause::Start, 0)];
        }
        let mut events = Vec::new();
        let mut internal = Vec::new();
        for process in 0..instance.n() {
            match instance.is_timed() {
                false => self.internal(instance, configuration, process, &mut internal),
                true => self.internal_in_time(instance, configuration, process, &mut internal),
            }
            for (cause, alternative) in internal.drain(..) {
                events.push(event(process, cause, alternative));
            }
            for channel in instance.incoming(process) {
                if configuration.is_empty(channel) {
                    continue;
                }
                self.deliveries(instance, configuration, channel, |position, alternative| {
                    let cause = Cause::Deliver { channel, position };
                    events.push(event(process, cause, alternative));
                });
            }
        }
        for note in configuration.notes() {
            let arrival = event(note.to, Cause::ReceiveNote { from: note.from }, 0);
            if !events.contains(&arrival) {
                events.push(arrival);
            }
        }
        if !instance.is_special() {
            return events;
        }
        events.append(&mut self.faults(instance, configuration));
        match &configuration.environment.clock {
            None => events,
            Some(clock) if clock.is_timed() => self.enabled_in_time(instance, configuration, clock, events),
            Some(_) => {
                for process in 0..instance.n() {
                    self.timeouts(instance, configuration, process, 0, &mut internal);
                    let timeouts = internal.drain(..);
                    events.extend(timeouts.map(|(cause, alternative)| event(process, cause, alternative)));
                }
                events
            }
        }
    }

    /// Takes the step that an event describes, with the choices it records.
    ///
    /// # Errors
    /// As for [`step`].
    pub fn replay(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        event: &Event,
    ) -> Eval<()> {
        let mut given = Given::new(&event.choices);
        let done = self.perform(instance, configuration, event, &mut given)?;
        if !done || given.strayed || !given.used_up() {
            let why = if done { "its choices do not fit" } else { "it is not enabled" };
            let mut abort = Abort::new(
                Span::default(),
                format!("this step of p{} is not possible here: {why}", event.process),
            );
            abort.process = Some(event.process);
            return Err(abort);
        }
        Ok(())
    }

    /// Takes the step that an event describes, apart from its choices, which the chooser makes: they are in
    /// `self.choices` afterwards. False: it is not enabled.
    ///
    /// # Errors
    /// When the program goes wrong.
    pub fn perform(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        event: &Event,
        chooser: &mut dyn Chooser,
    ) -> Eval<bool> {
        if event.process >= instance.n() {
            return Ok(false);
        }
        if !instance.is_timed() {
            return if event.wait == 0 {
                self.take(instance, configuration, event, chooser)
            } else {
                Ok(false)
            };
        }
        if !self.in_time(instance, configuration, event) {
            return Ok(false);
        }
        // A step that is not taken leaves the time as it was.
        let before = configuration.now();
        configuration.pass(event.wait);
        let taken = self.take(instance, configuration, event, chooser);
        if !matches!(taken, Ok(true)) {
            configuration.set_now(before);
        }
        taken
    }

    /// The same at the present instant.
    fn take(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        event: &Event,
        chooser: &mut dyn Chooser,
    ) -> Eval<bool> {
        let process = event.process;
        let starting = configuration.next_to_start();
        match &event.cause {
            Cause::Start if starting != Some(process) => return Ok(false),
            Cause::Start => self.start(instance, configuration, process, chooser)?,
            _ if starting.is_some() => return Ok(false),
            Cause::Deliver { channel, position } => {
                let (channel, position) = (*channel, *position);
                if channel >= instance.layout.channels
                    || instance.receiver(channel) != process
                    || !self.offered(instance, configuration, channel, position)
                {
                    return Ok(false);
                }
                let wanted = Some(event.alternative);
                let offer = self.offer(instance, configuration, channel, position, wanted, chooser)?;
                return Ok(matches!(offer, Offer::Taken(_)));
            }
            cause @ (Cause::Wakeup | Cause::Internal | Cause::Gather | Cause::Timeout) => {
                let possible = (cause.clone(), event.alternative);
                return self.fire(instance, configuration, process, &possible, chooser);
            }
            Cause::Crash
            | Cause::Restart
            | Cause::Lose { .. }
            | Cause::Duplicate { .. }
            | Cause::Cut { .. }
            | Cause::Suspect { .. }
            | Cause::Trust { .. } => return self.strike(instance, configuration, event, chooser),
            Cause::Call { operation, args } => {
                self.call(instance, configuration, process, *operation, args, chooser)?;
            }
            Cause::SendNote { to } => self.send_note(instance, configuration, process, *to),
            Cause::ReceiveNote { from } => {
                return Ok(self.receive_note(instance, configuration, process, *from));
            }
        }
        Ok(true)
    }
}
