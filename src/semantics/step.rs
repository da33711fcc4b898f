//! The whole interface of the semantics: `initial`, `enabled`, `step`.
//!
//! These make a [`Machine`] for each call. Whoever takes many steps keeps one, and uses its methods.

use super::abort::StepError;
use super::choice::{Chooser, Given};
use super::configuration::Configuration;
use super::event::{Cause, Effects, Event};
use super::machine::{Machine, Offer};
use crate::instance::{ExecutionModel, Instance};

/// Nobody has started.
pub fn initial(instance: &Instance) -> Configuration {
    Configuration::initial(instance)
}

/// The steps that are possible, in a fixed order, without the choices in the course of their commands: process by
/// process, first what it can do by itself, then the messages it can take, channel by channel; notes last. While some
/// process has not started, the next start is the only one.
///
/// Calls and notes that scenarios make are not among them. Faults are, within the budget; where time passes, an event is
/// listed once for each time that may pass before it; in rounds, whoever wakes or comes back is listed once for each number of rounds that
/// may end before in which nobody goes on. Of very many waits some are listed, see [`Machine::waits_left_out`].
pub fn enabled(instance: &Instance, configuration: &Configuration) -> Vec<Event> {
    Machine::new(instance).enabled(instance, configuration)
}

/// Takes one step with all its choices given.
///
/// # Errors
/// When the step is not possible here, or the program goes wrong: then nothing has changed.
pub fn step(
    instance: &Instance,
    configuration: &mut Configuration,
    event: &Event,
) -> Result<Effects, StepError> {
    let mut machine = Machine::new(instance);
    machine.recording = true;
    machine.replay(instance, configuration, event)?;
    Ok(machine.effects)
}

impl Machine {
    /// As [`enabled`].
    pub fn enabled(&mut self, instance: &Instance, configuration: &Configuration) -> Vec<Event> {
        let event = |process, cause, alternative| Event { alternative, ..Event::new(process, cause) };
        if let Some(process) = configuration.next_to_start() {
            return vec![event(process, Cause::Start, 0)];
        }
        match instance.model.pace {
            ExecutionModel::Rounds => return self.enabled_in_rounds(instance, configuration),
            ExecutionModel::Daemon(daemon) if instance.model.is_joint() => {
                return self.enabled_moves(instance, configuration, daemon);
            }
            _ => {}
        }
        let mut events = Vec::new();
        for process in 0..instance.n() {
            events.append(&mut self.enabled_at(instance, configuration, process));
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
                let mut internal = Vec::new();
                for process in 0..instance.n() {
                    self.timeouts(instance, configuration, process, 0, &mut internal);
                    let timeouts = internal.drain(..);
                    events.extend(timeouts.map(|(cause, alternative)| event(process, cause, alternative)));
                }
                events
            }
        }
    }

    /// The steps of one process, when all have started; notes apart.
    pub fn enabled_at(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        process: u32,
    ) -> Vec<Event> {
        let event = |cause, alternative| Event { alternative, ..Event::new(process, cause) };
        let mut internal = Vec::new();
        match instance.is_timed() {
            false => self.internal(instance, configuration, process, &mut internal),
            true => self.internal_in_time(instance, configuration, process, &mut internal),
        }
        let mut events: Vec<Event> = internal.drain(..).map(|(cause, a)| event(cause, a)).collect();
        for channel in instance.incoming(process) {
            if configuration.is_empty(channel) {
                continue;
            }
            self.deliveries(instance, configuration, channel, |position, alternative| {
                events.push(event(Cause::Deliver { channel, position }, alternative));
            });
        }
        events
    }

    /// Takes the step that an event describes, with the choices it records; completely or not at all.
    ///
    /// # Errors
    /// As for [`step`].
    pub fn replay(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        event: &Event,
    ) -> Result<(), StepError> {
        let mut given = Given::new(&event.choices);
        let careful = std::mem::replace(&mut self.careful, true);
        let done = self.perform(instance, configuration, event, &mut given);
        self.careful = careful;
        let why = match done {
            Ok(true) if given.agrees() => return Ok(()),
            Ok(false) => "it is not enabled",
            // A program may go wrong before all its choices are made, but not by choices that it does not offer.
            Err(StepError::Aborted(abort)) if !given.strayed => return Err(StepError::Aborted(abort)),
            Err(error @ StepError::Impossible(_)) => return Err(error),
            Ok(true) | Err(StepError::Aborted(_)) => "its choices do not fit",
        };
        let message = format!("this step of p{} is not possible here: {why}", event.process);
        Err(StepError::Impossible(message))
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
    ) -> Result<bool, StepError> {
        if event.process >= instance.n() {
            return Ok(false);
        }
        if !instance.is_timed() {
            return match event.wait {
                0 => self.take(instance, configuration, event, chooser),
                _ => self.take_after_quiet_rounds(instance, configuration, event, chooser),
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

    /// The same after rounds in which nobody goes on. The end of a round says itself which it is.
    fn take_after_quiet_rounds(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        event: &Event,
        chooser: &mut dyn Chooser,
    ) -> Result<bool, StepError> {
        if matches!(event.cause, Cause::Start | Cause::Round { .. })
            || event.wait > self.quiet_rounds(instance, configuration)
        {
            return Ok(false);
        }
        let mut later = configuration.clone();
        later.pass_rounds(event.wait);
        let taken = self.take(instance, &mut later, event, chooser);
        if matches!(taken, Ok(true)) {
            self.metrics.rounds = later.rounds().unwrap_or(0);
            *configuration = later;
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
    ) -> Result<bool, StepError> {
        let process = event.process;
        let starting = configuration.next_to_start();
        match &event.cause {
            Cause::Start if starting != Some(process) => return Ok(false),
            Cause::Start => self.start(instance, configuration, process, chooser)?,
            _ if starting.is_some() => return Ok(false),
            Cause::Round { round } => {
                let wanted = Some(event.alternative);
                let taken = self.take_part(instance, configuration, *round, process, wanted, chooser)?;
                return Ok(taken.is_some());
            }
            Cause::Move { last } => {
                let alternative = event.alternative;
                let moved = self.move_together(instance, configuration, process, *last, alternative, chooser);
                return Ok(moved?);
            }
            // In the middle of a joint step nothing else happens.
            _ if configuration.in_joint_step() => return Ok(false),
            Cause::Deliver { .. } if instance.model.pace != ExecutionModel::Single => return Ok(false),
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
                return Ok(self.fire(instance, configuration, process, &possible, chooser)?);
            }
            Cause::Crash
            | Cause::Restart
            | Cause::Lose { .. }
            | Cause::Duplicate { .. }
            | Cause::Cut { .. }
            | Cause::Suspect { .. }
            | Cause::Mislead
            | Cause::SetRight
            | Cause::Trust { .. } => return Ok(self.strike(instance, configuration, event, chooser)?),
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
