//! The machine executes one step: a scratch frame, the outgoing messages, the pending upcalls. Only its counts outlast a step, so
//! one machine serves any number of configurations.

mod arbitrary_init;
mod assign;
mod fast;
mod receive;
mod local_steps;
mod order;
mod faults;
mod detectors;
mod pairs;
mod probe;
mod radio;
mod reading;
mod rounds;
mod send;
mod run;
mod deliver;
mod time;
mod time_successors;
mod upcall;

use super::abort::{Abort, Eval};
use super::choice::Chooser;
use super::configuration::Configuration;
use super::environment::Air;
use super::eval::neighbourhood::Neighbourhood;
use super::eval::{Chance, Env, MAX_VISITS};
use super::event::{Effects, NO_ACTION, Received};
use super::metrics::Metrics;
use super::orders::{ChoiceOrders, NO_VALUE};
use super::pool::copy_words;
use crate::instance::{ExecutionModel, Instance};
use crate::ir::{PC, Pc, Slot, Value};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::collections::VecDeque;

pub use fast::{Ended, FastResult, Forecast, RandomSource};
pub use faults::CrashOrder;
pub use local_steps::Possible;
pub use probe::Takers;
pub use reading::readers;
pub use receive::Offer;
pub use time::ScriptedDelay;
pub use time_successors::{MAX_DELAYS as MOST_WAITS, SOME as SOME_WAITS};

/// Maximum number of operations of one command, about a second of work; more count as an infinite loop.
pub const MAX_OPS_PER_COMMAND: u32 = 1_000_000;

/// A message that is taken in this step.
#[derive(Clone, Copy, Debug)]
struct Taken {
    channel: u32,
    position: u32,
    id: u32,
}

#[derive(Debug)]
struct PendingUpcall {
    from: u16,
    name: String,
    args: Vec<Value>,
    span: crate::source::Span,
}

#[derive(Debug)]
pub struct Machine {
    /// The frame: variables of the current process, temporaries, then the registers of its role's micro-code.
    words: Vec<i64>,
    /// Frames of the other roles; that of `role` is swapped out.
    frames: Vec<Vec<i64>>,
    role: usize,
    /// Fast-path flag: one-word messages, no self links, a single lane.
    fast_path: bool,
    /// The candidate that took the current message.
    position: u32,
    values: Vec<Value>,
    /// The message under construction.
    message_words: Vec<i64>,
    message_values: Vec<Value>,
    /// The neighbourhood of the current process; None if the model does not use it.
    neighbourhood: Option<Box<Neighbourhood>>,
    /// Radio: the decision of the current process for this slot before its command.
    air_before: Option<Air>,
    /// Pairs: the candidate that began the current interaction.
    interaction: u32,
    /// Pairs: whether the last step changed the answer of an oracle.
    pub(crate) answers_changed: bool,
    /// Rounds: the open alternatives of the current process.
    open: SmallVec<[u32; 4]>,
    /// Set if some possible steps were not listed, because too many delays or numbers of quiet rounds may precede them.
    pub delays_omitted: bool,
    /// Messages sent in this step: channel and slot.
    outbox: Vec<(u32, u32)>,
    /// In unordered rounds: for each message of `outbox`, the number of messages after it in its channel. Empty: all are
    /// appended.
    behind: Vec<u32>,
    taken: Vec<Taken>,
    /// Acceptable alternatives of the current message: positions in the cell's list.
    acceptable: SmallVec<[u32; 8]>,
    calls: Vec<Pc>,
    upcalls: VecDeque<PendingUpcall>,
    /// State for models with faults and time; see `faults` and `time`.
    special: FaultAndTimeState,
    /// Length of the causal chain of the current process, in this step.
    depth: u32,
    /// Number of elements of collections that the current command may still visit.
    budget: u64,
    /// Choices made within the command.
    pub choices: SmallVec<[u32; 2]>,
    /// Orders for choices by a scenario, and a record of the choices made.
    pub choice_orders: ChoiceOrders,
    /// Effects of the last step. `sent`, `received`, `observations` and `guards` only while `recording`.
    pub effects: Effects,
    pub recording: bool,
    /// Whether an aborted step is undone completely, compound values and counts included. Each step then saves beforehand what it
    /// may change, and copies the collections that it changes. In unobserved runs an abort ends the run, so this is not needed.
    pub undo_aborts: bool,
    kept_values: Vec<Value>,
    kept_metrics: Metrics,
    pub metrics: Metrics,
}

impl Machine {
    pub fn new(instance: &Instance) -> Machine {
        let layout = &instance.layout;
        let mut frames: Vec<Vec<i64>> =
            instance.tables.iter().map(|table| table.micro.registers.clone()).collect();
        Machine {
            words: frames.first_mut().map(std::mem::take).unwrap_or_default(),
            frames,
            role: 0,
            position: 0,
            values: vec![Value::None; layout.frame_values],
            message_words: vec![0; layout.message_words],
            message_values: vec![Value::None; layout.message_values],
            neighbourhood: (instance.model.execution != ExecutionModel::Single).then(Box::default),
            air_before: None,
            interaction: 0,
            answers_changed: false,
            open: SmallVec::new(),
            delays_omitted: false,
            outbox: Vec::new(),
            behind: Vec::new(),
            taken: Vec::new(),
            fast_path: !instance.has_faults_or_time()
                && instance.layout.lanes == 1
                && !instance.layout.self_links
                && instance.layout.message_values == 0
                && instance.layout.kinds.iter().all(|kind| kind.single),
            acceptable: SmallVec::new(),
            calls: Vec::new(),
            upcalls: VecDeque::new(),
            special: FaultAndTimeState::new(instance),
            depth: 0,
            budget: MAX_VISITS,
            choices: SmallVec::new(),
            choice_orders: ChoiceOrders::default(),
            effects: Effects::default(),
            recording: false,
            undo_aborts: false,
            kept_values: Vec::new(),
            kept_metrics: Metrics::default(),
            metrics: Metrics::new(instance.program.kinds.len(), instance.program.operations.len()),
        }
    }

    /// Return the channels of the messages that the last step sent, in order.
    #[inline]
    pub fn sent(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.outbox.iter().map(|(channel, _)| *channel)
    }

    /// Return the messages that the last step sent, in order: channel and number.
    pub fn sent_messages(&self, configuration: &Configuration) -> Vec<(u32, u32)> {
        self.outbox.iter().map(|(channel, slot)| (*channel, configuration.pool.id(*slot))).collect()
    }

    /// Return whether the process crashed or restarted in the last step.
    pub fn crashed_or_restarted(&self) -> bool {
        self.special.turned
    }

    /// Return the message that the last step duplicated, if any.
    pub fn copied(&self) -> Option<u32> {
        self.special.copied
    }

    /// Return the process at the end of a link that failed in the last step: messages that arrived on it and are waiting vanish.
    pub fn failed_link_receiver(&self) -> Option<u32> {
        self.special.cut_off
    }

    /// Return the messages that the last step took: channel and position, as before the step.
    pub fn taken_positions(&self) -> Vec<(u32, u32)> {
        self.taken.iter().map(|taken| (taken.channel, taken.position)).collect()
    }

    /// Return the index of the acceptable alternative that took the message; after an abort, 0 if none was chosen yet.
    pub fn alternative(&self) -> u32 {
        self.position
    }

    /// Return whether the last step took a message from its channel.
    #[inline]
    pub fn took_something(&self) -> bool {
        !self.taken.is_empty()
    }

    /// Return the channels that were empty before the last step sent into them, each once.
    #[inline]
    pub fn newly_busy<'a>(&'a self, configuration: &'a Configuration) -> impl Iterator<Item = u32> + 'a {
        let first = |(channel, slot): &&(u32, u32)| configuration.first_slot(*channel) == *slot;
        self.outbox.iter().filter(first).map(|(channel, _)| *channel)
    }

    /// Prepare the frame for a step of a process. Compound values are moved, so that the step can change them in place; `commit`
    /// or `roll_back` moves them back.
    #[inline]
    fn begin(&mut self, instance: &Instance, configuration: &mut Configuration, process: u32) {
        if self.undo_aborts {
            self.keep(configuration, process);
        }
        self.outbox.clear();
        if !self.behind.is_empty() {
            self.behind.clear();
        }
        self.taken.clear();
        if !self.choices.is_empty() {
            self.choices.clear();
        }
        if self.recording {
            self.effects.received.clear();
            self.effects.sent.clear();
            self.effects.observations.clear();
            self.effects.upcalls.clear();
            self.effects.guards.clear();
            self.effects.lost.clear();
            self.effects.arrived = None;
            self.effects.copied = None;
        }
        if self.special.active {
            self.special.begin();
        }
        self.depth = configuration.depth(process);
        self.budget = MAX_VISITS;
        self.enter(instance, process);
        copy_words(&mut self.words, configuration.words(process));
        let values = configuration.values_mut(process);
        if !values.is_empty() {
            self.values[..values.len()].swap_with_slice(values);
        }
        if self.neighbourhood.is_some() {
            self.air_before = None;
            self.special.arrived = false;
            self.effects.responder = None;
            self.load_neighbourhood(instance, configuration, process);
        }
    }

    /// Save what an abort has to restore.
    #[cold]
    fn keep(&mut self, configuration: &Configuration, process: u32) {
        self.effects.action = NO_ACTION;
        self.position = 0;
        self.kept_values.clear();
        self.kept_values.extend_from_slice(configuration.values(process));
        self.kept_metrics.copy_from(&self.metrics);
    }

    /// Switch to the frame of the process's role.
    #[inline]
    fn enter(&mut self, instance: &Instance, process: u32) {
        if self.frames.len() > 1 {
            let role = instance.role_of(process);
            if role != self.role {
                let (old, new) = (self.role, role);
                std::mem::swap(&mut self.words, &mut self.frames[old]);
                std::mem::swap(&mut self.words, &mut self.frames[new]);
                self.role = role;
            }
        }
        if let Some(id) = instance.table(process).micro.id {
            self.words[id as usize] = instance.network.id(process);
        }
    }

    /// Prepare the frame for evaluation only.
    fn look(&mut self, instance: &Instance, configuration: &Configuration, process: u32) {
        self.enter(instance, process);
        copy_words(&mut self.words, configuration.words(process));
        let values = configuration.values(process);
        self.values[..values.len()].clone_from_slice(values);
        if self.neighbourhood.is_some() {
            self.load_neighbourhood(instance, configuration, process);
        }
    }

    /// Undo `begin` if no operation was executed.
    #[inline]
    fn give_back(&mut self, configuration: &mut Configuration, process: u32) {
        let values = configuration.values_mut(process);
        if !values.is_empty() {
            self.values[..values.len()].swap_with_slice(values);
        }
    }

    /// Make the step part of the configuration.
    #[inline]
    fn commit(&mut self, instance: &Instance, configuration: &mut Configuration, process: u32) {
        if self.special.active {
            self.commit_time(instance, configuration, process);
        }
        copy_words(configuration.words_mut(process), &self.words);
        if self.neighbourhood.is_some() {
            self.leave_responder(instance, configuration, process);
        }
        self.give_back(configuration, process);
        for i in 0..self.taken.len() {
            let taken = self.taken[i];
            configuration.remove(taken.channel, taken.position);
        }
        match self.behind.is_empty() {
            true => self.outbox.iter().for_each(|(channel, slot)| configuration.append(*channel, *slot)),
            false => self.insert_sent(configuration),
        }
        if self.recording {
            self.record(instance, configuration, process);
        }
    }

    /// Record the messages taken and sent.
    #[cold]
    fn record(&mut self, instance: &Instance, configuration: &Configuration, process: u32) {
        let received = |taken: &Taken| Received { message: taken.id, channel: taken.channel };
        let taken = self.taken.iter().map(received);
        match self.special.vanishing {
            false => self.effects.received.extend(taken),
            true => self.effects.lost.extend(taken),
        }
        self.record_sent(instance, configuration, process);
    }

    /// Undo the effects of a command that has aborted. Unless the machine is `careful`, compound variables and counts keep their
    /// current contents.
    #[cold]
    fn roll_back(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: u32,
        abort: Box<Abort>,
    ) -> Box<Abort> {
        let abort = self.explain(instance, process, abort);
        self.give_back(configuration, process);
        if self.undo_aborts {
            configuration.values_mut(process).swap_with_slice(&mut self.kept_values);
            self.metrics.copy_from(&self.kept_metrics);
        }
        self.undecide(configuration, process);
        let first = configuration.next_message().wrapping_sub(self.outbox.len() as u32);
        configuration.forget_numbers(first);
        for (_, slot) in self.outbox.drain(..) {
            configuration.pool.release(slot);
        }
        self.upcalls.clear();
        self.calls.clear();
        abort
    }

    /// Add the process and its variables to an abort.
    fn explain(&self, instance: &Instance, process: u32, mut abort: Box<Abort>) -> Box<Abort> {
        abort.process = Some(process);
        let role = &instance.program.roles[instance.role_of(process)];
        let shown = role.vars.iter().filter(|v| !v.local);
        abort.variables = shown
            .map(|v| {
                let value = match v.slot {
                    Slot::Word(slot) => Value::from_word(&v.ty, self.words[slot as usize]),
                    Slot::Value(slot) => self.values[slot as usize].clone(),
                };
                (role.shown_name(v), value)
            })
            .collect();
        abort
    }

    /// Run a command to its end, then the upcalls it made, and commit the step.
    #[inline]
    fn execute_step(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: u32,
        entry: Pc,
        chooser: &mut dyn Chooser,
    ) -> Eval<()> {
        let result = self.run(instance, configuration, process, entry, chooser);
        self.conclude(instance, configuration, process, result, chooser)
    }

    /// Complete a step whose command has run.
    #[inline]
    fn conclude(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: u32,
        mut result: Eval<()>,
        chooser: &mut dyn Chooser,
    ) -> Eval<()> {
        if !self.upcalls.is_empty() && result.is_ok() {
            result = self.run_upcalls(instance, configuration, process, chooser);
        }
        if self.special.active {
            result = self.settle(instance, configuration, process, result);
        }
        if self.neighbourhood.is_some() && result.is_ok() {
            self.order_sent(instance, configuration, process, chooser);
        }
        match result {
            Ok(()) if !chooser.agrees() => {
                // The message is never shown: the caller that supplied the choices reports the mismatch.
                let abort = Abort::new(crate::source::Span::default(), "other choices were expected");
                Err(self.roll_back(instance, configuration, process, abort))
            }
            Ok(()) => {
                self.commit(instance, configuration, process);
                Ok(())
            }
            Err(abort) => Err(self.roll_back(instance, configuration, process, abort)),
        }
    }

    /// Set the initial value of a variable of a process, in place of that of its declaration. The instance's program must be
    /// [prepared](crate::ir::Program::to_be_given) for such values.
    pub fn set_initial(&mut self, process: u32, slot: Slot, value: Value) {
        self.special.given.push((process, slot, value));
    }

    /// Execute the first commands of a process, and of its client if clients run.
    pub fn start(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: u32,
        chooser: &mut dyn Chooser,
    ) -> Eval<()> {
        self.begin(instance, configuration, process);
        let result = self.run_start(instance, configuration, process, chooser);
        self.conclude(instance, configuration, process, result, chooser)?;
        configuration.started = configuration.started.max(process + 1);
        self.schedule_timeout(instance, configuration, process);
        if configuration.next_to_start().is_none() {
            self.begin_rounds(instance, configuration);
        }
        Ok(())
    }

    fn run_start(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: u32,
        chooser: &mut dyn Chooser,
    ) -> Eval<()> {
        let role = &instance.program.roles[instance.role_of(process)];
        self.words[PC as usize] = 0;
        self.effects.action = 0;
        if self.special.active {
            self.special.entered.extend(0..role.components.len() as u16);
        }
        self.run(instance, configuration, process, role.start, chooser)?;
        match role.client.filter(|_| instance.clients && self.words[PC as usize] >= 0) {
            Some(client) => self.run(instance, configuration, process, client, chooser),
            None => Ok(()),
        }
    }

    /// Return the frame as an environment, for a guard.
    #[inline]
    fn env<'a>(&'a mut self, instance: &'a Instance, process: u32) -> Env<'a> {
        self.budget = MAX_VISITS;
        Env {
            words: &mut self.words,
            values: &mut self.values,
            instance,
            process,
            world: None,
            neighbourhood: self.neighbourhood.as_deref(),
            chance: None,
            budget: &mut self.budget,
        }
    }

    /// The same within a command, where random draws are allowed.
    #[inline]
    fn command_env<'a>(
        &'a mut self,
        instance: &'a Instance,
        process: u32,
        chooser: &'a mut dyn Chooser,
    ) -> Env<'a> {
        let chance = Some(Chance { chooser, choices: &mut self.choices, told: &mut self.choice_orders });
        Env {
            words: &mut self.words,
            values: &mut self.values,
            instance,
            process,
            world: None,
            neighbourhood: self.neighbourhood.as_deref(),
            chance,
            budget: &mut self.budget,
        }
    }

    #[inline]
    fn choose(
        &mut self,
        process: u32,
        chooser: &mut dyn Chooser,
        options: usize,
        value: &dyn Fn(usize) -> Option<Value>,
    ) -> usize {
        if options <= 1 {
            return 0;
        }
        let choice = self.choice_orders.choose(process, options, value, || chooser.choose(options));
        self.choices.push(choice as u32);
        choice
    }
}

/// State of a step in models with faults and time.
#[derive(Debug, Default)]
struct FaultAndTimeState {
    active: bool,
    /// The thread has arrived at a waiting point, possibly the same as before.
    arrived: bool,
    /// Components whose control state was entered, possibly the same as before.
    entered: SmallVec<[u16; 2]>,
    /// Timers set (with their durations) and cancelled, in order.
    timers: SmallVec<[(u16, Option<u64>); 2]>,
    /// The process crashes within its command.
    crashing: bool,
    /// The process crashes within its command in a round.
    dying: Option<Box<faults::Dying>>,
    /// The step is a restart.
    restarting: bool,
    /// The taken messages vanish.
    vanishing: bool,
    /// The process has crashed or restarted.
    turned: bool,
    /// The message that has been duplicated; the sent message is its copy.
    copied: Option<u32>,
    /// The process at the other end of the link that has failed.
    cut_off: Option<u32>,
    /// Messages that arrive within this time count as arrived.
    later: u64,
    /// Messages that could have arrived, but that the run delays by choice.
    coming: FxHashSet<u32>,
    /// Messages held by a scenario.
    held: FxHashSet<u32>,
    /// Crashes ordered by a scenario.
    orders: Vec<CrashOrder>,
    /// Delays ordered by a scenario; the last matching one applies.
    delays: Vec<ScriptedDelay>,
    /// Initial values of variables given by a scenario.
    given: Vec<(u32, Slot, Value)>,
}

impl FaultAndTimeState {
    fn new(instance: &Instance) -> FaultAndTimeState {
        FaultAndTimeState { active: instance.has_faults_or_time(), ..FaultAndTimeState::default() }
    }

    fn begin(&mut self) {
        self.arrived = false;
        self.entered.clear();
        self.timers.clear();
        self.crashing = false;
        self.dying = None;
        self.restarting = false;
        self.vanishing = false;
        self.turned = false;
        self.copied = None;
        self.cut_off = None;
    }
}
