//! A simulation that can be stopped and resumed between any two steps.

mod starts;
mod tokens;
mod unwatched;

use super::postponed::FaultAndTimeState;
use super::{Held, Observer, Outcome, Run, Scheduler, Token, classify};
use crate::ids::{ChannelId, ProcessId};
use crate::instance::Instance;
use crate::ir::Value;
use crate::semantics::event::{Cause, Event};
use crate::semantics::machine::{Ended, Possible};
use crate::semantics::orders::{ChoiceOrder, ChoiceOrders, NO_VALUE};
use crate::semantics::{Abort, Configuration, Eval, Machine, MessageRef, Metrics, Offer, StepError};
use crate::stop::STEPS_BETWEEN_POLLS;
use std::collections::VecDeque;
use unwatched::FastRun;

/// Tokens from here on denote processes with an internal step.
pub(super) const PROCESS: Token = 1 << 31;
/// Tokens from here on denote processes to which a note is in transit.
pub(super) const NOTE: Token = 0b11 << 30;
/// Tokens from here on denote processes with a leisure step, in systems with time.
pub(super) const LEISURE: Token = NOTE | 1 << 28;
/// Tokens from here on denote processes with an expiring timer.
pub(super) const TIMER: Token = NOTE | 1 << 29;
/// Mask of the process in a `LEISURE` or `TIMER` token.
pub(super) const PROCESS_MASK: Token = (1 << 28) - 1;

/// The result of requesting a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    Stepped,
    /// No step is possible now.
    Quiet,
    /// The observer has stopped the run.
    Stopped,
}

/// A configuration with the scheduler's state. Every call receives the instance.
#[derive(Debug)]
pub struct Simulation<S> {
    pub configuration: Configuration,
    pub scheduler: S,
    /// Number of steps taken.
    pub steps: u64,
    pub(super) held: Held,
    pub(super) machine: Machine,
    /// Tokens that could not be served, by process: tried again after its next step. Allocated on first use.
    pub(super) parked: Vec<Vec<Token>>,
    /// Processes with a `PROCESS` token in the scheduler. Empty if the program has no internal steps.
    pub(super) listed: Vec<bool>,
    /// Present in models with faults and time.
    pub(super) special: Option<Box<FaultAndTimeState>>,
    /// Whether every message needs a token of its own, whatever the scheduler: it may become possible separately.
    deferring: bool,
    possible: Vec<Possible>,
    /// Whether the current step is a start.
    starting: bool,
    /// Rounds: whether the end of the round is in the scheduler.
    pub(super) round_listed: bool,
    /// Rounds: number of quiet rounds since the last event.
    pub(super) quiet_rounds: u64,
    /// Daemons: the other processes that move in the current joint step.
    pub(super) pending_movers: VecDeque<ProcessId>,
    /// Daemons, with a deterministic scheduler: the position whose turn is next.
    pub(super) turn: ProcessId,
}

impl<S: Scheduler> Simulation<S> {
    /// Create a simulation in the initial configuration.
    pub fn new(instance: &Instance, scheduler: S) -> Simulation<S> {
        Simulation::resume(instance, Configuration::initial(instance), scheduler)
    }

    /// Create a simulation in any configuration. Messages in transit count as sent in the order of their numbers.
    pub fn resume(instance: &Instance, configuration: Configuration, scheduler: S) -> Simulation<S> {
        let internal = instance.tables.iter().any(|t| t.internal);
        let mut simulation = Simulation {
            machine: Machine::new(instance),
            scheduler,
            steps: 0,
            held: Held::default(),
            parked: Vec::new(),
            listed: vec![false; if internal { instance.n() as usize } else { 0 }],
            special: FaultAndTimeState::new(instance),
            deferring: instance.tables.iter().any(|t| t.defers),
            possible: Vec::new(),
            starting: false,
            round_listed: false,
            quiet_rounds: 0,
            pending_movers: VecDeque::new(),
            turn: ProcessId(0),
            configuration,
        };
        if let Some(faults) = &simulation.configuration.environment().faults {
            simulation.scheduler.set_fault_budget(&faults.remaining);
        }
        simulation.collect(instance);
        simulation
    }

    /// Return the metrics so far.
    pub fn metrics(&self) -> &Metrics {
        &self.machine.metrics
    }

    /// Set the metrics to continue those of an earlier part of the run.
    pub fn set_metrics(&mut self, metrics: Metrics) {
        self.machine.metrics = metrics;
    }

    /// Order the next choice of a process.
    pub fn order_choice(&mut self, order: ChoiceOrder) {
        self.machine.choice_orders.add(order);
    }

    /// Return the pending orders for choices, and the choices made.
    pub fn ordered(&mut self) -> &mut ChoiceOrders {
        &mut self.machine.choice_orders
    }

    pub fn held(&self) -> &Held {
        &self.held
    }

    /// Set the held messages; all others are released.
    pub fn set_held(&mut self, held: Held) {
        self.held = held;
        for (process, tokens) in (0..).map(ProcessId).zip(&mut self.parked) {
            self.scheduler.release(tokens, process);
        }
    }

    /// Take the next step that the scheduler finds possible.
    ///
    /// # Errors
    /// If the step aborts; the error contains the number of the step.
    pub fn advance<O: Observer>(&mut self, instance: &Instance, observer: &mut O) -> Eval<Progress> {
        self.try_advance(instance, observer).map_err(|mut abort| {
            abort.step = Some(self.steps);
            abort
        })
    }

    #[inline(never)]
    fn try_start<O: Observer>(&mut self, instance: &Instance, observer: &mut O) -> Eval<Progress> {
        self.try_advance(instance, observer)
    }

    fn try_advance<O: Observer>(&mut self, instance: &Instance, observer: &mut O) -> Eval<Progress> {
        self.watch::<O>();
        if let Some(process) = self.configuration.next_to_start() {
            let Simulation { machine, configuration, scheduler, .. } = self;
            if let Err(abort) = machine.start(instance, configuration, process, scheduler) {
                return Err(self.failed(instance, process, Cause::Start, 0, abort, observer));
            }
            // Processes that may wake up spontaneously precede all messages.
            self.starting = true;
            let progress = self.after(instance, process, None, observer, || (Cause::Start, 0));
            self.starting = false;
            return Ok(progress);
        }
        self.next(instance, observer)
    }

    /// The same when all processes have started.
    #[inline(always)]
    fn next<O: Observer>(&mut self, instance: &Instance, observer: &mut O) -> Eval<Progress> {
        if instance.model.is_joint() {
            return self.next_joint(instance, observer);
        }
        if self.special.is_some() {
            return self.next_special(instance, observer);
        }
        loop {
            let Some(token) = self.scheduler.pop() else {
                return Ok(Progress::Quiet);
            };
            if let Some(progress) = self.serve_token(instance, token, observer)? {
                return Ok(progress);
            }
        }
    }

    #[inline(always)]
    pub(super) fn serve_token<O: Observer>(
        &mut self,
        instance: &Instance,
        token: Token,
        observer: &mut O,
    ) -> Eval<Option<Progress>> {
        if token < PROCESS {
            self.serve_channel(instance, ChannelId(token), observer)
        } else if token < NOTE {
            self.serve_process(instance, ProcessId(token & !PROCESS), observer)
        } else {
            self.serve_note(instance, ProcessId(token & !NOTE), observer)
        }
    }

    /// Take steps until none is possible, the limit is reached, or the observer or the stop signal of the instance ends the run.
    pub fn run<O: Observer>(&mut self, instance: &Instance, max_steps: u64, observer: &mut O) -> Outcome {
        self.watch::<O>();
        let mut unwatched = FastRun::new(instance, !O::ACTIVE && self.held.is_empty());
        loop {
            let pause = max_steps.min(self.steps.saturating_add(STEPS_BETWEEN_POLLS));
            while self.steps < pause {
                if let Some(unwatched) = &mut unwatched
                    && self.steps >= unwatched.again
                    && let Some(end) = self.run_unwatched(instance, unwatched, max_steps)
                {
                    if end == Ended::Quiet {
                        return classify(instance, &self.configuration, &self.held);
                    }
                    continue;
                }
                let progress = match &mut unwatched {
                    _ if self.configuration.next_to_start().is_some() => self.try_start(instance, observer),
                    Some(unwatched) if unwatched.is_open() || !self.configuration.is_full() => {
                        self.next_fast(instance, unwatched, observer)
                    }
                    _ => self.next(instance, observer),
                };
                match progress {
                    Ok(Progress::Stepped) => {}
                    Ok(Progress::Quiet) => return classify(instance, &self.configuration, &self.held),
                    Ok(Progress::Stopped) => return Outcome::Stopped,
                    Err(mut abort) => {
                        abort.step = Some(self.steps);
                        return Outcome::Aborted(abort);
                    }
                }
            }
            if self.steps >= max_steps {
                return Outcome::Limit;
            }
            if instance.stop.is_set() {
                return Outcome::Interrupted;
            }
        }
    }

    /// Return the completed run with this outcome.
    pub fn into_run(self, outcome: Outcome) -> Run {
        Run { outcome, steps: self.steps, configuration: self.configuration, metrics: self.machine.metrics }
    }

    /// Take a particular step: a call or a note of a scenario, or a step that the user selected among the enabled ones. Its
    /// choices are those recorded in it; if it records none, the scheduler makes them.
    ///
    /// # Errors
    /// If the step is not possible, or aborts.
    pub fn take<O: Observer>(
        &mut self,
        instance: &Instance,
        event: &Event,
        observer: &mut O,
    ) -> Result<Progress, StepError> {
        self.machine.recording = O::ACTIVE;
        self.machine.undo_aborts(true);
        let Simulation { machine, configuration, scheduler, .. } = self;
        let done = match event.choices.is_empty() {
            true => machine.perform(instance, configuration, event, scheduler).and_then(|done| match done {
                true => Ok(()),
                // Replay returns the reason.
                false => machine.replay(instance, configuration, event),
            }),
            false => machine.replay(instance, configuration, event),
        };
        match done {
            Ok(()) => {}
            Err(StepError::Aborted(abort)) => {
                let (process, cause) = (event.process, event.cause.clone());
                let abort = self.failed(instance, process, cause, event.alternative, abort, observer);
                return Err(StepError::Aborted(abort));
            }
            Err(impossible) => return Err(impossible),
        }
        if let Cause::SendNote { to } = event.cause {
            self.scheduler.push(NOTE | to.0, to);
        }
        let served = match event.cause {
            Cause::Deliver { channel, .. } => Some(channel),
            _ => None,
        };
        // Its token is still in the scheduler, and finds the next message, or none.
        let served = served.filter(|c| !self.per_message(instance, *c));
        let cause = || (event.cause.clone(), event.alternative);
        Ok(self.after(instance, event.process, served, observer, cause))
    }

    /// Call an operation at a process, as a scenario does.
    ///
    /// # Errors
    /// If the process is busy or has no such operation, or the step aborts.
    pub fn call<O: Observer>(
        &mut self,
        instance: &Instance,
        process: ProcessId,
        operation: u16,
        args: Vec<Value>,
        observer: &mut O,
    ) -> Result<Progress, StepError> {
        let event = Event::new(process, Cause::Call { operation, args });
        self.take(instance, &event, observer)
    }

    #[inline(always)]
    fn serve_channel<O: Observer>(
        &mut self,
        instance: &Instance,
        channel: ChannelId,
        observer: &mut O,
    ) -> Eval<Option<Progress>> {
        let Simulation { machine, configuration, scheduler, .. } = self;
        if self.held.is_empty() && instance.layout.keeps_order(channel) && self.special.is_none() {
            let process = instance.receiver(channel);
            let offer = match machine.deliver(instance, configuration, channel, process, scheduler) {
                Ok(offer) => offer,
                Err(abort) => return Err(self.failed_delivery(instance, channel, 0, abort, observer)),
            };
            if let Some(Offer::Taken(alternative)) = offer {
                let cause = || (Cause::Deliver { channel, position: 0 }, alternative);
                return Ok(Some(self.after(instance, process, Some(channel), observer, cause)));
            }
        }
        self.serve_any(instance, channel, observer)
    }

    /// The general case: deferred messages, unordered channels, held messages.
    #[cold]
    fn serve_any<O: Observer>(
        &mut self,
        instance: &Instance,
        channel: ChannelId,
        observer: &mut O,
    ) -> Eval<Option<Progress>> {
        if self.configuration.is_empty(channel) {
            // Its message was taken with another token.
            return Ok(None);
        }
        let process = instance.receiver(channel);
        let ordered = instance.layout.keeps_order(channel);
        // Messages are counted only if needed: held messages can become very many.
        let messages = if ordered { usize::MAX } else { self.configuration.channel(channel).count() };
        let first = if ordered { 0 } else { self.scheduler.first_position(messages) };
        let some_wait = !self.held.is_empty() || self.special.is_some();
        let free = (some_wait && !ordered).then(|| self.free(instance, channel, first));
        for i in 0..messages {
            let position = match &free {
                Some(free) if i == free.len() => break,
                Some(free) => free[i],
                None => ((first + i) % messages) as u32,
            };
            if ordered {
                let message = self.configuration.channel(channel).nth(i);
                if !message.is_some_and(|message| self.is_free(instance, channel, &message)) {
                    break;
                }
            }
            let Simulation { machine, configuration, scheduler, .. } = self;
            let offer = machine.offer(instance, configuration, channel, position, None, scheduler);
            let offer = match offer {
                Ok(offer) => offer,
                Err(abort) => return Err(self.failed_delivery(instance, channel, position, abort, observer)),
            };
            match offer {
                Offer::Taken(alternative) => {
                    let cause = || (Cause::Deliver { channel, position }, alternative);
                    return Ok(Some(self.after(instance, process, Some(channel), observer, cause)));
                }
                Offer::Nobody if ordered => break,
                _ => {}
            }
        }
        self.park(instance, process, channel.0);
        // The message may have been the last one that a `receive … from each` waits for.
        if instance.table(process).gathers {
            return self.serve_internal(instance, process, true, observer);
        }
        Ok(None)
    }

    /// Return whether this message of this channel may be taken now: it has arrived and is not held.
    fn is_free(&self, instance: &Instance, channel: ChannelId, message: &MessageRef<'_>) -> bool {
        let is_held = !self.held.is_empty() && self.held.holds(instance, channel, message);
        !is_held && (self.special.is_none() || self.has_arrived(message.id))
    }

    /// Return the positions of messages that may be taken, cyclically from `first` on.
    fn free(&self, instance: &Instance, channel: ChannelId, first: usize) -> Vec<u32> {
        let messages = (0u32..).zip(self.configuration.channel(channel));
        let free = messages.filter(|(_, message)| self.is_free(instance, channel, message));
        let mut free: Vec<u32> = free.map(|(place, _)| place).collect();
        let begin = free.partition_point(|place| (*place as usize) < first);
        free.rotate_left(begin);
        free
    }

    pub(super) fn serve_process<O: Observer>(
        &mut self,
        instance: &Instance,
        process: ProcessId,
        observer: &mut O,
    ) -> Eval<Option<Progress>> {
        self.listed[process.index()] = false;
        self.serve_internal(instance, process, false, observer)
    }

    /// Take one of the internal steps of the process, if there is any.
    fn serve_internal<O: Observer>(
        &mut self,
        instance: &Instance,
        process: ProcessId,
        gathers_only: bool,
        observer: &mut O,
    ) -> Eval<Option<Progress>> {
        let mut possible = std::mem::take(&mut self.possible);
        possible.clear();
        let some_held = !self.held.is_empty() && instance.table(process).gathers;
        if some_held {
            let Simulation { machine, configuration, held, .. } = self;
            let messages = instance
                .incoming(process)
                .flat_map(|channel| configuration.channel(channel).map(move |message| (channel, message)));
            let of_held = messages.filter(|(channel, message)| held.holds(instance, *channel, message));
            machine.hold(of_held.map(|(_, message)| message.id));
        }
        self.machine.internal(instance, &self.configuration, process, &mut possible);
        if gathers_only {
            possible.retain(|(cause, _)| *cause == Cause::Gather);
        }
        let chosen = match possible.len() {
            0 => None,
            1 => possible.pop(),
            options => {
                let Simulation { machine, scheduler, .. } = self;
                let chosen =
                    machine.choice_orders.choose(process, options, NO_VALUE, || scheduler.choose(options));
                Some(possible.swap_remove(chosen))
            }
        };
        self.possible = possible;
        let progress = match chosen {
            Some(chosen) => self.fire(instance, process, chosen, observer),
            None => Ok(None),
        };
        if some_held {
            self.machine.hold(std::iter::empty());
        }
        progress
    }

    /// Take a step of a process that was found possible.
    pub(super) fn fire<O: Observer>(
        &mut self,
        instance: &Instance,
        process: ProcessId,
        chosen: Possible,
        observer: &mut O,
    ) -> Eval<Option<Progress>> {
        self.wait_for_rounds(instance, &chosen.0);
        let Simulation { machine, configuration, scheduler, .. } = self;
        match machine.fire(instance, configuration, process, &chosen, scheduler) {
            Ok(true) => {}
            Ok(false) => return Ok(None),
            Err(abort) => {
                let (cause, alternative) = chosen;
                return Err(self.failed(instance, process, cause, alternative, abort, observer));
            }
        }
        Ok(Some(self.after(instance, process, None, observer, || chosen)))
    }

    pub(super) fn serve_note<O: Observer>(
        &mut self,
        instance: &Instance,
        process: ProcessId,
        observer: &mut O,
    ) -> Eval<Option<Progress>> {
        let notes = self.configuration.notes().iter();
        let mut due = notes.filter(|n| n.to == process);
        let Some(from) = due.next().map(|note| note.from) else {
            return Ok(None);
        };
        if !self.machine.receive_note(instance, &mut self.configuration, process, from) {
            // The process has crashed; the note waits until it restarts.
            self.park(instance, process, NOTE | process.0);
            return Ok(None);
        }
        let cause = || (Cause::ReceiveNote { from }, 0);
        Ok(Some(self.after(instance, process, None, observer, cause)))
    }

    /// Record effects and undo aborted steps as the observer needs it.
    fn watch<O: Observer>(&mut self) {
        self.machine.recording = O::ACTIVE;
        self.machine.undo_aborts(O::RESTORES);
    }

    #[cold]
    fn failed_delivery<O: Observer>(
        &mut self,
        instance: &Instance,
        channel: ChannelId,
        position: u32,
        abort: Box<Abort>,
        observer: &mut O,
    ) -> Box<Abort> {
        let alternative = self.machine.alternative();
        let cause = Cause::Deliver { channel, position };
        self.failed(instance, instance.receiver(channel), cause, alternative, abort, observer)
    }

    /// Complete a failed step: add its event to the abort.
    #[cold]
    fn failed<O: Observer>(
        &mut self,
        instance: &Instance,
        process: ProcessId,
        cause: Cause,
        alternative: u32,
        mut abort: Box<Abort>,
        observer: &mut O,
    ) -> Box<Abort> {
        let wait = self.take_wait();
        let choices = std::mem::take(&mut self.machine.choices);
        let event = Event { process, wait, cause, alternative, choices };
        abort.step = Some(self.steps);
        if O::ACTIVE {
            observer.aborted(instance, &event, &self.machine.effects, &abort, &self.configuration);
        }
        abort.event = Some(event);
        abort
    }

    /// Push the tokens of steps that became possible, and notify the observer.
    #[inline(always)]
    fn after<O: Observer>(
        &mut self,
        instance: &Instance,
        process: ProcessId,
        served: Option<ChannelId>,
        observer: &mut O,
        possible: impl FnOnce() -> Possible,
    ) -> Progress {
        self.steps += 1;
        if self.special.is_some() {
            self.after_special(instance, process, served);
        } else {
            self.push_sent(instance, process, served);
        }
        if !self.parked.is_empty() {
            self.scheduler.release(&mut self.parked[process.index()], process);
        }
        if !self.listed.is_empty() {
            if self.special.as_ref().is_some_and(|special| special.agenda.is_some()) {
                self.reconsider_special(instance, process);
            } else {
                self.reconsider(instance, process, self.starting);
            }
            if instance.model.has_state_reading() {
                self.reconsider_readers(instance, process, self.starting);
            }
        }
        if O::ACTIVE {
            let (cause, alternative) = possible();
            let wait = self.take_wait();
            let event = Event {
                process,
                wait,
                cause,
                alternative,
                choices: std::mem::take(&mut self.machine.choices),
            };
            let Simulation { machine, configuration, .. } = self;
            if !observer.after(instance, &event, &machine.effects, configuration, &machine.metrics) {
                return Progress::Stopped;
            }
        }
        Progress::Stepped
    }
}
