//! The machine executes one step: a scratch frame, the outgoing messages, the pending upcalls. Only its counts outlast a step, so
//! one machine serves any number of configurations.

mod frame;
mod draft;
mod outbox;
mod arbitrary_init;
mod assign;
mod fast;
mod receive;
mod pairs;
mod local_steps;
mod notes;
mod order;
mod faults;
mod detectors;
mod probe;
mod radio;
mod reading;
mod rounds;
mod send;
mod run;
mod deliver;
mod time_limits;
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
use crate::ids::{ChannelId, MessageId, ProcessId};
use crate::instance::{ExecutionModel, Instance};
use crate::ir::{PC, Pc, Value};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::collections::VecDeque;

use draft::Draft;
use frame::Frame;
use outbox::Outbox;

pub use fast::{Ended, FastResult, Forecast, RandomSource};
pub use faults::{CrashOrder, is_lost_freely};
pub use local_steps::Possible;
pub use probe::Takers;
pub use reading::readers;
pub use receive::{Offer, sender_value};
pub use time::ScriptedDelay;
pub use time_limits::TimeLimits;
pub use time_successors::{MAX_DELAYS as MOST_WAITS, SOME as SOME_WAITS};

/// Maximum number of operations of one command, about a second of work; more count as an infinite loop.
pub const MAX_OPS_PER_COMMAND: u32 = 1_000_000;

/// A message that is taken in this step.
#[derive(Clone, Copy, Debug)]
struct Taken {
    channel: ChannelId,
    position: u32,
    id: MessageId,
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
    frame: Frame,
    draft: Draft,
    outbox: Outbox,
    receipt: Receipt,
    thread: Thread,
    joint: JointStep,
    /// State for models with faults and time; see `faults` and `time`.
    special: FaultAndTimeState,
    undo: Undo,
    /// Fast-path flag: one-word messages, no self links, a single lane.
    fast_path: bool,
    /// Set if some possible steps were not listed, because too many delays or numbers of quiet rounds may precede them.
    pub delays_omitted: bool,
    /// Choices made within the command.
    pub choices: SmallVec<[u32; 2]>,
    /// Orders for choices by a scenario, and a record of the choices made.
    pub choice_orders: ChoiceOrders,
    /// Effects of the last step. `sent`, `received`, `observations` and `guards` only while `recording`.
    pub effects: Effects,
    pub recording: bool,
    /// Operations of the role's code that the last step executed, in order, while `recording`. `None`: not recorded.
    pub executed: Option<Vec<Pc>>,
    pub metrics: Metrics,
}

/// The receipt of a message in a step.
#[derive(Debug, Default)]
struct Receipt {
    taken: Vec<Taken>,
    /// Acceptable alternatives of the current message: positions in the cell's list.
    acceptable: SmallVec<[u32; 8]>,
    /// The candidate that took the current message.
    position: u32,
    /// Whether a guard has left parts of a message in state slots.
    bound_for_guard: bool,
}

/// The command that runs.
#[derive(Debug)]
struct Thread {
    calls: Vec<Pc>,
    upcalls: VecDeque<PendingUpcall>,
    /// Length of the causal chain of the current process, in this step.
    depth: u32,
    /// Number of elements of collections that the current command may still visit.
    budget: u64,
}

impl Thread {
    /// Discard what the command has left to do.
    fn clear(&mut self) {
        self.upcalls.clear();
        self.calls.clear();
    }
}

/// State for models with rounds, and for those whose processes read or meet each other.
#[derive(Debug, Default)]
struct JointStep {
    /// The neighbourhood of the current process; None if the model does not use it.
    neighbourhood: Option<Box<Neighbourhood>>,
    /// Radio: the decision of the current process for this slot before its command.
    air_before: Option<Air>,
    /// Pairs: the candidate that began the current interaction.
    interaction: u32,
    /// Pairs: the only ports of the process at which responders are considered, in ascending order. `None`: all.
    considered: Option<SmallVec<[u32; 2]>>,
    /// Pairs, by process: the port at which an interaction was found last, or 0. The search begins there.
    latest: Vec<u32>,
    /// Pairs: whether the last step changed the answer of an oracle.
    answers_changed: bool,
    /// Rounds: the open alternatives of the current process.
    open: SmallVec<[u32; 4]>,
}

/// The state that an abort restores, besides the words of the process.
#[derive(Debug, Default)]
struct Undo {
    /// Whether compound values and counts are restored, too: see [`Machine::undo_aborts`].
    is_complete: bool,
    values: Vec<Value>,
    metrics: Metrics,
}

impl Undo {
    /// Save what an abort has to restore.
    fn keep(&mut self, configuration: &Configuration, process: ProcessId, metrics: &Metrics) {
        self.values.clear();
        self.values.extend_from_slice(configuration.values(process));
        self.metrics.copy_from(metrics);
    }

    fn restore(&mut self, configuration: &mut Configuration, process: ProcessId, metrics: &mut Metrics) {
        configuration.values_mut(process).swap_with_slice(&mut self.values);
        metrics.copy_from(&self.metrics);
    }
}

impl Machine {
    pub fn new(instance: &Instance) -> Machine {
        let layout = &instance.layout;
        let uses_neighbourhood = instance.model.execution != ExecutionModel::Single;
        Machine {
            frame: Frame::new(instance),
            draft: Draft::new(instance),
            outbox: Outbox::default(),
            receipt: Receipt::default(),
            thread: Thread { calls: Vec::new(), upcalls: VecDeque::new(), depth: 0, budget: MAX_VISITS },
            joint: JointStep { neighbourhood: uses_neighbourhood.then(Box::default), ..JointStep::default() },
            special: FaultAndTimeState::new(instance),
            undo: Undo::default(),
            fast_path: !instance.has_faults_or_time()
                && layout.lanes == 1
                && !layout.self_links
                && layout.message_values == 0
                && layout.kinds.iter().all(|kind| kind.single),
            delays_omitted: false,
            choices: SmallVec::new(),
            choice_orders: ChoiceOrders::default(),
            effects: Effects::default(),
            recording: false,
            executed: None,
            metrics: Metrics::new(instance.program.kinds.len(), instance.program.operations.len()),
        }
    }

    /// Set whether an aborted step is undone completely, compound values and counts included; return the previous setting. Each
    /// step then saves beforehand what it may change, and copies the collections that it changes. A run that an abort ends is
    /// repeated instead, up to the abort.
    pub fn undo_aborts(&mut self, completely: bool) -> bool {
        std::mem::replace(&mut self.undo.is_complete, completely)
    }

    /// Return whether the last step changed the answer of an oracle, in models of pairs.
    pub fn answers_changed(&self) -> bool {
        self.joint.answers_changed
    }

    /// Return the channels of the messages that the last step sent, in order.
    #[inline]
    pub fn sent(&self) -> impl ExactSizeIterator<Item = ChannelId> + '_ {
        self.outbox.messages.iter().map(|(channel, _)| *channel)
    }

    /// Return the messages that the last step sent, in order: channel and number.
    pub fn sent_messages(&self, configuration: &Configuration) -> Vec<(ChannelId, MessageId)> {
        self.outbox.messages.iter().map(|(channel, slot)| (*channel, configuration.pool.id(*slot))).collect()
    }

    /// Return whether the process crashed or restarted in the last step.
    pub fn crashed_or_restarted(&self) -> bool {
        self.special.turned
    }

    /// Return the message that the last step duplicated, if any.
    pub fn copied(&self) -> Option<MessageId> {
        self.special.copied
    }

    /// Return the process at the end of a link that failed in the last step: messages that arrived on it and are waiting vanish.
    pub fn failed_link_receiver(&self) -> Option<ProcessId> {
        self.special.cut_off
    }

    /// Return the messages that the last step took: channel and position, as before the step.
    pub fn taken_positions(&self) -> Vec<(ChannelId, u32)> {
        self.receipt.taken.iter().map(|taken| (taken.channel, taken.position)).collect()
    }

    /// Return the index of the acceptable alternative that took the message; after an abort, 0 if none was chosen yet.
    pub fn alternative(&self) -> u32 {
        self.receipt.position
    }

    /// Return whether the last step took a message from its channel.
    #[inline]
    pub fn took_something(&self) -> bool {
        !self.receipt.taken.is_empty()
    }

    /// Return the channels that were empty before the last step sent into them, each once.
    #[inline]
    pub fn newly_busy<'a>(
        &'a self,
        configuration: &'a Configuration,
    ) -> impl Iterator<Item = ChannelId> + 'a {
        let first = |(channel, slot): &&(ChannelId, u32)| configuration.first_slot(*channel) == *slot;
        self.outbox.messages.iter().filter(first).map(|(channel, _)| *channel)
    }

    /// Prepare the frame for a step of a process. Compound values are moved, so that the step can change them in place; `commit`
    /// or `roll_back` moves them back.
    #[inline]
    fn begin(&mut self, instance: &Instance, configuration: &mut Configuration, process: ProcessId) {
        if self.undo.is_complete {
            self.keep(configuration, process);
        }
        self.outbox.clear();
        self.receipt.taken.clear();
        if !self.choices.is_empty() {
            self.choices.clear();
        }
        if self.recording {
            self.effects.action = NO_ACTION;
            self.receipt.position = 0;
            self.effects.received.clear();
            self.effects.sent.clear();
            self.effects.observations.clear();
            self.effects.upcalls.clear();
            self.effects.guards.clear();
            if let Some(executed) = &mut self.executed {
                executed.clear();
            }
            self.effects.lost.clear();
            self.effects.arrived = None;
            self.effects.copied = None;
        }
        if self.special.active {
            self.special.begin();
        }
        self.thread.depth = configuration.depth(process);
        self.thread.budget = MAX_VISITS;
        self.frame.take(instance, configuration, process);
        if self.joint.neighbourhood.is_some() {
            self.joint.air_before = None;
            self.special.arrived = false;
            self.effects.responder = None;
            self.load_neighbourhood(instance, configuration, process);
        }
    }

    /// Save what an abort has to restore.
    #[cold]
    fn keep(&mut self, configuration: &Configuration, process: ProcessId) {
        self.effects.action = NO_ACTION;
        self.receipt.position = 0;
        self.undo.keep(configuration, process, &self.metrics);
    }

    /// Prepare the frame for evaluation only.
    fn look(&mut self, instance: &Instance, configuration: &Configuration, process: ProcessId) {
        self.frame.copy(instance, configuration, process);
        if self.joint.neighbourhood.is_some() {
            self.load_neighbourhood(instance, configuration, process);
        }
    }

    /// Make the step part of the configuration.
    #[inline]
    fn commit(&mut self, instance: &Instance, configuration: &mut Configuration, process: ProcessId) {
        if self.special.active {
            self.commit_time(instance, configuration, process);
        }
        copy_words(configuration.words_mut(process), &self.frame.words);
        if self.joint.neighbourhood.is_some() {
            self.leave_responder(instance, configuration, process);
        }
        self.frame.give_back(configuration, process);
        for i in 0..self.receipt.taken.len() {
            let taken = self.receipt.taken[i];
            configuration.remove(taken.channel, taken.position);
        }
        self.outbox.deliver(configuration);
        if self.recording {
            self.record(instance, configuration, process);
        }
    }

    /// Record the messages taken and sent.
    #[cold]
    fn record(&mut self, instance: &Instance, configuration: &Configuration, process: ProcessId) {
        let received = |taken: &Taken| Received { message: taken.id, channel: taken.channel };
        let taken = self.receipt.taken.iter().map(received);
        match self.special.vanishing {
            false => self.effects.received.extend(taken),
            true => self.effects.lost.extend(taken),
        }
        self.record_sent(instance, configuration, process);
    }

    /// Undo the effects of a command that has aborted. Compound variables and counts keep their current contents, unless
    /// [`Machine::undo_aborts`] is set.
    #[cold]
    fn roll_back(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: ProcessId,
        abort: Box<Abort>,
    ) -> Box<Abort> {
        let abort = self.frame.explain(instance, process, abort);
        self.frame.give_back(configuration, process);
        if self.undo.is_complete {
            self.undo.restore(configuration, process, &mut self.metrics);
        }
        self.undecide(configuration, process);
        self.outbox.discard(configuration);
        self.thread.clear();
        abort
    }

    /// Run a command to its end, then the upcalls it made, and commit the step.
    #[inline]
    fn execute_step(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: ProcessId,
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
        process: ProcessId,
        mut result: Eval<()>,
        chooser: &mut dyn Chooser,
    ) -> Eval<()> {
        if !self.thread.upcalls.is_empty() && result.is_ok() {
            result = self.run_upcalls(instance, configuration, process, chooser);
        }
        if self.special.active {
            result = self.settle(instance, configuration, process, result);
        }
        if self.joint.neighbourhood.is_some() && result.is_ok() {
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

    /// Execute the first commands of a process, and of its client if clients run.
    pub fn start(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: ProcessId,
        chooser: &mut dyn Chooser,
    ) -> Eval<()> {
        self.begin(instance, configuration, process);
        let result = self.run_start(instance, configuration, process, chooser);
        self.conclude(instance, configuration, process, result, chooser)?;
        configuration.started = configuration.started.max(process.0 + 1);
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
        process: ProcessId,
        chooser: &mut dyn Chooser,
    ) -> Eval<()> {
        let role = &instance.program.roles[instance.role_of(process)];
        self.frame.words[PC as usize] = 0;
        self.effects.action = 0;
        if self.special.active {
            self.special.entered.extend(0..role.components.len() as u16);
        }
        self.run(instance, configuration, process, role.start, chooser)?;
        match role.client.filter(|_| instance.clients && self.frame.words[PC as usize] >= 0) {
            Some(client) => self.run(instance, configuration, process, client, chooser),
            None => Ok(()),
        }
    }

    /// Return the frame as an environment, for a guard.
    #[inline]
    fn env<'a>(&'a mut self, instance: &'a Instance, process: ProcessId) -> Env<'a> {
        self.thread.budget = MAX_VISITS;
        Env {
            words: &mut self.frame.words,
            values: &mut self.frame.values,
            instance,
            process,
            world: None,
            neighbourhood: self.joint.neighbourhood.as_deref(),
            chance: None,
            budget: &mut self.thread.budget,
        }
    }

    /// The same within a command, where random draws are allowed.
    #[inline]
    fn command_env<'a>(
        &'a mut self,
        instance: &'a Instance,
        process: ProcessId,
        chooser: &'a mut dyn Chooser,
    ) -> Env<'a> {
        let chance = Some(Chance { chooser, choices: &mut self.choices, told: &mut self.choice_orders });
        Env {
            words: &mut self.frame.words,
            values: &mut self.frame.values,
            instance,
            process,
            world: None,
            neighbourhood: self.joint.neighbourhood.as_deref(),
            chance,
            budget: &mut self.thread.budget,
        }
    }

    #[inline]
    fn choose(
        &mut self,
        process: ProcessId,
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
    copied: Option<MessageId>,
    /// The process at the other end of the link that has failed.
    cut_off: Option<ProcessId>,
    /// Messages that arrive within this time count as arrived.
    later: u64,
    /// The time that may pass, if it is stated and not computed.
    stated_time: Option<time_limits::TimeLimits>,
    /// Messages that could have arrived, but that the run delays by choice.
    coming: FxHashSet<MessageId>,
    /// Messages held by a scenario.
    held: FxHashSet<MessageId>,
    /// Crashes ordered by a scenario.
    orders: Vec<CrashOrder>,
    /// A scenario requires other crashes in the step.
    disagrees: bool,
    /// Delays ordered by a scenario; the last matching one applies.
    delays: Vec<ScriptedDelay>,
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
