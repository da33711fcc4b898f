//! The interface of the semantics: `initial`, `enabled`, `step`.
//!
//! These functions create a [`Machine`] for each call. Callers that take many steps keep one, and use its methods.

use super::abort::StepError;
use super::choice::{Chooser, First, Given};
use super::configuration::Configuration;
use super::event::{Cause, Effects, Event};
use super::machine::{Machine, Offer};
use crate::ids::ProcessId;
use crate::instance::{ExecutionModel, Instance};

/// Return the initial configuration, in which no process has started.
pub fn initial(instance: &Instance) -> Configuration {
    Configuration::initial(instance)
}

/// Return the enabled steps in a fixed order, without the choices within their commands: process by process, first internal
/// steps, then the messages it can take, channel by channel; notes last. While some process has not started, the next start is
/// the only enabled step.
///
/// Calls and notes of scenarios are not included. Faults are, within the budget. In models with time, an event is listed once for
/// each time that may pass before it. In rounds, a wake-up or restart is listed once for each number of quiet rounds that may
/// precede it. If there are very many waits, only some are listed, see [`Machine::waits_left_out`].
pub fn enabled(instance: &Instance, configuration: &Configuration) -> Vec<Event> {
    Machine::new(instance).enabled(instance, configuration)
}

/// Take one step with all its choices given.
///
/// # Errors
/// If the step is not possible here, or aborts: then nothing has changed.
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

/// Return whether a run may end in a configuration: every enabled event may be omitted.
pub fn is_end(instance: &Instance, configuration: &Configuration) -> bool {
    let mut machine = Machine::new(instance);
    let mut enabled = machine.enabled(instance, configuration).into_iter();
    enabled.all(|event| machine.may_be_omitted(instance, configuration, &event))
}

impl Machine {
    /// The same as [`enabled`].
    pub fn enabled(&mut self, instance: &Instance, configuration: &Configuration) -> Vec<Event> {
        match &instance.script {
            None => self.enabled_steps(instance, configuration),
            Some(_) => self.enabled_in_script(instance, configuration),
        }
    }

    /// Return the enabled steps, as without the script of the instance.
    pub(super) fn enabled_steps(&mut self, instance: &Instance, configuration: &Configuration) -> Vec<Event> {
        let event = |process, cause, alternative| Event { alternative, ..Event::new(process, cause) };
        if let Some(process) = configuration.next_to_start() {
            return vec![event(process, Cause::Start, 0)];
        }
        match instance.model.execution {
            ExecutionModel::Rounds => return self.enabled_in_rounds(instance, configuration),
            ExecutionModel::Daemon(daemon) if instance.model.is_joint() => {
                return self.enabled_moves(instance, configuration, daemon);
            }
            _ => {}
        }
        let mut events = Vec::new();
        for process in instance.processes() {
            events.append(&mut self.enabled_at(instance, configuration, process));
        }
        for note in configuration.notes().iter().filter(|note| !configuration.crashed(note.to)) {
            let arrival = event(note.to, Cause::ReceiveNote { from: note.from }, 0);
            if !events.contains(&arrival) {
                events.push(arrival);
            }
        }
        if !instance.has_faults_or_time() {
            return events;
        }
        events.append(&mut self.faults(instance, configuration));
        match &configuration.environment.clock {
            None => events,
            Some(clock) if clock.is_timed() => self.enabled_in_time(instance, configuration, clock, events),
            Some(_) => {
                let mut internal = Vec::new();
                for process in instance.processes() {
                    self.timeouts(instance, configuration, process, 0, &mut internal);
                    let timeouts = internal.drain(..);
                    events.extend(timeouts.map(|(cause, alternative)| event(process, cause, alternative)));
                }
                events
            }
        }
    }

    /// Return the steps of one process, when all have started; without notes.
    pub fn enabled_at(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        process: ProcessId,
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

    /// Return whether a run may omit an enabled event forever: a fault, or the arrival of a message whose sender is down.
    pub fn may_be_omitted(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        event: &Event,
    ) -> bool {
        match event.cause {
            // The lines of a script happen, and those that wait for rest need it.
            _ if configuration.is_of_script(instance, event) => false,
            Cause::Deliver { .. } | Cause::Gather if configuration.has_lines_left(instance) => false,
            Cause::Deliver { channel, .. } => configuration.may_never_arrive(instance, channel),
            Cause::Gather if instance.active_faults().is_some_and(|hazards| hazards.crash_loses) => {
                // Whatever its choices, it takes messages of the same channels.
                let done = self.perform(instance, &mut configuration.clone(), event, &mut First);
                let is_lost = |channel| configuration.may_never_arrive(instance, channel);
                !matches!(done, Ok(false) | Err(StepError::Impossible(_)))
                    && self.taken_positions().iter().any(|(channel, _)| is_lost(*channel))
            }
            _ => configuration.is_fault(event),
        }
    }

    /// Take the step that an event describes, with its recorded choices; completely or not at all.
    ///
    /// # Errors
    /// The same as for [`step`].
    pub fn replay(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        event: &Event,
    ) -> Result<(), StepError> {
        let mut given = Given::new(&event.choices);
        let completely = self.undo_aborts(true);
        let done = self.perform(instance, configuration, event, &mut given);
        self.undo_aborts(completely);
        let why = match done {
            Ok(true) if given.agrees() => return Ok(()),
            Ok(false) => "it is not enabled",
            // A program may abort before all its choices are made, but not because of choices that it does not offer.
            Err(StepError::Aborted(abort)) if !given.mismatched => return Err(StepError::Aborted(abort)),
            Err(error @ StepError::Impossible(_)) => return Err(error),
            Ok(true) | Err(StepError::Aborted(_)) => "its choices do not match",
        };
        let message = format!("this step of {} is not possible here: {why}", event.process);
        Err(StepError::Impossible(message))
    }

    /// Take the step that an event describes, except for its choices, which the chooser makes: they are in `self.choices`
    /// afterwards. False: it is not enabled.
    ///
    /// # Errors
    /// If the step aborts.
    pub fn perform(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        event: &Event,
        chooser: &mut dyn Chooser,
    ) -> Result<bool, StepError> {
        match &instance.script {
            None => self.perform_step(instance, configuration, event, chooser),
            Some(_) => self.perform_in_script(instance, configuration, event, chooser),
        }
    }

    /// Perform a step without regard to the script of the instance.
    pub(super) fn perform_step(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        event: &Event,
        chooser: &mut dyn Chooser,
    ) -> Result<bool, StepError> {
        if event.process.0 >= instance.n() {
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
        // A step that is not taken leaves the time unchanged.
        let before = configuration.now();
        configuration.advance_time(event.wait);
        let taken = self.take(instance, configuration, event, chooser);
        if !matches!(taken, Ok(true)) {
            configuration.set_now(before);
        }
        taken
    }

    /// The same after quiet rounds. The end of a round contains its own number.
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

    /// The same at the current instant.
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
                let taken = self.execute_part(instance, configuration, *round, process, wanted, chooser)?;
                return Ok(taken.is_some());
            }
            Cause::Move { last } => {
                let alternative = event.alternative;
                let moved = self.move_together(instance, configuration, process, *last, alternative, chooser);
                return Ok(moved?);
            }
            // While a joint step is in progress, no other step is possible.
            _ if configuration.in_joint_step() => return Ok(false),
            Cause::Deliver { .. } if instance.model.execution != ExecutionModel::Single => return Ok(false),
            Cause::Deliver { channel, position } => {
                let (channel, position) = (*channel, *position);
                if channel.0 >= instance.layout.channels
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
            | Cause::EndMislead
            | Cause::Trust { .. } => {
                return Ok(self.execute_fault(instance, configuration, event, chooser)?);
            }
            Cause::Elapse => self.elapse(instance, configuration, process),
            Cause::Call { operation, args } => {
                self.call(instance, configuration, process, *operation, args, chooser)?;
            }
            Cause::SendNote { to } => return Ok(self.send_note(instance, configuration, process, *to)),
            Cause::ReceiveNote { from } => {
                return Ok(self.receive_note(instance, configuration, process, *from));
            }
        }
        Ok(true)
    }
}
